//! `misfire check --follow` and `misfire watch` as they are typed, while others write.
#![cfg(feature = "cli")]

mod program;

use program::{Running, run};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

const TOOL: &str =
    r#"{"name": "t", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}}"#;

fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("tools")).unwrap();
    fs::create_dir(folder.path().join("sessions")).unwrap();
    fs::write(folder.path().join("tools/t.json"), TOOL).unwrap();
    folder
}

fn wrong(id: &str) -> String {
    format!("{{\"id\":\"{id}\",\"tool\":\"t\",\"arguments\":{{\"b\":1}}}}\n")
}

fn append(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    File::options().append(true).create(true).open(path).unwrap().write_all(text.as_bytes()).unwrap();
}

#[test]
fn watch_prints_each_new_failure_with_its_text() {
    let folder = project();
    let session = folder.path().join("sessions/a.jsonl");
    append(&session, &wrong("old"));
    let watch = Running::start(folder.path(), &["watch"]);
    watch.until_err("following 1 call in 1 file");
    append(&session, "{\"id\":\"right\",\"tool\":\"t\",\"arguments\":{\"a\":\"x\"}}\n");
    append(&session, &wrong("new"));
    watch.until_out("  new\n");
    // A folder that is new, and one in it.
    append(&folder.path().join("sessions/x/y/b.jsonl"), &wrong("nested"));
    watch.until_out("nested");
    // Definitions that changed hold for what comes then.
    fs::write(folder.path().join("tools/t.json"), TOOL.replace("\"a\"", "\"b\"").replace("string", "integer")).unwrap();
    watch.until_err("definitions changed: t");
    append(&session, &wrong("right now"));
    append(&session, "{\"id\":\"last\",\"tool\":\"gone\",\"arguments\":{}}\n");
    watch.until_out("  last\n");
    let result = watch.stop();
    assert_eq!(result.status, 130, "{}", result.err);
    assert_eq!(
        result.out,
        "sessions/a.jsonl:3  t  rejected  new\n    t failed due to the following issue(s):\n    The required parameter `a` is missing\n    An unexpected parameter `b` was provided\n\
        sessions/x/y/b.jsonl:1  t  rejected  nested\n    t failed due to the following issue(s):\n    The required parameter `a` is missing\n    An unexpected parameter `b` was provided\n\
        sessions/a.jsonl:5  gone  unknown_tool  last\n    Error: Tool 'gone' not found\n"
    );
}

#[test]
fn check_follow_begins_with_what_is_there_and_ends_with_counts() {
    let folder = project();
    let session = folder.path().join("sessions/a.jsonl");
    append(&session, &wrong("1"));
    for (format, end) in
        [("text", "2 calls: 2 rejected; 4 issues: 2 missing, 2 unexpected\n"), ("ndjson", "}\n"), ("json", "}\n]\n")]
    {
        fs::write(&session, wrong("1")).unwrap();
        let check = Running::start(folder.path(), &["check", "--follow", "--format", format]);
        check.until_err("following 1 call in 1 file");
        append(&session, &wrong("2"));
        check.until(|run| run.out().matches("rejected").count() == 2, "the second");
        let result = check.stop();
        assert_eq!(result.status, 130);
        assert!(result.out.ends_with(end), "{}", result.out);
    }
    let refused = run(folder.path(), &["check", "-", "--follow"], b"");
    assert!(refused.status == 2 && refused.err.contains("stdin"), "{}", refused.err);
}

