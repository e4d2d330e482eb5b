//! Before and after.

use super::super::edit::diff::{Diff, Half, Pair};
use super::super::edit::diff_rows::{Fate, Part, Row, Shape, rows};
use super::super::keys::ActionId;
use super::super::state::State;
use super::super::text::Line;
use super::super::theme::Role;
use super::{Canvas, calls, empty, issues, key, number};
use crate::gate::{Verdict, VerdictKind};
use crate::json::Visible;
use crate::replay::Outcome;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

pub(super) fn draw(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let Some((before, after, diff)) = state.diff() else { return nothing(state, canvas, area) };
    let names = [before, after].map(|id| Visible::new(&state.version_name(id)));
    let compare = &state.edit.compare;
    let at = Seen { top: compare.top, left: compare.left, whole: compare.whole, wrap: state.reading.wrap };
    compared(state, canvas, diff, [&names[0], &names[1]], area, at);
}

/// What of a comparison is seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// The first row.
    pub top: usize,
    /// Cells that are scrolled away on the left.
    pub left: usize,
    /// Also what is the same in both.
    pub whole: bool,
    /// The texts are wrapped.
    pub wrap: bool,
}

/// What of each line is seen.
#[derive(Clone, Copy, Debug)]
struct Across {
    /// Cells that are scrolled away, where it is not wrapped.
    left: usize,
    /// Cells for it.
    room: usize,
}

/// What became of a call, with the names of both sides.
pub(super) fn compared(
    state: &State,
    canvas: &mut Canvas<'_>,
    diff: &Diff,
    names: [&Visible; 2],
    area: Rect,
    Seen { top, left, whole, wrap }: Seen,
) {
    let shape = Shape { width: area.width.into(), whole, wrap };
    head(canvas, (names[0], &diff.before), (names[1], &diff.after), shape.is_beside(), area);
    let area = Rect { y: area.y.saturating_add(1), height: area.height.saturating_sub(1), ..area };
    let rows = rows(diff, shape);
    let top = top.min(rows.len().saturating_sub(area.height.into()));
    for (n, row) in rows.iter().skip(top).take(area.height.into()).enumerate() {
        match row {
            Row::Beside(pair, part) => both(canvas, (pair, *part), area, n, Across { left, room: shape.room() }),
            Row::Folded(lines) => {
                let muted = canvas.style(Role::Muted);
                let line = Line::word("  ... ", muted).and(number(*lines, muted)).and_word(" lines are the same; ", muted);
                let line = line.and(key(state, canvas, ActionId::ToggleSame)).and_word(" shows them", muted);
                canvas.row(area, n, &line);
            }
            row => {
                let line = line(canvas, diff, row, Across { left, room: shape.room() });
                canvas.found_row(area, n, &line);
            }
        }
    }
}

fn nothing(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let (text, muted) = (canvas.style(Role::Text), canvas.style(Role::Muted));
    if state.pair().is_some() {
        return canvas.row(area, 0, &Line::word("Reading.", muted));
    }
    let [edit, edited, replay] = [ActionId::Edit, ActionId::ReplayEdited, ActionId::Replay].map(|id| key(state, canvas, id));
    let lines = [
        Line::word("Nothing to compare yet: there is only the original.", text),
        Line::new(),
        edit.and_word(" edits the arguments, ", muted).and(edited).and_word(" replays them", muted),
        replay.and_word(" replays them as they are", muted),
    ];
    empty::card(canvas, area, &lines);
}

/// Which two, and what the gate says of each.
fn head(canvas: &mut Canvas<'_>, before: (&Visible, &Verdict), after: (&Visible, &Verdict), beside: bool, area: Rect) {
    let muted = canvas.style(Role::Muted);
    let side = |word: &'static str, (name, verdict): (&Visible, &Verdict)| {
        let line = Line::word(word, muted).and_data(name, canvas.style(Role::Accent), canvas.theme()).and_word(" ", muted);
        line.and(calls::status(canvas, Outcome::of(verdict), false))
    };
    let (before, after) = (side("before: ", before), side("after: ", after));
    if beside {
        let half = usize::from(area.width) / 2;
        return canvas.row(area, 0, &before.truncated(half - 1, canvas.theme()).pad_to(half, muted).and(after));
    }
    canvas.row(area, 0, &before.and(after));
}

