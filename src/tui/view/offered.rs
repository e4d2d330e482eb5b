//! What the row of hints offers can be done there, and something comes of it: on every screen, and over it.

use super::review_screens::{Project, has_git};
use super::screens;
use crate::tui::headless::Headless;
use crate::tui::keys::footer::footer;
use std::path::Path;
use std::time::Duration;

/// Columns and rows.
type Size = (u16, u16);

/// Stacked, two columns, three columns.
const SIZES: [Size; 3] = [(80, 24), (120, 40), (200, 50)];

const LIMIT: Duration = Duration::from_secs(60);

/// The sample calls in a folder of their own: what is saved must not stay.
fn app(folder: &Path, (columns, rows): Size) -> Headless {
    let sessions = folder.join("sessions");
    let _ = std::fs::remove_dir_all(&sessions);
    std::fs::create_dir(&sessions).unwrap();
    for file in std::fs::read_dir("tests/fixtures/app/sessions").unwrap().flatten() {
        std::fs::copy(file.path(), sessions.join(file.file_name())).unwrap();
    }
    screens::app(columns, rows, |options| options.sessions = vec![sessions])
}

/// Opens a screen in a new app; presses what is offered there, one hint after the other, each in a new app.
fn all_offers_do_something(start: impl Fn(Size) -> Headless, screens: &[&str]) {
    for (size, screen) in SIZES.iter().flat_map(|size| screens.iter().map(move |screen| (*size, screen))) {
        let open = || {
            let mut app = start(size);
            for key in screen.split_whitespace() {
                app.press(key);
                assert!(app.finish(LIMIT));
            }
            app
        };
        let first = open();
        // However wide the screen is.
        let hints = footer(&first.state.keymap, first.state.context(), &first.state.snapshot(), 10_000);
        for hint in hints {
            let mut app = open();
            app.asked.clear();
            let (before, keys) = (app.text(), format!("{size:?} {screen} [{} {}]", hint.keys, hint.title));
            app.press(&hint.keys);
            assert!(app.finish(LIMIT));
            let after = app.text();
            assert!(after != before || !app.asked.is_empty(), "{keys}: nothing comes of it\n{before}");
            for refusal in ["not about the selected call", "nothing to do it with", "there is none here", "no call is selected"] {
                assert!(!after.contains(refusal), "{keys}: {refusal}\n{after}");
            }
        }
    }
}

#[test]
fn every_screen_of_calls() {
    let screens = [
        "",
        "Tab",
        "Shift-Tab",
        "Enter",
        "Enter 2",
        "Enter 3",
        "Enter 4",
        "Enter 5",
        "Enter 6",
        "z",
        "Enter z",
        "f",
        "m M",
        "g Enter",
        "G Enter",
        "Enter r",
        "Enter r 5",
        "Enter r [",
        "Enter e ! Alt-Enter",
        "S",
        "S z",
        "F",
        "F z",
        "X",
        "X z",
        "X C j",
        "X C j j Enter",
        "X / q u e r y Enter",
        "V",
    ];
    let folder = tempfile::tempdir().unwrap();
    all_offers_do_something(|size| app(folder.path(), size), &screens);
}

#[test]
fn every_line_that_is_asked_for_and_every_list_of_actions() {
    let screens = [
        "/",
        "/ i s : b a d",
        "/ n o n e Space",
        "/ n o n e Space Enter",
        "Tab Tab Tab Tab /",
        "Ctrl-t",
        "Ctrl-g",
        "Ctrl-g z z z",
        ";",
        "Enter / e m e a",
        "Enter / e m e a Enter",
        "X /",
        "X / q",
        "?",
        "? r e p l",
        "F b",
        "V b",
    ];
    let folder = tempfile::tempdir().unwrap();
    all_offers_do_something(|size| app(folder.path(), size), &screens);
}

#[test]
fn every_screen_of_a_project_with_changes() {
    if !has_git() {
        return;
    }
    let project = Project::changed();
    let screens =
        ["V", "V j", "V Enter", "V Enter Enter", "V a", "F b H E A D Enter", "F b H E A D Enter j", "F b H E A D Enter Tab"];
    all_offers_do_something(|(columns, rows)| project.open(columns, rows, |_| {}), &screens);
}

#[test]
fn every_screen_where_there_is_nothing() {
    let empty = tempfile::tempdir().unwrap();
    let start = |(columns, rows)| screens::app_in(empty.path(), columns, rows, |_| {});
    all_offers_do_something(start, &["", "Tab", "Enter", "Enter 4", "Enter 5", "F", "S", "V", "/", "Ctrl-t"]);
}
