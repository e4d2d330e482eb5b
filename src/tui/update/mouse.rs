//! The mouse: the wheel and clicks, found by the same layout that is drawn.

use super::super::keys::ActionId;
use super::super::layout::Pane;
use super::super::runtime::Redraw;
use super::super::state::{Overlay, State, Tab};
use super::Effects;
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

/// Rows that one notch of the wheel moves.
const NOTCH: u32 = 3;

impl State {
    pub(super) fn mouse_event(&mut self, event: MouseEvent, effects: &mut Effects) -> Redraw {
        let pane = self.layout(self.size).pane_at(event.column, event.row);
        match event.kind {
            // On release, as buttons everywhere: one can still move away.
            MouseEventKind::Up(MouseButton::Left) if self.overlay.is_none() => match pane {
                Some(pane) => {
                    self.focus = pane;
                    Redraw::Needed
                }
                None => Redraw::NotNeeded,
            },
            MouseEventKind::ScrollDown => self.wheel(ActionId::MoveDown, effects),
            MouseEventKind::ScrollUp => self.wheel(ActionId::MoveUp, effects),
            _ => Redraw::NotNeeded,
        }
    }

    fn wheel(&mut self, action: ActionId, effects: &mut Effects) -> Redraw {
        // Where nothing can be moved, the wheel says nothing.
        if self.can_scroll() {
            self.perform(action, Some(NOTCH), effects);
            return Redraw::Needed;
        }
        Redraw::NotNeeded
    }

    fn can_scroll(&self) -> bool {
        match self.overlay {
            Some(Overlay::Palette(_)) => true,
            Some(Overlay::Confirm(_)) => false,
            None => self.tab == Tab::Log && self.focus == Pane::Detail,
        }
    }
}
