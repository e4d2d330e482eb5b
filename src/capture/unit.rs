//! From bytes to values: one way for lines and whole documents, valid or not, so that no format has to care.

use super::detect;
use super::event::{Event, Spot};
use super::format::{Format, State};
use super::lines::Line;
use super::problem::{Problem, ProblemKind};
use crate::json::{Kind, Position, Tree};
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

/// The bytes of a file that hold what is being read: a value of a line, a line that had to be repaired, or a document.
pub(crate) struct Unit {
    /// Offset and length in the file.
    pub offset: u64,
    pub length: u32,
    /// The line on which it starts.
    line: u32,
    lines: LineMap,
    /// How many calls have been found in it.
    pub calls: u32,
}

/// How places in a unit become lines and offsets of the file.
enum LineMap {
    /// All on one line, at the offset that they have in the unit.
    Flat,
    /// All on one line; offsets in the unit are not those of the file, as bytes were replaced.
    Blurred,
    /// The unit has line ends at these offsets.
    Breaks(Vec<usize>),
}

impl Unit {
    /// Line and byte offset in the file.
    pub(crate) fn locate(&self, spot: Spot) -> (u32, u64) {
        match &self.lines {
            LineMap::Flat => (self.line, self.offset + spot.0 as u64),
            LineMap::Blurred => (self.line, self.offset),
            LineMap::Breaks(breaks) => {
                let above = breaks.partition_point(|at| *at < spot.0);
                (self.line + u32::try_from(above).unwrap_or(u32::MAX), self.offset + spot.0 as u64)
            }
        }
    }
}

/// Who takes what is found.
pub(crate) trait Consumer {
    /// A format found something in this unit.
    fn event(&mut self, unit: &Unit, event: Event<'_>);
    /// Something could not be read.
    fn problem(&mut self, problem: Problem);
}

/// Reads the units of one file by one format. What the format must remember between units is in `state`.
pub(crate) struct UnitReader {
    /// `None` until a document has shown it.
    format: Option<&'static dyn Format>,
    pub state: State,
    file: Arc<Path>,
    tree: Tree,
}

impl UnitReader {
    pub(crate) fn new(format: &'static dyn Format, file: &Arc<Path>) -> Self {
        Self::of_document(Some(format), file)
    }

    /// A reader of documents, which finds the format by the first value that shows one.
    pub(crate) fn of_document(format: Option<&'static dyn Format>, file: &Arc<Path>) -> Self {
        Self { format, state: State::default(), file: Arc::clone(file), tree: Tree::default() }
    }

    /// The format, if it is known by now.
    pub(crate) fn format(&self) -> Option<&'static dyn Format> {
        self.format
    }

    /// Reads the values of a line. Returns how many of its bytes are done with: all of them, except where the line has no
    /// end and its last value is not complete yet.
    pub(crate) fn line(&mut self, line: &Line<'_>, number: u32, cap: usize, out: &mut dyn Consumer) -> usize {
        if let Some(length) = line.too_long {
            out.problem(Problem::at(&self.file, number, ProblemKind::TooLong { length, cap }));
            return 0;
        }
        if std::str::from_utf8(line.bytes).is_ok() {
            return self.values(line.bytes, line.offset, number, line.terminated, None, out);
        }
        // Read as Node reads it: every invalid sequence becomes U+FFFD.
        let text = String::from_utf8_lossy(line.bytes);
        let whole = u32::try_from(line.bytes.len()).unwrap_or(u32::MAX);
        let mut used = self.values(text.as_bytes(), line.offset, number, line.terminated, Some(whole), out);
        if used == text.len() {
            used = line.bytes.len();
            out.problem(Problem::at(&self.file, number, ProblemKind::InvalidUtf8));
        } else {
            used = 0;
        }
        used
    }

