//! Moving: in lists, trees and texts, by rows, pages and to the ends.

use super::super::keys::ActionId;
use super::super::layout::Pane;
use super::super::notices::Level;
use super::super::state::{Pages, State, Tab, TreeView};

/// A way to go, before it is known from where.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    Down(usize),
    Up(usize),
    To(usize),
    End,
}

impl Way {
    pub(super) fn of(action: ActionId, count: Option<u32>, page: usize) -> Option<Self> {
        let number = count.map(|count| usize::try_from(count).unwrap_or(usize::MAX));
        let steps = number.unwrap_or(1);
        let half = (page / 2).max(1);
        Some(match action {
            ActionId::MoveDown => Self::Down(steps),
            ActionId::MoveUp => Self::Up(steps),
            ActionId::HalfPageDown => Self::Down(steps.saturating_mul(half)),
            ActionId::HalfPageUp => Self::Up(steps.saturating_mul(half)),
            ActionId::PageDown => Self::Down(steps.saturating_mul(page.max(1))),
            ActionId::PageUp => Self::Up(steps.saturating_mul(page.max(1))),
            ActionId::First => number.map_or(Self::To(0), |number| Self::To(number.saturating_sub(1))),
            ActionId::Last => number.map_or(Self::End, |number| Self::To(number.saturating_sub(1))),
            _ => return None,
        })
    }

    /// Where it leads in a list of so many.
    pub(super) fn from(self, row: usize, rows: usize) -> usize {
        match self {
            Self::Down(steps) => row.saturating_add(steps),
            Self::Up(steps) => row.saturating_sub(steps),
            Self::To(row) => row,
            Self::End => rows,
        }
        .min(rows.saturating_sub(1))
    }
}

impl State {
    /// Moves in the pane that has the keys, if that is what the action is about.
    pub(super) fn move_in(&mut self, action: ActionId, count: Option<u32>) -> bool {
        let page = self.height_of(self.focus);
        let Some(way) = Way::of(action, count, page) else { return false };
        match self.focus {
            Pane::Tools => {
                let tools = &mut self.data.tools;
                tools.select(way.from(tools.selected(), tools.rows().len()));
            }
            Pane::Calls => self.move_in_calls(way),
            Pane::Detail => self.move_in_detail(way, page),
            Pane::ModelText => {
                if let Some(look) = &mut self.look.call {
                    scroll(&mut look.model, way, page);
                }
            }
            Pane::Diff | Pane::Card => return false,
        }
        true
    }

    fn move_in_calls(&mut self, way: Way) {
        let calls = &mut self.data.calls;
        calls.chosen = true;
        // Whoever moves wants to look at something, not to be carried on.
        calls.follow = false;
        let row = calls.selected_row().unwrap_or(0);
        calls.select_row(way.from(row, calls.len()));
    }

    fn move_in_detail(&mut self, way: Way, page: usize) {
        if self.tab == Tab::Review {
            return self.move_in_review(way);
        }
        if self.tab == Tab::Flips {
            return self.select_flip(way.from(self.flips.0, self.data.flips.len()));
        }
        if self.tab == Tab::Definitions {
            return self.move_in_explorer(way);
        }
        if self.tab == Tab::Statistics {
            let lines = crate::tui::view::statistics_height(self);
            self.statistics_top = way.from(self.statistics_top, lines.saturating_sub(page) + 1);
            return;
        }
        let stages = if self.tab == Tab::Stages { crate::tui::view::stages_height(self) } else { 0 };
        let Some(look) = &mut self.look.call else { return };
        let in_tree = |tree: &mut TreeView| tree.select(way.from(tree.cursor(), tree.rows().len()));
        match self.tab {
            Tab::Arguments => match &mut look.arguments {
                Some(tree) => in_tree(tree),
                None => scroll(&mut look.text, way, page),
            },
            Tab::Issues => {
                let issue = way.from(look.issue, look.shown.issues().len());
                look.select_issue(issue);
            }
            Tab::ModelText => scroll(&mut look.model, way, page),
            Tab::Schema => {
                if let Some(tree) = &mut look.schema {
                    in_tree(tree);
                }
            }
            Tab::Raw => scroll(&mut look.raw, way, page),
            Tab::Stages => look.stages_top = way.from(look.stages_top, stages.saturating_sub(page) + 1),
            Tab::Edit | Tab::Diff | Tab::Flips | Tab::Review | Tab::Log | Tab::Definitions | Tab::Statistics => {}
        }
    }

