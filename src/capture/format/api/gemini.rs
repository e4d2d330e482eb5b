//! Gemini API: calls are parts with `functionCall`, results are parts with `functionResponse`; both also in snake case.

use super::about::{About, id};
use super::{LIKELY, SURE, weigh_plain};
use crate::capture::event::{CallEvent, Event, RawOutcome, ResultEvent, text};
use crate::json::{Kind, View};

/// How surely an object is of this form.
pub(super) fn weigh(value: View<'_>) -> u32 {
    if call_of(value).is_some() || response_of(value).is_some() {
        SURE
    } else if value.get("candidates").is_some_and(|candidates| candidates.kind() == Kind::Array) {
        LIKELY * 3
    } else {
        weigh_plain(value, "parts") * 2
    }
}

fn call_of(part: View<'_>) -> Option<View<'_>> {
    // A chat message of the old form has `function_call` too, with `arguments`.
    let is_call = |call: &View<'_>| text(*call, "name").is_some() && call.get("arguments").is_none();
    part.get("functionCall").or_else(|| part.get("function_call")).filter(is_call)
}

fn response_of(part: View<'_>) -> Option<View<'_>> {
    part.get("functionResponse").or_else(|| part.get("function_response")).filter(|r| r.kind() == Kind::Object)
}

/// Reads a part, if it is one.
pub(super) fn part<'a>(part: View<'a>, about: &About<'a>, out: &mut dyn FnMut(Event<'_>)) -> bool {
    if let Some(call) = call_of(part)
        && let Some(tool) = text(call, "name")
    {
        let event = CallEvent { id: id(call, "id"), ..CallEvent::new(call, tool, call.get("args").into()) };
        out(Event::Call(about.on(event)));
        return true;
    }
    let Some(response) = response_of(part) else { return false };
    let answer = response.get("response");
    let error = answer.and_then(|answer| answer.get("error"));
    let outcome = RawOutcome { is_error: Some(error.is_some()), text: error.or_else(|| answer.map(output)).into() };
    out(Event::Result(ResultEvent { id: id(response, "id"), tool: text(response, "name"), outcome }));
    true
}

/// What the tool said: mostly the only member of the response.
pub(in super::super) fn output(answer: View<'_>) -> View<'_> {
    ["output", "result", "content"].iter().find_map(|key| answer.get(key)).unwrap_or(answer)
}
