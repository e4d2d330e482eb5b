//! Commands that lie around the terminal app: the demonstration where there is no terminal, keys, manual page, completions.

#![cfg(feature = "tui")]

mod program;

use misfire::json::Value;
use program::run;
use std::fs;
use std::process::Command;

#[test]
fn the_demo_prints_its_story_where_there_is_no_terminal_and_leaves_nothing() {
    let (here, temporary) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    // A configuration that cannot be used is no reason not to play.
    fs::write(here.path().join("misfire.toml"), "nonsense").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_misfire"))
        .args(["demo"])
        .current_dir(here.path())
        .env("TMPDIR", temporary.path())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for part in [
        "nothing of yours is read or written",
        "rejected  Edit",
        "The required parameter `file_path` is missing",
        "unparsable  Edit",
        "unknown_tool  update_timetable",
        "2 calls that passed before fail now:",
        "No call that passed before fails now.",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains(temporary.path().to_str().unwrap()));
    assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0);
    assert_eq!(fs::read_dir(here.path()).unwrap().count(), 1);
}

#[test]
fn a_demo_without_room_for_it_says_so() {
    let here = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_misfire"))
        .args(["demo", "--print"])
        .current_dir(here.path())
        .env("TMPDIR", here.path().join("nowhere"))
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && error.contains("the demo needs a folder for temporary files"), "{error}");
}

#[test]
fn keys_are_listed_with_a_persons_changes() {
    let folder = tempfile::tempdir().unwrap();
    let keys = |args: &[&str]| run(folder.path(), &[&["keys"][..], args].concat(), b"").out;
    assert!(keys(&["replay"]).contains("r (list, tree, diff)"), "{}", keys(&["replay"]));
    fs::write(folder.path().join("misfire.toml"), "[keys.list]\nreplay = [\"t\", \"F6\"]\n").unwrap();
    assert!(keys(&["replay"]).contains("t F6 (list); r (tree, diff)"), "{}", keys(&["replay"]));
    let json = Value::parse(keys(&["--format", "json", "replay", "zoom"]).as_bytes()).unwrap();
    assert_eq!(json.at_pointer("/0/keys/list").unwrap().to_json(), "[\"t\",\"F6\"]");
    assert_eq!(json.at_pointer("/1/name").unwrap().to_json(), "\"zoom\"");
    assert!(keys(&["--format", "markdown"]).contains("| `replay` | `t` `F6` (list); `r` (tree, diff) |"));
    let everything = keys(&[]);
    for action in misfire::tui::keys::ACTIONS {
        assert!(everything.lines().any(|line| line.trim_start().starts_with(action.name)), "{}", action.name);
    }
    let unknown = run(folder.path(), &["keys", "replya"], b"");
    assert!(unknown.status == 2 && unknown.err.contains("there is no action `replya`"), "{}", unknown.err);
}

#[test]
fn mistakes_in_keys_are_told_with_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let check = |config: &str| {
        fs::write(folder.path().join("misfire.toml"), config).unwrap();
        let output = run(folder.path(), &["keys", "--check"], b"");
        (output.status, output.out)
    };
    assert_eq!(check(""), (0, String::new()));
    let note = "misfire.toml:2: note: `e` no longer does edit in list\n".to_owned();
    assert_eq!(check("[keys.list]\nreplay = \"e\"\n"), (0, note), "what yields is good to know and no mistake");
    let (status, said) = check("theme = 1\n[keys.list]\nreplya = \"F6\"\nopen = \"Hyper-x\"\n");
    assert_eq!(status, 1);
    assert_eq!(
        said.lines().map(|line| line.split(": ").take(2).collect::<Vec<_>>().join(": ")).collect::<Vec<_>>(),
        ["misfire.toml:3: error", "misfire.toml:4: error"],
        "{said}"
    );
    let (status, said) = check("[keys.list\n");
    assert!(status == 1 && said.starts_with("misfire.toml:1: error: this is not TOML"), "{said}");
}

