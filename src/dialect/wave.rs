//! The wave dialect (rules G5, G6, G8 and G21).

use crate::gate::{IssueKind, Verdict, VerdictKind};
use std::fmt::Write as _;

const RECOVERED: &str = "\n\nTool arguments were truncated (likely exceeded max output tokens). Please reduce your output or split into multiple tool calls.";

/// The text that the model gets back; `None` where the call is not stopped.
#[must_use]
pub fn text(verdict: &Verdict) -> Option<String> {
    match verdict.kind {
        VerdictKind::Accepted | VerdictKind::PassedThrough => None,
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
        let subject = issue.subject();
        out.push('\n');
        // Writing to a string cannot fail.
        let _ = match &issue.kind {
            IssueKind::Missing => write!(out, "The required parameter `{subject}` is missing"),
            IssueKind::Unexpected => write!(out, "An unexpected parameter `{subject}` was provided"),
            IssueKind::Type { expected, provided } => {
                write!(out, "The parameter `{subject}` type is expected as `{expected}` but provided as `{provided}`")
            }
            IssueKind::Value { expected, .. } => write!(out, "The parameter `{subject}` is invalid: expected one of {expected}"),
        };
    }
    if verdict.recovered() {
        out.push_str(RECOVERED);
    }
    out
}
