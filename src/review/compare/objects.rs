//! Objects: undeclared keys, keys by pattern, names of keys, and what keys require of each other.

use super::arrays::{entries, gist};
use super::{Comparer, Descent, Found, Node};
use crate::json::Value;
use crate::review::change::{Touch, Words};
use crate::review::kinds::Kinds;
use crate::review::places::Hop;
use crate::review::rules::{Directions, Effect, RuleId, Severity};
use crate::review::semantics::{Extra, Semantics};
use crate::review::side::{Root, Side, join};

impl<'a> Comparer<'a> {
    /// Compares what a place says of objects.
    pub(super) fn objects(&mut self, node: &Node<'_, 'a>) {
        let takes = |side: &Side<'_>| Kinds::of(side).is_none_or(|kinds| kinds.meets(Kinds::OBJECT));
        if !takes(node.before) || !takes(node.after) {
            return;
        }
        self.parameters(node);
        self.extra(node);
        self.patterns(node);
        self.dependencies(node);
        if let (before, Some(after)) = (node.before.get("propertyNames"), node.after.get("propertyNames"))
            && before != Some(after)
        {
            let mut found = Found::of_keyword(RuleId::ObjectKeyNamesAdded, node, "propertyNames");
            found.words.after = after.get("pattern").map_or_else(|| gist(after), crate::review::change::short);
            self.report(node, found.touch(Touch::AnyKey));
        }
    }

    /// Undeclared keys: whether an object is open decides what adding or removing a parameter means.
    fn extra(&mut self, node: &Node<'_, 'a>) {
        let (before, after) = (self.semantics.extra(node.before), self.semantics.extra(node.after));
        let pointer = node.after.pointer.clone();
        let raw = |side: &Side<'a>| side.get("additionalProperties").cloned();
        let words = |before: String, after: String| Words { before, after, ..Words::default() };
        let found = |rule: RuleId, touch: Touch, words: Words| {
            let (before, after) = (raw(node.before), raw(node.after));
            let probes = vec![[("other", Value::from(true))].into()];
            Found { words, before, after, probes, ..Found::new(rule, pointer.clone(), "additionalProperties") }.touch(touch)
        };
        match (before, after) {
            (Extra::Open | Extra::Checked(_), Extra::Closed) => {
                self.report(node, found(RuleId::ObjectClosed, Touch::AnyKey, Words::default()));
            }
            (Extra::Closed, Extra::Open | Extra::Checked(_)) => {
                self.report(node, found(RuleId::ObjectOpened, Touch::Text, Words::default()));
            }
            (Extra::Open, Extra::Checked(schema)) => {
                self.report(node, found(RuleId::ObjectExtraTyped, Touch::AnyKey, words(String::new(), gist(schema))));
            }
            (Extra::Checked(schema), Extra::Open) => {
                let words = words(gist(schema), "anything".to_owned());
                self.report(node, found(RuleId::ObjectExtraRetyped, Touch::AnyKey, words));
            }
            (Extra::Checked(a), Extra::Checked(b)) => self.retyped(node, a, b),
            (Extra::Closed, Extra::Closed) | (Extra::Open, Extra::Open) => self.respelled(node),
        }
    }

    fn retyped(&mut self, node: &Node<'_, 'a>, a: &'a Value, b: &'a Value) {
        let kinds = |root: Root<'a>, value: &'a Value| Kinds::of(&Side::new(root, value, "", true));
        if kinds(self.before, a) == kinds(self.after, b) {
            let (before_at, after_at) =
                (node.before.pointer_of("additionalProperties"), node.after.pointer_of("additionalProperties"));
            let keyword = "additionalProperties";
            let step = Descent { keyword, before: a, after: b, before_at, after_at, near_union: 0 };
            self.descend(node, Hop::AnyKey, step);
            return;
        }
        let words = Words { before: gist(a), after: gist(b), ..Words::default() };
        let pointer = node.after.pointer.clone();
        let found = Found { pointer, words, ..Found::of_keyword(RuleId::ObjectExtraRetyped, node, "additionalProperties") };
        self.report(node, found.touch(Touch::AnyKey));
    }

