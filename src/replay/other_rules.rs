//! Judging every call by the rules of another profile while those in force still hold.

use super::rulebook::AllInForce;
use super::said::Sayings;
use super::store::{Found, Store};
use super::{Said, judge};
use crate::capture::index::CallId;
use crate::definition::Catalog;
use crate::gate::{Gate, Profile};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// How many calls are judged before others are let in.
const TURN: usize = 200;
/// With no more than so many missing the rest is judged while nobody else is let in.
const FEW: usize = 1_000;

/// What another profile says of the calls that have been judged by it so far.
#[derive(Debug)]
pub struct OtherRules {
    profile: Profile,
    gate: Arc<Gate>,
    /// The definitions that the gate is over.
    catalog: Option<Arc<Catalog>>,
    /// The same of files that have definitions of their own.
    own: HashMap<u32, (Arc<Catalog>, Arc<Gate>)>,
    /// How often calls had been taken away: numbers may stand for other calls since.
    removals: u64,
    /// By file, in the order of its calls; none for a call that cannot be read any more.
    judged: BTreeMap<u32, Vec<Option<Judged>>>,
    sayings: Sayings,
    count: usize,
}

/// What is said of a call, and of its arguments.
type Judged = (Arc<Said>, u64);

impl OtherRules {
    /// Nothing has been judged yet.
    #[must_use]
    pub fn new(profile: Profile) -> Self {
        let gate = Arc::new(Gate::with_profile(&Catalog::default(), profile));
        Self {
            profile,
            gate,
            catalog: None,
            own: HashMap::new(),
            removals: 0,
            judged: BTreeMap::new(),
            sayings: Sayings::default(),
            count: 0,
        }
    }

    /// How many calls have been judged.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn gate(&self) -> &Arc<Gate> {
        &self.gate
    }

    /// Judges some more calls. True if there are no more.
    pub(super) fn judge_some(&mut self, store: &Store, rules: &AllInForce) -> bool {
        self.begin_anew_unless_current(store, rules);
        self.judge_up_to(store, rules, TURN)
    }

    /// Judges the rest, if it is little and all else still holds. False if not.
    pub(super) fn catch_up(&mut self, store: &Store, rules: &AllInForce) -> bool {
        let is_current = self.is_current(store, rules);
        is_current && store.index().len() <= self.count + FEW && self.judge_up_to(store, rules, usize::MAX)
    }

    pub(super) fn take_judged(&mut self) -> impl Iterator<Item = Found> + use<> {
        let judged = std::mem::take(&mut self.judged).into_iter();
        judged.flat_map(|(file, calls)| {
            (0..).zip(calls).filter_map(move |(call, judged)| judged.map(|(said, of)| (CallId { file, call }, said, of)))
        })
    }

    /// What is said of the calls that have been judged, each held once.
    pub(super) fn take_sayings(&mut self) -> Sayings {
        std::mem::take(&mut self.sayings)
    }

    fn is_current(&self, store: &Store, rules: &AllInForce) -> bool {
        let known = |file, known: &Arc<Catalog>| Arc::ptr_eq(known, &rules.of(file).catalog);
        self.removals == store.removals()
            && self.catalog.as_ref().is_some_and(|known| Arc::ptr_eq(known, &rules.usual.catalog))
            && self.own.iter().all(|(file, (catalog, _))| known(*file, catalog))
    }

    fn begin_anew_unless_current(&mut self, store: &Store, rules: &AllInForce) {
        if self.is_current(store, rules) {
            return;
        }
        let catalog = &rules.usual.catalog;
        self.gate = Arc::new(Gate::with_profile(catalog, self.profile));
        self.catalog = Some(Arc::clone(catalog));
        self.own.clear();
        self.removals = store.removals();
        self.judged.clear();
        self.sayings = Sayings::default();
        self.count = 0;
    }

    /// The gate for the calls of a file.
    fn gate_of(&mut self, file: u32, rules: &AllInForce) -> Arc<Gate> {
        let Some(own) = rules.own.get(&file) else { return Arc::clone(&self.gate) };
        let profile = self.profile;
        let gate = || (Arc::clone(&own.catalog), Arc::new(Gate::with_profile(&own.catalog, profile)));
        Arc::clone(&self.own.entry(file).or_insert_with(gate).1)
    }

    fn judge_up_to(&mut self, store: &Store, rules: &AllInForce, most: usize) -> bool {
        let mut left = most;
        for (file, calls) in store.counts() {
            if self.judged.get(&file).is_some_and(|judged| judged.len() >= calls) {
                continue;
            }
            let (gate, maps) = (self.gate_of(file, rules), &rules.of(file).maps);
            let judged = self.judged.entry(file).or_default();
            while judged.len() < calls {
                if left == 0 {
                    return false;
                }
                left -= 1;
                let id = CallId { file, call: u32::try_from(judged.len()).unwrap_or(u32::MAX) };
                let call = store.index().read_to_judge(id).ok();
                judged.push(call.map(|call| {
                    let (said, arguments) = Said::counted(&call, &judge(&gate, &call), maps, store.hasher());
                    (self.sayings.hold(said), arguments)
                }));
                self.count += 1;
            }
        }
        true
    }
}
