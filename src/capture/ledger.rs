//! Which calls of a file are repeats, and which result belongs to which call. The rules are the same for every format:
//!
//! - The same id with the same arguments is one call, at its first place. Without an id every call counts.
//! - A result belongs to the latest earlier call with its id that has none yet. Without an id it belongs to the first call of
//!   its tool in the same conversation that has none yet.

use super::event::CallEvent;
use super::hash;
use crate::json::Tree;
use std::collections::hash_map::Entry as MapEntry;
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};

/// The books of one file. Calls are known by their numbers, in order of their first places.
#[derive(Default)]
pub(crate) struct Ledger {
    /// Hashes of id and arguments of every call with an id: 8 bytes a call.
    seen: HashSet<u64, Plain>,
    /// By id: the calls without a result, the latest last.
    open: HashMap<u64, Open, Plain>,
    /// By tool: calls of this conversation that have neither an id nor a result, the earliest first.
    unnamed: HashMap<u64, VecDeque<u32>, Plain>,
    /// Calls without ids in exchanges that each repeat the conversation so far.
    exchanges: Option<Exchanges>,
    /// Which connection ids belong to.
    connection: u64,
    calls: u32,
    /// Whether results are paired at all; without, only `seen` grows.
    pairs_results: bool,
    scratch: Tree,
}

/// Calls with the same id that have no result. Nearly always there is one or none.
enum Open {
    None,
    One(u32),
    Many(Vec<u32>),
}

/// By tool and arguments: the calls without ids, and how many of them this exchange has named so far.
#[derive(Default)]
struct Exchanges {
    known: HashMap<u64, Vec<u32>, Plain>,
    here: HashMap<u64, usize, Plain>,
    answered: HashSet<u32>,
}

/// What became of a result.
pub(crate) enum Paired {
    /// It belongs to the call of this number.
    Call(u32),
    /// Every call with its id has one already.
    Repeat,
    /// No earlier call has its id.
    Orphan,
}

/// A call's number, if it is new, and its hash.
pub(crate) struct Entered {
    pub number: Option<u32>,
    /// Of id and arguments; has the bit [`NAMED`] if there is an id.
    pub hash: u64,
}

/// The bit of a call's hash that says that it has an id, and so can be repeated.
const NAMED: u64 = 1;

impl Ledger {
    pub(crate) fn new(pairs_results: bool) -> Self {
        Self { pairs_results, ..Self::default() }
    }

    /// Books of a file whose first calls are known already, by the hashes that [`Ledger::enter`] gave them. Of those that
    /// have a result the ids are not known any more, so that a repeat of the result counts as an orphan.
    pub(crate) fn resumed(hashes: impl Iterator<Item = u64>) -> Self {
        let mut ledger = Self::new(true);
        for hash in hashes {
            ledger.calls += 1;
            if hash & NAMED == NAMED {
                ledger.seen.insert(hash);
            }
        }
        ledger
    }

    /// Takes up a call again that has no result yet; see [`Ledger::resumed`].
    pub(crate) fn reopen(&mut self, id: &str, number: u32) {
        self.open_call(self.id_hash(id), number);
    }

    fn id_hash(&self, id: &str) -> u64 {
        hash::bytes(self.connection, id.as_bytes())
    }

    /// Enters a call.
    pub(crate) fn enter(&mut self, call: &CallEvent<'_>) -> Entered {
        let id = call.id.as_ref().map(|id| self.id_hash(id));
        let arguments = call.arguments.hash(&mut self.scratch);
        let hash = match id {
            Some(id) => hash::mix(id, arguments) | NAMED,
            None => hash::mix(hash::bytes(1, call.tool.as_bytes()), arguments) & !NAMED,
        };
        let is_repeat = if id.is_some() { !self.seen.insert(hash) } else { self.is_known(hash, call) };
        if is_repeat {
            return Entered { number: None, hash };
        }
        let number = self.calls;
        self.calls += 1;
        if self.pairs_results && call.result.is_none() {
            match id {
                Some(id) => self.open_call(id, number),
                None => self.unnamed.entry(hash::bytes(0, call.tool.as_bytes())).or_default().push_back(number),
            }
        } else if self.pairs_results
            && let Some(id) = id
        {
            self.open.entry(id).or_insert(Open::None);
        }
        Entered { number: Some(number), hash }
    }

    /// Whether a call without an id has been in an earlier exchange as often as in this one; else it is a new one.
    fn is_known(&mut self, hash: u64, call: &CallEvent<'_>) -> bool {
        let Some(exchanges) = &mut self.exchanges else { return false };
        let place = exchanges.here.entry(hash).or_default();
        let known = exchanges.known.entry(hash).or_default();
        *place += 1;
        if let Some(number) = known.get(*place - 1) {
            // Its result may stand only here.
            if call.result.is_none() && !exchanges.answered.contains(number) {
                self.unnamed.entry(hash::bytes(0, call.tool.as_bytes())).or_default().push_back(*number);
            }
            return true;
        }
        known.push(self.calls);
        false
    }

    fn open_call(&mut self, id: u64, number: u32) {
        match self.open.entry(id) {
            MapEntry::Vacant(entry) => {
                entry.insert(Open::One(number));
            }
            MapEntry::Occupied(mut entry) => {
                let open = entry.get_mut();
                match open {
                    Open::None => *open = Open::One(number),
                    Open::One(first) => *open = Open::Many(vec![*first, number]),
                    Open::Many(all) => all.push(number),
                }
            }
        }
    }

    /// Finds the call that a result belongs to.
    pub(crate) fn pair(&mut self, id: Option<&str>, tool: Option<&str>) -> Paired {
        let Some(id) = id else {
            let calls = tool.and_then(|tool| self.unnamed.get_mut(&hash::bytes(0, tool.as_bytes())));
            let Some(number) = calls.and_then(VecDeque::pop_front) else { return Paired::Orphan };
            if let Some(exchanges) = &mut self.exchanges {
                exchanges.answered.insert(number);
            }
            return Paired::Call(number);
        };
        let id = self.id_hash(id);
        let Some(open) = self.open.get_mut(&id) else {
            return Paired::Orphan;
        };
        let number = match open {
            Open::None => None,
            Open::One(number) => Some(*number),
            Open::Many(all) => all.pop(),
        };
        if matches!(open, Open::One(_)) {
            *open = Open::None;
        }
        number.map_or(Paired::Repeat, Paired::Call)
    }

    /// Another conversation begins: calls without ids that are still open stay without a result.
    pub(crate) fn conversation(&mut self) {
        self.unnamed.clear();
    }

    /// Another exchange begins, which repeats the conversation so far.
    pub(crate) fn exchange(&mut self) {
        self.conversation();
        self.exchanges.get_or_insert_default().here.clear();
    }

    /// Another connection begins, in which ids are given out anew.
    pub(crate) fn connect(&mut self) {
        self.connection = hash::mix(self.connection, 1);
    }
}

/// The keys are hashes already.
#[derive(Default)]
pub(crate) struct PlainHasher(u64);

/// For maps whose keys are hashes already.
pub(crate) type Plain = BuildHasherDefault<PlainHasher>;

impl Hasher for PlainHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash::bytes(self.0, bytes);
    }

    fn write_u64(&mut self, n: u64) {
        self.0 = n;
    }
}
