//! The calls of a file, as far as they must be known again.

use super::identity;
use crate::capture::{self, Call};
use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};

/// A call, known again by what it says and where it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    /// Of tool, arguments, id, time and session; the lowest two bits say whether there is an id, and a time.
    hash: u64,
    offset: u64,
}

const HAS_ID: u64 = 1;
const HAS_TIME: u64 = 2;

impl Mark {
    pub fn of(call: &Call) -> Self {
        use std::hash::{DefaultHasher, Hash as _, Hasher as _};
        let mut hasher = DefaultHasher::new();
        capture::identity(call).hash(&mut hasher);
        call.at.hash(&mut hasher);
        let flags = u64::from(call.id.is_some()) * HAS_ID + u64::from(call.at.is_some()) * HAS_TIME;
        Self { hash: hasher.finish() & !(HAS_ID | HAS_TIME) | flags, offset: call.place.offset }
    }

    fn has_id(self) -> bool {
        self.hash & HAS_ID != 0
    }

    /// A number that tells the call from every other one, whatever file it stands in.
    pub fn unique(self) -> Option<u64> {
        (self.hash & (HAS_ID | HAS_TIME) == HAS_ID | HAS_TIME).then_some(self.hash)
    }
}

/// The calls that a file holds, in order.
pub(super) struct Lineage {
    path: PathBuf,
    identity: Option<(u64, u64)>,
    marks: Vec<Mark>,
    /// What the file was before, or is a copy of.
    pub twin: Option<Twin>,
    /// The file that it is a copy of, as long as it is no more than that.
    pub copy_of: Option<u32>,
    /// Calls that a copy of this file was the first to show.
    pub ahead: VecDeque<Mark>,
}

impl Lineage {
    pub fn new(path: &Path) -> Self {
        let identity = identity(path);
        Self { path: path.to_owned(), identity, marks: Vec::new(), twin: None, copy_of: None, ahead: VecDeque::new() }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    pub fn first(&self) -> Option<&Mark> {
        self.marks.first()
    }

    pub fn is_same_file(&self, other: &Self) -> bool {
        self.identity.is_some() && self.identity == other.identity
    }

    pub fn push(&mut self, mark: Mark) {
        self.marks.push(mark);
    }

    /// Whether the next call of the file is one that was there before.
    pub fn knows(&mut self, mark: &Mark) -> bool {
        if self.ahead.front().is_some_and(|ahead| ahead == mark) {
            self.ahead.pop_front();
            return true;
        }
        self.ahead.clear();
        let Some(twin) = &mut self.twin else { return false };
        self.copy_of = twin.live;
        twin.holds(self.marks.len(), mark)
    }
}

/// What a file was before: its calls come again, at the same places, perhaps followed by new ones.
pub(super) struct Twin {
    marks: Vec<Mark>,
    named: HashSet<u64>,
    /// The same path: offsets may have changed, and a call with an id is the same wherever it stands.
    rewritten: bool,
    /// All calls so far were the same.
    unbroken: bool,
    live: Option<u32>,
}

impl Twin {
    /// A file that was cut, or written anew in place. Where it was read in the middle of that, what it was before counts.
    pub fn rewritten(old: &Lineage) -> Self {
        let before = old.twin.as_ref().filter(|twin| twin.rewritten && twin.unbroken && twin.marks.len() > old.marks.len());
        let marks = before.map_or(&old.marks, |twin| &twin.marks);
        Self { rewritten: true, ..Self::of(marks) }
    }

    /// A file that has another name now.
    pub fn moved(old: &Lineage) -> Self {
        Self::of(&old.marks)
    }

    /// A copy of a file that is still there.
    pub fn copied(other: &Lineage, number: u32) -> Self {
        Self { live: Some(number), ..Self::of(&other.marks) }
    }

    fn of(marks: &[Mark]) -> Self {
        let named = marks.iter().filter(|mark| mark.has_id()).map(|mark| mark.hash).collect();
        Self { marks: marks.to_vec(), named, rewritten: false, unbroken: true, live: None }
    }

    pub fn begins_with(&self, mark: &Mark) -> bool {
        self.marks.first().is_some_and(|first| first.hash == mark.hash)
    }

    fn holds(&mut self, position: usize, mark: &Mark) -> bool {
        let same = |known: &Mark| if self.rewritten { known.hash == mark.hash } else { known == mark };
        match self.marks.get(position) {
            Some(known) if self.unbroken && same(known) => return true,
            Some(_) => {
                self.unbroken = false;
                self.live = None;
            }
            None => {}
        }
        mark.has_id() && self.named.contains(&mark.hash)
    }
}

/// Whether a name looks like what log rotation makes of another: `a.jsonl.1`, `a-2026-05-01.jsonl`, `a.1.jsonl`.
pub(super) fn is_rotated_name(old: &Path, new: &Path) -> bool {
    let (Some(old_name), Some(new_name)) = (old.file_name(), new.file_name()) else { return false };
    let (old_name, new_name) = (old_name.to_string_lossy(), new_name.to_string_lossy());
    let stem = old_name.split('.').next().unwrap_or_default();
    let rest = new_name.strip_prefix(stem);
    old.parent() == new.parent() && !stem.is_empty() && rest.is_some_and(|rest| rest.starts_with(['.', '-', '_']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_rotated_files() {
        for (old, new, related) in [
            ("s/a.jsonl", "s/a.jsonl.1", true),
            ("s/a.jsonl", "s/a-2026-05-01.jsonl", true),
            ("s/a.jsonl.1", "s/a.jsonl.2", true),
            ("s/a.jsonl", "s/a.jsonl", true),
            ("s/a1.jsonl", "s/a10.jsonl", false),
            ("s/a.jsonl", "t/a.jsonl.1", false),
            ("s/a.jsonl", "s/b.jsonl", false),
        ] {
            assert_eq!(is_rotated_name(Path::new(old), Path::new(new)), related, "{old} {new}");
        }
    }
}
