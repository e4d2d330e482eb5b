//! The schema as a whole: whether it is one, its root, its dialect, its depth, and whether anything can satisfy it.

use crate::gate::profile::{Draft, satisfiable};
use crate::json::{JsString, Kind, Value, View};
use crate::lint::rule::{
    rules,
    sets::{ALL, ANTHROPIC, BEDROCK, MCP, OPENAI},
};
use crate::lint::sink::Sink;
use crate::lint::target::Targets;
use crate::lint::tool::{Tool, escape};
use std::collections::HashSet;

rules! {
    JSON_DUPLICATE_KEY = "json-duplicate-key": "the same key twice in one object";
        [ALL => Error];
        "Every parser keeps the last of two equal keys and drops the first without a word, so a part of the definition is not what it says.";
        "measured: Python, ajv and the Rust crate all keep the last";
    ROOT_NOT_OBJECT = "root-not-object": "parameters that are not `type: object` at the top";
        [ALL => Error];
        "Arguments are an object. Providers refuse a schema whose root is a list, null, or has no `type: \"object\"`, and with it the whole list of tools.";
        "go-sdk#283, google-gemini/gemini-cli#23382, OpenManus#1162, Unity-MCP#440";
    ROOT_COMBINATOR = "root-combinator": "a combinator at the top of the parameters";
        [OPENAI.or(ANTHROPIC) => Error];
        "Anthropic refuses `oneOf`, `anyOf` and `allOf` at the top of a schema, OpenAI also `enum` and `not`; the whole list of tools goes with it. Move the choice into one parameter, or say it in the description and check it in the tool. (`not` and `if` pass with Anthropic.)";
        "anthropics/claude-code#5319, langchain-ai/langchainjs#9804, mobile-mcp#344, google-calendar-mcp#39; kata#365";
    SCHEMA_DIALECT_UNKNOWN = "schema-dialect-unknown": "a `$schema` that nobody knows";
        [ALL => Error];
        "A validator that follows `$schema` refuses one that it does not know; others guess. Name a draft of JSON Schema, or leave it out.";
        "measured: ajv and the Rust crate refuse it, Python takes its default";
    SCHEMA_DIALECT_OLD = "schema-dialect-old": "a `$schema` of draft 7 or older";
        [ANTHROPIC.or(BEDROCK).or(MCP) => Warning];
        "Anthropic, Bedrock and MCP read schemas as 2020-12. A validator made for that refuses another `$schema`, and older keywords mean something else or nothing.";
        "anthropics/claude-code#7365, mastra-ai/mastra#14530, hypothesi/mcp-server-tauri#31; MCP 2025-11-25 (SEP-1613)";
    SCHEMA_ID_INVALID = "schema-id-invalid": "an `$id` that is no URI reference";
        [OPENAI => Error];
        "OpenAI refuses it. A tool's parameters need no `$id` at all.";
        "griptape#2150";
    SCHEMA_INVALID = "schema-invalid": "a schema that breaks the rules of its draft";
        [ALL => Error];
        "It fails the draft's own meta-schema, so validators refuse it and no call can be judged by it.";
        "anthropics/claude-code#63673, openclaw#29416";
    SCHEMA_TOO_DEEP = "schema-too-deep": "a schema that nests too deep";
        [ALL => Warning];
        "Past 32 levels providers and models give up; past 128 parsers refuse it, and past a few thousand validators crash.";
        "measured: the Rust crate runs out of stack at 5,000 levels, serde_json refuses 129";
    SCHEMA_UNSATISFIABLE = "schema-unsatisfiable": "a schema that nothing can satisfy";
        [ALL => Error];
        "It was proved that no value fits: every call is rejected, whatever the model sends.";
        "proved by canonicalization, jsonschema::canonical";
    MCP_OUTPUT_SCHEMA_ROOT = "mcp-output-schema-root": "an output schema that is not `type: object`";
        [MCP => Warning];
        "Up to MCP 2025-11-25 structured content is an object, so clients refuse another output schema.";
        "MCP 2025-11-25, server/tools; SEP-2106";
}

pub(super) fn check(tool: &Tool<'_>, sink: &mut Sink<'_>) {
    duplicate_keys(tool, sink);
    root(tool, sink);
    dialect(tool, sink);
    depth(tool, sink);
    output(tool, sink);
}

