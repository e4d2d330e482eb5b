//! The captured calls as lists show them, and the order in which they are shown.
//!
//! What arrives is merged into the order once; drawing and moving only look at the part that is seen. A clone shares everything,
//! so that a job can be given all of it.

use super::by_file::ByFile;
use super::cell::{Cell, Names};
use crate::capture::Problem;
use crate::capture::index::CallId;
use crate::replay::filter::{Flags, Places, RowFacts};
use crate::replay::{Judgement, Label, LabelReader, Labels, Row};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Every call that is known.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    files: ByFile<Arc<FileRows>>,
    /// The calls that calls are attempts at.
    parents: Arc<HashMap<CallId, CallId>>,
    names: Arc<Names>,
    counts: BTreeMap<Arc<str>, Counts>,
    total: Counts,
    /// Models and sessions that calls have named.
    models: BTreeSet<Arc<str>>,
    sessions: BTreeSet<Arc<str>>,
}

/// So many models and sessions are remembered, to be offered where a filter is written.
const MOST_NAMES: usize = 1_000;

#[derive(Clone, Debug)]
struct FileRows {
    path: Arc<Path>,
    /// The path as text.
    name: Arc<str>,
    cells: Vec<Cell>,
    labels: Labels,
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
    fn cell(&self, id: CallId) -> Option<&Cell> {
        self.files.get(id.file)?.cells.get(id.call as usize)
    }

    fn parent(&self, id: CallId) -> Option<CallId> {
        if self.parents.is_empty() { None } else { self.parents.get(&id).copied() }
    }

    /// A call's row.
    #[must_use]
    pub fn get(&self, id: CallId) -> Option<Row> {
        Some(self.cell(id)?.row(id, self.parent(id), &self.names))
    }

    /// Whether a call is known.
    #[must_use]
    pub fn has(&self, id: CallId) -> bool {
        self.cell(id).is_some()
    }

    /// Whether the model gets an error for a call, which is complete.
    #[must_use]
    pub fn fails(&self, id: CallId) -> bool {
        self.cell(id).is_some_and(Cell::fails)
    }

    /// The tool that a call is of, by the name that it uses.
    #[must_use]
    pub fn tool(&self, id: CallId) -> Option<&Arc<str>> {
        Some(self.cell(id)?.tool(&self.names))
    }

    /// Where a call's issues are.
    #[must_use]
    pub fn places(&self, id: CallId) -> &[Box<str>] {
        self.cell(id).map_or(&[], |cell| &cell.said.places)
    }

    /// How a call begins.
    #[must_use]
    pub fn label(&self, id: CallId) -> Label {
        self.files.get(id.file).map(|file| file.labels.get(id.call)).unwrap_or_default()
    }

    /// What is wrong with a call, or how it begins: one line, safe to show.
    #[must_use]
    pub fn summary(&self, id: CallId) -> String {
        self.summary_with(id, &mut LabelReader::default()).to_owned()
    }

    /// The same, of several calls in a row.
    pub fn summary_with<'a>(&'a self, id: CallId, reader: &'a mut LabelReader) -> &'a str {
        let file = self.files.get(id.file);
        let Some((file, cell)) = file.and_then(|file| Some((file, file.cells.get(id.call as usize)?))) else { return "" };
        match &cell.said.error {
            Some(error) => error,
            None => reader.read(&file.labels, id.call).map_or("", |(text, _)| text),
        }
    }

