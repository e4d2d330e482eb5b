//! A JSON value as JavaScript would hold it.

use super::scan::SyntaxError;
use super::string::JsString;
use super::tree::{Kind, Tree, View};
use std::collections::HashMap;

/// A JSON value. Of several equal keys it holds the last value at the first one's place; numbers are doubles.
///
/// Values of any depth can be built, compared, written and dropped.
#[derive(Debug, Default)]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number; never NaN, but infinite where the literal is too large for a double.
    Number(f64),
    /// A string.
    String(JsString),
    /// An array.
    Array(Vec<Value>),
    /// An object.
    Object(Object),
}

/// The members of an object, in the order in which JavaScript enumerates them (rule G18): keys that are array indices
/// ascending, then the others as first written.
#[derive(Debug, Default)]
pub struct Object {
    entries: Vec<(JsString, Value)>,
}

impl Value {
    /// Reads a text as `JSON.parse` does.
    ///
    /// # Errors
    /// Where `JSON.parse` would throw; see [`Tree::parse`].
    pub fn parse(text: &[u8]) -> Result<Self, SyntaxError> {
        let tree = Tree::parse(text)?;
        Ok(Self::from(tree.root(text)))
    }

    /// What `typeof` people call it: `string`, `number`, `boolean`, `object`, `array` or `null`.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Number(_) => "number",
            Self::String(_) => "string",
            Self::Array(_) => "array",
            Self::Object(_) => "object",
        }
    }

    /// The members, if this is an object.
    #[must_use]
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The elements, if this is an array.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The text, if this is a string.
    #[must_use]
    pub fn as_string(&self) -> Option<&JsString> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// Whether this is `true`.
    #[must_use]
    pub fn is_true(&self) -> bool {
        matches!(self, Self::Bool(true))
    }

    /// The member of an object under this key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_object()?.get(key.as_bytes())
    }

    /// The value that a JSON Pointer (RFC 6901) names below this one.
    #[must_use]
    pub fn at_pointer(&self, pointer: &str) -> Option<&Self> {
        super::pointer_steps(pointer)?.iter().try_fold(self, |value, step| match value {
            Self::Object(object) => object.get(step.as_bytes()),
            Self::Array(items) => items.get(step.parse::<usize>().ok()?),
            _ => None,
        })
    }

    /// The text that `JSON.stringify` gives.
    #[must_use]
    pub fn to_json(&self) -> String {
        super::write::stringify(self)
    }

    /// JSON that reads back as this very value: as [`Value::to_json`], but for numbers too large for a double, which
    /// `JSON.stringify` makes `null`.
    #[must_use]
    pub fn to_exact_json(&self) -> String {
        super::write::exact(self)
    }

    /// The text that `JSON.stringify(value, null, indent)` gives.
    #[must_use]
    pub fn to_json_pretty(&self, indent: usize) -> String {
        super::write::pretty(self, indent)
    }
}

impl Object {
    /// The members in JavaScript's order, each key once.
    #[must_use]
    pub fn entries(&self) -> &[(JsString, Value)] {
        &self.entries
    }

    /// The members with values that may be replaced.
    pub(crate) fn entries_mut(&mut self) -> impl Iterator<Item = (&JsString, &mut Value)> {
        self.entries.iter_mut().map(|(key, value)| (&*key, value))
    }

    /// The value under a key, given in WTF-8.
    #[must_use]
    pub fn get(&self, key: &[u8]) -> Option<&Value> {
        self.entries.iter().find(|(k, _)| k.as_bytes() == key).map(|(_, v)| v)
    }

    /// Adds a member after the others. The key must not be there yet, nor be an array index: those have their place.
    pub(crate) fn push(&mut self, key: &str, value: Value) {
        debug_assert!(self.get(key.as_bytes()).is_none() && array_index(key.as_bytes()).is_none(), "{key}");
        self.entries.push((key.into(), value));
    }

    /// The number of members.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::String(text.into())
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Number(f64::from(number))
    }
}

impl From<Vec<Value>> for Value {
    fn from(items: Vec<Value>) -> Self {
        Self::Array(items)
    }
}

