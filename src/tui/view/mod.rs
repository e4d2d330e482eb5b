//! Drawing. Everything is drawn from the state, on a [`Canvas`] that takes nothing but safe text.

mod canvas;
mod chrome;
mod overlay;
mod panes;

pub use canvas::Canvas;

use super::layout::Shape;
use super::state::{Overlay, State};
use super::text::Line;
use super::theme::Role;
use ratatui::Frame;

/// Draws the whole screen.
pub(super) fn draw(state: &State, frame: &mut Frame<'_>) {
    let area = frame.area();
    let layout = state.layout(area.as_size());
    let mut canvas = Canvas::new(frame.buffer_mut(), &state.theme);
    if layout.shape == Shape::TooSmall {
        let text = Line::word("too small (need 40x8), q quits", canvas.style(Role::Warn));
        canvas.row(area, 0, &text);
        return;
    }
    chrome::header(state, &mut canvas, layout.header);
    for (pane, slot) in layout.panes() {
        panes::draw(state, &mut canvas, pane, slot);
    }
    chrome::status(state, &mut canvas, layout.status);
    chrome::footer(state, &mut canvas, layout.footer);
    match &state.overlay {
        Some(Overlay::Palette(palette)) => overlay::palette(state, &mut canvas, palette, layout.body),
        Some(Overlay::Confirm(question)) => overlay::confirm(&mut canvas, *question, layout.body),
        None => overlay::which_key(state, &mut canvas, layout.body),
    }
    if let Some(at) = canvas.cursor() {
        frame.set_cursor_position(at);
    }
}

#[cfg(test)]
mod tests;
