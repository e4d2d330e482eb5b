//! Bedrock Converse: calls are content blocks with `toolUse`, results are blocks with `toolResult`.

use super::about::{About, id};
use super::{LIKELY, SURE};
use crate::capture::call::InputKind;
use crate::capture::event::{CallEvent, Event, RawOutcome, ResultEvent, text};
use crate::json::{Kind, View};

/// How surely an object is of this form.
pub(super) fn weigh(value: View<'_>) -> u32 {
    if ["toolUse", "toolResult"].iter().any(|key| value.get(key).is_some()) {
        SURE
    } else if value.get("stopReason").is_some() && value.get("output").is_some() {
        LIKELY * 3
    } else {
        0
    }
}

/// Reads a content block, if it is one.
pub(super) fn block<'a>(block: View<'a>, about: &About<'a>, out: &mut dyn FnMut(Event<'_>)) -> bool {
    if let Some(call) = block.get("toolUse")
        && let (Some(tool), Some(input)) = (text(call, "name"), call.get("input"))
    {
        let server = call.get("type").is_some_and(|kind| kind.is("server_tool_use"));
        let kind = if server { InputKind::ProviderRun } else { InputKind::Json };
        let event = CallEvent { id: id(call, "toolUseId"), input: kind, ..CallEvent::new(call, tool, Some(input).into()) };
        out(Event::Call(about.on(event)));
        return true;
    }
    let Some(result) = block.get("toolResult").filter(|result| result.kind() == Kind::Object) else { return false };
    let is_error = text(result, "status").map(|status| status == "error");
    let outcome = RawOutcome { is_error, text: result.get("content").into() };
    out(Event::Result(ResultEvent { id: id(result, "toolUseId"), tool: None, outcome }));
    true
}
