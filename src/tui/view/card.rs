//! Facts about the selected tool.

use super::super::state::State;
use super::super::text::Line;
use super::super::theme::Role;
use super::{Canvas, tree};
use crate::json::Visible;
use ratatui::layout::Rect;

pub(super) fn draw(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let (text, muted) = (canvas.style(Role::Text), canvas.style(Role::Muted));
    let Some(row) = state.data.tools.row() else { return };
    let mut lines = Vec::new();
    let fact = |name: &'static str, value: Line| Line::word(name, muted).pad_to(9, muted).and(value);
    let data = |value: &str| Line::data(&Visible::new(value), text, canvas.theme());
    if let Some(finding) = &row.finding {
        lines.push(Line::data(&Visible::new(&finding.to_string()), canvas.style(Role::Bad), canvas.theme()));
    }
    if let Some(definition) = &row.definition {
        lines.push(data(definition.name()));
        let place = format!("{}:{}", definition.path().display(), definition.position().line);
        lines.push(fact("file", data(&place)));
        lines.push(fact("origin", Line::word(definition.origin().name(), text)));
        lines.push(fact("shape", Line::word(definition.shape().name(), text)));
        lines.push(fact("size", tree::size(definition.raw().len(), text)));
        lines
            .push(fact("takes", Line::new().and_number(definition.parameter_count() as u64, text).and_word(" parameters", text)));
        if row.kept {
            lines.push(Line::word(
                "Its file cannot be read now; this last good definition is in force.",
                canvas.style(Role::Warn),
            ));
        }
        if let Some(description) = definition.description() {
            lines.push(Line::new());
            lines.push(Line::data(&tree::clip(description.as_bytes(), 600), muted, canvas.theme()));
        }
    }
    let counts = row.counts(&state.data.rows);
    if row.finding.is_none() {
        let line = Line::new().and_number(counts.calls as u64, text).and_word(", ", text).and_number(counts.failing as u64, text);
        lines.insert(lines.len().min(1), fact("calls", line.and_word(" fail", text)));
    }
    let lines: Vec<Line> = lines.iter().flat_map(|line| line.wrapped(area.width.into())).collect();
    canvas.rows(area, &lines);
}