    /// Folds, unfolds and goes in and out of values, if that is what the action is about.
    pub(super) fn fold(&mut self, action: ActionId) -> bool {
        if self.focus != Pane::Detail {
            return false;
        }
        let tab = self.tab;
        let Some(look) = &mut self.look.call else { return false };
        let tree = match tab {
            Tab::Arguments => look.arguments.as_mut(),
            Tab::Schema => look.schema.as_mut(),
            _ => None,
        };
        let Some(tree) = tree else { return self.scroll_sideways(action) };
        match action {
            ActionId::ToggleFold => tree.toggle(),
            ActionId::Fold => tree.fold(),
            ActionId::FoldAll => tree.fold_all(),
            ActionId::Left => tree.go_left(),
            ActionId::Right => tree.go_right(),
            _ => return false,
        }
        true
    }

    fn scroll_sideways(&mut self, action: ActionId) -> bool {
        const STEP: usize = 8;
        let (tab, wrap) = (self.tab, self.reading.wrap);
        let Some(look) = &mut self.look.call else { return false };
        let pages = match tab {
            Tab::Arguments => &mut look.text,
            Tab::ModelText => &mut look.model,
            Tab::Raw => &mut look.raw,
            _ => return false,
        };
        if wrap {
            return false;
        }
        match action {
            ActionId::Left => pages.left = pages.left.saturating_sub(STEP),
            ActionId::Right => pages.left = pages.left.saturating_add(STEP),
            _ => return false,
        }
        true
    }

    /// Goes to the next issue or the one before, from anywhere.
    pub(super) fn go_to_issue(&mut self, action: ActionId, count: Option<u32>) {
        let Some(look) = &mut self.look.call else { return };
        let issues = look.shown.issues().len();
        let steps = usize::try_from(count.unwrap_or(1)).unwrap_or(usize::MAX) % issues.max(1);
        let next = if action == ActionId::NextIssue { look.issue + steps } else { look.issue + issues - steps };
        look.select_issue(next % issues.max(1));
        if !matches!(self.tab, Tab::Arguments | Tab::Issues | Tab::Schema) {
            self.tab = Tab::Arguments;
        }
    }

    /// Opens what is selected.
    pub(super) fn open(&mut self) {
        match self.focus {
            Pane::Tools => self.open_tool(),
            Pane::Calls => {
                self.data.calls.chosen = true;
                self.focus = Pane::Detail;
            }
            Pane::Detail => self.open_in_detail(),
            Pane::ModelText => {
                self.tab = Tab::ModelText;
                self.focus = Pane::Detail;
            }
            Pane::Diff | Pane::Card => self.focus = Pane::Detail,
        }
    }

    fn open_tool(&mut self) {
        let Some(row) = self.data.tools.row() else { return };
        if let Some(finding) = &row.finding {
            let text = finding.to_string();
            return self.say(Level::Error, &text);
        }
        let filter = row.filter();
        self.data.find.choose_tool(filter);
        self.data.calls.top = 0;
        self.focus = Pane::Calls;
    }

    fn open_in_detail(&mut self) {
        match self.tab {
            Tab::Arguments | Tab::Schema => {
                self.fold(ActionId::ToggleFold);
            }
            Tab::Issues => {
                if let Some(look) = &mut self.look.call {
                    look.select_issue(look.issue);
                    self.tab = Tab::Arguments;
                }
            }
            Tab::Flips => {
                if let Some(flip) = self.data.flips.get(self.flips.0) {
                    self.data.calls.chosen = true;
                    self.data.select(flip.id);
                    self.tab = Tab::Arguments;
                }
            }
            _ => {}
        }
    }
}

fn scroll(pages: &mut Pages, way: Way, page: usize) {
    let to = way.from(pages.top, pages.len());
    pages.scroll(to, page);
}
