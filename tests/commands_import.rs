//! `misfire import` as it is typed.
#![cfg(feature = "cli")]

mod program;

use misfire::json::Value;
use program::{Running, root, run};
use std::fs;

const CALLS: &str = r#"{"id":"c1","tool":"Read","arguments":{"file_path":"a.md"},"result":{"is_error":false,"text":"x"}}
{"id":"c2","tool":"Read","arguments":"{\"file_path\": \"b.md\"}","sidechain":true}
{"id":"c1","tool":"Read","arguments":{"file_path":"a.md"}}
{oops}
{"tool":"TaskList"}
"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("logs")).unwrap();
    fs::write(folder.path().join("logs/a.jsonl"), CALLS).unwrap();
    folder
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| Value::parse(line.as_bytes()).expect(line)).collect()
}

#[test]
fn calls_of_any_format_become_our_own() {
    let own = run(root(), &["import", "sessions"], b"");
    let judged = run(root(), &["check", "sessions", "--format", "ndjson"], b"");
    assert_eq!((own.status, own.out.lines().count()), (0, judged.out.lines().count()));
    // Read again, they are judged the same.
    let again = run(root(), &["check", "-", "--format", "ndjson"], own.out.as_bytes());
    let verdicts = |text: &str| lines(text).iter().map(|v| v.get("text").unwrap().to_json()).collect::<Vec<_>>();
    assert_eq!(verdicts(&again.out), verdicts(&judged.out));
    let results = lines(&own.out).iter().filter(|call| call.get("result").is_some()).count();
    assert!(own.err.contains(&format!("calls, {results} with a result")), "{}", own.err);
}

#[test]
fn what_was_there_is_counted() {
    let folder = folder();
    let result = run(folder.path(), &["import", "logs"], b"");
    assert_eq!(result.status, 0);
    let ids: Vec<String> = lines(&result.out).iter().map(|call| call.get("id").map_or("-".into(), Value::to_json)).collect();
    assert_eq!(ids, ["\"c1\"", "\"c2\"", "-"]);
    assert!(result.err.contains("logs/a.jsonl:4: not readable"), "{}", result.err);
    assert!(
        result.err.ends_with("misfire: 3 calls, 1 with a result; 1 repeat; 1 line could not be read; 1 file\n"),
        "{}",
        result.err
    );
    assert_eq!(run(folder.path(), &["import", "logs", "--strict"], b"").status, 2);
    assert_eq!(run(folder.path(), &["import", "logs", "nowhere"], b"").status, 2);
    assert_eq!(run(folder.path(), &["import", "logs", "--format-in", "nonsense"], b"").status, 2);
    assert_eq!(run(folder.path(), &["import"], b"").status, 2);
    let text = run(folder.path(), &["import", "-", "--format", "text"], CALLS.as_bytes());
    assert!(text.out.starts_with("-:1  Read  c1  ok  {\"file_path\":\"a.md\"}\n"), "{}", text.out);
    assert!(text.out.ends_with("-:5  TaskList  -  no result  {}\n"), "{}", text.out);
}

#[test]
fn calls_of_several_files_are_kept_or_merged() {
    let folder = folder();
    fs::write(folder.path().join("logs/b.jsonl"), CALLS.replace("c2", "c3")).unwrap();
    let all = run(folder.path(), &["import", "logs"], b"");
    assert_eq!(all.out.lines().count(), 6);
    assert!(all.err.contains("; 1 also in earlier files"), "{}", all.err);
    let merged = run(folder.path(), &["import", "logs", "--dedupe"], b"");
    // A call without an id is never a repeat.
    assert_eq!(merged.out.lines().count(), 5);
    assert!(merged.err.contains("; 1 left out, as earlier files have them"), "{}", merged.err);
}

