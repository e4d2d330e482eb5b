//! From a change and its evidence to a finding's weight and words.

use super::change::Change;
use super::finding::Evidence;
use super::rules::{Directions, Effect, RuleId, Severity, Turn};
use super::semantics::Semantics;

/// So many calls that do not feel a break say that it is rare.
pub(crate) const MANY_CALLS: usize = 20;

/// A change weighed.
pub(crate) struct Settled {
    pub rule: RuleId,
    pub default_severity: Severity,
    pub severity: Severity,
    pub directions: Directions,
    /// What the calls say, and what else there is to say; each a clause.
    pub clauses: Vec<String>,
}

/// What is known beside the change itself.
pub(crate) struct Circumstances<'a> {
    pub semantics: Semantics,
    pub evidence: &'a Evidence,
    /// Calls were given at all.
    pub has_calls: bool,
    pub profile: &'a str,
    /// The server fills in defaults, so that a required parameter with a default may be left out.
    pub server_fills_defaults: bool,
}

/// Weighs a change.
pub(crate) fn settle(change: &Change, known: &Circumstances<'_>) -> Settled {
    let rule = final_rule(change, known.evidence);
    let row = rule.rule();
    let mut directions = change.directions.unwrap_or(row.directions);
    let mut default_severity = change.severity.unwrap_or(row.severity);
    let with_default = matches!(rule, RuleId::ParamAddedRequiredDefault | RuleId::ParamBecameRequiredDefault);
    if known.server_fills_defaults && with_default {
        default_severity = Severity::Note;
    }
    let mut clauses = Vec::new();
    if !change.enforced && row.turn != Turn::Text {
        // Nothing is rejected here: what is left is that models read something else, and that other validators may mind.
        default_severity = default_severity.min(Severity::Warning);
        let soften = |effect| if effect == Effect::Rejected { Effect::Differs } else { effect };
        directions = Directions { new: directions.new, recorded: soften(directions.recorded), stale: soften(directions.stale) };
        clauses.push(format!("the profile {} does not enforce it", known.profile));
    }
    if rule == RuleId::ParamRenamed && known.semantics == Semantics::Wave && !change.enforced {
        default_severity = row.severity;
    }
    let severity = weigh(change, rule, default_severity, known, &mut clauses);
    Settled { rule, default_severity, severity, directions, clauses }
}

/// An optional parameter that calls sent before it was declared, with another type, is another finding.
fn final_rule(change: &Change, evidence: &Evidence) -> RuleId {
    match change.rule {
        RuleId::ParamAddedOptional if evidence.failing > 0 => RuleId::ParamAddedOptionalTypedOpen,
        rule => rule,
    }
}

fn weigh(change: &Change, rule: RuleId, default: Severity, known: &Circumstances<'_>, clauses: &mut Vec<String>) -> Severity {
    let evidence = known.evidence;
    let calls = evidence.calls;
    let of = |n: usize| format!("{n} of {calls} recorded {}", plural(calls));
    if evidence.failing > 0 {
        clauses.push(format!("{} now {}", of(evidence.failing), if evidence.failing == 1 { "fails" } else { "fail" }));
        if evidence.failed_before == evidence.failing {
            let those = if evidence.failing == 1 { "it had" } else { "all of them had" };
            clauses.push(format!("{those} already failed at the server: the definition caught up"));
            return Severity::Warning;
        }
        return Severity::Error;
    }
    let mut severity = default;
    if evidence.ignored > 0 {
        clauses.push(format!("{} send a value that is now ignored", of(evidence.ignored)));
        severity = severity.max(Severity::Warning);
    }
    if evidence.undecided > 0 {
        clauses.push(format!("{} can no longer be judged", of(evidence.undecided)));
    }
    if is_default(rule) && calls > 0 {
        clauses.push(format!("{} omit it", of(calls - evidence.exercised.min(calls))));
    }
    let unfelt = !evidence.is_felt();
    if unfelt && severity == Severity::Error && rule.rule().turn == Turn::Narrows && calls >= MANY_CALLS && change.enforced {
        severity = Severity::Warning;
        clauses.push(format!("not seen in {calls} recorded calls"));
    }
    if known.has_calls && unfelt && evidence.exercised == 0 && asks_for_calls(change, rule) {
        clauses.push("no recorded call exercises this".to_owned());
    }
    severity
}

fn is_default(rule: RuleId) -> bool {
    matches!(rule, RuleId::ParamDefaultAdded | RuleId::ParamDefaultChanged | RuleId::ParamDefaultRemoved)
}

/// Whether it is worth saying that no call says anything.
fn asks_for_calls(change: &Change, rule: RuleId) -> bool {
    let row = rule.rule();
    let can_be_felt = [row.directions.recorded, row.directions.stale].iter().any(|e| !matches!(e, Effect::None | Effect::Ok));
    can_be_felt && !is_default(rule) && change.rule.rule().turn != Turn::Text
}

fn plural(calls: usize) -> &'static str {
    if calls == 1 { "call" } else { "calls" }
}
