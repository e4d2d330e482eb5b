//! Captured calls and definitions together, kept up to date as files change: what a screen asks for everything it shows.
//!
//! The engine is made to live in a thread of its own: it reads files, and it says in [`News`] what changed, in values that
//! can be sent.

use super::baseline::Baseline;
use super::other_rules::OtherRules;
use super::row::{Judged, Judgement, Row};
use super::rulebook::AllInForce;
use super::stats::Statistics;
use super::store::Store;
use super::{FileRules, Flip, InForce, Labels, Outcome, Reloaded, Reloading, Rulebook, judge};
use crate::capture::index::{CallId, Scanner, Seen};
use crate::capture::{Call, Options, Problem, write_call};
use crate::definition::{Catalog, Definition};
use crate::gate::{Gate, Profile, Verdict, VerdictKind};
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Something that a screen must know.
#[derive(Debug)]
pub enum News {
    /// The calls of a file changed.
    Calls {
        /// The file's number.
        file: u32,
        /// The file.
        path: Arc<Path>,
        /// Calls that are not there any more, by their numbers before the change.
        removed: Range<u32>,
        /// Calls that are there now, in order, numbered on from `removed.start` (or from the end, where nothing was removed).
        added: Vec<Row>,
        /// How these begin, in the same order.
        labels: Labels,
        /// Calls that now have a result, with its flag.
        answered: Vec<(u32, Option<bool>)>,
        /// The file itself is gone.
        gone: bool,
        /// What could not be read in the file, all of it.
        problems: Vec<Problem>,
    },
    /// The calls of a file are judged by definitions of their own from here on, or no longer.
    Rules {
        /// The file's number.
        file: u32,
        /// By what they are judged; `None` for what all others are.
        own: Option<InForce>,
    },
    /// Calls were found to be attempts at others.
    Parents(Vec<(CallId, CallId)>),
    /// The definitions changed, or what is wrong with them did.
    Definitions {
        /// The definitions now in force.
        catalog: Arc<Catalog>,
        /// The gate over them.
        gate: Arc<Gate>,
        /// Names whose calls are judged differently than before, or not at all.
        changed: Vec<String>,
        /// What the gate says of their calls now.
        judged: Vec<Judgement>,
        /// Every call whose verdict is not what it was at the baseline, newly failing first.
        flips: Vec<Flip>,
    },
    /// Verdicts are compared with those by other definitions now, or more of them are.
    Baseline {
        /// Names whose calls are judged by other definitions than at the baseline.
        changed: Vec<String>,
        /// Every call whose verdict is not what it was at the baseline, newly failing first.
        flips: Vec<Flip>,
    },
    /// Calls are judged by another profile now, and that is the baseline.
    Profile {
        /// The gate over the same definitions.
        gate: Arc<Gate>,
        /// What it says of every call.
        judged: Vec<Judgement>,
    },
}

/// A call with all that is known of it.
#[derive(Debug)]
pub struct Detail {
    /// The call, read from its file.
    pub call: Call,
    /// What the gate says.
    pub verdict: Verdict,
    /// The definition that it is judged by.
    pub definition: Option<Arc<Definition>>,
    /// By whose rules.
    pub profile: Profile,
}

/// Definitions, captured calls and their verdicts.
pub struct Engine {
    rulebook: Rulebook,
    /// Of files that have rules of their own.
    rules: HashMap<u32, FileRules>,
    sessions: Vec<PathBuf>,
    scanner: Scanner,
    pub(super) shared: Reader,
    pub(super) baseline: Baseline,
}

/// Reads calls of an engine, from any thread, while the engine itself is at work.
#[derive(Clone)]
pub struct Reader(Arc<RwLock<Known>>);

pub(super) struct Known {
    pub(super) store: Store,
    pub(super) rules: AllInForce,
}

impl Reader {
    /// Reads a call whole and judges it.
    ///
    /// # Errors
    /// If its file cannot be read any more, or does not hold it.
    pub fn detail(&self, id: CallId) -> Result<Detail, Problem> {
        let known = self.read();
        let call = known.store.index().read(id)?;
        let InForce { catalog, gate, .. } = known.rules.of(id.file);
        let verdict = judge(gate, &call);
        let definition = catalog.get(&call.tool).cloned();
        Ok(Detail { call, verdict, definition, profile: gate.profile() })
    }

    /// The rules by which calls are judged.
    #[must_use]
    pub fn profile(&self) -> Profile {
        self.read().rules.usual.gate.profile()
    }

