//! The main screens on fixed data, as text and with their styles.

use super::super::Options;
use super::super::headless::Headless;
use super::super::runtime::watch::{Change, Mode};
use super::super::runtime::{App, Msg};
use super::super::theme::ThemeKind;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);

/// The app on the sample data.
pub(super) fn app(columns: u16, rows: u16, change: impl FnOnce(&mut Options)) -> Headless {
    app_in(Path::new("tests/fixtures/app"), columns, rows, change)
}

/// The app on the definitions and sessions of a folder, when everything has been read.
pub(in crate::tui) fn app_in(folder: &Path, columns: u16, rows: u16, change: impl FnOnce(&mut Options)) -> Headless {
    let folder = |name: &str| vec![folder.join(name)];
    let mut options = Options {
        tools: folder("tools"),
        sessions: folder("sessions"),
        theme: Some(ThemeKind::Mono),
        ascii: true,
        ..Options::default()
    };
    change(&mut options);
    let mut app = Headless::start(&options, columns, rows).unwrap();
    assert!(app.finish(LIMIT));
    let _ = app.send(Msg::Watch(Change::Ready(Mode::Told)));
    app
}

pub(super) fn press(app: &mut Headless, keys: &str) {
    app.press(keys);
    assert!(app.finish(LIMIT));
}

/// Each run of one style in a row: where it begins, the style, the text.
pub(super) fn styles(app: &Headless) -> String {
    let buffer = app.draw();
    let mut out = String::new();
    for y in 0..buffer.area.height {
        let mut x = 0;
        while x < buffer.area.width {
            let (style, start) = (buffer[(x, y)].style(), x);
            let mut run = String::new();
            while x < buffer.area.width && buffer[(x, y)].style() == style {
                run.push_str(buffer[(x, y)].symbol());
                x += 1;
            }
            if !run.trim().is_empty() {
                let colours = [style.fg.map(|c| format!("fg={c}")), style.bg.map(|c| format!("bg={c}"))];
                let colours: Vec<String> = colours.into_iter().flatten().filter(|c| !c.ends_with("Reset")).collect();
                let _ = writeln!(out, "{y:>2},{start:<3} {:<20} {:?} {}", colours.join(" "), style.add_modifier, run.trim());
            }
        }
    }
    out
}

#[test]
fn the_newest_failing_call_with_its_exact_text_at_three_sizes() {
    for (columns, rows) in [(80, 24), (120, 40), (200, 60)] {
        let app = app(columns, rows, |_| {});
        insta::assert_snapshot!(format!("start_{columns}x{rows}"), app.text());
    }
}

#[test]
fn the_start_in_its_styles() {
    for (name, kind) in [("dark", ThemeKind::Dark), ("light", ThemeKind::Light), ("mono", ThemeKind::Mono)] {
        let app = app(80, 24, |options| options.theme = Some(kind));
        insta::assert_snapshot!(format!("start_styles_{name}"), styles(&app));
    }
}

#[test]
fn each_tab() {
    for (columns, rows) in [(80, 24), (120, 40)] {
        for (name, keys) in [
            ("issues", "Enter 3"),
            ("model_text", "Enter 4 v"),
            ("wire", "Enter 4 W"),
            ("schema", "Enter J 6"),
            ("raw", "Enter ? r a w Enter"),
            ("stages", "Enter ? s t a g e s Enter"),
        ] {
            let mut app = app(columns, rows, |_| {});
            press(&mut app, keys);
            insta::assert_snapshot!(format!("tab_{name}_{columns}x{rows}"), app.text());
        }
    }
}

#[test]
fn every_kind_of_call() {
    for (name, keys) in [
        ("pending", "g"),
        ("long_string", "g j Enter j j Space"),
        ("attempt", "g j j j"),
        ("recovered", "g 4 j"),
        ("no_tool", "g 5 j"),
        ("unparsable", "g 6 j"),
        ("passed_through", "g 7 j"),
        ("valid", "End"),
    ] {
        let mut app = app(120, 40, |_| {});
        press(&mut app, keys);
        insta::assert_snapshot!(format!("call_{name}"), app.text());
    }
}

#[test]
fn one_tools_calls_and_back() {
    let mut app = app(120, 40, |_| {});
    press(&mut app, "Shift-Tab j j Enter");
    insta::assert_snapshot!("one_tool", app.text());
    press(&mut app, "Esc");
    assert!(app.text().contains("all calls"));
    assert_eq!(app.state.data.find.tool(), None);
    assert_eq!(app.state.data.calls.len(), 9);
}

#[test]
fn folded_and_zoomed() {
    let mut app = app(80, 24, |_| {});
    press(&mut app, "Enter z C");
    insta::assert_snapshot!("folded", app.text());
}

