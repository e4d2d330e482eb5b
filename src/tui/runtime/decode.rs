//! From the bytes of a terminal to keys, the mouse, pastes and focus.
//!
//! crossterm's own reader is not used because, as of 0.29, it can lose a key that arrives together with a change of size (its
//! epoll is edge-triggered and one of two ready sources is passed over), spins on a closed terminal, and blocks inside a
//! sequence that was cut short, when it could not be parked. This one never reads by itself: it is given bytes, in whatever
//! pieces they come.

use super::sequence::{self, Decoded};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use std::collections::VecDeque;

const ESC: u8 = 0x1B;
const PASTE_BEGINS: &[u8] = b"\x1b[200~";
const PASTE_ENDS: &[u8] = b"\x1b[201~";
/// A sequence that is longer than this is none.
const LONGEST: usize = 4096;

/// Takes in bytes and gives events.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    /// What has not become an event yet.
    bytes: Vec<u8>,
    events: VecDeque<Event>,
}

/// What the bytes at the start are.
enum Step {
    /// So many bytes are this, or nothing that is known.
    Is(usize, Option<Event>),
    /// More bytes are needed.
    Incomplete,
}

impl Decoder {
    /// Takes in more bytes.
    pub fn take_in(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.advance(false);
    }

    /// Nothing followed for a while: what is there is all there will be. So an Esc on its own is the key.
    pub fn no_more_for_now(&mut self) {
        self.advance(true);
    }

    /// Whether there are bytes that more may have to follow.
    pub fn is_incomplete(&self) -> bool {
        !self.bytes.is_empty()
    }

    /// Whether the bytes that are there are the beginning of a paste, whose end may be long in coming.
    pub fn is_in_paste(&self) -> bool {
        self.bytes.starts_with(PASTE_BEGINS)
    }

