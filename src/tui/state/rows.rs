//! The captured calls as lists show them, and the order in which they are shown.
//!
//! What arrives is merged into the order once; drawing and moving only look at the part that is seen. A clone shares everything,
//! so that a job can be given all of it.

use crate::capture::Problem;
use crate::capture::index::CallId;
use crate::replay::filter::{Flags, RowFacts};
use crate::replay::{Judgement, Row};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Every call that is known.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    files: HashMap<u32, Arc<FileRows>>,
    counts: BTreeMap<Arc<str>, Counts>,
    total: Counts,
    /// Models and sessions that calls have named.
    models: BTreeSet<Arc<str>>,
    sessions: BTreeSet<Arc<str>>,
}

/// So many models and sessions are remembered, to be offered where a filter is written.
const NAMES: usize = 1_000;

#[derive(Clone, Debug)]
struct FileRows {
    path: Arc<Path>,
    /// The path as text.
    name: Arc<str>,
    rows: Vec<Arc<Row>>,
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

/// Where a call stands: what is the same in the next run.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spot {
    /// The file.
    pub file: Arc<Path>,
    /// The line.
    pub line: u32,
    /// How many calls stand before it on that line.
    pub nth: u32,
}

impl Place {
    /// The call that it is in the end an attempt at; itself where it is none.
    #[must_use]
    pub fn root(&self) -> CallId {
        self.root.0
    }
}

/// Attempts at attempts at attempts: nobody goes further, and a circle in a file must end.
const DEEPEST: usize = 64;

impl Rows {
    /// A call's row.
    #[must_use]
    pub fn get(&self, id: CallId) -> Option<&Row> {
        self.files.get(&id.file)?.rows.get(id.call as usize).map(|row| &**row)
    }

    /// What a filter and a sort order are told of a call.
    #[must_use]
    pub fn facts(&self, id: CallId, flags: Flags) -> Option<RowFacts<'_>> {
        let file = self.files.get(&id.file)?;
        Some(RowFacts::of_row(file.rows.get(id.call as usize)?, &file.name, flags))
    }

    /// Where a call stands.
    #[must_use]
    pub fn spot(&self, id: CallId) -> Option<Spot> {
        let file = self.files.get(&id.file)?;
        let (before, row) = (file.rows.get(..id.call as usize)?, file.rows.get(id.call as usize)?);
        let nth = before.iter().rev().take_while(|before| before.line == row.line).count();
        Some(Spot { file: Arc::clone(&file.path), line: row.line, nth: u32::try_from(nth).unwrap_or(u32::MAX) })
    }

    /// The call at a spot.
    #[must_use]
    pub fn at(&self, spot: &Spot) -> Option<CallId> {
        let file = self.files.values().find(|file| file.path == spot.file)?;
        file.rows.iter().filter(|row| row.line == spot.line).nth(spot.nth as usize).map(|row| row.id)
    }

    /// The numbers of the files, each with how many calls it has.
    pub fn files(&self) -> impl Iterator<Item = (u32, usize)> {
        self.files.iter().map(|(number, file)| (*number, file.rows.len()))
    }

    /// The file that a call stands in.
    #[must_use]
    pub fn path(&self, file: u32) -> Option<&Arc<Path>> {
        self.files.get(&file).map(|file| &file.path)
    }

    /// Every row, in no order.
    pub fn iter(&self) -> impl Iterator<Item = &Row> {
        self.files.values().flat_map(|file| file.rows.iter().map(|row| &**row))
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

    /// Models that calls have named.
    pub fn models(&self) -> impl Iterator<Item = &Arc<str>> {
        self.models.iter()
    }

    /// Sessions that calls have named.
    pub fn sessions(&self) -> impl Iterator<Item = &Arc<str>> {
        self.sessions.iter()
    }

    /// The files' paths as text.
    pub fn file_names(&self) -> impl Iterator<Item = &str> {
        self.files.values().map(|file| &*file.name).filter(|name| !name.is_empty())
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
        let Some(known) = self.files.get_mut(&file).map(Arc::make_mut) else { return 0 };
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
            let is_gone = |parent: &CallId| parent.file == file && parent.call >= end;
            let concerned = |row: &Arc<Row>| row.parent.as_ref().is_some_and(is_gone);
            for known in self.files.values_mut().filter(|known| known.rows.iter().any(concerned)) {
                for row in Arc::make_mut(known).rows.iter_mut().filter(|row| concerned(row)) {
                    Arc::make_mut(row).parent = None;
                }
            }
        }
        rows.len()
    }

    /// Adds calls at the end of a file.
    pub(super) fn add(&mut self, file: u32, path: &Arc<Path>, added: Vec<Row>, problems: Vec<Problem>) {
        for row in &added {
            self.count(&row.tool, fails(row), true);
            for (known, name) in [(&mut self.models, &row.model), (&mut self.sessions, &row.session)] {
                if let Some(name) = name.as_ref().filter(|name| known.len() < NAMES && !known.contains(*name)) {
                    known.insert(Arc::clone(name));
                }
            }
        }
        let empty = || {
            let name = Arc::from(path.to_string_lossy().as_ref());
            Arc::new(FileRows { path: Arc::clone(path), name, rows: Vec::new(), times: Vec::new(), problems: Vec::new() })
        };
        let known = Arc::make_mut(self.files.entry(file).or_insert_with(empty));
        known.problems = problems;
        for row in added {
            let before = known.times.last().copied().unwrap_or(i64::MIN);
            known.times.push(row.at.unwrap_or(before));
            known.rows.push(Arc::new(row));
        }
    }

    /// Takes note of results that were recorded for known calls.
    pub(super) fn answer(&mut self, file: u32, answered: &[(u32, Option<bool>)]) {
        if answered.is_empty() {
            return;
        }
        let Some(known) = self.files.get_mut(&file).map(Arc::make_mut) else { return };
        for (number, flag) in answered {
            if let Some(row) = known.rows.get_mut(*number as usize).map(Arc::make_mut) {
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
        Arc::make_mut(self.files.get_mut(&id.file)?).rows.get_mut(id.call as usize).map(Arc::make_mut)
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
