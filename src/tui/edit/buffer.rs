//! The text that is being edited: any text, kept to the byte.
//!
//! A widget that edits lines of its own takes a carriage return for a line end, counts in characters where people see one,
//! and takes two steps to undo what was pasted over a selection. A text that is replayed must be the text that was written, so
//! this one is a string with a cursor, and every change of it is one replacement that can be taken back.

use super::history::{Change, History, Kind};
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// A text, a cursor in it, and what has been done to it.
#[derive(Clone, Debug, Default)]
pub struct Buffer {
    text: String,
    /// A byte offset between what people see as characters.
    cursor: usize,
    /// The other end of the selection.
    anchor: Option<usize>,
    /// The column in characters that moving up and down keeps to.
    goal: Option<usize>,
    /// What was cut last.
    pub(super) cut: String,
    history: History,
    /// How many changes have been made.
    revision: u64,
}

/// Where a motion goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// One character back.
    Left,
    /// One character on.
    Right,
    /// To the same column of the line above.
    Up(usize),
    /// To the same column of the line below.
    Down(usize),
    /// To the start of the word, or of the one before.
    WordLeft,
    /// To the end of the word, or of the next one.
    WordRight,
    /// To the start of the line: of what is written in it, and from there to its very start.
    LineStart,
    /// To the end of the line.
    LineEnd,
    /// To the start of the text.
    Start,
    /// To the end of the text.
    End,
}

impl Buffer {
    /// A text to edit, with the cursor at its start.
    #[must_use]
    pub fn new(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Another number with each change of the text.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The cursor, as a byte offset.
    #[must_use]
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// What is selected; never empty.
    #[must_use]
    pub fn selection(&self) -> Option<Range<usize>> {
        let anchor = self.anchor.filter(|anchor| *anchor != self.cursor)?;
        Some(anchor.min(self.cursor)..anchor.max(self.cursor))
    }

    /// The bytes of the line in which an offset stands, without its line end.
    #[must_use]
    pub fn line_at(&self, at: usize) -> Range<usize> {
        line_at(&self.text, at)
    }

    /// Moves the cursor; with `select`, what lies between is selected.
    pub fn go(&mut self, motion: Motion, select: bool) {
        let goal = match motion {
            Motion::Up(_) | Motion::Down(_) => Some(self.goal.unwrap_or_else(|| self.column())),
            _ => None,
        };
        let to = self.destination(motion, goal.unwrap_or_default());
        self.anchor = if select { self.anchor.or(Some(self.cursor)) } else { None };
        self.cursor = to;
        self.goal = goal;
        self.history.close();
    }

    /// Puts the cursor at an offset, or at the character that it is in.
    pub fn move_to(&mut self, at: usize) {
        self.cursor = self.boundary(at);
        self.anchor = None;
        self.goal = None;
        self.history.close();
    }

    /// Selects everything.
    pub fn select_all(&mut self) {
        self.anchor = Some(0);
        self.cursor = self.text.len();
        self.goal = None;
        self.history.close();
    }

    /// Starts a selection here, or gives it up.
    pub fn toggle_selection(&mut self) {
        self.anchor = if self.anchor.is_some() { None } else { Some(self.cursor) };
    }

    /// Gives the selection up: false if there was none.
    pub fn unselect(&mut self) -> bool {
        self.anchor.take().is_some()
    }

    /// Types a text in place of what is selected.
    pub fn typed(&mut self, text: &str) {
        let kind = if self.selection().is_some() { Kind::Whole } else { Kind::Typed };
        let range = self.selection().unwrap_or(self.cursor..self.cursor);
        self.replace(range, text, kind);
    }

    /// Puts a text in place of what is selected, as one step.
    pub fn insert(&mut self, text: &str) {
        let range = self.selection().unwrap_or(self.cursor..self.cursor);
        self.replace(range, text, Kind::Whole);
    }

    /// Starts a new line, as far in as this one.
    pub fn new_line(&mut self) {
        let start = self.selection().map_or(self.cursor, |range| range.start);
        let line = self.line_at(start);
        let before = &self.text[line.start..start];
        let indent = before.len() - before.trim_start_matches([' ', '\t']).len();
        let mut text = format!("\n{}", &before[..indent]);
        if before.ends_with(['{', '[']) {
            text.push_str("  ");
        }
        self.insert(&text);
    }

    /// Deletes what is selected, or else what a motion goes over.
    pub fn erase(&mut self, motion: Motion) {
        let kind = if self.selection().is_none() && motion == Motion::Left { Kind::Erased } else { Kind::Whole };
        if let Some(range) = self.selection().or_else(|| self.over(motion)) {
            self.replace(range, "", kind);
        }
    }

    /// Cuts what is selected, or else what a motion goes over.
    pub fn cut(&mut self, motion: Option<Motion>) {
        let Some(range) = self.selection().or_else(|| motion.and_then(|motion| self.over(motion))) else { return };
        self.text[range.clone()].clone_into(&mut self.cut);
        self.replace(range, "", Kind::Whole);
    }

    /// Notes what is selected, to be put in elsewhere.
    pub fn keep(&mut self) {
        if let Some(range) = self.selection() {
            self.text[range].clone_into(&mut self.cut);
        }
        self.anchor = None;
    }

    /// Makes the whole text another, as one step that touches no more than what differs. The cursor stays where it was, or
    /// goes where it is told.
    pub fn set_text(&mut self, text: &str, cursor: Option<usize>) {
        let prefix = common_prefix(&self.text, text);
        let suffix = common_suffix(&self.text[prefix..], &text[prefix..]);
        let kept = self.cursor;
        let changes = self.text != text;
        let inserted = &text[prefix..text.len() - suffix];
        self.replace(prefix..self.text.len() - suffix, inserted, Kind::Whole);
        self.move_to(cursor.unwrap_or(kept));
        if changes {
            self.history.land(self.cursor);
        }
    }

    /// Replaces a part, as one step. The cursor ends behind what was put in.
    pub fn splice(&mut self, range: Range<usize>, text: &str) {
        self.replace(range, text, Kind::Whole);
    }

    /// Takes the last step back: false if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(change) = self.history.undo() else { return false };
        self.text.replace_range(change.at..change.at + change.inserted.len(), &change.removed);
        self.land(change.before);
        true
    }

