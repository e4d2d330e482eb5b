//! A line that is asked for, and what becomes of it.

use super::super::keys::ActionId;
use super::super::state::{Asked, Asks, Overlay, State};
use super::Effects;

impl State {
    /// Asks for a line, which begins with a text.
    pub(super) fn ask(&mut self, asks: Asks, text: &str) {
        self.overlay = Some(Overlay::Asked(Asked::new(asks, text)));
    }

    /// Whether an open question took the action for itself.
    pub(super) fn perform_in_asked(&mut self, action: ActionId, effects: &mut Effects) -> bool {
        let Some(Overlay::Asked(prompt)) = &self.overlay else { return false };
        match action {
            ActionId::Dismiss => self.overlay = None,
            ActionId::Accept => {
                let (asks, text) = (prompt.asks, prompt.input.text().trim().to_owned());
                self.overlay = None;
                match asks {
                    Asks::Reason => self.accept_because(&text),
                    Asks::ReviewBase => self.review_against(&text, effects),
                    Asks::Baseline => self.count_flips_from(&text, effects),
                }
            }
            _ => return false,
        }
        true
    }
}
