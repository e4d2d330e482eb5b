//! YAML as JSON: cassettes of recorded HTTP traffic are kept in YAML, and read like all else once they are JSON.
//!
//! Recorders write a small part of YAML, in blocks, and that is read by lines and indentation ([`block`]). A text with anything else
//! in it goes to a general parser ([`general`]), whole. Both make the same JSON, to the byte.

mod block;
mod general;
mod lines;
mod plain;
mod quoted;

/// JSON made from YAML.
#[derive(Debug, PartialEq)]
pub(crate) struct Converted {
    pub json: String,
    /// In the order of the JSON: where it came from.
    pub marks: Vec<Mark>,
}

/// From this offset on in the JSON, the YAML is at that line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mark {
    pub json: usize,
    pub line: u32,
    /// The offset of that line.
    pub offset: u64,
    /// A text whose lines are lines of the file.
    pub literal: bool,
}

/// Whether a text seems to be a cassette in YAML: a mapping with a list of interactions at the top.
pub(crate) fn is_cassette(text: &[u8]) -> bool {
    let mut lines = text.split(|b| *b == b'\n').take(1000);
    let top = |line: &[u8]| line.starts_with(b"interactions:") || line.starts_with(b"http_interactions:");
    !matches!(text.trim_ascii_start(), [b'{' | b'[', ..]) && lines.any(top)
}

/// Converts a YAML document, which may become at most `cap` bytes of JSON.
///
/// # Errors
/// Line, column and reason, where it is not YAML.
pub(crate) fn to_json(text: &str, cap: usize) -> Result<Converted, (u32, String)> {
    block::to_json(text, cap).map_or_else(|| general::to_json(text, cap), Ok)
}

#[cfg(test)]
mod tests;
