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
