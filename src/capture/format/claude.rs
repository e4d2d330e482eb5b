//! Claude Code transcripts and its `stream-json` output: JSON lines with `type` and `message`.
//!
//! - One message of the model is often written over several lines with the same `message.id`, a block each.
//! - Messages of subagents stand in files of their own with `isSidechain`, or wrapped in `progress` lines at `data.message`;
//!   the copies in `data.normalizedMessages` are not read. In `stream-json` they have a `parent_tool_use_id`.
//! - Where the model's input was not JSON, the transcript holds `{"__unparsedToolInput":{"raw":"…","len":N}}`: the raw text is
//!   what the model passed.

use super::{Format, LIKELY, SURE, State};
use crate::capture::call::InputKind;
use crate::capture::event::{CallEvent, Event, RawOutcome, ResultEvent, flag, text};
use crate::json::{Kind, View};
use std::borrow::Cow;

pub(super) struct Claude;

/// Line types that carry no message.
const OTHER_LINES: [&str; 5] = ["summary", "system", "file-history-snapshot", "queue-operation", "result"];

impl Format for Claude {
    fn name(&self) -> &'static str {
        "claude-code"
    }

    fn title(&self) -> &'static str {
        "Claude Code"
    }

    fn weigh(&self, value: View<'_>) -> u32 {
        let Some(kind) = text(value, "type") else { return 0 };
        let session = ["sessionId", "session_id", "uuid", "leafUuid", "messageId"].iter().any(|key| value.get(key).is_some());
        match &*kind {
            "user" | "assistant" if value.get("message").is_some_and(|m| m.get("role").is_some()) => SURE,
            "progress" if value.get("data").is_some() && session => SURE,
            kind if session && OTHER_LINES.contains(&kind) => LIKELY,
            _ => 0,
        }
    }

    fn read(&self, value: View<'_>, _: &mut State, out: &mut dyn FnMut(Event<'_>)) -> Result<(), &'static str> {
        let Some(kind) = value.get("type") else { return Ok(()) };
        let line = Line { outer: value, inner: value, sidechain: flag(value, "isSidechain") || has_parent(value) };
        if kind.is("progress") {
            if let Some(inner) = value.get("data").and_then(|data| data.get("message")) {
                message(&Line { inner, sidechain: true, ..line }, out);
            }
        } else {
            message(&line, out);
        }
        Ok(())
    }
}

/// In `stream-json`, messages of a subagent name the call that started it.
fn has_parent(value: View<'_>) -> bool {
    value.get("parent_tool_use_id").is_some_and(|id| id.kind() == Kind::String)
}

/// A line, and the part of it that has `type` and `message`: the line itself, or what a `progress` line wraps.
struct Line<'a> {
    outer: View<'a>,
    inner: View<'a>,
    sidechain: bool,
}

fn message<'a>(line: &Line<'a>, out: &mut dyn FnMut(Event<'_>)) {
    let (Some(kind), Some(message)) = (line.inner.get("type"), line.inner.get("message")) else { return };
    let assistant = kind.is("assistant");
    if !assistant && !kind.is("user") {
        return;
    }
    for block in message.get("content").into_iter().flat_map(View::items) {
        let Some(kind) = text(block, "type") else { continue };
        match &*kind {
            "tool_use" if assistant => out_call(line, message, block, InputKind::Json, out),
            "server_tool_use" | "mcp_tool_use" if assistant => out_call(line, message, block, InputKind::ProviderRun, out),
            kind if kind.ends_with("tool_result") => out(Event::Result(ResultEvent {
                id: text(block, "tool_use_id"),
                tool: None,
                outcome: RawOutcome { is_error: Some(flag(block, "is_error")), text: block.get("content").into() },
            })),
            _ => {}
        }
    }
}

fn out_call<'a>(line: &Line<'a>, message: View<'a>, block: View<'a>, input: InputKind, out: &mut dyn FnMut(Event<'_>)) {
    let Some(tool) = text(block, "name") else { return };
    let session = |key| text(line.outer, key);
    out(Event::Call(CallEvent {
        id: text(block, "id"),
        at: text(line.inner, "timestamp").or_else(|| text(line.outer, "timestamp")),
        session: session("sessionId").or_else(|| session("session_id")),
        model: text(message, "model"),
        finish_reason: text(message, "stop_reason"),
        sidechain: line.sidechain,
        input,
        ..CallEvent::new(block, tool, super::claude::input(block).into())
    }));
}

/// The input, or the raw text that stands for one that was not JSON.
pub(super) fn input(block: View<'_>) -> Option<View<'_>> {
    let input = block.get("input")?;
    let mut members = input.children();
    let unparsed = match (input.kind(), members.next(), members.next()) {
        (Kind::Object, Some(only), None) if only.key_str() == Some(Cow::Borrowed("__unparsedToolInput")) => Some(only),
        _ => None,
    };
    let raw = unparsed.and_then(|u| u.get("raw").or(Some(u))).filter(|raw| raw.kind() == Kind::String);
    Some(raw.unwrap_or(input))
}
