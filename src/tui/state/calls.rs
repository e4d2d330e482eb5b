//! The list of calls: their order, those that are shown, and which is selected.

use super::find::Find;
use super::rows::{Place, Rows};
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
    order: Vec<CallId>,
    /// Those that the filter lets through, in the same order; none where that is all of them.
    shown: Option<Vec<CallId>>,
    /// Calls that came, to be put in their places together.
    arrived: Vec<CallId>,
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
    /// How often what is shown has changed.
    changes: u64,
    /// The newest call that is shown, as of one of these changes: sorted otherwise it may stand anywhere.
    newest: Option<(u64, Option<CallId>)>,
}

/// Rows among which a failing one is looked for.
const LOOKED_AT: usize = 20_000;

impl Calls {
    /// How many are shown.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shown().len()
    }

    /// Whether none is shown.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shown().is_empty()
    }

    fn shown(&self) -> &[CallId] {
        self.shown.as_deref().unwrap_or(&self.order)
    }

    /// The calls from one row on.
    #[must_use]
    pub fn from(&self, row: usize) -> &[CallId] {
        self.shown().get(row..).unwrap_or_default()
    }

    /// Every call in order, shown or not.
    #[must_use]
    pub fn all(&self) -> &[CallId] {
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
        self.shown().iter().position(|known| *known == id)
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
            self.hide(old, rows, find);
        }
        self.at = self.row_of(id);
        if self.at.is_none()
            && rows.has(id)
            && let Some(shown) = &mut self.shown
        {
            self.pinned = Some(id);
            insert(shown, &[id], rows, &self.sort);
            self.also_shown(&[id], rows);
            self.at = self.row_of(id);
        }
    }

    /// Shows a call no longer, unless it passes.
    fn hide(&mut self, id: CallId, rows: &Rows, find: &Find) {
        if let Some(shown) = &mut self.shown
            && !rows.place(id).is_some_and(|place| find.passes(&place))
        {
            shown.retain(|known| *known != id);
            self.changes += 1;
        }
    }

    /// Selects the call in a row.
    pub fn select_row(&mut self, row: usize) {
        let row = row.min(self.len().saturating_sub(1));
        if let Some(id) = self.shown().get(row).copied() {
            (self.selected, self.at) = (Some(id), Some(row));
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
    pub(in crate::tui) fn take_in_order(&mut self, order: Vec<CallId>, rows: &Rows, find: &Find) {
        self.order = order;
        self.unsorted = false;
        let since = std::mem::take(&mut self.since);
        insert(&mut self.order, &since, rows, &self.sort);
        self.reshow(rows, find);
    }

    /// A job is about to sort: calls that come from here on are put in their places afterwards.
    pub(in crate::tui) fn hand_over(&mut self) {
        self.unsorted = false;
        self.since.clear();
    }

    /// Takes note of calls that are new. They have their places when [`Calls::place_arrived`] has been called.
    pub(super) fn arrive(&mut self, ids: &[CallId]) {
        self.arrived.extend(ids);
    }

    /// Puts calls that came in their places, all at once: there may be a million others. False if none came.
    pub(super) fn place_arrived(&mut self, rows: &Rows, find: &Find) -> bool {
        let new = std::mem::take(&mut self.arrived);
        if new.is_empty() {
            return false;
        }
        if self.sorting {
            self.since.extend(&new);
        }
        if rows.has_attempts() {
            for place in new.iter().filter_map(|id| rows.place(*id)).filter(|place| place.indent > 0) {
                let attempts = self.attempts.entry(place.root()).or_default();
                attempts.push(place);
                attempts.sort_unstable();
            }
        }
        insert(&mut self.order, &new, rows, &self.sort);
        self.show_also(&new, rows, find);
        true
    }

    /// Shows those of these calls that pass, and are not shown yet.
    pub(in crate::tui) fn show_also(&mut self, ids: &[CallId], rows: &Rows, find: &Find) {
        if let Some(shown) = &mut self.shown {
            // That one may be there already.
            let missing = self.pinned.filter(|id| !shown.contains(id));
            let passes = |id: &CallId| {
                if self.pinned == Some(*id) { missing == self.pinned } else { find.passes_by(*id, || rows.place(*id)) }
            };
            let passing: Vec<CallId> = ids.iter().copied().filter(passes).collect();
            insert(shown, &passing, rows, &self.sort);
            self.also_shown(&passing, rows);
        } else {
            self.also_shown(ids, rows);
        }
        self.locate();
    }

    /// These are shown too: the newest is the one that was, or one of them.
    fn also_shown(&mut self, ids: &[CallId], rows: &Rows) {
        let known = self.newest.filter(|(changes, _)| *changes == self.changes);
        self.changes += 1;
        if let Some((_, newest)) = known {
            self.newest = Some((self.changes, newest_of(newest.iter().chain(ids), rows)));
        }
    }

    /// Calls of a file from a number on went, and with them these attempts have lost the calls that they were attempts at.
    pub(super) fn forget(&mut self, file: u32, from: u32, orphans: &[CallId], rows: &Rows, find: &Find) {
        self.revision += 1;
        let stays = |id: &CallId| id.file != file || id.call < from;
        self.order.retain(stays);
        if let Some(shown) = &mut self.shown {
            shown.retain(stays);
        }
        self.new.retain(stays);
        self.changes += 1;
        self.pinned.take_if(|id| !stays(id));
        self.move_attempts(orphans, rows, find);
    }

    /// Calls were found to be attempts at others.
    pub(super) fn attempts_found(&mut self, rows: &Rows, find: &Find) {
        self.revision += 1;
        self.move_attempts(&[], rows, find);
    }

    /// Puts all attempts, and these that are none any more, where they belong now.
    fn move_attempts(&mut self, orphans: &[CallId], rows: &Rows, find: &Find) {
        self.attempts.clear();
        let mut ids = orphans.to_vec();
        for place in rows.attempts() {
            self.attempts.entry(place.root()).or_default().push(place);
            ids.push(place.id);
        }
        self.attempts.values_mut().for_each(|attempts| attempts.sort_unstable());
        if ids.is_empty() {
            return self.locate();
        }
        self.changes += 1;
        let moved: HashSet<CallId> = ids.iter().copied().filter(|id| rows.has(*id)).collect();
        let here: Vec<CallId> = moved.iter().copied().collect();
        self.order.retain(|id| !moved.contains(id));
        insert(&mut self.order, &here, rows, &self.sort);
        if let Some(shown) = &mut self.shown {
            shown.retain(|id| !moved.contains(id));
        }
        self.show_also(&here, rows, find);
    }

    /// Calls are judged otherwise: where that is what they are sorted by, they have to be sorted anew.
    pub(super) fn judged_anew(&mut self) {
        let by_verdict = |(key, _): &(SortKey, Direction)| matches!(key, SortKey::Verdict | SortKey::Issues);
        self.unsorted |= self.sort.keys().iter().any(by_verdict);
    }

    /// Shows those that pass now.
    pub(in crate::tui) fn reshow(&mut self, rows: &Rows, find: &Find) {
        self.shown = (!find.shows_all()).then(|| {
            let pinned = self.pinned;
            let passes = |id: &CallId| pinned == Some(*id) || find.passes_by(*id, || rows.place(*id));
            self.order.iter().copied().filter(passes).collect()
        });
        self.changes += 1;
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
    pub(in crate::tui) fn unpin(&mut self, rows: &Rows, find: &Find) {
        if self.pinned.is_none() {
            return;
        }
        let at = self.at.and_then(|at| self.shown().get(at)).copied();
        let passes = at.and_then(|id| rows.place(id)).is_some_and(|place| find.passes(&place));
        let Some(id) = self.pinned.take_if(|id| passes || self.selected != Some(*id)) else { return };
        if self.selected != Some(id) {
            self.hide(id, rows, find);
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
            self.selected = self.newest_failing(rows).or(self.shown().first().copied());
            self.locate();
        }
    }

    /// Calls came that nobody has looked at; what is read at the start, and what one makes oneself, is nothing new.
    pub(super) fn note_new(&mut self, ids: &[CallId]) {
        if self.loaded && !self.follow {
            self.new.extend(ids.iter().filter(|id| id.file != UNSAVED));
        }
    }

    /// Whether calls came since the newest was last looked at.
    pub(in crate::tui) fn has_new(&self) -> bool {
        !self.new.is_empty()
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
    pub fn newest(&mut self, rows: &Rows) -> Option<CallId> {
        if self.sort.keys().is_empty() {
            let is_original = |id: &CallId| rows.place(*id).is_some_and(|place| place.indent == 0);
            return self.shown().iter().copied().find(is_original);
        }
        if let Some((_, newest)) = self.newest.filter(|(changes, _)| *changes == self.changes) {
            return newest;
        }
        let newest = newest_of(self.shown(), rows);
        self.newest = Some((self.changes, newest));
        newest
    }

    fn newest_failing(&self, rows: &Rows) -> Option<CallId> {
        let first = || self.shown().iter().copied().take(LOOKED_AT);
        let is_original = |id: &CallId| rows.place(*id).is_some_and(|place| place.indent == 0);
        // An attempt is what somebody made of a call; what failed is the call.
        let original = first().find(|id| rows.fails(*id) && is_original(id));
        original.or_else(|| first().find(|id| rows.fails(*id)))
    }

    /// Calls that are not shown, and of those how many have not been decided yet.
    #[must_use]
    pub fn hidden(&self, find: &Find) -> (usize, usize) {
        let hidden = self.order.len().saturating_sub(self.len());
        (hidden, if hidden == 0 { 0 } else { find.undecided() })
    }

    /// Whether a call that passes would be shown here: for tests.
    #[cfg(test)]
    pub(in crate::tui) fn expected(&self, rows: &Rows, find: &Find) -> Vec<CallId> {
        let shown = |id: &CallId| rows.place(*id).is_some_and(|place| find.passes(&place)) || self.pinned == Some(*id);
        self.order.iter().copied().filter(shown).collect()
    }
}

/// In the order of places the newest is the first.
fn newest_of<'i>(ids: impl IntoIterator<Item = &'i CallId>, rows: &Rows) -> Option<CallId> {
    let originals = ids.into_iter().filter_map(|id| rows.place(*id)).filter(|place| place.indent == 0);
    originals.min().map(|place| place.id)
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
pub fn arranged(rows: &Rows, sort: &Sort) -> Vec<CallId> {
    let mut places: Vec<Place> = rows.ids().filter_map(|id| rows.place(id)).collect();
    places.sort_unstable();
    if sort.keys().is_empty() {
        return places.into_iter().map(|place| place.id).collect();
    }
    let facts = |place: Place| Some((rows.facts(place.root(), Flags::NONE)?, place.id));
    let mut with_facts: Vec<_> = places.into_iter().filter_map(facts).collect();
    // Stable: what is equal stays the newest first, and attempts beside their calls.
    with_facts.sort_by(|(a, _), (b, _)| sort.compare(a, b));
    with_facts.into_iter().map(|(_, id)| id).collect()
}

/// Puts new calls where they belong. What stands before the first of them is not touched, and the rest is moved once.
fn insert(order: &mut Vec<CallId>, new: &[CallId], rows: &Rows, sort: &Sort) {
    let mut places: Vec<Place> = new.iter().filter_map(|id| rows.place(*id)).collect();
    places.sort_unstable_by(|a, b| compare(sort, rows, a, b));
    let (mut end, mut to) = (order.len(), order.len() + places.len());
    let Some(last) = places.last() else { return };
    order.resize(to, last.id);
    for place in places.iter().rev() {
        let at =
            place_of(&order[..end], |known| rows.place(known).is_none_or(|known| compare(sort, rows, &known, place).is_lt()));
        order.copy_within(at..end, to - (end - at));
        to -= end - at + 1;
        order[to] = place.id;
        end = at;
    }
}

/// How many stand before a call, looked for from the end: calls that come together stand together.
fn place_of(order: &[CallId], is_before: impl Fn(CallId) -> bool) -> usize {
    let (mut step, mut end) = (1, order.len());
    while end > 0 && !is_before(order[end - 1]) {
        end = end.saturating_sub(step);
        step *= 2;
    }
    let to = (end + step).min(order.len());
    end + order[end..to].partition_point(|id| is_before(*id))
}
