//! Finding calls: what keys do, and what is seen of it.

use super::super::Options;
use super::super::headless::Headless;
use super::super::keys::Context;
use super::super::runtime::{App as _, Msg};
use super::super::state::{Answer, Find, Overlay, Prompt, State};
use super::super::view::app_in;
use crate::capture::index::CallId;
use crate::replay::filter::Sort;
use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);

fn app_of(columns: u16, rows: u16, sessions: PathBuf) -> Headless {
    app_in(Path::new("tests/fixtures/app"), columns, rows, |options| options.sessions = vec![sessions])
}

fn app() -> Headless {
    app_of(120, 40, PathBuf::from("tests/fixtures/app/sessions"))
}

/// Presses keys; a word in quotes is typed.
fn press(app: &mut Headless, keys: &str) {
    for (n, part) in keys.split('"').enumerate() {
        if n % 2 == 0 {
            app.press(part);
        } else {
            for c in part.chars() {
                let name = c.to_string();
                app.press(if c == ' ' { "Space" } else { &name });
            }
        }
    }
    assert!(app.finish(LIMIT));
}

fn prompt(state: &State) -> &Prompt {
    match &state.overlay {
        Some(Overlay::Prompt(prompt)) => prompt,
        other => panic!("no prompt is open: {other:?}"),
    }
}

fn tools(app: &Headless) -> Vec<String> {
    let data = &app.state.data;
    data.calls.from(0).iter().map(|id| data.rows.tool(*id).unwrap().to_string()).collect()
}

#[test]
fn a_filter_works_while_it_is_typed() {
    let mut app = app();
    let all = app.state.data.calls.len();
    press(&mut app, "/");
    assert_eq!(app.state.context(), Context::Prompt);
    assert!(app.text().contains("tool:Task* is:bad"), "an example stands there");
    press(&mut app, "\"tool:Search*\"");
    assert!(tools(&app).iter().all(|tool| tool == "SearchOrders") && app.state.data.calls.len() < all);
    assert!(app.text().contains(&format!("{} of {all}", app.state.data.calls.len())));
    press(&mut app, "Enter");
    assert!(app.state.overlay.is_none() && app.text().contains("filter: tool:Search*"));
    press(&mut app, "/");
    assert_eq!(prompt(&app.state).input.text(), "tool:Search*", "the text is still there");
}

/// Calls are only hidden by what will hide them: at each key, what the finished filter shows is shown.
#[test]
fn a_filter_that_is_typed_hides_nothing_that_it_will_show() {
    // Names, times and numbers have to be whole: a beginning is another one.
    const TERMS: [&str; 7] = ["is:bad", "kind:type", "verdict:rejected", "kind", "toolbox", "n>1", "orders"];
    let mut app = app();
    let data = &mut app.state.data;
    let mut shown = |set: &dyn Fn(&mut Find)| {
        set(&mut data.find);
        data.find.decide_all(&data.rows);
        let passes = |id: &CallId| data.find.answer(*id) != Answer::No;
        data.rows.ids().filter(passes).collect::<HashSet<CallId>>()
    };
    for (first, second) in TERMS.iter().flat_map(|first| TERMS.iter().map(move |second| (first, second))) {
        let text = format!("{first} {second}");
        let finished = shown(&|find| find.set_text(&text).unwrap());
        let before = shown(&|find| find.set_text(first).unwrap());
        for end in 0..=text.len() {
            let typed = shown(&|find| drop(find.set_typed(&text[..end])));
            assert!(typed.is_superset(&finished), "{}", &text[..end]);
            if end > first.len() {
                assert!(typed.is_subset(&before), "{}: the first term stays in force", &text[..end]);
            }
        }
    }
}

