//! Following sessions as an agent writes them: every call once, whatever happens to the files.
//!
//! A scanner knows what became of a file: it grew, or was read anew from its start, or is gone. What it cannot know is that a
//! file that is read anew, or one that appears, holds calls that were there before: a document that is written again with
//! every message, a log that was renamed or copied away to make room, a session that was resumed with its history. The
//! follower keeps 16 bytes a call to know them again.

mod lineage;

use self::lineage::{Lineage, Mark, Twin, is_rotated_name};
use crate::capture::index::{Scanner, Seen};
use crate::capture::{Call, CapturedTools, Options, Problem};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};

/// How many files that were replaced or removed are remembered: they come back under another name soon or never.
const DEPARTED: usize = 64;

/// Something that a scan found.
#[derive(Debug)]
pub enum Found<'a> {
    /// A file carries definitions: the calls that come from it after them are judged by them.
    Tools(&'a CapturedTools),
    /// A call that was not there before.
    Call(&'a Call),
    /// Something could not be read.
    Problem(&'a Problem),
}

/// Reads what is new below some paths, again and again.
pub struct Follower {
    scanner: Scanner,
    files: HashMap<u32, Lineage>,
    departed: VecDeque<Lineage>,
    /// Calls that can be told from all others by their id and time.
    seen: HashSet<u64>,
    started: bool,
    /// Problems that have been said of paths.
    said: HashSet<String>,
}

/// What a scan found in one file, kept until it is known what became of the other files.
struct Arrival {
    file: u32,
    path: PathBuf,
    restarts: bool,
    gone: bool,
    items: Vec<Item>,
    problems: Vec<Problem>,
}

enum Item {
    Tools(CapturedTools),
    Call(Box<Call>),
}

impl Follower {
    /// A follower of these paths, which has read nothing yet.
    #[must_use]
    pub fn new(paths: Vec<PathBuf>, options: Options) -> Self {
        Self {
            scanner: Scanner::new(paths, options),
            files: HashMap::new(),
            departed: VecDeque::new(),
            seen: HashSet::new(),
            started: false,
            said: HashSet::new(),
        }
    }

    /// How many files hold, or held, calls.
    #[must_use]
    pub fn files(&self) -> usize {
        self.files.values().filter(|lineage| !lineage.is_empty()).count()
    }

    /// Reads what is new and hands it over: the first time everything, file by file as it is read, the files changed last first.
    ///
    /// `go_on` is asked before each file; if it says no, the scan stops, and the next one goes on from there.
    pub fn scan(&mut self, take: &mut dyn FnMut(Found<'_>), go_on: &mut dyn FnMut() -> bool) {
        if self.started {
            self.scan_on(take, go_on);
        } else {
            self.scan_all(take, go_on);
        }
    }

    /// The first scan: nothing can be a repeat of what another file held, except inside a file, which the scanner knows.
    fn scan_all(&mut self, take: &mut dyn FnMut(Found<'_>), go_on: &mut dyn FnMut() -> bool) {
        let take = RefCell::new(take);
        let marks: RefCell<Vec<Mark>> = RefCell::default();
        let (files, seen) = (&mut self.files, &mut self.seen);
        let scanned = self.scanner.scan_observed(
            &mut |seen| match seen {
                Seen::Call(call) => {
                    marks.borrow_mut().push(Mark::of(call));
                    (take.borrow_mut())(Found::Call(call));
                }
                Seen::Tools(tools) => (take.borrow_mut())(Found::Tools(tools)),
                Seen::File(..) => {}
            },
            &mut |batch| {
                let lineage = files.entry(batch.file()).or_insert_with(|| Lineage::new(&batch.path()));
                for mark in marks.take() {
                    seen.extend(mark.unique());
                    lineage.push(mark);
                }
                batch.problems().iter().for_each(|problem| (take.borrow_mut())(Found::Problem(problem)));
            },
            go_on,
        );
        self.started = !scanned.stopped;
        self.say(&scanned.problems, &mut **take.borrow_mut());
    }

    fn scan_on(&mut self, take: &mut dyn FnMut(Found<'_>), go_on: &mut dyn FnMut() -> bool) {
        let items: RefCell<Vec<Item>> = RefCell::default();
        let mut arrivals = Vec::new();
        let scanned = self.scanner.scan_observed(
            &mut |seen| match seen {
                Seen::Call(call) => items.borrow_mut().push(Item::Call(Box::new(call.clone()))),
                Seen::Tools(tools) => items.borrow_mut().push(Item::Tools(tools.clone())),
                Seen::File(..) => {}
            },
            &mut |batch| {
                arrivals.push(Arrival {
                    file: batch.file(),
                    path: batch.path(),
                    restarts: batch.restarts(),
                    gone: batch.is_gone(),
                    items: items.take(),
                    problems: batch.problems().to_vec(),
                });
            },
            go_on,
        );
        self.depart(&arrivals);
        // Files that grew come before files that are new: what is new may be a copy of what grew.
        arrivals.sort_by_key(|arrival| !self.files.contains_key(&arrival.file));
        for arrival in arrivals.iter().filter(|arrival| !arrival.gone) {
            self.take_in(arrival, take);
            arrival.problems.iter().for_each(|problem| take(Found::Problem(problem)));
        }
        self.say(&scanned.problems, take);
    }

    /// Puts away what is not there any more, before anything new is compared with it.
    fn depart(&mut self, arrivals: &[Arrival]) {
        for arrival in arrivals.iter().filter(|arrival| arrival.restarts || arrival.gone) {
            let Some(old) = self.files.remove(&arrival.file) else { continue };
            if !arrival.gone {
                let mut new = Lineage::new(&arrival.path);
                new.twin = Some(Twin::rewritten(&old));
                self.files.insert(arrival.file, new);
            }
            if !old.is_empty() {
                self.departed.push_back(old);
                if self.departed.len() > DEPARTED {
                    self.departed.pop_front();
                }
            }
        }
    }

    fn take_in(&mut self, arrival: &Arrival, take: &mut dyn FnMut(Found<'_>)) {
        let mut lineage = self.files.remove(&arrival.file).unwrap_or_else(|| Lineage::new(&arrival.path));
        for item in &arrival.items {
            let call = match item {
                Item::Call(call) => call,
                Item::Tools(tools) => {
                    take(Found::Tools(tools));
                    continue;
                }
            };
            let mark = Mark::of(call);
            if lineage.is_empty() && !lineage.twin.as_ref().is_some_and(|twin| twin.begins_with(&mark)) {
                lineage.twin = self.origin(&lineage, &mark).or(lineage.twin.take());
            }
            let again = lineage.knows(&mark) | mark.unique().is_some_and(|unique| !self.seen.insert(unique));
            if let (false, Some(live)) = (again, lineage.copy_of) {
                // The file that this one is a copy of holds the call too, and has not been read so far.
                if let Some(live) = self.files.get_mut(&live) {
                    live.ahead.push_back(mark);
                }
            }
            lineage.push(mark);
            if !again {
                take(Found::Call(call));
            }
        }
        self.files.insert(arrival.file, lineage);
    }

    /// What a file that begins with this call was before, if it was there under another name.
    fn origin(&self, lineage: &Lineage, first: &Mark) -> Option<Twin> {
        let related = |other: &&Lineage| {
            other.first() == Some(first) && (other.is_same_file(lineage) || is_rotated_name(other.path(), lineage.path()))
        };
        let moved = self.departed.iter().rev().find(related).map(Twin::moved);
        moved.or_else(|| {
            let mut live = self.files.iter().filter(|(_, other)| related(other));
            live.next().map(|(number, other)| Twin::copied(other, *number))
        })
    }

    /// Says what is wrong with the paths, each once.
    fn say(&mut self, problems: &[Problem], take: &mut dyn FnMut(Found<'_>)) {
        for problem in problems {
            if self.said.insert(problem.to_string()) {
                take(Found::Problem(problem));
            }
        }
    }
}

/// The device and number of a file, where the system has them.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(path).ok().map(|data| (data.dev(), data.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Path) -> Option<(u64, u64)> {
    None
}
