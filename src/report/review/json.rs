//! A review as JSON. Its shape is published as a JSON Schema, see [`json_schema`](super::json_schema()).

use super::{Leftover, ReviewReport, slashed};
use crate::json::{JsString, Object, Value};
use crate::report::call::issue_object;
use crate::review::{Directions, Evidence, Finding, Judged, ReplayedCall, Severity, ToolReview};

/// The version of the shape; members may be added without a new one.
const VERSION: u32 = 1;

/// The whole review as one object.
#[must_use]
pub fn json(report: &ReviewReport<'_>) -> Value {
    let review = report.review;
    let texts = |list: &[&'static str]| Value::Array(list.iter().map(|t| (*t).into()).collect());
    Value::from([
        ("schema_version", VERSION.into()),
        ("base", report.base.as_str().into()),
        ("head", report.head.as_str().into()),
        ("profile", report.profile.name().into()),
        ("targets", texts(&report.targets)),
        ("summary", summary(report)),
        ("tools", review.tools.iter().map(|tool| self::tool(tool, &review.calls)).collect::<Vec<_>>().into()),
        ("calls", review.calls.iter().map(call).collect::<Vec<_>>().into()),
        ("accept", report.leftovers.iter().map(leftover).collect::<Vec<_>>().into()),
        ("unreadable", report.unreadable.iter().map(|t| t.as_str().into()).collect::<Vec<Value>>().into()),
    ])
}

fn number(n: usize) -> Value {
    u32::try_from(n).unwrap_or(u32::MAX).into()
}

fn summary(report: &ReviewReport<'_>) -> Value {
    let c = &report.review.counts;
    let calls = Value::from([
        ("total", number(c.total)),
        ("valid", number(c.valid)),
        ("ignored", number(c.ignored)),
        ("invalid", number(c.invalid)),
        ("unknown", number(c.unknown)),
        ("undecided", number(c.undecided)),
        ("passed_through", number(c.passed_through)),
        ("newly_failing", number(c.newly_failing)),
        ("newly_ignored", number(c.newly_ignored)),
    ]);
    Value::from([
        ("error", number(report.review.count(Severity::Error))),
        ("warning", number(report.review.count(Severity::Warning))),
        ("note", number(report.review.count(Severity::Note))),
        ("accepted", number(report.accepted())),
        ("calls_given", report.calls_given.into()),
        ("calls", calls),
    ])
}

fn tool(tool: &ToolReview, calls: &[ReplayedCall]) -> Value {
    let findings: Vec<Value> = tool.findings.iter().map(|finding| self::finding(finding, calls)).collect();
    let proof = match tool.proof {
        crate::review::Proof::Same => Value::from("same"),
        crate::review::Proof::Kept => Value::from("kept"),
        crate::review::Proof::Unknown => Value::Null,
    };
    Value::from([
        ("name", tool.name.as_str().into()),
        ("renamed_from", tool.renamed_from.as_deref().into()),
        ("change", tool.change.name().into()),
        ("proved", proof),
        ("findings", findings.into()),
    ])
}

fn finding(finding: &Finding, calls: &[ReplayedCall]) -> Value {
    let mut members: Vec<(JsString, Value)> = vec![
        ("rule".into(), finding.rule.id().into()),
        ("severity".into(), finding.severity.name().into()),
        ("default_severity".into(), finding.default_severity.name().into()),
        ("pointer".into(), finding.pointer.as_str().into()),
        ("file".into(), slashed(&finding.file).into()),
        ("line".into(), finding.line.into()),
        ("before".into(), finding.before.clone().into()),
        ("after".into(), finding.after.clone().into()),
        ("message".into(), finding.message.as_str().into()),
        ("directions".into(), directions(finding.directions)),
        ("enforced".into(), finding.enforced.into()),
        ("evidence".into(), evidence(&finding.evidence, calls)),
        ("example".into(), finding.example.clone().into()),
    ];
    if let Some(renamed) = &finding.renamed {
        members.push(("renamed_from".into(), renamed.from.as_str().into()));
        // Two digits are as much as a guess deserves.
        members.push(("confidence".into(), Value::Number((renamed.confidence * 100.0).round() / 100.0)));
    }
    if let Some(lint) = &finding.lint {
        members.push(("lint".into(), lint.rule.into()));
        members.push(("targets".into(), Value::Array(lint.targets.iter().map(|t| (*t).into()).collect())));
    }
    members.push(("fingerprint".into(), finding.fingerprint.as_str().into()));
    members.push(("accepted".into(), finding.accepted.is_some().into()));
    members.extend(finding.accepted.as_ref().map(|reason| ("reason".into(), reason.as_str().into())));
    object(members)
}

fn object(members: Vec<(JsString, Value)>) -> Value {
    Value::Object(members.into_iter().collect::<Object>())
}

fn directions(directions: Directions) -> Value {
    Value::from([
        ("new", directions.new.name().into()),
        ("recorded", directions.recorded.name().into()),
        ("stale", directions.stale.name().into()),
    ])
}

fn evidence(evidence: &Evidence, calls: &[ReplayedCall]) -> Value {
    let examples = evidence.examples.iter().filter_map(|at| calls.get(*at));
    // A call without an id is known by its place.
    let examples: Vec<Value> = examples.map(|call| call.id.as_deref().unwrap_or(&call.source).into()).collect();
    Value::from([
        ("calls", number(evidence.calls)),
        ("exercised", number(evidence.exercised)),
        ("failing", number(evidence.failing)),
        ("failed_before", number(evidence.failed_before)),
        ("ignored", number(evidence.ignored)),
        ("undecided", number(evidence.undecided)),
        ("examples", examples.into()),
    ])
}

fn call(call: &ReplayedCall) -> Value {
    Value::from([
        ("id", call.id.as_deref().into()),
        ("tool", call.tool.as_str().into()),
        ("source", call.source.as_str().into()),
        ("before", judged(&call.before)),
        ("after", judged(&call.after)),
    ])
}

fn judged(judged: &Judged) -> Value {
    Value::from([
        ("verdict", judged.verdict.name().into()),
        ("issues", judged.issues.iter().map(issue_object).collect::<Vec<_>>().into()),
        ("ignored", judged.ignored.iter().map(|key| key.as_str().into()).collect::<Vec<Value>>().into()),
    ])
}

fn leftover(leftover: &Leftover) -> Value {
    Value::from([
        ("fingerprint", leftover.fingerprint.as_str().into()),
        ("state", leftover.state.into()),
        ("advice", leftover.advice.into()),
        ("reason", leftover.reason.as_str().into()),
    ])
}
