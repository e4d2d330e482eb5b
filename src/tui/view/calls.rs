//! The list of calls.

use super::super::edit::attempts::UNSAVED;
use super::super::layout::{Pane, Slot};
use super::super::state::{Place, State, ToolKey};
use super::super::text::Line;
use super::super::theme::{Role, Shown, Status};
use super::super::update::in_sight;
use super::{Canvas, empty, number};
use crate::capture::time;
use crate::gate::VerdictKind;
use crate::json::Visible;
use crate::replay::filter::{Direction, Sort};
use crate::replay::{LabelReader, Outcome, Row, is_summary_cut};

/// The columns for which there is room.
#[derive(Clone, Copy, Debug)]
struct Columns {
    /// Cells of the time: with the day and seconds, with the day, alone, or none.
    time: usize,
    /// Cells of the tool's name; none where only one tool's calls are shown.
    tool: usize,
    /// Cells of the model's name.
    model: usize,
}

/// The sign, then the longest word with a number: `BAD 100`.
const STATUS: usize = 8;

impl Columns {
    /// What matters less goes first; nothing is squeezed.
    fn of(width: usize, one_tool: bool) -> Self {
        let tool = if one_tool { 0 } else { 12 };
        Self {
            time: match width {
                0..46 => 0,
                46..62 => 6,
                62..100 => 12,
                _ => 15,
            },
            tool: if width < 26 { 0 } else { tool },
            model: if width >= 86 { 14 } else { 0 },
        }
    }
}

pub(super) fn title(state: &State, canvas: &Canvas<'_>, focused: bool) -> Line {
    let style = canvas.style(if focused { Role::Accent } else { Role::Text });
    let line = Line::word("Calls", style);
    let name = match state.data.find.tool() {
        Some(ToolKey::Definition(name)) => name.as_str(),
        Some(ToolKey::Unknown(name)) => name,
        Some(ToolKey::Finding(..)) => "of a file that cannot be read",
        Some(ToolKey::All) | None => return line,
    };
    line.and_word("  ", style).and_data(&Visible::new(name), style, canvas.theme())
}

pub(super) fn right(state: &State, canvas: &Canvas<'_>) -> Line {
    let muted = canvas.style(Role::Muted);
    let calls = &state.data.calls;
    let (hidden, undecided) = calls.hidden(&state.data.find);
    let mut line = match calls.selected_row() {
        Some(row) => Line::new().and(number(row + 1, muted)).and_word("/", muted).and(number(calls.len(), muted)),
        None if hidden > 0 => Line::new().and(number(0, muted)),
        None => Line::new(),
    };
    if hidden > 0 && !line.is_empty() {
        line = line.and_word(" of ", muted).and(number(calls.len() + hidden, muted));
    }
    if undecided > 0 {
        line = line.and_word(", ", muted).and(number(undecided, muted)).and_word(" to be read", muted);
    }
    if !calls.sort().keys().is_empty() {
        line = line.and_word("  by ", muted).and(order(canvas, calls.sort()));
    }
    let new = calls.new_shown(&state.data.find, &state.data.rows);
    if new > 0 {
        line = line.and_word("  ", muted).and(number(new, canvas.style(Role::Warn))).and_word(" new", canvas.style(Role::Warn));
    }
    if calls.follow { line.and_word("  follow", canvas.style(Role::Accent)) } else { line }
}

/// The first key of an order, and that there are more.
fn order(canvas: &Canvas<'_>, sort: &Sort) -> Line {
    let style = canvas.style(Role::Accent);
    let Some((key, direction)) = sort.keys().first() else { return Line::new() };
    let line = Line::word(key.name(), style);
    let line = if *direction == Direction::Descending { line.and_word(" desc", style) } else { line };
    if sort.keys().len() > 1 { line.and_word(", ", style).and_word(canvas.theme().ellipsis(), style) } else { line }
}

