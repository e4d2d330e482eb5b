//! Strict decoding: what OpenAI and Anthropic take with `strict: true`.

use crate::json::{Object, Value};
use crate::lint::rule::{
    rules,
    sets::{ANTHROPIC_STRICT, OPENAI_STRICT, STRICT},
};
use crate::lint::sink::Sink;
use crate::lint::target::Targets;
use crate::lint::tool::{Node, Role, Tool};
use std::collections::HashSet;

rules! {
    STRICT_ADDITIONAL_PROPERTIES = "strict-additional-properties": "an object that is not closed, in strict mode";
        [STRICT => Error];
        "Both want `additionalProperties: false` on every object: in elements, in branches and under `$defs` too.";
        "docker-agent#1871, langchain-ai/langchain#34599; anthropic.lib._parse._transform";
    STRICT_REQUIRED_INCOMPLETE = "strict-required-incomplete": "an optional parameter, in strict mode";
        [OPENAI_STRICT => Error];
        "OpenAI wants every parameter in `required`. One that may be left out becomes one that may be null: `\"type\": [\"string\", \"null\"]`.";
        "ash-project/ash_ai#155, dust-tt/dust#27635, laravel/ai#506";
    STRICT_KEYWORD = "strict-keyword": "a keyword that strict mode does not take";
        [STRICT => Error];
        "Strict mode compiles the schema to a grammar, and what cannot be compiled is a 400. Say the rule in the description and check it in the tool; the Anthropic SDK does so for bounds.";
        "openai.lib._pydantic, anthropic.lib._parse._transform; OpenAI guide, Structured Outputs, and texts of 400 answers, as quoted by third parties";
    STRICT_DEPTH = "strict-depth": "a schema that is too deep for strict mode";
        [OPENAI_STRICT => Error];
        "OpenAI takes 10 levels of objects in each other.";
        "OpenAI guide, Structured Outputs, as copied by third parties; ellmer#671 shows the older limit of 5";
    STRICT_PROPERTIES = "strict-properties": "more parameters than strict mode takes";
        [OPENAI_STRICT => Error];
        "OpenAI takes 5,000 properties in a schema, inner ones counted.";
        "OpenAI guide, Structured Outputs, as copied by third parties";
    STRICT_CHARS = "strict-chars": "more text in names and values than strict mode takes";
        [OPENAI_STRICT => Error];
        "OpenAI takes 120,000 characters in property names, definition names, listed values and constants.";
        "OpenAI guide, Structured Outputs, as copied by third parties";
    STRICT_EMPTY_SCHEMA = "strict-empty-schema": "an empty schema, in strict mode";
        [STRICT => Error];
        "`{}` takes anything, which no grammar can be made of. Say what the value is.";
        "texts of the providers' 400 answers, as quoted by third parties";
}

/// What neither takes.
const NEITHER: [&str; 17] = [
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "patternProperties",
    "propertyNames",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contains",
    "minContains",
    "maxContains",
    "minProperties",
    "maxProperties",
];
/// What only OpenAI refuses besides.
const NOT_OPENAI: [&str; 6] = ["oneOf", "uniqueItems", "minLength", "maxLength", "prefixItems", "default"];
/// What only Anthropic refuses besides.
const NOT_ANTHROPIC: [&str; 10] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "maxItems",
    "uniqueItems",
    "prefixItems",
];

pub(super) fn check(tool: &Tool<'_>, sink: &mut Sink<'_>) {
    if !sink.wants_any(STRICT) {
        return;
    }
    for node in &tool.nodes {
        closed(node, sink);
        all_required(node, sink);
        keywords(node, sink);
        if node.schema.is_empty() && node.role != Role::Root {
            sink.report(&STRICT_EMPTY_SCHEMA, node.pointer.clone(), None, "the schema is empty".to_owned());
        }
    }
    sizes(tool, sink);
}