    /// `whole`: the bytes had to be repaired, so that the line counts as one unit, of this length.
    fn values(
        &mut self,
        text: &[u8],
        offset: u64,
        number: u32,
        terminated: bool,
        whole: Option<u32>,
        out: &mut dyn Consumer,
    ) -> usize {
        // A repaired line that is cut is left until it is whole, as it cannot be left in the middle.
        if whole.is_some() && !terminated && !self.parses(text) {
            out.problem(Problem::at(&self.file, number, ProblemKind::CutLastLine));
            return 0;
        }
        let mut at = 0;
        let mut calls = 0;
        loop {
            at += text[at..].iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n')).count();
            if at == text.len() {
                return at;
            }
            let rest = &text[at..];
            let length = match self.tree.parse_prefix(rest) {
                // A number may go on, and so may the word after a cut `nul`.
                Ok(length) if terminated || self.tree.root(rest).kind().is_container() => length,
                Ok(_) => return at,
                Err(error) => {
                    let kind = if terminated {
                        let column = Position::of(text, at + error.offset).column;
                        ProblemKind::Unreadable(format!("column {column}: {error}; the rest of the line is skipped"))
                    } else {
                        ProblemKind::CutLastLine
                    };
                    out.problem(Problem::at(&self.file, number, kind));
                    return if terminated { text.len() } else { at };
                }
            };
            let mut unit = match whole {
                Some(length) => Unit { offset, length, line: number, lines: LineMap::Blurred, calls },
                None => Unit {
                    offset: offset + at as u64,
                    length: u32::try_from(length).unwrap_or(u32::MAX),
                    line: number,
                    lines: LineMap::Flat,
                    calls: 0,
                },
            };
            self.value(&rest[..length], &mut unit, out);
            calls = unit.calls;
            at += length;
        }
    }

    fn parses(&mut self, text: &[u8]) -> bool {
        let mut at = 0;
        loop {
            at += text[at..].iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n')).count();
            if at == text.len() {
                return true;
            }
            match self.tree.parse_prefix(&text[at..]) {
                Ok(length) => at += length,
                Err(_) => return false,
            }
        }
    }

    /// Reads a whole file: one value, or several in a row, over any number of lines.
    pub(crate) fn document(&mut self, bytes: &[u8], offset: u64, out: &mut dyn Consumer) {
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => String::from_utf8_lossy(bytes),
        };
        if matches!(text, Cow::Owned(_)) {
            let line = std::str::from_utf8(bytes).map_or_else(|e| Position::of(bytes, e.valid_up_to()).line, |_| 1);
            out.problem(Problem::at(&self.file, line, ProblemKind::InvalidUtf8));
        }
        let text = text.as_bytes();
        let breaks = memchr::memchr_iter(b'\n', text).collect();
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let mut unit = Unit { offset, length, line: 1, lines: LineMap::Breaks(breaks), calls: 0 };
        let mut at = 0;
        loop {
            at += text[at..].iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n')).count();
            if at == text.len() {
                return;
            }
            match self.tree.parse_prefix(&text[at..]) {
                Ok(length) => {
                    let base = at;
                    at += length;
                    self.value_at(&text[base..at], base, &mut unit, out);
                }
                Err(error) => {
                    let Position { line, column } = Position::of(text, at + error.offset);
                    let reason = format!("column {column}: {error}; the rest of the document is skipped");
                    out.problem(Problem::at(&self.file, line, ProblemKind::Unreadable(reason)));
                    return;
                }
            }
        }
    }

    fn value(&mut self, text: &[u8], unit: &mut Unit, out: &mut dyn Consumer) {
        self.value_at(text, 0, unit, out);
    }

    /// Hands the value in `tree` to the format. `base`: where its text starts in the unit.
    fn value_at(&mut self, text: &[u8], base: usize, unit: &mut Unit, out: &mut dyn Consumer) {
        let root = self.tree.root(text);
        self.format = self.format.or_else(|| detect::of_value(root));
        let Some(format) = self.format else { return };
        let read = format.read(root, &mut self.state, &mut |mut event| {
            if let Event::Call(call) = &mut event {
                call.spot.0 += base;
                out.event(unit, event);
                unit.calls += 1;
            } else {
                out.event(unit, event);
            }
        });
        if let Err(expected) = read {
            let found = match root.kind() {
                Kind::Object => "an object without one",
                Kind::Array => "an array",
                Kind::String => "a string",
                Kind::Number => "a number",
                Kind::True | Kind::False => "a boolean",
                Kind::Null => "null",
            };
            let (line, _) = unit.locate(Spot(base));
            out.problem(Problem::at(&self.file, line, ProblemKind::Unreadable(format!("expected {expected}, found {found}"))));
        }
    }
}
