//! A review as a comment on a pull request: the verdict, who is affected, and the details folded.

use super::ReviewReport;
use super::slashed;
use super::text::call_line;
use crate::json::Visible;
use crate::report::escape::{code, html, sentence, text as plain};
use crate::review::{Effect, Finding, Proof, ReplayedCall, Severity, ToolChange, ToolReview};
use std::fmt::Write as _;

/// A comment may have 65,536 characters; what is longer is refused whole.
const MOST_BYTES: usize = 58_000;
/// Rows of the table.
const MOST_ROWS: usize = 60;
/// Calls that are shown in all.
const MOST_CALLS: usize = 5;

/// The whole comment; ends with a line feed.
#[must_use]
pub fn markdown(report: &ReviewReport<'_>) -> String {
    let mut out = head(report);
    let findings: Vec<(&ToolReview, &Finding)> = in_order(report);
    let mut left = findings.len();
    if !findings.is_empty() {
        out.push_str("| | tool | change | new prompts | recorded calls | clients with the old list |\n| --- | --- | --- | --- | --- | --- |\n");
        for (tool, finding) in findings.iter().take(MOST_ROWS) {
            let row = row(report, tool, finding);
            if out.len() + row.len() > MOST_BYTES * 2 / 3 {
                break;
            }
            out.push_str(&row);
            left -= 1;
        }
        out.push('\n');
    }
    if left > 0 {
        let _ = write!(out, "{left} more findings are not shown here; `misfire review --format text` lists them all.\n\n");
    }
    let mut calls = MOST_CALLS;
    for (tool, finding) in findings.iter().filter(|(_, finding)| wants_details(finding)) {
        let details = details(report, tool, finding, &mut calls);
        if out.len() + details.len() > MOST_BYTES {
            break;
        }
        out.push_str(&details);
    }
    tail(&mut out, report, &findings);
    out
}

fn in_order<'r>(report: &'r ReviewReport<'_>) -> Vec<(&'r ToolReview, &'r Finding)> {
    let mut findings: Vec<_> = report.review.findings().collect();
    findings.sort_by_key(|(_, finding)| (finding.accepted.is_some(), std::cmp::Reverse(finding.severity)));
    findings
}

fn head(report: &ReviewReport<'_>) -> String {
    let count = |severity| report.review.count(severity);
    let verdict = format!(
        "{} breaking, {} risky, {} note{}",
        count(Severity::Error),
        count(Severity::Warning),
        count(Severity::Note),
        if count(Severity::Note) == 1 { "" } else { "s" }
    );
    let mut out = format!("### Tool schema review: {verdict}\n\n");
    let targets = if report.targets.is_empty() { String::new() } else { format!(" Targets: {}.", report.targets.join(", ")) };
    let (head, base) = (sentence(&report.head, false), sentence(&report.base, false));
    let _ = write!(
        out,
        "Compared {head} with {base}, by the profile {}.{targets}\n{}\n\n",
        report.profile.name(),
        report.calls_line()
    );
    out
}

fn row(report: &ReviewReport<'_>, tool: &ToolReview, finding: &Finding) -> String {
    let weight = match (&finding.accepted, finding.severity) {
        (Some(_), _) => "accepted",
        (None, Severity::Error) => "breaking",
        (None, Severity::Warning) => "risky",
        (None, Severity::Note) => "note",
    };
    let name = if tool.change == ToolChange::List { "the list".to_owned() } else { code(&clip(&tool.name, 80), true) };
    let change = sentence(&clip(&finding.change, 240), true);
    format!(
        "| {weight} | {name} | {change} | {} | {} | {} |\n",
        effect(finding.directions.new),
        recorded(report, finding),
        effect(finding.directions.stale)
    )
}

fn effect(effect: Effect) -> &'static str {
    match effect {
        Effect::None | Effect::Ok => "ok",
        Effect::Differs => "differs",
        Effect::Ignored => "**ignored**",
        Effect::Rejected => "rejected",
    }
}

