//! Counts of calls: of all, or of the selected tool.

use super::super::layout::Pane;
use super::super::state::{State, ToolKey};
use super::super::text::Line;
use super::super::theme::Role;
use super::charts::{self, Bar};
use super::{Canvas, empty, number};
use crate::definition::{Definition, parameter_path};
use crate::json::Visible;
use crate::replay::stats::{Count, Statistics, ToolStatistics, Usage};
use ratatui::layout::Rect;

/// The most parameters, models and loops that are listed.
const MOST: usize = 20;

pub(super) fn draw(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let lines = lines(state, canvas, area.width.into());
    if lines.is_empty() {
        let text = if state.counting.is_some() { "Counting calls." } else { "There are no calls to count yet." };
        return empty::card(canvas, area, &[Line::word(text, canvas.style(Role::Muted))]);
    }
    let top = state.statistics_top.min(lines.len().saturating_sub(area.height.into()));
    for (n, line) in lines[top..].iter().take(area.height.into()).enumerate() {
        canvas.found_row(area, n, line);
    }
    let height = usize::from(area.height);
    let below = lines.len().saturating_sub(top + height);
    if let Some(last) = lines.get((top + height).saturating_sub(1)).filter(|_| below > 0) {
        let more = number(below, canvas.style(Role::Muted)).and_word(" more rows", canvas.style(Role::Muted));
        canvas.row_right(area, height.saturating_sub(1), &more, last.width() + 1);
    }
}

/// How many rows there are in all.
pub(in crate::tui) fn height(state: &State) -> usize {
    let width = state.layout(state.size).slot(Pane::Detail).map_or(0, |slot| slot.inner.width);
    let mut buffer = ratatui::buffer::Buffer::empty(Rect::ZERO);
    lines(state, &Canvas::new(&mut buffer, &state.theme), width.into()).len()
}

pub(super) fn lines(state: &State, canvas: &Canvas<'_>, width: usize) -> Vec<Line> {
    let Some(statistics) = state.explorer.statistics.as_deref().filter(|known| known.total.calls > 0) else { return Vec::new() };
    let row = state.data.tools.row().filter(|row| row.key != ToolKey::All && row.finding.is_none());
    match row {
        None => of_all(state, canvas, statistics, width),
        Some(row) => {
            let tool = statistics.of_tool(row.names.iter().map(|name| &**name));
            let name = Line::data(&Visible::new(&row.label()), canvas.style(Role::Text), canvas.theme());
            of_tool(canvas, name, &tool, row.definition.as_deref(), width)
        }
    }
}

fn heading(canvas: &Canvas<'_>, lines: &mut Vec<Line>, text: &'static str) {
    if !lines.is_empty() {
        lines.push(Line::new());
    }
    lines.push(Line::word(text, canvas.style(Role::Accent)));
}

fn counted(canvas: &Canvas<'_>, count: Count) -> Line {
    let (text, muted, bad) = (canvas.style(Role::Text), canvas.style(Role::Muted), canvas.style(Role::Bad));
    let line = Line::new().and_number(count.calls, text).and_word(" calls, ", muted);
    line.and_number(count.failing, if count.failing > 0 { bad } else { text }).and_word(" fail", muted)
}

fn of_all(state: &State, canvas: &Canvas<'_>, statistics: &Statistics, width: usize) -> Vec<Line> {
    let (text, muted) = (canvas.style(Role::Text), canvas.style(Role::Muted));
    let start = Line::word("all tools: ", text);
    let mut lines = vec![start.and(counted(canvas, statistics.total))];
    let bars = by_tool(canvas, statistics);
    if !bars.is_empty() {
        heading(canvas, &mut lines, "failing calls by tool");
        lines.extend(charts::bars(canvas, &bars, width));
        heading(canvas, &mut lines, "by kind of issue");
        lines.extend(charts::kinds(canvas, &statistics.kinds, width));
    }
    over_time(canvas, &mut lines, &statistics.timeline, width);
    failing(canvas, &mut lines, failing_parameters(state), width);
    heading(canvas, &mut lines, "by model");
    for (model, count) in statistics.models.iter().take(MOST) {
        let name = if model.is_empty() {
            Line::word("not recorded", muted)
        } else {
            Line::data(&Visible::new(model), text, canvas.theme())
        };
        lines.push(name.truncated(28, canvas.theme()).pad_to(30, text).and(counted(canvas, *count)));
    }
    let loops = statistics.retry_loops();
    if !loops.is_empty() {
        heading(canvas, &mut lines, "tried again with the same arguments, and failed again");
        for known in loops.iter().take(MOST) {
            let place = format!("{}:{}", known.file.display(), known.line);
            let line = Line::new().and_number(known.times, text).and_word(" times  ", muted);
            let line = line.and_data(&Visible::new(&known.tool), text, canvas.theme()).and_word("  ", muted);
            lines.push(line.and_data(&Visible::new(&place), muted, canvas.theme()));
        }
        more(canvas, &mut lines, loops.len());
    }
    lines
}

