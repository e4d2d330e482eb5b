//! The review: the verdict, the findings by tool, the selected one, and a call before and after.

use super::super::job::kind;
use super::super::keys::ActionId;
use super::super::state::review::{Areas, Compared, Depth, ListRow, areas, head, list, role};
use super::super::state::{Loading, State};
use super::super::text::Line;
use super::super::theme::Role;
use super::super::update::in_sight;
use super::{Canvas, comparison, empty, key};
use crate::json::Visible;
use crate::review::{Finding, ToolChange, ToolReview};
use ratatui::layout::Rect;

pub(super) fn draw(state: &State, canvas: &mut Canvas<'_>, area: Rect, focused: bool) {
    let muted = canvas.style(Role::Muted);
    let reviewed = match &state.review.found {
        Some(Ok(reviewed)) => reviewed,
        Some(Err(reason)) => {
            let lines = reason.lines().map(|line| Line::data(&Visible::new(line), canvas.style(Role::Bad), canvas.theme()));
            let hint = if state.review.has_history() {
                key(state, canvas, ActionId::CompareWith).and_word(" names another revision to compare with.", muted)
            } else {
                Line::word("Another folder is what the command takes: misfire review --against PATH", muted)
            };
            let lines: Vec<Line> = lines.chain([Line::new(), hint]).collect();
            return empty::card(canvas, area, &lines);
        }
        None => return empty::card(canvas, area, &[waiting(state, canvas)]),
    };
    let places = areas(state, area);
    let lines = head(canvas.theme(), reviewed, area.width.into());
    canvas.rows(places.head, &lines);
    if reviewed.is_empty() {
        let line = Line::word("Nothing has changed that a model or a call could feel.", canvas.style(Role::Ok));
        return canvas.row(places.list.union(places.document), 0, &line);
    }
    if state.review.depth == Depth::Call {
        return call(state, canvas, places.call);
    }
    findings(state, canvas, places, focused);
    finding(state, canvas, places.document, focused);
}

fn waiting(state: &State, canvas: &Canvas<'_>) -> Line {
    let muted = canvas.style(Role::Muted);
    if state.jobs.running().any(|(job, _)| job.kind == kind::REVIEW) {
        return Line::word("Comparing, and replaying the recorded calls.", muted);
    }
    if state.review.due && state.loading != Loading::Done {
        return Line::word("The calls are still being read.", muted);
    }
    Line::word("The review was stopped. ", muted).and(key(state, canvas, ActionId::Rescan)).and_word(" makes it again.", muted)
}

/// The list: each tool, and its findings below it.
fn findings(state: &State, canvas: &mut Canvas<'_>, places: Areas, focused: bool) {
    let Some(reviewed) = state.review.reviewed() else { return };
    let area = places.list;
    let rows = list(reviewed);
    let (selected, top) = state.review.selected;
    let at = rows.iter().position(|row| *row == ListRow::Finding(selected)).unwrap_or(0);
    let top = in_sight(top, at, rows.len(), area.height.into());
    for (n, row) in rows.iter().skip(top).take(area.height.into()).enumerate() {
        match row {
            ListRow::Tool(number) => {
                if let Some((tool, _)) = reviewed.finding(*number) {
                    canvas.found_row(area, n, &tool_line(canvas, tool));
                }
            }
            ListRow::Finding(number) => {
                if let Some((_, finding)) = reviewed.finding(*number) {
                    canvas.found_row(area, n, &finding_line(canvas, finding, *number == selected));
                }
            }
        }
        if top + n == at {
            let here = focused && state.review.depth == Depth::Findings;
            canvas.style_row(area, n, canvas.style(if here { Role::Selected } else { Role::SelectedElsewhere }));
        }
    }
    if places.document.y > area.bottom() && places.document.x == area.x {
        let rule = Rect { y: area.bottom(), height: 1, ..area };
        canvas.rule(rule, canvas.style(Role::Border));
    }
}

fn tool_line(canvas: &Canvas<'_>, tool: &ToolReview) -> Line {
    let (text, muted) = (canvas.style(Role::Accent), canvas.style(Role::Muted));
    if tool.change == ToolChange::List {
        return Line::word("the list of tools", text);
    }
    let line = Line::data(&Visible::new(&tool.name), text, canvas.theme()).and_word("  ", muted);
    let line = line.and_word(tool.change.name(), muted);
    match &tool.renamed_from {
        Some(from) => line.and_word(" from ", muted).and_data(&Visible::new(from), muted, canvas.theme()),
        None => line,
    }
}

fn finding_line(canvas: &Canvas<'_>, finding: &Finding, selected: bool) -> Line {
    /// The longest severity, and a space.
    const SEVERITY: usize = 10;
    let style = canvas.style(role(finding));
    let word = if finding.accepted.is_some() { "accepted" } else { finding.severity.name() };
    let line = Line::word(if selected { "> " } else { "  " }, canvas.style(Role::Text)).and_word(word, style);
    let change = if canvas.theme().is_ascii() { finding.change.replace('→', "->") } else { finding.change.clone() };
    let text = canvas.style(if finding.accepted.is_some() { Role::Muted } else { Role::Text });
    line.pad_to(SEVERITY + 1, style).and_data(&Visible::new(&change), text, canvas.theme())
}

/// The selected finding.
fn finding(state: &State, canvas: &mut Canvas<'_>, area: Rect, focused: bool) {
    let lines = state.review_document(area.width.into());
    let (selected, top) = state.review.line;
    let inside = state.review.depth == Depth::Finding;
    let top = if inside { in_sight(top, selected, lines.len(), area.height.into()) } else { 0 };
    for (n, line) in lines.iter().skip(top).take(area.height.into()).enumerate() {
        canvas.found_row(area, n, &line.line);
        if inside && top + n == selected {
            canvas.style_row(area, n, canvas.style(if focused { Role::Selected } else { Role::SelectedElsewhere }));
        }
    }
    if !inside && lines.len() > usize::from(area.height) && area.height > 0 {
        let muted = canvas.style(Role::Muted);
        let more = Line::word(" ", muted).and(key(state, canvas, ActionId::Open)).and_word(" shows all ", muted);
        canvas.row_right(area, usize::from(area.height) - 1, &more, 0);
    }
}

/// A call by both definitions.
fn call(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let Some(reviewed) = state.review.reviewed() else { return };
    let Some(Compared { at, diff, .. }) = &state.review.compared else { return };
    let (text, muted) = (canvas.style(Role::Text), canvas.style(Role::Muted));
    if let Some(call) = reviewed.review.calls.get(*at) {
        let line = Line::data(&Visible::new(&call.tool), canvas.style(Role::Accent), canvas.theme()).and_word("  ", muted);
        canvas.row(area, 0, &line.and_data(&Visible::new(&call.source), text, canvas.theme()));
    }
    let below = Rect { y: area.y.saturating_add(1), height: area.height.saturating_sub(1), ..area };
    match diff {
        None => canvas.row(below, 0, &Line::word("Reading.", muted)),
        Some(Err(reason)) => {
            canvas.row(below, 0, &Line::data(&Visible::new(reason), canvas.style(Role::Bad), canvas.theme()));
        }
        Some(Ok(diff)) => {
            let (base, head) = (Visible::new(&reviewed.names.0), Visible::new(&reviewed.names.1));
            let seen = comparison::Seen { top: state.review.top, left: 0, whole: true, wrap: state.reading.wrap };
            comparison::compared(state, canvas, diff, [&base, &head], below, seen);
        }
    }
}