pub(super) fn draw(state: &State, canvas: &mut Canvas<'_>, slot: Slot) {
    let calls = &state.data.calls;
    if calls.is_empty() {
        return empty::calls(state, canvas, slot.inner);
    }
    let area = slot.inner;
    let columns = Columns::of(area.width.into(), state.data.find.tool().is_some());
    let selected = calls.selected_row();
    let top = in_sight(calls.top, selected.unwrap_or(calls.top), calls.len(), area.height.into());
    let mut reader = LabelReader::default();
    for (row, id) in calls.from(top).iter().take(area.height.into()).enumerate() {
        let Some((call, place)) = state.data.rows.get(*id).zip(state.data.rows.place(*id)) else { continue };
        let is_selected = selected == Some(top + row);
        let summary = state.data.rows.summary_with(*id, &mut reader);
        let drawn = line(state, canvas, (&call, &place, summary), columns, is_selected, area.width.into());
        canvas.row(area, row, &drawn);
        if is_selected {
            super::select_row(state, canvas, Pane::Calls, area, row);
        }
    }
}

fn line(
    state: &State,
    canvas: &Canvas<'_>,
    (row, place, summary): (&Row, &Place, &str),
    columns: Columns,
    selected: bool,
    width: usize,
) -> Line {
    let (text, muted) = (canvas.style(Role::Text), canvas.style(Role::Muted));
    let notes = &state.data.find.notes;
    let mut line = Line::word(if selected { ">" } else { " " }, text);
    if !notes.is_empty() {
        line = line.and_word(if notes.is_marked(row.id) { "*" } else { " " }, canvas.style(Role::Warn));
    }
    if columns.time > 0 {
        let at = row.at.map(time::rfc3339).unwrap_or_default();
        let range = match columns.time {
            6 => 11..16,
            12 => 5..16,
            _ => 5..19,
        };
        let part = at.get(range).unwrap_or_default().replace('T', " ");
        let start = line.width();
        line = line.and_data(&Visible::new(&part), muted, canvas.theme()).pad_to(start + columns.time, muted);
    }
    line = line.and(status(canvas, row.outcome, row.pending));
    if place.indent > 0 {
        line = line.and_word(if canvas.theme().is_ascii() { "`-" } else { "└ " }, muted);
    }
    if row.id.file == UNSAVED {
        // It is in no file.
        line = line.and_word("new ", canvas.style(Role::Warn));
    }
    if columns.tool > 0 {
        let start = line.width();
        let name = Line::data(&Visible::new(&row.tool), text, canvas.theme());
        let cells = columns.tool.max(if width >= 70 { 18 } else { 0 });
        line = line.and(name.truncated(cells, canvas.theme())).pad_to(start + cells + 1, text);
    }
    let model = row.model.as_deref().filter(|_| columns.model > 0);
    let end = width.saturating_sub(if model.is_some() { columns.model + 1 } else { 0 });
    let role = if row.outcome.is_error() { Role::Text } else { Role::Muted };
    let ellipsis = if is_summary_cut(summary) { canvas.theme().ellipsis() } else { "" };
    let summary = Line::data(&Visible::new(summary), canvas.style(role), canvas.theme()).and_word(ellipsis, canvas.style(role));
    let summary = match notes.comment(row.id) {
        Some(comment) => {
            let warn = canvas.style(Role::Warn);
            let comment = Line::word("; ", warn).and_data(&Visible::new(comment), warn, canvas.theme());
            comment.and_word("  ", warn).and(summary)
        }
        None => summary,
    };
    let room = end.saturating_sub(line.width());
    line = line.and(summary.truncated(room, canvas.theme()));
    if let Some(model) = model {
        let name = Line::data(&Visible::new(model), muted, canvas.theme()).truncated(columns.model, canvas.theme());
        line = line.pad_to(end + 1, muted).and(name);
    }
    line
}

/// The state of a call: a sign, a word, and how many issues.
pub(super) fn status(canvas: &Canvas<'_>, outcome: Outcome, pending: bool) -> Line {
    let Shown { sign, word, style } = canvas.theme().status(kind(outcome, pending));
    let line = Line::word(sign, style).and_word(" ", style).and_word(word, style);
    let line = if outcome.issues > 0 && !pending { line.and_word(" ", style).and_number(outcome.issues, style) } else { line };
    line.pad_to(STATUS + 2, style)
}

fn kind(outcome: Outcome, pending: bool) -> Status {
    if pending {
        return Status::Pending;
    }
    match outcome.kind {
        VerdictKind::Accepted => Status::Ok,
        VerdictKind::Rejected => Status::Bad,
        VerdictKind::Unparsable => Status::Unparsable,
        VerdictKind::UnknownTool => Status::UnknownTool,
        VerdictKind::PassedThrough => Status::PassedThrough,
        VerdictKind::Undecided => Status::Undecided,
    }
}
