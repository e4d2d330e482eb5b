//! Finding what is new in the files, for an index.

use super::batch::Batch;
use super::file::{ScannedFile, Stamp};
use super::indexer::{Observer, Scan, Seen};
use super::names::Names;
use crate::capture::Options;
use crate::capture::problem::Problem;
use crate::capture::source::STDIN;
use crate::capture::walk::{Found, walk};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How many files keep what makes growing cheap; more than these are not written to at once.
const HOT: usize = 64;

/// Reads the files of some paths, again whenever it is asked to, and hands over what is new: for an index that lives in
/// another thread. It keeps 8 bytes a call.
pub struct Scanner {
    paths: Vec<PathBuf>,
    options: Options,
    files: Vec<ScannedFile>,
    numbers: HashMap<Arc<Path>, u32>,
    names: Names,
    /// Files that were read last, the latest last.
    hot: Vec<u32>,
    /// What a scan that was stopped left to be read, the next one last.
    left: Vec<u32>,
    /// When the paths were looked at last, and how long that took.
    looked: Option<(Instant, Duration)>,
}

/// While there is something left to be read, the paths are looked at again after so many times as long as that takes.
const LOOK_AGAIN: u32 = 20;

/// What a scan found besides calls.
#[derive(Debug, Default)]
pub struct Scanned {
    /// What was wrong with the paths themselves.
    pub problems: Vec<Problem>,
    /// How many files there are.
    pub files: usize,
    /// How many of them were read, as they are new or had changed.
    pub read: usize,
    /// The scan was stopped before its end.
    pub stopped: bool,
}

impl Scanner {
    /// A scanner of these paths (folders recursively), which has read nothing yet. Standard input cannot be scanned, as it
    /// cannot be read twice.
    #[must_use]
    pub fn new(paths: Vec<PathBuf>, options: Options) -> Self {
        Self {
            paths,
            options,
            files: Vec::new(),
            numbers: HashMap::new(),
            names: Names::default(),
            hot: Vec::new(),
            left: Vec::new(),
            looked: None,
        }
    }

    /// Looks at every path, reads what is new or has changed, and hands it over. Files come in the order of their last
    /// change, the newest first, so that a screen has what people look for before all is read.
    ///
    /// `go_on` is asked before each file; if it says no, the scan stops, and the next one goes on from there.
    pub fn scan(&mut self, sink: &mut dyn FnMut(Batch), go_on: &mut dyn FnMut() -> bool) -> Scanned {
        self.scan_all(&mut Observer { observe: &mut |_| {}, observed: false }, sink, go_on)
    }

    /// Like [`Scanner::scan`], and shows every new call whole while it is at hand, in the order of the entries of the batch
    /// that follows, and the definitions that stand before it: for somebody who judges calls as they come.
    pub fn scan_observed(
        &mut self,
        observe: &mut dyn FnMut(Seen<'_>),
        sink: &mut dyn FnMut(Batch),
        go_on: &mut dyn FnMut() -> bool,
    ) -> Scanned {
        self.scan_all(&mut Observer { observe, observed: true }, sink, go_on)
    }

    fn scan_all(&mut self, observer: &mut Observer<'_>, sink: &mut dyn FnMut(Batch), go_on: &mut dyn FnMut() -> bool) -> Scanned {
        let mut scanned = Scanned::default();
        let mut looked = self.left.is_empty() || self.looked.is_none_or(|(at, took)| at.elapsed() > took * LOOK_AGAIN);
        if looked {
            self.look(sink, &mut scanned);
        }
        loop {
            let Some(number) = self.left.pop() else {
                // What changed since an earlier scan looked is part of this one.
                if std::mem::replace(&mut looked, true) {
                    break;
                }
                self.look(sink, &mut scanned);
                continue;
            };
            if !go_on() {
                scanned.stopped = true;
                self.left.push(number);
                break;
            }
            scanned.read += 1;
            self.read(number, observer, sink, &mut scanned.problems);
        }

        scanned
    }

    /// Looks at every path, and finds what is to be read.
    fn look(&mut self, sink: &mut dyn FnMut(Batch), scanned: &mut Scanned) {
        let started = Instant::now();
        let mut found = walk(&self.paths, &mut |problem| scanned.problems.push(problem));
        found.retain(|file| file.path.as_os_str() != STDIN);
        scanned.files = found.len();
        let present: HashSet<u32> = found.iter().map(|file| self.number(file)).collect();
        for file in &mut self.files {
            if !present.contains(&file.number) && file.vanish() {
                sink(Batch::gone(file));
            }
        }
        let mut stale: Vec<(Option<std::time::SystemTime>, u32)> = present.iter().filter_map(|n| self.stale(*n)).collect();
        stale.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
        self.left = stale.into_iter().map(|(_, number)| number).collect();
        self.looked = Some((started, started.elapsed()));
    }

    /// Like [`Scanner::scan_observed`], but looks only at these files, for somebody who has been told which were written to.
    /// Files that were not there at the last scan, and new folders, need a scan of all.
    pub fn scan_files(&mut self, files: &[PathBuf], observe: &mut dyn FnMut(Seen<'_>), sink: &mut dyn FnMut(Batch)) -> Scanned {
        let mut scanned = Scanned { files: files.len(), ..Scanned::default() };
        for path in files {
            let Some(number) = self.numbers.get(path.as_path()).copied() else { continue };
            match fs::metadata(path) {
                Ok(data) if self.files[number as usize].is_stale(&Stamp::of(&data)) => {
                    scanned.read += 1;
                    self.read(number, &mut Observer { observe, observed: true }, sink, &mut scanned.problems);
                }
                Ok(_) => {}
                Err(_) => {
                    let file = &mut self.files[number as usize];
                    if file.vanish() {
                        sink(Batch::gone(file));
                    }
                }
            }
        }
        scanned
    }

    fn number(&mut self, found: &Found) -> u32 {
        let next = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(Arc::clone(&found.path)).or_insert(next);
        if number == next {
            self.files.push(ScannedFile::new(Arc::clone(&found.path), number, found.named));
        }
        number
    }

    fn stale(&self, number: u32) -> Option<(Option<std::time::SystemTime>, u32)> {
        let file = &self.files[number as usize];
        // What cannot be looked at is tried, and says why.
        match fs::metadata(&file.path) {
            Ok(data) => {
                let stamp = Stamp::of(&data);
                file.is_stale(&stamp).then_some((stamp.modified(), number))
            }
            Err(_) => Some((None, number)),
        }
    }

    fn read(&mut self, number: u32, observer: &mut Observer<'_>, sink: &mut dyn FnMut(Batch), problems: &mut Vec<Problem>) {
        let file = &mut self.files[number as usize];
        let mut scan = Scan { options: &self.options, names: &mut self.names, observer, sink };
        if let Err(error) = file.read(&mut scan) {
            // It vanished, or cannot be read any more: what was known of it is as good as gone.
            if file.vanish() {
                sink(Batch::gone(file));
            }
            problems.push(Problem::io(&file.path, &error));
        }
        self.hot.retain(|hot| *hot != number);
        self.hot.push(number);
        if self.hot.len() > HOT {
            let cold = self.hot.remove(0);
            self.files[cold as usize].rest();
        }
    }
}
