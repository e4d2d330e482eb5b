//! Text on its way to the screen.
//!
//! A [`Line`] can only be made of [`Visible`] text, of words of our own that are in the program, and of numbers; and the views
//! draw nothing but lines (see [`Canvas`](super::view::Canvas)). So text from a file or a model that nobody has made safe does
//! not compile.

use super::theme::{Role, Theme};
use crate::json::Visible;
use ratatui::style::Style;
use std::borrow::Cow;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// One line of styled text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pieces: Vec<Piece>,
}

/// A run of text in one style.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Piece {
    text: Cow<'static, str>,
    style: Style,
}

impl Line {
    /// Nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Our own words.
    #[must_use]
    pub fn word(text: &'static str, style: Style) -> Self {
        Self::new().and_word(text, style)
    }

    /// Text that came from outside.
    #[must_use]
    pub fn data(text: &Visible, style: Style, theme: &Theme) -> Self {
        Self::new().and_data(text, style, theme)
    }

    /// Goes on with our own words.
    #[must_use]
    pub fn and_word(mut self, text: &'static str, style: Style) -> Self {
        self.push(Cow::Borrowed(text), style);
        self
    }

    /// Goes on with text that came from outside; its marks stand out.
    #[must_use]
    pub fn and_data(mut self, text: &Visible, style: Style, theme: &Theme) -> Self {
        for (piece, is_mark) in text.pieces() {
            let style = if is_mark { style.patch(theme.style(Role::Mark)) } else { style };
            self.push(Cow::Owned(piece.to_owned()), style);
        }
        self
    }

    /// Goes on with a number.
    #[must_use]
    pub fn and_number(mut self, number: impl Into<u64>, style: Style) -> Self {
        self.push(Cow::Owned(number.into().to_string()), style);
        self
    }

    /// Goes on with spaces until so many cells are reached.
    #[must_use]
    pub fn pad_to(mut self, width: usize, style: Style) -> Self {
        let missing = width.saturating_sub(self.width());
        if missing > 0 {
            self.push(Cow::Owned(" ".repeat(missing)), style);
        }
        self
    }

    /// Goes on with another line.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.pieces.extend(other.pieces);
        self
    }

    fn push(&mut self, text: Cow<'static, str>, style: Style) {
        if text.is_empty() {
            return;
        }
        match self.pieces.last_mut() {
            Some(last) if last.style == style => last.text.to_mut().push_str(&text),
            _ => self.pieces.push(Piece { text, style }),
        }
    }

    /// Cells that it takes.
    #[must_use]
    pub fn width(&self) -> usize {
        self.pieces.iter().map(|piece| piece.text.width()).sum()
    }

    /// Whether there is nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The runs of text, each in its style.
    pub(super) fn runs(&self) -> impl Iterator<Item = (&str, Style)> {
        self.pieces.iter().map(|piece| (piece.text.as_ref(), piece.style))
    }

    /// The text alone.
    #[must_use]
    pub fn plain(&self) -> String {
        self.runs().map(|(text, _)| text).collect()
    }

    /// Patches every style.
    #[must_use]
    pub fn styled(mut self, style: Style) -> Self {
        for piece in &mut self.pieces {
            piece.style = piece.style.patch(style);
        }
        self
    }

    /// With a style added to those of some of its bytes, which are in order.
    #[must_use]
    pub fn patched(&self, ranges: impl Iterator<Item = std::ops::Range<usize>>, style: Style) -> Self {
        let (mut out, mut rest, mut at) = (Self::new(), self.clone(), 0);
        for range in ranges {
            let (before, after) = rest.split_at_byte(range.start.saturating_sub(at));
            let (here, after) = after.split_at_byte(range.len());
            out = out.and(before).and(here.styled(style));
            (rest, at) = (after, range.end);
        }
        out.and(rest)
    }

    /// At most so many cells, with an ellipsis where something is missing. What people see as one character is never cut.
    #[must_use]
    pub fn truncated(&self, width: usize, theme: &Theme) -> Self {
        if self.width() <= width {
            return self.clone();
        }
        // Spaces that hang over the edge are no loss: wrapping leaves them there.
        if self.plain().trim_end_matches(' ').width() <= width {
            return self.split_at(width).0;
        }
        let ellipsis = theme.ellipsis();
        // No room even for that: then as much of it as fits.
        let Some(room) = width.checked_sub(ellipsis.width()) else {
            let style = self.pieces.first().map(|piece| piece.style).unwrap_or_default();
            return if ellipsis.is_ascii() { Self::word(&ellipsis[..width.min(ellipsis.len())], style) } else { Self::new() };
        };
        let (mut line, _) = self.split_at(room);
        let style = line.pieces.last().or(self.pieces.first()).map(|piece| piece.style).unwrap_or_default();
        line.push(Cow::Borrowed(ellipsis), style);
        line
    }

    /// What is left when so many cells are taken away at the start; half of a wide character becomes a space.
    #[must_use]
    pub fn scrolled(&self, cells: usize) -> Self {
        let (before, after) = self.split_at(cells);
        let half = cells.saturating_sub(before.width()).min(after.width());
        if half == 0 {
            return after;
        }
        // A wide character stands across the edge.
        let (first, rest) = after.split_first();
        let style = first.pieces.first().map(|piece| piece.style).unwrap_or_default();
        let mut line = Self::new();
        line.push(Cow::Owned(" ".repeat(first.width().saturating_sub(half))), style);
        line.and(rest)
    }

    /// In lines of at most so many cells, broken after spaces where there are some. No character is lost: the lines together are
    /// the text, and spaces at a break hang over the edge.
    #[must_use]
    pub fn wrapped(&self, width: usize) -> Vec<Self> {
        let width = width.max(1);
        let mut lines = Vec::new();
        let mut rest = self.clone();
        while rest.width() > width {
            let (line, after) = rest.split_at_byte(break_at(&rest.plain(), width));
            lines.push(line);
            rest = after;
        }
        if lines.is_empty() || !rest.is_empty() {
            lines.push(rest);
        }
        lines
    }

    /// The longest beginning that takes no more than so many cells, and the rest.
    fn split_at(&self, cells: usize) -> (Self, Self) {
        let text = self.plain();
        let mut used = 0;
        let fits = |(at, grapheme): (usize, &str)| {
            used += grapheme.width();
            (used > cells).then_some(at)
        };
        let at = text.grapheme_indices(true).find_map(fits).unwrap_or(text.len());
        self.split_at_byte(at)
    }

    fn split_first(&self) -> (Self, Self) {
        let text = self.plain();
        self.split_at_byte(text.graphemes(true).next().map_or(0, str::len))
    }

    fn split_at_byte(&self, at: usize) -> (Self, Self) {
        let (mut before, mut after) = (Self::new(), Self::new());
        let mut start = 0;
        for (text, style) in self.runs() {
            let here = at.saturating_sub(start).min(text.len());
            before.push(Cow::Owned(text[..here].to_owned()), style);
            after.push(Cow::Owned(text[here..].to_owned()), style);
            start += text.len();
        }
        (before, after)
    }
}

