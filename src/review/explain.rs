//! Which change made a call's verdict another one.

use super::change::{Change, Touch};
use super::evidence::causes;
use super::finding::Judged;
use super::judged::MAX_ISSUES;
use super::reviewer::Reviewer;
use super::rules::RuleId;
use super::subject::Subject;
use crate::capture::Call;
use crate::gate::{Issue, VerdictKind};
use crate::replay;
use std::path::PathBuf;

/// A change that a call's verdict comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cause {
    /// The rule that names it.
    pub rule: RuleId,
    /// Where in the parameters, as a JSON Pointer; see [`Finding::pointer`](super::Finding::pointer).
    pub pointer: String,
    /// The change in one sentence, with what stood and what stands there.
    pub change: String,
    /// The file.
    pub file: PathBuf,
    /// The line in it, from 1.
    pub line: u32,
}

impl Reviewer {
    /// The changes that explain why a call is judged otherwise after them: for a call that fails now, those that its new
    /// issues come from; for one that was mended, those that its old issues are gone for. Empty for a call that is judged
    /// alike, or that no single change explains.
    #[must_use]
    pub fn explain(&self, call: &Call) -> Vec<Cause> {
        let Some(subject) = self.by_name.get(call.tool.as_str()).and_then(|tool| self.tools.get(*tool)) else {
            return Vec::new();
        };
        let before = Judged::of(replay::judge(&self.before, call));
        let after = Judged::of(replay::judge(&self.after, call));
        if before.verdict == after.verdict && before.issues == after.issues {
            return Vec::new();
        }
        let mut found: Vec<usize> = Vec::new();
        let unknown = [before.verdict, after.verdict].contains(&VerdictKind::UnknownTool);
        if unknown || before.verdict == VerdictKind::Undecided || after.verdict == VerdictKind::Undecided {
            found.extend((0..subject.changes.len()).filter(|at| is_of_the_tool(&subject.changes[*at])));
        }
        let issues = if after.fails() { new_in(&after.issues, &before.issues) } else { new_in(&before.issues, &after.issues) };
        // Of a tool that was not there, that it is there now says it all.
        let single = found.is_empty() || !unknown;
        for issue in issues.into_iter().take(MAX_ISSUES).filter(|_| single) {
            found.extend(causes(&subject.changes, &subject.places, issue));
        }
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|at| cause(subject, &subject.changes[at])).collect()
    }
}

/// Whether a change is about a tool as a whole: that it is there, that it can be judged.
fn is_of_the_tool(change: &Change) -> bool {
    change.touch == Touch::Tool || matches!(change.rule, RuleId::ToolAdded | RuleId::ToolRemoved | RuleId::ToolRenamed)
}

fn cause(subject: &Subject, change: &Change) -> Cause {
    let (file, line) = subject.place_of(change);
    Cause { rule: change.rule, pointer: change.pointer.clone(), change: change.message(subject.pair.name()), file, line }
}

/// The issues of the first list that the second has not.
fn new_in<'a>(list: &'a [Issue], other: &[Issue]) -> Vec<&'a Issue> {
    list.iter().filter(|issue| !other.contains(issue)).collect()
}
