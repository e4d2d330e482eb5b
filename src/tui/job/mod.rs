//! What is done off the UI thread, and what comes of it.

mod baseline;
mod definitions;
mod desk;
pub mod find;
pub mod review;
mod rules;
mod schema;
mod shown;

#[cfg(test)]
pub(in crate::tui) use definitions::explore;
pub use definitions::{Definitions, Explored, Lint, LintOptions, Severity};
pub use desk::Desk;
pub use shown::{ArgumentsView, Shown};

use self::review::{ReviewJob, ReviewOutput};
use super::edit::job::{EditJob, EditOutput, Shared};
use super::export::job::{ExportJob, Exported};
use super::runtime::Work;
use super::runtime::event_loop::FRAME;
use super::runtime::jobs::JobContext;
use crate::capture::Problem;
use crate::capture::index::CallId;
use crate::definition::Catalog;
use crate::gate::{Gate, Profile};
use crate::replay::News;
use crate::replay::stats::Statistics;
use crate::review::Cause;
use find::{FindJob, Found};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What jobs are called, in words that can be shown: the first half of their keys.
pub mod kind {
    /// Reading captures.
    pub const LOADING: &str = "reading calls";
    /// Reading definitions, and judging the calls of those that changed.
    pub const JUDGING: &str = "judging";
    /// Reading one call.
    pub const CALL: &str = "reading the call";
    /// Judging every call by other rules.
    pub const RULES: &str = "judging by other rules";
    /// Deciding which calls pass a filter.
    pub const FILTERING: &str = "filtering";
    /// Sorting calls.
    pub const SORTING: &str = "sorting";
    /// Laying definitions out and linting them.
    pub const DEFINITIONS: &str = "looking through definitions";
    /// Counting calls.
    pub const COUNTING: &str = "counting calls";
    /// Marking the baseline.
    pub const BASELINE: &str = "marking the baseline";
    /// Judging by the definitions at a git revision.
    pub const COMPARING: &str = "judging by the other revision";
    /// Finding what verdicts flipped for.
    pub const CAUSES: &str = "finding the causes";
    /// Making a review.
    pub const REVIEW: &str = "reviewing";
    /// Judging one call of a review by both definitions.
    pub const BOTH: &str = "reading the call for the review";
    /// Finding calls by letters.
    pub const FUZZY: &str = "finding calls";
    /// Adding to the accept file.
    pub const ACCEPTING: &str = "accepting";
}

/// A job. What works on the engine holds the [`Desk`] at which it is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Job {
    /// Read what is new in the captures.
    Scan(Desk),
    /// Read the definitions again.
    Reload(Desk),
    /// Read a call whole, and lay it out.
    Detail(Desk, CallId),
    /// From here on flips are counted anew.
    MarkBaseline(Desk),
    /// Count flips from the definitions at this git revision, or at the merge base with the default branch.
    Compare(Desk, Option<String>),
    /// Find the changes since the baseline that these verdicts flipped for.
    Causes(Desk, Vec<CallId>),
    /// From here on calls are judged by the rules of this profile.
    Rules(Desk, Profile),
    /// Lay all definitions out for a gate, and lint them.
    Definitions(Shared<Catalog>, Shared<Gate>, Shared<LintOptions>),
    /// Add up all calls.
    Count(Desk),
    /// For the editor.
    Edit(EditJob),
    /// For the review.
    Review(ReviewJob),
    /// Find calls, or put them in order.
    Find(Shared<FindJob>),
    /// Write an export.
    Export(ExportJob),
}

/// What a job found.
#[derive(Debug)]
pub enum Output {
    /// What changed, in order. It has happened, whether or not the job is still wanted: nothing of it may be dropped.
    News(Vec<News>),
    /// What could not be read as a path, after a whole scan.
    Paths(Vec<Problem>),
    /// What to try where most calls of a session are of unknown tools, after a scan that found something.
    Advice(Option<String>),
    /// A call to look at.
    Call(Box<Shown>),
    /// A call that could not be read, and why.
    NoCall(CallId, String),
    /// All definitions, laid out.
    Definitions(Box<Definitions>),
    /// All calls, added up.
    Counted(Box<Statistics>),
    /// Flips are counted from here.
    BaselineMarked,
    /// Flips are counted from the definitions at a git revision.
    BaselineSet {
        /// The revision, in words.
        revision: String,
        /// What could not be read at that revision.
        problems: Vec<String>,
    },
    /// Why flips are not counted from a revision.
    NoBaseline(String),
    /// The changes since the baseline that calls flipped for.
    Causes(HashMap<CallId, Arc<[Cause]>>),
    /// For the editor.
    Edit(EditOutput),
    /// For the review.
    Review(ReviewOutput),
    /// Calls, found or in order.
    Found(Found),
    /// What became of an export.
    Exported(Exported),
}

