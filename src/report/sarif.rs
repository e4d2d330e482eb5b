//! Findings as SARIF 2.1.0, in the part that code scanning reads.
//!
//! GitHub takes 25,000 results of a run and shows 5,000 (docs.github.com, SARIF support), so the worst come first and the
//! rest is left out. A result is known again by its partial fingerprint.

use super::findings::{RuleText, Suite, worst_first};
use crate::json::{JsString, Value};
use crate::lint::Severity;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

/// Results of a run that are taken.
const MOST: usize = 25_000;

/// Writes findings as a SARIF log with one run. `fingerprint` names the kind of fingerprint: `misfireLint/v1`.
///
/// # Errors
/// If the output could not be written.
pub fn sarif(out: &mut dyn Write, fingerprint: &str, rules: &[RuleText<'_>], suites: &[Suite<'_>]) -> io::Result<()> {
    let index: HashMap<&str, u32> = rules.iter().map(|rule| rule.id).zip(0..).collect();
    let results: Vec<Value> = worst_first(suites)
        .into_iter()
        .take(MOST)
        .map(|(suite, item)| {
            let region = Value::from([("startLine", item.line.max(1).into())]);
            let artifact = Value::from([("uri", uri(item.file).into())]);
            let physical = Value::from([("artifactLocation", artifact), ("region", region)]);
            let place = format!("{}{}", suite.tool, item.pointer);
            let logical = Value::from([("fullyQualifiedName", place.into())]);
            let location = Value::from([("physicalLocation", physical), ("logicalLocations", vec![logical].into())]);
            let message = format!("{}: {}", suite.tool, item.message);
            let prints = [(JsString::from(fingerprint), Value::from(item.fingerprint))];
            let mut members: Vec<(JsString, Value)> = vec![("ruleId".into(), item.rule.into())];
            members.extend(index.get(item.rule).map(|at| ("ruleIndex".into(), (*at).into())));
            members.push(("level".into(), level(item.severity).into()));
            members.push(("message".into(), Value::from([("text", message.into())])));
            members.push(("locations".into(), vec![location].into()));
            members.push(("partialFingerprints".into(), Value::Object(prints.into_iter().collect())));
            Value::Object(members.into_iter().collect())
        })
        .collect();
    let driver = Value::from([
        ("name", "misfire".into()),
        ("semanticVersion", env!("CARGO_PKG_VERSION").into()),
        ("rules", rules.iter().map(rule_object).collect::<Vec<_>>().into()),
    ]);
    let run = Value::from([
        ("tool", Value::from([("driver", driver)])),
        ("columnKind", "unicodeCodePoints".into()),
        ("results", results.into()),
    ]);
    let log = Value::from([
        ("$schema", "https://json.schemastore.org/sarif-2.1.0.json".into()),
        ("version", "2.1.0".into()),
        ("runs", vec![run].into()),
    ]);
    writeln!(out, "{}", log.to_json_pretty(2))
}

fn rule_object(rule: &RuleText<'_>) -> Value {
    let text = |text: &str| Value::from([("text", text.into())]);
    Value::from([
        ("id", rule.id.into()),
        ("shortDescription", text(rule.finds)),
        ("fullDescription", text(rule.why)),
        ("help", text(rule.why)),
        ("defaultConfiguration", Value::from([("level", level(rule.severity).into())])),
    ])
}

fn level(severity: Severity) -> &'static str {
    severity.name()
}

/// A path as a relative reference: forward slashes, and what a URI cannot hold escaped (RFC 3986, section 3.3).
fn uri(path: &Path) -> String {
    let path = path.to_string_lossy().replace('\\', "/");
    let path = path.strip_prefix("./").unwrap_or(&path);
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}
