//! Opening what is to be read.

use super::compressed;
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

/// What a source holds, decompressed where it is compressed.
pub(crate) struct Plain<'a> {
    pub source: Box<dyn Read + 'a>,
    pub compressed: bool,
}

/// Looks at the first bytes of a source.
pub(crate) fn plain<'a>(mut source: impl Read + 'a, cap: u64) -> io::Result<Plain<'a>> {
    let mut start = Vec::with_capacity(4);
    source.by_ref().take(4).read_to_end(&mut start)?;
    let compression = compressed::detect(&start);
    let whole = io::Cursor::new(start).chain(source);
    Ok(match compression {
        Some(compression) => Plain { source: compressed::reader(whole, compression, cap), compressed: true },
        None => Plain { source: Box::new(whole), compressed: false },
    })
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
