//! The commands as they are typed: output, exit status, and where each goes.
#![cfg(feature = "cli")]

use misfire::json::Value;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn run_in(folder: &Path, args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_misfire"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that does not read its input closes it; that is its right.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    child.wait_with_output().expect("the program ends")
}

/// Runs in the repository, on the bundled definitions and sessions.
fn run(args: &[&str]) -> Output {
    run_in(Path::new(env!("CARGO_MANIFEST_DIR")), args, b"")
}

fn out(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("UTF-8")
}

fn err(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("UTF-8")
}

fn status(output: &Output) -> i32 {
    output.status.code().expect("an exit status")
}

/// A project with one definition and some calls.
fn project(tool: &str, calls: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("tools")).unwrap();
    fs::create_dir(folder.path().join("sessions")).unwrap();
    fs::write(folder.path().join("tools/t.json"), tool).unwrap();
    fs::write(folder.path().join("sessions/s.jsonl"), calls).unwrap();
    folder
}

const TOOL: &str =
    r#"{"name": "t", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}}"#;
const RIGHT: &str = "{\"tool\":\"t\",\"arguments\":{\"a\":\"x\"}}\n";
const WRONG: &str = "{\"tool\":\"t\",\"id\":\"w\",\"arguments\":\"{}\"}\n";

#[test]
fn every_bundled_call_gets_the_known_answer() {
    let output = run(&["check", "--format", "ndjson"]);
    let expected = include_str!("vectors/sessions.ndjson");
    assert_eq!(out(&output).lines().count(), expected.lines().count());
    for (got, expected) in out(&output).lines().zip(expected.lines()) {
        // Calls that were still being streamed say so.
        let got = got.replace(",\"pending\":true}", "}");
        assert_eq!(Value::parse(got.as_bytes()), Value::parse(expected.as_bytes()), "\n{got}\n{expected}");
    }
    assert_eq!((status(&output), err(&output)), (1, ""));
}

#[test]
fn the_bundled_sessions_show_every_verdict_and_kind_of_issue() {
    let text = out(&run(&["check", "--format", "ndjson"])).to_owned();
    for part in ["accepted", "rejected", "unparsable", "unknown_tool", "passed_through"] {
        assert!(text.contains(&format!("\"verdict\":\"{part}\"")), "{part}");
    }
    for kind in ["missing", "unexpected", "type", "value"] {
        assert!(text.contains(&format!("\"kind\":\"{kind}\"")), "{kind}");
    }
    assert!(text.contains("\"recovered\":true") && text.contains("\"pending\":true"));
}

#[test]
fn check_says_by_its_status_what_it_found() {
    for (calls, args, expected) in [
        (RIGHT, &[][..], 0),
        (WRONG, &[], 1),
        ("", &[], 0),
        // Pending calls are judged and not counted.
        ("{\"tool\":\"t\",\"arguments\":\"{}\",\"pending\":true}\n", &[], 0),
        // A line that cannot be read: counted, located, and an error only where it is asked for.
        ("{\"tool\":\"t\",\"arguments\":{\"a\":\"x\"}}\n{oops}\n{\"tool\":\"t\",\"arguments\":{\"a\":\"x\"}}\n", &[], 0),
        ("{\"tool\":\"t\",\"arguments\":{\"a\":\"x\"}}\n{oops}\n", &["--strict"], 2),
        // The last line of a file that is still being written.
        ("{\"tool\":\"t\",\"arguments\":{\"a\":\"x\"}}\n{\"tool\":", &["--strict"], 0),
    ] {
        let folder = project(TOOL, calls);
        let args: Vec<&str> = ["check", "--format", "ndjson"].iter().chain(args).copied().collect();
        let output = run_in(folder.path(), &args, b"");
        assert_eq!(status(&output), expected, "{calls} {args:?}: {}{}", out(&output), err(&output));
        if calls.contains("oops") {
            assert!(err(&output).contains("s.jsonl:2") && err(&output).contains("1 line could not be read"), "{}", err(&output));
        }
    }
}

#[test]
fn what_cannot_be_read_is_status_2_and_the_rest_is_printed() {
    let folder = project(TOOL, WRONG);
    fs::write(folder.path().join("tools/broken.json"), "{\n  \"name\": \"b\",\n").unwrap();
    let output = run_in(folder.path(), &["check", "--format", "ndjson"], b"");
    assert_eq!(status(&output), 2);
    assert!(err(&output).contains("tools/broken.json:3:1: not JSON: expected `\"` (a key)"), "{}", err(&output));
    assert_eq!(out(&output).lines().count(), 1);

    let output =
        run_in(folder.path(), &["check", "nowhere.jsonl", "sessions", "--tools", "tools/t.json", "--format", "ndjson"], b"");
    assert_eq!(status(&output), 2);
    assert!(err(&output).contains("nowhere.jsonl"), "{}", err(&output));
    assert_eq!(out(&output).lines().count(), 1);

    for args in [&["check", "--format", "yaml"][..], &["check", "--only", "wrong"], &["chek"], &["--no-such-flag"]] {
        assert_eq!(status(&run_in(folder.path(), args, b"")), 2, "{args:?}");
    }
    fs::write(folder.path().join("misfire.toml"), "toools = \"x\"\n").unwrap();
    let output = run_in(folder.path(), &["check"], b"");
    assert_eq!(status(&output), 2);
    assert!(err(&output).contains("misfire.toml") && err(&output).contains("toools"), "{}", err(&output));
}

