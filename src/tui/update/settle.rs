//! After each message: what is selected is in sight, and texts are cut for the places where they are shown.

use super::super::layout::Pane;
use super::super::state::{FLIP_ROWS, State, Tab, footer_rows};

impl State {
    /// Rows inside a pane.
    pub(super) fn height_of(&self, pane: Pane) -> usize {
        self.layout(self.size).slot(pane).map_or(0, |slot| usize::from(slot.inner.height))
    }

    pub(super) fn settle(&mut self) {
        let layout = self.layout(self.size);
        let inner = |pane| layout.slot(pane).map(|slot| (usize::from(slot.inner.width), usize::from(slot.inner.height)));
        if let Some((_, height)) = inner(Pane::Tools) {
            let tools = &mut self.data.tools;
            tools.top = in_sight(tools.top, tools.selected(), tools.rows().len(), height);
        }
        if let Some((_, height)) = inner(Pane::Calls) {
            let row = self.data.calls.selected_row();
            let calls = &mut self.data.calls;
            calls.top = in_sight(calls.top, row.unwrap_or(calls.top), calls.len(), height);
        }
        if let Some((width, height)) = inner(Pane::Detail) {
            self.settle_detail(width, height);
        }
        let strip = inner(Pane::ModelText).filter(|_| self.tab != Tab::ModelText);
        let wrap = self.reading.wrap;
        if let (Some((width, height)), Some(look)) = (strip, &mut self.look.call) {
            look.model.cut(wrap.then_some(width));
            look.model.scroll(look.model.top, height);
        }
    }

    fn settle_detail(&mut self, width: usize, height: usize) {
        if self.tab == Tab::Review {
            return self.settle_review();
        }
        let (wrap, tab) = (self.reading.wrap, self.tab);
        let (selected, top) = self.flips;
        let flips = self.data.flips.len();
        let selected = selected.min(flips.saturating_sub(1));
        // One row says how many there are.
        let shown = (height.saturating_sub(1) / FLIP_ROWS).max(1);
        self.flips = (selected, in_sight(top, selected, flips, shown));
        let Some(look) = &mut self.look.call else { return };
        // One row is the path, or says what the text is.
        let below = height.saturating_sub(1);
        let footer = footer_rows(u16::try_from(height).unwrap_or(u16::MAX));
        let pages = match tab {
            Tab::ModelText => &mut look.model,
            Tab::Raw => &mut look.raw,
            _ => &mut look.text,
        };
        pages.cut(wrap.then_some(width));
        pages.scroll(pages.top, below);
        let trees = [(&mut look.arguments, below.saturating_sub(footer.into())), (&mut look.schema, below)];
        for (tree, height) in trees {
            if let Some(tree) = tree {
                tree.set_width(width);
                tree.top = in_sight(tree.top, tree.cursor(), tree.rows().len(), height);
            }
        }
        look.issues_top = in_sight(look.issues_top, look.issue, look.shown.issues().len(), height / 2);
    }
}

/// The first row to show so that the selected one is seen, moving as little as possible and leaving no room unused.
pub(crate) fn in_sight(top: usize, selected: usize, rows: usize, height: usize) -> usize {
    let top = top.min(selected).max((selected + 1).saturating_sub(height));
    top.min(rows.saturating_sub(height))
}
