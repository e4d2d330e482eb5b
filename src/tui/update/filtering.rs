//! After each message: which calls are shown, and in what order. What takes long is asked of a job, of which the latest wins.

use super::super::edit::attempts::UNSAVED;
use super::super::edit::job::Shared;
use super::super::job::find::{FindJob, Found};
use super::super::job::{Job, kind};
use super::super::runtime::Effect;
use super::super::state::{Loading, State, ToolKey, arranged};
use super::Effects;
use crate::capture::index::CallId;
use crate::replay::filter::{Flag, Flags};
use crate::replay::judge;
use std::collections::HashMap;
use std::sync::Arc;

impl State {
    /// Before each message: what time it is, and whether jobs are at work that will not know what the message brings.
    pub(super) fn before_finding(&mut self) {
        let passed = i64::try_from(self.now.as_millis()).unwrap_or(i64::MAX);
        let data = &mut self.data;
        data.find.set_now(self.edit.started.unwrap_or(0).saturating_add(passed));
        data.find.deciding = self.jobs.runs(kind::FILTERING);
        data.calls.sorting = self.jobs.runs(kind::SORTING);
        data.calls.loaded = self.loading == Loading::Done;
    }

    pub(super) fn settle_finding(&mut self, effects: &mut Effects) {
        self.refresh_flags();
        self.decide(effects);
        self.arrange(effects);
        self.read_undecided(effects);
        self.find_by_letters(effects);
        let data = &mut self.data;
        if std::mem::take(&mut data.find.changed) {
            data.calls.reshow(&data.rows, &data.find);
            data.calls.settle(&data.rows);
        } else if data.calls.follow {
            data.calls.settle(&data.rows);
        }
        data.calls.unpin(&data.rows, &data.find);
        if data.calls.has_new() && data.calls.selected() == data.calls.newest(&data.rows) {
            data.calls.seen();
        }
    }

    /// Decides everything anew, if that has to be.
    fn decide(&mut self, effects: &mut Effects) {
        let (find, rows) = (&mut self.data.find, &self.data.rows);
        if !find.stale {
            return;
        }
        if find.query().is_empty() || rows.total().calls <= find.at_once {
            find.decide_all(rows);
            return self.stop(kind::FILTERING, effects);
        }
        find.hand_over();
        let work = FindJob::Decide { query: find.query().clone(), rows: rows.clone() };
        let ticket = self.jobs.ask(self.now, kind::FILTERING, 0);
        effects.push(Effect::Spawn(ticket, Job::Find(Shared(Arc::new(work)))));
    }

    /// Sorts everything anew, if that has to be.
    fn arrange(&mut self, effects: &mut Effects) {
        let (data, sorting) = (&mut self.data, self.jobs.runs(kind::SORTING));
        if !data.calls.unsorted {
            return;
        }
        if data.rows.total().calls <= data.find.at_once {
            let order = arranged(&data.rows, data.calls.sort());
            data.calls.hand_over();
            data.calls.take_in_order(order, &data.rows, &data.find);
            if sorting {
                self.stop(kind::SORTING, effects);
            }
            return;
        }
        data.calls.hand_over();
        let (sort, revision) = (data.calls.sort().clone(), data.calls.revision());
        let work = FindJob::Sort { sort, rows: data.rows.clone(), revision };
        let ticket = self.jobs.ask(self.now, kind::SORTING, 0);
        effects.push(Effect::Spawn(ticket, Job::Find(Shared(Arc::new(work)))));
    }

    /// Has calls read whose rows do not say whether they pass. Attempts that are in no file are here.
    fn read_undecided(&mut self, effects: &mut Effects) {
        if self.data.find.queue.is_empty() || self.jobs.runs(kind::FILTERING) {
            return;
        }
        let (mut here, mut ids) = (Vec::new(), std::mem::take(&mut self.data.find.queue));
        if self.data.rows.path(UNSAVED).is_some() {
            (here, ids) = ids.into_iter().partition(|id| id.file == UNSAVED);
        }
        let data = &mut self.data;
        let decided = here.into_iter().filter_map(|id| {
            let call = &self.edit.attempts.get(id)?.call;
            Some((id, data.find.query().decide_with(&data.rows, id, call, &judge(&data.gate, call))))
        });
        let decided: Vec<(CallId, bool)> = decided.collect();
        data.find.read = (0, (decided.len() + ids.len()) as u64);
        data.find.take_in_read(&decided);
        data.find.changed |= !decided.is_empty();
        self.read_on(ids, effects);
    }

