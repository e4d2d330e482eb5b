//! What redaction keeps, and what it lets nobody see: on the bundled sessions, and on the samples where they are there.

mod common;

use misfire::capture::redact::Redactor;
use misfire::capture::{self, Call, InputKind, Options, Outcome, Problem, Sink, write_call};
use misfire::definition::Catalog;
use misfire::dialect;
use misfire::gate::{Arguments, Gate, Parsed, Verdict, parse};
use misfire::json::Value;
use misfire::replay::judge;
use std::collections::{BTreeSet, HashMap};
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

fn calls() -> Vec<Call> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let folders = [Some(root.join("sessions")), common::shared("captures")];
    let paths: Vec<PathBuf> = folders.into_iter().flatten().collect();
    let mut calls = Calls::default();
    capture::read_paths(&paths, &Options::default(), &mut calls);
    assert!(calls.0.len() > 50);
    calls.0
}

fn catalogs() -> Vec<Catalog> {
    [&["@wave"][..], &["@claude-code"], &["@wave", "@claude-code-2.1.45"], &[]]
        .iter()
        .map(|names| Catalog::load(&names.iter().map(PathBuf::from).collect::<Vec<_>>()))
        .collect()
}

/// Kinds and places; keys of maps, and keys that are no names, may have been replaced.
fn issues(verdict: &Verdict) -> Vec<(&'static str, usize, Option<String>)> {
    verdict
        .issues
        .iter()
        .map(|issue| {
            let steps = issue.pointer.split('/').count();
            let expected = issue.kind.expected().map(str::to_owned);
            (issue.kind.name(), steps, expected)
        })
        .collect()
}

#[test]
fn verdicts_and_issues_stay() {
    let calls = calls();
    for catalog in catalogs() {
        let gate = Gate::new(&catalog);
        let mut redactor = Redactor::new(&catalog);
        for call in &calls {
            let new = redactor.call(call);
            let (before, after) = (judge(&gate, call), judge(&gate, &new));
            let seen = || format!("{}\n{}\n{}", call.place, write_call(call), write_call(&new));
            assert_eq!(after.kind, before.kind, "{}", seen());
            assert_eq!(after.recovered(), before.recovered(), "{}", seen());
            assert_eq!(issues(&after), issues(&before), "{}", seen());
            // Where no key was replaced, the model reads the very same text.
            if !write_call(&new).contains("key_") {
                assert_eq!(dialect::text(&after), dialect::text(&before), "{}", seen());
            }
        }
    }
}

#[test]
fn a_recorded_text_that_was_predicted_still_is() {
    let catalog = Catalog::load(&[PathBuf::from("@wave")]);
    let gate = Gate::new(&catalog);
    let mut redactor = Redactor::new(&catalog);
    let mut predicted = 0;
    for call in calls() {
        let recorded =
            |call: &Call| call.result.as_ref().is_some_and(|r| Some(&r.text) == dialect::text(&judge(&gate, call)).as_ref());
        if recorded(&call) {
            predicted += 1;
            let new = redactor.call(&call);
            assert!(recorded(&new), "{}\n{}", write_call(&call), write_call(&new));
        }
    }
    assert!(predicted > 5, "{predicted}");
}

/// Strings of a value, also those in JSON that stands in a string, and all keys, apart.
fn collect(value: &Value, strings: &mut Vec<String>, keys: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            let text = text.to_string();
            match Value::parse(text.trim().as_bytes()) {
                Ok(inner @ (Value::Object(_) | Value::Array(_))) => collect(&inner, strings, keys),
                _ => strings.push(text),
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, strings, keys)),
        Value::Object(object) => {
            for (key, value) in object.entries() {
                keys.insert(key.to_string());
                collect(value, strings, keys);
            }
        }
        // Numbers stay.
        Value::Number(_) => {
            keys.insert(value.to_json());
        }
        _ => {}
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() >= 5).map(str::to_owned)
}

