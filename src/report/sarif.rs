//! SARIF 2.1.0, the part that code scanning reads.

use super::item::{Item, slashed};
use crate::json::{Value, Visible};
use std::collections::BTreeMap;

/// So many results of a run are looked at (GitHub Docs, "SARIF support for code scanning": 5,000 are shown).
const MOST: usize = 5_000;

/// A rule, as it stands in the list of a run.
#[derive(Clone, Debug)]
pub struct SarifRule<'a> {
    /// Its name.
    pub id: &'a str,
    /// What it finds.
    pub about: &'a str,
    /// Where it is described.
    pub help: &'a str,
}

/// The findings as one run; `print` names the fingerprint (`toolReview/v1`).
#[must_use]
pub fn sarif(items: &[Item<'_>], rules: &[SarifRule<'_>], print: &str) -> Value {
    let used: BTreeMap<&str, &SarifRule<'_>> =
        rules.iter().filter(|rule| items.iter().any(|item| item.rule == rule.id)).map(|rule| (rule.id, rule)).collect();
    let rules: Vec<Value> = used.values().map(|rule| rule_object(rule)).collect();
    let results: Vec<Value> = items.iter().take(MOST).map(|item| result(item, print)).collect();
    let driver =
        Value::from([("name", "misfire".into()), ("version", env!("CARGO_PKG_VERSION").into()), ("rules", rules.into())]);
    let run = Value::from([
        ("tool", Value::from([("driver", driver)])),
        ("columnKind", "unicodeCodePoints".into()),
        ("results", results.into()),
    ]);
    Value::from([
        ("$schema", "https://json.schemastore.org/sarif-2.1.0.json".into()),
        ("version", "2.1.0".into()),
        ("runs", vec![run].into()),
    ])
}

fn rule_object(rule: &SarifRule<'_>) -> Value {
    Value::from([
        ("id", rule.id.into()),
        ("shortDescription", Value::from([("text", rule.about.into())])),
        ("helpUri", rule.help.into()),
    ])
}

fn result(item: &Item<'_>, print: &str) -> Value {
    let region = Value::from([("startLine", item.line.max(1).into())]);
    let artifact = Value::from([("uri", uri(&slashed(item.file)).into())]);
    let place = Value::from([("artifactLocation", artifact), ("region", region)]);
    let location = Value::from([("physicalLocation", place)]);
    let tool = if item.tool.is_empty() { String::new() } else { format!("{}: ", item.tool) };
    let text = Visible::new(&format!("{tool}{}", item.message)).into_string();
    let mut members = vec![
        ("ruleId".into(), item.rule.into()),
        ("level".into(), item.severity.into()),
        ("message".into(), Value::from([("text", text.into())])),
        ("locations".into(), vec![location].into()),
        ("partialFingerprints".into(), Value::from([(print, item.fingerprint.into())])),
    ];
    if let Some(reason) = item.accepted {
        let why = Value::from([
            ("kind", "external".into()),
            ("status", "accepted".into()),
            ("justification", Visible::new(reason).into_string().into()),
        ]);
        members.push(("suppressions".into(), vec![why].into()));
    }
    Value::Object(members.into_iter().collect())
}

/// A relative reference (RFC 3986): what may not stand in one as it is, is percent-encoded.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_references() {
        assert_eq!(uri("a b/ü:c#.json"), "a%20b/%C3%BC%3Ac%23.json");
    }
}
