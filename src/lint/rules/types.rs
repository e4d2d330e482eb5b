//! `type`, and the many ways to say null.

use crate::definition::Shape;
use crate::json::{JsString, Value};
use crate::lint::Severity;
use crate::lint::rule::{
    rules,
    sets::{ALL, ANTHROPIC, ANTHROPIC_STRICT, BEDROCK, CLIENTS, GEMINI, MCP, OPENAI},
};
use crate::lint::sink::Sink;
use crate::lint::target::Targets;
use crate::lint::tool::{Node, Role, Tool};

const JSON_SCHEMA: Targets = OPENAI.or(ANTHROPIC).or(BEDROCK).or(MCP).or(CLIENTS);

rules! {
    TYPE_MISSING = "type-missing": "a parameter or element without a type";
        [GEMINI => Warning];
        "Gemini's clients and Vertex refuse or drop a schema that has none of `type`, `enum`, `const`, `$ref` or a combinator. Models guess.";
        "google/mcp-security#148, litellm#19103";
    TYPE_UNKNOWN = "type-unknown": "a `type` that is none of JSON Schema's";
        [ALL => Error];
        "The types are string, number, integer, boolean, object, array and null, in lower case. Gemini also takes them in upper case.";
        "measured: every validator refuses `int`, `float`, `str`, `any`";
    TYPE_ARRAY = "type-array": "a list of types";
        [CLIENTS => Warning] gemini Error / None; Warning;
        "Gemini's `parameters` take one type and `nullable`; a list is a 400. Several clients and gateways want one type and drop the tool or the parameter without a word.";
        "5ire#218, baruchiro/paperless-mcp#138, cursor/cursor#3778, copilot-intellij#691";
    NULLABLE_KEYWORD = "nullable-keyword": "`nullable: true` outside Gemini and OpenAPI";
        [JSON_SCHEMA => Warning];
        "JSON Schema has no such keyword: ajv takes null all the same, the Python and Rust validators do not, so the same call passes in one server and fails in another. Write `\"type\": [\"string\", \"null\"]`.";
        "measured: ajv 8.20 accepts null, jsonschema (Python 4.26, Rust 0.61.2) rejects it";
    NULL_UNION = "null-union": "`anyOf` of a type and null";
        [CLIENTS.or(ANTHROPIC_STRICT) => Note];
        "Clients that show parameters to people show such a one as of unknown type, and Anthropic's strict mode counts it as a union (16 in a request). Where null means the same as leaving it out, leave null out.";
        "ToolRegistry#172, anthropics/claude-code#95239";
    KEYWORD_WRONG_TYPE = "keyword-wrong-type": "a keyword for values of another type";
        [ALL.without(GEMINI) => Warning] gemini Error / Some(Severity::Warning); Warning;
        "`minLength` says nothing of a number, `properties` nothing of a string: the rule is never applied, so either it or the type is wrong. Gemini refuses it.";
        "opencode#11889; ajv's strictTypes";
}

/// Keywords that judge values of one type only.
const KEYWORD_TYPES: [(&str, &[&str]); 20] = [
    ("minLength", &["string"]),
    ("maxLength", &["string"]),
    ("pattern", &["string"]),
    ("minimum", &["number", "integer"]),
    ("maximum", &["number", "integer"]),
    ("exclusiveMinimum", &["number", "integer"]),
    ("exclusiveMaximum", &["number", "integer"]),
    ("multipleOf", &["number", "integer"]),
    ("items", &["array"]),
    ("prefixItems", &["array"]),
    ("minItems", &["array"]),
    ("maxItems", &["array"]),
    ("uniqueItems", &["array"]),
    ("contains", &["array"]),
    ("properties", &["object"]),
    ("required", &["object"]),
    ("additionalProperties", &["object"]),
    ("patternProperties", &["object"]),
    ("minProperties", &["object"]),
    ("maxProperties", &["object"]),
];

pub(super) fn check(tool: &Tool<'_>, sink: &mut Sink<'_>) {
    for node in &tool.nodes {
        declared(node, sink);
        wrong_type(node, sink);
        null(tool, node, sink);
    }
}

fn declared(node: &Node<'_>, sink: &mut Sink<'_>) {
    let Some(value) = node.get("type") else {
        let says = ["enum", "const", "$ref", "$dynamicRef", "anyOf", "any_of", "oneOf", "allOf", "not", "if"];
        if matches!(node.role, Role::Property { .. } | Role::Item) && !says.iter().any(|keyword| node.has(keyword)) {
            sink.report(&TYPE_MISSING, node.pointer.clone(), None, "the schema says nothing of the type".to_owned());
        }
        return;
    };
    if let Value::Array(_) = value {
        let message = format!("type is a list, {}", value.to_json());
        sink.report(&TYPE_ARRAY, node.at("type"), Some(value), message);
    }
    let list = value.as_array().unwrap_or(std::slice::from_ref(value));
    let known = |name: &str| matches!(name, "string" | "number" | "integer" | "boolean" | "object" | "array" | "null");
    let text = |name: &Value| name.as_string().and_then(JsString::as_str).map(str::to_owned);
    if let Some(unknown) = list.iter().find(|name| !text(name).is_some_and(|name| known(&name))) {
        // Upper case is Gemini's own spelling.
        let upper = text(unknown).is_some_and(|name| known(&name.to_lowercase()) && name == name.to_uppercase());
        let targets = if upper { ALL.without(GEMINI) } else { ALL };
        let message = format!("{} is no type of JSON Schema", unknown.to_json());
        sink.report_for(&TYPE_UNKNOWN, targets, node.at("type"), Some(value), message);
    }
}

fn wrong_type(node: &Node<'_>, sink: &mut Sink<'_>) {
    let types = node.types();
    if types.is_empty() {
        return;
    }
    for (keyword, of) in KEYWORD_TYPES {
        let Some(value) = node.get(keyword) else { continue };
        if !types.iter().any(|name| of.contains(name)) {
            let message = format!("`{keyword}` says nothing of a value of type {}", types.join(" or "));
            sink.report(&KEYWORD_WRONG_TYPE, node.at(keyword), Some(value), message);
        }
    }
}

fn null(tool: &Tool<'_>, node: &Node<'_>, sink: &mut Sink<'_>) {
    let own = tool.definition.shape() == Shape::Gemini;
    if let Some(value) = node.get("nullable").filter(|value| value.is_true() && !own) {
        let message = "`nullable` is no keyword of JSON Schema".to_owned();
        sink.report(&NULLABLE_KEYWORD, node.at("nullable"), Some(value), message);
    }
    let branches = node.list("anyOf");
    let is_null = |branch: &Value| branch.get("type").and_then(Value::as_string).is_some_and(|name| *name == "null");
    if branches.len() == 2 && branches.iter().filter(|branch| is_null(branch)).count() == 1 {
        let message = "null is allowed by way of `anyOf`".to_owned();
        sink.report(&NULL_UNION, node.at("anyOf"), node.get("anyOf"), message);
    }
}