/// `null` for `None`.
impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// An object with these members, in this order.
impl<const N: usize> From<[(&str, Value); N]> for Value {
    fn from(members: [(&str, Value); N]) -> Self {
        Self::Object(members.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }
}

/// Members in the order in which they were written; a key that comes again replaces the value at the first one's place.
impl FromIterator<(JsString, Value)> for Object {
    fn from_iter<I: IntoIterator<Item = (JsString, Value)>>(members: I) -> Self {
        let mut entries: Vec<(JsString, Value)> = Vec::new();
        let mut places: HashMap<JsString, usize> = HashMap::new();
        let mut has_index = false;
        for (key, value) in members {
            has_index |= array_index(key.as_bytes()).is_some();
            if places.is_empty() && entries.len() > 16 {
                places = entries.iter().enumerate().map(|(i, (k, _))| (k.clone(), i)).collect();
            }
            let place = if places.is_empty() { entries.iter().position(|(k, _)| *k == key) } else { places.get(&key).copied() };
            if let Some(i) = place {
                entries[i].1 = value;
            } else {
                if !places.is_empty() {
                    places.insert(key.clone(), entries.len());
                }
                entries.push((key, value));
            }
        }
        if has_index {
            entries.sort_by_key(|(key, _)| array_index(key.as_bytes()).map_or(u64::MAX, u64::from));
        }
        Self { entries }
    }
}

/// Whether a key is an array index to JavaScript: a canonical decimal from 0 to 4294967294 (ECMA-262, array index).
pub(super) fn array_index(key: &[u8]) -> Option<u32> {
    match key {
        [b'0'] => Some(0),
        [b'1'..=b'9', ..] if key.len() <= 10 && key.iter().all(u8::is_ascii_digit) => {
            std::str::from_utf8(key).ok()?.parse().ok().filter(|n| *n < u32::MAX)
        }
        _ => None,
    }
}

/// The value of a node. Built from the last node to the first, so that a container finds its children ready on a stack.
impl From<View<'_>> for Value {
    fn from(view: View<'_>) -> Self {
        let scalar = |v: View<'_>| match v.kind() {
            Kind::True => Self::Bool(true),
            Kind::False => Self::Bool(false),
            Kind::Number => Self::Number(v.number().unwrap_or_default()),
            Kind::String => Self::String(v.string().unwrap_or_default()),
            _ => Self::Null,
        };
        if !view.kind().is_container() {
            return scalar(view);
        }
        let mut ready: Vec<Self> = Vec::new();
        for index in (view.index()..view.after()).rev() {
            let v = view.sibling_at(index);
            let value = match v.kind() {
                Kind::Array => Self::Array(v.children().map(|_| ready.pop().unwrap_or(Self::Null)).collect()),
                Kind::Object => {
                    let members = v.children().map(|child| (child.key().unwrap_or_default(), ready.pop().unwrap_or(Self::Null)));
                    Self::Object(members.collect())
                }
                _ => scalar(v),
            };
            ready.push(value);
        }
        ready.pop().unwrap_or(Self::Null)
    }
}

