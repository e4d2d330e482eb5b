//! What the sequences of terminals mean: xterm's, and those of the keyboard protocol that the guard turns on.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

/// What a sequence is.
#[derive(Debug)]
pub(super) enum Decoded {
    Event(Event),
    Unknown,
}

impl From<Option<Event>> for Decoded {
    fn from(event: Option<Event>) -> Self {
        event.map_or(Self::Unknown, Self::Event)
    }
}

/// A character as a key; upper case says that Shift was held.
pub(super) fn typed(c: char) -> KeyEvent {
    let modifiers = if c.is_uppercase() { KeyModifiers::SHIFT } else { KeyModifiers::NONE };
    KeyEvent::new(KeyCode::Char(c), modifiers)
}

/// `ESC O letter`
pub(super) fn ss3(letter: u8) -> Option<KeyCode> {
    Some(match letter {
        b'M' => KeyCode::Enter,
        letter => lettered(letter)?,
    })
}

/// Keys that end in a letter.
fn lettered(letter: u8) -> Option<KeyCode> {
    Some(match letter {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'H' => KeyCode::Home,
        b'F' => KeyCode::End,
        b'Z' => KeyCode::BackTab,
        b'P'..=b'S' => KeyCode::F(letter - b'P' + 1),
        _ => return None,
    })
}

/// Keys that are a number and `~`.
fn numbered(number: u32) -> Option<KeyCode> {
    let function = |n: u32| u8::try_from(n).ok().map(KeyCode::F);
    match number {
        1 | 7 => Some(KeyCode::Home),
        2 => Some(KeyCode::Insert),
        3 => Some(KeyCode::Delete),
        4 | 8 => Some(KeyCode::End),
        5 => Some(KeyCode::PageUp),
        6 => Some(KeyCode::PageDown),
        // The gaps are as old as the VT220.
        11..=15 => function(number - 10),
        17..=21 => function(number - 11),
        23..=26 => function(number - 12),
        28 | 29 => function(number - 13),
        31..=34 => function(number - 14),
        _ => None,
    }
}

/// Keys by their number in the keyboard protocol.
fn by_code(code: u32) -> Option<KeyCode> {
    Some(match code {
        9 => KeyCode::Tab,
        13 | 57414 => KeyCode::Enter,
        27 => KeyCode::Esc,
        8 | 127 => KeyCode::Backspace,
        57376..=57387 => KeyCode::F(u8::try_from(code - 57376).ok()? + 13),
        // The number block.
        57399..=57408 => KeyCode::Char(char::from_digit(code - 57399, 10)?),
        57409 => KeyCode::Char('.'),
        57410 => KeyCode::Char('/'),
        57411 => KeyCode::Char('*'),
        57412 => KeyCode::Char('-'),
        57413 => KeyCode::Char('+'),
        57415 => KeyCode::Char('='),
        57416 => KeyCode::Char(','),
        57417 => KeyCode::Left,
        57418 => KeyCode::Right,
        57419 => KeyCode::Up,
        57420 => KeyCode::Down,
        57421 => KeyCode::PageUp,
        57422 => KeyCode::PageDown,
        57423 => KeyCode::Home,
        57424 => KeyCode::End,
        57425 => KeyCode::Insert,
        57426 => KeyCode::Delete,
        // Other keys of the private range have no character: locks, media keys, modifiers alone.
        57344..=63743 => return None,
        code => KeyCode::Char(char::from_u32(code).filter(|c| !c.is_control())?),
    })
}

/// `CSI parameters final`
pub(super) fn csi(parameters: &[u8], last: u8) -> Decoded {
    if let Some(mouse) = parameters.strip_prefix(b"<") {
        return sgr_mouse(mouse, last).map(Event::Mouse).into();
    }
    let Ok(text) = std::str::from_utf8(parameters) else { return Decoded::Unknown };
    // A parameter may have parts of its own after colons.
    let mut fields = text.split(';').map(|field| {
        let mut parts = field.split(':').map(|part| part.parse::<u32>().ok());
        (parts.next().flatten(), parts.next().flatten())
    });
    let (first, _) = fields.next().unwrap_or_default();
    let (modifiers, kind) = fields.next().unwrap_or_default();
    let (third, _) = fields.next().unwrap_or_default();
    let code = match (last, first) {
        (b'I', None) => return Decoded::Event(Event::FocusGained),
        (b'O', None) => return Decoded::Event(Event::FocusLost),
        // xterm's own way of saying it: 27, modifiers, character.
        (b'~', Some(27)) => third.and_then(by_code),
        (b'~', Some(number)) => numbered(number),
        (b'u', Some(code)) => by_code(code),
        // With two parameters it may be where the cursor is, which is no key; as a key the first is 1.
        (letter, None | Some(1)) if third.is_none() => lettered(letter),
        _ => None,
    };
    let kind = match kind {
        None | Some(1) => KeyEventKind::Press,
        Some(2) => KeyEventKind::Repeat,
        Some(_) => return Decoded::Unknown,
    };
    let key = code.map(|code| KeyEvent::new_with_kind(code, modifiers_of(modifiers), kind));
    key.map(Event::Key).into()
}

/// One more than a bit set.
fn modifiers_of(parameter: Option<u32>) -> KeyModifiers {
    let bits = parameter.unwrap_or(1).saturating_sub(1);
    let set = [(1, KeyModifiers::SHIFT), (2, KeyModifiers::ALT), (4, KeyModifiers::CONTROL), (8, KeyModifiers::SUPER)];
    set.into_iter().filter(|(bit, _)| bits & bit != 0).map(|(_, modifier)| modifier).collect()
}

/// `button;column;row`, then `M` for pressed and `m` for released.
fn sgr_mouse(parameters: &[u8], last: u8) -> Option<MouseEvent> {
    let mut numbers = std::str::from_utf8(parameters).ok()?.split(';').map(|number| number.parse::<u16>().ok());
    let (button, column, row) = (numbers.next()??, numbers.next()??, numbers.next()??);
    let which = match button & 3 {
        0 => Some(MouseButton::Left),
        1 => Some(MouseButton::Middle),
        2 => Some(MouseButton::Right),
        _ => None,
    };
    let kind = match (button & 0b1110_0000, which, last) {
        (0, Some(button), b'M') => MouseEventKind::Down(button),
        (0, Some(button), b'm') => MouseEventKind::Up(button),
        (32, Some(button), _) => MouseEventKind::Drag(button),
        (32, None, _) => MouseEventKind::Moved,
        (64, ..) => match button & 3 {
            0 => MouseEventKind::ScrollUp,
            1 => MouseEventKind::ScrollDown,
            2 => MouseEventKind::ScrollLeft,
            _ => MouseEventKind::ScrollRight,
        },
        _ => return None,
    };
    let held = [(4, KeyModifiers::SHIFT), (8, KeyModifiers::ALT), (16, KeyModifiers::CONTROL)];
    let modifiers = held.into_iter().filter(|(bit, _)| button & bit != 0).map(|(_, modifier)| modifier).collect();
    Some(MouseEvent { kind, column: column.saturating_sub(1), row: row.saturating_sub(1), modifiers })
}
