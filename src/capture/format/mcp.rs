//! MCP traffic: JSON-RPC messages, a line each, bare or inside what an inspector or a proxy puts around them.
//!
//! A call is a request `tools/call`, its result the response with the same id; the result of `tools/list` holds definitions.
//! With `initialize` another connection begins, in which ids are given out anew.

use super::api::{id, time_of};
use super::{Format, SURE, State};
use crate::capture::event::{CallEvent, Event, RawOutcome, RawText, ResultEvent, Spot, flag, text};
use crate::json::{Kind, Tree, View};
use std::borrow::Cow;

pub(super) struct Mcp;

/// How deep messages are looked for.
const DEPTH: usize = 6;

impl Format for Mcp {
    fn name(&self) -> &'static str {
        "mcp-jsonrpc"
    }

    fn title(&self) -> &'static str {
        "MCP traffic"
    }

    fn weigh(&self, value: View<'_>) -> u32 {
        // Most values are of other formats, and need not be gone through for that.
        if memchr::memmem::find(value.raw(), b"jsonrpc").is_none() {
            return 0;
        }
        let mut weight = 0;
        each_message(value, &Around::default(), DEPTH, &mut |message, _| {
            let method = text(message, "method");
            let known = method.is_some_and(|m| {
                ["tools/", "initialize", "notifications/", "ping", "resources/", "prompts/"].iter().any(|s| m.starts_with(s))
            });
            weight = weight.max(if known { SURE + 2 } else { SURE / 2 });
        });
        weight
    }

    fn is_log(&self) -> bool {
        true
    }

    fn value_in(&self, line: &[u8]) -> Option<usize> {
        memchr::memmem::find(line, b"\"jsonrpc\"")?;
        memchr::memchr(b'{', line)
    }

    fn read(&self, value: View<'_>, state: &mut State, out: &mut dyn FnMut(Event<'_>)) -> Result<(), &'static str> {
        let around = Around { at: state.log_time.as_deref().map(Cow::Borrowed), ..Around::default() };
        each_message(value, &around, DEPTH, &mut |message, around| read_message(message, around, out));
        Ok(())
    }
}

/// What is around a message.
#[derive(Clone, Default)]
struct Around<'a> {
    at: Option<Cow<'a, str>>,
    session: Option<Cow<'a, str>>,
    /// Where the string stands that the message is in.
    spot: Option<Spot>,
    /// The answer to a message that is kept together with it, so that neither has an id.
    response: Option<View<'a>>,
}

impl<'a> Around<'a> {
    fn within(&self, object: View<'a>) -> Self {
        let at = ["timestamp", "time", "ts", "at"].iter().find_map(|key| object.get(key).and_then(time_of));
        let session = ["session_id", "sessionId", "session"].iter().find_map(|key| text(object, key));
        Self { at: at.or_else(|| self.at.clone()), session: session.or_else(|| self.session.clone()), ..self.clone() }
    }
}

/// Finds every message, in strings too.
fn each_message(value: View<'_>, around: &Around<'_>, depth: usize, found: &mut dyn FnMut(View<'_>, &Around<'_>)) {
    if depth == 0 {
        return;
    }
    match value.kind() {
        Kind::Object if value.get("jsonrpc").is_some() => found(value, around),
        Kind::Object => {
            let around = around.within(value);
            if let (Some(request), Some(response)) = (value.get("request"), value.get("response"))
                && value.children().all(|child| child.get("jsonrpc").is_none())
            {
                exchange(request, response, &around, found);
                return;
            }
            value.children().for_each(|child| each_message(child, &around, depth - 1, found));
        }
        Kind::Array => value.items().for_each(|item| each_message(item, around, depth - 1, found)),
        Kind::String => {
            in_string(value, &mut |inner| {
                let around = Around { spot: Some(around.spot.unwrap_or_else(|| Spot::of(value))), ..around.clone() };
                if inner.get("jsonrpc").is_some() || inner.kind() == Kind::Array {
                    each_message(inner, &around, depth - 1, found);
                }
            });
        }
        _ => {}
    }
}