#[test]
fn check_reads_stdin_and_selects_verdicts() {
    let folder = project(TOOL, "");
    let calls = format!("{RIGHT}{WRONG}");
    let output =
        run_in(folder.path(), &["check", "-", "--format", "ndjson", "--only", "rejected,unknown_tool"], calls.as_bytes());
    assert_eq!(
        out(&output),
        "{\"tool\":\"t\",\"id\":\"w\",\"source\":\"-:2\",\"verdict\":\"rejected\",\"is_error\":true,\"issues\":[{\"kind\":\"missing\",\"path\":\"a\",\"pointer\":\"/a\"}],\"text\":\"t failed due to the following issue(s):\\nThe required parameter `a` is missing\",\"recovered\":false}\n"
    );
    assert_eq!(status(&output), 1);
    // The status speaks of all calls, whatever is shown.
    let output = run_in(folder.path(), &["check", "-", "--format", "json", "--only", "accepted"], calls.as_bytes());
    assert_eq!(status(&output), 1);
    assert_eq!(Value::parse(&output.stdout).unwrap().as_array().map(<[Value]>::len), Some(1));
    let output = run_in(folder.path(), &["check", "-", "--format", "json"], b"");
    assert_eq!((out(&output), status(&output)), ("[]\n", 0));
}

#[test]
fn check_for_people_groups_failures_by_tool_and_counts() {
    let folder = project(TOOL, &format!("{RIGHT}{WRONG}{{\"tool\":\"\\u001b[2J\",\"arguments\":\"{{\"}}\n"));
    let output = run_in(folder.path(), &["check"], b"");
    let text = out(&output);
    assert!(!text.contains('\u{1b}') && text.contains("<ESC>[2J  1 call"), "{text}");
    assert!(text.contains("  sessions/s.jsonl:2  rejected  w\n    missing     a\n    the model would read:\n"), "{text}");
    assert!(text.ends_with("3 calls: 1 accepted, 1 rejected, 1 unknown_tool (1 recovered); 1 issue: 1 missing\n"), "{text}");
}

#[test]
fn call_prints_the_exact_text_and_not_one_byte_more() {
    let folder = project(TOOL, "");
    let model = |args: &[&str], input: &[u8]| {
        let args: Vec<&str> = ["call", "t", "--format", "model"].iter().chain(args).copied().collect();
        let output = run_in(folder.path(), &args, input);
        (out(&output).to_owned(), status(&output))
    };
    let missing = "t failed due to the following issue(s):\nThe required parameter `a` is missing".to_owned();
    assert_eq!(model(&[], b""), (missing.clone(), 1), "absent is {{}}");
    assert_eq!(model(&["{}"], b""), (missing, 1));
    assert_eq!(model(&["-"], b"{\"a\":\"x\"}"), (String::new(), 0));
    fs::write(folder.path().join("arguments.json"), "{\"a\":[").unwrap();
    assert_eq!(model(&["@arguments.json"], b""), ("Failed to parse tool arguments".to_owned(), 1));
    let cut = "Failed to parse tool arguments (output truncated, please reduce your output)".to_owned();
    assert_eq!(model(&["@arguments.json", "--finish-reason", "length"], b""), (cut, 1));
    assert_eq!(model(&["@nowhere.json"], b"").1, 2);
    let unknown = run_in(folder.path(), &["call", "nope", "--format", "model"], b"");
    assert_eq!((out(&unknown), status(&unknown)), ("Error: Tool 'nope' not found", 1));
}

#[test]
fn call_as_json_has_stages_and_wire_results() {
    let folder = project(TOOL, "");
    let output = run_in(folder.path(), &["call", "t", "{\"a\": 1}", "--format", "json"], b"");
    let value = Value::parse(&output.stdout).unwrap();
    let at = |pointer: &str| value.at_pointer(pointer).unwrap_or(&Value::Null).to_json();
    assert_eq!(at("/verdict"), "\"rejected\"");
    assert_eq!(at("/stages/validate"), "\"stopped_here\"");
    assert_eq!(at("/stages/run"), "\"not_entered\"");
    assert_eq!(at("/wire/anthropic/is_error"), "true");
    assert_eq!(at("/wire/mcp/isError"), "true");
    assert_eq!(at("/wire/openai/content"), at("/text"));
    assert_eq!(at("/wire/gemini/functionResponse/response/error"), at("/text"));
    assert_eq!(at("/wire/responses/output"), at("/text"));
}

