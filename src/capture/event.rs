//! What a format says of the values it reads. Everything is borrowed: what nobody asks for is never copied.

use super::call::{Call, InputKind, Outcome, Place};
use crate::definition::Origin;
use crate::gate::Arguments;
use crate::json::{JsString, Kind, Tree, Value, View};
use std::borrow::Cow;

/// Something that a format found.
#[expect(clippy::large_enum_variant, reason = "an event lives on the stack for as long as it is looked at")]
pub(crate) enum Event<'a> {
    /// A call, whole.
    Call(CallEvent<'a>),
    /// The recorded result of an earlier call.
    Result(ResultEvent<'a>),
    /// Another conversation begins: calls and results without ids are paired within one.
    Conversation,
    /// Another exchange with an API begins. It repeats the conversation so far, so a call without an id that has been there
    /// as often before is the same one.
    Exchange,
    /// Another connection begins, in which ids are given out anew.
    Connection,
    /// Tool definitions, in whatever shape.
    Definitions(View<'a>, Spot),
}

/// A call as a format found it.
pub(crate) struct CallEvent<'a> {
    pub tool: Cow<'a, str>,
    pub arguments: RawArguments<'a>,
    pub id: Option<Cow<'a, str>>,
    pub at: Option<Cow<'a, str>>,
    pub session: Option<Cow<'a, str>>,
    pub model: Option<Cow<'a, str>>,
    pub finish_reason: Option<Cow<'a, str>>,
    pub origin: Option<Origin>,
    pub sidechain: bool,
    pub pending: bool,
    pub input: InputKind,
    /// The result, where it stands in the call's own object.
    pub result: Option<RawOutcome<'a>>,
    pub parent: Option<Cow<'a, str>>,
    pub note: Option<Cow<'a, str>>,
    pub spot: Spot,
}

impl<'a> CallEvent<'a> {
    /// A call whose object is `object`, with nothing known but the tool and its arguments.
    pub(crate) fn new(object: View<'a>, tool: Cow<'a, str>, arguments: RawArguments<'a>) -> Self {
        Self {
            tool,
            arguments,
            id: None,
            at: None,
            session: None,
            model: None,
            finish_reason: None,
            origin: None,
            sidechain: false,
            pending: false,
            input: InputKind::Json,
            result: None,
            parent: None,
            note: None,
            spot: Spot::of(object),
        }
    }

    /// The text of its arguments, where nothing else decides how the call is judged.
    pub(crate) fn plain_arguments(&self) -> Option<Cow<'_, [u8]>> {
        let plain = self.input == InputKind::Json && self.origin.is_none() && !self.pending;
        match &self.arguments {
            RawArguments::View(view) if plain => match view.kind() {
                Kind::String => Some(super::hash::text_of(*view)),
                Kind::Null => None,
                _ => Some(Cow::Borrowed(view.raw())),
            },
            RawArguments::Text(text) if plain => Some(Cow::Borrowed(text.as_bytes())),
            _ => None,
        }
    }

    /// The call, copied out; the result only where it stands in the call itself.
    pub(crate) fn to_call(&self, place: Place) -> Call {
        let owned = |text: &Option<Cow<'a, str>>| text.as_ref().map(|t| t.clone().into_owned());
        Call {
            tool: self.tool.clone().into_owned(),
            arguments: self.arguments.to_arguments(),
            id: owned(&self.id),
            at: owned(&self.at),
            session: owned(&self.session),
            model: owned(&self.model),
            finish_reason: owned(&self.finish_reason),
            origin: self.origin,
            sidechain: self.sidechain,
            pending: self.pending,
            input: self.input,
            result: self.result.as_ref().map(RawOutcome::to_outcome),
            parent: owned(&self.parent),
            note: owned(&self.note),
            place,
        }
    }
}

/// A result that stands apart from its call.
pub(crate) struct ResultEvent<'a> {
    /// The id of the call that it answers.
    pub id: Option<Cow<'a, str>>,
    /// The tool, for results without ids.
    pub tool: Option<Cow<'a, str>>,
    pub outcome: RawOutcome<'a>,
}

/// A recorded answer.
pub(crate) struct RawOutcome<'a> {
    pub is_error: Option<bool>,
    pub text: RawText<'a>,
}

