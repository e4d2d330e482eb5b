//! References: introduced, inlined, recursive; and the dialect that the whole is written in.

use super::{Comparer, Descent, Found, Node};
use crate::json::Value;
use crate::review::change::{Touch, Words, short};
use crate::review::places::Hop;
use crate::review::rules::RuleId;
use crate::review::side::{Root, join, reference};
use std::collections::HashSet;

impl<'a> Comparer<'a> {
    /// Both sides refer: what they refer to is compared once, whoever refers to it.
    pub(super) fn follow_both(&mut self, node: &Node<'_, 'a>) {
        let target = |root: Root<'a>, schema: &Value| {
            let text = reference(schema.as_object()?)?;
            root.resolve(&text)
        };
        let before = target(self.before, node.pair.before);
        let after = target(self.after, node.pair.after);
        if let (Some((before, before_at)), Some((after, after_at))) = (before, after) {
            self.descend(node, Hop::Same, Descent { keyword: "$ref", before, after, before_at, after_at, near_union: 0 });
        } else if node.before.own("$ref") != node.after.own("$ref") {
            // One that leads nowhere: whether the tool compiles is another finding; that the text differs is this one.
            self.report(node, Found::of_keyword(RuleId::RefIntroduced, node, "$ref").touch(Touch::Value(&["$ref"])));
        }
    }

    /// One side refers and the other says the same in place.
    pub(super) fn references(&mut self, node: &Node<'_, 'a>) {
        if node.pair.place == 0 {
            self.dialect(node);
        }
        let (rule, side, text) = match (&node.before.via, &node.after.via) {
            (None, Some(text)) => (RuleId::RefIntroduced, node.after, text),
            (Some(text), None) => (RuleId::RefInlined, node.before, text),
            _ => return,
        };
        let words = Words { before: format!("`{text}`"), after: format!("`{text}`"), ..Words::default() };
        let found = Found { words, ..Found::of_keyword(rule, node, "$ref") };
        let pointer = node.after.pointer.clone();
        self.report(node, Found { pointer, keyword: "", ..found }.touch(Touch::Value(&["$ref"])));
        if rule == RuleId::RefIntroduced && is_recursive(self.after, text) {
            let pointer = join(&side.pointer, "$ref");
            self.report(node, Found::new(RuleId::RefRecursionAdded, pointer, ""));
        }
    }

    fn dialect(&mut self, node: &Node<'_, 'a>) {
        if node.before.own("$schema") == node.after.own("$schema") {
            return;
        }
        let words = Words {
            before: node.before.own("$schema").map_or_else(|| "none".to_owned(), short),
            after: node.after.own("$schema").map_or_else(|| "none".to_owned(), short),
            ..Words::default()
        };
        let found = Found { words, keyword: "", ..Found::of_keyword(RuleId::SchemaDialectChanged, node, "$schema") };
        self.report(node, found);
    }
}

/// Whether what a reference leads to refers, on some way, to itself.
fn is_recursive(root: Root<'_>, text: &str) -> bool {
    let mut seen = HashSet::new();
    let mut work = vec![text.to_owned()];
    while let Some(reference_text) = work.pop() {
        let Some((target, _)) = root.resolve(&reference_text) else { continue };
        if !seen.insert(reference_text) {
            continue;
        }
        let mut values = vec![target];
        while let Some(value) = values.pop() {
            match value {
                Value::Object(object) => {
                    if let Some(inner) = reference(object) {
                        if inner == text || inner == "#" {
                            return true;
                        }
                        work.push(inner);
                    }
                    values.extend(object.entries().iter().map(|(_, value)| value));
                }
                Value::Array(items) => values.extend(items),
                _ => {}
            }
        }
    }
    false
}
