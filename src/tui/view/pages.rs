//! Texts of any length, exactly as they are.

use super::super::state::{Pages, Reading};
use super::super::text::Line;
use super::super::theme::Role;
use super::Canvas;
use crate::json::Visible;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// Draws a text from where it is scrolled to.
pub(super) fn draw(canvas: &mut Canvas<'_>, pages: &Pages, reading: Reading, area: Rect) {
    let style = canvas.style(Role::Text);
    let height = usize::from(area.height);
    let top = pages.top.min(pages.len().saturating_sub(height));
    for (row, range) in pages.from(top).iter().take(height).enumerate() {
        let Some(text) = pages.text().get(range.clone()) else { continue };
        let line = line(canvas, text, reading, style, area.width.into(), pages.left);
        let line =
            if reading.whitespace && pages.ends_line(range) { line.and_word("<LF>", canvas.style(Role::Mark)) } else { line };
        canvas.found_row(area, row, &line.scrolled(pages.left));
        if pages.found.is_some_and(|at| range.contains(&at)) {
            canvas.style_row(area, row, canvas.style(Role::Selected));
        }
    }
}

/// A line of text; of a long one no more than can be seen.
pub(super) fn line(canvas: &Canvas<'_>, text: &str, reading: Reading, style: Style, width: usize, left: usize) -> Line {
    let most = (width + left + 1).saturating_mul(4);
    let end = (0..=most.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    let text = &text[..end];
    if !reading.whitespace {
        return Line::data(&Visible::new(text), style, canvas.theme());
    }
    let (space, mark) = (if canvas.theme().is_ascii() { "_" } else { "·" }, canvas.style(Role::Mark));
    let mut line = Line::new();
    for (n, part) in text.split(' ').enumerate() {
        if n > 0 {
            line = line.and_word(space, mark);
        }
        line = line.and_data(&Visible::new(part), style, canvas.theme());
    }
    line
}

/// How long a text is: characters, and about how many tokens.
pub(super) fn length(text: &str, style: Style) -> Line {
    let characters = text.chars().count();
    // Four characters a token is what providers give as a rule of thumb for English.
    let tokens = characters.div_ceil(4);
    Line::new()
        .and_number(characters as u64, style)
        .and_word(" chars, ~", style)
        .and_number(tokens as u64, style)
        .and_word(" tokens", style)
}
