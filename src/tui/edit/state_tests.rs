//! Editing in the whole state: what keys do, what becomes of calls, what is drawn.

use super::attempts::UNSAVED;
use super::job::{EditJob, EditOutput};
use super::tests::{call, catalog};
use crate::capture::index::CallId;
use crate::capture::{Call, Place};
use crate::definition::{Catalog, Definition};
use crate::gate::{Arguments, Gate, Profile};
use crate::json::Value;
use crate::replay::{Detail, Labels, News, Row, judge};
use crate::tui::job::{Job, Output, Shown};
use crate::tui::keys::{Context, Keymap};
use crate::tui::layout::Pane;
use crate::tui::runtime::editor::{Edited, Outcome as EditorOutcome, Subject};
use crate::tui::runtime::{App, Effect, Msg};
use crate::tui::state::{Loading, State, Tab};
use crate::tui::theme::{Theme, ThemeKind};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use proptest::prelude::*;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

pub(super) struct Fixture {
    pub state: State,
    now: Duration,
    captured: Vec<Call>,
}

/// An app with these calls in a file, the first of them selected.
fn app(calls: Vec<Call>) -> Fixture {
    let mut app =
        Fixture { state: State::new(Theme::new(ThemeKind::Mono, true), Keymap::default()), now: Duration::ZERO, captured: calls };
    app.define(catalog());
    let added = app.rows();
    app.news(News::Calls {
        file: 0,
        path: Arc::from(Path::new("sessions/a.jsonl")),
        removed: 0..0,
        added,
        labels: Labels::default(),
        answered: Vec::new(),
        gone: false,
        problems: Vec::new(),
    });
    app.state.loading = Loading::Done;
    app.state.data.calls.chosen = true;
    app.state.data.select(id(0));
    app.size(120, 40);
    app
}

fn broken() -> Fixture {
    app(vec![captured("c1", "{\"id\":\"2\",\"status\":\"Done\"}"), captured("c2", "{\"taskId\":\"3\"}")])
}

fn captured(name: &str, text: &str) -> Call {
    let place = Place { file: Arc::from(Path::new("sessions/a.jsonl")), line: 1, offset: 0 };
    Call { id: Some(name.into()), place, ..call("TaskUpdate", text) }
}

const fn id(call: u32) -> CallId {
    CallId { file: 0, call }
}

fn row(id: CallId, call: &Call, gate: &Gate) -> Row {
    let verdict = judge(gate, call);
    Row { at: Some(i64::from(1000 - id.call)), line: 1 + id.call, ..Row::of_call(id, call, &verdict) }
}

impl Fixture {
    fn rows(&self) -> Vec<Row> {
        let gate = &self.state.data.gate;
        self.captured.iter().zip(0..).map(|(call, n)| row(id(n), call, gate)).collect()
    }

    fn define(&mut self, catalog: Catalog) {
        let gate = Arc::new(Gate::new(&catalog));
        self.news(News::Definitions {
            catalog: Arc::new(catalog),
            gate,
            changed: vec!["TaskUpdate".into()],
            judged: Vec::new(),
            flips: Vec::new(),
        });
    }

    fn news(&mut self, news: News) {
        let mut effects = Vec::new();
        self.state.take_in_news(vec![news], &mut effects);
    }

    fn size(&mut self, columns: u16, rows: u16) {
        self.send(Msg::Resize { columns, rows });
    }

    /// Sends a message, and does what the engine would: reads the call that is asked for.
    fn send(&mut self, msg: Msg<Output>) -> Vec<Effect<Job>> {
        let mut effects = Vec::new();
        let _ = self.state.update(self.now, msg, &mut effects);
        let shown = self.state.look.call.as_ref().map(|look| look.shown.id);
        if let Some(wanted) = self.state.look.wanted.filter(|wanted| wanted.file == 0 && shown != Some(*wanted)) {
            let call = self.captured[wanted.call as usize].clone();
            let verdict = judge(&self.state.data.gate, &call);
            let definition = self.state.data.catalog.get(&call.tool).cloned();
            self.state.show(Shown::new(wanted, Detail { call, verdict, definition, profile: Profile::Wave }, Vec::new()));
            self.send(Msg::Tick);
        }
        effects
    }