    /// The next event.
    pub fn next(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Whether there is an event.
    pub fn has_event(&self) -> bool {
        !self.events.is_empty()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.events.clear();
    }

    fn advance(&mut self, is_all: bool) {
        let mut at = 0;
        while at < self.bytes.len() {
            match step(&self.bytes[at..], is_all) {
                Step::Is(length, event) => {
                    self.events.extend(event);
                    at += length.max(1);
                }
                Step::Incomplete => break,
            }
        }
        self.bytes.drain(..at.min(self.bytes.len()));
    }
}

fn step(bytes: &[u8], is_all: bool) -> Step {
    match bytes {
        [ESC] if is_all => Step::Is(1, Some(Event::Key(plain(KeyCode::Esc)))),
        [ESC] => Step::Incomplete,
        _ if bytes.starts_with(PASTE_BEGINS) => paste(bytes, is_all),
        // The Linux console's F1 to F5 are like nothing else.
        [ESC, b'[', b'[', letter @ b'A'..=b'E', ..] => Step::Is(4, Some(Event::Key(plain(KeyCode::F(letter - b'A' + 1))))),
        [ESC, b'[', b'['] if !is_all => Step::Incomplete,
        [ESC, b'[', rest @ ..] => control_sequence(rest, is_all),
        [ESC, b'O', rest @ ..] => match rest {
            [letter, ..] => Step::Is(3, sequence::ss3(*letter).map(plain).map(Event::Key)),
            [] if is_all => alt(&bytes[1..], is_all),
            [] => Step::Incomplete,
        },
        // Answers of the terminal to questions that somebody else asked.
        [ESC, b']' | b'P' | b'_' | b'^', rest @ ..] if !rest.is_empty() || !is_all => string(bytes, is_all),
        [ESC, ESC, ..] => Step::Is(1, Some(Event::Key(plain(KeyCode::Esc)))),
        [ESC, rest @ ..] => alt(rest, is_all),
        [first, ..] => character(*first, bytes, is_all),
        [] => Step::Incomplete,
    }
}

fn plain(code: KeyCode) -> KeyEvent {
    KeyEvent::new(code, KeyModifiers::NONE)
}

/// What comes after Esc, as the same with Alt.
fn alt(rest: &[u8], is_all: bool) -> Step {
    let [first, ..] = rest else { return Step::Incomplete };
    match character(*first, rest, is_all) {
        Step::Is(length, Some(Event::Key(mut key))) => {
            key.modifiers |= KeyModifiers::ALT;
            Step::Is(length + 1, Some(Event::Key(key)))
        }
        Step::Is(length, other) => Step::Is(length + 1, other),
        Step::Incomplete => Step::Incomplete,
    }
}

/// A control byte or a character of UTF-8.
fn character(first: u8, bytes: &[u8], is_all: bool) -> Step {
    if let Some(key) = control(first) {
        return Step::Is(1, Some(Event::Key(key)));
    }
    let length = match first {
        0..=0x7F => 1,
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return Step::Is(1, None),
    };
    let Some(text) = bytes.get(..length) else {
        return if is_all { Step::Is(bytes.len(), None) } else { Step::Incomplete };
    };
    match std::str::from_utf8(text).ok().and_then(|text| text.chars().next()) {
        Some(c) => Step::Is(length, Some(Event::Key(sequence::typed(c)))),
        None => Step::Is(1, None),
    }
}

fn control(byte: u8) -> Option<KeyEvent> {
    let control = |c: u8| KeyEvent::new(KeyCode::Char(char::from(c)), KeyModifiers::CONTROL);
    Some(match byte {
        0 => control(b' '),
        b'\t' => plain(KeyCode::Tab),
        b'\r' => plain(KeyCode::Enter),
        0x01..=0x1A => control(byte - 1 + b'a'),
        0x1C..=0x1F => control(byte - 0x1C + b'4'),
        0x7F => plain(KeyCode::Backspace),
        _ => return None,
    })
}

/// `CSI parameters final`, without the first two bytes.
fn control_sequence(rest: &[u8], is_all: bool) -> Step {
    let Some(end) = rest.iter().position(|byte| !(0x20..=0x3F).contains(byte)) else {
        return match rest.len() {
            // Alt-[ and nothing else.
            0 if is_all => Step::Is(2, Some(Event::Key(KeyEvent::new(KeyCode::Char('['), KeyModifiers::ALT)))),
            _ if is_all || rest.len() > LONGEST => Step::Is(rest.len() + 2, None),
            _ => Step::Incomplete,
        };
    };
    let length = end + 3;
    match sequence::csi(&rest[..end], rest[end]) {
        Decoded::Event(event) => Step::Is(length, Some(event)),
        // Not a byte that may stand there: whatever it is, it begins something new.
        Decoded::Unknown if !(0x40..=0x7E).contains(&rest[end]) => Step::Is(end + 2, None),
        Decoded::Unknown => Step::Is(length, None),
    }
}

/// `ESC ] … ST` and its like: passed over.
fn string(bytes: &[u8], is_all: bool) -> Step {
    let ends = |n: &usize| bytes[*n] == 0x07 || bytes[*n..].starts_with(b"\x1b\\");
    match (2..bytes.len()).find(ends) {
        Some(n) if bytes[n] == 0x07 => Step::Is(n + 1, None),
        Some(n) => Step::Is(n + 2, None),
        None if is_all || bytes.len() > LONGEST => Step::Is(bytes.len(), None),
        None => Step::Incomplete,
    }
}

fn paste(bytes: &[u8], is_all: bool) -> Step {
    let inside = &bytes[PASTE_BEGINS.len()..];
    let end = memchr::memmem::find(inside, PASTE_ENDS);
    let Some((text, length)) = end.map(|end| (end, end + PASTE_ENDS.len())).or(is_all.then_some((inside.len(), inside.len())))
    else {
        return Step::Incomplete;
    };
    // Terminals send the line ends of a paste as the Enter key would.
    let text = String::from_utf8_lossy(&inside[..text]).replace("\r\n", "\n").replace('\r', "\n");
    Step::Is(PASTE_BEGINS.len() + length, Some(Event::Paste(text)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::keys::Chord;
    use crossterm::event::{MouseEvent, MouseEventKind};
    use proptest::prelude::*;

    fn decode(pieces: &[&[u8]]) -> Vec<Event> {
        let mut decoder = Decoder::default();
        for piece in pieces {
            decoder.take_in(piece);
        }
        decoder.no_more_for_now();
        std::iter::from_fn(|| decoder.next()).collect()
    }

    fn keys(bytes: &str) -> String {
        let name = |event: Event| match event {
            Event::Key(key) => Chord::of(&key).unwrap().to_string(),
            other => format!("{other:?}"),
        };
        decode(&[bytes.as_bytes()]).into_iter().map(name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn keys_are_known_in_every_spelling() {
        for (bytes, expected) in [
            ("aZ?", "a Z ?"),
            ("é日😀", "é 日 😀"),
            ("\r\t\x7f \0", "Enter Tab Backspace Space Ctrl-Space"),
            ("\x01\x1a\x03\x1f", "Ctrl-a Ctrl-z Ctrl-c Ctrl-_"),
            ("\x1b", "Esc"),
            ("\x1b\x1b", "Esc Esc"),
            ("\x1bx\x1bX\x1b\r\x1b\x7f", "Alt-x Alt-X Alt-Enter Alt-Backspace"),
            ("\x1b[", "Alt-["),
            ("\x1bO", "Alt-O"),
            ("\x1b[A\x1bOB\x1b[1;5C\x1b[1;3D", "Up Down Ctrl-Right Alt-Left"),
            ("\x1b[H\x1b[F\x1b[1~\x1b[4~\x1b[7~\x1b[8~", "Home End Home End Home End"),
            ("\x1b[2~\x1b[3~\x1b[5~\x1b[6~\x1b[3;5~", "Insert Delete PageUp PageDown Ctrl-Delete"),
            ("\x1bOP\x1b[12~\x1b[15~\x1b[24~\x1b[Q", "F1 F2 F5 F12 F2"),
            ("\x1b[[A\x1b[[E", "F1 F5"),
            ("\x1b[Z", "Shift-Tab"),
            ("\x1b[27u\x1b[13u\x1b[122;5u\x1b[9;2u", "Esc Enter Ctrl-z Shift-Tab"),
            ("\x1b[97;3u\x1b[103;6u\x1b[32;5u", "Alt-a Ctrl-G Ctrl-Space"),
            ("\x1b[57399u\x1b[57414u\x1b[57419u", "0 Enter Up"),
            ("\x1b[27;5;9~", "Ctrl-Tab"),
            ("\x1b[122;5:1u", "Ctrl-z"),
        ] {
            assert_eq!(keys(bytes), expected, "{bytes:?}");
        }
    }

    #[test]
    fn what_is_no_key_is_passed_over() {
        for bytes in
            ["\x1b[?62;22c", "\x1b]11;rgb:0000/0000/0000\x1b\\", "\x1bP>|term\x1b\\", "\x1b[122;5:3u", "\x1b[999~", "\x1b[24;80R"]
        {
            assert_eq!(keys(&format!("{bytes}x")), "x", "{bytes:?}");
        }
        assert_eq!(decode(&[b"\xff\xc3x"]).len(), 1);
    }

    #[test]
    fn a_paste_is_one_event_with_its_line_ends() {
        assert_eq!(decode(&[b"\x1b[200~a\rb\x1b[31", b"mc\x1b[201", b"~x"]).len(), 2);
        assert_eq!(decode(&[b"\x1b[200~a\rb\r\nc\nd\x1b[201~"]), [Event::Paste("a\nb\nc\nd".to_owned())]);
        assert_eq!(decode(&[b"\x1b[200~cut short"]), [Event::Paste("cut short".to_owned())]);
    }

    #[test]
    fn the_mouse_and_the_focus_are_known() {
        let kinds = |bytes: &[u8]| -> Vec<MouseEventKind> {
            let kind = |event| if let Event::Mouse(MouseEvent { kind, .. }) = event { Some(kind) } else { None };
            decode(&[bytes]).into_iter().filter_map(kind).collect()
        };
        let seen = kinds(b"\x1b[<0;3;4M\x1b[<0;3;4m\x1b[<64;1;1M\x1b[<65;1;1M\x1b[<35;1;1M");
        assert_eq!(format!("{seen:?}"), "[Down(Left), Up(Left), ScrollUp, ScrollDown, Moved]");
        let Event::Mouse(mouse) = &decode(&[b"\x1b[<4;3;4M"])[0] else { panic!("the mouse") };
        assert_eq!((mouse.column, mouse.row, mouse.modifiers), (2, 3, KeyModifiers::SHIFT));
        assert_eq!(decode(&[b"\x1b[I\x1b[O"]), [Event::FocusGained, Event::FocusLost]);
    }

    #[test]
    fn a_sequence_that_is_still_coming_is_waited_for() {
        let mut decoder = Decoder::default();
        for byte in b"\x1b[1;5" {
            decoder.take_in(&[*byte]);
            assert!(!decoder.has_event() && decoder.is_incomplete());
        }
        decoder.take_in(b"A");
        assert!(decoder.has_event() && !decoder.is_incomplete());
    }

    proptest! {
        #[test]
        fn how_the_bytes_are_cut_does_not_matter(
            bytes in proptest::collection::vec(prop_oneof![Just(ESC), Just(b'['), Just(b';'), Just(b'~'), b'0'..=b'9', any::<u8>()], 0..40),
            cut in 0..40usize,
        ) {
            let cut = cut.min(bytes.len());
            prop_assert_eq!(decode(&[&bytes[..cut], &bytes[cut..]]), decode(&[&bytes]));
        }
    }
}
