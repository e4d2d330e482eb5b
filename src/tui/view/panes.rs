//! The panes.

use super::super::layout::{Pane, Slot};
use super::super::state::{State, Tab};
use super::super::text::Line;
use super::super::theme::Role;
use super::{Canvas, calls, card, comparison, detail, model_text, rows, tools};
use crate::json::Visible;
use ratatui::layout::Rect;

/// Draws a pane: its frame and what is in it.
pub(super) fn draw(state: &State, canvas: &mut Canvas<'_>, pane: Pane, slot: Slot) {
    let focused = super::has_keys(state, pane);
    let style = canvas.style(if focused { Role::Accent } else { Role::Text });
    let width = usize::from(slot.outer.width);
    let (title, right) = match pane {
        Pane::Tools if !state.data.tools.typed().is_empty() => {
            let data = &state.data.tools;
            let typed = Line::word("Tools  ", style).and_data(&Visible::new(data.typed()), style, canvas.theme());
            let (muted, found) = (canvas.style(Role::Muted), super::number(data.rows().len(), style));
            (typed, found.and_word(" of ", muted).and(super::number(data.all().len(), muted)))
        }
        Pane::Tools => (Line::word("Tools", style), tools::right(canvas, width)),
        Pane::Calls => (calls::title(state, canvas, focused), calls::right(state, canvas)),
        Pane::Detail => detail_title(state, canvas, width, focused),
        Pane::ModelText => (Line::word("What the model gets", style), model_text::right(state, canvas)),
        Pane::Diff => (Line::word("Before and after", style), Line::new()),
        Pane::Card => (Line::word("Tool", style), Line::new()),
    };
    canvas.pane(slot, &title, &right, focused);
    match pane {
        Pane::Detail if state.tab == Tab::Log => log(state, canvas, slot.inner),
        Pane::Tools => tools::draw(state, canvas, slot),
        Pane::Calls => calls::draw(state, canvas, slot),
        Pane::Detail => detail::draw(state, canvas, slot),
        Pane::ModelText => model_text::strip(state, canvas, slot),
        Pane::Card => card::draw(state, canvas, slot.inner),
        Pane::Diff => comparison::draw(state, canvas, slot.inner),
    }
}

/// The title of the detail and its tabs.
fn detail_title(state: &State, canvas: &Canvas<'_>, width: usize, focused: bool) -> (Line, Line) {
    // The tabs say what there is; of the title as much as there is room for beside them.
    let beside = tabs(state, canvas, width).width() + 8;
    let room = width.saturating_sub(beside).max(8);
    let title = detail::title(state, canvas, focused, room).truncated(room, canvas.theme());
    let right = tabs(state, canvas, width.saturating_sub(title.width() + 6));
    (title, right)
}

/// The tab whose title is drawn in a column of the first row.
pub(super) fn tab_at(state: &State, canvas: &Canvas<'_>, slot: Slot, column: u16) -> Option<Tab> {
    let (_, right) = detail_title(state, canvas, slot.outer.width.into(), false);
    // Beside the frame and a space.
    let end = usize::from(slot.outer.right()).checked_sub(2)?;
    let at = usize::from(column).checked_sub(end.checked_sub(right.width())?)?;
    let text = right.plain();
    let is_hit = |tab: &Tab| text.find(tab.title()).is_some_and(|start| (start..start + tab.title().len()).contains(&at));
    Tab::NUMBERED.into_iter().chain([state.tab]).find(is_hit)
}

/// The tabs, the open one in brackets; only that one where there is no room for all.
fn tabs(state: &State, canvas: &Canvas<'_>, room: usize) -> Line {
    let (open, other) = (canvas.style(Role::Accent), canvas.style(Role::Muted));
    let this = Line::word("[", open).and_word(state.tab.title(), open).and_word("]", open);
    let mut line = Line::new();
    let unnumbered = Some(state.tab).filter(|tab| !Tab::NUMBERED.contains(tab));
    for (n, tab) in Tab::NUMBERED.into_iter().chain(unnumbered).enumerate() {
        if n > 0 {
            line = line.and_word(" ", other);
        }
        line = if tab == state.tab { line.and(this.clone()) } else { line.and_word(tab.title(), other) };
    }
    if line.width() <= room { line } else { this }
}

/// What the program had to say, the newest at the bottom.
fn log(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let lines = rows::log(state, canvas, area.width.into());
    let last = lines.len().saturating_sub(state.log_scroll);
    let first = last.saturating_sub(area.height.into());
    for (n, line) in lines[first..last].iter().enumerate() {
        canvas.found_row(area, n, line);
    }
}
