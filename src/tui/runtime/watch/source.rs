//! Being told by the system.

use crossbeam_channel::Sender;
use notify::event::{AccessKind, AccessMode};
use notify::{ErrorKind, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What the system says.
#[derive(Debug)]
pub(super) enum Told {
    /// Something happened here.
    At(Vec<PathBuf>),
    /// Something was lost: there was too much to tell.
    Overflow,
    /// It cannot tell any more.
    Failed(String),
}

/// The system's watches.
pub(super) struct Source {
    watcher: RecommendedWatcher,
    armed: BTreeMap<PathBuf, RecursiveMode>,
}

impl Source {
    /// Without any watch yet.
    pub fn new(to: Sender<Told>) -> Result<Self, String> {
        let handler = move |event: notify::Result<notify::Event>| {
            if let Some(told) = interpret(event) {
                // An error means that the watch has ended.
                let _ = to.send(told);
            }
        };
        let watcher = notify::recommended_watcher(handler).map_err(|error| explain(&error))?;
        Ok(Self { watcher, armed: BTreeMap::new() })
    }

    /// What to watch for a root: a folder with all below it, a file by its folder.
    pub fn folder_of(root: &Path) -> (&Path, RecursiveMode) {
        if root.is_dir() {
            return (root, RecursiveMode::Recursive);
        }
        let parent = root.parent().filter(|parent| !parent.as_os_str().is_empty());
        (parent.unwrap_or(Path::new(".")), RecursiveMode::NonRecursive)
    }

    /// Watches a root that exists.
    pub fn arm(&mut self, root: &Path) -> Result<(), String> {
        let (folder, mode) = Self::folder_of(root);
        // Two files of one folder are one watch, and a folder's own is not to be narrowed by a file in it.
        if self.armed.get(folder).is_some_and(|armed| *armed == RecursiveMode::Recursive || *armed == mode) {
            return Ok(());
        }
        self.watcher.watch(folder, mode).map_err(|error| explain(&error))?;
        self.armed.insert(folder.to_owned(), mode);
        Ok(())
    }

    /// Forgets what was watched for a root, which is gone or has been replaced: the system has already.
    pub fn disarm(&mut self, root: &Path) {
        for folder in [root, Self::folder_of(root).0] {
            if self.armed.remove(folder).is_some() {
                let _ = self.watcher.unwatch(folder);
            }
        }
    }
}

fn interpret(event: notify::Result<notify::Event>) -> Option<Told> {
    let event = match event {
        Ok(event) => event,
        Err(error) if matches!(error.kind, ErrorKind::PathNotFound | ErrorKind::WatchNotFound) => return None,
        Err(error) => return Some(Told::Failed(explain(&error))),
    };
    if event.need_rescan() {
        return Some(Told::Overflow);
    }
    match event.kind {
        // Reading is what we and everybody else do all the time.
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => {}
        EventKind::Access(_) => return None,
        _ => {}
    }
    (!event.paths.is_empty()).then_some(Told::At(event.paths))
}

/// In words for people, with what to do about it where something can be done.
fn explain(error: &notify::Error) -> String {
    match &error.kind {
        ErrorKind::MaxFilesWatch => "too many watches; fs.inotify.max_user_watches is the limit".to_owned(),
        ErrorKind::Io(error) if error.raw_os_error() == Some(24) => {
            "too many watchers; fs.inotify.max_user_instances is the limit".to_owned()
        }
        ErrorKind::Io(error) => error.to_string(),
        ErrorKind::Generic(text) => text.clone(),
        kind => format!("{kind:?}"),
    }
}
