//! Rows of a JSON tree.

use super::super::state::{TreeRow, TreeView, indent};
use super::super::text::Line;
use super::super::theme::Role;
use super::Canvas;
use crate::json::{Kind, OutlineLine, Part, View, Visible, to_well_formed};

/// A row of the tree itself, without what is to be said about it.
pub(super) fn row(canvas: &Canvas<'_>, tree: &TreeView, row: &TreeRow, width: usize, role: Role) -> Line {
    let style = canvas.style(role);
    match row {
        TreeRow::Line(line) => outline_line(canvas, tree, *line, width, role),
        TreeRow::Absent { depth, .. } => Line::new().pad_to(start(*depth, width), style),
        TreeRow::Text { node, depth, part } => {
            let text = Visible::new(tree.text(*node, part));
            Line::new().pad_to(start(*depth, width), style).and_word("| ", canvas.style(Role::Muted)).and_data(
                &text,
                style,
                canvas.theme(),
            )
        }
    }
}

fn start(depth: u32, width: usize) -> usize {
    indent(usize::try_from(depth).unwrap_or(usize::MAX), width) + 2
}

fn outline_line(canvas: &Canvas<'_>, tree: &TreeView, line: OutlineLine, width: usize, role: Role) -> Line {
    let (style, muted) = (canvas.style(role), canvas.style(Role::Muted));
    let view = tree.outline().view(line.node);
    let fold = match (line.part, tree.outline().is_folded(line.node), tree.is_opened(line.node)) {
        (Part::Open, ..) | (Part::Whole, _, true) => "v ",
        (Part::Whole, true, _) => "> ",
        _ => "  ",
    };
    let mut out = Line::new().pad_to(start(line.depth, width) - 2, style).and_word(fold, muted);
    if line.part != Part::Close
        && let Some(key) = view.key()
    {
        let key = clip(crate::json::quote(key.as_bytes()).as_bytes(), width);
        out = out.and_data(&key, style, canvas.theme()).and_word(": ", muted);
    }
    out = out.and(value(canvas, tree, view, line.part, width, role));
    // The outermost value has none after it.
    let is_last = view.parent().is_none_or(|parent| view.after() >= parent.after());
    if is_last || line.part == Part::Open { out } else { out.and_word(",", muted) }
}

fn value(canvas: &Canvas<'_>, tree: &TreeView, view: View<'_>, part: Part, width: usize, role: Role) -> Line {
    let (style, muted) = (canvas.style(role), canvas.style(Role::Muted));
    let (open, close) = if view.kind() == Kind::Array { ("[", "]") } else { ("{", "}") };
    match (part, view.kind()) {
        (Part::Open, _) => Line::word(open, muted),
        (Part::Close, _) => Line::word(close, muted),
        (Part::Whole, Kind::Object | Kind::Array) if tree.outline().is_folded(view.index()) => {
            let size = size(view.raw().len(), muted);
            Line::word(open, muted)
                .and_word(" ", muted)
                .and(count(view, muted))
                .and_word(", ", muted)
                .and(size)
                .and_word(" ", muted)
                .and_word(close, muted)
        }
        (Part::Whole, Kind::Object | Kind::Array) => Line::word(open, muted).and_word(close, muted),
        (Part::Whole, Kind::String) => {
            let raw = view.raw();
            // A string that does not fit ends with how long it is, and how to see it.
            if raw.len() <= width.max(8) {
                return Line::data(&clip(raw, width), style, canvas.theme());
            }
            let hint = Line::word("  (", muted).and(size(raw.len(), muted)).and_word(", Space shows it)", muted);
            let indent = start(u32::try_from(view.depth()).unwrap_or(u32::MAX), width);
            let key = view.key_str().map_or(0, |key| key.len().min(width / 2) + 4);
            let room = width.saturating_sub(hint.width() + indent + key + 8).max(8);
            Line::data(&clip(raw, room), style, canvas.theme()).truncated(room, canvas.theme()).and(hint)
        }
        (Part::Whole, _) => Line::data(&clip(view.raw(), width), style, canvas.theme()),
    }
}

/// How many values a container has; of very large ones only that there are many, as counting takes time.
fn count(view: View<'_>, style: ratatui::style::Style) -> Line {
    const MOST: usize = 10_000;
    let n = view.children().take(MOST).count();
    let line = Line::new().and_number(n as u64, style);
    let line = if n == MOST { line.and_word(" or more", style) } else { line };
    match (view.kind(), n) {
        (Kind::Array, 1) => line.and_word(" item", style),
        (Kind::Array, _) => line.and_word(" items", style),
        (_, 1) => line.and_word(" key", style),
        _ => line.and_word(" keys", style),
    }
}

/// A number of bytes, for people.
pub(super) fn size(bytes: usize, style: ratatui::style::Style) -> Line {
    let tenths = |unit: usize| {
        let n = bytes.saturating_mul(10) / unit;
        Line::new().and_number((n / 10) as u64, style).and_word(".", style).and_number((n % 10) as u64, style)
    };
    match bytes {
        0..1024 => Line::new().and_number(bytes as u64, style).and_word(" B", style),
        1024..1_048_576 => tenths(1024).and_word(" KiB", style),
        _ => tenths(1_048_576).and_word(" MiB", style),
    }
}

/// The beginning of a text that may be of any length, in no more time than it takes to draw it.
pub(super) fn clip(text: &[u8], cells: usize) -> Visible {
    // A character has four bytes at most; one more than fits, so that what is missing is seen.
    let end = text.len().min(cells.saturating_add(1).saturating_mul(4));
    Visible::new(&to_well_formed(&text[..end]))
}
