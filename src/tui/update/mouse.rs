//! The mouse: the wheel and clicks, found by the same layout that is drawn.

use super::super::keys::ActionId;
use super::super::layout::{Pane, Slot};
use super::super::runtime::Redraw;
use super::super::state::{FLIP_ROWS, Overlay, State, Tab};
use super::super::view::{Hit, hit};
use super::{Effects, in_sight};
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

/// Rows that one notch of the wheel moves.
const NOTCH: u32 = 3;

impl State {
    pub(super) fn mouse_event(&mut self, event: MouseEvent, effects: &mut Effects) -> Redraw {
        let layout = self.layout(self.size);
        let pane = layout.pane_at(event.column, event.row);
        match event.kind {
            // On release, as buttons everywhere: one can still move away.
            MouseEventKind::Up(MouseButton::Left)
                if self.overlay.is_none() && self.click_beside(event.column, event.row, effects) =>
            {
                Redraw::Needed
            }
            MouseEventKind::Up(MouseButton::Left) if self.overlay.is_none() => match pane {
                Some(pane) => {
                    if let Some(slot) = layout.slot(pane) {
                        self.click(pane, slot, event);
                    }
                    self.focus = pane;
                    Redraw::Needed
                }
                None => Redraw::NotNeeded,
            },
            MouseEventKind::ScrollDown => self.wheel(ActionId::MoveDown, pane, effects),
            MouseEventKind::ScrollUp => self.wheel(ActionId::MoveUp, pane, effects),
            _ => Redraw::NotNeeded,
        }
    }

    /// Does what a click on a tab or on the filter asks for: false if it is about something else.
    fn click_beside(&mut self, column: u16, row: u16, effects: &mut Effects) -> bool {
        match hit(self, column, row) {
            Some(Hit::Tab(tab)) => {
                self.tab = tab;
                self.focus = Pane::Detail;
            }
            Some(Hit::Filter) => self.perform(ActionId::Filter, None, effects),
            None => return false,
        }
        true
    }

    /// Selects the row that was clicked.
    fn click(&mut self, pane: Pane, slot: Slot, event: MouseEvent) {
        if !slot.inner.contains((event.column, event.row).into()) {
            return;
        }
        let row = usize::from(event.row - slot.inner.y);
        let height = usize::from(slot.inner.height);
        let data = &mut self.data;
        match pane {
            Pane::Tools => {
                let top = in_sight(data.tools.top, data.tools.selected(), data.tools.rows().len(), height);
                if top + row < data.tools.rows().len() {
                    data.tools.select(top + row);
                }
            }
            Pane::Calls => {
                let row = data.calls.top + row;
                if row < data.calls.len() {
                    data.calls.chosen = true;
                    data.calls.follow = false;
                    data.calls.select_row(row);
                }
            }
            Pane::Detail if self.tab == Tab::Review => self.click_in_review(event.column, event.row),
            Pane::Detail => self.click_in_detail(row),
            Pane::Diff | Pane::ModelText | Pane::Card => {}
        }
    }

    fn click_in_detail(&mut self, row: usize) {
        // The first row is about the others.
        let below = row.checked_sub(1);
        if let (Tab::Definitions, Some(row), None) = (self.tab, below, self.explorer.explained) {
            let row = self.explorer.top + row;
            if row < self.explorer.rows().len() {
                self.explorer.select(row);
            }
            return;
        }
        if let (Tab::Flips, Some(row)) = (self.tab, below) {
            self.select_flip(self.flips.1 + row / FLIP_ROWS);
        }
        let Some(look) = &mut self.look.call else { return };
        let tree = match self.tab {
            Tab::Arguments => look.arguments.as_mut(),
            Tab::Schema => look.schema.as_mut(),
            Tab::Issues => {
                let issue = look.issues_top + row / 2;
                if issue < look.shown.issues().len() {
                    look.select_issue(issue);
                }
                None
            }
            _ => None,
        };
        if let (Some(tree), Some(row)) = (tree, below) {
            let row = tree.top + row;
            if row < tree.rows().len() {
                tree.select(row);
            }
        }
    }

    /// Moves in the pane under the wheel, which need not be the one that has the keys.
    fn wheel(&mut self, action: ActionId, pane: Option<Pane>, effects: &mut Effects) -> Redraw {
        match self.overlay {
            Some(Overlay::Palette(_)) => {
                self.perform(action, Some(NOTCH), effects);
                return Redraw::Needed;
            }
            Some(Overlay::Confirm(_) | Overlay::Prompt(_)) => return Redraw::NotNeeded,
            None => {}
        }
        let Some(pane) = pane else { return Redraw::NotNeeded };
        let focus = std::mem::replace(&mut self.focus, pane);
        let moved = self.scroll_log(action, Some(NOTCH)) || self.move_in(action, Some(NOTCH));
        self.focus = focus;
        // Where nothing can be moved, the wheel says nothing.
        if moved { Redraw::Needed } else { Redraw::NotNeeded }
    }
}