#[test]
fn completions_know_commands_options_and_actions() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run(folder.path(), &["completions", shell], b"");
        assert_eq!(output.status, 0);
        // Names of actions are values of an argument without a flag, which some of the generated scripts leave out.
        let names = if ["bash", "zsh"].contains(&shell) { &["show-flips"][..] } else { &[] };
        for part in ["check", "completions", "no-motion"].iter().chain(names) {
            assert!(output.out.contains(part), "{part} for {shell}");
        }
    }
}

#[test]
fn the_manual_page_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let page = run(folder.path(), &["man"], b"").out;
    for part in ["misfire check", "misfire lint", ".SH KEYS", "replay\\-edited", ".SH FILES", ".SH EXIT STATUS"] {
        assert!(page.contains(part), "{part}");
    }
    let requests = page.lines().filter(|line| line.starts_with('.'));
    let known = [".ie", ".el", ".TH", ".SH", ".SS", ".TP", ".RS", ".RE", ".br", ".PP", ".IP", ".sp"];
    for line in requests {
        assert!(known.iter().any(|known| line.starts_with(known)), "{line}");
    }
}

#[test]
fn a_call_is_shown_by_its_place_or_its_id_as_each_tab_does() {
    let show = |args: &[&str]| run(program::root(), &[&["show"][..], args].concat(), b"");
    let place = "sessions/wave-refactor.jsonl:11";
    let all = show(&[place]);
    assert_eq!(all.status, 1, "{}", all.err);
    assert_eq!(show(&["call_h14"]).out, all.out);
    assert_eq!(show(&["./sessions/wave-refactor.jsonl:11"]).out, all.out);
    for (tab, part) in [
        ("arguments", "\"multiSelect\": \"false\""),
        ("issues", "missing questions[0].header"),
        ("model-text", "AskUserQuestion failed due to the following issue(s):\nThe required parameter"),
        ("wire", "\"anthropic\": {"),
        ("schema", "\"name\": \"AskUserQuestion\""),
        ("raw", "call_h14"),
        ("stages", "validate    stopped here"),
        ("json", "\"stages\":{"),
    ] {
        let shown = show(&[place, "--tab", tab]);
        assert!(shown.out.contains(part), "{tab}: {}{}", shown.out, shown.err);
    }
    assert!(!show(&[place, "--tab", "model-text"]).out.ends_with('\n'), "not one byte more");
    let unknown = show(&["nobody"]);
    assert!(unknown.status == 2 && unknown.err.contains("there is no call `nobody`"), "{}", unknown.err);
}

#[test]
fn two_attempts_are_compared() {
    let diff = run(program::root(), &["diff", "tour-02", "tour-02.2"], b"");
    assert_eq!(diff.status, 0, "{}", diff.err);
    for part in [
        "  TaskUpdate  rejected",
        "  TaskUpdate  accepted",
        "issues fixed 2, new 0, still there 0",
        "-   \"id\": \"2\"",
        "+   \"taskId\": \"2\"",
    ] {
        assert!(diff.out.contains(part), "{part} in {}", diff.out);
    }
    assert_eq!(run(program::root(), &["diff", "tour-02", "nobody"], b"").status, 2);
}

#[test]
fn every_command_of_the_page_on_screens_is_there() {
    let page = include_str!("../docs/screens.md");
    let commands = page.split('`').filter_map(|code| code.strip_prefix("misfire ")).filter_map(|rest| rest.split(' ').next());
    for command in commands {
        let help = run(program::root(), &[command, "--help"], b"");
        assert_eq!(help.status, 0, "{command}");
    }
}

#[test]
fn a_call_is_judged_by_the_definitions_that_its_capture_carries() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("sessions")).unwrap();
    let request = r#"{"model":"m","tools":[{"name":"carried","description":"d","input_schema":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}}],"messages":[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"carried","input":{}}]}]}"#;
    fs::write(folder.path().join("sessions/request.json"), request).unwrap();
    let checked = run(folder.path(), &["check", "--format", "ndjson"], b"").out;
    let shown = run(folder.path(), &["show", "toolu_1", "--tab", "json"], b"").out;
    let kind =
        |text: &str| Value::parse(text.lines().next().unwrap_or_default().as_bytes()).unwrap().get("verdict").unwrap().to_json();
    assert_eq!((kind(&checked), kind(&shown)), ("\"rejected\"".to_owned(), "\"rejected\"".to_owned()), "{checked}{shown}");
}
