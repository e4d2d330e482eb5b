//! Reading captures from beginning to end, for commands.

use super::call::{Call, CapturedTools, Place};
use super::detect::{self, Detected, Guess};
use super::event::{CallEvent, Event, Spot};
use super::ledger::{Ledger, Paired};
use super::lines::LineSource;
use super::problem::{Problem, ProblemKind};
use super::unit::{Consumer, Unit, UnitReader};
use super::walk::{Found, walk};
use super::{Options, hash, source};
use crate::json::{View, to_well_formed};
use std::collections::{HashSet, VecDeque};
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Who takes the calls of a stream.
pub trait Sink {
    /// The next call: calls come in the order of files and of their first places in each. `Break` ends the reading.
    fn call(&mut self, call: Call) -> ControlFlow<()>;

    /// Where results are not asked for: the next call, before it is built, as its tool, its id, the JSON text of its arguments and the
    /// line on which it stands. `None` has it built; anything else is the answer to it.
    fn plain_call(&mut self, _tool: &str, _id: Option<&str>, _arguments: &[u8], _line: u32) -> Option<ControlFlow<()>> {
        None
    }

    /// Something could not be read. The rest is.
    fn problem(&mut self, problem: Problem);

    /// The capture carries tool definitions: each list once a file, however often it is repeated.
    fn tools(&mut self, _tools: CapturedTools) {}
}

/// What a stream held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Files in which calls were looked for.
    pub files: u64,
    /// Files in folders that are in no known format.
    pub skipped: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Lines read, in files of lines.
    pub lines: u64,
    /// Calls, each once.
    pub calls: u64,
    /// Occurrences of calls that were there already.
    pub repeats: u64,
    /// Calls that have a result; 0 where results were not asked for.
    pub results: u64,
    /// Results that belong to no call.
    pub orphans: u64,
    /// Lines and documents that could not be read, or not to the end.
    pub unreadable: u64,
    /// Lines with bytes that are not UTF-8.
    pub repaired: u64,
    /// The sink ended the reading.
    pub stopped: bool,
}

/// Reads every file of these paths (a folder recursively, `-` is standard input) and hands over its calls.
///
/// Memory holds the longest line, the hashes of one file's calls and, where results are asked for, the calls of one file
/// that wait for theirs or stand behind one that does.
pub fn read_paths(paths: &[PathBuf], options: &Options, sink: &mut dyn Sink) -> Summary {
    let mut summary = Summary::default();
    let files = walk(paths, &mut |problem| sink.problem(problem));
    for file in files {
        if summary.stopped {
            break;
        }
        match source::open(&file.path) {
            Ok(source) => read_file(source, &file, options, sink, &mut summary),
            Err(problem) => sink.problem(problem),
        }
    }
    summary
}

/// Reads one file; `named`: it is an error if it holds nothing that can be read.
pub(super) fn read_one(path: &Arc<Path>, named: bool, options: &Options, sink: &mut dyn Sink) -> Summary {
    let mut summary = Summary::default();
    match source::open(path) {
        Ok(source) => read_file(source, &Found { path: Arc::clone(path), named }, options, sink, &mut summary),
        Err(problem) => sink.problem(problem),
    }
    summary
}

/// Reads a capture from anything; `name` stands for its file.
pub fn read_from(source: impl Read, name: &Path, options: &Options, sink: &mut dyn Sink) -> Summary {
    let mut summary = Summary::default();
    let found = Found { path: Arc::from(name), named: true };
    read_file(source, &found, options, sink, &mut summary);
    summary
}

fn read_file(source: impl Read, found: &Found, options: &Options, sink: &mut dyn Sink, summary: &mut Summary) {
    let plain = match source::plain(source, options.max_expanded) {
        Ok(plain) => plain,
        Err(error) => return sink.problem(Problem::io(&found.path, &error)),
    };
    let mut lines = LineSource::new(plain.source, 0, options.max_line);
    let mut collector = Collector {
        file: Arc::clone(&found.path),
        ledger: Ledger::new(options.results),
        waiting: VecDeque::new(),
        handed: 0,
        tools: HashSet::new(),
        results: options.results,
        sink,
        summary,
    };
    collector.read(&mut lines, found.named, options);
    if let Err(error) = lines.failure() {
        let problem = Problem::io(&found.path, &error);
        collector.problem(problem);
    }
    collector.flush(true);
    collector.summary.bytes += lines.offset();
}

struct Collector<'s> {
    file: Arc<Path>,
    ledger: Ledger,
    /// Calls that have not been handed over; the first has the number `handed`.
    waiting: VecDeque<Call>,
    handed: u32,
    /// Hashes of the lists of definitions that have been handed over.
    tools: HashSet<u64>,
    results: bool,
    sink: &'s mut dyn Sink,
    summary: &'s mut Summary,
}

