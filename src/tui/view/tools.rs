//! The list of tools.

use super::super::layout::{Pane, Slot};
use super::super::state::{State, ToolKey, ToolRow};
use super::super::text::Line;
use super::super::theme::Role;
use super::super::update::in_sight;
use super::{Canvas, empty, explorer, number};
use crate::definition::{Finding, Origin};
use crate::json::Visible;
use ratatui::layout::Rect;

/// Cells of one count.
const COUNT: usize = 6;
/// Cells of the origin.
const ORIGIN: usize = 7;
/// Cells of the count of what lint finds, and from which width on there is room for it.
const LINT: usize = 5;
const WITH_LINT: usize = 38;

/// The headings of the counts, over their columns.
pub(super) fn right(canvas: &Canvas<'_>, width: usize) -> Line {
    match width {
        0..30 => Line::new(),
        // The width here is with the frame.
        30..40 => Line::word("calls  bad", canvas.style(Role::Muted)),
        _ => Line::word("lint calls  bad", canvas.style(Role::Muted)),
    }
}

pub(super) fn draw(state: &State, canvas: &mut Canvas<'_>, slot: Slot) {
    let tools = &state.data.tools;
    if tools.all().len() <= 1 {
        return empty::tools(state, canvas, slot.inner);
    }
    if tools.rows().is_empty() {
        return empty::no_tool_matches(state, canvas, slot.inner);
    }
    let area = match tools.row().and_then(|row| row.finding.as_ref()) {
        Some(finding) => explain(canvas, finding, slot.inner),
        None => slot.inner,
    };
    let top = in_sight(tools.top, tools.selected(), tools.rows().len(), area.height.into());
    for (row, tool) in tools.rows().iter().skip(top).take(area.height.into()).enumerate() {
        let is_selected = top + row == tools.selected();
        let line = line(state, canvas, tool, area.width.into(), is_selected);
        canvas.row(area, row, &line);
        if is_selected {
            super::select_row(state, canvas, Pane::Tools, area, row);
        }
    }
}

/// Says all of a finding at the bottom; gives what is left for the list.
fn explain(canvas: &mut Canvas<'_>, finding: &Finding, area: Rect) -> Rect {
    let text = Line::data(&Visible::new(&finding.to_string()), canvas.style(Role::Bad), canvas.theme());
    let lines = text.wrapped(area.width.into());
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX).min(area.height / 2);
    let (list, below) = (Rect { height: area.height - height, ..area }, area.height - height);
    canvas.rows(Rect { y: area.y + below, height, ..area }, &lines);
    list
}

fn line(state: &State, canvas: &Canvas<'_>, tool: &ToolRow, width: usize, selected: bool) -> Line {
    let (text, muted, bad) = (canvas.style(Role::Text), canvas.style(Role::Muted), canvas.style(Role::Bad));
    let start = Line::word(if selected { ">" } else { " " }, text);
    if let Some(finding) = &tool.finding {
        return start.and(finding_line(canvas, finding));
    }
    let counts = tool.counts(&state.data.rows);
    let unknown = matches!(tool.key, ToolKey::Unknown(_));
    let (sign, style) = match counts.failing {
        _ if unknown => ("? ", bad),
        0 => ("  ", text),
        _ => ("! ", bad),
    };
    let name = lettered(canvas, &tool.label(), &tool.found);
    let mut counted = Line::new();
    if width >= WITH_LINT {
        counted = lint(state, canvas, tool);
    }
    if width >= 30 {
        let calls = right_aligned(counts.calls, if counts.calls == 0 { muted } else { text }, COUNT);
        let failing = right_aligned(counts.failing, if counts.failing == 0 { muted } else { bad }, COUNT - 1);
        counted = counted.and(calls).and(failing);
    } else if counts.failing > 0 {
        counted = right_aligned(counts.failing, bad, COUNT - 2);
    }
    let end = width.saturating_sub(counted.width());
    let origin = if width >= 30 { origin(tool) } else { "" };
    let room = end.saturating_sub(3 + if origin.is_empty() { 0 } else { ORIGIN + 1 });
    let line = start.and_word(sign, style).and(name.truncated(room, canvas.theme()));
    let line = if origin.is_empty() { line } else { line.pad_to(end - ORIGIN, muted).and_word(origin, muted) };
    line.pad_to(end, muted).and(counted)
}

