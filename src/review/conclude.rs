//! The end of a review: changes and what the calls say of them, weighed and put into words.

use super::alike;
use super::change::{Change, Touch, Words, subject};
use super::evidence::causes;
use super::example::{Trial, smallest};
use super::finding::{Evidence, Finding, Proof, ToolChange, ToolReview};
use super::reviewer::{Review, Reviewer};
use super::rules::{RuleId, Turn};
use super::settle::{Circumstances, settle};
use super::side::Root;
use super::subject::Subject;
use super::{pairs, prove, tools};
use crate::definition::Definition;
use crate::gate::Issue;
use crate::json::Value;
use crate::lint::fingerprint;
use std::sync::Arc;

/// Findings of one tool for which an example is looked for.
const MAX_EXAMPLES: usize = 64;

impl Reviewer {
    /// Weighs everything and gives the review.
    #[must_use]
    pub fn finish(self) -> Review {
        let mut reviews: Vec<ToolReview> = Vec::new();
        let has_calls = self.counts.total > 0;
        for subject in &self.tools {
            let review = self.review_of(subject, has_calls);
            if !review.findings.is_empty() {
                reviews.push(review);
            }
        }
        // The worst first; what is equal stays in the order of the catalog.
        reviews.sort_by_key(|tool| std::cmp::Reverse(tool.findings.iter().map(|f| f.severity).max()));
        Review { tools: reviews, calls: self.calls, counts: self.counts }
    }

    fn review_of(&self, subject: &Subject, has_calls: bool) -> ToolReview {
        let pair = &subject.pair;
        let proof = self.proof(subject);
        // Places are numbered as they were when the changes were found: a comparison is a function of its schemas.
        let schemas = subject.schemas(self.semantics);
        let mut findings = Vec::new();
        for (i, change) in subject.changes.iter().enumerate() {
            let mut evidence = subject.evidence[i].clone();
            evidence.calls = subject.calls;
            let mut found = self.finding(subject, change, evidence, has_calls);
            if let Some(finding) = found.as_mut().filter(|_| i < MAX_EXAMPLES) {
                finding.example = self.example(subject, change, &schemas, subject.recorded[i].as_ref());
            }
            findings.extend(found);
        }
        findings.extend(self.about_the_whole(subject, proof, &findings, has_calls));
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        let change = match (&pair.before, &pair.after) {
            (None, None) => ToolChange::List,
            (None, Some(_)) => ToolChange::Added,
            (Some(_), None) => ToolChange::Removed,
            _ if pair.renamed.is_some() => ToolChange::Renamed,
            _ => ToolChange::Changed,
        };
        let renamed_from = pair.renamed.as_ref().map(|renamed| renamed.from.clone());
        ToolReview { name: pair.name().to_owned(), renamed_from, change, proof, findings }
    }

    /// What is to be said where no rule says it: that nothing changed, or that more did.
    fn about_the_whole(&self, subject: &Subject, proof: Proof, findings: &[Finding], has_calls: bool) -> Option<Finding> {
        let (before, after) = (subject.pair.before.as_ref()?, subject.pair.after.as_ref()?);
        let mut evidence = subject.unexplained.clone();
        evidence.calls = subject.calls;
        if evidence.failing > 0 {
            let why = "recorded calls fail that no single change explains";
            return self.whole(subject, RuleId::SchemaUndecided, why, evidence, has_calls);
        }
        if subject.cut {
            let why = "the definitions are larger than can be compared piece by piece";
            return self.whole(subject, RuleId::SchemaUndecided, why, evidence, has_calls);
        }
        let respelled = alike::bare(pairs::parameters(before)) != alike::bare(pairs::parameters(after));
        let silent = findings.iter().all(|finding| finding.rule.rule().turn == Turn::Text);
        if !respelled || !silent {
            return None;
        }
        match proof {
            Proof::Same => self.whole(subject, RuleId::SchemaEquivalent, "", evidence, has_calls),
            _ => self.whole(subject, RuleId::SchemaUndecided, "keywords that they do not compare", evidence, has_calls),
        }
    }

    fn whole(&self, subject: &Subject, rule: RuleId, why: &str, evidence: Evidence, has_calls: bool) -> Option<Finding> {
        let parameters = |d: &Option<Arc<Definition>>| d.as_ref().and_then(|d| d.parameters().cloned());
        let (before, after) = (parameters(&subject.pair.before), parameters(&subject.pair.after));
        let words = Words { subject: subject_of_tool(), keyword: why.to_owned(), ..Words::default() };
        let change = Change { words, ..tools::of_tool(rule, before, after) };
        self.finding(subject, &change, evidence, has_calls)
    }

