//! What the actions do that find calls: filter, marks, comments, order, and following the newest.

use super::super::keys::ActionId;
use super::super::layout::Pane;
use super::super::notices::Level;
use super::super::state::{Purpose, State};
use crate::replay::filter::{Direction, Sort, SortKey};

impl State {
    /// Does what an action says, if it is about finding.
    pub(super) fn perform_in_finding(&mut self, action: ActionId, count: Option<u32>) -> bool {
        match action {
            ActionId::Filter => self.open_filter(),
            ActionId::GoToTool => {
                self.open_prompt(Purpose::GoTo, "");
                self.focus = Pane::Tools;
                self.data.tools.narrow("");
            }
            ActionId::ToggleFilter => self.toggle_filter(),
            ActionId::OnlyMarked => self.toggle_only_marked(),
            ActionId::Mark => self.mark(),
            ActionId::ClearMarks => self.clear_marks(),
            ActionId::Comment => self.open_comment(),
            ActionId::SortTime => self.sort_by(SortKey::Time),
            ActionId::SortTool => self.sort_by(SortKey::Tool),
            ActionId::SortVerdict => self.sort_by(SortKey::Verdict),
            ActionId::SortIssues => self.sort_by(SortKey::Issues),
            ActionId::SortModel => self.sort_by(SortKey::Model),
            ActionId::SortFile => self.sort_by(SortKey::File),
            ActionId::SortNewest => self.data.calls.set_sort(Sort::default()),
            ActionId::Follow => self.follow(!self.data.calls.follow),
            ActionId::Newest if self.focus == Pane::Calls && count.is_none() => self.follow(true),
            ActionId::Newest => return self.move_in(ActionId::Last, count),
            _ => return false,
        }
        true
    }

    fn open_filter(&mut self) {
        if self.focus == Pane::Tools {
            let typed = self.data.tools.typed().to_owned();
            return self.open_prompt(Purpose::Tools, &typed);
        }
        let text = self.data.find.text().to_owned();
        self.open_prompt(Purpose::Filter, &text);
    }

    fn toggle_filter(&mut self) {
        let on = !self.data.find.is_on();
        self.data.find.set_on(on);
        self.say(Level::Info, if on { "The filter is on" } else { "The filter is off; F3 switches it on again" });
    }

    fn toggle_only_marked(&mut self) {
        let find = &mut self.data.find;
        let only = !find.only_marked();
        if only && find.notes.marked() == 0 {
            return self.say(Level::Info, "No call is marked: m marks one");
        }
        find.set_only_marked(only);
        self.say(Level::Info, if only { "Only marked calls are shown; M shows all again" } else { "All calls are shown" });
    }

    fn mark(&mut self) {
        let Some(id) = self.data.calls.selected() else { return };
        self.data.calls.chosen = true;
        self.data.calls.pin();
        self.data.find.notes.toggle_mark(id);
    }

    fn clear_marks(&mut self) {
        let marked = self.data.find.notes.marked();
        self.data.find.notes.clear_marks();
        self.data.find.set_only_marked(false);
        let text = if marked == 1 { "The mark is gone".to_owned() } else { format!("{marked} marks are gone") };
        self.say(Level::Info, &text);
    }

    fn open_comment(&mut self) {
        let Some(id) = self.data.calls.selected() else { return };
        self.data.calls.chosen = true;
        let text = self.data.find.notes.comment(id).unwrap_or_default().to_owned();
        self.open_prompt(Purpose::Comment(id), &text);
    }

    /// Sorts by a key; by the same one again, the other way round.
    fn sort_by(&mut self, key: SortKey) {
        let calls = &mut self.data.calls;
        let sort = if key == SortKey::Issues && calls.sort().keys().first().is_none_or(|(first, _)| *first != key) {
            Sort::by([(key, Direction::Descending)].into_iter().chain(calls.sort().keys().iter().copied()))
        } else {
            calls.sort().toggled(key)
        };
        // That is the order of the start.
        let newest = [(SortKey::Time, Direction::Descending)];
        let sort = if sort.keys().starts_with(&newest) { Sort::default() } else { sort };
        calls.set_sort(sort);
        calls.chosen = true;
    }

    /// Follows the newest call, or stops that.
    fn follow(&mut self, follow: bool) {
        let calls = &mut self.data.calls;
        calls.chosen = true;
        calls.follow = follow;
        calls.settle(&self.data.rows);
    }
}
