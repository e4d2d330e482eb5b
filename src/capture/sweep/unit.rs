//! One unit: its lines, those that can hold a call, and the calls in them.

use super::Judge;
use super::lines::{Candidates, looks_like_an_object};
use super::members::{LineScan, Picked};
use super::pick::Pick;
use super::planner::Piece;
use crate::capture::call::{Call, Place};
use crate::capture::hash;
use crate::capture::lines::Line;
use crate::capture::options::Options;
use crate::capture::problem::Problem;
use crate::capture::unit::UnitReader;
use crate::gate;
use crate::json::{JsString, Kind, Object, Tree, Value, unescape};
use std::fs::File;
use std::io;
use std::sync::Arc;

/// What a thread uses again and again.
#[derive(Default)]
pub(super) struct Buffers {
    bytes: Vec<u8>,
    picked: Vec<Picked>,
    tree: Tree,
}

/// What was found in a unit.
pub(super) struct Found<K> {
    pub calls: Vec<FoundCall<K>>,
    /// With their lines counted from the unit's first.
    pub problems: Vec<Problem>,
    /// The lines that start in the unit.
    pub lines: u32,
    pub bytes: u64,
    /// For arguments that are only known by their place.
    pub file: Option<Arc<File>>,
    /// The unit is the file's first: lines are counted anew, and repeats are looked for anew.
    pub first: bool,
}

/// A judged call.
pub(super) struct FoundCall<K> {
    /// Counted from the unit's first line, which is 0.
    pub line: u32,
    /// The hash of its id: only a call with an id can be repeated.
    pub id: Option<u64>,
    pub arguments: Arguments,
    pub kept: K,
}

/// Where a call's arguments are, for telling a repeat from another call with the same id.
#[derive(Clone, Copy)]
pub(super) enum Arguments {
    /// JSON in the file.
    At { offset: u64, length: u32 },
    /// Their hash.
    Hashed(u64),
}

/// Reads a unit and judges what is in it.
pub(super) fn read<J: Judge>(piece: &Piece<J::Rules>, options: &Options, judge: &J, buffers: &mut Buffers) -> Found<J::Kept> {
    let mut reading = Reading {
        piece,
        options,
        judge,
        found: Found {
            calls: Vec::new(),
            problems: Vec::new(),
            lines: 0,
            bytes: piece.end - piece.start,
            file: Some(Arc::clone(&piece.file)),
            first: piece.first,
        },
        picked: std::mem::take(&mut buffers.picked),
        tree: std::mem::take(&mut buffers.tree),
        reader: UnitReader::new(piece.format, &piece.path),
    };
    match load(piece, options.max_line, &mut buffers.bytes) {
        Ok(Loaded::Lines { start, end, too_long }) => {
            let offset = piece.start - u64::from(!piece.first);
            reading.lines(&buffers.bytes[start..end], offset + start as u64);
            if let Some(length) = too_long {
                let line = Line { bytes: &[], offset: offset + end as u64, terminated: true, too_long: Some(length) };
                reading.general(&line);
                reading.found.lines += 1;
            }
        }
        Ok(Loaded::Nothing) => {}
        Err(error) => reading.found.problems.push(Problem::io(&piece.path, &error)),
    }
    (buffers.picked, buffers.tree) = (reading.picked, reading.tree);
    reading.found
}

enum Loaded {
    /// The lines that start in the piece, as a range of the buffer. If the last one goes on behind the piece and is longer than
    /// the cap, it is not in it, but its length is given.
    Lines { start: usize, end: usize, too_long: Option<u64> },
    /// No line starts in it.
    Nothing,
}

/// Reads the piece, from the end of the line before it to the end of its last line.
fn load<R>(piece: &Piece<R>, cap: usize, buffer: &mut Vec<u8>) -> io::Result<Loaded> {
    let from = if piece.first { piece.start } else { piece.start - 1 };
    let wanted = usize::try_from(piece.end - from).unwrap_or(usize::MAX);
    if buffer.len() < wanted {
        buffer.resize(wanted, 0);
    }
    let mut filled = read_at(&piece.file, &mut buffer[..wanted], from)?;
    let start = if piece.first {
        0
    } else {
        match memchr::memchr(b'\n', &buffer[..filled]) {
            // A line that starts at the very end belongs to the next piece.
            Some(n) if n + 1 < wanted => n + 1,
            _ => return Ok(Loaded::Nothing),
        }
    };
    if filled < wanted || buffer[filled - 1] == b'\n' {
        return Ok(Loaded::Lines { start, end: filled, too_long: None });
    }
    // The last line goes on behind the piece.
    let line_start = memchr::memrchr(b'\n', &buffer[..filled]).map_or(0, |n| n + 1);
    let mut length = (filled - line_start) as u64;
    loop {
        if length > cap as u64 {
            // The rest is read for its length, over what is there of the line.
            filled = line_start;
        }
        // Lines are short as a rule, and what is read behind the piece is read twice.
        let more = (filled - line_start).clamp(4 << 10, 8 << 20);
        if buffer.len() < filled + more {
            buffer.resize(filled + more, 0);
        }
        let offset = from + line_start as u64 + length;
        let got = read_at(&piece.file, &mut buffer[filled..filled + more], offset)?;
        let newline = memchr::memchr(b'\n', &buffer[filled..filled + got]);
        filled += newline.unwrap_or(got);
        length += newline.unwrap_or(got) as u64;
        if newline.is_some() || got < more {
            let too_long = (length > cap as u64).then_some(length);
            let end = if too_long.is_some() { line_start } else { filled + usize::from(newline.is_some()) };
            return Ok(Loaded::Lines { start, end, too_long });
        }
    }
}