#[test]
fn the_beginning_of_a_name_finds_what_begins_so_and_taking_it_says_that() {
    let mut app = app();
    press(&mut app, "/ \"is:bad tool:SearchO\"");
    assert!(!tools(&app).is_empty() && tools(&app).iter().all(|tool| tool == "SearchOrders"), "{}", app.text());
    press(&mut app, "Enter");
    assert_eq!(app.state.data.find.text(), "is:bad tool:SearchO*");
    press(&mut app, "/");
    assert_eq!(prompt(&app.state).input.text(), "is:bad tool:SearchO*");
    // A name that is whole is that name, and what begins no name finds nothing.
    press(&mut app, "Ctrl-u \"tool:CancelOrder\" Enter");
    assert_eq!(app.state.data.find.text(), "tool:CancelOrder");
    press(&mut app, "/ Ctrl-u \"tool:Nowhere\" Enter");
    assert_eq!((app.state.data.calls.len(), app.state.data.find.text()), (0, "tool:Nowhere"));
}

#[test]
fn a_word_that_may_become_a_term_waits_until_it_is_one_or_is_taken() {
    let mut app = app();
    let all = app.state.data.calls.len();
    press(&mut app, "/ \"kind\"");
    assert_eq!((app.state.data.calls.len(), prompt(&app.state).input.text()), (all, "kind"));
    press(&mut app, "Space");
    assert_eq!(app.state.data.calls.len(), 0, "it is a word");
    press(&mut app, "Backspace");
    assert_eq!(app.state.data.calls.len(), all);
    press(&mut app, "\":type\"");
    let with_type = app.state.data.calls.len();
    assert!(with_type > 0 && with_type < all);
    press(&mut app, "Ctrl-u \"kind\" Enter");
    assert_eq!((app.state.data.calls.len(), app.state.data.find.text()), (0, "kind"));
    press(&mut app, "/");
    assert_eq!(app.state.data.calls.len(), 0, "what is in force stays so when the line is opened again");
}

#[test]
fn lines_that_were_taken_come_back() {
    let mut app = app();
    press(&mut app, "/ \"is:bad\" Enter / Ctrl-u \"n>1\" Enter / Up");
    assert_eq!(prompt(&app.state).input.text(), "is:bad");
    press(&mut app, "Up Down");
    assert_eq!(prompt(&app.state).input.text(), "n>1", "what stood there at first");
    press(&mut app, "Down Up");
    assert_eq!(prompt(&app.state).selected, 0, "the candidates come first");
}

#[test]
fn escape_puts_back_the_filter_and_the_selection() {
    let mut app = app();
    press(&mut app, "/ \"is:bad\" Enter j");
    let (selected, shown) = (app.state.data.calls.selected(), app.state.data.calls.len());
    press(&mut app, "/ \" tool:nobody_knows\"");
    assert_eq!(app.state.data.calls.len(), 0);
    press(&mut app, "Esc");
    assert_eq!((app.state.data.calls.selected(), app.state.data.calls.len()), (selected, shown));
    assert_eq!(app.state.data.find.text(), "is:bad");
    press(&mut app, "F3");
    assert!(app.state.data.calls.len() > shown && app.text().contains("filter off: is:bad"));
    press(&mut app, "/ Esc");
    assert!(!app.state.data.find.is_on(), "it was off");
    press(&mut app, "F3");
    assert_eq!(app.state.data.calls.len(), shown);
}

#[test]
fn a_call_that_was_gone_back_to_does_not_pass_the_next_filter() {
    let mut app = app();
    press(&mut app, "G / \"tool:nobody_knows\" Esc / \"tool:SearchOrders\" Enter");
    assert!(!tools(&app).is_empty() && tools(&app).iter().all(|tool| tool == "SearchOrders"), "{:?}", tools(&app));
}

#[test]
fn a_text_that_is_no_filter_keeps_the_last_good_one_and_says_why() {
    let mut app = app();
    press(&mut app, "/ \"is:bad\"");
    let shown = app.state.data.calls.len();
    press(&mut app, "\" kind:mising\" Enter");
    let error = prompt(&app.state).error.clone().expect("it is wrong, and Enter does not take it");
    assert_eq!((&prompt(&app.state).input.text()[error.range], app.state.data.calls.len() <= shown), ("mising", true));
    assert!(app.text().contains("did you mean missing?"), "{}", app.text());
    insta::assert_snapshot!("wrong_filter", app.text());
    press(&mut app, "Backspace Backspace Backspace Backspace Backspace Backspace \"mis\" Tab");
    assert_eq!((prompt(&app.state).input.text(), &prompt(&app.state).error), ("is:bad kind:missing", &None));
}

