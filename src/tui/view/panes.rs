//! The panes.

use super::super::layout::{Pane, Slot};
use super::super::state::{State, Tab};
use super::super::text::Line;
use super::super::theme::Role;
use super::{Canvas, calls, card, comparison, detail, model_text, rows, tools};
use crate::json::Visible;
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr as _;

/// Draws a pane: its frame and what is in it.
pub(super) fn draw(state: &State, canvas: &mut Canvas<'_>, pane: Pane, slot: Slot) {
    let focused = super::has_keys(state, pane);
    let style = canvas.style(if focused { Role::Accent } else { Role::Text });
    let width = usize::from(slot.outer.width);
    let (title, right) = match pane {
        Pane::Tools if !state.data.tools.typed().is_empty() => {
            let data = &state.data.tools;
            let typed = Line::word("Tools  ", style).and_data(&Visible::new(data.typed()), style, canvas.theme());
            let (muted, found) = (canvas.style(Role::Muted), super::number(data.rows().len(), style));
            (typed, found.and_word(" of ", muted).and(super::number(data.all().len(), muted)))
        }
        Pane::Tools => (Line::word("Tools", style), tools::right(canvas, width)),
        Pane::Calls => (calls::title(state, canvas, focused), calls::right(state, canvas)),
        Pane::Detail => detail_title(state, canvas, width, focused),
        Pane::ModelText => (Line::word("What the model gets", style), model_text::right(state, canvas)),
        Pane::Diff => (Line::word("Before and after", style), Line::new()),
        Pane::Card => (Line::word("Tool", style), Line::new()),
    };
    canvas.pane(slot, &title, &right, focused);
    match pane {
        Pane::Detail if state.tab == Tab::Log => log(state, canvas, slot.inner),
        Pane::Tools => tools::draw(state, canvas, slot),
        Pane::Calls => calls::draw(state, canvas, slot),
        Pane::Detail => detail::draw(state, canvas, slot),
        Pane::ModelText => model_text::strip(state, canvas, slot),
        Pane::Card => card::draw(state, canvas, slot.inner),
        Pane::Diff => comparison::draw(state, canvas, slot.inner),
    }
}

/// The title of the detail and its tabs.
fn detail_title(state: &State, canvas: &Canvas<'_>, width: usize, focused: bool) -> (Line, Line) {
    // The tabs say what there is; of the title, which stands below too, as much as there is room for beside them.
    let all = tabs(state, canvas, width).width();
    let least = if all + TITLE + AROUND <= width || all + AROUND > width { TITLE } else { 0 };
    let room = width.saturating_sub(all + AROUND).max(least);
    let title =
        if room < TITLE { Line::new() } else { detail::title(state, canvas, focused, room).truncated(room, canvas.theme()) };
    let right = tabs(state, canvas, width.saturating_sub(title.width() + AROUND));
    (title, right)
}

/// A title of less says nothing.
const TITLE: usize = 8;
/// The frame, and what keeps title and tabs apart.
const AROUND: usize = 6;

/// The tab whose title is drawn in a column of the first row.
pub(super) fn tab_at(state: &State, canvas: &Canvas<'_>, slot: Slot, column: u16) -> Option<Tab> {
    let (_, right) = detail_title(state, canvas, slot.outer.width.into(), false);
    // Beside the frame and a space.
    let end = usize::from(slot.outer.right()).checked_sub(2)?;
    let at = usize::from(column).checked_sub(end.checked_sub(right.width())?)?;
    let mut start = 0;
    tab_words(state, right.width()).into_iter().find_map(|(tab, word)| {
        let end = start + width_of(state, tab, word);
        let hit = (start..end).contains(&at);
        start = end + 1;
        hit.then_some(tab)
    })
}

/// The tabs, the open one in brackets.
fn tabs(state: &State, canvas: &Canvas<'_>, room: usize) -> Line {
    let (open, other) = (canvas.style(Role::Accent), canvas.style(Role::Muted));
    let mut line = Line::new();
    for (n, (tab, word)) in tab_words(state, room).into_iter().enumerate() {
        if n > 0 {
            line = line.and_word(" ", other);
        }
        line = if tab == state.tab {
            line.and_word("[", open).and_word(word, open).and_word("]", open)
        } else {
            line.and_word(word, other)
        };
    }
    line
}

/// What is written for each tab: its title, or its number alone where there is no room; only the open one where there is none for
/// that.
fn tab_words(state: &State, room: usize) -> Vec<(Tab, &'static str)> {
    let unnumbered = Some(state.tab).filter(|tab| !Tab::NUMBERED.contains(tab));
    let tabs = || Tab::NUMBERED.into_iter().chain(unnumbered);
    let number = |tab: Tab| tab.title().split_once(' ').map_or(tab.title(), |(number, _)| number);
    let full: Vec<_> = tabs().map(|tab| (tab, tab.title())).collect();
    let short: Vec<_> = tabs().map(|tab| (tab, if tab == state.tab { tab.title() } else { number(tab) })).collect();
    let fits = |words: &Vec<(Tab, &str)>| {
        let widths = words.iter().map(|(tab, word)| width_of(state, *tab, word) + 1);
        widths.sum::<usize>() <= room + 1
    };
    [full, short].into_iter().find(fits).unwrap_or_else(|| vec![(state.tab, state.tab.title())])
}

/// With the brackets of the open one.
fn width_of(state: &State, tab: Tab, word: &str) -> usize {
    word.width() + if tab == state.tab { 2 } else { 0 }
}

/// What the program had to say, the newest at the bottom.
fn log(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let lines = rows::log(state, canvas, area.width.into());
    let last = lines.len().saturating_sub(state.log_scroll);
    let first = last.saturating_sub(area.height.into());
    for (n, line) in lines[first..last].iter().enumerate() {
        canvas.found_row(area, n, line);
    }
}
