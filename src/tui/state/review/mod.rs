//! The review on the screen: what was found, and what of it is looked at.

mod document;
mod places;

pub(in crate::tui) use document::role;
pub use document::{DocumentLine, document};
pub use places::{Areas, ListRow, areas, head, list};

use super::{State, Tab};
use crate::capture::index::CallId;
use crate::review::{Entry, Finding, ToolReview};
use crate::tui::edit::diff::Diff;
use crate::tui::edit::job::Shared;
use crate::tui::job::review::{Reviewed, Settings};
use crate::tui::layout::Pane;
use std::sync::Arc;

/// How far one has gone in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// The findings.
    #[default]
    Findings,
    /// One finding, with the calls that feel it.
    Finding,
    /// One of these calls, before and after.
    Call,
}

/// A call before and after.
#[derive(Clone, Debug)]
pub struct Compared {
    /// Its place in the review.
    pub at: usize,
    /// Where it is found.
    pub id: CallId,
    /// What was found, once it is, or why it could not be read.
    pub diff: Option<Result<Arc<Diff>, String>>,
}

/// The review.
#[derive(Debug)]
pub struct ReviewScreen {
    /// How it is made; or what is wrong with the configuration, so that it cannot be.
    pub settings: Result<Shared<Settings>, String>,
    /// What was found last, or why nothing could be.
    pub found: Option<Result<Arc<Reviewed>, String>>,
    /// It is to be made once the calls have been read.
    pub due: bool,
    /// How far one has gone in.
    pub depth: Depth,
    /// The selected finding, and the first row of the list that is seen.
    pub selected: (usize, usize),
    /// The selected line of the finding, and the first that is seen.
    pub line: (usize, usize),
    /// The call that is compared.
    pub compared: Option<Compared>,
    /// The first row of that comparison that is seen.
    pub top: usize,
    /// What was shown before.
    pub from: Option<(Tab, Pane, bool)>,
    /// A finding that is about to be accepted.
    pub accepting: Option<Entry>,
}

impl ReviewScreen {
    /// Nothing yet.
    #[must_use]
    pub fn new(settings: Result<Settings, String>) -> Self {
        Self {
            settings: settings.map(|settings| Shared(Arc::new(settings))),
            found: None,
            due: false,
            depth: Depth::default(),
            selected: (0, 0),
            line: (0, 0),
            compared: None,
            top: 0,
            from: None,
            accepting: None,
        }
    }

    /// The review, if there is one.
    #[must_use]
    pub fn reviewed(&self) -> Option<&Arc<Reviewed>> {
        self.found.as_ref()?.as_ref().ok()
    }

    /// Whether there can be other revisions to compare with, as far as is known: the reason why there is no review may say that
    /// there is no history, and names what only the command takes.
    #[must_use]
    pub fn has_history(&self) -> bool {
        !matches!(&self.found, Some(Err(reason)) if reason.contains("--against"))
    }

    /// The selected finding.
    #[must_use]
    pub fn finding(&self) -> Option<(&ToolReview, &Finding)> {
        self.reviewed()?.finding(self.selected.0)
    }

    /// Takes in a review; what is looked at stays, where it is still there.
    pub fn show(&mut self, found: Result<Box<Reviewed>, String>) {
        let fingerprint = self.finding().map(|(_, finding)| finding.fingerprint.clone());
        self.found = Some(found.map(Arc::from));
        let again = fingerprint.and_then(|known| self.reviewed()?.with_fingerprint(&known));
        // The calls have other places now, so that a call that is looked at is left.
        self.compared = None;
        self.depth = if again.is_some() { self.depth.min(Depth::Finding) } else { Depth::Findings };
        let last = self.reviewed().map_or(0, |reviewed| reviewed.len().saturating_sub(1));
        self.selected.0 = again.unwrap_or(self.selected.0).min(last);
    }
}

impl State {
    /// Whether the review has the keys.
    #[must_use]
    pub fn is_reviewing(&self) -> bool {
        self.tab == Tab::Review && self.focus == Pane::Detail
    }

    /// The lines of the selected finding, in lines of so many cells.
    #[must_use]
    pub fn review_document(&self, width: usize) -> Vec<DocumentLine> {
        let Some(reviewed) = self.review.reviewed() else { return Vec::new() };
        document(&self.theme, reviewed, self.review.selected.0, width)
    }
}
