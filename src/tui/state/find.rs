//! Which calls are shown: the filter, the chosen tool, what a person marked, and for every call whether it passes.
//!
//! A call's answer follows from its row, or, where the filter looks at what only the call itself knows, from the call, which a
//! job reads. Few rows are decided at once; many are a job's. What changes meanwhile is decided again.

use super::by_file::ByFile;
use super::call_set::CallSet;
use super::notes::Notes;
use super::rows::{Place, Rows};
use super::tools::ToolKey;
use crate::capture::Call;
use crate::capture::index::CallId;
use crate::gate::Verdict;
use crate::replay::LabelReader;
use crate::replay::filter::{Details, Filter, FilterError, Flag, Flags, decided};
use crate::tui::edit::attempts::UNSAVED;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Rows that are decided while a key is waited for; more are a job.
pub const AT_ONCE: usize = 4_000;

/// Whether a call passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Answer {
    /// The call has to be read first.
    #[default]
    Unknown,
    /// It does not.
    No,
    /// It does.
    Yes,
}

impl From<bool> for Answer {
    fn from(passes: bool) -> Self {
        if passes { Self::Yes } else { Self::No }
    }
}

/// The answers for the calls of each file, in order.
pub type Answers = ByFile<Vec<Answer>>;

/// What is asked of every call. A clone is what a job is given.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// The filter in force.
    filter: Filter,
    /// The names that the chosen tool's calls use; none for all.
    names: Option<HashSet<Arc<str>>>,
    /// The time that ages are measured from, in milliseconds since 1970.
    now: i64,
    /// What rows do not know of calls.
    flags: Flagged,
}

/// Flags of calls that rows do not know.
#[derive(Clone, Debug, Default)]
pub struct Flagged {
    /// Of calls that a person did something with.
    pub own: Arc<HashMap<CallId, Flags>>,
    /// Calls that are judged otherwise than at the baseline.
    pub flipped: Arc<CallSet>,
}

impl Flagged {
    /// The flags of a call.
    #[must_use]
    pub fn of(&self, id: CallId) -> Flags {
        let own = if self.own.is_empty() { Flags::NONE } else { self.own.get(&id).copied().unwrap_or_default() };
        own.with(Flag::Flipped, !self.flipped.is_empty() && self.flipped.contains(id))
    }
}

impl Query {
    /// Whether every call passes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.filter.is_empty() && self.names.is_none()
    }

    /// What a call's row says.
    #[must_use]
    pub fn decide(&self, rows: &Rows, id: CallId) -> Answer {
        self.decide_reading(rows, id, &mut LabelReader::default())
    }

    /// The same, of several calls in a row.
    #[must_use]
    pub fn decide_reading(&self, rows: &Rows, id: CallId, reader: &mut LabelReader) -> Answer {
        let Some(mut facts) = rows.facts(id, self.flags.of(id)) else { return Answer::No };
        if self.names.as_ref().is_some_and(|names| !names.contains(facts.tool)) {
            return Answer::No;
        }
        let mut decided = self.filter.decide(&facts, self.now);
        if decided.is_none() && facts.summary.is_none() && self.filter.needs().summary {
            facts.summary = Some(rows.summary_with(id, reader));
            decided = self.filter.decide(&facts, self.now);
        }
        decided.map_or(Answer::Unknown, Answer::from)
    }

    /// What the call itself says.
    #[must_use]
    pub fn decide_with(&self, rows: &Rows, id: CallId, call: &Call, verdict: &Verdict) -> bool {
        let Some(mut facts) = rows.facts(id, self.flags.of(id)) else { return false };
        let summary = rows.summary(id);
        facts.summary = Some(&summary);
        self.filter.decide_with(&facts, &Details::of(call, verdict), self.now)
    }
}

/// The filter, and what it comes to.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is one fact about what is shown")]
pub struct Find {
    /// The filter as it was written; it is kept while it is switched off.
    text: String,
    /// The same, read.
    filter: Filter,
    /// It is in force.
    on: bool,
    /// Only marked calls are shown.
    only_marked: bool,
    tool: Option<ToolKey>,
    query: Query,
    answers: Answers,
    /// Calls that are not decided yet.
    undecided: usize,
    /// Calls that have to be read to be decided.
    pub(in crate::tui) queue: Vec<CallId>,
    /// Calls that changed while a job decides all of them.
    touched: Vec<CallId>,
    /// Everything has to be decided anew.
    pub(in crate::tui) stale: bool,
    /// How many rows are decided while a key is waited for.
    pub(in crate::tui) at_once: usize,
    /// A job decides.
    pub(in crate::tui) deciding: bool,
    /// What is shown may be something else now.
    pub(in crate::tui) changed: bool,
    /// How many calls have been read to be decided, of how many.
    pub(in crate::tui) read: (u64, u64),
    /// Marks and comments.
    pub notes: Notes,
}

