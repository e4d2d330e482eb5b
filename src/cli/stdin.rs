//! Captured calls where some may come from stdin: what is read there is judged as a file is, before all files.

use super::Streams;
use super::interrupt::Interrupt;
use crate::capture::sweep::{Judge, SweepSink};
use crate::capture::{self, Call, CapturedTools, Options, Problem, Sink};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// How stdin is named among paths.
const STDIN: &str = "-";

/// What was named, taken apart.
pub(super) struct Inputs {
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    stdin: Option<Vec<u8>>,
}

impl Inputs {
    /// Reads stdin, if it is named.
    pub fn take(named: &[PathBuf], interrupt: &Interrupt, streams: &mut Streams<'_>) -> io::Result<Self> {
        let (stdin, paths): (Vec<PathBuf>, Vec<PathBuf>) = named.iter().cloned().partition(|path| path.as_os_str() == STDIN);
        if stdin.is_empty() {
            return Ok(Self { paths, stdin: None });
        }
        let mut input = Vec::new();
        interrupt.ending_at_once(|| streams.input.read_to_end(&mut input))?;
        Ok(Self { paths, stdin: Some(input) })
    }

    /// Judges what stdin had.
    pub fn judge_stdin<J: Judge>(&self, options: &Options, judge: &J, sink: &mut impl SweepSink<J::Kept>) {
        let Some(input) = &self.stdin else { return };
        let mut judged = Judged { rules: judge.rules(Path::new(STDIN)), judge, sink };
        capture::read_from(input.as_slice(), Path::new(STDIN), options, &mut judged);
    }
}

/// Hands calls on as they are judged.
struct Judged<'a, J: Judge, S> {
    judge: &'a J,
    rules: J::Rules,
    sink: &'a mut S,
}

impl<J: Judge, S: SweepSink<J::Kept>> Sink for Judged<'_, J, S> {
    fn call(&mut self, call: Call) -> ControlFlow<()> {
        self.sink.call(self.judge.judge(&self.rules, &call), call.place.line)
    }

    fn tools(&mut self, tools: CapturedTools) {
        if let Err(reason) = self.judge.tools(&mut self.rules, &tools) {
            self.sink.problem(Problem::of_tools(&tools, &reason));
        }
    }

    fn problem(&mut self, problem: Problem) {
        self.sink.problem(problem);
    }
}