#[test]
fn with_nothing_to_show_it_says_what_to_do() {
    let empty = tempfile::tempdir().unwrap();
    let folder = std::path::absolute(empty.path()).unwrap();
    let app = app(120, 40, |options| (options.tools, options.sessions) = (vec![folder.clone()], vec![folder.clone()]));
    let shown = app.text();
    assert!(shown.contains("No tools yet.") && shown.contains("No calls yet."), "{shown}");
    assert!(shown.contains("--tools PATH") && shown.contains("\"arguments\""), "{shown}");
    assert!(shown.contains("Two steps; y y copies both") && shown.contains("misfire demo"), "{shown}");
}

#[test]
fn with_tools_and_no_calls_it_says_how_to_capture() {
    for (columns, rows) in [(80, 24), (120, 40)] {
        let app = app(columns, rows, |options| options.sessions = vec![PathBuf::from("tests/fixtures/app/none-yet")]);
        insta::assert_snapshot!(format!("no_calls_{columns}x{rows}"), app.text());
    }
}

#[test]
fn a_click_selects_a_row_and_the_wheel_moves_where_it_is() {
    use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
    let mut app = app(120, 40, |_| {});
    let mouse = |kind, column, row| Msg::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE });
    let calls = app.state.layout(app.state.size).slot(super::super::layout::Pane::Calls).unwrap().inner;
    let _ = app.send(mouse(MouseEventKind::Up(MouseButton::Left), calls.x + 3, calls.y + 1));
    assert_eq!(app.state.data.calls.selected_row(), Some(1));
    let _ = app.send(mouse(MouseEventKind::Up(MouseButton::Left), 100, 5));
    let _ = app.send(mouse(MouseEventKind::ScrollDown, calls.x + 3, calls.y + 1));
    assert_eq!(app.state.data.calls.selected_row(), Some(4));
    assert_eq!(app.state.focus, super::super::layout::Pane::Detail);
    let before = app.state.data.calls.selected();
    let _ = app.send(mouse(MouseEventKind::Up(MouseButton::Left), calls.x + 3, calls.bottom() - 1));
    assert_eq!(app.state.data.calls.selected(), before, "there is no row");
}

#[test]
fn an_editor_is_opened_at_the_line() {
    use super::super::runtime::Effect;
    use super::super::runtime::editor::Subject;
    let mut app = app(120, 40, |_| {});
    press(&mut app, "E J J 6 E");
    let places: Vec<(PathBuf, u32)> = app
        .asked
        .iter()
        .filter_map(|effect| match effect {
            Effect::Edit(request) => match &request.subject {
                Subject::File(path) => Some((path.clone(), request.line)),
                Subject::Text { .. } => Some((PathBuf::from("arguments"), request.line)),
            },
            _ => None,
        })
        .collect();
    let file = |name: &str| PathBuf::from("tests/fixtures/app").join(name);
    assert_eq!(places, [(PathBuf::from("arguments"), 3), (file("tools/SearchOrders.json"), 12)]);
}

#[test]
fn an_idle_app_wants_no_frame() {
    let app = app(120, 40, |_| {});
    assert_eq!(app.state.deadline(), None);
}

#[cfg(feature = "jsonschema")]
#[test]
fn other_rules_judge_every_call_and_mark_what_they_leave_out() {
    let mut app = app(120, 40, |_| {});
    press(&mut app, "Enter J 6 P");
    insta::assert_snapshot!("rules_jsonschema", app.text());
    assert_eq!(app.state.data.flips, []);
    press(&mut app, "P");
    assert!(app.text().contains("misfire  jsonschema with formats"), "{}", app.text());
    press(&mut app, "P");
    assert!(app.text().contains("misfire  wave"), "{}", app.text());
    let mut app = self::app(80, 24, |options| options.profile = crate::gate::Profile::JsonSchema { formats: false });
    assert!(app.text().contains("misfire  jsonschema"));
    press(&mut app, "Enter");
    assert_eq!(app.state.look.call.as_ref().and_then(|look| look.shown.verdict.draft), Some("2020-12"));
}

#[test]
fn texts_name_the_keys_that_are_in_force() {
    let mut app = app(120, 40, |options| {
        options.config =
            "[keys.tree]\nwrap = [\"T\"]\n[keys.list]\nwrap = []\n[keys.diff]\nwrap = []\n[keys.global]\nnext-wire-form = []\n"
                .into();
    });
    press(&mut app, "Alt-4");
    let text = app.text();
    assert!(text.contains("T cut  v show spaces"), "{text}");
    assert!(text.contains(":next-wire-form next form"), "{text}");
}