impl Default for Find {
    fn default() -> Self {
        Self {
            text: String::new(),
            filter: Filter::default(),
            on: true,
            only_marked: false,
            tool: None,
            query: Query::default(),
            answers: Answers::default(),
            undecided: 0,
            queue: Vec::new(),
            touched: Vec::new(),
            stale: false,
            at_once: AT_ONCE,
            deciding: false,
            changed: false,
            read: (0, 0),
            notes: Notes::default(),
        }
    }
}

impl Find {
    /// The filter's text, whether or not it is in force.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the filter is in force, if there is one.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.on
    }

    /// Whether there is a filter and it is in force.
    #[must_use]
    pub fn filters(&self) -> bool {
        self.on && !self.filter.is_empty()
    }

    /// Whether only marked calls are shown.
    #[must_use]
    pub fn only_marked(&self) -> bool {
        self.only_marked
    }

    /// The tool whose calls are shown, unless all are.
    #[must_use]
    pub fn tool(&self) -> Option<&ToolKey> {
        self.tool.as_ref()
    }

    /// What is asked of every call.
    #[must_use]
    pub fn query(&self) -> &Query {
        &self.query
    }

    /// Puts a filter in force, or says what is wrong with it and leaves the one that is.
    ///
    /// # Errors
    /// As [`Filter::parse`].
    pub fn set_text(&mut self, text: &str) -> Result<(), FilterError> {
        self.filter = Filter::parse(text)?;
        text.clone_into(&mut self.text);
        self.on = true;
        self.apply();
        Ok(())
    }

    /// Puts in force what is decided of a filter that is being typed. Where that is no filter yet, the last good one stays.
    ///
    /// # Errors
    /// What is wrong with the whole text, as [`Filter::parse`] says it.
    pub fn set_typed(&mut self, text: &str) -> Result<(), FilterError> {
        let decided = decided(text);
        if decided.len() == text.len() {
            return self.set_text(text);
        }
        Filter::parse(text)?;
        // What stands before the word may need it: `!`, `|` and `(` do.
        let _ = self.set_text(decided);
        Ok(())
    }

    /// Switches the filter on or off.
    pub fn set_on(&mut self, on: bool) {
        self.on = on;
        self.apply();
    }

    /// Shows only marked calls, or all again.
    pub fn set_only_marked(&mut self, only: bool) {
        self.changed |= self.only_marked != only;
        self.only_marked = only;
    }

    /// Shows the calls of one tool, by the names that they use; or all.
    pub fn choose_tool(&mut self, tool: Option<(ToolKey, HashSet<Arc<str>>)>) {
        let (key, names) = tool.unzip();
        self.tool = key;
        self.stale |= self.query.names != names;
        self.query.names = names;
    }

    /// Whether the chosen tool is another one than this call's.
    pub(super) fn tool_hides(&self, name: &str) -> bool {
        self.query.names.as_ref().is_some_and(|names| !names.contains(name))
    }

    fn apply(&mut self) {
        let filter = if self.on { &self.filter } else { &Filter::default() };
        if self.query.filter != *filter {
            self.query.filter = filter.clone();
            self.stale = true;
        }
    }

    /// Takes in what time it is.
    pub(in crate::tui) fn set_now(&mut self, now: i64) {
        self.query.now = now;
    }

    /// Takes in the flags of calls.
    pub(in crate::tui) fn set_flags(&mut self, own: HashMap<CallId, Flags>, rows: &Rows) {
        let old = std::mem::replace(&mut self.query.flags.own, Arc::new(own));
        let new = Arc::clone(&self.query.flags.own);
        let ids: HashSet<CallId> = old.keys().chain(new.keys()).copied().collect();
        self.changed |= self.only_marked;
        self.reconsider(ids.into_iter().filter(|id| old.get(id) != new.get(id)), rows);
    }

    /// Takes in which calls are judged otherwise than at the baseline.
    pub(super) fn set_flipped(&mut self, flipped: CallSet, rows: &Rows) {
        let old = std::mem::replace(&mut self.query.flags.flipped, Arc::new(flipped));
        let new = Arc::clone(&self.query.flags.flipped);
        self.reconsider(old.differing(&new), rows);
    }

    /// The flags of a call that its row does not know.
    #[must_use]
    pub fn flags(&self, id: CallId) -> Flags {
        self.query.flags.of(id)
    }

    /// Decides all rows now.
    pub(in crate::tui) fn decide_all(&mut self, rows: &Rows) {
        self.forget_answers();
        self.changed = true;
        if !self.query.is_empty() {
            self.decide(rows.ids(), rows);
        }
    }

    /// Everything is a job's to decide; what is known stays until it says something.
    pub(in crate::tui) fn hand_over(&mut self) {
        self.stale = false;
        self.queue.clear();
        self.touched.clear();
    }

    fn forget_answers(&mut self) {
        self.hand_over();
        self.undecided = 0;
        self.answers.clear();
    }

    /// Takes in what a job has decided, and which calls have to be read. Calls that came or changed since are decided here.
    pub(in crate::tui) fn take_in(&mut self, answers: Answers, unknown: Vec<CallId>, rows: &Rows) {
        self.answers = answers;
        // What the job could not say is asked of the calls.
        self.undecided = unknown.len();
        self.queue = unknown;
        self.changed = true;
        let touched = std::mem::take(&mut self.touched);
        self.decide(touched.into_iter(), rows);
    }

    /// Takes in what calls that were read came to, and says which of them pass.
    pub(in crate::tui) fn take_in_read(&mut self, read: &[(CallId, bool)]) -> Vec<CallId> {
        self.read.0 += read.len() as u64;
        let mut passing = Vec::new();
        for (id, passes) in read {
            if let Some(answer) = self.answers.get_mut(id.file).and_then(|file| file.get_mut(id.call as usize))
                && *answer == Answer::Unknown
            {
                *answer = Answer::from(*passes);
                self.undecided = self.undecided.saturating_sub(1);
                passing.extend(passes.then_some(*id));
            }
        }
        passing
    }

    /// Decides calls that are new.
    pub(super) fn decide(&mut self, ids: impl Iterator<Item = CallId>, rows: &Rows) {
        if self.query.is_empty() || self.stale {
            return;
        }
        let mut reader = LabelReader::default();
        for id in ids.filter(|id| rows.has(*id)) {
            let answer = self.query.decide_reading(rows, id, &mut reader);
            let file = self.answers.entry(id.file, Vec::new);
            let at = id.call as usize;
            if file.len() <= at {
                file.resize(at + 1, Answer::No);
            }
            if std::mem::replace(&mut file[at], answer) == Answer::Unknown {
                self.undecided = self.undecided.saturating_sub(1);
            }
            if answer == Answer::Unknown {
                self.undecided += 1;
                self.queue.push(id);
            }
        }
    }

    /// Decides calls again that are judged otherwise, or are marked now.
    pub(super) fn reconsider(&mut self, ids: impl Iterator<Item = CallId>, rows: &Rows) {
        if self.query.is_empty() || self.stale {
            return;
        }
        let ids: Vec<CallId> = ids.take(self.at_once + 1).collect();
        if ids.len() > self.at_once {
            self.stale = true;
            return;
        }
        self.changed |= !ids.is_empty();
        self.touched.extend(ids.iter().filter(|_| self.deciding));
        self.decide(ids.into_iter(), rows);
    }

    /// New calls, and that a job may know nothing of them.
    pub(super) fn note_added(&mut self, ids: &[CallId], rows: &Rows) {
        if !self.query.is_empty() {
            self.touched.extend(ids.iter().filter(|_| self.deciding));
            self.decide(ids.iter().copied(), rows);
        }
    }

    /// Forgets the calls of a file from a number on. What a job says of others that take their numbers would be wrong.
    pub(super) fn forget(&mut self, file: u32, from: u32) {
        if let Some(answers) = self.answers.get_mut(file) {
            let gone = answers.get(from as usize..).unwrap_or_default();
            self.undecided = self.undecided.saturating_sub(gone.iter().filter(|answer| **answer == Answer::Unknown).count());
            answers.truncate(from as usize);
        }
        self.queue.retain(|id| id.file != file || id.call < from);
        self.touched.retain(|id| id.file != file || id.call < from);
        self.stale |= self.deciding && !self.query.is_empty();
    }

    /// Whether a call passes.
    #[must_use]
    pub fn answer(&self, id: CallId) -> Answer {
        if self.query.is_empty() {
            return Answer::Yes;
        }
        self.answers.get(id.file).and_then(|file| file.get(id.call as usize)).copied().unwrap_or_default()
    }

    fn passes_itself(&self, id: CallId) -> bool {
        self.answer(id) == Answer::Yes && (!self.only_marked || self.notes.is_marked(id))
    }

    /// Whether a call is shown: it passes, or it is an attempt that is in no file yet at a call that does. What one has just
    /// made stands beside what it was made of.
    #[must_use]
    pub fn passes(&self, place: &Place) -> bool {
        self.passes_by(place.id, || Some(*place))
    }

    /// The same; the place is asked for where it matters.
    pub(super) fn passes_by(&self, id: CallId, place: impl FnOnce() -> Option<Place>) -> bool {
        self.passes_itself(id) || (id.file == UNSAVED && place().is_some_and(|place| self.passes_itself(place.root())))
    }

    /// Whether every call is shown.
    #[must_use]
    pub fn shows_all(&self) -> bool {
        self.query.is_empty() && !self.only_marked
    }

    /// How many calls have not been decided yet.
    #[must_use]
    pub fn undecided(&self) -> usize {
        if self.query.is_empty() { 0 } else { self.undecided }
    }
}
