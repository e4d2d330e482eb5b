//! Findings about definitions, as every format shows them: what lint and review have in common.

use crate::lint::Severity;
use std::path::Path;

/// A finding.
#[derive(Clone, Debug)]
pub struct Item<'a> {
    /// How much it matters.
    pub severity: Severity,
    /// The rule's id.
    pub rule: &'a str,
    /// Where in the parameters, as a JSON Pointer; empty for the tool.
    pub pointer: &'a str,
    /// The file; empty where there is none.
    pub file: &'a Path,
    /// The line in it, from 1.
    pub line: u32,
    /// One sentence with the values.
    pub message: &'a str,
    /// For whom it matters; empty where that is no question.
    pub targets: Vec<&'static str>,
    /// The same in another run.
    pub fingerprint: &'a str,
}

/// A tool with its findings.
#[derive(Clone, Debug)]
pub struct Suite<'a> {
    /// The tool's name.
    pub tool: &'a str,
    /// The file that it is defined in.
    pub file: &'a Path,
    /// The line there.
    pub line: u32,
    /// What was found.
    pub items: Vec<Item<'a>>,
}

/// A rule, for formats that describe them.
#[derive(Clone, Copy, Debug)]
pub struct RuleText<'a> {
    /// Its id.
    pub id: &'a str,
    /// What it finds, in a few words.
    pub finds: &'a str,
    /// Why it matters and what to do.
    pub why: &'a str,
    /// The worst it can be.
    pub severity: Severity,
}

/// How many findings of each severity there are: errors, warnings, notes.
#[must_use]
pub fn counts(suites: &[Suite<'_>]) -> [usize; 3] {
    Severity::ALL.map(|severity| items(suites).filter(|(_, item)| item.severity == severity).count())
}

/// All findings with their tools, in order.
pub(super) fn items<'a, 'b>(suites: &'b [Suite<'a>]) -> impl Iterator<Item = (&'b Suite<'a>, &'b Item<'a>)> {
    suites.iter().flat_map(|suite| suite.items.iter().map(move |item| (suite, item)))
}

/// All findings, the worst first; within a severity in order.
pub(super) fn worst_first<'a, 'b>(suites: &'b [Suite<'a>]) -> Vec<(&'b Suite<'a>, &'b Item<'a>)> {
    let mut all: Vec<_> = items(suites).collect();
    all.sort_by_key(|(_, item)| std::cmp::Reverse(item.severity));
    all
}

/// `2 errors, 1 warning, no notes`.
#[must_use]
pub fn count_words(counts: [usize; 3]) -> String {
    let words = Severity::ALL.iter().zip(counts).map(|(severity, count)| {
        let number = if count == 0 { "no".to_owned() } else { count.to_string() };
        format!("{number} {}{}", severity.name(), if count == 1 { "" } else { "s" })
    });
    words.collect::<Vec<_>>().join(", ")
}