    /// What is wrong with a call or how it begins, and its id.
    pub fn words_with<'a>(&'a self, id: CallId, reader: &'a mut LabelReader) -> (&'a str, Option<&'a str>) {
        let file = self.files.get(id.file);
        let Some((file, cell)) = file.and_then(|file| Some((file, file.cells.get(id.call as usize)?))) else { return ("", None) };
        let (text, call_id) = reader.read(&file.labels, id.call).unwrap_or_default();
        (cell.said.error.as_deref().unwrap_or(text), call_id)
    }

    /// What a filter and a sort order are told of a call; not how it begins.
    #[must_use]
    pub fn facts(&self, id: CallId, flags: Flags) -> Option<RowFacts<'_>> {
        let file = self.files.get(id.file)?;
        let cell = file.cells.get(id.call as usize)?;
        Some(RowFacts {
            tool: cell.tool(&self.names),
            model: cell.model(&self.names).map(|name| &**name),
            session: cell.session(&self.names).map(|name| &**name),
            file: &file.name,
            order: id.call,
            at: cell.timed(),
            outcome: cell.said.outcome,
            places: Places::Pointers(&cell.said.places),
            flags: flags.and(cell.flags(self.parent(id).is_some())),
            summary: cell.said.error.as_deref(),
        })
    }

    /// Where a call stands.
    #[must_use]
    pub fn spot(&self, id: CallId) -> Option<Spot> {
        let file = self.files.get(id.file)?;
        let (before, cell) = (file.cells.get(..id.call as usize)?, file.cells.get(id.call as usize)?);
        let nth = before.iter().rev().take_while(|before| before.line == cell.line).count();
        Some(Spot { file: Arc::clone(&file.path), line: cell.line, nth: u32::try_from(nth).unwrap_or(u32::MAX) })
    }

    /// The call at a spot.
    #[must_use]
    pub fn at(&self, spot: &Spot) -> Option<CallId> {
        self.on_line(&spot.file, spot.line).nth(spot.nth as usize)
    }

    /// The calls on a line of a file.
    pub fn on_line(&self, path: &Path, line: u32) -> impl Iterator<Item = CallId> {
        let file = self.files.iter().find(move |(_, file)| *file.path == *path);
        file.into_iter().flat_map(move |(number, file)| {
            let calls = (0..).zip(&file.cells).filter(move |(_, cell)| cell.line == line);
            calls.map(move |(call, _)| CallId { file: number, call })
        })
    }

    /// The numbers of the files, each with how many calls it has.
    pub fn files(&self) -> impl Iterator<Item = (u32, usize)> {
        self.files.iter().map(|(number, file)| (number, file.cells.len()))
    }

    /// The file that a call stands in.
    #[must_use]
    pub fn path(&self, file: u32) -> Option<&Arc<Path>> {
        self.files.get(file).map(|file| &file.path)
    }

    /// Every call, by files.
    pub fn ids(&self) -> impl Iterator<Item = CallId> {
        self.files()
            .flat_map(|(file, calls)| (0..u32::try_from(calls).unwrap_or(u32::MAX)).map(move |call| CallId { file, call }))
    }

    /// Every row, by files.
    pub fn iter(&self) -> impl Iterator<Item = Row> {
        self.ids().filter_map(|id| self.get(id))
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
        let cell = self.cell(id)?;
        if self.parents.is_empty() {
            return Some(Place { at: Reverse(cell.at), root: Reverse(id), indent: 0, own: 0, id });
        }
        let root = self.root(id);
        let (indent, own) = if root == id { (0, 0) } else { (1, cell.at) };
        Some(Place { at: Reverse(self.cell(root)?.at), root: Reverse(root), indent, own, id })
    }

    /// Whether any call is an attempt at another one that is known.
    #[must_use]
    pub fn has_attempts(&self) -> bool {
        !self.parents.is_empty()
    }

    /// The places of all attempts at calls that are known.
    pub(super) fn attempts(&self) -> impl Iterator<Item = Place> {
        self.parents.keys().filter_map(|id| self.place(*id)).filter(|place| place.indent > 0)
    }

    /// The call that a call is in the end an attempt at; itself where it is none.
    fn root(&self, id: CallId) -> CallId {
        let mut root = id;
        let mut parent = self.parent(id);
        for _ in 0..DEEPEST {
            let Some(above) = parent.filter(|id| self.has(*id)) else { break };
            root = above;
            parent = self.parent(above);
        }
        root
    }

    /// Forgets the calls of a file from a number on, or the whole file. Gives how many went, and which calls were attempts at them.
    pub(super) fn remove(&mut self, file: u32, removed: &Range<u32>, gone: bool) -> (usize, Vec<CallId>) {
        let Some(known) = self.files.get_mut(file).map(Arc::make_mut) else { return (0, Vec::new()) };
        let first = if gone { 0 } else { removed.start as usize };
        // What is removed is always the end of a file: those before are still the same.
        let end = if removed.is_empty() && !gone { known.cells.len() } else { first.min(known.cells.len()) };
        known.labels.truncate(end);
        let cells = known.cells.split_off(end);
        if gone {
            self.files.remove(file);
        }
        let names = Arc::clone(&self.names);
        for cell in &cells {
            self.count(cell.tool(&names), cell.fails(), false);
        }
        let mut orphans = Vec::new();
        if !cells.is_empty() && !self.parents.is_empty() {
            // Whatever comes under these numbers later is another call.
            let end = u32::try_from(end).unwrap_or(u32::MAX);
            let is_gone = |id: &CallId| id.file == file && id.call >= end;
            orphans.extend(self.parents.iter().filter(|(id, parent)| is_gone(parent) && !is_gone(id)).map(|(id, _)| *id));
            Arc::make_mut(&mut self.parents).retain(|id, parent| !is_gone(id) && !is_gone(parent));
        }
        (cells.len(), orphans)
    }

    /// Adds calls at the end of a file.
    pub(super) fn add(&mut self, file: u32, path: &Arc<Path>, added: Vec<Row>, labels: Labels, problems: Vec<Problem>) {
        for row in &added {
            self.count(&row.tool, fails(row), true);
            for (known, name) in [(&mut self.models, &row.model), (&mut self.sessions, &row.session)] {
                if let Some(name) = name.as_ref().filter(|name| known.len() < MOST_NAMES && !known.contains(*name)) {
                    known.insert(Arc::clone(name));
                }
            }
            if let Some(parent) = row.parent {
                Arc::make_mut(&mut self.parents).insert(row.id, parent);
            }
        }
        let empty = || {
            let name = Arc::from(path.to_string_lossy().as_ref());
            let (path, labels) = (Arc::clone(path), Labels::default());
            Arc::new(FileRows { path, name, cells: Vec::new(), labels, problems: Vec::new() })
        };
        let known = Arc::make_mut(self.files.entry(file, empty));
        known.problems = problems;
        known.labels.append(known.cells.len(), labels);
        known.cells.reserve_exact(added.len());
        for row in added {
            let before = known.cells.last().map_or(i64::MIN, |cell| cell.at);
            known.cells.push(Cell::new(row, before, &mut self.names));
        }
    }

    /// Takes note of results that were recorded for known calls.
    pub(super) fn answer(&mut self, file: u32, answered: &[(u32, Option<bool>)]) {
        if answered.is_empty() {
            return;
        }
        let Some(known) = self.files.get_mut(file).map(Arc::make_mut) else { return };
        for (number, flag) in answered {
            if let Some(cell) = known.cells.get_mut(*number as usize) {
                cell.answer(*flag);
            }
        }
    }

    pub(super) fn set_parent(&mut self, id: CallId, parent: CallId) {
        // A call that came later would move its attempts without anybody putting them in order anew.
        if self.has(parent) && self.has(id) {
            Arc::make_mut(&mut self.parents).insert(id, parent);
        }
    }

    pub(super) fn judge(&mut self, judgement: Judgement) {
        let Judgement { id, said } = judgement;
        let Some(cell) = self.files.get_mut(id.file).and_then(|file| Arc::make_mut(file).cells.get_mut(id.call as usize)) else {
            return;
        };
        let failed = cell.fails();
        cell.said = said;
        let fails = cell.fails();
        if failed != fails {
            let tool = Arc::clone(cell.tool(&self.names));
            self.count(&tool, failed, false);
            self.count(&tool, fails, true);
        }
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