    fn key(&mut self, code: KeyCode, modifiers: KeyModifiers) -> Vec<Effect<Job>> {
        self.send(Msg::Key(KeyEvent::new(code, modifiers)))
    }

    /// Keys by name, separated by spaces; a word in quotes is typed.
    pub fn press(&mut self, keys: &str) -> Vec<Effect<Job>> {
        let mut effects = Vec::new();
        for name in keys.split(' ') {
            let (modifiers, name) = match name.split_once('-') {
                Some(("C", name)) => (KeyModifiers::CONTROL, name),
                Some(("A", name)) => (KeyModifiers::ALT, name),
                _ => (KeyModifiers::NONE, name),
            };
            let code = match name {
                "Enter" => KeyCode::Enter,
                "Esc" => KeyCode::Esc,
                "Tab" => KeyCode::Tab,
                "F5" => KeyCode::F(5),
                "Down" => KeyCode::Down,
                "Up" => KeyCode::Up,
                "Backspace" => KeyCode::Backspace,
                name => KeyCode::Char(name.chars().next().unwrap()),
            };
            effects = self.key(code, modifiers);
        }
        effects
    }

    /// Runs an action from the palette.
    fn perform(&mut self, name: &str) {
        self.press(":");
        self.type_in(name);
        self.press("Enter");
    }

    fn type_in(&mut self, text: &str) {
        for c in text.chars() {
            self.key(KeyCode::Char(c), KeyModifiers::NONE);
        }
    }

    fn text(&self) -> &str {
        self.state.draft().expect("a draft").buffer.text()
    }

    /// What the gate says of the text that is being written.
    fn verdict(&self) -> &'static str {
        self.state.draft().expect("a draft").verdict().expect("a verdict").verdict.kind.name()
    }

    fn notice(&self) -> &str {
        self.state.notices.shown().map_or("", |notice| notice.lines[0].as_str())
    }

    fn paste(&mut self, text: &str) {
        self.send(Msg::Paste(text.to_owned()));
    }

    /// Writes this in place of the whole text.
    fn write(&mut self, text: &str) {
        self.press("A-a");
        self.paste(text);
    }

    fn buffer(&self, width: u16, height: u16) -> Buffer {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| self.state.draw(frame)).unwrap();
        terminal.backend().buffer().clone()
    }

    /// The frame, and where in it a style other than the plain one begins and ends.
    fn frame(&mut self, width: u16, height: u16) -> String {
        self.size(width, height);
        let buffer = self.buffer(width, height);
        let mut out = String::new();
        for y in 0..height {
            let cells: String = (0..width).map(|x| buffer[(x, y)].symbol()).collect();
            let _ = writeln!(out, "{}", cells.trim_end());
        }
        out
    }

    fn styles(&mut self, width: u16, height: u16) -> String {
        self.size(width, height);
        let buffer = self.buffer(width, height);
        let mut out = String::new();
        for y in 0..height {
            let mut x = 0;
            while x < width {
                let (start, style) = (x, buffer[(x, y)].style());
                let mut run = String::new();
                while x < width && buffer[(x, y)].style() == style {
                    run.push_str(buffer[(x, y)].symbol());
                    x += 1;
                }
                let colour = style.fg.map(|colour| colour.to_string()).unwrap_or_default();
                let is_plain = colour == "Reset" && style.add_modifier.is_empty();
                if !run.trim().is_empty() && !is_plain && !run.contains("---") && !run.contains('|') {
                    let _ = writeln!(out, "{y:>2},{start:<3} {colour:<7} {:?} {}", style.add_modifier, run.trim());
                }
            }
        }
        out
    }
}

#[test]
fn the_verdict_follows_each_key_and_the_text_that_is_not_json_too() {
    let mut app = broken();
    app.press("e");
    assert_eq!((app.state.context(), app.verdict()), (Context::Editor, "rejected"));
    app.write("{\"taskId\": \"2\"");
    assert_eq!(app.verdict(), "accepted", "closed as if cut off");
    app.type_in(",");
    assert_eq!(app.verdict(), "unparsable");
    app.press("Backspace");
    app.type_in("}");
    assert_eq!(app.verdict(), "accepted");
    assert!(app.state.draft().unwrap().is_edited() && app.state.unsaved == 1);
    assert_eq!(app.captured[0].arguments, Arguments::text("{\"id\":\"2\",\"status\":\"Done\"}"));
}

