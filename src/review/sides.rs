//! The two catalogs that are compared: where they come from, and what could not be read of them.

use crate::definition::git::{GitError, Repository};
use crate::definition::{Catalog, Finding, FindingKind, NamedSet};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Both sides of a review.
#[derive(Debug)]
pub struct Sides {
    /// The definitions before the change.
    pub before: Catalog,
    /// The definitions after it.
    pub after: Catalog,
    /// What is compared with, in words.
    pub base: String,
    /// What is compared, in words.
    pub head: String,
    /// What could not be read after the change, so that it was not compared.
    pub unreadable: Vec<String>,
    /// What people should know besides.
    pub warnings: Vec<String>,
    /// Something that should have been compared was not.
    pub failed: bool,
}

impl Sides {
    /// Reads both sides: the paths as they are, and what they are compared with, which is a path, a git revision, or without
    /// either the merge base with the default branch.
    ///
    /// # Errors
    /// Why there is nothing to compare with, and what to do, in words.
    pub fn of(paths: &[PathBuf], base: Option<&str>, against: Option<&Path>) -> Result<Self, String> {
        let shown: Vec<String> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
        let head = shown.join(", ");
        if let Some(against) = against {
            return Self::against(paths, against, head);
        }
        if let Some(set) = paths.iter().find(|path| NamedSet::is_name(path)) {
            let name = set.display();
            return Err(format!("{name} is part of the program and has no history; name what to compare with: --against PATH"));
        }
        Self::git(paths, base, head).map_err(|error| {
            let advice = if error.has_no_history() { "; name what to compare with: --against PATH" } else { "" };
            format!("{error}{advice}")
        })
    }

    fn against(paths: &[PathBuf], against: &Path, head: String) -> Result<Self, String> {
        for path in paths.iter().map(PathBuf::as_path).chain([against]) {
            if !NamedSet::is_name(path) && !path.exists() {
                return Err(format!("{}: does not exist", path.display()));
            }
        }
        let before = Catalog::load(&[against.to_owned()]);
        let after = Catalog::load(paths);
        let roots = (paths.to_vec(), vec![against.to_owned()]);
        Ok(Self::compared(before, after, format!("`{}`", against.display()), head, &roots))
    }

    fn git(paths: &[PathBuf], base: Option<&str>, head: String) -> Result<Self, GitError> {
        let (before, revision) = Repository::at(paths, base)?;
        // What is gone from the working tree was deleted, if it was there: its tools were removed.
        let (there, gone): (Vec<PathBuf>, Vec<PathBuf>) = paths.iter().cloned().partition(|path| path.exists());
        let after = Catalog::load_own(&there);
        let roots = (paths.to_vec(), paths.to_vec());
        let mut sides = Self::compared(before, after, revision.words(), head, &roots);
        for path in gone {
            let was_there = sides.before.definitions().iter().any(|definition| definition.path().starts_with(&path));
            if was_there {
                sides.warnings.push(format!("{}: is gone; the tools that it held were removed", path.display()));
            } else {
                sides.warnings.push(format!("{}: is neither here nor in the base; check the path", path.display()));
                sides.failed = true;
            }
        }
        Ok(sides)
    }

    /// Leaves out what cannot be compared: the tools of files that cannot be read any more were not removed.
    fn compared(before: Catalog, after: Catalog, base: String, head: String, roots: &(Vec<PathBuf>, Vec<PathBuf>)) -> Self {
        let mut unreadable = Vec::new();
        let mut warnings = Vec::new();
        let mut broken: HashSet<PathBuf> = HashSet::new();
        for finding in after.findings() {
            if finding.kind == FindingKind::Unreadable {
                broken.insert(below(&finding.path, &roots.0));
                unreadable.push(finding.to_string());
            }
            warnings.push(finding.to_string());
        }
        // What is left out is left out on both sides: once is enough.
        let said = |finding: &Finding| finding.kind == FindingKind::Skipped && after.findings().contains(finding);
        for finding in before.findings().iter().filter(|finding| finding.kind != FindingKind::Empty && !said(finding)) {
            warnings.push(format!("in the base: {finding}"));
        }
        let failed = !unreadable.is_empty();
        let before = if broken.is_empty() {
            before
        } else {
            before.filtered(|definition| {
                after.get(definition.name()).is_some() || !broken.contains(&below(definition.path(), &roots.1))
            })
        };
        Self { before, after, base, head, unreadable, warnings, failed }
    }
}

/// A path below the path that was given, so that files of both sides can be told to be the same.
fn below(path: &Path, roots: &[PathBuf]) -> PathBuf {
    roots.iter().find_map(|root| path.strip_prefix(root).ok()).unwrap_or(path).to_owned()
}
