//! Watching folders and files.
//!
//! The directory is watched, never the file: most editors save by renaming over it, which ends a watch on the file itself.
//! Events only say where to look; what is told is what is found there, compared by content, so that a touch, our own reading
//! and an editor's dance of temporary files tell nothing. What a file means is not known here.

mod known;
mod quiet;
mod source;
mod watcher;

use crossbeam_channel::{Sender, unbounded};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

/// What happened to the watched files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// From here on nothing is missed: what is read after this is followed from there.
    Ready(Mode),
    /// These files have a new content, or are new.
    Changed(Vec<PathBuf>),
    /// These files are gone.
    Removed(Vec<PathBuf>),
    /// It is watched in another way now.
    Mode(Mode),
}

/// How it is watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The system tells.
    Told,
    /// Everything is looked at once a second, because the system does not tell, for this reason.
    Looking(String),
}

/// Which files matter, by name.
pub type Accept = fn(&Path) -> bool;

/// A watch, as long as this lives.
#[derive(Debug)]
pub struct Watch {
    commands: Sender<Command>,
}

#[derive(Debug)]
enum Command {
    Rescan,
}

impl Watch {
    /// Watches these folders, with all that is in them, and these files. They need not exist yet. `tell` is called on the
    /// watch's thread, may wait, and ends the watch by returning false.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn start(roots: Vec<PathBuf>, accept: Accept, tell: impl Fn(Change) -> bool + Send + 'static) -> io::Result<Self> {
        let (commands, commands_end) = unbounded();
        let run = move || watcher::Watcher::new(roots, accept, Box::new(tell)).run(&commands_end);
        thread::Builder::new().name("watch".to_owned()).spawn(run)?;
        Ok(Self { commands })
    }

    /// Looks at every file again, and tries again to be told of changes where that failed.
    pub fn rescan(&self) {
        // An error means that the thread has ended, and then so has the app.
        let _ = self.commands.send(Command::Rescan);
    }
}

#[cfg(test)]
mod tests;
