//! One line being written: for the palette and for prompts. Longer text has an editor of its own.

use crate::json::Visible;
use crate::tui::keys::Chord;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use unicode_segmentation::UnicodeSegmentation;

/// The text and the cursor in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineInput {
    text: String,
    /// A byte offset between what people see as characters.
    cursor: usize,
}

impl LineInput {
    /// A text that is there already, with the cursor at its end.
    #[must_use]
    pub fn with(text: &str) -> Self {
        let mut input = Self::default();
        input.insert(text);
        input
    }

    /// Where the cursor is, as a byte offset.
    #[must_use]
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// Puts text in place of some bytes; a range that cuts a character does nothing.
    pub fn replace(&mut self, range: std::ops::Range<usize>, text: &str) {
        if self.text.get(range.clone()).is_some() {
            self.remove(range.start, range.end);
            self.insert(text);
        }
    }

    /// What is written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Before and after the cursor, safe to show.
    #[must_use]
    pub fn halves(&self) -> (Visible, Visible) {
        let (before, after) = self.text.split_at(self.cursor);
        (Visible::new(before), Visible::new(after))
    }

    /// Puts text in at the cursor, on one line.
    pub fn insert(&mut self, text: &str) {
        let text = text.trim_end_matches(['\r', '\n']).replace("\r\n", " ").replace(['\r', '\n'], " ");
        self.text.insert_str(self.cursor, &text);
        self.cursor += text.len();
        // What was put in may have joined with what stands after it.
        let joined = self.boundaries().find(|at| *at >= self.cursor);
        self.cursor = joined.unwrap_or(self.text.len());
    }

    /// Takes in a key: true if it was one for writing.
    pub fn press(&mut self, key: &KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        let (before, after) = (self.before(), self.after());
        let word = self.word_before();
        match key.code {
            KeyCode::Char('a') if control => self.cursor = 0,
            KeyCode::Char('e') if control => self.cursor = self.text.len(),
            KeyCode::Char('b') if control => self.cursor = before,
            KeyCode::Char('f') if control => self.cursor = after,
            KeyCode::Char('u') if control => self.remove(0, self.cursor),
            KeyCode::Char('k') if control => self.remove(self.cursor, self.text.len()),
            KeyCode::Char('w') if control => self.remove(word, self.cursor),
            KeyCode::Backspace if alt => self.remove(word, self.cursor),
            KeyCode::Char('h') if control => self.remove(before, self.cursor),
            KeyCode::Char('d') if control => self.remove(self.cursor, after),
            KeyCode::Char(c) if Chord::of(key).is_some_and(Chord::is_text) => self.insert(c.encode_utf8(&mut [0; 4])),
            KeyCode::Left => self.cursor = before,
            KeyCode::Right => self.cursor = after,
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.text.len(),
            KeyCode::Backspace => self.remove(before, self.cursor),
            KeyCode::Delete => self.remove(self.cursor, after),
            _ => return false,
        }
        true
    }

    fn remove(&mut self, from: usize, to: usize) {
        self.text.replace_range(from..to, "");
        self.cursor = from;
    }

    fn boundaries(&self) -> impl DoubleEndedIterator<Item = usize> {
        self.text.grapheme_indices(true).map(|(at, _)| at)
    }

    fn before(&self) -> usize {
        self.boundaries().rfind(|at| *at < self.cursor).unwrap_or(0)
    }

    fn after(&self) -> usize {
        self.boundaries().find(|at| *at > self.cursor).unwrap_or(self.text.len())
    }

    fn word_before(&self) -> usize {
        let before = self.text[..self.cursor].trim_end();
        before.rfind(char::is_whitespace).map_or(0, |at| at + before[at..].chars().next().map_or(0, char::len_utf8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn key(code: KeyCode, modifiers: KeyModifiers) -> KeyEvent {
        KeyEvent::new(code, modifiers)
    }

    #[test]
    fn it_is_edited_as_in_a_shell() {
        let mut input = LineInput::default();
        input.insert("one two\nthree");
        assert_eq!(input.text(), "one two three");
        let control = |c| key(KeyCode::Char(c), KeyModifiers::CONTROL);
        assert!(input.press(&control('w')));
        assert_eq!(input.text(), "one two ");
        assert!(input.press(&control('a')) && input.press(&control('d')));
        assert_eq!(input.text(), "ne two ");
        assert!(!input.press(&key(KeyCode::Enter, KeyModifiers::NONE)));
        assert!(!input.press(&key(KeyCode::Char('x'), KeyModifiers::ALT)));
        assert!(input.press(&key(KeyCode::Char('X'), KeyModifiers::SHIFT)));
        assert_eq!(input.text(), "Xne two ");
    }

    proptest! {
        #[test]
        fn the_cursor_is_always_between_characters(text in "[a 日👨🏽e\u{301}]{0,8}", keys in proptest::collection::vec(0..8usize, 0..20)) {
            let mut input = LineInput::default();
            input.insert(&text);
            let codes = [KeyCode::Left, KeyCode::Right, KeyCode::Backspace, KeyCode::Delete, KeyCode::Home, KeyCode::End,
                KeyCode::Char('\u{301}'), KeyCode::Char('z')];
            for n in keys {
                input.press(&key(codes[n], KeyModifiers::NONE));
                prop_assert!(input.text.is_char_boundary(input.cursor));
                let _ = input.halves();
            }
        }
    }
}
