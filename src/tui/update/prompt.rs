//! A line that is filled in: what is typed has its effect at once, and Esc puts back what was.

use super::super::keys::ActionId;
use super::super::line_input::LineInput;
use super::super::notices::Level;
use super::super::state::{Before, Find, Overlay, Prompt, Purpose, State};
use super::Effects;
use crate::replay::filter::FilterError;

impl State {
    /// Opens a line to fill in, with a text to begin with.
    pub(in crate::tui) fn open_prompt(&mut self, purpose: Purpose, text: &str) {
        let (find, calls) = (&self.data.find, &self.data.calls);
        let before = Before {
            text: text.to_owned(),
            on: find.is_on(),
            call: calls.selected(),
            top: calls.top,
            focus: self.focus,
            tool: self.data.tools.row().map(|row| row.key.clone()).unwrap_or_default(),
            definition: self.explorer.item(),
            chosen: (calls.chosen, calls.follow),
        };
        self.notices.dismiss();
        let input = LineInput::with(text);
        let prompt = Prompt { purpose, input, error: None, selected: 0, recalled: (0, String::new()), before };
        self.overlay = Some(Overlay::Prompt(Box::new(prompt)));
        if purpose == Purpose::Filter && !text.is_empty() {
            // What can be seen to be there is in force.
            self.filter_by(Find::set_text, text);
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
        let (purpose, text, before) = (prompt.purpose, prompt.input.text().to_owned(), prompt.before.definition);
        // Before the end of the line everything is decided.
        let at_end = prompt.input.cursor() == text.len();
        match purpose {
            Purpose::Filter if at_end => {
                let meant = self.meant(&text);
                self.filter_by(Find::set_typed, &meant);
            }
            Purpose::Filter => self.filter_by(Find::set_text, &text),
            Purpose::Tools | Purpose::GoTo => self.data.tools.narrow(&text),
            Purpose::GoToCall => self.fuzzy.ask(&text),
            Purpose::Search => self.search_for(&text),
            Purpose::Definitions => self.search_definitions(&text, before),
            Purpose::Comment(_) | Purpose::Reason | Purpose::ReviewBase | Purpose::Baseline | Purpose::ExportAs => {}
        }
    }

    /// Puts the filter that is written in force, and takes down what is wrong with it.
    fn filter_by(&mut self, set: impl FnOnce(&mut Find, &str) -> Result<(), FilterError>, text: &str) {
        let Some(Overlay::Prompt(prompt)) = &mut self.overlay else { return };
        prompt.error = set(&mut self.data.find, text).err();
        self.data.calls.chosen = true;
    }

    /// Whether the prompt took the action for itself.
    pub(super) fn perform_in_prompt(&mut self, action: ActionId, effects: &mut Effects) -> bool {
        match action {
            ActionId::Accept => self.accept_prompt(effects),
            ActionId::Dismiss => self.dismiss_prompt(),
            ActionId::TakeCandidate => self.take_candidate(),
            ActionId::MoveDown => self.move_in_prompt(true),
            ActionId::MoveUp => self.move_in_prompt(false),
            _ => return false,
        }
        true
    }

    pub(super) fn accept_prompt(&mut self, effects: &mut Effects) {
        self.accept_filter();
        if self.prompt().is_some_and(|prompt| prompt.purpose == Purpose::GoToCall) && self.fuzzy.pending {
            self.fuzzy.go = true;
            return;
        }
        // What is wrong stays to be mended; Esc gives up.
        if self.prompt().is_none_or(|prompt| prompt.error.is_some()) {
            return;
        }
        let Some(Overlay::Prompt(prompt)) = self.overlay.take() else { return };
        let text = prompt.input.text();
        self.recall.remember(prompt.purpose, text);
        match prompt.purpose {
            Purpose::Comment(id) => {
                self.data.find.notes.set_comment(id, text);
                self.say(Level::Info, if text.trim().is_empty() { "There is no comment on this call" } else { "Noted" });
            }
            Purpose::GoTo => {
                let key = self.data.tools.row().map(|row| row.key.clone()).unwrap_or_default();
                self.data.tools.narrow("");
                self.data.tools.select_key(&key);
                self.open();
            }
            Purpose::GoToCall => self.go_to_found_call(prompt.selected),
            Purpose::ExportAs => self.export_as(text.trim(), effects),
            Purpose::Reason => self.accept_because(text.trim()),
            Purpose::ReviewBase => self.review_against(text.trim(), effects),
            Purpose::Baseline => self.count_flips_from(text.trim(), effects),
            Purpose::Filter | Purpose::Tools | Purpose::Search | Purpose::Definitions => {}
        }
    }

    /// Puts the filter in force as it is meant, and writes it so.
    fn accept_filter(&mut self) {
        let Some(prompt) = self.prompt().filter(|prompt| prompt.purpose == Purpose::Filter) else { return };
        let text = prompt.input.text().to_owned();
        let meant = self.meant(&text);
        if let Some(prompt) = self.prompt().filter(|_| meant != text) {
            prompt.input = LineInput::with(&meant);
        }
        self.filter_by(Find::set_text, &meant);
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
            Purpose::GoToCall => {
                if let Some(call) = before.call {
                    self.data.preview(call);
                }
                (self.data.calls.chosen, self.data.calls.follow) = before.chosen;
                self.data.calls.top = before.top;
            }
            Purpose::Search => self.forget_search(&before.text),
            Purpose::Definitions => {
                self.explorer.set_query(&before.text);
                if let Some(item) = before.definition {
                    self.explorer.select_item(item);
                }
            }
            Purpose::ExportAs => self.exporting = None,
            Purpose::Comment(_) | Purpose::Reason | Purpose::ReviewBase | Purpose::Baseline => {}
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

    /// Goes through what is offered; past its first, and where nothing is, through the lines that were taken before.
    fn move_in_prompt(&mut self, down: bool) {
        let Some(Overlay::Prompt(prompt)) = &self.overlay else { return };
        match prompt.purpose {
            Purpose::Tools | Purpose::GoTo => {
                let tools = &mut self.data.tools;
                tools.select(if down { tools.selected() + 1 } else { tools.selected().saturating_sub(1) });
            }
            Purpose::GoToCall => self.move_in_found(down),
            Purpose::Filter if if down { prompt.recalled.0 == 0 } else { prompt.selected > 0 } => {
                let last = self.completion(prompt).candidates.len().saturating_sub(1);
                if let Some(prompt) = self.prompt() {
                    let at = prompt.selected.min(last);
                    prompt.selected = if down { (at + 1).min(last) } else { at.saturating_sub(1) };
                }
            }
            _ => self.recall(!down),
        }
    }

    /// Puts an earlier line in the place of what was typed, or a later one, or what was typed again.
    fn recall(&mut self, earlier: bool) {
        let Some(Overlay::Prompt(prompt)) = &mut self.overlay else { return };
        let (at, typed) = &mut prompt.recalled;
        let steps = if earlier { *at + 1 } else { at.saturating_sub(1) };
        let found = self.recall.back(prompt.purpose, steps, &prompt.before.text);
        let (steps, line) = match found {
            Some(found) => found,
            None if *at > 0 => (0, typed.as_str()),
            None => return,
        };
        if steps == *at {
            return;
        }
        let line = LineInput::with(line);
        if *at == 0 {
            prompt.input.text().clone_into(typed);
        }
        *at = steps;
        prompt.input = line;
        self.prompt_changed();
    }
}
