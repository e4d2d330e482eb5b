//! Finding calls among many, and putting them in order: what takes too long while a key is waited for.

use super::{Desk, Output};
use crate::capture::index::CallId;
use crate::replay::LabelReader;
use crate::replay::filter::Sort;
use crate::tui::runtime::jobs::JobContext;
use crate::tui::state::{Answer, Answers, Query, Rows, arranged, rank};
use std::time::{Duration, Instant};

/// One job.
#[derive(Debug)]
pub enum FindJob {
    /// Decide which calls pass, by their rows.
    Decide {
        /// What is asked.
        query: Query,
        /// The calls.
        rows: Rows,
    },
    /// Decide for calls whose rows do not say, by reading them. For a while; the rest is another job.
    Read {
        /// Where they are read.
        desk: Desk,
        /// What is asked.
        query: Query,
        /// What rows say of them.
        rows: Rows,
        /// Which.
        ids: Vec<CallId>,
    },
    /// Find calls by letters of what their rows show.
    Fuzzy {
        /// What was typed.
        typed: String,
        /// The calls.
        rows: Rows,
    },
    /// Put all calls in order.
    Sort {
        /// The order.
        sort: Sort,
        /// The calls.
        rows: Rows,
        /// How often calls had gone or changed their places.
        revision: u64,
    },
}

/// What came of it.
#[derive(Debug)]
pub enum Found {
    /// What rows say of all calls.
    Decided {
        /// The answers of all rows.
        answers: Answers,
        /// Calls whose rows do not say, in the order in which they are to be read.
        unknown: Vec<CallId>,
    },
    /// Those of calls that have been read, and those that are left.
    Read {
        /// Whether each passes.
        read: Vec<(CallId, bool)>,
        /// To be read yet.
        left: Vec<CallId>,
    },
    /// Calls found by letters.
    Fuzzy {
        /// What was typed.
        typed: String,
        /// The best of those that match, and how many do.
        found: (Vec<CallId>, usize),
    },
    /// All calls in order.
    Sorted {
        /// The order.
        order: Vec<CallId>,
        /// As it was given.
        revision: u64,
    },
}

/// How long calls are read before others have their turn.
const TURN: Duration = Duration::from_millis(30);
/// Rows between two looks at whether anybody still wants to know.
const STEP: usize = 4096;

impl FindJob {
    /// Does it.
    pub fn run(&self, job: &JobContext<Output>) {
        let found = match self {
            Self::Decide { query, rows } => decide(query, rows, || job.is_cancelled()),
            Self::Read { desk, query, rows, ids } => Some(read(desk, query, rows, ids, || job.is_cancelled())),
            Self::Fuzzy { typed, rows } => {
                rank(typed, rows, || job.is_cancelled()).map(|found| Found::Fuzzy { typed: typed.clone(), found })
            }
            Self::Sort { sort, rows, revision } => Some(Found::Sorted { order: arranged(rows, sort), revision: *revision }),
        };
        if let Some(found) = found {
            job.output(Output::Found(found));
        }
    }
}

/// What rows say of all calls; nothing if nobody wants to know any more.
#[must_use]
pub fn decide(query: &Query, rows: &Rows, is_cancelled: impl Fn() -> bool) -> Option<Found> {
    let (mut answers, mut unknown, mut reader) = (Answers::default(), Vec::new(), LabelReader::default());
    for (file, calls) in rows.files() {
        let mut of_file: Vec<Answer> = Vec::with_capacity(calls);
        for call in 0..u32::try_from(calls).unwrap_or(u32::MAX) {
            if of_file.len().is_multiple_of(STEP) && is_cancelled() {
                return None;
            }
            let id = CallId { file, call };
            let answer = query.decide_reading(rows, id, &mut reader);
            of_file.push(answer);
            unknown.extend((answer == Answer::Unknown).then_some(id));
        }
        answers.insert(file, of_file);
    }
    unknown.sort_unstable_by(|a, b| b.cmp(a));
    Some(Found::Decided { answers, unknown })
}

fn read(desk: &Desk, query: &Query, rows: &Rows, ids: &[CallId], is_cancelled: impl Fn() -> bool) -> Found {
    let reader = desk.reader();
    let started = Instant::now();
    let mut read = Vec::new();
    let mut ids = ids.iter().copied();
    while started.elapsed() < TURN && !is_cancelled() {
        let Some(id) = ids.next() else { break };
        // A call that cannot be read any more is not found.
        let passes = reader.detail(id).is_ok_and(|detail| query.decide_with(rows, id, &detail.call, &detail.verdict));
        read.push((id, passes));
    }
    Found::Read { read, left: ids.collect() }
}
