//! What the app knows about its jobs: pure, so that it can live in the app's state.

use super::jobs::{JobEvent, JobKey, Ticket};
use std::collections::BTreeMap;
use std::time::Duration;

/// How long a job may take before it is worth showing that it runs.
pub const WORTH_SHOWING: Duration = Duration::from_millis(300);
/// One step of the spinner.
pub const SPIN: Duration = Duration::from_millis(120);

/// Hands out tickets and follows what becomes of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    generations: BTreeMap<JobKey, u64>,
    running: BTreeMap<JobKey, Running>,
}

/// A job that has been asked for and has not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Running {
    /// When it was asked for.
    pub since: Duration,
    /// How much is done, of how much, once it has said so.
    pub progress: Option<(u64, u64)>,
}

impl Ledger {
    /// A ticket for a new request; results of earlier ones with this key are stale from here on.
    pub fn ask(&mut self, now: Duration, kind: &'static str, id: u64) -> Ticket {
        let key = JobKey { kind, id };
        let generation = self.generations.entry(key).or_default();
        *generation += 1;
        self.running.insert(key, Running { since: now, progress: None });
        Ticket { key, generation: *generation }
    }

    /// A ticket for the next part of what the last request began: it has been running since then.
    pub fn go_on(&mut self, now: Duration, kind: &'static str, id: u64, progress: (u64, u64)) -> Ticket {
        let since = self.running.get(&JobKey { kind, id }).map_or(now, |running| running.since);
        let ticket = self.ask(now, kind, id);
        self.running.insert(ticket.key, Running { since, progress: Some(progress) });
        ticket
    }

    /// Whether a job of this kind has been asked for and has not ended.
    #[must_use]
    pub fn runs(&self, kind: &'static str) -> bool {
        self.running.keys().any(|key| key.kind == kind)
    }

    /// No result with this key is wanted any more.
    pub fn forget(&mut self, key: JobKey) {
        if self.running.remove(&key).is_some() {
            *self.generations.entry(key).or_default() += 1;
        }
    }

    /// Takes note of what a job says; gives it on if it is not stale.
    pub fn note<O>(&mut self, ticket: Ticket, event: JobEvent<O>) -> Option<JobEvent<O>> {
        if self.generations.get(&ticket.key) != Some(&ticket.generation) {
            return None;
        }
        let running = self.running.get_mut(&ticket.key)?;
        match &event {
            JobEvent::Progress { done, total } => running.progress = Some((*done, *total)),
            JobEvent::Finished | JobEvent::Cancelled | JobEvent::Panicked(_) => drop(self.running.remove(&ticket.key)),
            JobEvent::Output(_) => {}
        }
        Some(event)
    }

    /// The jobs that run, in order of their keys.
    pub fn running(&self) -> impl Iterator<Item = (JobKey, Running)> {
        self.running.iter().map(|(key, running)| (*key, *running))
    }

    /// The job that has run for longest.
    #[must_use]
    pub fn oldest(&self) -> Option<(JobKey, Running)> {
        self.running().min_by_key(|(_, running)| running.since)
    }

    /// When the picture of the running jobs next changes: none while none runs.
    #[must_use]
    pub fn deadline(&self, now: Duration) -> Option<Duration> {
        let (_, oldest) = self.oldest()?;
        let shown = oldest.since + WORTH_SHOWING;
        // A fixed raster, so that asking again does not put it off.
        let steps = now.saturating_sub(shown).as_millis() / SPIN.as_millis() + 1;
        let ahead = SPIN * u32::try_from(steps).unwrap_or(u32::MAX);
        Some(if now < shown { shown } else { shown.saturating_add(ahead) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn results_of_an_older_request_are_stale() {
        let mut ledger = Ledger::default();
        let first = ledger.ask(ms(0), "judging", 1);
        let second = ledger.ask(ms(5), "judging", 1);
        assert_eq!(ledger.note(first, JobEvent::Output(1)), None);
        assert_eq!(ledger.note::<u8>(first, JobEvent::Finished), None);
        assert_eq!(ledger.note(second, JobEvent::Output(2)), Some(JobEvent::Output(2)));
        assert_eq!(ledger.note::<u8>(second, JobEvent::Finished), Some(JobEvent::Finished));
        assert_eq!(ledger.running().count(), 0);
        assert_eq!(ledger.note(second, JobEvent::Output(3)), None);
    }

    #[test]
    fn a_forgotten_job_is_stale_whatever_it_says() {
        let mut ledger = Ledger::default();
        let ticket = ledger.ask(ms(0), "loading", 0);
        ledger.forget(ticket.key);
        assert_eq!(ledger.note(ticket, JobEvent::Output(1)), None);
        assert_eq!(ledger.deadline(ms(1)), None);
    }

    #[test]
    fn a_short_job_never_spins() {
        let mut ledger = Ledger::default();
        ledger.ask(ms(100), "loading", 0);
        assert_eq!(ledger.deadline(ms(150)), Some(ms(400)));
        assert_eq!(ledger.deadline(ms(400)), Some(ms(520)));
    }
}
