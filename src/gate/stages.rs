//! The way of a call through the gate (rule G1).

use super::verdict::{Verdict, VerdictKind};

/// A stage that a call passes on its way to running, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The arguments are parsed.
    Parse,
    /// The call is routed by its tool's origin.
    Route,
    /// The arguments are checked against the tool's schema.
    Validate,
    /// The `PreToolUse` hook.
    Hook,
    /// The permission prompt.
    Permission,
    /// The tool runs.
    Run,
}

impl Stage {
    /// The stages in order.
    pub const ALL: [Self; 6] = [Self::Parse, Self::Route, Self::Validate, Self::Hook, Self::Permission, Self::Run];

    /// The stage's name in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Parse => "parse",
            Self::Route => "route",
            Self::Validate => "validate",
            Self::Hook => "hook",
            Self::Permission => "permission",
            Self::Run => "run",
        }
    }
}

/// What became of a call at a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageOutcome {
    /// It went through.
    Passed,
    /// The stage does not apply to it.
    Skipped,
    /// It ended here.
    StoppedHere,
    /// It would come here next; this program runs no hook, prompt or tool.
    WouldBeEntered,
    /// It never came here.
    NotEntered,
}

impl StageOutcome {
    /// The outcome's name in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Skipped => "skipped",
            Self::StoppedHere => "stopped_here",
            Self::WouldBeEntered => "would_be_entered",
            Self::NotEntered => "not_entered",
        }
    }

    /// The outcome in words for people.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Skipped => "skipped",
            Self::StoppedHere => "stopped here",
            Self::WouldBeEntered => "would be entered",
            Self::NotEntered => "not entered",
        }
    }
}

/// The stage trace of a verdict: each stage in order with what became of the call there.
#[must_use]
pub fn stages(verdict: &Verdict) -> [(Stage, StageOutcome); 6] {
    use StageOutcome::{NotEntered, Passed, Skipped, StoppedHere, WouldBeEntered};
    let (parse, route, validate, rest) = match verdict.kind {
        VerdictKind::Accepted => (Passed, Passed, Passed, WouldBeEntered),
        // Nothing is known against an undecided call: it goes on as if it had not been validated.
        VerdictKind::PassedThrough | VerdictKind::Undecided => (Passed, Passed, Skipped, WouldBeEntered),
        VerdictKind::Rejected => (Passed, Passed, StoppedHere, NotEntered),
        VerdictKind::UnknownTool => (Passed, StoppedHere, NotEntered, NotEntered),
        VerdictKind::Unparsable => (StoppedHere, NotEntered, NotEntered, NotEntered),
    };
    let outcomes = [parse, route, validate, rest, rest, rest];
    std::array::from_fn(|i| (Stage::ALL[i], outcomes[i]))
}
