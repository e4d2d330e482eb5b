//! Searching in the text or the tree that has the keys.

use super::super::edit::diff_rows::{self, Row};
use super::super::keys::ActionId;
use super::super::layout::Pane;
use super::super::notices::Level;
use super::super::state::{
    Hit, Looked, MOST, Needle, Pages, Purpose, Search, State, Tab, TreeView, What, go_to, in_text, in_tree,
};
use crate::capture::index::CallId;

impl State {
    /// What `/` searches in here.
    pub(in crate::tui) fn searchable(&self) -> Option<(Option<CallId>, What)> {
        if self.has_rows() {
            let of_call = self.look.call.as_deref().filter(|_| matches!(self.tab, Tab::Issues | Tab::Stages));
            return Some((of_call.map(|look| look.shown.id), What::Rows(self.tab)));
        }
        let look = self.look.call.as_deref()?;
        let what = match (self.focus, self.tab) {
            (Pane::ModelText, _) if self.draft().is_none() => What::Model,
            (Pane::Diff, _) | (Pane::Detail, Tab::Diff) => What::Diff,
            (Pane::Detail, Tab::Arguments) if look.arguments.is_some() => What::Arguments,
            (Pane::Detail, Tab::Arguments) => What::Text,
            (Pane::Detail, Tab::ModelText) => What::Model,
            (Pane::Detail, Tab::Schema) if look.schema.is_some() => What::Schema,
            (Pane::Detail, Tab::Raw) => What::Raw,
            _ => return None,
        };
        Some((Some(look.shown.id), what))
    }

    /// Does what an action says, if it is about searching.
    pub(super) fn perform_in_search(&mut self, action: ActionId, count: Option<u32>) -> bool {
        match action {
            ActionId::Search => {
                self.search.origin = self.place_of_search();
                self.search.was_at = self.search.at.filter(|_| self.search.target == self.searchable());
                let text = self.search.needle.text().to_owned();
                self.open_prompt(Purpose::Search, &text);
                self.search_for(&text);
            }
            ActionId::SearchNext => self.search_on(count, true),
            ActionId::SearchPrevious => self.search_on(count, false),
            _ => return false,
        }
        true
    }

    /// The byte at which one is, and the first line that is seen.
    fn place_of_search(&self) -> (usize, usize) {
        let searchable = self.searchable();
        if let Some((_, What::Rows(_))) = searchable {
            return (self.row_here(), self.row_here());
        }
        let Some(((_, what), look)) = searchable.zip(self.look.call.as_deref()) else { return (0, 0) };
        let of_pages = |pages: &Pages| (pages.from(pages.top).first().map_or(0, |line| line.start), pages.top);
        let of_tree = |tree: &TreeView| (tree.outline().view(tree.node()).anchor(), tree.top);
        match what {
            What::Arguments => look.arguments.as_ref().map_or((0, 0), of_tree),
            What::Schema => look.schema.as_ref().map_or((0, 0), of_tree),
            What::Text => of_pages(&look.text),
            What::Model => of_pages(&look.model),
            What::Raw => of_pages(&look.raw),
            What::Diff => (self.edit.compare.top, self.edit.compare.top),
            What::Rows(_) => (0, 0),
        }
    }

    /// Searches for what is typed, from where one was on.
    pub(super) fn search_for(&mut self, text: &str) {
        self.search.needle = Needle::new(text);
        self.find_hits();
        let from = self.search.origin.0;
        let first = self.search.hits.iter().position(|hit| hit.at >= from).or((!self.search.hits.is_empty()).then_some(0));
        match first {
            Some(hit) => self.go_to_hit(hit),
            None => self.go_back_to_origin(),
        }
    }

    /// Puts back what was searched for and where one was.
    pub(super) fn forget_search(&mut self, text: &str) {
        self.search.needle = Needle::new(text);
        self.find_hits();
        self.search.at = self.search.was_at.filter(|at| *at < self.search.hits.len());
        self.go_back_to_origin();
    }

    fn go_back_to_origin(&mut self) {
        let (byte, top) = self.search.origin;
        if let Some((_, What::Rows(_))) = self.searchable() {
            return self.go_to_row(byte, true);
        }
        let Some(((_, what), look)) = self.searchable().zip(self.look.call.as_deref_mut()) else { return };
        match what {
            What::Diff => self.edit.compare.top = top,
            What::Arguments | What::Schema => {
                let tree = if what == What::Schema { look.schema.as_mut() } else { look.arguments.as_mut() };
                if let Some(tree) = tree {
                    if let Some(node) = node_at(tree, byte) {
                        tree.select_node(node);
                    }
                    tree.top = top;
                }
            }
            what => {
                if let Some(pages) = pages_of(look, what) {
                    (pages.top, pages.found) = (top, None);
                }
            }
        }
    }

