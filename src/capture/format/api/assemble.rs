//! Calls that come in pieces: streamed responses of the APIs.
//!
//! Which pieces belong together, and when a call is whole, is different for each API; what becomes of them is the same. A call
//! stands where its first piece does. One that never became whole is still pending.

use super::about::About;
use super::{anthropic, responses};
use crate::capture::call::InputKind;
use crate::capture::event::{CallEvent, Event, RawArguments, Spot, text};
use crate::capture::hash;
use crate::json::{JsString, Tree, View};
use std::borrow::Cow;

/// Calls of which not all pieces have come.
#[derive(Default)]
pub(crate) struct Assembler {
    partial: Vec<Partial>,
    /// The model of the response, where its first event alone names it.
    model: Option<String>,
    /// For numbering the calls that begin with the same value.
    begun: (u64, u32),
}

struct Partial {
    /// Which stream, and which call of it.
    stream: u64,
    index: u64,
    id: Option<String>,
    tool: String,
    text: JsString,
    input: InputKind,
    /// The arguments become a value when they are whole (Anthropic), and do not stay text.
    as_value: bool,
    /// All pieces have come, although the call's own end may be missing.
    whole: bool,
    model: Option<String>,
    at: Option<String>,
    session: Option<String>,
    spot: Spot,
}

/// An event of a stream.
pub(super) struct StreamEvent<'a> {
    form: Form,
    /// A part of it that is whole in itself.
    pub whole: Option<View<'a>>,
}

enum Form {
    Chat,
    Anthropic,
    Responses,
    Bedrock,
}