/// How long one turn of a scan may take before what it found is told. Within a turn too, other jobs are let in first.
const TURN: Duration = Duration::from_millis(40);

impl Work for Job {
    type Output = Output;

    fn run(self, job: &JobContext<Output>) {
        match self {
            Self::Edit(work) => work.run(job),
            Self::Review(work) => work.run(job),
            Self::Find(work) => work.run(job),
            Self::Export(export) => export.run(job),
            Self::Scan(desk) => scan(&desk, job),
            Self::Compare(desk, name) => baseline::compare(&desk, name.as_deref(), job),
            Self::Causes(desk, flipped) => baseline::causes(&desk, &flipped, job),
            Self::Definitions(catalog, gate, lint) => {
                job.output(Output::Definitions(Box::new(definitions::explore(&catalog, &gate.0, &lint))));
            }
            Self::Count(desk) => {
                let mut statistics = desk.reader().statistics();
                statistics.close();
                job.output(Output::Counted(Box::new(statistics)));
            }
            Self::Rules(desk, profile) => rules::judge(&desk, profile, job),
            Self::Reload(desk) => rules::reload(&desk, job),
            Self::Detail(desk, id) => {
                let reader = desk.reader();
                let read = reader.detail(id).and_then(|detail| Ok((detail, reader.raw(id)?)));
                job.output(match read {
                    Ok((detail, raw)) => Output::Call(Box::new(Shown::new(id, detail, raw))),
                    Err(problem) => Output::NoCall(id, problem.to_string()),
                });
            }
            Self::MarkBaseline(desk) => {
                let mut engine = desk.sit_down();
                engine.mark_baseline();
                job.deliver(Output::BaselineMarked);
            }
        }
    }
}

/// Scans in turns, with the desk free for others in between.
fn scan(desk: &Desk, job: &JobContext<Output>) {
    let total = desk.session_bytes();
    let mut found = false;
    loop {
        let mut engine = desk.wait_for_turn();
        let mut teller = Teller { job, news: engine.introduction().into_iter().collect(), told: None };
        let started = Instant::now();
        let mut first = true;
        let mut go_on = || {
            let go_on = first || (started.elapsed() < TURN && !desk.is_waited_for());
            first = false;
            go_on && !job.is_cancelled()
        };
        let (problems, stopped) = engine.scan(&mut |news| teller.add(news), &mut go_on);
        // While sitting at the desk, so that nobody tells later news first.
        teller.tell();
        found |= teller.told.is_some();
        let (_, bytes) = engine.progress();
        let advice = (!stopped && found).then(|| engine.advice());
        drop(engine);
        job.progress(bytes.min(total), total);
        if let Some(advice) = advice {
            job.output(Output::Advice(advice));
        }
        if !stopped {
            return job.output(Output::Paths(problems));
        }
        if job.is_cancelled() {
            return;
        }
    }
}

/// Tells how many calls are done, and of how many; false if no more is wanted.
fn goes_on(job: &JobContext<Output>, done: usize, total: usize) -> bool {
    let count = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
    job.progress(count(done), count(total));
    !job.is_cancelled()
}

/// Tells the first news at once, and what follows in one piece a frame.
struct Teller<'a> {
    job: &'a JobContext<Output>,
    news: Vec<News>,
    told: Option<Instant>,
}

impl Teller<'_> {
    fn add(&mut self, news: News) {
        self.news.push(news);
        if self.told.is_none_or(|told| told.elapsed() >= FRAME) {
            self.tell();
        }
    }

    fn tell(&mut self) {
        if !self.news.is_empty() {
            self.job.deliver(Output::News(std::mem::take(&mut self.news)));
            self.told = Some(Instant::now());
        }
    }
}
