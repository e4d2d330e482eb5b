//! From what a format finds to entries of the index.

use super::batch::Batch;
use super::entry::{ATTEMPT, Answer, Entry, HAS_ID, HAS_RESULT, NOT_JSON, PENDING, Parts, SIDECHAIN};
use super::names::Names;
use crate::capture::Options;
use crate::capture::call::{Call, CapturedTools, InputKind, Place};
use crate::capture::event::{CallEvent, Event, RawOutcome};
use crate::capture::ledger::{Ledger, Paired};
use crate::capture::problem::{Problem, ProblemKind};
use crate::capture::unit::{Consumer, Unit};
use crate::capture::{hash, time};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

/// What somebody is shown who watches a scan.
#[derive(Debug)]
pub enum Seen<'a> {
    /// What comes from here on is of the file of this number; whether it is read from its start.
    File(u32, &'a Arc<Path>, bool),
    /// The file carries definitions.
    Tools(&'a CapturedTools),
    /// A new call.
    Call(&'a Call),
}

/// Somebody who is shown every new call, or nobody: then no call is copied out.
pub(super) struct Observer<'o> {
    pub observe: &'o mut dyn FnMut(Seen<'_>),
    pub observed: bool,
}

/// What reading a file needs of the scanner.
pub(super) struct Scan<'a, 'o> {
    pub options: &'a Options,
    pub names: &'a mut Names,
    pub observer: &'a mut Observer<'o>,
    pub sink: &'a mut dyn FnMut(Batch),
}

/// Turns what is found in a file into entries.
pub(super) struct Indexer<'a, 'o> {
    pub hashes: &'a mut Vec<u64>,
    pub open: &'a mut HashMap<u32, String>,
    pub tools: &'a mut HashSet<u64>,
    pub path: &'a Arc<Path>,
    pub ledger: &'a mut Ledger,
    pub batch: &'a mut Batch,
    pub names: &'a mut Names,
    pub observer: &'a mut Observer<'o>,
    pub answers_apart: bool,
}

impl Indexer<'_, '_> {
    fn call(&mut self, unit: &Unit, call: &CallEvent<'_>) {
        let entered = self.ledger.enter(call);
        let Some(number) = entered.number else {
            if let Some(result) = &call.result {
                self.result(unit, call.id.as_deref(), None, result);
            }
            return;
        };
        self.hashes.push(entered.hash);
        if let (Some(id), None, true) = (&call.id, &call.result, self.answers_apart) {
            self.open.insert(number, id.clone().into_owned());
        }
        let flag = |on: bool, flag: u32| if on { flag } else { 0 };
        let outcome = call.result.as_ref().map_or(0, |result| HAS_RESULT | Answer::flags_of(result.is_error));
        let (line, at) = unit.locate(call.spot);
        if self.observer.observed {
            (self.observer.observe)(Seen::Call(&call.to_call(Place { file: Arc::clone(self.path), line, offset: at })));
        }
        let (offset, length, ordinal) = unit.range(call.spot);
        self.batch.added.push(Entry::new(&Parts {
            offset,
            length,
            ordinal,
            line,
            at: call.at.as_deref().and_then(time::millis),
            tool: self.names.number(&call.tool),
            session: call.session.as_deref().map_or(0, |name| self.names.number(name)),
            model: call.model.as_deref().map_or(0, |name| self.names.model(name)),
            result_ordinal: u16::try_from(unit.results).unwrap_or(u16::MAX),
            flags: outcome
                | flag(call.id.is_some(), HAS_ID)
                | flag(call.pending, PENDING)
                | flag(call.sidechain, SIDECHAIN)
                | flag(call.input != InputKind::Json, NOT_JSON)
                | flag(call.parent.is_some(), ATTEMPT),
        }));
    }

    fn result(&mut self, unit: &Unit, id: Option<&str>, tool: Option<&str>, outcome: &RawOutcome<'_>) {
        if let Paired::Call(number) = self.ledger.pair(id, tool) {
            self.open.remove(&number);
            let ordinal = u16::try_from(unit.results).unwrap_or(u16::MAX);
            let answer = Answer { offset: unit.offset, ordinal, flags: Answer::flags_of(outcome.is_error) };
            self.batch.answers.push((number, answer));
        }
    }
}

impl Consumer for Indexer<'_, '_> {
    fn event(&mut self, unit: &Unit, event: Event<'_>) {
        match event {
            Event::Call(call) => self.call(unit, &call),
            Event::Result(result) => self.result(unit, result.id.as_deref(), result.tool.as_deref(), &result.outcome),
            Event::Conversation => self.ledger.conversation(),
            Event::Exchange => self.ledger.exchange(),
            Event::Connection => self.ledger.connect(),
            Event::Definitions(view, spot) => {
                if self.tools.insert(hash::bytes(0, view.raw())) {
                    let (line, offset) = unit.locate(spot);
                    let place = Place { file: Arc::clone(self.path), line, offset };
                    let json = crate::json::to_well_formed(view.raw()).into_owned();
                    let tools = CapturedTools { place, json };
                    (self.observer.observe)(Seen::Tools(&tools));
                    self.batch.tools.push(tools);
                }
            }
        }
    }

    fn problem(&mut self, problem: Problem) {
        // A file that is watched may always be growing.
        if problem.kind != ProblemKind::CutLastLine {
            self.batch.problems.push(problem);
        }
    }
}