impl RawOutcome<'_> {
    pub(crate) fn to_outcome(&self) -> Outcome {
        Outcome { is_error: self.is_error, text: self.text.to_text() }
    }
}

/// A result's text, made only when it is wanted.
pub(crate) enum RawText<'a> {
    None,
    /// A string, an array of content blocks, or any other JSON.
    View(View<'a>),
}

impl RawText<'_> {
    fn to_text(&self) -> String {
        match self {
            Self::None => String::new(),
            Self::View(view) => content_text(*view),
        }
    }
}

impl<'a> From<Option<View<'a>>> for RawText<'a> {
    fn from(view: Option<View<'a>>) -> Self {
        view.map_or(Self::None, Self::View)
    }
}

/// What a call was given, as it was captured.
#[derive(Clone)]
pub(crate) enum RawArguments<'a> {
    /// Whatever stands there: a string is the model's raw text.
    View(View<'a>),
    /// A text that does not stand anywhere in one piece.
    Text(JsString),
    /// None.
    Absent,
}

impl RawArguments<'_> {
    pub(crate) fn to_arguments(&self) -> Arguments {
        match self {
            Self::View(view) => Arguments::from_value(Value::from(*view)),
            Self::Text(text) => Arguments::Text(text.clone()),
            Self::Absent => Arguments::Absent,
        }
    }

    /// The hash by which repeats are found; `scratch` is memory to use again.
    pub(crate) fn hash(&self, scratch: &mut Tree) -> u64 {
        match self {
            Self::View(view) if view.kind() == Kind::String => super::hash::of_text(&super::hash::text_of(*view), scratch),
            Self::View(view) if view.kind() != Kind::Null => super::hash::of_value(*view),
            Self::Text(text) => super::hash::of_text(text.as_bytes(), scratch),
            Self::View(_) | Self::Absent => 0,
        }
    }
}

impl<'a> From<Option<View<'a>>> for RawArguments<'a> {
    fn from(view: Option<View<'a>>) -> Self {
        view.map_or(Self::Absent, Self::View)
    }
}

/// Where something stands.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Spot {
    /// In the unit that is being read: a byte offset, and how many lines below that, for what stands inside a long string.
    Here { at: usize, below: u32 },
    /// In an earlier line, where the first piece of it came.
    Earlier(Start),
}

/// Where something began that comes in pieces, a line each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Start {
    /// Where the line's value starts.
    pub unit: u64,
    pub line: u32,
    /// Where the object of the piece starts.
    pub at: u64,
    /// The how many-th call that began with this value.
    pub ordinal: u32,
}

impl Spot {
    /// The start of a value of the unit.
    pub(crate) fn of(view: View<'_>) -> Self {
        Self::Here { at: view.span().start, below: 0 }
    }
}

/// The text under a key, if it is a string.
pub(crate) fn text<'a>(object: View<'a>, key: &str) -> Option<Cow<'a, str>> {
    object.get(key)?.str()
}

/// Whether the key holds `true`.
pub(crate) fn flag(object: View<'_>, key: &str) -> bool {
    object.get(key).and_then(View::bool) == Some(true)
}

/// The text of a recorded answer: a string as it is; of content blocks their texts, one after the other; else the JSON.
fn content_text(view: View<'_>) -> String {
    match view.kind() {
        Kind::Null => String::new(),
        Kind::String => view.str().unwrap_or_default().into_owned(),
        Kind::Array if view.items().all(|block| block.kind() == Kind::Object || block.kind() == Kind::String) => {
            view.items().map(block_text).collect::<Vec<_>>().join("\n")
        }
        _ => crate::json::to_well_formed(view.raw()).into_owned(),
    }
}

fn block_text(block: View<'_>) -> String {
    let inner = block.str().or_else(|| text(block, "text"));
    inner.map_or_else(|| other_block(block), Cow::into_owned)
}

/// A block without text is named by its type, as an image's data tells nobody anything; one without a type is shown as JSON.
fn other_block(block: View<'_>) -> String {
    match text(block, "type") {
        Some(kind) => format!("[{kind}]"),
        None => crate::json::to_well_formed(block.raw()).into_owned(),
    }
}
