//! The line to fill in, what is wrong with it, and what can be typed next.

use super::super::layout::Layout;
use super::super::state::{MOST, Prompt, Purpose, State};
use super::super::text::Line;
use super::super::theme::Role;
use super::{Canvas, fuzzy, number, overlay};
use crate::json::Visible;
use crate::replay::filter::{Completion, FilterError};
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use std::ops::Range;

/// Candidates that are shown at a time.
const CANDIDATES: usize = 7;
/// Cells of the box with the candidates.
const WIDTH: u16 = 64;

/// Draws it over the row that tells where one is.
pub(super) fn draw(state: &State, canvas: &mut Canvas<'_>, prompt: &Prompt, layout: &Layout) {
    let area = layout.status;
    canvas.clear(area);
    let count = count(state, canvas, prompt);
    let room = usize::from(area.width).saturating_sub(count.width() + 2);
    line(canvas, prompt, Rect { width: u16::try_from(room).unwrap_or(area.width), ..area });
    canvas.row_right(area, 0, &count, room);
    if let Some(error) = &prompt.error {
        wrong(canvas, error, layout);
    }
    if let Some(message) = prompt.purpose.message() {
        say(canvas, message, layout.body);
    }
    if prompt.purpose == Purpose::GoToCall {
        fuzzy::draw(state, canvas, prompt, layout);
    }
    if prompt.purpose == Purpose::Filter {
        candidates(canvas, &state.completion(prompt), prompt.selected, layout.body);
    }
}

/// The line itself, with what is wrong underlined.
fn line(canvas: &mut Canvas<'_>, prompt: &Prompt, area: Rect) {
    let (text, accent, muted) = (canvas.style(Role::Text), canvas.style(Role::Accent), canvas.style(Role::Muted));
    let typed = prompt.input.text();
    let label = Line::word(" ", accent).and_word(prompt.purpose.label(), accent);
    let part = |range: Range<usize>| Visible::new(typed.get(range).unwrap_or_default());
    let before = Line::data(&part(0..prompt.input.cursor()), text, canvas.theme()).width();
    let underlined = canvas.style(Role::Bad).add_modifier(Modifier::UNDERLINED);
    let written = match prompt.error.as_ref().map(|error| error.range.clone()) {
        Some(range) => styled(canvas, typed, &range, text, underlined),
        None if typed.is_empty() => Line::word(prompt.purpose.placeholder(), muted),
        None => Line::data(&part(0..typed.len()), text, canvas.theme()),
    };
    // The cursor stays in sight.
    let room = usize::from(area.width).saturating_sub(label.width());
    let hidden = (before + 1).saturating_sub(room);
    canvas.row(area, 0, &label.clone().and(written.scrolled(hidden)));
    let cursor = label.width() + before - hidden.min(before);
    canvas.set_cursor(area.x.saturating_add(u16::try_from(cursor).unwrap_or_default()), area.y);
}

/// A text with some of its bytes in a style; where there are none at its end, a space.
fn styled(canvas: &Canvas<'_>, text: &str, range: &Range<usize>, style: Style, other: Style) -> Line {
    let part = |range: Range<usize>| Visible::new(text.get(range).unwrap_or_default());
    let line = Line::data(&part(0..range.start), style, canvas.theme());
    let line =
        if range.is_empty() { line.and_word(" ", other) } else { line.and_data(&part(range.clone()), other, canvas.theme()) };
    line.and_data(&part(range.end..text.len()), style, canvas.theme())
}

/// How many there are of how many.
fn count(state: &State, canvas: &Canvas<'_>, prompt: &Prompt) -> Line {
    let muted = canvas.style(Role::Muted);
    let (shown, all) = match prompt.purpose {
        Purpose::Filter => (state.data.calls.len(), state.data.calls.all().len()),
        Purpose::Tools | Purpose::GoTo => (state.data.tools.rows().len(), state.data.tools.all().len()),
        Purpose::GoToCall => (state.fuzzy.matches, state.data.rows.total().calls),
        Purpose::Search => return found(state, canvas),
        Purpose::Definitions => return found_in_definitions(state, canvas),
        Purpose::Comment(_) | Purpose::Reason | Purpose::ReviewBase | Purpose::Baseline | Purpose::ExportAs => {
            return Line::new();
        }
    };
    let line = number(shown, canvas.style(Role::Accent)).and_word(" of ", muted).and(number(all, muted));
    let (_, undecided) = state.data.calls.hidden(&state.data.find);
    let line = if undecided > 0 && prompt.purpose == Purpose::Filter {
        line.and_word(", ", muted).and(number(undecided, muted)).and_word(" to be read", muted)
    } else {
        line
    };
    line.and_word(" ", muted)
}

