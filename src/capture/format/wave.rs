//! Sessions of netease's wave-agent: JSON lines of messages with `blocks`.
//!
//! A block of type `tool` holds a call and, once its `stage` is `end`, the result. The arguments are the model's text.

use super::{Format, LIKELY, SURE, State};
use crate::capture::event::{CallEvent, Event, RawOutcome, flag, text};
use crate::json::{Kind, View};

pub(super) struct Wave;

impl Format for Wave {
    fn name(&self) -> &'static str {
        "wave-agent"
    }

    fn title(&self) -> &'static str {
        "netease wave-agent"
    }

    fn weigh(&self, value: View<'_>) -> u32 {
        let has_blocks = value.get("blocks").is_some_and(|blocks| blocks.kind() == Kind::Array);
        match text(value, "type").as_deref() {
            _ if has_blocks && value.get("role").is_some() => SURE,
            Some("metadata") if value.get("workdir").is_some() => LIKELY,
            Some("custom-title") => 1,
            _ => 0,
        }
    }

    fn read(&self, value: View<'_>, _: &mut State, out: &mut dyn FnMut(Event<'_>)) -> Result<(), &'static str> {
        let blocks = value.get("blocks").into_iter().flat_map(View::items);
        for block in blocks.filter(|block| block.get("type").is_some_and(|kind| kind.is("tool"))) {
            let Some(tool) = text(block, "name") else { continue };
            let stage = text(block, "stage");
            out(Event::Call(CallEvent {
                id: text(block, "id"),
                at: text(value, "timestamp"),
                model: value.get("usage").and_then(|usage| text(usage, "model")),
                pending: matches!(stage.as_deref(), Some("start" | "streaming")),
                result: (stage.as_deref() == Some("end")).then(|| outcome(block)),
                ..CallEvent::new(block, tool, block.get("parameters").into())
            }));
        }
        Ok(())
    }
}

/// The result, or the error where that is empty.
fn outcome(block: View<'_>) -> RawOutcome<'_> {
    let filled = |key| block.get(key).filter(|v| v.kind() != Kind::Null && !v.is(""));
    let failed = block.get("success").is_some() && !flag(block, "success");
    RawOutcome { is_error: Some(failed), text: filled("result").or_else(|| filled("error")).into() }
}
