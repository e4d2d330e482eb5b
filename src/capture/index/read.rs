//! Reading a call of the index from its file.

use super::batch::Layout;
use super::entry::Entry;
use super::{CallId, Index, IndexedFile};
use crate::capture::call::{Call, Outcome, Place};
use crate::capture::event::{Event, RawOutcome, Spot};
use crate::capture::format::Format;
use crate::capture::lines::{Line, LineSource};
use crate::capture::options::Options;
use crate::capture::problem::{Problem, ProblemKind};
use crate::capture::stream::{self, Sink};
use crate::capture::unit::{Consumer, Unit, UnitReader};
use crate::capture::write::write_call;
use crate::json::Tree;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

impl Index {
    /// Reads a call whole, with its result. Of a document the calls are kept until another one is read.
    ///
    /// # Errors
    /// If the file is gone, cannot be read, or does not hold the call any more: scan it again.
    pub fn read(&self, id: CallId) -> Result<Call, Problem> {
        self.read_call(id, true)
    }

    /// Like [`Index::read`], without a result that stands apart from the call: for judging, which needs none.
    ///
    /// # Errors
    /// As [`Index::read`].
    pub fn read_to_judge(&self, id: CallId) -> Result<Call, Problem> {
        self.read_call(id, false)
    }

    fn read_call(&self, id: CallId, with_result: bool) -> Result<Call, Problem> {
        let nowhere = || Problem::of_file(&Arc::from(Path::new("")), ProblemKind::Missing);
        let file = self.file(id.file).ok_or_else(nowhere)?;
        let entry = file.entries.get(id.call as usize).ok_or_else(|| changed(file))?;
        let call = match file.layout {
            Layout::Whole => self.read_document(id, file)?,
            _ => read_lines(file, entry, with_result)?,
        };
        if call.tool == self.name(entry.tool()) { Ok(call) } else { Err(changed(file)) }
    }

    /// The bytes that hold a call, as they stand in its file: the value that starts where the call does. Where no value stands
    /// there (in a compressed file, or YAML), the call in our own format.
    ///
    /// # Errors
    /// As [`Index::read`].
    pub fn raw(&self, id: CallId) -> Result<Vec<u8>, Problem> {
        let call = self.read(id)?;
        let file = self.file(id.file).ok_or_else(|| Problem::of_file(&call.place.file, ProblemKind::Missing))?;
        let whole = file.layout == Layout::Whole;
        let length = if whole { None } else { file.entries.get(id.call as usize).map(|e| (e.offset, e.length)) };
        let io = |error: io::Error| Problem::io(&file.path, &error);
        let mut source = File::open(&file.path).map_err(io)?;
        source.seek(SeekFrom::Start(call.place.offset)).map_err(io)?;
        let end = length.map_or(u64::MAX, |(offset, length)| (offset + u64::from(length)).saturating_sub(call.place.offset));
        let mut bytes = Vec::new();
        source.take(end).read_to_end(&mut bytes).map_err(io)?;
        match Tree::default().parse_prefix(&bytes) {
            Ok(length) => bytes.truncate(length),
            Err(_) if whole => bytes = write_call(&call).into_bytes(),
            Err(_) => {}
        }
        Ok(bytes)
    }

    fn read_document(&self, id: CallId, file: &IndexedFile) -> Result<Call, Problem> {
        let mut kept = self.document.lock().map_err(|_| changed(file))?;
        if kept.as_ref().is_none_or(|(number, _)| *number != id.file) {
            let mut all = All::default();
            let options = Options { format: file.format, max_line: usize::MAX, ..Options::default() };
            stream::read_paths(&[file.path.to_path_buf()], &options, &mut all);
            *kept = Some((id.file, all.calls));
        }
        let call = kept.as_ref().and_then(|(_, calls)| calls.get(id.call as usize)).cloned();
        call.ok_or_else(|| changed(file))
    }
}

fn changed(file: &IndexedFile) -> Problem {
    let reason = "the call is not there any more, the file has changed since it was read; read it again";
    Problem::of_file(&file.path, ProblemKind::Unreadable(reason.to_owned()))
}

