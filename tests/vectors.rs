//! The gate's rules, each by hand-picked calls with the exact answer: verdict, issues and text.
//!
//! The answers were given by the oracle, a JavaScript statement of the same rules; `oracle.rs` asks it again where it is at
//! hand. Every line names its rule.

mod common;

use common::{judge_line, shared};
use misfire::json::{Tree, Value};

#[test]
fn every_vector_is_answered_to_the_byte() {
    let vectors = include_str!("vectors/gate.ndjson");
    let mut rules = std::collections::BTreeSet::new();
    for line in vectors.lines() {
        let tree = Tree::parse(line.as_bytes()).expect(line);
        let root = tree.root(line.as_bytes());
        let text = |key: &str| root.get(key).and_then(misfire::json::View::str).unwrap_or_default().into_owned();
        let expected = String::from_utf8_lossy(root.get("expect").expect("an answer").raw()).into_owned();
        assert_eq!(judge_line(line), expected, "\n{}: {}\n{line}", text("rule"), text("why"));
        rules.insert(text("rule"));
    }
    // G2, G17 and G22 are about the form of the answers: all vectors show them.
    for rule in (1..=21).filter(|n| ![2, 17].contains(n)).map(|n| format!("G{n}")) {
        assert!(rules.contains(&rule), "no vector for {rule}");
    }
}

#[test]
fn the_shared_cases_are_answered() {
    let Some(path) = shared("cases/calls.ndjson") else {
        eprintln!("skipped: needs ../shared/cases/calls.ndjson");
        return;
    };
    let cases = std::fs::read_to_string(path).expect("readable");
    for line in cases.lines() {
        let case = Value::parse(line.as_bytes()).expect(line);
        let get = |pointer: &str| case.at_pointer(pointer);
        let function = get("/tool/function").expect("a definition in OpenAI form");
        let mut call = vec![
            ("name".into(), get("/call/name").expect("a name").clone()),
            ("parameters".into(), function.get("parameters").cloned().unwrap_or(Value::Null)),
            ("origin".into(), get("/origin").expect("an origin").clone()),
        ];
        call.extend(get("/call/arguments").map(|a| ("arguments".into(), a.clone())));
        call.extend(get("/call/finish_reason").map(|f| ("finish_reason".into(), f.clone())));
        let call = Value::Object(call.into_iter().collect()).to_json();
        let expected = get("/expect").expect("an answer").to_json();
        assert_eq!(Value::parse(judge_line(&call).as_bytes()), Value::parse(expected.as_bytes()), "{call}");
    }
}

/// G4: nesting of 10,000 levels, in arguments and in definitions, and far beyond.
#[test]
fn depth_is_no_limit() {
    for depth in [10_000, 300_000] {
        let arguments = "{\"a\":".repeat(depth) + "1" + &"}".repeat(depth);
        let open = format!("{{\"name\":\"t\",\"arguments\":{arguments},\"parameters\":{{\"properties\":{{\"b\":{{}}}}}}}}");
        assert!(judge_line(&open).contains("An unexpected parameter `a` was provided"));

        let schema = "{\"properties\":{\"a\":".repeat(depth) + "{\"type\":\"string\"}" + &"}}".repeat(depth);
        let deep = format!("{{\"name\":\"t\",\"arguments\":{arguments},\"parameters\":{schema}}}");
        let answer = judge_line(&deep);
        assert!(answer.contains("type is expected as `string` but provided as `number`"), "{}", &answer[..200]);
    }
}
