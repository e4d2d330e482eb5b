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
    Value::Object(present.collect::<Object>()).to_exact_json()
}

fn arguments(arguments: &Arguments) -> Option<Value> {
    match arguments {
        Arguments::Absent => None,
        Arguments::Text(text) => Some(Value::String(text.clone())),
        Arguments::Json(value) => Some(value.clone()),
    }
}
