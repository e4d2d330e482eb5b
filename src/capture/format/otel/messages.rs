//! Calls in the messages that spans of a model's requests carry: what the model answered, and what it was given.
//!
//! Messages stand in one attribute (`gen_ai.output.messages`: structured, or as JSON text), in attributes of their own for each
//! field (`gen_ai.completion.0.tool_calls.0.name` of `OpenLLMetry`, `llm.output_messages.0.message…` of `OpenInference`), or in
//! events of the span. What the model was given repeats the conversation: there a call counts only by its id.

use super::{Attributes, Value, string};
use crate::capture::call::InputKind;
use crate::capture::event::{CallEvent, Event, RawOutcome, ResultEvent, Spot, text};
use crate::capture::hash;
use crate::json::{Kind, Tree, View};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Whether the messages are what the model was given, or its answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Given,
    Answered,
}

const GIVEN: &str = "gen_ai.input.messages";
const ANSWERED: &str = "gen_ai.output.messages";

/// The names of attributes of which each is one field of a message; behind the name come the message's number and the field's path.
const FLAT: [(&str, Side); 4] = [
    ("gen_ai.prompt.", Side::Given),
    ("gen_ai.completion.", Side::Answered),
    ("llm.input_messages.", Side::Given),
    ("llm.output_messages.", Side::Answered),
];

/// Reads the messages of a span; `about` is a call of which nothing but the span's own attributes is known.
pub(super) fn read<'a>(span: View<'a>, about: &dyn Fn() -> CallEvent<'a>, out: &mut dyn FnMut(Event<'_>)) {
    let mut reader = Reader { about, out, spot: Spot::of(span) };
    let attributes = Attributes::of(span);
    reader.attributes(attributes);
    let flat = flat_messages(attributes);
    for ((side, _), message) in &flat {
        reader.flat(*side, message);
    }
    for event in span.get("events").into_iter().flat_map(View::items) {
        reader.event(event);
    }
}

struct Reader<'r, 'a, 'o> {
    about: &'r dyn Fn() -> CallEvent<'a>,
    out: &'r mut (dyn FnMut(Event<'_>) + 'o),
    spot: Spot,
}

/// A call, wherever its parts stood.
struct Found<'v> {
    tool: Cow<'v, str>,
    id: Option<Cow<'v, str>>,
    arguments: Option<View<'v>>,
    input: InputKind,
    finish_reason: Option<Cow<'v, str>>,
}

impl Reader<'_, '_, '_> {
    fn attributes(&mut self, attributes: Attributes<'_>) {
        for (name, side) in [(GIVEN, Side::Given), (ANSWERED, Side::Answered)] {
            if let Some(value) = attributes.get(name) {
                self.spot = value.spot();
                self.text(side, &value.json());
            }
        }
    }

    /// Messages as JSON.
    fn text(&mut self, side: Side, json: &[u8]) {
        let Ok(tree) = Tree::parse(json) else { return };
        let root = tree.root(json);
        match root.kind() {
            Kind::Array => root.items().for_each(|message| self.message(side, message)),
            _ => self.message(side, root),
        }
    }

    fn message(&mut self, side: Side, message: View<'_>) {
        let finish_reason = || text(message, "finish_reason").filter(|_| side == Side::Answered);
        for part in message.get("parts").into_iter().flat_map(View::items) {
            let (input, arguments) = match text(part, "type").as_deref() {
                Some("tool_call") => (InputKind::Json, "arguments"),
                Some("server_tool_call") => (InputKind::ProviderRun, "server_tool_call"),
                Some("tool_call_response") => {
                    self.result(text(part, "id"), text(part, "name"), part.get("response").or_else(|| part.get("result")));
                    continue;
                }
                _ => continue,
            };
            if let Some(tool) = text(part, "name") {
                let (id, arguments) = (text(part, "id"), part.get(arguments));
                self.call(side, Found { tool, id, arguments, input, finish_reason: finish_reason() });
            }
        }
        // As the API of OpenAI has it.
        for call in message.get("tool_calls").into_iter().flat_map(View::items) {
            let function = call.get("function").unwrap_or(call);
            if let Some(tool) = text(function, "name") {
                let (id, arguments) = (text(call, "id"), function.get("arguments"));
                self.call(side, Found { tool, id, arguments, input: InputKind::Json, finish_reason: finish_reason() });
            }
        }
        if let Some(id) = text(message, "tool_call_id") {
            self.result(Some(id), text(message, "name"), message.get("content"));
        }
    }

    fn flat(&mut self, side: Side, message: &Flat<'_>) {
        for call in message.calls.values() {
            if let Some(tool) = call.name.and_then(Value::text) {
                self.spot = call.name.map_or(self.spot, Value::spot);
                let (id, finish_reason) = (call.id.and_then(Value::text), message.finish_reason.and_then(Value::text));
                let arguments = call.arguments.map(|arguments| arguments.view);
                self.call(side, Found { tool, id, arguments, input: InputKind::Json, finish_reason });
            }
        }
        if let Some(id) = message.answers.and_then(Value::text) {
            self.result(Some(id), None, message.content.map(|content| content.view));
        }
    }

    /// Conventions before messages were attributes: an event for each message.
    fn event(&mut self, event: View<'_>) {
        let attributes = Attributes::of(event);
        self.spot = Spot::of(event);
        self.attributes(attributes);
        match text(event, "name").as_deref() {
            Some("gen_ai.choice") => {
                if let Some(message) = attributes.get("message").or_else(|| attributes.get("gen_ai.event.content")) {
                    self.text(Side::Answered, &message.json());
                }
                if let Some(calls) = attributes.get("tool_calls") {
                    self.calls(Side::Answered, &calls.json());
                }
            }
            Some("gen_ai.assistant.message") => {
                if let Some(calls) = attributes.get("tool_calls") {
                    self.calls(Side::Given, &calls.json());
                }
            }
            Some("gen_ai.tool.message") => {
                let content = attributes.get("content").map(|content| content.view);
                self.result(string(attributes, &["id", "gen_ai.tool.call.id"]), None, content);
            }
            _ => {}
        }
    }

    fn calls(&mut self, side: Side, json: &[u8]) {
        self.text(side, &[b"{\"tool_calls\":", json, b"}"].concat());
    }

    fn call(&mut self, side: Side, found: Found<'_>) {
        let id = found.id.filter(|id| !id.is_empty());
        if side == Side::Given && id.is_none() {
            return;
        }
        (self.out)(Event::Call(CallEvent {
            tool: found.tool,
            id,
            arguments: found.arguments.into(),
            input: found.input,
            finish_reason: found.finish_reason,
            spot: self.spot,
            ..(self.about)()
        }));
    }

    fn result(&mut self, id: Option<Cow<'_, str>>, tool: Option<Cow<'_, str>>, content: Option<View<'_>>) {
        if id.is_some() {
            let outcome = RawOutcome { is_error: None, text: content.into() };
            (self.out)(Event::Result(ResultEvent { id, tool, outcome }));
        }
    }
}

