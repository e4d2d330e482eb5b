//! Which types a place takes, null among them.

use super::{Comparer, Found, Node};
use crate::json::Value;
use crate::review::change::{Touch, Words};
use crate::review::kinds::Kinds;
use crate::review::rules::RuleId;
use crate::review::semantics::Semantics;
use crate::review::side::{NullBy, Side};

/// The keywords by which a value of the wrong type is rejected.
const TYPE: &[&str] = &["type", "enum", "const", "anyOf", "oneOf", "$ref"];

impl Comparer<'_> {
    /// Compares types; false where no old value fits any more, so that nothing below is worth saying.
    pub(super) fn types(&mut self, node: &Node<'_, '_>) -> bool {
        self.null(node);
        let before = Kinds::of(node.before).map(|kinds| kinds.without(Kinds::NULL));
        let after = Kinds::of(node.after).map(|kinds| kinds.without(Kinds::NULL));
        // Of a place that took or takes null alone, null is the type.
        let (before, after) = match (before, after) {
            (Some(a), Some(b)) if a.is_none() != b.is_none() => (Kinds::of(node.before), Kinds::of(node.after)),
            both => both,
        };
        let rule = match (before, after) {
            (Some(a), Some(b)) if a == b => return true,
            (Some(a), Some(b)) if b.holds(a) => RuleId::ParamTypeWidened,
            (Some(a), Some(b)) if !a.meets(b) => RuleId::ParamTypeChanged,
            (Some(_), Some(_)) => RuleId::ParamTypeNarrowed,
            (None, Some(b)) if b == Kinds::ANY.without(Kinds::NULL) => return true,
            // A union that came in place of nothing is reported as one.
            (None, Some(_)) if node.after.get("type").is_none() => return true,
            (None, Some(_)) => RuleId::ParamTypeAdded,
            (Some(_), None) if node.before.get("type").is_none() => return true,
            (Some(_), None) => RuleId::ParamTypeRemoved,
            (None, None) => return true,
        };
        let hint = (before == Some(Kinds::STRING) && after == Some(Kinds::ARRAY))
            .then(|| "A single string is now a list with one element.".to_owned());
        let words = Words { before: words_of(before), after: words_of(after), ..Words::default() };
        let probes = before.map(samples).unwrap_or_default();
        self.report(node, Found { words, hint, probes, ..type_change(rule, node) }.touch(Touch::Value(TYPE)));
        rule != RuleId::ParamTypeChanged
    }

    fn null(&mut self, node: &Node<'_, '_>) {
        let (before, after) = (node.before.null(), node.after.null());
        // Where there is no type at all, null was and stays right without being named.
        let typed = |side: &Side<'_>| Kinds::of(side).is_some_and(|kinds| kinds != Kinds::NULL);
        let (rule, by) = match (&before, &after) {
            (None, Some(by)) if typed(node.before) && typed(node.after) => (RuleId::ParamNullableAdded, by),
            (Some(by), None) if typed(node.before) && typed(node.after) => (RuleId::ParamNullableRemoved, by),
            (Some(a), Some(b)) if a != b => (RuleId::ParamNullableRespelled, b),
            _ => return,
        };
        let keyword = keyword_of(by);
        let words = Words {
            before: before.as_ref().map_or("none", NullBy::words).to_owned(),
            after: after.as_ref().map_or("none", NullBy::words).to_owned(),
            ..Words::default()
        };
        let unread = *by == NullBy::Keyword && self.semantics != Semantics::Wave;
        let hint = unread.then(|| "`nullable` is no keyword of JSON Schema: its validators reject null all the same.".to_owned());
        let found = Found { words, hint, keyword: "type", probes: vec![Value::Null], ..Found::of_keyword(rule, node, keyword) };
        self.report(node, found.touch(Touch::Value(TYPE)));
    }
}

fn keyword_of(by: &NullBy) -> &'static str {
    match by {
        NullBy::Type => "type",
        NullBy::Union(keyword) => keyword,
        NullBy::Keyword => "nullable",
    }
}

fn words_of(kinds: Option<Kinds>) -> String {
    kinds.map_or_else(|| "any type".to_owned(), Kinds::words)
}

/// A change of type stands at the keyword that says it, or at the schema where a union does.
fn type_change(rule: RuleId, node: &Node<'_, '_>) -> Found {
    let said = [node.after, node.before].into_iter().find(|side| side.get("type").is_some());
    let pointer = said.map_or_else(|| node.after.pointer.clone(), |side| side.pointer_of("type"));
    Found { pointer, ..Found::of_keyword(rule, node, "type") }
}

/// A small value of each of these types.
pub(crate) fn samples(kinds: Kinds) -> Vec<Value> {
    let empty = || Value::Object(crate::json::Object::default());
    let all = [
        (Kinds::STRING, Value::from("")),
        (Kinds::STRING, Value::from("a")),
        (Kinds::INTEGER, Value::Number(0.0)),
        (Kinds::INTEGER, Value::Number(1.0)),
        (Kinds::NUMBER, Value::Number(0.5)),
        (Kinds::BOOLEAN, Value::Bool(false)),
        (Kinds::ARRAY, Value::Array(Vec::new())),
        (Kinds::OBJECT, empty()),
        (Kinds::NULL, Value::Null),
    ];
    all.into_iter().filter(|(kind, _)| kinds.holds(*kind)).map(|(_, value)| value).collect()
}
