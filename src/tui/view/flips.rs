//! Calls whose verdict is not what it was at the baseline, each with the change that made it another one.

use super::super::keys::ActionId;
use super::super::state::{Baseline, FLIP_ROWS, State};
use super::super::text::Line;
use super::super::theme::Role;
use super::super::update::in_sight;
use super::{Canvas, calls, empty, key, number};
use crate::capture::index::CallId;
use crate::json::Visible;
use crate::replay::Flip;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// What is compared with.
fn since(state: &State, canvas: &Canvas<'_>, style: Style) -> Line {
    match &state.data.baseline {
        Baseline::Start => Line::word("since the start", style),
        Baseline::Mark => Line::word("since the mark", style),
        Baseline::Revision(name) => Line::word("since ", style).and_data(&Visible::new(name), style, canvas.theme()),
    }
}

/// Verdicts that are other ones, and since when where there is room for it.
pub(super) fn title(state: &State, canvas: &Canvas<'_>, style: Style, room: usize) -> Line {
    let short = Line::word("Flips", style);
    let whole = short.clone().and_word(" ", style).and(since(state, canvas, style));
    if whole.width() <= room { whole } else { short }
}

pub(super) fn draw(state: &State, canvas: &mut Canvas<'_>, area: Rect, focused: bool) {
    let (text, muted) = (canvas.style(Role::Text), canvas.style(Role::Muted));
    let data = &state.data;
    if data.flips.is_empty() {
        let [mark, revision] = [ActionId::MarkBaseline, ActionId::CompareWith].map(|action| key(state, canvas, action));
        let lines = [
            Line::word("No verdict is another one ", text).and(since(state, canvas, text)).and_word(".", text),
            Line::word("Save a definition in an editor, and the calls that it changes are listed here. ", muted)
                .and(mark)
                .and_word(" makes what the gate says now the baseline, ", muted)
                .and(revision)
                .and_word(" what the definitions were at a git revision.", muted),
        ];
        return empty::card(canvas, area, &lines);
    }
    canvas.row(area, 0, &head(state, canvas));
    let list = Rect { y: area.y.saturating_add(1), height: area.height.saturating_sub(1), ..area };
    let (selected, top) = state.flips;
    let height = (usize::from(list.height) / FLIP_ROWS).max(1);
    let top = in_sight(top, selected, data.flips.len(), height);
    for (n, flip) in data.flips.iter().skip(top).take(height).enumerate() {
        let row = n * FLIP_ROWS;
        let sign = Line::word(if top + n == selected { ">" } else { " " }, text);
        canvas.found_row(list, row, &sign.and(flipped(state, canvas, flip)));
        canvas.found_row(list, row + 1, &because(state, canvas, flip.id));
        if top + n == selected {
            canvas.style_row(list, row, canvas.style(if focused { Role::Selected } else { Role::SelectedElsewhere }));
        }
    }
}

/// What a call came to, and what it is.
fn flipped(state: &State, canvas: &Canvas<'_>, flip: &Flip) -> Line {
    let (text, muted) = (canvas.style(Role::Text), canvas.style(Role::Muted));
    let line = calls::status(canvas, flip.before, false).and_word("-> ", muted).and(calls::status(canvas, flip.after, false));
    let Some(call) = state.data.rows.get(flip.id) else { return line };
    let line = line.and_data(&Visible::new(&call.tool), text, canvas.theme()).and_word("  ", muted);
    line.and_data(&Visible::new(&state.data.rows.summary(flip.id)), muted, canvas.theme())
}

/// How many flips there are, and of which definitions.
fn head(state: &State, canvas: &Canvas<'_>) -> Line {
    let (text, muted) = (canvas.style(Role::Text), canvas.style(Role::Muted));
    let data = &state.data;
    let (failing, mended, other) = data.flip_counts();
    let mut head = number(failing, canvas.style(Role::Bad)).and_word(" now failing, ", muted);
    head = head.and(number(mended, canvas.style(Role::Ok))).and_word(" mended", muted);
    if other > 0 {
        head = head.and_word(", ", muted).and(number(other, text)).and_word(" otherwise", muted);
    }
    head = head.and_word(" ", muted).and(since(state, canvas, muted)).and_word("; changed:", muted);
    for name in &data.changed {
        head = head.and_word(" ", text).and_data(&Visible::new(name), text, canvas.theme());
    }
    head
}

/// The changes that a verdict is another one for.
fn because(state: &State, canvas: &Canvas<'_>, id: CallId) -> Line {
    let (text, muted) = (canvas.style(Role::Text), canvas.style(Role::Muted));
    let line = Line::word("    because", muted);
    let causes = match state.data.causes.get(&id) {
        None => return line.and_word(": being looked for", muted),
        Some(causes) if causes.is_empty() => return line.and_word(": no single change explains it", muted),
        Some(causes) => causes,
    };
    let line = match causes.len() {
        1 => line,
        several => line.and_word(" of ", muted).and(number(several, muted)).and_word(" changes", muted),
    };
    let mut line = line.and_word(": ", muted);
    for (n, cause) in causes.iter().enumerate() {
        let change = if canvas.theme().is_ascii() { cause.change.replace('→', "->") } else { cause.change.clone() };
        line = line.and_word(if n > 0 { "; " } else { "" }, muted).and_data(&Visible::new(&change), text, canvas.theme());
        line = line.and_word("  ", muted).and_word(cause.rule.id(), muted).and_word(" ", muted);
        line = line.and_data(&Visible::new(&cause.pointer), muted, canvas.theme());
    }
    line
}
