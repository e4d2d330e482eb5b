//! Facts about the selected tool, and charts of its calls; of all calls, where all are selected.

use super::super::state::{State, ToolKey, ToolRow};
use super::super::text::Line;
use super::super::theme::Role;
use super::{Canvas, charts, explorer, statistics, tree};
use crate::capture::time::rfc3339;
use crate::definition::Definition;
use crate::json::Visible;
use ratatui::layout::Rect;
use std::sync::Arc;

pub(super) fn draw(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let Some(row) = state.data.tools.row() else { return };
    let width = usize::from(area.width);
    let mut lines = facts(state, canvas, row);
    lines = lines.iter().flat_map(|line| line.wrapped(width)).collect();
    let charts = charts(state, canvas, row, width);
    if let Some(description) = row.definition.as_ref().and_then(|definition| definition.description()) {
        // The charts come first where there is not room for all.
        let room = usize::from(area.height).saturating_sub(lines.len() + charts.len() + 2);
        let text = Line::data(&tree::clip(description.as_bytes(), 600), canvas.style(Role::Muted), canvas.theme());
        lines.extend(text.wrapped(width).into_iter().take(room));
    }
    if !charts.is_empty() {
        lines.push(Line::new());
        lines.extend(charts);
    }
    canvas.rows(area, &lines);
}

fn fact(canvas: &Canvas<'_>, name: &'static str, value: Line) -> Line {
    let muted = canvas.style(Role::Muted);
    Line::word(name, muted).pad_to(9, muted).and(value)
}

fn facts(state: &State, canvas: &Canvas<'_>, row: &ToolRow) -> Vec<Line> {
    let (text, bad) = (canvas.style(Role::Text), canvas.style(Role::Bad));
    let mut lines = Vec::new();
    if let Some(finding) = &row.finding {
        return vec![Line::data(&Visible::new(&finding.to_string()), bad, canvas.theme())];
    }
    if let Some(definition) = &row.definition {
        lines.push(Line::data(&Visible::new(definition.name()), text, canvas.theme()));
    }
    let counts = row.counts(&state.data.rows);
    let line = Line::new().and_number(counts.calls as u64, text).and_word(", ", text).and_number(counts.failing as u64, text);
    lines.push(fact(canvas, "calls", line.and_word(" fail", text)));
    if let Some(definition) = &row.definition {
        lines.extend(of_definition(state, canvas, definition, row.kept));
    }
    lines
}

fn of_definition(state: &State, canvas: &Canvas<'_>, definition: &Definition, kept: bool) -> Vec<Line> {
    let (text, muted, warn) = (canvas.style(Role::Text), canvas.style(Role::Muted), canvas.style(Role::Warn));
    let data = |value: &str| Line::data(&Visible::new(value), text, canvas.theme());
    let explored = state.explorer.definitions.tools.iter().find(|tool| std::ptr::eq(Arc::as_ptr(&tool.definition), definition));
    let place = format!("{}:{}", definition.path().display(), definition.position().line);
    let mut lines = vec![fact(canvas, "file", data(&place))];
    lines.push(fact(canvas, "origin", Line::word(definition.origin().name(), text)));
    lines.push(fact(canvas, "shape", Line::word(definition.shape().name(), text)));
    let bytes = definition.raw().len();
    let size = tree::size(bytes, text).and_word(", ~", text).and_number(bytes.div_ceil(4) as u64, text).and_word(" tokens", text);
    lines.push(fact(canvas, "size", size));
    let takes = Line::new().and_number(definition.parameter_count() as u64, text).and_word(" parameters", text);
    lines.push(fact(canvas, "takes", takes));
    if let Some(tool) = explored {
        lines.push(fact(canvas, "draft", Line::word(tool.draft, text)));
        if !tool.lints.is_empty() {
            let count = explorer::lint_count(canvas, &tool.lints);
            lines.push(count.and_word("  X", canvas.style(Role::Accent)).and_word(" lists", muted));
        }
        if let Some(at) = tool.changed {
            let at = rfc3339(at).get(..16).unwrap_or_default().replace('T', " ");
            let line = data(&at).and_word(" UTC", muted);
            let is_changed = tool.names.iter().any(|name| state.data.changed.contains(name));
            lines.push(fact(canvas, "edited", if is_changed { line.and_word(", read again", warn) } else { line }));
        }
    }
    if kept {
        lines.push(Line::word("Its file cannot be read now; this last good definition is in force.", warn));
    }
    lines
}

/// Failing calls by kind, or by tool where all are selected; and over time.
fn charts(state: &State, canvas: &Canvas<'_>, row: &ToolRow, width: usize) -> Vec<Line> {
    let Some(counted) = state.explorer.statistics.as_deref().filter(|_| row.finding.is_none()) else { return Vec::new() };
    let muted = canvas.style(Role::Muted);
    let (bars, heading, timeline) = if row.key == ToolKey::All {
        let bars = statistics::by_tool(canvas, counted);
        (charts::bars(canvas, &bars, width), "failing calls by tool", counted.timeline.clone())
    } else {
        let tool = counted.of_tool(row.names.iter().map(|name| &**name));
        (charts::kinds(canvas, &tool.kinds, width), "failing calls by kind", tool.timeline)
    };
    let mut lines = Vec::new();
    if !bars.is_empty() {
        lines.push(Line::word(heading, muted));
        lines.extend(bars.into_iter().take(8));
    }
    lines.extend(charts::timeline(canvas, &timeline, width).iter().flat_map(|line| line.wrapped(width)));
    lines
}