/// What needs a validator: last, because what a rule has already said of the schema need not be said again.
pub(in crate::lint) fn check_whole(tool: &Tool<'_>, sink: &mut Sink<'_>) {
    let Some(parameters) = tool.definition.parameters() else { return };
    if let Some(refusal) = tool.validator.refusal() {
        if !sink.explains_refusal() {
            let at = &refusal.pointer;
            let message = format!("the schema breaks the rules of {}: {}", tool.draft.name(), refusal.reason);
            sink.report(&SCHEMA_INVALID, at.clone(), parameters.at_pointer(at), message);
        }
    } else if may_contradict(tool) && satisfiable(parameters) == Some(false) {
        sink.report(&SCHEMA_UNSATISFIABLE, String::new(), None, "no arguments can satisfy the schema".to_owned());
    }
}

/// Whether it is worth asking for a proof that nothing satisfies the schema: most schemas have nothing that every value must
/// meet and that could contradict something else.
fn may_contradict(tool: &Tool<'_>) -> bool {
    let Some(root) = tool.root() else { return true };
    let judges_all = |(keyword, _): &(JsString, Value)| {
        let harmless: [&[u8]; 12] = [
            b"type",
            b"properties",
            b"required",
            b"description",
            b"title",
            b"$schema",
            b"$id",
            b"$defs",
            b"definitions",
            b"additionalProperties",
            b"default",
            b"examples",
        ];
        !harmless.contains(&keyword.as_bytes())
    };
    let undeclared = |name: &&JsString| root.properties().is_none_or(|p| p.get(name.as_bytes()).is_none());
    let closed = root.get("additionalProperties").is_some_and(|v| !v.is_true());
    if root.schema.entries().iter().any(judges_all) || (closed && root.required().iter().any(undeclared)) {
        return true;
    }
    let required = root.required().into_iter().filter_map(|name| root.properties()?.get(name.as_bytes()));
    required.into_iter().any(|schema| !is_plain(schema))
}

/// Whether a schema has only rules that cannot contradict one another, as far as one sees without a proof.
fn is_plain(schema: &Value) -> bool {
    let Some(object) = schema.as_object() else { return schema.is_true() };
    let number = |keyword: &[u8]| match object.get(keyword) {
        Some(Value::Number(n)) => Some(*n),
        _ => None,
    };
    let fits = |low: &[u8], high: &[u8]| number(low).zip(number(high)).is_none_or(|(low, high)| low < high);
    let harmless: [&[u8]; 15] = [
        b"type",
        b"description",
        b"title",
        b"default",
        b"examples",
        b"format",
        b"items",
        b"minLength",
        b"maxLength",
        b"minimum",
        b"maximum",
        b"properties",
        b"pattern",
        b"maxItems",
        b"additionalProperties",
    ];
    let listed =
        |keyword: &[u8]| keyword == b"enum" && schema.get("enum").and_then(Value::as_array).is_some_and(|v| !v.is_empty());
    object.entries().iter().all(|(keyword, _)| harmless.contains(&keyword.as_bytes()) || listed(keyword.as_bytes()))
        && fits(b"minLength", b"maxLength")
        && fits(b"minimum", b"maximum")
        && (object.get(b"enum").is_none() || object.len() <= 4)
}

fn duplicate_keys(tool: &Tool<'_>, sink: &mut Sink<'_>) {
    let whole = tool.definition.view();
    let parameters = tool.definition.parameters_view();
    let mut work: Vec<View<'_>> = vec![whole];
    while let Some(view) = work.pop() {
        if view.kind() == Kind::Object {
            let mut seen = HashSet::new();
            for child in view.children() {
                let key = child.key().unwrap_or_default();
                if !seen.insert(key.clone()) {
                    let at = parameters.and_then(|root| pointer_to(root, child)).unwrap_or_default();
                    let message = format!("the key `{key}` is written twice in one object; the first is dropped");
                    sink.report(&JSON_DUPLICATE_KEY, at, Some(&Value::String(key)), message);
                }
            }
        }
        work.extend(view.children().filter(|child| child.kind().is_container()));
    }
}