    /// Reads a call whole, without judging it.
    ///
    /// # Errors
    /// As [`Reader::detail`].
    pub fn call(&self, id: CallId) -> Result<Call, Problem> {
        self.read().store.index().read(id)
    }

    /// The calls of some tools, or all of them, by files in the order of their paths; and of every other call what the gate
    /// says of it.
    #[must_use]
    pub fn calls_of(&self, tools: Option<&HashSet<&str>>) -> (Vec<CallId>, Vec<VerdictKind>) {
        self.read().store.calls_of(tools)
    }

    /// The bytes that hold a call, as they stand in its file.
    ///
    /// # Errors
    /// As [`Reader::detail`].
    pub fn raw(&self, id: CallId) -> Result<Vec<u8>, Problem> {
        self.read().store.index().raw(id)
    }

    /// Adds up all calls.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.read().store.statistics()
    }

    /// Judges calls by the rules of another profile, beside those in force, until all are judged or `go_on` says no; it is told how
    /// many are judged, and of how many. False if it said no.
    pub fn judge_by(&self, other: &mut OtherRules, go_on: &mut dyn FnMut(usize, usize) -> bool) -> bool {
        loop {
            let known = self.read();
            let total = known.store.index().len();
            let done = other.judge_some(&known.store, &known.rules);
            drop(known);
            if !go_on(other.len(), total) {
                return false;
            }
            if done {
                return true;
            }
        }
    }

    /// Judges calls by definitions that were read again, beside those in force, as [`Reader::judge_by`] does.
    pub fn judge_again(&self, again: &mut Reloading, go_on: &mut dyn FnMut(usize, usize) -> bool) -> bool {
        loop {
            let known = self.read();
            let done = again.judge_some(&known.store, &known.rules);
            drop(known);
            let (count, total) = again.progress();
            if !go_on(count, total) {
                return false;
            }
            if done {
                return true;
            }
        }
    }

    pub(super) fn read(&self) -> RwLockReadGuard<'_, Known> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn write(&self) -> RwLockWriteGuard<'_, Known> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine {
    /// Loads the definitions; the calls come with the first [`Engine::scan`]. What captures carry themselves is used for their calls.
    #[must_use]
    pub fn open(tools: &[PathBuf], sessions: Vec<PathBuf>, profile: Profile) -> Self {
        Self::over(Rulebook::load(tools, profile, true), sessions)
    }

    /// The same over definitions that are loaded.
    #[must_use]
    pub fn over(rulebook: Rulebook, sessions: Vec<PathBuf>) -> Self {
        let rules = AllInForce { usual: rulebook.usual().clone(), own: HashMap::new() };
        let baseline = Baseline::of(&rulebook.usual().catalog);
        Self {
            scanner: Scanner::new(sessions.clone(), Options::default()),
            rulebook,
            rules: HashMap::new(),
            sessions,
            shared: Reader(Arc::new(RwLock::new(Known { store: Store::default(), rules }))),
            baseline,
        }
    }

    /// The definitions in force.
    #[must_use]
    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.rulebook.usual().catalog
    }

    /// The gate over them: cheap to hand to another thread.
    #[must_use]
    pub fn gate(&self) -> &Arc<Gate> {
        &self.rulebook.usual().gate
    }

    /// How many calls are known, and how many bytes have been read.
    #[must_use]
    pub fn progress(&self) -> (usize, u64) {
        let known = self.shared.read();
        (known.store.index().len(), known.store.index().bytes())
    }

    /// Reads what is new in the captures, the files changed last first, judges it, and says what changed.
    ///
    /// `go_on` is asked before each file; if it says no, the scan stops, and the next one goes on from there. Returns what could
    /// not be read as a path, and whether the scan stopped before its end.
    pub fn scan(&mut self, news: &mut dyn FnMut(News), go_on: &mut dyn FnMut() -> bool) -> (Vec<Problem>, bool) {
        let judged: RefCell<Vec<Judged>> = RefCell::default();
        let (shared, baseline) = (&self.shared, self.baseline.gate());
        let new = Cell::new(false);
        let hasher = shared.read().store.hasher().clone();
        let reading = RefCell::new(Reading { rulebook: &self.rulebook, rules: &mut self.rules, problems: Vec::new(), now: None });
        let scanned = self.scanner.scan_observed(
            &mut |seen| match seen {
                Seen::Call(call) => {
                    let reading = reading.borrow();
                    let InForce { gate, maps, .. } = reading.in_force();
                    let judgement = Judged::of(call, &judge(gate, call), maps, &hasher);
                    // What a file carries itself is the same at every revision of the definitions.
                    let then = baseline.filter(|_| !reading.is_own()).map(|baseline| Outcome::of(&judge(baseline, call)));
                    new.set(true);
                    judged.borrow_mut().push(Judged { baseline: then, ..judgement });
                }
                other => reading.borrow_mut().note(&other),
            },
            &mut |mut batch| {
                let mut reading = reading.borrow_mut();
                batch.report(reading.problems.drain(..));
                let mut known = shared.write();
                reading.tell(batch.file(), batch.is_gone(), &mut known.rules.own, news);
                known.store.take_in(batch, judged.take(), news);
            },
            go_on,
        );
        shared.write().store.find_parents(news);
        if self.baseline.gate().is_some() && new.get() {
            let changed = self.baseline().changed_names(self.catalog());
            let flips = shared.read().store.flips();
            news(News::Baseline { changed, flips });
        }
        (scanned.problems, scanned.stopped)
    }

    /// Reads the definitions again and judges the calls of those that changed. A definition file that cannot be read any more
    /// keeps its last good definitions. No news if nothing changed.
    pub fn reload(&mut self, news: &mut dyn FnMut(News)) {
        while let Some(mut again) = self.read_again() {
            loop {
                self.shared.judge_again(&mut again, &mut |_, _| true);
                match self.put_in_force(&mut again, news) {
                    Reloaded::Done => return,
                    Reloaded::More => {}
                    Reloaded::Stale => break,
                }
            }
        }
    }

    /// Reads the definitions again, and leaves those in force that are: the reader has to judge by them first. Nothing if nothing
    /// changed.
    #[must_use]
    pub fn read_again(&self) -> Option<Reloading> {
        let mut again = Reloading::new(&self.rulebook)?;
        let known = self.shared.read();
        again.refresh(&self.rules, &known.store, &known.rules);
        Some(again)
    }

    /// Puts definitions in force that were read again and have judged the calls of those that changed, in one step: verdicts by
    /// the old ones and the new ones never stand side by side.
    pub fn put_in_force(&mut self, again: &mut Reloading, news: &mut dyn FnMut(News)) -> Reloaded {
        let mut known = self.shared.write();
        again.refresh(&self.rules, &known.store, &known.rules);
        match again.catch_up(&known.store, &known.rules) {
            Reloaded::Done => {}
            otherwise => return otherwise,
        }
        let (rulebook, changed) = again.take_rules();
        self.rulebook = rulebook;
        renew(&self.rulebook, &mut self.rules, &mut known.rules, news);
        let Known { store, rules } = &mut *known;
        let (found, sayings) = again.take_judged();
        store.adopt(sayings);
        let judged = store.take_over(found);
        let flips = store.flips();
        let InForce { catalog, gate, .. } = rules.usual.clone();
        drop(known);
        news(News::Definitions { catalog, gate, changed, judged, flips });
        Reloaded::Done
    }

    /// Takes over what another profile says of every call, in one step: verdicts by two profiles never stand side by side. What it
    /// says is the new baseline for flips, which are about definitions. False if that is not every call by far, or not by these
    /// definitions: the reader has to judge further first.
    pub fn adopt(&mut self, other: &mut OtherRules, news: &mut dyn FnMut(News)) -> bool {
        let mut known = self.shared.write();
        if !other.catch_up(&known.store, &known.rules) {
            return false;
        }
        self.rulebook.take_profile(other.gate());
        renew(&self.rulebook, &mut self.rules, &mut known.rules, news);
        known.store.adopt(other.take_sayings());
        let judged = known.store.take_over(other.take_judged());
        known.store.mark_baseline();
        drop(known);
        self.baseline = Baseline::of(&self.rulebook.usual().catalog);
        news(News::Profile { gate: Arc::clone(self.gate()), judged });
        true
    }

    /// What to say and try where most calls of a session are of tools that no definition knows.
    #[must_use]
    pub fn advice(&self) -> Option<String> {
        self.shared.read().store.strangers().advice()
    }

    /// Reads a call whole and judges it.
    ///
    /// # Errors
    /// If its file cannot be read any more, or does not hold it.
    pub fn detail(&self, id: CallId) -> Result<Detail, Problem> {
        self.shared.detail(id)
    }

    /// Reads calls while the engine is at work elsewhere.
    #[must_use]
    pub fn reader(&self) -> Reader {
        self.shared.clone()
    }

    /// Saves attempts among the sessions, in our own format, and returns the file. They are added to what is there.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, attempts: &[Call]) -> io::Result<PathBuf> {
        let sessions = self.sessions.first().cloned().unwrap_or_default();
        let folder = if sessions.is_file() { sessions.parent().unwrap_or(Path::new("")).to_owned() } else { sessions };
        let path = folder.join(ATTEMPTS);
        let mut lines: String = attempts.iter().map(|call| write_call(call) + "\n").collect();
        if needs_line_end(&path) {
            lines.insert(0, '\n');
        }
        std::fs::create_dir_all(&folder).map_err(|e| at(&folder, &e))?;
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(&path).map_err(|e| at(&path, &e))?;
        let length = file.metadata().map_err(|e| at(&path, &e))?.len();
        // In one write, so that whoever watches the file sees whole lines.
        let written = file.write_all(lines.as_bytes()).and_then(|()| file.sync_data());
        written.map_err(|e| {
            // What a full disk took of it would be there twice after the next try.
            let _ = file.set_len(length);
            at(&path, &e)
        })?;
        Ok(path)
    }
}

