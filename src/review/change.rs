//! One change between two schemas, before anything is known about the calls.

use super::finding::Lint;
use super::places::PlaceId;
use super::rules::{Directions, Effect, RuleId, Severity};
use crate::json::Value;

/// What of a call a change can touch: by this, issues of replayed calls find the change that caused them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    /// No call: only what a model reads.
    Text,
    /// Every call of the tool.
    Tool,
    /// The value at the place, where one of these keywords rejects it.
    Value(&'static [&'static str]),
    /// This key of the object at the place, where it is missing.
    Missing(String),
    /// This key of the object at the place, where it is unexpected or not read any more.
    Key(String),
    /// Any key of the object at the place that is unexpected.
    AnyKey,
    /// This key of the object at the place, and everything in it.
    Within(String),
    /// Of the object at the place: the first key, which is not read any more, or the second, which is missing.
    Renamed(String, String),
}

/// A guess that something goes by another name now.
#[derive(Clone, Debug, PartialEq)]
pub struct Renamed {
    /// The name before.
    pub from: String,
    /// How sure that is, from 0 to 1.
    pub confidence: f64,
}

/// A change between two schemas.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub rule: RuleId,
    /// Where in the arguments.
    pub place: PlaceId,
    pub touch: Touch,
    /// Where in the parameters: after the change, or before it for what is gone.
    pub pointer: String,
    pub before: Option<Value>,
    pub after: Option<Value>,
    /// What the sentence's slots hold.
    pub words: Words,
    /// The profile enforces what the change is about.
    pub enforced: bool,
    /// In place of the rule's own, where the table leaves it to the case.
    pub severity: Option<Severity>,
    /// In place of the rule's own.
    pub directions: Option<Directions>,
    pub renamed: Option<Renamed>,
    /// The lint rule, of a change that newly violates one.
    pub lint: Option<Lint>,
    /// One more sentence.
    pub hint: Option<String>,
    /// Values that may have been right here before and not after: what a smallest example is made of.
    pub probes: Vec<Value>,
}

/// What the slots of a rule's sentence hold: the place, the keyword, before, after.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    pub subject: String,
    pub keyword: String,
    pub before: String,
    pub after: String,
}

impl Change {
    /// Whether it is about a key whose value is accepted and not read any more.
    pub fn is_ignored_key(&self) -> bool {
        let directions = self.directions.unwrap_or(self.rule.rule().directions);
        matches!(self.touch, Touch::Key(_) | Touch::Renamed(..)) && directions.recorded == Effect::Ignored
    }

    /// The sentence.
    pub fn message(&self, tool: &str) -> String {
        let template = self.rule.rule().message;
        let mut out = String::with_capacity(template.len() + 64);
        let mut rest = template;
        // In one pass, so that a slot's text is never taken for a slot.
        while let Some(at) = rest.find('{') {
            out.push_str(&rest[..at]);
            let (slot, after) = rest[at..].split_at(3.min(rest.len() - at));
            out.push_str(match slot {
                "{t}" => tool,
                "{p}" => &self.words.subject,
                "{k}" => &self.words.keyword,
                "{a}" => &self.words.before,
                "{b}" => &self.words.after,
                other => other,
            });
            rest = after;
        }
        out.push_str(rest);
        out
    }
}

/// A path as it stands in a sentence.
pub(crate) fn subject(path: &str) -> String {
    if path.is_empty() { "the arguments".to_owned() } else { format!("`{path}`") }
}

/// A value in a sentence: JSON, cut where it is long.
pub(crate) fn short(value: &Value) -> String {
    shorten(&value.to_json(), 60)
}

/// The first characters of a text.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