/// What the recorded calls say: "nothing exercises this" is an answer of its own.
fn recorded(report: &ReviewReport<'_>, finding: &Finding) -> String {
    let e = &finding.evidence;
    let of = |n: usize, what: &str| format!("{n} of {} {what}", e.calls);
    if e.failing > 0 {
        return of(e.failing, "rejected");
    }
    if e.ignored > 0 {
        return of(e.ignored, "ignored");
    }
    if e.undecided > 0 {
        return of(e.undecided, "undecided");
    }
    match finding.directions.recorded {
        Effect::None => "ok".to_owned(),
        _ if !report.calls_given => "not known: none given".to_owned(),
        _ if e.exercised == 0 => "not known: none uses it".to_owned(),
        _ => format!("ok: {} of {} use it", e.exercised, e.calls),
    }
}

fn wants_details(finding: &Finding) -> bool {
    finding.severity > Severity::Note || finding.evidence.is_felt() || finding.example.is_some()
}

fn details(report: &ReviewReport<'_>, tool: &ToolReview, finding: &Finding, calls: &mut usize) -> String {
    let title = if tool.change == ToolChange::List { "the list of tools" } else { &tool.name };
    let felt = match (finding.evidence.failing, finding.evidence.ignored) {
        (0, 0) => String::new(),
        (0, 1) => " (1 recorded call with a value that is ignored)".to_owned(),
        (0, n) => format!(" ({n} recorded calls with a value that is ignored)"),
        (1, _) => " (1 recorded call is now rejected)".to_owned(),
        (n, _) => format!(" ({n} recorded calls are now rejected)"),
    };
    let summary = html(&clip(&format!("{title}: {}{felt}", finding.change.replace('`', "")), 200));
    let mut out = format!("<details><summary>{summary}</summary>\n\n");
    let place = format!("{}:{}", slashed(&finding.file), finding.line);
    let _ = write!(out, "{} · `{}` · `{}`\n\n", code(&place, false), finding.rule.id(), finding.fingerprint);
    let _ = write!(out, "{}\n\n", sentence(&clip(&finding.message, 600), false));
    if let Some(renamed) = &finding.renamed {
        let _ = write!(out, "A guess, {:.0}% sure; was {}.\n\n", renamed.confidence * 100.0, code(&renamed.from, false));
    }
    let shown: Vec<&ReplayedCall> = finding.evidence.examples.iter().filter_map(|at| report.review.calls.get(*at)).collect();
    let shown: Vec<&ReplayedCall> = shown.into_iter().take(*calls).collect();
    *calls -= shown.len();
    for call in &shown {
        // Indented code: one line each, in which nothing is acted on.
        let _ = writeln!(out, "    {}", Visible::new(&clip(&call_line(call, &finding.pointer), 300)));
    }
    if !shown.is_empty() {
        out.push('\n');
    }
    if let Some(example) = &finding.example {
        let _ = write!(out, "Smallest example: {} was accepted, is now rejected.\n\n", code(&example.to_json(), false));
    }
    if let Some(reason) = &finding.accepted {
        let _ = write!(out, "Accepted: {}\n\n", plain(&clip(reason, 300)));
    }
    out.push_str("</details>\n\n");
    out
}

fn tail(out: &mut String, report: &ReviewReport<'_>, findings: &[(&ToolReview, &Finding)]) {
    let mut add = |text: String| {
        if out.len() + text.len() < MOST_BYTES {
            out.push_str(&text);
        }
    };
    for tool in report.review.tools.iter().filter(|tool| tool.proof == Proof::Kept).take(20) {
        add(format!(
            "Proved for {}: every call that the old definition describes is still accepted.\n\n",
            code(&tool.name, false)
        ));
    }
    for leftover in report.leftovers.iter().take(20) {
        add(format!("Accepted finding {} is {}: {}.\n\n", code(&leftover.fingerprint, false), leftover.state, leftover.advice));
    }
    for unreadable in report.unreadable.iter().take(20) {
        add(format!("Not compared: {}\n\n", plain(&clip(unreadable, 300))));
    }
    let open = findings.iter().find(|(_, finding)| finding.accepted.is_none() && finding.severity > Severity::Note);
    if let Some((_, finding)) = open {
        add(format!("Accept a finding: `misfire accept {} --reason \"…\"`\n", finding.fingerprint));
    }
}

fn clip(text: &str, most: usize) -> String {
    crate::review::shorten(text, most)
}
