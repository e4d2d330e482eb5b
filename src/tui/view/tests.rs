//! Frames: what they look like, with their styles, and that none panics.

use super::super::keys::Keymap;
use super::super::notices::Level;
use super::super::runtime::watch::{Change, Mode};
use super::super::runtime::{App, Effect, Msg};
use super::super::state::{State, Watching};
use super::super::theme::{Theme, ThemeKind};
use crate::json::Visible;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use proptest::prelude::*;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use std::fmt::Write as _;
use std::time::Duration;

const fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

fn state(kind: ThemeKind, ascii: bool) -> State {
    let mut state = State::new(Theme::new(kind, ascii), Keymap::default());
    state.sources = vec![Visible::new("tools"), Visible::new("sessions")];
    state.watching = Watching::Active(Mode::Told);
    state
}

fn press(state: &mut State, at: Duration, keys: &str) {
    for key in keys.split(' ') {
        let code = match key {
            "Tab" => KeyCode::Tab,
            "Enter" => KeyCode::Enter,
            key => KeyCode::Char(key.chars().next().unwrap()),
        };
        let _ = state.update(at, Msg::Key(KeyEvent::new(code, KeyModifiers::NONE)), &mut Vec::new());
    }
}

fn draw(state: &State, width: u16, height: u16) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| state.draw(frame)).unwrap();
    terminal.backend().buffer().clone()
}

fn frame(state: &mut State, width: u16, height: u16) -> String {
    let _ = state.update(state.now, Msg::Resize { columns: width, rows: height }, &mut Vec::new());
    let buffer = draw(state, width, height);
    let row = |y| {
        let cells: String = (0..width).map(|x| buffer[(x, y)].symbol()).collect();
        cells.trim_end().to_owned()
    };
    (0..height).map(row).collect::<Vec<_>>().join("\n")
}

/// Each run of one style in a row: where it begins, the style, the text.
fn styles(state: &State, width: u16, height: u16) -> String {
    let buffer = draw(state, width, height);
    let mut out = String::new();
    for y in 0..height {
        let mut x = 0;
        while x < width {
            let style = buffer[(x, y)].style();
            let mut run = String::new();
            let start = x;
            while x < width && buffer[(x, y)].style() == style {
                run.push_str(buffer[(x, y)].symbol());
                x += 1;
            }
            if !run.trim().is_empty() {
                let colours = [style.fg.map(|c| format!("fg={c}")), style.bg.map(|c| format!("bg={c}"))];
                let colours: Vec<String> = colours.into_iter().flatten().filter(|c| !c.ends_with("Reset")).collect();
                let _ = writeln!(out, "{y:>2},{start:<3} {:<24} {:?} {}", colours.join(" "), style.add_modifier, run.trim());
            }
        }
    }
    out
}

#[test]
fn the_first_screen_at_three_sizes() {
    for (width, height) in [(80, 24), (120, 40), (200, 60)] {
        let shown = frame(&mut state(ThemeKind::Mono, false), width, height);
        insta::assert_snapshot!(format!("first_{width}x{height}"), shown);
    }
}

#[test]
fn small_screens_drop_what_matters_less() {
    for (width, height) in [(40, 12), (40, 8), (39, 8)] {
        let shown = frame(&mut state(ThemeKind::Mono, true), width, height);
        insta::assert_snapshot!(format!("small_{width}x{height}"), shown);
    }
}

#[test]
fn the_palette_finds_and_says_why_not() {
    let mut state = state(ThemeKind::Mono, true);
    press(&mut state, ms(0), "? r e p l");
    insta::assert_snapshot!("palette", frame(&mut state, 80, 24));
}

#[test]
fn the_palette_in_its_styles() {
    for (name, kind) in
        [("dark", ThemeKind::Dark), ("light", ThemeKind::Light), ("ansi", ThemeKind::Ansi), ("mono", ThemeKind::Mono)]
    {
        let mut state = state(kind, false);
        press(&mut state, ms(0), "? m o u s e");
        insta::assert_snapshot!(format!("palette_styles_{name}"), styles(&state, 60, 12));
    }
}

#[test]
fn what_may_follow_is_shown_after_a_while() {
    let mut state = state(ThemeKind::Mono, true);
    press(&mut state, ms(0), "y");
    assert_eq!(state.deadline(), Some(ms(300)));
    assert!(!frame(&mut state, 80, 24).contains("jq path"));
    let _ = state.update(ms(300), Msg::Tick, &mut Vec::new());
    insta::assert_snapshot!("which_key", frame(&mut state, 80, 24));
}

