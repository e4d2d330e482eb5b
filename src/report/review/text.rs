//! A review as text for people: one block a tool, the worst first, the verdict last.

use super::{ReviewReport, issue_line, slashed};
use crate::gate::Issue;
use crate::json::Visible;
use crate::review::{Finding, Proof, ReplayedCall, ToolChange, ToolReview};
use std::fmt::Write as _;

/// Calls that are shown of one finding.
const EXAMPLES: usize = 3;
/// Characters of a call's arguments that are shown.
const WIDTH: usize = 100;

/// The whole review; ends with a line feed.
#[must_use]
pub fn text(report: &ReviewReport<'_>) -> String {
    let mut out = String::new();
    for tool in &report.review.tools {
        block(&mut out, tool, &report.review.calls);
        out.push('\n');
    }
    let mut line = |text: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{}", Visible::new(text));
    };
    for leftover in &report.leftovers {
        line(&format!("note  accepted finding {} is {}: {}", leftover.fingerprint, leftover.state, leftover.advice));
    }
    for unreadable in &report.unreadable {
        line(&format!("not compared: {unreadable}"));
    }
    line(&report.compared_line());
    line(&report.calls_line());
    let accepted = report.accepted();
    let accepted = if accepted > 0 { format!(" ({accepted} accepted)") } else { String::new() };
    line(&format!("{}{accepted}", report.counts()));
    out
}

fn block(out: &mut String, tool: &ToolReview, calls: &[ReplayedCall]) {
    let name = if tool.change == ToolChange::List { "the list of tools" } else { &tool.name };
    let from = tool.renamed_from.as_ref().map(|from| format!(" from {from}")).unwrap_or_default();
    let proof = match tool.proof {
        Proof::Same => "  proved: both accept the same calls",
        Proof::Kept => "  proved: every call that the old definition describes is still accepted",
        Proof::Unknown => "",
    };
    let _ = writeln!(out, "{}  {}{}{proof}", Visible::new(name), tool.change.name(), Visible::new(&from));
    for finding in &tool.findings {
        one(out, finding, calls);
    }
}

fn one(out: &mut String, finding: &Finding, calls: &[ReplayedCall]) {
    let mut line = |indent: usize, text: &str| {
        let _ = writeln!(out, "{:indent$}{}", "", Visible::new(text));
    };
    line(2, &format!("{:<7}  {}", finding.severity.name(), finding.message));
    let place = if finding.file.as_os_str().is_empty() {
        String::new()
    } else {
        format!("{}:{}  ", slashed(&finding.file), finding.line)
    };
    line(11, &format!("{place}{}  {}", finding.rule.id(), finding.fingerprint));
    if let Some(renamed) = &finding.renamed {
        line(11, &format!("a guess, {:.0}% sure; was {}", renamed.confidence * 100.0, renamed.from));
    }
    if let Some(example) = &finding.example {
        line(11, &format!("{} was accepted, is now rejected", example.to_json()));
    }
    if let Some(reason) = &finding.accepted {
        line(11, &format!("accepted: {reason}"));
    }
    for call in finding.evidence.examples.iter().take(EXAMPLES).filter_map(|at| calls.get(*at)) {
        line(13, &call_line(call, &finding.pointer));
    }
}

/// A call in one line: its place, its arguments, what is wrong now where a finding is.
pub(super) fn call_line(call: &ReplayedCall, pointer: &str) -> String {
    let arguments = call.arguments.as_ref().map(|v| crate::review::shorten(&v.to_json(), WIDTH)).unwrap_or_default();
    format!("{}  {arguments}  {}", call.source, call_problem(call, pointer))
}

/// What is wrong with a call after the change, in few words: of several issues the first that is where a finding is.
#[must_use]
pub fn call_problem(call: &ReplayedCall, pointer: &str) -> String {
    let is_there = |issue: &&Issue| {
        let step = issue.pointer.rsplit('/').next().unwrap_or_default();
        pointer.split("/properties/").skip(1).any(|part| part.split('/').next() == Some(step))
    };
    let issues = &call.after.issues;
    match issues.iter().find(is_there).or(issues.first()) {
        Some(issue) => issue_line(issue),
        None if !call.after.ignored.is_empty() => format!("ignored: {}", call.after.ignored.join(", ")),
        None => call.after.verdict.name().to_owned(),
    }
}
