//! What messages and actions do, without a terminal.

use super::super::edit::job::EditOutput;
use super::super::keys::{Context, Keymap};
use super::super::layout::Pane;
use super::super::runtime::jobs::{JobKey, Ticket};
use super::super::runtime::{Effect, Exit, Msg};
use super::super::state::{Overlay, Question, State, Tab};
use super::super::theme::{Theme, ThemeKind};
use super::*;
use crate::capture::Call;
use crate::gate::Arguments;
use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

struct Fixture {
    state: State,
    now: Duration,
}

fn app(width: u16, height: u16) -> Fixture {
    let mut app = Fixture { state: State::new(Theme::new(ThemeKind::Mono, true), Keymap::default()), now: Duration::ZERO };
    app.send(Msg::Resize { columns: width, rows: height });
    app
}

impl Fixture {
    fn send(&mut self, msg: Msg<Output>) -> Effects {
        let mut effects = Vec::new();
        let _ = self.state.update(self.now, msg, &mut effects);
        effects
    }

    fn press(&mut self, code: KeyCode) -> Effects {
        self.send(Msg::Key(KeyEvent::new(code, KeyModifiers::NONE)))
    }

    fn control(&mut self, c: char) -> Effects {
        self.send(Msg::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL)))
    }

    fn type_in(&mut self, text: &str) {
        for c in text.chars() {
            self.press(KeyCode::Char(c));
        }
    }

    fn shown(&self) -> &str {
        self.state.notices.shown().map_or("", |notice| notice.lines[0].as_str())
    }
}

#[test]
fn escape_never_quits_and_q_goes_back_first() {
    let mut app = app(120, 40);
    for _ in 0..5 {
        assert_eq!(app.press(KeyCode::Esc), []);
    }
    app.press(KeyCode::Enter);
    assert_eq!(app.state.focus, Pane::Detail);
    assert_eq!(app.press(KeyCode::Char('q')), []);
    assert_eq!(app.press(KeyCode::Char('q')), [Effect::Quit(Exit::Asked)]);
}

#[test]
fn edits_that_the_next_start_has_again_are_not_asked_about() {
    let mut app = app(120, 40);
    app.state.edit.keeping.path = Some("state.json".into());
    app.state.edit.attempts.add(Call::new("Read", Arguments::Absent), None);
    app.press(KeyCode::Down);
    assert_eq!(app.press(KeyCode::Char('q')), [Effect::Quit(Exit::Asked)]);
    // The disk is full.
    app.state.take_in_edit(EditOutput::NotKept("no space left".into()), &mut Vec::new());
    assert_eq!(app.press(KeyCode::Char('q')), []);
    assert_eq!(app.state.overlay, Some(Overlay::Confirm(Question::QuitAndLose { edits: true, notes: false })));
}

#[test]
fn what_is_asked_at_the_end_is_about_what_would_be_lost() {
    let question = |edits, notes| Question::QuitAndLose { edits, notes }.text();
    assert!(question(true, false).starts_with("Edits cannot") && question(true, true).starts_with("Edits, marks"));
    assert!(!question(false, true).to_lowercase().contains("edit"));
}

#[test]
fn a_key_that_does_nothing_here_says_where_it_does_something() {
    let mut app = app(120, 40);
    app.state.focus = Pane::Detail;
    app.press(KeyCode::Char('M'));
    assert_eq!(app.shown(), "M does something only in the lists of tools and calls");
    app.press(KeyCode::Char('o'));
    assert_eq!(app.shown(), "o does something only in the lists of tools and calls", "the beginning of others too");
    assert_eq!(app.press(KeyCode::F(24)), []);
}

#[test]
fn edits_that_would_be_lost_are_asked_about() {
    let mut app = app(120, 40);
    app.state.edit.attempts.add(Call::new("Read", Arguments::Absent), None);
    app.press(KeyCode::Down);
    assert_eq!(app.press(KeyCode::Char('q')), []);
    assert_eq!(app.state.context(), Context::Confirm);
    assert_eq!(app.press(KeyCode::Char('n')), []);
    assert_eq!(app.state.overlay, None);
    app.press(KeyCode::Char('q'));
    assert_eq!(app.press(KeyCode::Char('y')), [Effect::Quit(Exit::Asked)]);
}

#[test]
fn control_c_twice_within_a_second_quits() {
    let mut app = app(120, 40);
    assert_eq!(app.control('c'), []);
    app.now = Duration::from_millis(1500);
    assert_eq!(app.control('c'), []);
    app.now = Duration::from_millis(2400);
    assert_eq!(app.control('c'), [Effect::Quit(Exit::Asked)]);
}

#[test]
fn stopping_definitions_that_judge_says_that_they_do_not_hold_and_how_they_do() {
    let mut app = app(120, 40);
    let ticket = app.state.jobs.ask(app.now, crate::tui::job::kind::JUDGING, 0);
    assert_eq!(app.control('c'), [Effect::Cancel(ticket.key)]);
    assert_eq!(app.shown(), "judging was stopped; calls are judged as before, R judges them by what is saved");
}

#[test]
fn control_c_stops_the_job_and_what_it_still_says_is_stale() {
    let mut app = app(120, 40);
    let ticket = app.state.jobs.ask(app.now, "judging", 3);
    assert_eq!(app.control('c'), [Effect::Cancel(ticket.key)]);
    assert_eq!(app.shown(), "judging was stopped");
    let mut effects = Vec::new();
    let event = super::super::runtime::jobs::JobEvent::Finished;
    assert_eq!(app.state.update(app.now, Msg::Job(ticket, event), &mut effects), Redraw::NotNeeded);
}

