//! What the watched files held when they were last looked at.

use super::Accept;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::hash::Hasher;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Files up to this size are compared by content; larger ones, which are captures that grow, by size and time.
const COMPARED_WHOLE: u64 = 1024 * 1024;

/// What identifies a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Print {
    Content(u64),
    Large {
        size: u64,
        modified: Option<SystemTime>,
    },
    /// It is there and cannot be read: whoever reads it will say why.
    Unreadable,
}

impl Print {
    /// Of the file at this path; none where there is no file.
    fn of(path: &Path) -> Option<Self> {
        match Self::read(path) {
            Ok(print) => print,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => None,
            Err(_) => Some(Self::Unreadable),
        }
    }

    fn read(path: &Path) -> io::Result<Option<Self>> {
        let metadata = fs::metadata(path)?;
        // A pipe would be waited for.
        if !metadata.is_file() {
            return Ok(None);
        }
        if metadata.len() > COMPARED_WHOLE {
            return Ok(Some(Self::Large { size: metadata.len(), modified: metadata.modified().ok() }));
        }
        let mut content = Vec::new();
        File::open(path)?.take(COMPARED_WHOLE + 1).read_to_end(&mut content)?;
        let mut hasher = DefaultHasher::new();
        hasher.write(&content);
        Ok(Some(Self::Content(hasher.finish())))
    }
}

/// The files below the roots.
#[derive(Debug)]
pub(super) struct Known {
    roots: Vec<PathBuf>,
    accept: Accept,
    files: BTreeMap<PathBuf, Print>,
}

/// What a look found.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub changed: Vec<PathBuf>,
    /// Known and not there now.
    pub missing: Vec<PathBuf>,
}

impl Found {
    pub fn merge(&mut self, other: Self) {
        self.changed.extend(other.changed);
        self.missing.extend(other.missing);
    }
}

impl Known {
    pub fn new(roots: Vec<PathBuf>, accept: Accept) -> Self {
        Self { roots, accept, files: BTreeMap::new() }
    }

    pub fn roots(&self) -> &[PathBuf] {
        &self.roots
    }

    /// Looks everywhere.
    pub fn look(&mut self) -> Found {
        let mut found = Found::default();
        for root in self.roots.clone() {
            self.look_below(&root, &mut found);
        }
        found
    }

    /// Looks at one place: a file, or a folder that came or went.
    pub fn look_at(&mut self, path: &Path) -> Found {
        let mut found = Found::default();
        // Folders are watched from outside for files named as roots: then the neighbours are none of our business.
        if self.roots.iter().any(|root| path.starts_with(root)) {
            self.look_below(path, &mut found);
        } else if self.roots.iter().any(|root| root.starts_with(path)) {
            return self.look();
        }
        found
    }

    fn look_below(&mut self, path: &Path, found: &mut Found) {
        let mut present = Vec::new();
        let is_root = self.roots.iter().any(|root| root == path);
        collect(path, is_root, self.accept, &mut HashSet::new(), &mut present);
        for file in present {
            let Some(print) = Print::of(&file) else { continue };
            if self.files.insert(file.clone(), print) != Some(print) {
                found.changed.push(file);
            }
        }
        let below = self.files.range(path.to_owned()..).map(|(file, _)| file).take_while(|file| file.starts_with(path));
        found.missing.extend(below.filter(|file| !file.is_file()).cloned());
    }

    /// Looks once more at a file that was missing: true if it is still known and still missing, and then it is known no more.
    pub fn is_gone(&mut self, path: &Path) -> bool {
        Print::of(path).is_none() && self.files.remove(path).is_some()
    }
}

/// The files at or below a path. A link to a folder is followed, but no folder is entered twice; version control's own folder
/// never. A file that was named by the person is taken whatever it is called.
fn collect(path: &Path, named: bool, accept: Accept, seen: &mut HashSet<PathBuf>, into: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let is_new = fs::canonicalize(path).is_ok_and(|real| seen.insert(real));
        if !is_new || path.file_name().is_some_and(|name| name == ".git") {
            return;
        }
        let Ok(entries) = fs::read_dir(path) else { return };
        for entry in entries.flatten() {
            collect(&entry.path(), false, accept, seen, into);
        }
    } else if (named || accept(path)) && path.is_file() {
        into.push(path.to_owned());
    }
}
