//! Being told that files changed: by the system where it can, by looking every second where it cannot.

use notify::event::{AccessKind, AccessMode, CreateKind, EventKind};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Files are read once nothing has happened for this long …
const QUIET: Duration = Duration::from_millis(30);
/// … or, where something always happens, after this long.
const PATIENCE: Duration = Duration::from_millis(90);
/// Where the system cannot tell what changes.
const POLL: Duration = Duration::from_secs(1);
/// Where it can: for what it may have missed.
const BACKSTOP: Duration = Duration::from_secs(5);
/// What is written into a new folder before it is watched is found by looking again soon.
const NEW_FOLDER: Duration = Duration::from_millis(100);

enum Wake {
    Changed(Vec<PathBuf>, EventKind),
    Failed(String),
    Stop,
}

/// Waits for changes below some paths.
pub(super) struct Watching {
    wakes: Receiver<Wake>,
    stop: Sender<Wake>,
    watcher: Option<RecommendedWatcher>,
    /// Where changes concern definitions.
    tools: Vec<PathBuf>,
    /// The system does not tell, or not of all.
    polls: bool,
    new_folder: bool,
}

/// Why somebody who waited goes on.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Waited {
    /// Definitions may have changed.
    pub tools: bool,
    /// It is to end.
    pub stop: bool,
    /// Watching failed, for the reason given: from now on files are looked at every second.
    pub failed: Option<String>,
}

impl Watching {
    /// Watches these paths from now on; says why not, where that does not work.
    pub fn start(sessions: &[PathBuf], tools: &[PathBuf]) -> (Self, Option<String>) {
        let (stop, wakes) = channel();
        let sender = stop.clone();
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            let wake = match event {
                // Reading is not writing: to heed it would mean to be woken by oneself.
                Ok(Event { kind: EventKind::Access(kind), .. }) if kind != AccessKind::Close(AccessMode::Write) => return,
                Ok(event) => Wake::Changed(event.paths, event.kind),
                Err(error) => Wake::Failed(error.to_string()),
            };
            // Nobody waits any more: the program is about to end.
            let _ = sender.send(wake);
        });
        let tools: Vec<PathBuf> = tools.iter().map(|path| absolute(path)).collect();
        let mut watching = Self { wakes, stop, watcher: None, tools, polls: false, new_folder: false };
        let failed = match watcher {
            Ok(watcher) => {
                watching.watcher = Some(watcher);
                let roots = sessions.iter().map(|path| absolute(path)).chain(watching.tools.clone());
                let failures: Vec<String> = roots.filter_map(|root| watching.watch(&root)).collect();
                failures.into_iter().next()
            }
            Err(error) => Some(error.to_string()),
        };
        watching.polls = failed.is_some();
        (watching, failed)
    }

    /// What to call to make whoever waits end.
    pub fn stopper(&self) -> impl FnOnce() + Send + 'static {
        let stop = self.stop.clone();
        move || {
            let _ = stop.send(Wake::Stop);
        }
    }

    /// Watches a folder, or the folder that a file stands in, as a file may be replaced by another. Says what went wrong.
    fn watch(&mut self, root: &Path) -> Option<String> {
        let folder = if root.is_dir() { root } else { root.parent().unwrap_or(root) };
        let mode = if root.is_dir() { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
        let watched = self.watcher.as_mut().map(|watcher| watcher.watch(folder, mode));
        watched.and_then(Result::err).map(|error| format!("{}: {error}", root.display()))
    }

    /// Waits until something changed and it has been quiet since, or until it is time to look anyway.
    pub fn wait(&mut self) -> Waited {
        let mut waited = Waited::default();
        let longest = match (self.new_folder, self.polls) {
            (true, _) => NEW_FOLDER,
            (_, true) => POLL,
            _ => BACKSTOP,
        };
        self.new_folder = false;
        let Ok(wake) = self.wakes.recv_timeout(longest) else {
            waited.tools = true;
            return waited;
        };
        self.heed(wake, &mut waited);
        let deadline = Instant::now() + PATIENCE;
        while !waited.stop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.wakes.recv_timeout(QUIET.min(left)) {
                Ok(wake) => self.heed(wake, &mut waited),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        waited
    }

    fn heed(&mut self, wake: Wake, waited: &mut Waited) {
        match wake {
            Wake::Stop => waited.stop = true,
            Wake::Failed(reason) => {
                self.polls = true;
                waited.failed = Some(reason);
            }
            Wake::Changed(paths, kind) => {
                self.new_folder |= matches!(kind, EventKind::Create(CreateKind::Folder | CreateKind::Any));
                // Without a path the system has lost track of what changed.
                waited.tools |= paths.is_empty() || paths.iter().any(|path| self.concerns_tools(path));
            }
        }
    }

    fn concerns_tools(&self, path: &Path) -> bool {
        self.tools.iter().any(|tools| path.starts_with(tools) || tools.starts_with(path))
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Waits until `wait` says something of interest; a system under load may tell of a change in several pieces.
    fn until(watching: &mut Watching, wanted: impl Fn(&Waited) -> bool) {
        let deadline = Instant::now() + Duration::from_secs(20);
        while !wanted(&watching.wait()) {
            assert!(Instant::now() < deadline, "nothing was told");
        }
    }

    #[test]
    fn changes_of_definitions_are_told_from_others() {
        let folder = tempfile::tempdir().unwrap();
        let (sessions, tools) = (folder.path().join("sessions"), folder.path().join("tools"));
        fs::create_dir(&sessions).unwrap();
        fs::create_dir(&tools).unwrap();
        let (mut watching, failed) = Watching::start(std::slice::from_ref(&sessions), std::slice::from_ref(&tools));
        assert_eq!(failed, None);
        fs::write(sessions.join("a.jsonl"), "x").unwrap();
        until(&mut watching, |waited| !waited.tools);
        fs::write(tools.join("t.json"), "x").unwrap();
        until(&mut watching, |waited| waited.tools);
        watching.stopper()();
        until(&mut watching, |waited| waited.stop);
    }

    #[test]
    fn what_cannot_be_watched_is_said() {
        let (watching, failed) = Watching::start(&[PathBuf::from("/nowhere/at/all")], &[]);
        assert!(watching.polls && failed.unwrap().contains("/nowhere/at/all"));
    }
}
