//! Captured calls and definitions together, kept up to date as files change: what a screen asks for everything it shows.
//!
//! The engine is made to live in a thread of its own: it reads files, and it says in [`News`] what changed, in values that
//! can be sent.

use super::other_rules::OtherRules;
use super::row::{Judged, Judgement, Row};
use super::stats::{Maps, Statistics};
use super::store::Store;
use super::{Flip, judge};
use crate::capture::index::{CallId, Scanner};
use crate::capture::{Call, Options, Problem, write_call};
use crate::definition::{Catalog, Definition};
use crate::gate::{Gate, Profile, Verdict, VerdictKind};
use std::cell::RefCell;
use std::collections::HashSet;
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
        /// Calls that now have a result, with its flag.
        answered: Vec<(u32, Option<bool>)>,
        /// The file itself is gone.
        gone: bool,
        /// What could not be read in the file, all of it.
        problems: Vec<Problem>,
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
    tools: Vec<PathBuf>,
    sessions: Vec<PathBuf>,
    scanner: Scanner,
    catalog: Arc<Catalog>,
    gate: Arc<Gate>,
    maps: Arc<Maps>,
    shared: Reader,
}

/// Reads calls of an engine, from any thread, while the engine itself is at work.
#[derive(Clone)]
pub struct Reader(Arc<RwLock<Known>>);

struct Known {
    store: Store,
    catalog: Arc<Catalog>,
    gate: Arc<Gate>,
    maps: Arc<Maps>,
}

impl Reader {
    /// Reads a call whole and judges it.
    ///
    /// # Errors
    /// If its file cannot be read any more, or does not hold it.
    pub fn detail(&self, id: CallId) -> Result<Detail, Problem> {
        let known = self.read();
        let call = known.store.index().read(id)?;
        let verdict = judge(&known.gate, &call);
        let definition = known.catalog.get(&call.tool).cloned();
        Ok(Detail { call, verdict, definition, profile: known.gate.profile() })
    }

    /// The rules by which calls are judged.
    #[must_use]
    pub fn profile(&self) -> Profile {
        self.read().gate.profile()
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
            let done = other.judge_some(&known.store, &known.catalog, &known.maps);
            drop(known);
            if !go_on(other.len(), total) {
                return false;
            }
            if done {
                return true;
            }
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Known> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Known> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine {
    /// Loads the definitions; the calls come with the first [`Engine::scan`].
    #[must_use]
    pub fn open(tools: Vec<PathBuf>, sessions: Vec<PathBuf>, profile: Profile) -> Self {
        let catalog = Arc::new(Catalog::load(&tools));
        let gate = Arc::new(Gate::with_profile(&catalog, profile));
        let maps = Arc::new(Maps::new(Arc::clone(&catalog)));
        let (own, gates, laid_out) = (Arc::clone(&catalog), Arc::clone(&gate), Arc::clone(&maps));
        let known = Known { store: Store::default(), catalog: own, gate: gates, maps: laid_out };
        Self {
            scanner: Scanner::new(sessions.clone(), Options::default()),
            gate,
            catalog,
            maps,
            tools,
            sessions,
            shared: Reader(Arc::new(RwLock::new(known))),
        }
    }

    /// The definitions in force.
    #[must_use]
    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }

    /// The gate over them: cheap to hand to another thread.
    #[must_use]
    pub fn gate(&self) -> &Arc<Gate> {
        &self.gate
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
        let (gate, maps, shared) = (&self.gate, &self.maps, &self.shared);
        let hasher = shared.read().store.hasher().clone();
        let scanned = self.scanner.scan_observed(
            &mut |call| judged.borrow_mut().push(Judged::of(call, &judge(gate, call), maps, &hasher)),
            &mut |batch| shared.write().store.take_in(batch, judged.take(), news),
            go_on,
        );
        shared.write().store.find_parents(news);
        (scanned.problems, scanned.stopped)
    }

    /// Reads the definitions again and judges the calls of those that changed. A definition file that cannot be read any more
    /// keeps its last good definitions. No news if nothing changed.
    pub fn reload(&mut self, news: &mut dyn FnMut(News)) {
        let catalog = Catalog::load_keeping(&self.tools, &self.catalog);
        let changed = self.catalog.changed_names(&catalog);
        if changed.is_empty() && same_places(&self.catalog, &catalog) {
            return;
        }
        self.gate = Arc::new(self.gate.renewed(&catalog));
        self.catalog = Arc::new(catalog);
        self.maps = Arc::new(Maps::new(Arc::clone(&self.catalog)));
        let mut known = self.shared.write();
        (known.catalog, known.gate) = (Arc::clone(&self.catalog), Arc::clone(&self.gate));
        known.maps = Arc::clone(&self.maps);
        let judged = known.store.judge_again(&self.gate, &self.maps, &changed);
        let flips = known.store.flips();
        drop(known);
        news(News::Definitions { catalog: Arc::clone(&self.catalog), gate: Arc::clone(&self.gate), changed, judged, flips });
    }

    /// Takes over what another profile says of every call, in one step: verdicts by two profiles never stand side by side. What it
    /// says is the new baseline for flips, which are about definitions. False if that is not every call by far, or not by these
    /// definitions: the reader has to judge further first.
    pub fn adopt(&mut self, other: &mut OtherRules, news: &mut dyn FnMut(News)) -> bool {
        let mut known = self.shared.write();
        if !other.catch_up(&known.store, &self.catalog, &self.maps) {
            return false;
        }
        self.gate = Arc::clone(other.gate());
        known.gate = Arc::clone(&self.gate);
        let judged = known.store.take_over(other.take_judged());
        drop(known);
        news(News::Profile { gate: Arc::clone(&self.gate), judged });
        true
    }

    /// Makes what the gate says now the baseline for flips.
    pub fn mark_baseline(&mut self) {
        self.shared.write().store.mark_baseline();
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

/// Whether two catalogs that judge alike also say the same of their files: findings, descriptions, places.
fn same_places(a: &Catalog, b: &Catalog) -> bool {
    let same = |(a, b): (&Arc<Definition>, &Arc<Definition>)| Arc::ptr_eq(a, b);
    a.findings() == b.findings()
        && a.definitions().len() == b.definitions().len()
        && a.definitions().iter().zip(b.definitions()).all(same)
}
