//! `misfire stats`.
#![cfg(feature = "cli")]

mod program;

use misfire::json::Value;
use program::{root, run};
use std::fs;

#[test]
fn the_bundled_sessions_in_numbers() {
    let counted = run(root(), &["stats"], b"");
    assert_eq!((counted.status, counted.err.as_str()), (0, ""));
    insta::assert_snapshot!(counted.out);
}

#[test]
fn json_has_everything_and_says_what_the_text_says() {
    let counted = run(root(), &["stats", "--format", "json"], b"");
    let value = Value::parse(counted.out.as_bytes()).unwrap();
    let number = |value: &Value| value.to_json().parse::<u64>().unwrap();
    let tools = value.get("tools").and_then(Value::as_array).unwrap();
    let sum: u64 = tools.iter().map(|tool| number(tool.get("calls").unwrap())).sum();
    assert_eq!(sum, number(value.get("calls").unwrap()));
    let used = |tool: &Value| tool.get("parameters").and_then(Value::as_array).unwrap().len();
    assert!(tools.iter().any(|tool| used(tool) > 0));
    for key in ["kinds", "models", "timeline", "retry_loops"] {
        assert!(value.get(key).is_some(), "{key}");
    }
}

#[test]
fn a_filter_and_stdin() {
    let calls =
        b"{\"tool\":\"Read\",\"arguments\":{}}\n{\"tool\":\"Read\",\"arguments\":{}}\n{\"tool\":\"Nope\",\"arguments\":{}}\n";
    let counted = run(root(), &["stats", "-"], calls);
    assert!(counted.out.starts_with("3 calls, 3 fail (100.0 %)\n"), "{}", counted.out);
    assert!(counted.out.contains("  2 times  Read  -:1\n"), "{}", counted.out);
    let some = run(root(), &["stats", "-", "--where", "tool:Nope"], calls);
    assert!(some.out.starts_with("1 calls, 1 fail") || some.out.starts_with("1 call, 1 fails"), "{}", some.out);
    let none = run(root(), &["stats", "no-such-folder"], b"");
    assert_eq!(none.status, 2);
    assert!(none.err.contains("no-such-folder"), "{}", none.err);
}

/// By what a capture carries, as `misfire check` does, unless it is said which definitions are to be used; and each under the
/// parameter that it is about, whatever number that has in the definitions here.
#[test]
fn captures_are_judged_by_the_definitions_that_they_carry() {
    let folder = tempfile::tempdir().unwrap();
    let tool = |name: &str| {
        format!(
            r#"{{"name":"{name}","input_schema":{{"type":"object","properties":{{"to":{{"type":"string"}},"cc":{{}}}},"required":["to"]}}}}"#
        )
    };
    let call = |name: &str| format!(r#"{{"type":"tool_use","id":"{name}","name":"{name}","input":{{"to":1}}}}"#);
    let request = format!(
        r#"{{"model":"m","messages":[{{"role":"assistant","content":[{},{}]}}],"tools":[{},{}]}}"#,
        call("send"),
        call("carried"),
        tool("send"),
        tool("carried")
    );
    fs::write(folder.path().join("api.jsonl"), request + "\n").unwrap();
    fs::create_dir(folder.path().join("tools")).unwrap();
    let here = r#"{"name":"send","parameters":{"properties":{"other":{},"to":{}}}}"#;
    fs::write(folder.path().join("tools/send.json"), here).unwrap();
    let lines = |args: &[&str]| {
        let counted = run(folder.path(), &[&["stats", "api.jsonl"][..], args].concat(), b"");
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        counted.out.lines().map(words).collect::<Vec<_>>()
    };
    let own = lines(&[]);
    for line in ["2 calls, 2 fail (100.0 %)", "send to 1 1 type 1", "carried /to 1 type 1"] {
        assert!(own.iter().any(|known| known == line), "{line} in {own:#?}");
    }
    let given = lines(&["--tools", "tools"]);
    assert!(given[0] == "2 calls, 1 fails (50.0 %)" && given.iter().any(|line| line.contains("unknown_tool 1")), "{given:#?}");
}

/// A set with versions is taken in the version that wrote each capture.
#[test]
fn a_set_is_taken_in_the_version_of_each_capture() {
    let folder = tempfile::tempdir().unwrap();
    let line = |version: &str| {
        format!(
            r#"{{"type":"assistant","sessionId":"s","version":"{version}","message":{{"role":"assistant","content":[{{"type":"tool_use","id":"t","name":"Task","input":{{}}}}]}}}}"#
        )
    };
    fs::write(folder.path().join("old.jsonl"), line("2.1.59") + "\n").unwrap();
    fs::write(folder.path().join("new.jsonl"), line("2.1.400") + "\n").unwrap();
    let counted = run(folder.path(), &["stats", ".", "--tools", "@claude-code"], b"");
    assert!(counted.out.contains("missing 1") && counted.out.contains("unknown_tool 1"), "{}", counted.out);
}
