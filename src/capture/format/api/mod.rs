//! Requests to the APIs of model providers, and their responses.
//!
//! People wrap these in many ways (arrays of messages, request logs, task records), and gateways mix the providers' forms, so
//! the parts that hold calls and results are known by themselves, wherever they stand: a message with `tool_calls`, a
//! `tool_use` block, a `function_call` item, a `functionCall`, a `toolUse`. They are looked for in the whole value, in the
//! order in which they stand there, and never inside one another. Which provider a file is of is only its name.

mod about;
mod anthropic;
mod assemble;
mod bedrock;
mod body;
mod chat;
mod gemini;
mod responses;

pub(super) use about::{About, id, time_of};
pub(crate) use assemble::Assembler;
pub(super) use body::read_body;
pub(super) use chat::read_message as read_chat_message;
pub(super) use responses::item as read_responses_item;

use super::{Format, LIKELY, SURE, State};
use crate::capture::event::{CallEvent, Event, Spot, Start, text};
use crate::json::{Kind, View};
use std::borrow::Cow;

/// One provider's form.
pub(crate) struct Api {
    name: &'static str,
    title: &'static str,
    /// How surely an object is of this form.
    weigh: fn(View<'_>) -> u32,
}

pub(crate) static OPENAI_CHAT: Api = Api { name: "openai-chat", title: "OpenAI chat", weigh: chat::weigh };
pub(crate) static OPENAI_RESPONSES: Api = Api { name: "openai-responses", title: "OpenAI Responses", weigh: responses::weigh };
pub(crate) static ANTHROPIC: Api = Api { name: "anthropic-messages", title: "Anthropic Messages", weigh: anthropic::weigh };
pub(crate) static GEMINI: Api = Api { name: "gemini", title: "Gemini API", weigh: gemini::weigh };
pub(crate) static BEDROCK: Api = Api { name: "bedrock-converse", title: "Bedrock Converse", weigh: bedrock::weigh };

/// How deep parts are looked for; real wrappers need five levels.
pub(super) const DEPTH: usize = 16;

/// How many objects are weighed: a document may be large, and its first messages show what it is.
const WEIGHED: usize = 2000;

impl Api {
    /// The weight of an object by itself.
    pub(super) fn weigh_object(&self, value: View<'_>) -> u32 {
        (self.weigh)(value)
    }
}

impl Format for Api {
    fn name(&self) -> &'static str {
        self.name
    }

    fn title(&self) -> &'static str {
        self.title
    }

    fn weigh(&self, value: View<'_>) -> u32 {
        let mut left = WEIGHED;
        weigh_within(value, self.weigh, DEPTH, &mut left)
    }

    fn read(&self, value: View<'_>, state: &mut State, out: &mut dyn FnMut(Event<'_>)) -> Result<(), &'static str> {
        let State { stream, unit, context, .. } = state;
        let place = unit.map_or(Where::Document, Where::Line);
        stream.resume(context.model.as_ref());
        Walk { out, place, stream, splits: true }.visit(value, &About::default(), DEPTH);
        context.model = stream.model().cloned();
        Ok(())
    }
}

/// The greatest weight of any object in a value.
fn weigh_within(value: View<'_>, weigh: fn(View<'_>) -> u32, depth: usize, left: &mut usize) -> u32 {
    if depth == 0 || *left == 0 || !value.kind().is_container() {
        return 0;
    }
    *left -= 1;
    let mut weight = if value.kind() == Kind::Object { weigh(value) } else { 0 };
    for child in value.children() {
        if weight >= SURE {
            break;
        }
        weight = weight.max(weigh_within(child, weigh, depth - 1, left));
    }
    weight
}

/// Where the text stands that is being walked.
#[derive(Clone, Copy)]
pub(super) enum Where<'a> {
    /// It is the unit itself, a document.
    Document,
    /// It is the unit itself, a line.
    Line(Start),
    /// It is the inside of a string that starts there; lines in it are lines below.
    Inside { at: usize, below: u32, text: &'a [u8] },
}

