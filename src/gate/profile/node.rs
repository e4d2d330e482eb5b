//! Our values as the `jsonschema` crate reads them: in place, so that nothing is copied for a call and nothing that
//! JavaScript holds (lone surrogates, infinities, any depth) is lost on the way.

use crate::json::{JsString, Object, Value};
use jsonschema::JsonType;
use jsonschema::json::{Array, Json, JsonNumber, Node, NodeIdentity};
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashSet;

/// What one judgement may cost: every look at a value is paid for, and how deep it may go is bounded where the schema
/// refers to itself. When it is used up, values look like `null` and the judgement ends quickly; what it said is discarded.
#[derive(Debug)]
pub(super) struct Budget {
    left: Cell<u64>,
    depth: u32,
    too_deep: Cell<bool>,
    /// The schema has patterns. Where one of them cannot be decided the crate looks its value up in the whole arguments, and
    /// panics if it is not there, so then it gets them.
    patterns: bool,
}

impl Budget {
    pub fn new(looks: u64, depth: u32, patterns: bool) -> Self {
        Self { left: Cell::new(looks), depth, too_deep: Cell::new(false), patterns }
    }

    /// Whether everything that was looked at was seen.
    pub fn is_spent(&self) -> bool {
        self.left.get() == 0
    }

    pub fn was_too_deep(&self) -> bool {
        self.too_deep.get()
    }

    fn spend(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 1
    }
}

/// The representation, for the crate's generic code.
pub(super) struct Ours;

/// A value under judgement.
#[derive(Clone, Copy)]
pub(super) struct Probe<'a> {
    value: &'a Value,
    /// None for a property's name, which costs nothing.
    budget: Option<&'a Budget>,
    depth: u32,
}

impl<'a> Probe<'a> {
    pub fn new(value: &'a Value, budget: &'a Budget) -> Self {
        Self { value, budget: Some(budget), depth: 0 }
    }

    /// The value, if it can still be paid for.
    fn look(self) -> Option<&'a Value> {
        self.budget.is_none_or(Budget::spend).then_some(self.value)
    }

    /// A value inside this one; none past the depth that is allowed.
    fn inside(self, value: &'a Value) -> Self {
        if let Some(budget) = self.budget
            && self.depth >= budget.depth
        {
            budget.too_deep.set(true);
            budget.left.set(0);
        }
        Self { value, depth: self.depth + 1, ..self }
    }
}

impl Json for Ours {
    type Node<'a> = Probe<'a>;
    type PreparedKey = Box<[u8]>;
    type StringBuffer = Name;
    // A look-up compares keys one after the other, so one pass over the members is never dearer.
    const KEYS_PER_LOOKUP: usize = 2;
    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> Box<[u8]> {
        key.as_bytes().into()
    }

    fn with_string_node<T>(buffer: &mut Name, string: &str, f: impl FnOnce(Probe<'_>) -> T) -> T {
        buffer.0 = Value::from(string);
        f(Probe { value: &buffer.0, budget: None, depth: 0 })
    }
}

/// Holds a property's name while it is judged.
pub(super) struct Name(Value);

impl Default for Name {
    fn default() -> Self {
        Self(Value::Null)
    }
}

/// A double, as JavaScript holds every number.
pub(super) struct Double(f64);

/// 2^63 and 2^64, the first doubles past `i64` and `u64`.
const I64_END: f64 = 9_223_372_036_854_775_808.0;
const U64_END: f64 = 18_446_744_073_709_551_616.0;

impl JsonNumber for Double {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be whole and in range")]
    fn as_u64(&self) -> Option<u64> {
        (self.0.fract() == 0.0 && self.0 >= 0.0 && self.0 < U64_END).then_some(self.0 as u64)
    }

    #[expect(clippy::cast_possible_truncation, reason = "checked to be whole and in range")]
    fn as_i64(&self) -> Option<i64> {
        (self.0.fract() == 0.0 && self.0 >= -I64_END && self.0 < I64_END).then_some(self.0 as i64)
    }

    fn as_f64(&self) -> Option<f64> {
        Some(self.0)
    }

    fn as_str(&self) -> Cow<'_, str> {
        Cow::Owned(Value::Number(self.0).to_canonical())
    }

    fn to_number(&self) -> Cow<'_, serde_json::Number> {
        Cow::Owned(number(self.0).unwrap_or_else(|| 0.into()))
    }

    fn is_integer(&self) -> bool {
        self.0.is_finite() && self.0.fract() == 0.0
    }

    fn is_written_as_integer(&self) -> bool {
        self.is_integer()
    }
}

/// A double as the crate's schemas hold it; whole numbers as integers. None for an infinity.
pub(super) fn number(value: f64) -> Option<serde_json::Number> {
    let double = Double(value);
    match (double.as_u64(), double.as_i64()) {
        (Some(n), _) => Some(n.into()),
        (None, Some(n)) => Some(n.into()),
        (None, None) => serde_json::Number::from_f64(value),
    }
}

/// How deep values are copied: deeper than judging goes, and not so deep that dropping the copy could run out of stack.
const MAX_COPIED: u32 = 1_024;

/// A value as the crate holds one; what it cannot hold, and what is deeper than `depth`, is null.
pub(super) fn converted(value: &Value, depth: u32) -> serde_json::Value {
    match value {
        _ if depth == 0 => serde_json::Value::Null,
        Value::Null => serde_json::Value::Null,
        Value::Bool(b) => (*b).into(),
        Value::Number(n) => number(*n).map_or(serde_json::Value::Null, serde_json::Value::Number),
        Value::String(text) => text.to_well_formed().into_owned().into(),
        Value::Array(items) => items.iter().map(|item| converted(item, depth - 1)).collect(),
        Value::Object(object) => {
            let members = object.entries().iter();
            let members = members.map(|(key, value)| (key.to_well_formed().into_owned(), converted(value, depth - 1)));
            serde_json::Value::Object(members.collect())
        }
    }
}

