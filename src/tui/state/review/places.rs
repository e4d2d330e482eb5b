//! Where the parts of the review are: the same for drawing, moving and the mouse.

use super::super::State;
use super::Depth;
use crate::json::Visible;
use crate::tui::job::review::Reviewed;
use crate::tui::text::Line;
use crate::tui::theme::{Role, Theme};
use ratatui::layout::Rect;

/// From this width on, the list stands beside the finding.
const BESIDE: u16 = 100;

/// The parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Areas {
    /// The verdict and the summary.
    pub head: Rect,
    /// The list of findings; empty where there is no room for it.
    pub list: Rect,
    /// The selected finding; empty where there is no room for it.
    pub document: Rect,
    /// Before and after, when a call is looked at.
    pub call: Rect,
}

/// Divides the inside of the pane.
#[must_use]
pub fn areas(state: &State, area: Rect) -> Areas {
    let lines = state.review.reviewed().map_or(0, |reviewed| head(&state.theme, reviewed, area.width.into()).len());
    let most = if state.review.depth == Depth::Findings { area.height / 3 } else { 1 };
    let head_rows = u16::try_from(lines).unwrap_or(u16::MAX).min(most.max(1)).min(area.height);
    let head = Rect { height: head_rows, ..area };
    let body = Rect { y: area.y + head_rows, height: area.height - head_rows, ..area };
    let none = Rect { width: 0, height: 0, ..body };
    let all = Areas { head, list: none, document: none, call: none };
    match state.review.depth {
        Depth::Call => Areas { call: body, ..all },
        _ if area.width >= BESIDE => {
            let left = body.width * 2 / 5;
            let right = Rect { x: body.x + left + 2, width: body.width.saturating_sub(left + 2), ..body };
            Areas { list: Rect { width: left, ..body }, document: right, ..all }
        }
        Depth::Finding => Areas { document: body, ..all },
        Depth::Findings => {
            // A rule stands between the two.
            let rows = state.review.reviewed().map_or(0, |reviewed| list(reviewed).len());
            let rows = u16::try_from(rows).unwrap_or(u16::MAX).min(body.height / 2);
            let below = Rect { y: body.y + rows + 1, height: body.height.saturating_sub(rows + 1), ..body };
            Areas { list: Rect { height: rows, ..body }, document: below, ..all }
        }
    }
}

/// A row of the list: a tool, or a finding of it by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListRow {
    /// The tool of the finding with this number, which comes next.
    Tool(usize),
    /// A finding.
    Finding(usize),
}

/// The rows of the list.
#[must_use]
pub fn list(reviewed: &Reviewed) -> Vec<ListRow> {
    let mut rows = Vec::new();
    let mut last = None;
    for number in 0..reviewed.len() {
        let tool = reviewed.finding(number).map(|(tool, _)| std::ptr::from_ref(tool));
        if tool != last {
            rows.push(ListRow::Tool(number));
            last = tool;
        }
        rows.push(ListRow::Finding(number));
    }
    rows
}

/// The lines above: the verdict first, then what was compared and what became of the calls.
#[must_use]
pub fn head(theme: &Theme, reviewed: &Reviewed, width: usize) -> Vec<Line> {
    let (muted, warn) = (theme.style(Role::Muted), theme.style(Role::Warn));
    let role = match reviewed.review.worst() {
        Some(crate::review::Severity::Error) => Role::Bad,
        Some(crate::review::Severity::Warning) => Role::Warn,
        Some(crate::review::Severity::Note) => Role::Text,
        None => Role::Ok,
    };
    let verdict = Line::data(&Visible::new(&reviewed.counts), theme.style(role), theme);
    let lines = reviewed.lines.iter().map(|line| Line::data(&Visible::new(line), muted, theme));
    let problems = reviewed.problems.iter().map(|line| Line::data(&Visible::new(line), warn, theme));
    [verdict].into_iter().chain(problems).chain(lines).flat_map(|line| line.wrapped(width)).collect()
}
