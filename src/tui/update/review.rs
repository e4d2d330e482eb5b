//! The review: making it, going through it, accepting what it found.

use super::super::edit::diff_rows::{Shape, rows};
use super::super::edit::job::Shared;
use super::super::job::review::{ReviewJob, ReviewOutput, Settings};
use super::super::job::{Job, kind};
use super::super::keys::ActionId;
use super::super::layout::Pane;
use super::super::notices::Level;
use super::super::runtime::Effect;
use super::super::runtime::editor::{EditRequest, Subject};
use super::super::state::review::{Areas, Compared, Depth, ListRow, areas, list};
use super::super::state::{Loading, Overlay, Purpose, Question, State, Tab};
use super::Effects;
use super::in_sight;
use super::moving::Way;
use crate::review::{ACCEPT_FILE, Entry};
use ratatui::layout::Rect;
use std::path::PathBuf;
use std::sync::Arc;

impl State {
    /// Does what an action says, if it has to do with the review.
    pub(super) fn perform_in_review(&mut self, action: ActionId, effects: &mut Effects) -> bool {
        match action {
            ActionId::ShowReview => self.open_review(effects),
            ActionId::CopyReview | ActionId::PrintReview => self.copy_review(action == ActionId::PrintReview, effects),
            // What is read again is compared again; reading is done by others too.
            ActionId::Rescan => {
                self.review_again(effects);
                return false;
            }
            _ if !self.is_reviewing() => return false,
            ActionId::CompareWith => {
                let base = self.review.settings.as_ref().ok().and_then(|settings| settings.base.clone());
                self.open_prompt(Purpose::ReviewBase, base.as_deref().unwrap_or_default());
            }
            ActionId::AcceptFinding => self.begin_accepting(),
            ActionId::Open | ActionId::Right => self.go_in(effects),
            ActionId::Left => drop(self.go_out()),
            ActionId::EditExternal | ActionId::EditDefinition => self.open_definition_of_finding(effects),
            _ => return false,
        }
        true
    }

    fn open_review(&mut self, effects: &mut Effects) {
        if self.tab != Tab::Review {
            self.review.from = Some((self.tab, self.focus, self.zoom));
            self.tab = Tab::Review;
        }
        (self.focus, self.zoom) = (Pane::Detail, true);
        if self.review.found.is_none() {
            self.make_review(effects);
        }
    }

    /// Makes the review, once the calls have been read.
    fn make_review(&mut self, effects: &mut Effects) {
        let Some(desk) = self.desk.clone() else { return };
        match &self.review.settings {
            Err(reason) => self.review.found = Some(Err(reason.clone())),
            Ok(_) if self.loading != Loading::Done => self.review.due = true,
            Ok(settings) => {
                self.review.due = false;
                let job = ReviewJob::Make(desk, settings.clone());
                effects.push(Effect::Spawn(self.jobs.ask(self.now, kind::REVIEW, 0), Job::Review(job)));
            }
        }
    }

    /// Makes the review again, if it has been made or begun.
    pub(super) fn review_again(&mut self, effects: &mut Effects) {
        if self.review.found.is_some() || self.review.due || self.tab == Tab::Review {
            self.make_review(effects);
        }
    }

    /// The calls have been read.
    pub(super) fn make_due_review(&mut self, effects: &mut Effects) {
        if self.review.due {
            self.make_review(effects);
        }
    }

    /// Compares with another revision; with none, as the command does by itself.
    pub(super) fn review_against(&mut self, base: &str, effects: &mut Effects) {
        if let Ok(settings) = &self.review.settings {
            let base = (!base.is_empty()).then(|| base.to_owned());
            let settings = Settings { base, options: settings.options.clone() };
            self.review.settings = Ok(Shared(Arc::new(settings)));
        }
        self.make_review(effects);
    }

