//! OpenAI Responses: calls and results are items, told apart by `type`.

use super::about::{About, id};
use super::{LIKELY, SURE};
use crate::capture::call::InputKind;
use crate::capture::event::{CallEvent, Event, RawOutcome, ResultEvent, text};
use crate::json::{Kind, View};
use std::borrow::Cow;

/// How surely an object is of this form.
pub(super) fn weigh(value: View<'_>) -> u32 {
    match text(value, "type").as_deref() {
        Some(kind) if kind.starts_with("response.") => SURE,
        Some(kind) if input_kind(kind).is_some() || is_output(kind) => SURE,
        _ if value.get("object").is_some_and(|object| object.is("response")) => SURE,
        Some("message") if value.get("content").is_some_and(|content| content.items().any(is_text)) => LIKELY * 2,
        _ => 0,
    }
}

fn is_text(block: View<'_>) -> bool {
    matches!(text(block, "type").as_deref(), Some("input_text" | "output_text"))
}

/// What kind of call an item type is. All but functions have an input of the provider's own making.
pub(super) fn input_kind(item_type: &str) -> Option<InputKind> {
    match item_type {
        "function_call" => Some(InputKind::Json),
        "custom_tool_call" => Some(InputKind::FreeText),
        "mcp_call" | "local_shell_call" | "web_search_call" | "tool_search_call" | "shell_call" | "apply_patch_call" => {
            Some(InputKind::ProviderRun)
        }
        _ => None,
    }
}

fn is_output(item_type: &str) -> bool {
    item_type.ends_with("_call_output") || item_type == "tool_search_output"
}

/// Reads an item, if it is one.
pub(in super::super) fn item<'a>(item: View<'a>, about: &About<'a>, out: &mut dyn FnMut(Event<'_>)) -> bool {
    let Some(kind) = text(item, "type") else { return false };
    if is_output(&kind) {
        let outcome = RawOutcome { is_error: None, text: item.get("output").into() };
        out(Event::Result(ResultEvent { id: id(item, "call_id"), tool: None, outcome }));
        return true;
    }
    let Some(input) = input_kind(&kind) else { return false };
    let Some(tool) = text(item, "name").or_else(|| (kind != "function_call").then(|| kind.clone())) else { return false };
    let call = CallEvent {
        id: id(item, "call_id").or_else(|| id(item, "id")),
        input,
        result: if kind == "mcp_call" { inline_result(item) } else { None },
        ..CallEvent::new(item, tool, arguments(item).into())
    };
    out(Event::Call(about.on(call)));
    true
}

pub(super) fn arguments(item: View<'_>) -> Option<View<'_>> {
    ["arguments", "input", "action", "operation"].iter().find_map(|key| item.get(key))
}

/// The provider runs MCP calls itself, and puts the answer into the item.
fn inline_result(item: View<'_>) -> Option<RawOutcome<'_>> {
    let filled = |key| item.get(key).filter(|value| value.kind() != Kind::Null);
    let error = filled("error");
    let answer = error.or_else(|| filled("output"))?;
    Some(RawOutcome { is_error: Some(error.is_some()), text: Some(answer).into() })
}

/// The type of an item in the form in which it is known to be a call.
pub(super) fn call_type(item: View<'_>) -> Option<(Cow<'_, str>, InputKind)> {
    let kind = text(item, "type")?;
    let input = input_kind(&kind)?;
    Some((kind, input))
}
