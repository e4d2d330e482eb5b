//! The selected call, under one of its tabs.

use super::super::layout::{Pane, Slot};
use super::super::state::{Looked, Said, State, Tab, TreeRow, TreeView, footer_rows};
use super::super::text::Line;
use super::super::theme::Role;
use super::super::update::in_sight;
use super::{Canvas, comparison, editor, empty, explorer, flips, issues, model_text, pages, review, stages, statistics, tree};
use crate::definition::Origin;
use crate::gate::VerdictKind;
use crate::json::{Position, Visible};
use ratatui::layout::Rect;

pub(super) fn title(state: &State, canvas: &Canvas<'_>, focused: bool, room: usize) -> Line {
    let style = canvas.style(if focused { Role::Accent } else { Role::Text });
    match state.tab {
        Tab::Flips => return flips::title(state, canvas, style, room),
        Tab::Review => {
            let line = Line::word("Review", style);
            let Some(reviewed) = state.review.reviewed() else { return line };
            let base = Visible::new(&reviewed.names.0);
            let whole = line.clone().and_word(" against ", style).and_data(&base, style, canvas.theme());
            return if whole.width() <= room { whole } else { line };
        }
        // The open tab says it too; where there is no room for both, the tabs say how to get away from here.
        Tab::Definitions => return Line::word(if room < 11 { "" } else { "Definitions" }, style),
        Tab::Statistics => return Line::word(if room < 10 { "" } else { "Statistics" }, style),
        Tab::Log => return Line::word(if room < 3 { "" } else { "Log" }, style),
        _ => {}
    }
    let Some(look) = &state.look.call else { return Line::word("Call", style) };
    let name = Line::data(&Visible::new(&look.shown.call.tool), style, canvas.theme());
    let whole = match &look.shown.call.id {
        Some(id) => name.clone().and_word("  ", style).and_data(&Visible::new(id), canvas.style(Role::Muted), canvas.theme()),
        None => name.clone(),
    };
    if whole.width() <= room { whole } else { name.truncated(room, canvas.theme()) }
}

pub(super) fn draw(state: &State, canvas: &mut Canvas<'_>, slot: Slot) {
    let (area, focused) = (slot.inner, super::has_keys(state, Pane::Detail));
    match state.tab {
        Tab::Flips => return flips::draw(state, canvas, area, focused),
        Tab::Definitions => return explorer::draw(state, canvas, area, focused),
        Tab::Statistics => return statistics::draw(state, canvas, area),
        _ => {}
    }
    if state.tab == Tab::Review {
        return review::draw(state, canvas, area, focused);
    }
    let Some(look) = &state.look.call else { return empty::detail(state, canvas, area) };
    match state.tab {
        Tab::Arguments => arguments(state, canvas, look, area),
        Tab::Issues => issues::draw(canvas, look, area, focused),
        Tab::ModelText => model_text::tab(state, canvas, look, area),
        Tab::Schema => schema(state, canvas, look, area),
        Tab::Raw => raw(state, canvas, look, area),
        Tab::Stages => stages::tab(state, canvas, look, area),
        Tab::Edit => {
            if let Some(draft) = state.draft() {
                editor::draw(state, canvas, draft, area);
            }
        }
        Tab::Diff => comparison::draw(state, canvas, area),
        Tab::Flips | Tab::Review | Tab::Log | Tab::Definitions | Tab::Statistics => {}
    }
}

/// The first row, what is between, and the last rows.
fn split(area: Rect, footer: u16) -> (Rect, Rect, Rect) {
    let head = area.height.min(1);
    let footer = footer.min(area.height - head);
    let middle = area.height - head - footer;
    (
        Rect { height: head, ..area },
        Rect { y: area.y + head, height: middle, ..area },
        Rect { y: area.y + head + middle, height: footer, ..area },
    )
}

fn arguments(state: &State, canvas: &mut Canvas<'_>, look: &Looked, area: Rect) {
    let (head, middle, foot) = split(area, footer_rows(area.height));
    match &look.arguments {
        Some(tree) => {
            let line = breadcrumb(canvas, look, tree);
            canvas.row(head, 0, &line);
            canvas.row_right(head, 0, &verdict(canvas, look), line.width() + 2);
            rows(state, canvas, tree, middle, |canvas, tree, row| argument_row(canvas, look, tree, row, middle.width.into()));
        }
        None => text(state, canvas, look, head, middle),
    }
    if foot.height >= 2 {
        let y = usize::from(foot.height);
        if let Some(line) = comment(state, canvas, look).filter(|_| y >= 3) {
            canvas.row(foot, y - 3, &line);
        }
        canvas.row(foot, y - 2, &stages::line(canvas, look));
        canvas.row(foot, y - 1, &stages::recorded(canvas, look, foot.width.into()));
    }
}

