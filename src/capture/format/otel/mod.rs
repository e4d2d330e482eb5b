//! Spans of OpenTelemetry: OTLP as JSON, and the JSON that SDKs write.
//!
//! A call is a span of the operation `execute_tool`, or one that names a tool. Conventions differ in the names of attributes:
//! `gen_ai.*` (OpenTelemetry), `tool.name` with `input.value` (`OpenInference`), `traceloop.*`. Only where there is no such
//! span, calls are taken from the [messages] of the requests to the model: spans seldom say which of these calls they are about.

mod messages;

use super::api::time_of;
use super::{Format, LIKELY, SURE, State};
use crate::capture::event::{CallEvent, Event, RawArguments, RawOutcome, text};
use crate::json::{Kind, View};
use std::borrow::Cow;

pub(super) struct Otel;

/// How deep spans are looked for.
const DEPTH: usize = 12;

const TOOL: [&str; 2] = ["gen_ai.tool.name", "tool.name"];
const ARGUMENTS: [&str; 5] =
    ["gen_ai.tool.call.arguments", "gen_ai.tool.args", "tool_arguments", "input.value", "traceloop.entity.input"];
const CALL_ID: [&str; 2] = ["gen_ai.tool.call.id", "tool_call.id"];
const RESULT: [&str; 5] =
    ["gen_ai.tool.call.result", "gen_ai.output", "tool_response", "output.value", "traceloop.entity.output"];
const MODEL: [&str; 3] = ["gen_ai.request.model", "gen_ai.response.model", "llm.model_name"];
const SESSION: [&str; 2] = ["gen_ai.conversation.id", "session.id"];

impl Format for Otel {
    fn name(&self) -> &'static str {
        "otel-genai"
    }

    fn title(&self) -> &'static str {
        "OpenTelemetry spans"
    }

    fn weigh(&self, value: View<'_>) -> u32 {
        let mut weight = if value.get("resourceSpans").is_some() { SURE } else { 0 };
        each_span(value, DEPTH, &mut |span| {
            weight = weight.max(if is_span(span) { SURE } else { LIKELY });
        });
        weight
    }

    fn read(&self, value: View<'_>, _: &mut State, out: &mut dyn FnMut(Event<'_>)) -> Result<(), &'static str> {
        let mut tools = false;
        each_span(value, DEPTH, &mut |span| {
            if let Some(tool) = tool_of(span) {
                tools = true;
                read_span(span, tool, out);
            }
        });
        if !tools {
            each_span(value, DEPTH, &mut |span| messages::read(span, &|| call(span, "".into()), out));
        }
        Ok(())
    }
}

fn is_span(value: View<'_>) -> bool {
    let identified = value.get("spanId").or_else(|| value.get("span_id")).or_else(|| value.get("context")).is_some();
    value.get("attributes").is_some() && value.get("name").is_some() && identified
}

/// Every span below `spans`, or a span that stands by itself.
fn each_span<'a>(value: View<'a>, depth: usize, found: &mut dyn FnMut(View<'a>)) {
    if depth == 0 {
        return;
    }
    match value.kind() {
        Kind::Object if is_span(value) => found(value),
        Kind::Object => {
            const WITHIN: [&str; 8] = [
                "resourceSpans",
                "resource_spans",
                "scopeSpans",
                "scope_spans",
                "instrumentationLibrarySpans",
                "spans",
                "data",
                "batches",
            ];
            for child in value.children().filter(|child| child.key_str().is_some_and(|key| WITHIN.contains(&&*key))) {
                each_span(child, depth - 1, found);
            }
        }
        Kind::Array => value.items().for_each(|item| each_span(item, depth - 1, found)),
        _ => {}
    }
}

fn tool_of(span: View<'_>) -> Option<Cow<'_, str>> {
    string(Attributes::of(span), &TOOL).or_else(|| tool_of_name(span))
}

fn read_span<'a>(span: View<'a>, tool: Cow<'a, str>, out: &mut dyn FnMut(Event<'_>)) {
    let attributes = Attributes::of(span);
    let context = span.get("context").unwrap_or(span);
    let span_id = ["span_id", "spanId"].iter().find_map(|key| number_or_text(context.get(key)?));
    let result = first(attributes, &RESULT);
    out(Event::Call(CallEvent {
        id: string(attributes, &CALL_ID).or(span_id),
        arguments: first(attributes, &ARGUMENTS).into(),
        result: result.map(|result| RawOutcome { is_error: Some(failed(span)), text: Some(result).into() }),
        ..call(span, tool)
    }));
}

