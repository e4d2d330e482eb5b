//! A history of changes to the bundled definitions, reviewed change by change: every call that newly fails is found by some
//! finding of its tool, and nothing that is said to be proved is wrong.
#![cfg(feature = "jsonschema")]

mod common;

use common::Random;
use misfire::capture::{self, Call, Options as CaptureOptions, Problem, Sink};
use misfire::definition::{Catalog, Definition};
use misfire::gate::{Arguments, Gate, Profile, VerdictKind};
use misfire::json::{JsString, Object, Value};
use misfire::review::{Options, Proof, Review, Reviewer, Severity};
use std::ops::ControlFlow;
use std::path::PathBuf;

#[derive(Default)]
struct Calls(Vec<Call>);

impl Sink for Calls {
    fn call(&mut self, call: Call) -> ControlFlow<()> {
        self.0.push(call);
        ControlFlow::Continue(())
    }

    fn problem(&mut self, _: Problem) {}
}

fn bundled() -> (Catalog, Vec<Call>) {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut calls = Calls::default();
    capture::read_paths(&[root.join("sessions")], &CaptureOptions::default(), &mut calls);
    assert!(calls.0.len() > 20);
    (Catalog::load(&[root.join("tools")]), calls.0)
}

fn object(members: Vec<(JsString, Value)>) -> Value {
    Value::Object(members.into_iter().collect::<Object>())
}

fn members(value: &Value) -> Vec<(JsString, Value)> {
    value.as_object().map(|o| o.entries().to_vec()).unwrap_or_default()
}

/// A value with a keyword set, or taken away.
fn with(schema: &Value, keyword: &str, value: Option<Value>) -> Value {
    let mut all: Vec<_> = members(schema).into_iter().filter(|(key, _)| *key != keyword).collect();
    all.extend(value.map(|value| (keyword.into(), value)));
    object(all)
}

fn json(text: &str) -> Value {
    Value::parse(text.as_bytes()).expect(text)
}

const TYPES: [&str; 7] = ["string", "number", "integer", "boolean", "object", "array", "null"];

