//! From the paths that were asked for to the files that are there.

use super::glob;
use super::problem::{Problem, ProblemKind};
use super::source::STDIN;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub path: Arc<Path>,
    /// It was asked for by name, so that it is an error if it holds nothing that can be read.
    pub named: bool,
}

/// Every file below these paths, in the order in which captures are read; standard input is not among them.
#[must_use]
pub fn files(paths: &[PathBuf]) -> Vec<PathBuf> {
    let found = walk(paths, &mut |_| {});
    found.into_iter().filter(|file| file.path.as_os_str() != STDIN).map(|file| file.path.to_path_buf()).collect()
}

/// Every file, in the order of the paths given, folders recursively in the order of their paths.
pub(crate) fn walk(paths: &[PathBuf], problem: &mut dyn FnMut(Problem)) -> Vec<Found> {
    let mut walk = Walk { files: Vec::new(), folders: HashSet::new(), seen: HashSet::new(), problem };
    for path in paths {
        walk.root(path);
    }
    walk.files
}

struct Walk<'p> {
    files: Vec<Found>,
    /// Folders that have been read, by their real paths.
    folders: HashSet<PathBuf>,
    seen: HashSet<Arc<Path>>,
    problem: &'p mut dyn FnMut(Problem),
}

impl Walk<'_> {
    fn root(&mut self, path: &Path) {
        let shared: Arc<Path> = Arc::from(path);
        if path.as_os_str() == STDIN {
            self.add(shared, true);
            return;
        }
        match fs::metadata(path) {
            Ok(data) if data.is_dir() => self.folder(path),
            // A FIFO that was asked for by name is meant to be read: `misfire check <(zcat …)`.
            Ok(_) => self.add(shared, true),
            Err(error) => {
                let matching = if glob::is_pattern(path) { glob::expand(path) } else { Vec::new() };
                if matching.is_empty() {
                    (self.problem)(Problem::io(&shared, &error));
                }
                for path in matching {
                    if path.is_dir() {
                        self.folder(&path);
                    } else {
                        self.add(Arc::from(path), true);
                    }
                }
            }
        }
    }

    fn add(&mut self, path: Arc<Path>, named: bool) {
        if self.seen.insert(Arc::clone(&path)) {
            self.files.push(Found { path, named });
        }
    }

    /// Folders may be nested deeper than a stack, so they wait on one of our own.
    fn folder(&mut self, root: &Path) {
        let mut waiting = vec![root.to_path_buf()];
        while let Some(path) = waiting.pop() {
            let shared: Arc<Path> = Arc::from(path.as_path());
            let data = match fs::metadata(&path) {
                Ok(data) => data,
                Err(error) => {
                    let broken_link = fs::symlink_metadata(&path).is_ok_and(|data| data.is_symlink());
                    // A file that vanished since the folder was read is nobody's mistake; a link to nowhere stays there.
                    if broken_link || error.kind() != std::io::ErrorKind::NotFound {
                        (self.problem)(link_problem(&shared, &error));
                    }
                    continue;
                }
            };
            if data.is_file() {
                self.add(shared, false);
            } else if !data.is_dir() {
                (self.problem)(Problem::of_file(&shared, ProblemKind::NotAFile));
            } else if self.enter(&path) {
                let mut inside = self.list(&path);
                inside.sort_unstable_by(|a, b| b.cmp(a));
                waiting.append(&mut inside);
            } else {
                (self.problem)(Problem::of_file(&shared, ProblemKind::LinkLoop));
            }
        }
    }

    fn enter(&mut self, folder: &Path) -> bool {
        let real = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
        self.folders.insert(real)
    }

    fn list(&mut self, folder: &Path) -> Vec<PathBuf> {
        let mut inside = Vec::new();
        let listed = fs::read_dir(folder).and_then(|entries| {
            for entry in entries {
                inside.push(entry?.path());
            }
            Ok(())
        });
        if let Err(error) = listed {
            (self.problem)(Problem::io(&Arc::from(folder), &error));
        }
        inside
    }
}

/// Too many links in a row (`ELOOP`) is a link that leads to itself.
fn link_problem(path: &Arc<Path>, error: &std::io::Error) -> Problem {
    match error.kind() {
        std::io::ErrorKind::NotFound => Problem::of_file(path, ProblemKind::Missing),
        _ if fs::symlink_metadata(path).is_ok_and(|data| data.is_symlink()) => Problem::of_file(path, ProblemKind::LinkLoop),
        _ => Problem::io(path, error),
    }
}
