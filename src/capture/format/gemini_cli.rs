//! Gemini CLI: saved sessions (a document, or a message a line), and the lines of its `stream-json` output.

use super::{Format, LIKELY, SURE, State};
use crate::capture::event::{CallEvent, Event, RawOutcome, RawText, ResultEvent, text};
use crate::json::{Kind, View};
use std::borrow::Cow;

/// A session. Calls stand in `toolCalls` of messages of type `gemini`, with their results. A message is written again when it
/// changes.
pub(super) struct Session;

impl Format for Session {
    fn name(&self) -> &'static str {
        "gemini-cli-session"
    }

    fn title(&self) -> &'static str {
        "Gemini CLI session"
    }

    fn weigh(&self, value: View<'_>) -> u32 {
        let is_gemini = |message: View<'_>| message.get("type").is_some_and(|kind| kind.is("gemini"));
        if value.get("sessionId").is_some() && value.get("messages").is_some_and(|m| m.items().any(is_gemini)) {
            return SURE;
        }
        if is_gemini(value) || value.get("toolCalls").is_some() {
            return SURE;
        }
        if value.get("sessionId").is_some() && value.get("projectHash").is_some() { LIKELY * 2 } else { 0 }
    }

    fn read(&self, value: View<'_>, state: &mut State, out: &mut dyn FnMut(Event<'_>)) -> Result<(), &'static str> {
        if let Some(session) = text(value, "sessionId") {
            state.context.session = Some(session.into_owned());
        }
        let session = state.context.session.as_deref();
        match value.get("messages") {
            Some(messages) => messages.items().for_each(|message| message_calls(message, session, out)),
            None => message_calls(value, session, out),
        }
        Ok(())
    }
}

fn message_calls(message: View<'_>, session: Option<&str>, out: &mut dyn FnMut(Event<'_>)) {
    for call in message.get("toolCalls").into_iter().flat_map(View::items) {
        let Some(tool) = text(call, "name") else { continue };
        out(Event::Call(CallEvent {
            id: text(call, "id"),
            at: text(call, "timestamp").or_else(|| text(message, "timestamp")),
            session: session.map(Cow::Borrowed),
            model: text(message, "model"),
            result: outcome(call),
            ..CallEvent::new(call, tool, call.get("args").into())
        }));
    }
}

fn outcome(call: View<'_>) -> Option<RawOutcome<'_>> {
    let result = call.get("result").filter(|result| result.kind() != Kind::Null)?;
    let response = match result.items().next() {
        Some(part) => part.at_pointer("/functionResponse/response").unwrap_or(part),
        None => result,
    };
    let said = ["output", "error"].iter().find_map(|key| response.get(key)).unwrap_or(response);
    Some(RawOutcome { is_error: Some(is_error(call)), text: RawText::View(said) })
}

fn is_error(value: View<'_>) -> bool {
    value.get("status").is_some_and(|status| status.is("error"))
}

/// The lines of `--output-format stream-json`.
pub(super) struct Stream;

impl Format for Stream {
    fn name(&self) -> &'static str {
        "gemini-cli-stream"
    }

    fn title(&self) -> &'static str {
        "Gemini CLI stream"
    }

    fn weigh(&self, value: View<'_>) -> u32 {
        match text(value, "type").as_deref() {
            Some("tool_use") if value.get("tool_name").is_some() => SURE,
            Some("tool_result") if value.get("tool_id").is_some() => SURE,
            Some("init") if value.get("session_id").is_some() => LIKELY * 2,
            Some("message") if value.get("role").is_some() && value.get("content").is_some() => LIKELY + 1,
            _ => 0,
        }
    }

    fn read(&self, value: View<'_>, state: &mut State, out: &mut dyn FnMut(Event<'_>)) -> Result<(), &'static str> {
        let known = &mut state.context;
        match text(value, "type").as_deref() {
            Some("init") => {
                known.session = text(value, "session_id").map(Cow::into_owned);
                known.model = text(value, "model").map(Cow::into_owned);
            }
            Some("tool_use") => {
                let Some(tool) = text(value, "tool_name") else { return Ok(()) };
                out(Event::Call(CallEvent {
                    id: text(value, "tool_id"),
                    at: text(value, "timestamp"),
                    session: known.session.as_deref().map(Cow::Borrowed),
                    model: known.model.as_deref().map(Cow::Borrowed),
                    ..CallEvent::new(value, tool, value.get("parameters").into())
                }));
            }
            Some("tool_result") => {
                let said = value.get("output").filter(|output| !output.is("")).or_else(|| value.at_pointer("/error/message"));
                let outcome = RawOutcome { is_error: Some(is_error(value)), text: said.into() };
                out(Event::Result(ResultEvent { id: text(value, "tool_id"), tool: None, outcome }));
            }
            _ => {}
        }
        Ok(())
    }
}
