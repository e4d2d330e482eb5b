//! From bytes to values: one way for lines and whole documents, valid or not, so that no format has to care.

use super::detect;
use super::event::{Event, Spot, Start};
use super::format::{Format, State};
use super::lines::Line;
use super::problem::{Problem, ProblemKind};
use super::yaml::{self, Mark};
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
    /// The unit is JSON made from YAML: where it has these offsets, the YAML has those lines.
    Yaml(Vec<Mark>),
}

impl Unit {
    /// Line and byte offset in the file.
    pub(crate) fn locate(&self, spot: Spot) -> (u32, u64) {
        let (at, below) = match spot {
            Spot::Here { at, below } => (at, below),
            Spot::Earlier(start) => return (start.line, start.at),
        };
        match &self.lines {
            LineMap::Flat => (self.line, self.offset + at as u64),
            LineMap::Blurred => (self.line, self.offset),
            LineMap::Breaks(breaks) => {
                let above = breaks.partition_point(|newline| *newline < at);
                (self.line + u32::try_from(above).unwrap_or(u32::MAX), self.offset + at as u64)
            }
            LineMap::Yaml(marks) => {
                let after = marks.partition_point(|mark| mark.json <= at);
                let Some(mark) = after.checked_sub(1).map(|n| &marks[n]) else { return (self.line, self.offset) };
                (mark.line + if mark.literal { below } else { 0 }, self.offset + mark.offset)
            }
        }
    }

    /// Where a call begins for who reads it again: the offset of its unit, the length up to the end of this one, and its
    /// number among the calls that begin there.
    pub(crate) fn range(&self, spot: Spot) -> (u64, u32, u32) {
        match spot {
            Spot::Here { .. } => (self.offset, self.length, self.calls),
            Spot::Earlier(start) => {
                let length = self.offset + u64::from(self.length) - start.unit;
                (start.unit, u32::try_from(length).unwrap_or(u32::MAX), start.ordinal)
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
    /// Lines are those of server-sent events.
    pub is_events: bool,
}

impl UnitReader {
    pub(crate) fn new(format: &'static dyn Format, file: &Arc<Path>) -> Self {
        Self::of_document(Some(format), file)
    }

    /// A reader of lines of server-sent events.
    pub(crate) fn of_events(format: &'static dyn Format, file: &Arc<Path>) -> Self {
        Self { is_events: true, ..Self::of_document(Some(format), file) }
    }

    /// A reader of documents, which finds the format by the first value that shows one.
    pub(crate) fn of_document(format: Option<&'static dyn Format>, file: &Arc<Path>) -> Self {
        Self { format, state: State::default(), file: Arc::clone(file), tree: Tree::default(), is_events: false }
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
            return usize::try_from(length).unwrap_or(usize::MAX);
        }
        // The first line of what is read again begins with the value itself.
        let has_value = || detect::has_event_data(line.bytes) || line.bytes.trim_ascii_start().starts_with(b"{");
        if self.is_events && !has_value() {
            return if line.terminated { line.bytes.len() } else { 0 };
        }
        if std::str::from_utf8(line.bytes).is_ok() {
            let skipped = self.skipped(line.bytes);
            let text = &line.bytes[skipped..];
            return skipped + self.values(text, line.offset + skipped as u64, number, line.terminated, None, out);
        }
        // Read as Node reads it: every invalid sequence becomes U+FFFD.
        let text = String::from_utf8_lossy(line.bytes);
        let whole = u32::try_from(line.bytes.len()).unwrap_or(u32::MAX);
        let value = &text.as_bytes()[self.skipped(text.as_bytes())..];
        let mut used = self.values(value, line.offset, number, line.terminated, Some(whole), out);
        if used == value.len() {
            used = line.bytes.len();
            out.problem(Problem::at(&self.file, number, ProblemKind::InvalidUtf8));
        } else {
            used = 0;
        }
        used
    }

    /// How much stands before the values of a line: the field's name in events, or what a log puts there.
    fn skipped(&self, line: &[u8]) -> usize {
        if self.is_events {
            return detect::event_data_start(line);
        }
        if matches!(line.trim_ascii_start(), [] | [b'{' | b'[' | b'"', ..]) {
            return 0;
        }
        self.format.and_then(|format| format.value_in(line)).unwrap_or(0)
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
            self.state.unit = Some(Start { unit: unit.offset, line: number, at: 0, ordinal: 0 });
            self.value_at(&rest[..length], 0, &mut unit, out);
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

    /// Reads a whole file: one value, or several in a row, over any number of lines; or a cassette in YAML, which may become at
    /// most `cap` bytes.
    pub(crate) fn document(&mut self, bytes: &[u8], offset: u64, cap: usize, out: &mut dyn Consumer) {
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => String::from_utf8_lossy(bytes),
        };
        if matches!(text, Cow::Owned(_)) {
            let line = std::str::from_utf8(bytes).map_or_else(|e| Position::of(bytes, e.valid_up_to()).line, |_| 1);
            out.problem(Problem::at(&self.file, line, ProblemKind::InvalidUtf8));
        }
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        if yaml::is_cassette(text.as_bytes()) {
            return self.yaml(&text, offset, length, cap, out);
        }
        let text = text.as_bytes();
        let breaks = memchr::memchr_iter(b'\n', text).collect();
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

    fn yaml(&mut self, text: &str, offset: u64, length: u32, cap: usize, out: &mut dyn Consumer) {
        match yaml::to_json(text, cap) {
            Ok(converted) => {
                let mut unit = Unit { offset, length, line: 1, lines: LineMap::Yaml(converted.marks), calls: 0 };
                if self.tree.parse_into(&converted.json).is_ok() {
                    self.value_at(&converted.json, 0, &mut unit, out);
                }
            }
            Err((line, reason)) => {
                let reason = format!("{reason}; the whole document is skipped");
                out.problem(Problem::at(&self.file, line, ProblemKind::Unreadable(reason)));
            }
        }
    }

    /// The file has ended: calls of which not all pieces have come are handed over as they are.
    pub(crate) fn finish(&mut self, out: &mut dyn Consumer) {
        let unit = Unit { offset: 0, length: 0, line: 0, lines: LineMap::Flat, calls: 0 };
        self.state.stream.end(false, &mut |event| out.event(&unit, event));
    }

    /// Hands the value in `tree` to the format. `base`: where its text starts in the unit.
    fn value_at(&mut self, text: &[u8], base: usize, unit: &mut Unit, out: &mut dyn Consumer) {
        let root = self.tree.root(text);
        self.format = self.format.or_else(|| detect::of_value(root));
        let Some(format) = self.format else { return };
        let read = format.read(root, &mut self.state, &mut |mut event| {
            let is_call = if let Event::Call(call) = &mut event {
                if let Spot::Here { at, .. } = &mut call.spot {
                    *at += base;
                }
                matches!(call.spot, Spot::Here { .. })
            } else {
                false
            };
            out.event(unit, event);
            unit.calls += u32::from(is_call);
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
            let (line, _) = unit.locate(Spot::Here { at: base, below: 0 });
            out.problem(Problem::at(&self.file, line, ProblemKind::Unreadable(format!("expected {expected}, found {found}"))));
        }
    }
}
