//! Tables of what is proved, and of what is not.

use super::*;

const JSON: Semantics = Semantics::JsonSchema { formats: false };

fn proved(semantics: Semantics, wide: &str, narrow: &str) -> bool {
    let (wide, narrow) = (Value::parse(wide.as_bytes()).unwrap(), Value::parse(narrow.as_bytes()).unwrap());
    covers(semantics, (Root(&wide), &wide), (Root(&narrow), &narrow))
}

#[test]
fn what_is_proved_for_a_validator() {
    for (wide, narrow, holds) in [
        (r#"{"type": "number"}"#, r#"{"type": "integer"}"#, true),
        (r#"{"type": "integer"}"#, r#"{"type": "number"}"#, false),
        (r#"{"type": ["string", "null"]}"#, r#"{"anyOf": [{"type": "string"}, {"type": "null"}]}"#, true),
        (r#"{"anyOf": [{"type": "string"}, {"type": "null"}]}"#, r#"{"type": ["string", "null"]}"#, false),
        (r#"{"enum": ["a", "b"]}"#, r#"{"const": "a"}"#, true),
        (r#"{"enum": ["a"]}"#, r#"{"enum": ["a", "b"]}"#, false),
        (r#"{"type": "integer", "exclusiveMinimum": 0}"#, r#"{"type": "integer", "minimum": 1}"#, true),
        (r#"{"type": "integer", "minimum": 1}"#, r#"{"type": "integer", "exclusiveMinimum": 0}"#, true),
        (r#"{"type": "number", "minimum": 1}"#, r#"{"type": "number", "exclusiveMinimum": 0}"#, false),
        (r#"{"type": "string", "maxLength": 5}"#, r#"{"type": "string", "maxLength": 3}"#, true),
        (r#"{"type": "string", "pattern": "a"}"#, r#"{"type": "string"}"#, false),
        (r#"{"type": "string", "pattern": "a"}"#, r#"{"type": "string", "pattern": "a", "minLength": 2}"#, true),
        (
            r#"{"properties": {"a": {"type": "string"}, "b": {"type": "string"}}}"#,
            r#"{"properties": {"a": {"type": "string"}}}"#,
            false,
        ),
        (r#"{"properties": {"a": {"type": "string"}}}"#, r#"{"type": "object", "properties": {"a": {"const": "x"}}}"#, true),
        (r#"{"type": "object", "required": ["a"]}"#, r#"{"type": "object"}"#, false),
        (
            r#"{"type": "object", "properties": {}, "additionalProperties": false}"#,
            r#"{"type": "object", "properties": {}}"#,
            false,
        ),
        (r#"{"type": "array", "items": {"type": "string"}}"#, r#"{"type": "array"}"#, false),
        (r##"{"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}"##, r#"{"type": "string"}"#, true),
        ("false", "false", true),
        ("false", r#"{"type": "string"}"#, false),
        ("true", "{}", true),
    ] {
        assert_eq!(proved(JSON, wide, narrow), holds, "{wide} covers {narrow}");
    }
}

/// What only describes is not nothing, where its being there decides.
#[test]
fn a_schema_that_only_describes() {
    let closed = r#"{"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false}"#;
    let with = r#"{"type": "object", "properties": {"a": {"type": "string"}, "b": {"description": "B"}}, "additionalProperties": false}"#;
    for semantics in [JSON, Semantics::Wave] {
        assert!(!proved(semantics, closed, with), "{semantics:?}");
        assert!(proved(semantics, with, closed), "{semantics:?}");
    }
    for (wide, narrow) in [
        (r#"{"anyOf": [{"type": "string"}]}"#, r#"{"anyOf": [{"type": "string"}, {"description": "anything"}]}"#),
        (r#"{"oneOf": [{"type": "string"}, {"title": "anything"}]}"#, r#"{"oneOf": [{"type": "string"}]}"#),
        (r#"{"not": {"title": "anything"}}"#, r#"{"title": "anything"}"#),
        (r#"{"contains": {"title": "anything"}}"#, r#"{"title": "anything"}"#),
    ] {
        assert!(!proved(JSON, wide, narrow), "{wide} {narrow}");
    }
    let open = r#"{"type": "object", "properties": {"a": {}}, "additionalProperties": {"description": "any"}}"#;
    assert!(!proved(Semantics::Wave, r#"{"type": "object", "properties": {"a": {}}}"#, open));
}

#[test]
fn what_is_proved_for_the_wave_gate() {
    for (wide, narrow, holds) in [
        (r#"{"type": "string", "maxLength": 3}"#, r#"{"type": "string"}"#, true),
        (r#"{"properties": {"a": {}, "b": {"type": "string"}}}"#, r#"{"type": "object", "properties": {"a": {}}}"#, true),
        (r#"{"properties": {"a": {}}}"#, r#"{"type": "object", "properties": {"a": {}, "b": {}}}"#, false),
        (r#"{"properties": {"a": {}}, "additionalProperties": false}"#, r#"{"type": "object", "properties": {"a": {}}}"#, true),
        (r#"{"$ref": "anything"}"#, r#"{"type": "string"}"#, true),
    ] {
        assert_eq!(proved(Semantics::Wave, wide, narrow), holds, "{wide} covers {narrow}");
    }
}

#[test]
fn patterns_of_keys() {
    for (pattern, key, yes) in [
        ("^x-", "x-a", true),
        ("^x-", "ax-", false),
        ("", "b", true),
        ("[a-z]", "a", true),
        ("^[A-Z]+$", "a", false),
        ("(", "(", false),
    ] {
        assert_eq!(matches(pattern, key), yes, "{pattern} {key}");
    }
}

#[test]
fn nothing_fits() {
    for (schema, none) in [
        (r#"{"type": "object", "required": ["a"], "properties": {"a": {"enum": []}}}"#, true),
        (r#"{"type": "object", "properties": {"a": {"enum": []}}}"#, false),
        (r#"{"type": "object", "required": ["a"], "properties": {"a": {"type": "integer", "minimum": 3, "maximum": 2}}}"#, true),
        (r#"{"type": "string", "enum": [1, 2]}"#, true),
        (r#"{"type": "string"}"#, false),
    ] {
        let value = Value::parse(schema.as_bytes()).unwrap();
        assert_eq!(is_unsatisfiable(JSON, (Root(&value), &value)), none, "{schema}");
    }
}