/// The pointer from one node to another that it holds.
fn pointer_to(root: View<'_>, node: View<'_>) -> Option<String> {
    if !(root.index()..root.after()).contains(&node.index()) {
        return None;
    }
    let mut steps = Vec::new();
    let mut at = node;
    while at.index() != root.index() {
        let parent = at.parent()?;
        steps.push(match at.key() {
            Some(key) => escape(&key.to_well_formed()),
            None => parent.children().take_while(|child| child.index() < at.index()).count().to_string(),
        });
        at = parent;
    }
    Some(steps.iter().rev().fold(String::new(), |path, step| path + "/" + step))
}

fn root(tool: &Tool<'_>, sink: &mut Sink<'_>) {
    let Some(parameters) = tool.definition.parameters() else { return };
    match parameters.get("type") {
        Some(Value::String(name)) if *name == "object" => {}
        Some(other) => {
            let message = format!("the parameters are of type {}, not \"object\"", other.to_json());
            sink.report(&ROOT_NOT_OBJECT, "/type".to_owned(), Some(other), message);
        }
        None => {
            let message = match parameters {
                Value::Object(_) => "the parameters have no `type: \"object\"`".to_owned(),
                other => format!("the parameters are {}, not a schema of type object", kind_words(other)),
            };
            sink.report(&ROOT_NOT_OBJECT, String::new(), None, message);
        }
    }
    let Some(root) = tool.root() else { return };
    for (keyword, targets) in [
        ("oneOf", OPENAI.or(ANTHROPIC)),
        ("anyOf", OPENAI.or(ANTHROPIC)),
        ("allOf", OPENAI.or(ANTHROPIC)),
        ("enum", OPENAI),
        ("not", OPENAI),
    ] {
        if let Some(value) = root.get(keyword) {
            let message = format!("`{keyword}` stands at the top of the parameters");
            sink.report_for(&ROOT_COMBINATOR, targets, root.at(keyword), Some(value), message);
        }
    }
}

fn kind_words(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Array(_) => "a list",
        Value::Bool(_) => "a boolean",
        _ => "no object",
    }
}

fn dialect(tool: &Tool<'_>, sink: &mut Sink<'_>) {
    for node in &tool.nodes {
        if let Some(value) = node.get("$schema") {
            let draft = value.as_string().and_then(JsString::as_str).and_then(Draft::from_uri);
            let written = value.to_json();
            match draft {
                None => {
                    let message = format!("$schema {written} is no draft of JSON Schema");
                    sink.report(&SCHEMA_DIALECT_UNKNOWN, node.at("$schema"), Some(value), message);
                }
                Some(draft) if draft <= Draft::Draft7 => {
                    let message = format!("$schema is {}; 2020-12 is what is read", draft.name());
                    sink.report(&SCHEMA_DIALECT_OLD, node.at("$schema"), Some(value), message);
                }
                Some(_) => {}
            }
        }
        if let Some(value) = node.get("$id") {
            let valid = value.as_string().and_then(JsString::as_str).is_some_and(is_uri_reference);
            if !valid {
                let message = format!("$id {} is no URI reference", value.to_json());
                sink.report(&SCHEMA_ID_INVALID, node.at("$id"), Some(value), message);
            }
        }
    }
}

/// Whether a text has only characters that a URI reference may have (RFC 3986, section 2).
fn is_uri_reference(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(c))
}

fn depth(tool: &Tool<'_>, sink: &mut Sink<'_>) {
    let Some(root) = tool.definition.parameters_view() else { return };
    let mut deepest = 0;
    let mut work = vec![(root, 1)];
    while let Some((view, depth)) = work.pop() {
        deepest = deepest.max(depth);
        work.extend(view.children().filter(|child| child.kind().is_container()).map(|child| (child, depth + 1)));
    }
    let severity = match deepest {
        0..=32 => return,
        33..=128 => crate::lint::Severity::Warning,
        _ => crate::lint::Severity::Error,
    };
    let message = format!("the schema nests {deepest} levels deep");
    sink.report_as(&SCHEMA_TOO_DEEP, Targets::ALL, severity, String::new(), None, message);
}

fn output(tool: &Tool<'_>, sink: &mut Sink<'_>) {
    let Some(output) = tool.definition.view().get("outputSchema").filter(|v| v.kind() != Kind::Null) else { return };
    if !output.get("type").is_some_and(|t| t.is("object")) {
        let message = "the output schema has no `type: \"object\"`".to_owned();
        sink.report(&MCP_OUTPUT_SCHEMA_ROOT, String::new(), Some(&Value::from(output)), message);
    }
}