/// What event of which API's streams this is, if any.
pub(super) fn kind(value: View<'_>) -> Option<StreamEvent<'_>> {
    let event = |form, whole| Some(StreamEvent { form, whole });
    if let Some(kind) = text(value, "type") {
        return match &*kind {
            "content_block_start" => event(Form::Anthropic, value.get("content_block").filter(|block| !is_call_block(*block))),
            "message_start" | "content_block_delta" | "content_block_stop" | "message_delta" | "message_stop" => {
                event(Form::Anthropic, None)
            }
            "response.output_item.done" => event(Form::Responses, value.get("item")),
            "response.completed" | "response.incomplete" | "response.failed" => event(Form::Responses, value.get("response")),
            // What comes in pieces there is only begun in these.
            kind if kind.starts_with("response.") => event(Form::Responses, None),
            _ => None,
        };
    }
    let mut choices = value.get("choices").into_iter().flat_map(View::items);
    if choices.any(|choice| choice.get("delta").is_some()) {
        return event(Form::Chat, None);
    }
    let bedrock = ["contentBlockStart", "contentBlockDelta", "contentBlockStop"];
    if bedrock.iter().any(|key| value.get(key).is_some()) { event(Form::Bedrock, None) } else { None }
}

fn is_call_block(block: View<'_>) -> bool {
    text(block, "type").is_some_and(|kind| anthropic::input_kind(&kind).is_some())
}

/// The part of an index that the server gave; above it are numbers for servers that give several calls the same.
const LOW: u64 = u32::MAX as u64;

impl Assembler {
    /// Whether every call that was begun has been handed over.
    pub(crate) fn is_idle(&self) -> bool {
        self.partial.is_empty()
    }

    /// The model of the response that is being streamed.
    pub(super) fn model(&self) -> Option<&String> {
        self.model.as_ref()
    }

    /// Goes on with a response whose first event has been read already.
    pub(super) fn resume(&mut self, model: Option<&String>) {
        self.model = model.cloned();
    }

    /// Takes in an event and hands over the calls that are whole with it.
    pub(super) fn feed<'a>(
        &mut self,
        event: &StreamEvent<'a>,
        value: View<'a>,
        about: &About<'a>,
        spot: Spot,
        out: &mut dyn FnMut(Event<'_>),
    ) {
        match event.form {
            Form::Chat => self.chat(value, about, spot, out),
            Form::Anthropic => self.anthropic(value, about, spot, out),
            Form::Responses => self.responses(value, about, spot, out),
            Form::Bedrock => self.bedrock(value, about, spot, out),
        }
    }

    /// The stream has ended, or will never go on. `complete`: it was recorded whole.
    pub(crate) fn end(&mut self, complete: bool, out: &mut dyn FnMut(Event<'_>)) {
        for partial in std::mem::take(&mut self.partial) {
            hand_over(&partial, None, !complete && !partial.whole, out);
        }
    }

    fn chat<'a>(&mut self, value: View<'a>, about: &About<'a>, spot: Spot, out: &mut dyn FnMut(Event<'_>)) {
        let response = text(value, "id").map_or(0, |id| hash::bytes(2, id.as_bytes()));
        for choice in value.get("choices").into_iter().flat_map(View::items) {
            let stream = hash::mix(response, whole_number(choice, "index").unwrap_or(0));
            let delta = choice.get("delta");
            for call in delta.and_then(|d| d.get("tool_calls")).into_iter().flat_map(View::items) {
                self.chat_piece(stream, call, about, spot);
            }
            if let Some(call) = delta.and_then(|d| d.get("function_call")) {
                self.piece(stream, u64::MAX, None, call, InputKind::Json, "arguments", about, spot);
            }
            if let Some(reason) = text(choice, "finish_reason") {
                for partial in self.partial.extract_if(.., |partial| partial.stream == stream) {
                    hand_over(&partial, Some(&reason), false, out);
                }
            }
        }
    }

    fn chat_piece<'a>(&mut self, stream: u64, call: View<'a>, about: &About<'a>, spot: Spot) {
        let id = text(call, "id").filter(|id| !id.is_empty());
        let (inner, input, field) = match (call.get("function"), call.get("custom")) {
            (_, Some(custom)) => (custom, InputKind::FreeText, "input"),
            (Some(function), None) => (function, InputKind::Json, "arguments"),
            (None, None) => return,
        };
        // Some servers number no calls, or all the same: then another id with a name is another call.
        let last = self.partial.iter().rev().find(|p| p.stream == stream);
        let mut index = whole_number(call, "index").or_else(|| last.map(|last| last.index & LOW)).unwrap_or(0);
        let named = text(inner, "name").is_some_and(|name| !name.is_empty());
        let same = self.partial.iter().rev().find(|p| p.stream == stream && p.index & LOW == index);
        if let Some(same) = same {
            index = same.index;
            if named && id.is_some() && same.id.as_deref() != id.as_deref() {
                index += 1 << 32;
            }
        }
        self.piece(stream, index, id, inner, input, field, about, spot);
    }

    #[expect(clippy::too_many_arguments, reason = "a piece of a call is all of this")]
    fn piece<'a>(
        &mut self,
        stream: u64,
        index: u64,
        id: Option<Cow<'a, str>>,
        inner: View<'a>,
        input: InputKind,
        field: &str,
        about: &About<'a>,
        spot: Spot,
    ) {
        if !self.partial.iter().any(|p| p.stream == stream && p.index == index) {
            let Some(tool) = text(inner, "name") else { return };
            self.begin(stream, index, id.as_deref(), &tool, input, about, spot);
        }
        let Some(partial) = self.partial.iter_mut().rev().find(|p| p.stream == stream && p.index == index) else { return };
        if partial.tool.is_empty() {
            partial.tool = text(inner, "name").unwrap_or_default().into_owned();
        }
        if partial.id.is_none() {
            partial.id = id.map(Cow::into_owned);
        }
        push(partial, inner.get(field));
    }

    #[expect(clippy::too_many_arguments, reason = "the beginning of a call is all of this")]
    fn begin(
        &mut self,
        stream: u64,
        index: u64,
        id: Option<&str>,
        tool: &str,
        input: InputKind,
        about: &About<'_>,
        mut spot: Spot,
    ) {
        if let Spot::Earlier(start) = &mut spot {
            let (unit, count) = self.begun;
            self.begun = if unit == start.unit { (unit, count + 1) } else { (start.unit, 1) };
            // The numbers of calls that come whole begin at 0; these must not meet them.
            start.ordinal = (1 << 23) + self.begun.1;
        }
        let owned = |text: &Option<Cow<'_, str>>| text.as_ref().map(|text| text.clone().into_owned());
        self.partial.push(Partial {
            stream,
            index,
            id: id.map(str::to_owned),
            tool: tool.to_owned(),
            text: JsString::default(),
            input,
            as_value: false,
            whole: false,
            model: owned(&about.model).or_else(|| self.model.clone()),
            at: owned(&about.at),
            session: owned(&about.session),
            spot,
        });
    }

    fn anthropic<'a>(&mut self, value: View<'a>, about: &About<'a>, spot: Spot, out: &mut dyn FnMut(Event<'_>)) {
        const STREAM: u64 = 3;
        let index = whole_number(value, "index").unwrap_or(0);
        match text(value, "type").as_deref() {
            Some("message_start") => {
                self.end(false, out);
                self.model = value.get("message").and_then(|m| text(m, "model")).map(Cow::into_owned);
            }
            Some("content_block_start") => {
                let Some(block) = value.get("content_block").filter(|block| is_call_block(*block)) else { return };
                let kind = text(block, "type").and_then(|kind| anthropic::input_kind(&kind)).unwrap_or_default();
                let tool = text(block, "name").unwrap_or_default();
                self.begin(STREAM, index, text(block, "id").as_deref(), &tool, kind, about, spot);
                if let Some(partial) = self.partial.last_mut() {
                    partial.as_value = true;
                }
            }
            Some("content_block_delta") => {
                let piece = value.get("delta").and_then(|delta| delta.get("partial_json"));
                if let Some(partial) = self.find(STREAM, index) {
                    push(partial, piece);
                }
            }
            Some("content_block_stop") => self.hand_over_one(STREAM, index, out),
            _ => {}
        }
    }

    /// Items come whole with `output_item.done`, so pieces are only kept for streams that were cut, and for servers that leave it out.
    fn responses<'a>(&mut self, value: View<'a>, about: &About<'a>, spot: Spot, out: &mut dyn FnMut(Event<'_>)) {
        const STREAM: u64 = 4;
        // Some servers give items no number, only their id.
        let item_id = || text(value, "item_id").or_else(|| text(value.get("item")?, "id"));
        let number = whole_number(value, "output_index").or_else(|| Some(hash::bytes(STREAM, item_id()?.as_bytes())));
        let index = number.unwrap_or(0);
        match text(value, "type").as_deref() {
            Some("response.created") => {
                self.end(false, out);
                self.model = value.get("response").and_then(|r| text(r, "model")).map(Cow::into_owned);
            }
            Some("response.output_item.added") => {
                let Some((kind, input)) = value.get("item").and_then(responses::call_type) else { return };
                let Some(item) = value.get("item") else { return };
                let id = text(item, "call_id").or_else(|| text(item, "id"));
                self.begin(STREAM, index, id.as_deref(), &text(item, "name").unwrap_or(kind), input, about, spot);
            }
            Some("response.function_call_arguments.delta" | "response.custom_tool_call_input.delta") => {
                if let Some(partial) = self.find(STREAM, index) {
                    push(partial, value.get("delta"));
                }
            }
            Some("response.function_call_arguments.done" | "response.custom_tool_call_input.done") => {
                if let Some(partial) = self.find(STREAM, index) {
                    partial.whole = true;
                    if let Some(text) = value.get("arguments").or_else(|| value.get("input")) {
                        partial.text = JsString::default();
                        push(partial, Some(text));
                    }
                }
            }
            Some("response.output_item.done") => self.partial.retain(|p| p.stream != STREAM || p.index != index),
            Some("response.completed") => self.end(true, out),
            Some("response.incomplete" | "response.failed") => self.end(false, out),
            _ => {}
        }
    }

    fn bedrock<'a>(&mut self, value: View<'a>, about: &About<'a>, spot: Spot, out: &mut dyn FnMut(Event<'_>)) {
        const STREAM: u64 = 5;
        for event in value.children() {
            let index = whole_number(event, "contentBlockIndex").unwrap_or(0);
            match event.key_str().as_deref() {
                Some("contentBlockStart") => {
                    let Some(call) = event.at_pointer("/start/toolUse") else { continue };
                    let tool = text(call, "name").unwrap_or_default();
                    self.begin(STREAM, index, text(call, "toolUseId").as_deref(), &tool, InputKind::Json, about, spot);
                    if let Some(partial) = self.partial.last_mut() {
                        partial.as_value = true;
                    }
                }
                Some("contentBlockDelta") => {
                    if let Some(partial) = self.find(STREAM, index) {
                        push(partial, event.at_pointer("/delta/toolUse/input"));
                    }
                }
                Some("contentBlockStop") => self.hand_over_one(STREAM, index, out),
                _ => {}
            }
        }
    }

    fn find(&mut self, stream: u64, index: u64) -> Option<&mut Partial> {
        self.partial.iter_mut().find(|p| p.stream == stream && p.index == index)
    }

    fn hand_over_one(&mut self, stream: u64, index: u64, out: &mut dyn FnMut(Event<'_>)) {
        if let Some(n) = self.partial.iter().position(|p| p.stream == stream && p.index == index) {
            hand_over(&self.partial.remove(n), None, false, out);
        }
    }
}