    /// What can be proved of the calls that a tool accepts.
    fn proof(&self, subject: &Subject) -> Proof {
        let (Some(before), Some(after)) = (&subject.pair.before, &subject.pair.after) else { return Proof::Unknown };
        let broken = subject.changes.iter().any(|c| matches!(c.rule, RuleId::SchemaInvalidAfter | RuleId::SchemaInvalidBefore));
        let fails = subject.unexplained.failing > 0 || subject.evidence.iter().any(|evidence| evidence.failing > 0);
        if broken || fails || subject.pair.renamed.is_some() {
            return Proof::Unknown;
        }
        let (before, after) = (pairs::parameters(before), pairs::parameters(after));
        let (old, new) = ((Root(before), before), (Root(after), after));
        let kept = prove::covers_declared(self.semantics, new, old);
        match (kept, prove::covers(self.semantics, new, old) && prove::covers(self.semantics, old, new)) {
            (_, true) => Proof::Same,
            (true, _) => Proof::Kept,
            _ => Proof::Unknown,
        }
    }

    fn finding(&self, subject: &Subject, change: &Change, evidence: Evidence, has_calls: bool) -> Option<Finding> {
        let known = Circumstances {
            semantics: self.semantics,
            evidence: &evidence,
            has_calls,
            profile: self.options.profile.name(),
            server_fills_defaults: self.options.server_fills_defaults,
        };
        let settled = settle(change, &known);
        let severity = self.options.levels.get(settled.rule.id()).copied().unwrap_or(Some(settled.severity))?;
        let tool = subject.pair.name();
        let sentence = Change { rule: settled.rule, ..change.clone() }.message(tool);
        let message = sentence_with(&sentence, &settled.clauses, change.hint.as_deref());
        let (file, line) = subject.place_of(change);
        Some(Finding {
            rule: settled.rule,
            severity,
            default_severity: settled.default_severity,
            pointer: change.pointer.clone(),
            file,
            line,
            before: change.before.clone(),
            after: change.after.clone(),
            change: sentence,
            message,
            directions: settled.directions,
            enforced: change.enforced,
            evidence,
            example: None,
            renamed: change.renamed.clone(),
            lint: change.lint.clone(),
            // The rule as compared, not as the calls make it: new captures must not orphan what was accepted.
            fingerprint: print_of(change, tool),
            accepted: None,
        })
    }

    fn example(
        &self,
        subject: &Subject,
        change: &Change,
        schemas: &[(&Value, &Value)],
        recorded: Option<&Value>,
    ) -> Option<Value> {
        let narrows = matches!(change.rule.rule().turn, Turn::Narrows | Turn::Unclear);
        let (before, after) = (subject.pair.before.as_ref()?, subject.pair.after.as_ref()?);
        // A key that nothing declared may hold anything: worth an example only if a call does.
        let unheard = change.rule == RuleId::ParamAddedOptional && recorded.is_none();
        if unheard || !narrows || !change.enforced || change.touch == Touch::Tool || subject.pair.renamed.is_some() {
            return None;
        }
        let is_cause = |issue: &Issue| {
            causes(&subject.changes, &subject.places, issue).iter().any(|i| std::ptr::eq(&raw const subject.changes[*i], change))
        };
        let trial = Trial { before: (&self.before, before.name()), after: (&self.after, after.name()), is_cause: &is_cause };
        smallest(change, &subject.places, schemas, &trial, recorded)
    }
}

/// What a change is known by from run to run: the rule, the tool, the place, and what stood and stands there; no prose, so
/// that better wording in a later version does not orphan what was accepted by an earlier one.
fn print_of(change: &Change, tool: &str) -> String {
    let text = |value: &Option<Value>| value.as_ref().map(Value::to_canonical).unwrap_or_default();
    fingerprint(&[change.rule.id(), tool, &change.pointer, &text(&change.before), &text(&change.after)])
}

fn subject_of_tool() -> String {
    subject("")
}

/// A sentence with its clauses, and one more sentence after it.
fn sentence_with(sentence: &str, clauses: &[String], hint: Option<&str>) -> String {
    let mut out = sentence.to_owned();
    for clause in clauses {
        out.push_str("; ");
        out.push_str(clause);
    }
    if let Some(hint) = hint {
        out.push_str(". ");
        out.push_str(hint);
    }
    out
}
