//! What a filter is asked about: plain snapshots, borrowed from whoever holds the calls.

use super::flag::{Flag, Flags};
use crate::capture::{Call, time};
use crate::dialect;
use crate::gate::{Arguments, Issue, Verdict};
use crate::replay::{Outcome, Row};
use std::borrow::Cow;

/// What a list knows of a call.
#[derive(Clone, Copy, Debug)]
pub struct RowFacts<'a> {
    /// The tool's name.
    pub tool: &'a str,
    /// The model, where one is recorded.
    pub model: Option<&'a str>,
    /// The session, where one is recorded.
    pub session: Option<&'a str>,
    /// The file's path.
    pub file: &'a str,
    /// Its place in the file: a number or a line, whatever puts the file's calls in order.
    pub order: u32,
    /// When it was made, in milliseconds since 1970.
    pub at: Option<i64>,
    /// What the gate says.
    pub outcome: Outcome,
    /// Where the issues are. If they are fewer than the outcome says, the details are asked for the rest.
    pub places: Places<'a>,
    /// Flags. Those that the outcome says ([`Flag::Bad`] and [`Flag::Recovered`]) need not be among them.
    pub flags: Flags,
    /// The line that the list shows, if it is at hand. Without it a filter that looks at it asks for it, or for the details.
    pub summary: Option<&'a str>,
}

/// The remark on an attempt whose arguments were edited.
pub const EDITED: &str = "edited";
/// The remark on an attempt with the arguments that the call had.
pub const REPLAYED: &str = "replayed as it was";

/// What a call's remark says of it: those of attempts say how they were made, every other one is a comment.
#[must_use]
pub fn remark_flags(call: &Call) -> Flags {
    let flag = match call.note.as_deref() {
        None => return Flags::NONE,
        Some(EDITED) if call.parent.is_some() => Flag::Edited,
        Some(REPLAYED) if call.parent.is_some() => Flag::Replayed,
        Some(_) => Flag::Commented,
    };
    Flags::NONE.with(flag, true)
}

/// Where issues are, as whoever asks holds them.
#[derive(Clone, Copy, Debug)]
pub enum Places<'a> {
    /// JSON Pointers.
    Pointers(&'a [Box<str>]),
    /// The issues themselves.
    Issues(&'a [Issue]),
}

/// What only the call itself knows: fetched if a filter cannot decide without.
#[derive(Clone, Debug, Default)]
pub struct Details<'a> {
    /// The arguments, as captured.
    pub arguments: Cow<'a, str>,
    /// The text that the model reads, if the call is stopped.
    pub text: Option<Cow<'a, str>>,
    /// All issues.
    pub issues: &'a [Issue],
}

impl<'a> RowFacts<'a> {
    /// The facts of a row, which does not know its file's path, how the call begins, and what the user did with it: marked,
    /// edited, …
    #[must_use]
    pub fn of_row(row: &'a Row, file: &'a str, flags: Flags) -> Self {
        Self {
            tool: &row.tool,
            model: row.model.as_deref(),
            session: row.session.as_deref(),
            file,
            order: row.id.call,
            at: row.at,
            outcome: row.outcome,
            places: Places::Pointers(&row.said.places),
            flags: flags
                .with(Flag::Pending, row.pending)
                .with(Flag::Sidechain, row.sidechain)
                .with(Flag::Attempt, row.attempt || row.parent.is_some())
                .and(row.flags),
            summary: row.said.error.as_deref(),
        }
    }

    /// The facts of a call that was judged; `file` is its path as text. Its remark counts as a comment.
    #[must_use]
    pub fn of_call(call: &'a Call, verdict: &'a Verdict, file: &'a str, summary: &'a str) -> Self {
        Self {
            tool: &call.tool,
            model: call.model.as_deref(),
            session: call.session.as_deref(),
            file,
            order: call.place.line,
            at: call.at.as_deref().and_then(time::millis),
            outcome: Outcome::of(verdict),
            places: Places::Issues(&verdict.issues),
            flags: Flags::NONE
                .with(Flag::Pending, call.pending)
                .with(Flag::Sidechain, call.sidechain)
                .with(Flag::Attempt, call.parent.is_some())
                .and(remark_flags(call)),
            summary: Some(summary),
        }
    }

    /// Whether the call has the flag.
    #[must_use]
    pub fn has(&self, flag: Flag) -> bool {
        match flag {
            Flag::Bad => self.outcome.is_error() && !self.flags.has(Flag::Pending),
            Flag::Recovered => self.outcome.recovered,
            other => self.flags.has(other),
        }
    }
}

impl Places<'_> {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Pointers(pointers) => pointers.len(),
            Self::Issues(issues) => issues.len(),
        }
    }

    pub(super) fn any(&self, test: impl Fn(&str) -> bool) -> bool {
        match self {
            Self::Pointers(pointers) => pointers.iter().any(|pointer| test(pointer)),
            Self::Issues(issues) => issues.iter().any(|issue| test(&issue.pointer)),
        }
    }
}

impl<'a> Details<'a> {
    /// The details of a call that was judged.
    #[must_use]
    pub fn of(call: &'a Call, verdict: &'a Verdict) -> Self {
        let arguments = match &call.arguments {
            Arguments::Absent => Cow::Borrowed(""),
            Arguments::Text(text) => text.to_well_formed(),
            Arguments::Json(value) => Cow::Owned(value.to_json()),
        };
        Self { arguments, text: dialect::text(verdict).map(Cow::Owned), issues: &verdict.issues }
    }
}
