//! Takes what the checks report, and keeps what was asked for.

use super::fingerprint::fingerprint;
use super::rule::{Rule, Severity};
use super::target::{Target, Targets};
use super::tool::Tool;
use super::{Finding, Options};
use crate::gate::Profile;
use crate::json::Value;
use std::collections::BTreeMap;

/// Rules whose errors are reasons for a validator to refuse a schema.
const REFUSED_FOR: [&str; 12] = [
    "ref-unresolved",
    "ref-external",
    "items-array-form",
    "type-unknown",
    "required-not-array",
    "required-duplicate",
    "exclusive-boolean",
    "pattern-invalid",
    "schema-too-deep",
    "root-not-object",
    "schema-id-invalid",
    "schema-dialect-unknown",
];

/// Where the findings of one tool go.
pub(super) struct Sink<'a> {
    options: &'a Options,
    /// Those that this tool is checked for.
    selected: Targets,
    tool: &'a Tool<'a>,
    lines: &'a super::lines::Lines,
    findings: Vec<Finding>,
    /// Something was reported that is a reason for a validator to refuse the schema, whether or not it was asked for.
    refusal_is_explained: bool,
}

impl<'a> Sink<'a> {
    pub fn new(options: &'a Options, tool: &'a Tool<'a>, lines: &'a super::lines::Lines) -> Self {
        let selected = options.targets.unwrap_or_else(|| Targets::of_form(tool.definition));
        Self { options, selected, tool, lines, findings: Vec::new(), refusal_is_explained: false }
    }

    pub fn profile(&self) -> Profile {
        self.options.profile
    }

    pub fn name_prefix(&self) -> &str {
        &self.options.name_prefix
    }

    pub fn wants(&self, target: Target) -> bool {
        self.wants_any(Targets::of(&[target]))
    }

    /// Whether the tool is checked for any of these. Strict rules hold for tools that ask for strict decoding.
    pub fn wants_any(&self, targets: Targets) -> bool {
        !self.applicable(targets).is_empty()
    }

    fn applicable(&self, targets: Targets) -> Targets {
        let strict = self.tool.strict || self.options.assume_strict;
        // What matters to everybody needs no such care, and stays everybody's.
        let is_special = targets != Targets::ALL && !strict;
        targets.and(self.selected).without(if is_special { super::rule::sets::STRICT } else { Targets::NONE })
    }

    /// Reports a finding for all that its rule names.
    pub fn report(&mut self, rule: &'static Rule, pointer: String, offender: Option<&Value>, message: String) {
        self.keep(rule, rule.targets(), None, pointer, offender, message);
    }

    /// Reports a finding for some of those that its rule names.
    pub fn report_for(
        &mut self,
        rule: &'static Rule,
        targets: Targets,
        pointer: String,
        offender: Option<&Value>,
        message: String,
    ) {
        self.keep(rule, targets, None, pointer, offender, message);
    }

    /// Reports a finding that is of another severity than its rule says.
    pub fn report_as(
        &mut self,
        rule: &'static Rule,
        targets: Targets,
        severity: Severity,
        pointer: String,
        offender: Option<&Value>,
        message: String,
    ) {
        self.keep(rule, targets, Some(severity), pointer, offender, message);
    }

    fn keep(
        &mut self,
        rule: &'static Rule,
        targets: Targets,
        severity: Option<Severity>,
        pointer: String,
        offender: Option<&Value>,
        message: String,
    ) {
        let mut by_severity: BTreeMap<Severity, Targets> = BTreeMap::new();
        for target in self.applicable(targets).iter() {
            let Some(severity) = severity.or_else(|| rule.severity(target, self.tool.form)) else { continue };
            let set = by_severity.entry(severity).or_default();
            *set = set.or(Targets::of(&[target]));
        }
        self.refusal_is_explained |= by_severity.contains_key(&Severity::Error) && REFUSED_FOR.contains(&rule.id);
        if by_severity.is_empty() || !self.options.takes(rule.id) {
            return;
        }
        let value = offender.filter(|value| is_small(value)).map(Value::to_canonical).unwrap_or_default();
        let found = Finding {
            rule,
            severity: Severity::Note,
            targets,
            file: self.tool.definition.path().to_owned(),
            line: self.lines.line(self.tool.definition, &pointer),
            fingerprint: fingerprint(&[rule.id, self.tool.definition.name(), &pointer, &value]),
            pointer,
            message,
        };
        for (severity, targets) in by_severity.into_iter().rev() {
            if let Some(severity) = self.options.level(rule.id, severity) {
                self.findings.push(Finding { severity, targets, ..found.clone() });
            }
        }
    }

    /// Whether something was reported that is a reason for a validator to refuse the schema.
    pub fn explains_refusal(&self) -> bool {
        self.refusal_is_explained
    }

    /// The findings in the order of their places in the file, the worst first at each.
    pub fn finish(mut self) -> Vec<Finding> {
        self.findings.sort_by(|a, b| {
            (a.line, &a.pointer, std::cmp::Reverse(a.severity), a.rule.id).cmp(&(
                b.line,
                &b.pointer,
                std::cmp::Reverse(b.severity),
                b.rule.id,
            ))
        });
        self.findings
    }
}

/// Whether a value is of a size that values of definitions have. What is larger is told apart by its place alone, so that
/// many findings about a huge value do not each go through all of it.
fn is_small(value: &Value) -> bool {
    const MOST: usize = 2_000;
    let (mut work, mut count) = (vec![value], 0);
    while let Some(value) = work.pop() {
        count += 1;
        match value {
            Value::Array(items) => work.extend(items),
            Value::Object(object) => work.extend(object.entries().iter().map(|(_, value)| value)),
            _ => {}
        }
        if count + work.len() > MOST {
            return false;
        }
    }
    true
}
