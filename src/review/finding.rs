//! What a review says: of the change as a whole, of each tool, of each call.

use super::change::Renamed;
use super::rules::{Directions, RuleId, Severity};
use crate::gate::{Issue, VerdictKind};
use crate::json::Value;
use std::path::PathBuf;

/// One thing that changed.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule that names it.
    pub rule: RuleId,
    /// How much it weighs, with the evidence of the recorded calls.
    pub severity: Severity,
    /// How much it weighs without.
    pub default_severity: Severity,
    /// Where in the parameters, as a JSON Pointer: after the change, or before it for what is gone. Empty for the tool.
    pub pointer: String,
    /// The file, after the change if the tool is still there.
    pub file: PathBuf,
    /// The line in it, from 1.
    pub line: u32,
    /// What stood there.
    pub before: Option<Value>,
    /// What stands there now.
    pub after: Option<Value>,
    /// The change in one sentence, without what the calls say of it.
    pub change: String,
    /// The sentence with what the calls say of it, and what else there is to say.
    pub message: String,
    /// Who feels it, under the profile in force.
    pub directions: Directions,
    /// Whether the profile enforces what the change is about.
    pub enforced: bool,
    /// What recorded calls say.
    pub evidence: Evidence,
    /// A call that was accepted before and is rejected now: the smallest that was found.
    pub example: Option<Value>,
    /// A guess that this goes by another name now.
    pub renamed: Option<Renamed>,
    /// Of a newly violated lint rule: that rule's name and whom it matters to.
    pub lint: Option<Lint>,
    /// What the finding is known by from run to run.
    pub fingerprint: String,
    /// Why it has been accepted, if it has.
    pub accepted: Option<String>,
}

/// A lint rule that is newly violated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lint {
    /// The rule's name.
    pub rule: &'static str,
    /// Whom it matters to.
    pub targets: Vec<&'static str>,
}

/// What recorded calls say of a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Recorded calls of the tool.
    pub calls: usize,
    /// Those that have something at the place of the change.
    pub exercised: usize,
    /// Those that were accepted before, and are rejected now because of it.
    pub failing: usize,
    /// Of these, those whose recorded result was an error already.
    pub failed_before: usize,
    /// Those that are accepted still, but with a value that is ignored now.
    pub ignored: usize,
    /// Those that cannot be judged any more.
    pub undecided: usize,
    /// Calls that feel it, by their place in [`Review::calls`](super::Review::calls): the first few.
    pub examples: Vec<usize>,
}

impl Evidence {
    /// Whether any recorded call feels it.
    #[must_use]
    pub fn is_felt(&self) -> bool {
        self.failing + self.ignored + self.undecided > 0
    }
}

/// What became of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolChange {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It goes by another name, as far as can be guessed.
    Renamed,
    /// It has changed.
    Changed,
    /// This entry is about the list of tools and not about one.
    List,
}

impl ToolChange {
    /// The change's name in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Renamed => "renamed",
            Self::Changed => "changed",
            Self::List => "list",
        }
    }
}

/// What was proved about the calls that a tool accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Both definitions accept the same calls.
    Same,
    /// Every call that the old definition describes is still accepted.
    Kept,
    /// Nothing, either way.
    Unknown,
}

/// A tool that has changed.
#[derive(Clone, Debug)]
pub struct ToolReview {
    /// Its name, after the change if it is still there; empty for the list of tools.
    pub name: String,
    /// Its name before, where that is another.
    pub renamed_from: Option<String>,
    /// What became of it.
    pub change: ToolChange,
    /// What was proved of the calls that it accepts.
    pub proof: Proof,
    /// The worst first.
    pub findings: Vec<Finding>,
}

/// What the gate says of a call on one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The verdict.
    pub verdict: VerdictKind,
    /// What is wrong with the call. Of a call that is passed through: what would be, by the definition.
    pub issues: Vec<Issue>,
    /// Keys that are accepted although nothing declares them.
    pub ignored: Vec<String>,
}

impl Judged {
    /// Whether the call gets to the tool, and the tool's own definition has nothing against it.
    #[must_use]
    pub fn passes(&self) -> bool {
        matches!(self.verdict, VerdictKind::Accepted | VerdictKind::PassedThrough) && self.issues.is_empty()
    }

    /// Whether the call is rejected, or would be by whoever owns the tool.
    #[must_use]
    pub fn fails(&self) -> bool {
        self.verdict.is_error() || (self.verdict == VerdictKind::PassedThrough && !self.issues.is_empty())
    }
}

/// A recorded call, judged before and after.
#[derive(Clone, Debug)]
pub struct ReplayedCall {
    /// The call's id, if it has one.
    pub id: Option<String>,
    /// The tool, as the call names it.
    pub tool: String,
    /// Where it was recorded: `PATH:LINE`.
    pub source: String,
    /// By the definitions before the change.
    pub before: Judged,
    /// By the definitions after it.
    pub after: Judged,
    /// Its arguments, of calls that feel a change.
    pub arguments: Option<Value>,
}

impl ReplayedCall {
    /// Whether it was right before and is not any more.
    #[must_use]
    pub fn newly_fails(&self) -> bool {
        self.before.passes() && self.after.fails()
    }

    /// Whether it is accepted still, with a value that was read before and is not any more.
    #[must_use]
    pub fn newly_ignored(&self) -> bool {
        self.after.passes() && self.after.ignored.iter().any(|key| !self.before.ignored.contains(key))
    }
}

/// All calls, counted by what becomes of them after the change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallCounts {
    /// All.
    pub total: usize,
    /// Accepted, with nothing ignored.
    pub valid: usize,
    /// Accepted, with a key that nothing declares.
    pub ignored: usize,
    /// Rejected, or not JSON.
    pub invalid: usize,
    /// Calls of tools that are not there.
    pub unknown: usize,
    /// Calls that could not be judged.
    pub undecided: usize,
    /// Passed through: not the gate's to judge.
    pub passed_through: usize,
    /// Of all, those that passed before and fail now.
    pub newly_failing: usize,
    /// Of all, those in which a value is ignored now that was read before.
    pub newly_ignored: usize,
}

impl CallCounts {
    pub(super) fn add(&mut self, call: &ReplayedCall) {
        self.count(call.after.verdict, !call.after.ignored.is_empty());
        self.newly_failing += usize::from(call.newly_fails());
        self.newly_ignored += usize::from(call.newly_ignored());
    }

    /// Counts a call by its verdict after the change, and whether a value in it is ignored.
    pub(super) fn count(&mut self, verdict: VerdictKind, ignored: bool) {
        self.total += 1;
        let place = match verdict {
            VerdictKind::Accepted if ignored => &mut self.ignored,
            VerdictKind::Accepted => &mut self.valid,
            VerdictKind::Rejected | VerdictKind::Unparsable => &mut self.invalid,
            VerdictKind::UnknownTool => &mut self.unknown,
            VerdictKind::Undecided => &mut self.undecided,
            VerdictKind::PassedThrough => &mut self.passed_through,
        };
        *place += 1;
    }
}
