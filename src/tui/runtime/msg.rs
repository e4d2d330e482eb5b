//! What the runtime tells the app, and what the app asks of it.

use super::clipboard::Copied;
use super::editor::{EditRequest, Edited};
use super::jobs::{JobContext, JobEvent, JobKey, Ticket};
use super::panics::PanicReport;
use super::watch::Change;
use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::Frame;
use std::time::Duration;

/// The app as the runtime sees it: a value that messages change and that can be drawn.
///
/// `update` is pure: it reads no clock (the time is given), does no I/O and never waits. What has to happen outside is pushed
/// to `effects`, which the runtime performs in order before the next message is given.
pub trait App {
    /// The jobs of this app.
    type Work: Work;

    /// Takes in one message; `now` is the time since the start.
    fn update(&mut self, now: Duration, msg: Msg<OutputOf<Self>>, effects: &mut Vec<Effect<Self::Work>>) -> Redraw;

    /// When the app next wants a [`Msg::Tick`], if at all. After a tick at or past it, it must name a later time or none.
    fn deadline(&self) -> Option<Duration>;

    /// Draws everything.
    fn draw(&self, frame: &mut Frame<'_>);
}

/// What the jobs of an app give.
pub type OutputOf<A> = <<A as App>::Work as Work>::Output;

/// Something to do off the UI thread, as data: so an effect can be compared and printed in a test.
pub trait Work: Send + 'static {
    /// What it gives, in one piece or many.
    type Output: Send + 'static;

    /// Does it, sending what it finds as it goes, and stopping early when [`JobContext::is_cancelled`].
    fn run(self, job: &JobContext<Self::Output>);
}

/// Whether what is on the screen is out of date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Redraw {
    /// Something that can be seen changed.
    Needed,
    /// Nothing that can be seen changed.
    NotNeeded,
}

/// Something that happened.
#[derive(Debug)]
pub enum Msg<O> {
    /// A key was pressed or repeats; releases are not told.
    Key(KeyEvent),
    /// Text was pasted, in one piece.
    Paste(String),
    /// The mouse did something.
    Mouse(MouseEvent),
    /// The terminal's window got (true) or lost the focus.
    Focus(bool),
    /// The terminal has this size now.
    Resize {
        /// Width in cells.
        columns: u16,
        /// Height in cells.
        rows: u16,
    },
    /// A deadline passed.
    Tick,
    /// The program is asked from outside to end.
    Quit(Exit),
    /// The program is asked from outside to stop for now (`kill -TSTP`).
    Suspend,
    /// The program is back from having been stopped.
    Resumed,
    /// Stopping was asked for, but nothing could wake the program up again.
    CannotSuspend,
    /// A watched file changed, or watching did.
    Watch(Change),
    /// A job said something.
    Job(Ticket, JobEvent<O>),
    /// The queue of jobs was full, so this one was not taken.
    JobRefused(Ticket),
    /// A thread other than the UI's panicked.
    Panicked(PanicReport),
    /// A copy was made, or not.
    Copied(Copied),
    /// An editor was closed.
    Edited(Edited),
}

/// Something that the app wants done.
#[derive(Debug, PartialEq, Eq)]
pub enum Effect<W> {
    /// End.
    Quit(Exit),
    /// Give the terminal back and stop until continued.
    Suspend,
    /// Draw every cell again: something else wrote to the terminal.
    Repaint,
    /// Take the mouse, or leave it to the terminal.
    Mouse(bool),
    /// Put text on the clipboard; `what` names it in the answer.
    Copy {
        /// What it is, for people.
        what: &'static str,
        /// The text itself, as it is.
        text: String,
    },
    /// Write to the main screen, and come back on Enter: for copying without a clipboard.
    Print(String),
    /// Open the person's editor.
    Edit(EditRequest),
    /// Start a job, in place of a waiting or running one with the same key.
    Spawn(Ticket, W),
    /// Stop the job with this key, if there is one.
    Cancel(JobKey),
    /// Look at every watched file again, and try again to be told of changes where that failed.
    Rescan,
}

/// Why the app ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The person asked.
    Asked,
    /// A signal asked; its number.
    Signal(i32),
    /// The terminal was closed.
    TerminalClosed,
}

impl Exit {
    /// The exit status: 0 when asked, 128 and the signal's number otherwise, as a shell would report it. A closed terminal is a
    /// hang-up.
    #[must_use]
    pub fn status(self) -> u8 {
        match self {
            Self::Asked => 0,
            Self::Signal(number) => u8::try_from(number).unwrap_or(0).saturating_add(128),
            Self::TerminalClosed => 129,
        }
    }
}
