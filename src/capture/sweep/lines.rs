//! Which lines can hold a call, by format.

use super::members::LineScan;
use super::{claude, wave};
use memchr::memmem;
use std::ops::Range;

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

/// Finds the lines of a text that can hold a call.
pub(super) struct Candidates<'t> {
    text: &'t [u8],
    finder: memmem::Finder<'static>,
    /// The first place that a call may be near to, from where lines have been asked for; the end of the text if there is none.
    next: usize,
}

impl<'t> Candidates<'t> {
    pub fn new(text: &'t [u8], fast: Fast) -> Self {
        let finder = memmem::Finder::new(fast.needle);
        let next = if fast.needle.is_empty() { 0 } else { find(text, &finder, 0) };
        Self { text, finder, next }
    }

    /// Whether this line can hold one; lines are asked for in order. What is in a line that can is not searched further.
    pub fn in_line(&mut self, line: Range<usize>) -> bool {
        if self.finder.needle().is_empty() {
            return true;
        }
        if self.next < line.start {
            self.next = find(self.text, &self.finder, line.start);
        }
        self.next < line.end
    }
}

/// The next place that a call may be near to, or the end of the text.
fn find(text: &[u8], finder: &memmem::Finder<'_>, mut from: usize) -> usize {
    while let Some(found) = finder.find(&text[from..]) {
        let end = from + found + finder.needle().len();
        // A key of that name (`"server_tool_use": {…}` in every usage record) is none.
        let behind = text[end..].iter().find(|b| !matches!(b, b' ' | b'\t'));
        if behind != Some(&b':') {
            return from + found;
        }
        from = end;
    }
    text.len()
}

/// Whether a line may be left unread: blank, or with the ends of an object.
pub(super) fn looks_like_an_object(line: &[u8]) -> bool {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    line.is_empty() || (line.starts_with(b"{\"") && line.ends_with(b"}"))
}
