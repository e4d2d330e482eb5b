//! Definitions drafted from calls, for people who have logs and no definitions.
//!
//! A draft accepts every call that it was made from: it lists the types that were seen, requires what was always there, and
//! lists values where few of them repeat over many calls. It is a beginning, to be read by a person: what no call used is not
//! in it.

use crate::json::{JsString, Object, Value};
use std::collections::BTreeMap;

/// How deep objects and arrays are looked into; what is deeper may be anything.
const MAX_DEPTH: usize = 24;
/// A list of values is drafted from so many strings on, has at most so many values, each seen so often.
const ENUM_STRINGS: u64 = 10;
const ENUM_VALUES: usize = 6;
const ENUM_TIMES: u64 = 2;
/// An object with more keys than this, none of them in most of its values, is a map rather than a list of parameters.
const MAP_KEYS: usize = 24;

/// What has been seen of a tool's arguments.
#[derive(Debug, Default)]
pub struct Inference {
    calls: u64,
    root: Node,
}

/// What has been seen at one place.
#[derive(Debug, Default)]
struct Node {
    nulls: u64,
    booleans: u64,
    integers: u64,
    fractions: u64,
    strings: u64,
    arrays: u64,
    objects: u64,
    /// Short strings and how often each came; `None` once there were too many or other ones.
    values: Option<BTreeMap<JsString, u64>>,
    closed: bool,
    members: Vec<(JsString, Node)>,
    elements: Option<Box<Node>>,
    /// Something here was too deep to be looked into.
    deep: bool,
}

impl Inference {
    /// Takes in the arguments of a call. Only objects say anything of parameters: anything else is left out, and the
    /// answer is `false`.
    pub fn add(&mut self, arguments: &Value) -> bool {
        if arguments.as_object().is_none() {
            return false;
        }
        self.calls += 1;
        self.root.add(arguments, 0);
        true
    }

    /// How many calls have been taken in.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// The draft of a tool of this name, in OpenAI's form.
    #[must_use]
    pub fn draft(&self, name: &str) -> Value {
        let calls = if self.calls == 1 { "1 call".to_owned() } else { format!("{} calls", self.calls) };
        let description =
            format!("Inferred from {calls}, to be checked by a person: what the tool does, and what no call happened to use.");
        let keywords = std::iter::once(("type".into(), "object".into())).chain(self.root.keywords_of_object(true));
        let parameters = Value::Object(keywords.collect());
        let function = [("name", name.into()), ("description", description.into()), ("parameters", parameters)];
        Value::from([("type", "function".into()), ("function", Value::from(function))])
    }
}

impl Node {
    fn add(&mut self, value: &Value, depth: usize) {
        match value {
            Value::Null => self.nulls += 1,
            Value::Bool(_) => self.booleans += 1,
            Value::Number(n) if n.is_finite() && n.fract() == 0.0 => self.integers += 1,
            Value::Number(_) => self.fractions += 1,
            Value::String(text) => self.add_string(text),
            Value::Array(_) | Value::Object(_) if depth >= MAX_DEPTH => self.deep = true,
            Value::Array(items) => {
                self.arrays += 1;
                for item in items {
                    self.elements.get_or_insert_default().add(item, depth + 1);
                }
            }
            Value::Object(object) => {
                self.objects += 1;
                for (key, value) in object.entries() {
                    self.member(key).add(value, depth + 1);
                }
            }
        }
    }

    fn add_string(&mut self, text: &JsString) {
        self.strings += 1;
        if self.closed {
            return;
        }
        let values = self.values.get_or_insert_default();
        *values.entry(text.clone()).or_default() += 1;
        if values.len() > ENUM_VALUES || !is_word(text) {
            self.closed = true;
            self.values = None;
        }
    }

    fn member(&mut self, key: &JsString) -> &mut Self {
        // Parameters are few; a map with many keys is found by a search that is as long as the map.
        let at = self.members.iter().position(|(known, _)| known == key).unwrap_or_else(|| {
            self.members.push((key.clone(), Self::default()));
            self.members.len() - 1
        });
        &mut self.members[at].1
    }

    /// How many values have been seen here.
    fn count(&self) -> u64 {
        self.nulls + self.booleans + self.integers + self.fractions + self.strings + self.arrays + self.objects
    }

    fn schema(&self) -> Value {
        if self.deep {
            return Value::Object(Object::default());
        }
        let seen = [
            (self.strings > 0, "string"),
            (self.integers > 0 && self.fractions == 0, "integer"),
            (self.fractions > 0, "number"),
            (self.booleans > 0, "boolean"),
            (self.arrays > 0, "array"),
            (self.objects > 0, "object"),
            (self.nulls > 0, "null"),
        ];
        let types: Vec<Value> = seen.into_iter().filter(|(seen, _)| *seen).map(|(_, name)| name.into()).collect();
        let kind = if types.len() == 1 { types.into_iter().next().unwrap_or_default() } else { types.into() };
        let mut schema: Vec<(JsString, Value)> = vec![("type".into(), kind)];
        if self.objects > 0 {
            schema.extend(self.keywords_of_object(false));
        }
        schema.extend(self.elements.as_ref().map(|elements| ("items".into(), elements.schema())));
        schema.extend(self.listed().map(|values| ("enum".into(), values)));
        Value::Object(schema.into_iter().collect())
    }

