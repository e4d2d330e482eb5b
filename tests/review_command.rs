//! `misfire review` and `misfire accept` as they are typed: sides, formats, exit statuses, the accept file.
#![cfg(all(feature = "cli", feature = "jsonschema"))]

mod program;

use misfire::gate::profile::{Judgement, SchemaValidator};
use misfire::json::Value;
use program::{Run, run};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const BEFORE: &str = r#"[
  {"name": "list_runs", "description": "Lists runs.", "parameters": {"type": "object", "properties": {
    "filter": {"type": "string"}, "limit": {"type": "integer", "maximum": 1000}}}},
  {"name": "stop", "parameters": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}}
]"#;
const AFTER: &str = r#"[
  {"name": "list_runs", "description": "Lists runs.", "parameters": {"type": "object", "properties": {
    "filter": {"type": "string"},
    "limit": {"type": "integer", "maximum": 200}}}},
  {"name": "stop", "parameters": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}}
]"#;
const CALLS: &str = "{\"id\": \"c1\", \"tool\": \"list_runs\", \"arguments\": {\"limit\": 500}}
{\"id\": \"c2\", \"tool\": \"list_runs\", \"arguments\": {\"filter\": \"failed\"}}
{\"id\": \"c3\", \"tool\": \"stop\", \"arguments\": {\"id\": \"7\"}}
";

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn pair() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "before.json", BEFORE);
    write(folder.path(), "after.json", AFTER);
    write(folder.path(), "calls.jsonl", CALLS);
    folder
}

fn review(folder: &Path, more: &[&str]) -> Run {
    let mut args = vec!["review", "after.json", "--against", "before.json", "--calls", "calls.jsonl", "--profile", "jsonschema"];
    args.extend(more);
    run(folder, &args, b"")
}

fn json(run: &Run) -> Value {
    Value::parse(run.out.as_bytes()).unwrap_or_else(|_| panic!("{} {}", run.out, run.err))
}

fn text(value: &Value, pointer: &str) -> String {
    value.at_pointer(pointer).and_then(Value::as_string).map(ToString::to_string).unwrap_or_default()
}