fn line(canvas: &Canvas<'_>, diff: &Diff, row: &Row<'_>, across: Across) -> Line {
    let (text, muted) = (canvas.style(Role::Text), canvas.style(Role::Muted));
    let (bad, ok, warn) = (canvas.style(Role::Bad), canvas.style(Role::Ok), canvas.style(Role::Warn));
    match row {
        Row::Heading(title) => Line::word(title, muted).and_word(":", muted),
        Row::Counts if diff.after.kind == VerdictKind::Unparsable => {
            Line::word("not JSON: what became of the issues is not known", bad)
        }
        Row::Counts if diff.before.kind == VerdictKind::Unparsable => {
            let line = Line::word("it was not JSON: ", warn);
            line.and_number(diff.after.issues.len() as u64, warn).and_word(" issues are known now", warn)
        }
        Row::Counts => {
            let comparison = &diff.comparison;
            let role = if comparison.new.is_empty() && comparison.still.is_empty() { ok } else { warn };
            Line::data(&Visible::new(&comparison.line()), role, canvas.theme())
        }
        Row::Issue(fate, issue) => {
            let (word, style) = match fate {
                Fate::Fixed => ("  fixed  ", ok),
                Fate::New => ("  new    ", bad),
                Fate::Still => ("  still  ", warn),
            };
            Line::word(word, style).and(issues::words_with_place(canvas, issue, style))
        }
        Row::Same(line, part) => half(canvas, (line, *part), "  ", text, across),
        Row::Before(line, part) => half(canvas, (line, *part), "- ", bad, across),
        Row::After(line, part) => half(canvas, (line, *part), "+ ", ok, across),
        Row::NoText => Line::word("  (nothing from the gate, neither before nor after)", muted),
        Row::Empty | Row::Beside(..) | Row::Folded(_) => Line::new(),
    }
}

/// Two lines beside each other.
fn both(canvas: &mut Canvas<'_>, (pair, part): (&Pair, Part), area: Rect, row: usize, across: Across) {
    let width = area.width / 2;
    let (first, second) = if pair.is_same() {
        (("  ", canvas.style(Role::Text)), ("  ", canvas.style(Role::Text)))
    } else {
        (("- ", canvas.style(Role::Bad)), ("+ ", canvas.style(Role::Ok)))
    };
    let sides = [
        (&pair.before, first, Rect { width: width.saturating_sub(1), ..area }),
        (&pair.after, second, Rect { x: area.x + width, width: area.width - width, ..area }),
    ];
    for (line, (sign, style), area) in sides {
        if let Some(line) = line {
            let line = half(canvas, (line, part), sign, style, across);
            canvas.found_row(area, row, &line);
        }
    }
}

/// A line of one side, what differs standing out.
fn half(canvas: &Canvas<'_>, (half, part): (&Half, Part), sign: &'static str, style: Style, across: Across) -> Line {
    let differs = style.add_modifier(Modifier::UNDERLINED);
    let mut line = Line::new();
    for (emphasised, piece) in &half.pieces {
        line = line.and_data(&Visible::new(piece), if *emphasised { differs } else { style }, canvas.theme());
    }
    let shown = match part {
        Part::Whole => line.scrolled(across.left),
        // Where the other side takes more rows, there is nothing.
        Part::Wrapped(row) => match line.wrapped(across.room).into_iter().nth(row) {
            Some(line) => line,
            None => return Line::new(),
        },
    };
    Line::word(if part.is_first() { sign } else { "  " }, style).and(shown)
}
