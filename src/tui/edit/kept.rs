//! What lasts longer than the program: when it is written, and attempts that are in no file, each with the place of the call
//! that it is an attempt at.

use super::draft::Draft;
use super::editing::Noticed;
use super::job::{EditJob, kind};
use crate::capture::index::CallId;
use crate::capture::{self, Call, Options, Place, Problem, Sink, write_call};
use crate::json::{Value, to_well_formed};
use crate::tui::job::Job;
use crate::tui::layout::Pane;
use crate::tui::notices::Level;
use crate::tui::runtime::Effect;
use crate::tui::state::{Loading, State, Tab};
use crate::tui::update::Effects;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long after the last key what was written or noted is kept. An attempt is kept at once.
const KEEP_AFTER: Duration = Duration::from_secs(1);

/// An attempt that is in no file.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// The attempt.
    pub call: Call,
    /// The file and line of the call that it is an attempt at, where that is known.
    pub parent: Option<(PathBuf, u32)>,
}

impl Kept {
    /// As a value of the file: the attempt is a line of our own format.
    pub(super) fn to_value(&self) -> Value {
        let parent = self.parent.as_ref().map(|(file, line)| {
            Value::from([("file", Value::from(file.to_string_lossy().as_ref())), ("line", Value::from(*line))])
        });
        let call = write_call(&self.call);
        Value::from([("call", Value::from(call.as_str())), ("parent", parent.unwrap_or(Value::Null))])
    }

    /// The same again; none where the line holds no call.
    pub(super) fn from_value(value: &Value, place: impl Fn(&Value) -> Option<(PathBuf, u32)>) -> Option<Self> {
        let line = value.get("call")?.as_string()?;
        let call = read_call(&to_well_formed(line.as_bytes()))?;
        Some(Self { call, parent: value.get("parent").and_then(place) })
    }
}

/// Reads one line of our own format.
fn read_call(line: &str) -> Option<Call> {
    #[derive(Default)]
    struct First(Option<Call>);
    impl Sink for First {
        fn call(&mut self, call: Call) -> ControlFlow<()> {
            self.0 = Some(call);
            ControlFlow::Break(())
        }
        fn problem(&mut self, _: Problem) {}
    }
    let options = Options { format: "misfire".parse().ok(), ..Options::default() };
    let mut first = First::default();
    capture::read_from(line.as_bytes(), Path::new(""), &options, &mut first);
    // It stands nowhere.
    first.0.map(|call| Call { place: Place::default(), ..call })
}

impl State {
    pub(super) fn noticed(&self) -> Noticed {
        let (edit, notes) = (&self.edit, &self.data.find.notes);
        Noticed { drafts: edit.drafts.revision(), attempts: edit.attempts.revision(), notes: notes.written() }
    }

    /// Sees to it that what was written, replayed or noted is kept in a moment; before the program is stopped, at once.
    pub(super) fn keep_what_is_new(&mut self, effects: &mut Effects) {
        let now = self.noticed();
        let keeping = &mut self.edit.keeping;
        if keeping.path.is_none() {
            return;
        }
        if now != keeping.kept {
            let wait = if now.attempts == keeping.kept.attempts { KEEP_AFTER } else { Duration::ZERO };
            keeping.kept = now;
            keeping.due = Some(self.now + wait);
        }
        let stops = effects.iter().position(|effect| *effect == Effect::Suspend);
        if let Some(stops) = stops.filter(|_| self.edit.keeping.due.take().is_some()) {
            let keep = self.keep();
            effects.splice(stops..stops, keep);
        }
    }

    /// Keeps what was written or noted, a moment after the last key.
    pub(in crate::tui) fn keep_when_due(&mut self, effects: &mut Effects) {
        if self.edit.keeping.due.take_if(|due| *due <= self.now).is_some() {
            effects.extend(self.keep());
        }
    }

    fn keep(&mut self) -> Option<Effect<Job>> {
        let path = self.edit.keeping.path.clone()?;
        let text = self.memory().to_text();
        // It has failed again when that is said.
        self.edit.keeping.failed = false;
        let ticket = self.jobs.ask(self.now, kind::KEEPING, 0);
        Some(Effect::Spawn(ticket, Job::Edit(EditJob::Keep(path, text))))
    }

    /// Attempts that are in no file, those among them whose call has not been read again too.
    pub(super) fn attempts_to_keep(&self) -> Vec<Kept> {
        let place = |id: CallId| {
            let row = self.data.rows.get(id)?;
            Some((self.data.rows.path(id.file)?.to_path_buf(), row.line))
        };
        let list = self.edit.attempts.list().iter().filter(|attempt| !attempt.saved);
        let made = list.map(|attempt| Kept { call: Call::clone(&attempt.call), parent: attempt.parent.and_then(place) });
        self.edit.keeping.attempts.iter().cloned().chain(made).collect()
    }

    /// Puts the attempts of the last run under their calls again, once everything has been read.
    pub(super) fn take_up_kept_attempts(&mut self) {
        if self.loading != Loading::Done || self.edit.keeping.attempts.is_empty() {
            return;
        }
        for Kept { call, parent } in std::mem::take(&mut self.edit.keeping.attempts) {
            let rows = &self.data.rows;
            let found = parent.and_then(|(file, line)| {
                rows.on_line(&file, line).find(|id| rows.tool(*id).is_some_and(|tool| **tool == *call.tool))
            });
            self.edit.attempts.add(call, found);
        }
        self.show_attempts();
    }

    /// The file of the call whose arguments are being written is gone: the text waits for it, and what is typed next must not
    /// go into that of another call.
    pub(super) fn leave_vanished(&mut self, file: u32) {
        let Some(look) = self.look.call.as_ref().filter(|look| self.tab == Tab::Edit && look.shown.id.file == file) else {
            return;
        };
        let place = look.shown.call.place.file.display().to_string();
        let is_edited = self.draft().is_some_and(Draft::is_edited);
        self.tab = Tab::Arguments;
        self.focus = Pane::Calls;
        if is_edited {
            let kept = self.edit.keeping.path.as_ref().map(|path| format!(" in {}", path.display())).unwrap_or_default();
            let text = format!("{place} is gone; what was written for its call is kept{kept} and comes back with it");
            self.say(Level::Warning, &text);
        }
    }
}
