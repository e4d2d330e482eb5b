//! Named sets of definitions, a run judged by the wrong ones, and progress: as they are typed and seen.
#![cfg(feature = "cli")]

mod program;

use program::{root, run};
use std::fs;
use std::io::{Read as _, Write as _};
use std::time::{Duration, Instant};

#[test]
fn sets_are_there_wherever_the_program_is() {
    let folder = tempfile::tempdir().unwrap();
    let listed = run(folder.path(), &["tools", "--tools", "@wave"], b"");
    let bundled = run(root(), &["tools"], b"");
    assert_eq!(listed.out.lines().count(), bundled.out.lines().count());
    let judged = run(folder.path(), &["call", "Task", "{}", "--tools", "@claude-code-2.1.45", "--format", "model"], b"");
    assert_eq!(
        judged.out,
        "Task failed due to the following issue(s):\nThe required parameter `description` is missing\n\
        The required parameter `prompt` is missing\nThe required parameter `subagent_type` is missing"
    );
    let newest = run(folder.path(), &["call", "Task", "{}", "--tools", "@claude-code", "--format", "model"], b"");
    assert_eq!(newest.out, "Error: Tool 'Task' not found");
    let unknown = run(folder.path(), &["tools", "--tools", "@nobody"], b"");
    assert!(unknown.status == 2 && unknown.err.contains("there are @claude-code and @wave"), "{}", unknown.err);
    // Several, and files beside them: the first that knows a name holds.
    let both = run(folder.path(), &["call", "Agent", "{}", "--tools", "@claude-code", "--tools", "@claude-code-2.1.45"], b"");
    assert!(both.status == 1 && both.err.contains("already defined at @claude-code-2.1.332"), "{}", both.err);
}

#[test]
fn a_set_with_versions_is_chosen_by_what_the_sessions_say() {
    let folder = tempfile::tempdir().unwrap();
    let session = |version: &str| {
        format!(
            "{{\"type\":\"assistant\",\"sessionId\":\"s\",\"version\":\"{version}\",\"message\":{{\"role\":\"assistant\",\"content\":[{{\"type\":\"tool_use\",\"id\":\"x\",\"name\":\"Task\",\"input\":{{}}}}]}}}}\n"
        )
    };
    for (version, verdict, said) in
        [("2.1.59", "rejected", "judged by @claude-code-2.1.45"), ("2.1.400", "unknown_tool", "judged by @claude-code-2.1.332")]
    {
        fs::write(folder.path().join("s.jsonl"), session(version)).unwrap();
        let judged = run(folder.path(), &["check", "s.jsonl", "--tools", "@claude-code", "--format", "ndjson"], b"");
        assert!(judged.out.contains(&format!("\"verdict\":\"{verdict}\"")), "{}", judged.out);
        assert!(judged.err.contains(said) && judged.err.contains(version), "{}", judged.err);
    }
}

#[test]
fn a_run_of_unknown_tools_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("tools")).unwrap();
    fs::write(folder.path().join("tools/t.json"), r#"{"name":"t","parameters":{"properties":{}}}"#).unwrap();
    let calls = |tool: &str| format!("{{\"tool\":\"{tool}\",\"arguments\":{{}}}}\n");
    let input = calls("TodoWrite").repeat(30)
        + &calls("ToolSearch").repeat(20)
        + &calls("t")
        + "{\"tool\":\"t\",\"arguments\":{\"x\":1}}\n";
    let judged = run(folder.path(), &["check", "-"], input.as_bytes());
    assert_eq!(judged.status, 1);
    assert!(
        judged.out.starts_with(
            "50 of 52 calls are of tools that no definition here knows: these look like Claude Code calls, judged by other definitions: try --tools @claude-code\n\nt  1 call\n"
        ),
        "{}",
        judged.out
    );
    assert!(
        !judged.out.contains("TodoWrite")
            && judged.out.ends_with("52 calls: 1 accepted, 1 rejected, 50 unknown_tool; 1 issue: 1 unexpected\n"),
        "{}",
        judged.out
    );
    // Asked for, they are shown; as data they are always there.
    assert!(run(folder.path(), &["check", "-", "--only", "unknown_tool"], input.as_bytes()).out.contains("TodoWrite  30 calls"));
    let data = run(folder.path(), &["check", "-", "--format", "ndjson"], input.as_bytes());
    assert!(data.out.lines().count() == 52 && data.err.contains("try --tools @claude-code"), "{}", data.err);
    let few = run(folder.path(), &["check", "-"], calls("TodoWrite").as_bytes());
    assert!(few.out.contains("TodoWrite  1 call"), "{}", few.out);
}

/// Each capture is judged by the version that wrote it, not all by the newest.
#[test]
fn a_version_is_chosen_for_each_capture() {
    let folder = tempfile::tempdir().unwrap();
    for version in ["2.1.59", "2.1.400"] {
        let line = format!(
            "{{\"type\":\"assistant\",\"sessionId\":\"s\",\"version\":\"{version}\",\"message\":{{\"role\":\"assistant\",\"content\":[{{\"type\":\"tool_use\",\"id\":\"x\",\"name\":\"Task\",\"input\":{{}}}}]}}}}\n"
        );
        fs::write(folder.path().join(format!("{version}.jsonl")), line).unwrap();
    }
    let judged = run(folder.path(), &["check", ".", "--tools", "@claude-code", "--format", "ndjson"], b"");
    let verdicts: Vec<bool> = judged.out.lines().map(|line| line.contains("\"unknown_tool\"")).collect();
    assert_eq!(verdicts, [true, false], "{}", judged.out);
    assert_eq!(judged.err.lines().count(), 2, "{}", judged.err);
}