#[test]
fn files_that_are_written_again_or_moved_bring_nothing_twice() {
    let folder = project();
    let session = folder.path().join("sessions/a.jsonl");
    let ids = |n: std::ops::Range<u32>| n.map(|n| wrong(&format!("c{n}"))).collect::<String>();
    append(&session, &ids(0..3));
    let watch = Running::start(folder.path(), &["watch", "--format", "ndjson"]);
    watch.until_err("following 3 calls");
    let mut marks = 0;
    // What follows each step shows that the step itself has been seen.
    let mut settle = |watch: &Running| {
        marks += 1;
        append(&folder.path().join("sessions/mark.jsonl"), &wrong(&format!("mark{marks}")));
        watch.until_out(&format!("mark{marks}\""));
    };
    // Written anew from its beginning, in two pieces, then with a call in the middle.
    fs::write(&session, ids(0..2)).unwrap();
    settle(&watch);
    append(&session, &ids(2..4));
    settle(&watch);
    fs::write(&session, ids(0..1) + &wrong("inserted") + &ids(1..4)).unwrap();
    settle(&watch);
    // Renamed, and another one begun.
    fs::rename(&session, folder.path().join("sessions/a.jsonl.1")).unwrap();
    append(&session, &ids(4..5));
    settle(&watch);
    // Copied and cut.
    fs::copy(&session, folder.path().join("sessions/a-1.jsonl")).unwrap();
    settle(&watch);
    File::options().write(true).open(&session).unwrap().set_len(0).unwrap();
    settle(&watch);
    append(&session, &ids(5..6));
    settle(&watch);
    // Away and back.
    fs::rename(&session, folder.path().join("b.jsonl")).unwrap();
    settle(&watch);
    fs::rename(folder.path().join("b.jsonl"), &session).unwrap();
    settle(&watch);
    let result = watch.stop();
    let seen: Vec<&str> = result.out.lines().map(id).filter(|id| !id.starts_with("mark")).collect();
    assert_eq!(seen, ["c3", "inserted", "c4", "c5"], "{}", result.out);
}

fn id(line: &str) -> &str {
    line.split("\"id\":\"").nth(1).and_then(|rest| rest.split('"').next()).expect("an id")
}

/// How many calls each of them makes.
const CALLS: usize = 240;

/// Agents that write at once, in pieces of any size, one of them into files that are renamed, one into files that are copied
/// and cut, and one that writes its file anew each time: in the end every call has been printed once.
#[test]
fn nothing_is_missed_or_repeated_while_many_write() {
    let folder = project();
    let sessions = folder.path().join("sessions");
    let watch = Running::start(folder.path(), &["watch", "--format", "ndjson"]);
    watch.until_err("following 0 calls");
    std::thread::scope(|scope| {
        let sessions = &sessions;
        for writer in 0..2 {
            let path = sessions.join(format!("sub{writer}/w{writer}.jsonl"));
            scope.spawn(move || in_pieces(&path, &format!("w{writer}")));
        }
        scope.spawn(move || renaming(&sessions.join("rotated.jsonl")));
        scope.spawn(move || copying(&sessions.join("cut.jsonl")));
        scope.spawn(move || rewriting(&sessions.join("anew.jsonl")));
    });
    watch.until(|run| run.out().lines().count() >= 5 * CALLS, "every call");
    // Nothing may come after that either.
    append(&sessions.join("last.jsonl"), &wrong("last"));
    watch.until_out("\"last\"");
    let result = watch.stop();
    let mut counts = BTreeMap::new();
    for line in result.out.lines() {
        *counts.entry(id(line)).or_insert(0_usize) += 1;
    }
    let repeated: Vec<_> = counts.iter().filter(|(_, n)| **n > 1).collect();
    assert!(repeated.is_empty(), "{repeated:?}");
    assert_eq!(counts.len(), 5 * CALLS + 1);
    assert!(!result.err.contains("not readable"), "{}", result.err);
}

fn call(name: &str, n: usize) -> String {
    wrong(&format!("{name}-{n}"))
}

fn pause(n: usize) {
    std::thread::sleep(Duration::from_micros((n as u64 * 7919) % 9000));
}

fn in_pieces(path: &Path, name: &str) {
    let text: String = (0..CALLS).map(|n| call(name, n)).collect();
    let mut rest = text.as_str();
    let mut step = 7;
    while !rest.is_empty() {
        step = (step * 31 + 17) % 149 + 1;
        let (piece, after) = rest.split_at(step.min(rest.len()));
        append(path, piece);
        rest = after;
        pause(step);
    }
}

fn renaming(path: &Path) {
    for n in 0..CALLS {
        append(path, &call("rotated", n));
        pause(n);
        if n % 40 == 39 {
            for k in (1..5).rev() {
                let _ = fs::rename(with(path, k), with(path, k + 1));
            }
            fs::rename(path, with(path, 1)).unwrap();
        }
    }
}