impl Where<'_> {
    fn spot(self, view: View<'_>) -> Spot {
        match self {
            Self::Document | Self::Line(_) => Spot::of(view),
            Self::Inside { at, below, text } => {
                let lines = memchr::memchr_iter(b'\n', &text[..view.span().start.min(text.len())]).count();
                Spot::Here { at, below: below.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX)) }
            }
        }
    }
}

/// Looks for calls, results and definitions in a value.
pub(super) struct Walk<'w, 'o> {
    pub out: &'o mut dyn FnMut(Event<'_>),
    pub place: Where<'w>,
    pub stream: &'o mut Assembler,
    /// An array of messages is a conversation of its own (in an exchange, it is only a part of one).
    pub splits: bool,
}

impl Walk<'_, '_> {
    pub(super) fn visit<'a>(&mut self, value: View<'a>, about: &About<'a>, depth: usize) {
        if depth == 0 {
            return;
        }
        match value.kind() {
            Kind::Array => {
                if self.splits && !about.in_message && value.items().next().is_some_and(|item| item.get("role").is_some()) {
                    (self.out)(Event::Conversation);
                }
                value.items().for_each(|item| self.visit(item, about, depth - 1));
            }
            Kind::Object => self.object(value, about, depth),
            _ => {}
        }
    }

    fn object<'a>(&mut self, value: View<'a>, about: &About<'a>, depth: usize) {
        let keys = Keys::of(value);
        if keys.may_stream && self.stream_event(value, about, depth) || keys.may_be_part && self.part(value, about) {
            return;
        }
        if !keys.goes_deeper {
            return;
        }
        let within;
        let about = if keys.says_about {
            within = about.within(value);
            &within
        } else {
            about
        };
        // Definitions first, as they are those of the calls beside them, wherever they stand in a request.
        if keys.may_define {
            for child in value.children().filter(|child| is_definitions(*child)) {
                (self.out)(Event::Definitions(child, self.place.spot(child)));
            }
        }
        for child in value.children() {
            match child.kind() {
                Kind::String if keys.may_have_body && is_body(child) => self.body(child, about),
                Kind::Array | Kind::Object if keys.may_define && is_definitions(child) => {}
                Kind::Array | Kind::Object => self.visit(child, about, depth - 1),
                _ => {}
            }
        }
    }

    /// A body that is kept as text.
    fn body(&mut self, body: View<'_>, about: &About<'_>) {
        let (place, out) = (self.place, &mut *self.out);
        // Within a string within a string, all stands where the outer one does.
        if let (Some(text), Spot::Here { at, .. }) = (body.string(), place.spot(body)) {
            read_body(text.to_well_formed().as_bytes(), at, about, out);
        }
    }

    /// A call or a result. A message may hold both in its own form and in blocks, so it is gone on with.
    fn part<'a>(&mut self, value: View<'a>, about: &About<'a>) -> bool {
        let place = self.place;
        let mut out = |event: Event<'_>| (self.out)(placed(event, place));
        if chat::is_message(value) && chat::read_message(value, about, &mut out) {
            return true;
        }
        anthropic::block(value, about, &mut out)
            || responses::item(value, about, &mut out)
            || gemini::part(value, about, &mut out)
            || bedrock::block(value, about, &mut out)
    }

    /// An event of a streamed response.
    fn stream_event<'a>(&mut self, value: View<'a>, about: &About<'a>, depth: usize) -> bool {
        let Some(event) = assemble::kind(value) else { return false };
        let spot = match self.place {
            Where::Line(start) => Spot::Earlier(Start { at: start.unit + value.span().start as u64, ..start }),
            place => place.spot(value),
        };
        let about = about.within(value);
        self.stream.feed(&event, value, &about, spot, self.out);
        if let Some(inner) = event.whole {
            let model = self.stream.model().cloned().map(Cow::Owned);
            self.visit(inner, &About { model: about.model.clone().or(model), ..about }, depth - 1);
        }
        true
    }
}

