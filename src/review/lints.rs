//! Lint rules that a change newly violates. What was wrong before the change is no business of its review.

use super::change::{Change, Touch, Words};
use super::finding::Lint;
use super::pairs::Pair;
use super::rules::{Directions, Effect, RuleId, Severity};
use super::tools::of_tool;
use crate::definition::{Catalog, Definition};
use crate::json::Value;
use crate::lint::{self, Finding};
use std::collections::{HashMap, HashSet};

/// Rules that only show over all tools of a request.
const REQUEST: [&str; 5] =
    ["tool-count", "tool-name-duplicate", "strict-optional-count", "strict-union-count", "strict-tool-count"];
/// Rules that are a provider's limit in numbers.
const LIMITS: [&str; 10] = [
    "tool-count",
    "tool-name-length",
    "strict-optional-count",
    "strict-union-count",
    "strict-tool-count",
    "strict-depth",
    "strict-properties",
    "strict-chars",
    "enum-too-large",
    "schema-too-deep",
];

/// What a change newly violates: of each tool (by its place among the pairs), and of the list of tools.
pub(crate) struct Newly {
    pub tools: Vec<(usize, Change)>,
    pub list: Vec<Change>,
}

/// Lints both sides. `renames` are the pointers of parameters that go by another name now, by tool.
pub(crate) fn newly(
    (before, after): (&Catalog, &Catalog),
    pairs: &[(usize, &Pair)],
    renames: &HashMap<usize, Vec<(String, String)>>,
    options: &lint::Options,
) -> Newly {
    let mut found = Newly { tools: Vec::new(), list: Vec::new() };
    let sides = [(before, true), (after, false)].map(|(catalog, is_before)| {
        let wanted: HashSet<*const Definition> = pairs
            .iter()
            .filter_map(|(_, pair)| if is_before { pair.before.as_ref() } else { pair.after.as_ref() })
            .map(std::sync::Arc::as_ptr)
            .collect();
        by_definition(&catalog.filtered(|definition| wanted.contains(&std::ptr::from_ref(definition))), options)
    });
    let [old, new] = sides;
    let none = Vec::new();
    for (at, pair) in pairs {
        let of = |side: &HashMap<*const Definition, Vec<Finding>>, definition: &Option<std::sync::Arc<Definition>>| {
            definition.as_ref().and_then(|d| side.get(&std::sync::Arc::as_ptr(d))).cloned().unwrap_or_default()
        };
        let moved = renames.get(at).unwrap_or(&none);
        let known: HashSet<(&str, String, Severity)> =
            of(&old, &pair.before).iter().map(|f| (f.rule.id, follow(&f.pointer, moved), f.severity)).collect();
        for finding in of(&new, &pair.after) {
            if !known.contains(&(finding.rule.id, finding.pointer.clone(), finding.severity)) {
                found.tools.extend(changes(&finding).into_iter().map(|change| (*at, change)));
            }
        }
    }
    let whole = lint::Options {
        select: REQUEST.iter().filter(|rule| takes(options, rule)).map(|rule| (*rule).to_owned()).collect(),
        ..options.clone()
    };
    if !whole.select.is_empty() {
        let (old, new) = (lint::lint(before, &whole), lint::lint(after, &whole));
        // Where a limit is crossed moves with the order of the tools: that it is crossed is what is new.
        let same = |a: &Finding, b: &Finding| {
            a.rule.id == b.rule.id && (LIMITS.contains(&a.rule.id) || a.fingerprint == b.fingerprint) && a.severity == b.severity
        };
        for (tool, finding) in new.findings() {
            if !old.findings().any(|(_, known)| same(known, finding)) {
                for mut change in changes(finding) {
                    change.words.after = format!("{} (at `{}`)", change.words.after, tool.name);
                    found.list.push(change);
                }
            }
        }
    }
    found
}

fn takes(options: &lint::Options, rule: &str) -> bool {
    (options.select.is_empty() || options.select.contains(rule)) && !options.ignore.contains(rule)
}

/// The findings of single tools.
fn by_definition(catalog: &Catalog, options: &lint::Options) -> HashMap<*const Definition, Vec<Finding>> {
    let mut single = options.clone();
    single.ignore.extend(REQUEST.iter().map(|rule| (*rule).to_owned()));
    let report = lint::lint(catalog, &single);
    let definitions = catalog.definitions().iter().map(std::sync::Arc::as_ptr);
    definitions.zip(report.tools.into_iter().map(|tool| tool.findings)).collect()
}

/// A pointer as it is after renaming.
fn follow(pointer: &str, renames: &[(String, String)]) -> String {
    for (from, to) in renames {
        if let Some(rest) = pointer.strip_prefix(from.as_str())
            && (rest.is_empty() || rest.starts_with('/'))
        {
            return format!("{to}{rest}");
        }
    }
    pointer.to_owned()
}

/// A violated rule as a change, and where it is a provider's limit as that too.
fn changes(finding: &Finding) -> Vec<Change> {
    let severity = finding.severity;
    let targets = finding.targets.names();
    let id = finding.rule.id;
    let known_by = Value::from([
        ("lint", id.into()),
        ("finding", finding.fingerprint.as_str().into()),
        ("severity", severity.name().into()),
    ]);
    let refused = severity == Severity::Error;
    let effect = if refused { Effect::Rejected } else { Effect::Differs };
    let change = |rule: RuleId, words: Words| Change {
        pointer: finding.pointer.clone(),
        touch: Touch::Text,
        words,
        severity: Some(severity),
        directions: Some(Directions { new: effect, recorded: Effect::None, stale: Effect::None }),
        lint: Some(Lint { rule: id, targets: targets.clone() }),
        ..of_tool(rule, None, Some(known_by.clone()))
    };
    let words = Words { keyword: id.to_owned(), before: targets.join(", "), after: finding.message.clone(), ..Words::default() };
    let mut found = vec![change(RuleId::LintNewlyViolated, words)];
    if LIMITS.contains(&id) && refused {
        let words = Words {
            keyword: format!("a limit of {}", targets.join(", ")),
            before: "kept".to_owned(),
            after: finding.message.clone(),
            ..Words::default()
        };
        found.push(change(RuleId::ProviderLimitCrossed, words));
    }
    found
}
