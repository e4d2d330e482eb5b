//! The calls that an engine knows, with their outcomes.

use super::engine::News;
use super::row::{Judged, Judgement, Names, Row};
use super::rulebook::AllInForce;
use super::stats::{Facts, Seen, Statistics, no_file};
use super::{Flip, InForce, Outcome, Strangers, judge};
use crate::capture::index::{Batch, CallId, Entry, Index};
use crate::gate::VerdictKind;
use std::collections::{HashMap, HashSet};
use std::hash::RandomState;
use std::path::Path;
use std::sync::Arc;

/// Index and outcomes, side by side.
#[derive(Default)]
pub(super) struct Store {
    index: Index,
    names: Names,
    hasher: RandomState,
    /// By file, then by call.
    calls: HashMap<u32, Vec<Known>>,
    /// The call that holds an id, by the id's hash: of several, that of the first file in path order.
    ids: HashMap<u64, CallId>,
    /// Attempts whose call has not been found yet, with the hash of its id.
    orphans: Vec<(CallId, u64)>,
    /// How often calls were taken away.
    removals: u64,
}

/// What is kept of a call.
#[derive(Clone)]
struct Known {
    now: Outcome,
    baseline: Outcome,
    facts: Facts,
    id: Option<u64>,
}

impl Store {
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// How often calls were taken away: while this number stays, each id stands for the same call.
    pub fn removals(&self) -> u64 {
        self.removals
    }

    /// How many calls each file has.
    pub fn counts(&self) -> impl Iterator<Item = (u32, usize)> {
        self.calls.iter().map(|(file, calls)| (*file, calls.len()))
    }

    pub fn hasher(&self) -> &RandomState {
        &self.hasher
    }

    /// Takes in a batch and what judging its calls gave, in the same order.
    pub fn take_in(&mut self, batch: Batch, judged: Vec<Judged>, news: &mut dyn FnMut(News)) {
        let path: Arc<Path> = Arc::from(batch.path());
        let change = self.index.apply(batch);
        let file = change.file;
        self.forget(file, change.removed.start.min(change.removed.end)..change.removed.end);
        if change.gone {
            self.calls.remove(&file);
        }
        let entries = self.index.entries(file);
        // A file that was read anew was judged anew from its first call on.
        let skip = judged.len().saturating_sub(change.added.len());
        let calls = self.calls.entry(file).or_default();
        calls.truncate(change.added.start as usize);
        let mut added = Vec::with_capacity(change.added.len());
        for (number, mut judged) in change.added.clone().zip(judged.into_iter().skip(skip)) {
            let id = CallId { file, call: number };
            let facts = std::mem::take(&mut judged.facts);
            calls.push(Known { now: judged.outcome, baseline: judged.baseline.unwrap_or(judged.outcome), facts, id: judged.id });
            if let Some(hash) = judged.id {
                let first = self.ids.entry(hash).or_insert(id);
                if first.file != file && self.index.path(first.file).is_none_or(|other| path < *other) {
                    *first = id;
                }
            }
            self.orphans.extend(judged.parent.map(|parent| (id, parent)));
            if let Some(entry) = entries.get(number as usize) {
                added.push(Row::new(id, entry, &self.index, &mut self.names, judged));
            }
        }
        let answered = change.answered.iter().map(|n| (*n, entries.get(*n as usize).and_then(Entry::is_error))).collect();
        let problems = self.index.problems(file).to_vec();
        news(News::Calls { file, path, removed: change.removed, added, answered, gone: change.gone, problems });
    }

    /// Forgets the ids of calls that are not there any more.
    fn forget(&mut self, file: u32, removed: std::ops::Range<u32>) {
        if removed.is_empty() {
            return;
        }
        self.removals += 1;
        self.ids.retain(|_, id| id.file != file || !removed.contains(&id.call));
        self.orphans.retain(|(id, _)| id.file != file || !removed.contains(&id.call));
    }

    /// Finds the calls that attempts belong to: in the attempt's own file first, then in the others.
    pub fn find_parents(&mut self, news: &mut dyn FnMut(News)) {
        let mut found = Vec::new();
        let (ids, calls) = (&self.ids, &self.calls);
        self.orphans.retain(|(attempt, parent)| {
            let own = calls.get(&attempt.file).and_then(|calls| calls.iter().position(|known| known.id == Some(*parent)));
            let own = own.and_then(|n| u32::try_from(n).ok()).map(|call| CallId { file: attempt.file, call });
            let call = own.or_else(|| ids.get(parent).copied()).filter(|call| call != attempt);
            found.extend(call.map(|call| (*attempt, call)));
            call.is_none()
        });
        if !found.is_empty() {
            news(News::Parents(found));
        }
    }