/// The definitions that were asked for, or the profile, have changed: so has what judges the calls of each file.
fn renew(rulebook: &Rulebook, files: &mut HashMap<u32, FileRules>, told: &mut AllInForce, news: &mut dyn FnMut(News)) {
    told.usual = rulebook.usual().clone();
    for (file, rules) in files {
        rules.renew(rulebook);
        told.own.insert(*file, rules.in_force().clone());
        news(News::Rules { file: *file, own: Some(rules.in_force().clone()) });
    }
}

/// By what the file that is being read is judged.
struct Reading<'a> {
    rulebook: &'a Rulebook,
    rules: &'a mut HashMap<u32, FileRules>,
    /// What was wrong with definitions that the file carries.
    problems: Vec<Problem>,
    now: Option<(u32, FileRules)>,
}

impl Reading<'_> {
    fn in_force(&self) -> &InForce {
        self.now.as_ref().map_or(self.rulebook.usual(), |(_, rules)| rules.in_force())
    }

    /// Whether the file that is read has rules of its own.
    fn is_own(&self) -> bool {
        self.now.as_ref().is_some_and(|(_, rules)| rules.is_own())
    }

    fn note(&mut self, seen: &Seen<'_>) {
        match seen {
            Seen::File(number, path, anew) => {
                let known = self.rules.get(number).filter(|_| !anew);
                self.now = Some((*number, known.cloned().unwrap_or_else(|| self.rulebook.of(path))));
            }
            Seen::Tools(tools) => {
                if let Some((_, rules)) = &mut self.now
                    && let Err(reason) = rules.take(self.rulebook, tools)
                {
                    self.problems.push(Problem::of_tools(tools, &reason));
                }
            }
            Seen::Call(_) => {}
        }
    }

    /// Says by what the calls of this file are judged, if that changed.
    fn tell(&mut self, file: u32, gone: bool, told: &mut HashMap<u32, InForce>, news: &mut dyn FnMut(News)) {
        let now = self.now.as_ref().filter(|(number, rules)| *number == file && !gone && rules.is_own());
        let Some((_, rules)) = now else {
            self.rules.remove(&file);
            if told.remove(&file).is_some() {
                news(News::Rules { file, own: None });
            }
            return;
        };
        let own = rules.in_force();
        if told.get(&file).is_some_and(|told| Arc::ptr_eq(&told.gate, &own.gate)) {
            return;
        }
        self.rules.insert(file, rules.clone());
        told.insert(file, own.clone());
        news(News::Rules { file, own: Some(own.clone()) });
    }
}

/// The file in which attempts are saved.
const ATTEMPTS: &str = "attempts.misfire.jsonl";

/// Whether the file is there and ends in the middle of a line.
fn needs_line_end(path: &Path) -> bool {
    use std::io::{Read as _, Seek as _, SeekFrom};
    let last = || -> io::Result<u8> {
        let mut file = std::fs::File::open(path)?;
        file.seek(SeekFrom::End(-1))?;
        let mut byte = [0];
        file.read_exact(&mut byte)?;
        Ok(byte[0])
    };
    last().is_ok_and(|byte| byte != b'\n')
}

fn at(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
