//! One key with its modifiers: reading, writing, and telling apart what terminals can tell apart.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::fmt;
use std::str::FromStr;

/// A key pressed with modifiers, in one spelling: however a terminal reports it, and however a person writes it, what is the
/// same key compares equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Chord {
    key: Key,
    ctrl: bool,
    alt: bool,
    /// Never set where the character says it already (`G`, `?`).
    shift: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Key {
    Char(char),
    Function(u8),
    Named(Named),
}

macro_rules! named_keys {
    ($($name:ident $code:pat => $spelling:literal $(or $other:literal)*;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        enum Named { $($name),* }

        impl Named {
            #[cfg(test)]
            const ALL: &[Self] = &[$(Self::$name),*];

            fn of(code: KeyCode) -> Option<Self> {
                match code { $($code => Some(Self::$name),)* _ => None }
            }

            fn spelling(self) -> &'static str {
                match self { $(Self::$name => $spelling),* }
            }

            fn parse(text: &str) -> Option<Self> {
                $(if text.eq_ignore_ascii_case($spelling) $(|| text.eq_ignore_ascii_case($other))* {
                    return Some(Self::$name);
                })*
                None
            }
        }
    };
}

named_keys! {
    Enter KeyCode::Enter => "Enter" or "Return";
    Esc KeyCode::Esc => "Esc" or "Escape";
    Tab KeyCode::Tab | KeyCode::BackTab => "Tab";
    Space KeyCode::Char(' ') => "Space";
    Backspace KeyCode::Backspace => "Backspace";
    Delete KeyCode::Delete => "Delete" or "Del";
    Insert KeyCode::Insert => "Insert" or "Ins";
    Up KeyCode::Up => "Up";
    Down KeyCode::Down => "Down";
    Left KeyCode::Left => "Left";
    Right KeyCode::Right => "Right";
    Home KeyCode::Home => "Home";
    End KeyCode::End => "End";
    PageUp KeyCode::PageUp => "PageUp" or "PgUp";
    PageDown KeyCode::PageDown => "PageDown" or "PgDn";
}

impl Chord {
    /// The chord of a key event; none for keys that have no name here (media keys, modifiers alone).
    #[must_use]
    pub fn of(event: &KeyEvent) -> Option<Self> {
        let modifiers = event.modifiers;
        let key = match event.code {
            KeyCode::F(n) => Key::Function(n),
            // Ctrl-Space, where the terminal sends it as the byte 0.
            KeyCode::Null => Key::Named(Named::Space),
            code => match (Named::of(code), code) {
                (Some(named), _) => Key::Named(named),
                (None, KeyCode::Char(c)) => Key::Char(c),
                (None, _) => return None,
            },
        };
        let chord = Self {
            key,
            ctrl: modifiers.contains(KeyModifiers::CONTROL) || event.code == KeyCode::Null,
            alt: modifiers.contains(KeyModifiers::ALT),
            shift: modifiers.contains(KeyModifiers::SHIFT) || event.code == KeyCode::BackTab,
        };
        Some(chord.normal())
    }

    fn normal(mut self) -> Self {
        let Key::Char(c) = self.key else { return self };
        let mut upper = c.to_uppercase();
        if self.shift
            && let (Some(one), None) = (upper.next(), upper.next())
        {
            self.key = Key::Char(one);
        }
        self.shift = false;
        // Without the keyboard protocol Ctrl-_ and its neighbours come as the bytes that crossterm reads as Ctrl-4 to Ctrl-7.
        if self.ctrl {
            self.key = Key::Char(match self.key {
                Key::Char('4') => '\\',
                Key::Char('5') => ']',
                Key::Char('6') => '^',
                Key::Char('7') => '_',
                Key::Char(c) => c,
                _ => c,
            });
        }
        self
    }

    /// Whether it types a character, so that it belongs to whatever is being written.
    #[must_use]
    pub fn is_text(self) -> bool {
        !self.ctrl && !self.alt && matches!(self.key, Key::Char(_) | Key::Named(Named::Space))
    }

    /// The digit, when it is one and nothing else.
    #[must_use]
    pub fn digit(self) -> Option<u32> {
        match self.key {
            Key::Char(c) if self.is_text() => c.to_digit(10),
            _ => None,
        }
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (on, name) in [(self.ctrl, "Ctrl-"), (self.alt, "Alt-"), (self.shift, "Shift-")] {
            if on {
                f.write_str(name)?;
            }
        }
        match self.key {
            Key::Char(c) => write!(f, "{c}"),
            Key::Function(n) => write!(f, "F{n}"),
            Key::Named(named) => f.write_str(named.spelling()),
        }
    }
}

/// Why a text is no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChordError {
    /// There is nothing.
    #[error("a key is missing")]
    Empty,
    /// The key itself is unknown.
    #[error("`{0}` is no key: write one character, F1 to F24, or a name such as Enter, Space or PageDown")]
    Unknown(String),
}

impl FromStr for Chord {
    type Err = ChordError;

