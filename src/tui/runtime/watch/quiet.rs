//! When to look: pure, the time is given.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Events closer than this belong together.
pub(super) const QUIET: Duration = Duration::from_millis(30);
/// But a file that is written without a pause is looked at this often.
pub(super) const LONGEST: Duration = Duration::from_millis(300);
/// How much longer a file must be missing before it counts as removed: saving by delete and create leaves a gap.
pub(super) const GONE: Duration = Duration::from_millis(120);

/// The places to look at, and when.
#[derive(Debug, Default)]
pub(super) struct Quiet {
    touched: BTreeSet<PathBuf>,
    first: Option<Instant>,
    last: Option<Instant>,
    again: BTreeMap<PathBuf, Instant>,
}

/// What is due.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Due {
    /// Look here: something happened.
    pub touched: Vec<PathBuf>,
    /// Look here once more: what was missing and still is, is gone.
    pub again: Vec<PathBuf>,
}

impl Quiet {
    /// Something happened here.
    pub fn touch(&mut self, path: PathBuf, now: Instant) {
        self.touched.insert(path);
        self.first.get_or_insert(now);
        self.last = Some(now);
    }

    /// Something was missing here, or may have been missed: look once more, later.
    pub fn look_again(&mut self, path: PathBuf, now: Instant) {
        self.again.entry(path).or_insert(now + GONE);
    }

    /// When something is next due.
    pub fn next(&self) -> Option<Instant> {
        let again = self.again.values().min().copied();
        [self.touched_due(), again].into_iter().flatten().min()
    }

    fn touched_due(&self) -> Option<Instant> {
        Some((self.last? + QUIET).min(self.first? + LONGEST))
    }

    /// Takes what is due.
    pub fn take(&mut self, now: Instant) -> Due {
        let mut due = Due::default();
        if self.touched_due().is_some_and(|at| at <= now) {
            due.touched = std::mem::take(&mut self.touched).into_iter().collect();
            (self.first, self.last) = (None, None);
            for path in &due.touched {
                // It will be found missing again if it still is, with its first time forgotten: it has been there since.
                self.again.remove(path);
            }
        }
        self.again.retain(|path, at| {
            let is_due = *at <= now;
            if is_due {
                due.again.push(path.clone());
            }
            !is_due
        });
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn a_burst_is_one_look() {
        let mut quiet = Quiet::default();
        let start = Instant::now();
        assert_eq!(quiet.next(), None);
        for n in 0..5 {
            quiet.touch("a".into(), start + ms(n * 10));
        }
        assert_eq!(quiet.next(), Some(start + ms(70)));
        assert_eq!(quiet.take(start + ms(69)), Due::default());
        assert_eq!(quiet.take(start + ms(70)).touched, [PathBuf::from("a")]);
        assert_eq!(quiet.next(), None);
    }

    #[test]
    fn writing_without_a_pause_does_not_put_the_look_off_for_ever() {
        let mut quiet = Quiet::default();
        let start = Instant::now();
        for n in 0..100 {
            quiet.touch("log".into(), start + ms(n * 10));
        }
        assert_eq!(quiet.next(), Some(start + LONGEST));
    }

    #[test]
    fn a_missing_file_gets_a_second_look() {
        let mut quiet = Quiet::default();
        let start = Instant::now();
        quiet.look_again("a".into(), start);
        quiet.look_again("a".into(), start + ms(50));
        assert_eq!(quiet.next(), Some(start + GONE));
        assert_eq!(quiet.take(start + GONE).again, [PathBuf::from("a")]);
        assert_eq!(quiet.next(), None);
    }

    #[test]
    fn a_file_that_came_back_is_looked_at_as_touched() {
        let mut quiet = Quiet::default();
        let start = Instant::now();
        quiet.look_again("a".into(), start);
        quiet.touch("a".into(), start + ms(10));
        assert_eq!(quiet.take(start + ms(40)), Due { touched: vec!["a".into()], again: vec![] });
        assert_eq!(quiet.next(), None);
    }
}