    /// Under the wave gate an object that says nothing of undeclared keys is as closed as one that forbids them: saying so
    /// changes nothing here, and everything for a validator.
    fn respelled(&mut self, node: &Node<'_, 'a>) {
        let closes = |side: &Side<'a>| side.get("additionalProperties").map(|v| matches!(v, Value::Bool(false)));
        if self.semantics != Semantics::Wave || !matches!(self.semantics.extra(node.after), Extra::Closed) {
            return;
        }
        let rule = match (closes(node.before), closes(node.after)) {
            (None, Some(true)) => RuleId::ObjectClosed,
            (Some(true), None) => RuleId::ObjectOpened,
            _ => return,
        };
        let same = Directions { new: Effect::None, recorded: Effect::None, stale: Effect::None };
        let pointer = node.after.pointer.clone();
        let hint = Some("This gate rejects them either way; validators of JSON Schema do not.".to_owned());
        let found = Found { pointer, hint, ..Found::of_keyword(rule, node, "additionalProperties") };
        self.report(node, Found { severity: Some(Severity::Note), directions: Some(same), ..found });
    }

    fn patterns(&mut self, node: &Node<'_, 'a>) {
        let (before, after) = (entries(node.before.object("patternProperties")), entries(node.after.object("patternProperties")));
        let at = |side: &Side<'_>, key: &str| join(&side.pointer_of("patternProperties"), key);
        for (pattern, schema) in &before {
            if let Some((_, new)) = after.iter().find(|(p, _)| p == pattern) {
                let (before_at, after_at) = (at(node.before, pattern), at(node.after, pattern));
                let keyword = "patternProperties";
                let step = Descent { keyword, before: schema, after: new, before_at, after_at, near_union: 0 };
                self.descend(node, Hop::AnyKey, step);
            } else {
                self.pattern(node, RuleId::ObjectPatternRemoved, pattern, schema, at(node.before, pattern));
            }
        }
        for (pattern, schema) in after.iter().filter(|(p, _)| !before.iter().any(|(q, _)| q == p)) {
            self.pattern(node, RuleId::ObjectPatternAdded, pattern, schema, at(node.after, pattern));
        }
    }

    fn pattern(&mut self, node: &Node<'_, 'a>, rule: RuleId, pattern: &str, schema: &Value, pointer: String) {
        let words = Words { keyword: format!("`{pattern}`"), after: gist(schema), ..Words::default() };
        let (before, after) = match rule {
            RuleId::ObjectPatternAdded => (None, Some(schema.clone())),
            _ => (Some(schema.clone()), None),
        };
        let found = Found { words, before, after, ..Found::new(rule, pointer, "patternProperties") };
        self.report(node, found.touch(Touch::AnyKey));
    }

    /// Keys that one key requires (`dependentRequired`, and the older `dependencies` that list names).
    fn dependencies(&mut self, node: &Node<'_, 'a>) {
        let (before, after) = (dependencies(node.before), dependencies(node.after));
        let words = |key: &str, names: &[String]| Words {
            subject: subject_of(&self.path_of(node, key)),
            before: names.join(", "),
            after: names.join(", "),
            ..Words::default()
        };
        let mut found = Vec::new();
        let missing = |list: &[Dependency], other: &Dependency| -> Vec<String> {
            let known = list.iter().find(|d| d.key == other.key);
            other.names.iter().filter(|n| !known.is_some_and(|d| d.names.contains(n))).cloned().collect()
        };
        for (rule, list, other) in
            [(RuleId::ObjectDependencyAdded, &after, &before), (RuleId::ObjectDependencyRemoved, &before, &after)]
        {
            for dependency in list {
                let names = missing(other, dependency);
                if !names.is_empty() {
                    let values = Some(Value::Array(names.iter().map(|n| n.as_str().into()).collect()));
                    let (before, after) = if rule == RuleId::ObjectDependencyAdded { (None, values) } else { (values, None) };
                    let pointer = dependency.pointer.clone();
                    let words = words(&dependency.key, &names);
                    let touch = Touch::Value(&["dependentRequired", "dependencies"]);
                    found.push(Found { words, before, after, ..Found::new(rule, pointer, "dependentRequired") }.touch(touch));
                }
            }
        }
        for found in found {
            self.report(node, found);
        }
    }
}

fn subject_of(path: &str) -> String {
    crate::review::change::subject(path)
}

struct Dependency {
    key: String,
    names: Vec<String>,
    pointer: String,
}

fn dependencies(side: &Side<'_>) -> Vec<Dependency> {
    let mut found = Vec::new();
    for keyword in ["dependentRequired", "dependencies"] {
        for (key, value) in entries(side.object(keyword)) {
            if let Some(names) = value.as_array() {
                let names = names.iter().filter_map(|n| Some(n.as_string()?.to_string())).collect();
                found.push(Dependency { pointer: join(&side.pointer_of(keyword), &key), key, names });
            }
        }
    }
    found
}
