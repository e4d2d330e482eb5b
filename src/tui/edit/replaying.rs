//! Replaying: a text becomes an attempt at its call, and attempts are written to a file.

use super::attempts::{Making, UNSAVED, attempt};
use super::job::{EditJob, EditOutput, Shared, kind};
use crate::capture::index::CallId;
use crate::capture::{Call, write_call};
use crate::gate::Arguments;
use crate::replay::filter::{EDITED, REPLAYED};
use crate::replay::{Detail, Labels, News, judge};
use crate::tui::job::{Job, Shown};
use crate::tui::layout::{Pane, Shape};
use crate::tui::notices::Level;
use crate::tui::runtime::Effect;
use crate::tui::state::{State, Tab};
use crate::tui::update::Effects;
use std::path::Path;
use std::sync::Arc;

impl State {
    /// Judges the edited text, or the arguments as they are, as a new attempt.
    pub(super) fn replay(&mut self, edited: bool, effects: &mut Effects) {
        let Some(look) = &self.look.call else { return };
        let (id, call) = (look.shown.id, &look.shown.call);
        let draft = self.edit.drafts.get(id).filter(|_| edited);
        let arguments = match draft {
            Some(draft) => Arguments::text(draft.buffer.text()),
            None if edited => return,
            None => call.arguments.clone(),
        };
        // An attempt at an attempt stands beside it, under the call itself.
        let versions = self.versions();
        let root = versions.ids.first().copied().filter(|_| self.data.rows.get(id).is_some_and(|row| row.parent.is_some()));
        let (parent_id, parent) = match root {
            Some(root) => (root, call.parent.as_deref()),
            None => (id, call.id.as_deref()),
        };
        let number = versions.ids.len().max(1);
        let at = self.edit.started.map(|started| started.saturating_add(i64::try_from(self.now.as_millis()).unwrap_or(0)));
        let note = if edited { EDITED } else { REPLAYED };
        let made = attempt(call, arguments, Making { parent, number: self.free_number(parent, number), at, note });
        if id.file != UNSAVED {
            self.edit.compare.note(id, Some(Arc::new(call.clone())));
        }
        if let Some(draft) = self.edit.drafts.get_mut(id) {
            // What was written is in the attempt now.
            draft.base = Arc::from(draft.buffer.text());
        }
        let new = self.edit.attempts.add(made, Some(parent_id).filter(|id| self.data.rows.get(*id).is_some()));
        self.show_attempts();
        self.data.calls.chosen = true;
        self.data.calls.follow = false;
        self.data.select(new);
        self.look_at_selected(effects);
        self.show_comparison();
    }

    /// The least number from this one on that no attempt at this call has.
    fn free_number(&self, parent: Option<&str>, from: usize) -> usize {
        let id = |number: usize| parent.map_or_else(|| format!("attempt-{number}"), |parent| format!("{parent}.{number}"));
        let list = self.edit.attempts.list();
        let most = from.saturating_add(list.len());
        (from..=most).find(|number| !list.iter().any(|attempt| attempt.call.id.as_ref() == Some(&id(*number)))).unwrap_or(from)
    }

    /// Flips to before and after: beside the rest where there is room, and in its place otherwise.
    pub(super) fn show_comparison(&mut self) {
        self.edit.compare.beside = true;
        (self.edit.compare.top, self.edit.compare.left) = (0, 0);
        let wide = crate::tui::layout::layout(self.size, self.wanted());
        if wide.shape == Shape::ThreeColumns && !self.zoom && wide.slot(Pane::Diff).is_some() {
            self.focus = Pane::Diff;
        } else {
            self.tab = Tab::Diff;
            self.focus = Pane::Detail;
        }
    }

    /// Puts the attempts into the list, as they are now.
    pub(super) fn show_attempts(&mut self) {
        let rows = self.edit.attempts.rows(&|file| self.data.in_force(file).gate);
        let labels = self.edit.attempts.labels();
        let path: Arc<Path> = Arc::from(Path::new(""));
        let news = |added, labels, gone| News::Calls {
            file: UNSAVED,
            path: Arc::clone(&path),
            removed: 0..0,
            added,
            labels,
            answered: Vec::new(),
            gone,
            problems: Vec::new(),
        };
        // What is selected stays selected, though it is away for a moment.
        let selected = self.data.calls.selected();
        if self.data.rows.path(UNSAVED).is_some() {
            self.data.take_in(news(Vec::new(), Labels::default(), true));
        }
        if !rows.is_empty() {
            self.data.take_in(news(rows, labels, false));
        }
        if let Some(id) = selected.filter(|id| id.file == UNSAVED) {
            self.data.select(id);
        }
    }

    /// The attempt with this id, laid out. Attempts are in no file, so nothing has to be read.
    pub(in crate::tui) fn shown_attempt(&self, id: CallId) -> Option<Shown> {
        let attempt = self.edit.attempts.get(id)?;
        let call = Call::clone(&attempt.call);
        let rules = self.rules_of(id);
        let verdict = judge(&rules.gate, &call);
        let definition = rules.catalog.get(&call.tool).cloned();
        let raw = write_call(&call).into_bytes();
        Some(Shown::new(id, Detail { call, verdict, definition, profile: self.data.gate.profile() }, raw))
    }

