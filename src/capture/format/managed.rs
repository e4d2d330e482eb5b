//! Events of managed agent sessions, a line each: as the API gives them, or with the API's event in `raw`.

use super::{Format, LIKELY, SURE, State};
use crate::capture::event::{CallEvent, Event, RawOutcome, ResultEvent, flag, text};
use crate::definition::Origin;
use crate::json::{Kind, View};

pub(super) struct Managed;

impl Format for Managed {
    fn name(&self) -> &'static str {
        "managed-agent-events"
    }

    fn title(&self) -> &'static str {
        "managed agent events"
    }

    fn weigh(&self, value: View<'_>) -> u32 {
        let event = event_of(value);
        match text(event, "type").as_deref() {
            Some(kind) if kind.starts_with("agent.") => SURE,
            Some(kind) if ["session.", "span.", "user."].iter().any(|start| kind.starts_with(start)) => LIKELY,
            _ => 0,
        }
    }

    fn read(&self, value: View<'_>, _: &mut State, out: &mut dyn FnMut(Event<'_>)) -> Result<(), &'static str> {
        let event = event_of(value);
        let kind = text(event, "type").unwrap_or_default();
        let origin = match &*kind {
            "agent.tool_use" => None,
            "agent.mcp_tool_use" => Some(Origin::Mcp),
            "agent.custom_tool_use" => Some(Origin::Custom),
            _ => {
                if kind.ends_with("tool_result") {
                    result(event, out);
                }
                return Ok(());
            }
        };
        let Some(tool) = text(event, "name") else { return Ok(()) };
        out(Event::Call(CallEvent {
            id: text(event, "id"),
            at: text(event, "processed_at").or_else(|| text(value, "time")),
            session: text(event, "session_thread_id").or_else(|| text(event, "session_id")),
            origin,
            ..CallEvent::new(event, tool, event.get("input").into())
        }));
        Ok(())
    }
}

fn event_of(value: View<'_>) -> View<'_> {
    value.get("raw").filter(|raw| raw.kind() == Kind::Object).unwrap_or(value)
}

fn result(event: View<'_>, out: &mut dyn FnMut(Event<'_>)) {
    let id = ["tool_use_id", "mcp_tool_use_id", "custom_tool_use_id"].iter().find_map(|key| text(event, key));
    let outcome = RawOutcome { is_error: Some(flag(event, "is_error")), text: event.get("content").into() };
    out(Event::Result(ResultEvent { id, tool: None, outcome }));
}
