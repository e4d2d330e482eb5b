//! The calls that an engine knows, with what is said of them.

use super::engine::News;
use super::label::{Label, Packer};
use super::row::{Judged, Judgement, Names, Row};
use super::said::Sayings;
use super::stats::{Seen, Statistics, no_file};
use super::{Flip, Outcome, Said, Strangers};
use crate::capture::index::{Batch, CallId, Entry, Index};
use crate::gate::VerdictKind;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::RandomState;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Index and outcomes, side by side.
#[derive(Default)]
pub(super) struct Store {
    index: Index,
    names: Names,
    hasher: RandomState,
    sayings: Sayings,
    packer: Packer,
    calls: HashMap<u32, Calls>,
    /// Attempts whose call has not been found yet, with the hash of its id.
    orphans: Vec<Orphan>,
    /// How often calls were taken away.
    removals: u64,
}

/// What is kept of the calls of a file besides the index.
#[derive(Default)]
struct Calls {
    /// What is said of each.
    said: Vec<Arc<Said>>,
    /// Hashes of their ids; 0 where there is none.
    ids: Vec<u64>,
    /// The arguments of failing calls, as far as equality goes, by the numbers of the calls.
    arguments: BTreeMap<u32, u64>,
    /// The verdicts at the baseline, where they may be others.
    baseline: BTreeMap<u32, Outcome>,
}

/// An attempt whose call has not been found yet.
struct Orphan {
    attempt: CallId,
    /// The hash of the id of its call.
    parent: u64,
}

/// What is said of a call now, and of its arguments.
pub(super) type Found = (CallId, Arc<Said>, u64);

impl Calls {
    fn truncate(&mut self, length: u32) {
        self.said.truncate(length as usize);
        self.ids.truncate(length as usize);
        self.arguments.split_off(&length);
        self.baseline.split_off(&length);
    }

    /// Takes in what is said of a call now; what was said before is what it was at the baseline, if nothing else is known of that.
    fn judge(&mut self, call: u32, said: Arc<Said>, arguments: u64) {
        let Some(known) = self.said.get_mut(call as usize) else { return };
        if known.outcome != said.outcome {
            self.baseline.entry(call).or_insert(known.outcome);
        }
        *known = said;
        self.take_arguments(call, arguments);
    }

