//! Many calls, as a bit each.

use super::by_file::ByFile;
use crate::capture::index::CallId;

/// A set of calls.
#[derive(Clone, Debug, Default)]
pub struct CallSet {
    files: ByFile<Vec<u64>>,
    has_some: bool,
}

const BITS: u32 = u64::BITS;

impl CallSet {
    /// Whether no call is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.has_some
    }

    /// Whether a call is in it.
    #[must_use]
    pub fn contains(&self, id: CallId) -> bool {
        let word = self.files.get(id.file).and_then(|words| words.get((id.call / BITS) as usize));
        word.is_some_and(|word| word >> (id.call % BITS) & 1 == 1)
    }

    /// The calls that are in one of the two and not in the other.
    pub fn differing(&self, other: &Self) -> impl Iterator<Item = CallId> {
        let here = self.ids().filter(|id| !other.contains(*id));
        here.chain(other.ids().filter(|id| !self.contains(*id)))
    }

    fn ids(&self) -> impl Iterator<Item = CallId> {
        self.files.iter().flat_map(|(file, words)| {
            (0..).zip(words).flat_map(move |(n, word)| {
                let bits = (0..BITS).filter(move |bit| word >> bit & 1 == 1);
                bits.map(move |bit| CallId { file, call: n * BITS + bit })
            })
        })
    }
}

impl FromIterator<CallId> for CallSet {
    fn from_iter<I: IntoIterator<Item = CallId>>(ids: I) -> Self {
        let mut set = Self::default();
        for id in ids {
            let words = set.files.entry(id.file, Vec::new);
            let at = (id.call / BITS) as usize;
            if words.len() <= at {
                words.resize(at + 1, 0);
            }
            words[at] |= 1 << (id.call % BITS);
            set.has_some = true;
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::edit::attempts::UNSAVED;
    use std::collections::HashSet;

    #[test]
    fn a_set_holds_what_was_put_in() {
        let id = |file, call| CallId { file, call };
        let (a, b) = ([id(0, 0), id(0, 63), id(0, 64), id(7, 1_000), id(UNSAVED, 2)], [id(0, 63), id(3, 5)]);
        let (first, second): (CallSet, CallSet) = (a.into_iter().collect(), b.into_iter().collect());
        assert!(a.iter().all(|id| first.contains(*id)) && !first.contains(id(0, 1)) && !first.contains(id(7, 1_064)));
        assert!(!first.is_empty() && CallSet::default().is_empty());
        let differing: HashSet<CallId> = first.differing(&second).collect();
        let (a, b) = (HashSet::from(a), HashSet::from(b));
        assert_eq!(differing, a.symmetric_difference(&b).copied().collect());
    }
}
