//! An index of captured calls: a few bytes a call, the rest read from the files when it is shown.
//!
//! A [`Scanner`] reads the files, in a thread of its own where that matters, and hands over [`Batch`]es; the [`Index`] takes them
//! in and says what changed. A file that grew is read from where its last complete value ended; one that was cut or replaced
//! is read anew, and of its calls those that are still the same stay.
//!
//! ```
//! use misfire::capture::{Options, index::{Index, Scanner}};
//!
//! let mut scanner = Scanner::new(vec!["sessions".into()], Options::default());
//! let mut index = Index::default();
//! scanner.scan(&mut |batch| { index.apply(batch); }, &mut || true);
//! for id in index.calls() {
//!     let entry = index.entry(id).unwrap();
//!     if index.name(entry.tool()) == "TaskUpdate" {
//!         println!("{:?}", index.read(id).unwrap().arguments);
//!     }
//! }
//! ```

mod batch;
mod entry;
mod file;
mod indexer;
mod names;
mod read;
mod scanner;

pub use batch::Batch;
pub use entry::{CallId, Entry, Name};
pub use indexer::Seen;
pub use scanner::{Scanned, Scanner};

use self::batch::Layout;
use self::entry::MODELS;
use super::call::{Call, CapturedTools};
use super::format::Context;
use super::options::FormatName;
use super::problem::Problem;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Every call that has been scanned.
#[derive(Default)]
pub struct Index {
    /// By number; a file that is gone leaves an empty place.
    files: Vec<Option<IndexedFile>>,
    names: Vec<Box<str>>,
    models: Vec<Box<str>>,
    /// The calls of the document that was read last.
    document: Mutex<Option<(u32, Vec<Call>)>>,
}

struct IndexedFile {
    path: Arc<Path>,
    format: Option<FormatName>,
    layout: Layout,
    entries: Vec<Entry>,
    contexts: Vec<(u64, Context)>,
    tools: Vec<CapturedTools>,
    problems: Vec<Problem>,
    read_to: u64,
}

/// What a batch changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// The file's number.
    pub file: u32,
    /// Calls that are not there any more, by their numbers before the change.
    pub removed: Range<u32>,
    /// Calls that are new, by their numbers after it.
    pub added: Range<u32>,
    /// Calls that now have a result.
    pub answered: Vec<u32>,
    /// The file itself is gone.
    pub gone: bool,
}

impl Index {
    /// Takes in what a scanner found.
    pub fn apply(&mut self, batch: Batch) -> Change {
        self.names.extend(batch.names.names);
        self.models.extend(batch.names.models);
        let slot = batch.file as usize;
        if self.files.len() <= slot {
            self.files.resize_with(slot + 1, || None);
        }
        if let Ok(mut document) = self.document.lock() {
            document.take_if(|(file, _)| *file == batch.file);
        }
        let mut change = Change { file: batch.file, gone: batch.gone, ..Change::default() };
        let place = &mut self.files[slot];
        let before = place.as_ref().map_or(0, |file| count(&file.entries));
        if batch.restarts {
            if batch.same < before {
                change.removed = batch.same..before;
            }
            *place = None;
        }
        if batch.gone {
            return change;
        }
        let file = place.get_or_insert_with(|| IndexedFile::new(batch.path));
        file.format = batch.format.or(file.format);
        file.layout = batch.layout;
        let first = if batch.restarts { batch.same.min(before) } else { count(&file.entries) };
        file.entries.extend(batch.added);
        change.added = first..count(&file.entries);
        for (number, answer) in batch.answers {
            if let Some(entry) = file.entries.get_mut(number as usize) {
                entry.answer(&answer);
                if number < change.added.start {
                    change.answered.push(number);
                }
            }
        }
        file.contexts.extend(batch.contexts);
        file.tools.extend(batch.tools);
        file.problems.extend(batch.problems);
        file.read_to = batch.read_to;
        change
    }

    /// The files in the order of their paths, by number.
    #[must_use]
    pub fn files(&self) -> Vec<u32> {
        let mut files: Vec<(u32, &Path)> = (0..).zip(&self.files).filter_map(|(n, f)| Some((n, &*f.as_ref()?.path))).collect();
        files.sort_unstable_by(|a, b| a.1.cmp(b.1));
        files.into_iter().map(|(number, _)| number).collect()
    }

    /// Every call, by files in the order of their paths.
    pub fn calls(&self) -> impl Iterator<Item = CallId> {
        self.files().into_iter().flat_map(|file| (0..count(self.entries(file))).map(move |call| CallId { file, call }))
    }

    /// How many calls there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.files.iter().flatten().map(|file| file.entries.len()).sum()
    }

    /// Whether there are no calls.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.iter().flatten().all(|file| file.entries.is_empty())
    }

    /// The calls of a file, in order.
    #[must_use]
    pub fn entries(&self, file: u32) -> &[Entry] {
        self.file(file).map_or(&[], |file| &file.entries)
    }

    /// A call.
    #[must_use]
    pub fn entry(&self, id: CallId) -> Option<&Entry> {
        self.entries(id.file).get(id.call as usize)
    }

    /// A file's path.
    #[must_use]
    pub fn path(&self, file: u32) -> Option<&Arc<Path>> {
        self.file(file).map(|file| &file.path)
    }

    /// A file's format, once it is known.
    #[must_use]
    pub fn format(&self, file: u32) -> Option<FormatName> {
        self.file(file).and_then(|file| file.format)
    }

    /// What could not be read in a file.
    #[must_use]
    pub fn problems(&self, file: u32) -> &[Problem] {
        self.file(file).map_or(&[], |file| &file.problems)
    }

    /// The tool definitions that a file carries.
    #[must_use]
    pub fn tools(&self, file: u32) -> &[CapturedTools] {
        self.file(file).map_or(&[], |file| &file.tools)
    }

    /// How many bytes have been read, over all files.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.iter().flatten().map(|file| file.read_to).sum()
    }

    /// Every name but those of models.
    pub fn names(&self) -> impl Iterator<Item = Name> {
        (1..=u32::try_from(self.names.len()).unwrap_or(u32::MAX)).map(Name)
    }

    /// The text of a name.
    #[must_use]
    pub fn name(&self, name: Name) -> &str {
        let (table, number) = if name.0 & MODELS == 0 { (&self.names, name.0) } else { (&self.models, name.0 & !MODELS) };
        number.checked_sub(1).and_then(|n| table.get(n as usize)).map_or("", |name| name)
    }

    fn file(&self, file: u32) -> Option<&IndexedFile> {
        self.files.get(file as usize)?.as_ref()
    }
}

impl IndexedFile {
    fn new(path: Arc<Path>) -> Self {
        Self {
            path,
            format: None,
            layout: Layout::Lines,
            entries: Vec::new(),
            contexts: Vec::new(),
            tools: Vec::new(),
            problems: Vec::new(),
            read_to: 0,
        }
    }

    /// What the format remembered when it came to this offset.
    fn context_at(&self, offset: u64) -> Context {
        let before = self.contexts.partition_point(|(at, _)| *at <= offset);
        before.checked_sub(1).map_or_else(Context::default, |n| self.contexts[n].1.clone())
    }
}

fn count(entries: &[Entry]) -> u32 {
    u32::try_from(entries.len()).unwrap_or(u32::MAX)
}
