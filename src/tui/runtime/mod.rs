//! The runtime of the terminal app: the terminal itself, input, jobs, watching, and the loop that holds them together.
//!
//! It knows nothing of tools, calls or screens. An [`App`] is given [`Msg`]s and answers with [`Effect`]s; all I/O is here.
//!
//! ```text
//! signals, panics, answers ---- control --+
//! input thread ---- bounded(1024) --------+--> UI thread: update -> effects -> draw once, if stale and a frame has passed
//! workers, watcher ---- bounded(256) -----+        |
//!                                                  +--> jobs (latest wins), editor, clipboard, suspend, quit
//! ```

pub mod clipboard;
#[cfg(unix)]
mod decode;
pub mod editor;
pub mod event_loop;
mod guard;
pub mod input;
pub mod jobs;
pub mod ledger;
mod msg;
pub mod panics;
pub mod queues;
pub mod screen;
#[cfg(unix)]
mod sequence;
#[cfg(unix)]
mod signals;
mod terminal;
#[cfg(unix)]
mod tty;
pub mod watch;

pub use msg::{App, Effect, Exit, Msg, OutputOf, Redraw, Work};

use crossterm::tty::IsTty;
use guard::{Guard, Modes, terminal_output};
use input::Gate;
use jobs::Jobs;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use screen::Screen;
use std::io;
use std::path::PathBuf;
use std::time::Instant;
use terminal::TerminalHost;
use watch::{Accept, Watch};

/// Threads that do jobs: one for what takes long, one for what is wanted now.
const WORKERS: usize = 2;

/// What the runtime has to know besides the app.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Take the mouse from the start.
    pub mouse: bool,
    /// The folders and files to watch.
    pub watch: Vec<PathBuf>,
    /// Which of the files in them matter.
    pub accept: Accept,
}

/// Runs an app in the terminal until it quits. The calling thread becomes the UI thread.
///
/// # Errors
/// When standard output is no terminal, or when it cannot be used. A terminal that is closed is not an error but an
/// [`Exit`].
pub fn run<A: App>(app: &mut A, setup: Setup) -> io::Result<Exit> {
    if !io::stdout().is_tty() {
        return Err(io::Error::new(io::ErrorKind::NotConnected, "standard output is not a terminal"));
    }
    let (to, mut queues) = queues::queues();
    let modes = Modes::default();
    let control = to.control.clone();
    let _hook = panics::Hook::install(modes.clone(), move |report| drop(control.send(Msg::Panicked(report))));
    #[cfg(unix)]
    let signals = signals::Listening::start(to.control.clone(), modes.clone())?;
    let results = to.results.clone();
    let tell = move |change| results.send(Msg::Watch(change)).is_ok();
    let watch = if setup.watch.is_empty() { None } else { Some(Watch::start(setup.watch, setup.accept, tell)?) };
    #[cfg(unix)]
    let keyboard = tty::Tty::open()?;
    #[cfg(not(unix))]
    let keyboard = input::Console;
    let gate = Gate::default();
    let screen = Screen::new(terminal_output()?);
    let mut host = TerminalHost {
        started: Instant::now(),
        guard: Guard::new(terminal_output()?, modes, setup.mouse),
        jobs: Jobs::start(WORKERS, &to)?,
        screen: screen.clone(),
        gate: gate.clone(),
        to: to.clone(),
        watch,
        #[cfg(unix)]
        signals,
    };
    host.guard.enter()?;
    let mut terminal = Terminal::new(CrosstermBackend::new(screen))?;
    let size = terminal.size()?;
    // The first message, so that the app knows the size before anything else happens.
    let _ = to.control.send(Msg::Resize { columns: size.width, rows: size.height });
    input::spawn(keyboard, gate, to)?;
    let ended = event_loop::event_loop(app, &mut terminal, &mut queues, &mut host);
    host.guard.leave();
    match ended {
        Err(error) if is_hang_up(&error) => Ok(Exit::TerminalClosed),
        ended => ended,
    }
}

/// Writing to a terminal that has been closed fails in one of these ways.
fn is_hang_up(error: &io::Error) -> bool {
    #[cfg(unix)]
    let by_number = error.raw_os_error() == Some(rustix::io::Errno::IO.raw_os_error());
    #[cfg(not(unix))]
    let by_number = false;
    by_number || matches!(error.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::UnexpectedEof)
}

#[cfg(test)]
mod tests;
