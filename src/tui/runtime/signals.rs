//! Signals as messages (Unix).

use super::guard::{Modes, terminal_output};
use super::msg::{Exit, Msg};
use crossbeam_channel::Sender;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::{Handle, Signals};
use signal_hook::low_level::emulate_default_handler;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// After this long without an end, a second request to end is obeyed at once.
const PATIENCE: Duration = Duration::from_secs(2);

/// How late the signal thread may come to know of a Ctrl-c that another program got. The program ends of it at once and we go
/// on, possibly before that thread has run. In raw mode Ctrl-c is no signal, so nothing else of the terminal's is missed.
const LATE: Duration = Duration::from_millis(500);

/// Whether another program has the terminal: its keys' signals reach us too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Lent {
    /// None does, nor has done.
    #[default]
    Never,
    /// One does.
    Now,
    /// One did until then.
    Until(Instant),
}

impl Lent {
    /// Whether an interrupt that is seen now was meant for the other program.
    fn explains_interrupt(self, now: Instant) -> bool {
        match self {
            Self::Never => false,
            Self::Now => true,
            Self::Until(end) => now.saturating_duration_since(end) <= LATE,
        }
    }
}

/// What the signal thread has to know about what the UI thread is doing.
#[derive(Debug, Default)]
struct Shared {
    lent: Mutex<Lent>,
    /// The SIGTSTP on its way is our own.
    stopping: AtomicBool,
}

impl Shared {
    fn lent(&self) -> MutexGuard<'_, Lent> {
        // One plain value: a panic elsewhere cannot have left it half changed.
        self.lent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_lent(&self) -> bool {
        *self.lent() == Lent::Now
    }
}

/// The signals we listen to, as long as this lives.
#[derive(Debug)]
pub(super) struct Listening {
    handle: Handle,
    shared: Arc<Shared>,
}

impl Listening {
    /// Starts listening.
    ///
    /// # Errors
    /// When a handler cannot be set or no thread be started.
    pub(super) fn start<O: Send + 'static>(to: Sender<Msg<O>>, modes: Modes) -> io::Result<Self> {
        let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT, SIGWINCH])?;
        let handle = signals.handle();
        let shared = Arc::new(Shared::default());
        let state = Arc::clone(&shared);
        thread::Builder::new().name("signals".to_owned()).spawn(move || {
            let mut asked: Option<Instant> = None;
            for signal in signals.forever() {
                match signal {
                    SIGINT if state.lent().explains_interrupt(Instant::now()) => {}
                    SIGTERM | SIGHUP | SIGINT => {
                        if asked.is_some_and(|at| at.elapsed() > PATIENCE) {
                            end_at_once(&modes, signal);
                        }
                        asked.get_or_insert_with(Instant::now);
                        let _ = to.send(Msg::Quit(Exit::Signal(signal)));
                    }
                    SIGTSTP if state.stopping.swap(false, Ordering::SeqCst) => {}
                    // The other program has put the terminal in order; we only have to stop with it.
                    SIGTSTP if state.is_lent() => drop(emulate_default_handler(SIGTSTP)),
                    SIGTSTP => drop(to.send(Msg::Suspend)),
                    SIGCONT if !state.is_lent() => drop(to.send(Msg::Resumed)),
                    SIGWINCH => {
                        if let Ok((columns, rows)) = crossterm::terminal::size() {
                            let _ = to.send(Msg::Resize { columns, rows });
                        }
                    }
                    _ => {}
                }
            }
        })?;
        Ok(Self { handle, shared })
    }

    /// While another program has the terminal, Ctrl-c and Ctrl-z are meant for it.
    pub(super) fn lend(&self, lent: bool) {
        *self.shared.lent() = if lent { Lent::Now } else { Lent::Until(Instant::now()) };
    }

    /// Stops this process until it is continued, and with it its process group when `group`. The terminal must have been left.
    ///
    /// # Errors
    /// When it cannot be stopped.
    pub(super) fn stop(&self, group: bool) -> io::Result<()> {
        if group {
            self.shared.stopping.store(true, Ordering::SeqCst);
            if let Err(error) = super::tty::stop_process_group() {
                self.shared.stopping.store(false, Ordering::SeqCst);
                return Err(error);
            }
        }
        emulate_default_handler(SIGTSTP)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.handle.close();
    }
}

/// The UI thread does not answer: the terminal is put back from here.
fn end_at_once(modes: &Modes, signal: i32) {
    if let Ok(mut out) = terminal_output() {
        modes.leave(&mut out);
    }
    let _ = emulate_default_handler(signal);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_that_is_seen_late_is_still_the_other_programs() {
        let end = Instant::now();
        assert!(!Lent::Never.explains_interrupt(end));
        assert!(Lent::Now.explains_interrupt(end));
        assert!(Lent::Until(end).explains_interrupt(end + LATE));
        assert!(!Lent::Until(end).explains_interrupt(end + LATE + Duration::from_millis(1)));
    }
}
