//! Issues, in lines.

use super::super::state::Looked;
use super::super::text::Line;
use super::super::theme::Role;
use super::super::update::in_sight;
use super::{Canvas, empty};
use crate::gate::{Issue, IssueKind};
use crate::json::Visible;
use ratatui::layout::Rect;

/// The number by which an issue is called everywhere.
pub(super) fn tag(number: usize, style: ratatui::style::Style) -> Line {
    Line::word("[", style).and_number(number as u64 + 1, style).and_word("]", style)
}

/// What is wrong, in few words.
pub(super) fn words(canvas: &Canvas<'_>, issue: &Issue, style: ratatui::style::Style) -> Line {
    let expected = issue.kind.expected().map(Visible::new);
    let provided = issue.kind.provided().map(|text| super::tree::clip(text.as_bytes(), 60));
    match (&issue.kind, expected, provided) {
        (IssueKind::Missing, ..) => Line::word("missing: it is required", style),
        (IssueKind::Unexpected, ..) => Line::word("unexpected: no such parameter", style),
        (IssueKind::Type { .. }, Some(expected), Some(provided)) => Line::word("type: expected ", style)
            .and_data(&expected, style, canvas.theme())
            .and_word(", got ", style)
            .and_data(&provided, style, canvas.theme()),
        (IssueKind::Value { .. }, Some(expected), Some(provided)) => Line::word("value: ", style)
            .and_data(&provided, style, canvas.theme())
            .and_word(" is none of ", style)
            .and_data(&expected, style, canvas.theme()),
        (IssueKind::Constraint { keyword, .. }, Some(expected), Some(provided)) => Line::word(keyword, style)
            .and_word(": expected ", style)
            .and_data(&expected, style, canvas.theme())
            .and_word(", got ", style)
            .and_data(&provided, style, canvas.theme()),
        _ => Line::new(),
    }
}

/// The same with its place, for where that is not to be seen beside it.
pub(super) fn words_with_place(canvas: &Canvas<'_>, issue: &Issue, style: ratatui::style::Style) -> Line {
    let subject = Visible::new(issue.subject());
    if issue.kind == IssueKind::Missing {
        return Line::word("missing ", style).and_data(&subject, style, canvas.theme());
    }
    Line::data(&subject, style, canvas.theme()).and_word(" ", style).and(words(canvas, issue, style))
}

/// The list of issues, two rows each.
pub(super) fn draw(canvas: &mut Canvas<'_>, look: &Looked, area: Rect, focused: bool) {
    let (text, muted, bad) = (canvas.style(Role::Text), canvas.style(Role::Muted), canvas.style(Role::Bad));
    let issues = look.shown.issues();
    if issues.is_empty() {
        return none(canvas, look, area);
    }
    let style = if look.shown.is_advice() { canvas.style(Role::Warn) } else { bad };
    let top = in_sight(look.issues_top, look.issue, issues.len(), usize::from(area.height / 2).max(1));
    for (row, (number, issue)) in issues.iter().enumerate().skip(top).take(area.height.into()).enumerate() {
        let selected = number == look.issue;
        let line = Line::word(if selected { "> " } else { "  " }, text)
            .and(tag(number, style))
            .and_word(" ", style)
            .and_data(&Visible::new(issue.subject()), text, canvas.theme())
            .and_word("  ", muted)
            .and_data(&Visible::new(&issue.pointer), muted, canvas.theme());
        canvas.found_row(area, row * 2, &line);
        canvas.found_row(area, row * 2 + 1, &Line::word("      ", style).and(words(canvas, issue, style)));
        if selected {
            canvas.style_row(area, row * 2, canvas.style(if focused { Role::Selected } else { Role::SelectedElsewhere }));
        }
    }
}

fn none(canvas: &mut Canvas<'_>, look: &Looked, area: Rect) {
    let line = if look.shown.verdict.parse_error.is_some() {
        Line::word("The arguments are no JSON, so that nothing could be checked; 1 shows where.", canvas.style(Role::Bad))
    } else if look.shown.verdict.is_error() {
        Line::word("There is no tool of that name, so that nothing could be checked.", canvas.style(Role::Bad))
    } else {
        Line::word("Nothing is wrong with this call.", canvas.style(Role::Ok))
    };
    empty::card(canvas, area, &[line]);
}
