//! Every call of the sample captures in `../shared/captures`, where that is present, and of the bundled sessions.

use misfire::capture::{self, Call, Options, Problem, Sink, Summary};
use misfire::gate::Arguments;
use misfire::json::Value;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

#[derive(Default)]
struct Calls {
    calls: Vec<Call>,
    problems: Vec<Problem>,
}

impl Sink for Calls {
    fn call(&mut self, call: Call) -> ControlFlow<()> {
        self.calls.push(call);
        ControlFlow::Continue(())
    }

    fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }
}

fn read(path: &Path) -> (Calls, Summary) {
    let mut calls = Calls::default();
    let summary = capture::read_paths(&[path.to_path_buf()], &Options::default(), &mut calls);
    (calls, summary)
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The samples, or a word that they are not there.
fn samples() -> Option<PathBuf> {
    let folder = std::env::var_os("MISFIRE_CAPTURES").map_or_else(|| root().join("../shared/captures"), PathBuf::from);
    if folder.join("manifest.ndjson").is_file() {
        return Some(folder);
    }
    eprintln!("skipped: no sample captures at {} (set MISFIRE_CAPTURES)", folder.display());
    None
}

fn ndjson(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| Value::parse(line.as_bytes()).expect(line)).collect()
}

fn string(value: &Value, key: &str) -> Option<String> {
    value.get(key)?.as_string().map(ToString::to_string)
}

/// What `calls.ndjson` says of a call, from a call as it was read.
fn described(call: &Call) -> String {
    let arguments = match &call.arguments {
        Arguments::Absent => Value::Null,
        Arguments::Text(text) => Value::String(text.clone()),
        Arguments::Json(value) => value.clone(),
    };
    Value::from([
        ("id", Value::from(call.id.as_deref())),
        ("tool", Value::from(call.tool.as_str())),
        ("is_error", Value::from(call.result.as_ref().and_then(|result| result.is_error))),
        ("sidechain", Value::from(call.sidechain)),
        ("has_result", Value::from(call.result.is_some())),
        ("arguments", arguments),
    ])
    .to_json()
}

fn expected(line: &Value) -> String {
    let keys = ["id", "tool", "is_error", "sidechain", "has_result", "arguments"];
    Value::from(keys.map(|key| (key, line.get(key).cloned().unwrap_or(Value::Null)))).to_json()
}

#[test]
fn every_sample_holds_exactly_the_listed_calls() {
    let Some(folder) = samples() else { return };
    let all_calls = ndjson(&folder.join("calls.ndjson"));
    let mut failures = Vec::new();
    for entry in ndjson(&folder.join("manifest.ndjson")) {
        let file = string(&entry, "file").unwrap();
        let (read, summary) = read(&folder.join(&file));
        let listed: Vec<_> = all_calls.iter().filter(|c| string(c, "file").as_deref() == Some(&file)).map(expected).collect();
        let found: Vec<_> = read.calls.iter().map(described).collect();
        // The notes say how often calls are repeated, and which results belong to none.
        let notes = string(&entry, "notes").unwrap_or_default();
        for (what, counted) in [(" repeated calls dropped", summary.repeats), (" result(s) without a call", summary.orphans)] {
            let stated = notes.split("; ").find_map(|note| note.strip_suffix(what)?.parse().ok()).unwrap_or(0);
            if stated != counted {
                failures.push(format!("{file}: {stated}{what}, {counted} found"));
            }
        }
        if let Some(n) = (0..listed.len().max(found.len())).find(|n| listed.get(*n) != found.get(*n)) {
            failures.push(format!(
                "{file}: {} listed, {} found; call {}:\n  {:?}\n  {:?}\n  {summary:?} {:?}",
                listed.len(),
                found.len(),
                n + 1,
                listed.get(n),
                found.get(n),
                read.problems.first().map(ToString::to_string)
            ));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn the_bundled_sessions_hold_exactly_the_listed_calls() {
    let listed = ndjson(&root().join("tests/fixtures/capture/sessions.ndjson"));
    for file in ["claude-transcript.jsonl", "openai-messages.json", "tour.misfire.jsonl", "wave-refactor.jsonl"] {
        let (read, summary) = read(&root().join("sessions").join(file));
        assert_eq!(read.problems, [], "{summary:?}");
        let found = read.calls.iter().map(|call| {
            Value::from([
                ("file", Value::from(format!("sessions/{file}"))),
                ("line", Value::from(call.place.line)),
                ("tool", Value::from(call.tool.as_str())),
                ("id", Value::from(call.id.as_deref())),
            ])
            .to_json()
        });
        let of_file = listed.iter().filter(|line| string(line, "file").unwrap().ends_with(file)).map(Value::to_json);
        assert_eq!(found.collect::<Vec<_>>(), of_file.collect::<Vec<_>>());
    }
}
