//! What flips are counted from: what the gate said at the start or at a mark, or what other definitions say.

use super::engine::{Engine, News};
use super::{Outcome, judge};
use crate::definition::Catalog;
use crate::gate::Gate;
use std::collections::HashSet;
use std::sync::Arc;

/// Calls between two questions whether to go on.
const TURN: usize = 64;

/// The definitions of the baseline.
pub(super) struct Baseline {
    catalog: Arc<Catalog>,
    /// The gate over them, where they are others than those that were in force: calls that come later are judged by it too.
    gate: Option<Arc<Gate>>,
}

impl Baseline {
    /// The definitions that are in force.
    pub fn of(catalog: &Arc<Catalog>) -> Self {
        Self { catalog: Arc::clone(catalog), gate: None }
    }

    /// What says what a new call's verdict was at the baseline; none where that is what it is now.
    pub fn gate(&self) -> Option<&Arc<Gate>> {
        self.gate.as_ref()
    }
}

impl Engine {
    /// The definitions at the baseline of flips.
    #[must_use]
    pub fn baseline(&self) -> &Arc<Catalog> {
        &self.baseline.catalog
    }

    /// Makes what the gate says now the baseline for flips.
    pub fn mark_baseline(&mut self) {
        self.shared.write().store.mark_baseline();
        self.baseline = Baseline::of(self.catalog());
    }

    /// Makes what other definitions say the baseline for flips, and tells the flips. `go_on` is told how many calls are judged,
    /// of how many; if it says no, nothing has changed, and false is returned. Calls that come later are compared too.
    pub fn compare_with(
        &mut self,
        catalog: Catalog,
        news: &mut dyn FnMut(News),
        go_on: &mut dyn FnMut(usize, usize) -> bool,
    ) -> bool {
        let changed = catalog.changed_names(self.catalog());
        let gate = Arc::new(Gate::with_profile(&catalog, self.gate().profile()));
        let wanted: HashSet<&str> = changed.iter().map(String::as_str).collect();
        let (mut calls, _) = self.shared.calls_of(Some(&wanted));
        // What a file carries itself is the same at every revision of the definitions.
        let known = self.shared.read();
        calls.retain(|id| !known.rules.own.contains_key(&id.file));
        drop(known);
        let mut outcomes = Vec::with_capacity(calls.len());
        for (n, id) in calls.iter().enumerate() {
            if n % TURN == 0 && !go_on(n, calls.len()) {
                return false;
            }
            // What cannot be read any more keeps what was said of it.
            let outcome = self.shared.call(*id).map(|call| Outcome::of(&judge(&gate, &call)));
            outcomes.extend(outcome.ok().map(|outcome| (*id, outcome)));
        }
        let mut known = self.shared.write();
        known.store.mark_baseline();
        known.store.set_baseline(&outcomes);
        let flips = known.store.flips();
        drop(known);
        self.baseline = Baseline { catalog: Arc::new(catalog), gate: Some(gate) };
        news(News::Baseline { changed, flips });
        true
    }
}
