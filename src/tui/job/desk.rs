//! The one desk at which the engine works, and whose turn it is there.

use crate::gate::Profile;
use crate::replay::{Engine, News, Reader, Rulebook};
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

/// Where jobs find the engine. It is opened by the first that comes. A short job comes before the next turn of a long one.
#[derive(Clone)]
pub struct Desk(Arc<Shared>);

struct Shared {
    tools: Vec<PathBuf>,
    carried: AtomicBool,
    sessions: Vec<PathBuf>,
    /// By whose rules calls are judged at first.
    profile: Profile,
    engine: OnceLock<Mutex<Seated>>,
    reader: OnceLock<Reader>,
    taken: Mutex<bool>,
    free: Condvar,
    /// Short jobs that wait.
    waiting: AtomicUsize,
}

/// The engine, and whether the screen knows its definitions.
struct Seated {
    engine: Engine,
    introduced: bool,
}

impl Desk {
    /// A desk for these definitions and captures, judged by these rules; nothing is read yet.
    #[must_use]
    pub fn new(tools: Vec<PathBuf>, sessions: Vec<PathBuf>, profile: Profile) -> Self {
        Self(Arc::new(Shared {
            tools,
            carried: AtomicBool::new(true),
            sessions,
            profile,
            engine: OnceLock::new(),
            reader: OnceLock::new(),
            taken: Mutex::new(false),
            free: Condvar::new(),
            waiting: AtomicUsize::new(0),
        }))
    }

    /// The same, where what captures carry themselves is used for their calls, or not.
    #[must_use]
    pub fn carried(self, carried: bool) -> Self {
        self.0.carried.store(carried, Ordering::Relaxed);
        self
    }

    /// Folders and files of definitions.
    #[must_use]
    pub fn tools(&self) -> &[PathBuf] {
        &self.0.tools
    }

    /// Folders and files of captures.
    #[must_use]
    pub fn sessions(&self) -> &[PathBuf] {
        &self.0.sessions
    }

    /// Waits for the engine, before any long job.
    #[must_use]
    pub fn sit_down(&self) -> AtDesk<'_> {
        self.0.waiting.fetch_add(1, Ordering::SeqCst);
        let taken = self.0.free.wait_while(self.taken(), |taken| *taken);
        self.0.waiting.fetch_sub(1, Ordering::SeqCst);
        self.take(taken.unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits for the engine until nobody else does.
    #[must_use]
    pub fn wait_for_turn(&self) -> AtDesk<'_> {
        let taken = self.0.free.wait_while(self.taken(), |taken| *taken || self.is_waited_for());
        self.take(taken.unwrap_or_else(PoisonError::into_inner))
    }

    /// Reads calls beside whatever is done at the desk.
    #[must_use]
    pub fn reader(&self) -> Reader {
        self.0.reader.get().cloned().unwrap_or_else(|| self.sit_down().reader())
    }

    /// Whether a short job waits for the engine.
    #[must_use]
    pub fn is_waited_for(&self) -> bool {
        self.0.waiting.load(Ordering::SeqCst) > 0
    }

    /// How many bytes the captures have, by their sizes.
    #[must_use]
    pub fn session_bytes(&self) -> u64 {
        self.0.sessions.iter().map(|path| bytes_below(path, 0)).sum()
    }

    fn taken(&self) -> MutexGuard<'_, bool> {
        self.0.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, mut taken: MutexGuard<'_, bool>) -> AtDesk<'_> {
        *taken = true;
        drop(taken);
        let shared = &*self.0;
        let open = || {
            let rulebook = Rulebook::load(&shared.tools, shared.profile, shared.carried.load(Ordering::Relaxed));
            let engine = Engine::over(rulebook, shared.sessions.clone());
            shared.reader.get_or_init(|| engine.reader());
            Mutex::new(Seated { engine, introduced: false })
        };
        let seated = shared.engine.get_or_init(open).lock().unwrap_or_else(PoisonError::into_inner);
        AtDesk { desk: self, seated }
    }
}

/// Links may lead back up; no real tree of captures is deeper than this.
const DEEPEST: u8 = 32;

fn bytes_below(path: &Path, depth: u8) -> u64 {
    let Ok(data) = std::fs::metadata(path) else { return 0 };
    if !data.is_dir() {
        return data.len();
    }
    if depth == DEEPEST {
        return 0;
    }
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    entries.map(|entry| bytes_below(&entry.path(), depth + 1)).sum()
}

/// The engine while a job works with it. Dropping it lets the next one in, after a panic too.
pub struct AtDesk<'a> {
    desk: &'a Desk,
    seated: MutexGuard<'a, Seated>,
}

impl AtDesk<'_> {
    /// The definitions and the gate, the first time somebody asks.
    pub fn introduction(&mut self) -> Option<News> {
        if std::mem::replace(&mut self.seated.introduced, true) {
            return None;
        }
        Some(News::Definitions {
            catalog: Arc::clone(self.catalog()),
            gate: Arc::clone(self.gate()),
            changed: Vec::new(),
            judged: Vec::new(),
            flips: Vec::new(),
        })
    }
}

impl Deref for AtDesk<'_> {
    type Target = Engine;

    fn deref(&self) -> &Engine {
        &self.seated.engine
    }
}

impl DerefMut for AtDesk<'_> {
    fn deref_mut(&mut self) -> &mut Engine {
        &mut self.seated.engine
    }
}

impl Drop for AtDesk<'_> {
    fn drop(&mut self) {
        // Whoever is woken waits a moment longer for the lock itself, which goes right after this.
        *self.desk.taken() = false;
        self.desk.0.free.notify_all();
    }
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk").field("tools", &self.0.tools).field("sessions", &self.0.sessions).finish_non_exhaustive()
    }
}

/// The same desk, not an equal one.
impl PartialEq for Desk {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Desk {}
