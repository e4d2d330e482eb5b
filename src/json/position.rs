//! Places in a text, for people.

use std::fmt;

/// A place in a text, for people: both count from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Position {
    /// The position of a byte offset; an offset past the end is the end.
    #[must_use]
    pub fn of(text: &[u8], offset: usize) -> Self {
        let before = &text[..offset.min(text.len())];
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |n| n + 1);
        let lines = memchr::memchr_iter(b'\n', before).count();
        let characters = before[line_start..].iter().filter(|b| *b & 0xC0 != 0x80).count();
        Self { line: saturate(lines + 1), column: saturate(characters + 1) }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

pub(super) fn saturate(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