#[test]
fn a_file_is_written_whole_and_nothing_is_lost() {
    let folder = folder();
    let to = |args: &[&str]| {
        let args: Vec<&str> = ["import", "logs"].iter().chain(args).copied().collect();
        run(folder.path(), &args, b"")
    };
    assert_eq!(to(&["--out", "out/all.jsonl"]).status, 0);
    let written = fs::read_to_string(folder.path().join("out/all.jsonl")).unwrap();
    assert_eq!(written, to(&[]).out);
    let refused = to(&["--out", "out/all.jsonl"]);
    assert!(refused.status == 2 && refused.err.contains("--force"), "{}", refused.err);
    assert_eq!(to(&["--out", "out/all.jsonl", "--force"]).status, 0);
    // An input is never written, by whatever name.
    for name in ["logs/a.jsonl", "./logs/../logs/a.jsonl"] {
        let refused = to(&["--out", name, "--force"]);
        assert!(refused.status == 2 && refused.err.contains("one of the inputs"), "{}", refused.err);
    }
    assert_eq!(fs::read_to_string(folder.path().join("logs/a.jsonl")).unwrap(), CALLS);
    // Into the folder that is read.
    assert_eq!(to(&["--out", "logs/new.jsonl"]).status, 0);
    assert_eq!(fs::read_to_string(folder.path().join("logs/new.jsonl")).unwrap(), written);
    assert_eq!(fs::read_dir(folder.path().join("logs")).unwrap().count(), 2);
    assert_eq!(to(&["--out", "logs"]).status, 2);
    assert_eq!(to(&["--force"]).status, 2);
}

#[test]
fn redacted_calls_are_judged_the_same_and_say_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let call = r#"{"id":"toolu_01Hx","session":"Merger plans","tool":"Bash","arguments":{"command":"curl -H 'Authorization: Bearer eyJhbGciOi.J9.abc' https://ada:hunter22@example.org/x","timeout":"20"},"result":{"is_error":true,"text":"/home/ada/.ssh: denied"},"note":"ask Ada"}"#;
    let result = run(folder.path(), &["import", "-", "--redact"], call.as_bytes());
    assert_eq!(result.status, 0, "{}", result.err);
    for word in ["Ada", "ada", "Merger", "eyJ", "Bearer", "hunter22", "example", "curl", "denied", "01Hx", "ssh"] {
        assert!(!result.out.contains(word), "{word}: {}", result.out);
    }
    assert!(result.out.contains("\"id\":\"toolu_0") && result.out.contains("\"is_error\":true"), "{}", result.out);
    let issues = |input: &str| {
        let judged = run(root(), &["check", "-", "--format", "ndjson", "--tools", "@claude-code"], input.as_bytes());
        lines(&judged.out)[0].get("issues").unwrap().to_json()
    };
    assert_eq!(issues(&result.out), issues(call));
}

#[test]
fn ctrl_c_stops_cleanly() {
    let folder = folder();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for (args, is_check) in
        [(&["import", "pipe"][..], false), (&["check", "pipe", "--tools", "@wave", "--format", "ndjson"], true)]
    {
        let running = Running::start(folder.path(), args);
        let mut writer = fs::File::options().write(true).open(&pipe).unwrap();
        let feed = |writer: &mut fs::File, from: u32| {
            use std::io::Write as _;
            // Enough for every buffer on the way to be handed on.
            let call = |n: u32| format!(r#"{{"id":"c{n}","tool":"TaskList","arguments":{{"x":1}},"result":{{"text":""}}}}"#);
            let calls = (from..from + 2000).map(call).collect::<Vec<_>>().join("\n") + "\n";
            let _ = writer.write_all(calls.as_bytes());
        };
        feed(&mut writer, 0);
        running.until_out("\"c100\"");
        running.interrupt();
        std::thread::sleep(std::time::Duration::from_millis(200));
        feed(&mut writer, 10_000);
        drop(writer);
        let result = running.end();
        assert_eq!(result.status, 130, "{}", result.err);
        assert!(result.err.contains("stopped"), "{}", result.err);
        assert!(result.out.ends_with("}\n") && !result.out.contains("c11999"), "{is_check}");
    }
}
