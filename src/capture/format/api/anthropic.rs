//! Anthropic Messages: calls are content blocks of type `tool_use` and its kin, results are blocks of type `tool_result`.

use super::about::About;
use super::{LIKELY, SURE, weigh_plain};
use crate::capture::call::InputKind;
use crate::capture::event::{CallEvent, Event, RawOutcome, ResultEvent, flag, text};
use crate::json::View;

/// How surely an object is of this form.
pub(super) fn weigh(value: View<'_>) -> u32 {
    let kind = text(value, "type");
    match kind.as_deref() {
        Some("tool_use" | "server_tool_use" | "mcp_tool_use") if value.get("input").is_some() => SURE,
        Some("content_block_start" | "content_block_delta" | "message_start") => SURE,
        Some(kind) if kind.ends_with("tool_result") && value.get("tool_use_id").is_some() => SURE,
        Some("message") if value.get("stop_reason").is_some() => LIKELY * 3,
        _ if value.get("messages").is_some() && value.get("system").is_some() => LIKELY * 2,
        // As sure of it as a chat is, which comes first.
        _ => weigh_plain(value, "content"),
    }
}

/// What kind of call a block type is.
pub(super) fn input_kind(block_type: &str) -> Option<InputKind> {
    match block_type {
        "tool_use" => Some(InputKind::Json),
        "server_tool_use" | "mcp_tool_use" => Some(InputKind::ProviderRun),
        _ => None,
    }
}

/// Reads a content block, if it is one.
pub(super) fn block<'a>(block: View<'a>, about: &About<'a>, out: &mut dyn FnMut(Event<'_>)) -> bool {
    let Some(kind) = text(block, "type") else { return false };
    if let Some(input) = input_kind(&kind) {
        let (Some(tool), Some(arguments)) = (text(block, "name"), block.get("input")) else { return false };
        let call = CallEvent { id: text(block, "id"), input, ..CallEvent::new(block, tool, Some(arguments).into()) };
        out(Event::Call(about.on(call)));
        return true;
    }
    let Some(id) = text(block, "tool_use_id").filter(|_| kind.ends_with("tool_result")) else { return false };
    let outcome = RawOutcome { is_error: Some(flag(block, "is_error")), text: block.get("content").into() };
    out(Event::Result(ResultEvent { id: Some(id), tool: None, outcome }));
    true
}
