//! The editor: the text with what is wrong in it, what the gate says of it, and what could be written.

use super::super::edit::buffer::Buffer;
use super::super::edit::draft::{Draft, Popup};
use super::super::edit::live::Live;
use super::super::edit::viewport;
use super::super::keys::ActionId;
use super::super::layout::Pane;
use super::super::state::State;
use super::super::text::Line;
use super::super::theme::Role;
use super::{Canvas, calls, issues, key, pages};
use crate::json::{Position, Visible};
use crate::replay::Outcome;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use std::ops::Range;

pub(super) fn draw(state: &State, canvas: &mut Canvas<'_>, draft: &Draft, area: Rect) {
    let foot = u16::from(area.height >= 5);
    let middle = Rect { y: area.y.saturating_add(1), height: area.height.saturating_sub(1 + foot), ..area };
    head(state, canvas, draft, area);
    let cursor = text(canvas, draft, middle);
    if foot > 0 {
        canvas.row(area, usize::from(area.height) - 1, &advice(state, canvas, draft));
    }
    if let Some((x, y)) = cursor.filter(|_| super::has_keys(state, Pane::Detail)) {
        canvas.set_cursor(x, y);
        if let Some(open) = &draft.popup {
            popup(canvas, open, area, (x, y));
        }
    }
}

/// What the gate says, whether anything has been written, and where the cursor is.
fn head(state: &State, canvas: &mut Canvas<'_>, draft: &Draft, area: Rect) {
    let muted = canvas.style(Role::Muted);
    let line = match draft.verdict() {
        None => Line::word(" judging ", canvas.style(Role::Warn)),
        Some(judged) => {
            let line = calls::status(canvas, Outcome::of(&judged.verdict), false);
            let closed = if judged.verdict.recovered() { "closed as if cut off  " } else { "" };
            line.and_word(closed, canvas.style(Role::Warn))
        }
    };
    let line = if draft.is_edited() {
        let accent = canvas.style(Role::Accent);
        line.and_word("edited: ", accent).and(key(state, canvas, ActionId::ReplayEdited)).and_word(" replays it", accent)
    } else {
        line.and_word("as it was; ", muted).and(key(state, canvas, ActionId::Back)).and_word(" leaves", muted)
    };
    canvas.row(area, 0, &line);
    let Position { line: row, column } = place_of(&draft.buffer);
    let place = Line::word("line ", muted).and_number(row, muted).and_word(", column ", muted).and_number(column, muted);
    let place = if state.focus == Pane::Detail { place } else { key(state, canvas, ActionId::Edit).and_word(" to edit", muted) };
    canvas.row_right(area, 0, &place, line.width() + 2);
}

fn place_of(buffer: &Buffer) -> Position {
    Position::of(buffer.text().as_bytes(), buffer.cursor())
}

/// The lines that are in sight; gives the place of the cursor on the screen.
fn text(canvas: &mut Canvas<'_>, draft: &Draft, area: Rect) -> Option<(u16, u16)> {
    let text = draft.buffer.text();
    let all = viewport::lines(text);
    let gutter = viewport::gutter(area.width.into(), all);
    let room = usize::from(area.width).saturating_sub(gutter);
    let mut start = viewport::line_start(text, draft.top);
    let mut cursor = None;
    for row in 0..usize::from(area.height) {
        if draft.top + row >= all {
            break;
        }
        let line = draft.buffer.line_at(start);
        let said = Said::on(draft.verdict(), &line);
        let number = margin(canvas, draft.top + row + 1, !said.is_empty(), gutter);
        let body = body(canvas, draft, &line, &said, room);
        canvas.row(area, row, &number.and(body));
        if line.start <= draft.buffer.cursor() && draft.buffer.cursor() <= line.end {
            let column = viewport::width(&text[line.start..draft.buffer.cursor()]);
            let x = (gutter + column.saturating_sub(draft.left)).min(usize::from(area.width).saturating_sub(1));
            cursor = Some((area.x + u16::try_from(x).unwrap_or_default(), area.y + u16::try_from(row).unwrap_or_default()));
        }
        start = line.end + 1;
    }
    cursor
}

/// What is wrong on a line.
struct Said<'a> {
    judged: Option<&'a Live>,
    issues: Vec<usize>,
    broken: bool,
}

