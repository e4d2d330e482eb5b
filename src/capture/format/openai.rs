//! OpenAI chat completions: arrays of messages with `role`, or documents and lines that hold such arrays or response `choices`.
//!
//! People wrap these in many ways (requests, responses, task records, logs), so messages are looked for in the whole value,
//! in the order in which they stand there, and never inside a message.

use super::{Format, LIKELY, SURE, State};
use crate::capture::call::InputKind;
use crate::capture::event::{CallEvent, Event, RawOutcome, ResultEvent, text};
use crate::capture::time;
use crate::json::{Kind, View};
use std::borrow::Cow;

pub(super) struct OpenAiChat;

/// How deep messages are looked for; real wrappers need five levels.
const DEPTH: usize = 12;

impl Format for OpenAiChat {
    fn name(&self) -> &'static str {
        "openai-chat"
    }

    fn title(&self) -> &'static str {
        "OpenAI chat"
    }

    fn weigh(&self, value: View<'_>) -> u32 {
        let mut weight = 0;
        find(value, &About::default(), DEPTH, &mut |found| {
            weight = weight.max(match found {
                Found::Message(message, _) if message.get("tool_calls").is_some_and(|calls| calls.items().any(is_call)) => SURE,
                Found::Message(message, _) if message.get("tool_call_id").is_some() => SURE,
                Found::Message(message, _) if message.get("content").is_some() => LIKELY,
                Found::Message(..) | Found::Array => 0,
            });
        });
        weight
    }

    fn read(&self, value: View<'_>, _: &mut State, out: &mut dyn FnMut(Event<'_>)) -> Result<(), &'static str> {
        find(value, &About::default(), DEPTH, &mut |found| match found {
            Found::Array => out(Event::Conversation),
            Found::Message(message, about) => read_message(message, about, out),
        });
        Ok(())
    }
}

/// What is known of a message from what it stands in.
#[derive(Clone, Default)]
struct About<'a> {
    model: Option<Cow<'a, str>>,
    at: Option<Cow<'a, str>>,
    session: Option<Cow<'a, str>>,
    finish_reason: Option<Cow<'a, str>>,
}

impl<'a> About<'a> {
    fn within(&self, object: View<'a>) -> Self {
        let time = ["timestamp", "created_at", "created"].iter().find_map(|key| {
            let time = object.get(key)?;
            time.str().or_else(|| time.number().and_then(time::from_number).map(Cow::Owned))
        });
        Self {
            model: text(object, "model").or_else(|| self.model.clone()),
            at: time.or_else(|| self.at.clone()),
            session: text(object, "session_id").or_else(|| self.session.clone()),
            finish_reason: text(object, "finish_reason").or_else(|| self.finish_reason.clone()),
        }
    }
}

enum Found<'a, 'b> {
    /// An array that holds messages: a conversation of its own.
    Array,
    Message(View<'a>, &'b About<'a>),
}

/// Visits every message in a value, in order.
fn find<'a>(value: View<'a>, about: &About<'a>, depth: usize, visit: &mut dyn FnMut(Found<'a, '_>)) {
    if depth == 0 {
        return;
    }
    match value.kind() {
        Kind::Array => {
            if value.items().next().is_some_and(is_message) {
                visit(Found::Array);
            }
            value.items().for_each(|item| find(item, about, depth - 1, visit));
        }
        Kind::Object if is_message(value) => visit(Found::Message(value, about)),
        Kind::Object if value.children().any(|child| child.kind().is_container()) => {
            let about = about.within(value);
            value.children().filter(|child| child.kind().is_container()).for_each(|child| find(child, &about, depth - 1, visit));
        }
        _ => {}
    }
}

/// A message has a role, or (in logs of outputs) calls without one. What streams send piece by piece (`delta`) has neither, or
/// is no whole call.
fn is_message(value: View<'_>) -> bool {
    let calls = || value.get("tool_calls").is_some_and(|calls| calls.items().any(is_call));
    match value.get("role") {
        Some(role) => role.kind() == Kind::String,
        None => value.key_str().as_deref() != Some("delta") && calls(),
    }
}

fn is_call(value: View<'_>) -> bool {
    ["function", "custom"].iter().any(|key| value.get(key).is_some_and(|f| text(f, "name").is_some()))
}

fn read_message<'a>(message: View<'a>, about: &About<'a>, out: &mut dyn FnMut(Event<'_>)) {
    match text(message, "role").as_deref() {
        None | Some("assistant") => {
            let about = about.within(message);
            let calls = message.get("tool_calls").into_iter().flat_map(View::items);
            calls.for_each(|call| read_call(call, &about, out));
            // The form before tools, without ids.
            if let Some(call) = message.get("function_call").filter(|call| call.kind() == Kind::Object)
                && let Some(tool) = text(call, "name")
            {
                out(Event::Call(with(about, CallEvent::new(call, tool, call.get("arguments").into()))));
            }
        }
        Some("tool" | "function") => {
            let ids = message.get("tool_call_ids").into_iter().flat_map(View::items).filter_map(View::str);
            let ids: Vec<_> = text(message, "tool_call_id").into_iter().chain(ids).map(Some).collect();
            let nobody = if ids.is_empty() { vec![None] } else { Vec::new() };
            for id in ids.into_iter().chain(nobody) {
                let content = message.get("content");
                let outcome = RawOutcome { is_error: content.and_then(nested_flag), text: content.into() };
                out(Event::Result(ResultEvent { id, tool: text(message, "name"), outcome }));
            }
        }
        Some(_) => {}
    }
}

fn read_call<'a>(call: View<'a>, about: &About<'a>, out: &mut dyn FnMut(Event<'_>)) {
    let (inner, input) = match (call.get("function"), call.get("custom")) {
        (Some(function), _) => (function, InputKind::Json),
        (None, Some(custom)) => (custom, InputKind::FreeText),
        (None, None) => return,
    };
    let Some(tool) = text(inner, "name") else { return };
    let arguments = inner.get(if input == InputKind::Json { "arguments" } else { "input" });
    let event = CallEvent { id: text(call, "id"), input, ..CallEvent::new(call, tool, arguments.into()) };
    out(Event::Call(with(about.clone(), event)));
}

fn with<'a>(about: About<'a>, call: CallEvent<'a>) -> CallEvent<'a> {
    let About { model, at, session, finish_reason } = about;
    CallEvent { at, session, model, finish_reason, ..call }
}

/// The flag of an MCP result that was put into the content as Python shows it: the `isError=` of the outermost result, which
/// stands at the end, behind any texts that may show others.
fn nested_flag(content: View<'_>) -> Option<bool> {
    let content = content.str()?;
    let content = content.trim_end();
    let is_result = content.starts_with("meta=") || content.starts_with("content=") || content.starts_with("CallToolResult(");
    let rest = content.strip_suffix(')').unwrap_or(content);
    match rest.rsplit_once("isError=")?.1 {
        "True" if is_result => Some(true),
        "False" if is_result => Some(false),
        _ => None,
    }
}
