//! A call that was accepted and is rejected now: made by hand, tried on both gates, and made small.

use super::change::Change;
use super::places::{Hop, PlaceId, Places};
use super::side::{Root, Side};
use crate::gate::{Gate, Issue, Verdict};
use crate::json::{JsString, Object, Value};

/// How deep a value is made up from its schema.
const MAX_DEPTH: usize = 12;
/// How many tries are made for one finding.
const MAX_TRIES: usize = 64;
/// An example that is longer explains nothing.
const MAX_LENGTH: usize = 300;

/// Both gates and the names under which they know the tool, and the change that has to be the reason.
pub(crate) struct Trial<'a> {
    pub before: (&'a Gate, &'a str),
    pub after: (&'a Gate, &'a str),
    /// Whether an issue comes from the change.
    pub is_cause: &'a dyn Fn(&Issue) -> bool,
}

impl Trial<'_> {
    /// Whether a call was right before and, for this change, is not any more.
    pub fn lost(&self, arguments: &Value) -> bool {
        let passes = |verdict: &Verdict| {
            let kind = verdict.kind;
            matches!(kind, crate::gate::VerdictKind::Accepted | crate::gate::VerdictKind::PassedThrough)
                && verdict.advice.is_empty()
        };
        passes(&self.before.0.judge_value(self.before.1, arguments)) && {
            let verdict = self.after.0.judge_value(self.after.1, arguments);
            verdict.issues.iter().chain(&verdict.advice).any(self.is_cause)
        }
    }
}

/// The smallest call found that a change takes away.
pub(crate) fn smallest(
    change: &Change,
    places: &Places,
    schemas: &[(&Value, &Value)],
    trial: &Trial<'_>,
    recorded: Option<&Value>,
) -> Option<Value> {
    let root = Root(schemas.first()?.0);
    let make = |place: PlaceId, value: Value| planted(root, places, schemas, place, value);
    let before = schemas.get(change.place)?.0;
    let mut tries: Vec<Value> = Vec::new();
    let smallest = minimal(root, before, 0);
    for probe in probes(change, root, before, &smallest) {
        tries.extend(make(change.place, probe));
    }
    tries.extend(recorded.cloned());
    let lost = tries.into_iter().take(MAX_TRIES).filter(|call| trial.lost(call));
    let shortest = lost.map(|call| shrink(call, trial)).min_by_key(|call| call.to_json().len())?;
    (shortest.to_json().len() <= MAX_LENGTH).then_some(shortest)
}

/// Values for the place of a change that may have been right before and not after.
fn probes(change: &Change, root: Root<'_>, before: &Value, made: &Value) -> Vec<Value> {
    use super::change::Touch;
    let with = |name: &str, value: Value| put(made, name, value);
    let property = |name: &str| before.get("properties").and_then(|p| p.get(name));
    match &change.touch {
        Touch::Key(name) | Touch::Renamed(name, _) => {
            let value = property(name).map_or_else(|| Value::from("a"), |schema| minimal(root, schema, 0));
            vec![with(name, value)]
        }
        Touch::Within(name) if !name.is_empty() => {
            let sent = change.probes.iter().map(|probe| with(name, probe.clone()));
            std::iter::once(made.clone()).chain(sent).collect()
        }
        Touch::AnyKey => {
            let merged = change.probes.iter().filter_map(Value::as_object).map(|probe| merge(made, probe));
            merged.chain(std::iter::once(made.clone())).collect()
        }
        _ => change.probes.iter().cloned().chain([made.clone()]).collect(),
    }
}

/// A whole call in which a value stands at a place; what is around it is as small as the old schemas allow.
fn planted(root: Root<'_>, places: &Places, schemas: &[(&Value, &Value)], place: PlaceId, value: Value) -> Option<Value> {
    let mut value = value;
    for (from, hop) in places.chain(place).into_iter().rev() {
        let around = minimal(root, schemas.get(from)?.0, 0);
        value = match hop {
            Hop::Key(key) => put(&around, key, value),
            Hop::AnyKey => put(&around, "other", value),
            Hop::Same => match &value {
                Value::Object(object) => merge(&around, object),
                _ => value,
            },
            Hop::AnyIndex => {
                let count = around.as_array().map_or(1, <[Value]>::len).clamp(1, 8);
                Value::Array(vec![value; count])
            }
            Hop::Index(index) => {
                let mut items: Vec<Value> = around.as_array().map(<[Value]>::to_vec).unwrap_or_default();
                if items.len() <= *index {
                    items.resize_with((*index).min(64) + 1, || Value::Null);
                }
                if let Some(place) = items.get_mut(*index) {
                    *place = value;
                }
                Value::Array(items)
            }
        };
    }
    Some(value)
}

