//! Lines of a unit that are read the general way.

use super::unit::{Arguments, FoundCall};
use super::{Judge, accepts_text};
use crate::capture::call::Place;
use crate::capture::event::Event;
use crate::capture::hash;
use crate::capture::problem::Problem;
use crate::capture::unit::{Consumer, Unit};
use crate::json::Tree;
use std::path::Path;
use std::sync::Arc;

/// Judges the calls of a line and adds them to those of the unit.
pub(super) struct Pick<'a, J: Judge> {
    pub judge: &'a J,
    pub rules: &'a J::Rules,
    pub file: &'a Arc<Path>,
    pub calls: &'a mut Vec<FoundCall<J::Kept>>,
    pub problems: &'a mut Vec<Problem>,
    pub scratch: Tree,
}

impl<J: Judge> Consumer for Pick<'_, J> {
    fn event(&mut self, unit: &Unit, event: Event<'_>) {
        let Event::Call(call) = event else { return };
        let (line, offset) = unit.locate(call.spot);
        let place = Place { file: Arc::clone(self.file), line, offset };
        let plain = if self.judge.judges_plain_calls() { call.plain_arguments() } else { None };
        let kept = if plain.is_some_and(|arguments| accepts_text(self.judge, self.rules, &call.tool, &arguments)) {
            self.judge.accepted(&call.tool, call.id.as_deref(), self.file)
        } else {
            self.judge.judge(self.rules, &call.to_call(place))
        };
        self.calls.push(FoundCall {
            line,
            id: call.id.as_ref().map(|id| hash::bytes(0, id.as_bytes())),
            arguments: Arguments::Hashed(call.arguments.hash(&mut self.scratch)),
            kept,
        });
    }

    fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }
}