#[test]
fn text_that_rows_do_not_show_is_looked_for_in_the_calls() {
    let mut app = app();
    press(&mut app, "/ \"args:parcels\" Enter");
    assert!(!app.state.data.calls.is_empty());
    assert_eq!(app.state.data.calls.hidden(&app.state.data.find).1, 0, "all are decided");
}

#[test]
fn nothing_passes_and_the_screen_says_what_to_do() {
    for (columns, rows) in [(120, 40), (80, 24)] {
        let mut app = app_of(columns, rows, PathBuf::from("tests/fixtures/app/sessions"));
        press(&mut app, "/ \"tool:none is:bad\" Enter");
        assert!(app.state.data.calls.selected().is_none());
        insta::assert_snapshot!(format!("nothing_passes_{columns}x{rows}"), app.text());
        press(&mut app, "Esc");
        assert_eq!(app.state.data.calls.len(), 9);
        press(&mut app, "F3");
        assert_eq!(app.state.data.calls.len(), 0, "the text was kept");
    }
}

#[test]
fn a_filter_combines_with_the_chosen_tool() {
    let mut app = app();
    press(&mut app, "/ \"is:bad\" Enter Shift-Tab j j Enter");
    assert!(tools(&app).iter().all(|tool| tool == "SearchOrders"));
    let both = app.state.data.calls.len();
    press(&mut app, "Esc");
    assert!(app.state.data.calls.len() > both && app.state.data.find.tool().is_some());
    press(&mut app, "Esc");
    assert!(app.state.data.calls.len() == 9 && app.state.data.find.tool().is_none());
}

#[test]
fn marks_and_comments_can_be_found_again() {
    let mut app = app();
    press(&mut app, "g j m j ; \"look here\" Enter");
    assert!(app.text().contains("1 marked") && app.text().contains("; look"), "{}", app.text());
    insta::assert_snapshot!("marked_and_commented", app.text());
    press(&mut app, "/ \"is:commented\" Enter");
    assert_eq!(app.state.data.calls.len(), 1);
    press(&mut app, "/ Ctrl-u \"is:marked | is:commented\" Enter");
    assert_eq!(app.state.data.calls.len(), 2);
    press(&mut app, "F3 M");
    assert_eq!(app.state.data.calls.len(), 1);
    assert!(app.text().contains("only marked"));
    press(&mut app, "m");
    assert_eq!(app.state.data.calls.len(), 1, "what is selected stays until something else is");
    press(&mut app, "M g ; Esc j j ; Ctrl-u Enter U");
    assert_eq!(app.state.data.calls.len(), 9);
}

#[test]
fn calls_are_sorted_and_attempts_stay_beside_them() {
    let mut app = app();
    press(&mut app, "o n");
    let sorted = tools(&app);
    let mut expected = sorted.clone();
    expected.sort_by_key(|name| name.to_lowercase());
    assert_eq!(sorted, expected);
    assert!(app.text().contains("by tool"));
    press(&mut app, "o n");
    assert_ne!(tools(&app), sorted);
    let rows = &app.state.data.rows;
    let places: Vec<_> = app.state.data.calls.all().iter().map(|id| rows.place(*id).unwrap()).collect();
    for place in places.windows(2).filter(|pair| pair[1].indent > 0) {
        assert_eq!(place[0].root(), place[1].root());
    }
    press(&mut app, "o o");
    assert_eq!(app.state.data.calls.sort(), &Sort::default());
    press(&mut app, "o t o t");
    assert_eq!(app.state.data.calls.sort(), &Sort::default(), "the newest first is the order of the start");
}