/// A call of which no more is known than the span tells.
fn call<'a>(span: View<'a>, tool: Cow<'a, str>) -> CallEvent<'a> {
    let attributes = Attributes::of(span);
    CallEvent {
        at: ["start_time", "startTimeUnixNano", "startTime"].iter().find_map(|key| start_time(span.get(key)?)),
        session: string(attributes, &SESSION),
        model: string(attributes, &MODEL),
        ..CallEvent::new(span, tool, RawArguments::Absent)
    }
}

/// A span of the operation that does not name the tool has it in its name: `execute_tool NAME`.
fn tool_of_name(span: View<'_>) -> Option<Cow<'_, str>> {
    let name = text(span, "name")?;
    let tool = name.strip_prefix("execute_tool ")?;
    Some(Cow::Owned(tool.to_owned()))
}

/// The attributes of a span or of an event: members of an object, or elements of OTLP's list of keys and typed values.
#[derive(Clone, Copy)]
struct Attributes<'a>(Option<View<'a>>);

/// The value of an attribute.
#[derive(Clone, Copy)]
struct Value<'a> {
    view: View<'a>,
    /// It is the member of a typed value of OTLP, whose key tells its type.
    is_typed: bool,
}

impl<'a> Attributes<'a> {
    fn of(span: View<'a>) -> Self {
        Self(span.get("attributes"))
    }

    fn get(self, name: &str) -> Option<Value<'a>> {
        let attributes = self.0?;
        if attributes.kind() == Kind::Object {
            return attributes.get(name).map(|view| Value { view, is_typed: false });
        }
        let entry = attributes.items().find(|entry| entry.get("key").is_some_and(|key| key.is(name)))?;
        typed(entry)
    }

    fn each(self, found: &mut dyn FnMut(&str, Value<'a>)) {
        for entry in self.0.into_iter().flat_map(View::children) {
            match entry.key_str() {
                Some(name) => found(&name, Value { view: entry, is_typed: false }),
                None => {
                    if let (Some(name), Some(value)) = (text(entry, "key"), typed(entry)) {
                        found(&name, value);
                    }
                }
            }
        }
    }
}

/// `{"stringValue": …}` and the like: one member.
fn typed(entry: View<'_>) -> Option<Value<'_>> {
    let view = entry.get("value")?.children().next()?;
    Some(Value { view, is_typed: true })
}

/// The first of these attributes that is there.
fn first<'a>(attributes: Attributes<'a>, names: &[&str]) -> Option<View<'a>> {
    names.iter().find_map(|name| attributes.get(name)).map(|value| value.view)
}

fn string<'a>(attributes: Attributes<'a>, names: &[&str]) -> Option<Cow<'a, str>> {
    first(attributes, names).and_then(View::str)
}

fn failed(span: View<'_>) -> bool {
    let Some(status) = span.get("status") else { return false };
    let code = status.get("status_code").or_else(|| status.get("code")).unwrap_or(status);
    match code.str() {
        Some(code) => code.eq_ignore_ascii_case("error") || code == "STATUS_CODE_ERROR",
        // OTLP's number for it.
        None => code.number() == Some(2.0),
    }
}

fn number_or_text(value: View<'_>) -> Option<Cow<'_, str>> {
    match value.kind() {
        // Ids of 64 bits: as they stand, not as the nearest double.
        Kind::Number => Some(crate::json::to_well_formed(value.raw())),
        _ => value.str(),
    }
}

/// OTLP gives nanoseconds in a string.
fn start_time(value: View<'_>) -> Option<Cow<'_, str>> {
    match value.str().and_then(|text| text.parse::<f64>().ok()) {
        Some(nanoseconds) => crate::capture::time::from_number(nanoseconds).map(Cow::Owned),
        None => time_of(value),
    }
}