impl<'a> Said<'a> {
    fn on(judged: Option<&'a Live>, line: &Range<usize>) -> Self {
        let here = |at: usize| line.start <= at && at <= line.end;
        let issues = judged.map_or(Vec::new(), |judged| {
            let on = |(n, spot): (usize, &super::super::edit::live::Spot)| here(spot.anchor).then_some(n);
            judged.places.iter().enumerate().filter_map(on).collect()
        });
        let broken = judged.and_then(|judged| judged.broken.as_ref()).is_some_and(|broken| here(broken.at));
        Self { judged, issues, broken }
    }

    fn is_empty(&self) -> bool {
        self.issues.is_empty() && !self.broken
    }

    /// In words, all of it.
    fn words(&self, canvas: &Canvas<'_>) -> Line {
        let style = canvas.style(Role::Bad);
        let mut line = Line::new();
        let Some(judged) = self.judged else { return line };
        if let Some(broken) = judged.broken.as_ref().filter(|_| self.broken) {
            line = line.and_data(&Visible::new(&broken.why), style, canvas.theme());
        }
        for issue in self.issues.iter().filter_map(|n| judged.verdict.issues.get(*n)) {
            line = if line.is_empty() { line } else { line.and_word("; ", style) };
            // What is missing is not there to be seen.
            let is_missing = issue.kind == crate::gate::IssueKind::Missing;
            let words = if is_missing { issues::words_with_place } else { issues::words };
            line = line.and(words(canvas, issue, style));
        }
        line
    }
}

/// The number of a line, with a sign where something is wrong on it.
fn margin(canvas: &Canvas<'_>, number: usize, wrong: bool, gutter: usize) -> Line {
    let (muted, bad) = (canvas.style(Role::Muted), canvas.style(Role::Bad));
    let sign = if wrong { "! " } else { "  " };
    if gutter <= 2 {
        return Line::word(sign, bad);
    }
    let digits = number.to_string().len();
    Line::new()
        .pad_to((gutter - 3).saturating_sub(digits), muted)
        .and_number(number as u64, muted)
        .and_word(" ", muted)
        .and_word(sign, bad)
}

/// A line of the text, its parts in their styles, and behind it what is wrong with it.
fn body(canvas: &Canvas<'_>, draft: &Draft, line: &Range<usize>, said: &Said<'_>, room: usize) -> Line {
    let text = &draft.buffer.text()[line.clone()];
    let (from, to, before) = viewport::part(text, draft.left, room);
    let shown = line.start + from..line.start + to;
    let mut out = Line::new();
    for (part, style) in styled(canvas, draft, said, &shown) {
        out = out.and_data(&Visible::new(&draft.buffer.text()[part]), style, canvas.theme());
    }
    // A selection that goes on over a line end shows that it has it.
    if draft.buffer.selection().is_some_and(|range| range.start <= line.end && line.end < range.end) {
        out = out.and_word(" ", canvas.style(Role::Text).add_modifier(Modifier::REVERSED));
    }
    let out = out.scrolled(draft.left.saturating_sub(before));
    if said.is_empty() || to < text.len() {
        return out;
    }
    out.and_word("  <- ", canvas.style(Role::Bad)).and(said.words(canvas))
}

/// A part of the text in pieces of one style each.
fn styled(canvas: &Canvas<'_>, draft: &Draft, said: &Said<'_>, shown: &Range<usize>) -> Vec<(Range<usize>, Style)> {
    let bad = canvas.style(Role::Bad);
    let mut marks: Vec<(Range<usize>, Style)> = Vec::new();
    if let Some(judged) = said.judged {
        for spot in said.issues.iter().filter_map(|n| judged.places.get(*n)) {
            marks.push((spot.anchor.min(spot.span.start)..spot.span.end, bad));
        }
        if let Some(broken) = judged.broken.as_ref().filter(|_| said.broken) {
            let end = draft.buffer.text()[broken.at..].chars().next().map_or(broken.at, |c| broken.at + c.len_utf8());
            marks.push((broken.at..end, bad.add_modifier(Modifier::REVERSED)));
        }
    }
    marks.extend(draft.buffer.selection().map(|range| (range, Style::new().add_modifier(Modifier::REVERSED))));
    let mut cuts: Vec<usize> = marks.iter().flat_map(|(range, _)| [range.start, range.end]).collect();
    cuts.extend([shown.start, shown.end]);
    cuts.retain(|at| shown.start <= *at && *at <= shown.end && draft.buffer.text().is_char_boundary(*at));
    cuts.sort_unstable();
    cuts.dedup();
    let style_of = |at: usize| {
        let over = marks.iter().filter(|(range, _)| range.contains(&at));
        over.fold(canvas.style(Role::Text), |style, (_, mark)| style.patch(*mark))
    };
    cuts.windows(2).map(|ends| (ends[0]..ends[1], style_of(ends[0]))).collect()
}

