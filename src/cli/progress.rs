//! How far long work has come, in one line on stderr that is gone when the work is done.
//!
//! ```text
//! misfire: 1.2 GB of 3.7 GB, 412345 calls, 1234 failures, 12 s left
//! ```

use crate::capture::{self, Place};
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Work that is done by then shows nothing.
const PATIENCE: Duration = Duration::from_millis(300);
const EVERY: Duration = Duration::from_millis(100);

/// The progress of one command. Without a terminal it does nothing, and counting costs next to nothing.
#[derive(Default)]
pub(super) struct Progress {
    shared: Option<Arc<Shared>>,
    drawer: Option<JoinHandle<()>>,
    /// Of a stream: the file that is being read, and how much was before it.
    file: Option<Arc<Path>>,
    before: u64,
}

#[derive(Default)]
struct Shared {
    bytes: AtomicU64,
    calls: AtomicU64,
    failures: AtomicU64,
    screen: Mutex<Screen>,
    wake: Condvar,
}

#[derive(Default)]
struct Screen {
    shown: bool,
    done: bool,
}

impl Progress {
    /// Shows progress from now on, if stderr is a terminal. `prints`: results come on stdout meanwhile; where that is a
    /// terminal too, they are progress enough.
    pub fn start(paths: &[PathBuf], prints: bool) -> Self {
        if !io::stderr().is_terminal() || (prints && io::stdout().is_terminal()) {
            return Self::default();
        }
        let shared = Arc::new(Shared::default());
        let (drawn, paths) = (Arc::clone(&shared), paths.to_vec());
        let drawer = std::thread::spawn(move || drawn.draw_until_done(&paths));
        Self { shared: Some(shared), drawer: Some(drawer), file: None, before: 0 }
    }

    /// So much more has been read.
    pub fn add(&self, bytes: u64, calls: u64, failures: u64) {
        if let Some(shared) = &self.shared {
            shared.bytes.fetch_add(bytes, Ordering::Relaxed);
            shared.calls.fetch_add(calls, Ordering::Relaxed);
            shared.failures.fetch_add(failures, Ordering::Relaxed);
        }
    }

    /// A call of a stream has been read, which tells how far the stream is.
    pub fn call(&mut self, place: &Place, failed: bool) {
        let Some(shared) = &self.shared else { return };
        if self.file.as_ref().is_none_or(|file| !Arc::ptr_eq(file, &place.file)) {
            let last = self.file.replace(Arc::clone(&place.file));
            self.before += last.and_then(|file| std::fs::metadata(file).ok()).map_or(0, |data| data.len());
        }
        shared.bytes.store(self.before + place.offset, Ordering::Relaxed);
        shared.calls.fetch_add(1, Ordering::Relaxed);
        shared.failures.fetch_add(u64::from(failed), Ordering::Relaxed);
    }

    /// Takes the line away, for something else that is to be written to stderr.
    pub fn clear(&self) {
        if let Some(shared) = &self.shared {
            shared.lock().clear();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(shared) = &self.shared {
            let mut screen = shared.lock();
            screen.done = true;
            screen.clear();
            shared.wake.notify_all();
        }
        if let Some(drawer) = self.drawer.take() {
            // A drawer that panicked drew nothing worth knowing.
            let _ = drawer.join();
        }
    }
}

impl Screen {
    fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            // Who cannot be told how far it is need not be told.
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Screen> {
        self.screen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn draw_until_done(&self, paths: &[PathBuf]) {
        let started = Instant::now();
        let mut total = None;
        let mut screen = self.lock();
        loop {
            let wait = if started.elapsed() < PATIENCE { PATIENCE } else { EVERY };
            screen = self.wake.wait_timeout(screen, wait).unwrap_or_else(PoisonError::into_inner).0;
            if screen.done {
                return;
            }
            if started.elapsed() < PATIENCE {
                continue;
            }
            // Looking at every file takes a moment, in which the work may end.
            let total = *total.get_or_insert_with(|| size_of_all(paths));
            let line = self.line(total, started.elapsed());
            screen.shown = true;
            let _ = write!(io::stderr(), "\r{line}\x1b[K");
        }
    }

    fn line(&self, total: u64, elapsed: Duration) -> String {
        let [bytes, calls, failures] = [&self.bytes, &self.calls, &self.failures].map(|n| n.load(Ordering::Relaxed));
        line(bytes, total, calls, failures, elapsed)
    }
}

fn line(bytes: u64, total: u64, calls: u64, failures: u64, elapsed: Duration) -> String {
    let of = if total > 0 { format!(" of {}", size(total)) } else { String::new() };
    let bytes = if total > 0 { bytes.min(total) } else { bytes };
    let mut line = format!("misfire: {}{of}, {calls} calls, {failures} failures", size(bytes));
    let left = total.saturating_sub(bytes);
    if bytes > 0 && left > 0 {
        let millis = elapsed.as_millis().saturating_mul(u128::from(left)) / u128::from(bytes);
        let seconds = millis.div_ceil(1000);
        let (left, unit) = if seconds < 120 { (seconds, "s") } else { (seconds / 60, "min") };
        // Writing to a string cannot fail.
        let _ = write!(line, ", {left} {unit} left");
    }
    line
}

/// What regular files hold; of pipes nobody knows.
fn size_of_all(paths: &[PathBuf]) -> u64 {
    let sizes = capture::files(paths).into_iter().filter_map(|path| std::fs::metadata(path).ok());
    sizes.filter(std::fs::Metadata::is_file).map(|data| data.len()).sum()
}

/// `3.7 GB`: decimal, one digit behind the point, as `ls --si` has it.
fn size(bytes: u64) -> String {
    let (unit, name) = match bytes {
        1_000_000_000.. => (100_000_000, "GB"),
        1_000_000.. => (100_000, "MB"),
        _ => (100, "kB"),
    };
    let tenths = bytes / unit;
    format!("{}.{} {name}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let second = Duration::from_secs(1);
        assert_eq!(
            line(1_250_000_000, 3_700_000_000, 412_345, 1_234, second),
            "misfire: 1.2 GB of 3.7 GB, 412345 calls, 1234 failures, 2 s left"
        );
        assert_eq!(line(10_000, 3_700_000_000, 1, 0, second), "misfire: 10.0 kB of 3.7 GB, 1 calls, 0 failures, 6166 min left");
        assert_eq!(line(5_000, 0, 1, 0, second), "misfire: 5.0 kB, 1 calls, 0 failures");
        // A file that grew meanwhile.
        assert_eq!(line(5_000, 4_000, 1, 0, second), "misfire: 4.0 kB of 4.0 kB, 1 calls, 0 failures");
    }
}
