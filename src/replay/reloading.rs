//! Judging the calls of definitions that changed, while those in force still hold.

use super::rulebook::AllInForce;
use super::said::Sayings;
use super::store::{Found, Store};
use super::{FileRules, InForce, Rulebook, Said, judge};
use crate::capture::index::{CallId, Name};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// How many calls are judged before others are let in.
const TURN: usize = 200;
/// With no more than so many missing the rest is judged while nobody else is let in.
const FEW: usize = 1_000;

/// Definitions that have been read again, and what they say of the calls that have been judged by them so far.
pub struct Reloading {
    /// What judges from here on, and what does until then.
    rulebook: Rulebook,
    before: InForce,
    changed: Vec<String>,
    /// The same of files that have rules of their own.
    own: HashMap<u32, Own>,
    /// How often calls had been taken away: numbers may stand for other calls since.
    removals: u64,
    judged: BTreeMap<u32, Judged>,
    sayings: Sayings,
    /// How many calls there were to judge, and how many are judged.
    total: usize,
    count: usize,
}

struct Own {
    before: InForce,
    after: FileRules,
}

/// The calls of a file, as far as they have been looked at.
#[derive(Default)]
struct Judged {
    looked_at: u32,
    /// What is said of those that are of tools whose definitions changed, and of their arguments.
    found: Vec<(u32, Arc<Said>, u64)>,
}

/// What came of trying to put definitions in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reloaded {
    /// They are.
    Done,
    /// There are more calls to be judged first.
    More,
    /// Others have been put in force meanwhile: they have to be read once more.
    Stale,
}

impl Reloading {
    /// Reads the definitions again. Nothing if nothing changed.
    pub(super) fn new(rulebook: &Rulebook) -> Option<Self> {
        let before = rulebook.usual().clone();
        let mut rulebook = rulebook.clone();
        let (changed, otherwise) = rulebook.reload();
        (!changed.is_empty() || otherwise).then(|| Self {
            rulebook,
            before,
            changed,
            own: HashMap::new(),
            removals: 0,
            judged: BTreeMap::new(),
            sayings: Sayings::default(),
            total: 0,
            count: 0,
        })
    }

    /// How many calls have been judged, and of about how many.
    pub(super) fn progress(&self) -> (usize, usize) {
        (self.count, self.total.max(self.count))
    }

    /// Takes note of what has happened since: of files with rules of their own, and of calls that went.
    pub(super) fn refresh(&mut self, files: &HashMap<u32, FileRules>, store: &Store, told: &AllInForce) {
        if self.removals != store.removals() {
            self.removals = store.removals();
            self.judged.clear();
        }
        let (own, judged) = (&mut self.own, &mut self.judged);
        own.retain(|file, _| {
            let stays = files.contains_key(file);
            if !stays {
                judged.remove(file);
            }
            stays
        });
        for (file, rules) in files {
            let Some(before) = told.own.get(file) else { continue };
            if own.get(file).is_some_and(|own| Arc::ptr_eq(&own.before.gate, &before.gate)) {
                continue;
            }
            let mut after = rules.clone();
            after.renew(&self.rulebook);
            own.insert(*file, Own { before: before.clone(), after });
            judged.remove(file);
        }
        let wanted = self.wanted(store);
        self.total = store.entries().filter(|entry| wanted.contains(&entry.tool())).count();
        self.count = self.judged.values().map(|judged| judged.found.len()).sum();
    }

    fn wanted(&self, store: &Store) -> HashSet<Name> {
        let changed: HashSet<&str> = self.changed.iter().map(String::as_str).collect();
        store.index().names().filter(|name| changed.contains(store.index().name(*name))).collect()
    }

    /// Judges some more calls. True if there are no more.
    pub(super) fn judge_some(&mut self, store: &Store, told: &AllInForce) -> bool {
        self.judge_up_to(store, told, TURN)
    }

    /// Judges the rest, if it is little and all else still holds.
    pub(super) fn catch_up(&mut self, store: &Store, told: &AllInForce) -> Reloaded {
        let same = Arc::ptr_eq(&self.before.gate, &told.usual.gate) && Arc::ptr_eq(&self.before.catalog, &told.usual.catalog);
        match same {
            false => Reloaded::Stale,
            true if self.judge_up_to(store, told, FEW) => Reloaded::Done,
            true => Reloaded::More,
        }
    }

    fn judge_up_to(&mut self, store: &Store, told: &AllInForce, most: usize) -> bool {
        if self.removals != store.removals() {
            return true;
        }
        let wanted = self.wanted(store);
        let mut left = most;
        for (file, calls) in store.counts() {
            let calls = u32::try_from(calls).unwrap_or(u32::MAX);
            if self.judged.get(&file).is_some_and(|judged| judged.looked_at >= calls) {
                continue;
            }
            let rules = match (self.own.get(&file), told.own.get(&file)) {
                (Some(own), Some(_)) => own.after.in_force(),
                (None, None) => self.rulebook.usual(),
                // Since the last look at which files have rules of their own.
                _ => continue,
            };
            let judged = self.judged.entry(file).or_default();
            for (call, entry) in (0..calls).zip(store.index().entries(file)).skip(judged.looked_at as usize) {
                if wanted.contains(&entry.tool()) {
                    if left == 0 {
                        return false;
                    }
                    left -= 1;
                    // What cannot be read any more keeps what was said of it.
                    if let Ok(read) = store.index().read_to_judge(CallId { file, call }) {
                        let (said, of) = Said::counted(&read, &judge(&rules.gate, &read), &rules.maps, store.hasher());
                        judged.found.push((call, self.sayings.hold(said), of));
                    }
                    self.count += 1;
                }
                judged.looked_at = call + 1;
            }
        }
        true
    }

    /// The definitions, and the names of those that changed.
    pub(super) fn take_rules(&mut self) -> (Rulebook, Vec<String>) {
        (self.rulebook.clone(), std::mem::take(&mut self.changed))
    }

    /// What is said of calls now, and everything that is said.
    pub(super) fn take_judged(&mut self) -> (Vec<Found>, Sayings) {
        let judged = std::mem::take(&mut self.judged).into_iter();
        let found = judged
            .flat_map(|(file, judged)| judged.found.into_iter().map(move |(call, said, of)| (CallId { file, call }, said, of)));
        (found.collect(), std::mem::take(&mut self.sayings))
    }
}