impl Collector<'_> {
    fn read<R: Read>(&mut self, lines: &mut LineSource<R>, named: bool, options: &Options) {
        let mark = source::mark(lines.peek(4));
        if let Some(kind) = source::refuse(lines.peek(4)) {
            self.problem(Problem::of_file(&Arc::clone(&self.file), kind));
            return;
        }
        lines.skip(mark);
        let mut wanted = detect::SAMPLE;
        let detected = loop {
            let sample_is_all = {
                lines.peek(wanted);
                lines.is_complete()
            };
            match detect::detect(lines.peek(wanted), sample_is_all) {
                Detected::NeedsMore if !sample_is_all && wanted <= options.max_line => {
                    wanted = wanted.saturating_mul(4).min(options.max_line.saturating_add(1));
                }
                found => break found,
            }
        };
        let forced = options.format.map(|format| format.0);
        match (detected, forced) {
            (Detected::Empty, _) => self.summary.files += 1,
            (Detected::Document, _) => self.document(lines, named, options),
            (Detected::Lines(Some(Guess { format, .. })), None) | (Detected::Lines(_), Some(format)) => {
                self.lines(lines, UnitReader::new(format, &self.file), options);
            }
            (Detected::Events(Some(Guess { format, .. })), None) | (Detected::Events(_), Some(format)) => {
                self.lines(lines, UnitReader::of_events(format, &self.file), options);
            }
            (Detected::Lines(None) | Detected::Events(None) | Detected::NeedsMore, _) => self.unknown(named),
        }
    }

    fn unknown(&mut self, named: bool) {
        if named {
            self.problem(Problem::of_file(&Arc::clone(&self.file), ProblemKind::UnknownFormat));
        } else {
            self.summary.skipped += 1;
        }
    }

    fn lines<R: Read>(&mut self, lines: &mut LineSource<R>, mut reader: UnitReader, options: &Options) {
        self.summary.files += 1;
        let mut number = 0_u32;
        // The line at which a source would end that breaks off.
        let mut open = 1;
        while !self.summary.stopped {
            match lines.next_line() {
                Ok(Some(line)) => {
                    number = number.saturating_add(1);
                    open = number.saturating_add(u32::from(line.terminated));
                    reader.line(&line, number, options.max_line, self);
                }
                Ok(None) => break,
                Err(error) => {
                    let problem = Problem::cut_off(&Arc::clone(&self.file), open, &error);
                    self.problem(problem);
                    break;
                }
            }
        }
        reader.finish(self);
        self.summary.lines += u64::from(number);
    }

    fn document<R: Read>(&mut self, lines: &mut LineSource<R>, named: bool, options: &Options) {
        let length = lines.peek(options.max_line.saturating_add(1)).len();
        if length > options.max_line {
            let kind = ProblemKind::TooLong { length: length as u64, cap: options.max_line };
            self.problem(Problem::of_file(&Arc::clone(&self.file), kind));
            return;
        }
        let offset = lines.offset();
        let mut reader = UnitReader::of_document(options.format.map(|format| format.0), &self.file);
        reader.document(lines.peek(length), offset, options.max_line, self);
        reader.finish(self);
        if reader.format().is_some() {
            self.summary.files += 1;
        } else {
            self.unknown(named);
        }
        lines.skip(length);
    }

    fn call(&mut self, unit: &Unit, call: &CallEvent<'_>) {
        let entered = self.ledger.enter(call);
        if entered.number.is_none() {
            self.summary.repeats += 1;
            // The repeat may hold the result that the first occurrence did not have yet.
            if let (true, Some(result)) = (self.results, &call.result) {
                self.result(call.id.as_deref(), None, result);
            }
            return;
        }
        self.summary.calls += 1;
        let (line, offset) = unit.locate(call.spot);
        if !self.results
            && !self.summary.stopped
            && let Some(arguments) = call.plain_arguments()
            && let Some(flow) = self.sink.plain_call(&call.tool, call.id.as_deref(), &arguments, line)
        {
            self.summary.stopped = flow.is_break();
            return;
        }
        let call = call.to_call(Place { file: Arc::clone(&self.file), line, offset });
        if self.results {
            self.summary.results += u64::from(call.result.is_some());
            self.waiting.push_back(call);
            self.flush(false);
        } else if !self.summary.stopped {
            self.summary.stopped = self.sink.call(call).is_break();
        }
    }

    fn result(&mut self, id: Option<&str>, tool: Option<&str>, outcome: &super::event::RawOutcome<'_>) {
        match self.ledger.pair(id, tool) {
            Paired::Call(number) => {
                let place = number.checked_sub(self.handed).and_then(|n| self.waiting.get_mut(n as usize));
                if let Some(call) = place {
                    call.result = Some(outcome.to_outcome());
                    self.summary.results += 1;
                    self.flush(false);
                }
            }
            Paired::Orphan => self.summary.orphans += 1,
            Paired::Repeat => {}
        }
    }

    fn definitions(&mut self, unit: &Unit, view: View<'_>, spot: Spot) {
        if self.tools.insert(hash::bytes(0, view.raw())) {
            let (line, offset) = unit.locate(spot);
            let place = Place { file: Arc::clone(&self.file), line, offset };
            self.sink.tools(CapturedTools { place, json: to_well_formed(view.raw()).into_owned() });
        }
    }

    /// Hands over the calls that are complete and have none before them that is not, or all of them.
    fn flush(&mut self, all: bool) {
        while !self.summary.stopped && self.waiting.front().is_some_and(|call| all || call.result.is_some()) {
            if let Some(call) = self.waiting.pop_front() {
                self.handed += 1;
                self.summary.stopped = self.sink.call(call).is_break();
            }
        }
    }
}

impl Consumer for Collector<'_> {
    fn event(&mut self, unit: &Unit, event: Event<'_>) {
        match event {
            Event::Call(call) => self.call(unit, &call),
            Event::Result(result) if self.results => self.result(result.id.as_deref(), result.tool.as_deref(), &result.outcome),
            Event::Result(_) => {}
            Event::Conversation => self.ledger.conversation(),
            Event::Exchange => self.ledger.exchange(),
            Event::Connection => self.ledger.connect(),
            Event::Definitions(view, spot) => self.definitions(unit, view, spot),
        }
    }

    fn problem(&mut self, problem: Problem) {
        self.summary.unreadable += u64::from(problem.kind.is_loss());
        self.summary.repaired += u64::from(problem.kind == ProblemKind::InvalidUtf8);
        self.sink.problem(problem);
    }
}
