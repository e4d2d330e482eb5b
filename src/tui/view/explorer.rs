//! Every definition as a tree of parameters, with how calls use them and what lint finds.

use super::super::state::{Item, ItemPart, State, indent};
use super::super::text::Line;
use super::super::theme::Role;
use super::super::update::in_sight;
use super::{Canvas, charts, empty, number, prompt, tree};
use crate::definition::{Origin, Parameter, parameter_path};
use crate::gate::Profile;
use crate::json::Visible;
use crate::tui::job::{Explored, Lint, Severity};
use ratatui::layout::Rect;
use ratatui::style::Style;

/// Cells of the counts at the right.
const COUNTS: usize = 12;
/// Rows in which there is room for what is selected, besides the tree.
const ROOMY: u16 = 9;

/// The row of what is searched for, the tree, and what is told of the selected row.
pub(in crate::tui) fn parts(area: Rect) -> (Rect, Rect, Rect) {
    let head = area.height.min(1);
    let below = if area.height < ROOMY { 0 } else { (area.height * 2 / 5).clamp(4, 12) };
    let tree = area.height - head - below;
    (
        Rect { height: head, ..area },
        Rect { y: area.y + head, height: tree, ..area },
        Rect { y: area.y + head + tree, height: below, ..area },
    )
}

pub(super) fn draw(state: &State, canvas: &mut Canvas<'_>, area: Rect, focused: bool) {
    let explorer = &state.explorer;
    if explorer.rows().is_empty() {
        return empty::tools(state, canvas, area);
    }
    if let (Some(top), Some(lint)) = (explorer.explained, explorer.lint()) {
        return explanation(canvas, lint, top, area);
    }
    let (head, list, below) = parts(area);
    header(state, canvas, head);
    let top = in_sight(explorer.top, explorer.cursor(), explorer.rows().len(), list.height.into());
    for (row, item) in explorer.rows().iter().skip(top).take(list.height.into()).enumerate() {
        let selected = top + row == explorer.cursor();
        let (line, right) = row_of(state, canvas, *item, selected, list.width.into());
        let room = usize::from(list.width).saturating_sub(right.width() + 1);
        canvas.row(list, row, &line.truncated(room, canvas.theme()));
        canvas.row_right(list, row, &right, 0);
        if selected {
            canvas.style_row(list, row, canvas.style(if focused { Role::Selected } else { Role::SelectedElsewhere }));
        }
    }
    if let Some(item) = explorer.item().filter(|_| below.height > 0) {
        let lines = about(state, canvas, item, below.width.into());
        let rule = if canvas.theme().is_ascii() { "-" } else { "─" };
        let rule = (0..below.width).fold(Line::new(), |line, _| line.and_word(rule, canvas.style(Role::Border)));
        canvas.row(below, 0, &rule);
        canvas.rows(Rect { y: below.y + 1, height: below.height - 1, ..below }, &lines);
    }
}

/// What is searched for, and how much was found; or how much there is.
fn header(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let (text, muted, accent) = (canvas.style(Role::Text), canvas.style(Role::Muted), canvas.style(Role::Accent));
    let explorer = &state.explorer;
    let (line, right) = if explorer.query().is_empty() {
        let tools = &explorer.definitions.tools;
        let rows: usize = tools.iter().map(|tool| tool.rows.len()).sum();
        let line = number(tools.len(), text).and_word(" definitions, ", muted).and(number(rows, text));
        let line = line.and_word(" parameters", muted);
        let hides = explorer.hides_notes();
        (if hides { line.and_word(", notes hidden", muted) } else { line }, Line::word("  used  bad", muted))
    } else {
        let line = Line::word("/", accent).and_data(&Visible::new(explorer.query()), text, canvas.theme());
        let hint = if explorer.found().len() > 1 { "  n N go on" } else { "" };
        (line.and_word(hint, muted), prompt::found_in_definitions(state, canvas))
    };
    canvas.row(area, 0, &line);
    canvas.row_right(area, 0, &right, line.width() + 1);
}

fn row_of(state: &State, canvas: &Canvas<'_>, item: Item, selected: bool, width: usize) -> (Line, Line) {
    let (text, muted) = (canvas.style(Role::Text), canvas.style(Role::Muted));
    let explorer = &state.explorer;
    let Some(tool) = explorer.tool(item) else { return Default::default() };
    let found = explorer.found().binary_search(&item).is_ok();
    let name = if found { canvas.style(Role::Match) } else { text };
    let fold = match (explorer.can_fold(item), explorer.is_open(item)) {
        (true, true) => "v ",
        (true, false) => "> ",
        _ => "  ",
    };
    let start = Line::word(if selected { ">" } else { " " }, text);
    let start = start.pad_to(1 + indent(explorer.depth(item), width), text);
    match item.part {
        ItemPart::Tool => {
            let line = start.and_word(fold, muted).and(Line::data(&Visible::new(tool.name()), name, canvas.theme()));
            (line.and_word("  ", muted).and(tool_facts(state, canvas, tool)), tool_counts(state, canvas, item, width))
        }
        ItemPart::Parameter(n) => {
            let row = &tool.rows[n];
            let sign = if row.required { "* " } else { "  " };
            let line = start.and_word(fold, muted).and_word(sign, canvas.style(Role::Accent));
            let line = line.and_data(&Visible::new(&row.name), name, canvas.theme()).and_word("  ", muted);
            (line.and(parameter(canvas, row, tool.reached[n], state.data.gate.profile())), usage(state, canvas, item, width))
        }
        ItemPart::Undeclared(n) => {
            let pointer = Visible::new(explorer.undeclared(item.tool, n).unwrap_or_default());
            let line = start.and_word("  ? ", canvas.style(Role::Bad)).and_data(&pointer, text, canvas.theme());
            (line.and_word("  not declared", muted), usage(state, canvas, item, width))
        }
        ItemPart::Lint(n) => (start.and_word("  ", text).and(lint_line(canvas, &tool.lints[n])), Line::new()),
    }
}

