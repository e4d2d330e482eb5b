//! The values that a place is limited to: `enum` and `const`.

use super::{Comparer, Found, Node};
use crate::json::Value;
use crate::review::alike;
use crate::review::change::{Renamed, Touch, Words, short, shorten};
use crate::review::kinds::Kinds;
use crate::review::rules::RuleId;
use crate::review::side::Side;

/// The keywords by which a value that is not listed is rejected.
const LISTED: &[&str] = &["enum", "const", "type"];

/// The values that a schema lists, and the keyword that does.
fn listed<'a>(side: &Side<'a>) -> Option<(&'static str, Vec<&'a Value>)> {
    if let Some(value) = side.get("const") {
        return Some(("const", vec![value]));
    }
    side.array("enum").map(|values| ("enum", values.iter().collect()))
}

impl Comparer<'_> {
    /// Compares the listed values of a place.
    pub(super) fn values(&mut self, node: &Node<'_, '_>) {
        match (listed(node.before), listed(node.after)) {
            (None, Some((keyword, values))) => {
                let rule = if keyword == "const" { RuleId::ParamConstAdded } else { RuleId::ParamEnumAdded };
                let probes = Kinds::of(node.before).map_or_else(|| vec![Value::from("other")], super::types::samples);
                self.limit(node, rule, keyword, &values, probes);
            }
            (Some((keyword, values)), None) => {
                let rule = if keyword == "const" { RuleId::ParamConstRemoved } else { RuleId::ParamEnumRemoved };
                self.limit(node, rule, keyword, &values, Vec::new());
            }
            (Some(("const", a)), Some(("const", b))) => {
                if a != b {
                    let rule =
                        if node.pair.near_union == 1 { RuleId::UnionDiscriminatorChanged } else { RuleId::ParamConstChanged };
                    let found = Found { probes: a.into_iter().cloned().collect(), ..Found::of_keyword(rule, node, "const") };
                    self.report(node, found.touch(Touch::Value(LISTED)));
                }
            }
            (Some((_, a)), Some((keyword, b))) => self.lists(node, keyword, &a, &b),
            (None, None) => {}
        }
    }

    /// A place is limited to a list now, or no longer.
    fn limit(&mut self, node: &Node<'_, '_>, rule: RuleId, keyword: &'static str, values: &[&Value], probes: Vec<Value>) {
        let text = match values {
            [only] => short(only),
            _ => format!("{} values ({})", values.len(), shorten(&texts(values).join("|"), 60)),
        };
        let words = Words { before: text.clone(), after: text, ..Words::default() };
        let found = Found { words, probes, ..Found::of_keyword(rule, node, keyword) };
        self.report(node, found.touch(Touch::Value(LISTED)));
    }

    fn lists(&mut self, node: &Node<'_, '_>, keyword: &'static str, before: &[&Value], after: &[&Value]) {
        // Null that goes or comes with the type has been reported as that.
        let null_moved = node.before.null().is_some() != node.after.null().is_some();
        let matters = |value: &&Value| !(null_moved && matches!(value, Value::Null));
        let without = |list: &[&Value], other: &[&Value]| -> Vec<Value> {
            let rest = list.iter().filter(|v| matters(v) && !other.iter().any(|o| o == *v));
            rest.map(|v| (*v).clone()).collect()
        };
        let (removed, added) = (without(before, after), without(after, before));
        if let ([a], [b]) = (removed.as_slice(), added.as_slice())
            && let Some(confidence) = renamed(a, b)
        {
            let renamed = Some(Renamed { from: text(a), confidence });
            self.one(node, RuleId::ParamEnumValueRenamed, keyword, Some(a), Some(b), renamed);
            return;
        }
        for value in &removed {
            self.one(node, RuleId::ParamEnumValueRemoved, keyword, Some(value), None, None);
        }
        for value in &added {
            self.one(node, RuleId::ParamEnumValueAdded, keyword, None, Some(value), None);
        }
        if removed.is_empty() && added.is_empty() && before.len() == after.len() && before != after {
            self.report(node, Found { keyword: "", ..Found::of_keyword(RuleId::ParamEnumReordered, node, keyword) });
        }
    }

    fn one(
        &mut self,
        node: &Node<'_, '_>,
        rule: RuleId,
        keyword: &'static str,
        before: Option<&Value>,
        after: Option<&Value>,
        renamed: Option<Renamed>,
    ) {
        let words = Words {
            before: before.map(short).unwrap_or_default(),
            after: after.map(short).unwrap_or_default(),
            ..Words::default()
        };
        let found = Found {
            words,
            renamed,
            before: before.cloned(),
            after: after.cloned(),
            probes: before.into_iter().cloned().collect(),
            ..Found::of_keyword(rule, node, keyword)
        };
        self.report(node, found.touch(Touch::Value(LISTED)));
    }
}

fn texts(values: &[&Value]) -> Vec<String> {
    values.iter().map(|v| v.to_json()).collect()
}

fn text(value: &Value) -> String {
    value.as_string().map_or_else(|| value.to_json(), ToString::to_string)
}

/// How sure it is that one value goes by another name now: both are texts, and alike.
fn renamed(before: &Value, after: &Value) -> Option<f64> {
    let (a, b) = (before.as_string()?.as_str()?, after.as_string()?.as_str()?);
    let alike = alike::names(a, b);
    (alike >= 0.6).then_some(alike)
}
