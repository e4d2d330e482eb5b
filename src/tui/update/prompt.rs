//! A line that is filled in: what is typed has its effect at once, and Esc puts back what was.

use super::super::keys::ActionId;
use super::super::line_input::LineInput;
use super::super::notices::Level;
use super::super::state::{Before, Overlay, Prompt, Purpose, State};

impl State {
    /// Opens a line to fill in, with a text to begin with.
    pub(super) fn open_prompt(&mut self, purpose: Purpose, text: &str) {
        let (find, calls) = (&self.data.find, &self.data.calls);
        let before = Before {
            text: text.to_owned(),
            on: find.is_on(),
            call: calls.selected(),
            top: calls.top,
            focus: self.focus,
            tool: self.data.tools.row().map(|row| row.key.clone()).unwrap_or_default(),
        };
        self.notices.dismiss();
        let prompt = Prompt { purpose, input: LineInput::with(text), error: None, selected: 0, before };
        self.overlay = Some(Overlay::Prompt(Box::new(prompt)));
        if purpose == Purpose::Filter && !text.is_empty() {
            // What can be seen to be there is in force.
            self.prompt_changed();
        }
    }

    fn prompt(&mut self) -> Option<&mut Prompt> {
        match &mut self.overlay {
            Some(Overlay::Prompt(prompt)) => Some(prompt),
            _ => None,
        }
    }

    /// Something was typed.
    pub(super) fn prompt_changed(&mut self) {
        let Some(prompt) = self.prompt() else { return };
        prompt.selected = 0;
        let (purpose, text) = (prompt.purpose, prompt.input.text().to_owned());
        match purpose {
            Purpose::Filter => {
                let error = self.data.find.set_text(&text).err();
                self.data.calls.chosen = true;
                if let Some(prompt) = self.prompt() {
                    prompt.error = error;
                }
            }
            Purpose::Tools | Purpose::GoTo => self.data.tools.narrow(&text),
            Purpose::Search => self.search_for(&text),
            Purpose::Comment(_) => {}
        }
    }

    /// Whether the prompt took the action for itself.
    pub(super) fn perform_in_prompt(&mut self, action: ActionId) -> bool {
        match action {
            ActionId::Accept => self.accept_prompt(),
            ActionId::Dismiss => self.dismiss_prompt(),
            ActionId::TakeCandidate => self.take_candidate(),
            ActionId::MoveDown => self.move_in_prompt(true),
            ActionId::MoveUp => self.move_in_prompt(false),
            _ => return false,
        }
        true
    }

    fn accept_prompt(&mut self) {
        // What is wrong stays to be mended; Esc gives up.
        if self.prompt().is_none_or(|prompt| prompt.error.is_some()) {
            return;
        }
        let Some(Overlay::Prompt(prompt)) = self.overlay.take() else { return };
        match prompt.purpose {
            Purpose::Comment(id) => {
                self.data.find.notes.set_comment(id, prompt.input.text());
                let text = if prompt.input.text().trim().is_empty() { "There is no comment on this call" } else { "Noted" };
                self.say(Level::Info, text);
            }
            Purpose::GoTo => {
                let key = self.data.tools.row().map(|row| row.key.clone()).unwrap_or_default();
                self.data.tools.narrow("");
                self.data.tools.select_key(&key);
                self.open();
            }
            Purpose::Filter | Purpose::Tools | Purpose::Search => {}
        }
    }

    /// Puts back what was.
    pub(super) fn dismiss_prompt(&mut self) {
        let Some(Overlay::Prompt(prompt)) = self.overlay.take() else { return };
        let before = prompt.before;
        match prompt.purpose {
            Purpose::Filter => {
                // It was good when it was kept.
                let _ = self.data.find.set_text(&before.text);
                self.data.find.set_on(before.on);
                if let Some(call) = before.call {
                    self.data.select(call);
                }
                self.data.calls.top = before.top;
            }
            Purpose::Tools | Purpose::GoTo => {
                self.data.tools.narrow(&before.text);
                self.data.tools.select_key(&before.tool);
                self.focus = before.focus;
            }
            Purpose::Search => self.forget_search(&before.text),
            Purpose::Comment(_) => {}
        }
    }

    fn take_candidate(&mut self) {
        let Some(Overlay::Prompt(prompt)) = &self.overlay else { return };
        if prompt.purpose != Purpose::Filter {
            return;
        }
        let completion = self.completion(prompt);
        let selected = prompt.selected.min(completion.candidates.len().saturating_sub(1));
        let Some(candidate) = completion.candidates.into_iter().nth(selected) else { return };
        if let Some(prompt) = self.prompt() {
            prompt.input.replace(completion.range, &candidate.text);
        }
        self.prompt_changed();
    }

    fn move_in_prompt(&mut self, down: bool) {
        let Some(Overlay::Prompt(prompt)) = &self.overlay else { return };
        if matches!(prompt.purpose, Purpose::Tools | Purpose::GoTo) {
            let tools = &mut self.data.tools;
            tools.select(if down { tools.selected() + 1 } else { tools.selected().saturating_sub(1) });
        } else if prompt.purpose == Purpose::Filter {
            let last = self.completion(prompt).candidates.len().saturating_sub(1);
            if let Some(prompt) = self.prompt() {
                let at = prompt.selected.min(last);
                prompt.selected = if down { (at + 1).min(last) } else { at.saturating_sub(1) };
            }
        }
    }
}