/// Words that may stand in a redacted call: names, values that a definition lists, and the wording of validation texts.
fn allowed(calls: &[Call], catalog: &Catalog) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for call in calls {
        keys.insert(call.tool.clone());
        keys.extend(call.model.clone());
        keys.extend(call.finish_reason.clone());
        keys.extend(call.at.clone());
        keys.insert(write_call(&Call {
            arguments: Arguments::Absent,
            result: None,
            note: None,
            session: None,
            id: None,
            parent: None,
            ..call.clone()
        }));
        collect(&arguments(call), &mut Vec::new(), &mut keys);
        if let Some(result) = &call.result {
            collect(&result.text.as_str().into(), &mut Vec::new(), &mut keys);
            if dialect::recorded::is_refusal(&result.text) {
                // Its wording and the names in it; what it quotes of the call is looked for in the call.
                keys.insert(result.text.clone());
            }
        }
    }
    for definition in catalog.definitions() {
        keys.insert(definition.parameters().map(Value::to_json).unwrap_or_default());
    }
    // Literals of JSON and of other languages, by which people see what went wrong.
    keys.insert("false False undefined".to_owned());
    keys.insert("{\"id\":1,\"session\":1,\"arguments\":1,\"result\":{\"is_error\":false}".to_owned());
    keys.iter().flat_map(|key| words(key).chain(key.split(['_', '-']).flat_map(words).collect::<Vec<_>>())).collect()
}

fn arguments(call: &Call) -> Value {
    match &call.arguments {
        Arguments::Absent => Value::Null,
        Arguments::Json(value) => value.clone(),
        Arguments::Text(text) => match parse(text.as_bytes()) {
            Parsed::Value(value) | Parsed::Recovered { value, .. } if call.input == InputKind::Json => value,
            _ => Value::String(text.clone()),
        },
    }
}

#[test]
fn no_word_of_a_text_survives() {
    let calls = calls();
    let catalog = Catalog::load(&["@wave", "@claude-code"].map(PathBuf::from));
    let allowed = allowed(&calls, &catalog);
    let mut redactor = Redactor::new(&catalog);
    let mut looked_for = 0;
    for call in &calls {
        let mut strings = Vec::new();
        collect(&arguments(call), &mut strings, &mut BTreeSet::new());
        if let Some(result) = call.result.as_ref().filter(|result| !dialect::recorded::is_refusal(&result.text)) {
            collect(&result.text.as_str().into(), &mut strings, &mut BTreeSet::new());
        }
        strings.extend(call.note.clone().into_iter().chain(call.session.clone()));
        let new = write_call(&redactor.call(call));
        let left: BTreeSet<String> = words(&new).collect();
        for word in strings.iter().flat_map(|text| words(text).collect::<Vec<_>>()) {
            looked_for += 1;
            assert!(!left.contains(&word) || allowed.contains(&word), "`{word}` survives\n{}\n{new}", write_call(call));
        }
    }
    assert!(looked_for > 500, "{looked_for}");
}

#[test]
fn relations_stay() {
    let calls = calls();
    let catalog = Catalog::load(&[PathBuf::from("@wave")]);
    let mut redactor = Redactor::new(&catalog);
    let (mut there, mut back) = (HashMap::new(), HashMap::new());
    for call in &calls {
        let new = redactor.call(call);
        let (Some(id), Some(new_id)) = (&call.id, &new.id) else {
            assert_eq!(call.id, new.id);
            continue;
        };
        assert_eq!(there.entry(id.clone()).or_insert(new_id.clone()), new_id);
        assert_eq!(back.entry(new_id.clone()).or_insert(id.clone()), id, "{new_id}");
        assert_eq!(id.len(), new_id.len(), "{id} {new_id}");
        for prefix in ["call_", "toolu_", "srvtoolu_", "fc_"] {
            assert_eq!(id.starts_with(prefix), new_id.starts_with(prefix), "{id} {new_id}");
        }
    }
}

