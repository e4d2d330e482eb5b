//! Text that is safe to look at.

use std::fmt;
use std::ops::Range;
use unicode_width::UnicodeWidthChar;

/// Text in which everything that would be executed by a terminal, reorder the line, or not be seen at all stands as a mark:
/// `<ESC>`, `<U+202E>`, `<LF>`. The only kind of text from files and models that may reach a screen.
///
/// Nothing is dropped: every character of the source is either itself or a mark. The marks' places are kept, so that a
/// screen can style them and a literal `<ESC>` in the data is not mistaken for one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Visible {
    text: String,
    marks: Vec<Range<usize>>,
}

impl Visible {
    /// Makes text visible, line ends included, so that the result is one line.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut out = Self { text: String::with_capacity(text.len()), marks: Vec::new() };
        text.chars().for_each(|c| out.push(c));
        out
    }

    /// Makes WTF-8 (or any bytes) visible; what is not Unicode becomes U+FFFD.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self::new(&super::to_well_formed(bytes))
    }

    /// Makes text visible line by line: line feeds separate, everything else is marked (a carriage return too).
    pub fn lines(text: &str) -> impl Iterator<Item = Self> {
        text.split('\n').map(Self::new)
    }

    fn push(&mut self, c: char) {
        let start = self.text.len();
        if !push_mark(&mut self.text, c) {
            self.text.push(c);
            return;
        }
        let end = self.text.len();
        match self.marks.last_mut() {
            Some(last) if last.end == start => last.end = end,
            _ => self.marks.push(start..end),
        }
    }

    /// The text to show.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The text to show, owned.
    #[must_use]
    pub fn into_string(self) -> String {
        self.text
    }

    /// The text in pieces, each with whether it is a mark.
    pub fn pieces(&self) -> impl Iterator<Item = (&str, bool)> {
        let mut at = 0;
        let mut marks = self.marks.iter();
        let mut pending: Option<&Range<usize>> = None;
        std::iter::from_fn(move || {
            if let Some(mark) = pending.take() {
                at = mark.end;
                return Some((&self.text[mark.clone()], true));
            }
            if at >= self.text.len() {
                return None;
            }
            let Some(mark) = marks.next() else {
                let piece = &self.text[at..];
                at = self.text.len();
                return Some((piece, false));
            };
            if mark.start > at {
                pending = Some(mark);
                return Some((&self.text[at..mark.start], false));
            }
            at = mark.end;
            Some((&self.text[mark.clone()], true))
        })
    }

    /// Whether anything had to be marked.
    #[must_use]
    pub fn has_marks(&self) -> bool {
        !self.marks.is_empty()
    }
}

impl fmt::Display for Visible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// Appends a mark for a character that must not stand as itself; false if it may.
fn push_mark(out: &mut String, c: char) -> bool {
    const C0: [&str; 32] = [
        "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "TAB", "LF", "VT", "FF", "CR", "SO", "SI", "DLE", "DC1",
        "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US",
    ];
    let code = c as u32;
    if let Some(name) = C0.get(code as usize) {
        out.push('<');
        out.push_str(name);
        out.push('>');
        return true;
    }
    if c == '\u{7F}' {
        out.push_str("<DEL>");
        return true;
    }
    if c.is_ascii() || !is_hidden(c) {
        return false;
    }
    let _ = fmt::Write::write_fmt(out, format_args!("<U+{code:04X}>"));
    true
}

/// Characters that a terminal may act on, that change the order of others, or that take no room of their own.
/// Combining marks are left: they are how many scripts are written, and they change what is seen.
fn is_hidden(c: char) -> bool {
    let code = c as u32;
    matches!(code,
        0x80..=0x9F                     // C1
        | 0xAD                          // soft hyphen
        | 0x34F                         // combining grapheme joiner
        | 0x61C                         // Arabic letter mark
        | 0x115F | 0x1160 | 0x3164 | 0xFFA0 // Hangul fillers
        | 0x17B4 | 0x17B5               // Khmer inherent vowels
        | 0x180B..=0x180F               // Mongolian selectors and separator
        | 0x200B..=0x200F               // zero-width characters and direction marks
        | 0x2028..=0x202E               // line and paragraph separators, embeddings and overrides
        | 0x2060..=0x206F               // joiners, invisible operators, isolates
        | 0xFE00..=0xFE0F               // variation selectors
        | 0xFEFF                        // byte order mark
        | 0xFFF9..=0xFFFB               // interlinear annotation
        | 0x1D173..=0x1D17A             // musical format controls
        | 0xE0000..=0xE0FFF             // tags and further variation selectors
    ) || (code & 0xFFFE) == 0xFFFE
        || (0xFDD0..=0xFDEF).contains(&code)
        || (c.width() == Some(0) && !is_combining(c))
}

/// A character without width that combines with the one before it, by block: enough to tell it from an invisible one.
fn is_combining(c: char) -> bool {
    !matches!(c as u32, 0..=0x2FF | 0x2000..=0x206F | 0x3000..=0x3029 | 0xFFF0..=0xFFFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_act_on_is_marked() {
        for (text, shown) in [
            ("plain é 日本 😀", "plain é 日本 😀"),
            ("\u{1b}[2J\u{7}", "<ESC>[2J<BEL>"),
            ("a\tb\r\n", "a<TAB>b<CR><LF>"),
            ("\u{9b}31m\u{7f}\u{0}", "<U+009B>31m<DEL><NUL>"),
            ("safe\u{202e}gpj\u{2066}x\u{2069}", "safe<U+202E>gpj<U+2066>x<U+2069>"),
            ("file\u{200b}_path\u{feff}", "file<U+200B>_path<U+FEFF>"),
            ("\u{e0041}\u{fe0f}\u{ad}", "<U+E0041><U+FE0F><U+00AD>"),
            ("e\u{301} नि", "e\u{301} नि"),
            ("<ESC>", "<ESC>"),
        ] {
            assert_eq!(Visible::new(text).as_str(), shown);
        }
    }

    #[test]
    fn marks_are_told_from_text_that_looks_like_one() {
        let pieces = |t: &str| Visible::new(t).pieces().map(|(s, m)| (s.to_owned(), m)).collect::<Vec<_>>();
        assert_eq!(pieces("<ESC>"), [("<ESC>".to_owned(), false)]);
        assert_eq!(pieces("a\u{1b}\u{7}b"), [("a".to_owned(), false), ("<ESC><BEL>".to_owned(), true), ("b".to_owned(), false)]);
        assert_eq!(pieces("\n"), [("<LF>".to_owned(), true)]);
        assert_eq!(pieces(""), []);
    }

    #[test]
    fn bytes_that_are_no_unicode_are_replaced() {
        assert_eq!(Visible::from_bytes(b"a\xED\xA0\x80\xFF").as_str(), "a\u{FFFD}\u{FFFD}");
    }
}
