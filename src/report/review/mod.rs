//! A review in every format.

mod json;
mod markdown;
mod rules;
mod schema;
mod text;

pub use json::json;
pub use markdown::markdown;
pub use rules::rules_markdown;
pub use schema::json_schema;
pub use text::{call_problem, text};

use super::findings::{Item, RuleText, Suite};
use super::{github as github_of, junit as junit_of, sarif as sarif_of};
use crate::gate::{Issue, Profile};
use crate::review::{Finding, Review, RuleId, Severity, ToolReview};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A review with what has to be known to read it.
#[derive(Clone, Debug)]
pub struct ReviewReport<'a> {
    /// What was found.
    pub review: &'a Review,
    /// What was compared with, in words: `tools at a1b2c3d (merge base with main)`.
    pub base: String,
    /// What was compared, in words.
    pub head: String,
    /// The rules by which calls were judged.
    pub profile: Profile,
    /// For whom lint rules were looked at; empty where they were not.
    pub targets: Vec<&'static str>,
    /// Captures were given, even if they held no call.
    pub calls_given: bool,
    /// Every tool that was looked at, with its file.
    pub all_tools: Vec<(String, PathBuf)>,
    /// Entries of the accept file that did nothing: what, and what to do.
    pub leftovers: Vec<Leftover>,
    /// What could not be read, so that it was not compared.
    pub unreadable: Vec<String>,
}

/// An entry of the accept file that did nothing.
#[derive(Clone, Debug)]
pub struct Leftover {
    /// The fingerprint.
    pub fingerprint: String,
    /// `unused`, `stale` or `expired`.
    pub state: &'static str,
    /// What that means and what to do.
    pub advice: &'static str,
    /// The reason that was given.
    pub reason: String,
}

#[cfg(feature = "cli")]
impl Leftover {
    /// An entry that a review found to do nothing.
    #[must_use]
    pub fn of(leftover: &crate::review::Leftover) -> Self {
        Self {
            fingerprint: leftover.entry.fingerprint.clone(),
            state: leftover.state.name(),
            advice: leftover.state.advice(),
            reason: leftover.entry.reason.clone(),
        }
    }
}

impl ReviewReport<'_> {
    /// Every tool that was looked at, with its findings, by file: also those that nothing was found about.
    fn suites(&self) -> Vec<Suite<'_>> {
        let mut suites: Vec<Suite<'_>> = Vec::new();
        for tool in &self.review.tools {
            for finding in &tool.findings {
                let known = suites.iter_mut().find(|suite| suite.tool == tool.name && suite.file == finding.file);
                match known {
                    Some(suite) => suite.items.push(item(finding)),
                    None => suites.push(suite(tool, finding)),
                }
            }
        }
        for (tool, file) in &self.all_tools {
            if !suites.iter().any(|suite| suite.tool == tool && suite.file == file) {
                suites.push(Suite { tool, file, line: 1, items: Vec::new() });
            }
        }
        suites.sort_by_key(|suite| suite.file);
        suites
    }

    /// Writes annotations of GitHub Actions.
    ///
    /// # Errors
    /// If the output could not be written.
    pub fn github(&self, out: &mut dyn Write) -> io::Result<()> {
        github_of(out, &self.suites())
    }

    /// Writes SARIF 2.1.0.
    ///
    /// # Errors
    /// If the output could not be written.
    pub fn sarif(&self, out: &mut dyn Write) -> io::Result<()> {
        let rules: Vec<RuleText<'_>> = RuleId::ALL
            .iter()
            .map(|id| id.rule())
            .map(|rule| RuleText { id: rule.id, finds: rule.message, why: rule.message, severity: rule.severity })
            .collect();
        sarif_of(out, "toolReview/v1", &rules, &self.suites())
    }

    /// Writes `JUnit` XML; a tool fails for a finding of this severity or worse.
    ///
    /// # Errors
    /// If the output could not be written.
    pub fn junit(&self, out: &mut dyn Write, fail_on: Option<Severity>) -> io::Result<()> {
        junit_of(out, "misfire review", &self.suites(), fail_on)
    }

    /// How often each severity was found, accepted findings left out: `2 errors, 1 warning, 3 notes`.
    #[must_use]
    pub fn counts(&self) -> String {
        let parts = Severity::ALL.map(|severity| {
            let n = self.review.count(severity);
            format!("{n} {severity}{}", if n == 1 { "" } else { "s" })
        });
        parts.join(", ")
    }

    /// How many findings have been accepted.
    #[must_use]
    pub fn accepted(&self) -> usize {
        self.review.findings().filter(|(_, finding)| finding.accepted.is_some()).count()
    }

    /// What was compared with what, and by which rules, in one sentence.
    #[must_use]
    pub fn compared_line(&self) -> String {
        format!("Compared {} with {}, by the profile {}.", self.head, self.base, self.profile.name())
    }

    /// What became of the recorded calls, in one sentence or two.
    #[must_use]
    pub fn calls_line(&self) -> String {
        let c = &self.review.counts;
        if !self.calls_given {
            return "No recorded calls given: nothing is known of who feels it.".to_owned();
        }
        if c.total == 0 {
            return "The captures hold no calls: nothing is known of who feels it.".to_owned();
        }
        let mut parts = vec![format!("{} valid", c.valid)];
        for (n, what) in [
            (c.ignored, "valid but with a value that is ignored"),
            (c.invalid, "rejected"),
            (c.unknown, "of tools that are not there"),
            (c.undecided, "undecided"),
            (c.passed_through, "passed through"),
        ] {
            if n > 0 {
                parts.push(format!("{n} {what}"));
            }
        }
        let calls = if c.total == 1 { "call" } else { "calls" };
        let line = format!("Replayed {} recorded {calls}: {}.", c.total, parts.join(", "));
        let felt: Vec<String> = [
            (c.newly_failing, "passes no longer", "pass no longer"),
            (c.newly_ignored, "has a value that is newly ignored", "have a value that is newly ignored"),
        ]
        .iter()
        .filter(|(n, ..)| *n > 0)
        .map(|(n, one, many)| format!("{n} {}", if *n == 1 { one } else { many }))
        .collect();
        let felt = if felt.is_empty() { "None of them feels the change".to_owned() } else { felt.join(", ") };
        format!("{line} {felt}.")
    }
}

fn suite<'a>(tool: &'a ToolReview, finding: &'a Finding) -> Suite<'a> {
    Suite { tool: &tool.name, file: &finding.file, line: finding.line, items: vec![item(finding)] }
}

fn item(finding: &Finding) -> Item<'_> {
    Item {
        severity: finding.severity,
        rule: finding.rule.id(),
        pointer: &finding.pointer,
        file: &finding.file,
        line: finding.line,
        message: &finding.message,
        targets: finding.lint.as_ref().map(|lint| lint.targets.clone()).unwrap_or_default(),
        fingerprint: &finding.fingerprint,
        accepted: finding.accepted.as_deref(),
    }
}

/// A file's path with `/` between its parts, on every system.
fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// An issue in one line: `limit: expected at most 200, provided 500`.
fn issue_line(issue: &Issue) -> String {
    let subject = issue.subject();
    match (issue.kind.expected(), issue.kind.provided()) {
        (Some(expected), Some(provided)) => format!("{subject}: expected {expected}, provided {provided}"),
        _ => format!("{subject} is {}", issue.kind.name()),
    }
}