fn more(canvas: &Canvas<'_>, lines: &mut Vec<Line>, all: usize) {
    if all > MOST {
        lines.push(
            Line::word("and ", canvas.style(Role::Muted))
                .and(number(all - MOST, canvas.style(Role::Muted)))
                .and_word(" more", canvas.style(Role::Muted)),
        );
    }
}

/// The tools with failing calls, those with the most first.
pub(super) fn by_tool(canvas: &Canvas<'_>, statistics: &Statistics) -> Vec<Bar> {
    let failing = statistics.tools.iter().filter(|(_, tool)| tool.count.failing > 0);
    let name = |name: &str| Line::data(&Visible::new(name), canvas.style(Role::Text), canvas.theme());
    let mut bars: Vec<Bar> = failing.map(|(tool, known)| Bar { name: name(tool), n: known.count.failing }).collect();
    bars.sort_by_key(|bar| std::cmp::Reverse(bar.n));
    bars.truncate(MOST);
    bars
}

fn over_time(canvas: &Canvas<'_>, lines: &mut Vec<Line>, timeline: &crate::replay::stats::Timeline, width: usize) {
    let drawn = charts::timeline(canvas, timeline, width);
    if !drawn.is_empty() {
        heading(canvas, lines, "over time");
        lines.extend(drawn);
    }
}

fn of_tool(canvas: &Canvas<'_>, name: Line, tool: &ToolStatistics, definition: Option<&Definition>, width: usize) -> Vec<Line> {
    let mut lines = vec![name.and_word(": ", canvas.style(Role::Muted)).and(counted(canvas, tool.count))];
    if !tool.kinds.is_empty() {
        heading(canvas, &mut lines, "failing calls by kind of issue");
        lines.extend(charts::kinds(canvas, &tool.kinds, width));
    }
    over_time(canvas, &mut lines, &tool.timeline, width);
    failing(canvas, &mut lines, parameters("", tool, definition), width);
    lines
}

/// A place that fails: what it is called, and how it is used.
type Failing = (String, Usage);

/// The places of a tool that fail.
fn parameters(prefix: &str, tool: &ToolStatistics, definition: Option<&Definition>) -> Vec<Failing> {
    let rows = definition.map(Definition::parameter_rows).unwrap_or_default();
    let mut found: Vec<Failing> = Vec::new();
    let mut add = |name: String, usage: &Usage| {
        if usage.failing > 0 {
            found.push((prefix.to_owned() + &name, usage.clone()));
        }
    };
    for (row, usage) in tool.parameters.iter().enumerate().take(rows.len()) {
        add(parameter_path(&rows, row), usage);
    }
    add("arguments".to_owned(), &tool.whole);
    for (pointer, usage) in &tool.undeclared {
        add(format!("{pointer} (undeclared)"), usage);
    }
    found
}

fn failing_parameters(state: &State) -> Vec<Failing> {
    let tools = state.explorer.definitions.tools.iter().enumerate();
    let of = |(n, tool): (usize, &crate::tui::job::Explored)| {
        state.explorer.counts(n).map(|counts| parameters(&format!("{}  ", tool.name()), counts, Some(&tool.definition)))
    };
    tools.filter_map(of).flatten().collect()
}

fn failing(canvas: &Canvas<'_>, lines: &mut Vec<Line>, mut found: Vec<Failing>, width: usize) {
    if found.is_empty() {
        return;
    }
    let (text, muted, bad) = (canvas.style(Role::Text), canvas.style(Role::Muted), canvas.style(Role::Bad));
    found.sort_by_key(|(_, usage)| std::cmp::Reverse(usage.failing));
    heading(canvas, lines, "parameters that fail");
    let name = (width / 2).clamp(16, 48);
    for (place, usage) in found.iter().take(MOST) {
        let line = Line::data(&Visible::new(place), text, canvas.theme()).truncated(name, canvas.theme()).pad_to(name + 1, text);
        let line = line.and_number(usage.failing, bad).and_word(" of ", muted).and_number(usage.used, text).and_word("  ", muted);
        lines.push(line.and(charts::kinds_line(canvas, &usage.kinds)));
    }
    more(canvas, lines, found.len());
}
