//! The list of calls: their order, those that are shown, and which is selected.

use super::find::Find;
use super::rows::{Place, Rows, fails};
use crate::capture::index::CallId;
use crate::replay::filter::{Direction, Flags, Sort, SortKey};
use crate::tui::edit::attempts::UNSAVED;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

/// The list of calls.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one fact about the list")]
pub struct Calls {
    /// Every call in order.
    order: Vec<Place>,
    /// Those that the filter lets through; the same order.
    shown: Vec<Place>,
    /// The attempts at each call, in order.
    attempts: HashMap<CallId, Vec<Place>>,
    /// The order; none of its keys for the newest first.
    sort: Sort,
    /// The order is not what it should be: there are too many calls to sort them while a key is waited for.
    pub(in crate::tui) unsorted: bool,
    /// Calls that came while a job sorts.
    since: Vec<CallId>,
    /// Everything has been read once.
    pub(in crate::tui) loaded: bool,
    /// A job sorts.
    pub(in crate::tui) sorting: bool,
    /// How often calls went or changed their places.
    revision: u64,
    /// The selected call.
    selected: Option<CallId>,
    /// Its row.
    at: Option<usize>,
    /// A call that is shown because somebody went to it, whatever the filter says.
    pinned: Option<CallId>,
    /// The first row that is seen.
    pub top: usize,
    /// The person has chosen a call; until then it is the newest failing one.
    pub chosen: bool,
    /// The newest call is kept selected.
    pub follow: bool,
    /// Calls that came since the newest was last looked at.
    new: HashSet<CallId>,
}

