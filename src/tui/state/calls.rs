//! The list of calls: their order, the filter, and which is selected.

use super::rows::{Place, Rows, fails};
use super::tools::ToolKey;
use crate::capture::index::CallId;
use std::collections::HashSet;
use std::sync::Arc;

/// The list of calls.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    /// Every call in order.
    order: Vec<Place>,
    /// Those that the filter lets through; the same order.
    shown: Vec<Place>,
    /// The tool whose calls are shown, and the names that its calls use.
    filter: Option<(ToolKey, HashSet<Arc<str>>)>,
    /// The selected call.
    selected: Option<CallId>,
    /// The first row that is seen.
    pub top: usize,
    /// The person has chosen a call; until then it is the newest failing one.
    pub chosen: bool,
    /// The newest call is kept selected.
    pub follow: bool,
}

impl Calls {
    /// How many are shown.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shown.len()
    }

    /// Whether none is shown.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shown.is_empty()
    }

    /// The places from one row on.
    #[must_use]
    pub fn from(&self, row: usize) -> &[Place] {
        self.shown.get(row..).unwrap_or_default()
    }

    /// The selected call.
    #[must_use]
    pub fn selected(&self) -> Option<CallId> {
        self.selected
    }

    /// The tool whose calls are shown, unless all are.
    #[must_use]
    pub fn filter(&self) -> Option<&ToolKey> {
        self.filter.as_ref().map(|(key, _)| key)
    }

    /// The row in which a call stands.
    #[must_use]
    pub fn row_of(&self, id: CallId, rows: &Rows) -> Option<usize> {
        self.shown.binary_search(&rows.place(id)?).ok()
    }

    /// The row that is selected.
    #[must_use]
    pub fn selected_row(&self, rows: &Rows) -> Option<usize> {
        self.row_of(self.selected?, rows)
    }

    /// Selects a call, wherever it stands. A call that the filter hides takes the filter away.
    pub fn select(&mut self, id: CallId, rows: &Rows) {
        if rows.get(id).is_none() {
            return;
        }
        self.selected = Some(id);
        if self.row_of(id, rows).is_none() {
            self.set_filter(None, rows);
        }
    }

    /// Selects the call in a row.
    pub fn select_row(&mut self, row: usize) {
        if let Some(place) = self.shown.get(row.min(self.shown.len().saturating_sub(1))) {
            self.selected = Some(place.id);
        }
    }

    /// Shows the calls of one tool, by the names that they use; or all.
    pub fn set_filter(&mut self, filter: Option<(ToolKey, HashSet<Arc<str>>)>, rows: &Rows) {
        self.filter = filter;
        self.shown = self.order.iter().filter(|place| self.lets_through(place, rows)).copied().collect();
        self.top = 0;
        self.settle(rows);
    }

    fn lets_through(&self, place: &Place, rows: &Rows) -> bool {
        let Some((_, names)) = &self.filter else { return true };
        rows.get(place.id).is_some_and(|row| names.contains(&row.tool))
    }

    /// Takes in calls that are new.
    pub(super) fn merge(&mut self, ids: impl Iterator<Item = CallId>, rows: &Rows) {
        let new: Vec<Place> = ids.filter_map(|id| rows.place(id)).collect();
        let shown: Vec<Place> = new.iter().filter(|place| self.lets_through(place, rows)).copied().collect();
        merge(&mut self.order, new);
        merge(&mut self.shown, shown);
    }

    /// Puts everything in order anew.
    pub(super) fn rebuild(&mut self, rows: &Rows) {
        self.order = rows.iter().filter_map(|row| rows.place(row.id)).collect();
        self.order.sort_unstable();
        self.shown = self.order.iter().filter(|place| self.lets_through(place, rows)).copied().collect();
    }

    /// Sees to it that what is selected is there to be seen: the same call, the newest failing one, or one in its place.
    pub fn settle(&mut self, rows: &Rows) {
        if self.follow {
            self.selected = self.shown.iter().find(|place| place.indent == 0).map(|place| place.id);
        }
        if !self.chosen && !self.follow {
            self.selected = self.newest_failing(rows).or(self.selected);
        }
        if self.selected.and_then(|id| self.row_of(id, rows)).is_none() {
            self.selected = self.newest_failing(rows).or(self.shown.first().map(|place| place.id));
        }
    }

    fn newest_failing(&self, rows: &Rows) -> Option<CallId> {
        let fails = |place: &&Place| rows.get(place.id).is_some_and(fails);
        // An attempt is what somebody made of a call; what failed is the call.
        let original = self.shown.iter().filter(|place| place.indent == 0).find(fails);
        original.or_else(|| self.shown.iter().find(fails)).map(|place| place.id)
    }
}

/// Both are in order, or the second is made so; the result is.
fn merge(order: &mut Vec<Place>, mut new: Vec<Place>) {
    new.sort_unstable();
    let in_front = order.first().is_none_or(|first| new.last().is_none_or(|last| last < first));
    if in_front {
        order.splice(0..0, new);
    } else {
        order.append(&mut new);
        // Two runs, each in order: a stable sort merges them in one pass.
        order.sort();
    }
}