/// Parses a string that holds JSON, if it does.
fn in_string(value: View<'_>, found: &mut dyn FnMut(View<'_>)) {
    let Some(string) = value.string() else { return };
    let bytes = string.as_bytes();
    if !matches!(crate::json::trim(bytes), [b'{' | b'[', ..]) {
        return;
    }
    if let Ok(tree) = Tree::parse(bytes) {
        found(tree.root(bytes));
    }
}

/// A request and its response as an inspector keeps them: objects or strings, without ids.
fn exchange(request: View<'_>, response: View<'_>, around: &Around<'_>, found: &mut dyn FnMut(View<'_>, &Around<'_>)) {
    let mut with_request = |request: View<'_>, spot: Option<Spot>| {
        if request.get("method").is_none() {
            return;
        }
        let mut with_response = |response: Option<View<'_>>| {
            let around = Around { at: around.at.clone(), session: around.session.clone(), spot, response };
            found(request, &around);
        };
        if response.kind() == Kind::String {
            let mut parsed = false;
            in_string(response, &mut |inner| {
                parsed = true;
                with_response(Some(inner));
            });
            if !parsed {
                with_response(None);
            }
        } else {
            with_response(Some(response));
        }
    };
    if request.kind() == Kind::String {
        in_string(request, &mut |inner| with_request(inner, Some(Spot::of(request))));
    } else {
        with_request(request, None);
    }
}

fn read_message(message: View<'_>, around: &Around<'_>, out: &mut dyn FnMut(Event<'_>)) {
    let spot = around.spot.unwrap_or_else(|| Spot::of(message));
    match text(message, "method").as_deref() {
        Some("initialize") => out(Event::Connection),
        Some("tools/call") => {
            let Some(parameters) = message.get("params") else { return };
            let Some(tool) = text(parameters, "name") else { return };
            let result =
                around.response.map(|response| outcome(response.get("result").unwrap_or(response), response.get("error")));
            out(Event::Call(CallEvent {
                id: id(message, "id"),
                at: around.at.clone(),
                session: around.session.clone(),
                result,
                spot,
                ..CallEvent::new(message, tool, parameters.get("arguments").into())
            }));
        }
        Some("tools/list") => {
            if let Some(response) = around.response {
                definitions(response.get("result").unwrap_or(response), spot, out);
            }
        }
        Some(_) => {}
        None => {
            let result = message.get("result");
            if let Some(result) = result {
                definitions(result, spot, out);
            }
            let error = message.get("error").filter(|error| error.kind() != Kind::Null);
            // The answer to a request of the server's own (sampling) has one block, and no list.
            let has_list = |r: View<'_>| r.get("content").is_some_and(|content| content.kind() == Kind::Array);
            let is_answer = error.is_some() || result.is_some_and(|r| has_list(r) || r.get("structuredContent").is_some());
            if is_answer {
                let outcome = outcome(result.unwrap_or(message), error);
                out(Event::Result(ResultEvent { id: id(message, "id"), tool: None, outcome }));
            }
        }
    }
}

fn definitions(result: View<'_>, spot: Spot, out: &mut dyn FnMut(Event<'_>)) {
    if let Some(tools) = result.get("tools").filter(|tools| tools.kind() == Kind::Array) {
        out(Event::Definitions(tools, spot));
    }
}

fn outcome<'a>(result: View<'a>, error: Option<View<'a>>) -> RawOutcome<'a> {
    if let Some(error) = error.filter(|error| error.kind() != Kind::Null) {
        return RawOutcome { is_error: Some(true), text: RawText::View(error.get("message").unwrap_or(error)) };
    }
    RawOutcome { is_error: Some(flag(result, "isError")), text: RawText::View(result.get("content").unwrap_or(result)) }
}