    fn take_arguments(&mut self, call: u32, arguments: u64) {
        if arguments == 0 {
            self.arguments.remove(&call);
        } else {
            self.arguments.insert(call, arguments);
        }
    }
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
        self.calls.iter().map(|(file, calls)| (*file, calls.said.len()))
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
        calls.truncate(change.added.start);
        let mut added = Vec::with_capacity(change.added.len());
        let mut labels: Vec<Label> = Vec::with_capacity(change.added.len());
        for (call, judged) in change.added.clone().zip(judged.into_iter().skip(skip)) {
            let id = CallId { file, call };
            let said = self.sayings.hold(judged.said);
            calls.said.push(Arc::clone(&said));
            calls.ids.push(judged.id.map_or(0, |hash| hash.max(1)));
            calls.take_arguments(call, judged.arguments);
            if let Some(then) = judged.baseline.filter(|then| *then != said.outcome) {
                calls.baseline.insert(call, then);
            }
            self.orphans.extend(judged.parent.map(|parent| Orphan { attempt: id, parent: parent.max(1) }));
            if let Some(entry) = entries.get(call as usize) {
                added.push(Row::new(id, entry, &self.index, &mut self.names, judged.flags, said));
                labels.push(judged.label);
            }
        }
        calls.said.shrink_to_fit();
        calls.ids.shrink_to_fit();
        let labels = self.packer.pack(&labels);
        let answered = change.answered.iter().map(|n| (*n, entries.get(*n as usize).and_then(Entry::is_error))).collect();
        let problems = self.index.problems(file).to_vec();
        news(News::Calls { file, path, removed: change.removed, added, labels, answered, gone: change.gone, problems });
    }

    /// Takes note that calls are not there any more.
    fn forget(&mut self, file: u32, removed: Range<u32>) {
        if removed.is_empty() {
            return;
        }
        self.removals += 1;
        self.orphans.retain(|orphan| orphan.attempt.file != file || !removed.contains(&orphan.attempt.call));
    }

    /// Finds the calls that attempts belong to: in the attempt's own file first, then in the others, in the order of their paths.
    pub fn find_parents(&mut self, news: &mut dyn FnMut(News)) {
        if self.orphans.is_empty() {
            return;
        }
        let mut wanted: Vec<u64> = self.orphans.iter().map(|orphan| orphan.parent).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let is_wanted = |hash: u64| wanted.binary_search(&hash).is_ok();
        let mut holders: HashMap<u64, Vec<CallId>> = HashMap::new();
        for file in self.index.files() {
            let ids = self.calls.get(&file).map_or(&[][..], |calls| &calls.ids);
            for (call, hash) in (0..).zip(ids).filter(|(_, hash)| is_wanted(**hash)) {
                holders.entry(*hash).or_default().push(CallId { file, call });
            }
        }
        let mut found = Vec::new();
        self.orphans.retain(|orphan| {
            let holders = holders.get(&orphan.parent).map_or(&[][..], Vec::as_slice);
            let own = holders.iter().find(|holder| holder.file == orphan.attempt.file);
            let call = own.or(holders.first()).filter(|call| **call != orphan.attempt);
            found.extend(call.map(|call| (orphan.attempt, *call)));
            call.is_none()
        });
        if !found.is_empty() {
            news(News::Parents(found));
        }
    }

    /// Takes over what is said of calls now.
    pub fn take_over(&mut self, found: impl IntoIterator<Item = Found>) -> Vec<Judgement> {
        let take = |(id, said, arguments): Found| {
            if let Some(calls) = self.calls.get_mut(&id.file) {
                calls.judge(id.call, Arc::clone(&said), arguments);
            }
            Judgement { id, said }
        };
        let judged = found.into_iter().map(take).collect();
        self.sayings.tidy();
        judged
    }

    /// What calls are said to be is among these too.
    pub fn adopt(&mut self, sayings: Sayings) {
        self.sayings.adopt(sayings);
    }

    /// Every call in the index, by files in no order.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.calls.keys().flat_map(|file| self.index.entries(*file))
    }

    /// The calls of sessions in which most are of tools that no definition knows.
    pub fn strangers(&self) -> Strangers {
        let mut strangers = Strangers::default();
        for (file, calls) in &self.calls {
            for (said, entry) in calls.said.iter().zip(self.index.entries(*file)) {
                strangers.call(self.index.name(entry.tool()), said.outcome.kind == VerdictKind::UnknownTool);
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
            for ((entry, said), call) in self.index.entries(*file).iter().zip(&calls.said).zip(0..) {
                statistics.add(&Seen {
                    tool: name(entry.tool()),
                    model: entry.model().map(name),
                    session: entry.session().map(name),
                    at: entry.at(),
                    outcome: said.outcome,
                    pending: entry.is_pending(),
                    attempt: entry.is_attempt(),
                    file: path,
                    line: entry.line(),
                    facts: &said.facts,
                    arguments: calls.arguments.get(&call).copied().unwrap_or(0),
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
            match self.calls.get(&id.file).and_then(|calls| calls.said.get(id.call as usize)) {
                Some(said) if tools.is_some_and(|tools| !tools.contains(tool)) => others.push(said.outcome.kind),
                _ => found.push(id),
            }
        }
        (found, others)
    }

    /// Calls whose verdict is not what it was at the baseline, newly failing first.
    pub fn flips(&self) -> Vec<Flip> {
        let flips = self.calls.iter().flat_map(|(file, calls)| {
            calls.baseline.iter().filter_map(|(call, before)| {
                let after = calls.said.get(*call as usize)?.outcome;
                (after.kind != before.kind).then_some(Flip { id: CallId { file: *file, call: *call }, before: *before, after })
            })
        });
        let mut flips: Vec<Flip> = flips.collect();
        flips.sort_by_key(|flip| (flip.rank(), flip.id));
        flips
    }

    /// Takes over what was said of calls at the baseline.
    pub fn set_baseline(&mut self, outcomes: &[(CallId, Outcome)]) {
        for (id, outcome) in outcomes {
            if let Some(calls) = self.calls.get_mut(&id.file).filter(|calls| calls.said.len() > id.call as usize) {
                calls.baseline.insert(id.call, *outcome);
            }
        }
    }

    pub fn mark_baseline(&mut self) {
        self.calls.values_mut().for_each(|calls| calls.baseline.clear());
    }
}