fn closed(node: &Node<'_>, sink: &mut Sink<'_>) {
    let value = node.get("additionalProperties");
    if node.is_object() && !matches!(value, Some(Value::Bool(false))) {
        let message = "the object does not say `additionalProperties: false`".to_owned();
        sink.report(&STRICT_ADDITIONAL_PROPERTIES, node.pointer.clone(), value, message);
    }
}

fn all_required(node: &Node<'_>, sink: &mut Sink<'_>) {
    let required: HashSet<_> = node.required().into_iter().collect();
    for (name, _) in node.properties().map(Object::entries).unwrap_or_default() {
        if !required.contains(name) {
            let at = format!("{}/{}", node.at("properties"), crate::lint::tool::escape(&name.to_well_formed()));
            let message = format!("`{name}` is not in `required`");
            sink.report(&STRICT_REQUIRED_INCOMPLETE, at, Some(&Value::String(name.clone())), message);
        }
    }
}

fn keywords(node: &Node<'_>, sink: &mut Sink<'_>) {
    for (keyword, value) in node.schema.entries() {
        let Some(keyword) = keyword.as_str() else { continue };
        let mut refused = Targets::NONE;
        // allOf passes with Anthropic, except beside a reference.
        let all_of = keyword == "allOf" && !node.list("allOf").iter().any(|branch| branch.get("$ref").is_some());
        if NEITHER.contains(&keyword) {
            refused = if all_of { OPENAI_STRICT } else { STRICT };
        }
        if NOT_OPENAI.contains(&keyword) {
            refused = refused.or(OPENAI_STRICT);
        }
        let few_items = keyword == "minItems" && matches!(value, Value::Number(n) if *n > 1.0);
        if NOT_ANTHROPIC.contains(&keyword) || few_items {
            refused = refused.or(ANTHROPIC_STRICT);
        }
        let message = format!("`{keyword}` is not taken in strict mode");
        sink.report_for(&STRICT_KEYWORD, refused, node.at(keyword), Some(value), message);
    }
}

fn sizes(tool: &Tool<'_>, sink: &mut Sink<'_>) {
    let deepest = tool.nodes.iter().filter(|node| node.is_object()).map(|node| node.level + 1).max().unwrap_or(0);
    if deepest > 10 {
        sink.report(&STRICT_DEPTH, String::new(), None, format!("objects stand {deepest} deep in each other"));
    }
    let properties: usize = tool.nodes.iter().filter_map(Node::properties).map(Object::len).sum();
    if properties > 5_000 {
        sink.report(&STRICT_PROPERTIES, String::new(), None, format!("the schema has {properties} properties"));
    }
    let length = |text: &str| text.chars().count();
    let names = |node: &Node<'_>| -> usize {
        ["properties", "$defs", "definitions"]
            .iter()
            .filter_map(|keyword| node.get(keyword)?.as_object())
            .flat_map(Object::entries)
            .map(|(name, _)| length(&name.to_well_formed()))
            .sum()
    };
    let values = |node: &Node<'_>| -> usize {
        let listed = node.list("enum").iter().chain(node.get("const"));
        listed.map(|value| value.as_string().map_or_else(|| value.to_json().len(), |text| length(&text.to_well_formed()))).sum()
    };
    let characters: usize = tool.nodes.iter().map(|node| names(node) + values(node)).sum();
    if characters > 120_000 {
        let message = format!("names and listed values have {characters} characters");
        sink.report(&STRICT_CHARS, String::new(), None, message);
    }
}

/// Parameters that may be left out, inner ones counted.
pub(super) fn optional_parameters(tool: &Tool<'_>) -> usize {
    tool.parameters().filter(|(_, _, required)| !required).count()
}

/// Parameters that take several types.
pub(super) fn unions(tool: &Tool<'_>) -> usize {
    let several = |node: &Node<'_>| node.list("type").len() > 1 || node.has("anyOf") || node.has("oneOf");
    tool.nodes.iter().filter(|node| several(node)).count()
}
