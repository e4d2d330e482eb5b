//! What the gate says of a call.

use crate::json::{JsString, SyntaxError};

/// The five verdicts (rule G2), and one that only the profile `jsonschema` has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VerdictKind {
    /// Nothing is wrong: the call goes on as if there were no gate.
    Accepted,
    /// The arguments have issues.
    Rejected,
    /// The arguments are not JSON.
    Unparsable,
    /// There is no tool of that name.
    UnknownTool,
    /// Not the gate's to judge: an MCP or custom tool.
    PassedThrough,
    /// The definition or the call is beyond what the validator can judge; the verdict says why. Never under the profile
    /// `wave`. No error: nothing is known against the call.
    Undecided,
}

impl VerdictKind {
    /// All verdicts, in the order of rule G2, `undecided` last.
    pub const ALL: [Self; 6] =
        [Self::Accepted, Self::Rejected, Self::Unparsable, Self::UnknownTool, Self::PassedThrough, Self::Undecided];

    /// The verdict's name in output: `accepted`, `rejected`, `unparsable`, `unknown_tool`, `passed_through`, `undecided`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Unparsable => "unparsable",
            Self::UnknownTool => "unknown_tool",
            Self::PassedThrough => "passed_through",
            Self::Undecided => "undecided",
        }
    }

    /// The verdict with that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether the model gets an error back instead of the tool's result.
    #[must_use]
    pub fn is_error(self) -> bool {
        matches!(self, Self::Rejected | Self::Unparsable | Self::UnknownTool)
    }
}

/// What kind of thing is wrong, in the order in which issues are listed (rule G18).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IssueKind {
    /// A required parameter is not there.
    Missing,
    /// A parameter that nothing declares.
    Unexpected,
    /// The value is of none of the declared types.
    Type {
        /// The declared type names, joined by ` | `.
        expected: String,
        /// What came: string, number, boolean, object, array or null.
        provided: &'static str,
    },
    /// The value is none of the listed ones.
    Value {
        /// The listed values as `JSON.stringify` writes them, joined by `|`.
        expected: String,
        /// The value, as `JSON.stringify` writes it.
        provided: String,
    },
    /// The value breaks another rule of JSON Schema: a bound, a length, a pattern, a constant, a union, … Only under the
    /// profile `jsonschema`; the wave gate enforces none of these.
    Constraint {
        /// The keyword that says so.
        keyword: &'static str,
        /// What it wants, in words: `at least 1`, `one of 2 forms`.
        expected: String,
        /// What came: the value as `JSON.stringify` writes it, or its size.
        provided: String,
        /// Of a union that nothing matched, the branch that came closest.
        branch: Option<Box<Branch>>,
    },
}

/// A branch of a union, and what is wrong by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Its place in the list, from 0.
    pub index: usize,
    /// What the value would have to change to match it.
    pub issues: Vec<Issue>,
}

impl IssueKind {
    /// The kind's name in output: `missing`, `unexpected`, `type`, `value`, `constraint`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Unexpected => "unexpected",
            Self::Type { .. } => "type",
            Self::Value { .. } => "value",
            Self::Constraint { .. } => "constraint",
        }
    }

    pub(super) fn rank(&self) -> u8 {
        match self {
            Self::Missing => 0,
            Self::Unexpected => 1,
            Self::Type { .. } => 2,
            Self::Value { .. } => 3,
            Self::Constraint { .. } => 4,
        }
    }

    /// The keyword that a constraint is about.
    #[must_use]
    pub fn keyword(&self) -> Option<&'static str> {
        match self {
            Self::Constraint { keyword, .. } => Some(keyword),
            _ => None,
        }
    }

    /// Of a union that nothing matched, the branch that came closest.
    #[must_use]
    pub fn branch(&self) -> Option<&Branch> {
        match self {
            Self::Constraint { branch, .. } => branch.as_deref(),
            _ => None,
        }
    }

    /// What was expected, where the kind says it.
    #[must_use]
    pub fn expected(&self) -> Option<&str> {
        match self {
            Self::Type { expected, .. } | Self::Value { expected, .. } | Self::Constraint { expected, .. } => Some(expected),
            _ => None,
        }
    }

    /// What was provided, where the kind says it.
    #[must_use]
    pub fn provided(&self) -> Option<&str> {
        match self {
            Self::Type { provided, .. } => Some(provided),
            Self::Value { provided, .. } | Self::Constraint { provided, .. } => Some(provided),
            _ => None,
        }
    }
}

/// One thing wrong with a call's arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// What is wrong.
    pub kind: IssueKind,
    /// Where, as people write it: `questions[0].header`; empty for the arguments themselves (rule G19).
    pub path: String,
    /// Where, as a JSON Pointer: `/questions/0/header`; empty for the arguments themselves.
    pub pointer: String,
}

impl Issue {
    /// The path as it stands in texts: the arguments themselves are called `arguments` (rule G21).
    #[must_use]
    pub fn subject(&self) -> &str {
        if self.pointer.is_empty() { "arguments" } else { &self.path }
    }
}

/// A text that was closed as if cut off (rule G5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovery {
    /// The closed text, which parses.
    pub text: JsString,
    /// What was wrong with the text as captured.
    pub error: SyntaxError,
}

/// What the gate says of one call. It owns all it says: wording it needs neither the definition nor the capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The tool that was called, as the call names it.
    pub tool: String,
    /// The verdict.
    pub kind: VerdictKind,
    /// Everything wrong with the arguments, in the order of rule G18. Only a rejected call has any.
    pub issues: Vec<Issue>,
    /// Set where the arguments were cut off and could be closed (rule G5).
    pub recovery: Option<Recovery>,
    /// Why the arguments did not parse. Only an unparsable call has it.
    pub parse_error: Option<SyntaxError>,
    /// The provider said that the output ended at its length limit (rule G6).
    pub cut_by_length: bool,
    /// What validation would have said of a call that is passed through (rule G7): advice, never part of the verdict.
    pub advice: Vec<Issue>,
    /// Keys that were accepted although nothing declares them, so that nobody reads their values: paths as people write them
    /// (rule G19). Only of a call that the profile `jsonschema` accepted.
    pub ignored: Vec<String>,
    /// Why the call could not be judged. Only an undecided one has it.
    pub undecided: Option<String>,
    /// The draft of JSON Schema by which it was judged: the profile `jsonschema`'s.
    pub draft: Option<&'static str>,
}

impl Verdict {
    /// Whether the model gets an error back instead of the tool's result.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.kind.is_error()
    }

    /// Whether the arguments were closed as if cut off (rule G5).
    #[must_use]
    pub fn recovered(&self) -> bool {
        self.recovery.is_some()
    }
}
