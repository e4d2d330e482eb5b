//! misfire's own format: one call a line (`docs/capture-format.md`).

use super::{Format, LIKELY, SURE, State};
use crate::capture::call::InputKind;
use crate::capture::event::{CallEvent, Event, RawOutcome, flag, text};
use crate::definition::Origin;
use crate::json::{Kind, View};

pub(super) struct Own;

const FIELDS: [&str; 6] = ["arguments", "result", "finish_reason", "origin", "parent", "note"];

impl Format for Own {
    fn name(&self) -> &'static str {
        "misfire"
    }

    fn title(&self) -> &'static str {
        "misfire"
    }

    fn weigh(&self, value: View<'_>) -> u32 {
        if text(value, "tool").is_none() || value.get("type").is_some() || value.get("role").is_some() {
            return 0;
        }
        if FIELDS.iter().any(|field| value.get(field).is_some()) { SURE } else { LIKELY }
    }

    fn answers_apart(&self) -> bool {
        false
    }

    fn read(&self, value: View<'_>, _: &mut State, out: &mut dyn FnMut(Event<'_>)) -> Result<(), &'static str> {
        let Some(tool) = text(value, "tool") else {
            return Err("an object with `tool`, a string");
        };
        let result = value.get("result").filter(|result| result.kind() == Kind::Object);
        out(Event::Call(CallEvent {
            id: text(value, "id"),
            at: text(value, "at"),
            session: text(value, "session"),
            model: text(value, "model"),
            finish_reason: text(value, "finish_reason"),
            origin: text(value, "origin").and_then(|origin| origin_of(&origin)),
            sidechain: flag(value, "sidechain"),
            pending: flag(value, "pending"),
            input: text(value, "input").map_or_else(InputKind::default, |name| InputKind::from_name(&name)),
            result: result.map(|result| RawOutcome {
                is_error: result.get("is_error").and_then(View::bool),
                text: result.get("text").filter(|text| text.kind() == Kind::String).into(),
            }),
            parent: text(value, "parent"),
            note: text(value, "note"),
            ..CallEvent::new(value, tool, value.get("arguments").into())
        }));
        Ok(())
    }
}

fn origin_of(name: &str) -> Option<Origin> {
    [Origin::Builtin, Origin::Mcp, Origin::Custom].into_iter().find(|origin| origin.name() == name)
}
