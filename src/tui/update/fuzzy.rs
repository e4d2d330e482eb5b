//! Going to a call by letters of what its row shows: what is typed moves the selection, Esc puts it back.

use super::super::edit::job::Shared;
use super::super::job::find::FindJob;
use super::super::job::{Job, kind};
use super::super::keys::ActionId;
use super::super::layout::Pane;
use super::super::runtime::Effect;
use super::super::state::{Overlay, Purpose, State, Tab, rank};
use super::Effects;
use crate::capture::index::CallId;
use std::sync::Arc;

impl State {
    /// Whether the action is about finding a call by letters.
    pub(super) fn perform_in_fuzzy(&mut self, action: ActionId) -> bool {
        if action != ActionId::GoToCall {
            return false;
        }
        self.open_prompt(Purpose::GoToCall, "");
        self.fuzzy.ask("");
        true
    }

    /// Looks for what is typed, if that has not been done: at once, or by a job if there are many calls.
    pub(super) fn find_by_letters(&mut self, effects: &mut Effects) {
        if !std::mem::take(&mut self.fuzzy.stale) {
            return;
        }
        let rows = &self.data.rows;
        if rows.total().calls <= self.data.find.at_once {
            let found = rank(&self.fuzzy.typed, rows, || false);
            return self.found_by_letters(found.unwrap_or_default(), effects);
        }
        let work = FindJob::Fuzzy { typed: self.fuzzy.typed.clone(), rows: rows.clone() };
        let ticket = self.jobs.ask(self.now, kind::FUZZY, 0);
        effects.push(Effect::Spawn(ticket, Job::Find(Shared(Arc::new(work)))));
    }

    /// Takes in which calls match.
    pub(super) fn found_by_letters(&mut self, found: (Vec<CallId>, usize), effects: &mut Effects) {
        self.fuzzy.take_in(found);
        let Some(Overlay::Prompt(prompt)) = &mut self.overlay else { return };
        if prompt.purpose != Purpose::GoToCall {
            return;
        }
        prompt.selected = 0;
        if self.fuzzy.typed.trim().is_empty() {
            // Nothing has been asked for: where one is will do.
            let at = prompt.before.call.and_then(|call| self.fuzzy.found.iter().position(|id| *id == call));
            prompt.selected = at.unwrap_or(0);
            if let Some(call) = prompt.before.call {
                self.data.preview(call);
            }
        } else {
            self.show_found();
        }
        if std::mem::take(&mut self.fuzzy.go) && !self.fuzzy.found.is_empty() {
            self.accept_prompt(effects);
        }
    }

    /// Selects the next match or the one before.
    pub(super) fn move_in_found(&mut self, down: bool) {
        let last = self.fuzzy.found.len().saturating_sub(1);
        if let Some(Overlay::Prompt(prompt)) = &mut self.overlay {
            let at = prompt.selected.min(last);
            prompt.selected = if down { (at + 1).min(last) } else { at.saturating_sub(1) };
        }
        self.show_found();
    }

    fn show_found(&mut self) {
        let Some(Overlay::Prompt(prompt)) = &self.overlay else { return };
        if let Some(id) = self.fuzzy.found.get(prompt.selected) {
            self.data.preview(*id);
        }
    }

    /// Goes to the call that is selected, where it can be seen.
    pub(super) fn go_to_found_call(&mut self, selected: usize) {
        let Some(id) = self.fuzzy.found.get(selected).copied() else { return };
        self.data.select(id);
        if matches!(self.tab, Tab::Definitions | Tab::Statistics | Tab::Flips | Tab::Review | Tab::Log) {
            (self.tab, self.zoom) = (Tab::Arguments, false);
        }
        self.focus = if self.zoom { self.focus } else { Pane::Calls };
    }
}
