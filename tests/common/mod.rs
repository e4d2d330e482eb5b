//! What several test files need.
#![allow(dead_code, reason = "each test file uses a part of it")]

use misfire::definition::{Catalog, Definition, Origin};
use misfire::dialect;
use misfire::gate::{Arguments, Gate, Verdict};
use misfire::json::{Value, quote};
use std::path::PathBuf;

/// A file of the reference material that lies beside the checkout, if it is there.
pub fn shared(path: &str) -> Option<PathBuf> {
    // Without links: a script there may ask whether it is the one that was started, by its path.
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared").join(path).canonicalize().ok()
}

/// The verdict on one line in the oracle's form: `{"name", "parameters"?, "arguments"?, "origin"?, "finish_reason"?}`.
pub fn verdict_of(line: &str) -> Verdict {
    let call = Value::parse(line.as_bytes()).expect(line);
    let name = call.get("name").and_then(Value::as_string).expect("a name").to_string();
    let origin = call.get("origin").and_then(Value::as_string).map(ToString::to_string);
    let mut definitions = Vec::new();
    if origin.as_deref() != Some("unknown") {
        let parameters = call.get("parameters").map_or("null".to_owned(), raw_member(line));
        let text = format!("{{\"name\":{},\"parameters\":{parameters}}}", quote(name.as_bytes()));
        let origin = match origin.as_deref() {
            Some("mcp") => Origin::Mcp,
            Some("custom") => Origin::Custom,
            _ => Origin::Builtin,
        };
        definitions = Definition::parse(text.as_bytes()).expect("a definition");
        definitions = definitions.into_iter().map(|d| d.with_origin(origin)).collect();
    }
    let gate = Gate::new(&Catalog::from_definitions(definitions));
    let arguments = call.get("arguments").map_or(Arguments::Absent, |a| Arguments::from_value(a.clone()));
    let finish_reason = call.get("finish_reason").and_then(Value::as_string).map(ToString::to_string);
    gate.judge(&name, &arguments, finish_reason.as_deref())
}

/// The parameters as they stand in the line: writing the value again would lose infinities.
fn raw_member(line: &str) -> impl Fn(&Value) -> String {
    let tree = misfire::json::Tree::parse(line.as_bytes()).expect("JSON");
    let raw = tree.root(line.as_bytes()).get("parameters").map(|v| String::from_utf8_lossy(v.raw()).into_owned());
    move |_| raw.clone().unwrap_or_default()
}

/// The verdict on one line, written as the oracle writes its answers.
pub fn judge_line(line: &str) -> String {
    let verdict = verdict_of(line);
    let issues: Vec<Value> = verdict
        .issues
        .iter()
        .map(|issue| {
            let mut members = vec![
                ("kind", Value::from(issue.kind.name())),
                ("path", issue.path.as_str().into()),
                ("pointer", issue.pointer.as_str().into()),
            ];
            members.extend(issue.kind.expected().map(|e| ("expected", e.into())));
            members.extend(issue.kind.provided().map(|p| ("provided", p.into())));
            Value::Object(members.into_iter().map(|(k, v)| (k.into(), v)).collect())
        })
        .collect();
    Value::from([
        ("verdict", verdict.kind.name().into()),
        ("is_error", verdict.is_error().into()),
        ("issues", issues.into()),
        ("text", dialect::text(&verdict).into()),
        ("recovered", verdict.recovered().into()),
    ])
    .to_json()
}

/// A small deterministic source of choices (splitmix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).expect("below n")
    }

    pub fn chance(&mut self, k: usize, n: usize) -> bool {
        self.below(n) < k
    }

    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }
}