fn copying(path: &Path) {
    for n in 0..CALLS {
        append(path, &call("cut", n));
        pause(n);
        if n % 40 == 39 {
            fs::copy(path, with(path, n)).unwrap();
            File::options().write(true).open(path).unwrap().set_len(0).unwrap();
        }
    }
}

fn rewriting(path: &Path) {
    let mut text = String::new();
    for n in 0..CALLS {
        text.push_str(&call("anew", n));
        fs::write(path, &text).unwrap();
        pause(n);
    }
}

fn with(path: &Path, n: usize) -> PathBuf {
    PathBuf::from(format!("{}.{n}", path.display()))
}

/// From append to output: the quiet period and less than 150 ms; the median, as other work on the machine delays some.
#[test]
fn a_failure_is_printed_soon() {
    let folder = project();
    for n in 0..50 {
        append(&folder.path().join(format!("sessions/old{n}.jsonl")), &wrong("x").repeat(20));
    }
    let watch = Running::start(folder.path(), &["watch", "--format", "ndjson"]);
    watch.until_err("following");
    let session = folder.path().join("sessions/a.jsonl");
    let mut took: Vec<Duration> = (0..15)
        .map(|n| {
            append(&session, &wrong(&format!("n{n}")));
            watch.until_out(&format!("\"n{n}\""))
        })
        .collect();
    took.sort();
    assert!(took[7] < Duration::from_millis(180), "{took:?}");
    println!("from append to output: median {:?}, longest {:?}", took[7], took[14]);
}

#[test]
fn what_is_printed_is_not_followed() {
    let folder = project();
    let out = File::create(folder.path().join("sessions/out.jsonl")).unwrap();
    let status = std::process::Command::new(env!("CARGO_BIN_EXE_misfire"))
        .args(["watch", "--format", "ndjson"])
        .current_dir(folder.path())
        .stdout(out)
        .stderr(std::process::Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(2));
}

/// Ctrl-C ends it as ever, and the status says that not everything was read.
#[test]
fn a_path_that_never_came_is_a_failure() {
    let folder = project();
    append(&folder.path().join("sessions/a.jsonl"), &wrong("1"));
    let check = Running::start(folder.path(), &["check", "--follow", "sessions", "nowhere.jsonl"]);
    check.until_err("nowhere.jsonl: there is no such file");
    check.until_err("following 1 call");
    let result = check.stop();
    assert_eq!(result.status, 2, "{}", result.err);
    assert!(result.out.ends_with("1 call: 1 rejected; 2 issues: 1 missing, 1 unexpected\n"), "{}", result.out);
}

/// What a capture carries judges its calls, those that come later too.
#[test]
fn definitions_in_a_capture_are_followed() {
    let folder = project();
    let request = |key: &str| {
        format!(
            "{{\"model\":\"m\",\"messages\":[{{\"role\":\"assistant\",\"content\":[{{\"type\":\"tool_use\",\"id\":\"{key}\",\"name\":\"t\",\"input\":{{\"{key}\":\"x\"}}}}]}}],\"tools\":[{{\"name\":\"t\",\"input_schema\":{{\"type\":\"object\",\"properties\":{{\"own\":{{\"type\":\"string\"}}}},\"required\":[\"own\"]}}}}]}}\n"
        )
    };
    let session = folder.path().join("sessions/api.jsonl");
    append(&session, &request("own"));
    let watch = Running::start(folder.path(), &["watch", "--format", "ndjson"]);
    watch.until_err("following 1 call");
    append(&session, &request("a"));
    watch.until_out("`own` is missing");
    assert_eq!(watch.stop().status, 130);
}

/// A folder that is not there yet cannot be watched: it is looked for every second.
#[test]
fn a_folder_that_comes_later_is_found() {
    let folder = project();
    let watch = Running::start(folder.path(), &["watch", "later/logs", "--where", "tool:t"]);
    watch.until_err("looking every second instead");
    watch.until_err("following 0 calls");
    append(&folder.path().join("later/logs/a.jsonl"), &(wrong("here").replace("\"t\"", "\"other\"") + &wrong("there")));
    watch.until_out("there");
    let result = watch.stop();
    assert_eq!(result.status, 130);
    assert!(result.out.starts_with("later/logs/a.jsonl:2  t  rejected  there\n"), "{}", result.out);
}