/// Rows among which a failing one is looked for.
const LOOKED_AT: usize = 20_000;

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

    /// Every call in order, shown or not.
    #[must_use]
    pub fn all(&self) -> &[Place] {
        &self.order
    }

    /// The selected call.
    #[must_use]
    pub fn selected(&self) -> Option<CallId> {
        self.selected
    }

    /// The row in which a call stands.
    #[must_use]
    pub fn row_of(&self, id: CallId) -> Option<usize> {
        self.shown.iter().position(|place| place.id == id)
    }

    /// The row that is selected.
    #[must_use]
    pub fn selected_row(&self) -> Option<usize> {
        self.at
    }

    /// A call with the attempts at it, whether or not they are shown.
    #[must_use]
    pub fn family(&self, root: CallId) -> Vec<CallId> {
        let attempts = self.attempts.get(&root).map_or(&[][..], Vec::as_slice);
        std::iter::once(root).chain(attempts.iter().map(|place| place.id)).collect()
    }

    /// The order of the list; without keys, the newest first.
    #[must_use]
    pub fn sort(&self) -> &Sort {
        &self.sort
    }

    /// How often calls went or changed their places.
    #[must_use]
    pub(in crate::tui) fn revision(&self) -> u64 {
        self.revision
    }

    /// Selects a call. One that is not shown is shown as long as it is selected.
    pub(super) fn select(&mut self, id: CallId, rows: &Rows, find: &Find) {
        self.selected = Some(id);
        if let Some(old) = self.pinned.take_if(|pinned| *pinned != id) {
            self.shown.retain(|place| place.id != old || find.passes(place));
        }
        self.at = self.row_of(id);
        if self.at.is_none()
            && let Some(place) = rows.place(id)
        {
            self.pinned = Some(id);
            insert(&mut self.shown, vec![place], |a, b| compare(&self.sort, rows, a, b));
            self.at = self.row_of(id);
        }
    }

    /// Selects the call in a row.
    pub fn select_row(&mut self, row: usize) {
        let row = row.min(self.shown.len().saturating_sub(1));
        if let Some(place) = self.shown.get(row) {
            (self.selected, self.at) = (Some(place.id), Some(row));
        }
    }

    /// Sorts by other keys; it is done when the message has been taken in, by a job if there are many calls.
    pub fn set_sort(&mut self, sort: Sort) {
        if self.sort != sort {
            self.sort = sort;
            self.unsorted = true;
        }
    }

    /// Takes in all calls in order, as a job sorted them.
    pub(in crate::tui) fn take_in_order(&mut self, order: Vec<Place>, rows: &Rows, find: &Find) {
        self.order = order;
        self.unsorted = false;
        let since = std::mem::take(&mut self.since);
        let since: Vec<Place> = since.into_iter().filter_map(|id| rows.place(id)).collect();
        insert(&mut self.order, since, |a, b| compare(&self.sort, rows, a, b));
        self.reshow(find);
    }

    /// A job is about to sort: calls that come from here on are put in their places afterwards.
    pub(in crate::tui) fn hand_over(&mut self) {
        self.unsorted = false;
        self.since.clear();
    }

    /// Takes in calls that are new.
    pub(super) fn merge(&mut self, ids: &[CallId], rows: &Rows, find: &Find) {
        let new: Vec<Place> = ids.iter().filter_map(|id| rows.place(*id)).collect();
        if new.is_empty() {
            return;
        }
        if self.sorting {
            self.since.extend(ids);
        }
        for place in new.iter().filter(|place| place.indent > 0) {
            let attempts = self.attempts.entry(place.root()).or_default();
            attempts.push(*place);
            attempts.sort_unstable();
        }
        let shown = new.iter().filter(|place| find.passes(place) || self.pinned == Some(place.id)).copied().collect();
        let by_sort = |a: &Place, b: &Place| compare(&self.sort, rows, a, b);
        insert(&mut self.order, new, by_sort);
        insert(&mut self.shown, shown, by_sort);
        self.locate();
    }

    /// Puts everything in order anew.
    pub(super) fn rebuild(&mut self, rows: &Rows, find: &Find) {
        self.revision += 1;
        let few = rows.total().calls <= find.at_once;
        self.order = if few { arranged(rows, &self.sort) } else { arranged(rows, &Sort::default()) };
        self.unsorted = !few && !self.sort.keys().is_empty();
        self.attempts.clear();
        for place in self.order.iter().filter(|place| place.indent > 0) {
            self.attempts.entry(place.root()).or_default().push(*place);
        }
        self.new.retain(|id| rows.get(*id).is_some());
        self.pinned.take_if(|id| rows.get(*id).is_none());
        self.reshow(find);
    }

    /// Calls are judged otherwise: where that is what they are sorted by, they have to be sorted anew.
    pub(super) fn judged_anew(&mut self) {
        let by_verdict = |(key, _): &(SortKey, Direction)| matches!(key, SortKey::Verdict | SortKey::Issues);
        self.unsorted |= self.sort.keys().iter().any(by_verdict);
    }

    /// Shows those that pass now.
    pub(in crate::tui) fn reshow(&mut self, find: &Find) {
        self.shown = if find.shows_all() {
            self.order.clone()
        } else {
            let pinned = self.pinned;
            self.order.iter().filter(|place| find.passes(place) || pinned == Some(place.id)).copied().collect()
        };
        self.locate();
    }

    fn locate(&mut self) {
        self.at = self.selected.and_then(|id| self.row_of(id));
    }

    /// The selected call is shown as long as it is selected, whatever becomes of it.
    pub fn pin(&mut self) {
        self.pinned = self.selected;
    }

    /// What was shown only because it was selected goes when it is not. What passes by itself needs no such favour, and must not
    /// have it from the next filter.
    pub(in crate::tui) fn unpin(&mut self, find: &Find) {
        let passes = self.at.and_then(|at| self.shown.get(at)).is_some_and(|place| find.passes(place));
        let Some(id) = self.pinned.take_if(|id| passes || self.selected != Some(*id)) else { return };
        if self.selected != Some(id) {
            self.shown.retain(|place| place.id != id || find.passes(place));
            self.locate();
        }
    }

    /// Sees to it that what is selected is there to be seen: the same call, the newest failing one, or one in its place.
    pub fn settle(&mut self, rows: &Rows) {
        let before = self.selected;
        if self.follow {
            self.selected = self.newest(rows).or(self.selected);
            self.new.clear();
        }
        if !self.chosen && !self.follow {
            self.selected = self.newest_failing(rows).or(self.selected);
        }
        if self.selected != before || self.at.is_none() {
            self.locate();
        }
        if self.at.is_none() {
            self.selected = self.newest_failing(rows).or(self.shown.first().map(|place| place.id));
            self.locate();
        }
    }

    /// Calls came that nobody has looked at; what is read at the start, and what one makes oneself, is nothing new.
    pub(super) fn note_new(&mut self, ids: &[CallId]) {
        if self.loaded && !self.follow {
            self.new.extend(ids.iter().filter(|id| id.file != UNSAVED));
        }
    }

    /// How many of the calls that are shown came since the newest was last looked at.
    #[must_use]
    pub fn new_shown(&self, find: &Find, rows: &Rows) -> usize {
        self.new.iter().filter_map(|id| rows.place(*id)).filter(|place| find.passes(place)).count()
    }

    /// The newest call is looked at.
    pub fn seen(&mut self) {
        self.new.clear();
    }

    /// The newest call that is shown.
    #[must_use]
    pub fn newest(&self, rows: &Rows) -> Option<CallId> {
        let originals = || self.shown.iter().filter(|place| place.indent == 0);
        if self.sort.keys().is_empty() {
            return originals().next().map(|place| place.id);
        }
        // In the order of places the newest is the first.
        originals().min().map(|place| place.id).filter(|id| rows.get(*id).is_some())
    }

    fn newest_failing(&self, rows: &Rows) -> Option<CallId> {
        let fails = |place: &&Place| rows.get(place.id).is_some_and(fails);
        // An attempt is what somebody made of a call; what failed is the call.
        let original = self.shown.iter().take(LOOKED_AT).filter(|place| place.indent == 0).find(fails);
        original.or_else(|| self.shown.iter().take(LOOKED_AT).find(fails)).map(|place| place.id)
    }

    /// Calls that are not shown, and of those how many have not been decided yet.
    #[must_use]
    pub fn hidden(&self, find: &Find) -> (usize, usize) {
        let hidden = self.order.len().saturating_sub(self.shown.len());
        (hidden, if hidden == 0 { 0 } else { find.undecided() })
    }

    /// Whether a call that passes would be shown here: for tests.
    #[cfg(test)]
    pub(in crate::tui) fn expected(&self, find: &Find) -> Vec<CallId> {
        let shown = |place: &&Place| find.passes(place) || self.pinned == Some(place.id);
        self.order.iter().filter(shown).map(|place| place.id).collect()
    }
}