/// A message of which every field is an attribute.
#[derive(Default)]
struct Flat<'a> {
    calls: BTreeMap<u32, FlatCall<'a>>,
    /// The id of the call that it answers.
    answers: Option<Value<'a>>,
    content: Option<Value<'a>>,
    finish_reason: Option<Value<'a>>,
}

#[derive(Default)]
struct FlatCall<'a> {
    id: Option<Value<'a>>,
    name: Option<Value<'a>>,
    arguments: Option<Value<'a>>,
}

fn flat_messages(attributes: Attributes<'_>) -> BTreeMap<(Side, u32), Flat<'_>> {
    let mut messages: BTreeMap<_, Flat<'_>> = BTreeMap::new();
    attributes.each(&mut |name, value| {
        let Some((side, rest)) = FLAT.iter().find_map(|(start, side)| Some((*side, name.strip_prefix(start)?))) else { return };
        let Some((number, path)) = numbered(rest) else { return };
        let path = path.strip_prefix("message.").unwrap_or(path);
        let message = || (side, number);
        match path.strip_prefix("tool_calls.").and_then(numbered) {
            Some((call, field)) => {
                let call = messages.entry(message()).or_default().calls.entry(call).or_default();
                match field.strip_prefix("tool_call.").unwrap_or(field).trim_start_matches("function.") {
                    "id" => call.id = Some(value),
                    "name" => call.name = Some(value),
                    "arguments" => call.arguments = Some(value),
                    _ => {}
                }
            }
            None => match path {
                "tool_call_id" => messages.entry(message()).or_default().answers = Some(value),
                "content" => messages.entry(message()).or_default().content = Some(value),
                "finish_reason" => messages.entry(message()).or_default().finish_reason = Some(value),
                _ => {}
            },
        }
    });
    messages
}

/// `3.rest` as its number and what follows.
fn numbered(path: &str) -> Option<(u32, &str)> {
    let (number, rest) = path.split_once('.')?;
    Some((number.parse().ok()?, rest))
}

impl<'a> Value<'a> {
    fn spot(self) -> Spot {
        Spot::of(self.view)
    }

    fn text(self) -> Option<Cow<'a, str>> {
        self.view.str()
    }

    /// The JSON that it holds: as text, structured as it stands, or in OTLP's typed values.
    fn json(self) -> Cow<'a, [u8]> {
        match self.view.kind() {
            Kind::String => hash::text_of(self.view),
            _ if self.is_typed => {
                let mut out = String::new();
                push_typed(self.view.key_str().as_deref(), self.view, super::DEPTH * 4, &mut out);
                Cow::Owned(out.into_bytes())
            }
            _ => Cow::Borrowed(self.view.raw()),
        }
    }
}

/// Appends the plain JSON of a typed value of OTLP (`{"kvlistValue": {"values": […]}}`), whose member is `view` under `kind`.
fn push_typed(kind: Option<&str>, view: View<'_>, depth: usize, out: &mut String) {
    let member = |value: View<'_>, out: &mut String| match value.children().next() {
        Some(inner) if depth > 0 => push_typed(inner.key_str().as_deref(), inner, depth - 1, out),
        _ => out.push_str("null"),
    };
    let values = || view.get("values").into_iter().flat_map(View::items);
    match kind {
        Some("arrayValue") => {
            out.push('[');
            for (n, value) in values().enumerate() {
                out.push_str(if n > 0 { "," } else { "" });
                member(value, out);
            }
            out.push(']');
        }
        Some("kvlistValue") => {
            out.push('{');
            for (n, entry) in values().enumerate() {
                out.push_str(if n > 0 { "," } else { "" });
                let key = entry.get("key").and_then(View::str).unwrap_or_default();
                out.push_str(&crate::json::quote(key.as_bytes()));
                out.push(':');
                match entry.get("value") {
                    Some(value) => member(value, out),
                    None => out.push_str("null"),
                }
            }
            out.push('}');
        }
        // Integers of 64 bits are texts there.
        Some("intValue") if view.kind() == Kind::String => out.push_str(&view.str().unwrap_or_default()),
        _ => out.push_str(&crate::json::to_well_formed(view.raw())),
    }
}
