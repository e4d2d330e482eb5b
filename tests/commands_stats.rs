//! `misfire stats`.
#![cfg(feature = "cli")]

mod program;

use misfire::json::Value;
use program::{root, run};

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