/// What is wrong on the line of the cursor, or where something is.
fn advice(state: &State, canvas: &Canvas<'_>, draft: &Draft) -> Line {
    let muted = canvas.style(Role::Muted);
    let line = draft.buffer.line_at(draft.buffer.cursor());
    let said = Said::on(draft.verdict(), &line);
    if !said.is_empty() {
        return Line::word("! ", canvas.style(Role::Bad)).and(said.words(canvas));
    }
    let Some(judged) = draft.verdict() else { return Line::new() };
    let text = draft.buffer.text().as_bytes();
    let stops = judged.stops();
    let next = stops.iter().find(|at| **at > draft.buffer.cursor()).or(stops.first());
    match next {
        None => Line::word("Nothing is wrong: the tool would run", canvas.style(Role::Ok)),
        Some(at) => {
            let line = key(state, canvas, ActionId::NextIssue).and_word(" next issue, on line ", muted);
            line.and_number(Position::of(text, *at).line, muted)
        }
    }
}

/// What could be written, below the cursor or above it.
fn popup(canvas: &mut Canvas<'_>, popup: &Popup, area: Rect, cursor: (u16, u16)) {
    const MOST: usize = 8;
    let (text, muted, accent) = (canvas.style(Role::Text), canvas.style(Role::Muted), canvas.style(Role::Accent));
    let theme = canvas.theme();
    let lines: Vec<Line> = popup
        .choices
        .iter()
        .enumerate()
        .map(|(n, choice)| {
            let sign = if n == popup.selected { "> " } else { "  " };
            let line = Line::word(sign, accent).and_data(&Visible::new(&choice.label), text, theme).and_word("  ", muted);
            line.and_data(&Visible::new(&choice.detail), muted, theme)
        })
        .collect();
    let widest = lines.iter().map(Line::width).max().unwrap_or(0) + 2;
    let width = u16::try_from(widest).unwrap_or(area.width).min(area.width);
    let rows = u16::try_from(lines.len().min(MOST)).unwrap_or(0);
    let (below, above) = (area.bottom().saturating_sub(cursor.1 + 1), cursor.1.saturating_sub(area.y));
    let height = (rows + 2).min(below.max(above));
    if height < 3 || width < 4 {
        return;
    }
    let y = if below >= height { cursor.1 + 1 } else { cursor.1 - height };
    let x = cursor.0.min(area.right().saturating_sub(width));
    let outer = Rect { x, y, width, height };
    canvas.clear(outer);
    canvas.frame(outer, canvas.style(Role::BorderFocused));
    let inner = Rect { x: x + 1, y: y + 1, width: width - 2, height: height - 2 };
    let top = super::super::update::in_sight(0, popup.selected, lines.len(), inner.height.into());
    for (row, line) in lines.iter().skip(top).take(inner.height.into()).enumerate() {
        canvas.row(inner, row, line);
        if top + row == popup.selected {
            canvas.style_row(inner, row, canvas.style(Role::Selected));
        }
    }
}

/// The exact text that the model would get, below the editor.
pub(super) fn strip(state: &State, canvas: &mut Canvas<'_>, draft: &Draft, area: Rect) {
    let muted = canvas.style(Role::Muted);
    match draft.verdict() {
        None => canvas.row(area, 0, &Line::word("judging", muted)),
        Some(live) if live.text.is_some() => pages::draw(canvas, &draft.model, state.reading, area),
        Some(live) => {
            let passed = live.verdict.kind == crate::gate::VerdictKind::PassedThrough;
            let (word, role) = if passed {
                ("Nothing from the gate: the call is passed through to whoever owns the tool.", Role::Muted)
            } else {
                ("Nothing from the gate: the call is valid and the tool would run.", Role::Ok)
            };
            let lines = Line::word(word, canvas.style(role)).wrapped(area.width.into());
            canvas.rows(area, &lines);
        }
    }
}

/// The length of that text.
pub(super) fn strip_length(draft: &Draft, style: Style) -> Line {
    draft.verdict().and_then(|live| live.text.as_deref()).map(|text| pages::length(text, style)).unwrap_or_default()
}
