//! `--fix`: edits that keep what a schema accepts, and those that are not offered because they do not.
#![cfg(feature = "jsonschema")]

use misfire::definition::{Catalog, Definition};
use misfire::lint::{Options, Target, Targets, fixes};

/// Fixes a text until nothing is left to fix.
fn fixed(text: &str, targets: &[Target]) -> (String, Vec<String>, String) {
    let options = Options { targets: Some(Targets::of(targets)), assume_strict: true, ..Options::default() };
    let (mut text, mut what, mut diff) = (text.to_owned(), Vec::new(), String::new());
    for _ in 0..10 {
        let catalog = Catalog::from_definitions(Definition::parse(text.as_bytes()).unwrap());
        let Some(fix) = fixes(&catalog, &options).into_iter().next() else { break };
        what.extend(fix.edits.iter().map(|edit| format!("{} {}", edit.rule, edit.pointer)));
        diff += &fix.diff;
        text = String::from_utf8(fix.after).unwrap();
    }
    (text, what, diff)
}

fn tool(schema: &str) -> String {
    format!(r#"{{"name": "t", "inputSchema": {schema}}}"#)
}

#[test]
fn edits_that_keep_the_accepted_set() {
    use Target::{AnthropicStrict, Clients, Gemini, OpenAi};
    for (targets, before, after) in [
        (
            OpenAi,
            r#"{"type": "object", "additionalProperties": false}"#,
            r#"{"type": "object", "additionalProperties": false, "properties": {}}"#,
        ),
        (
            Gemini,
            r#"{"type": "object", "properties": {"n": {"type": "integer", "exclusiveMinimum": 0}}}"#,
            r#"{"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}}"#,
        ),
        (
            Gemini,
            r#"{"type": "object", "properties": {"n": {"minimum": -5, "exclusiveMinimum": 0, "type": "integer", "exclusiveMaximum": 10}}}"#,
            r#"{"type": "object", "properties": {"n": {"minimum": 1, "type": "integer", "maximum": 9}}}"#,
        ),
        (
            Clients,
            r##"{"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}, "b": {"$ref": "#/$defs/b"}}, "$defs": {"a": {"type": "string"}, "b": {"type": "array", "items": {"$ref": "#/$defs/a"}}}}"##,
            r#"{"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "array", "items": {"type": "string"}}}, "$defs": {"a": {"type": "string"}, "b": {"type": "array", "items": {"type": "string"}}}}"#,
        ),
        (
            AnthropicStrict,
            r#"{"type": "object", "properties": {"s": {"anyOf": [{"type": "string", "maxLength": 5}, {"type": "null"}], "description": "d"}}}"#,
            r#"{"type": "object", "properties": {"s": {"type": ["string", "null"], "maxLength": 5, "description": "d"}}}"#,
        ),
    ] {
        let (got, what, _) = fixed(&tool(before), &[targets]);
        assert_eq!(got, tool(after), "{what:?}");
    }
}

#[test]
fn edits_that_are_not_offered() {
    use Target::{AnthropicStrict, Clients, Gemini};
    for (targets, schema) in [
        // Not an integer: 0.5 is accepted before and not after.
        (vec![Gemini], r#"{"type": "object", "properties": {"n": {"type": "number", "exclusiveMinimum": 0}}}"#),
        // The other bound is the stronger one, or no number.
        (vec![Gemini], r#"{"type": "object", "properties": {"n": {"type": "integer", "exclusiveMinimum": 0, "minimum": 7}}}"#),
        (vec![Gemini], r#"{"type": "object", "properties": {"n": {"type": "integer", "exclusiveMinimum": 0.5}}}"#),
        // A list of types would not let null past the enum.
        (
            vec![AnthropicStrict],
            r#"{"type": "object", "properties": {"s": {"anyOf": [{"type": "string", "enum": ["x"]}, {"type": "null"}]}}}"#,
        ),
        // Clients mind a list of types more than a union.
        (vec![Clients], r#"{"type": "object", "properties": {"s": {"anyOf": [{"type": "string"}, {"type": "null"}]}}}"#),
        // Recursive.
        (
            vec![Clients],
            r##"{"type": "object", "properties": {"s": {"$ref": "#/$defs/t"}}, "$defs": {"t": {"type": "array", "items": {"$ref": "#/$defs/t"}}}}"##,
        ),
        // Beside other keywords.
        (
            vec![Clients],
            r##"{"type": "object", "properties": {"s": {"$ref": "#/$defs/t", "maxLength": 3}}, "$defs": {"t": {"type": "string", "maxLength": 9}}}"##,
        ),
        // Nothing is closed or required.
        (vec![Target::OpenAiStrict], r#"{"type": "object", "properties": {"s": {"type": "string"}}}"#),
    ] {
        let (got, what, _) = fixed(&tool(schema), &targets);
        assert_eq!(got, tool(schema), "{what:?}");
    }
}

#[test]
fn the_layout_is_kept_and_shown_as_a_diff() {
    let before = "{\"name\": \"t\", \"inputSchema\": {\n  \"type\": \"object\",\n  \"properties\": {\n    \"a\": {\"$ref\": \"#/$defs/a\"}\n  },\n  \"$defs\": {\n      \"a\": {\n        \"type\": \"string\"\n      }\n  }\n}}\n";
    let (after, _, diff) = fixed(before, &[Target::Clients]);
    assert_eq!(after, before.replace("{\"$ref\": \"#/$defs/a\"}", "{\n      \"type\": \"string\"\n    }"));
    assert_eq!(
        diff,
        "--- \n+++ \n@@ -4,1 +4,3 @@\n-    \"a\": {\"$ref\": \"#/$defs/a\"}\n+    \"a\": {\n+      \"type\": \"string\"\n+    }\n"
    );
    let (after, _, _) = fixed("{\"name\": \"t\", \"inputSchema\": {\n    \"type\": \"object\"\n}}", &[Target::OpenAi]);
    assert_eq!(after, "{\"name\": \"t\", \"inputSchema\": {\n    \"type\": \"object\",\n    \"properties\": {}\n}}");
}