#[test]
fn redacting_again_changes_nothing_but_words() {
    let catalog = Catalog::load(&[PathBuf::from("@wave")]);
    let gate = Gate::new(&catalog);
    let (mut first, mut second) = (Redactor::new(&catalog), Redactor::new(&catalog));
    for call in calls() {
        let once = first.call(&call);
        let twice = second.call(&once);
        assert_eq!(judge(&gate, &once).kind, judge(&gate, &twice).kind);
    }
}

/// Invented secrets of the kinds that logs hold.
const SECRETS: [&str; 14] = [
    "sk-ant-api03-Zq81LmXw0T",
    "sk_live_51HxQpB2eZv",
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "AKIAIOSFODNN7EXAMPLE",
    "AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N",
    "xoxb-17653672481-19874698323-pdFZKVeTuE",
    "Bearer 7c1f0e9ab2",
    "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqh\n-----END PRIVATE KEY-----",
    "ada.byron@analytical.example",
    "https://ada:hunter22@db.internal.example:5432/x",
    "/home/adabyron/.ssh/id_ed25519",
    "C:\\Users\\adabyron\\secret.txt",
    "f3a9c0b1d2e4f5a69788",
];

#[test]
fn secrets_survive_nowhere() {
    let catalog = Catalog::load(&["@wave", "@claude-code"].map(PathBuf::from));
    for secret in SECRETS {
        let quoted = Value::from(secret).to_json();
        let inner = &quoted[1..quoted.len() - 1];
        let nested = Value::from(format!("[{{\"k\":{quoted},{quoted}:1}}]")).to_json();
        let arguments = [
            format!(r#"{{"command":{quoted}}}"#),
            format!(r#"{{"command":"run --key={inner} now"}}"#),
            format!(r"{{{quoted}:1}}"),
            format!(r#"{{"metadata":{{{quoted}:{quoted}}},"x":[[{quoted}]]}}"#),
            format!(r#"{{"command":{nested}}}"#),
            format!(r#"{{"command":"cut {inner}"#),
            format!(r#"{{'command': '{inner}', {inner}: {quoted}, "x": "\d{inner}"}}"#),
            format!("<command>{secret}</command>"),
            secret.to_owned(),
            quoted.clone(),
        ];
        let results = [
            format!("failed: {secret}"),
            format!("{{{quoted}:[{quoted}]}}"),
            format!("{secret} failed due to the following issue(s):\nAn unexpected parameter `{secret}` was provided\n{secret}"),
            format!("<tool_use_error>The parameter `a.{secret}` is invalid: expected one of \"{secret}\"|\"x\"</tool_use_error>"),
            format!("Bash failed due to the following issue:\nThe parameter `a` is invalid: expected one of {secret}"),
            format!("Error: Tool '{secret}' not found"),
        ];
        let some = || Some(secret.to_owned());
        for tool in ["TaskUpdate", "Bash", "Unknown", "mcp__a__b", secret, &format!("mcp__{secret}")] {
            let mut redactor = Redactor::new(&catalog);
            for (n, text) in arguments.iter().enumerate() {
                for input in [InputKind::Json, InputKind::FreeText, InputKind::ProviderRun] {
                    let json = Value::parse(text.as_bytes()).ok().map(Arguments::from_value);
                    for arguments in json.into_iter().chain([Arguments::text(text)]) {
                        let result = Some(Outcome { is_error: Some(true), text: results[n % results.len()].clone() });
                        let call = Call {
                            id: some(),
                            at: some(),
                            session: some(),
                            model: some(),
                            finish_reason: some(),
                            parent: some(),
                            note: some(),
                            input,
                            result,
                            ..Call::new(tool, arguments)
                        };
                        let new = write_call(&redactor.call(&call));
                        // Of an id its form stays, so no part that tells anything may be left.
                        let telling = secret.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| part.len() >= 6);
                        for part in telling {
                            assert!(!new.contains(part), "{part} of {secret}\n{}\n{new}", write_call(&call));
                        }
                    }
                }
            }
        }
    }
}
