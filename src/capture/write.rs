//! Writing calls in our own format (`docs/capture-format.md`).

use super::call::Call;
use crate::definition::Origin;
use crate::gate::Arguments;
use crate::json::{JsString, Object, Value};

/// The call as one line of our own format, without a line end. The line is valid Unicode: lone surrogates are escapes in it.
///
/// Reading the line gives the same call again, except for its [`place`](Call::place), and for arguments that are the JSON value
/// `null` or a JSON string, which are absent and a text in a capture.
#[must_use]
pub fn write_call(call: &Call) -> String {
    let text = |text: &Option<String>| text.as_deref().map(Value::from);
    let result = call
        .result
        .as_ref()
        .map(|result| Value::from([("is_error", Value::from(result.is_error)), ("text", Value::from(result.text.as_str()))]));
    let members = [
        ("id", text(&call.id)),
        ("at", text(&call.at)),
        ("session", text(&call.session)),
        ("model", text(&call.model)),
        ("tool", Some(Value::from(call.tool.as_str()))),
        ("arguments", arguments(&call.arguments)),
        ("input", call.input.name().map(Value::from)),
        ("finish_reason", text(&call.finish_reason)),
        ("origin", call.origin.map(Origin::name).map(Value::from)),
        ("sidechain", call.sidechain.then_some(Value::Bool(true))),
        ("pending", call.pending.then_some(Value::Bool(true))),
        ("result", result),
        ("parent", text(&call.parent)),
        ("note", text(&call.note)),
    ];
    let present = members.into_iter().filter_map(|(key, value)| Some((JsString::from(key), value?)));
    exact_json(Value::Object(present.collect::<Object>()))
}

/// The JSON of a value, with numbers too large for a double as such. `JSON.stringify` makes them `null`, which would be another
/// call: `1e400` is a number to the gate (rule G4).
fn exact_json(mut value: Value) -> String {
    if !replace_infinite(&mut value, None) {
        return value.to_json();
    }
    // Texts that stand nowhere else take their places until the JSON is written.
    let plain = value.to_json();
    let unused = (0_u32..).map(|n| format!("number {n} too large")).find(|mark| !plain.contains(mark.as_str()));
    let mark = unused.unwrap_or_default();
    replace_infinite(&mut value, Some(&mark));
    value.to_json().replace(&format!("\"+{mark}\""), "1e999").replace(&format!("\"-{mark}\""), "-1e999")
}

/// Whether there are infinite numbers; with a mark, they are replaced by it and their sign.
fn replace_infinite(value: &mut Value, mark: Option<&str>) -> bool {
    let mut found = false;
    let mut work = vec![value];
    while let Some(value) = work.pop() {
        match value {
            Value::Number(n) if n.is_infinite() => {
                found = true;
                if let Some(mark) = mark {
                    *value = Value::from(format!("{}{mark}", if *n > 0.0 { '+' } else { '-' }));
                }
            }
            Value::Array(items) => work.extend(items),
            Value::Object(object) => work.extend(object.entries_mut().map(|(_, value)| value)),
            _ => {}
        }
    }
    found
}

fn arguments(arguments: &Arguments) -> Option<Value> {
    match arguments {
        Arguments::Absent => None,
        Arguments::Text(text) => Some(Value::String(text.clone())),
        Arguments::Json(value) => Some(value.clone()),
    }
}
