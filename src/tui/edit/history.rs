//! What has been done to a text, and how to take it back.

use std::collections::VecDeque;

/// Steps that are kept.
const STEPS: usize = 10_000;
/// Bytes that they may hold together.
const BYTES: usize = 32 << 20;

/// One replacement of a part of a text by another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where, in bytes.
    pub at: usize,
    /// What stood there.
    pub removed: String,
    /// What stands there now.
    pub inserted: String,
    /// The cursor before.
    pub before: usize,
    /// The cursor after.
    pub after: usize,
}

/// How a change came about, which decides whether the next one belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A character was typed: what is typed right after it, up to the end of the word, is one step with it.
    Typed,
    /// A character was deleted before the cursor: so are those before it.
    Erased,
    /// Anything else: a step of its own.
    Whole,
}

/// Steps that can be undone, and those that have been.
#[derive(Clone, Debug, Default)]
pub struct History {
    done: VecDeque<Change>,
    undone: Vec<Change>,
    bytes: usize,
    /// What the last step can be joined by.
    open: Option<Kind>,
}

impl History {
    /// Notes a change that has been made. What had been undone cannot be done again after it.
    pub fn push(&mut self, change: Change, kind: Kind) {
        self.undone.clear();
        self.bytes += size(&change);
        let joined = self.open == Some(kind) && self.done.back_mut().is_some_and(|last| join(last, &change, kind));
        if !joined {
            self.done.push_back(change);
        }
        self.open = (kind != Kind::Whole).then_some(kind);
        while self.done.len() > STEPS || (self.bytes > BYTES && self.done.len() > 1) {
            let oldest = self.done.pop_front();
            self.bytes -= oldest.map_or(0, |change| size(&change)).min(self.bytes);
        }
    }

    /// The next change is a step of its own.
    pub fn close(&mut self) {
        self.open = None;
    }

    /// The last change left the cursor here.
    pub fn land(&mut self, cursor: usize) {
        if let Some(last) = self.done.back_mut() {
            last.after = cursor;
        }
    }

    /// The change to take back.
    pub fn undo(&mut self) -> Option<Change> {
        self.open = None;
        let change = self.done.pop_back()?;
        self.undone.push(change.clone());
        Some(change)
    }

    /// The change to make again.
    pub fn redo(&mut self) -> Option<Change> {
        self.open = None;
        let change = self.undone.pop()?;
        self.done.push_back(change.clone());
        Some(change)
    }
}

fn size(change: &Change) -> usize {
    change.removed.len() + change.inserted.len()
}

/// Makes two changes one, if they go on from each other.
fn join(last: &mut Change, next: &Change, kind: Kind) -> bool {
    match kind {
        Kind::Typed => {
            let adjoins = last.at + last.inserted.len() == next.at && next.removed.is_empty();
            let starts_a_word = !next.inserted.starts_with(char::is_whitespace) && last.inserted.ends_with(char::is_whitespace);
            if !adjoins || starts_a_word || next.inserted.contains('\n') {
                return false;
            }
            last.inserted.push_str(&next.inserted);
        }
        Kind::Erased => {
            if next.at + next.removed.len() != last.at || !last.inserted.is_empty() || !next.inserted.is_empty() {
                return false;
            }
            last.removed.insert_str(0, &next.removed);
            last.at = next.at;
        }
        Kind::Whole => return false,
    }
    last.after = next.after;
    true
}
