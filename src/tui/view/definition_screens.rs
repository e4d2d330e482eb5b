//! The screens of definitions and of counts, on fixed data.

use super::super::headless::Headless;
use super::super::layout::Pane;
use super::super::runtime::Effect;
use super::super::runtime::editor::Subject;
use super::super::state::{Item, ItemPart, Tab};
use super::super::theme::ThemeKind;
use super::screens::{app, press, styles};
use std::sync::Arc;

/// When files were changed is another time everywhere.
fn timeless(app: &mut Headless) {
    let mut definitions = (*app.state.explorer.definitions).clone();
    definitions.tools.iter_mut().for_each(|tool| tool.changed = Some(1_764_000_000_000));
    app.state.explorer.definitions = Arc::new(definitions);
}

#[test]
fn the_tree_of_definitions_at_three_sizes() {
    for (columns, rows) in [(80, 24), (120, 40), (200, 60)] {
        let mut app = app(columns, rows, |_| {});
        press(&mut app, "X j j j");
        timeless(&mut app);
        insta::assert_snapshot!(format!("definitions_{columns}x{rows}"), app.text());
    }
}

#[test]
fn the_tree_in_its_styles_and_without_ascii() {
    for (name, kind) in [("dark", ThemeKind::Dark), ("mono", ThemeKind::Mono)] {
        let mut app = app(80, 24, |options| (options.theme, options.ascii) = (Some(kind), false));
        press(&mut app, "X / l i m Enter");
        insta::assert_snapshot!(format!("definitions_styles_{name}"), styles(&app));
    }
}

#[test]
fn searching_goes_from_one_to_the_next_and_esc_goes_back() {
    let mut app = app(120, 40, |_| {});
    press(&mut app, "X g C / a p a c");
    insta::assert_snapshot!("definitions_search", app.text());
    assert_eq!(app.state.explorer.found_at(), Some(1));
    press(&mut app, "Esc");
    assert_eq!((app.state.explorer.query(), app.state.explorer.cursor()), ("", 0));
    press(&mut app, "/ s t r i n g Enter");
    let all = app.state.explorer.found().len();
    assert!(all > 2, "{all}");
    for at in (2..=all).chain([1]) {
        press(&mut app, "n");
        assert_eq!(app.state.explorer.found_at(), Some(at));
    }
    press(&mut app, "N");
    assert_eq!(app.state.explorer.found_at(), Some(all));
    press(&mut app, "/ x x x");
    assert!(app.text().contains("nothing matches"), "{}", app.text());
    press(&mut app, "Esc");
    assert_eq!((app.state.explorer.query(), app.state.explorer.found_at()), ("string", Some(all)), "the search before is back");
}

#[test]
fn a_failing_parameter_leads_to_its_calls_and_a_finding_to_its_reason() {
    let mut app = app(120, 40, |_| {});
    press(&mut app, "X / l i m i t Enter");
    press(&mut app, "Enter");
    assert_eq!((app.state.focus, app.state.tab), (Pane::Calls, Tab::Arguments));
    let selected = app.state.data.calls.selected().unwrap();
    let row = app.state.data.rows.get(selected).unwrap();
    assert!(row.said.places.iter().any(|place| &**place == "/limit"), "{row:?}");
    press(&mut app, "X");
    let lint = app.state.explorer.rows().iter().position(|item| matches!(item.part, ItemPart::Lint(_))).unwrap();
    app.state.explorer.select(lint);
    press(&mut app, "Enter");
    insta::assert_snapshot!("definitions_explained", app.text());
    press(&mut app, "Esc");
    assert!(app.state.explorer.explained.is_none() && app.state.tab == Tab::Definitions);
}

#[test]
fn the_editor_opens_at_the_line_of_the_parameter() {
    let mut app = app(80, 24, |_| {});
    press(&mut app, "X / l i m i t Enter E");
    let opened = app.asked.iter().find_map(|effect| match effect {
        Effect::Edit(request) => match &request.subject {
            Subject::File(path) => Some((path.clone(), request.line)),
            Subject::Text { .. } => None,
        },
        _ => None,
    });
    let (path, line) = opened.unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.lines().nth(line as usize - 1).unwrap().contains("\"limit\""), "line {line}");
}