#[test]
fn replaying_makes_an_attempt_under_the_call_and_flips_to_before_and_after() {
    let mut app = broken();
    let before = app.state.data.rows.get(id(0)).unwrap();
    let summary = app.state.data.rows.summary(id(0));
    app.press("e");
    app.write("{\"taskId\": \"2\"}\u{1b}");
    app.press("F5");
    assert_eq!((app.state.tab, app.state.focus), (Tab::Diff, Pane::Detail));
    let made = app.state.edit.attempts.list()[0].call.clone();
    assert_eq!((made.id.as_deref(), made.parent.as_deref()), (Some("c1.1"), Some("c1")));
    assert_eq!(made.arguments, Arguments::text("{\"taskId\": \"2\"}\u{1b}"), "to the byte");
    let versions = app.state.versions();
    assert_eq!((versions.ids.as_slice(), versions.selected), (&[id(0), CallId { file: UNSAVED, call: 0 }][..], 1));
    assert_eq!(app.state.diff().unwrap().2.after.kind.name(), "unparsable");
    let after = app.state.data.rows.get(id(0)).unwrap();
    assert_eq!((after.outcome, app.state.data.rows.summary(id(0))), (before.outcome, summary));
    // The attempt can be edited in turn; what comes of it stands beside it.
    app.press("e");
    app.press("C-k A-a");
    app.paste("{\"taskId\": \"2\"}");
    app.press("F5");
    assert_eq!(app.state.versions().ids.len(), 3);
    let second = &app.state.edit.attempts.list()[1].call;
    assert_eq!((second.id.as_deref(), second.parent.as_deref()), (Some("c1.2"), Some("c1")));
    assert_eq!(app.state.diff().unwrap().2.comparison.line(), "issues fixed 3, new 0, still there 0");
    app.press("[ [");
    assert_eq!(app.state.versions().selected, 0);
    app.press("]");
    assert_eq!(app.state.versions().selected, 1);
}

#[test]
fn the_pair_can_be_chosen_and_swapped() {
    let mut app = broken();
    app.press("r r r");
    let attempt = |call| CallId { file: UNSAVED, call };
    assert_eq!(app.state.pair(), Some((id(0), attempt(2))));
    app.press("[ b ]");
    assert_eq!(app.state.pair(), Some((attempt(1), attempt(2))));
    app.press("t");
    assert_eq!(app.state.pair(), Some((attempt(2), attempt(1))));
    app.press("t [ b");
    assert_eq!(app.state.pair(), Some((id(0), attempt(1))));
    assert_eq!(app.state.edit.attempts.list()[2].call.arguments, app.captured[0].arguments);
}

#[test]
fn what_is_saved_is_shown_once() {
    let mut app = broken();
    app.press("r");
    app.state.desk = Some(crate::tui::job::Desk::new(Vec::new(), Vec::new(), Profile::Wave));
    let effects = app.press("s");
    let saved = effects.iter().find_map(|effect| match effect {
        Effect::Spawn(_, Job::Edit(EditJob::Save(_, saved))) => Some(saved),
        _ => None,
    });
    let saved = saved.expect("a job that saves");
    let (old, call) = (saved[0].0, saved[0].1.clone());
    let new = CallId { file: 7, call: 0 };
    let news = News::Calls {
        file: 7,
        path: Arc::from(Path::new("sessions/attempts.misfire.jsonl")),
        removed: 0..0,
        added: vec![Row { parent: Some(id(0)), ..row(new, &call, &app.state.data.gate) }],
        labels: Labels::default(),
        answered: Vec::new(),
        gone: false,
        problems: Vec::new(),
    };
    let path = "sessions/attempts.misfire.jsonl".into();
    let output = EditOutput::Saved { path, saved: vec![old], news: vec![news], found: vec![(old, new)] };
    app.state.take_in_edit(output, &mut Vec::new());
    assert_eq!(app.state.versions().ids, [id(0), new]);
    assert_eq!(app.state.data.calls.selected(), Some(new));
    assert!(app.state.edit.attempts.list().is_empty() && app.notice().starts_with("Saved the attempt to "));
}