#[test]
fn a_job_that_is_refused_is_no_longer_waited_for() {
    let mut app = app(120, 40);
    let ticket = app.state.jobs.ask(app.now, "judging", 3);
    app.send(Msg::JobRefused(ticket));
    assert_eq!(app.state.jobs.oldest(), None);
    let never_asked = Ticket { key: JobKey { kind: "other", id: 0 }, generation: 1 };
    app.send(Msg::JobRefused(never_asked));
    assert_eq!(app.state.jobs.oldest(), None);
}

#[test]
fn the_palette_runs_what_is_chosen_and_escape_closes_it() {
    let mut app = app(120, 40);
    app.type_in("?mouse");
    assert_eq!(app.press(KeyCode::Enter), [Effect::Mouse(false)]);
    assert_eq!(app.state.overlay, None);
    app.type_in(":");
    assert_eq!(app.state.context(), Context::Palette);
    app.press(KeyCode::Esc);
    assert_eq!(app.state.overlay, None);
    app.type_in("?zzzz");
    assert_eq!(app.press(KeyCode::Enter), []);
}

#[test]
fn a_paste_with_line_ends_is_text_and_runs_nothing() {
    let mut app = app(120, 40);
    app.type_in("?");
    assert_eq!(app.send(Msg::Paste("quit\nquit\r\n".to_owned())), []);
    let Some(Overlay::Palette(palette)) = &app.state.overlay else { panic!("still open") };
    assert_eq!(palette.query.text(), "quit quit");
    app.press(KeyCode::Esc);
    assert_eq!(app.send(Msg::Paste("q".to_owned())), []);
}

#[test]
fn an_action_that_cannot_be_done_says_why() {
    let mut app = app(120, 40);
    app.type_in("r");
    assert_eq!(app.shown(), "replay: no call is selected");
}

#[test]
fn tab_goes_through_every_pane_and_back() {
    for (width, height, panes) in [(80, 24, 4), (120, 40, 4), (200, 60, 5), (60, 10, 3)] {
        let mut app = app(width, height);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..panes {
            seen.insert(app.state.focus);
            app.press(KeyCode::Tab);
        }
        assert_eq!((seen.len(), app.state.focus), (panes, Pane::Calls), "{width}x{height}: {seen:?}");
        app.press(KeyCode::BackTab);
        app.press(KeyCode::Tab);
        assert_eq!(app.state.focus, Pane::Calls);
    }
}

#[test]
fn arrows_go_to_the_neighbour() {
    let mut app = app(200, 60);
    for (code, expected) in [
        (KeyCode::Right, Pane::Detail),
        (KeyCode::Down, Pane::ModelText),
        (KeyCode::Up, Pane::Detail),
        (KeyCode::Left, Pane::Calls),
        (KeyCode::Left, Pane::Tools),
        (KeyCode::Left, Pane::Tools),
        (KeyCode::Down, Pane::Card),
    ] {
        app.send(Msg::Key(KeyEvent::new(code, KeyModifiers::CONTROL)));
        assert_eq!(app.state.focus, expected);
    }
}

#[test]
fn a_tab_is_one_key_away_even_when_another_pane_is_zoomed() {
    let mut app = app(80, 24);
    app.type_in("z");
    app.send(Msg::Key(KeyEvent::new(KeyCode::Char('4'), KeyModifiers::ALT)));
    assert_eq!((app.state.tab, app.state.focus), (Tab::ModelText, Pane::Detail));
}

#[test]
fn a_click_gives_a_pane_the_keys_when_the_button_is_let_go() {
    let mut app = app(120, 40);
    let mouse = |kind| Msg::Mouse(MouseEvent { kind, column: 100, row: 5, modifiers: KeyModifiers::NONE });
    app.send(mouse(MouseEventKind::Down(MouseButton::Left)));
    assert_eq!(app.state.focus, Pane::Calls);
    app.send(mouse(MouseEventKind::Up(MouseButton::Left)));
    assert_eq!(app.state.focus, Pane::Detail);
}

#[test]
fn the_log_scrolls_and_stops_at_its_ends() {
    let mut app = app(80, 24);
    for n in 0..100 {
        app.state.say(super::super::notices::Level::Info, &format!("line {n}"));
    }
    app.type_in("?show-log");
    app.press(KeyCode::Enter);
    app.type_in("g");
    let most = app.state.log_scroll;
    assert!(most > 50);
    app.type_in("k");
    assert_eq!(app.state.log_scroll, most);
    app.type_in("8j");
    assert_eq!(app.state.log_scroll, most - 8);
    app.type_in("G");
    assert_eq!(app.state.log_scroll, 0);
}

#[test]
fn the_log_has_all_that_was_said_in_lines_that_fit() {
    let mut app = app(80, 24);
    app.state.say(super::super::notices::Level::Warning, &format!("{}the end", "word ".repeat(60)));
    app.type_in("?show-log");
    app.press(KeyCode::Enter);
    let rows = crate::tui::view::row_texts(&app.state);
    let text: Vec<&str> = rows.iter().map(String::as_str).collect();
    assert!(text.len() > 4 && text[0].starts_with("warning: word") && text.concat().ends_with("the end"), "{text:?}");
    assert!(text.iter().all(|line| line.trim_end().len() <= 78), "{text:?}");
}

#[test]
fn nothing_to_see_is_nothing_to_draw() {
    let mut app = app(80, 24);
    let quiet = [
        Msg::Resize { columns: 80, rows: 24 },
        Msg::Focus(true),
        Msg::Mouse(MouseEvent { kind: MouseEventKind::Moved, column: 1, row: 1, modifiers: KeyModifiers::NONE }),
    ];
    for msg in quiet {
        assert_eq!(app.state.update(app.now, msg, &mut Vec::new()), Redraw::NotNeeded);
    }
}