#[test]
fn without_a_call_there_are_still_definitions() {
    let empty = tempfile::tempdir().unwrap();
    let mut app = app(80, 24, |options| options.sessions = vec![empty.path().to_owned()]);
    press(&mut app, "X");
    assert!(app.text().contains("SearchOrders") && app.text().contains("3 definitions"), "{}", app.text());
    press(&mut app, "S");
    assert!(app.text().contains("There are no calls to count yet."), "{}", app.text());
}

#[test]
fn folding_everything_and_going_in_and_out() {
    let mut app = app(120, 40, |_| {});
    press(&mut app, "X C");
    let open = app.state.explorer.rows().len();
    press(&mut app, "C");
    assert_eq!(app.state.explorer.rows().len(), 3);
    press(&mut app, "g l l");
    assert!(app.state.explorer.cursor() == 1 && app.state.explorer.rows().len() > 3);
    press(&mut app, "h h");
    assert_eq!((app.state.explorer.cursor(), app.state.explorer.rows().len()), (0, 3));
    press(&mut app, "C");
    assert_eq!(app.state.explorer.rows().len(), open);
}

#[test]
fn what_is_copied_and_exported_is_the_selected_definition() {
    let mut app = app(120, 40, |_| {});
    press(&mut app, "X / l i m i t Enter");
    let parameter = app.state.explorer.cursor();
    let of_call = app.state.look.call.as_ref().unwrap().shown.call.tool.clone();
    let explorer = &mut app.state.explorer;
    let other = |item: &Item| explorer.tool(*item).is_some_and(|tool| tool.definition.name() != of_call);
    let other = explorer.rows().iter().position(other).unwrap();
    explorer.select(other);
    let definition = Arc::clone(&explorer.tool(explorer.item().unwrap()).unwrap().definition);
    let mut copied = |row: usize, keys: &str| {
        app.state.explorer.select(row);
        app.asked.clear();
        press(&mut app, keys);
        app.asked.iter().find_map(|effect| match effect {
            Effect::Copy { text, .. } => Some(text.clone()),
            _ => None,
        })
    };
    assert_eq!(copied(other, "y s").as_deref(), std::str::from_utf8(definition.raw()).ok());
    let pointer = copied(parameter, "y p").unwrap();
    assert!(pointer.ends_with("/properties/limit"), "{pointer}");
    assert!(copied(parameter, "y j").unwrap().ends_with(".properties.limit"));
}

#[test]
fn counts_at_three_sizes_and_without_ascii() {
    for (columns, rows) in [(80, 24), (120, 40), (200, 60)] {
        let mut app = app(columns, rows, |_| {});
        press(&mut app, "S");
        insta::assert_snapshot!(format!("statistics_{columns}x{rows}"), app.text());
    }
    let mut app = app(120, 40, |options| options.ascii = false);
    press(&mut app, "S G");
    insta::assert_snapshot!("statistics_unicode", app.text());
}

#[test]
fn the_card_of_a_tool_and_of_all_calls() {
    for (name, ascii) in [("ascii", true), ("unicode", false)] {
        let mut app = app(200, 60, |options| options.ascii = ascii);
        press(&mut app, "Shift-Tab j j");
        timeless(&mut app);
        insta::assert_snapshot!(format!("card_{name}"), app.text());
    }
    let mut app = app(200, 60, |_| {});
    press(&mut app, "S Shift-Tab Shift-Tab");
    assert!(app.text().contains("failing calls by tool"));
}

#[test]
fn notes_are_hidden_and_shown_again() {
    let mut app = app(120, 40, |_| {});
    press(&mut app, "X g C j");
    assert!(app.text().contains("note object-open"), "{}", app.text());
    let (rows, tool) = (app.state.explorer.rows().len(), app.state.explorer.item().unwrap().tool);
    press(&mut app, ".");
    assert!(!app.text().contains("- note ") && app.text().contains("notes hidden"), "{}", app.text());
    assert_eq!(app.state.explorer.item().unwrap().tool, tool, "one is still at the same definition");
    press(&mut app, ".");
    assert_eq!(app.state.explorer.rows().len(), rows);
}
