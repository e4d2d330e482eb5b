//! Judging and compiling: `cargo bench --bench gate`.
//!
//! The call has 8 fields on 3 levels with two list elements; the wrong one has 9 issues. Targets: accepted under 1 µs,
//! rejected with its text under 3 µs (arguments already parsed in both), compiling a definition under 50 µs.

use divan::{Bencher, black_box};
use misfire::definition::{Catalog, Definition};
use misfire::dialect;
use misfire::gate::{Gate, Plan};
use misfire::json::Value;

const DEFINITION: &str = r#"{"name": "review", "parameters": {"type": "object", "additionalProperties": false,
    "required": ["title", "comments", "priority"],
    "properties": {
        "title": {"type": "string"}, "body": {"type": ["string", "null"]}, "draft": {"type": "boolean"},
        "priority": {"type": "string", "enum": ["low", "medium", "high"]}, "estimate": {"type": "number"},
        "attempt": {"type": "integer"}, "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        "comments": {"type": "array", "items": {"type": "object", "additionalProperties": false, "required": ["text", "at"],
            "properties": {"text": {"type": "string"}, "at": {"type": "object", "required": ["line"],
                "properties": {"line": {"type": "integer"}, "column": {"type": "integer"}}}}}}}}}"#;

const RIGHT: &str = r#"{"title": "Close the file", "body": null, "draft": false, "priority": "high", "estimate": 1.5, "attempt": 2,
    "labels": {"area": "io"}, "comments": [{"text": "here", "at": {"line": 3, "column": 7}}, {"text": "and here", "at": {"line": 9}}]}"#;

const WRONG: &str = r#"{"body": 5, "draft": "no", "priority": "urgent", "estimate": "1.5", "attempts": 2,
    "labels": {"area": 1}, "comments": [{"txt": "here", "at": {"line": "3"}}, {"text": "and here", "at": {"line": 9}}]}"#;

fn main() {
    divan::main();
}

fn gate() -> Gate {
    Gate::new(&Catalog::from_definitions(Definition::parse(DEFINITION.as_bytes()).expect("a definition")))
}

fn judge(bencher: Bencher<'_, '_>, arguments: &str, issues: usize) {
    let gate = gate();
    let arguments = Value::parse(arguments.as_bytes()).expect("JSON");
    assert_eq!(gate.judge_value("review", &arguments).issues.len(), issues);
    bencher.bench(|| {
        let verdict = gate.judge_value(black_box("review"), black_box(&arguments));
        dialect::text(&verdict)
    });
}

#[divan::bench]
fn accepted(bencher: Bencher<'_, '_>) {
    judge(bencher, RIGHT, 0);
}

#[divan::bench]
fn rejected_with_its_text(bencher: Bencher<'_, '_>) {
    judge(bencher, WRONG, 10);
}

#[divan::bench]
fn accepted_from_raw_text(bencher: Bencher<'_, '_>) {
    let gate = gate();
    bencher.bench(|| gate.judge_text(black_box("review"), black_box(RIGHT.as_bytes()), None));
}

#[divan::bench]
fn compile(bencher: Bencher<'_, '_>) {
    let definition = Definition::parse(DEFINITION.as_bytes()).expect("a definition").remove(0);
    bencher.bench(|| Plan::compile(black_box(definition.parameters())));
}