/// Of two sessions, one is judged by the wrong definitions: its calls are one line, and those of the other are shown.
#[test]
fn a_session_of_unknown_tools_does_not_hide_another() {
    let folder = tempfile::tempdir().unwrap();
    let calls = |tool: &str, n: usize| format!("{{\"tool\":\"{tool}\",\"arguments\":{{}}}}\n").repeat(n);
    fs::write(folder.path().join("a.jsonl"), calls("TodoWrite", 30)).unwrap();
    fs::write(folder.path().join("b.jsonl"), calls("TaskList", 100) + &calls("TodoWrite", 1)).unwrap();
    let judged = run(folder.path(), &["check", ".", "--tools", "@wave"], b"");
    assert!(judged.out.starts_with("30 of 30 calls are of tools"), "{}", judged.out);
    assert!(judged.out.contains("TodoWrite  1 call\n  ./b.jsonl:101  "), "{}", judged.out);
    let data = run(folder.path(), &["check", ".", "--tools", "@wave", "--format", "ndjson"], b"");
    assert!(data.out.lines().count() == 131 && data.err.matches("try --tools").count() == 1, "{}", data.err);
}

/// What a capture carries is used for its calls, unless it is said which definitions are.
#[test]
fn captures_that_carry_definitions() {
    let folder = tempfile::tempdir().unwrap();
    let request = r#"{"model":"m","messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"send","input":{"to":1}}]}],"tools":[{"name":"send","input_schema":{"type":"object","properties":{"to":{"type":"string"}},"required":["to"]}}]}"#;
    fs::write(folder.path().join("api.jsonl"), format!("{request}\n")).unwrap();
    let list = r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"send","inputSchema":{"type":"object","properties":{"what":{"type":"string"}},"required":["what"]}}]}}"#;
    let call = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"send","arguments":{"what":"x"}}}"#;
    let ask = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    fs::write(folder.path().join("mcp.jsonl"), format!("{ask}\n{list}\n{call}\n")).unwrap();
    fs::create_dir(folder.path().join("tools")).unwrap();
    fs::write(folder.path().join("tools/send.json"), r#"{"name":"send","parameters":{"properties":{"other":{}}}}"#).unwrap();
    let verdicts = |args: &[&str]| {
        let judged = run(folder.path(), &[&["check", "api.jsonl", "mcp.jsonl", "--format", "ndjson"][..], args].concat(), b"");
        judged.out.lines().map(|line| line.contains("\"rejected\"")).collect::<Vec<_>>()
    };
    assert_eq!(verdicts(&[]), [true, false]);
    assert_eq!(verdicts(&["--threads", "1", "--thorough"]), [true, false]);
    assert_eq!(verdicts(&["--tools", "tools"]), [true, true]);
    let piped = run(folder.path(), &["check", "-", "--format", "ndjson"], request.as_bytes());
    assert!(piped.out.contains("\"type_mismatch\"") || piped.out.contains("expected"), "{}", piped.out);
}

#[test]
fn what_an_earlier_file_has_too_can_be_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let call = |id: &str| format!("{{\"id\":\"{id}\",\"tool\":\"TaskGet\",\"arguments\":{{}}}}\n");
    fs::write(folder.path().join("a.jsonl"), call("1") + &call("2")).unwrap();
    fs::write(folder.path().join("b.jsonl"), call("2") + &call("3")).unwrap();
    let all = run(folder.path(), &["check", ".", "--tools", "@wave", "--format", "ndjson"], b"");
    assert_eq!(all.out.lines().count(), 4);
    let once = run(folder.path(), &["check", ".", "--tools", "@wave", "--format", "ndjson", "--dedupe"], b"");
    assert_eq!(once.out.lines().count(), 3);
    assert!(once.err.contains("1 call left out, as earlier files have them"), "{}", once.err);
    let forced = run(folder.path(), &["check", "a.jsonl", "--tools", "@wave", "--format-in", "wave-agent"], b"");
    assert!(forced.out.starts_with("0 calls"), "{}", forced.out);
}

/// In a real terminal: shown once the work takes its time, and gone when it is done.
#[test]
fn long_work_shows_how_far_it_is() {
    let folder = tempfile::tempdir().unwrap();
    assert!(std::process::Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    let pair = portable_pty::native_pty_system().openpty(portable_pty::PtySize::default()).unwrap();
    let mut command = portable_pty::CommandBuilder::new(env!("CARGO_BIN_EXE_misfire"));
    command.args(["check", "pipe", "--tools", "@wave"]);
    command.cwd(folder.path());
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let feed = std::thread::spawn({
        let path = folder.path().join("pipe");
        move || {
            let mut pipe = fs::File::options().write(true).open(path).unwrap();
            let started = Instant::now();
            while started.elapsed() < Duration::from_millis(1500) {
                pipe.write_all(&b"{\"tool\":\"TaskList\",\"arguments\":{}}\n".repeat(2000)).unwrap();
                std::thread::sleep(Duration::from_millis(50));
            }
        }
    });
    let mut seen = String::new();
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = reader.read(&mut buffer) {
        seen.push_str(&String::from_utf8_lossy(&buffer[..read]));
    }
    feed.join().unwrap();
    assert!(child.wait().unwrap().success());
    assert!(seen.contains("\rmisfire: ") && seen.contains(" calls, 0 failures\u{1b}[K"), "{seen:?}");
    let (_, end) = seen.rsplit_once("\u{1b}[K").unwrap();
    assert!(end.starts_with(|c: char| c.is_ascii_digit()) && end.contains(" accepted\r\n"), "{end:?}");
}
