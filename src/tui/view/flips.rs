//! Calls whose verdict is not what it was at the baseline.

use super::super::keys::ActionId;
use super::super::state::State;
use super::super::text::Line;
use super::super::theme::Role;
use super::super::update::in_sight;
use super::{Canvas, calls, empty, key, number};
use crate::json::Visible;
use ratatui::layout::Rect;

pub(super) fn draw(state: &State, canvas: &mut Canvas<'_>, area: Rect, focused: bool) {
    let (text, muted) = (canvas.style(Role::Text), canvas.style(Role::Muted));
    let data = &state.data;
    if data.flips.is_empty() {
        let lines = [
            Line::word("No verdict is another one than at the baseline.", text),
            Line::word("Save a definition in an editor, and the calls that it changes are listed here. ", muted)
                .and(key(state, canvas, ActionId::MarkBaseline))
                .and_word(" makes what the gate says now the baseline.", muted),
        ];
        return empty::card(canvas, area, &lines);
    }
    let (failing, mended, other) = data.flip_counts();
    let mut head = number(failing, canvas.style(Role::Bad)).and_word(" now failing, ", muted);
    head = head.and(number(mended, canvas.style(Role::Ok))).and_word(" mended", muted);
    if other > 0 {
        head = head.and_word(", ", muted).and(number(other, text)).and_word(" otherwise", muted);
    }
    head = head.and_word("; changed:", muted);
    for name in &data.changed {
        head = head.and_word(" ", text).and_data(&Visible::new(name), text, canvas.theme());
    }
    canvas.row(area, 0, &head);
    let list = Rect { y: area.y.saturating_add(1), height: area.height.saturating_sub(1), ..area };
    let (selected, top) = state.flips;
    let top = in_sight(top, selected, data.flips.len(), list.height.into());
    for (row, flip) in data.flips.iter().skip(top).take(list.height.into()).enumerate() {
        let Some(call) = data.rows.get(flip.id) else { continue };
        let line = Line::word(if top + row == selected { ">" } else { " " }, text)
            .and(calls::status(canvas, flip.before, false))
            .and_word("-> ", muted)
            .and(calls::status(canvas, flip.after, false))
            .and_data(&Visible::new(&call.tool), text, canvas.theme())
            .and_word("  ", muted)
            .and_data(&Visible::new(&call.summary), muted, canvas.theme());
        canvas.row(list, row, &line);
        if top + row == selected {
            canvas.style_row(list, row, canvas.style(if focused { Role::Selected } else { Role::SelectedElsewhere }));
        }
    }
}