/// At which of how many places that match one is.
pub(super) fn found(state: &State, canvas: &Canvas<'_>) -> Line {
    let (muted, accent) = (canvas.style(Role::Muted), canvas.style(Role::Accent));
    let search = &state.search;
    if search.needle.text().is_empty() || search.target.is_none() || search.target != state.searchable() {
        return Line::new();
    }
    if search.hits.is_empty() {
        return Line::word("nothing matches ", canvas.style(Role::Bad));
    }
    let at = search.at.map_or(Line::word("-", muted), |at| number(at + 1, accent));
    let line = at.and_word("/", muted).and(number(search.hits.len(), muted));
    line.and_word(if search.hits.len() == MOST { " or more " } else { " " }, muted)
}

/// At which of how many definitions and parameters that were found one is.
pub(super) fn found_in_definitions(state: &State, canvas: &Canvas<'_>) -> Line {
    let (muted, accent) = (canvas.style(Role::Muted), canvas.style(Role::Accent));
    let explorer = &state.explorer;
    match (explorer.query().trim(), explorer.found().len()) {
        ("", _) => Line::new(),
        (_, 0) => Line::word("nothing matches ", canvas.style(Role::Bad)),
        (_, found) => {
            let at = explorer.found_at().map_or(Line::word("-", muted), |n| number(n, accent));
            at.and_word("/", muted).and(number(found, muted)).and_word(" ", muted)
        }
    }
}

/// What has to be said of a line, above it.
fn say(canvas: &mut Canvas<'_>, message: &'static str, body: Rect) {
    let lines = Line::word(message, canvas.style(Role::Muted)).wrapped(usize::from(body.width).saturating_sub(4));
    let height = u16::try_from(lines.len()).unwrap_or(body.height).saturating_add(2).min(body.height);
    let inner = overlay::open_box(canvas, Rect { y: body.bottom() - height, height, ..body });
    canvas.rows(inner, &lines);
}

/// What is wrong, where the hints are otherwise.
fn wrong(canvas: &mut Canvas<'_>, error: &FilterError, layout: &Layout) {
    let bad = canvas.style(Role::Bad);
    let body = layout.body;
    let last = Rect { y: body.bottom().saturating_sub(1), height: body.height.min(1), ..body };
    let area = if layout.footer.height > 0 { layout.footer } else { last };
    canvas.clear(area);
    let mut line = Line::word(" ", bad);
    // A good guess is worth more than the list of all that there is.
    if let Some(suggestion) = &error.suggestion {
        line =
            line.and_word("did you mean ", bad).and_data(&Visible::new(suggestion), canvas.style(Role::Accent), canvas.theme());
        line = line.and_word("?  ", bad);
    }
    let expected = Line::word("expected ", bad).and_data(&Visible::new(&error.expected), bad, canvas.theme());
    canvas.row(area, 0, &line.and(expected));
}

/// What can be typed next, above the line on the right: the lists are on the left.
fn candidates(canvas: &mut Canvas<'_>, completion: &Completion, selected: usize, body: Rect) {
    let all = &completion.candidates;
    if all.is_empty() {
        return;
    }
    let (text, muted, accent) = (canvas.style(Role::Text), canvas.style(Role::Muted), canvas.style(Role::Accent));
    let selected = selected.min(all.len() - 1);
    let most = CANDIDATES.min(usize::from(body.height).saturating_sub(2)).min(all.len());
    if most == 0 {
        return;
    }
    let (width, height) = (WIDTH.min(body.width), u16::try_from(most + 2).unwrap_or(body.height));
    let area = Rect { x: body.right() - width, y: body.bottom() - height, width, height };
    let inner = overlay::open_box(canvas, area);
    let first = (selected + 1).saturating_sub(most);
    for (row, candidate) in all.iter().skip(first).take(most).enumerate() {
        let is_selected = first + row == selected;
        let line = Line::word(if is_selected { "> " } else { "  " }, accent);
        let line = line.and_data(&Visible::new(&candidate.text), text, canvas.theme());
        let line = if candidate.note.is_empty() {
            line
        } else {
            line.pad_to(18, muted).and_word("  ", muted).and_word(candidate.note, muted)
        };
        canvas.row(inner, row, &line);
        if is_selected {
            canvas.style_row(inner, row, canvas.style(Role::Selected));
        }
    }
    let key = Line::word(" Tab", accent).and_word(" takes it ", muted);
    canvas.row_right(Rect { y: area.y, height: 1, width: area.width.saturating_sub(1), ..area }, 0, &key, 2);
}
