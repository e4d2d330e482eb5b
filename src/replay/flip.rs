//! Flips: calls whose verdict is another one than at the baseline.

use super::Outcome;
use crate::capture::index::CallId;

/// A call whose verdict changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flip {
    /// The call.
    pub id: CallId,
    /// What the gate said at the baseline.
    pub before: Outcome,
    /// What it says now.
    pub after: Outcome,
}

impl Flip {
    /// Whether the model now gets an error where it did not before.
    #[must_use]
    pub fn is_newly_failing(&self) -> bool {
        self.after.is_error() && !self.before.is_error()
    }

    /// The order in which people want to see flips: newly failing, then failing otherwise, then mended.
    pub(super) fn rank(&self) -> u8 {
        match (self.before.is_error(), self.after.is_error()) {
            (false, true) => 0,
            (true, true) => 1,
            (false, false) => 2,
            (true, false) => 3,
        }
    }
}
