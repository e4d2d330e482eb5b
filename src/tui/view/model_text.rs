//! What the model gets.

use super::super::keys::ActionId;
use super::super::layout::Slot;
use super::super::state::{Looked, State};
use super::super::text::Line;
use super::super::theme::Role;
use super::{Canvas, editor, key, pages};
use crate::dialect::WireForm;
use crate::gate::VerdictKind;
use ratatui::layout::Rect;

/// The strip below the detail, or the pane of its own.
pub(super) fn strip(state: &State, canvas: &mut Canvas<'_>, slot: Slot) {
    let Some(look) = &state.look.call else { return };
    let area = slot.inner;
    if let Some(draft) = state.draft() {
        return editor::strip(state, canvas, draft, area);
    }
    if look.shown.model_text.is_none() {
        return nothing(canvas, look, area);
    }
    // In a large pane the last row says how it would be sent.
    let text = Rect { height: area.height - u16::from(area.height >= 7), ..area };
    pages::draw(canvas, &look.model, state.reading, text);
    if area.height >= 7 {
        canvas.row(area, usize::from(area.height) - 1, &sent_as(state, canvas));
    }
}

/// Its length, for the title.
pub(super) fn right(state: &State, canvas: &Canvas<'_>) -> Line {
    let muted = canvas.style(Role::Muted);
    if let Some(draft) = state.draft() {
        return editor::strip_length(draft, muted);
    }
    let text = state.look.call.as_ref().and_then(|look| look.shown.model_text.as_deref());
    text.map(|text| pages::length(text, muted)).unwrap_or_default()
}

/// The tab.
pub(super) fn tab(state: &State, canvas: &mut Canvas<'_>, look: &Looked, area: Rect) {
    if look.shown.model_text.is_none() {
        return nothing(canvas, look, area);
    }
    let muted = canvas.style(Role::Muted);
    let wrap = key(state, canvas, ActionId::Wrap).and_word(if state.reading.wrap { " cut  " } else { " wrap  " }, muted);
    let keys = wrap
        .and(key(state, canvas, ActionId::Whitespace))
        .and_word(if state.reading.whitespace { " hide spaces" } else { " show spaces" }, muted);
    let line = sent_as(state, canvas);
    canvas.row(area, 0, &line);
    canvas.row_right(area, 0, &keys, line.width() + 2);
    let below = Rect { y: area.y.saturating_add(1), height: area.height.saturating_sub(1), ..area };
    pages::draw(canvas, &look.model, state.reading, below);
}

fn sent_as(state: &State, canvas: &Canvas<'_>) -> Line {
    let muted = canvas.style(Role::Muted);
    let form = match state.reading.form {
        None => "the exact text",
        Some(WireForm::Anthropic) => "sent as an Anthropic tool_result, is_error: true",
        Some(WireForm::OpenAi) => "sent as an OpenAI message of the role tool",
        Some(WireForm::Responses) => "sent as a Responses function_call_output",
        Some(WireForm::Mcp) => "sent as an MCP result, isError: true",
        Some(WireForm::Gemini) => "sent as a Gemini functionResponse",
    };
    Line::word(form, muted).and_word("  ", muted).and(key(state, canvas, ActionId::NextForm)).and_word(" next form", muted)
}

/// Why the model gets nothing of ours.
fn nothing(canvas: &mut Canvas<'_>, look: &Looked, area: Rect) {
    let muted = canvas.style(Role::Muted);
    let (first, role) = match look.shown.verdict.kind {
        VerdictKind::PassedThrough if look.shown.issues().is_empty() => {
            ("Nothing from the gate: the call is passed through to whoever owns the tool.", Role::Muted)
        }
        VerdictKind::PassedThrough => {
            ("Nothing from the gate: the call is passed through. Its owner would find issues; 3 lists them.", Role::Warn)
        }
        _ => ("Nothing from the gate: the call is valid and the tool would run.", Role::Ok),
    };
    let lines = [Line::word(first, canvas.style(role)), Line::word("The tool's own result goes back.", muted)];
    let lines: Vec<Line> = lines.iter().flat_map(|line| line.wrapped(area.width.into())).collect();
    canvas.rows(area, &lines);
}