    fn from_str(text: &str) -> Result<Self, ChordError> {
        let (mut ctrl, mut alt, mut shift) = (false, false, false);
        let mut rest = text;
        // A lone `-` at the end is the key itself: `Ctrl--`.
        while let Some((before, after)) =
            rest.split_once(['-', '+']).filter(|(before, after)| !before.is_empty() && !after.is_empty())
        {
            match before.to_ascii_lowercase().as_str() {
                "ctrl" | "control" | "c" => ctrl = true,
                "alt" | "meta" | "a" | "m" => alt = true,
                "shift" | "s" => shift = true,
                _ => return Err(ChordError::Unknown(text.to_owned())),
            }
            rest = after;
        }
        let key = parse_key(rest)
            .ok_or_else(|| if text.is_empty() { ChordError::Empty } else { ChordError::Unknown(text.to_owned()) })?;
        Ok(Self { key, ctrl, alt, shift }.normal())
    }
}

fn parse_key(text: &str) -> Option<Key> {
    if let Some(named) = Named::parse(text) {
        return Some(Key::Named(named));
    }
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) if !c.is_whitespace() && !c.is_control() => Some(Key::Char(c)),
        (Some('F' | 'f'), Some(_)) => text[1..].parse().ok().filter(|n| (1..=24).contains(n)).map(Key::Function),
        _ => None,
    }
}

/// One key after another, such as `y e`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sequence(Vec<Chord>);

impl Sequence {
    /// The keys in order; there is at least one.
    #[must_use]
    pub fn chords(&self) -> &[Chord] {
        &self.0
    }
}

impl FromStr for Sequence {
    type Err = ChordError;

    fn from_str(text: &str) -> Result<Self, ChordError> {
        let chords = text.split_whitespace().map(str::parse).collect::<Result<Vec<_>, _>>()?;
        if chords.is_empty() { Err(ChordError::Empty) } else { Ok(Self(chords)) }
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, chord) in self.0.iter().enumerate() {
            if n > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{chord}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn press(code: KeyCode, modifiers: KeyModifiers) -> String {
        Chord::of(&KeyEvent::new(code, modifiers)).unwrap().to_string()
    }

    #[test]
    fn the_same_key_is_the_same_chord_however_it_is_reported() {
        let (none, shift, ctrl) = (KeyModifiers::NONE, KeyModifiers::SHIFT, KeyModifiers::CONTROL);
        for (code, modifiers, expected) in [
            (KeyCode::Char('g'), none, "g"),
            (KeyCode::Char('G'), shift, "G"),
            (KeyCode::Char('g'), shift, "G"),
            (KeyCode::Char('G'), none, "G"),
            (KeyCode::Char('?'), shift, "?"),
            (KeyCode::Char('z'), ctrl, "Ctrl-z"),
            (KeyCode::Char('7'), ctrl, "Ctrl-_"),
            (KeyCode::Char('g'), ctrl | shift, "Ctrl-G"),
            (KeyCode::BackTab, shift, "Shift-Tab"),
            (KeyCode::BackTab, none, "Shift-Tab"),
            (KeyCode::Tab, shift, "Shift-Tab"),
            (KeyCode::Char(' '), none, "Space"),
            (KeyCode::Null, none, "Ctrl-Space"),
            (KeyCode::Enter, KeyModifiers::ALT, "Alt-Enter"),
            (KeyCode::F(5), none, "F5"),
        ] {
            assert_eq!(press(code, modifiers), expected);
        }
    }

    #[test]
    fn people_may_write_keys_in_their_own_way() {
        for (text, expected) in [
            ("ctrl-x", "Ctrl-x"),
            ("C-x", "Ctrl-x"),
            ("control+x", "Ctrl-x"),
            ("M-Enter", "Alt-Enter"),
            ("shift-g", "G"),
            ("pgdn", "PageDown"),
            ("f12", "F12"),
            ("-", "-"),
            ("+", "+"),
            ("ctrl--", "Ctrl--"),
            ("f", "f"),
            ("alt-ctrl-del", "Ctrl-Alt-Delete"),
        ] {
            assert_eq!(text.parse::<Chord>().unwrap().to_string(), expected, "{text}");
        }
        for text in ["", "ctrl", "hyper-x", "F0", "F25", "ctrl-", "entre", "\t"] {
            assert!(text.parse::<Chord>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_sequence_is_its_keys() {
        assert_eq!("y  e".parse::<Sequence>().unwrap().to_string(), "y e");
        assert_eq!("".parse::<Sequence>(), Err(ChordError::Empty));
    }

    fn chords() -> impl Strategy<Value = Chord> {
        let key = prop_oneof![
            any::<char>().prop_filter("prints", |c| !c.is_whitespace() && !c.is_control()).prop_map(Key::Char),
            (1..=24u8).prop_map(Key::Function),
            proptest::sample::select(Named::ALL).prop_map(Key::Named),
        ];
        (key, any::<[bool; 3]>()).prop_map(|(key, [ctrl, alt, shift])| Chord { key, ctrl, alt, shift }.normal())
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_as_the_same(chord in chords()) {
            prop_assert_eq!(chord.to_string().parse::<Chord>(), Ok(chord));
        }

        #[test]
        fn reading_never_panics(text in any::<String>()) {
            let _ = text.parse::<Sequence>();
        }
    }
}
