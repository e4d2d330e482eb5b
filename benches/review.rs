//! Reviewing: `cargo bench --bench review`.
//!
//! Target: a change to one of 500 definitions, reviewed against 100,000 captured calls (read from their file, replayed,
//! weighed, and written as text), under two seconds on two cores.

use divan::Bencher;
use misfire::capture::{self, Call, Options as CaptureOptions, Problem, Sink};
use misfire::definition::{Catalog, Definition};
use misfire::gate::Profile;
use misfire::report::review::{ReviewReport, text};
use misfire::review::{Options, Reviewer};
use std::fmt::Write as _;
use std::ops::ControlFlow;

const TOOLS: usize = 500;
const CALLS: usize = 100_000;

fn main() {
    divan::main();
}

fn definitions(maximum: u32) -> Catalog {
    let mut list = String::from("[");
    for i in 0..TOOLS {
        let maximum = if i == 7 { maximum } else { 1000 };
        let comma = if i == 0 { "" } else { "," };
        let _ = write!(
            list,
            r#"{comma}{{"name": "tool_{i}", "description": "Tool number {i}.", "parameters": {{"type": "object",
            "required": ["path"], "properties": {{"path": {{"type": "string", "description": "Where."}},
            "limit": {{"type": "integer", "minimum": 1, "maximum": {maximum}}}, "mode": {{"type": "string", "enum": ["a", "b"]}},
            "items": {{"type": "array", "items": {{"type": "object", "properties": {{"k": {{"type": "string"}}}}}}}}}}}}}}"#
        );
    }
    list.push(']');
    Catalog::from_definitions(Definition::parse(list.as_bytes()).expect("definitions"))
}

/// Every fifth call is of the tool that changes.
fn calls() -> Vec<u8> {
    let mut out = String::new();
    for i in 0..CALLS {
        let tool = if i % 5 == 0 { 7 } else { i % TOOLS };
        let limit = i % 1500;
        let _ = writeln!(
            out,
            r#"{{"id":"c{i}","session":"s{}","tool":"tool_{tool}","arguments":{{"path":"src/lib.rs","limit":{limit},"mode":"a","items":[{{"k":"v"}}]}},"result":{{"is_error":false,"text":"done with number {i}"}}}}"#,
            i / 100
        );
    }
    out.into_bytes()
}

struct Replay(Reviewer);

impl Sink for Replay {
    fn call(&mut self, call: Call) -> ControlFlow<()> {
        self.0.replay(&call);
        ControlFlow::Continue(())
    }

    fn problem(&mut self, problem: Problem) {
        panic!("{problem}");
    }
}

fn review(bencher: Bencher<'_, '_>, profile: Profile) {
    let (before, after, calls) = (definitions(1000), definitions(200), calls());
    bencher.bench(|| {
        let mut replay = Replay(Reviewer::new(&before, &after, Options { profile, ..Options::default() }));
        let name = std::path::Path::new("calls.ndjson");
        capture::read_from(calls.as_slice(), name, &CaptureOptions::default(), &mut replay);
        let review = replay.0.finish();
        assert_eq!(review.counts.total, CALLS);
        text(&ReviewReport {
            review: &review,
            base: "before".to_owned(),
            head: "after".to_owned(),
            profile,
            targets: Vec::new(),
            calls_given: true,
            all_tools: Vec::new(),
            leftovers: Vec::new(),
            unreadable: Vec::new(),
        })
    });
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn one_of_500_against_100_000_calls_wave(bencher: Bencher<'_, '_>) {
    review(bencher, Profile::Wave);
}

#[cfg(feature = "jsonschema")]
#[divan::bench(sample_count = 5, sample_size = 1)]
fn one_of_500_against_100_000_calls_jsonschema(bencher: Bencher<'_, '_>) {
    review(bencher, Profile::JsonSchema { formats: false });
}

/// The comparison alone, without calls.
#[divan::bench(sample_count = 20)]
fn compare_500(bencher: Bencher<'_, '_>) {
    let (before, after) = (definitions(1000), definitions(200));
    bencher.bench(|| Reviewer::new(&before, &after, Options::default()).finish());
}
