//! What the gate says of a call, as lists and counts need it.

use super::Outcome;
use super::row::{error_line, places};
use super::stats::{Facts, Maps};
use crate::capture::Call;
use crate::gate::Verdict;
use std::collections::HashSet;
use std::hash::RandomState;
use std::sync::Arc;

/// What the gate says of a call, in so far as it is often said of many: calls of which the same is said share one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Said {
    /// The verdict.
    pub outcome: Outcome,
    /// Where the issues are, as JSON Pointers: of very many, the first.
    pub places: Box<[Box<str>]>,
    /// What is wrong, if anything is: one line, safe to show.
    pub error: Option<Box<str>>,
    /// What is counted.
    pub(super) facts: Facts,
}

impl Said {
    /// What a verdict says; nothing is taken down of it to be counted.
    #[must_use]
    pub fn of(call: &Call, verdict: &Verdict) -> Self {
        let error = error_line(call, verdict);
        Self { outcome: Outcome::of(verdict), places: places(&verdict.issues), error, facts: Facts::default() }
    }

    /// The same to be counted, and what the arguments of a failing call are, as far as equality goes.
    pub(super) fn counted(call: &Call, verdict: &Verdict, maps: &Maps, hasher: &RandomState) -> (Self, u64) {
        let (facts, arguments) = Facts::of(call, verdict, maps, hasher).apart();
        (Self { facts, ..Self::of(call, verdict) }, arguments)
    }
}

/// Everything that is said, each held once.
#[derive(Debug, Default)]
pub(super) struct Sayings(HashSet<Arc<Said>>);

impl Sayings {
    /// The one that is held.
    pub fn hold(&mut self, said: Said) -> Arc<Said> {
        if let Some(known) = self.0.get(&said) {
            return Arc::clone(known);
        }
        let new = Arc::new(said);
        self.0.insert(Arc::clone(&new));
        new
    }

    /// Holds these too.
    pub fn adopt(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Lets go what is said of no call any more.
    pub fn tidy(&mut self) {
        self.0.retain(|said| Arc::strong_count(said) > 1);
    }
}
