//! The panes.

use super::super::layout::{Pane, Slot};
use super::super::notices::Level;
use super::super::state::{State, Tab};
use super::super::text::Line;
use super::super::theme::Role;
use super::Canvas;
use ratatui::layout::Rect;

/// Draws a pane: its frame and what is in it.
pub(super) fn draw(state: &State, canvas: &mut Canvas<'_>, pane: Pane, slot: Slot) {
    let focused = state.overlay.is_none() && state.focus == pane;
    let style = canvas.style(if focused { Role::Accent } else { Role::Text });
    let title = Line::word(title(pane), style);
    let right = match pane {
        Pane::Detail => tabs(state, canvas, usize::from(slot.outer.width).saturating_sub(title.width() + 6)),
        _ => Line::new(),
    };
    canvas.pane(slot, &title, &right, focused);
    match pane {
        Pane::Detail if state.tab == Tab::Log => log(state, canvas, slot.inner),
        pane => nothing(canvas, pane, slot.inner),
    }
}

fn title(pane: Pane) -> &'static str {
    match pane {
        Pane::Tools => "Tools",
        Pane::Calls => "Calls",
        Pane::Detail => "Call",
        Pane::Diff => "Before and after",
        Pane::ModelText => "What the model gets",
        Pane::Card => "Tool",
    }
}

/// The tabs, the open one in brackets; only that one where there is no room for all.
fn tabs(state: &State, canvas: &Canvas<'_>, room: usize) -> Line {
    let (open, other) = (canvas.style(Role::Accent), canvas.style(Role::Muted));
    let this = Line::word("[", open).and_word(state.tab.title(), open).and_word("]", open);
    let mut line = Line::new();
    let unnumbered = Some(state.tab).filter(|tab| !Tab::NUMBERED.contains(tab));
    for tab in Tab::NUMBERED.into_iter().chain(unnumbered) {
        line = if tab == state.tab {
            line.and(this.clone())
        } else {
            line.and_word(" ", other).and_word(tab.title(), other).and_word(" ", other)
        };
    }
    if line.width() <= room { line } else { this }
}

/// What to do where there is nothing to show.
fn nothing(canvas: &mut Canvas<'_>, pane: Pane, area: Rect) {
    let (text, muted) = (canvas.style(Role::Text), canvas.style(Role::Muted));
    let lines: &[Line] = match pane {
        Pane::Tools => &[
            Line::word("No tools yet.", text),
            Line::word("Put definitions (*.json) into the folder, or name one with --tools PATH.", muted),
        ],
        Pane::Calls => &[
            Line::word("No calls yet.", text),
            Line::word("Put captured sessions into the folder, or name one with --sessions PATH.", muted),
        ],
        Pane::Detail | Pane::Diff => &[Line::word("No call is selected.", muted)],
        Pane::ModelText | Pane::Card => &[Line::word("Nothing.", muted)],
    };
    let lines: Vec<Line> = lines.iter().flat_map(|line| line.wrapped(area.width.into())).collect();
    canvas.rows(area, &lines);
}

/// What the program had to say, the newest at the bottom.
fn log(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let mut lines = Vec::new();
    let wanted = usize::from(area.height) + state.log_scroll;
    for notice in state.notices.log().rev() {
        let role = match notice.level {
            Level::Info => Role::Text,
            Level::Warning => Role::Warn,
            Level::Error => Role::Bad,
        };
        for text in notice.lines.iter().rev() {
            lines.push(Line::data(text, canvas.style(role), canvas.theme()));
        }
        if lines.len() >= wanted {
            break;
        }
    }
    lines.truncate(wanted);
    let shown = lines.len().saturating_sub(state.log_scroll).min(area.height.into());
    canvas.rows(area, lines[lines.len() - shown..].iter().rev());
}
