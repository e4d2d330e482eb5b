//! Work off the UI thread.
//!
//! Each job has a key. A job that is asked for while one with its key waits takes that one's place in the queue; while one
//! runs, that one is told to stop. Results carry the generation of the request, so that late ones can be told and dropped.

use super::msg::{Msg, Work};
use super::panics::payload_text;
use super::queues::Senders;
use std::collections::{HashMap, VecDeque};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Jobs that wait; beyond it a new one is refused, which is a message and never a wait.
const WAITING: usize = 256;

/// What a job is about: two jobs with the same key are never both wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobKey {
    /// The kind of work, in words that can be shown ("judging").
    pub kind: &'static str,
    /// Which of its kind.
    pub id: u64,
}

/// One request: a key and the how-manieth with this key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ticket {
    /// What it is about.
    pub key: JobKey,
    /// Counts the requests with this key.
    pub generation: u64,
}

/// What a job says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobEvent<O> {
    /// Something it found; there may be many.
    Output(O),
    /// How far it is.
    Progress {
        /// Done so far.
        done: u64,
        /// Of how many.
        total: u64,
    },
    /// It is done.
    Finished,
    /// It stopped because it was told to.
    Cancelled,
    /// It panicked, saying this.
    Panicked(String),
}

/// What a job may use while it runs.
#[derive(Debug)]
pub struct JobContext<O> {
    ticket: Ticket,
    cancelled: Arc<AtomicBool>,
    to: Senders<O>,
}

impl<O> JobContext<O> {
    /// Whether nobody wants this any more.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Sends something found. Waits when the UI is behind.
    pub fn output(&self, output: O) {
        if !self.is_cancelled() {
            self.say(JobEvent::Output(output));
        }
    }

    /// Sends something that has happened and must be known, whether or not anybody still wants the job. Waits when the UI is
    /// behind.
    pub fn deliver(&self, output: O) {
        self.say(JobEvent::Output(output));
    }

    /// Tells how far it is, unless the UI is behind: there will be a newer number.
    pub fn progress(&self, done: u64, total: u64) {
        let _ = self.to.results.try_send(Msg::Job(self.ticket, JobEvent::Progress { done, total }));
    }

    fn say(&self, event: JobEvent<O>) {
        // An error means that the app has ended.
        let _ = self.to.results.send(Msg::Job(self.ticket, event));
    }
}

/// The workers and their queue. Dropping it tells every job to stop and waits for none.
#[derive(Debug)]
pub struct Jobs<W: Work> {
    pool: Arc<Pool<W>>,
}

#[derive(Debug)]
struct Pool<W> {
    state: Mutex<PoolState<W>>,
    more: Condvar,
}

#[derive(Debug)]
struct PoolState<W> {
    waiting: VecDeque<(Ticket, W)>,
    running: HashMap<Ticket, Arc<AtomicBool>>,
    closed: bool,
}

impl<W> Pool<W> {
    fn lock(&self) -> MutexGuard<'_, PoolState<W>> {
        // No job runs under this lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W> PoolState<W> {
    fn cancel_running(&self, key: JobKey) {
        for (ticket, cancelled) in &self.running {
            if ticket.key == key {
                cancelled.store(true, Ordering::Relaxed);
            }
        }
    }
}

impl<W: Work> Jobs<W> {
    /// Starts the workers.
    ///
    /// # Errors
    /// When a thread cannot be started.
    pub fn start(workers: usize, to: &Senders<W::Output>) -> io::Result<Self> {
        let state = PoolState { waiting: VecDeque::new(), running: HashMap::new(), closed: false };
        let jobs = Self { pool: Arc::new(Pool { state: Mutex::new(state), more: Condvar::new() }) };
        for n in 1..=workers {
            let pool = Arc::clone(&jobs.pool);
            let to = to.clone();
            thread::Builder::new().name(format!("worker {n}")).spawn(move || work(&pool, &to))?;
        }
        Ok(jobs)
    }

    /// Asks for a job; false if too many wait. Does not wait itself.
    #[must_use]
    pub fn spawn(&self, ticket: Ticket, work: W) -> bool {
        let mut state = self.pool.lock();
        state.cancel_running(ticket.key);
        if let Some(slot) = state.waiting.iter_mut().find(|(waiting, _)| waiting.key == ticket.key) {
            *slot = (ticket, work);
        } else if state.waiting.len() < WAITING {
            state.waiting.push_back((ticket, work));
        } else {
            return false;
        }
        drop(state);
        self.pool.more.notify_one();
        true
    }

    /// Tells the job with this key to stop, and forgets it if it still waits.
    pub fn cancel(&self, key: JobKey) {
        let mut state = self.pool.lock();
        state.cancel_running(key);
        state.waiting.retain(|(ticket, _)| ticket.key != key);
    }
}

impl<W: Work> Drop for Jobs<W> {
    fn drop(&mut self) {
        let mut state = self.pool.lock();
        state.closed = true;
        state.waiting.clear();
        state.running.values().for_each(|cancelled| cancelled.store(true, Ordering::Relaxed));
        drop(state);
        self.pool.more.notify_all();
    }
}

/// One worker's life.
fn work<W: Work>(pool: &Pool<W>, to: &Senders<W::Output>) {
    while let Some((ticket, work, cancelled)) = next(pool) {
        let job = JobContext { ticket, cancelled, to: to.clone() };
        // The job is consumed, and what it shares is channels and atomics: nothing can be seen half changed afterwards.
        let ended = catch_unwind(AssertUnwindSafe(|| work.run(&job)));
        pool.lock().running.remove(&ticket);
        job.say(match ended {
            Err(payload) => JobEvent::Panicked(payload_text(payload.as_ref())),
            Ok(()) if job.is_cancelled() => JobEvent::Cancelled,
            Ok(()) => JobEvent::Finished,
        });
    }
}

fn next<W>(pool: &Pool<W>) -> Option<(Ticket, W, Arc<AtomicBool>)> {
    let mut state =
        pool.more.wait_while(pool.lock(), |s| s.waiting.is_empty() && !s.closed).unwrap_or_else(PoisonError::into_inner);
    let (ticket, work) = state.waiting.pop_front()?;
    let cancelled = Arc::new(AtomicBool::new(false));
    state.running.insert(ticket, Arc::clone(&cancelled));
    Some((ticket, work, cancelled))
}
