//! Handing over what many threads found, in order, each call once.

use super::SweepSink;
use super::unit::{Arguments, Found};
use crate::capture::hash;
use crate::capture::ledger::Plain;
use crate::json::Tree;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How many units may wait for a slower one before them.
const AHEAD: usize = 32;

/// Where threads bring what they found. One of them at a time hands it over.
pub(super) struct Order<'s, K, S> {
    state: Mutex<State<K>>,
    turn: Condvar,
    out: Mutex<Out<'s, S>>,
}

struct State<K> {
    /// The number of the piece of work that is next in order.
    next: usize,
    waiting: BTreeMap<usize, Found<K>>,
    handing_over: bool,
    stopped: bool,
}

/// The sink, and the books of the file that is being handed over.
struct Out<'s, S> {
    sink: &'s mut S,
    lines: u32,
    /// By the id's hash, the arguments of the first call with it.
    ids: HashMap<u64, Arguments, Plain>,
    /// Hashes of ids and arguments, of ids that came more than once.
    repeated: HashSet<u64, Plain>,
    scratch: Tree,
}

impl<'s, K, S: SweepSink<K>> Order<'s, K, S> {
    pub fn new(sink: &'s mut S) -> Self {
        let out = Out { sink, lines: 0, ids: HashMap::default(), repeated: HashSet::default(), scratch: Tree::default() };
        let state = State { next: 0, waiting: BTreeMap::new(), handing_over: false, stopped: false };
        Self { state: Mutex::new(state), turn: Condvar::new(), out: Mutex::new(out) }
    }

    /// A thread that panicked took its own result with it; the others go on.
    fn state(&self) -> MutexGuard<'_, State<K>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the sweep for threads that wait.
    pub fn stop(&self) {
        self.state().stopped = true;
        self.turn.notify_all();
    }

    /// Brings what was found in a unit. Waits where the unit is too far ahead.
    pub fn hand_over(&self, number: usize, found: Found<K>) -> ControlFlow<()> {
        let mut state = self.wait(|state| number <= state.next + AHEAD)?;
        state.waiting.insert(number, found);
        self.advance(state)
    }

    /// Lets somebody use the sink when it is their turn.
    pub fn whole(&self, number: usize, work: impl FnOnce(&mut S) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut state = self.wait(|state| number == state.next && !state.handing_over)?;
        state.handing_over = true;
        drop(state);
        let flow = work(self.out.lock().unwrap_or_else(PoisonError::into_inner).sink);
        let mut state = self.state();
        state.handing_over = false;
        state.next += 1;
        flow?;
        self.turn.notify_all();
        self.advance(state)
    }

    fn wait(&self, ready: impl Fn(&State<K>) -> bool) -> ControlFlow<(), MutexGuard<'_, State<K>>> {
        let mut state = self.state();
        while !state.stopped && !ready(&state) {
            state = self.turn.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(state) }
    }

    /// Hands over what is next in order, unless somebody else does.
    fn advance<'a>(&'a self, mut state: MutexGuard<'a, State<K>>) -> ControlFlow<()> {
        while !state.handing_over
            && let next = state.next
            && let Some(found) = state.waiting.remove(&next)
        {
            state.handing_over = true;
            drop(state);
            let flow = self.out.lock().unwrap_or_else(PoisonError::into_inner).hand_over(found);
            state = self.state();
            state.handing_over = false;
            state.next += 1;
            flow?;
            self.turn.notify_all();
        }
        ControlFlow::Continue(())
    }
}

impl<S> Out<'_, S> {
    fn hand_over<K>(&mut self, found: Found<K>) -> ControlFlow<()>
    where
        S: SweepSink<K>,
    {
        if found.first {
            self.sink.file();
            self.lines = 0;
            self.ids.clear();
            self.repeated.clear();
        }
        for call in found.calls {
            if call.id.is_some_and(|id| self.is_repeat(id, call.arguments, found.file.as_deref())) {
                continue;
            }
            self.sink.call(call.kept, self.lines + call.line + 1)?;
        }
        for mut problem in found.problems {
            problem.line = problem.line.map(|line| line.saturating_add(self.lines).saturating_add(1));
            self.sink.problem(problem);
        }
        self.lines = self.lines.saturating_add(found.lines);
        self.sink.progress(found.bytes)
    }

    /// Whether a call with the same id and the same arguments was there before.
    fn is_repeat(&mut self, id: u64, arguments: Arguments, file: Option<&std::fs::File>) -> bool {
        let mut first = match self.ids.entry(id) {
            Entry::Vacant(place) => {
                place.insert(arguments);
                return false;
            }
            Entry::Occupied(place) => place,
        };
        let known = first.get().hash(file, &mut self.scratch);
        first.insert(Arguments::Hashed(known));
        self.repeated.insert(hash::mix(id, known));
        let new = arguments.hash(file, &mut self.scratch);
        !self.repeated.insert(hash::mix(id, new))
    }
}