fn tool_facts(state: &State, canvas: &Canvas<'_>, tool: &Explored) -> Line {
    let (muted, warn) = (canvas.style(Role::Muted), canvas.style(Role::Warn));
    let count = tool.definition.parameter_count();
    let mut line = number(count, muted).and_word(if count == 1 { " parameter" } else { " parameters" }, muted);
    if tool.definition.origin() != Origin::Builtin {
        line = line.and_word("  ", muted).and_word(tool.definition.origin().name(), warn).and_word(": not judged", warn);
    }
    if !tool.lints.is_empty() {
        line = line.and_word("  ", muted).and(lint_count(canvas, &tool.lints));
    }
    let changed = tool.names.iter().any(|name| state.data.changed.contains(name));
    if changed { line.and_word("  changed", warn) } else { line }
}

/// The style of a severity.
pub(super) fn severity_style(canvas: &Canvas<'_>, severity: Severity) -> Style {
    canvas.style(match severity {
        Severity::Error => Role::Bad,
        Severity::Warning => Role::Warn,
        Severity::Note => Role::Muted,
    })
}

/// How many findings there are of each severity: `1 error, 2 notes`.
pub(super) fn lint_count(canvas: &Canvas<'_>, lints: &[Lint]) -> Line {
    let muted = canvas.style(Role::Muted);
    let mut line = Line::word("lint: ", muted);
    let mut first = true;
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        let n = lints.iter().filter(|lint| lint.severity == severity).count();
        if n > 0 {
            let style = severity_style(canvas, severity);
            line = if first { line } else { line.and_word(", ", muted) };
            line = line.and(number(n, style)).and_word(" ", style).and_word(severity.name(), style);
            line = if n == 1 { line } else { line.and_word("s", style) };
            first = false;
        }
    }
    line
}

fn lint_line(canvas: &Canvas<'_>, found: &Lint) -> Line {
    let (style, muted) = (severity_style(canvas, found.severity), canvas.style(Role::Muted));
    let sign = if found.severity == Severity::Error { "! " } else { "- " };
    let line = Line::word(sign, style).and_word(found.severity.name(), style).and_word(" ", style).and_word(found.rule, style);
    line.and_word(": ", muted).and_data(&Visible::new(&found.message), canvas.style(Role::Text), canvas.theme())
}

/// Types, values, default and what else restricts it, with what the rules leave out marked so.
fn parameter(canvas: &Canvas<'_>, row: &Parameter, reached: bool, profile: Profile) -> Line {
    let (muted, warn) = (canvas.style(Role::Muted), canvas.style(Role::Warn));
    let data = |text: &str, style| Line::data(&Visible::new(text), style, canvas.theme());
    let mut line = data(if row.types.is_empty() { "any" } else { &row.types }, muted);
    if !row.values.is_empty() {
        line = line.and_word("  ", muted).and(data(&row.values.join("|"), muted));
    }
    if let Some(default) = &row.default {
        line = line.and_word("  default ", muted).and(data(default, muted));
    }
    if !reached {
        return line.and_word("  not judged here", warn);
    }
    let (held, left_out): (Vec<_>, Vec<_>) = row.constraints.iter().partition(|constraint| profile.enforces(constraint.keyword));
    let join = |constraints: &[&crate::definition::Constraint]| {
        constraints.iter().map(|c| c.text.as_str()).collect::<Vec<_>>().join(", ")
    };
    if !held.is_empty() {
        line = line.and_word("  ", muted).and(data(&join(&held), muted));
    }
    if left_out.is_empty() {
        line
    } else {
        line.and_word("  ", warn).and(data(&join(&left_out), warn)).and_word(": not enforced", warn)
    }
}

fn columns(canvas: &Canvas<'_>, used: u64, failing: u64, width: usize) -> Line {
    let (text, muted, bad) = (canvas.style(Role::Text), canvas.style(Role::Muted), canvas.style(Role::Bad));
    if width < 50 {
        return if failing > 0 { Line::new().and_number(failing, bad) } else { Line::new() };
    }
    let right = |n: u64, cells: usize, style| {
        let number = Line::new().and_number(n, style);
        Line::new().pad_to(cells.saturating_sub(number.width()), style).and(number)
    };
    right(used, COUNTS - 5, if used == 0 { muted } else { text }).and(right(failing, 5, if failing == 0 { muted } else { bad }))
}

