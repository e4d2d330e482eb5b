//! The calls that letters were found in.

use super::super::layout::Layout;
use super::super::state::{Prompt, State, write_text};
use super::super::text::Line;
use super::super::theme::Role;
use super::tools::lettered;
use super::{Canvas, calls, overlay};
use crate::replay::LabelReader;
use crate::replay::filter::Fuzzy;
use ratatui::layout::Rect;

/// Calls that are shown at a time.
const SHOWN: usize = 12;

pub(super) fn draw(state: &State, canvas: &mut Canvas<'_>, prompt: &Prompt, layout: &Layout) {
    let (body, found) = (layout.body, &state.fuzzy.found);
    let shown = SHOWN.min(usize::from(body.height).saturating_sub(2)).min(found.len());
    let Some(last) = found.len().checked_sub(1).filter(|_| shown > 0) else { return };
    let height = u16::try_from(shown + 2).unwrap_or(body.height);
    let inner = overlay::open_box(canvas, Rect { y: body.bottom() - height, height, ..body });
    let selected = prompt.selected.min(last);
    let first = (selected + 1).saturating_sub(shown);
    let (mut fuzzy, mut text, mut reader) = (Fuzzy::new(&state.fuzzy.typed), String::new(), LabelReader::default());
    let accent = canvas.style(Role::Accent);
    for (n, id) in found.iter().skip(first).take(shown).enumerate() {
        let Some(row) = state.data.rows.get(*id) else { continue };
        write_text(*id, &state.data.rows, &mut reader, &mut text);
        let letters = fuzzy.find(&text).map(|found| found.at).unwrap_or_default();
        let is_selected = first + n == selected;
        let line = Line::word(if is_selected { "> " } else { "  " }, accent);
        let line = line.and(calls::status(canvas, row.outcome, row.pending)).and(lettered(canvas, &text, &letters));
        canvas.row(inner, n, &line.truncated(inner.width.into(), canvas.theme()));
        if is_selected {
            canvas.style_row(inner, n, canvas.style(Role::Selected));
        }
    }
}
