use super::super::typing::{Pressed, press};
use super::*;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use proptest::prelude::*;

fn at(marked: &str) -> Buffer {
    let mut buffer = Buffer::new(marked.replacen('|', "", 1));
    buffer.move_to(marked.find('|').unwrap_or_default());
    buffer
}

fn shown(buffer: &Buffer) -> String {
    let mut text = buffer.text().to_owned();
    text.insert(buffer.cursor(), '|');
    text
}

/// Presses keys named as in the documentation; a word of one character is typed.
fn keys(buffer: &mut Buffer, keys: &str) {
    for name in keys.split(' ') {
        let (modifiers, name) = match name.split_once('-') {
            Some(("C", name)) => (KeyModifiers::CONTROL, name),
            Some(("A", name)) => (KeyModifiers::ALT, name),
            Some(("S", name)) => (KeyModifiers::SHIFT, name),
            _ => (KeyModifiers::NONE, name),
        };
        let code = match name {
            "Enter" => KeyCode::Enter,
            "Left" => KeyCode::Left,
            "Right" => KeyCode::Right,
            "Up" => KeyCode::Up,
            "Down" => KeyCode::Down,
            "Home" => KeyCode::Home,
            "Backspace" => KeyCode::Backspace,
            "Delete" => KeyCode::Delete,
            name => KeyCode::Char(name.chars().next().unwrap()),
        };
        assert_ne!(press(buffer, &KeyEvent::new(code, modifiers), 5), Pressed::Unknown, "{name}");
    }
}

#[test]
fn keys_write_as_in_emacs() {
    for (before, pressed, after) in [
        ("one| two", "x Backspace Backspace", "on| two"),
        ("one two|", "C-w C-y C-y", "one twotwo|"),
        ("one| two\nx", "C-k C-k", "one|x"),
        ("one| two", "A-d C-a C-y", " two|one"),
        ("  one|", "C-a C-a", "|  one"),
        ("  one|", "Home z", "  z|one"),
        ("  {|", "Enter", "  {\n    |"),
        ("long line|\nx\nlonger line", "Down Down", "long line\nx\nlonger li|ne"),
        ("ab|\ncd", "C-d", "ab|cd"),
        ("日本|", "Backspace", "日|"),
        ("e\u{301}|", "Left", "|e\u{301}"),
        ("a|bc", "S-Right S-Right Delete", "a|"),
        ("a|bc", "S-Right x", "ax|c"),
        ("a\r|\nb", "Backspace", "a|\nb"),
    ] {
        let mut buffer = at(before);
        keys(&mut buffer, pressed);
        assert_eq!(shown(&buffer), after, "{before:?}, {pressed}");
    }
}

#[test]
fn a_word_a_paste_and_a_replaced_selection_are_one_step_each() {
    let mut buffer = at("|");
    for c in ["o", "n", "e", " ", "t", "w", "o"] {
        buffer.typed(c);
    }
    buffer.insert("\npasted\nlines\n");
    buffer.select_all();
    buffer.insert("else");
    let mut steps = vec![shown(&buffer)];
    while buffer.undo() {
        steps.push(shown(&buffer));
    }
    assert_eq!(steps, ["else|", "one two\npasted\nlines\n|", "one two|", "one |", "|"]);
    while buffer.redo() {}
    assert_eq!(shown(&buffer), "else|");
}

#[test]
fn erasing_is_one_step_until_something_else_happens() {
    let mut buffer = at("abcdef|");
    keys(&mut buffer, "Backspace Backspace Left Backspace");
    assert_eq!(shown(&buffer), "abc|".replace("c|", "|d"));
    assert!(buffer.undo());
    assert_eq!(shown(&buffer), "abc|d");
    assert!(buffer.undo());
    assert_eq!(shown(&buffer), "abcdef|");
}

#[test]
fn another_text_is_one_step_and_keeps_the_cursor() {
    let mut buffer = at("{\"a\":1,|\"b\":2}");
    buffer.set_text("{\"a\":1,\n\"b\":2}", None);
    assert_eq!(shown(&buffer), "{\"a\":1,|\n\"b\":2}");
    assert!(buffer.undo());
    assert_eq!(shown(&buffer), "{\"a\":1,|\"b\":2}");
    assert!(buffer.redo());
    assert_eq!(shown(&buffer), "{\"a\":1,|\n\"b\":2}");
}

#[derive(Clone, Debug)]
enum Op {
    Key(KeyCode, KeyModifiers),
    Paste(String),
    All,
    Set(String),
    Undo,
    Redo,
}

fn op() -> impl Strategy<Value = Op> {
    let codes = [
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::PageUp,
        KeyCode::PageDown,
        KeyCode::Enter,
        KeyCode::Backspace,
        KeyCode::Delete,
    ];
    let code = prop_oneof![
        proptest::sample::select(codes.to_vec()),
        proptest::sample::select("abdefhkmnpuvwy<> {\"\u{301}\u{200d}日👩\r".chars().collect::<Vec<_>>()).prop_map(KeyCode::Char),
    ];
    let modifiers = [KeyModifiers::NONE, KeyModifiers::NONE, KeyModifiers::SHIFT, KeyModifiers::CONTROL, KeyModifiers::ALT];
    let text = "[a \n\r\u{301}日👩\u{200d}🏽]{0,6}";
    prop_oneof![
        8 => (code, proptest::sample::select(modifiers.to_vec())).prop_map(|(code, modifiers)| Op::Key(code, modifiers)),
        1 => text.prop_map(Op::Paste),
        1 => Just(Op::All),
        1 => text.prop_map(Op::Set),
        1 => Just(Op::Undo),
        1 => Just(Op::Redo),
    ]
}

fn run(buffer: &mut Buffer, op: &Op) {
    match op {
        Op::Key(code, modifiers) => drop(press(buffer, &KeyEvent::new(*code, *modifiers), 3)),
        Op::Paste(text) => buffer.insert(text),
        Op::All => buffer.select_all(),
        Op::Set(text) => buffer.set_text(text, None),
        Op::Undo => drop(buffer.undo()),
        Op::Redo => drop(buffer.redo()),
    }
}

proptest! {
    #[test]
    fn undo_then_redo_is_identity(start in "[a \n日e\u{301}]{0,8}", ops in proptest::collection::vec(op(), 0..40)) {
        let mut buffer = Buffer::new(start.clone());
        for op in &ops {
            run(&mut buffer, op);
            prop_assert!(buffer.text().is_char_boundary(buffer.cursor()));
            prop_assert!(buffer.selection().is_none_or(|range| buffer.text().get(range).is_some()));
            let now = shown(&buffer);
            if buffer.clone().undo() {
                let mut other = buffer.clone();
                other.undo();
                prop_assert!(other.redo());
                // The cursor goes to where the change left it.
                prop_assert_eq!(other.text(), now.replacen('|', "", 1));
                let after = shown(&other);
                prop_assert!(other.undo() && other.redo());
                prop_assert_eq!(shown(&other), after);
            }
        }
        let end = buffer.text().to_owned();
        // A redo may be left; what was undone is done again first.
        let mut steps = 0;
        while buffer.undo() { steps += 1; }
        prop_assert_eq!(buffer.text(), start);
        for _ in 0..steps { prop_assert!(buffer.redo()); }
        prop_assert_eq!(buffer.text(), end);
    }
}
