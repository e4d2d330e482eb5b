//! What people and models read: descriptions, titles, examples, defaults, and marks of age.

use super::{Comparer, Found, Node};
use crate::json::Value;
use crate::review::change::{Touch, Words};
use crate::review::rules::RuleId;

impl Comparer<'_> {
    /// Compares the annotations of a place.
    pub(super) fn text(&mut self, node: &Node<'_, '_>) {
        self.description(node);
        self.title(node);
        self.default(node);
        self.deprecated(node);
        if ["examples", "example"].iter().any(|k| node.before.get(k) != node.after.get(k)) {
            let keyword = if node.before.get("example") == node.after.get("example") { "examples" } else { "example" };
            self.report(node, Found { keyword: "", ..Found::of_keyword(RuleId::DocParamExamplesChanged, node, keyword) });
        }
    }

    fn description(&mut self, node: &Node<'_, '_>) {
        let text = |value: Option<&Value>| value.and_then(Value::as_string).map(ToString::to_string).filter(|t| !t.is_empty());
        let (before, after) = (text(node.before.get("description")), text(node.after.get("description")));
        let rule = match (&before, &after) {
            (Some(a), Some(b)) if a != b => RuleId::DocParamDescriptionChanged,
            (None, Some(_)) => RuleId::DocParamDescriptionAdded,
            (Some(_), None) => RuleId::DocParamDescriptionRemoved,
            _ => return,
        };
        let words = Words { keyword: sizes(before.as_deref(), after.as_deref()), ..Words::default() };
        self.report(node, Found { words, keyword: "", ..Found::of_keyword(rule, node, "description") });
    }

    fn title(&mut self, node: &Node<'_, '_>) {
        if node.before.get("title") != node.after.get("title") {
            self.report(node, Found { keyword: "", ..Found::of_keyword(RuleId::DocTitleChanged, node, "title") });
        }
    }

    /// A default changes what calls mean that leave the parameter out, and rejects none.
    fn default(&mut self, node: &Node<'_, '_>) {
        let rule = match (node.before.get("default"), node.after.get("default")) {
            (None, Some(_)) => RuleId::ParamDefaultAdded,
            (Some(_), None) => RuleId::ParamDefaultRemoved,
            (Some(a), Some(b)) if a != b => RuleId::ParamDefaultChanged,
            _ => return,
        };
        self.report(node, Found { keyword: "", ..Found::of_keyword(rule, node, "default") }.touch(Touch::Text));
    }

    fn deprecated(&mut self, node: &Node<'_, '_>) {
        let is = |value: Option<&Value>| value.is_some_and(Value::is_true);
        let rule = match (is(node.before.get("deprecated")), is(node.after.get("deprecated"))) {
            (false, true) => RuleId::DocDeprecatedAdded,
            (true, false) => RuleId::DocDeprecatedRemoved,
            _ => return,
        };
        self.report(node, Found { keyword: "", ..Found::of_keyword(rule, node, "deprecated") });
    }
}

/// The lengths of two texts in characters: `120 → 98`.
pub(crate) fn sizes(before: Option<&str>, after: Option<&str>) -> String {
    let size = |text: Option<&str>| text.map_or(0, |t| t.chars().count());
    format!("{} → {}", size(before), size(after))
}