#[test]
fn tools_lists_and_shows() {
    let output = run(&["tools"]);
    let text = out(&output);
    assert!(text.contains("search_train_tickets  mcp      4 parameters   tools/mcp/tickets.json:6\n"), "{text}");
    assert!(text.lines().any(|l| l.starts_with("run_sql ") && l.contains("custom")), "{text}");
    let output = run(&["tools", "--format", "json"]);
    let list = Value::parse(&output.stdout).unwrap();
    assert_eq!(list.as_array().map(<[Value]>::len), Some(text.lines().count() - 1));

    let output = run(&["tools", "AskUserQuestion"]);
    assert!(out(&output).contains("* questions  array  (minItems 1, maxItems 4: not enforced)"), "{}", out(&output));
    let output = run(&["tools", "mcp__tickets__search_train_tickets", "--format", "json"]);
    let one = Value::parse(&output.stdout).unwrap();
    assert_eq!(one.get("also").unwrap().to_json(), "\"mcp__tickets__search_train_tickets\"");
    let output = run(&["tools", "Raed"]);
    assert!(status(&output) == 2 && err(&output).contains("no definition of `Raed`"), "{}", err(&output));
}

/// Every `misfire` command in the README runs and does not fail to run.
#[test]
fn the_commands_of_the_readme_work() {
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let commands: Vec<&str> = readme.lines().filter_map(|line| line.strip_prefix("    misfire ")).collect();
    assert!(commands.len() >= 5, "{commands:?}");
    let folder = tempfile::tempdir().unwrap();
    for command in commands {
        // Through a shell, as a reader would type it; what a command writes goes to a folder of its own.
        let program = env!("CARGO_BIN_EXE_misfire");
        let line = format!("'{program}' {}", command.replace("/tmp/", &format!("{}/", folder.path().display())));
        let output = Command::new("sh")
            .args(["-c", &line])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdin(Stdio::null())
            .output()
            .expect("a shell");
        assert!(matches!(output.status.code(), Some(0 | 1)), "misfire {command}: {}", err(&output));
    }
}

#[test]
fn a_filter_chooses_what_is_reported() {
    let folder = project(TOOL, &format!("{RIGHT}{WRONG}"));
    let lines = |filter: &str| {
        let output = run_in(folder.path(), &["check", "--format", "ndjson", "--where", filter], b"");
        (out(&output).lines().count(), status(&output))
    };
    assert_eq!(lines("kind:missing at:/a"), (1, 1));
    assert_eq!(lines("args:x"), (1, 1), "the exit status speaks of all calls");
    assert_eq!(lines("err:\"is missing\" !file:s.*"), (0, 1));
    assert_eq!(lines("tool:t|u"), (2, 1));
    for (filter, instead) in [("is:marked", "misfire marks"), ("tool:t !(~flipped | n>1)", "misfire review")] {
        for command in ["check", "stats", "watch"] {
            let output = run_in(folder.path(), &[command, "--where", filter], b"");
            assert_eq!((status(&output), err(&output).contains(instead)), (2, true), "{}", err(&output));
        }
    }
    let output = run_in(folder.path(), &["check", "--where", "tool:t kind:missng"], b"");
    assert_eq!((status(&output), out(&output)), (2, ""));
    let text = err(&output);
    assert!(text.contains("did you mean `missing`?\n\ntool:t kind:missng\n            ^^^^^^\n"), "{text}");
}

#[test]
fn a_report_is_markdown_or_a_page_with_the_same_content() {
    let folder = tempfile::tempdir().unwrap();
    let calls = r#"{"id":"<b>1","tool":"Read","arguments":{"file":"<script>"}}
{"tool":"Read","arguments":{"file_path":"a"}}
"#;
    fs::write(folder.path().join("calls.jsonl"), calls).unwrap();
    let tools = format!("{}/tools", env!("CARGO_MANIFEST_DIR"));
    let of = |format: &str| run_in(folder.path(), &["check", "calls.jsonl", "--tools", &tools, "--format", format], b"");
    let (markdown, page) = (of("markdown"), of("html"));
    assert_eq!((markdown.status.code(), page.status.code()), (Some(1), Some(1)));
    for part in ["2 calls: 1 accepted, 1 rejected", "calls.jsonl:1", "The model would read:", "file_path"] {
        assert!(out(&markdown).contains(part) && out(&page).contains(part), "{part}: {} {}", out(&markdown), out(&page));
    }
    assert!(!out(&page).contains("<script") && out(&page).contains("&lt;b&gt;1") && out(&page).ends_with("</html>\n"));
    let followed = run_in(folder.path(), &["check", "calls.jsonl", "--tools", &tools, "--format", "html", "--follow"], b"");
    assert_eq!((followed.status.code(), err(&followed).contains("cannot be followed")), (Some(2), true));
}