#[test]
fn what_cannot_be_saved_stays() {
    let mut app = broken();
    app.press("r");
    app.state.take_in_edit(EditOutput::NotSaved("sessions: no space left".into()), &mut Vec::new());
    assert!(app.notice().contains("nothing is lost: sessions: no space left"));
    assert_eq!(app.state.edit.attempts.unsaved(), 1);
}

#[test]
fn definitions_that_change_are_followed() {
    let mut app = broken();
    app.press("e");
    app.write("{\"id\":\"2\"}");
    app.press("F5 e");
    assert_eq!(app.verdict(), "rejected");
    let other = Definition::parse(br#"{"name":"TaskUpdate","parameters":{"properties":{"id":{"type":"string"}}}}"#).unwrap();
    app.define(Catalog::from_definitions(other));
    app.send(Msg::Tick);
    assert_eq!(app.verdict(), "accepted");
    let attempt = CallId { file: UNSAVED, call: 0 };
    assert!(!app.state.data.rows.get(attempt).unwrap().outcome.is_error());
}

#[test]
fn drafts_stay_while_one_is_elsewhere_and_when_the_file_is_read_anew() {
    let mut app = broken();
    app.press("e");
    app.write("{}");
    app.press("Esc Esc Down");
    assert_ne!(app.text(), "{}");
    app.press("Up A-1 A-2");
    assert_eq!(app.text(), "{}");
    let rows = app.rows();
    let path: Arc<Path> = Arc::from(Path::new("sessions/a.jsonl"));
    let news = |removed, added, gone| News::Calls {
        file: 0,
        path: Arc::clone(&path),
        removed,
        added,
        labels: Labels::default(),
        answered: Vec::new(),
        gone,
        problems: Vec::new(),
    };
    app.news(news(0..2, rows, false));
    app.state.look.call = None;
    app.state.look.wanted = None;
    app.state.data.select(id(0));
    app.send(Msg::Tick);
    assert_eq!(app.text(), "{}");
    assert_eq!(app.state.edit.drafts.edited(), 1);
}

#[test]
fn what_was_written_goes_on_in_the_next_run() {
    let mut app = broken();
    app.press("e");
    app.write("{\"taskId\": \"\u{1b}é");
    let kept = app.state.memory();
    let mut next = broken();
    next.state.remember(kept);
    next.press("e");
    assert_eq!(next.text(), "{\"taskId\": \"\u{1b}é");
    assert!(next.press("A-r").is_empty());
    next.press("A-u");
    assert_eq!(next.text(), "{\n  \"id\": \"2\",\n  \"status\": \"Done\"\n}");
}

#[test]
fn what_is_written_is_kept_a_second_after_the_last_key() {
    let mut app = broken();
    app.state.edit.keeping.path = Some("/state/file.json".into());
    app.press("e");
    app.type_in("x");
    assert_eq!(app.state.deadline(), Some(Duration::from_secs(1)));
    app.now = Duration::from_millis(500);
    app.type_in("y");
    app.now = Duration::from_secs(1);
    assert_eq!(app.send(Msg::Tick), []);
    app.now = Duration::from_millis(1500);
    let effects = app.send(Msg::Tick);
    let [Effect::Spawn(_, Job::Edit(EditJob::Keep(path, text)))] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(path, Path::new("/state/file.json"));
    assert!(Value::parse(text.as_bytes()).unwrap().at_pointer("/drafts/0/text").is_some());
}

#[test]
fn marks_and_comments_are_kept_as_soon_as_what_is_written() {
    let mut app = broken();
    app.state.edit.keeping.path = Some("/state/file.json".into());
    app.press("m");
    assert_eq!(app.state.deadline(), Some(Duration::from_secs(1)));
    app.now = Duration::from_millis(500);
    app.press(";");
    app.type_in("why");
    app.press("Enter");
    app.now = Duration::from_millis(1500);
    let effects = app.send(Msg::Tick);
    let [Effect::Spawn(_, Job::Edit(EditJob::Keep(_, text)))] = &effects[..] else { panic!("{effects:?}") };
    let kept = Value::parse(text.as_bytes()).unwrap();
    assert_eq!(kept.at_pointer("/view/notes/0/comment"), Some(&Value::from("why")));
    assert_eq!(kept.at_pointer("/view/notes/0/marked"), Some(&Value::from(true)));
    // What comes back at the next start is not new.
    let mut next = broken();
    next.state.edit.keeping.path = Some("/state/file.json".into());
    let memory = app.state.memory();
    next.state.remember(memory);
    assert!(!next.send(Msg::Tick).iter().any(|effect| matches!(effect, Effect::Spawn(_, Job::Edit(EditJob::Keep(..))))));
    assert_eq!(next.state.editing_deadline(), None);
}

#[test]
fn the_persons_own_editor_gets_the_text_and_gives_it_back() {
    let mut app = broken();
    let effects = app.press("E");
    let [Effect::Edit(request)] = &effects[..] else { panic!("{effects:?}") };
    let Subject::Text { text, extension } = &request.subject else { panic!("{request:?}") };
    assert_eq!((*extension, request.line), ("json", 1));
    let mut edited = text.clone();
    edited.splice(0..0, *b" ");
    edited.push(b'\n');
    app.send(Msg::Edited(Edited { id: request.id, outcome: EditorOutcome::Changed(edited) }));
    assert_eq!(app.state.context(), Context::Editor);
    assert!(app.text().starts_with(" {") && app.text().ends_with('}'));
    app.press("A-u");
    assert!(app.text().starts_with('{'));
}

#[test]
fn completion_offers_narrows_and_writes() {
    let mut app = broken();
    app.press("e");
    app.write("{}");
    app.press("Backspace");
    app.press("Tab");
    assert!(app.state.draft().unwrap().popup.is_some());
    assert!(app.frame(80, 24).contains("> taskId  required, string"));
    app.press("Esc");
    assert!(app.state.draft().unwrap().popup.is_none() && app.state.context() == Context::Editor);
    app.press("Tab Down Enter");
    assert_eq!(app.text(), "{\"status\": ");
    app.press("Tab Tab");
    assert_eq!(app.text(), "{\"status\": \"pending\"");
    app.press("A-i");
    assert_eq!(app.notice(), "insert-required: the text is not JSON yet: mend that first");
    app.type_in("}");
    app.press("A-i");
    assert_eq!(app.text(), "{\n  \"status\": \"pending\",\n  \"taskId\": \"\"\n}");
    app.type_in("7");
    assert_eq!(app.verdict(), "accepted");
}

#[test]
fn a_paste_is_one_step_and_terminals_line_ends_are_line_ends() {
    let mut app = broken();
    app.press("e");
    let before = app.text().to_owned();
    app.paste("a\rb\r\nc\n");
    assert!(app.text().contains("a\nb\nc\n"));
    app.press("A-u");
    assert_eq!(app.text(), before);
    app.press("A-r C-_");
    assert_eq!(app.text(), before);
}

#[test]
fn control_characters_are_shown_and_kept() {
    let mut app = broken();
    app.press("e");
    app.write("{\"taskId\": \"a\u{1b}[2J\u{202e}\tb\"}");
    let shown = app.frame(120, 40);
    assert!(shown.contains("\"a<ESC>[2J<U+202E><TAB>b\""), "{shown}");
    app.press("F5");
    assert_eq!(app.state.edit.attempts.list()[0].call.arguments, Arguments::text("{\"taskId\": \"a\u{1b}[2J\u{202e}\tb\"}"));
}

#[test]
fn texts_are_copied_and_printed() {
    let mut app = broken();
    let copied = |effects: Vec<Effect<Job>>| match &effects[..] {
        [Effect::Copy { text, .. } | Effect::Print(text)] => text.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(copied(app.press("y a")), "{\"id\":\"2\",\"status\":\"Done\"}");
    assert!(copied(app.press("Y e")).starts_with("TaskUpdate failed due to"));
    assert_eq!(copied(app.press("y i")).lines().count(), 3);
    assert!(copied(app.press("y w")).contains("\"is_error\": true"));
    assert!(copied(app.press("y s")).starts_with("{\"name\": \"TaskUpdate\""));
    assert!(copied(app.press("y c")).starts_with("misfire call TaskUpdate '{\"id\""));
    assert!(copied(app.press("y t")).contains("\"note\":\"verdict: rejected\""));
    app.press("Enter");
    assert_eq!((copied(app.press("y p")), copied(app.press("y j"))), ("/taskId".to_owned(), ".taskId".to_owned()));
    app.press("y d");
    assert!(app.notice().contains("there is only the original"), "{}", app.notice());
    app.press("e");
    app.write("{\"taskId\":\"2\"}");
    app.press("F5");
    assert!(copied(app.press("y d")).starts_with("--- c1\n+++ c1.1\n@@"));
}

#[test]
fn frames_of_the_editor() {
    let mut app = app(vec![captured("c1", "{\"id\":\"2\",\"status\":\"Done\",\"tags\":[\"x\",3]}")]);
    app.press("e");
    for (width, height) in [(80, 24), (120, 40), (200, 60), (40, 12)] {
        insta::assert_snapshot!(format!("editor_{width}x{height}"), app.frame(width, height));
    }
    insta::assert_snapshot!("editor_styles", app.styles(80, 24));
    app.write("{\n  \"taskId\": 7,\n  \"status\" \"done\"\n}");
    insta::assert_snapshot!("editor_broken", app.frame(80, 24));
}

#[test]
fn frames_of_before_and_after() {
    let mut app = app(vec![captured("c1", "{\"id\":\"2\",\"status\":\"Done\",\"tags\":[\"x\",3]}")]);
    app.press("e");
    app.write("{\n  \"taskId\": \"2\",\n  \"status\": \"done\",\n  \"tags\": [\n    \"x\"\n  ]\n}");
    app.press("F5");
    for (width, height) in [(80, 24), (120, 40), (200, 60)] {
        insta::assert_snapshot!(format!("diff_{width}x{height}"), app.frame(width, height));
    }
    insta::assert_snapshot!("diff_styles", app.styles(200, 60));
}

fn anything() -> impl Strategy<Value = Msg<Output>> {
    let named = [
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::Tab,
        KeyCode::BackTab,
        KeyCode::Backspace,
        KeyCode::Delete,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::PageUp,
        KeyCode::PageDown,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::F(5),
        KeyCode::Null,
    ];
    let code = prop_oneof![
        1 => proptest::sample::select(named.to_vec()),
        2 => proptest::sample::select("erdsbt[]12345yYaimquzn{}\":, é日\u{301}".chars().collect::<Vec<_>>()).prop_map(KeyCode::Char),
    ];
    let modifiers = [
        KeyModifiers::NONE,
        KeyModifiers::NONE,
        KeyModifiers::NONE,
        KeyModifiers::CONTROL,
        KeyModifiers::ALT,
        KeyModifiers::SHIFT,
    ];
    prop_oneof![
        12 => (code, proptest::sample::select(modifiers.to_vec())).prop_map(|(code, modifiers)| Msg::Key(KeyEvent::new(code, modifiers))),
        1 => "[{}\\[\\]:,\"a1\n\r\u{1b}日]{0,20}".prop_map(Msg::Paste),
        1 => (1..250u16, 1..80u16).prop_map(|(columns, rows)| Msg::Resize { columns, rows }),
        1 => any::<()>().prop_map(|()| Msg::Tick),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn whatever_is_typed_nothing_panics_and_no_call_changes(
        happened in proptest::collection::vec(anything(), 0..60),
        (width, height) in (1..=250u16, 1..=80u16),
        ascii: bool,
    ) {
        let mut app = broken();
        app.state.theme = Theme::new(ThemeKind::Dark, ascii);
        let before = app.rows();
        app.press("e");
        for msg in happened {
            app.now += Duration::from_millis(200);
            app.send(msg);
            if let Some(draft) = app.state.draft() {
                prop_assert!(draft.is_judged(), "a verdict at each key");
            }
            let attempts = app.state.edit.attempts.list().len();
            prop_assert_eq!(app.state.data.rows.iter().filter(|row| row.id.file == UNSAVED).count(), attempts);
        }
        for (before, number) in before.iter().zip(0..) {
            let after = app.state.data.rows.get(id(number)).unwrap();
            prop_assert_eq!(after.outcome, before.outcome);
            prop_assert_eq!(&*after.said, &*before.said);
        }
        app.buffer(width, height);
    }
}

#[test]
fn attempts_that_are_in_no_file_come_back_under_their_call() {
    let mut app = broken();
    app.state.edit.keeping.path = Some("state.json".into());
    let effects = app.press("r");
    assert!(effects.is_empty() || app.state.editing_deadline().is_some());
    assert_eq!(app.state.editing_deadline(), Some(app.now), "an attempt is kept at once");
    let kept = app.state.memory();
    assert_eq!(kept.attempts.len(), 1);
    let mut next = broken();
    next.state.loading = Loading::UnderWay;
    next.state.remember(kept.clone());
    next.size(121, 40);
    assert_eq!(next.state.memory().attempts, kept.attempts, "they are not lost while captures are read");
    next.state.loading = Loading::Done;
    next.size(120, 40);
    assert_eq!(next.state.edit.attempts.list()[0].call, app.state.edit.attempts.list()[0].call);
    assert_eq!(next.state.versions().ids, [id(0), CallId { file: UNSAVED, call: 0 }]);
    assert_eq!(next.state.memory().attempts, kept.attempts);
}

#[test]
fn before_the_program_is_stopped_what_was_written_is_kept() {
    let mut app = broken();
    app.state.edit.keeping.path = Some("state.json".into());
    app.press("e x");
    let effects = app.press("C-z");
    let kinds: Vec<bool> =
        effects.iter().map(|effect| matches!(effect, Effect::Spawn(_, Job::Edit(EditJob::Keep(..))))).collect();
    assert_eq!((kinds.as_slice(), effects.last()), (&[true, false][..], Some(&Effect::Suspend)));
}

#[test]
fn a_discarded_attempt_is_gone_and_the_others_stay() {
    let mut app = broken();
    app.press("r r r [");
    let attempts = |app: &Fixture| app.state.edit.attempts.list().iter().map(|a| a.call.id.clone().unwrap()).collect::<Vec<_>>();
    assert_eq!(attempts(&app), ["c1.1", "c1.2", "c1.3"]);
    let selected = app.state.data.calls.selected();
    app.perform("discard-attempt");
    assert_eq!((selected, attempts(&app)), (Some(CallId { file: UNSAVED, call: 1 }), vec!["c1.1".to_owned(), "c1.3".to_owned()]));
    assert_eq!(app.state.data.calls.selected(), Some(id(0)));
    app.perform("discard-attempt");
    assert_eq!(attempts(&app).len(), 2, "the original is not an attempt");
}

#[test]
fn a_file_that_vanishes_while_its_call_is_edited_loses_nothing() {
    let mut app = broken();
    app.state.edit.keeping.path = Some("state.json".into());
    app.press("e x y");
    let gone = |gone, added| News::Calls {
        file: 0,
        path: Arc::from(Path::new("sessions/a.jsonl")),
        removed: 0..if gone { 2 } else { 0 },
        added,
        labels: Labels::default(),
        answered: Vec::new(),
        gone,
        problems: Vec::new(),
    };
    app.news(gone(true, Vec::new()));
    assert_eq!((app.state.tab, app.state.memory().drafts.len()), (Tab::Arguments, 1));
    assert!(app.notice().contains("is kept in state.json"), "{}", app.notice());
    let rows = app.rows();
    app.news(gone(false, rows));
    app.state.data.select(id(0));
    app.size(121, 40);
    app.press("e");
    assert!(app.state.draft().unwrap().is_edited());
}

#[test]
fn while_something_is_written_the_newest_call_does_not_take_its_place() {
    let mut app = broken();
    app.press("f");
    assert!(app.state.data.calls.follow);
    app.press("e");
    assert!(!app.state.data.calls.follow);
}

#[test]
fn calls_do_not_go_without_a_word() {
    let mut app = broken();
    app.news(News::Calls {
        file: 0,
        path: Arc::from(Path::new("sessions/a.jsonl")),
        removed: 0..0,
        added: Vec::new(),
        labels: Labels::default(),
        answered: Vec::new(),
        gone: true,
        problems: Vec::new(),
    });
    let mut said = app.state.notices.log().flat_map(|notice| &notice.lines);
    assert!(said.any(|line| line.as_str() == "sessions/a.jsonl is gone, and its 2 calls with it"));
}