    /// Takes in what came of a job for the review.
    pub(super) fn take_in_review(&mut self, output: ReviewOutput, effects: &mut Effects) {
        match output {
            ReviewOutput::Made(made) => {
                self.review.show(made);
                if self.tab != Tab::Review
                    && let Some(reviewed) = self.review.reviewed()
                {
                    let text = format!("The review has {}; {} shows them", reviewed.counts, self.key_of(ActionId::ShowReview));
                    self.say(Level::Info, &text);
                }
            }
            ReviewOutput::Compared(id, diff) => {
                if let Some(compared) = self.review.compared.as_mut().filter(|compared| compared.id == id) {
                    compared.diff = Some(diff.map(Arc::from));
                }
            }
            ReviewOutput::Accepted(fingerprint, Ok(path)) => {
                self.say(Level::Info, &format!("{fingerprint} is accepted in {}", path.display()));
                self.review_again(effects);
            }
            ReviewOutput::Accepted(_, Err(reason)) => self.say(Level::Error, &reason),
        }
    }

    /// One step further in: to the finding, to its call, to that call among the others.
    fn go_in(&mut self, effects: &mut Effects) {
        match self.review.depth {
            Depth::Findings if self.review.finding().is_some() => {
                self.review.depth = Depth::Finding;
                let lines = self.review_document(self.review_areas().document.width.into());
                // The calls are what one goes in for.
                self.review.line = (lines.iter().position(|line| line.call.is_some()).unwrap_or(0), 0);
            }
            Depth::Findings => {}
            Depth::Finding => self.compare_selected(effects),
            Depth::Call => {
                if let Some(Compared { id, .. }) = self.review.compared {
                    self.data.calls.chosen = true;
                    self.data.select(id);
                    (self.tab, self.focus, self.zoom) = (Tab::Arguments, Pane::Detail, false);
                }
            }
        }
    }

    fn compare_selected(&mut self, effects: &mut Effects) {
        let lines = self.review_document(self.review_areas().document.width.into());
        let Some(at) = lines.get(self.review.line.0).and_then(|line| line.call) else {
            let text = if lines.iter().any(|line| line.call.is_some()) {
                format!("{} on a call shows it before and after", self.key_of(ActionId::Open))
            } else {
                "No recorded call feels this".to_owned()
            };
            return self.say(Level::Info, &text);
        };
        let (Some(reviewed), Some(desk)) = (self.review.reviewed(), self.desk.clone()) else { return };
        let Some(id) = reviewed.ids.get(at).copied() else { return };
        let gates = (Shared(Arc::clone(&reviewed.gates.0)), Shared(Arc::clone(&reviewed.gates.1)));
        self.review.depth = Depth::Call;
        self.review.top = 0;
        if self.review.compared.as_ref().is_some_and(|known| known.at == at && known.diff.is_some()) {
            return;
        }
        self.review.compared = Some(Compared { at, id, diff: None });
        let job = Job::Review(ReviewJob::Compare(desk, id, gates));
        effects.push(Effect::Spawn(self.jobs.ask(self.now, kind::BOTH, 0), job));
    }

    /// One step out: false if there is none.
    pub(super) fn go_out(&mut self) -> bool {
        if !self.is_reviewing() {
            return false;
        }
        match self.review.depth {
            Depth::Call => self.review.depth = Depth::Finding,
            Depth::Finding => self.review.depth = Depth::Findings,
            Depth::Findings => {
                (self.tab, self.focus, self.zoom) = self.review.from.take().unwrap_or((Tab::Arguments, Pane::Calls, false));
            }
        }
        true
    }

    fn open_definition_of_finding(&mut self, effects: &mut Effects) {
        let place = self.review.finding().map(|(_, finding)| (finding.file.clone(), finding.line));
        match place.filter(|(file, _)| !file.as_os_str().is_empty()) {
            Some((path, line)) => {
                effects.push(Effect::Edit(EditRequest { id: 0, subject: Subject::File(path), line, column: 1 }));
            }
            None => self.say(Level::Info, "This finding is about no file"),
        }
    }

    fn copy_review(&mut self, print: bool, effects: &mut Effects) {
        let Some(text) = self.review.reviewed().map(|reviewed| reviewed.markdown.clone()) else { return };
        effects.push(if print { Effect::Print(text) } else { Effect::Copy { what: "the review's comment", text } });
    }

    fn begin_accepting(&mut self) {
        let Some((_, finding)) = self.review.finding() else { return };
        if let Some(reason) = &finding.accepted {
            let text = format!("It is accepted already: {reason}");
            return self.say(Level::Info, &text);
        }
        self.open_prompt(Purpose::Reason, "");
    }

