//! A verdict in a few bytes, for lists of many calls.

use super::Kinds;
use crate::gate::{Verdict, VerdictKind};

/// What a list shows of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The verdict.
    pub kind: VerdictKind,
    /// The arguments were closed as if cut off.
    pub recovered: bool,
    /// How many issues there are, up to 65,535.
    pub issues: u16,
    /// Of which kinds they are.
    pub kinds: Kinds,
}

impl Outcome {
    /// The outcome of a verdict.
    #[must_use]
    pub fn of(verdict: &Verdict) -> Self {
        let issues = u16::try_from(verdict.issues.len()).unwrap_or(u16::MAX);
        Self { kind: verdict.kind, recovered: verdict.recovered(), issues, kinds: Kinds::of(&verdict.issues) }
    }

    /// Whether the model gets an error back instead of the tool's result.
    #[must_use]
    pub fn is_error(self) -> bool {
        self.kind.is_error()
    }
}