#[test]
fn new_calls_are_counted_while_one_looks_elsewhere() {
    use std::io::Write as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.misfire.jsonl");
    let line = |n: u32| format!("{{\"at\":\"2026-01-01T00:00:{n:02}Z\",\"tool\":\"SearchOrders\",\"arguments\":{{}}}}\n");
    std::fs::write(&path, (0..3).map(line).collect::<String>()).unwrap();
    let mut app = app_of(120, 40, folder.path().to_owned());
    let add = |app: &mut Headless, n: u32| {
        std::fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(line(n).as_bytes()).unwrap();
        press(app, "R");
    };
    app.state.watching = super::super::state::Watching::Starting;
    press(&mut app, "j");
    add(&mut app, 10);
    add(&mut app, 11);
    assert!(app.text().contains("2 new"), "{}", app.text());
    press(&mut app, "G");
    assert!(!app.text().contains("2 new") && app.text().contains("follow"));
    assert_eq!(app.state.data.calls.selected_row(), Some(0));
    add(&mut app, 12);
    assert_eq!((app.state.data.calls.selected_row(), app.state.data.calls.len()), (Some(0), 6));
    press(&mut app, "j");
    assert!(!app.state.data.calls.follow, "moving stops it");
    press(&mut app, "/ \"tool:x\" Enter");
    add(&mut app, 13);
    assert_eq!(app.state.data.calls.len(), 0, "what is new passes through the filter too");
}

#[test]
fn an_attempt_that_does_not_pass_is_still_beside_its_call() {
    let mut app = app();
    press(&mut app, "/ \"is:bad\" Enter g");
    press(&mut app, "r");
    let id = app.state.data.calls.selected().unwrap();
    assert_eq!(id.file, super::super::edit::attempts::UNSAVED);
    assert!(app.state.data.find.filters() && app.state.data.calls.row_of(id).is_some());
    assert!(app.state.versions().ids.len() > 1);
}

