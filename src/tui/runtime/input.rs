//! Reading the keyboard, on a thread that can be made to stop reading.

use super::msg::{Exit, Msg};
use super::queues::Senders;
use crossbeam_channel::SendTimeoutError;
use crossterm::event::{Event, KeyEventKind};
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How long one look for input may take: the longest that parking has to wait.
const LOOK: Duration = Duration::from_millis(50);

/// Where input comes from.
pub trait InputSource: Send {
    /// Whether something can be read, waiting for at most this long.
    ///
    /// # Errors
    /// When nothing can be read any more, ever.
    fn poll(&mut self, limit: Duration) -> io::Result<bool>;

    /// Reads what [`InputSource::poll`] found.
    ///
    /// # Errors
    /// When nothing can be read any more, ever.
    fn read(&mut self) -> io::Result<Event>;

    /// Throws away what is there.
    ///
    /// # Errors
    /// When nothing can be read any more, ever.
    fn discard(&mut self) -> io::Result<()> {
        while self.poll(Duration::ZERO)? {
            self.read()?;
        }
        Ok(())
    }
}

/// Stops the input thread from reading while another program has the terminal: two readers would each get some of the keys.
#[derive(Clone, Debug, Default)]
pub struct Gate {
    shared: Arc<(Mutex<State>, Condvar)>,
}

#[derive(Debug, Default)]
struct State {
    wanted: Wanted,
    /// The thread stands still.
    parked: bool,
    /// What was typed for the other program has been thrown away.
    drained: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Wanted {
    #[default]
    Read,
    Park,
    Drain,
}

impl Gate {
    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is three plain values: a panic elsewhere cannot have left it half changed.
        self.shared.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.shared.1.notify_all();
    }

    fn wait(&self, limit: Duration, until: impl Fn(&State) -> bool) -> bool {
        let (guard, _) =
            self.shared.1.wait_timeout_while(self.lock(), limit, |state| !until(state)).unwrap_or_else(PoisonError::into_inner);
        until(&guard)
    }

    /// Makes the thread stand still and waits until it does: true if it did within the limit.
    #[must_use]
    pub fn park(&self, limit: Duration) -> bool {
        self.set(|state| state.wanted = Wanted::Park);
        self.wait(limit, |state| state.parked)
    }

    /// Lets the thread read again.
    pub fn unpark(&self) {
        self.set(|state| state.wanted = Wanted::Read);
    }

    /// Lets the thread read again after it has thrown away what is there now: keys that were meant for another program.
    /// Returns when that is done, so that what is typed from here on counts.
    #[must_use]
    pub fn drain_and_unpark(&self, limit: Duration) -> bool {
        self.set(|state| {
            state.drained = false;
            state.wanted = Wanted::Drain;
        });
        self.wait(limit, |state| state.drained)
    }

    fn wants_parking(&self) -> bool {
        self.lock().wanted == Wanted::Park
    }

    /// Called by the thread before each look: stands still as long as it should.
    fn pass(&self, source: &mut impl InputSource) -> io::Result<()> {
        let mut state = self.lock();
        if state.wanted == Wanted::Park {
            state.parked = true;
            self.shared.1.notify_all();
            while state.wanted == Wanted::Park {
                state = self.shared.1.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            state.parked = false;
        }
        if state.wanted == Wanted::Drain {
            drop(state);
            source.discard()?;
            self.set(|state| {
                state.wanted = Wanted::Read;
                state.drained = true;
            });
        }
        Ok(())
    }
}

/// Starts the thread. It ends by itself when nobody listens any more, or when the terminal is closed, which it says.
///
/// # Errors
/// When no thread can be started.
pub fn spawn<O: Send + 'static>(mut source: impl InputSource + 'static, gate: Gate, to: Senders<O>) -> io::Result<()> {
    thread::Builder::new().name("input".to_owned()).spawn(move || {
        if let Err(_closed) = read_all(&mut source, &gate, &to) {
            let _ = to.control.send(Msg::Quit(Exit::TerminalClosed));
        }
    })?;
    Ok(())
}

/// Reads until an error; returns when nobody listens.
fn read_all<O>(source: &mut impl InputSource, gate: &Gate, to: &Senders<O>) -> io::Result<()> {
    loop {
        gate.pass(source)?;
        if !source.poll(LOOK)? {
            continue;
        }
        let Some(mut msg) = message(source.read()?) else { continue };
        // The queue is full when the UI is busy, for instance with parking this thread: so a full queue must not keep it.
        while let Err(failed) = to.input.send_timeout(msg, LOOK) {
            match failed {
                SendTimeoutError::Disconnected(_) => return Ok(()),
                SendTimeoutError::Timeout(_) if gate.wants_parking() => break,
                SendTimeoutError::Timeout(unsent) => msg = unsent,
            }
        }
    }
}

fn message<O>(event: Event) -> Option<Msg<O>> {
    Some(match event {
        Event::Key(key) if key.kind == KeyEventKind::Release => return None,
        Event::Key(key) => Msg::Key(key),
        Event::Paste(text) => Msg::Paste(text),
        Event::Mouse(mouse) => Msg::Mouse(mouse),
        Event::FocusGained => Msg::Focus(true),
        Event::FocusLost => Msg::Focus(false),
        Event::Resize(columns, rows) => Msg::Resize { columns, rows },
    })
}

/// The console, as crossterm reads it.
#[cfg(not(unix))]
#[derive(Debug)]
pub(super) struct Console;

#[cfg(not(unix))]
impl InputSource for Console {
    fn poll(&mut self, limit: Duration) -> io::Result<bool> {
        crossterm::event::poll(limit)
    }

    fn read(&mut self) -> io::Result<Event> {
        crossterm::event::read()
    }
}
