//! Before and after: two verdicts on the same call, or two attempts at it.

use crate::gate::{Issue, Verdict};

/// What became of the issues of an earlier verdict in a later one. Issues are the same where kind and place are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Issues that are gone.
    pub fixed: Vec<Issue>,
    /// Issues that were not there before.
    pub new: Vec<Issue>,
    /// Issues that are still there, as the later verdict has them.
    pub still: Vec<Issue>,
}

impl Comparison {
    /// Compares two verdicts.
    #[must_use]
    pub fn of(before: &Verdict, after: &Verdict) -> Self {
        let same = |a: &Issue, b: &Issue| a.pointer == b.pointer && a.kind.name() == b.kind.name();
        let missing_in = |list: &[Issue], issue: &Issue| !list.iter().any(|other| same(issue, other));
        let (still, new) = after.issues.iter().cloned().partition(|issue| !missing_in(&before.issues, issue));
        let fixed = before.issues.iter().filter(|issue| missing_in(&after.issues, issue)).cloned().collect();
        Self { fixed, new, still }
    }

    /// The counts in one line: `issues fixed 2, new 0, still there 1`.
    #[must_use]
    pub fn line(&self) -> String {
        format!("issues fixed {}, new {}, still there {}", self.fixed.len(), self.new.len(), self.still.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::{Catalog, Definition};
    use crate::gate::Gate;

    #[test]
    fn issues_are_followed_by_kind_and_place() {
        let definition =
            br#"{"name":"t","parameters":{"properties":{"a":{"type":"string"},"b":{"type":"number"}},"required":["a"]}}"#;
        let gate = Gate::new(&Catalog::from_definitions(Definition::parse(definition).unwrap()));
        let before = gate.judge_text("t", br#"{"b":"1","c":2}"#, None);
        let after = gate.judge_text("t", br#"{"a":1,"b":true}"#, None);
        let comparison = Comparison::of(&before, &after);
        let paths = |issues: &[Issue]| issues.iter().map(|i| format!("{} {}", i.kind.name(), i.path)).collect::<Vec<_>>();
        assert_eq!(paths(&comparison.fixed), ["missing a", "unexpected c"]);
        assert_eq!(paths(&comparison.new), ["type a"]);
        assert_eq!(paths(&comparison.still), ["type b"]);
        assert_eq!(comparison.line(), "issues fixed 2, new 1, still there 1");
    }
}
