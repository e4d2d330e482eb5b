//! `allOf`, `not`, and conditions.

use super::arrays::{entries, gist};
use super::{Comparer, Descent, Found, Node};
use crate::json::Value;
use crate::review::alike;
use crate::review::change::{Touch, Words, short};
use crate::review::places::Hop;
use crate::review::rules::RuleId;
use crate::review::side::{Side, join};

impl<'a> Comparer<'a> {
    /// Compares what has to hold besides.
    pub(super) fn combinations(&mut self, node: &Node<'_, 'a>) {
        self.all_of(node);
        self.not(node);
        self.condition(node);
        self.conditions_by_key(node);
    }

    fn all_of(&mut self, node: &Node<'_, 'a>) {
        // One member is a spelling, which the sides have looked through, unless the other side has more.
        let members = |side: &Side<'a>| side.own("allOf").and_then(Value::as_array).unwrap_or_default();
        let (before, after) = (members(node.before), members(node.after));
        if before.len() <= 1 && after.len() <= 1 {
            return;
        }
        let mut rest: Vec<usize> = (0..after.len()).collect();
        let mut unmatched = Vec::new();
        for (i, member) in before.iter().enumerate() {
            match rest.iter().position(|at| alike::bare(&after[*at]) == alike::bare(member)) {
                Some(at) => drop(rest.remove(at)),
                None => unmatched.push(i),
            }
        }
        // Members that stand at one place on both sides are one member that was changed.
        for i in unmatched {
            let at = |side: &Side<'_>| join(&join(&side.pointer, "allOf"), &i.to_string());
            if let Some(pair) = rest.iter().position(|j| *j == i) {
                let (before_at, after_at) = (at(node.before), at(node.after));
                rest.remove(pair);
                let step = Descent { keyword: "allOf", before: &before[i], after: &after[i], before_at, after_at, near_union: 0 };
                self.descend(node, Hop::Same, step);
            } else {
                self.besides(node, RuleId::AllOfRemoved, "allOf", Some(&before[i]), None);
            }
        }
        for j in rest {
            self.besides(node, RuleId::AllOfAdded, "allOf", None, Some(&after[j]));
        }
    }

    fn besides(
        &mut self,
        node: &Node<'_, 'a>,
        rule: RuleId,
        keyword: &'static str,
        before: Option<&Value>,
        after: Option<&Value>,
    ) {
        let words = Words {
            keyword: keyword.to_owned(),
            before: before.map(gist).unwrap_or_default(),
            after: after.map(gist).unwrap_or_default(),
            ..Words::default()
        };
        let pointer = node.after.pointer.clone();
        let (before, after) = (before.cloned(), after.cloned());
        self.report(
            node,
            Found { words, before, after, ..Found::new(rule, pointer, keyword) }.touch(Touch::Within(String::new())),
        );
    }

    fn not(&mut self, node: &Node<'_, 'a>) {
        match (node.before.get("not"), node.after.get("not")) {
            (Some(before), None) => self.besides(node, RuleId::NotRemoved, "not", Some(before), None),
            (before, Some(after)) if before != Some(after) => self.besides(node, RuleId::NotAdded, "not", before, Some(after)),
            _ => {}
        }
    }

    fn condition(&mut self, node: &Node<'_, 'a>) {
        let text = |side: &Side<'a>| -> Vec<(&'static str, &'a Value)> {
            ["if", "then", "else"].into_iter().filter_map(|keyword| Some((keyword, side.get(keyword)?))).collect()
        };
        let (before, after) = (text(node.before), text(node.after));
        if before != after {
            let (a, b) = (condition(&before), condition(&after));
            self.one_condition(node, "if", "a condition", a, b);
        }
    }

    fn one_condition(
        &mut self,
        node: &Node<'_, 'a>,
        keyword: &'static str,
        name: &str,
        before: Option<Value>,
        after: Option<Value>,
    ) {
        let rule = if after.is_none() { RuleId::ConditionRemoved } else { RuleId::ConditionAdded };
        let words = Words {
            keyword: name.to_owned(),
            before: before.as_ref().map(short).unwrap_or_default(),
            after: after.as_ref().map(short).unwrap_or_default(),
            ..Words::default()
        };
        let pointer = node.after.pointer.clone();
        let found = Found { words, before, after, ..Found::new(rule, pointer, keyword) };
        self.report(node, found.touch(Touch::Within(String::new())));
    }

    /// `dependentSchemas`, and the older `dependencies` that hold schemas.
    fn conditions_by_key(&mut self, node: &Node<'_, 'a>) {
        for keyword in ["dependentSchemas", "dependencies"] {
            let (before, after) = (entries(node.before.object(keyword)), entries(node.after.object(keyword)));
            let find = |list: &[(String, &'a Value)], key: &str| {
                let found = list.iter().find(|(k, value)| k == key && value.as_array().is_none());
                found.map(|(_, value)| (*value).clone())
            };
            let mut keys: Vec<&String> = before.iter().chain(&after).map(|(key, _)| key).collect();
            keys.sort_unstable();
            keys.dedup();
            for key in keys {
                let (a, b) = (find(&before, key), find(&after, key));
                if a != b {
                    self.one_condition(node, keyword, &format!("what `{key}` brings with it"), a, b);
                }
            }
        }
    }
}

fn condition(parts: &[(&'static str, &Value)]) -> Option<Value> {
    (!parts.is_empty())
        .then(|| Value::Object(parts.iter().map(|(keyword, value)| ((*keyword).into(), (*value).clone())).collect()))
}