impl Clone for Value {
    fn clone(&self) -> Self {
        // Writing and reading again would lose infinities; a stack of work keeps any depth possible.
        enum Step<'a> {
            Visit(&'a Value),
            Array(usize),
            Object(&'a Object),
        }
        let mut work = vec![Step::Visit(self)];
        let mut done: Vec<Self> = Vec::new();
        while let Some(step) = work.pop() {
            match step {
                Step::Visit(Self::Null) => done.push(Self::Null),
                Step::Visit(Self::Bool(b)) => done.push(Self::Bool(*b)),
                Step::Visit(Self::Number(n)) => done.push(Self::Number(*n)),
                Step::Visit(Self::String(s)) => done.push(Self::String(s.clone())),
                Step::Visit(Self::Array(items)) => {
                    work.push(Step::Array(items.len()));
                    work.extend(items.iter().rev().map(Step::Visit));
                }
                Step::Visit(Self::Object(object)) => {
                    work.push(Step::Object(object));
                    work.extend(object.entries.iter().rev().map(|(_, v)| Step::Visit(v)));
                }
                Step::Array(len) => {
                    let items = done.split_off(done.len() - len);
                    done.push(Self::Array(items));
                }
                Step::Object(object) => {
                    let values = done.split_off(done.len() - object.len());
                    let keys = object.entries.iter().map(|(k, _)| k.clone());
                    done.push(Self::Object(Object { entries: keys.zip(values).collect() }));
                }
            }
        }
        done.pop().unwrap_or(Self::Null)
    }
}

impl Clone for Object {
    fn clone(&self) -> Self {
        Self { entries: self.entries.iter().map(|(k, v)| (k.clone(), v.clone())).collect() }
    }
}

/// Equality of JSON values (rule G12): numbers by value (`1` equals `1.0`, `-0` equals `0`), objects whatever their order.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::String(a), Self::String(b)) => return a == b,
            (Self::Array(_), Self::Array(_)) | (Self::Object(_), Self::Object(_)) | (Self::Number(_), Self::Number(_)) => {}
            (Self::Bool(a), Self::Bool(b)) => return a == b,
            (a, b) => return matches!((a, b), (Self::Null, Self::Null)),
        }
        let mut work = vec![(self, other)];
        while let Some(pair) = work.pop() {
            match pair {
                (Self::Null, Self::Null) => {}
                (Self::Bool(a), Self::Bool(b)) if a == b => {}
                (Self::String(a), Self::String(b)) if a == b => {}
                // Doubles are compared as JavaScript compares them; parsing never gives NaN.
                (Self::Number(a), Self::Number(b)) if a.total_cmp(b).is_eq() || (*a == 0.0 && *b == 0.0) => {}
                (Self::Array(a), Self::Array(b)) if a.len() == b.len() => work.extend(a.iter().zip(b)),
                (Self::Object(a), Self::Object(b)) if a.len() == b.len() => {
                    if !push_members(&mut work, a, b) {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        true
    }
}

fn push_members<'a>(work: &mut Vec<(&'a Value, &'a Value)>, a: &'a Object, b: &'a Object) -> bool {
    if a.len() <= 16 {
        return a.entries.iter().all(|(key, value)| {
            b.get(key.as_bytes()).is_some_and(|other| {
                work.push((value, other));
                true
            })
        });
    }
    let others: HashMap<&JsString, &Value> = b.entries.iter().map(|(k, v)| (k, v)).collect();
    a.entries.iter().all(|(key, value)| {
        others.get(key).is_some_and(|other| {
            work.push((value, *other));
            true
        })
    })
}

/// Drops what is nested without recursing: a value from outside may be a million levels deep.
impl Drop for Value {
    fn drop(&mut self) {
        fn take(value: &mut Value, nested: &mut Vec<Value>) {
            match value {
                Value::Array(items) if items.iter().any(holds) => nested.append(items),
                Value::Object(object) if object.entries.iter().any(|(_, v)| holds(v)) => {
                    nested.extend(object.entries.drain(..).map(|(_, v)| v));
                }
                _ => {}
            }
        }
        fn holds(value: &Value) -> bool {
            match value {
                Value::Array(items) => !items.is_empty(),
                Value::Object(object) => !object.is_empty(),
                _ => false,
            }
        }
        let mut nested = Vec::new();
        take(self, &mut nested);
        while let Some(mut value) = nested.pop() {
            take(&mut value, &mut nested);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Value {
        Value::parse(text.as_bytes()).expect(text)
    }

    #[test]
    fn written_back_as_javascript_would() {
        for (text, written) in [
            (r#"{"b":1,"a":2,"b":3}"#, r#"{"b":3,"a":2}"#),
            (
                r#"{"z":0,"10":1,"9":2,"01":3,"-1":4,"4294967294":5,"4294967295":6}"#,
                r#"{"9":2,"10":1,"4294967294":5,"z":0,"01":3,"-1":4,"4294967295":6}"#,
            ),
            (r#"{"__proto__":1,"constructor":2}"#, r#"{"__proto__":1,"constructor":2}"#),
            ("[1.0, -0, 1e21, 1e400, 9007199254740993]", "[1,0,1e+21,null,9007199254740992]"),
            (r#""\ud83d\ude00 \ud800 \u0000\u007f\u2028\/""#, "\"😀 \\ud800 \\u0000\u{7f}\u{2028}/\""),
        ] {
            assert_eq!(json(text).to_json(), written);
        }
    }

    #[test]
    fn many_equal_keys_are_one() {
        let text = format!("{{{}}}", (0..1000).map(|i| format!("\"k{}\":{i}", i % 50)).collect::<Vec<_>>().join(","));
        let value = json(&text);
        assert_eq!(value.as_object().map(Object::len), Some(50));
        assert_eq!(value.get("k7"), Some(&Value::Number(957.0)));
    }

    #[test]
    fn equality_is_that_of_json() {
        for (a, b, equal) in [
            ("1", "1.0", true),
            ("-0", "0", true),
            ("1e400", "2e400", true),
            ("9007199254740993", "9007199254740992", true),
            (r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#, true),
            (r#"{"a":1}"#, r#"{"a":1,"b":null}"#, false),
            ("[1,2]", "[2,1]", false),
            ("1", "true", false),
            (r#""1""#, "1", false),
            ("null", "false", false),
        ] {
            assert_eq!(json(a) == json(b), equal, "{a} {b}");
            assert_eq!(json(b) == json(a), equal, "{b} {a}");
        }
    }

    #[test]
    fn any_depth_can_be_built_cloned_compared_written_and_dropped() {
        let depth = 200_000;
        let text = "[".repeat(depth) + "{\"a\":[]}" + &"]".repeat(depth);
        let value = json(&text);
        assert_eq!(value.clone(), value);
        assert_eq!(value.to_json(), text);
    }
}
