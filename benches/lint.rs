//! What the profile `jsonschema` and lint cost.

use divan::{Bencher, black_box};
use misfire::definition::{Catalog, Definition};
use misfire::gate::profile::SchemaValidator;
use misfire::json::Value;
use misfire::lint::{Options, Targets, lint};
use std::fmt::Write as _;

fn main() {
    divan::main();
}

/// A tool with 40 parameters of the usual kinds.
fn forty() -> Value {
    let mut properties = String::new();
    for i in 0..40 {
        let schema = match i % 5 {
            0 => r#"{"type": "string", "description": "A text."}"#.to_owned(),
            1 => format!(r#"{{"type": "integer", "minimum": 0, "maximum": {}}}"#, 100 + i),
            2 => r#"{"type": "string", "enum": ["one", "two", "three"]}"#.to_owned(),
            3 => r#"{"type": "boolean", "default": false}"#.to_owned(),
            _ => r#"{"type": "array", "items": {"type": "string", "minLength": 1}}"#.to_owned(),
        };
        let _ = write!(properties, r#"{}"p{i}": {schema}"#, if i == 0 { "" } else { ", " });
    }
    parse(&format!(
        r#"{{"type": "object", "properties": {{{properties}}}, "required": ["p0", "p1"], "additionalProperties": false}}"#
    ))
}

fn parse(text: &str) -> Value {
    Value::parse(text.as_bytes()).expect("JSON")
}

#[divan::bench]
fn compile_forty(bencher: Bencher<'_, '_>) {
    let schema = forty();
    bencher.bench(|| SchemaValidator::compile(Some(black_box(&schema)), false));
}

const CALLS: [&str; 3] = [
    r#"{"p0": "a", "p1": 5, "p2": "two", "p3": true, "p4": ["x"]}"#,
    r#"{"p1": 500, "p2": "four", "p3": "true", "q": 1}"#,
    r#"{"p0": "a", "p1": 5, "p5": "b", "p6": 7, "p10": "c", "p11": 9, "p14": ["a", "b"], "p15": "d", "p20": "e", "p23": true}"#,
];

#[divan::bench(args = CALLS)]
fn judge_forty(bencher: Bencher<'_, '_>, call: &str) {
    let validator = SchemaValidator::compile(Some(&forty()), false);
    let call = parse(call);
    bencher.bench(|| validator.judge(black_box(&call)));
}

/// 500 tools with the number of parameters that real ones have, some with bounds, patterns, unions and references.
fn five_hundred() -> Catalog {
    let mut tools = String::from("[");
    for i in 0..500 {
        let _ = write!(
            tools,
            r##"{}{{"name": "tool_{i}", "description": "Does what the tool {i} does, with `limit` results at most.", "inputSchema": {{
                "type": "object", "required": ["path", "mode"], "properties": {{
                    "path": {{"type": "string", "description": "Where.", "pattern": "^[a-z/]+$"}},
                    "mode": {{"type": "string", "enum": ["fast", "full"], "default": "fast"}},
                    "limit": {{"type": ["integer", "null"], "minimum": 1, "maximum": 200, "description": "At most."}},
                    "filter": {{"anyOf": [{{"$ref": "#/$defs/filter"}}, {{"type": "null"}}], "default": null}},
                    "tags": {{"type": "array", "items": {{"type": "string", "minLength": 1}}}},
                    "since": {{"type": "string", "format": "date-time"}},
                    "options": {{"type": "object", "properties": {{"deep": {{"type": "boolean"}}, "depth": {{"type": "integer", "exclusiveMinimum": 0}}}}}}
                }}, "$defs": {{"filter": {{"type": "object", "properties": {{"field": {{"type": "string"}}, "value": {{}}}}, "required": ["field"]}}}}}}}}"##,
            if i == 0 { "" } else { ", " }
        );
    }
    tools.push(']');
    Catalog::from_definitions(Definition::parse(tools.as_bytes()).expect("definitions"))
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn lint_five_hundred_for_all(bencher: Bencher<'_, '_>) {
    let catalog = five_hundred();
    let options = Options { targets: Some(Targets::ALL), ..Options::default() };
    bencher.bench(|| lint(black_box(&catalog), &options));
}