    /// Asks whether a finding is to be accepted for this reason.
    pub(super) fn accept_because(&mut self, reason: &str) {
        if reason.is_empty() {
            return self.say(Level::Info, "Nothing was accepted: there was no reason");
        }
        let entry = self.review.finding().map(|(tool, finding)| Entry::of(&tool.name, finding, reason, None));
        self.review.accepting = entry;
        self.overlay = Some(Overlay::Confirm(Question::AcceptFinding));
    }

    /// Accepts it, or does not.
    pub(super) fn answer_accepting(&mut self, yes: bool, effects: &mut Effects) {
        let Some(entry) = self.review.accepting.take().filter(|_| yes) else { return };
        let ticket = self.jobs.ask(self.now, kind::ACCEPTING, 0);
        effects.push(Effect::Spawn(ticket, Job::Review(ReviewJob::Accept(PathBuf::from(ACCEPT_FILE), entry))));
    }

    /// The parts of the review, on the screen as it is.
    fn review_areas(&self) -> Areas {
        let inner = self.layout(self.size).slot(Pane::Detail).map_or(Rect::ZERO, |slot| slot.inner);
        areas(self, inner)
    }

    /// Cells of the lines of a finding.
    pub(in crate::tui) fn review_width(&self) -> usize {
        self.review_areas().document.width.into()
    }

    /// Moves in what has the keys.
    pub(super) fn move_in_review(&mut self, way: Way) {
        let areas = self.review_areas();
        match self.review.depth {
            Depth::Findings => {
                let findings = self.review.reviewed().map_or(0, |reviewed| reviewed.len());
                self.review.selected.0 = way.from(self.review.selected.0, findings);
            }
            Depth::Finding => {
                let lines = self.review_document(areas.document.width.into()).len();
                self.review.line.0 = way.from(self.review.line.0, lines);
            }
            Depth::Call => {
                let Some(Compared { diff: Some(Ok(diff)), .. }) = &self.review.compared else { return };
                // Two rows say which call it is, and what is compared.
                let height = usize::from(areas.call.height.saturating_sub(2));
                let rows = rows(diff, Shape { width: areas.call.width.into(), whole: true, wrap: self.reading.wrap }).len();
                self.review.top = way.from(self.review.top, rows.saturating_sub(height).saturating_add(1));
            }
        }
    }

    /// Selects what was clicked.
    pub(super) fn click_in_review(&mut self, column: u16, row: u16) {
        let (areas, at) = (self.review_areas(), (column, row).into());
        if areas.list.contains(at) {
            let Some(reviewed) = self.review.reviewed() else { return };
            let rows = list(reviewed);
            let clicked = rows.get(self.review.selected.1 + usize::from(row - areas.list.y)).copied();
            if let Some(ListRow::Finding(number)) = clicked {
                self.review.selected.0 = number;
                self.review.depth = Depth::Findings;
            }
        } else if areas.document.contains(at) && self.review.finding().is_some() {
            let top = if self.review.depth == Depth::Finding { self.review.line.1 } else { 0 };
            let lines = self.review_document(areas.document.width.into()).len();
            self.review.line = ((top + usize::from(row - areas.document.y)).min(lines.saturating_sub(1)), top);
            self.review.depth = Depth::Finding;
        }
    }

    /// Sees to it that what is selected is in sight.
    pub(super) fn settle_review(&mut self) {
        let Some(reviewed) = self.review.reviewed() else { return };
        let areas = self.review_areas();
        let rows = list(reviewed);
        let (selected, top) = self.review.selected;
        let at = rows.iter().position(|row| *row == ListRow::Finding(selected)).unwrap_or(0);
        // The tool's name stands above its first finding.
        let named = at.checked_sub(1).filter(|above| matches!(rows.get(*above), Some(ListRow::Tool(_)))).unwrap_or(at);
        let top = in_sight(top.min(named), at, rows.len(), areas.list.height.into());
        self.review.selected.1 = top;
        if self.review.depth == Depth::Finding {
            let lines = self.review_document(areas.document.width.into()).len();
            let selected = self.review.line.0.min(lines.saturating_sub(1));
            self.review.line = (selected, in_sight(self.review.line.1, selected, lines, areas.document.height.into()));
        }
    }
}