/// How two calls stand to each other: by the keys of the order, as far as their originals are not the same; then the newest
/// first. Attempts stay beside their calls.
#[must_use]
pub fn compare(sort: &Sort, rows: &Rows, a: &Place, b: &Place) -> Ordering {
    if sort.keys().is_empty() || a.root() == b.root() {
        return a.cmp(b);
    }
    let facts = |place: &Place| rows.facts(place.root(), Flags::NONE);
    let by_keys = facts(a).zip(facts(b)).map_or(Ordering::Equal, |(a, b)| sort.compare(&a, &b));
    by_keys.then_with(|| a.cmp(b))
}

/// All calls in order.
#[must_use]
pub fn arranged(rows: &Rows, sort: &Sort) -> Vec<Place> {
    let mut places: Vec<Place> = rows.iter().filter_map(|row| rows.place(row.id)).collect();
    places.sort_unstable();
    if sort.keys().is_empty() {
        return places;
    }
    let facts = |place: Place| Some((rows.facts(place.root(), Flags::NONE)?, place));
    let mut with_facts: Vec<_> = places.into_iter().filter_map(facts).collect();
    // Stable: what is equal stays the newest first, and attempts beside their calls.
    with_facts.sort_by(|(a, _), (b, _)| sort.compare(a, b));
    with_facts.into_iter().map(|(_, place)| place).collect()
}

/// Puts new places where they belong.
fn insert(order: &mut Vec<Place>, mut new: Vec<Place>, compare: impl Fn(&Place, &Place) -> Ordering) {
    /// So few are put in one by one.
    const FEW: usize = 8;
    new.sort_unstable_by(&compare);
    let place_of = |order: &[Place], place: &Place| order.partition_point(|known| compare(known, place).is_lt());
    if new.len() <= FEW {
        for place in new {
            let at = place_of(order, &place);
            order.insert(at, place);
        }
        return;
    }
    let mut all = Vec::with_capacity(order.len() + new.len());
    let mut from = 0;
    for place in new {
        let at = from + place_of(&order[from..], &place);
        all.extend_from_slice(&order[from..at]);
        all.push(place);
        from = at;
    }
    all.extend_from_slice(&order[from..]);
    *order = all;
}