fn push(partial: &mut Partial, piece: Option<View<'_>>) {
    if let Some(piece) = piece.filter(|piece| piece.raw_string().is_some()) {
        partial.text.push_wtf8(&hash::text_of(piece));
    }
}

fn whole_number(object: View<'_>, key: &str) -> Option<u64> {
    let raw = object.get(key).filter(|n| n.number().is_some())?.raw();
    std::str::from_utf8(raw).ok()?.parse().ok()
}

fn hand_over(partial: &Partial, reason: Option<&str>, pending: bool, out: &mut dyn FnMut(Event<'_>)) {
    const EMPTY: &[u8] = b"{}";
    let mut tree = Tree::default();
    let bytes = partial.text.as_bytes();
    // No piece at all is how a stream says `{}`.
    let value = if bytes.is_empty() { EMPTY } else { bytes };
    let arguments = if partial.as_value && tree.parse_into(value).is_ok() {
        RawArguments::View(tree.root(value))
    } else {
        RawArguments::Text(partial.text.clone())
    };
    let borrowed = |text: &'_ Option<String>| text.clone().map(Cow::Owned);
    out(Event::Call(CallEvent {
        tool: Cow::Borrowed(&partial.tool),
        arguments,
        id: partial.id.as_deref().map(Cow::Borrowed),
        at: borrowed(&partial.at),
        session: borrowed(&partial.session),
        model: borrowed(&partial.model),
        finish_reason: reason.map(Cow::Borrowed),
        origin: None,
        sidechain: false,
        pending,
        input: partial.input,
        result: None,
        parent: None,
        note: None,
        spot: partial.spot,
    }));
}
