//! Reviewing the definitions against what they were: read, compared and replayed beside everything else.

use super::{Desk, Output};
use crate::capture::index::CallId;
use crate::gate::{Gate, Profile};
use crate::lint::Targets;
use crate::report::review::{Leftover, ReviewReport, markdown};
use crate::review::{AcceptFile, Entry, Finding, Options, Review, Reviewer, Sides, ToolReview, today};
use crate::tui::edit::diff::Diff;
use crate::tui::edit::job::Shared;
use crate::tui::runtime::jobs::JobContext;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

/// Calls of one finding that can be looked at.
const EXAMPLES: usize = 1_000;
/// Calls with their arguments: past these they are counted only.
const WITH_ARGUMENTS: usize = 5_000;
/// Calls between two looks at whether the review is still wanted.
const TURN: usize = 64;

/// How to review, and against what.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The rules.
    pub options: Options,
    /// The revision, as it was named; none for the merge base with the default branch.
    pub base: Option<String>,
}

/// What there is to do for a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReviewJob {
    /// Make it.
    Make(Desk, Shared<Settings>),
    /// Read a call, and judge it by both definitions.
    Compare(Desk, CallId, (Shared<Gate>, Shared<Gate>)),
    /// Add a finding to the accept file.
    Accept(PathBuf, Entry),
}

/// What came of it.
#[derive(Debug)]
pub enum ReviewOutput {
    /// The review, or why there is none.
    Made(Result<Box<Reviewed>, String>),
    /// A call by both definitions, or why it could not be read.
    Compared(CallId, Result<Box<Diff>, String>),
    /// The finding with this fingerprint is in this file now; or why not.
    Accepted(String, Result<PathBuf, String>),
}

/// A review with what is needed to show it.
#[derive(Debug)]
pub struct Reviewed {
    /// What was found; of its calls those that feel a change.
    pub review: Review,
    /// Where each of these calls is found.
    pub ids: Vec<CallId>,
    /// The gates before and after the change.
    pub gates: (Arc<Gate>, Arc<Gate>),
    /// How many findings of each severity there are.
    pub counts: String,
    /// What was compared, what became of the calls, and what else is to be known, in lines.
    pub lines: Vec<String>,
    /// What could not be compared.
    pub problems: Vec<String>,
    /// What is compared with, and what is, in words.
    pub names: (String, String),
    /// The rules by which calls were judged.
    pub profile: Profile,
    /// The comment for a pull request.
    pub markdown: String,
    /// The findings in the order in which they are shown: the tool, and its finding.
    order: Vec<(usize, usize)>,
}

impl Reviewed {
    /// How many findings there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether nothing was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// A finding with its tool.
    #[must_use]
    pub fn finding(&self, number: usize) -> Option<(&ToolReview, &Finding)> {
        let (tool, finding) = self.order.get(number)?;
        let tool = self.review.tools.get(*tool)?;
        Some((tool, tool.findings.get(*finding)?))
    }

    /// The number of the finding with this fingerprint.
    #[must_use]
    pub fn with_fingerprint(&self, fingerprint: &str) -> Option<usize> {
        (0..self.len()).find(|number| self.finding(*number).is_some_and(|(_, finding)| finding.fingerprint == fingerprint))
    }
}

impl ReviewJob {
    /// Does it.
    pub fn run(self, job: &JobContext<Output>) {
        match self {
            Self::Make(desk, settings) => {
                if let Some(made) = make(&desk, &settings, job) {
                    job.output(Output::Review(ReviewOutput::Made(made)));
                }
            }
            Self::Compare(desk, id, (before, after)) => {
                let call = desk.reader().call(id).map_err(|problem| problem.to_string());
                let diff = call.map(|call| Box::new(Diff::by_two(&before, &after, &call)));
                job.output(Output::Review(ReviewOutput::Compared(id, diff)));
            }
            // It has happened, whether or not anybody still waits for it.
            Self::Accept(path, entry) => {
                let added = AcceptFile::add(&path, &entry).map_err(|error| error.to_string());
                let added =
                    added.map(|()| path.clone()).map_err(|error| format!("{}: could not be written: {error}", path.display()));
                job.deliver(Output::Review(ReviewOutput::Accepted(entry.fingerprint, added)));
            }
        }
    }
}

