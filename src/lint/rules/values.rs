//! Listed values, constants and defaults.

use crate::gate::profile::{Judgement, SchemaValidator};
use crate::json::{Object, Value};
use crate::lint::rule::{
    rules,
    sets::{ALL, OPENAI_STRICT},
};
use crate::lint::sink::Sink;
use crate::lint::tool::{Node, Tool};
use std::collections::HashSet;

rules! {
    ENUM_NON_STRING = "enum-non-string": "a listed value that is no string";
        [] gemini Error / None; Warning;
        "Gemini's `parameters` carry listed values as strings, so a number, a boolean or null among them is a 400. List them as strings, or say the bounds.";
        "google-gemini/gemini-cli#4415, 5ire#218";
    ENUM_EMPTY = "enum-empty": "an empty list of values";
        [ALL => Error];
        "Nothing is in it, so no value is accepted; ajv refuses the schema.";
        "measured: Python and Rust reject every value, ajv refuses to compile";
    ENUM_DUPLICATE = "enum-duplicate": "a value that is listed twice";
        [ALL => Warning];
        "Drafts up to 7 demand that the values differ, and ajv refuses the schema there.";
        "measured: ajv refuses it under draft-07";
    ENUM_TYPE_MISMATCH = "enum-type-mismatch": "a listed value of another type than is declared";
        [ALL => Warning];
        "Such a value can never be sent: it fails the type. Often the numbers of a list were written as strings, or the other way round.";
        "the definition of `type` and `enum`: both must hold";
    ENUM_TOO_LARGE = "enum-too-large": "more listed values than strict mode takes";
        [OPENAI_STRICT => Error];
        "OpenAI's strict mode takes 1,000 listed values in a schema, and where one list has more than 250, 15,000 characters in it.";
        "OpenAI guide, Structured Outputs, as copied by third parties";
    DEFAULT_INVALID = "default-invalid": "a default that its own schema rejects";
        [ALL => Warning];
        "No validator checks it. Clients that fill in defaults send it, and the call is rejected for a value that the model never chose. The commonest is `default: null` on a parameter that may not be null: leave the default out.";
        "langchain-ai/langsmith-mcp-server#69; measured: no validator checks it";
}

pub(super) fn check(tool: &Tool<'_>, sink: &mut Sink<'_>) {
    let mut listed = 0;
    for node in &tool.nodes {
        if let Some(values) = node.get("enum").and_then(Value::as_array) {
            listed += values.len();
            list(node, values, sink);
        }
        if let Some(default) = node.get("default") {
            default_value(tool, node, default, sink);
        }
    }
    if listed > 1000 {
        let message = format!("the schema lists {listed} values, more than 1000");
        sink.report(&ENUM_TOO_LARGE, String::new(), None, message);
    }
}

fn list(node: &Node<'_>, values: &[Value], sink: &mut Sink<'_>) {
    let whole = node.get("enum");
    let mut report = |rule, message: String| sink.report(rule, node.at("enum"), whole, message);
    if values.is_empty() {
        report(&ENUM_EMPTY, "no value is listed".to_owned());
    }
    if let Some(other) = values.iter().find(|value| value.as_string().is_none()) {
        report(&ENUM_NON_STRING, format!("{} is listed, which is no string", other.to_json()));
    }
    let mut seen = HashSet::new();
    if let Some(twice) = values.iter().find(|value| !seen.insert(value.to_canonical())) {
        report(&ENUM_DUPLICATE, format!("{} is listed twice", twice.to_json()));
    }
    let types = node.types();
    let fits = |value: &Value| types.iter().any(|name| is_of_type(value, name));
    let nullable = node.get("nullable").is_some_and(Value::is_true);
    let misfit = values.iter().find(|value| !(fits(value) || nullable && matches!(value, Value::Null)));
    if let Some(misfit) = misfit.filter(|_| !types.is_empty()) {
        report(&ENUM_TYPE_MISMATCH, format!("{} is listed, and the type is {}", misfit.to_json(), types.join(" or ")));
    }
    let length: usize = values.iter().filter_map(Value::as_string).map(|text| text.to_well_formed().chars().count()).sum();
    if values.len() > 250 && length > 15_000 {
        report(&ENUM_TOO_LARGE, format!("{} values with {length} characters are listed", values.len()));
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match value {
        Value::Number(n) => name == "number" || (name == "integer" && n.is_finite() && n.fract() == 0.0),
        other => other.type_name() == name,
    }
}

fn default_value(tool: &Tool<'_>, node: &Node<'_>, default: &Value, sink: &mut Sink<'_>) {
    // Most defaults are decided by the type alone.
    let types = node.types();
    let nullable = node.get("nullable").is_some_and(Value::is_true) && matches!(default, Value::Null);
    let misfit = !types.is_empty() && !nullable && !types.iter().any(|name| is_of_type(default, name));
    let plain = |keyword: &[u8]| matches!(keyword, b"type" | b"description" | b"default" | b"title" | b"examples" | b"nullable");
    let reason = if misfit {
        Some(format!("it is not of type {}", types.join(" or ")))
    } else if nullable || node.schema.entries().iter().all(|(keyword, _)| plain(keyword.as_bytes())) {
        None
    } else {
        rejected(tool, node, default)
    };
    if let Some(reason) = reason {
        let message = format!("the default {} is not valid by its own schema: {reason}", default.to_json());
        sink.report(&DEFAULT_INVALID, node.at("default"), Some(default), message);
    }
}

/// Why a schema on its own rejects a value; the definitions of the root come along for its references.
fn rejected(tool: &Tool<'_>, node: &Node<'_>, default: &Value) -> Option<String> {
    let root = tool.root()?.schema;
    let shared = [&b"$defs"[..], b"definitions", b"$schema"];
    let shared =
        root.entries().iter().filter(|(key, _)| shared.contains(&key.as_bytes()) && node.schema.get(key.as_bytes()).is_none());
    let alone: Object = node.schema.entries().iter().chain(shared).map(|(k, v)| (k.clone(), v.clone())).collect();
    match SchemaValidator::compile(Some(&Value::Object(alone)), false).judge(default) {
        Judgement::Rejected(issues) => {
            let issue = issues.first()?;
            let expected = issue.kind.expected().map(|e| format!(", expected {e}")).unwrap_or_default();
            Some(format!("{}{expected}", issue.kind.keyword().unwrap_or(issue.kind.name())))
        }
        _ => None,
    }
}