/// The comment on the call.
pub(super) fn comment(state: &State, canvas: &Canvas<'_>, look: &Looked) -> Option<Line> {
    let comment = state.data.find.notes.comment(look.shown.id)?;
    let warn = canvas.style(Role::Warn);
    Some(Line::word("comment: ", canvas.style(Role::Muted)).and_data(&Visible::new(comment), warn, canvas.theme()))
}

/// Where the cursor is, as people write it and as a pointer.
fn breadcrumb(canvas: &Canvas<'_>, look: &Looked, tree: &TreeView) -> Line {
    let (text, muted) = (canvas.style(Role::Text), canvas.style(Role::Muted));
    let absent = match tree.rows().get(tree.cursor()) {
        Some(TreeRow::Absent { anchor, .. }) => look.shown.issues().get(*anchor),
        _ => None,
    };
    let (human, pointer) =
        absent.map_or_else(|| tree.outline().path(tree.node()), |issue| (issue.path.clone(), issue.pointer.clone()));
    let human =
        if human.is_empty() { Line::word("arguments", text) } else { Line::data(&Visible::new(&human), text, canvas.theme()) };
    let line = Line::word("path: ", muted).and(human).and_word("  ", muted);
    line.and_data(&Visible::new(&pointer), muted, canvas.theme())
}

/// What the gate says, in words, with what a person must know of how the arguments were read.
fn verdict(canvas: &Canvas<'_>, look: &Looked) -> Line {
    let shown = &look.shown;
    let issues = shown.issues().len();
    let (muted, warn, bad) = (canvas.style(Role::Muted), canvas.style(Role::Warn), canvas.style(Role::Bad));
    let mut line = Line::new();
    if shown.call.pending {
        line = line.and_word("still being streamed  ", warn);
    }
    if shown.verdict.recovered() {
        line = line.and_word("cut off, closed to be read  ", warn);
    }
    let style = if shown.is_advice() { warn } else { bad };
    match shown.verdict.kind {
        VerdictKind::Accepted => line.and_word("valid", canvas.style(Role::Ok)),
        VerdictKind::Undecided => line.and_word("could not be decided", warn),
        VerdictKind::UnknownTool => line.and_word("no such tool", bad),
        VerdictKind::Unparsable => line.and_word("not JSON", bad),
        VerdictKind::PassedThrough if issues == 0 => line.and_word("passed through", muted),
        VerdictKind::PassedThrough | VerdictKind::Rejected => {
            let line = line.and_word("issue ", style).and_number(look.issue as u64 + 1, style).and_word(" of ", style);
            let line = line.and_number(issues as u64, style);
            if shown.is_advice() { line.and_word(" (advice: not judged)", style) } else { line }
        }
    }
}