    /// Judges the calls of these tools again; calls that cannot be read any more keep their outcome.
    pub fn judge_again(&mut self, rules: &AllInForce, tools: &[String]) -> Vec<Judgement> {
        let tools: HashSet<&str> = tools.iter().map(String::as_str).collect();
        let mut judged = Vec::new();
        for id in self.index.calls() {
            let concerned = self.index.entry(id).is_some_and(|entry| tools.contains(self.index.name(entry.tool())));
            let Some(call) = concerned.then(|| self.index.read(id).ok()).flatten() else { continue };
            let InForce { gate, maps, .. } = rules.of(id.file);
            let verdict = judge(gate, &call);
            if let Some(known) = self.calls.get_mut(&id.file).and_then(|calls| calls.get_mut(id.call as usize)) {
                let judgement = Judgement::of(id, &call, &verdict);
                known.now = judgement.outcome;
                known.facts = Facts::of(&call, &verdict, maps, &self.hasher);
                judged.push(judgement);
            }
        }
        judged
    }

    /// Takes over what is said of calls now, as their baseline too.
    pub fn take_over(&mut self, judged: impl Iterator<Item = (Judgement, Facts)>) -> Vec<Judgement> {
        let take = |(judgement, facts): (Judgement, Facts)| {
            let id = judgement.id;
            if let Some(known) = self.calls.get_mut(&id.file).and_then(|calls| calls.get_mut(id.call as usize)) {
                (known.now, known.facts) = (judgement.outcome, facts);
            }
            judgement
        };
        let judged = judged.map(take).collect();
        self.mark_baseline();
        judged
    }

    /// The calls of sessions in which most are of tools that no definition knows.
    pub fn strangers(&self) -> Strangers {
        let mut strangers = Strangers::default();
        for (file, calls) in &self.calls {
            for (known, entry) in calls.iter().zip(self.index.entries(*file)) {
                strangers.call(self.index.name(entry.tool()), known.now.kind == VerdictKind::UnknownTool);
            }
            strangers.end_session();
        }
        strangers
    }

    /// Adds up all calls.
    pub fn statistics(&self) -> Statistics {
        let mut statistics = Statistics::default();
        let name = |name| self.index.name(name);
        for (file, calls) in &self.calls {
            let path = self.index.path(*file).map_or(no_file(), |path| &**path);
            for (entry, known) in self.index.entries(*file).iter().zip(calls) {
                statistics.add(&Seen {
                    tool: name(entry.tool()),
                    model: entry.model().map(name),
                    session: entry.session().map(name),
                    at: entry.at(),
                    outcome: known.now,
                    pending: entry.is_pending(),
                    attempt: entry.is_attempt(),
                    file: path,
                    line: entry.line(),
                    facts: &known.facts,
                });
            }
        }
        statistics
    }

    /// The calls of some tools, or all; and of every other call the verdict.
    pub fn calls_of(&self, tools: Option<&HashSet<&str>>) -> (Vec<CallId>, Vec<VerdictKind>) {
        let (mut found, mut others) = (Vec::new(), Vec::new());
        for id in self.index.calls() {
            let tool = self.index.entry(id).map_or("", |entry| self.index.name(entry.tool()));
            match self.calls.get(&id.file).and_then(|calls| calls.get(id.call as usize)) {
                Some(known) if tools.is_some_and(|tools| !tools.contains(tool)) => others.push(known.now.kind),
                _ => found.push(id),
            }
        }
        (found, others)
    }

    /// Calls whose verdict is not what it was at the baseline, newly failing first.
    pub fn flips(&self) -> Vec<Flip> {
        let flips = self.calls.iter().flat_map(|(file, calls)| {
            let changed = (0..).zip(calls).filter(|(_, known)| known.now.kind != known.baseline.kind);
            changed.map(|(call, known)| Flip { id: CallId { file: *file, call }, before: known.baseline, after: known.now })
        });
        let mut flips: Vec<Flip> = flips.collect();
        flips.sort_by_key(|flip| (flip.rank(), flip.id));
        flips
    }

    /// Takes over what was said of calls at the baseline.
    pub fn set_baseline(&mut self, outcomes: &[(CallId, Outcome)]) {
        for (id, outcome) in outcomes {
            if let Some(known) = self.calls.get_mut(&id.file).and_then(|calls| calls.get_mut(id.call as usize)) {
                known.baseline = *outcome;
            }
        }
    }

    pub fn mark_baseline(&mut self) {
        for known in self.calls.values_mut().flatten() {
            known.baseline = known.now;
        }
    }
}