    /// Does a step again that was taken back: false if there is none.
    pub fn redo(&mut self) -> bool {
        let Some(change) = self.history.redo() else { return false };
        self.text.replace_range(change.at..change.at + change.removed.len(), &change.inserted);
        self.land(change.after);
        true
    }

    fn land(&mut self, cursor: usize) {
        self.revision += 1;
        self.cursor = self.boundary(cursor);
        self.anchor = None;
        self.goal = None;
    }

    fn replace(&mut self, range: Range<usize>, text: &str, kind: Kind) {
        self.anchor = None;
        self.goal = None;
        if range.is_empty() && text.is_empty() {
            return;
        }
        self.revision += 1;
        let before = self.cursor;
        let removed = self.text[range.clone()].to_owned();
        self.text.replace_range(range.clone(), text);
        // What was put in may have joined with what stands after it.
        self.cursor = self.boundary(range.start + text.len());
        let change = Change { at: range.start, removed, inserted: text.to_owned(), before, after: self.cursor };
        self.history.push(change, kind);
    }

    /// What a motion goes over, if it goes anywhere.
    fn over(&self, motion: Motion) -> Option<Range<usize>> {
        let mut to = self.destination(motion, 0);
        if to == self.cursor && motion == Motion::LineEnd {
            // At the end of a line, its line end.
            to = self.destination(Motion::Right, 0);
        }
        (to != self.cursor).then(|| to.min(self.cursor)..to.max(self.cursor))
    }

    fn destination(&self, motion: Motion, goal: usize) -> usize {
        let line = self.line_at(self.cursor);
        match motion {
            Motion::Left if self.cursor == line.start => self.cursor.saturating_sub(1),
            Motion::Left => self.cursor - last_grapheme(&self.text[line.start..self.cursor]),
            Motion::Right if self.cursor == line.end => (self.cursor + 1).min(self.text.len()),
            Motion::Right => self.cursor + self.text[self.cursor..line.end].graphemes(true).next().map_or(0, str::len),
            Motion::Up(lines) => {
                let up = |start: usize| (start > 0).then(|| self.line_at(start - 1).start);
                let start = (0..lines).try_fold(line.start, |start, _| up(start).ok_or(0)).unwrap_or_else(|start| start);
                self.at_column(start, goal)
            }
            Motion::Down(lines) => {
                let mut start = line.start;
                for _ in 0..lines {
                    let end = self.line_at(start).end;
                    if end == self.text.len() {
                        break;
                    }
                    start = end + 1;
                }
                self.at_column(start, goal)
            }
            Motion::WordLeft => word_left(&self.text, self.cursor),
            Motion::WordRight => word_right(&self.text, self.cursor),
            Motion::LineStart => {
                let text = &self.text[line.clone()];
                let written = line.start + text.len() - text.trim_start_matches([' ', '\t']).len();
                if self.cursor == written { line.start } else { written }
            }
            Motion::LineEnd => line.end,
            Motion::Start => 0,
            Motion::End => self.text.len(),
        }
    }

    /// How many characters stand before the cursor in its line.
    fn column(&self) -> usize {
        self.text[self.line_at(self.cursor).start..self.cursor].graphemes(true).count()
    }

    fn at_column(&self, start: usize, column: usize) -> usize {
        let line = self.line_at(start);
        self.text[line.clone()].grapheme_indices(true).nth(column).map_or(line.end, |(at, _)| line.start + at)
    }

    /// The nearest offset at or after this one that is between characters.
    fn boundary(&self, at: usize) -> usize {
        let mut at = at.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at += 1;
        }
        let line = self.line_at(at);
        let mut cursor = unicode_segmentation::GraphemeCursor::new(at - line.start, line.len(), true);
        let text = &self.text[line.clone()];
        match cursor.is_boundary(text, 0) {
            Ok(false) => cursor.next_boundary(text, 0).ok().flatten().map_or(line.end, |next| line.start + next),
            _ => at,
        }
    }
}

/// The bytes of the line in which an offset stands, without its line end.
pub(super) fn line_at(text: &str, at: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let at = at.min(bytes.len());
    let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |n| n + 1);
    let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |n| at + n);
    start..end
}

fn last_grapheme(text: &str) -> usize {
    text.graphemes(true).next_back().map_or(0, str::len)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn word_left(text: &str, at: usize) -> usize {
    text[..at].trim_end_matches(|c| !is_word(c)).trim_end_matches(is_word).len()
}

fn word_right(text: &str, at: usize) -> usize {
    text.len() - text[at..].trim_start_matches(|c| !is_word(c)).trim_start_matches(is_word).len()
}

fn common_prefix(a: &str, b: &str) -> usize {
    let mut n = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    while !a.is_char_boundary(n) || !b.is_char_boundary(n) {
        n -= 1;
    }
    n
}

fn common_suffix(a: &str, b: &str) -> usize {
    let mut n = a.bytes().rev().zip(b.bytes().rev()).take_while(|(a, b)| a == b).count();
    while !a.is_char_boundary(a.len() - n) || !b.is_char_boundary(b.len() - n) {
        n -= 1;
    }
    n
}

#[cfg(test)]
#[path = "buffer_tests.rs"]
mod tests;
