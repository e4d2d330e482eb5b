//! After each message: the text on the screen is judged, in sight, and kept.

use super::attempts::UNSAVED;
use super::diff_rows;
use super::job::{EditJob, Shared, kind};
use super::viewport;
use crate::capture::index::CallId;
use crate::replay::{InForce, News};
use crate::tui::job::Job;
use crate::tui::layout::Pane;
use crate::tui::runtime::Effect;
use crate::tui::state::{Loading, State, Tab};
use crate::tui::update::Effects;
use std::sync::Arc;
use std::time::Duration;

impl State {
    pub(in crate::tui) fn settle_editing(&mut self, effects: &mut Effects) {
        self.follow_gate();
        self.find_kept_tool();
        self.find_kept_selection(effects);
        self.take_up_kept_attempts();
        if self.tab == Tab::Edit
            && let Some(look) = &self.look.call
        {
            self.edit.drafts.open(&look.shown);
        }
        self.judge_draft(effects);
        self.settle_view();
        self.settle_comparison(effects);
        self.unsaved = self.edit.drafts.edited() + self.edit.attempts.unsaved();
        self.keep_what_is_new(effects);
    }

    /// What judges a call: of an attempt, what judges the call that it is an attempt at.
    pub(in crate::tui) fn rules_of(&self, id: CallId) -> InForce {
        self.data.in_force(self.edit.attempts.file_of(id))
    }

    /// When something is due.
    pub(in crate::tui) fn editing_deadline(&self) -> Option<Duration> {
        self.edit.keeping.due
    }

    /// Takes note of what news takes away, before it is gone.
    pub(in crate::tui) fn before_news(&mut self, news: &News) {
        if matches!(news, News::Rules { .. }) {
            self.edit.gate = None;
        }
        let News::Calls { file, removed, gone, .. } = news else { return };
        if *file == UNSAVED || (removed.is_empty() && !gone) {
            return;
        }
        let from = if *gone { 0 } else { removed.start };
        if *gone {
            self.leave_vanished(*file);
        }
        self.edit.drafts.forget(*file, from);
        let other = |id: &CallId| id.file != *file || id.call < from;
        let compare = &mut self.edit.compare;
        compare.read.retain(|id, _| other(id));
        compare.from = compare.from.filter(other);
        compare.diff = compare.diff.take().filter(|((before, after), _)| other(before) && other(after));
        if self.edit.attempts.forget_parents(*file, from) {
            self.show_attempts();
        }
    }

    /// Definitions changed: everything is judged anew.
    fn follow_gate(&mut self) {
        if self.edit.gate.as_ref().is_some_and(|gate| Arc::ptr_eq(gate, &self.data.gate)) {
            return;
        }
        self.edit.gate = Some(Arc::clone(&self.data.gate));
        self.edit.compare.diff = None;
        self.edit.compare.asked = None;
        for (id, draft) in self.edit.drafts.iter_mut() {
            draft.forget_verdict();
            let rules = self.data.in_force(self.edit.attempts.file_of(id));
            draft.definition = rules.catalog.get(&draft.target.tool).cloned();
        }
        if !self.edit.attempts.list().is_empty() {
            self.show_attempts();
        }
    }

    /// Selects what was selected at the end of the last run, once everything has been read and nobody has chosen since.
    fn find_kept_selection(&mut self, effects: &mut Effects) {
        if self.loading != Loading::Done {
            if self.data.calls.chosen {
                self.edit.keeping.selected = None;
            }
            return;
        }
        let Some((file, line)) = self.edit.keeping.selected.take() else { return };
        let nth = usize::try_from(self.edit.keeping.nth).unwrap_or(usize::MAX);
        let found = self.data.rows.on_line(&file, line).nth(nth);
        if let Some(id) = found {
            self.data.select(id);
            self.look_at_selected(effects);
        }
    }

    fn judge_draft(&mut self, effects: &mut Effects) {
        let Some(id) = self.look.call.as_ref().map(|look| look.shown.id).filter(|_| self.tab == Tab::Edit) else { return };
        let gate = self.rules_of(id).gate;
        let Some(draft) = self.edit.drafts.get_mut(id) else { return };
        if !draft.judge(&gate) {
            return;
        }
        let revision = draft.buffer.revision();
        draft.asked = Some(revision);
        let (target, text) = (draft.target.clone(), draft.buffer.text().to_owned());
        let job = EditJob::Judge { gate: Shared(gate), target, text, call: id, revision };
        effects.push(Effect::Spawn(self.jobs.ask(self.now, kind::JUDGING, 0), Job::Edit(job)));
    }

    fn settle_view(&mut self) {
        let layout = self.layout(self.size);
        let inner = |pane| layout.slot(pane).map(|slot| (usize::from(slot.inner.width), usize::from(slot.inner.height)));
        let (detail, strip) = (inner(Pane::Detail), inner(Pane::ModelText));
        let (wrap, height) = (self.reading.wrap, self.editor_height());
        let Some(draft) = self.draft_mut() else { return };
        if let Some((width, _)) = detail {
            viewport::follow(draft, width, height);
        }
        if let Some((width, height)) = strip {
            draft.model.cut(wrap.then_some(width));
            draft.model.scroll(draft.model.top, height);
        }
    }

    /// Lines of the text that are on the screen: without the row above and, where there is room for it, the one below.
    pub(in crate::tui) fn editor_height(&self) -> usize {
        let inner = self.layout(self.size).slot(Pane::Detail).map_or(0, |slot| slot.inner.height);
        usize::from(inner.saturating_sub(1 + u16::from(inner >= 5)))
    }

    /// The pane in which two attempts are compared: that of its own, or the detail.
    fn comparison_slot(&self) -> Option<crate::tui::layout::Slot> {
        let layout = self.layout(self.size);
        layout.slot(Pane::Diff).or_else(|| layout.slot(Pane::Detail))
    }

    pub(super) fn comparison_height(&self) -> usize {
        self.comparison_slot().map_or(0, |slot| usize::from(slot.inner.height).saturating_sub(1))
    }

    /// How a comparison is laid out.
    pub(in crate::tui) fn comparison_shape(&self) -> diff_rows::Shape {
        let width = self.comparison_slot().map_or(0, |slot| usize::from(slot.inner.width));
        diff_rows::Shape { width, whole: self.edit.compare.whole, wrap: self.reading.wrap }
    }

    pub(super) fn comparison_lines(&self) -> usize {
        self.diff().map_or(0, |(_, _, diff)| diff_rows::rows(diff, self.comparison_shape()).len())
    }
}
