//! What the views draw on: [`Line`]s, and nothing else.

use super::super::layout::Slot;
use super::super::state::Needle;
use super::super::text::Line;
use super::super::theme::{Role, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

/// A frame under way. It hides the buffer, whose own methods would take any text.
pub struct Canvas<'a> {
    buffer: &'a mut Buffer,
    theme: &'a Theme,
    cursor: Option<Position>,
    /// What stands out in texts and trees.
    needle: Option<&'a Needle>,
}

impl<'a> Canvas<'a> {
    pub(super) fn new(buffer: &'a mut Buffer, theme: &'a Theme) -> Self {
        Self { buffer, theme, cursor: None, needle: None }
    }

    /// Has what is searched for stand out.
    pub(super) fn search(&mut self, needle: &'a Needle) {
        self.needle = Some(needle).filter(|needle| !needle.text().is_empty());
    }

    /// Draws a line of a text or a tree: what is searched for stands out in it.
    pub fn found_row(&mut self, area: Rect, row: usize, line: &Line) {
        match self.needle {
            Some(needle) => {
                let text = line.plain();
                self.row(area, row, &line.patched(needle.find(text.as_bytes()), self.style(Role::Match)));
            }
            None => self.row(area, row, line),
        }
    }

    /// Colours and signs.
    #[must_use]
    pub fn theme(&self) -> &'a Theme {
        self.theme
    }

    /// The whole screen.
    #[must_use]
    pub fn area(&self) -> Rect {
        self.buffer.area
    }

    /// The style of a role.
    #[must_use]
    pub fn style(&self, role: Role) -> Style {
        self.theme.style(role)
    }

    /// Draws a line in a row of an area, cut to the area's width. A row outside of the area is not drawn.
    pub fn row(&mut self, area: Rect, row: usize, line: &Line) {
        let area = area.intersection(self.buffer.area);
        let Some(y) = u16::try_from(row).ok().filter(|row| *row < area.height).map(|row| area.y + row) else { return };
        let width = usize::from(area.width);
        let cut = line.truncated(width, self.theme);
        let mut x = area.x;
        // A colour of what is below, as a frame's, must not show through text that has the terminal's own.
        let cells = u16::try_from(cut.width()).unwrap_or(area.width).min(area.width);
        self.buffer.set_style(Rect { y, width: cells, height: 1, ..area }, Style::reset());
        for (text, style) in cut.runs() {
            let left = usize::from(area.right().saturating_sub(x));
            (x, _) = self.buffer.set_stringn(x, y, text, left, style);
        }
    }

    /// Draws a line at the right end of a row, if there is room beside so many cells on the left.
    pub fn row_right(&mut self, area: Rect, row: usize, line: &Line, taken: usize) {
        let width = line.width();
        if let Some(free) = usize::from(area.width).checked_sub(taken)
            && width <= free
        {
            let x = area.right().saturating_sub(u16::try_from(width).unwrap_or(area.width));
            self.row(Rect { x, width: area.right() - x, ..area }, row, line);
        }
    }

    /// Draws lines from the top of an area.
    pub fn rows<'l>(&mut self, area: Rect, lines: impl IntoIterator<Item = &'l Line>) {
        for (n, line) in lines.into_iter().take(area.height.into()).enumerate() {
            self.row(area, n, line);
        }
    }

    /// Patches the style of a row.
    pub fn style_row(&mut self, area: Rect, row: usize, style: Style) {
        if let Some(row) = u16::try_from(row).ok().filter(|row| *row < area.height) {
            self.buffer.set_style(Rect { y: area.y + row, height: 1, ..area }, style);
        }
    }

    /// Empties an area.
    pub fn clear(&mut self, area: Rect) {
        let area = area.intersection(self.buffer.area);
        for position in area.positions() {
            self.buffer[position].reset();
        }
    }

    /// Draws the frame of a pane, or its title row where there is no room for a frame.
    pub fn pane(&mut self, slot: Slot, title: &Line, right: &Line, focused: bool) {
        let role = if focused { Role::BorderFocused } else { Role::Border };
        if slot.framed {
            self.frame(slot.outer, self.style(role));
        } else {
            let horizontal = self.theme.borders().horizontal_top;
            self.horizontal(slot.outer, slot.outer.y, horizontal, self.style(role));
        }
        let inside = Rect { x: slot.outer.x + 1, width: slot.outer.width.saturating_sub(2), height: 1, ..slot.outer };
        // The sign says without colour which pane has the keys.
        let (sign, end) = match (focused, title.is_empty()) {
            (true, true) => (">", ""),
            (true, false) => (">", " "),
            // Without a title the frame has no gap.
            (false, true) => ("", ""),
            (false, false) => (" ", " "),
        };
        let title = Line::word(sign, self.style(role)).and(title.clone()).and_word(end, self.style(role));
        self.row(inside, 0, &title);
        if !right.is_empty() {
            let right = Line::word(" ", self.style(role)).and(right.clone()).and_word(" ", self.style(role));
            self.row_right(inside, 0, &right, title.width());
        }
    }

    /// Draws a frame around an area.
    pub fn frame(&mut self, area: Rect, style: Style) {
        let area = area.intersection(self.buffer.area);
        if area.width < 2 || area.height < 2 {
            return;
        }
        let set = self.theme.borders();
        let (right, bottom) = (area.right() - 1, area.bottom() - 1);
        self.horizontal(area, area.y, set.horizontal_top, style);
        self.horizontal(area, bottom, set.horizontal_bottom, style);
        for y in area.y + 1..bottom {
            self.buffer.set_stringn(area.x, y, set.vertical_left, 1, style);
            self.buffer.set_stringn(right, y, set.vertical_right, 1, style);
        }
        for (x, y, corner) in [
            (area.x, area.y, set.top_left),
            (right, area.y, set.top_right),
            (area.x, bottom, set.bottom_left),
            (right, bottom, set.bottom_right),
        ] {
            self.buffer.set_stringn(x, y, corner, 1, style);
        }
    }

    /// Draws a rule in the first row of an area.
    pub fn rule(&mut self, area: Rect, style: Style) {
        let sign = self.theme.borders().horizontal_top;
        self.horizontal(area, area.y, sign, style);
    }

    fn horizontal(&mut self, area: Rect, y: u16, sign: &'static str, style: Style) {
        let area = area.intersection(self.buffer.area);
        if (area.top()..area.bottom()).contains(&y) {
            for x in area.left()..area.right() {
                self.buffer.set_stringn(x, y, sign, 1, style);
            }
        }
    }

    /// Shows the cursor here.
    pub fn set_cursor(&mut self, x: u16, y: u16) {
        self.cursor = Some(Position::new(x, y)).filter(|at| self.buffer.area.contains(*at));
    }

    pub(super) fn cursor(&self) -> Option<Position> {
        self.cursor
    }
}