    /// The selected attempt, or where the call itself is selected, all attempts at it: those that are in no file.
    pub(in crate::tui) fn unsaved_here(&self) -> impl Iterator<Item = (CallId, Shared<Call>)> + '_ {
        let mut versions = self.versions();
        if versions.selected > 0 {
            versions.ids = vec![versions.ids[versions.selected]];
        }
        versions.ids.into_iter().filter_map(|id| {
            let attempt = self.edit.attempts.get(id).filter(|attempt| !attempt.saved)?;
            Some((id, Shared(Arc::clone(&attempt.call))))
        })
    }

    /// Writes the selected attempt to a file, or where the call itself is selected, all attempts at it.
    pub(super) fn save_attempts(&mut self, effects: &mut Effects) {
        let attempts: Vec<(CallId, Shared<Call>)> = self.unsaved_here().collect();
        if attempts.is_empty() {
            return self.say(Level::Info, "It is in a file already");
        }
        let Some(desk) = self.desk.clone() else { return };
        if self.jobs.running().any(|(key, _)| key.kind == kind::SAVING) {
            return self.say(Level::Info, "Attempts are being saved already");
        }
        let ticket = self.jobs.ask(self.now, kind::SAVING, 0);
        effects.push(Effect::Spawn(ticket, Job::Edit(EditJob::Save(desk, attempts))));
    }

    /// Takes in what a job gives.
    pub(in crate::tui) fn take_in_edit(&mut self, output: EditOutput, effects: &mut Effects) {
        match output {
            EditOutput::Judged(id, revision, live) => {
                if let Some(draft) = self.edit.drafts.get_mut(id) {
                    draft.set_live(*live, revision);
                }
            }
            EditOutput::Saved { path, saved, news, found } => {
                self.take_in_news(news, effects);
                self.saved(&path, &saved, &found);
                self.look_at_selected(effects);
            }
            EditOutput::NotSaved(why) => {
                self.say(Level::Error, &format!("Nothing was saved, and nothing is lost: {why}"));
            }
            EditOutput::Read(id, Ok(call)) => self.edit.compare.note(id, Some(call)),
            EditOutput::Read(id, Err(why)) => {
                self.edit.compare.note(id, None);
                self.say(Level::Error, &why);
            }
            EditOutput::Compared(pair, diff) => self.edit.compare.diff = Some((pair, Arc::from(diff))),
            EditOutput::NotKept(why) => {
                self.edit.keeping.failed = true;
                self.say(Level::Warning, &format!("Nothing is kept for the next start: {why}"));
            }
        }
    }

    /// Throws the selected attempt away; its call is selected then.
    pub(super) fn discard_attempt(&mut self, effects: &mut Effects) {
        let selected = self.data.calls.selected().filter(|id| id.file == UNSAVED);
        let Some(attempt) = selected.and_then(|id| self.edit.attempts.get(id)) else {
            return self.say(Level::Info, "Only an attempt that is in no file can be discarded: select it first");
        };
        let (parent, gone) = (attempt.parent, selected.unwrap_or(CallId { file: UNSAVED, call: 0 }));
        self.edit.drafts.close(gone);
        self.data.find.notes.forget(gone);
        let compare = &mut self.edit.compare;
        compare.from = compare.from.filter(|from| *from != gone);
        compare.diff = None;
        compare.read.remove(&gone);
        let left = self.edit.attempts.replace(&[gone]);
        self.rename_attempts(|id| moved(&left, id).unwrap_or(id));
        self.show_attempts();
        if let Some(parent) = parent {
            self.data.select(parent);
        }
        self.look.wanted = None;
        self.look_at_selected(effects);
        self.say(Level::Info, "Discarded the attempt");
    }

    /// Attempts go by other ids now.
    fn rename_attempts(&mut self, new_id: impl Fn(CallId) -> CallId) {
        self.edit.drafts.rename(&new_id);
        self.data.find.notes.rename(&new_id);
        let compare = &mut self.edit.compare;
        compare.from = compare.from.map(&new_id);
        compare.diff = compare.diff.take().map(|((before, after), diff)| ((new_id(before), new_id(after)), diff));
        compare.asked = None;
        compare.read = std::mem::take(&mut compare.read).into_iter().map(|(id, call)| (new_id(id), call)).collect();
    }

    /// Attempts stand in a file now: their rows there take the place of those here.
    fn saved(&mut self, path: &Path, saved: &[CallId], found: &[(CallId, CallId)]) {
        let count = saved.len();
        self.edit.attempts.mark_saved(saved);
        let gone: Vec<CallId> = found.iter().map(|(old, _)| *old).collect();
        let selected = self.data.calls.selected();
        let parent = |id: &CallId| self.edit.attempts.get(*id).and_then(|attempt| attempt.parent);
        let parents: Vec<Option<CallId>> = gone.iter().map(parent).collect();
        let left = self.edit.attempts.replace(&gone);
        let new_id = |id: CallId| {
            let found = found.iter().find(|(old, _)| *old == id).map(|(_, new)| *new);
            found.or_else(|| moved(&left, id)).unwrap_or(id)
        };
        self.rename_attempts(new_id);
        self.show_attempts();
        // Of a call without an id, a file cannot say that something is an attempt at it.
        let parents = found.iter().zip(parents).filter_map(|((_, new), parent)| Some((*new, parent?)));
        self.data.take_in(News::Parents(parents.collect()));
        if let Some(id) = selected {
            self.data.select(new_id(id));
        }
        let attempts = if count == 1 { "attempt".to_owned() } else { format!("{count} attempts") };
        self.say(Level::Info, &format!("Saved the {attempts} to {}", path.display()));
    }
}

/// The id that an attempt has after others have been taken away.
fn moved(left: &[Option<CallId>], id: CallId) -> Option<CallId> {
    left.get(id.call as usize).copied().flatten().filter(|_| id.file == UNSAVED)
}
