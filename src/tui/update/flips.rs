//! Flips: what they are counted from, and what they come from.

use super::super::job::{Job, kind};
use super::super::keys::ActionId;
use super::super::layout::Pane;
use super::super::notices::Level;
use super::super::runtime::Effect;
use super::super::state::{Baseline, Overlay, Purpose, State, Tab};
use super::Effects;

impl State {
    /// Names the revision that flips are counted from, if that is what the action is about.
    pub(super) fn perform_in_flips(&mut self, action: ActionId) -> bool {
        if action != ActionId::CompareWith {
            return false;
        }
        self.open_prompt(Purpose::Baseline, "");
        true
    }

    /// Selects a flip, and with it the call that it is.
    pub(super) fn select_flip(&mut self, row: usize) {
        if let Some(flip) = self.data.flips.get(row) {
            self.flips.0 = row;
            self.data.preview(flip.id);
        }
    }

    /// Where flips have the keys, the selected one is the selected call.
    pub(super) fn settle_flips(&mut self) {
        self.flips.0 = self.flips.0.min(self.data.flips.len().saturating_sub(1));
        if self.tab != Tab::Flips || self.focus != Pane::Detail || matches!(self.overlay, Some(Overlay::Prompt(_))) {
            return;
        }
        let selected = self.data.calls.selected();
        match self.data.flips.iter().position(|flip| Some(flip.id) == selected) {
            Some(row) => self.flips.0 = row,
            None => self.select_flip(self.flips.0),
        }
    }

    /// Counts flips from the definitions at a revision; with none named, at the merge base with the default branch.
    pub(super) fn count_flips_from(&mut self, name: &str, effects: &mut Effects) {
        let name = (!name.is_empty()).then(|| name.to_owned());
        if let Some(desk) = self.desk.clone() {
            effects.push(Effect::Spawn(self.jobs.ask(self.now, kind::COMPARING, 0), Job::Compare(desk, name)));
        }
    }

    /// Counts flips from the revision that was named at the start, once the calls have been read.
    pub(super) fn count_flips_from_start(&mut self, effects: &mut Effects) {
        if let Some(name) = self.baseline_wanted.take() {
            self.count_flips_from(&name, effects);
        }
    }

    pub(super) fn baseline_set(&mut self, revision: String, problems: &[String]) {
        for problem in problems {
            self.notices.note(self.now, Level::Warning, &format!("at {revision}: {problem}"));
        }
        let flips = match self.data.flips.len() {
            0 => "no verdict is another one".to_owned(),
            1 => "1 verdict is another one".to_owned(),
            n => format!("{n} verdicts are other ones"),
        };
        self.say(Level::Info, &format!("Compared with {revision}: {flips}; {} lists them", self.key_of(ActionId::ShowFlips)));
        self.data.baseline = Baseline::Revision(revision);
    }

    /// Asks for the changes that the flips come from.
    pub(super) fn find_causes(&mut self, effects: &mut Effects) {
        let flipped: Vec<_> = self.data.flips.iter().map(|flip| flip.id).collect();
        self.data.causes.clear();
        if let (Some(desk), false) = (self.desk.clone(), flipped.is_empty()) {
            effects.push(Effect::Spawn(self.jobs.ask(self.now, kind::CAUSES, 0), Job::Causes(desk, flipped)));
        }
    }
}
