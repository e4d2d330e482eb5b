//! No definition and no call makes a review panic, run without end, or leave its budget.
#![cfg(feature = "jsonschema")]

use misfire::capture::Call;
use misfire::definition::{Catalog, Definition};
use misfire::gate::{Arguments, Profile};
use misfire::report::review::{ReviewReport, json, markdown, text};
use misfire::review::{Options, Review, Reviewer};
use std::time::{Duration, Instant};

fn catalog(parameters: &str) -> Catalog {
    let text = format!(r#"{{"name": "t", "description": "d", "parameters": {parameters}}}"#);
    Catalog::from_definitions(Definition::parse(text.as_bytes()).expect("a definition"))
}

fn review(before: &str, after: &str, calls: &[&str]) -> Review {
    let started = Instant::now();
    let mut last = Review::default();
    for profile in [Profile::Wave, Profile::JsonSchema { formats: true }] {
        let lint = misfire::lint::Options { targets: Some(misfire::lint::Targets::ALL), ..Default::default() };
        let options = Options { profile, lint: Some(lint), ..Options::default() };
        let mut reviewer = Reviewer::new(&catalog(before), &catalog(after), options);
        for call in calls {
            reviewer.replay(&Call::new("t", Arguments::text(call)));
        }
        last = reviewer.finish();
        let report = ReviewReport {
            review: &last,
            base: String::new(),
            head: String::new(),
            profile,
            targets: Vec::new(),
            calls_given: true,
            all_tools: Vec::new(),
            leftovers: Vec::new(),
            unreadable: Vec::new(),
        };
        assert!(markdown(&report).len() < 60_000);
        assert!(!text(&report).is_empty() && !json(&report).to_json().is_empty());
    }
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
    last
}

fn nested(keyword: &str, depth: usize, inside: &str) -> String {
    let open = match keyword {
        "properties" => r#"{"type":"object","properties":{"a":"#.to_owned(),
        "items" => r#"{"type":"array","items":"#.to_owned(),
        _ => format!(r#"{{"{keyword}":["#),
    };
    let close = match keyword {
        "properties" => "}}",
        "items" => "}",
        _ => "]}",
    };
    open.repeat(depth) + inside + &close.repeat(depth)
}

#[test]
fn deep_ones() {
    for keyword in ["properties", "items", "anyOf", "allOf", "oneOf"] {
        for depth in [100, 2_000] {
            let (a, b) = (nested(keyword, depth, r#"{"type":"string"}"#), nested(keyword, depth, r#"{"type":"number"}"#));
            let call = nested("properties", 50, "1");
            review(&a, &b, &[&call, "{", "null", &"[".repeat(3000)]);
        }
    }
}

#[test]
fn wide_ones() {
    let wide = |kind: &str| {
        let members: Vec<String> = (0..3_000).map(|i| format!(r#""p{i}":{{"type":"{kind}"}}"#)).collect();
        format!(r#"{{"type":"object","properties":{{{}}}}}"#, members.join(","))
    };
    review(&wide("string"), &wide("number"), &[r#"{"p7": "x"}"#]);
    // Nothing in common: every pair could be a rename.
    let other = wide("string").replace("\"p", "\"q");
    review(&wide("string"), &other, &[]);
    let branches = |kind: &str| {
        let members: Vec<String> =
            (0..500).map(|i| format!(r#"{{"type":"object","properties":{{"k{i}":{{"type":"{kind}"}}}}}}"#)).collect();
        format!(r#"{{"type":"object","properties":{{"u":{{"anyOf":[{}]}}}}}}"#, members.join(","))
    };
    review(&branches("string"), &branches("number"), &[r#"{"u": {"k3": "x"}}"#]);
}

#[test]
fn ones_that_refer_to_themselves() {
    let round = r##"{"$ref": "#", "properties": {"a": {"$ref": "#/properties/b"}, "b": {"$ref": "#/properties/a"}}}"##;
    let tree = r##"{"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"object","properties":{"l":{"$ref":"#/$defs/n"},"r":{"$ref":"#/$defs/n"},"v":{"type":"TYPE"}}}}}"##;
    let same = r##"{"allOf":[{"$ref":"#"},{"$ref":"#/allOf/0"}],"anyOf":[{"$ref":"#/anyOf/0"}]}"##;
    let all = [round.to_owned(), tree.replace("TYPE", "string"), tree.replace("TYPE", "number"), same.to_owned()];
    for before in &all {
        for after in &all {
            review(before, after, &[r#"{"n": {"l": {"r": {"v": "x"}}}}"#, "{}"]);
        }
    }
    // The change inside the recursion is found, and the call that feels it.
    let found = review(&all[1], &all[2], &[r#"{"n": {"l": {"r": {"v": "x"}}}}"#]);
    let finding = &found.tools[0].findings[0];
    assert_eq!((finding.rule.id(), finding.evidence.failing), ("param-type-changed", 1), "{finding:?}");
}

#[test]
fn keywords_of_every_wrong_shape() {
    let values =
        ["null", "true", "false", "0", "-1e400", r#""x""#, "[]", "{}", r#"["a", 1, null]"#, r#"{"a": 1}"#, r#"[{"a": []}]"#];
    let keywords = [
        "type",
        "properties",
        "required",
        "enum",
        "const",
        "items",
        "prefixItems",
        "additionalProperties",
        "patternProperties",
        "propertyNames",
        "minimum",
        "exclusiveMaximum",
        "multipleOf",
        "maxLength",
        "minItems",
        "uniqueItems",
        "pattern",
        "format",
        "anyOf",
        "oneOf",
        "allOf",
        "not",
        "if",
        "then",
        "dependentRequired",
        "dependencies",
        "dependentSchemas",
        "contains",
        "$ref",
        "$defs",
        "$schema",
        "nullable",
        "description",
        "title",
        "default",
        "examples",
        "deprecated",
        "unevaluatedProperties",
    ];
    for keyword in keywords {
        for (i, value) in values.iter().enumerate() {
            let other = values[(i + 3) % values.len()];
            let schema =
                |v: &str| format!(r#"{{"type": "object", "properties": {{"a": {{"{keyword}": {v}}}}}, "{keyword}": {v}}}"#);
            review(&schema(value), &schema(other), &[r#"{"a": "x"}"#, r#"{"a": {"a": [1]}}"#]);
            review(r#"{"type": "object"}"#, &schema(value), &["{}"]);
        }
    }
    for whole in values {
        review(whole, r#"{"type": "object", "properties": {"a": {}}}"#, &["{}"]);
        review(r#"{"type": "object", "properties": {"a": {}}}"#, whole, &["{}", "1"]);
    }
}

#[test]
fn names_that_are_no_names() {
    for name in ["", "~", "/", "~1", "a/b", "a.b", "a[0]", "\\ud800", "\\u0000", "\\u202e", "`", "{t}", "{p}", "%s"] {
        let schema = |key: &str| {
            format!(r#"{{"type": "object", "properties": {{"{key}": {{"type": "string"}}}}, "required": ["{key}"]}}"#)
        };
        let call = format!(r#"{{"{name}": 1}}"#);
        review(&schema(name), &schema(&format!("{name}x")), &[&call]);
        review(&schema(name), r#"{"type": "object", "properties": {}}"#, &[&call]);
        let found = review(&schema(name), &schema(name).replace("string", "number"), &[&format!(r#"{{"{name}": "x"}}"#)]);
        // A validator does not take half a surrogate pair in a schema: there, nothing is known.
        let felt = usize::from(name != "\\ud800");
        assert_eq!(found.tools[0].findings[0].evidence.failing, felt, "{name}");
    }
}
