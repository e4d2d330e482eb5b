//! Recorded responses with which Gemini CLI is tested: a method and its response (or the chunks of one) a line.

use super::api::GEMINI;
use super::{Format, SURE, State};
use crate::capture::event::{Event, text};
use crate::json::View;

pub(super) struct GeminiFake;

impl Format for GeminiFake {
    fn name(&self) -> &'static str {
        "gemini-fake-responses"
    }

    fn title(&self) -> &'static str {
        "Gemini CLI recorded responses"
    }

    fn weigh(&self, value: View<'_>) -> u32 {
        let method = text(value, "method").unwrap_or_default();
        let known = ["generateContent", "countTokens", "embedContent"].iter().any(|name| method.starts_with(name));
        // More sure than the API whose responses these are.
        if known && value.get("response").is_some() { SURE + 1 } else { 0 }
    }

    fn read(&self, value: View<'_>, state: &mut State, out: &mut dyn FnMut(Event<'_>)) -> Result<(), &'static str> {
        out(Event::Conversation);
        GEMINI.read(value, state, out)
    }
}
