//! The demonstration: an invented agent at work in a temporary folder, with a definition that changes under it. Nothing of the
//! person's is read or written, and nothing is asked of the network.

mod stage;
mod story;

pub use stage::Stage;
pub use story::{Step, steps};

use crate::capture::time::rfc3339;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How many calls have been made when the curtain rises.
const BEFORE: usize = 8;
/// From one step to the next.
const PACE: Duration = Duration::from_millis(1500);
/// How soon it ends when it is told to.
const ATTENTION: Duration = Duration::from_millis(50);

/// Where the definitions are, seen from the folder.
pub const TOOLS: &str = "tools";
/// Where the session is written, seen from the folder.
pub const SESSIONS: &str = "sessions";

/// The session that grows.
#[must_use]
pub fn session() -> PathBuf {
    PathBuf::from(SESSIONS).join("ferry.misfire.jsonl")
}

/// An agent at work until this is dropped.
#[derive(Debug)]
pub struct Player {
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Player {
    /// Performs what has happened before, and the rest of the story step by step on a thread of its own. A step that fails
    /// ends it: whoever looks on has seen what there is.
    ///
    /// # Errors
    /// If the first steps cannot be written, or no thread be started.
    pub fn start(stage: &Arc<Stage>) -> io::Result<Self> {
        let mut steps = steps();
        for step in steps.by_ref().take(BEFORE) {
            stage.perform(&step, &now())?;
        }
        let over = Arc::new(AtomicBool::new(false));
        let (stage, is_over) = (Arc::clone(stage), Arc::clone(&over));
        let thread = thread::Builder::new().name("demo".to_owned()).spawn(move || {
            for step in steps {
                if !rest(&is_over) || stage.perform(&step, &now()).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { over, thread: Some(thread) })
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        // So that it does not write into a folder that is being removed.
        drop(self.thread.take().map(JoinHandle::join));
    }
}

/// Waits for the next step: false if there is to be none.
fn rest(is_over: &AtomicBool) -> bool {
    let mut waited = Duration::ZERO;
    while waited < PACE && !is_over.load(Ordering::SeqCst) {
        thread::sleep(ATTENTION);
        waited += ATTENTION;
    }
    !is_over.load(Ordering::SeqCst)
}

/// The time, as captures have it.
#[must_use]
pub fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    rfc3339(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