    fn read_on(&mut self, ids: Vec<CallId>, effects: &mut Effects) {
        let Some(desk) = self.desk.clone().filter(|_| !ids.is_empty()) else { return };
        let (query, rows) = (self.data.find.query().clone(), self.data.rows.clone());
        let work = FindJob::Read { desk, query, rows, ids };
        let ticket = self.jobs.go_on(self.now, kind::FILTERING, 0, self.data.find.read);
        effects.push(Effect::Spawn(ticket, Job::Find(Shared(Arc::new(work)))));
    }

    /// Nobody wants to know any more.
    fn stop(&mut self, kind: &'static str, effects: &mut Effects) {
        let running = self.jobs.running().map(|(key, _)| key).find(|key| key.kind == kind);
        if let Some(key) = running {
            self.jobs.forget(key);
            effects.push(Effect::Cancel(key));
        }
    }

    /// Takes in what jobs found.
    pub(super) fn take_in_found(&mut self, found: Found, effects: &mut Effects) {
        let data = &mut self.data;
        match found {
            Found::Decided { answers, unknown } => {
                data.find.take_in(answers, unknown, &data.rows);
                // The rest of the job is its end; what is left is another one.
                self.stop(kind::FILTERING, effects);
            }
            Found::Read { read, mut left } => {
                let passing = data.find.take_in_read(&read);
                // What one has made of them is shown with them.
                data.find.changed |= data.rows.has_attempts();
                data.calls.show_also(&passing, &data.rows, &data.find);
                data.calls.settle(&data.rows);
                left.append(&mut data.find.queue);
                data.find.read.1 = data.find.read.0 + left.len() as u64;
                self.read_on(left, effects);
            }
            Found::Fuzzy { typed, found } if typed == self.fuzzy.typed => self.found_by_letters(found, effects),
            // Something else has been typed meanwhile.
            Found::Fuzzy { .. } => {}
            Found::Sorted { order, revision } if revision == data.calls.revision() => {
                data.calls.take_in_order(order, &data.rows, &data.find);
            }
            // Calls went or moved meanwhile: once more.
            Found::Sorted { .. } => data.calls.unsorted = true,
        }
    }

    /// What rows do not know of calls: marks, comments, and texts that are being written.
    fn refresh_flags(&mut self) {
        let attempts = self.edit.attempts.list().len() as u64;
        let revision = (self.data.find.notes.revision(), attempts, self.edit.drafts.revision());
        if self.noted == revision {
            return;
        }
        self.noted = revision;
        let mut flags: HashMap<CallId, Flags> = HashMap::new();
        for (id, note) in self.data.find.notes.iter() {
            let of_note = Flags::NONE.with(Flag::Marked, note.marked).with(Flag::Commented, !note.comment.is_empty());
            flags.insert(id, of_note);
        }
        for id in self.edit.drafts.edited_calls() {
            let known = flags.entry(id).or_default();
            *known = known.with(Flag::Edited, true);
        }
        self.data.find.set_flags(flags, &self.data.rows);
    }

    /// Takes away what hides calls, the last first: false if nothing does. The filter's text is kept.
    pub(super) fn show_more(&mut self) -> bool {
        let find = &mut self.data.find;
        if find.filters() {
            find.set_on(false);
        } else if find.only_marked() {
            find.set_only_marked(false);
        } else if find.tool().is_some() {
            find.choose_tool(None);
            self.data.tools.select_key(&ToolKey::All);
        } else {
            return false;
        }
        true
    }
}
