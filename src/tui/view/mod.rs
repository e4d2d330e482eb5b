//! Drawing. Everything is drawn from the state, on a [`Canvas`] that takes nothing but safe text.

mod calls;
mod canvas;
mod card;
mod charts;
mod chrome;
mod comparison;
mod detail;
mod editor;
mod empty;
mod explorer;
mod flips;
mod fuzzy;
mod issues;
mod model_text;
mod overlay;
mod pages;
mod panes;
mod prompt;
mod review;
mod rows;
mod stages;
mod statistics;
mod tools;
mod tree;

pub use canvas::Canvas;
pub(super) use explorer::parts as explorer_parts;
pub(super) use rows::{log_height, stages_height, texts as row_texts};
pub(super) use statistics::height as statistics_height;

use super::keys::ActionId;
use super::layout::{Pane, Shape};
use super::state::{Overlay, State, Tab};
use super::text::Line;
use super::theme::Role;
use crate::json::Visible;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// Draws the whole screen.
pub(super) fn draw(state: &State, frame: &mut Frame<'_>) {
    let area = frame.area();
    let layout = state.layout(area.as_size());
    let mut canvas = Canvas::new(frame.buffer_mut(), &state.theme);
    if layout.shape == Shape::TooSmall {
        let text = Line::word("too small (need 40x8), q quits", canvas.style(Role::Warn));
        canvas.rows(area, &text.wrapped(area.width.into()));
        return;
    }
    canvas.search(&state.search.needle);
    chrome::header(state, &mut canvas, layout.header);
    for (pane, slot) in layout.panes() {
        panes::draw(state, &mut canvas, pane, slot);
    }
    chrome::status(state, &mut canvas, layout.status);
    chrome::footer(state, &mut canvas, layout.footer);
    match &state.overlay {
        Some(Overlay::Palette(palette)) => overlay::palette(state, &mut canvas, palette, layout.body),
        Some(Overlay::Confirm(question)) => overlay::confirm(state, &mut canvas, *question, layout.body),
        Some(Overlay::Prompt(open)) => prompt::draw(state, &mut canvas, open, &layout),
        None => overlay::which_key(state, &mut canvas, layout.body),
    }
    if let Some(at) = canvas.cursor() {
        frame.set_cursor_position(at);
    }
}

/// What a click on something that is no row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hit {
    /// The title of a tab.
    Tab(Tab),
    /// The filter in the header.
    Filter,
}

/// What is drawn at a place of the screen, besides the insides of panes.
pub(super) fn hit(state: &State, column: u16, row: u16) -> Option<Hit> {
    let layout = state.layout(state.size);
    let at = (column, row).into();
    let mut buffer = ratatui::buffer::Buffer::empty(Rect::ZERO);
    let canvas = Canvas::new(&mut buffer, &state.theme);
    if layout.header.contains(at) {
        let (before, filter) = chrome::header_parts(state, &canvas, layout.header.width.into());
        let cells = before.width()..before.width() + filter.width();
        return cells.contains(&usize::from(column - layout.header.x)).then_some(Hit::Filter);
    }
    let slot = layout.slot(Pane::Detail).filter(|slot| slot.outer.contains(at) && slot.outer.y == row)?;
    panes::tab_at(state, &canvas, slot, column).map(Hit::Tab)
}

/// Whether a pane has the keys.
fn has_keys(state: &State, pane: Pane) -> bool {
    state.overlay.is_none() && state.focus == pane
}

/// Shows that a row of a pane is the selected one.
fn select_row(state: &State, canvas: &mut Canvas<'_>, pane: Pane, area: Rect, row: usize) {
    let role = if has_keys(state, pane) { Role::Selected } else { Role::SelectedElsewhere };
    canvas.style_row(area, row, canvas.style(role));
}

/// The key that does something, in a text that names it.
fn key(state: &State, canvas: &Canvas<'_>, action: ActionId) -> Line {
    Line::data(&Visible::new(&state.key_of(action)), canvas.style(Role::Accent), canvas.theme())
}

/// A count.
fn number(n: usize, style: Style) -> Line {
    Line::new().and_number(n as u64, style)
}

#[cfg(all(test, feature = "jsonschema"))]
mod definition_screens;
#[cfg(test)]
mod offered;
#[cfg(test)]
mod review_screens;
#[cfg(test)]
mod screens;
#[cfg(test)]
pub(super) use screens::app_in;
#[cfg(test)]
mod tests;
