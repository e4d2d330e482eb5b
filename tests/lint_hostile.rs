//! Lint meets definitions made to break it: each is done with quickly, whatever was found.
#![cfg(feature = "jsonschema")]

use misfire::definition::{Catalog, Definition};
use misfire::lint::{Options, Targets, fixes, lint};
use std::time::{Duration, Instant};

fn quickly(what: &str, schema: String) -> Vec<&'static str> {
    let start = Instant::now();
    let work = move || {
        let tool = format!(r#"{{"name": "t", "inputSchema": {schema}}}"#);
        let catalog = Catalog::from_definitions(Definition::parse(tool.as_bytes()).expect("a definition"));
        let options = Options { targets: Some(Targets::ALL), assume_strict: true, ..Options::default() };
        let report = lint(&catalog, &options);
        let _ = fixes(&catalog, &options);
        report.findings().map(|(_, finding)| finding.rule.id).collect()
    };
    let found: Vec<&str> = std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().expect(what);
    let took = start.elapsed();
    println!("{what}: {took:?}, {} findings", found.len());
    assert!(took < Duration::from_secs(30), "{what} took {took:?}");
    found
}

#[test]
fn nothing_takes_long_or_aborts() {
    for (what, open, close) in [
        ("properties", r#"{"properties":{"a":"#, "}}"),
        ("items", r#"{"type":"array","items":"#, "}"),
        ("anyOf", r#"{"anyOf":["#, "]}"),
        ("enum", r#"{"enum":["#, "]}"),
        ("default", r#"{"default":["#, "]}"),
    ] {
        for depth in [100, 50_000] {
            let found = quickly(what, open.repeat(depth) + "{}" + &close.repeat(depth));
            assert!(found.contains(&"schema-too-deep"), "{what}");
        }
    }
    let many = |n: usize, each: &dyn Fn(usize) -> String| (0..n).map(each).collect::<Vec<_>>().join(", ");
    let properties = many(10_000, &|i| format!(r#""k{i}": {{"type": "string", "default": 1}}"#));
    let names = many(10_000, &|i| format!(r#""k{i}""#));
    quickly("many", format!(r#"{{"type": "object", "properties": {{{properties}}}, "required": [{names}]}}"#));
    quickly("many required", format!(r#"{{"type": "object", "properties": {{}}, "required": [{names}]}}"#));
    quickly("many values", format!(r#"{{"type": "object", "properties": {{"a": {{"enum": [{names}]}}}}}}"#));
    quickly("many branches", format!(r#"{{"oneOf": [{}]}}"#, many(5_000, &|i| format!(r#"{{"properties": {{"k{i}": {{}}}}}}"#))));
    let duplicates = many(50_000, &|i| format!(r#""k{}": 1"#, i % 7));
    quickly("duplicates", format!(r#"{{"type": "object", "default": {{{duplicates}}}}}"#));
}

#[test]
fn references_do_not_go_round() {
    let chain = (0..1_000)
        .map(|i| format!(r##""a{i}": {{"properties": {{"x": {{"$ref": "#/$defs/a{}"}}}}}}, "##, i + 1))
        .collect::<Vec<_>>()
        .concat();
    quickly("a chain", format!(r##"{{"$ref": "#/$defs/a0", "$defs": {{{chain} "a1000": {{}}}}}}"##));
    for schema in [
        r##"{"type": "object", "properties": {"a": {"$ref": "#"}}}"##,
        r##"{"type": "object", "properties": {"a": {"$ref": "#/properties/a"}}}"##,
        r##"{"type": "object", "properties": {"a": {"default": 1, "$ref": "#/$defs/a"}}, "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}]}}}"##,
        r##"{"$ref": "#/$ref"}"##,
        r##"{"$ref": "#/enum/0", "enum": [{"$ref": "#"}]}"##,
    ] {
        quickly(schema, schema.to_owned());
    }
    let all = (0..60).map(|i| format!(r##"{{"$ref": "#/$defs/a{i}"}}"##)).collect::<Vec<_>>().join(", ");
    let defs = (0..60).map(|i| format!(r#""a{i}": {{"items": {{"anyOf": [{all}]}}}}, "#)).collect::<Vec<_>>().concat();
    quickly("all refer to all", format!(r##"{{"$ref": "#/$defs/a0", "$defs": {{{defs} "z": {{}}}}}}"##));
}

#[test]
fn what_is_proved_is_not_multiplied_out() {
    let union = |i: usize| {
        let branches = (0..6)
            .map(|k| format!(r#"{{"properties": {{"k{i}": {{"const": {k}}}}}, "required": ["k{i}"]}}"#))
            .collect::<Vec<_>>()
            .join(", ");
        format!(r#"{{"anyOf": [{branches}]}}"#)
    };
    let all = (0..20).map(union).collect::<Vec<_>>().join(", ");
    quickly("a product of unions", format!(r#"{{"type": "object", "allOf": [{all}]}}"#));
    quickly("a product of exclusive unions", format!(r#"{{"type": "object", "allOf": [{all}]}}"#).replace("anyOf", "oneOf"));
    let nots = (0..40).map(|i| format!(r#"{{"not": {{"required": ["a{i}", "b{i}"]}}}}"#)).collect::<Vec<_>>().join(", ");
    quickly("many exclusions", format!(r#"{{"type": "object", "allOf": [{nots}]}}"#));
    let patterns = (0..8).map(|i| format!(r#"{{"pattern": "^([a-z]{{1,40}}x{i}){{1,40}}$"}}"#)).collect::<Vec<_>>().join(", ");
    quickly(
        "patterns at once",
        format!(r#"{{"type": "object", "properties": {{"a": {{"allOf": [{patterns}]}}}}, "required": ["a"]}}"#),
    );
    let conditions = (0..30)
        .map(|i| {
            format!(r#"{{"if": {{"required": ["a{i}"]}}, "then": {{"required": ["b{i}"]}}, "else": {{"required": ["c{i}"]}}}}"#)
        })
        .collect::<Vec<_>>()
        .join(", ");
    quickly("conditions", format!(r#"{{"type": "object", "allOf": [{conditions}]}}"#));
}

#[test]
fn patterns_and_texts_of_any_kind() {
    for pattern in [
        "(".repeat(20_000),
        "(a+)+".repeat(5_000),
        "[".repeat(20_000),
        "a{1,1000}".repeat(100),
        "\\\\".repeat(9_999),
        "(?:".repeat(50_000),
    ] {
        quickly("a pattern", format!(r#"{{"type": "object", "properties": {{"a": {{"pattern": "{pattern}"}}}}}}"#));
    }
    let backticks = "the parameter `a` ".repeat(20_000);
    quickly("backticks", format!(r#"{{"type": "object", "properties": {{"b": {{"description": "{backticks}"}}}}}}"#));
}
