//! Rollouts of the Codex command line: JSON lines of Responses items, each in an envelope with `type` and `payload`, or (in
//! older versions) bare. Event messages repeat what the items say and are not read.

use super::api::{About, OPENAI_RESPONSES, read_responses_item};
use super::{Format, SURE, State};
use crate::capture::event::{Event, text};
use crate::json::View;
use std::borrow::Cow;

pub(super) struct Codex;

impl Format for Codex {
    fn name(&self) -> &'static str {
        "codex-rollout"
    }

    fn title(&self) -> &'static str {
        "Codex rollout"
    }

    fn weigh(&self, value: View<'_>) -> u32 {
        let enveloped = value.get("payload").is_some();
        match text(value, "type").as_deref() {
            Some("session_meta" | "response_item" | "event_msg" | "turn_context" | "compacted") if enveloped => SURE + 1,
            None if text(value, "record_type").as_deref() == Some("state") => SURE,
            // The head of a bare rollout.
            None if value.get("id").is_some() && value.get("instructions").is_some() && value.get("timestamp").is_some() => {
                SURE + 1
            }
            // Bare items (no events of a stream), as sure of them as the API whose items they are.
            Some(kind) if !enveloped && !kind.starts_with("response.") => OPENAI_RESPONSES.weigh_object(value),
            _ => 0,
        }
    }

    fn read(&self, value: View<'_>, state: &mut State, out: &mut dyn FnMut(Event<'_>)) -> Result<(), &'static str> {
        let payload = value.get("payload");
        let known = &mut state.context;
        match text(value, "type").as_deref() {
            Some("session_meta") => known.session = payload.and_then(|p| text(p, "id")).map(Cow::into_owned),
            Some("turn_context") => {
                if let Some(model) = payload.and_then(|p| text(p, "model")) {
                    known.model = Some(model.into_owned());
                }
            }
            None if value.get("instructions").is_some() => known.session = text(value, "id").map(Cow::into_owned),
            Some("event_msg") => {}
            _ => {
                let about = About {
                    model: known.model.as_deref().map(Cow::Borrowed),
                    session: known.session.as_deref().map(Cow::Borrowed),
                    at: text(value, "timestamp"),
                    ..About::default()
                };
                read_responses_item(payload.unwrap_or(value), &about, out);
            }
        }
        Ok(())
    }
}