fn put(object: &Value, key: &str, value: Value) -> Value {
    let one: Object = std::iter::once((JsString::from(key), value)).collect();
    merge(object, &one)
}

/// An object's members with those of another over them.
fn merge(object: &Value, over: &Object) -> Value {
    let own = object.as_object().map(Object::entries).unwrap_or_default();
    Value::Object(own.iter().chain(over.entries()).map(|(key, value)| (key.clone(), value.clone())).collect())
}

/// Leaves out whatever an example does not need.
fn shrink(call: Value, trial: &Trial<'_>) -> Value {
    let mut call = call;
    let keys: Vec<JsString> =
        call.as_object().map(|object| object.entries().iter().map(|(key, _)| key.clone()).collect()).unwrap_or_default();
    for key in keys.into_iter().take(MAX_TRIES) {
        let Some(object) = call.as_object() else { break };
        let rest = object.entries().iter().filter(|(k, _)| *k != key);
        let smaller = Value::Object(rest.map(|(k, v)| (k.clone(), v.clone())).collect());
        if trial.lost(&smaller) {
            call = smaller;
        }
    }
    call
}

/// A small value that fits a schema, as far as that shows without a search.
pub(crate) fn minimal(root: Root<'_>, schema: &Value, depth: usize) -> Value {
    let side = Side::new(root, schema, "", true);
    if let Some(value) = side.get("const") {
        return value.clone();
    }
    if let Some(value) = side.array("enum").and_then(<[Value]>::first) {
        return value.clone();
    }
    if depth > MAX_DEPTH {
        return Value::Null;
    }
    let branch = side.union("anyOf").or_else(|| side.union("oneOf")).and_then(|branches| branches.into_iter().next());
    let first = match side.get("type") {
        Some(Value::Array(names)) => names.first(),
        name => name,
    };
    let name = first.and_then(Value::as_string).map(ToString::to_string);
    match (name.as_deref(), branch) {
        (None, Some((branch, _))) => minimal(root, branch, depth + 1),
        (Some("string"), _) => text(&side),
        (Some("number" | "integer"), _) => number(&side),
        (Some("boolean"), _) => Value::Bool(false),
        (Some("null"), _) => Value::Null,
        (Some("array"), _) => {
            let least = side.number("minItems").unwrap_or(0.0).clamp(0.0, 4.0);
            let item = side.get("items").map_or(Value::Null, |items| minimal(root, items, depth + 1));
            Value::Array((0..4_u32).take_while(|i| f64::from(*i) < least).map(|_| item.clone()).collect())
        }
        (_, branch) => {
            let made = object(root, &side, depth);
            match branch {
                Some((branch, _)) => match minimal(root, branch, depth + 1).as_object() {
                    Some(inner) => merge(&made, inner),
                    None => made,
                },
                None => made,
            }
        }
    }
}

fn object(root: Root<'_>, side: &Side<'_>, depth: usize) -> Value {
    let required = side.array("required").unwrap_or_default().iter().filter_map(Value::as_string);
    let properties = side.object("properties");
    let members = required.map(|name| {
        let schema = properties.and_then(|p| p.get(name.as_bytes()));
        (name.clone(), schema.map_or_else(|| Value::from("a"), |schema| minimal(root, schema, depth + 1)))
    });
    Value::Object(members.collect())
}

/// A short text: one that the schema itself shows, where it wants a certain form.
fn text(side: &Side<'_>) -> Value {
    let shown = [side.array("examples").and_then(<[Value]>::first), side.get("default")];
    let wants_form = side.get("pattern").is_some() || side.get("format").is_some();
    if let (true, Some(value)) = (wants_form, shown.into_iter().flatten().find(|v| v.as_string().is_some())) {
        return value.clone();
    }
    let least = side.number("minLength").unwrap_or(1.0).clamp(1.0, 64.0);
    let most = side.number("maxLength").unwrap_or(64.0).max(0.0);
    let count = (0..64_u32).take_while(|i| f64::from(*i) < least.min(most)).count();
    Value::from("a".repeat(count))
}

fn number(side: &Side<'_>) -> Value {
    let low = side.number("minimum").or_else(|| side.number("exclusiveMinimum").map(|n| n.floor() + 1.0));
    let high = side.number("maximum").or_else(|| side.number("exclusiveMaximum").map(|n| n.ceil() - 1.0));
    let start = match (low, high) {
        (Some(low), _) if low > 0.0 => low,
        (_, Some(high)) if high < 0.0 => high,
        _ => 0.0,
    };
    let step = side.number("multipleOf").filter(|n| *n > 0.0);
    Value::Number(step.map_or(start, |step| (start / step).ceil() * step))
}
