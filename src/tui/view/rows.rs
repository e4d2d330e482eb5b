//! What is listed in rows, as text: what is searched in where no text or tree is shown.

use super::super::layout::Pane;
use super::super::notices::{Level, Notice};
use super::super::state::review::Depth;
use super::super::state::{State, Tab};
use super::super::text::Line;
use super::super::theme::Role;
use super::{Canvas, issues, stages, statistics};
use crate::json::Visible;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The texts of the rows of what is shown: one for each that can be selected, or else for each line.
pub(in crate::tui) fn texts(state: &State) -> Vec<String> {
    let width = state.layout(state.size).slot(Pane::Detail).map_or(0, |slot| usize::from(slot.inner.width));
    let mut buffer = Buffer::empty(Rect::ZERO);
    let canvas = Canvas::new(&mut buffer, &state.theme);
    let style = canvas.style(Role::Text);
    let plain = |lines: Vec<Line>| lines.iter().map(Line::plain).collect();
    let look = state.look.call.as_deref();
    match state.tab {
        Tab::Issues => look.map_or_else(Vec::new, |look| {
            let text = |issue| issues::words_with_place(&canvas, issue, style);
            let pointer = |issue: &crate::gate::Issue| Line::data(&Visible::new(&issue.pointer), style, canvas.theme());
            plain(look.shown.issues().iter().map(|issue| text(issue).and_word(" ", style).and(pointer(issue))).collect())
        }),
        Tab::Stages => look.map_or_else(Vec::new, |look| plain(stages::lines(state, &canvas, look, width))),
        Tab::Statistics => plain(statistics::lines(state, &canvas, width)),
        Tab::Log => plain(log(state, &canvas, width)),
        Tab::Review if state.review.depth == Depth::Finding => {
            plain(state.review_document(state.review_width()).into_iter().map(|line| line.line).collect())
        }
        Tab::Review => state.review.reviewed().map_or_else(Vec::new, |reviewed| {
            let number = 0..reviewed.len();
            let text = |(tool, finding): (&crate::review::ToolReview, &crate::review::Finding)| {
                let name = Line::data(&Visible::new(&tool.name), style, canvas.theme()).and_word(" ", style);
                name.and_data(&Visible::new(&finding.change), style, canvas.theme())
            };
            plain(number.filter_map(|number| reviewed.finding(number)).map(text).collect())
        }),
        _ => Vec::new(),
    }
}

/// What the program had to say, the newest last.
pub(super) fn log(state: &State, canvas: &Canvas<'_>, width: usize) -> Vec<Line> {
    let line = |notice: &Notice| {
        let (word, role) = match notice.level {
            Level::Info => ("", Role::Text),
            Level::Warning => ("warning: ", Role::Warn),
            Level::Error => ("error: ", Role::Bad),
        };
        let style = canvas.style(role);
        let words = std::iter::once(word).chain(std::iter::repeat(""));
        let lines = notice.lines.iter().zip(words);
        lines.flat_map(|(text, word)| Line::word(word, style).and_data(text, style, canvas.theme()).wrapped(width)).collect()
    };
    state.notices.log().flat_map(|notice| -> Vec<Line> { line(notice) }).collect()
}

/// How many lines the log takes.
pub(in crate::tui) fn log_height(state: &State) -> usize {
    let width = state.layout(state.size).slot(Pane::Detail).map_or(0, |slot| usize::from(slot.inner.width));
    let mut buffer = Buffer::empty(Rect::ZERO);
    log(state, &Canvas::new(&mut buffer, &state.theme), width).len()
}

/// How many lines the stages take.
pub(in crate::tui) fn stages_height(state: &State) -> usize {
    texts(state).len()
}
