//! What lies over the panes.

use super::super::keys::{ActionId, Next, palette};
use super::super::state::{PaletteState, Question, State};
use super::super::text::Line;
use super::super::theme::Role;
use super::{Canvas, key};
use crate::json::Visible;
use ratatui::layout::Rect;

/// The palette: what is searched for on top, what was found below.
pub(super) fn palette(state: &State, canvas: &mut Canvas<'_>, open: &PaletteState, body: Rect) {
    let area = centred(body, 90, body.height);
    let inner = open_box(canvas, area);
    let entries = palette::entries(&state.keymap, open.over, &state.snapshot(), open.query.text());
    prompt(canvas, open, inner, entries.len());
    let list = Rect { y: inner.y + inner.height.min(1), height: inner.height.saturating_sub(1), ..inner };
    let list = about(canvas, entries.get(open.selected), list);
    let first = open.selected.saturating_sub(usize::from(list.height).saturating_sub(1));
    for (row, (n, entry)) in entries.iter().enumerate().skip(first).take(list.height.into()).enumerate() {
        canvas.row(list, row, &entry_line(canvas, entry, n == open.selected, list.width.into()));
        if n == open.selected {
            canvas.style_row(list, row, canvas.style(Role::Selected));
        }
    }
    if entries.is_empty() {
        canvas.row(
            list,
            0,
            &Line::word("  Nothing matches: a name, a word of the description or a key", canvas.style(Role::Muted)),
        );
    }
}

/// What the selected action does, whole, below the list, which has the rest.
fn about(canvas: &mut Canvas<'_>, selected: Option<&palette::Entry>, area: Rect) -> Rect {
    const LINES: u16 = 2;
    const LIST: u16 = 8;
    if area.height < LIST + LINES {
        return area;
    }
    let list = Rect { height: area.height - LINES, ..area };
    let Some(entry) = selected else { return list };
    let (name, text) = (canvas.style(Role::Accent), canvas.style(Role::Text));
    let line = Line::word(entry.action.name, name).and_word("  ", text).and_word(entry.action.help, text);
    let mut lines = line.wrapped(area.width.into());
    lines.truncate(LINES.into());
    canvas.rows(Rect { y: list.bottom(), height: LINES, ..area }, &lines);
    list
}

fn prompt(canvas: &mut Canvas<'_>, open: &PaletteState, area: Rect, found: usize) {
    let (text, accent, muted) = (canvas.style(Role::Text), canvas.style(Role::Accent), canvas.style(Role::Muted));
    let (before, after) = open.query.halves();
    let start = Line::word(": ", accent).and_data(&before, text, canvas.theme());
    // The cursor stays in sight.
    let hidden = (start.width() + 1).saturating_sub(area.width.into());
    let cursor = u16::try_from(start.width() - hidden).unwrap_or_default();
    let line = start.and_data(&after, text, canvas.theme()).scrolled(hidden);
    let line = if open.query.text().is_empty() { line.and_word("name, description or key", muted) } else { line };
    canvas.row(area, 0, &line);
    let count = Line::new().and_number(found as u64, muted).and_word(" actions", muted);
    canvas.row_right(area, 0, &count, line.width() + 2);
    canvas.set_cursor(area.x + cursor, area.y);
}

fn entry_line(canvas: &Canvas<'_>, entry: &palette::Entry, selected: bool, width: usize) -> Line {
    /// Cells for the name, and for the keys beside it on a wide screen.
    const NAME: usize = 21;
    const KEYS: usize = 18;
    let (name, muted, keys) = (canvas.style(Role::Text), canvas.style(Role::Muted), canvas.style(Role::Accent));
    let name = if entry.refusal.is_some() { muted } else { name };
    let sign = if selected { "> " } else { "  " };
    let line = Line::word(sign, keys).and_word(entry.action.name, name).pad_to(NAME, name);
    let shown = Line::data(&Visible::new(&entry.keys), keys, canvas.theme()).truncated(KEYS - 1, canvas.theme());
    let line = if width >= 60 { line.and(shown).pad_to(NAME + KEYS, keys) } else { line };
    match entry.refusal {
        Some(refusal) => line.and_word("not now: ", canvas.style(Role::Warn)).and_word(refusal, muted),
        None => line.and_word(entry.action.help, muted),
    }
}

/// A question with its answers.
pub(super) fn confirm(state: &State, canvas: &mut Canvas<'_>, question: Question, body: Rect) {
    let (text, muted) = (canvas.style(Role::Text), canvas.style(Role::Muted));
    let width = body.width.min(64);
    let mut lines = Line::word(question.text(), text).wrapped(usize::from(width).saturating_sub(4));
    lines.push(Line::new());
    let (yes, no) = (key(state, canvas, ActionId::Yes), key(state, canvas, ActionId::No));
    lines.push(yes.and_word(" yes   ", muted).and(no).and_word(" no", muted));
    let height = u16::try_from(lines.len()).unwrap_or(body.height).saturating_add(2);
    let inner = open_box(canvas, centred(body, width, height));
    canvas.rows(inner, &lines);
}

/// What may follow the keys typed so far, at the bottom.
pub(super) fn which_key(state: &State, canvas: &mut Canvas<'_>, body: Rect) {
    const CELL: usize = 24;
    let Some(next) = state.pending.which_key(&state.keymap, state.context(), state.now) else { return };
    let columns = (usize::from(body.width).saturating_sub(4) / CELL).max(1);
    let rows = next.len().div_ceil(columns);
    let height = u16::try_from(rows + 2).unwrap_or(body.height).min(body.height);
    let inner = open_box(canvas, Rect { y: body.bottom() - height, height, ..body });
    for row in 0..rows {
        let cells = next.iter().skip(row * columns).take(columns).enumerate();
        let line = cells.fold(Line::new(), |line, (n, next)| {
            line.pad_to(n * CELL, canvas.style(Role::Text)).and(next_line(canvas, next).truncated(CELL - 2, canvas.theme()))
        });
        canvas.row(inner, row, &line);
    }
}

fn next_line(canvas: &Canvas<'_>, next: &Next) -> Line {
    let key = Line::data(&Visible::new(&next.chord.to_string()), canvas.style(Role::Accent), canvas.theme());
    let title = next.action.map_or("more", |action| action.action().title);
    key.and_word("  ", canvas.style(Role::Muted)).and_word(title, canvas.style(Role::Text))
}

/// Empties an area, frames it, and gives its inside with a margin.
pub(super) fn open_box(canvas: &mut Canvas<'_>, area: Rect) -> Rect {
    canvas.clear(area);
    canvas.frame(area, canvas.style(Role::BorderFocused));
    Rect {
        x: area.x.saturating_add(2),
        y: area.y.saturating_add(1),
        width: area.width.saturating_sub(4),
        height: area.height.saturating_sub(2),
    }
}

fn centred(body: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(body.width), height.min(body.height));
    Rect { x: body.x + (body.width - width) / 2, y: body.y + (body.height - height) / 2, width, height }
}