#[test]
fn the_log_shows_control_characters_and_wide_text_safely() {
    let mut state = state(ThemeKind::Mono, false);
    state.say(Level::Error, "a panic\u{1b}[2J\nat 日本語😀.rs\u{202e}");
    state.tab = super::super::state::Tab::Log;
    let shown = frame(&mut state, 80, 24);
    assert!(shown.contains("error: a panic<ESC>[2J"), "{shown}");
    assert!(shown.contains("at 日 本 語 😀 .rs<U+202E>"), "{shown}");
}

#[test]
fn how_files_are_followed_is_said() {
    let mut state = state(ThemeKind::Mono, true);
    let change = Change::Mode(Mode::Looking("too many watches".to_owned()));
    let _ = state.update(ms(0), Msg::Watch(change), &mut Vec::new());
    let shown = frame(&mut state, 80, 24);
    assert!(shown.contains("! looking once a second") && shown.contains("too many watches"), "{shown}");
}

#[test]
fn ascii_means_ascii() {
    let mut state = state(ThemeKind::Dark, true);
    press(&mut state, ms(0), "y");
    for (width, height) in [(40, 8), (80, 24), (200, 60)] {
        assert!(frame(&mut state, width, height).is_ascii());
    }
}

/// Anything that can happen, data of jobs aside.
fn messages() -> impl Strategy<Value = Msg<super::super::job::Output>> {
    let codes = prop_oneof![
        proptest::sample::select(
            &[KeyCode::Tab, KeyCode::BackTab, KeyCode::Enter, KeyCode::Esc, KeyCode::F(1), KeyCode::F(2)][..]
        ),
        proptest::sample::select(&[KeyCode::Up, KeyCode::Down, KeyCode::Backspace, KeyCode::PageUp, KeyCode::PageDown][..]),
        proptest::char::range(' ', '~').prop_map(KeyCode::Char),
    ];
    let modifiers =
        proptest::sample::select(&[KeyModifiers::NONE, KeyModifiers::NONE, KeyModifiers::CONTROL, KeyModifiers::ALT][..]);
    let kinds = proptest::sample::select(
        &[MouseEventKind::Up(MouseButton::Left), MouseEventKind::ScrollUp, MouseEventKind::ScrollDown, MouseEventKind::Moved][..],
    );
    prop_oneof![
        8 => (codes, modifiers).prop_map(|(code, modifiers)| Msg::Key(KeyEvent::new(code, modifiers))),
        1 => any::<String>().prop_map(Msg::Paste),
        1 => (kinds, 0..250u16, 0..80u16)
            .prop_map(|(kind, column, row)| Msg::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })),
        1 => (1..250u16, 1..80u16).prop_map(|(columns, rows)| Msg::Resize { columns, rows }),
        1 => any::<()>().prop_map(|()| Msg::Tick),
        1 => any::<String>().prop_map(|why| Msg::Watch(Change::Mode(Mode::Looking(why)))),
    ]
}

proptest! {
    #[test]
    fn whatever_happens_nothing_panics_at_any_size(
        happened in proptest::collection::vec((messages(), 0..400u64), 0..40),
        (width, height) in (1..=250u16, 1..=80u16),
        ascii: bool,
        resized: bool,
    ) {
        let mut state = state(ThemeKind::Dark, ascii);
        let mut now = Duration::ZERO;
        for (msg, pause) in happened {
            now += ms(pause);
            let mut effects = Vec::new();
            let _ = state.update(now, msg, &mut effects);
            prop_assert!(effects.iter().all(|effect| !matches!(effect, Effect::Spawn(..))));
            // A deadline that has passed is dealt with by one tick.
            let _ = state.update(now, Msg::Tick, &mut effects);
            prop_assert!(state.deadline().is_none_or(|at| at > now), "{:?} at {now:?}", state.deadline());
        }
        if resized {
            let _ = state.update(now, Msg::Resize { columns: width, rows: height }, &mut Vec::new());
            let shown = state.layout(state.size);
            let small = super::super::layout::Shape::TooSmall == shown.shape;
            prop_assert!(small || shown.slot(state.focus).is_some());
        }
        draw(&state, width, height);
    }
}
