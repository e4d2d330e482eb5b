//! Searching in lists: where one is in them, and going to a row.

use super::super::layout::Pane;
use super::super::state::review::Depth;
use super::super::state::{Hit, MOST, State, Tab};
use crate::replay::{Flip, LabelReader};
use crate::tui::view::{log_height, row_texts};

impl State {
    /// Whether there are rows to search in where the keys are.
    pub(super) fn has_rows(&self) -> bool {
        let (look, statistics) = (self.look.call.as_deref(), self.explorer.statistics.as_deref());
        self.focus == Pane::Detail
            && match self.tab {
                Tab::Issues => look.is_some_and(|look| !look.shown.issues().is_empty()),
                Tab::Stages => look.is_some(),
                Tab::Flips => !self.data.flips.is_empty(),
                Tab::Log => self.notices.log().next().is_some(),
                Tab::Statistics => statistics.is_some_and(|known| known.total.calls > 0),
                Tab::Review => self.review.finding().is_some() && self.review.depth != Depth::Call,
                _ => false,
            }
    }

    /// The rows that match.
    pub(super) fn hits_in_list(&self, tab: Tab) -> Vec<Hit> {
        let needle = &self.search.needle;
        let is_in = |text: &str| needle.find(text.as_bytes()).next().is_some();
        let hit = |at| Hit { at, node: 0, nth: 0 };
        if tab != Tab::Flips {
            let rows = row_texts(self).into_iter().enumerate().filter(|(_, text)| is_in(text));
            return rows.map(|(at, _)| hit(at)).take(MOST).collect();
        }
        // There may be as many flips as calls: nothing is laid out for those that are not seen.
        let (rows, mut reader) = (&self.data.rows, LabelReader::default());
        let mut matches = |flip: &Flip| {
            let causes = self.data.causes.get(&flip.id).into_iter().flat_map(|causes| causes.iter());
            rows.tool(flip.id).is_some_and(|tool| is_in(tool) || is_in(rows.summary_with(flip.id, &mut reader)))
                || causes.into_iter().any(|cause| is_in(&cause.change) || is_in(&cause.pointer) || is_in(cause.rule.id()))
        };
        let rows = self.data.flips.iter().enumerate().filter(|(_, flip)| matches(flip));
        rows.map(|(at, _)| hit(at)).take(MOST).collect()
    }

    /// The row that is selected, or the first that is seen.
    pub(super) fn row_here(&self) -> usize {
        let look = self.look.call.as_deref();
        match self.tab {
            Tab::Issues => look.map_or(0, |look| look.issue),
            Tab::Stages => look.map_or(0, |look| look.stages_top),
            Tab::Flips => self.flips.0,
            Tab::Log => self.log_lines().saturating_sub(self.height_of(Pane::Detail) + self.log_scroll),
            Tab::Statistics => self.statistics_top,
            Tab::Review if self.review.depth == Depth::Finding => self.review.line.0,
            Tab::Review => self.review.selected.0,
            _ => 0,
        }
    }

    /// Goes to a row; `whole`: as it was when it was the first that was seen, otherwise with some rows before it.
    pub(super) fn go_to_row(&mut self, row: usize, whole: bool) {
        let height = self.height_of(Pane::Detail);
        let lines = match self.tab {
            Tab::Stages | Tab::Statistics => row_texts(self).len(),
            _ => 0,
        };
        let log = self.log_lines();
        let above = if whole { row } else { row.saturating_sub(height / 3) };
        match self.tab {
            Tab::Issues => {
                if let Some(look) = &mut self.look.call {
                    look.select_issue(row);
                }
            }
            Tab::Stages => {
                if let Some(look) = &mut self.look.call {
                    look.stages_top = above.min(lines.saturating_sub(height));
                }
            }
            Tab::Statistics => self.statistics_top = above.min(lines.saturating_sub(height)),
            Tab::Flips => self.select_flip(row),
            Tab::Log => self.log_scroll = log.saturating_sub(above + height).min(log.saturating_sub(height)),
            Tab::Review if self.review.depth == Depth::Finding => self.review.line.0 = row,
            Tab::Review => self.review.selected.0 = row,
            _ => {}
        }
    }

    /// Lines of the log.
    pub(super) fn log_lines(&self) -> usize {
        log_height(self)
    }
}
