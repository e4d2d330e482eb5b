//! What a scanner found, on its way to the index.

use super::entry::{Answer, Entry};
use super::file::ScannedFile;
use super::names::NewNames;
use crate::capture::FormatName;
use crate::capture::call::CapturedTools;
use crate::capture::format::Context;
use crate::capture::problem::Problem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How the units of a file are found again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Layout {
    /// By their offsets: values of lines.
    #[default]
    Lines,
    /// By their offsets: values of lines of server-sent events.
    Events,
    /// By reading all of it: a document, or a compressed file.
    Whole,
}

/// News of one file, made by a [`Scanner`](super::Scanner) and taken in by [`Index::apply`](super::Index::apply). Batches must be
/// applied in the order in which they were made.
pub struct Batch {
    pub(super) file: u32,
    pub(super) path: Arc<Path>,
    /// The file was read anew from its start: what was known of it is replaced.
    pub(super) restarts: bool,
    /// Of a file read anew: so many of its first calls are the same as before.
    pub(super) same: u32,
    /// The file is not there any more.
    pub(super) gone: bool,
    pub(super) layout: Layout,
    pub(super) format: Option<FormatName>,
    pub(super) added: Vec<Entry>,
    pub(super) answers: Vec<(u32, Answer)>,
    /// What the format remembers from these offsets on.
    pub(super) contexts: Vec<(u64, Context)>,
    pub(super) tools: Vec<CapturedTools>,
    pub(super) names: NewNames,
    pub(super) problems: Vec<Problem>,
    pub(super) read_to: u64,
}

impl Batch {
    pub(super) fn new(file: &ScannedFile) -> Self {
        Self {
            file: file.number,
            path: Arc::clone(&file.path),
            restarts: false,
            same: 0,
            gone: false,
            layout: Layout::Lines,
            format: None,
            added: Vec::new(),
            answers: Vec::new(),
            contexts: Vec::new(),
            tools: Vec::new(),
            names: NewNames::default(),
            problems: Vec::new(),
            read_to: 0,
        }
    }

    pub(super) fn gone(file: &ScannedFile) -> Self {
        Self { gone: true, restarts: true, ..Self::new(file) }
    }

    /// The file's number, the same in every batch about it.
    #[must_use]
    pub fn file(&self) -> u32 {
        self.file
    }

    /// Whether the file was read anew from its start, so that its calls are those of this batch and no others.
    #[must_use]
    pub fn restarts(&self) -> bool {
        self.restarts
    }

    /// Whether the file is not there any more.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.gone
    }

    /// What could not be read.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Says what else could not be read.
    pub(crate) fn report(&mut self, problems: impl IntoIterator<Item = Problem>) {
        self.problems.extend(problems);
    }

    /// The file that it is about.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.path.to_path_buf()
    }
}
