//! What could not be read, where, and what to do about it.

use super::call::CapturedTools;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Something that could not be read as it stands. Nothing is dropped without one, and none stops the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub file: Arc<Path>,
    /// The line, from 1, where one line is meant.
    pub line: Option<u32>,
    /// What it was.
    pub kind: ProblemKind,
}

/// The kinds of problem.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProblemKind {
    /// The path does not exist, or vanished.
    Missing,
    /// The file or folder could not be read, or not beyond a line; the system's reason.
    Io(String),
    /// A FIFO, socket or device inside a folder: never opened, since reading could wait for ever.
    NotAFile,
    /// A link that leads back to a folder already being read.
    LinkLoop,
    /// No known format.
    UnknownFormat,
    /// The text is UTF-16.
    Utf16,
    /// A line (or a document) that is not what the format wants; in words, with the column where there is one.
    Unreadable(String),
    /// A line longer than the cap.
    TooLong {
        /// Its length in bytes.
        length: u64,
        /// The cap.
        cap: usize,
    },
    /// A line with bytes that are not UTF-8; they were read as U+FFFD.
    InvalidUtf8,
    /// The last line has no end and does not parse: it is still being written, or was cut off.
    CutLastLine,
}

impl ProblemKind {
    /// Whether a whole path could not be read (exit status 2), as opposed to a part of a file.
    #[must_use]
    pub fn is_path(&self) -> bool {
        matches!(self, Self::Missing | Self::Io(_) | Self::UnknownFormat | Self::Utf16)
    }

    /// Whether calls may have been lost: what `--strict` counts.
    #[must_use]
    pub fn is_loss(&self) -> bool {
        matches!(self, Self::Unreadable(_) | Self::TooLong { .. })
    }
}

impl Problem {
    pub(crate) fn of_file(file: &Arc<Path>, kind: ProblemKind) -> Self {
        Self { file: Arc::clone(file), line: None, kind }
    }

    pub(crate) fn at(file: &Arc<Path>, line: u32, kind: ProblemKind) -> Self {
        Self { file: Arc::clone(file), line: Some(line), kind }
    }

    /// A source that is read as a stream ended there, and not at its end.
    pub(crate) fn cut_off(file: &Arc<Path>, line: u32, error: &std::io::Error) -> Self {
        Self::at(file, line, ProblemKind::Io(error.to_string()))
    }

    /// Definitions that a capture carries could not be read.
    pub(crate) fn of_tools(tools: &CapturedTools, reason: &str) -> Self {
        let kind = ProblemKind::Unreadable(format!("a list of definitions: {reason}; its calls are judged without it"));
        Self::at(&tools.place.file, tools.place.line, kind)
    }

    pub(crate) fn io(file: &Arc<Path>, error: &std::io::Error) -> Self {
        let kind = match error.kind() {
            std::io::ErrorKind::NotFound => ProblemKind::Missing,
            _ => ProblemKind::Io(error.to_string()),
        };
        Self::of_file(file, kind)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        match &self.kind {
            ProblemKind::Missing => f.write_str(": there is no such file; check the path"),
            ProblemKind::Io(reason) if self.line.is_some() => {
                write!(f, ": cannot be read from here on: {reason}; what stands before it was read")
            }
            ProblemKind::Io(reason) => write!(f, ": cannot be read: {reason}"),
            ProblemKind::NotAFile => f.write_str(": skipped, neither a file nor a folder; name it on its own to read it"),
            ProblemKind::LinkLoop => f.write_str(": skipped, the link leads back to a folder that is already being read"),
            ProblemKind::UnknownFormat => {
                f.write_str(": no capture format is recognised in it; name one with --format-in if it holds calls")
            }
            ProblemKind::Utf16 => f.write_str(": the text is UTF-16, expected UTF-8; convert it (iconv -f UTF-16 -t UTF-8)"),
            ProblemKind::Unreadable(reason) => write!(f, ": not readable: {reason}"),
            ProblemKind::TooLong { length, cap } => {
                write!(f, ": skipped, {length} bytes are more than the cap of {cap}; split the line or raise the cap")
            }
            ProblemKind::InvalidUtf8 => f.write_str(": bytes that are not UTF-8 were read as U+FFFD"),
            ProblemKind::CutLastLine => f.write_str(": the last line is cut off; it is read when the rest has been written"),
        }
    }
}
