//! Judging our values in place says what the validator says of its own: properties over schemas and values.
#![cfg(feature = "jsonschema")]

use misfire::gate::profile::{Judgement, SchemaValidator};
use misfire::json::Value;
use proptest::prelude::*;

fn value() -> impl Strategy<Value = serde_json::Value> {
    let number =
        prop_oneof![(-5_i64..6).prop_map(serde_json::Value::from), (-20_i32..20).prop_map(|n| (f64::from(n) / 4.0).into())];
    let text = prop::sample::select(vec!["", "a", "ab", "é", "😀x", "2026-11-30", "a/b", "~"]).prop_map(serde_json::Value::from);
    let leaf = prop_oneof![Just(serde_json::Value::Null), any::<bool>().prop_map(serde_json::Value::from), number, text];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::from),
            prop::collection::btree_map(key(), inner, 0..4).prop_map(|m| serde_json::Value::Object(m.into_iter().collect())),
        ]
    })
}

fn key() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "c", "", "é", "a/b", "~", "10", "2"]).prop_map(str::to_owned)
}

fn schema() -> impl Strategy<Value = serde_json::Value> {
    let types = prop::sample::select(vec!["string", "number", "integer", "boolean", "object", "array", "null"]);
    let keyword = prop_oneof![
        types.clone().prop_map(|t| serde_json::json!({"type": t})),
        (types.clone(), types).prop_filter_map("distinct", |(a, b)| (a != b).then(|| serde_json::json!({"type": [a, b]}))),
        prop::collection::vec(value(), 1..4).prop_map(|v| serde_json::json!({"enum": v})),
        value().prop_map(|v| serde_json::json!({"const": v})),
        (-3_i64..4).prop_map(|n| serde_json::json!({"minimum": n})),
        (-3_i64..4).prop_map(|n| serde_json::json!({"exclusiveMaximum": n})),
        prop::sample::select(vec![0.25, 0.5, 2.0]).prop_map(|n| serde_json::json!({"multipleOf": n})),
        (0_u8..3).prop_map(|n| serde_json::json!({"minLength": n, "maxItems": n})),
        (0_u8..3).prop_map(|n| serde_json::json!({"maxLength": n, "minProperties": n})),
        prop::sample::select(vec!["^a", "b$", "^\\p{L}+$", "\\d"]).prop_map(|p| serde_json::json!({"pattern": p})),
        Just(serde_json::json!({"uniqueItems": true})),
        Just(serde_json::json!({"additionalProperties": false})),
        prop::collection::btree_set(key(), 0..3).prop_map(|names| serde_json::json!({"required": names})),
        Just(serde_json::json!({"propertyNames": {"maxLength": 1}})),
        Just(serde_json::json!({"format": "date"})),
    ];
    keyword.prop_recursive(3, 24, 4, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            (key(), inner.clone()).prop_map(|(k, s)| serde_json::json!({"properties": {k: s}})),
            inner.clone().prop_map(|s| serde_json::json!({"items": s})),
            inner.clone().prop_map(|s| serde_json::json!({"additionalProperties": s})),
            inner.clone().prop_map(|s| serde_json::json!({"contains": s})),
            inner.clone().prop_map(|s| serde_json::json!({"not": s})),
            inner.clone().prop_map(|s| serde_json::json!({"patternProperties": {"^a": s}, "unevaluatedProperties": false})),
            pair.clone().prop_map(|(a, b)| serde_json::json!({"anyOf": [a, b]})),
            pair.clone().prop_map(|(a, b)| serde_json::json!({"oneOf": [a, b]})),
            pair.clone().prop_map(|(a, b)| serde_json::json!({"if": a, "then": b})),
            pair.clone().prop_map(|(a, b)| serde_json::json!({"allOf": [{"$ref": "#/$defs/x"}, a], "$defs": {"x": b}})),
            pair.prop_map(|(a, b)| {
                // Side by side in one schema, where both are objects with other keywords.
                let mut both = a;
                if let (Some(both), Some(b)) = (both.as_object_mut(), b.as_object()) {
                    b.iter().for_each(|(k, v)| drop(both.insert(k.clone(), v.clone())));
                }
                both
            }),
        ]
    })
}

fn ours(value: &serde_json::Value) -> Value {
    Value::parse(value.to_string().as_bytes()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_same_verdict_and_an_issue_for_every_error_place(schema in schema(), value in value(), formats in any::<bool>()) {
        // References of a subschema lead to the root, so only those at the root can be compiled.
        let validator = SchemaValidator::compile(Some(&ours(&schema)), formats);
        let theirs = jsonschema::options().offline().should_validate_formats(formats).build(&schema);
        // What goes round without going into the value is refused here and followed there.
        if validator.refusal().is_some_and(|refusal| refusal.reason.contains("refers to itself")) {
            return Ok(());
        }
        prop_assert_eq!(validator.refusal().is_none(), theirs.is_ok(), "{:?}", validator.refusal());
        let Ok(theirs) = theirs else { return Ok(()) };
        match validator.judge(&ours(&value)) {
            Judgement::Accepted { .. } => prop_assert!(theirs.is_valid(&value)),
            Judgement::Rejected(issues) => {
                prop_assert!(!theirs.is_valid(&value));
                prop_assert!(!issues.is_empty());
                // Each place that they report is the place of an issue, or of the object around it.
                for error in theirs.iter_errors(&value) {
                    let at = error.instance_path().as_str();
                    prop_assert!(issues.iter().any(|i| i.pointer == at || i.pointer.rsplit_once('/').is_some_and(|(p, _)| p == at)), "{at} {issues:?}");
                }
            }
            Judgement::Undecided(reason) => prop_assert!(false, "{reason}"),
        }
    }
}
