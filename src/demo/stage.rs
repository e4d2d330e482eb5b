//! The temporary folder of a demonstration.

use super::{SESSIONS, Step, TOOLS, session};
use crate::capture::{Call, write_call};
use crate::definition::NamedSet;
use crate::gate::Arguments;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder with definitions and a session, which is removed with everything in it when this is dropped.
#[derive(Debug)]
pub struct Stage {
    folder: PathBuf,
    calls: AtomicUsize,
}

impl Stage {
    /// Sets it up in the system's folder for temporary files.
    ///
    /// # Errors
    /// If that cannot be written; the error says which folder.
    pub fn set_up() -> io::Result<Self> {
        let stage = Self { folder: new_folder()?, calls: AtomicUsize::new(0) };
        for (path, text) in NamedSet::get("@wave").into_iter().flat_map(NamedSet::texts) {
            let path = stage.folder.join(TOOLS).join(path);
            at(&path, path.parent().map_or(Ok(()), fs::create_dir_all))?;
            at(&path, fs::write(&path, text))?;
        }
        let sessions = stage.folder.join(SESSIONS);
        at(&sessions, fs::create_dir(&sessions))?;
        Ok(stage)
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Lets one step happen.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn perform(&self, step: &Step, time: &str) -> io::Result<()> {
        match step {
            Step::Call { tool, arguments } => {
                let number = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
                let call = Call {
                    id: Some(format!("call_{number}")),
                    at: Some(time.to_owned()),
                    session: Some("ferry".to_owned()),
                    model: Some("example-large".to_owned()),
                    ..Call::new(tool.as_str(), Arguments::text(arguments))
                };
                let path = self.folder.join(session());
                let mut file = at(&path, fs::OpenOptions::new().create(true).append(true).open(&path))?;
                at(&path, file.write_all((write_call(&call) + "\n").as_bytes()))
            }
            Step::Change { file, replace, with, .. } => {
                let path = self.folder.join(file);
                let text = at(&path, fs::read_to_string(&path))?.replace(replace, with);
                // As editors save: whoever reads it has the old text or the new one.
                let new = path.with_extension("new");
                at(&path, fs::write(&new, text).and_then(|()| fs::rename(&new, &path)))
            }
        }
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // What cannot be removed is in the system's folder for such files, which the system clears.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A folder that was not there before, for this person only.
fn new_folder() -> io::Result<PathBuf> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    // The program goes into the folder: a relative path would then name another one.
    let temporary = std::path::absolute(std::env::temp_dir())?;
    let process = std::process::id();
    for n in 1..1000 {
        let folder = temporary.join(format!("misfire-demo-{process}-{n}"));
        match builder.create(&folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return at(&folder, made.map(|()| folder.clone())),
        }
    }
    Err(io::Error::other(format!("{} is full of folders of ours", temporary.display())))
}

/// The error says which file it is about.
fn at<T>(path: &Path, result: io::Result<T>) -> io::Result<T> {
    result.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::super::{Step, steps};
    use super::*;
    use crate::gate::Profile;
    use crate::replay::Engine;

    #[test]
    fn the_story_shows_every_verdict_and_flips_and_leaves_nothing() {
        let stage = Stage::set_up().unwrap();
        let folder = stage.folder().to_owned();
        let mut engine = Engine::open(&[folder.join(TOOLS)], vec![folder.join(SESSIONS)], Profile::default());
        assert_eq!(engine.catalog().findings(), []);
        let (mut kinds, mut flips) = (Vec::new(), Vec::new());
        for step in steps() {
            stage.perform(&step, "2026-12-01T08:00:00Z").unwrap();
            let mut take_in = |news| match news {
                crate::replay::News::Calls { added, .. } => kinds.extend(added.iter().map(|row| row.outcome.kind.name())),
                crate::replay::News::Definitions { flips: now, .. } => flips.push(now.len()),
                _ => {}
            };
            engine.scan(&mut take_in, &mut || true);
            if matches!(step, Step::Change { .. }) {
                engine.reload(&mut take_in);
            }
        }
        assert_eq!(flips, [2, 1], "two calls fail after the first change, and after the second only a call is mended");
        for kind in ["accepted", "rejected", "unparsable", "unknown_tool"] {
            assert!(kinds.contains(&kind), "{kind} in {kinds:?}");
        }
        drop(stage);
        assert!(!folder.exists());
    }
}
