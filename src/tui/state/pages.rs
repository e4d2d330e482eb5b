//! Text in lines that fit, without a copy: for looking at texts of any size.

use crate::json::Visible;
use std::ops::Range;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// A text, cut into the lines in which it is shown.
#[derive(Clone, Debug, Default)]
pub struct Pages {
    text: String,
    lines: Vec<Range<usize>>,
    /// What it was cut for.
    cut_for: Option<usize>,
    ready: bool,
    /// The first line that is seen.
    pub top: usize,
    /// Cells that are scrolled away on the left.
    pub left: usize,
    /// The byte at which a search is.
    pub found: Option<usize>,
}

impl Pages {
    /// A text.
    #[must_use]
    pub fn new(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Cuts the text for lines of so many cells, or at its line ends only. Does nothing if that is how it is cut.
    pub fn cut(&mut self, width: Option<usize>) {
        if self.ready && self.cut_for == width {
            return;
        }
        // The same text stays at the top.
        let at = self.lines.get(self.top).map_or(0, |line| line.start);
        self.lines = lines(&self.text, width);
        (self.cut_for, self.ready) = (width, true);
        self.top = self.line_at(at);
        self.left = 0;
    }

    /// How many lines there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there is nothing to see.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The lines from one on: where each stands in the text.
    #[must_use]
    pub fn from(&self, line: usize) -> &[Range<usize>] {
        self.lines.get(line..).unwrap_or_default()
    }

    /// The line in which a byte of the text stands.
    #[must_use]
    pub fn line_at(&self, offset: usize) -> usize {
        self.lines.partition_point(|line| line.start <= offset).saturating_sub(1)
    }

    /// Whether a line ends where the text has a line end.
    #[must_use]
    pub fn ends_line(&self, line: &Range<usize>) -> bool {
        self.text.as_bytes().get(line.end) == Some(&b'\n')
    }

    /// Shows a place that was found, in a window of this height.
    pub fn show(&mut self, at: usize, height: usize) {
        self.found = Some(at);
        let line = self.line_at(at);
        if line < self.top || line >= self.top + height {
            self.scroll(line.saturating_sub(height / 3), height);
        }
    }

    /// Scrolls, so that a window of this height stays inside.
    pub fn scroll(&mut self, to: usize, height: usize) {
        self.top = to.min(self.lines.len().saturating_sub(height));
    }
}

/// Where the lines of a text stand: cut at line ends, and where a width is given so that each takes no more cells, after a
/// space where there is one. Line ends belong to no line, every other byte to one.
#[must_use]
pub fn lines(text: &str, width: Option<usize>) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]) {
        match width {
            None => out.push(start..end),
            Some(width) => wrap(text, start..end, width.max(1), &mut out),
        }
        start = end + 1;
    }
    out
}

fn wrap(text: &str, line: Range<usize>, width: usize, out: &mut Vec<Range<usize>>) {
    let mut start = line.start;
    let mut used = 0;
    // After the last space, and the cells up to there.
    let mut space: Option<(usize, usize)> = None;
    for (at, c) in text[line.clone()].char_indices() {
        let at = line.start + at;
        let cells = cells(c);
        while used + cells > width && at > start && c != ' ' && cells > 0 {
            let (cut, before) = space.filter(|(cut, _)| *cut > start).unwrap_or((at, used));
            out.push(start..cut);
            start = cut;
            used -= before.min(used);
            space = None;
        }
        used += cells;
        if c == ' ' {
            space = Some((at + 1, used));
        }
    }
    out.push(start..line.end);
}

/// Cells that a character takes when it has been made visible.
#[must_use]
pub fn cells(c: char) -> usize {
    match c {
        // Letters that are what they are, so that long texts are quick.
        ' '..='~' | '\u{C0}'..='\u{24F}' | '\u{410}'..='\u{44F}' => 1,
        '\u{3041}'..='\u{3096}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' => c.width().unwrap_or(2),
        c => Visible::new(c.encode_utf8(&mut [0; 4])).as_str().width(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(text: &str, width: usize) -> Vec<&str> {
        lines(text, Some(width)).into_iter().map(|line| &text[line]).collect()
    }

    #[test]
    fn lines_are_cut_after_spaces() {
        assert_eq!(cut("one two three\nfour", 8), ["one two ", "three", "four"]);
        assert_eq!(cut("onetwothree", 4), ["onet", "woth", "ree"]);
        assert_eq!(cut("", 4), [""]);
        assert_eq!(cut("a\n\nb\n", 4), ["a", "", "b", ""]);
        assert_eq!(cut("日本語", 4), ["日本", "語"]);
        assert_eq!(cut("a\u{1b}b", 6), ["a\u{1b}", "b"]);
        assert_eq!(lines("a\nbc", None), [0..1, 2..4]);
    }

    #[test]
    fn the_same_text_stays_in_sight() {
        let mut pages = Pages::new("one two three four five six".to_owned());
        pages.cut(Some(8));
        pages.top = 2;
        let seen = pages.from(2)[0].start;
        pages.cut(Some(5));
        assert!(pages.from(pages.top)[0].contains(&seen));
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_nothing_too_wide(text in "[a-c 日é\u{1b}\n]{0,40}", width in 6..14usize) {
            let parts = cut(&text, width);
            prop_assert_eq!(parts.concat(), text.replace('\n', ""));
            for part in parts {
                prop_assert!(Visible::new(part.trim_end_matches(' ')).as_str().width() <= width, "{part:?}");
            }
        }
    }
}
