//! Which lines can hold a call, by format.

use super::members::LineScan;
use super::{claude, wave};
use memchr::memmem;

/// How the lines of a format are read here. Only formats whose lines can be read in any order have one.
#[derive(Clone, Copy)]
pub(super) struct Fast {
    /// What every line with a call has in it, as its writer writes it; empty where every line may be one.
    needle: &'static [u8],
    /// How calls are picked from plain lines without parsing them.
    pub pick: fn(&mut LineScan<'_>) -> Option<()>,
}

/// The fast way of a format, if it has one.
pub(super) fn fast(format: &str) -> Option<Fast> {
    match format {
        // The end of every type of block that is a call. With the closing quote, so that `tool_use_id` is none; text that
        // quotes a transcript has a backslash before the quote.
        "claude-code" => Some(Fast { needle: b"tool_use\"", pick: claude::pick }),
        "wave-agent" => Some(Fast { needle: b"\"tool\"", pick: wave::pick }),
        "misfire" => Some(Fast { needle: b"", pick: wave::pick_own }),
        _ => None,
    }
}

/// The places in a text that a call may be near to.
pub(super) struct Candidates<'t> {
    text: &'t [u8],
    needle: &'static [u8],
    hits: memmem::FindIter<'t, 'static>,
}

impl<'t> Candidates<'t> {
    pub fn new(text: &'t [u8], fast: Fast) -> Self {
        Self { text, needle: fast.needle, hits: memmem::find_iter(text, fast.needle) }
    }

    /// The first place in this line, which ends before `end`.
    pub fn in_line(&mut self, next: &mut Option<usize>, end: usize) -> bool {
        if self.needle.is_empty() {
            return true;
        }
        let found = next.is_some_and(|at| at < end);
        while next.is_some_and(|at| at < end) {
            *next = self.next();
        }
        found
    }

    /// The next place. A key of that name (`"server_tool_use": {…}` in every usage record) is none.
    pub fn next(&mut self) -> Option<usize> {
        if self.needle.is_empty() {
            return None;
        }
        let (text, length) = (self.text, self.needle.len());
        self.hits.find(|at| {
            let behind = text[at + length..].iter().find(|b| !matches!(b, b' ' | b'\t'));
            behind != Some(&b':')
        })
    }
}

/// Whether a line may be left unread: blank, or with the ends of an object.
pub(super) fn looks_like_an_object(line: &[u8]) -> bool {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    line.is_empty() || (line.starts_with(b"{\"") && line.ends_with(b"}"))
}