    /// The values, where few of them repeat and nothing but strings (and null) has been seen.
    fn listed(&self) -> Option<Value> {
        let values = self.values.as_ref()?;
        let only = self.count() == self.strings + self.nulls;
        if !only || self.strings < ENUM_STRINGS || values.len() < 2 || values.values().any(|times| *times < ENUM_TIMES) {
            return None;
        }
        let mut listed: Vec<Value> = values.keys().map(|text| Value::String(text.clone())).collect();
        // A type list with null does not let null past a list of values (rule G12).
        listed.extend((self.nulls > 0).then_some(Value::Null));
        Some(listed.into())
    }

    /// What makes an object one with parameters, or a free-form map. The arguments as a whole are always the former.
    fn keywords_of_object(&self, whole: bool) -> Vec<(JsString, Value)> {
        if !whole && self.is_map() {
            let mut all = Self::default();
            self.members.iter().for_each(|(_, member)| all.merge(member, 0));
            return vec![("additionalProperties".into(), all.schema())];
        }
        if self.members.is_empty() && !whole {
            return Vec::new();
        }
        let properties: Object = self.members.iter().map(|(key, member)| (key.clone(), member.schema())).collect();
        let required = self.members.iter().filter(|(_, member)| !member.deep && member.count() == self.objects);
        let required: Vec<Value> = required.map(|(key, _)| Value::String(key.clone())).collect();
        let mut keywords = vec![("properties".into(), Value::Object(properties))];
        keywords.extend((!required.is_empty()).then(|| ("required".into(), required.into())));
        keywords
    }

    /// Whether the keys are data: some are no names, or there are many and none is there most of the time.
    fn is_map(&self) -> bool {
        let named =
            |key: &JsString| key.as_str().is_some_and(|key| key.bytes().all(is_name_byte) && !key.is_empty() && key.len() <= 64);
        let rare = |member: &Self| member.count() * 2 < self.objects;
        self.members.iter().any(|(key, _)| !named(key))
            || (self.members.len() > MAP_KEYS && self.members.iter().all(|(_, member)| rare(member)))
    }

    fn merge(&mut self, other: &Self, depth: usize) {
        self.nulls += other.nulls;
        self.booleans += other.booleans;
        self.integers += other.integers;
        self.fractions += other.fractions;
        self.strings += other.strings;
        self.arrays += other.arrays;
        self.objects += other.objects;
        self.deep |= other.deep || depth >= MAX_DEPTH;
        // Values of a map are data.
        self.closed = true;
        self.values = None;
        if let Some(elements) = &other.elements {
            self.elements.get_or_insert_default().merge(elements, depth + 1);
        }
        for (key, member) in &other.members {
            self.member(key).merge(member, depth + 1);
        }
    }
}

fn is_name_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"_-$@.".contains(&b)
}

/// Whether a string can be one of a list of values: short, one word, not a number.
fn is_word(text: &JsString) -> bool {
    let bytes = text.as_bytes();
    (1..=32).contains(&bytes.len()) && bytes.iter().all(|b| is_name_byte(*b)) && !bytes.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(calls: &[&str]) -> String {
        let mut inference = Inference::default();
        for call in calls {
            inference.add(&Value::parse(call.as_bytes()).unwrap());
        }
        inference.draft("t").at_pointer("/function/parameters").unwrap().to_json()
    }

    #[test]
    fn types_required_and_nesting() {
        assert_eq!(draft(&["{}"]), r#"{"type":"object","properties":{}}"#);
        assert_eq!(
            draft(&[r#"{"a":1,"b":"x"}"#, r#"{"a":2.5,"b":null}"#]),
            r#"{"type":"object","properties":{"a":{"type":"number"},"b":{"type":["string","null"]}},"required":["a","b"]}"#
        );
        assert_eq!(
            draft(&[r#"{"a":[{"x":1},{"x":2,"y":true}]}"#, r#"{"a":[]}"#, r#"{"a":{"z":{}}}"#]),
            concat!(
                r#"{"type":"object","properties":{"a":{"type":["array","object"],"properties":{"z":{"type":"object"}},"required":["z"],"#,
                r#""items":{"type":"object","properties":{"x":{"type":"integer"},"y":{"type":"boolean"}},"required":["x"]}}},"required":["a"]}"#
            )
        );
    }

    #[test]
    fn values_are_listed_where_few_repeat() {
        let calls = |values: [&str; 2], n: usize| {
            let calls: Vec<String> = (0..n).map(|i| format!(r#"{{"mode":{}}}"#, values[i % 2])).collect();
            draft(&calls.iter().map(String::as_str).collect::<Vec<_>>())
        };
        assert!(calls([r#""fast""#, r#""slow""#], 12).contains(r#""enum":["fast","slow"]"#));
        assert!(!calls([r#""fast""#, r#""slow""#], 8).contains("enum"), "too few");
        assert!(!calls([r#""fast""#, r#""fast""#], 12).contains("enum"), "only one");
        assert!(!calls([r#""fast""#, r#""two words""#], 12).contains("enum"), "no word");
        assert!(!calls([r#""1""#, r#""2""#], 12).contains("enum"), "numbers");
        assert!(!calls([r#""fast""#, "1"], 24).contains("enum"), "not only strings");
    }

    #[test]
    fn maps_are_free_form() {
        assert_eq!(
            draft(&[r#"{"answers":{"Which one?":"the first"}}"#, r#"{"answers":{"Why?":null}}"#]),
            r#"{"type":"object","properties":{"answers":{"type":"object","additionalProperties":{"type":["string","null"]}}},"required":["answers"]}"#
        );
    }
}
