//! The review on a repository made for it, as text and with styles, and what its keys do.

use super::super::Options;
use super::super::headless::Headless;
use super::super::job::review::Reviewed;
use super::super::runtime::watch::Change;
use super::super::runtime::{Effect, Msg};
use super::super::state::Tab;
use super::super::state::review::Depth;
use super::super::theme::ThemeKind;
use super::screens::{app_in, press, styles};
use crate::json::Visible;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);

const SEARCH: &str = r#"{"name": "SearchOrders", "description": "Finds orders.", "parameters": {
  "type": "object",
  "properties": {
    "query": {"type": "string", "minLength": 1, "description": "What to look for."},
    "region": {"type": "string", "enum": ["emea", "apac", "amer"], "description": "Where."},
    "limit": {"type": "integer", "maximum": 100, "description": "How many at most."}
  },
  "required": ["query", "region"],
  "additionalProperties": false
}}"#;
const CANCEL: &str = r#"{"name": "CancelOrder", "description": "Cancels an order.", "parameters": {
  "type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]}}"#;
const CALLS: &str = r#"{"id":"c1","tool":"SearchOrders","arguments":{"query":"late","region":"emea","limit":50},"result":{"is_error":false,"text":"12"}}
{"id":"c2","tool":"SearchOrders","arguments":{"query":"lost","region":"amer"},"result":{"is_error":false,"text":"3"}}
{"id":"c3","tool":"CancelOrder","arguments":{"order_id":"o-1"}}
"#;

/// A repository in a folder of its own.
pub(super) struct Project(tempfile::TempDir);

