//! The captured calls as lists show them, and the order in which they are shown.
//!
//! What arrives is merged into the order once; drawing and moving only look at the part that is seen.

use crate::capture::Problem;
use crate::capture::index::CallId;
use crate::replay::{Judgement, Row};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Every call that is known.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    files: HashMap<u32, FileRows>,
    counts: BTreeMap<Arc<str>, Counts>,
    total: Counts,
}

#[derive(Clone, Debug)]
struct FileRows {
    path: Arc<Path>,
    rows: Vec<Row>,
    /// When each was made; where that is not recorded, when the one before it was.
    times: Vec<i64>,
    problems: Vec<Problem>,
}

/// How many calls there are, and how many of them fail. Calls that are still being streamed do not fail yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All of them.
    pub calls: usize,
    /// Those for which the model gets an error.
    pub failing: usize,
}

/// A call's place in the order of lists: the newest first, attempts after the call that they are attempts at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    at: Reverse<i64>,
    root: Reverse<CallId>,
    /// 0 for the call itself, 1 for an attempt.
    pub indent: u8,
    own: i64,
    /// The call.
    pub id: CallId,
}

/// Attempts at attempts at attempts: nobody goes further, and a circle in a file must end.
const DEEPEST: usize = 64;

impl Rows {
    /// A call's row.
    #[must_use]
    pub fn get(&self, id: CallId) -> Option<&Row> {
        self.files.get(&id.file)?.rows.get(id.call as usize)
    }

    /// The file that a call stands in.
    #[must_use]
    pub fn path(&self, file: u32) -> Option<&Arc<Path>> {
        self.files.get(&file).map(|file| &file.path)
    }

    /// Every row, in no order.
    pub fn iter(&self) -> impl Iterator<Item = &Row> {
        self.files.values().flat_map(|file| &file.rows)
    }

    /// Counts of all calls.
    #[must_use]
    pub fn total(&self) -> Counts {
        self.total
    }

    /// Counts of the calls of one tool, by the name that the calls use.
    #[must_use]
    pub fn counts(&self, tool: &str) -> Counts {
        self.counts.get(tool).copied().unwrap_or_default()
    }

    /// Every name that calls use, with its counts.
    pub fn tools(&self) -> impl Iterator<Item = (&Arc<str>, Counts)> {
        self.counts.iter().map(|(name, counts)| (name, *counts))
    }

    /// What could not be read in the captures.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        self.files.values().flat_map(|file| &file.problems)
    }

    /// The place of a call.
    #[must_use]
    pub fn place(&self, id: CallId) -> Option<Place> {
        let row = self.get(id)?;
        let root = self.root(row);
        let time = |id: CallId| self.files.get(&id.file).and_then(|file| file.times.get(id.call as usize)).copied();
        let indent = u8::from(root != id);
        let own = if root == id { 0 } else { time(id)? };
        Some(Place { at: Reverse(time(root)?), root: Reverse(root), indent, own, id })
    }

    /// The call that a call is in the end an attempt at; itself where it is none.
    fn root(&self, row: &Row) -> CallId {
        let mut root = row.id;
        let mut parent = row.parent;
        for _ in 0..DEEPEST {
            let Some(above) = parent.and_then(|id| self.get(id)) else { break };
            root = above.id;
            parent = above.parent;
        }
        root
    }

    /// Forgets the calls of a file from a number on, or the whole file. Gives how many went.
    pub(super) fn remove(&mut self, file: u32, removed: &Range<u32>, gone: bool) -> usize {
        let Some(known) = self.files.get_mut(&file) else { return 0 };
        let first = if gone { 0 } else { removed.start as usize };
        // What is removed is always the end of a file: those before are still the same.
        let end = if removed.is_empty() && !gone { known.rows.len() } else { first.min(known.rows.len()) };
        known.times.truncate(end);
        let rows = known.rows.split_off(end);
        if gone {
            self.files.remove(&file);
        }
        for row in &rows {
            self.count(&row.tool, fails(row), false);
        }
        if !rows.is_empty() {
            // Whatever comes under these numbers later is another call.
            let end = u32::try_from(end).unwrap_or(u32::MAX);
            for row in self.files.values_mut().flat_map(|file| &mut file.rows) {
                row.parent.take_if(|parent| parent.file == file && parent.call >= end);
            }
        }
        rows.len()
    }

    /// Adds calls at the end of a file.
    pub(super) fn add(&mut self, file: u32, path: &Arc<Path>, added: Vec<Row>, problems: Vec<Problem>) {
        for row in &added {
            self.count(&row.tool, fails(row), true);
        }
        let empty = || FileRows { path: Arc::clone(path), rows: Vec::new(), times: Vec::new(), problems: Vec::new() };
        let known = self.files.entry(file).or_insert_with(empty);
        known.problems = problems;
        for row in added {
            let before = known.times.last().copied().unwrap_or(i64::MIN);
            known.times.push(row.at.unwrap_or(before));
            known.rows.push(row);
        }
    }

    /// Takes note of results that were recorded for known calls.
    pub(super) fn answer(&mut self, file: u32, answered: &[(u32, Option<bool>)]) {
        let Some(known) = self.files.get_mut(&file) else { return };
        for (number, flag) in answered {
            if let Some(row) = known.rows.get_mut(*number as usize) {
                row.has_result = true;
                row.recorded_error = *flag;
            }
        }
    }

    pub(super) fn set_parent(&mut self, id: CallId, parent: CallId) {
        // A call that came later would move its attempts without anybody putting them in order anew.
        if self.get(parent).is_none() {
            return;
        }
        if let Some(row) = self.row_mut(id) {
            row.parent = Some(parent);
        }
    }

    pub(super) fn judge(&mut self, judgement: Judgement) {
        let Some(row) = self.row_mut(judgement.id) else { return };
        let (tool, failed) = (Arc::clone(&row.tool), fails(row));
        row.take_in(judgement);
        let fails = fails(row);
        if failed != fails {
            self.count(&tool, failed, false);
            self.count(&tool, fails, true);
        }
    }

    fn row_mut(&mut self, id: CallId) -> Option<&mut Row> {
        self.files.get_mut(&id.file)?.rows.get_mut(id.call as usize)
    }

    fn count(&mut self, tool: &Arc<str>, fails: bool, there: bool) {
        let fails = usize::from(fails);
        let counts = self.counts.entry(Arc::clone(tool)).or_default();
        for counts in [&mut self.total, &mut *counts] {
            if there {
                counts.calls += 1;
                counts.failing += fails;
            } else {
                counts.calls = counts.calls.saturating_sub(1);
                counts.failing = counts.failing.saturating_sub(fails);
            }
        }
        if counts.calls == 0 {
            self.counts.remove(tool);
        }
    }
}

/// Whether the model gets an error for a call that is complete.
#[must_use]
pub fn fails(row: &Row) -> bool {
    row.outcome.is_error() && !row.pending
}