#[test]
fn what_changed_and_who_feels_it() {
    let folder = pair();
    let ran = review(folder.path(), &[]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    for part in [
        "list_runs  changed",
        "error    `limit`: maximum 1000 → 200; 1 of 2 recorded calls now fails",
        "after.json:4  param-range-narrowed",
        "{\"limit\":201} was accepted, is now rejected",
        "calls.jsonl:1  {\"limit\":500}  limit: expected at most 200, provided 500",
        "Replayed 3 recorded calls: 2 valid, 1 rejected. 1 passes no longer.",
        "1 error, 0 warnings, 0 notes",
    ] {
        assert!(ran.out.contains(part), "{part}\n{}", ran.out);
    }
    let whole = json(&review(folder.path(), &["--format", "json"]));
    assert_eq!(text(&whole, "/tools/0/findings/0/rule"), "param-range-narrowed");
    assert_eq!(text(&whole, "/tools/0/findings/0/evidence/examples/0"), "c1");
    assert_eq!(whole.get("calls").and_then(Value::as_array).map(<[Value]>::len), Some(3));
    // Under the wave gate bounds are not enforced, and it says so.
    let wave = run(folder.path(), &["review", "after.json", "--against", "before.json", "--calls", "calls.jsonl"], b"");
    assert_eq!(wave.status, 0);
    assert!(wave.out.contains("the profile wave does not enforce it"), "{}", wave.out);
    assert!(wave.out.contains("None of them feels the change"), "{}", wave.out);
}

#[test]
fn no_calls_are_no_comfort() {
    let folder = pair();
    let ran = run(folder.path(), &["review", "after.json", "--against", "before.json", "--profile", "jsonschema"], b"");
    assert!(ran.out.contains("No recorded calls given"), "{}", ran.out);
    write(folder.path(), "calls.jsonl", "{\"tool\": \"list_runs\", \"arguments\": {\"filter\": \"a\"}}\n");
    let ran = review(folder.path(), &[]);
    assert!(ran.out.contains("no recorded call exercises this"), "{}", ran.out);
    let many = "{\"tool\": \"list_runs\", \"arguments\": {\"limit\": 5}}\n".repeat(20);
    write(folder.path(), "calls.jsonl", &many);
    let ran = review(folder.path(), &[]);
    assert_eq!(ran.status, 0);
    assert!(ran.out.contains("warning  `limit`: maximum 1000 → 200; not seen in 20 recorded calls"), "{}", ran.out);
    // Calls that had failed at the server already say that the definition caught up.
    let failed =
        "{\"tool\": \"list_runs\", \"arguments\": {\"limit\": 500}, \"result\": {\"is_error\": true, \"text\": \"no\"}}\n";
    write(folder.path(), "calls.jsonl", failed);
    let ran = review(folder.path(), &[]);
    assert!(ran.out.contains("warning  `limit`") && ran.out.contains("already failed at the server"), "{}", ran.out);
}

#[test]
fn statuses_and_thresholds() {
    let folder = pair();
    let folder = folder.path();
    for (more, status) in [
        (&["--fail-on", "never"][..], 0),
        (&["--exit-zero"], 0),
        (&["--fail-on", "note"], 1),
        (&["--calls", "missing.jsonl"], 2),
        (&["--calls", "none*.jsonl"], 1),
        (&["--target", "all"], 1),
        (&["--target", "nobody"], 2),
        (&["--accept", "missing.toml"], 2),
        (&["--base", "main"], 2),
        (&["--output", "no/such/folder/x"], 2),
    ] {
        let ran = review(folder, more);
        assert_eq!(ran.status, status, "{more:?} {}", ran.err);
    }
    assert_eq!(run(folder, &["review", "gone.json", "--against", "before.json"], b"").status, 2);
    write(folder, "misfire.toml", "[rules]\nparam-range-narrowed = \"note\"\n");
    assert_eq!(review(folder, &[]).status, 0);
    write(folder, "misfire.toml", "[rules]\nparam-range-narrowed = \"off\"\n");
    assert!(!review(folder, &[]).out.contains("param-range-narrowed"));
    write(folder, "misfire.toml", "[rules]\nparam-range-narowed = \"off\"\n");
    let ran = review(folder, &[]);
    assert!(ran.status == 2 && ran.err.contains("param-range-narowed"), "{}", ran.err);
}

#[test]
fn accepted_findings_are_shown_and_do_not_count() {
    let folder = pair();
    let folder = folder.path();
    let print = text(&json(&review(folder, &["--format", "json"])), "/tools/0/findings/0/fingerprint");
    let accept = |more: &[&str]| {
        let mut args = vec!["accept", print.as_str(), "--against", "before.json", "after.json", "--profile", "jsonschema"];
        args.extend(more);
        run(folder, &args, b"")
    };
    let ran = accept(&["--reason", "the server never took \"more\"", "--until", "2999-12-31"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_eq!(ran.out, format!("accepted {print}: param-range-narrowed of list_runs /properties/limit/maximum\n"));
    let ran = review(folder, &[]);
    assert_eq!(ran.status, 0);
    assert!(ran.out.contains("accepted: the server never took \"more\"") && ran.out.contains("(1 accepted)"), "{}", ran.out);
    let whole = json(&review(folder, &["--format", "json"]));
    assert_eq!(whole.at_pointer("/tools/0/findings/0/accepted"), Some(&Value::Bool(true)));
    assert_eq!(review(folder, &["--format", "github"]).out, "");
    // The definition changes again: the finding is another one, and the entry is stale.
    write(folder, "after.json", &AFTER.replace("200", "100"));
    let ran = review(folder, &[]);
    assert!(ran.status == 1 && ran.out.contains(&format!("accepted finding {print} is stale")), "{}", ran.out);
    write(folder, "after.json", BEFORE);
    assert!(review(folder, &[]).out.contains("is unused"));
    // A day that has passed.
    std::fs::remove_file(folder.join("misfire.accept.toml")).unwrap();
    write(folder, "after.json", AFTER);
    accept(&["--reason", "for now", "--until", "2020-01-01"]);
    let ran = review(folder, &[]);
    assert!(ran.status == 1 && ran.out.contains("is expired"), "{}", ran.out);
    // Accepted again, it counts again, and what is in the file stays.
    accept(&["--reason", "for good"]);
    let ran = review(folder, &[]);
    assert!(ran.status == 0 && !ran.out.contains("expired"), "{}", ran.out);
    let file = std::fs::read_to_string(folder.join("misfire.accept.toml")).unwrap();
    assert!(file.contains("for now") && file.contains("for good"));
    // Without the finding at hand, the fingerprint alone is recorded, and that is said.
    let ran = run(folder, &["accept", "0123456789ab", "--reason", "x", "--accept", "other.toml"], b"");
    assert!(ran.status == 0 && ran.err.contains("by its fingerprint alone"), "{}", ran.err);
    for wrong in [&["accept", "xyz", "--reason", "x"][..], &["accept", "0123456789ab", "--reason", " "]] {
        assert_eq!(run(folder, wrong, b"").status, 2);
    }
}

#[test]
fn the_json_is_as_its_schema_says() {
    let folder = pair();
    let schema = run(folder.path(), &["review", "--json-schema"], b"");
    let schema = Value::parse(schema.out.as_bytes()).unwrap();
    let validator = SchemaValidator::compile(Some(&schema), true);
    assert!(validator.refusal().is_none(), "{:?}", validator.refusal());
    write(folder.path(), "misfire.accept.toml", "[[accept]]\nfingerprint = \"000000000000\"\nreason = \"x\"\n");
    let renamed = AFTER.replace("\"stop\"", "\"stopRun\"").replace("\"filter\"", "\"Filter\"");
    for after in [AFTER, BEFORE, renamed.as_str(), "[]", "[{\"name\": \"other\", \"strict\": true}]", "[{\"name\": 1}]", "{"] {
        write(folder.path(), "after.json", after);
        let ran = review(folder.path(), &["--format", "json", "--target", "all"]);
        let judgement = validator.judge(&json(&ran));
        assert!(matches!(judgement, Judgement::Accepted { .. }), "{judgement:?}\n{}", ran.out);
    }
}

#[test]
fn every_format_in_one_run() {
    let folder = pair();
    let more = ["--format", "github", "--format", "junit", "--format", "sarif", "--format", "markdown", "--output", "review.md"];
    let ran = review(folder.path(), &more);
    assert!(
        ran.out.starts_with("::error file=after.json,line=4,title=param-range-narrowed::list_runs: `limit`: maximum"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("tests=\"2\" failures=\"1\"") && ran.out.contains("toolReview/v1"));
    let markdown = std::fs::read_to_string(folder.path().join("review.md")).unwrap();
    assert!(markdown.starts_with("### Tool schema review: 1 breaking, 0 risky, 0 notes\n"), "{markdown}");
    assert!(
        markdown.contains("| breaking | `list_runs` | `limit`: maximum 1000 → 200 | ok | 1 of 2 rejected | rejected |"),
        "{markdown}"
    );
}

#[test]
fn the_comment_stays_small_and_says_nothing_for_others() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let evil = r"`|</details><script>alert(1)</script> @everybody #1 https://evil.example ![x](y)";
    let tools = |kind: &str| {
        let tools: Vec<String> = (0..300)
            .map(|i| {
                let name = Value::from(format!("t{i} {evil}")).to_json();
                let key = Value::from(format!("k {evil}")).to_json();
                format!(
                    r#"{{"name": {name}, "parameters": {{"type": "object", "properties": {{{key}: {{"type": "{kind}"}}}}}}}}"#
                )
            })
            .collect();
        format!("[{}]", tools.join(","))
    };
    write(folder, "before.json", &tools("string"));
    write(folder, "after.json", &tools("boolean"));
    let calls: Vec<String> = (0..300)
        .map(|i| {
            let name = Value::from(format!("t{i} {evil}")).to_json();
            let key = Value::from(format!("k {evil}")).to_json();
            format!("{{\"tool\": {name}, \"arguments\": {{{key}: {}}}}}", Value::from(format!("{evil}\n")).to_json())
        })
        .collect();
    write(folder, "calls.jsonl", &calls.join("\n"));
    let ran = review(folder, &["--format", "markdown"]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(ran.out.len() < 60_000, "{}", ran.out.len());
    let shown = ran.out.lines().filter(|line| line.starts_with("    calls.jsonl:")).count();
    assert_eq!(shown, 5);
    // Outside code nothing acts: no tag but our own, no mention, no link, no cell that was not meant.
    let mut open = 0_i32;
    for line in ran.out.lines().filter(|line| !line.starts_with("    ")) {
        let plain = without_code(line);
        for tag in ["<script", "![x]", "@everybody", "https://"] {
            assert!(!plain.contains(tag), "{line}");
        }
        open += i32::try_from(plain.matches("<details>").count()).unwrap();
        open -= i32::try_from(plain.matches("</details>").count()).unwrap();
        if line.starts_with("| ") {
            assert_eq!(line.replace("\\|", "").matches('|').count(), 7, "{line}");
        }
    }
    assert_eq!(open, 0);
    assert_eq!(review(folder, &["--format", "github"]).out.lines().count(), 11);
}

/// A line of Markdown without its code spans.
fn without_code(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        if rest[..at].ends_with('\\') {
            out.push_str(&rest[..=at]);
            rest = &rest[at + 1..];
            continue;
        }
        out.push_str(&rest[..at]);
        let fence: String = rest[at..].chars().take_while(|c| *c == '`').collect();
        let inner = &rest[at + fence.len()..];
        // The span ends at a run of just as many backticks.
        let mut from = 0;
        let end = loop {
            let Some(found) = inner[from..].find(fence.as_str()).map(|n| n + from) else { break None };
            let run = inner[found..].chars().take_while(|c| *c == '`').count();
            if run == fence.len() {
                break Some(found);
            }
            from = found + run;
        };
        rest = end.map_or(inner, |end| &inner[end + fence.len()..]);
        if end.is_none() {
            out.push_str(&fence);
        }
    }
    out.push_str(rest);
    out
}

fn git(folder: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .current_dir(folder)
        .args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "protocol.file.allow=always"])
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .expect("git");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn repository() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    git(folder.path(), &["init", "--quiet", "--initial-branch=main"]);
    write(folder.path(), "tools/runs.json", BEFORE);
    write(folder.path(), "tools/other.json", r#"{"name": "other", "parameters": {"type": "object"}}"#);
    git(folder.path(), &["add", "--all"]);
    git(folder.path(), &["commit", "--quiet", "--message", "c"]);
    git(folder.path(), &["checkout", "--quiet", "-b", "work"]);
    folder
}

#[test]
fn against_the_merge_base() {
    let folder = repository();
    let folder = folder.path();
    let ran = run(folder, &["review"], b"");
    assert!(ran.status == 0 && ran.out.contains("(merge base with main)"), "{} {}", ran.out, ran.err);
    assert!(ran.out.contains("0 errors, 0 warnings, 0 notes"), "{}", ran.out);
    // Moving a file, and joining two, changes nothing.
    std::fs::rename(folder.join("tools/other.json"), folder.join("tools/moved.json")).unwrap();
    assert!(run(folder, &["review"], b"").out.contains("0 errors, 0 warnings, 0 notes"));
    // A file that is gone: its tools were removed.
    std::fs::remove_file(folder.join("tools/moved.json")).unwrap();
    let ran = run(folder, &["review"], b"");
    assert!(ran.status == 1 && ran.out.contains("tool `other` was removed"), "{}", ran.out);
    // So too if the file was named itself.
    let ran = run(folder, &["review", "tools/other.json"], b"");
    assert!(ran.status == 1 && ran.err.contains("is gone; the tools that it held were removed"), "{} {}", ran.out, ran.err);
    assert_eq!(run(folder, &["review", "tools/never.json"], b"").status, 2);
    // A folder that was added.
    write(folder, "more/x.json", r#"{"name": "x"}"#);
    let ran = run(folder, &["review", "more"], b"");
    assert!(ran.status == 0 && ran.out.contains("tool `x` was added"), "{}", ran.out);
    // A conflict: not compared, not called removed.
    let conflict = "[\n<<<<<<< HEAD\n{\"name\": \"list_runs\"}\n=======\n{\"name\": \"list\"}\n>>>>>>> main\n]\n";
    write(folder, "tools/runs.json", conflict);
    let ran = run(folder, &["review", "tools"], b"");
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("tools/runs.json:2:1: merge conflict markers are in the file"), "{}", ran.err);
    assert!(!ran.out.contains("`list_runs` was removed") && ran.out.contains("not compared: tools/runs.json"), "{}", ran.out);
    // On a detached head the rest is the same.
    git(folder, &["checkout", "--quiet", "--detach"]);
    assert!(run(folder, &["review", "more"], b"").out.contains("tool `x` was added"));
}

#[test]
fn a_submodule_is_left_out_on_both_sides() {
    let inner = tempfile::tempdir().unwrap();
    git(inner.path(), &["init", "--quiet", "--initial-branch=main"]);
    write(inner.path(), "far.json", r#"{"name": "far"}"#);
    // The same name as one outside, in a file that comes before it.
    write(inner.path(), "again.json", r#"{"name": "other", "parameters": {"type": "object"}}"#);
    git(inner.path(), &["add", "--all"]);
    git(inner.path(), &["commit", "--quiet", "--message", "c"]);
    let folder = repository();
    let folder = folder.path();
    let url = format!("file://{}", inner.path().display());
    git(folder, &["submodule", "--quiet", "add", &url, "tools/inner"]);
    git(folder, &["commit", "--quiet", "--message", "s"]);
    for base in ["HEAD", "main"] {
        let ran = run(folder, &["review", "--base", base], b"");
        assert_eq!(ran.status, 0, "{} {}", ran.out, ran.err);
        assert!(ran.out.contains("0 errors, 0 warnings, 0 notes") && !ran.out.contains("far"), "{base}: {}", ran.out);
        assert_eq!(ran.err.matches("tools/inner: a submodule").count(), 1, "{base}: {}", ran.err);
    }
}

#[test]
fn sets_that_are_part_of_the_program_have_no_history_and_can_be_compared() {
    let folder = repository();
    let ran = run(folder.path(), &["review", "@claude-code"], b"");
    assert!(ran.status == 2 && ran.err.contains("has no history") && ran.err.contains("--against"), "{}", ran.err);
    let ran = run(folder.path(), &["review", "@claude-code", "--against", "@claude-code"], b"");
    assert!(ran.status == 0 && ran.out.contains("0 errors, 0 warnings, 0 notes"), "{} {}", ran.out, ran.err);
}

#[test]
fn where_there_is_nothing_to_compare_with() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "tools/a.json", r#"{"name": "a"}"#);
    let ran = run(folder.path(), &["review"], b"");
    assert!(ran.status == 2 && ran.err.contains("--against"), "{}", ran.err);
    git(folder.path(), &["init", "--quiet", "--bare", "bare"]);
    let ran = run(&folder.path().join("bare"), &["review", "tools"], b"");
    assert!(ran.status == 2 && ran.err.contains("bare repository"), "{}", ran.err);
    git(folder.path(), &["init", "--quiet"]);
    let ran = run(folder.path(), &["review"], b"");
    assert!(ran.status == 2 && ran.err.contains("no commit yet"), "{}", ran.err);
    // Without git at all, --against works.
    let ran = Command::new(env!("CARGO_BIN_EXE_misfire"))
        .args(["review", "tools", "--against", "tools"])
        .current_dir(folder.path())
        .env("PATH", "")
        .output()
        .unwrap();
    assert_eq!(ran.status.code(), Some(0));
    let ran =
        Command::new(env!("CARGO_BIN_EXE_misfire")).arg("review").current_dir(folder.path()).env("PATH", "").output().unwrap();
    assert_eq!(ran.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("git could not be run"));
}

#[test]
fn a_shallow_clone_gets_the_line_that_helps() {
    let origin = repository();
    write(origin.path(), "tools/new.json", r#"{"name": "new"}"#);
    git(origin.path(), &["add", "--all"]);
    git(origin.path(), &["commit", "--quiet", "--message", "d"]);
    let clones = tempfile::tempdir().unwrap();
    let url = format!("file://{}", origin.path().display());
    git(clones.path(), &["clone", "--quiet", "--depth=1", "--branch=work", &url, "c"]);
    let ran = run(&clones.path().join("c"), &["review", "--base", "origin/main"], b"");
    assert_eq!(ran.status, 2);
    assert!(ran.err.ends_with("\n  git fetch --depth=1 origin main:refs/remotes/origin/main\n"), "{}", ran.err);
}