impl<'a> Node<'a, Ours> for Probe<'a> {
    type Object = Members<'a>;
    type Array = Elements<'a>;
    type Number = Double;

    fn as_object(&self) -> Option<Members<'a>> {
        match self.look()? {
            Value::Object(object) => Some(Members { object, probe: *self }),
            _ => None,
        }
    }

    fn as_array(&self) -> Option<Elements<'a>> {
        match self.look()? {
            Value::Array(items) => Some(Elements { items, probe: *self }),
            _ => None,
        }
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match self.look()? {
            Value::String(text) => Some(text.to_well_formed()),
            _ => None,
        }
    }

    fn as_number(&self) -> Option<Double> {
        match self.look()? {
            Value::Number(n) => Some(Double(*n)),
            _ => None,
        }
    }

    fn as_boolean(&self) -> Option<bool> {
        match self.look()? {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    fn is_null(&self) -> bool {
        matches!(self.look(), None | Some(Value::Null))
    }

    fn is_string(&self) -> bool {
        matches!(self.look(), Some(Value::String(_)))
    }

    fn json_type(&self) -> JsonType {
        match self.look() {
            None | Some(Value::Null) => JsonType::Null,
            Some(Value::Bool(_)) => JsonType::Boolean,
            Some(Value::Number(_)) => JsonType::Number,
            Some(Value::String(_)) => JsonType::String,
            Some(Value::Array(_)) => JsonType::Array,
            Some(Value::Object(_)) => JsonType::Object,
        }
    }

    fn equals_value(&self, expected: &serde_json::Value) -> bool {
        self.look().is_some_and(|value| equals(value, expected))
    }

    /// Only ever put into errors, of which no values are read: a container would be copied for nothing, except as
    /// [`Budget`] says.
    fn to_value(&self) -> Cow<'a, serde_json::Value> {
        let whole = self.depth == 0 && self.budget.is_some_and(|budget| budget.patterns);
        Cow::Owned(match self.value {
            Value::String(text) => serde_json::Value::String(text.to_well_formed().into_owned()),
            value if whole => converted(value, MAX_COPIED),
            _ => serde_json::Value::Null,
        })
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Some(NodeIdentity::new(std::ptr::from_ref(self.value).addr()))
    }
}

/// Equality with a value of the schema, which is at most as deep as schemas may be: the depth of the other does not matter.
fn equals(value: &Value, expected: &serde_json::Value) -> bool {
    match (value, expected) {
        (Value::Null, serde_json::Value::Null) => true,
        (Value::Bool(a), serde_json::Value::Bool(b)) => a == b,
        // Both sides are doubles: the schema's numbers were.
        (Value::Number(a), serde_json::Value::Number(b)) => number(*a).is_some_and(|a| a == *b),
        (Value::String(a), serde_json::Value::String(b)) => a == b.as_str(),
        (Value::Array(a), serde_json::Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equals(a, b)),
        (Value::Object(a), serde_json::Value::Object(b)) => {
            a.len() == b.len()
                && a.entries()
                    .iter()
                    .all(|(key, value)| key.as_str().and_then(|key| b.get(key)).is_some_and(|expected| equals(value, expected)))
        }
        _ => false,
    }
}

/// The members of an object under judgement.
pub(super) struct Members<'a> {
    object: &'a Object,
    probe: Probe<'a>,
}

impl<'a> jsonschema::json::Object<'a, Ours> for Members<'a> {
    type Node = Probe<'a>;
    type MemberName = Cow<'a, str>;
    type MembersIter = MembersIter<'a>;

    fn len(&self) -> usize {
        self.object.len()
    }

    fn get(&self, key: &Box<[u8]>) -> Option<Probe<'a>> {
        Some(self.probe.inside(self.object.get(key)?))
    }

    fn members(&self) -> MembersIter<'a> {
        MembersIter { entries: self.object.entries().iter(), probe: self.probe }
    }
}

/// Goes over the members of an object.
pub(super) struct MembersIter<'a> {
    entries: std::slice::Iter<'a, (JsString, Value)>,
    probe: Probe<'a>,
}

impl<'a> Iterator for MembersIter<'a> {
    type Item = (Cow<'a, str>, Probe<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.probe.look()?;
        let (key, value) = self.entries.next()?;
        Some((key.to_well_formed(), self.probe.inside(value)))
    }
}

/// The elements of an array under judgement.
pub(super) struct Elements<'a> {
    items: &'a [Value],
    probe: Probe<'a>,
}

impl<'a> Array<'a, Ours> for Elements<'a> {
    type Node = Probe<'a>;
    type ElementsIter = ElementsIter<'a>;

    fn len(&self) -> usize {
        self.items.len()
    }

    fn elements(&self) -> ElementsIter<'a> {
        ElementsIter { items: self.items.iter(), probe: self.probe }
    }

    fn is_unique(&self) -> bool {
        let mut seen = HashSet::with_capacity(self.items.len());
        self.items.iter().all(|item| seen.insert(item.to_canonical()))
    }
}

/// Goes over the elements of an array.
pub(super) struct ElementsIter<'a> {
    items: std::slice::Iter<'a, Value>,
    probe: Probe<'a>,
}

impl<'a> Iterator for ElementsIter<'a> {
    type Item = Probe<'a>;

    fn next(&mut self) -> Option<Probe<'a>> {
        self.probe.look()?;
        Some(self.probe.inside(self.items.next()?))
    }
}
