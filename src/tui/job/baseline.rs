//! Comparing with what the definitions were at a git revision, and finding the changes that verdicts flipped for.

use super::{Desk, Output, goes_on};
use crate::capture::index::CallId;
use crate::definition::NamedSet;
use crate::definition::git::Repository;
use crate::review::{Cause, Options, Reviewer};
use crate::tui::runtime::jobs::JobContext;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Calls between two looks at whether it is still wanted.
const TURN: usize = 64;

/// Counts flips from the definitions at a revision: the one that is named, or the merge base with the default branch.
pub(super) fn compare(desk: &Desk, name: Option<&str>, job: &JobContext<Output>) {
    if let Some(set) = desk.tools().iter().find(|path| NamedSet::is_name(path)) {
        return job.output(Output::NoBaseline(format!("{} is part of the program and has no history", set.display())));
    }
    let (catalog, revision) = match Repository::at(desk.tools(), name) {
        Ok(found) => found,
        Err(error) => {
            let advice = if error.has_no_history() { "; flips can be counted from a mark (B)" } else { "" };
            return job.output(Output::NoBaseline(format!("{error}{advice}")));
        }
    };
    let problems = catalog.findings().iter().map(ToString::to_string).collect();
    let mut engine = desk.sit_down();
    let mut news: Vec<_> = engine.introduction().into_iter().collect();
    if engine.compare_with(catalog, &mut |told| news.push(told), &mut |done, total| goes_on(job, done, total)) {
        // While sitting at the desk, so that nobody tells later news first.
        job.deliver(Output::News(news));
        job.deliver(Output::BaselineSet { revision: revision.words(), problems });
    }
}

/// For each of these calls, the changes since the baseline that its verdict is another one for.
pub(super) fn causes(desk: &Desk, flipped: &[CallId], job: &JobContext<Output>) {
    let (before, after, profile) = {
        let engine = desk.sit_down();
        (Arc::clone(engine.baseline()), Arc::clone(engine.catalog()), engine.gate().profile())
    };
    let reviewer = Reviewer::new(&before, &after, Options { profile, ..Options::default() });
    let reader = desk.reader();
    let mut found = HashMap::with_capacity(flipped.len());
    // Most calls flipped for what others flipped for.
    let mut known: HashSet<Arc<[Cause]>> = HashSet::new();
    for (n, id) in flipped.iter().enumerate() {
        if n % TURN == 0 && !goes_on(job, n, flipped.len()) {
            return;
        }
        if let Ok(call) = reader.call(*id) {
            let causes: Arc<[Cause]> = reviewer.explain(&call).into();
            let causes = known.get(&causes).cloned().unwrap_or(causes);
            known.insert(Arc::clone(&causes));
            found.insert(*id, causes);
        }
    }
    job.output(Output::Causes(found));
}