/// One edit somewhere in a schema: down a random way, then one of the things that people do to definitions.
fn edit(schema: &Value, random: &mut Random, depth: usize) -> Value {
    let properties = schema.get("properties").map(members).unwrap_or_default();
    if depth < 4 && random.chance(2, 3) {
        if !properties.is_empty() {
            let at = random.below(properties.len());
            let edited = properties
                .iter()
                .enumerate()
                .map(|(i, (key, value))| (key.clone(), if i == at { edit(value, random, depth + 1) } else { value.clone() }));
            return with(schema, "properties", Some(object(edited.collect())));
        }
        for keyword in ["items", "additionalProperties"] {
            if let Some(inner) = schema.get(keyword).filter(|v| v.as_object().is_some()) {
                return with(schema, keyword, Some(edit(inner, random, depth + 1)));
            }
        }
    }
    let name = |random: &mut Random| format!("p{}", random.below(4));
    match random.below(16) {
        0 => with(schema, "type", Some((*random.pick(&TYPES)).into())),
        1 => with(schema, "type", Some(json(r#"["string", "null"]"#))),
        2 => with(schema, "type", None),
        3 => with(schema, "enum", Some(json(r#"["a", "b", 1, null]"#))),
        4 => {
            let kept = schema.get("enum").and_then(Value::as_array).map(|v| v[..v.len() / 2].to_vec()).unwrap_or_default();
            with(schema, "enum", (!kept.is_empty()).then(|| Value::Array(kept)))
        }
        5 => {
            let mut all = properties;
            if !all.is_empty() {
                all.remove(random.below(all.len()));
            }
            with(schema, "properties", Some(object(all)))
        }
        6 => {
            let mut all = properties;
            if !all.is_empty() {
                let at = random.below(all.len());
                all[at].0 = format!("{}_new", all[at].0).into();
            }
            with(schema, "properties", Some(object(all)))
        }
        7 => {
            let mut all = properties;
            all.push((name(random).into(), json(r#"{"type": "string"}"#)));
            with(schema, "properties", Some(object(all)))
        }
        8 => {
            let mut names: Vec<Value> = schema.get("required").and_then(Value::as_array).unwrap_or_default().to_vec();
            match properties.get(random.below(properties.len().max(1))) {
                Some((key, _)) => names.push(Value::String(key.clone())),
                None => names.push(name(random).into()),
            }
            with(schema, "required", Some(Value::Array(names)))
        }
        9 => with(schema, "required", None),
        10 => with(schema, "additionalProperties", Some(random.chance(1, 2).into())),
        11 => with(schema, "additionalProperties", Some(json(r#"{"type": "number"}"#))),
        12 => with(schema, "items", Some(json(r#"{"type": "integer"}"#))),
        13 => with(schema, "anyOf", Some(json(r#"[{"type": "object"}, {"type": "string"}, {"required": ["p0"]}]"#))),
        14 => with(schema, "maxLength", Some(Value::Number(3.0))),
        _ => with(schema, "$ref", Some("#/$defs/x".into())),
    }
}

/// The catalog with one tool edited, removed, or renamed.
fn changed(catalog: &Catalog, random: &mut Random) -> Catalog {
    let at = random.below(catalog.definitions().len());
    let kind = random.below(12);
    let mut definitions = Vec::new();
    for (i, definition) in catalog.definitions().iter().enumerate() {
        let mut name = definition.name().to_owned();
        let mut parameters = definition.parameters().cloned().unwrap_or(Value::Null);
        if i == at {
            match kind {
                0 => continue,
                1 => name.push_str("_2"),
                _ => {
                    for _ in 0..=random.below(3) {
                        parameters = edit(&parameters, random, 0);
                    }
                }
            }
        }
        let text = Value::from([("name", name.into()), ("parameters", parameters)]).to_json();
        let parsed = Definition::parse(text.as_bytes()).expect("a definition");
        definitions.extend(parsed.into_iter().map(|d| d.with_origin(definition.origin())));
    }
    Catalog::from_definitions(definitions)
}

/// Values that fit some schemas and not others.
const ODD: [&str; 9] = ["\"a\"", "1", "1.5", "true", "null", "[]", "{}", "{\"zz\": 1}", "[1, \"x\"]"];

/// Arguments for a schema: mostly right, sometimes not.
fn arguments(schema: &Value, random: &mut Random, depth: usize) -> Value {
    if random.chance(1, 24) || depth > 5 {
        return json(ODD[random.below(ODD.len())]);
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array).filter(|v| !v.is_empty()) {
        return random.pick(values).clone();
    }
    let types = match schema.get("type") {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_string).map(ToString::to_string).collect(),
        Some(Value::String(name)) => vec![name.to_string()],
        _ if schema.get("properties").is_some() => vec!["object".to_owned()],
        _ => TYPES.map(str::to_owned).to_vec(),
    };
    match random.pick(&types).as_str() {
        "string" => (*random.pick(&["a", "", "longer than three", "x/y"])).into(),
        "number" => Value::Number(1.5),
        "integer" => Value::Number(2.0),
        "boolean" => random.chance(1, 2).into(),
        "null" => Value::Null,
        "array" => {
            let items = schema.get("items").cloned().unwrap_or(Value::Null);
            Value::Array((0..random.below(3)).map(|_| arguments(&items, random, depth + 1)).collect())
        }
        _ => {
            let required: Vec<String> = schema
                .get("required")
                .and_then(Value::as_array)
                .unwrap_or_default()
                .iter()
                .filter_map(|n| Some(n.as_string()?.to_string()))
                .collect();
            let mut all = Vec::new();
            for (key, property) in schema.get("properties").map(members).unwrap_or_default() {
                if required.contains(&key.to_string()) || random.chance(1, 2) {
                    all.push((key, arguments(&property, random, depth + 1)));
                }
            }
            if random.chance(1, 8) || schema.get("additionalProperties").is_some_and(|v| v.as_object().is_some()) {
                all.push(("extra".into(), json(ODD[random.below(4)])));
            }
            object(all)
        }
    }
}

fn generated(catalog: &Catalog, random: &mut Random) -> Vec<Call> {
    let mut calls = Vec::new();
    for definition in catalog.definitions() {
        let schema = definition.parameters().cloned().unwrap_or(Value::Null);
        for _ in 0..8 {
            calls.push(Call::new(definition.name(), Arguments::Json(arguments(&schema, random, 0))));
        }
    }
    calls
}

/// The property: every newly failing call is an example, or counted, in an error of its tool; and proofs hold.
fn check(review: &Review, before: &Catalog, after: &Catalog, profile: Profile, calls: &[Call], seed: u64) -> usize {
    let (old, new) = (Gate::with_profile(before, profile), Gate::with_profile(after, profile));
    let mut failing = 0;
    for call in calls {
        let judged = |gate: &Gate| misfire::replay::judge(gate, call);
        let (a, b) = (judged(&old), judged(&new));
        // Of a call that is passed through, its own tool's schema decides.
        let passes = matches!(a.kind, VerdictKind::Accepted | VerdictKind::PassedThrough) && a.advice.is_empty();
        if !passes || (!b.is_error() && b.advice.is_empty()) {
            continue;
        }
        failing += 1;
        let tool = review.tools.iter().find(|tool| tool.name == call.tool || tool.renamed_from.as_deref() == Some(&call.tool));
        let Some(tool) = tool else { panic!("seed {seed}: {} is not in the review; {b:?}", call.tool) };
        let found = tool.findings.iter().any(|f| f.evidence.failing > 0 && f.severity == Severity::Error);
        assert!(found, "seed {seed}: {} {:?}\n{b:?}\n{:?}", call.tool, call.arguments, tool.findings);
        assert_eq!(tool.proof, Proof::Unknown, "seed {seed}: {}", call.tool);
    }
    assert_eq!(review.counts.newly_failing, failing, "seed {seed}");
    // What is shown as the smallest example was accepted, and is not any more.
    for (tool, finding) in review.findings() {
        if let Some(example) = &finding.example {
            let before = old.judge_value(tool.renamed_from.as_deref().unwrap_or(&tool.name), example);
            let after = new.judge_value(&tool.name, example);
            assert!(!before.is_error() && before.advice.is_empty(), "seed {seed}: {}", example.to_json());
            assert!(after.is_error() || !after.advice.is_empty(), "seed {seed}: {}", example.to_json());
            // `kept` speaks of calls that send what is declared, `same` of all.
            assert_ne!(tool.proof, Proof::Same, "seed {seed}: {} {}", tool.name, example.to_json());
        }
    }
    failing
}

/// What is said to be proved without any call holds for all of them.
fn proofs_hold(before: &Catalog, after: &Catalog, profile: Profile, calls: &[Call], seed: u64) {
    let review = Reviewer::new(before, after, Options { profile, ..Options::default() }).finish();
    let (old, new) = (Gate::with_profile(before, profile), Gate::with_profile(after, profile));
    for call in calls {
        let Some(tool) = review.tools.iter().find(|tool| tool.name == call.tool) else { continue };
        let (a, b) = (misfire::replay::judge(&old, call), misfire::replay::judge(&new, call));
        let right = |v: &misfire::gate::Verdict| !v.is_error() && v.advice.is_empty();
        let schema = |c: &Catalog| c.get(&call.tool).and_then(|d| d.parameters().map(Value::to_json));
        let told = || format!("seed {seed}: {:?}\n{:?}\n{:?}\n{:?}", call.arguments, b.issues, schema(before), schema(after));
        match tool.proof {
            Proof::Same => assert_eq!(right(&a), right(&b), "{}", told()),
            // It speaks of calls that send only what the old definition declares.
            Proof::Kept if !a.ignored.is_empty() || profile == Profile::Wave => {}
            Proof::Kept => assert!(right(&b) || !right(&a), "{}", told()),
            Proof::Unknown => {}
        }
    }
}

fn history(profile: Profile, seed: u64) -> (usize, usize) {
    let mut random = Random::new(seed);
    let (mut before, calls) = bundled();
    let (mut failing, mut unnamed) = (0, 0);
    for _ in 0..20 {
        let after = changed(&before, &mut random);
        let mut all = calls.clone();
        all.extend(generated(&before, &mut random));
        all.extend(generated(&after, &mut random));
        let mut reviewer = Reviewer::new(&before, &after, Options { profile, ..Options::default() });
        for call in &all {
            reviewer.replay(call);
        }
        let review = reviewer.finish();
        failing += check(&review, &before, &after, profile, &all, seed);
        for (tool, finding) in review.findings().filter(|(_, f)| f.rule.id() == "schema-undecided" && f.evidence.failing > 0) {
            let of = |c: &Catalog| c.get(&tool.name).and_then(|d| d.parameters().map(Value::to_json)).unwrap_or_default();
            let call = &review.calls[finding.evidence.examples[0]];
            println!("seed {seed}: {}\n{}\n{}\n{:?} {:?}", tool.name, of(&before), of(&after), call.arguments, call.after.issues);
            unnamed += 1;
        }
        proofs_hold(&before, &after, profile, &all, seed);
        before = after;
    }
    (failing, unnamed)
}

/// So many histories, or as many as `MISFIRE_SEEDS` says.
fn seeds(from: u64, usual: u64) -> std::ops::Range<u64> {
    let wanted = std::env::var("MISFIRE_SEEDS").ok().and_then(|n| n.parse().ok());
    from..from + wanted.unwrap_or(usual)
}

#[test]
fn every_newly_failing_call_is_found_under_wave() {
    let (mut failing, mut unnamed) = (0, 0);
    for seed in seeds(0, 10) {
        let (f, u) = history(Profile::Wave, seed);
        failing += f;
        unnamed += u;
    }
    assert!(failing > 100, "{failing}");
    assert_eq!(unnamed, 0, "changes that no rule named made calls fail");
}

#[test]
fn every_newly_failing_call_is_found_under_jsonschema() {
    let (mut failing, mut unnamed) = (0, 0);
    for seed in seeds(100, 8) {
        let (f, u) = history(Profile::JsonSchema { formats: false }, seed);
        failing += f;
        unnamed += u;
    }
    assert!(failing > 100, "{failing}");
    assert_eq!(unnamed, 0, "changes that no rule named made calls fail");
}