/// In how many lines [`Line::wrapped`] breaks a text.
#[must_use]
pub fn wrapped_rows(text: &Visible, width: usize) -> usize {
    let (mut rest, width) = (text.as_str(), width.max(1));
    let mut rows = 1;
    while rest.width() > width {
        rest = &rest[break_at(rest, width)..];
        rows += usize::from(!rest.is_empty());
    }
    rows
}

/// Where to break a text that is wider than so many cells: a byte offset that is not 0.
fn break_at(text: &str, width: usize) -> usize {
    let mut used = 0;
    let mut after_space = None;
    let mut over = text.len();
    for (at, grapheme) in text.grapheme_indices(true) {
        used += grapheme.width();
        if grapheme == " " {
            // Spaces at the edge hang over it.
            after_space = Some(at + 1);
        } else if used > width {
            over = at;
            break;
        }
    }
    let first = text.graphemes(true).next().map_or(1, str::len);
    after_space.unwrap_or(over).max(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::theme::ThemeKind;
    use proptest::prelude::*;

    fn theme(ascii: bool) -> Theme {
        Theme::new(ThemeKind::Mono, ascii)
    }

    fn line(text: &str) -> Line {
        Line::data(&Visible::new(text), Style::default(), &theme(false))
    }

    #[test]
    fn truncation_keeps_characters_whole() {
        for (text, width, ascii, expected) in [
            ("short", 5, false, "short"),
            ("longer", 5, false, "long…"),
            ("longer", 5, true, "lo..."),
            ("edge   ", 5, false, "edge "),
            ("日本語", 5, false, "日本…"),
            ("日本語", 4, false, "日…"),
            ("e\u{301}e\u{301}e\u{301}", 2, false, "e\u{301}…"),
            ("👨🏽x", 2, false, "…"),
            ("abc", 1, false, "…"),
            ("abcd", 2, true, ".."),
            ("abc", 0, false, ""),
        ] {
            assert_eq!(line(text).truncated(width, &theme(ascii)).plain(), expected, "{text} in {width}");
        }
    }

    #[test]
    fn wrapping_breaks_after_spaces() {
        let wrapped = |text: &str, width| line(text).wrapped(width).iter().map(Line::plain).collect::<Vec<_>>();
        assert_eq!(wrapped("one two three", 7), ["one two ", "three"]);
        assert_eq!(wrapped("onetwothree", 4), ["onet", "woth", "ree"]);
        assert_eq!(wrapped("日本 語", 3), ["日", "本 ", "語"]);
        assert_eq!(wrapped("", 3), [""]);
        assert_eq!(wrapped("a  b", 1), ["a  ", "b"]);
        assert_eq!(wrapped("日", 1), ["日"]);
    }

    #[test]
    fn marks_keep_their_own_style() {
        let theme = theme(false);
        let line = Line::data(&Visible::new("a\u{1b}b"), Style::default(), &theme);
        let styles: Vec<_> = line.runs().map(|(text, style)| (text.to_owned(), style == theme.style(Role::Mark))).collect();
        assert_eq!(styles, [("a".into(), false), ("<ESC>".into(), true), ("b".into(), false)]);
    }

    #[test]
    fn scrolling_shows_half_a_wide_character_as_a_space() {
        assert_eq!(line("日本").scrolled(1).plain(), " 本");
        assert_eq!(line("abc").scrolled(2).plain(), "c");
        assert_eq!(line("abc").scrolled(9).plain(), "");
    }

    proptest! {
        #[test]
        fn nothing_is_lost_by_wrapping_and_nothing_is_too_wide(text in "[a-c 日👍é]{0,30}", width in 1..12usize) {
            let lines = line(&text).wrapped(width);
            prop_assert_eq!(lines.iter().map(Line::plain).collect::<String>(), text);
            for line in lines {
                prop_assert!(line.plain().trim_end().width() <= width.max(2));
            }
        }

        #[test]
        fn no_text_and_no_width_panics(text in any::<String>(), width in 0..20usize) {
            let line = line(&text);
            prop_assert!(line.truncated(width, &theme(false)).width() <= width);
            let _ = (line.wrapped(width), line.scrolled(width));
        }
    }
}
