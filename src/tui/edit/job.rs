//! Work for the editor that takes long, or that touches files.

use super::diff::Diff;
use super::live::{Live, Target};
use super::memory;
use crate::capture::Call;
use crate::capture::index::CallId;
use crate::gate::Gate;
use crate::replay::News;
use crate::tui::job::{Desk, Output};
use crate::tui::runtime::jobs::JobContext;
use std::fmt;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What these jobs are called, in words that can be shown.
pub mod kind {
    /// Judging a long text.
    pub const JUDGING: &str = "judging the text";
    /// Writing attempts to a file.
    pub const SAVING: &str = "saving";
    /// Reading the other attempt.
    pub const READING: &str = "reading an attempt";
    /// Comparing two long texts.
    pub const COMPARING: &str = "comparing";
    /// Keeping drafts, attempts and notes for the next run.
    pub const KEEPING: &str = "keeping edits and notes";
}

/// A value that is shared: the same one, not an equal one.
pub struct Shared<T>(pub Arc<T>);

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Eq for Shared<T> {}

impl<T> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Shared")
    }
}

/// A job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditJob {
    /// Judge a text.
    Judge {
        /// By this gate.
        gate: Shared<Gate>,
        /// As arguments of this.
        target: Target,
        /// The text.
        text: String,
        /// The call that it is written for.
        call: CallId,
        /// The text's revision.
        revision: u64,
    },
    /// Write attempts to a file, and find them there.
    Save(Desk, Vec<(CallId, Shared<Call>)>),
    /// Read a call, to compare it with another.
    Read(Desk, CallId),
    /// Compare two calls.
    Compare {
        /// Under this gate.
        gate: Shared<Gate>,
        /// The first and the second.
        calls: (Shared<Call>, Shared<Call>),
        /// Their ids.
        pair: (CallId, CallId),
    },
    /// Write what is kept between runs.
    Keep(PathBuf, String),
}

/// What came of it.
#[derive(Debug)]
pub enum EditOutput {
    /// What the gate says of a revision of a text.
    Judged(CallId, u64, Box<Live>),
    /// Attempts were written.
    Saved {
        /// Where.
        path: PathBuf,
        /// Those that were.
        saved: Vec<CallId>,
        /// What reading the file found.
        news: Vec<News>,
        /// Where each stands now, as far as it was found.
        found: Vec<(CallId, CallId)>,
    },
    /// Attempts could not be written, and why.
    NotSaved(String),
    /// A call, or why it could not be read.
    Read(CallId, Result<Arc<Call>, String>),
    /// Two calls were compared.
    Compared((CallId, CallId), Box<Diff>),
    /// What is kept between runs could not be written.
    NotKept(String),
}

impl EditJob {
    /// Does it.
    pub fn run(self, job: &JobContext<Output>) {
        let say = |output| job.output(Output::Edit(output));
        match self {
            Self::Judge { gate, target, text, call, revision } => {
                let live = Live::of(&gate, &target, &text);
                say(EditOutput::Judged(call, revision, Box::new(live)));
            }
            // It has happened, whether or not anybody still waits for it.
            Self::Save(desk, attempts) => job.deliver(Output::Edit(save(&desk, &attempts))),
            Self::Read(desk, id) => {
                let read = desk.sit_down().detail(id);
                let read = read.map(|detail| Arc::new(detail.call)).map_err(|problem| problem.to_string());
                say(EditOutput::Read(id, read));
            }
            Self::Compare { gate, calls, pair } => {
                let diff = Diff::of(&gate, &calls.0, &calls.1);
                say(EditOutput::Compared(pair, Box::new(diff)));
            }
            Self::Keep(path, text) => {
                if let Err(error) = memory::write(&path, &text) {
                    say(EditOutput::NotKept(error.to_string()));
                }
            }
        }
    }
}

/// Writes attempts, reads the file again at once, and finds them there: so there is no moment at which both are shown.
fn save(desk: &Desk, attempts: &[(CallId, Shared<Call>)]) -> EditOutput {
    let mut engine = desk.sit_down();
    let calls: Vec<Call> = attempts.iter().map(|(_, call)| Call::clone(call)).collect();
    let path = match engine.save(&calls) {
        Ok(path) => path,
        Err(error) => return EditOutput::NotSaved(error.to_string()),
    };
    let mut news: Vec<News> = engine.introduction().into_iter().collect();
    // A scan that had been stopped goes on first; the next one looks at every file.
    for _ in 0..2 {
        engine.scan(&mut |found| news.push(found), &mut || true);
    }
    let mut found: Vec<(CallId, CallId)> = Vec::new();
    for row in rows_in(&news, &path) {
        let Ok(detail) = engine.detail(row) else { continue };
        let is = |call: &Call| call.id == detail.call.id && call.parent == detail.call.parent && call.tool == detail.call.tool;
        let attempt = attempts.iter().find(|(id, call)| is(call) && !found.iter().any(|(known, _)| known == id));
        found.extend(attempt.map(|(id, _)| (*id, row)));
    }
    EditOutput::Saved { path, saved: attempts.iter().map(|(id, _)| *id).collect(), news, found }
}

fn rows_in(news: &[News], path: &Path) -> Vec<CallId> {
    let same = |other: &Path| other == path || std::path::absolute(other).ok() == std::path::absolute(path).ok();
    let rows = news.iter().filter_map(|news| match news {
        News::Calls { path, added, .. } if same(path) => Some(added.iter().map(|row| row.id)),
        _ => None,
    });
    rows.flatten().collect()
}