    fn find_hits(&mut self) {
        self.search.at = None;
        self.search.target = self.searchable();
        let needle = &self.search.needle;
        let Some((_, what)) = self.search.target.filter(|_| !needle.text().is_empty()) else {
            self.search.hits.clear();
            return;
        };
        let hits = match (what, self.look.call.as_deref()) {
            (What::Diff, _) => self.hits_in_rows(),
            (What::Rows(tab), _) => self.hits_in_list(tab),
            (What::Arguments, Some(look)) => {
                look.arguments.as_ref().map(|tree| in_tree(needle, tree.outline())).unwrap_or_default()
            }
            (What::Schema, Some(look)) => look.schema.as_ref().map(|tree| in_tree(needle, tree.outline())).unwrap_or_default(),
            (What::Text, Some(look)) => in_text(needle, look.text.text()),
            (What::Model, Some(look)) => in_text(needle, look.model.text()),
            (What::Raw, Some(look)) => in_text(needle, look.raw.text()),
            (_, None) => Vec::new(),
        };
        self.search.hits = hits;
    }

    /// The rows of a comparison, as they are shown.
    fn hits_in_rows(&self) -> Vec<Hit> {
        let Some((_, _, diff)) = self.diff() else { return Vec::new() };
        let needle = &self.search.needle;
        let is_in = |text: &str| needle.find(text.as_bytes()).next().is_some();
        let rows = diff_rows::rows(diff, self.comparison_shape());
        let hit = |(row, shown): (usize, &Row<'_>)| {
            let found = match shown {
                Row::Issue(_, issue) => is_in(issue.subject()),
                // A line that is wrapped is found once, where it begins.
                Row::Beside(_, part) | Row::Same(_, part) | Row::Before(_, part) | Row::After(_, part) if !part.is_first() => {
                    false
                }
                Row::Beside(pair, _) => [&pair.before, &pair.after].into_iter().flatten().any(|half| is_in(&half.text())),
                Row::Same(half, _) | Row::Before(half, _) | Row::After(half, _) => is_in(&half.text()),
                Row::Heading(_) | Row::Counts | Row::Folded(_) | Row::NoText | Row::Empty => false,
            };
            found.then_some(Hit { at: row, node: 0, nth: 0 })
        };
        rows.iter().enumerate().filter_map(hit).take(MOST).collect()
    }

    /// The next place that matches or the one before, in whatever has the keys now.
    fn search_on(&mut self, count: Option<u32>, forward: bool) {
        if self.search.target != self.searchable() {
            self.search.origin = self.place_of_search();
            self.find_hits();
        }
        let Search { hits, at, origin, needle, .. } = &self.search;
        if hits.is_empty() {
            let text = format!("Nothing here matches {}", needle.text());
            return self.say(Level::Info, &text);
        }
        let steps = usize::try_from(count.unwrap_or(1)).unwrap_or(usize::MAX) % hits.len();
        let next = match (at, forward) {
            (Some(at), true) => (at + steps) % hits.len(),
            (Some(at), false) => (at + hits.len() - steps) % hits.len(),
            (None, true) => hits.iter().position(|hit| hit.at >= origin.0).unwrap_or(0),
            (None, false) => hits.iter().rposition(|hit| hit.at < origin.0).unwrap_or(hits.len() - 1),
        };
        self.go_to_hit(next);
    }

    fn go_to_hit(&mut self, number: usize) {
        let height = self.height_of(self.focus).saturating_sub(1);
        let width = self.layout(self.size).slot(self.focus).map_or(80, |slot| usize::from(slot.inner.width));
        let Some(hit) = self.search.hits.get(number).copied() else { return };
        self.search.at = Some(number);
        if let Some((_, What::Rows(_))) = self.search.target {
            return self.go_to_row(hit.at, false);
        }
        let Some(((_, what), look)) = self.search.target.zip(self.look.call.as_deref_mut()) else { return };
        let needle = &self.search.needle;
        match what {
            What::Diff => {
                let compare = &mut self.edit.compare;
                if hit.at < compare.top || hit.at >= compare.top + height {
                    compare.top = hit.at.saturating_sub(height / 3);
                }
            }
            What::Arguments => drop(look.arguments.as_mut().map(|tree| go_to(tree, needle, hit, width))),
            What::Schema => drop(look.schema.as_mut().map(|tree| go_to(tree, needle, hit, width))),
            what => {
                if let Some(pages) = pages_of(look, what) {
                    pages.show(hit.at, height);
                }
            }
        }
    }
}

fn pages_of(look: &mut Looked, what: What) -> Option<&mut Pages> {
    match what {
        What::Text => Some(&mut look.text),
        What::Model => Some(&mut look.model),
        What::Raw => Some(&mut look.raw),
        What::Arguments | What::Schema | What::Diff | What::Rows(_) => None,
    }
}

/// The node that begins at a byte.
fn node_at(tree: &TreeView, byte: usize) -> Option<u32> {
    tree.rows().iter().map(super::super::state::TreeRow::node).find(|node| tree.outline().view(*node).anchor() == byte)
}