/// What an object may be, by its keys: most are nothing, and are not looked at closely.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own about the same keys")]
struct Keys {
    may_stream: bool,
    may_be_part: bool,
    goes_deeper: bool,
    /// It may say of the calls in it what they do not say themselves.
    says_about: bool,
    may_define: bool,
    may_have_body: bool,
}

impl Keys {
    fn of(object: View<'_>) -> Self {
        let mut keys = Self::default();
        for child in object.children() {
            let key = child.plain_key();
            match key {
                Some(
                    b"tool_calls" | b"functionCall" | b"function_call" | b"functionResponse" | b"function_response" | b"toolUse"
                    | b"toolResult",
                ) => keys.may_be_part = true,
                Some(b"role") => (keys.may_be_part, keys.says_about) = (true, true),
                Some(b"choices" | b"contentBlockStart" | b"contentBlockDelta" | b"contentBlockStop") => keys.may_stream = true,
                Some(b"type") => keys.by_type(child),
                Some(b"tools" | b"functions") => keys.may_define = true,
                // Escapes are not looked into here.
                None => (keys.may_stream, keys.may_be_part, keys.says_about) = (true, true, true),
                Some(key) => {
                    keys.says_about |= about::is_about(key);
                    keys.may_have_body |= is_body_key(key) && is_body(child);
                }
            }
            keys.goes_deeper |= child.kind().is_container();
        }
        keys.goes_deeper |= keys.may_have_body;
        keys
    }

    fn by_type(&mut self, kind: View<'_>) {
        let Some(raw) = kind.raw_string() else { return };
        let odd = raw.contains(&b'\\');
        let ends = |end: &[u8]| raw.ends_with(end);
        self.may_be_part |= odd || ends(b"tool_use") || ends(b"tool_result") || ends(b"_call") || ends(b"_output");
        self.may_stream |= odd || [&b"content_block"[..], b"message_", b"response."].iter().any(|start| raw.starts_with(start));
    }
}

/// Inside a string, everything stands where the string does.
fn placed<'e>(mut event: Event<'e>, place: Where<'_>) -> Event<'e> {
    if let (Event::Call(CallEvent { spot, .. }), Where::Inside { at, below, text }) = (&mut event, place)
        && let Spot::Here { at: inner, .. } = *spot
    {
        let lines = memchr::memchr_iter(b'\n', &text[..inner.min(text.len())]).count();
        *spot = Spot::Here { at, below: below.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX)) };
    }
    event
}

/// Logs keep bodies as text under names like these.
fn is_body(child: View<'_>) -> bool {
    let begins = |raw: &[u8]| {
        let raw = raw.trim_ascii_start();
        [&b"{"[..], b"[", b"data:", b"event:"].iter().any(|start| raw.starts_with(start))
    };
    child.plain_key().is_some_and(is_body_key) && child.raw_string().is_some_and(begins)
}

fn is_body_key(key: &[u8]) -> bool {
    matches!(
        key,
        b"body"
            | b"request_body"
            | b"response_body"
            | b"requestBody"
            | b"responseBody"
            | b"request"
            | b"response"
            | b"raw_request"
            | b"raw_response"
    )
}

/// The definitions that a request carries (`tools`, or `functions` in the form before), and not a list of names.
fn is_definitions(child: View<'_>) -> bool {
    if !matches!(child.plain_key(), Some(b"tools" | b"functions")) {
        return false;
    }
    match child.kind() {
        Kind::Array => child.items().next().is_some_and(|item| item.kind() == Kind::Object),
        Kind::Object => true,
        _ => false,
    }
}

/// The weight of a message whose content tells nothing of its provider.
fn weigh_plain(value: View<'_>, content: &str) -> u32 {
    if text(value, "role").is_some() && value.get(content).is_some() { LIKELY } else { 0 }
}
