//! What a person notes about calls: marks and comments. They are kept by where the calls stand, so that they are found again
//! when a file is read anew, and in the next run.

use super::rows::{Rows, Spot};
use crate::capture::index::CallId;
use std::collections::BTreeMap;

/// What is noted about a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// It is marked.
    pub marked: bool,
    /// A comment; empty where there is none.
    pub comment: String,
}

/// A note whose call is not there: it has not been read yet, or its file has changed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeptNote {
    /// Where the call stood.
    pub spot: Spot,
    /// The tool's name: a call of another tool is another call.
    pub tool: String,
    /// It is marked.
    pub marked: bool,
    /// The comment.
    pub comment: String,
}

/// Notes whose calls are not there are kept up to so many.
const WAITING: usize = 10_000;

/// All notes.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    by_call: BTreeMap<CallId, Note>,
    waiting: Vec<KeptNote>,
    revision: u64,
    written: u64,
}

impl Notes {
    /// What is noted about a call.
    #[must_use]
    pub fn get(&self, id: CallId) -> Option<&Note> {
        self.by_call.get(&id)
    }

    /// Whether a call is marked.
    #[must_use]
    pub fn is_marked(&self, id: CallId) -> bool {
        self.get(id).is_some_and(|note| note.marked)
    }

    /// The comment on a call.
    #[must_use]
    pub fn comment(&self, id: CallId) -> Option<&str> {
        self.get(id).map(|note| note.comment.as_str()).filter(|comment| !comment.is_empty())
    }

    /// How many calls are marked.
    #[must_use]
    pub fn marked(&self) -> usize {
        self.by_call.values().filter(|note| note.marked).count()
    }

    /// Whether nothing is noted about any call that is there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_call.is_empty()
    }

    /// Every note with its call.
    pub fn iter(&self) -> impl Iterator<Item = (CallId, &Note)> {
        self.by_call.iter().map(|(id, note)| (*id, note))
    }

    /// A number that is another one when anything has been noted.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// A number that is another one when a person has noted something; finding a note's call again is not that.
    #[must_use]
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Marks a call, or takes the mark away; gives whether it is marked now.
    pub fn toggle_mark(&mut self, id: CallId) -> bool {
        let note = self.by_call.entry(id).or_default();
        note.marked = !note.marked;
        let marked = note.marked;
        self.changed();
        marked
    }

    /// Takes all marks away, also those of calls that are not there.
    pub fn clear_marks(&mut self) {
        self.by_call.values_mut().for_each(|note| note.marked = false);
        self.waiting.iter_mut().for_each(|note| note.marked = false);
        self.waiting.retain(|note| !note.comment.is_empty());
        self.changed();
    }

    /// Writes a comment on a call; an empty one takes it away.
    pub fn set_comment(&mut self, id: CallId, comment: &str) {
        comment.trim().clone_into(&mut self.by_call.entry(id).or_default().comment);
        self.changed();
    }

    fn changed(&mut self) {
        self.by_call.retain(|_, note| *note != Note::default());
        self.revision += 1;
        self.written += 1;
    }

    /// Forgets what is noted about a call, which is no more.
    pub fn forget(&mut self, id: CallId) {
        if self.by_call.remove(&id).is_some() {
            self.revision += 1;
        }
    }

    /// A call goes by another id now.
    pub fn rename(&mut self, rename: impl Fn(CallId) -> CallId) {
        let notes = std::mem::take(&mut self.by_call);
        self.by_call = notes.into_iter().map(|(id, note)| (rename(id), note)).collect();
        self.revision += 1;
    }

    /// Puts the notes on calls by that are about to go.
    pub(super) fn put_by(&mut self, file: u32, from: u32, rows: &Rows) {
        let gone = |id: &CallId| id.file == file && id.call >= from;
        let ids: Vec<CallId> = self.by_call.keys().copied().filter(gone).collect();
        for id in ids {
            let note = self.by_call.remove(&id);
            self.waiting.extend(note.and_then(|note| kept(id, &note, rows)));
            self.revision += 1;
        }
        let more = self.waiting.len().saturating_sub(WAITING);
        self.waiting.drain(..more);
    }

    /// Finds the calls of notes that wait for them, among calls of a file that are new.
    pub(super) fn find(&mut self, ids: &[CallId], rows: &Rows) {
        let Some(path) = ids.first().and_then(|id| rows.path(id.file)) else { return };
        if !self.waiting.iter().any(|note| note.spot.file == *path) {
            return;
        }
        for id in ids {
            let Some((tool, spot)) = rows.tool(*id).zip(rows.spot(*id)) else { continue };
            if let Some(at) = self.waiting.iter().position(|note| note.spot == spot && *note.tool == **tool) {
                let note = self.waiting.swap_remove(at);
                self.by_call.insert(*id, Note { marked: note.marked, comment: note.comment });
                self.revision += 1;
            }
        }
    }

    /// What is to be kept between runs, in order. What is in no file is not.
    #[must_use]
    pub fn to_keep(&self, rows: &Rows) -> Vec<KeptNote> {
        let here = self.by_call.iter().filter_map(|(id, note)| kept(*id, note, rows));
        let mut all: Vec<KeptNote> = self.waiting.iter().cloned().chain(here).collect();
        all.retain(|note| !note.spot.file.as_os_str().is_empty());
        all.sort_unstable();
        all
    }

    /// Notes of an earlier run.
    pub fn wait_for(&mut self, notes: Vec<KeptNote>) {
        self.waiting = notes;
        self.waiting.truncate(WAITING);
        self.revision += 1;
    }
}

fn kept(id: CallId, note: &Note, rows: &Rows) -> Option<KeptNote> {
    let (tool, spot) = rows.tool(id).zip(rows.spot(id))?;
    Some(KeptNote { spot, tool: tool.to_string(), marked: note.marked, comment: note.comment.clone() })
}
