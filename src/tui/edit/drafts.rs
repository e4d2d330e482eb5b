//! The texts that are being written, by the call that they are for.

use super::draft::{Draft, Origin};
use crate::capture::index::CallId;
use crate::tui::job::Shown;

/// Drafts that are kept open, with all that can be undone in them.
const OPEN: usize = 32;
/// Drafts that wait for their call to be there again.
const WAITING: usize = 500;

/// Drafts, the one used last at the end.
#[derive(Clone, Debug, Default)]
pub struct Drafts {
    open: Vec<(CallId, Draft)>,
    waiting: Vec<Waiting>,
}

/// A text whose call is not there: it has not been read yet, or its file has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The call.
    pub origin: Origin,
    /// The text.
    pub text: String,
    /// Where the cursor was.
    pub cursor: usize,
}

impl Drafts {
    /// The draft of a call, if there is one.
    #[must_use]
    pub fn get(&self, id: CallId) -> Option<&Draft> {
        self.open.iter().find(|(known, _)| *known == id).map(|(_, draft)| draft)
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, id: CallId) -> Option<&mut Draft> {
        self.open.iter_mut().find(|(known, _)| *known == id).map(|(_, draft)| draft)
    }

    /// Every draft that is open.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (CallId, &mut Draft)> {
        self.open.iter_mut().map(|(id, draft)| (*id, draft))
    }

    /// The draft of a call; made, or taken up again, if it is not open.
    pub fn open(&mut self, shown: &Shown) -> &mut Draft {
        let at = self.open.iter().position(|(id, _)| *id == shown.id);
        let entry = match at {
            Some(at) => self.open.remove(at),
            None => (shown.id, self.begin(shown)),
        };
        while self.open.len() >= OPEN {
            let least = self.open.iter().position(|(_, draft)| !draft.is_edited()).unwrap_or(0);
            let (_, draft) = self.open.remove(least);
            self.put_by(&draft);
        }
        self.open.push(entry);
        let last = self.open.len() - 1;
        &mut self.open[last].1
    }

    fn begin(&mut self, shown: &Shown) -> Draft {
        let mut draft = Draft::new(&shown.call, shown.definition.clone());
        if let Some(at) = self.waiting.iter().position(|waiting| waiting.origin.is(&draft.origin)) {
            let waiting = self.waiting.remove(at);
            draft.buffer.set_text(&waiting.text, Some(waiting.cursor));
        }
        draft
    }

    /// Whether something was written for this call.
    #[must_use]
    pub fn is_edited(&self, id: CallId) -> bool {
        self.get(id).is_some_and(Draft::is_edited)
    }

    /// How many texts have been written and not been replayed.
    #[must_use]
    pub fn edited(&self) -> usize {
        self.open.iter().filter(|(_, draft)| draft.is_edited()).count() + self.waiting.len()
    }

    /// The calls of a file from a number on are other ones now: what was written for them waits until they are found again.
    pub fn forget(&mut self, file: u32, from: u32) {
        let gone = |id: &CallId| id.file == file && id.call >= from;
        let (gone, open) = std::mem::take(&mut self.open).into_iter().partition(|(id, _)| gone(id));
        self.open = open;
        let gone: Vec<(CallId, Draft)> = gone;
        for (_, draft) in &gone {
            self.put_by(draft);
        }
    }

    /// A call goes by another id now.
    pub fn rename(&mut self, rename: impl Fn(CallId) -> CallId) {
        for (id, _) in &mut self.open {
            *id = rename(*id);
        }
    }

    /// Nothing is written for this call any more.
    pub fn close(&mut self, id: CallId) {
        self.open.retain(|(known, _)| *known != id);
    }

    /// What is to be kept between runs.
    #[must_use]
    pub fn to_keep(&self) -> Vec<Waiting> {
        let open = self.open.iter().filter(|(_, draft)| draft.is_edited()).map(|(_, draft)| waiting(draft));
        self.waiting.iter().cloned().chain(open).collect()
    }

    /// Calls with a text that was edited and not replayed.
    pub fn edited_calls(&self) -> impl Iterator<Item = CallId> + '_ {
        self.open.iter().filter(|(_, draft)| draft.is_edited()).map(|(id, _)| *id)
    }

    /// Texts from an earlier run.
    pub fn wait_for(&mut self, waiting: Vec<Waiting>) {
        self.waiting = waiting;
        let more = self.waiting.len().saturating_sub(WAITING);
        self.waiting.drain(..more);
    }

    /// A number that is another one when anything has been written.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.open.iter().fold(self.waiting.len() as u64, |sum, (_, draft)| sum.wrapping_add(draft.buffer.revision()))
    }

    fn put_by(&mut self, draft: &Draft) {
        if draft.is_edited() {
            self.waiting.push(waiting(draft));
            let more = self.waiting.len().saturating_sub(WAITING);
            self.waiting.drain(..more);
        }
    }
}

fn waiting(draft: &Draft) -> Waiting {
    Waiting { origin: draft.origin.clone(), text: draft.buffer.text().to_owned(), cursor: draft.buffer.cursor() }
}