fn read_lines(file: &IndexedFile, entry: &Entry, with_result: bool) -> Result<Call, Problem> {
    let io = |error: io::Error| Problem::io(&file.path, &error);
    let format = file.format.ok_or_else(|| changed(file))?.0;
    let mut source = File::open(&file.path).map_err(io)?;
    let mut bytes = vec![0; entry.length as usize];
    source.seek(SeekFrom::Start(entry.offset)).map_err(io)?;
    source.read_exact(&mut bytes).map_err(|_| changed(file))?;
    let mut pick =
        Pick { file, offset: entry.offset, line: entry.line(), wanted: Wanted::Call(entry.ordinal()), call: None, outcome: None };
    pick.read(format, &bytes, entry.offset);
    let mut call = pick.call.ok_or_else(|| changed(file))?;
    if with_result && entry.has_result() && call.result.is_none() {
        call.result = read_result(file, format, entry, source).map_err(io)?;
    }
    Ok(call)
}

fn read_result(file: &IndexedFile, format: &'static dyn Format, entry: &Entry, mut source: File) -> io::Result<Option<Outcome>> {
    source.seek(SeekFrom::Start(entry.result_offset))?;
    let mut lines = LineSource::new(source, entry.result_offset, usize::MAX);
    let Some(line) = lines.next_line()? else { return Ok(None) };
    let wanted = Wanted::Result(entry.result_ordinal());
    let mut pick = Pick { file, offset: entry.result_offset, line: 0, wanted, call: None, outcome: None };
    pick.read(format, line.bytes, entry.result_offset);
    Ok(pick.outcome)
}

/// Picks one call, or the result of one, from the unit that holds it.
struct Pick<'a> {
    file: &'a IndexedFile,
    /// Where the call's unit starts, and on which line.
    offset: u64,
    line: u32,
    wanted: Wanted,
    call: Option<Call>,
    outcome: Option<Outcome>,
}

enum Wanted {
    /// The unit's call of this number.
    Call(u32),
    /// The unit's result of this number.
    Result(u32),
}

impl Pick<'_> {
    fn begins(&self, unit: &Unit, spot: Spot, number: u32) -> bool {
        let (offset, _, ordinal) = unit.range(spot);
        offset == self.offset && ordinal == number
    }

    fn read(&mut self, format: &'static dyn Format, bytes: &[u8], offset: u64) {
        let mut reader = UnitReader::new(format, &self.file.path);
        reader.is_events = self.file.layout == Layout::Events;
        reader.state.context = self.file.context_at(offset);
        // Several lines only where a call came in pieces.
        let mut at = offset;
        for bytes in bytes.split(|b| *b == b'\n') {
            reader.line(&Line { bytes, offset: at, terminated: true, too_long: None }, self.line, usize::MAX, self);
            at += bytes.len() as u64 + 1;
        }
    }
}

impl Consumer for Pick<'_> {
    fn event(&mut self, unit: &Unit, event: Event<'_>) {
        match (&self.wanted, event) {
            (Wanted::Call(number), Event::Call(call)) if self.begins(unit, call.spot, *number) => {
                let (_, offset) = unit.locate(call.spot);
                let place = Place { file: Arc::clone(&self.file.path), line: self.line, offset };
                self.call.get_or_insert_with(|| call.to_call(place));
            }
            (Wanted::Result(number), Event::Result(result)) if *number == unit.results => {
                self.outcome.get_or_insert_with(|| result.outcome.to_outcome());
            }
            (Wanted::Result(number), Event::Call(call)) if *number == unit.results => {
                self.outcome = self.outcome.take().or_else(|| call.result.as_ref().map(RawOutcome::to_outcome));
            }
            _ => {}
        }
    }

    fn problem(&mut self, _: Problem) {}
}

#[derive(Default)]
struct All {
    calls: Vec<Call>,
}

impl Sink for All {
    fn call(&mut self, call: Call) -> ControlFlow<()> {
        self.calls.push(call);
        ControlFlow::Continue(())
    }

    fn problem(&mut self, _: Problem) {}
}
