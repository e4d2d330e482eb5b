//! Ctrl-C: the first one asks the command to stop and say what it has done, the second one ends the program.

use super::INTERRUPTED;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the command has been asked to stop.
#[derive(Clone, Default)]
pub(super) struct Interrupt {
    came: Arc<AtomicBool>,
    /// Nothing would be said anyway: the first Ctrl-C ends the program.
    at_once: Arc<AtomicBool>,
}

impl Interrupt {
    /// Listens from now on; `wake` is called at the first Ctrl-C, for somebody who waits for something else.
    pub fn install(wake: impl FnOnce() + Send + 'static) -> Self {
        let interrupt = Self::default();
        let listener = interrupt.clone();
        // Where signals cannot be handled, Ctrl-C does what it always does.
        if let Ok(mut signals) = signal_hook::iterator::Signals::new([signal_hook::consts::SIGINT]) {
            std::thread::spawn(move || {
                let mut wake = Some(wake);
                for _ in signals.forever() {
                    if listener.at_once.load(Ordering::SeqCst) || listener.came.swap(true, Ordering::SeqCst) {
                        std::process::exit(i32::from(INTERRUPTED));
                    }
                    if let Some(wake) = wake.take() {
                        wake();
                    }
                }
            });
        }
        interrupt
    }

    /// Whether Ctrl-C came.
    pub fn came(&self) -> bool {
        self.came.load(Ordering::Relaxed)
    }

    /// Does something that cannot be interrupted and leaves nothing to say, such as waiting for stdin.
    pub fn ending_at_once<T>(&self, work: impl FnOnce() -> T) -> T {
        self.at_once.store(true, Ordering::SeqCst);
        let done = work();
        self.at_once.store(false, Ordering::SeqCst);
        done
    }
}
