//! What the state holds for editing, and which call it is about.

use super::attempts::{Attempts, UNSAVED};
use super::diff::Diff;
use super::draft::Draft;
use super::drafts::Drafts;
use super::kept::Kept;
use super::memory::Memory;
use crate::capture::Call;
use crate::capture::index::CallId;
use crate::gate::Gate;
use crate::tui::layout::Pane;
use crate::tui::state::{Loading, State, Tab};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Everything that has to do with editing and replaying.
#[derive(Clone, Debug, Default)]
pub struct Editing {
    /// Texts that are being written.
    pub drafts: Drafts,
    /// Attempts that are in no file yet.
    pub attempts: Attempts,
    /// What is compared.
    pub compare: Compare,
    /// The gate that everything here was judged by.
    pub(super) gate: Option<Arc<Gate>>,
    /// The text that is in the person's own editor: the request's number and the call.
    pub(super) handed: Option<(u64, CallId)>,
    pub(super) requests: u64,
    /// The time at the start, in milliseconds since 1970, where a clock is to be had.
    pub started: Option<i64>,
    /// What is kept between runs.
    pub keeping: Keeping,
}

/// Two attempts beside each other.
#[derive(Clone, Debug, Default)]
pub struct Compare {
    /// The first of the pair, where it is not the original.
    pub from: Option<CallId>,
    /// The first is shown as the second.
    pub swapped: bool,
    /// The pair is on the screen beside the rest, where there is room.
    pub beside: bool,
    /// What was found, and of which calls.
    pub diff: Option<((CallId, CallId), Arc<Diff>)>,
    /// What has been asked for.
    pub(super) asked: Option<(CallId, CallId)>,
    /// Calls that have been read to be compared, or why they could not be.
    pub(super) read: BTreeMap<CallId, Option<Arc<Call>>>,
    /// Lines that are the same in both are all shown.
    pub whole: bool,
    /// The first line that is seen.
    pub top: usize,
    /// Cells that are scrolled away on the left.
    pub left: usize,
}

/// Calls that are kept to be compared: a pair and those that are likely next.
const READ: usize = 8;

impl Compare {
    /// Keeps a call that has been read, or takes note that it cannot be.
    pub(super) fn note(&mut self, id: CallId, call: Option<Arc<Call>>) {
        if self.read.len() >= READ {
            self.read.clear();
        }
        self.read.insert(id, call);
    }
}

/// Keeping things between runs.
#[derive(Clone, Debug, Default)]
pub struct Keeping {
    /// The file; none where there is no place for one.
    pub path: Option<PathBuf>,
    /// What was selected at the end of the last run, until it is found.
    pub(super) selected: Option<(PathBuf, u32)>,
    /// How many calls stand before that one on its line.
    pub(super) nth: u32,
    /// The tool that was chosen, until it is found.
    pub(super) tool: Option<String>,
    /// Attempts of the last run, until the calls that they are attempts at have been read.
    pub(super) attempts: Vec<Kept>,
    /// What was there when it was written last.
    pub(super) kept: Noticed,
    /// When that is to be done again.
    pub(super) due: Option<Duration>,
    /// It could not be done the last time.
    pub(super) failed: bool,
}

/// Numbers that are others when something that is worth keeping has been done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Noticed {
    /// A text has been written.
    pub drafts: u64,
    /// An attempt has been made.
    pub attempts: u64,
    /// Something has been noted about a call.
    pub notes: u64,
}

impl Keeping {
    /// Whether what is in no file is there again at the next start, as far as is known.
    #[must_use]
    pub fn works(&self) -> bool {
        self.path.is_some() && !self.failed
    }
}

/// The attempts at a call that are to be seen, the call itself first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Versions {
    /// Their ids, in the order of the list.
    pub ids: Vec<CallId>,
    /// Which one is selected.
    pub selected: usize,
}

impl State {
    /// The draft that is on the screen.
    #[must_use]
    pub fn draft(&self) -> Option<&Draft> {
        let id = self.look.call.as_ref()?.shown.id;
        self.edit.drafts.get(id).filter(|_| self.tab == Tab::Edit)
    }

    /// The same, to be changed.
    pub(in crate::tui) fn draft_mut(&mut self) -> Option<&mut Draft> {
        let id = self.look.call.as_ref()?.shown.id;
        self.edit.drafts.get_mut(id).filter(|_| self.tab == Tab::Edit)
    }

    /// Whether what is typed is written into a draft.
    #[must_use]
    pub fn is_writing(&self) -> bool {
        self.overlay.is_none() && self.focus == Pane::Detail && self.draft().is_some()
    }

    /// The selected call with everything that is an attempt at it.
    #[must_use]
    pub fn versions(&self) -> Versions {
        // Those that the filter hides too.
        let (calls, rows) = (&self.data.calls, &self.data.rows);
        let Some(id) = calls.selected() else { return Versions::default() };
        let Some(place) = rows.place(id) else { return Versions::default() };
        let ids = calls.family(place.root());
        let selected = ids.iter().position(|known| *known == id).unwrap_or(0);
        Versions { ids, selected }
    }

    /// The two that are compared: the original, or the one that was chosen, and the selected attempt, or the newest.
    #[must_use]
    pub fn pair(&self) -> Option<(CallId, CallId)> {
        let versions = self.versions();
        let [original, .., newest] = versions.ids.as_slice() else { return None };
        let after = if versions.selected == 0 { *newest } else { versions.ids[versions.selected] };
        let from = self.edit.compare.from.filter(|from| versions.ids.contains(from));
        let before = from.filter(|from| *from != after).unwrap_or(*original);
        let after = if before == after { *newest } else { after };
        Some(if self.edit.compare.swapped { (after, before) } else { (before, after) })
    }

    /// How an attempt is called: the original, its number, or its place among the others.
    #[must_use]
    pub fn version_name(&self, id: CallId) -> String {
        let versions = self.versions();
        match versions.ids.iter().position(|known| *known == id) {
            Some(0) => "original".to_owned(),
            Some(number) if id.file == UNSAVED => format!("attempt {number}, not saved"),
            Some(number) => format!("attempt {number}"),
            None => "another call".to_owned(),
        }
    }

    /// What is to be kept between runs.
    #[must_use]
    pub fn memory(&self) -> Memory {
        let selected =
            self.data.calls.selected().filter(|_| self.data.calls.chosen && self.loading == Loading::Done).and_then(|id| {
                let row = self.data.rows.get(id)?;
                // An attempt that is in no file is found at its call.
                let row = if id.file == UNSAVED { self.data.rows.get(row.parent?)? } else { row };
                Some((self.data.rows.path(row.id.file)?.to_path_buf(), row.line))
            });
        Memory {
            selected: selected.or_else(|| self.edit.keeping.selected.clone()),
            zoom: self.zoom,
            cut_lines: !self.reading.wrap,
            drafts: self.edit.drafts.to_keep(),
            attempts: self.attempts_to_keep(),
            view: self.view_to_keep(),
            recall: self.recall.to_keep(),
        }
    }

    /// Goes on from what was kept.
    pub fn remember(&mut self, memory: Memory) {
        self.zoom = memory.zoom;
        self.reading.wrap = !memory.cut_lines;
        self.edit.keeping.selected = memory.selected;
        self.edit.drafts.wait_for(memory.drafts);
        self.edit.keeping.attempts = memory.attempts;
        self.remember_view(memory.view);
        self.recall.take_back(memory.recall);
        self.edit.keeping.kept = self.noticed();
    }
}
