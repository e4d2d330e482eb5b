//! The wave dialect (rules G5, G6, G8 and G21).
//!
//! Rule G21 has no words for a constraint, because the wave gate enforces none. Ours are made like its own: the line that it
//! has for a value, with what the constraint wants (`The parameter `P` is invalid: expected at least 1`), and after a union
//! that nothing matched one indented line for each issue of the branch that came closest.

use crate::gate::{Issue, IssueKind, Verdict, VerdictKind};
use std::fmt::Write as _;

const RECOVERED: &str = "\n\nTool arguments were truncated (likely exceeded max output tokens). Please reduce your output or split into multiple tool calls.";

/// The text that the model gets back; `None` where the call is not stopped.
#[must_use]
pub fn text(verdict: &Verdict) -> Option<String> {
    match verdict.kind {
        VerdictKind::Accepted | VerdictKind::PassedThrough | VerdictKind::Undecided => None,
        VerdictKind::UnknownTool => Some(format!("Error: Tool '{}' not found", verdict.tool)),
        VerdictKind::Unparsable => {
            let cut = if verdict.cut_by_length { " (output truncated, please reduce your output)" } else { "" };
            Some(format!("Failed to parse tool arguments{cut}"))
        }
        VerdictKind::Rejected => Some(rejection(verdict)),
    }
}

fn rejection(verdict: &Verdict) -> String {
    let mut out = String::with_capacity(64 + verdict.tool.len() + 96 * verdict.issues.len());
    let _ = write!(out, "{} failed due to the following issue(s):", verdict.tool);
    for issue in &verdict.issues {
        out.push('\n');
        push_issue(&mut out, issue);
    }
    if verdict.recovered() {
        out.push_str(RECOVERED);
    }
    out
}

fn push_issue(out: &mut String, issue: &Issue) {
    let subject = issue.subject();
    // Writing to a string cannot fail.
    let _ = match &issue.kind {
        IssueKind::Missing => write!(out, "The required parameter `{subject}` is missing"),
        IssueKind::Unexpected => write!(out, "An unexpected parameter `{subject}` was provided"),
        IssueKind::Type { expected, provided } => {
            write!(out, "The parameter `{subject}` type is expected as `{expected}` but provided as `{provided}`")
        }
        IssueKind::Value { expected, .. } => write!(out, "The parameter `{subject}` is invalid: expected one of {expected}"),
        IssueKind::Constraint { expected, branch, .. } => {
            let written = write!(out, "The parameter `{subject}` is invalid: expected {expected}");
            for below in branch.iter().flat_map(|branch| &branch.issues) {
                out.push_str("\n  ");
                // One level is told: a union inside a union is named, and its own branches are not.
                push_issue(out, &without_branch(below));
            }
            written
        }
    };
}

fn without_branch(issue: &Issue) -> Issue {
    let mut issue = issue.clone();
    if let IssueKind::Constraint { branch, .. } = &mut issue.kind {
        *branch = None;
    }
    issue
}
