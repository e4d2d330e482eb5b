//! From bytes to values: one way for lines and whole documents, valid or not, so that no format has to care.

use super::detect;
use super::event::{Event, Spot, Start};
use super::format::{Format, State};
use super::lines::Line;
use super::problem::{Problem, ProblemKind};
use super::time;
use super::yaml::{self, Mark};
use crate::json::{Kind, Position, SyntaxError, Tree};
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
    /// How many calls have been found in it, and how many results.
    pub calls: u32,
    pub results: u32,
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

/// The part of a line that holds values.
struct Values<'a> {
    text: &'a [u8],
    /// Its offset in the file.
    offset: u64,
    line: u32,
    terminated: bool,
    /// Bytes had to be replaced: the line is one unit, of this length.
    whole: Option<u32>,
    /// Only the first value counts, as a log may put something behind it too.
    only_first: bool,
    /// How much of the line stands before the text.
    skipped: usize,
}

/// Where the values of a line begin.
enum ValueStart {
    /// It holds none.
    None,
    At(usize),
    /// There, and it is only one.
    Only(usize),
}

fn to_u32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Bytes as text, every invalid sequence as U+FFFD. (Checking first is much faster than the lossy way.)
pub(crate) fn utf8(bytes: &[u8]) -> Cow<'_, str> {
    simdutf8::basic::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// How many blanks a text begins with.
fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n')).count()
}

/// The time with which a line of a log begins.
fn log_time(prefix: &[u8]) -> Option<String> {
    let prefix = std::str::from_utf8(prefix).ok()?.trim_start_matches(['[', ' ']);
    let mut words = prefix.splitn(3, ' ');
    let (first, second) = (words.next()?, words.next().unwrap_or_default());
    let tidy = |time: &str| time.trim_end_matches([']', ':']).replacen(',', ".", 1);
    [tidy(first), tidy(&format!("{first}T{second}"))].into_iter().find(|time| time::millis(time).is_some())
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
        // Read as Node reads it: every invalid sequence becomes U+FFFD.
        let repaired = utf8(line.bytes);
        let is_valid = matches!(repaired, Cow::Borrowed(_));
        let text = repaired.as_bytes();
        let (skipped, only_first) = match self.value_start(text) {
            ValueStart::None => return line.bytes.len(),
            ValueStart::At(skipped) => (skipped, false),
            ValueStart::Only(skipped) => (skipped, true),
        };
        self.state.log_time = if only_first { log_time(&text[..skipped]) } else { None };
        let values = Values {
            text: &text[skipped..],
            offset: if is_valid { line.offset + skipped as u64 } else { line.offset },
            line: number,
            terminated: line.terminated,
            // What had to be repaired is one unit, as its places are not those of the file.
            whole: (!is_valid).then(|| u32::try_from(line.bytes.len()).unwrap_or(u32::MAX)),
            only_first,
            skipped,
        };
        let used = self.values(&values, out);
        if is_valid {
            return skipped + used;
        }
        // A repaired line that is cut is left until it is whole, as it cannot be left in the middle.
        if used < values.text.len() {
            return 0;
        }
        out.problem(Problem::at(&self.file, number, ProblemKind::InvalidUtf8));
        line.bytes.len()
    }

    /// Where the values of a line begin: behind the field's name in events, or what a log puts there.
    fn value_start(&self, line: &[u8]) -> ValueStart {
        if self.is_events {
            return ValueStart::At(detect::event_data_start(line));
        }
        let is_json = matches!(line.trim_ascii_start(), [] | [b'{' | b'[' | b'"', ..]);
        match self.format.filter(|format| !is_json && format.is_log()) {
            None => ValueStart::At(0),
            Some(format) => format.value_in(line).map_or(ValueStart::None, ValueStart::Only),
        }
    }

    fn values(&mut self, line: &Values<'_>, out: &mut dyn Consumer) -> usize {
        let Values { text, offset, line: number, terminated, whole, only_first, .. } = *line;
        if whole.is_some() && !terminated && !self.parses(text) {
            out.problem(Problem::at(&self.file, number, ProblemKind::CutLastLine));
            return 0;
        }
        let mut at = 0;
        let mut found = (0, 0);
        loop {
            at += blanks(&text[at..]);
            if at == text.len() || (only_first && at > 0) {
                return text.len();
            }
            let rest = &text[at..];
            let length = match self.tree.parse_prefix(rest) {
                // A number may go on, and so may the word after a cut `nul`.
                Ok(length) if terminated || self.tree.root(rest).kind().is_container() => length,
                Ok(_) => return at,
                Err(error) => {
                    out.problem(self.not_json(text, at, &error, line));
                    return if terminated { text.len() } else { at };
                }
            };
            // Where a value cannot be read by itself, the whole line is the unit.
            let (lines, start, length_in_file, base) = match (whole, only_first) {
                (Some(length), _) => (LineMap::Blurred, offset, length, at),
                (None, true) => (LineMap::Flat, offset - line.skipped as u64, to_u32(line.skipped + text.len()), line.skipped),
                (None, false) => (LineMap::Flat, offset + at as u64, to_u32(length), 0),
            };
            let mut unit = Unit { offset: start, length: length_in_file, line: number, lines, calls: 0, results: 0 };
            if whole.is_some() {
                (unit.calls, unit.results) = found;
            }
            self.state.unit = Some(Start { unit: unit.offset, line: number, at: 0, ordinal: 0 });
            self.value_at(&rest[..length], base, &mut unit, out);
            found = (unit.calls, unit.results);
            at += length;
        }
    }

    fn not_json(&self, text: &[u8], at: usize, error: &SyntaxError, line: &Values<'_>) -> Problem {
        let kind = if line.terminated {
            let column = Position::of(text, at + error.offset).column;
            ProblemKind::Unreadable(format!("column {column}: {error}; the rest of the line is skipped"))
        } else {
            ProblemKind::CutLastLine
        };
        Problem::at(&self.file, line.line, kind)
    }

    fn parses(&mut self, text: &[u8]) -> bool {
        let mut at = 0;
        loop {
            at += blanks(&text[at..]);
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
        let text = utf8(bytes);
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
        let mut unit = Unit { offset, length, line: 1, lines: LineMap::Breaks(breaks), calls: 0, results: 0 };
        let mut at = 0;
        loop {
            at += blanks(&text[at..]);
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
                let mut unit = Unit { offset, length, line: 1, lines: LineMap::Yaml(converted.marks), calls: 0, results: 0 };
                if self.tree.parse_into(converted.json.as_bytes()).is_ok() {
                    self.value_at(converted.json.as_bytes(), 0, &mut unit, out);
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
        let unit = Unit { offset: 0, length: 0, line: 0, lines: LineMap::Flat, calls: 0, results: 0 };
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
            let has_result = match &event {
                Event::Call(call) => call.result.is_some(),
                Event::Result(_) => true,
                _ => false,
            };
            out.event(unit, event);
            unit.calls += u32::from(is_call);
            unit.results += u32::from(has_result);
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
