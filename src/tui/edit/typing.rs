//! Keys that write: those of emacs and of every text field.

use super::buffer::{Buffer, Motion};
use crate::tui::keys::Chord;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What a key did to a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pressed {
    /// The text is another.
    Changed,
    /// The cursor or the selection is.
    Moved,
    /// It is not a key for writing.
    Unknown,
}

/// Takes in a key; `page` is how many lines are on the screen.
pub fn press(buffer: &mut Buffer, key: &KeyEvent, page: usize) -> Pressed {
    if let Some(motion) = motion(key, page) {
        buffer.go(motion, key.modifiers.contains(KeyModifiers::SHIFT));
        return Pressed::Moved;
    }
    if !change(buffer, key) {
        return selection(buffer, key);
    }
    Pressed::Changed
}

fn motion(key: &KeyEvent, page: usize) -> Option<Motion> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let alt = key.modifiers.contains(KeyModifiers::ALT);
    Some(match key.code {
        KeyCode::Left if alt || control => Motion::WordLeft,
        KeyCode::Right if alt || control => Motion::WordRight,
        KeyCode::Left => Motion::Left,
        KeyCode::Right => Motion::Right,
        KeyCode::Up => Motion::Up(1),
        KeyCode::Down => Motion::Down(1),
        KeyCode::PageUp => Motion::Up(page),
        KeyCode::PageDown => Motion::Down(page),
        KeyCode::Home if control => Motion::Start,
        KeyCode::End if control => Motion::End,
        KeyCode::Home => Motion::LineStart,
        KeyCode::End => Motion::LineEnd,
        KeyCode::Char('b') if control => Motion::Left,
        KeyCode::Char('f') if control => Motion::Right,
        KeyCode::Char('p') if control => Motion::Up(1),
        KeyCode::Char('n') if control => Motion::Down(1),
        KeyCode::Char('a') if control => Motion::LineStart,
        KeyCode::Char('e') if control => Motion::LineEnd,
        KeyCode::Char('v') if control => Motion::Down(page),
        KeyCode::Char('v') if alt => Motion::Up(page),
        KeyCode::Char('b') if alt => Motion::WordLeft,
        KeyCode::Char('f') if alt => Motion::WordRight,
        KeyCode::Char('<') if alt => Motion::Start,
        KeyCode::Char('>') if alt => Motion::End,
        _ => return None,
    })
}

fn change(buffer: &mut Buffer, key: &KeyEvent) -> bool {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let alt = key.modifiers.contains(KeyModifiers::ALT);
    match key.code {
        KeyCode::Char('d') if control => buffer.erase(Motion::Right),
        KeyCode::Char('h') if control => buffer.erase(Motion::Left),
        KeyCode::Char('k') if control => buffer.cut(Some(Motion::LineEnd)),
        KeyCode::Char('u') if control => buffer.cut(Some(Motion::LineStart)),
        KeyCode::Char('w') if control => {
            let motion = buffer.selection().is_none().then_some(Motion::WordLeft);
            buffer.cut(motion);
        }
        KeyCode::Char('d') if alt => buffer.cut(Some(Motion::WordRight)),
        KeyCode::Backspace if alt || control => buffer.cut(Some(Motion::WordLeft)),
        KeyCode::Char('y') if control => {
            let text = buffer.cut.clone();
            buffer.insert(&text);
        }
        KeyCode::Char(c) if Chord::of(key).is_some_and(Chord::is_text) => buffer.typed(c.encode_utf8(&mut [0; 4])),
        KeyCode::Enter if !alt => buffer.new_line(),
        KeyCode::Backspace => buffer.erase(Motion::Left),
        KeyCode::Delete => buffer.erase(Motion::Right),
        _ => return false,
    }
    true
}

fn selection(buffer: &mut Buffer, key: &KeyEvent) -> Pressed {
    match key.code {
        // Where Ctrl-Space completes, this is how a selection starts without Shift.
        KeyCode::Char('m') if key.modifiers.contains(KeyModifiers::ALT) => buffer.toggle_selection(),
        KeyCode::Char('w') if key.modifiers.contains(KeyModifiers::ALT) => buffer.keep(),
        _ => return Pressed::Unknown,
    }
    Pressed::Moved
}
