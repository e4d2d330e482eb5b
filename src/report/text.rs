//! Judged calls as text for people. Whatever came from a file or a model is made visible first.

use super::CallReport;
use crate::dialect;
use crate::gate::{Issue, IssueKind, Verdict, VerdictKind, stages};
use crate::json::Visible;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// One line an issue, its kind first.
fn issue_line(issue: &Issue) -> String {
    let subject = Visible::new(issue.subject());
    match &issue.kind {
        IssueKind::Missing | IssueKind::Unexpected => format!("{:<10}  {subject}", issue.kind.name()),
        IssueKind::Type { expected, provided } => {
            format!("{:<10}  {subject}: expected {expected}, provided {provided}", "type")
        }
        IssueKind::Value { expected, provided } => {
            format!("{:<10}  {subject}: expected one of {}, provided {}", "value", Visible::new(expected), Visible::new(provided))
        }
        IssueKind::Constraint { expected, provided, .. } => {
            format!("{:<10}  {subject}: expected {}, provided {}", "constraint", Visible::new(expected), Visible::new(provided))
        }
    }
}

/// The stages of a call, one line each.
#[must_use]
pub fn stage_lines(verdict: &Verdict) -> Vec<String> {
    stages(verdict).iter().map(|(stage, outcome)| format!("{:<10}  {}", stage.name(), outcome.words())).collect()
}

/// What is wrong with a call and the text the model would read, indented; ends with a line feed.
#[must_use]
pub fn call_text(call: CallReport<'_>, arguments: Option<&[u8]>, indent: &str) -> String {
    let verdict = call.verdict;
    let mut out = String::new();
    let mut line = |text: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{indent}{text}");
    };
    for issue in &verdict.issues {
        line(&issue_line(issue));
    }
    if let Some(error) = verdict.parse_error.as_ref().or(verdict.recovery.as_ref().map(|r| &r.error)) {
        let place = arguments.map(|text| error.position(text).to_string()).unwrap_or_default();
        line(&format!("not JSON   {place}: expected {}, found {}", error.expected, Visible::new(&error.found)));
    }
    if let Some(recovery) = &verdict.recovery {
        line(&format!("recovered  {}", Visible::from_bytes(recovery.text.as_bytes())));
    }
    for issue in &verdict.advice {
        line(&format!("advice: {}", issue_line(issue)));
    }
    if let Some(text) = dialect::text(verdict) {
        line("the model would read:");
        for part in Visible::lines(&text) {
            line(&format!("  {part}"));
        }
    }
    out
}

/// The kinds of issue, in the order in which [`Counts`] counts them.
const ISSUES: [&str; 5] = ["missing", "unexpected", "type", "value", "constraint"];

/// What a tally needs of a verdict.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    /// The verdict.
    pub kind: VerdictKind,
    /// The call was still being streamed.
    pub pending: bool,
    /// The arguments were closed as if cut off.
    pub recovered: bool,
    issues: [u32; 5],
}

impl Counts {
    /// The counts of a verdict.
    #[must_use]
    pub fn of(verdict: &Verdict, pending: bool) -> Self {
        let mut issues = [0; 5];
        for issue in &verdict.issues {
            if let Some(place) = ISSUES.iter().position(|name| *name == issue.kind.name()) {
                issues[place] += 1;
            }
        }
        Self { kind: verdict.kind, pending, recovered: verdict.recovered(), issues }
    }

    /// Whether the call was accepted, with nothing else to count.
    #[must_use]
    pub fn is_plainly_accepted(&self) -> bool {
        self.kind == VerdictKind::Accepted && !self.pending && !self.recovered
    }

    /// The counts of a call that was accepted.
    #[must_use]
    pub fn accepted() -> Self {
        Self { kind: VerdictKind::Accepted, pending: false, recovered: false, issues: [0; 5] }
    }
}

/// Calls counted by verdict, and issues by kind.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Calls by verdict; calls still being streamed are not among them.
    pub verdicts: BTreeMap<VerdictKind, usize>,
    /// Issues by the name of their kind.
    pub issues: BTreeMap<&'static str, usize>,
    /// Calls that were still being streamed when they were captured.
    pub pending: usize,
    /// Calls whose arguments were closed as if cut off.
    pub recovered: usize,
}

impl Tally {
    /// Counts a call.
    pub fn add(&mut self, verdict: &Verdict, pending: bool) {
        self.add_counts(&Counts::of(verdict, pending));
    }

    /// Counts a call by what was kept of it.
    pub fn add_counts(&mut self, call: &Counts) {
        if call.pending {
            self.pending += 1;
            return;
        }
        *self.verdicts.entry(call.kind).or_default() += 1;
        self.recovered += usize::from(call.recovered);
        for (name, count) in ISSUES.iter().zip(call.issues) {
            if count > 0 {
                *self.issues.entry(name).or_default() += count as usize;
            }
        }
    }

    /// Counts so many accepted calls.
    pub fn add_accepted(&mut self, calls: usize) {
        if calls > 0 {
            *self.verdicts.entry(VerdictKind::Accepted).or_default() += calls;
        }
    }

    /// Calls that the model would get an error for.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.verdicts.iter().filter(|(kind, _)| kind.is_error()).map(|(_, n)| n).sum()
    }

    /// All calls.
    #[must_use]
    pub fn calls(&self) -> usize {
        self.verdicts.values().sum::<usize>() + self.pending
    }

    /// The counts in one line: `9 calls: 5 accepted, 4 rejected; 6 issues: 2 missing, 4 type`.
    #[must_use]
    pub fn line(&self) -> String {
        let mut parts: Vec<String> = self.verdicts.iter().map(|(kind, n)| format!("{n} {}", kind.name())).collect();
        parts.extend((self.pending > 0).then(|| format!("{} pending", self.pending)));
        let calls = self.calls();
        let mut out = format!("{calls} {}", if calls == 1 { "call" } else { "calls" });
        if !parts.is_empty() {
            let _ = write!(out, ": {}", parts.join(", "));
        }
        if self.recovered > 0 {
            let _ = write!(out, " ({} recovered)", self.recovered);
        }
        let issues: usize = self.issues.values().sum();
        if issues > 0 {
            let kinds: Vec<String> = self.issues.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
            let _ = write!(out, "; {issues} {}: {}", if issues == 1 { "issue" } else { "issues" }, kinds.join(", "));
        }
        out
    }
}
