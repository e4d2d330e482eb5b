//! The way of a call through the gate, and what was recorded of it.

use super::super::state::{Looked, State};
use super::super::text::Line;
use super::super::theme::Role;
use super::{Canvas, pages};
use crate::gate::{StageOutcome, stages};
use crate::json::Visible;
use ratatui::layout::Rect;
use ratatui::style::Style;

fn mark(canvas: &Canvas<'_>, outcome: StageOutcome) -> (&'static str, Style) {
    match outcome {
        StageOutcome::Passed => ("+", canvas.style(Role::Ok)),
        StageOutcome::Skipped => ("-", canvas.style(Role::Muted)),
        StageOutcome::StoppedHere => ("X", canvas.style(Role::Bad)),
        StageOutcome::WouldBeEntered => (">", canvas.style(Role::Text)),
        StageOutcome::NotEntered => (".", canvas.style(Role::Muted)),
    }
}

/// All stages in one line.
pub(super) fn line(canvas: &Canvas<'_>, look: &Looked) -> Line {
    let muted = canvas.style(Role::Muted);
    let mut line = Line::word("gate: ", muted);
    for (n, (stage, outcome)) in stages(&look.shown.verdict).into_iter().enumerate() {
        if n > 0 {
            line = line.and_word("  ", muted);
        }
        let (sign, style) = mark(canvas, outcome);
        line = line.and_word(sign, style).and_word(" ", style).and_word(stage.name(), style);
        if outcome == StageOutcome::StoppedHere {
            line = line.and_word(" (stopped)", style);
        }
    }
    line
}

/// The recorded result in one line, beside what the gate says; without a width only how they compare.
pub(super) fn recorded(canvas: &Canvas<'_>, look: &Looked, width: usize) -> Line {
    let (muted, text) = (canvas.style(Role::Muted), canvas.style(Role::Text));
    let line = Line::word("recorded: ", muted);
    let Some(result) = &look.shown.call.result else {
        return line.and_word(if look.shown.call.pending { "no result yet, it was being streamed" } else { "no result" }, muted);
    };
    let gate = look.shown.verdict.is_error();
    let (word, role) = match result.is_error {
        Some(true) if gate => ("an error too", Role::Muted),
        Some(true) => ("an error, but the gate lets it through", Role::Warn),
        Some(false) if gate => ("no error, but the gate stops it", Role::Warn),
        Some(false) => ("no error either", Role::Muted),
        None => ("a result without a flag", Role::Muted),
    };
    let line = line.and_word(word, canvas.style(role));
    if width == 0 {
        return line;
    }
    let line = line.and_word("  ", muted);
    let start = super::tree::clip(result.text.as_bytes(), width);
    line.and_data(&start, text, canvas.theme())
}

/// Lines of the recorded result that are shown.
const MOST: usize = 500;
/// Cells of one of them.
const LONGEST: usize = 4_000;

/// The tab: each stage with what became of the call there, and the recorded result.
pub(super) fn tab(state: &State, canvas: &mut Canvas<'_>, look: &Looked, area: Rect) {
    let lines = lines(state, canvas, look, area.width.into());
    let top = look.stages_top.min(lines.len().saturating_sub(area.height.into()));
    for (n, line) in lines.iter().skip(top).take(area.height.into()).enumerate() {
        canvas.found_row(area, n, line);
    }
}

/// The lines of the tab.
pub(super) fn lines(state: &State, canvas: &Canvas<'_>, look: &Looked, width: usize) -> Vec<Line> {
    let (muted, text) = (canvas.style(Role::Muted), canvas.style(Role::Text));
    let mut lines = Vec::new();
    for (stage, outcome) in stages(&look.shown.verdict) {
        let (sign, style) = mark(canvas, outcome);
        let line = Line::word(" ", style).and_word(sign, style).and_word(" ", style).and_word(stage.name(), style);
        lines.push(line.pad_to(16, style).and_word(outcome.words(), style));
    }
    lines.push(Line::new());
    let call = &look.shown.call;
    let facts = [("model", &call.model), ("at", &call.at), ("session", &call.session), ("finish reason", &call.finish_reason)];
    for (name, fact) in facts {
        if let Some(fact) = fact {
            let line = Line::word(name, muted).and_word(": ", muted);
            lines.push(line.and_data(&Visible::new(fact), text, canvas.theme()));
        }
    }
    lines.push(recorded(canvas, look, 0));
    if let Some(result) = &look.shown.call.result {
        let reading = super::super::state::Reading::default();
        for part in result.text.split('\n').take(MOST) {
            lines.extend(pages::line(canvas, part, reading, text, LONGEST, 0).wrapped(width));
        }
        let more = result.text.split('\n').skip(MOST).count();
        if more > 0 {
            lines.push(Line::new().and_number(more as u64, muted).and_word(" more lines", muted));
        }
    }
    if let Some(comment) = super::detail::comment(state, canvas, look) {
        lines.push(Line::new());
        lines.extend(comment.wrapped(width));
    }
    if let Some(note) = &look.shown.call.note {
        lines.push(Line::new());
        let line = Line::word("note: ", muted).and_data(&Visible::new(note), text, canvas.theme());
        lines.extend(line.wrapped(width));
    }
    lines
}
