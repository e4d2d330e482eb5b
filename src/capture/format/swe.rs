//! SWE-agent trajectories: a document whose `history` is a chat. A result names its call in `tool_call_ids`.

use super::api::{About, read_chat_message};
use super::{Format, SURE, State};
use crate::capture::event::{Event, text};
use crate::json::View;

pub(super) struct SweAgent;

impl Format for SweAgent {
    fn name(&self) -> &'static str {
        "swe-agent-traj"
    }

    fn title(&self) -> &'static str {
        "SWE-agent trajectory"
    }

    fn weigh(&self, value: View<'_>) -> u32 {
        let is_message = |m: View<'_>| text(m, "role").is_some() && (m.get("message_type").is_some() || m.get("agent").is_some());
        if value.get("history").is_some_and(|history| history.items().any(is_message)) { SURE + 1 } else { 0 }
    }

    fn read(&self, value: View<'_>, _: &mut State, out: &mut dyn FnMut(Event<'_>)) -> Result<(), &'static str> {
        out(Event::Conversation);
        let about = About::default();
        // The steps of `trajectory` and the queries in it repeat the history.
        for message in value.get("history").into_iter().flat_map(View::items) {
            read_chat_message(message, &about, out);
        }
        Ok(())
    }
}
