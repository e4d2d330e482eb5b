//! The profile `jsonschema`: verdicts, issues and their order, ignored keys, and every disagreement between validators that
//! docs/profiles.md decides.
#![cfg(feature = "jsonschema")]

use misfire::definition::{Catalog, Definition};
use misfire::dialect::text;
use misfire::gate::{Gate, Profile, Verdict, VerdictKind};

fn gate(schema: &str, formats: bool) -> Gate {
    let tool = format!(r#"{{"name": "t", "parameters": {schema}}}"#);
    let catalog = Catalog::from_definitions(Definition::parse(tool.as_bytes()).expect(schema));
    Gate::with_profile(&catalog, Profile::JsonSchema { formats })
}

fn judge(schema: &str, arguments: &str) -> Verdict {
    gate(schema, false).judge_text("t", arguments.as_bytes(), None)
}

/// The verdict in short: its name, and of each issue the path with its kind or keyword.
fn short(verdict: &Verdict) -> String {
    let issues = verdict.issues.iter().map(|i| format!(" {}:{}", i.path, i.kind.keyword().unwrap_or(i.kind.name())));
    format!("{}{}", verdict.kind.name(), issues.collect::<String>())
}

#[test]
fn issues_have_kinds_and_an_order_of_their_own() {
    let schema = r#"{"type": "object", "required": ["z", "a"], "additionalProperties": false, "properties": {
        "a": {"type": "integer", "minimum": 1, "maximum": 9, "multipleOf": 2},
        "b": {"type": "string", "enum": ["x", "y"]},
        "c": {"type": "array", "minItems": 1, "uniqueItems": true, "items": {"type": "string", "maxLength": 2}},
        "d": {"type": ["string", "null"], "pattern": "^k"},
        "n": false, "z": {}}}"#;
    for (arguments, want) in [
        (r#"{"z": 1, "a": 2}"#, "accepted"),
        (r#"{"q": 1, "a": "x"}"#, "rejected z:missing q:unexpected a:type"),
        // The keyword order within one value; bounds are all reported.
        (r#"{"z": 1, "a": 11}"#, "rejected a:maximum a:multipleOf"),
        // A value of the wrong type that is not in the list either: both, unlike rule G12.
        (r#"{"z": 1, "a": 2, "b": 3}"#, "rejected b:type b:value"),
        (r#"{"c": ["abc", "abc"], "a": 0, "z": 1}"#, "rejected c:uniqueItems c[0]:maxLength c[1]:maxLength a:minimum"),
        (r#"{"z": 1, "a": 2, "n": 1, "d": 5}"#, "rejected n:unexpected d:type"),
        (r#"{"z": 1, "a": 2, "d": "x"}"#, "rejected d:pattern"),
        (r"[1]", "rejected :type"),
        ("{", "rejected z:missing a:missing"),
        ("[", "unparsable"),
    ] {
        assert_eq!(short(&judge(schema, arguments)), want, "{arguments}");
    }
    assert_eq!(judge(schema, "{}").draft, Some("2020-12"));
}

#[test]
fn constraints_are_worded_in_the_manner_of_the_gate() {
    for (schema, arguments, line) in [
        (r#"{"properties": {"n": {"minimum": 1}}}"#, r#"{"n": 0}"#, "The parameter `n` is invalid: expected at least 1"),
        (
            r#"{"properties": {"n": {"exclusiveMaximum": 1.5}}}"#,
            r#"{"n": 2}"#,
            "The parameter `n` is invalid: expected less than 1.5",
        ),
        (
            r#"{"properties": {"s": {"minLength": 1}}}"#,
            r#"{"s": ""}"#,
            "The parameter `s` is invalid: expected at least 1 character",
        ),
        (
            r#"{"properties": {"s": {"pattern": "^a+$"}}}"#,
            r#"{"s": "b"}"#,
            "The parameter `s` is invalid: expected text that matches the pattern ^a+$",
        ),
        (r#"{"properties": {"c": {"const": {"a": 1}}}}"#, r#"{"c": 2}"#, "The parameter `c` is invalid: expected {\"a\":1}"),
        (r#"{"minProperties": 2}"#, r#"{"c": 2}"#, "The parameter `arguments` is invalid: expected at least 2 keys"),
        (
            r#"{"propertyNames": {"pattern": "^[a-z]+$"}}"#,
            r#"{"C": 2}"#,
            "The parameter `arguments` is invalid: expected keys that are text that matches the pattern ^[a-z]+$",
        ),
        (
            r#"{"properties": {"v": {"not": {"type": "null"}}}}"#,
            r#"{"v": null}"#,
            "The parameter `v` is invalid: expected anything but the form that is ruled out",
        ),
        (
            r#"{"properties": {"v": {"enum": [1e21, "a"]}}}"#,
            r#"{"v": null}"#,
            "The parameter `v` is invalid: expected one of 1e+21|\"a\"",
        ),
    ] {
        let verdict = judge(schema, arguments);
        assert_eq!(text(&verdict).unwrap(), format!("t failed due to the following issue(s):\n{line}"), "{schema}");
        assert!(verdict.is_error());
    }
}

#[test]
fn of_a_union_the_branch_that_came_closest_is_told() {
    let schema = r#"{"properties": {"source": {"oneOf": [
        {"type": "string"},
        {"type": "object", "required": ["kind", "url"], "properties": {"kind": {"const": "url"}, "url": {"type": "string"}}},
        {"type": "object", "required": ["kind", "path"], "properties": {"kind": {"const": "file"}, "path": {"type": "string"}, "line": {"type": "integer"}}}]}}}"#;
    let verdict = judge(schema, r#"{"source": {"kind": "file", "line": "3"}}"#);
    assert_eq!(
        text(&verdict).unwrap(),
        "t failed due to the following issue(s):\nThe parameter `source` is invalid: expected exactly one of 3 forms\n  \
         The required parameter `source.path` is missing\n  \
         The parameter `source.line` type is expected as `integer` but provided as `string`"
    );
    let both = judge(r#"{"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}"#, r#"{"a": 1, "b": 2}"#);
    assert_eq!(both.issues[0].kind.provided(), Some("2 of them"));
    assert_eq!(short(&both), "rejected :oneOf");
}

#[test]
fn undeclared_keys_of_an_open_object_are_named() {
    let schema = r#"{"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {}}}}, "required": ["a"]}"#;
    let verdict = judge(schema, r#"{"a": {"b": 1, "c": 2}, "A": 1}"#);
    assert_eq!((verdict.kind, verdict.ignored), (VerdictKind::Accepted, vec!["a.c".to_owned(), "A".to_owned()]));
    assert!(judge(schema, r#"{"A": 1}"#).ignored.is_empty(), "a rejected call ignores nothing");
}

#[test]
fn routing_and_parsing_are_those_of_every_profile() {
    let schema = r#"{"type": "object", "properties": {"a": {"type": "string", "maxLength": 1}}}"#;
    let recovered = judge(schema, r#"{"a": "xy"#);
    assert!(recovered.recovered() && recovered.kind == VerdictKind::Rejected);
    assert!(text(&recovered).unwrap().contains("\n\nTool arguments were truncated"));
    assert_eq!(gate(schema, false).judge_text("u", b"{}", None).kind, VerdictKind::UnknownTool);
    let mcp = Definition::parse(br#"{"name": "mcp__s__t", "inputSchema": {"properties": {"a": {"minimum": 3}}}}"#).unwrap();
    let gate = Gate::with_profile(&Catalog::from_definitions(mcp), Profile::JsonSchema { formats: false });
    let verdict = gate.judge_text("mcp__s__t", br#"{"a": 1}"#, None);
    assert_eq!((verdict.kind, verdict.advice.len()), (VerdictKind::PassedThrough, 1));
}

const DRAFT_07: &str = "http://json-schema.org/draft-07/schema#";

/// One row a disagreement of docs/profiles.md: its number there, the schema of `v`, a value, whether formats are asserted,
/// and the verdict.
#[test]
fn every_disagreement_between_validators_is_decided() {
    let mut wrong = Vec::new();
    for (number, schema, value, formats, want) in [
        (1, r#"{"format": "email"}"#, r#""no""#, false, "accepted"),
        (1, r#"{"$schema": "DRAFT07", "format": "email"}"#, r#""no""#, false, "accepted"),
        (1, r#"{"format": "email"}"#, r#""no""#, true, "rejected"),
        (2, r#"{"format": "uri"}"#, r#""git@h:r.git""#, true, "rejected"),
        (2, r#"{"format": "date-time"}"#, r#""yesterday""#, true, "rejected"),
        (3, r#"{"format": "date-time"}"#, r#""2026-11-30 18:00:00Z""#, true, "rejected"),
        (4, r#"{"format": "path"}"#, r#""x""#, true, "accepted"),
        (5, r#"{"$schema": "DRAFT07", "format": "uuid"}"#, r#""x""#, true, "accepted"),
        (5, r#"{"format": "uuid"}"#, r#""x""#, true, "rejected"),
        (6, r#"{"format": "int32"}"#, "99999999999", true, "accepted"),
        (7, r#"{"items": [{"type": "string"}]}"#, "[1]", false, "undecided"),
        (7, r#"{"$schema": "DRAFT07", "items": [{"type": "string"}]}"#, "[1]", false, "rejected"),
        (8, r#"{"$schema": "DRAFT07", "prefixItems": [{"type": "string"}]}"#, "[1]", false, "accepted"),
        (9, r#"{"dependencies": {"a": ["b"]}}"#, r#"{"a": 1}"#, false, "rejected"),
        (10, r#"{"$schema": "DRAFT07", "dependentRequired": {"a": ["b"]}}"#, r#"{"a": 1}"#, false, "accepted"),
        (10, r#"{"$schema": "DRAFT07", "unevaluatedProperties": false}"#, r#"{"a": 1}"#, false, "accepted"),
        (
            11,
            r##"{"$schema": "DRAFT07", "definitions": {"a": {}}, "allOf": [{"$ref": "#/definitions/a", "type": "string"}]}"##,
            "1",
            false,
            "accepted",
        ),
        (11, r##"{"$defs": {"a": {}}, "$ref": "#/$defs/a", "type": "string"}"##, "1", false, "rejected"),
        (12, r#"{"type": "string", "nullable": true}"#, "null", false, "rejected"),
        (13, r#"{"enum": []}"#, "1", false, "rejected"),
        (14, r#"{"enum": ["a", "a"]}"#, r#""a""#, false, "accepted"),
        (15, r#"{"requried": ["a"], "x-order": 1}"#, "{}", false, "accepted"),
        (16, r#"{"$schema": "https://example.com/my-schema", "type": "string"}"#, "1", false, "rejected"),
        (17, r#"{"$schema": "https://json-schema.org/draft-07/schema", "type": "string"}"#, "1", false, "rejected"),
        (18, r#"{"$schema": "", "type": "string"}"#, "1", false, "rejected"),
        (19, r#"{"const": 9007199254740992}"#, "9007199254740993", false, "accepted"),
        (19, r#"{"maximum": 9007199254740992}"#, "9007199254740993", false, "accepted"),
        (20, r#"{"multipleOf": 0.01}"#, "19.99", false, "accepted"),
        (20, r#"{"multipleOf": 0.01}"#, "4.02", false, "accepted"),
        (20, r#"{"multipleOf": 0.01}"#, "0.075", false, "rejected"),
        (21, r#"{"type": "number", "minimum": 5}"#, "1e400", false, "accepted"),
        (21, r#"{"type": "number", "maximum": 5}"#, "1e400", false, "rejected"),
        (21, r#"{"type": "integer"}"#, "1e400", false, "rejected"),
        (21, r#"{"const": 1e308}"#, "1e400", false, "rejected"),
        (21, r#"{"multipleOf": 5}"#, "1e400", false, "undecided"),
        (21, r#"{"uniqueItems": true}"#, "[1e400, 1e308, null]", false, "accepted"),
        (21, r#"{"uniqueItems": true}"#, "[1e400, 2e400]", false, "rejected"),
        (21, r#"{"maximum": 1e400}"#, "1", false, "undecided"),
        (22, "{}", "NaN", false, "unparsable"),
        (23, r#"{"type": "string", "maxLength": 1}"#, r#""\ud800""#, false, "accepted"),
        (23, r#"{"enum": ["a"]}"#, r#""\ud800""#, false, "rejected"),
        (23, r#"{"pattern": "^a"}"#, r#""\ud800""#, false, "undecided"),
        (23, r#"{"properties": {"\ufffd": false}}"#, r#"{"\ud800": 1}"#, false, "undecided"),
        (23, r#"{"enum": ["\ud800"]}"#, r#""a""#, false, "undecided"),
        (26, r#"{"pattern": "^\\d$"}"#, r#""٣""#, false, "rejected"),
        (27, r#"{"pattern": "^foo$"}"#, r#""foo\n""#, false, "rejected"),
        (28, r#"{"pattern": "^\\p{L}+$"}"#, r#""é""#, false, "accepted"),
        (29, r#"{"pattern": "^[a-z\\_]+$"}"#, r#""a_b""#, false, "accepted"),
        (30, r#"{"pattern": "[\\w-.]"}"#, r#""a""#, false, "undecided"),
        (31, r#"{"pattern": "(?P<y>\\d)"}"#, r#""1""#, false, "accepted"),
        (31, r#"{"pattern": "a\\Z"}"#, r#""a""#, false, "undecided"),
        (32, r#"{"pattern": "^(?!x)"}"#, r#""xa""#, false, "rejected"),
        (33, r##"{"properties": {"a": {"$ref": "#/$defs/x"}}}"##, "{}", false, "undecided"),
        (34, r#"{"$ref": "http://127.0.0.1:9/x.json"}"#, "1", false, "undecided"),
        (35, r#"{"$ref": "file:///etc/hostname"}"#, "1", false, "undecided"),
        (37, "false", "1", false, "rejected"),
        (38, r#"{"contains": {"const": 1}, "minContains": 2}"#, "[1]", false, "rejected"),
        (39, r#"{"type": "string", "default": null}"#, r#""a""#, false, "accepted"),
        // What validators agree on.
        (0, r#"{"type": "integer"}"#, "1e2", false, "accepted"),
        (0, r#"{"maxLength": 1}"#, r#""😀""#, false, "accepted"),
        (0, r#"{"const": 1}"#, "true", false, "rejected"),
        (0, r#"{"uniqueItems": true}"#, "[1, true]", false, "accepted"),
        (0, r#"{"uniqueItems": true}"#, "[1, 1.0]", false, "rejected"),
        (0, r##"{"$schema": "DRAFT07", "$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}"##, "1", false, "rejected"),
        (0, r#"{"properties": null}"#, "{}", false, "undecided"),
        (0, r#"{"required": true}"#, "{}", false, "undecided"),
        (0, r#"{"type": "int"}"#, "1", false, "undecided"),
        (0, r#"{"minimum": 1, "exclusiveMinimum": true}"#, "1", false, "undecided"),
        (
            0,
            r#"{"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": true}"#,
            "1",
            false,
            "rejected",
        ),
        (0, r#"{"contentMediaType": "application/json", "$schema": "DRAFT07"}"#, r#""{""#, true, "accepted"),
    ] {
        let schema = schema.replace("DRAFT07", DRAFT_07);
        let verdict = gate(&schema, formats).judge_text("t", value.as_bytes(), None);
        if verdict.kind.name() != want {
            wrong.push(format!("{number}: {schema} {value}: {} {:?}", verdict.kind.name(), verdict.undecided));
        }
        assert_eq!(verdict.undecided.is_some(), verdict.kind == VerdictKind::Undecided);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_draft_is_recorded() {
    for (uri, draft) in [
        ("http://json-schema.org/draft-04/schema#", "draft-04"),
        ("http://json-schema.org/draft-06/schema#", "draft-06"),
        ("https://json-schema.org/draft-07/schema", "draft-07"),
        ("https://json-schema.org/draft/2019-09/schema", "2019-09"),
        ("https://json-schema.org/draft/2020-12/schema#", "2020-12"),
        ("https://example.com/", "2020-12"),
    ] {
        assert_eq!(judge(&format!(r#"{{"$schema": "{uri}"}}"#), "{}").draft, Some(draft));
    }
}