/// A name with the letters that were found.
pub(super) fn lettered(canvas: &Canvas<'_>, name: &str, found: &[usize]) -> Line {
    let (text, matched) = (canvas.style(Role::Text), canvas.style(Role::Match));
    if found.is_empty() {
        return Line::data(&Visible::new(name), text, canvas.theme());
    }
    name.chars().enumerate().fold(Line::new(), |line, (n, c)| {
        let style = if found.contains(&n) { matched } else { text };
        line.and_data(&Visible::new(c.encode_utf8(&mut [0; 4])), style, canvas.theme())
    })
}

/// How many findings of lint there are, in the style of the worst.
fn lint(state: &State, canvas: &Canvas<'_>, tool: &ToolRow) -> Line {
    let muted = canvas.style(Role::Muted);
    let known = tool.definition.as_ref().and_then(|definition| {
        state.explorer.definitions.tools.iter().find(|explored| std::sync::Arc::ptr_eq(&explored.definition, definition))
    });
    match known.and_then(|tool| Some((tool.lints.len(), tool.worst()?))) {
        Some((n, worst)) => right_aligned(n, explorer::severity_style(canvas, worst), LINT),
        None => Line::new().pad_to(LINT, muted),
    }
}

/// What is worth saying of a definition besides its name.
fn origin(tool: &ToolRow) -> &'static str {
    match (&tool.definition, tool.kept) {
        (Some(_), true) => "kept",
        (Some(definition), false) if definition.origin() != Origin::Builtin => definition.origin().name(),
        (None, _) if matches!(tool.key, ToolKey::Unknown(_)) => "no tool",
        _ => "",
    }
}

/// A file that cannot be read: which, where and why; and what is in force meanwhile.
pub(super) fn finding_line(canvas: &Canvas<'_>, finding: &Finding) -> Line {
    let (bad, warn) = (canvas.style(Role::Bad), canvas.style(Role::Warn));
    let name = finding.path.file_name().unwrap_or(finding.path.as_os_str()).to_string_lossy();
    let mut line = Line::word("X ", bad).and_data(&Visible::new(&name), bad, canvas.theme());
    if let Some(position) = finding.position {
        line = line.and_word(":", bad).and_number(position.line, bad);
    }
    line = line.and_word(" ", bad);
    if finding.kept {
        line = line.and_word("old kept: ", warn);
    }
    line.and_data(&Visible::new(&finding.reason), bad, canvas.theme())
}

/// A number at the end of so many cells, of which the first stays free; what is too long for that in thousands or millions.
fn right_aligned(n: usize, style: ratatui::style::Style, cells: usize) -> Line {
    let (n, unit) = match n {
        _ if n.to_string().len() < cells => (n, ""),
        0..1_000_000 => (n / 1_000, "k"),
        _ => (n / 1_000_000, "M"),
    };
    let number = number(n, style).and_word(unit, style);
    Line::new().pad_to(cells.saturating_sub(number.width()), style).and(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_a_blank_before_them() {
        for (n, cells, text) in [
            (0, 5, "    0"),
            (9_999, 5, " 9999"),
            (10_000, 5, "  10k"),
            (77_603, 5, "  77k"),
            (99_999, 6, " 99999"),
            (100_000, 6, "  100k"),
            (999_999, 5, " 999k"),
            (1_000_000, 6, "    1M"),
            (250_000_000, 6, "  250M"),
        ] {
            assert_eq!(right_aligned(n, ratatui::style::Style::new(), cells).plain(), text);
        }
    }
}
