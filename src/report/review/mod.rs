//! A review in every format.

mod json;
mod markdown;
mod schema;
mod text;

pub use json::json;
pub use markdown::markdown;
pub use schema::json_schema;
pub use text::text;

use super::github::annotations;
use super::item::Item;
use super::junit::{Case, junit as junit_of};
use super::sarif::{SarifRule, sarif as sarif_of};
use crate::gate::{Issue, Profile};
use crate::json::Value;
use crate::review::{Finding, Review, RuleId, Severity, ToolReview};
use std::path::PathBuf;

/// Where the rules are described.
const HELP: &str = "https://github.com/netease/misfire/blob/main/docs/review.md";

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

impl ReviewReport<'_> {
    fn items(&self) -> Vec<Item<'_>> {
        let mut items: Vec<Item<'_>> = self.review.findings().map(|(tool, finding)| item_of(tool, finding)).collect();
        let rank = |item: &Item<'_>| Severity::from_name(item.severity).map_or(0, |s| s as u8);
        items.sort_by_key(|item| std::cmp::Reverse(rank(item)));
        items
    }

    /// Annotations of GitHub Actions.
    #[must_use]
    pub fn github(&self) -> String {
        annotations(&self.items())
    }

    /// SARIF 2.1.0.
    #[must_use]
    pub fn sarif(&self) -> Value {
        let helps: Vec<String> = RuleId::ALL.iter().map(|rule| format!("{HELP}#{}", rule.id())).collect();
        let rules: Vec<SarifRule<'_>> = RuleId::ALL
            .iter()
            .zip(&helps)
            .map(|(rule, help)| SarifRule { id: rule.id(), about: rule.rule().message, help })
            .collect();
        sarif_of(&self.items(), &rules, "toolReview/v1")
    }

    /// JUnit XML; a tool fails for a finding of this severity or worse.
    #[must_use]
    pub fn junit(&self, fail_on: Option<Severity>) -> String {
        let cases: Vec<Case<'_>> = self.all_tools.iter().map(|(tool, file)| Case { tool, file }).collect();
        let fails = |item: &Item<'_>| fail_on.is_some_and(|least| Severity::from_name(item.severity) >= Some(least));
        junit_of(&cases, &self.items(), &fails)
    }

    /// How often each severity was found, accepted findings left out: `2 errors, 1 warning, 3 notes`.
    fn counts(&self) -> String {
        let parts = Severity::ALL.map(|severity| {
            let n = self.review.count(severity);
            format!("{n} {severity}{}", if n == 1 { "" } else { "s" })
        });
        parts.join(", ")
    }

    fn accepted(&self) -> usize {
        self.review.findings().filter(|(_, finding)| finding.accepted.is_some()).count()
    }

    /// What became of the recorded calls, in one sentence.
    fn calls_line(&self) -> String {
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
        let mut line = format!("Replayed {} recorded {calls}: {}.", c.total, parts.join(", "));
        let felt: Vec<String> = [
            (c.newly_failing, "passes no longer", "pass no longer"),
            (c.newly_ignored, "has a value that is newly ignored", "have a value that is newly ignored"),
        ]
        .iter()
        .filter(|(n, ..)| *n > 0)
        .map(|(n, one, many)| format!("{n} {}", if *n == 1 { one } else { many }))
        .collect();
        line.push_str(&if felt.is_empty() {
            " None of them feels the change.".to_owned()
        } else {
            format!(" {}.", felt.join(", "))
        });
        line
    }
}

fn item_of<'a>(tool: &'a ToolReview, finding: &'a Finding) -> Item<'a> {
    Item {
        rule: finding.rule.id(),
        severity: finding.severity.name(),
        tool: &tool.name,
        file: &finding.file,
        line: finding.line,
        message: &finding.message,
        fingerprint: &finding.fingerprint,
        accepted: finding.accepted.as_deref(),
    }
}

/// An issue in one line: `limit: expected at most 200, provided 500`.
fn issue_line(issue: &Issue) -> String {
    let subject = issue.subject();
    match (issue.kind.expected(), issue.kind.provided()) {
        (Some(expected), Some(provided)) => format!("{subject}: expected {expected}, provided {provided}"),
        _ => format!("{subject} is {}", issue.kind.name()),
    }
}