impl Project {
    fn new() -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        project.write("tools/SearchOrders.json", SEARCH);
        project.write("tools/CancelOrder.json", CANCEL);
        project.write("sessions/shop.jsonl", CALLS);
        project.git(&["init", "--quiet", "--initial-branch=main"]);
        project.git(&["add", "--all"]);
        project.git(&["commit", "--quiet", "--message", "first"]);
        project
    }

    /// With a change to each kind of thing that is not in the repository.
    pub(super) fn changed() -> Self {
        let project = Self::new();
        let search = SEARCH.replace("\"query\"", "\"text\"").replace(", \"amer\"", "").replace("100", "50");
        project.write("tools/SearchOrders.json", &search);
        project.write("tools/CancelOrder.json", &CANCEL.replace("an order", "an order that was not sent"));
        project
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn git(&self, arguments: &[&str]) {
        let mut command = Command::new("git");
        command.current_dir(self.path()).args(["-c", "user.name=t", "-c", "user.email=t@example.com"]).args(arguments);
        command.env("GIT_CONFIG_GLOBAL", "/dev/null");
        // The same commits every time, so that they have the same names.
        for time in ["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"] {
            command.env(time, "2026-11-24T10:00:00Z");
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    pub(super) fn open(&self, columns: u16, rows: u16, change: impl FnOnce(&mut Options)) -> Headless {
        app_in(self.path(), columns, rows, change)
    }

    /// Opens the review, and leaves the folder's name out of what it shows.
    fn review(&self, columns: u16, rows: u16, change: impl FnOnce(&mut Options)) -> Headless {
        let mut app = self.open(columns, rows, change);
        press(&mut app, "V");
        self.shorten(&mut app);
        app
    }

    fn shorten(&self, app: &mut Headless) {
        let within = format!("{}/", self.path().display());
        let short = |text: &str| text.replace(&within, "");
        app.state.sources = ["tools", "sessions"].map(Visible::new).into();
        let Some(Ok(reviewed)) = &mut app.state.review.found else { return };
        let Reviewed { review, lines, names, problems, .. } = Arc::get_mut(reviewed).unwrap();
        for text in lines.iter_mut().chain([&mut names.0, &mut names.1]).chain(problems) {
            *text = short(text);
        }
        for finding in review.tools.iter_mut().flat_map(|tool| &mut tool.findings) {
            finding.file = PathBuf::from(short(&finding.file.to_string_lossy()));
        }
        for call in &mut review.calls {
            call.source = short(&call.source);
        }
    }
}

pub(super) fn has_git() -> bool {
    let there = Command::new("git").arg("--version").output().is_ok();
    if !there {
        eprintln!("skipped: git is not there");
    }
    there
}

#[test]
fn the_review_at_three_sizes_from_the_findings_to_a_call() {
    if !has_git() {
        return;
    }
    let project = Project::changed();
    for (columns, rows) in [(80, 24), (120, 40), (200, 60)] {
        for (name, keys) in [("findings", "j"), ("finding", "Enter"), ("call", "Enter Enter")] {
            let mut app = project.review(columns, rows, |_| {});
            press(&mut app, keys);
            insta::assert_snapshot!(format!("review_{name}_{columns}x{rows}"), app.text());
        }
    }
}

#[test]
fn the_review_in_its_styles() {
    if !has_git() {
        return;
    }
    let project = Project::changed();
    for (name, kind) in [("dark", ThemeKind::Dark), ("light", ThemeKind::Light), ("mono", ThemeKind::Mono)] {
        let app = project.review(80, 24, |options| (options.theme, options.ascii) = (Some(kind), false));
        insta::assert_snapshot!(format!("review_styles_{name}"), styles(&app));
    }
}

#[test]
fn in_and_out_and_to_the_call_among_the_others() {
    if !has_git() {
        return;
    }
    let project = Project::changed();
    let mut app = project.review(120, 40, |_| {});
    press(&mut app, "Enter Enter");
    assert_eq!(app.state.review.depth, Depth::Call);
    assert!(app.text().contains("An unexpected parameter `query` was provided"), "{}", app.text());
    press(&mut app, "Esc Esc");
    assert_eq!((app.state.review.depth, app.state.tab), (Depth::Findings, Tab::Review));
    press(&mut app, "Esc");
    assert!(app.state.tab == Tab::Arguments && !app.state.zoom);
    press(&mut app, "V Enter j Enter Enter");
    assert_eq!(app.state.tab, Tab::Arguments);
    let selected = app.state.data.calls.selected().unwrap();
    assert_eq!(app.state.data.rows.get(selected).unwrap().line, 2);
}

#[test]
fn the_definition_is_opened_at_the_line_of_the_finding() {
    if !has_git() {
        return;
    }
    let project = Project::changed();
    let mut app = project.review(120, 40, |_| {});
    press(&mut app, "j j D E");
    let lines: Vec<u32> =
        app.asked.iter().filter_map(|effect| if let Effect::Edit(edit) = effect { Some(edit.line) } else { None }).collect();
    let line = app.state.review.finding().unwrap().1.line;
    assert!(line > 1 && lines == [line, line], "{lines:?}");
}

#[test]
fn the_comment_is_copied_and_another_base_is_asked_for() {
    if !has_git() {
        return;
    }
    let project = Project::changed();
    let mut app = project.review(80, 24, |_| {});
    press(&mut app, "y m");
    let copied = app.asked.iter().find_map(|effect| if let Effect::Copy { text, .. } = effect { Some(text) } else { None });
    assert!(copied.unwrap().starts_with("### Tool schema review: 2 breaking"), "{copied:?}");
    press(&mut app, "b n o p e");
    insta::assert_snapshot!("review_base_80x24", app.text());
    press(&mut app, "Enter");
    assert!(app.text().contains("there is no revision `nope` in this clone"), "{}", app.text());
    press(&mut app, "b Ctrl-u H E A D Enter");
    assert!(app.text().contains("2 errors"), "{}", app.text());
    assert!(app.state.review.reviewed().unwrap().names.0.contains("(HEAD)"));
}

#[test]
fn it_is_made_again_when_a_definition_is_saved_and_stays_where_it_was() {
    if !has_git() {
        return;
    }
    let project = Project::changed();
    let mut app = project.review(120, 40, |_| {});
    press(&mut app, "j");
    let known = app.state.review.finding().unwrap().1.fingerprint.clone();
    project.write("tools/CancelOrder.json", &CANCEL.replace("order_id", "order"));
    let _ = app.send(Msg::Watch(Change::Changed(vec![project.path().join("tools/CancelOrder.json")])));
    assert!(app.finish(LIMIT));
    assert!(app.text().contains("`order_id` looks renamed to `order`"), "{}", app.text());
    assert_eq!(app.state.review.finding().unwrap().1.fingerprint, known);
    // Back to what it was: nothing has changed.
    project.write("tools/CancelOrder.json", CANCEL);
    project.write("tools/SearchOrders.json", SEARCH);
    let _ = app.send(Msg::Watch(Change::Changed(vec![project.path().join("tools")])));
    assert!(app.finish(LIMIT));
    assert!(app.text().contains("Nothing has changed that a model or a call could feel."), "{}", app.text());
}

#[test]
fn a_call_that_nothing_exercises_is_no_green_tick() {
    if !has_git() {
        return;
    }
    let project = Project::new();
    project.write(
        "tools/CancelOrder.json",
        &CANCEL
            .replace("\"order_id\": {", "\"why\": {\"type\": \"string\"}, \"order_id\": {")
            .replace("[\"order_id\"]", "[\"order_id\", \"why\"]"),
    );
    project.write("sessions/shop.jsonl", CALLS.lines().next().unwrap());
    let app = project.review(120, 40, |_| {});
    assert!(app.text().contains("No recorded call exercises this."), "{}", app.text());
    std::fs::remove_file(project.path().join("sessions/shop.jsonl")).unwrap();
    let app = project.review(120, 40, |_| {});
    assert!(app.text().contains("No recorded calls: nothing is known of who feels it."), "{}", app.text());
}

#[test]
fn accepting_asks_why_and_whether() {
    if !has_git() {
        return;
    }
    let project = Project::changed();
    let mut app = project.review(80, 24, |_| {});
    press(&mut app, "a Enter");
    assert!(app.text().contains("there was no reason"), "{}", app.text());
    press(&mut app, "a o k Enter");
    insta::assert_snapshot!("review_accept_80x24", app.text());
    let entry = app.state.review.accepting.clone().unwrap();
    assert_eq!((entry.reason.as_str(), entry.tool.as_str()), ("ok", "SearchOrders"));
    // Nothing is written unless that is wanted.
    press(&mut app, "n");
    assert!(app.state.review.accepting.is_none() && !Path::new(crate::review::ACCEPT_FILE).exists());
}

#[test]
fn where_there_is_no_repository_it_says_what_to_do() {
    if !has_git() {
        return;
    }
    let project = Project::new();
    std::fs::remove_dir_all(project.path().join(".git")).unwrap();
    let mut app = project.review(80, 24, |_| {});
    // Where the words are wrapped depends on where the folder is.
    assert!(app.text().contains("--against") && !app.text().contains("b revision"), "{}", app.text());
    assert!(app.text().contains("misfire review --against PATH"), "{}", app.text());
    press(&mut app, "b");
    assert!(app.state.overlay.is_none() && app.text().contains("no git history"), "{}", app.text());
    press(&mut app, "a");
    assert!(app.text().contains("no finding of a review is selected"), "{}", app.text());
}

#[test]
fn flips_since_a_revision_each_with_the_change_that_it_comes_from() {
    if !has_git() {
        return;
    }
    let project = Project::changed();
    for (columns, rows) in [(80, 24), (120, 40)] {
        let mut app = project.open(columns, rows, |_| {});
        press(&mut app, "F");
        assert!(app.text().contains("No verdict is another one since the start."), "{}", app.text());
        press(&mut app, "b H E A D Enter");
        project.shorten(&mut app);
        insta::assert_snapshot!(format!("flips_{columns}x{rows}"), app.text());
    }
}

#[test]
fn flips_since_the_start_and_since_a_mark_have_their_causes_too() {
    if !has_git() {
        return;
    }
    let project = Project::new();
    let mut app = project.open(120, 40, |_| {});
    let save = |app: &mut Headless, text: &str| {
        project.write("tools/SearchOrders.json", text);
        let _ = app.send(Msg::Watch(Change::Changed(vec![project.path().join("tools/SearchOrders.json")])));
        assert!(app.finish(LIMIT));
        app.text()
    };
    press(&mut app, "F");
    let text = save(&mut app, &SEARCH.replace(", \"amer\"", ""));
    assert!(text.contains("since the start") && text.contains("because: `region` no longer accepts \"amer\""), "{text}");
    press(&mut app, "B");
    assert!(app.text().contains("No verdict is another one"), "{}", app.text());
    // Mended since the mark: for the change that gave it back.
    let text = save(&mut app, SEARCH);
    assert!(text.contains("since the mark") && text.contains("because: `region` accepts \"amer\" too"), "{text}");
}

#[test]
fn the_revision_may_be_named_at_the_start() {
    if !has_git() {
        return;
    }
    let project = Project::changed();
    let mut app = project.open(120, 40, |options| options.baseline = Some("main".to_owned()));
    press(&mut app, "F");
    assert!(app.text().contains("(main)") && app.text().contains("2 now failing"), "{}", app.text());
    let mut app = project.open(120, 40, |options| options.baseline = Some("nope".to_owned()));
    assert!(app.text().contains("there is no revision `nope` in this clone"), "{}", app.text());
    // Without one it is the merge base with the default branch.
    press(&mut app, "F b Enter");
    assert!(app.text().contains("(merge base with main)"), "{}", app.text());
}

#[test]
fn keys_are_about_the_flip_that_is_selected_and_never_about_a_call_that_is_not_seen() {
    if !has_git() {
        return;
    }
    let project = Project::changed();
    let mut app = project.open(120, 40, |_| {});
    press(&mut app, "F b H E A D Enter");
    for keys in ["g", "j", "k"] {
        press(&mut app, keys);
        let flip = app.state.data.flips[app.state.flips.0].id;
        assert_eq!(app.state.data.calls.selected(), Some(flip), "{keys}: the selected call is the flip");
        press(&mut app, "m");
        assert!(app.state.data.find.notes.is_marked(flip), "{keys}");
        press(&mut app, "m");
    }
    press(&mut app, "g / t e x t , Space + 2");
    assert_eq!((app.state.flips.0, app.state.search.hits.len()), (1, 1), "what the row says is searched");
    press(&mut app, "Esc");
    assert_eq!(app.state.flips.0, 0);
    press(&mut app, "r");
    let attempt = app.state.edit.attempts.list().last().unwrap().parent;
    assert!(app.state.data.flips.iter().any(|flip| Some(flip.id) == attempt), "the flip was replayed");
    for screen in ["V", "S", "X"] {
        let mut app = project.open(120, 40, |_| {});
        press(&mut app, screen);
        for key in ["m", "e", "r", ";", "O"] {
            press(&mut app, key);
            assert!(app.text().contains("this pane is not about the selected call"), "{screen} {key}: {}", app.text());
        }
        assert_eq!((app.state.data.find.notes.marked(), app.state.edit.attempts.list().len()), (0, 0), "{screen}");
    }
}

#[test]
fn where_there_is_no_repository_flips_are_counted_from_a_mark() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("tools")).unwrap();
    std::fs::write(folder.path().join("tools/CancelOrder.json"), CANCEL).unwrap();
    let options = Options {
        tools: vec![folder.path().join("tools")],
        sessions: vec![folder.path().join("sessions")],
        theme: Some(ThemeKind::Mono),
        ..Options::default()
    };
    let mut app = Headless::start(&options, 160, 40).unwrap();
    assert!(app.finish(LIMIT));
    press(&mut app, "F b Enter");
    assert!(app.text().contains("flips can be counted from a mark (B)") && !app.text().contains("--against"), "{}", app.text());
}
