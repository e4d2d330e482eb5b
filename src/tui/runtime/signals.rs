//! Signals as messages (Unix).

use super::guard::{Modes, terminal_output};
use super::msg::{Exit, Msg};
use crossbeam_channel::Sender;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::{Handle, Signals};
use signal_hook::low_level::emulate_default_handler;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// After this long without an end, a second request to end is obeyed at once.
const PATIENCE: Duration = Duration::from_secs(2);

/// What the signal thread has to know about what the UI thread is doing.
#[derive(Debug, Default)]
struct Shared {
    /// Another program has the terminal: its keys' signals reach us too.
    lent: AtomicBool,
    /// The SIGTSTP on its way is our own.
    stopping: AtomicBool,
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
                    SIGTERM | SIGHUP | SIGINT if state.lent.load(Ordering::SeqCst) && signal == SIGINT => {}
                    SIGTERM | SIGHUP | SIGINT => {
                        if asked.is_some_and(|at| at.elapsed() > PATIENCE) {
                            end_at_once(&modes, signal);
                        }
                        asked.get_or_insert_with(Instant::now);
                        let _ = to.send(Msg::Quit(Exit::Signal(signal)));
                    }
                    SIGTSTP if state.stopping.swap(false, Ordering::SeqCst) => {}
                    // The other program has put the terminal in order; we only have to stop with it.
                    SIGTSTP if state.lent.load(Ordering::SeqCst) => drop(emulate_default_handler(SIGTSTP)),
                    SIGTSTP => drop(to.send(Msg::Suspend)),
                    SIGCONT if !state.lent.load(Ordering::SeqCst) => drop(to.send(Msg::Resumed)),
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
        self.shared.lent.store(lent, Ordering::SeqCst);
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