/// Fills the buffer from this offset; less only at the end of the file.
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match read_some(file, &mut buffer[filled..], offset + filled as u64) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

#[cfg(unix)]
fn read_some(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_some(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

struct Reading<'a, J: Judge> {
    piece: &'a Piece<J::Rules>,
    options: &'a Options,
    judge: &'a J,
    found: Found<J::Kept>,
    picked: Vec<Picked>,
    tree: Tree,
    /// For lines that are read the general way. What its format remembers is not used: see [`Fast`](super::lines::Fast).
    reader: UnitReader,
}

impl<J: Judge> Reading<'_, J> {
    /// Goes through whole lines; `offset` is that of the first in the file.
    fn lines(&mut self, text: &[u8], offset: u64) {
        let mut candidates = Candidates::new(text, self.piece.fast);
        let mut start = 0;
        while start < text.len() {
            let end = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |n| start + n);
            let line = &text[start..end];
            let found = candidates.in_line(start..end);
            if found || !looks_like_an_object(line) || line.len() > self.options.max_line {
                self.line(line, offset + start as u64, end < text.len(), found);
            }
            self.found.lines += 1;
            start = end + 1;
        }
    }

    /// A line that can hold a call, or must be looked at for another reason.
    fn line(&mut self, bytes: &[u8], offset: u64, terminated: bool, can_hold_a_call: bool) {
        let too_long = (bytes.len() > self.options.max_line).then_some(bytes.len() as u64);
        let mut picked = std::mem::take(&mut self.picked);
        picked.clear();
        if can_hold_a_call
            && too_long.is_none()
            && let Some(text) = self.pick(bytes, &mut picked)
        {
            for picked in &picked {
                let call = self.plain(text, picked, offset);
                self.found.calls.push(call);
            }
        } else {
            self.general(&Line { bytes, offset, terminated, too_long });
        }
        self.picked = picked;
    }

    /// Picks the calls of a line, and gives it as the text that it is; `None` where it is not plain.
    fn pick<'l>(&self, line: &'l [u8], picked: &mut Vec<Picked>) -> Option<&'l str> {
        if !self.judge.judges_plain_calls() {
            return None;
        }
        let text = simdutf8::basic::from_utf8(line).ok()?;
        let accepts = |tool: &str, at: usize| self.judge.accepts(&self.piece.rules, tool, line, at);
        (self.piece.fast.pick)(&mut LineScan::new(text, &accepts, picked))?;
        Some(text)
    }

    /// Judges a call that was picked.
    fn plain(&mut self, line: &str, picked: &Picked, offset: u64) -> FoundCall<J::Kept> {
        let tool = &line[picked.tool.clone()];
        let id = picked.id.as_ref().map(|id| &line[id.clone()]);
        let raw = &line.as_bytes()[picked.arguments.clone()];
        let place = || Place { file: Arc::clone(&self.piece.path), line: 0, offset };
        let full = |arguments| {
            let call = Call { id: id.map(str::to_owned), place: place(), ..Call::new(tool, arguments) };
            self.judge.judge(&self.piece.rules, &call)
        };
        let kept = if picked.accepted {
            self.judge.accepted(tool, id, &self.piece.path)
        } else if picked.is_text {
            let unescaped = memchr::memchr(b'\\', raw).map(|_| unescape(raw));
            let text = unescaped.as_ref().map_or(raw, JsString::as_bytes);
            if super::accepts_text(self.judge, &self.piece.rules, tool, text) {
                self.judge.accepted(tool, id, &self.piece.path)
            } else {
                full(gate::Arguments::Text(JsString::from_wtf8(text)))
            }
        } else {
            let parsed = self.tree.parse_into(raw).is_ok();
            let value = if parsed { self.tree.root(raw).into() } else { Value::Object(Object::default()) };
            full(gate::Arguments::Json(value))
        };
        // A string's quotes belong to its JSON.
        let quote = usize::from(picked.is_text);
        FoundCall {
            line: self.found.lines,
            id: id.map(|id| hash::bytes(0, id.as_bytes())),
            arguments: Arguments::At {
                offset: offset + (picked.arguments.start - quote) as u64,
                length: u32::try_from(raw.len() + 2 * quote).unwrap_or(u32::MAX),
            },
            kept,
        }
    }

    /// A line that is not plain.
    fn general(&mut self, line: &Line<'_>) {
        let number = self.found.lines;
        let mut out = Pick {
            judge: self.judge,
            rules: &self.piece.rules,
            file: &self.piece.path,
            calls: &mut self.found.calls,
            problems: &mut self.found.problems,
            scratch: Tree::default(),
        };
        self.reader.line(line, number, self.options.max_line, &mut out);
    }
}

impl Arguments {
    /// Their hash, read from the file where need be.
    pub fn hash(self, file: Option<&File>, scratch: &mut Tree) -> u64 {
        match self {
            Self::Hashed(hash) => hash,
            Self::At { offset, length } => {
                let mut bytes = vec![0; length as usize];
                let filled = file.map_or(0, |file| read_at(file, &mut bytes, offset).unwrap_or(0));
                let bytes = &bytes[..filled];
                match scratch.parse_into(bytes) {
                    Ok(()) if scratch.root(bytes).kind() == Kind::String => {
                        let text = hash::text_of(scratch.root(bytes)).into_owned();
                        hash::of_text(&text, scratch)
                    }
                    Ok(()) => hash::of_value(scratch.root(bytes)),
                    Err(_) => hash::bytes(1, bytes),
                }
            }
        }
    }
}
