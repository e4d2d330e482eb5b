//! OpenAI chat completions: messages with `role`; calls are elements of `tool_calls`, results are messages of role `tool`.

use super::about::About;
use super::{LIKELY, SURE, weigh_plain};
use crate::capture::call::InputKind;
use crate::capture::event::{CallEvent, Event, RawOutcome, ResultEvent, text};
use crate::json::{Kind, View};

/// How surely an object is of this form.
pub(super) fn weigh(value: View<'_>) -> u32 {
    let calls = value.get("tool_calls").is_some_and(|calls| calls.items().any(is_call));
    let legacy = value.get("function_call").is_some_and(|call| call.get("arguments").is_some());
    let streamed = value.get("choices").is_some_and(|choices| choices.items().any(|choice| choice.get("delta").is_some()));
    let response = value.get("choices").is_some_and(|choices| choices.items().any(|choice| choice.get("message").is_some()));
    if calls || legacy || streamed || value.get("tool_call_id").is_some() {
        SURE
    } else if response {
        LIKELY * 2
    } else {
        weigh_plain(value, "content")
    }
}

/// A message has a role, or (in logs of outputs) calls without one.
pub(super) fn is_message(value: View<'_>) -> bool {
    match value.get("role") {
        Some(role) => role.kind() == Kind::String,
        None => value.get("tool_calls").is_some_and(|calls| calls.items().any(is_call)),
    }
}

fn is_call(value: View<'_>) -> bool {
    parts(value).is_some()
}

/// The object with the name, what kind of input it has, and under which key.
fn parts(call: View<'_>) -> Option<(View<'_>, InputKind, &'static str)> {
    let named = |inner: &View<'_>| text(*inner, "name").is_some();
    if let Some(function) = call.get("function").filter(named) {
        return Some((function, InputKind::Json, "arguments"));
    }
    if let Some(custom) = call.get("custom").filter(named) {
        return Some((custom, InputKind::FreeText, "input"));
    }
    // Frameworks leave the inner object out.
    let flat = ["arguments", "args"].into_iter().find(|key| call.get(key).is_some())?;
    Some((call, InputKind::Json, flat)).filter(|_| named(&call))
}

/// Reads a message; whether it held anything of this form, and so has no blocks of another.
pub(in super::super) fn read_message<'a>(message: View<'a>, about: &About<'a>, out: &mut dyn FnMut(Event<'_>)) -> bool {
    match text(message, "role").as_deref() {
        None | Some("assistant") => {
            let about = about.within(message);
            let mut found = false;
            for call in message.get("tool_calls").into_iter().flat_map(View::items) {
                found |= read_call(call, &about, out);
            }
            // The form before tools, without ids.
            if let Some(call) = message.get("function_call").filter(|call| call.get("arguments").is_some())
                && let Some(tool) = text(call, "name")
            {
                found = true;
                out(Event::Call(about.on(CallEvent::new(call, tool, call.get("arguments").into()))));
            }
            found && !has_blocks(message)
        }
        Some("tool" | "function") => {
            let ids = message.get("tool_call_ids").into_iter().flat_map(View::items).filter_map(View::str);
            let mut ids: Vec<_> = text(message, "tool_call_id").into_iter().chain(ids).map(Some).collect();
            if ids.is_empty() {
                if has_blocks(message) {
                    return false;
                }
                ids.push(None);
            }
            for id in ids {
                let content = message.get("content");
                let outcome = RawOutcome { is_error: content.and_then(nested_flag), text: content.into() };
                out(Event::Result(ResultEvent { id, tool: text(message, "name"), outcome }));
            }
            true
        }
        Some(_) => false,
    }
}

/// Content that may hold blocks of other forms.
fn has_blocks(message: View<'_>) -> bool {
    ["content", "parts"].iter().any(|key| message.get(key).is_some_and(|blocks| blocks.kind() == Kind::Array))
}

fn read_call<'a>(call: View<'a>, about: &About<'a>, out: &mut dyn FnMut(Event<'_>)) -> bool {
    let Some((inner, input, key)) = parts(call) else { return false };
    let Some(tool) = text(inner, "name") else { return false };
    let arguments = inner.get(key);
    let event = CallEvent { id: text(call, "id"), input, ..CallEvent::new(call, tool, arguments.into()) };
    out(Event::Call(about.on(event)));
    true
}

/// The flag of an MCP result that was put into the content as Python shows it: the `isError=` of the outermost result, which
/// stands at the end, behind any texts that may show others.
fn nested_flag(content: View<'_>) -> Option<bool> {
    let content = content.str()?;
    let content = content.trim_end();
    let is_result = ["meta=", "content=", "CallToolResult("].iter().any(|start| content.starts_with(start));
    let rest = content.strip_suffix(')').unwrap_or(content);
    match rest.rsplit_once("isError=")?.1 {
        "True" if is_result => Some(true),
        "False" if is_result => Some(false),
        _ => None,
    }
}