fn tool_counts(state: &State, canvas: &Canvas<'_>, item: Item, width: usize) -> Line {
    let count = state.explorer.counts(item.tool).map(|counts| counts.count).unwrap_or_default();
    columns(canvas, count.calls, count.failing, width)
}

fn usage(state: &State, canvas: &Canvas<'_>, item: Item, width: usize) -> Line {
    let is_form = |row: usize| {
        let row = state.explorer.tool(item).and_then(|tool| tool.rows.get(row));
        row.is_some_and(|row| row.part == crate::definition::Part::Form)
    };
    match (state.explorer.usage(item), item.part) {
        (_, ItemPart::Parameter(row)) if is_form(row) => Line::new(),
        (None, _) if state.explorer.statistics.is_none() => Line::new(),
        (usage, _) => columns(canvas, usage.map_or(0, |usage| usage.used), usage.map_or(0, |usage| usage.failing), width),
    }
}

/// All that is known of the selected row, wrapped.
fn about(state: &State, canvas: &Canvas<'_>, item: Item, width: usize) -> Vec<Line> {
    let (text, muted, accent) = (canvas.style(Role::Text), canvas.style(Role::Muted), canvas.style(Role::Accent));
    let data = |text: &str, style| Line::data(&Visible::new(text), style, canvas.theme());
    let Some(tool) = state.explorer.tool(item) else { return Vec::new() };
    let mut lines = Vec::new();
    let description = |lines: &mut Vec<Line>, description: Option<&str>| match description {
        Some(description) => lines.push(Line::data(&tree::clip(description.as_bytes(), 1_200), text, canvas.theme())),
        None => lines.push(Line::word("no description", canvas.style(Role::Warn))),
    };
    let place = |row: Option<&Parameter>| {
        let position = row.map_or(tool.definition.position(), |row| tool.definition.position_of(&row.pointer));
        data(&format!("{}:{}", tool.definition.path().display(), position.line), muted)
    };
    match item.part {
        ItemPart::Tool => {
            lines.push(data(tool.name(), accent).and_word("  ", muted).and(place(None)));
            description(&mut lines, tool.definition.description());
        }
        ItemPart::Parameter(n) => {
            let row = &tool.rows[n];
            lines.push(data(&parameter_path(&tool.rows, n), accent).and_word("  ", muted).and(place(Some(row))));
            if row.required {
                lines.push(Line::word("required", text));
            }
            lines.push(parameter(canvas, row, tool.reached[n], state.data.gate.profile()));
            lines.extend(fails(state, canvas, item));
            description(&mut lines, row.description.as_deref());
        }
        ItemPart::Undeclared(n) => {
            lines.push(data(state.explorer.undeclared(item.tool, n).unwrap_or_default(), accent));
            lines.push(Line::word("Calls send this, and the definition does not declare it.", text));
            lines.extend(fails(state, canvas, item));
        }
        ItemPart::Lint(n) => {
            let found = &tool.lints[n];
            let style = severity_style(canvas, found.severity);
            let line = Line::word(found.severity.name(), style).and_word(" ", style).and_word(found.rule, style);
            lines.push(
                line.and_word("  for ", muted)
                    .and(data(&found.targets, text))
                    .and_word("  line ", muted)
                    .and_number(found.line, text),
            );
            lines.push(data(&found.message, text));
            lines.push(Line::word("Enter", accent).and_word(" says why it matters", muted));
        }
    }
    lines.iter().flat_map(|line| line.wrapped(width)).collect()
}

fn fails(state: &State, canvas: &Canvas<'_>, item: Item) -> Option<Line> {
    let (text, muted, bad) = (canvas.style(Role::Text), canvas.style(Role::Muted), canvas.style(Role::Bad));
    let usage = state.explorer.usage(item).filter(|usage| usage.failing > 0)?;
    let calls = state.explorer.counts(item.tool)?.count.calls;
    let line = Line::word("fails in ", muted).and_number(usage.failing, bad).and_word(" of ", muted).and_number(calls, text);
    let line = line.and_word(" calls: ", muted).and(charts::kinds_line(canvas, &usage.kinds));
    Some(line.and_word("  ", muted).and_word("Enter", canvas.style(Role::Accent)).and_word(" shows them", muted))
}

/// Why a rule matters, as the command says it.
fn explanation(canvas: &mut Canvas<'_>, lint: &Lint, top: usize, area: Rect) {
    let text = canvas.style(Role::Text);
    let lines: Vec<Line> =
        Visible::lines(&lint.why).flat_map(|line| Line::data(&line, text, canvas.theme()).wrapped(area.width.into())).collect();
    let top = top.min(lines.len().saturating_sub(area.height.into()));
    canvas.rows(area, &lines[top..]);
}
