//! Definitions and calls made to break a validator: each ends quickly, in a verdict, and opens nothing.
#![cfg(feature = "jsonschema")]

use misfire::definition::{Catalog, Definition};
use misfire::gate::{Gate, Profile, Verdict, VerdictKind};
use std::time::{Duration, Instant};

fn judge(schema: &str, arguments: &str) -> Verdict {
    let tool = format!(r#"{{"name": "t", "parameters": {schema}}}"#);
    let catalog = Catalog::from_definitions(Definition::parse(tool.as_bytes()).expect("a definition"));
    Gate::with_profile(&catalog, Profile::JsonSchema { formats: true }).judge_text("t", arguments.as_bytes(), None)
}

/// Judges on a thread with the stack that threads have by default, and in a time that a person does not notice much.
fn quickly(what: &str, schema: String, arguments: String) -> Verdict {
    let start = Instant::now();
    let verdict = std::thread::Builder::new().stack_size(2 << 20).spawn(move || judge(&schema, &arguments)).unwrap().join();
    let took = start.elapsed();
    assert!(took < Duration::from_secs(20), "{what} took {took:?}");
    println!("{what}: {took:?} {:?}", verdict.as_ref().map(|v| (v.kind, v.undecided.clone())));
    verdict.expect(what)
}

fn nested(open: &str, depth: usize, inside: &str, close: &str) -> String {
    open.repeat(depth) + inside + &close.repeat(depth)
}

#[test]
fn depth_is_no_abort() {
    for (what, depth, kind) in [
        ("a deep schema that is compiled", 60, VerdictKind::Accepted),
        ("too deep", 200, VerdictKind::Undecided),
        ("far too deep", 100_000, VerdictKind::Undecided),
    ] {
        let schema = nested(r#"{"properties":{"a":"#, depth, "{}", "}}");
        assert_eq!(quickly(what, schema, "{}".to_owned()).kind, kind, "{what}");
        let schema = nested(r#"{"allOf":["#, depth, "{}", "]}");
        assert_eq!(quickly(what, schema, "{}".to_owned()).kind, kind, "{what}");
        let schema = nested(r#"{"not":"#, depth * 2, "{}", "}");
        assert!(quickly(what, schema, "{}".to_owned()).undecided.is_none() == (depth == 60), "{what}");
    }
    let enumerated = format!(r#"{{"enum": [{}]}}"#, nested("[", 100_000, "", "]"));
    assert_eq!(quickly("a deep value in the schema", enumerated, "{}".to_owned()).kind, VerdictKind::Undecided);
    // Arguments: whatever the schema does not look into may be as deep as it likes.
    let deep = || nested("[", 1_000_000, "", "]");
    assert_eq!(quickly("deep", r#"{"type": "array"}"#.to_owned(), deep()).kind, VerdictKind::Accepted);
    assert_eq!(quickly("deep", r#"{"type": "string"}"#.to_owned(), deep()).kind, VerdictKind::Rejected);
    assert_eq!(quickly("deep", r#"{"enum": [[[[]]]]}"#.to_owned(), deep()).kind, VerdictKind::Rejected);
    assert_eq!(
        quickly("deep", r#"{"uniqueItems": true}"#.to_owned(), format!("[{},{}]", deep(), deep())).kind,
        VerdictKind::Rejected
    );
    let list = r##"{"type": "array", "items": {"$ref": "#"}}"##;
    assert_eq!(quickly("deep", list.to_owned(), deep()).kind, VerdictKind::Undecided);
    assert_eq!(quickly("100", list.to_owned(), nested("[", 100, "", "]")).kind, VerdictKind::Accepted);
    assert_eq!(quickly("100", list.to_owned(), nested("[", 100, "1", "]")).kind, VerdictKind::Rejected);
    let wide =
        (0..60).map(|i| format!(r##""a{i}": {{"allOf": [{{"$ref": "#/$defs/a{}"}}]}}, "##, i + 1)).collect::<Vec<_>>().concat();
    let slow = format!(
        r##"{{"$defs": {{{wide} "a60": {{"items": {{"$ref": "#/$defs/a0"}}, "type": "array"}}}}, "$ref": "#/$defs/a0"}}"##
    );
    assert_eq!(quickly("long ways down", slow.clone(), nested("[", 8, "", "]")).kind, VerdictKind::Accepted);
    assert_eq!(quickly("long ways down", slow, nested("[", 100, "", "]")).kind, VerdictKind::Undecided);
}

#[test]
fn references_do_not_go_round() {
    for schema in [
        r##"{"$ref": "#"}"##,
        r##"{"$dynamicRef": "#a", "$dynamicAnchor": "a"}"##,
        r##"{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}"##,
        r##"{"anyOf": [{"$ref": "#"}, {"$ref": "#"}], "unevaluatedProperties": false}"##,
        r##"{"if": {"$ref": "#"}, "then": {"$ref": "#"}, "else": {"$ref": "#"}}"##,
        r##"{"$schema": "http://json-schema.org/draft-07/schema#", "allOf": [{"$ref": "#"}]}"##,
        r#"{"$schema": "http://json-schema.org/draft-04/schema#", "id": "http://x/", "not": {"$ref": "http://x/#"}}"#,
        r#"{"$id": "http://x/y", "$ref": "../x/../y"}"#,
    ] {
        let verdict = quickly(schema, schema.to_owned(), r#"{"a": [{"b": 1}]}"#.to_owned());
        assert_ne!(verdict.kind, VerdictKind::Rejected, "{schema}");
    }
    // Each doubles what the next has to do.
    for (join, keep) in [("allOf", "$defs"), ("anyOf", "$defs"), ("oneOf", "definitions")] {
        let steps = (0..60)
            .map(|i| {
                format!(r##""a{i}": {{"{join}": [{{"$ref": "#/{keep}/a{n}"}}, {{"$ref": "#/{keep}/a{n}"}}]}}, "##, n = i + 1)
            })
            .collect::<Vec<_>>()
            .concat();
        let schema = format!(r##"{{"$ref": "#/{keep}/a0", "{keep}": {{{steps} "a60": {{"type": "string"}}}}}}"##);
        assert_eq!(quickly(join, schema, "1".to_owned()).kind, VerdictKind::Undecided);
    }
    // The same one level deeper each: paid for by looks at the arguments.
    let tree =
        r##"{"anyOf": [{"items": {"$ref": "#"}, "minItems": 1}, {"items": {"$ref": "#"}, "maxItems": 5}, {"type": "string"}]}"##;
    quickly("a tree of alternatives", tree.to_owned(), nested("[", 40, "{}", "]"));
    let nobody =
        r##"{"type": "array", "oneOf": [{"items": {"$ref": "#"}, "minItems": 2}, {"items": {"$ref": "#"}, "maxItems": 0}]}"##;
    quickly("a tree of alternatives that nothing matches", nobody.to_owned(), nested("[", 60, "{}", "]"));
    let chain = (0..20_000).map(|i| format!(r##""a{i}": {{"$ref": "#/$defs/a{}"}}, "##, i + 1)).collect::<Vec<_>>().concat();
    let chain = format!(r##"{{"$ref": "#/$defs/a0", "$defs": {{{chain} "a20000": {{}}}}}}"##);
    assert_eq!(quickly("a long chain", chain, "1".to_owned()).kind, VerdictKind::Undecided);
    let clique = (0..12)
        .map(|i| {
            let all: Vec<String> = (0..12).map(|j| format!(r##"{{"$ref": "#/$defs/a{j}"}}"##)).collect();
            format!(r#""a{i}": {{"allOf": [{}]}}, "#, all.join(", "))
        })
        .collect::<Vec<_>>()
        .concat();
    let clique = format!(r##"{{"$ref": "#/$defs/a0", "$defs": {{{clique} "z": {{}}}}}}"##);
    assert_eq!(quickly("all refer to all", clique, "1".to_owned()).kind, VerdictKind::Undecided);
}

#[test]
fn patterns_end() {
    for (pattern, value, kind) in [
        (r"^(a+)+$", "a".repeat(60) + "!", VerdictKind::Rejected),
        (r"^(a|a)*\\1$", "a".repeat(40) + "!", VerdictKind::Undecided),
        (r"(?=(a+))\\1b", "a".repeat(20_000), VerdictKind::Rejected),
        (r"((((a{1,999}){1,999}){1,999}){1,999})", "a".to_owned(), VerdictKind::Undecided),
        (r"[", "a".to_owned(), VerdictKind::Undecided),
    ] {
        let schema = format!(r#"{{"properties": {{"p": {{"pattern": "{pattern}"}}}}}}"#);
        let verdict = quickly(pattern, schema, format!(r#"{{"p": "{value}"}}"#));
        assert_eq!(verdict.kind, kind, "{pattern}: {:?}", verdict.undecided);
    }
    let many: Vec<String> = (0..250).map(|i| format!(r#""p{i}": {{"pattern": "(a{{1,90}}){{1,90}}{i}"}}"#)).collect();
    quickly("many large patterns", format!(r#"{{"properties": {{{}}}}}"#, many.join(", ")), "{}".to_owned());
    let more: Vec<String> = (0..300).map(|i| format!(r#""p{i}": {{"pattern": "a"}}"#)).collect();
    let verdict = quickly("too many patterns", format!(r#"{{"patternProperties": {{{}}}}}"#, more.join(", ")), "{}".to_owned());
    assert_eq!(verdict.kind, VerdictKind::Undecided);
}

#[test]
fn size_is_no_abort() {
    let keys: Vec<String> = (0..40_000).map(|i| format!(r#""k{i}": {{"type": "string", "enum": ["{i}"]}}"#)).collect();
    let schema = format!(r#"{{"properties": {{{}}}}}"#, keys.join(", "));
    assert_eq!(quickly("many parameters", schema, r#"{"k7": "7", "k8": 1}"#.to_owned()).kind, VerdictKind::Rejected);
    let list = format!(r#"{{"l": [{}]}}"#, vec![r#"{"a": 1}"#; 200_000].join(","));
    let schema = r#"{"properties": {"l": {"items": {"properties": {"a": {"minimum": 1}}, "required": ["a"]}}}}"#;
    assert_eq!(quickly("many items", schema.to_owned(), list.clone()).kind, VerdictKind::Accepted);
    let wrong = r#"{"properties": {"l": {"items": {"properties": {"a": {"minimum": 2}}, "required": ["b"]}}}}"#;
    assert_eq!(quickly("many issues", wrong.to_owned(), list).issues.len(), 400_000);
    let members: Vec<String> = (0..20_000).map(|i| format!(r#""k{i}": {i}"#)).collect();
    let schema = r#"{"additionalProperties": {"type": "string"}}"#;
    assert_eq!(quickly("many wrong keys", schema.to_owned(), format!("{{{}}}", members.join(","))).issues.len(), 20_000);
}

#[test]
fn nothing_is_opened() {
    // A server that must never be asked, and a file that must never be read.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.json");
    std::fs::write(&file, r#"{"type": "string"}"#).unwrap();
    for schema in [
        format!(r#"{{"$ref": "http://{address}/s.json"}}"#),
        format!(r#"{{"$id": "http://{address}/", "$ref": "s.json"}}"#),
        format!(r#"{{"$schema": "http://{address}/meta"}}"#),
        format!(r#"{{"$ref": "file://{}"}}"#, file.display()),
        format!(r#"{{"$id": "file://{}/", "allOf": [{{"$ref": "s.json"}}]}}"#, folder.path().display()),
    ] {
        let verdict = judge(&schema, "1");
        assert_ne!(verdict.kind, VerdictKind::Rejected, "{schema}");
    }
    assert!(listener.accept().is_err(), "somebody called");
}
