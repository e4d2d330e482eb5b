//! Which kinds of issues a call has, in one word of memory.

use crate::gate::{Issue, IssueKind};

/// A set of kinds of issues, for lists of many calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Kinds(u32);

impl Kinds {
    /// The names of all kinds, in the order in which issues are listed (rule G18).
    pub const NAMES: [&str; 5] = ["missing", "unexpected", "type", "value", "constraint"];

    /// The kinds of these issues.
    #[must_use]
    pub fn of(issues: &[Issue]) -> Self {
        Self(issues.iter().fold(0, |set, issue| set | 1 << number(&issue.kind)))
    }

    /// The set of the one kind of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().position(|known| *known == name).map(|n| Self(1 << n))
    }

    /// Whether the sets share a kind.
    #[must_use]
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The names of the kinds in the set, in the order of [`NAMES`](Self::NAMES).
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMES.into_iter().enumerate().filter(move |(n, _)| self.0 & 1 << n != 0).map(|(_, name)| name)
    }
}

/// The kind's number: its place in [`Kinds::NAMES`].
fn number(kind: &IssueKind) -> u32 {
    match kind {
        IssueKind::Missing => 0,
        IssueKind::Unexpected => 1,
        IssueKind::Type { .. } => 2,
        IssueKind::Value { .. } => 3,
        IssueKind::Constraint { .. } => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_name_at_its_number() {
        let issue = |kind| Issue { kind, path: String::new(), pointer: String::new() };
        let issues = [
            issue(IssueKind::Value { expected: String::new(), provided: String::new() }),
            issue(IssueKind::Missing),
            issue(IssueKind::Unexpected),
            issue(IssueKind::Constraint { keyword: "minimum", expected: String::new(), provided: String::new(), branch: None }),
            issue(IssueKind::Type { expected: String::new(), provided: "null" }),
        ];
        for one in &issues {
            let set = Kinds::of(std::slice::from_ref(one));
            assert_eq!(set.names().collect::<Vec<_>>(), [one.kind.name()]);
            assert_eq!(Kinds::from_name(one.kind.name()), Some(set));
        }
        let all = Kinds::of(&issues);
        assert_eq!(all.names().collect::<Vec<_>>(), Kinds::NAMES);
        assert!(all.meets(Kinds::of(&issues[..1])) && !all.meets(Kinds::default()));
    }
}
