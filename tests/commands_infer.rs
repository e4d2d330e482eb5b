//! `misfire infer` as it is typed, and what its drafts accept.
#![cfg(feature = "cli")]

mod common;
mod program;

use misfire::definition::{Catalog, Definition, Inference};
use misfire::gate::{Arguments, Gate, VerdictKind};
use misfire::json::{JsString, Object, Value};
use program::{root, run};
use proptest::prelude::*;
use std::fs;

#[test]
fn every_call_that_a_draft_was_made_from_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let sessions = root().join("sessions").display().to_string();
    let samples = common::shared("captures").map(|path| path.display().to_string());
    for input in std::iter::once(sessions).chain(samples) {
        let tools = folder.path().join("tools");
        let tools = tools.to_str().unwrap();
        let drafted = run(root(), &["infer", &input, "--out", tools, "--force"], b"");
        assert!(drafted.err.contains("drafted from"), "{}", drafted.err);
        let judged = run(root(), &["check", &input, "--tools", tools, "--format", "ndjson"], b"");
        let kinds = |text: &str, kind: &str| text.matches(&format!("\"verdict\":\"{kind}\"")).count();
        let accepted = kinds(&judged.out, "accepted");
        let from: usize = drafted.err.split("drafted from ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        // Calls of tools that are passed through are drafted from and not judged.
        assert!(accepted + kinds(&judged.out, "passed_through") >= from, "{accepted} of {from}");
        assert!(accepted > 15);
    }
}

#[test]
fn drafts_are_printed_or_written_one_file_a_tool() {
    let folder = tempfile::tempdir().unwrap();
    let calls = r#"{"tool":"Save","arguments":{"path":"a"}}
{"tool":"Save","arguments":"{\"path\":\"b\",\"mode\":\"x\"}"}
{"tool":"Save","arguments":{"pth":"b"},"result":{"is_error":true,"text":"Save failed due to the following issue(s):\nThe required parameter `path` is missing"}}
{"tool":"Save","arguments":"{\"path\":\"cut o"}
{"tool":"../../evil","arguments":{}}
{"tool":"save","arguments":{}}
{"tool":"mine","arguments":{},"origin":"custom"}
"#;
    fs::write(folder.path().join("a.jsonl"), calls).unwrap();
    let printed = run(folder.path(), &["infer", "-", "--min", "2"], calls.as_bytes());
    assert_eq!(
        Value::parse(printed.out.as_bytes()).unwrap().to_json(),
        r#"[{"type":"function","function":{"name":"Save","description":"Inferred from 2 calls, to be checked by a person: what the tool does, and what no call happened to use.","parameters":{"type":"object","properties":{"path":{"type":"string"},"mode":{"type":"string"}},"required":["path"]}}}]"#
    );
    assert!(
        printed.err.contains("1 definition drafted from 2 calls; 3 tools with fewer than 2 calls; 2 calls left out"),
        "{}",
        printed.err
    );

    let written = run(folder.path(), &["infer", "a.jsonl", "--out", "tools"], b"");
    assert_eq!(written.status, 0, "{}", written.err);
    let mut names: Vec<_> =
        fs::read_dir(folder.path().join("tools")).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["Save.json", "______evil.json", "custom", "save_.json"]);
    let listed = run(folder.path(), &["tools"], b"");
    assert!(listed.out.contains("../../evil") && listed.out.contains("mine        custom"), "{}", listed.out);
    assert!(listed.err.is_empty() && listed.out.ends_with("4 definitions\n"), "{}{}", listed.out, listed.err);

    fs::write(folder.path().join("tools/Save.json"), "mine").unwrap();
    let refused = run(folder.path(), &["infer", "a.jsonl", "--out", "tools"], b"");
    assert!(refused.status == 2 && refused.err.contains("--force"), "{}", refused.err);
    assert_eq!(fs::read_to_string(folder.path().join("tools/Save.json")).unwrap(), "mine");
    assert_eq!(run(folder.path(), &["infer", "a.jsonl", "--out", "tools", "--force"], b"").status, 0);
    assert_ne!(fs::read_to_string(folder.path().join("tools/Save.json")).unwrap(), "mine");
    assert_eq!(run(folder.path(), &["infer", "nowhere"], b"").status, 2);
}

#[test]
fn definitions_that_captures_carry_are_taken_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let request = r#"{"model":"m","tools":[{"type":"function","function":{"name":"Save","description":"Saves.","parameters":{"type":"object","properties":{"path":{"type":"string"}}}}}],
"messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[
{"id":"a","type":"function","function":{"name":"Save","arguments":"{\"path\":\"a\"}"}},
{"id":"b","type":"function","function":{"name":"Load","arguments":"{\"path\":\"a\"}"}}]}]}"#;
    fs::write(folder.path().join("request.json"), request).unwrap();
    let inferred = run(folder.path(), &["infer", "request.json", "--out", "tools"], b"");
    assert_eq!(inferred.err, "misfire: 1 definition drafted from 1 call; 1 definition taken from the captures\n");
    let save = fs::read_to_string(folder.path().join("tools/Save.json")).unwrap();
    assert!(save.contains("\"Saves.\"") && !save.contains("required"), "{save}");
    assert!(fs::read_to_string(folder.path().join("tools/Load.json")).unwrap().contains("Inferred from 1 call"));
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        (-3..3_i32).prop_map(|n| Value::Number(f64::from(n) / 2.0)),
        Just(Value::Number(f64::INFINITY)),
        "[ab]{0,2}|one|two| ".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 6, |inner| {
        prop_oneof![proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::Array), object(inner)]
    })
}

fn object(member: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let key = "[a-d]|a b|7|";
    proptest::collection::vec((key, member), 0..5)
        .prop_map(|members| Value::Object(members.into_iter().map(|(k, v)| (JsString::from(k.as_str()), v)).collect::<Object>()))
}

proptest! {
    #[test]
    fn whatever_the_calls_are(calls in proptest::collection::vec(object(value()), 1..24)) {
        let mut inference = Inference::default();
        for call in &calls {
            prop_assert!(inference.add(call));
        }
        let draft = inference.draft("t").to_json();
        let definitions = Definition::parse(draft.as_bytes()).unwrap();
        let gate = Gate::new(&Catalog::from_definitions(definitions));
        for call in calls {
            let verdict = gate.judge("t", &Arguments::Json(call.clone()), None);
            prop_assert_eq!(verdict.kind, VerdictKind::Accepted, "{} {}\n{:?}", call.to_json(), draft, verdict.issues);
        }
    }
}

#[test]
fn any_depth_is_taken() {
    let mut inference = Inference::default();
    let deep = "{\"a\":".repeat(5_000) + "1" + &"}".repeat(5_000);
    inference.add(&Value::parse(deep.as_bytes()).unwrap());
    let gate = Gate::new(&Catalog::from_definitions(Definition::parse(inference.draft("t").to_json().as_bytes()).unwrap()));
    assert_eq!(gate.judge_text("t", deep.as_bytes(), None).kind, VerdictKind::Accepted);
}
