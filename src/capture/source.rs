//! Opening what is to be read.

use super::problem::{Problem, ProblemKind};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// The path that stands for standard input.
pub(crate) const STDIN: &str = "-";

/// Opens a file for reading from its start, or standard input.
pub(crate) fn open(path: &Arc<Path>) -> Result<Box<dyn Read>, Problem> {
    if path.as_os_str() == STDIN {
        return Ok(Box::new(io::stdin().lock()));
    }
    match File::open(path) {
        Ok(file) => Ok(Box::new(file)),
        Err(error) => Err(Problem::io(path, &error)),
    }
}

/// The length of a byte order mark at the start of a text.
pub(crate) fn mark(text: &[u8]) -> usize {
    if text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 }
}

/// Why a text cannot be one that we read, whatever its format.
pub(crate) fn refuse(text: &[u8]) -> Option<ProblemKind> {
    // `{` or `[` between NULs is how JSON in UTF-16 begins without a mark.
    let marked = text.starts_with(b"\xFF\xFE") || text.starts_with(b"\xFE\xFF");
    let bare = matches!(text, [b'{' | b'[', 0, ..] | [0, b'{' | b'[', ..]);
    (marked || bare).then_some(ProblemKind::Utf16)
}
