//! Before and after on the screen: which two, and what was found.

use super::diff::Diff;
use super::draft::AT_ONCE;
use super::job::{EditJob, Shared, kind};
use crate::capture::Call;
use crate::capture::index::CallId;
use crate::gate::Arguments;
use crate::tui::job::Job;
use crate::tui::keys::ActionId;
use crate::tui::layout::Pane;
use crate::tui::notices::Level;
use crate::tui::runtime::Effect;
use crate::tui::state::{State, Tab};
use crate::tui::update::Effects;
use std::sync::Arc;

impl State {
    pub(super) fn perform_in_comparing(&mut self, action: ActionId, count: Option<u32>) -> bool {
        let steps = usize::try_from(count.unwrap_or(1)).unwrap_or(usize::MAX);
        match action {
            ActionId::Compare => self.show_comparison(),
            ActionId::NextAttempt => self.go_to_attempt(|at, last| at.saturating_add(steps).min(last)),
            ActionId::PreviousAttempt => self.go_to_attempt(|at, _| at.saturating_sub(steps)),
            ActionId::SwapAttempts => {
                self.edit.compare.swapped = !self.edit.compare.swapped;
            }
            ActionId::CompareFrom => self.compare_from(),
            ActionId::ToggleSame => self.toggle_same(),
            _ if self.is_comparing() => return self.scroll_comparison(action, steps),
            _ => return false,
        }
        true
    }

    fn toggle_same(&mut self) {
        let before = self.comparison_lines();
        (self.edit.compare.whole, self.edit.compare.top) = (!self.edit.compare.whole, 0);
        if self.comparison_lines() == before {
            self.say(Level::Info, "No line is left out here");
        }
    }

    /// Whether the pane that has the keys shows before and after.
    fn is_comparing(&self) -> bool {
        self.focus == Pane::Diff || (self.focus == Pane::Detail && self.tab == Tab::Diff)
    }

    fn go_to_attempt(&mut self, to: impl Fn(usize, usize) -> usize) {
        let versions = self.versions();
        let Some(last) = versions.ids.len().checked_sub(1) else { return };
        self.data.calls.chosen = true;
        self.data.calls.follow = false;
        self.data.select(versions.ids[to(versions.selected, last)]);
    }

    /// Compares others with the one that is selected; and from there, with the original again.
    fn compare_from(&mut self) {
        let versions = self.versions();
        let Some(selected) = versions.ids.get(versions.selected).copied() else { return };
        let again = self.edit.compare.from == Some(selected);
        self.edit.compare.from = (!again && versions.selected > 0).then_some(selected);
        let name = self.edit.compare.from.map_or_else(|| "the original".to_owned(), |id| self.version_name(id));
        self.say(Level::Info, &format!("Compared with {name} from here on; [ and ] choose the other one"));
    }

    fn scroll_comparison(&mut self, action: ActionId, steps: usize) -> bool {
        const SIDEWAYS: usize = 8;
        let page = self.comparison_height().max(1);
        let last = self.comparison_lines().saturating_sub(page);
        let compare = &mut self.edit.compare;
        match action {
            ActionId::Left => compare.left = compare.left.saturating_sub(SIDEWAYS),
            ActionId::Right => compare.left = compare.left.saturating_add(SIDEWAYS),
            ActionId::MoveDown => compare.top = compare.top.saturating_add(steps),
            ActionId::MoveUp => compare.top = compare.top.saturating_sub(steps),
            ActionId::HalfPageDown => compare.top = compare.top.saturating_add(steps.saturating_mul(page / 2)),
            ActionId::HalfPageUp => compare.top = compare.top.saturating_sub(steps.saturating_mul(page / 2)),
            ActionId::PageDown => compare.top = compare.top.saturating_add(steps.saturating_mul(page)),
            ActionId::PageUp => compare.top = compare.top.saturating_sub(steps.saturating_mul(page)),
            ActionId::First => compare.top = 0,
            ActionId::Last => compare.top = last,
            _ => return false,
        }
        compare.top = compare.top.min(last);
        true
    }

    /// Sees to it that the pair is compared, if it is to be seen.
    pub(super) fn settle_comparison(&mut self, effects: &mut Effects) {
        let Some(pair) = self.pair() else {
            self.edit.compare.beside = false;
            return;
        };
        let shown = self.tab == Tab::Diff || self.layout(self.size).slot(Pane::Diff).is_some();
        let known = self.edit.compare.diff.as_ref().is_some_and(|(known, _)| *known == pair);
        if !shown || known {
            return;
        }
        let (Some(before), Some(after)) = (self.call_of(pair.0, effects), self.call_of(pair.1, effects)) else { return };
        let gate = self.rules_of(pair.1).gate;
        (self.edit.compare.top, self.edit.compare.left) = (0, 0);
        if size(&before) + size(&after) <= AT_ONCE {
            self.edit.compare.diff = Some((pair, Arc::new(Diff::of(&gate, &before, &after))));
        } else if self.edit.compare.asked != Some(pair) {
            self.edit.compare.asked = Some(pair);
            let job = EditJob::Compare { gate: Shared(gate), calls: (Shared(before), Shared(after)), pair };
            effects.push(Effect::Spawn(self.jobs.ask(self.now, kind::COMPARING, 0), Job::Edit(job)));
        }
    }

    /// A call to compare, if it is here; otherwise it is asked for.
    fn call_of(&mut self, id: CallId, effects: &mut Effects) -> Option<Arc<Call>> {
        if let Some(attempt) = self.edit.attempts.get(id) {
            return Some(Arc::clone(&attempt.call));
        }
        if let Some(read) = self.edit.compare.read.get(&id) {
            return read.clone();
        }
        if let Some(look) = self.look.call.as_ref().filter(|look| look.shown.id == id) {
            let call = Arc::new(look.shown.call.clone());
            self.edit.compare.note(id, Some(Arc::clone(&call)));
            return Some(call);
        }
        let number = u64::from(id.file) << 32 | u64::from(id.call);
        let asked = self.jobs.running().any(|(key, _)| key.kind == kind::READING && key.id == number);
        if let Some(desk) = self.desk.clone().filter(|_| !asked) {
            let ticket = self.jobs.ask(self.now, kind::READING, number);
            effects.push(Effect::Spawn(ticket, Job::Edit(EditJob::Read(desk, id))));
        }
        None
    }

    /// What was found about the pair that is selected.
    #[must_use]
    pub fn diff(&self) -> Option<(CallId, CallId, &Diff)> {
        let pair = self.pair()?;
        let ((before, after), diff) = self.edit.compare.diff.as_ref()?;
        (pair == (*before, *after)).then_some((*before, *after, &**diff))
    }
}

fn size(call: &Call) -> usize {
    match &call.arguments {
        Arguments::Absent => 0,
        Arguments::Text(text) => text.as_bytes().len(),
        Arguments::Json(value) => value.to_json().len(),
    }
}