/// `None` where it was cancelled.
fn make(desk: &Desk, settings: &Settings, job: &JobContext<Output>) -> Option<Result<Box<Reviewed>, String>> {
    let read = Sides::of(desk.tools(), settings.base.as_deref(), None).and_then(|sides| Ok((sides, AcceptFile::read(None)?.0)));
    let (sides, accepted) = match read {
        Ok(read) => read,
        Err(reason) => return Some(Err(reason)),
    };
    if job.is_cancelled() {
        return None;
    }
    // By the rules that everything else on the screen is judged by.
    let profile = desk.reader().profile();
    let lint = settings.options.lint.clone().map(|lint| crate::lint::Options { profile, ..lint });
    let options = Options { profile, lint, examples: EXAMPLES, keep_calls: false, ..settings.options.clone() };
    let targets = options.lint.as_ref().and_then(|lint| lint.targets).map(Targets::names).unwrap_or_default();
    let mut reviewer = Reviewer::new(&sides.before, &sides.after, options);
    let ids = replay(&mut reviewer, desk, profile, job)?;
    let given = (targets, !desk.sessions().is_empty());
    Some(Ok(Box::new(Reviewed::of(reviewer, ids, sides, &accepted, profile, given))))
}

impl Reviewed {
    /// What was found, with what is needed to show it; `given` is whom lint was for, and whether there are calls.
    pub(in crate::tui) fn of(
        reviewer: Reviewer,
        ids: Vec<CallId>,
        sides: Sides,
        accepted: &AcceptFile,
        profile: Profile,
        given: (Vec<&'static str>, bool),
    ) -> Self {
        let gates = (Arc::clone(reviewer.before()), Arc::clone(reviewer.after()));
        let mut review = reviewer.finish();
        let leftovers = accepted.apply(&mut review, &today());
        let report = ReviewReport {
            review: &review,
            base: sides.base.clone(),
            head: sides.head.clone(),
            profile,
            targets: given.0,
            calls_given: given.1,
            all_tools: Vec::new(),
            leftovers: leftovers.iter().map(Leftover::of).collect(),
            unreadable: sides.unreadable.clone(),
        };
        let accepted = match report.accepted() {
            0 => String::new(),
            accepted => format!(" ({accepted} accepted)"),
        };
        let mut lines = vec![report.compared_line(), report.calls_line()];
        lines.extend(
            report
                .leftovers
                .iter()
                .map(|left| format!("The accepted finding {} is {}: {}", left.fingerprint, left.state, left.advice)),
        );
        let (counts, markdown) = (report.counts() + &accepted, markdown(&report));
        let order = review.tools.iter().enumerate();
        let order = order.flat_map(|(tool, review)| (0..review.findings.len()).map(move |finding| (tool, finding))).collect();
        let names = (sides.base, sides.head);
        Self { review, ids, gates, counts, lines, problems: sides.warnings, names, profile, markdown, order }
    }
}

/// Replays the calls of changed tools; every other call is judged alike on both sides. Gives where the calls are that are kept.
fn replay(reviewer: &mut Reviewer, desk: &Desk, profile: Profile, job: &JobContext<Output>) -> Option<Vec<CallId>> {
    let reader = desk.reader();
    let (wanted, others) = {
        let changed: HashSet<&str> = reviewer.changed().collect();
        // What the engine says of a call holds for the rules of the wave gate only.
        reader.calls_of(Some(&changed).filter(|_| profile == Profile::Wave))
    };
    for verdict in others {
        reviewer.add_unchanged(verdict);
    }
    let total = wanted.len() as u64;
    let mut kept = Vec::new();
    for (n, id) in wanted.into_iter().enumerate() {
        if n % TURN == 0 {
            if job.is_cancelled() {
                return None;
            }
            job.progress(n as u64, total);
        }
        // A call whose file has changed meanwhile is read by the next scan, and is not there until then.
        let Ok(call) = reader.call(id) else { continue };
        let judged = reviewer.judge(&call);
        let judged = if kept.len() < WITH_ARGUMENTS { judged } else { judged.without_arguments() };
        kept.extend(reviewer.add(judged).map(|_| id));
    }
    Some(kept)
}
