//! Files that are read whole, the general way.

use super::planner::File;
use super::unit::{Arguments, Found, FoundCall};
use super::{Judge, SweepSink, accepts_text};
use crate::capture::call::{Call, CapturedTools};
use crate::capture::options::Options;
use crate::capture::problem::Problem;
use crate::capture::stream::{self, Sink};
use std::ops::ControlFlow;
use std::path::Path;

/// What is kept of a call that is right for certain; such a call need not be built.
fn accepted<J: Judge>(
    judge: &J,
    rules: &J::Rules,
    tool: &str,
    id: Option<&str>,
    arguments: &[u8],
    file: &Path,
) -> Option<J::Kept> {
    let right = judge.judges_plain_calls() && accepts_text(judge, rules, tool, arguments);
    right.then(|| judge.accepted(tool, id, file))
}

/// Reads a file straight into the sink, for one of any size.
pub(super) fn stream<J: Judge>(file: &File, options: &Options, judge: &J, sink: &mut dyn SweepSink<J::Kept>) -> ControlFlow<()> {
    sink.file();
    let mut streaming =
        Streaming { judge, path: &file.path, rules: judge.rules(&file.path), sink, flow: ControlFlow::Continue(()) };
    let summary = stream::read_one(&file.path, file.named, options, &mut streaming);
    let flow = streaming.flow;
    if flow.is_break() { flow } else { streaming.sink.progress(summary.bytes) }
}

struct Streaming<'a, J: Judge> {
    judge: &'a J,
    path: &'a Path,
    rules: J::Rules,
    sink: &'a mut dyn SweepSink<J::Kept>,
    flow: ControlFlow<()>,
}

impl<J: Judge> Sink for Streaming<'_, J> {
    fn plain_call(&mut self, tool: &str, id: Option<&str>, arguments: &[u8], line: u32) -> Option<ControlFlow<()>> {
        let kept = accepted(self.judge, &self.rules, tool, id, arguments, self.path)?;
        self.flow = self.sink.call(kept, line);
        Some(self.flow)
    }

    fn call(&mut self, call: Call) -> ControlFlow<()> {
        let kept = self.judge.judge(&self.rules, &call);
        self.flow = self.sink.call(kept, call.place.line);
        self.flow
    }

    fn problem(&mut self, problem: Problem) {
        self.sink.problem(problem);
    }

    fn tools(&mut self, tools: CapturedTools) {
        if let Err(reason) = self.judge.tools(&mut self.rules, &tools) {
            self.sink.problem(Problem::of_tools(&tools, &reason));
        }
    }
}

/// How many calls of a file, and problems, are kept until it is its turn: a small file may hold very many, and a compressed one
/// what it likes.
const KEPT: usize = 1 << 14;

/// Reads a small file and keeps what was found until it is its turn; `None` where that would be too much.
pub(super) fn read<J: Judge>(file: &File, options: &Options, judge: &J) -> Option<Found<J::Kept>> {
    let found = Found { calls: Vec::new(), problems: Vec::new(), lines: 0, bytes: 0, file: None, first: true };
    let mut keeping = Keeping { judge, path: &file.path, rules: judge.rules(&file.path), found };
    let summary = stream::read_one(&file.path, file.named, options, &mut keeping);
    let kept = keeping.found;
    (!summary.stopped && kept.problems.len() <= KEPT).then(|| Found { bytes: summary.bytes, ..kept })
}

struct Keeping<'a, J: Judge> {
    judge: &'a J,
    path: &'a Path,
    rules: J::Rules,
    found: Found<J::Kept>,
}

impl<J: Judge> Keeping<'_, J> {
    fn keep(&mut self, line: u32, kept: J::Kept) -> ControlFlow<()> {
        if self.found.calls.len() == KEPT {
            return ControlFlow::Break(());
        }
        // Lines are counted from 0 here, and repeats have been found.
        self.found.calls.push(FoundCall { line: line.saturating_sub(1), id: None, arguments: Arguments::Hashed(0), kept });
        ControlFlow::Continue(())
    }
}

impl<J: Judge> Sink for Keeping<'_, J> {
    fn plain_call(&mut self, tool: &str, id: Option<&str>, arguments: &[u8], line: u32) -> Option<ControlFlow<()>> {
        let kept = accepted(self.judge, &self.rules, tool, id, arguments, self.path)?;
        Some(self.keep(line, kept))
    }

    fn call(&mut self, call: Call) -> ControlFlow<()> {
        let kept = self.judge.judge(&self.rules, &call);
        self.keep(call.place.line, kept)
    }

    fn problem(&mut self, mut problem: Problem) {
        problem.line = problem.line.map(|line| line.saturating_sub(1));
        if self.found.problems.len() <= KEPT {
            self.found.problems.push(problem);
        }
    }

    fn tools(&mut self, tools: CapturedTools) {
        if let Err(reason) = self.judge.tools(&mut self.rules, &tools) {
            self.problem(Problem::of_tools(&tools, &reason));
        }
    }
}
