//! Arrays: their elements, positions, and what they must contain; and the two keywords of strings, which are no larger.

use super::{Comparer, Descent, Found, Node};
use crate::json::{Object, Value};
use crate::review::change::{Touch, Words, short};
use crate::review::kinds::Kinds;
use crate::review::places::Hop;
use crate::review::prove;
use crate::review::rules::RuleId;
use crate::review::semantics::Semantics;
use crate::review::side::{Side, join};

/// What elements must be.
const ELEMENT: &[&str] = &["items", "type", "enum", "additionalItems", "unevaluatedItems"];

/// The schema that each element, or each after the listed positions, must fit.
fn items<'a>(side: &Side<'a>) -> Option<(&'static str, &'a Value)> {
    let named = |keyword: &'static str| side.get(keyword).map(|value| (keyword, value));
    let found = match side.get("items") {
        Some(Value::Array(_)) => named("additionalItems"),
        _ => named("items"),
    };
    found.filter(|(_, schema)| !is_anything(schema))
}

/// The schemas of single positions, and the keyword that lists them.
fn positions<'a>(side: &Side<'a>) -> (&'static str, &'a [Value]) {
    match (side.array("prefixItems"), side.array("items")) {
        (Some(list), _) => ("prefixItems", list),
        (None, Some(list)) => ("items", list),
        (None, None) => ("prefixItems", &[]),
    }
}

fn is_anything(schema: &Value) -> bool {
    match schema {
        Value::Bool(anything) => *anything,
        Value::Object(object) => object.is_empty(),
        _ => true,
    }
}

/// What a schema wants, in a word or two.
pub(crate) fn gist(schema: &Value) -> String {
    if let Some(kinds) = Kinds::of_branch(schema) {
        return kinds.words();
    }
    let named = ["$ref", "title"].iter().find_map(|key| schema.get(key)?.as_string());
    named.map_or_else(|| short(schema), ToString::to_string)
}

impl<'a> Comparer<'a> {
    /// Compares what a place says of arrays.
    pub(super) fn arrays(&mut self, node: &Node<'_, 'a>) {
        let takes = |side: &Side<'_>| Kinds::of(side).is_none_or(|kinds| kinds.meets(Kinds::ARRAY));
        if !takes(node.before) || !takes(node.after) {
            return;
        }
        self.items(node);
        self.positions(node);
        let unique = |side: &Side<'_>| side.get("uniqueItems").is_some_and(Value::is_true);
        let rule = match (unique(node.before), unique(node.after)) {
            (false, true) => Some(RuleId::ArrayUniqueAdded),
            (true, false) => Some(RuleId::ArrayUniqueRemoved),
            _ => None,
        };
        if let Some(rule) = rule {
            let probes = [Value::from(1), Value::from("a")].map(|v| Value::Array(vec![v.clone(), v])).to_vec();
            let found = Found { probes, ..Found::of_keyword(rule, node, "uniqueItems") };
            self.report(node, found.touch(Touch::Value(&["uniqueItems"])));
        }
        for keyword in ["contains", "minContains", "maxContains"] {
            if node.before.get(keyword) != node.after.get(keyword) {
                let found = Found::of_keyword(RuleId::ArrayContainsChanged, node, keyword);
                let probes = vec![Value::Array(Vec::new())];
                self.report(node, Found { probes, ..found }.touch(Touch::Value(&["contains", "minContains", "maxContains"])));
            }
        }
    }

    fn items(&mut self, node: &Node<'_, 'a>) {
        match (items(node.before), items(node.after)) {
            (None, Some((keyword, schema))) => {
                let words = Words { after: gist(schema), ..Words::default() };
                let elements = super::types::samples(Kinds::ANY).into_iter();
                let probes = elements.map(|element| Value::Array(vec![element])).collect();
                let found = Found { words, probes, ..Found::of_keyword(RuleId::ItemsAdded, node, keyword) };
                self.report(node, found.touch(Touch::Value(ELEMENT)));
            }
            (Some((keyword, _)), None) => {
                self.report(node, Found::of_keyword(RuleId::ItemsRemoved, node, keyword).touch(Touch::Value(ELEMENT)));
            }
            (Some((from, before)), Some((to, after))) => {
                let (before_at, after_at) = (node.before.pointer_of(from), node.after.pointer_of(to));
                self.descend(
                    node,
                    Hop::AnyIndex,
                    Descent { keyword: "items", before, after, before_at, after_at, near_union: 0 },
                );
            }
            (None, None) => {}
        }
    }

    fn positions(&mut self, node: &Node<'_, 'a>) {
        let ((from, before), (to, after)) = (positions(node.before), positions(node.after));
        for index in 0..before.len().max(after.len()) {
            let at = |side: &Side<'_>, keyword| join(&side.pointer_of(keyword), &index.to_string());
            match (before.get(index), after.get(index)) {
                (Some(a), Some(b)) if prove::covers(self.semantics, (self.after, b), (self.before, a)) => {
                    let (before_at, after_at) = (at(node.before, from), at(node.after, to));
                    let step = Descent { keyword: "prefixItems", before: a, after: b, before_at, after_at, near_union: 0 };
                    self.descend(node, Hop::Index(index), step);
                }
                (a, b) => {
                    let words = Words {
                        keyword: index.to_string(),
                        before: a.map_or_else(|| "not described".to_owned(), gist),
                        after: b.map_or_else(|| "not described".to_owned(), gist),
                        ..Words::default()
                    };
                    let pointer = if b.is_some() { at(node.after, to) } else { at(node.before, from) };
                    let found = Found {
                        words,
                        before: a.cloned(),
                        after: b.cloned(),
                        ..Found::new(RuleId::ArrayTupleChanged, pointer, "prefixItems")
                    };
                    self.report(node, found.touch(Touch::Within(index.to_string())));
                }
            }
        }
    }

    /// Compares the pattern and the format of strings.
    pub(super) fn strings(&mut self, node: &Node<'_, 'a>) {
        let change =
            |keyword: &str, [added, changed, removed]: [RuleId; 3]| match (node.before.get(keyword), node.after.get(keyword)) {
                (None, Some(_)) => Some(added),
                (Some(_), None) => Some(removed),
                (Some(a), Some(b)) if a != b => Some(changed),
                _ => None,
            };
        let rules = [RuleId::ParamPatternAdded, RuleId::ParamPatternChanged, RuleId::ParamPatternRemoved];
        if let Some(rule) = change("pattern", rules) {
            let probes = ["", "a", "A", "0", " ", "a b", "a/b", "a.b", "-"].map(Value::from).to_vec();
            let found = Found { probes, ..Found::of_keyword(rule, node, "pattern") };
            self.report(node, found.touch(Touch::Value(&["pattern"])));
        }
        let rules = [RuleId::ParamFormatAdded, RuleId::ParamFormatChanged, RuleId::ParamFormatRemoved];
        if let Some(rule) = change("format", rules) {
            let mut found = Found::of_keyword(rule, node, "format");
            let asserted = self.semantics == (Semantics::JsonSchema { formats: true });
            found.words.keyword = String::from(if asserted { "yes" } else { "no" });
            found.probes = vec![Value::from("a")];
            // The sentence says whether it is asserted: there is no other effect that could be missing.
            self.report(node, Found { keyword: "", ..found }.touch(Touch::Value(&["format"])));
        }
    }
}

/// The entries of a keyword that holds schemas by name.
pub(super) fn entries(object: Option<&Object>) -> Vec<(String, &Value)> {
    object.map(|o| o.entries().iter().map(|(key, value)| (key.to_string(), value)).collect()).unwrap_or_default()
}
