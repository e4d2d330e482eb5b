//! What the screen knows of definitions and calls, kept up to date by news.

use super::calls::Calls;
use super::find::Find;
use super::rows::Rows;
use super::tools::Tools;
use crate::capture::index::CallId;
use crate::definition::Catalog;
use crate::gate::{Gate, Profile};
use crate::replay::stats::Maps;
use crate::replay::{Flip, InForce, News};
use crate::review::Cause;
use std::collections::HashMap;
use std::sync::Arc;

/// Definitions, calls, and what changed since the baseline.
#[derive(Clone, Debug, Default)]
pub struct Data {
    /// Another number whenever calls, verdicts or definitions are others.
    pub revision: u64,
    /// The definitions in force.
    pub catalog: Arc<Catalog>,
    /// The gate over them.
    pub gate: Arc<Gate>,
    /// What judges the calls of files that have rules of their own.
    pub own: HashMap<u32, InForce>,
    /// What to try where most calls of a session are of unknown tools.
    pub advice: Option<String>,
    /// The calls.
    pub rows: Rows,
    /// The list of calls.
    pub calls: Calls,
    /// Which of them are shown, and what is noted about them.
    pub find: Find,
    /// The list of tools.
    pub tools: Tools,
    /// Calls whose verdict is not what it was at the baseline, newly failing first.
    pub flips: Vec<Flip>,
    /// The definitions that have changed since the baseline, by the names that calls use.
    pub changed: Vec<String>,
    /// What flips are counted from.
    pub baseline: Baseline,
    /// The changes that calls flipped for, as far as they have been found.
    pub causes: HashMap<CallId, Arc<[Cause]>>,
}

/// What flips are counted from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Baseline {
    /// What the gate said when a call was first seen.
    #[default]
    Start,
    /// What it said at a mark.
    Mark,
    /// What it says by the definitions at a git revision.
    Revision(String),
}

/// What news brought, as far as the rest of the state must know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one fact that the rest of the state must know")]
pub struct Brought {
    /// The selected call may be another one now, or be judged otherwise: look at it again.
    pub look_again: bool,
    /// Verdicts were compared with the baseline.
    pub compared: bool,
    /// The flips may be others, or have other causes.
    pub flips: bool,
    /// What could not be read was said again.
    pub findings: bool,
    /// How many calls are new.
    pub added: usize,
    /// Other rules are in force: those before, and how many calls failed by them.
    pub rules: Option<(Profile, usize)>,
}

impl Data {
    /// What judges the calls of a file.
    #[must_use]
    pub fn in_force(&self, file: u32) -> InForce {
        self.own.get(&file).cloned().unwrap_or_else(|| {
            let catalog = Arc::clone(&self.catalog);
            InForce {
                gate: Arc::clone(&self.gate),
                maps: Arc::new(Maps::new(Arc::clone(&catalog), Arc::clone(&catalog))),
                catalog,
            }
        })
    }

    /// Takes in news.
    pub fn take_in(&mut self, news: News) -> Brought {
        let brought = self.take_in_part(news);
        self.place_arrived();
        brought
    }

    /// Calls that came are put in their places, where they have not been yet.
    pub(in crate::tui) fn place_arrived(&mut self) {
        if self.calls.place_arrived(&self.rows, &self.find) {
            self.calls.settle(&self.rows);
        }
    }