/// Draws the rows of a tree that are in sight.
fn rows(
    state: &State,
    canvas: &mut Canvas<'_>,
    tree: &TreeView,
    area: Rect,
    line: impl Fn(&Canvas<'_>, &TreeView, &TreeRow) -> Line,
) {
    let top = in_sight(tree.top, tree.cursor(), tree.rows().len(), area.height.into());
    for (n, row) in tree.rows().iter().skip(top).take(area.height.into()).enumerate() {
        let drawn = line(canvas, tree, row);
        canvas.found_row(area, n, &drawn);
        if top + n == tree.cursor() {
            super::select_row(state, canvas, Pane::Detail, area, n);
        }
    }
}

/// A row of the arguments with the issues that it has.
fn argument_row(canvas: &Canvas<'_>, look: &Looked, tree: &TreeView, row: &TreeRow, width: usize) -> Line {
    let said = tree.said(row);
    let style = canvas.style(if look.shown.is_advice() { Role::Warn } else { Role::Bad });
    let is_here = said.iter().any(|said| matches!(said, Said::Here(_)));
    let sign = if said.is_empty() { "  " } else { "! " };
    let role = if is_here { Role::Bad } else { Role::Text };
    let mut line = Line::word(sign, style).and(tree::row(canvas, tree, row, width.saturating_sub(2), role));
    if let TreeRow::Absent { anchor, .. } = row
        && let Some(issue) = look.shown.issues().get(*anchor)
    {
        let key = issue.pointer.rsplit('/').next().unwrap_or_default().replace("~1", "/").replace("~0", "~");
        let key = tree::clip(crate::json::quote(key.as_bytes()).as_bytes(), width);
        line = line.and_data(&key, style, canvas.theme()).and_word(": ...", canvas.style(Role::Muted));
    }
    for said in said {
        line = line.and_word("  ", style);
        line = match said {
            Said::Here(number) => {
                let Some(issue) = look.shown.issues().get(number) else { continue };
                line.and(issues::tag(number, style)).and_word(" ", style).and(issues::words(canvas, issue, style))
            }
            Said::Inside(1) => line.and_word("1 issue inside", style),
            Said::Inside(n) => line.and_number(n as u64, style).and_word(" issues inside", style),
        };
    }
    line
}

/// Arguments that do not parse, or are not meant to: the text, with the place where reading stopped.
fn text(state: &State, canvas: &mut Canvas<'_>, look: &Looked, head: Rect, area: Rect) {
    let (bad, muted) = (canvas.style(Role::Bad), canvas.style(Role::Muted));
    let Some((at, error)) = look.error_at.zip(look.shown.verdict.parse_error.as_ref()) else {
        canvas.row(head, 0, &Line::word("free text, which is not read as JSON", muted));
        return pages::draw(canvas, &look.text, state.reading, area);
    };
    let Position { line, column } = Position::of(look.text.text().as_bytes(), at);
    let place = Line::word("not JSON: line ", bad).and_number(line, bad).and_word(", column ", bad).and_number(column, bad);
    let expected = Line::word("expected ", bad)
        .and_data(&Visible::new(error.expected), bad, canvas.theme())
        .and_word(", found ", bad)
        .and_data(&Visible::new(&error.found), bad, canvas.theme());
    canvas.row(head, 0, &place.and_word(": ", bad).and(expected.clone()));
    let broken = look.text.line_at(at);
    let height = usize::from(area.height);
    let top = look.text.top.min(look.text.len().saturating_sub(height));
    let mut row = 0;
    for (number, range) in (top..).zip(look.text.from(top).iter().take(height)) {
        let Some(part) = look.text.text().get(range.clone()) else { continue };
        let style = canvas.style(Role::Text);
        canvas.row(
            area,
            row,
            &pages::line(canvas, part, state.reading, style, area.width.into(), look.text.left).scrolled(look.text.left),
        );
        row += 1;
        if number == broken {
            let before = look.text.text().get(range.start..at.max(range.start)).unwrap_or_default();
            let cells = before.chars().map(super::super::state::cells).sum::<usize>();
            let cells = cells.saturating_sub(look.text.left).min(usize::from(area.width).saturating_sub(1));
            let caret = Line::new().pad_to(cells, bad).and_word("^ ", bad).and(expected.clone());
            // What does not fit beside the caret stands in the first row too.
            canvas.row(area, row, &caret);
            row += 1;
        }
    }
}

/// The definition, with the part that the selected issue is about, and what the gate does not enforce.
fn schema(state: &State, canvas: &mut Canvas<'_>, look: &Looked, area: Rect) {
    let (text, muted, warn) = (canvas.style(Role::Text), canvas.style(Role::Muted), canvas.style(Role::Warn));
    let (Some(tree), Some(definition)) = (&look.schema, &look.shown.definition) else {
        let line = Line::word("Nothing is known of this tool: no definition has its name.", canvas.style(Role::Bad));
        return empty::card(canvas, area, &[line]);
    };
    let (head, middle, _) = split(area, 0);
    let place = Visible::new(&format!("{}:{}", definition.path().display(), definition.position().line));
    let mut line = Line::data(&place, text, canvas.theme()).and_word("  ", muted).and_word(definition.shape().name(), muted);
    line = line.and_word(", ", muted).and(tree::size(definition.raw().len(), muted));
    line = line.and_word(", ~", muted).and_number(definition.raw().len().div_ceil(4) as u64, muted).and_word(" tokens", muted);
    if definition.origin() != Origin::Builtin {
        line =
            line.and_word("  ", warn).and_word(definition.origin().name(), warn).and_word(": passed through, not judged", warn);
    }
    if let Some(finding) = state.data.catalog.findings().iter().find(|finding| finding.kept && finding.path == definition.path())
    {
        line = super::tools::finding_line(canvas, finding);
    }
    canvas.row(head, 0, &line);
    let about = look.shown.schema_nodes.get(look.issue).copied().flatten();
    let about = about.map(|node| node..tree.outline().view(node).after());
    rows(state, canvas, tree, middle, |canvas, tree, row| {
        let node = row.node();
        let part = about.as_ref().is_some_and(|about| about.contains(&node));
        let (sign, role) = if part { ("! ", Role::Bad) } else { ("  ", Role::Text) };
        let line = Line::word(sign, canvas.style(Role::Bad));
        let line = line.and(tree::row(canvas, tree, row, usize::from(middle.width).saturating_sub(2), role));
        let is_whole = !matches!(row, TreeRow::Line(line) if line.part == crate::json::Part::Close);
        if is_whole && look.shown.unenforced.contains(&node) {
            return line.and_word("  not enforced by the gate", canvas.style(Role::Warn));
        }
        line
    });
}

/// The bytes of the call in its file.
fn raw(state: &State, canvas: &mut Canvas<'_>, look: &Looked, area: Rect) {
    let (text, muted) = (canvas.style(Role::Text), canvas.style(Role::Muted));
    let (head, middle, _) = split(area, 0);
    let line = Line::data(&Visible::new(&look.shown.call.place.to_string()), text, canvas.theme()).and_word("  ", muted);
    canvas.row(head, 0, &line.and(tree::size(look.shown.raw.len(), muted)).and_word(" as captured", muted));
    pages::draw(canvas, &look.raw, state.reading, middle);
}