#[test]
fn a_click_opens_the_tab_or_the_filter() {
    let mut app = app();
    press(&mut app, "/ \"is:bad\" Enter");
    let text = app.text();
    let at = |word: &str| {
        let (row, line) = text.lines().enumerate().find(|(_, line)| line.contains(word)).unwrap();
        (u16::try_from(line.find(word).unwrap()).unwrap() + 1, u16::try_from(row).unwrap())
    };
    let click = |app: &mut Headless, (column, row): (u16, u16)| {
        let kind = MouseEventKind::Up(MouseButton::Left);
        let _ = app.send(Msg::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
    };
    click(&mut app, at("4 Model text"));
    assert_eq!(app.state.tab, super::super::state::Tab::ModelText);
    click(&mut app, at("3 Issues"));
    assert_eq!(app.state.tab, super::super::state::Tab::Issues);
    click(&mut app, at("is:bad"));
    assert_eq!(prompt(&app.state).input.text(), "is:bad");
}

#[test]
fn a_job_decides_and_sorts_where_there_are_many() {
    let mut app = app();
    app.state.data.find.at_once = 0;
    press(&mut app, "/ \"is:bad\" Enter");
    let expected: Vec<_> = app.state.data.calls.expected(&app.state.data.rows, &app.state.data.find);
    assert!(!expected.is_empty());
    assert_eq!(app.state.data.calls.from(0), expected);
    assert!(app.state.data.calls.from(0).iter().all(|id| app.state.data.rows.get(*id).unwrap().outcome.is_error()));
    press(&mut app, "/ Ctrl-u \"args:parcels\" Enter o n");
    assert!(!app.state.data.calls.is_empty() && app.state.data.calls.len() < 9);
    let sorted = tools(&app);
    assert!(sorted.is_sorted_by_key(|name| name.to_lowercase()), "{sorted:?}");
    assert_eq!(app.state.deadline(), app.state.notices.deadline());
}

#[test]
fn letters_find_a_tool_and_escape_shows_all_again() {
    let mut app = app();
    press(&mut app, "Shift-Tab / \"srch\"");
    assert_eq!(app.state.data.tools.rows().len(), 1);
    assert!(app.text().contains("1 of 5"), "{}", app.text());
    insta::assert_snapshot!("tools_by_letters", app.text());
    press(&mut app, "Enter");
    assert!(app.state.overlay.is_none() && app.state.data.tools.rows().len() == 1);
    press(&mut app, "Esc");
    assert_eq!(app.state.data.tools.rows().len(), 5);
    press(&mut app, "/ \"zzz\"");
    assert!(app.text().contains("No tool's name has the letters zzz"), "{}", app.text());
    press(&mut app, "Esc Esc Ctrl-t \"cancel\" Enter");
    assert!(tools(&app).iter().all(|tool| tool == "CancelOrder") && app.state.data.calls.len() == 2);
    assert_eq!(app.state.data.tools.rows().len(), 5);
}

#[test]
fn a_search_goes_from_match_to_match() {
    let mut app = app();
    press(&mut app, "g j j");
    press(&mut app, "Enter C / \"eu\"");
    assert!(app.text().contains("1/2"), "{}", app.text());
    insta::assert_snapshot!("search_in_arguments", app.text());
    press(&mut app, "Enter n");
    assert!(app.text().contains("2/2"));
    let path = |app: &Headless| {
        let tree = app.state.look.call.as_ref().unwrap().arguments.as_ref().unwrap();
        tree.outline().path(tree.node()).1
    };
    assert_eq!(path(&app), "/tags/2/deep/0", "what was folded is open");
    press(&mut app, "n");
    assert_eq!(path(&app), "/region", "round and round");
    press(&mut app, "4 n");
    assert!(app.text().contains("Nothing here matches eu"), "{}", app.text());
    press(&mut app, "/ Ctrl-u \"region\" Enter");
    assert!(app.state.search.at.is_some() && app.state.look.call.as_ref().unwrap().model.found.is_some());
    press(&mut app, "/ Ctrl-u \"nowhere\"");
    assert!(app.text().contains("nothing matches"));
    press(&mut app, "Esc");
    assert_eq!(app.state.search.needle.text(), "region");
}

#[test]
fn everything_about_finding_is_kept_between_runs() {
    let mut app = app();
    press(&mut app, "Ctrl-t \"search\" Enter g m ; \"why\" Enter o v / \"!is:pending\" Enter F3 4");
    app.now += Duration::from_secs(1);
    let _ = app.send(Msg::Tick);
    let memory = app.state.memory();
    assert_eq!(memory.view.notes.len(), 1);
    let mut next = app_of(120, 40, PathBuf::from("tests/fixtures/app/nothing"));
    next.state.remember(memory.clone());
    assert_eq!(next.state.memory().view, memory.view, "what is not there yet is not forgotten");
    let mut next = Headless::start(
        &Options {
            tools: vec![PathBuf::from("tests/fixtures/app/tools")],
            sessions: vec![PathBuf::from("tests/fixtures/app/sessions")],
            ..Options::default()
        },
        120,
        40,
    )
    .unwrap();
    next.state.remember(memory.clone());
    assert!(next.finish(LIMIT));
    assert_eq!(next.state.memory(), memory);
    assert_eq!((next.state.data.find.notes.marked(), next.state.data.calls.selected()), (1, app.state.data.calls.selected()));
    assert_eq!(next.state.tab, super::super::state::Tab::ModelText);
}

#[test]
fn a_long_filter_leaves_room_for_what_to_do() {
    let mut app = app_of(80, 24, PathBuf::from("tests/fixtures/app/sessions"));
    let long = "none_of_them ".repeat(40);
    press(&mut app, &format!("/ \"{long}\" Enter"));
    assert!(app.state.data.calls.is_empty() && app.text().contains("switches it off"), "{}", app.text());
}

#[test]
fn a_call_is_gone_to_by_letters_of_its_row() {
    for at_once in [0, 4_000] {
        let mut app = app();
        app.state.data.find.at_once = at_once;
        press(&mut app, "f / \"is:bad\" Enter f");
        let (before, follow) = (app.state.data.calls.selected(), app.state.data.calls.follow);
        press(&mut app, "Ctrl-g \"cancel ord\"");
        let selected = app.state.data.calls.selected().unwrap();
        assert_eq!(&*app.state.data.rows.get(selected).unwrap().tool, "CancelOrder");
        assert!(app.state.fuzzy.matches >= 2);
        if at_once > 0 {
            insta::assert_snapshot!("call_by_letters", app.text());
        }
        press(&mut app, "Down");
        assert!(app.state.data.calls.selected().is_some_and(|id| id != selected), "the next match");
        press(&mut app, "Esc");
        let calls = &app.state.data.calls;
        assert_eq!((calls.selected(), calls.follow, calls.len()), (before, follow, 3), "as it was");
        press(&mut app, "Ctrl-g \"zzzz\" Enter");
        assert_eq!((prompt(&app.state).input.text(), app.state.fuzzy.matches), ("zzzz", 0), "there is nothing to go to");
        press(&mut app, "Ctrl-u \"c06\" Enter");
        let row = app.state.data.rows.get(app.state.data.calls.selected().unwrap()).unwrap();
        assert_eq!((app.state.data.rows.label(row.id).id.as_deref(), app.state.overlay.is_none()), (Some("c06"), true));
    }
}

#[test]
fn going_to_a_call_leads_out_of_what_shows_no_call() {
    let mut app = app();
    press(&mut app, "V Ctrl-g \"find ord\" Enter");
    let row = app.state.data.rows.get(app.state.data.calls.selected().unwrap()).unwrap();
    assert_eq!((&*row.tool, app.state.focus, app.state.zoom), ("find_orders", super::super::layout::Pane::Calls, false));
}

#[test]
fn lists_are_searched_where_they_are_longer_than_the_screen() {
    let mut app = app_of(80, 12, PathBuf::from("tests/fixtures/app/sessions"));
    press(&mut app, "Enter 3 / \"region\"");
    assert_eq!((app.state.look.call.as_ref().unwrap().issue, app.state.search.hits.len()), (4, 1));
    assert!(app.text().contains("1/1"), "{}", app.text());
    press(&mut app, "Esc");
    assert_eq!(app.state.look.call.as_ref().unwrap().issue, 0, "where one was");
    // The stages are longer than this screen, and go on below.
    press(&mut app, ": \"stages\" Enter z / Ctrl-u \"permission\" Enter");
    assert!(app.text().contains("permission"), "{}", app.text());
    press(&mut app, "g End");
    assert!(app.state.look.call.as_ref().unwrap().stages_top > 0 && app.text().contains("recorded"), "{}", app.text());
    press(&mut app, "z S z");
    press(&mut app, "/ Ctrl-u \"by model\" Enter");
    assert!(app.text().contains("by model"), "{}", app.text());
    for n in 0..40 {
        app.state.say(super::super::notices::Level::Info, &format!("notice {n} of many"));
    }
    press(&mut app, ": \"show-log\" Enter");
    assert!(!app.text().contains("notice 3 of many"));
    press(&mut app, "/ Ctrl-u \"notice 3 \" Enter");
    assert!(app.text().contains("notice 3 of many"), "{}", app.text());
    press(&mut app, "/ Ctrl-u \"notice 1\" Enter n n N");
    assert!(app.text().contains("notice 10 of many") || app.text().contains("notice 11"), "{}", app.text());
}

#[test]
fn escape_brings_the_search_before_back_with_its_place() {
    let mut app = app();
    press(&mut app, "Enter 4 / \"parameter\" Enter n");
    let (needle, at, hits) = (app.state.search.needle.clone(), app.state.search.at, app.state.search.hits.len());
    assert!(hits > 2 && at == Some(1), "{hits}");
    press(&mut app, "/ Ctrl-u \"zzz\"");
    assert!(app.text().contains("nothing matches") && app.text().contains("Esc as it was"), "{}", app.text());
    press(&mut app, "Esc");
    assert_eq!((&app.state.search.needle, app.state.search.at, app.state.search.hits.len()), (&needle, at, hits));
    assert!(app.text().contains(&format!("2/{hits}")), "{}", app.text());
    press(&mut app, "n");
    assert_eq!(app.state.search.at, Some(2));
    press(&mut app, "/ Up");
    assert_eq!(prompt(&app.state).input.text(), "parameter", "there is no other line yet");
}
