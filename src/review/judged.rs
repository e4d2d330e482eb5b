//! A call judged on both sides, with the changes that it feels.

use super::change::{Change, Touch};
use super::evidence::{causes, exercises, ignores};
use super::finding::{Judged, ReplayedCall};
use super::subject::Subject;
use crate::capture::Call;
use crate::gate::{Arguments, Parsed, Verdict, VerdictKind, parse};
use crate::json::Value;

/// Issues of one call that are traced to changes: one is enough to find the call.
pub(super) const MAX_ISSUES: usize = 64;

/// A call judged on both sides, with the changes that it feels.
#[derive(Debug)]
pub struct JudgedCall {
    pub(super) call: ReplayedCall,
    pub(super) tool: Option<usize>,
    pub(super) failed_before: bool,
    pub(super) failing: Vec<usize>,
    pub(super) ignoring: Vec<usize>,
    pub(super) exercised: Vec<usize>,
    pub(super) undecided: bool,
    pub(super) pending: bool,
}

impl JudgedCall {
    /// The same without the call's arguments, which may be large: for calls that are counted and not shown.
    #[must_use]
    pub fn without_arguments(mut self) -> Self {
        self.call.arguments = None;
        self
    }

    pub(super) fn feels(&self) -> bool {
        self.call.newly_fails() || self.call.newly_ignored() || self.undecided || !self.ignoring.is_empty()
    }

    /// Finds what the call feels of the changes to its tool.
    pub(super) fn attribute(&mut self, subject: &Subject, call: &Call) {
        let Some(arguments) = value_of(&call.arguments) else { return };
        for (i, change) in subject.changes.iter().enumerate() {
            if exercises(change, &subject.places, &arguments) {
                self.exercised.push(i);
            }
        }
        let ReplayedCall { before, after, .. } = &self.call;
        self.undecided = before.passes() && after.verdict == VerdictKind::Undecided;
        if self.call.newly_fails() {
            for issue in after.issues.iter().take(MAX_ISSUES) {
                self.failing.extend(causes(&subject.changes, &subject.places, issue));
            }
            let of_tool = |change: &Change| change.touch == Touch::Tool;
            if after.issues.is_empty() {
                self.failing.extend((0..subject.changes.len()).filter(|i| of_tool(&subject.changes[*i])));
            }
            self.failing.sort_unstable();
            self.failing.dedup();
        }
        if self.call.newly_ignored() {
            for path in after.ignored.iter().filter(|path| !before.ignored.contains(path)) {
                let ignoring = (0..subject.changes.len()).filter(|i| ignores(&subject.changes[*i], &subject.places, path));
                self.ignoring.extend(ignoring);
            }
        }
        if before.passes() {
            // Also of a call that fails for another reason, and where the gate does not say what it ignores.
            let ignored = |i: &&usize| subject.changes[**i].is_ignored_key() && !self.failing.contains(i);
            let more: Vec<usize> = self.exercised.iter().filter(ignored).copied().collect();
            self.ignoring.extend(more);
        }
        self.ignoring.sort_unstable();
        self.ignoring.dedup();
        if self.feels() {
            self.call.arguments = Some(arguments);
        }
    }
}

/// A call's arguments as a value, as far as they can be read (rules G3 to G5).
fn value_of(arguments: &Arguments) -> Option<Value> {
    match arguments {
        Arguments::Absent => Some(Value::Object(crate::json::Object::default())),
        Arguments::Json(value) => Some(value.clone()),
        Arguments::Text(text) => match parse(text.as_bytes()) {
            Parsed::Value(value) | Parsed::Recovered { value, .. } => Some(value),
            Parsed::Failed(_) => None,
        },
    }
}

impl Judged {
    pub(super) fn of(verdict: Verdict) -> Self {
        let issues = if verdict.advice.is_empty() { verdict.issues } else { verdict.advice };
        Self { verdict: verdict.kind, issues, ignored: verdict.ignored }
    }
}