    /// Takes in news of several that come together; calls that come have no places before [`Data::place_arrived`].
    pub(in crate::tui) fn take_in_part(&mut self, news: News) -> Brought {
        self.revision += 1;
        match news {
            News::Calls { file, path, removed, added, labels, answered, gone, problems } => {
                let first = if gone { 0 } else { removed.start };
                let goes = gone || !removed.is_empty();
                if goes {
                    self.place_arrived();
                    self.find.notes.put_by(file, first, &self.rows);
                    self.find.forget(file, first);
                }
                let (went, orphans) = self.rows.remove(file, &removed, gone);
                let selected = self.calls.selected();
                let touched = selected.filter(|id| id.file == file);
                let look_again = touched
                    .is_some_and(|id| gone || removed.contains(&id.call) || answered.iter().any(|(call, _)| *call == id.call));
                let ids: Vec<CallId> = added.iter().map(|row| row.id).collect();
                let mut tools: Vec<&Arc<str>> = added.iter().map(|row| &row.tool).collect();
                tools.sort_unstable();
                tools.dedup();
                let known = tools.iter().all(|tool| self.tools.knows(tool));
                if !gone {
                    self.rows.add(file, &path, added, labels, problems);
                }
                self.rows.answer(file, &answered);
                self.find.notes.find(&ids, &self.rows);
                self.find.note_added(&ids, &self.rows);
                if went > 0 {
                    let flips = self.flips.iter().filter(|flip| self.rows.has(flip.id));
                    self.set_flips(flips.copied().collect());
                    self.calls.forget(file, first, &orphans, &self.rows, &self.find);
                }
                self.calls.arrive(&ids);
                if !known || went > 0 {
                    self.tools.rebuild(&self.catalog, &self.rows);
                }
                if went > 0 {
                    self.calls.settle(&self.rows);
                }
                self.calls.note_new(&ids);
                Brought { look_again, added: ids.len(), ..Brought::default() }
            }
            News::Rules { file, own } => {
                match own {
                    Some(own) => self.own.insert(file, own),
                    None => self.own.remove(&file),
                };
                let look_again = self.calls.selected().is_some_and(|id| id.file == file);
                Brought { look_again, ..Brought::default() }
            }
            News::Parents(parents) => {
                self.place_arrived();
                for (attempt, parent) in &parents {
                    self.rows.set_parent(*attempt, *parent);
                }
                self.find.reconsider(parents.iter().map(|(attempt, _)| *attempt), &self.rows);
                self.calls.attempts_found(&self.rows, &self.find);
                self.calls.settle(&self.rows);
                Brought::default()
            }
            News::Definitions { catalog, gate, changed, judged, flips } => {
                let findings = self.catalog.findings() != catalog.findings();
                (self.catalog, self.gate) = (catalog, gate);
                let ids: Vec<CallId> = judged.iter().map(|judgement| judgement.id).collect();
                for judgement in judged {
                    self.rows.judge(judgement);
                }
                self.find.reconsider(ids.into_iter(), &self.rows);
                self.calls.judged_anew();
                self.set_flips(flips);
                let compared = !changed.is_empty();
                self.changed.extend(changed);
                self.changed.sort_unstable();
                self.changed.dedup();
                self.tools.rebuild(&self.catalog, &self.rows);
                self.calls.settle(&self.rows);
                Brought { look_again: true, compared, findings, flips: true, ..Brought::default() }
            }
            News::Baseline { changed, flips } => {
                (self.changed, self.flips) = (changed, flips);
                Brought { flips: true, ..Brought::default() }
            }
            News::Profile { gate, judged } => {
                let rules = Some((self.gate.profile(), self.rows.total().failing));
                self.gate = gate;
                for judgement in judged {
                    self.rows.judge(judgement);
                }
                // What is said now is the baseline.
                self.baseline = Baseline::Mark;
                self.causes.clear();
                self.flips.clear();
                self.changed.clear();
                self.calls.settle(&self.rows);
                Brought { look_again: true, rules, ..Brought::default() }
            }
        }
    }

    /// Takes in which calls are judged otherwise than at the baseline.
    pub fn set_flips(&mut self, flips: Vec<Flip>) {
        self.find.set_flipped(flips.iter().map(|flip| flip.id).collect(), &self.rows);
        self.flips = flips;
    }

    /// Selects a call, wherever it stands. If it is none of the chosen tool's, all calls are shown; if the filter hides it, it is
    /// shown as long as it is selected.
    pub fn select(&mut self, id: CallId) {
        let Some(tool) = self.rows.tool(id) else { return };
        if self.find.tool_hides(tool) {
            self.find.choose_tool(None);
        }
        self.calls.select(id, &self.rows, &self.find);
    }

    /// Selects a call for as long as one looks for one; what hides it goes on hiding the others.
    pub(in crate::tui) fn preview(&mut self, id: CallId) {
        if self.rows.has(id) {
            (self.calls.chosen, self.calls.follow) = (true, false);
            self.calls.select(id, &self.rows, &self.find);
        }
    }

    /// Flips by what they came to: newly failing, mended, otherwise changed.
    #[must_use]
    pub fn flip_counts(&self) -> (usize, usize, usize) {
        let failing = self.flips.iter().filter(|flip| flip.is_newly_failing()).count();
        let mended = self.flips.iter().filter(|flip| flip.before.is_error() && !flip.after.is_error()).count();
        (failing, mended, self.flips.len() - failing - mended)
    }
}
