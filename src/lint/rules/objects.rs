//! Objects and arrays: what their keys and elements are.

use crate::json::{Object, Value};
use crate::lint::rule::{
    rules,
    sets::{ALL, CLIENTS, OPENAI},
};
use crate::lint::sink::Sink;
use crate::lint::tool::{Node, Role, Tool};

rules! {
    OBJECT_PROPERTIES_MISSING = "object-properties-missing": "parameters without `properties`";
        [OPENAI => Error];
        "OpenAI refuses `{\"type\": \"object\"}` at the top without `properties`, also where there are none; MCP's own recommended form for a tool without parameters lacks it. Write `\"properties\": {}`.";
        "spring-ai#4776, kubernetes-mcp-server#340, langchain-ai/langchain-mcp-adapters#137";
    OBJECT_PROPERTIES_EMPTY = "object-properties-empty": "an object with `properties: {}`";
        [] gemini Note / None; Note;
        "Older endpoints of Gemini refuse an object without properties; leave `parameters` out altogether for a tool that has none.";
        "CherryHQ/cherry-studio#3270, mcp-obsidian#21";
    ARRAY_ITEMS_MISSING = "array-items-missing": "an array that says nothing of its elements";
        [OPENAI.or(CLIENTS) => Error];
        "OpenAI and VS Code refuse an array without `items`, at any depth, and with it the whole list of tools. Say what the elements are, and look at recorded calls before: a wrong guess makes the model send something else.";
        "aichat#1049, tidewave_phoenix#224, vscode-copilot-release#7462";
    ITEMS_ARRAY_FORM = "items-array-form": "a list under `items` in 2020-12";
        [ALL => Error];
        "Since 2020-12 a tuple is written with `prefixItems`; a list under `items` does not compile.";
        "measured: Python raises an AttributeError, ajv and the Rust crate refuse the schema";
    OBJECT_OPEN = "object-open": "an object that takes any other key";
        [ALL => Note];
        "Without `additionalProperties: false` a validator accepts a misspelled parameter and nobody reads it: the call succeeds and does something else. (The gate's own rules reject undeclared keys here all the same.)";
        "mongodb-js/mongodb-mcp-server#1369, hahwul/gori#1140, flameox#30";
    OBJECT_EXTRA_EMPTY_SCHEMA = "object-extra-empty-schema": "`additionalProperties: {}`";
        [CLIENTS => Note];
        "It means the same as `true`, and some clients stumble over the empty schema.";
        "obsidian-mcp-tools#63 (Letta)";
    PARAM_ARRAY_AS_TEXT_RISK = "param-array-as-text-risk": "an array or object parameter without a described shape";
        [CLIENTS => Note];
        "Models send such a parameter as a string that holds JSON, and some clients make a string of it. A described shape prevents most of that.";
        "anthropics/claude-code#22394, n8n#33864";
}

pub(super) fn check(tool: &Tool<'_>, sink: &mut Sink<'_>) {
    for node in &tool.nodes {
        object(node, sink);
        array(tool, node, sink);
        shape(node, sink);
    }
}

fn object(node: &Node<'_>, sink: &mut Sink<'_>) {
    if node.role == Role::Root && node.is_type("object") && !node.has("properties") && !node.has("$ref") {
        sink.report(&OBJECT_PROPERTIES_MISSING, String::new(), None, "the parameters have no `properties`".to_owned());
    }
    if node.is_object() && node.properties().is_some_and(Object::is_empty) {
        let message = "the object has no properties".to_owned();
        sink.report(&OBJECT_PROPERTIES_EMPTY, node.at("properties"), None, message);
    }
    let judged = ["additionalProperties", "additional_properties", "unevaluatedProperties", "patternProperties", "$ref", "allOf"];
    let names_keys = node.properties().is_some_and(|p| !p.is_empty()) || node.role == Role::Root;
    // A branch adds to the object around it, which is the one to close.
    let whole = !matches!(node.role, Role::Branch("allOf") | Role::Same);
    if node.is_object() && names_keys && whole && !judged.iter().any(|keyword| node.has(keyword)) {
        let message = "undeclared keys are accepted, so a misspelled one is ignored".to_owned();
        sink.report(&OBJECT_OPEN, node.pointer.clone(), None, message);
    }
    if let Some(value) = node.get("additionalProperties").filter(|v| v.as_object().is_some_and(Object::is_empty)) {
        let message = "`additionalProperties` is an empty schema".to_owned();
        sink.report(&OBJECT_EXTRA_EMPTY_SCHEMA, node.at("additionalProperties"), Some(value), message);
    }
}

fn array(tool: &Tool<'_>, node: &Node<'_>, sink: &mut Sink<'_>) {
    if node.is_type("array") && !node.has("items") && !node.has("prefixItems") {
        sink.report(&ARRAY_ITEMS_MISSING, node.pointer.clone(), None, "the array has no `items`".to_owned());
    }
    if let Some(value @ Value::Array(_)) = node.get("items")
        && tool.draft == crate::gate::profile::Draft::Draft202012
    {
        let message = "a list under `items`, which 2020-12 writes as `prefixItems`".to_owned();
        sink.report(&ITEMS_ARRAY_FORM, node.at("items"), Some(value), message);
    }
}

fn shape(node: &Node<'_>, sink: &mut Sink<'_>) {
    let Role::Property { name, .. } = node.role else { return };
    let empty = |value: Option<&Value>| value.is_none_or(|v| v.is_true() || v.as_object().is_some_and(Object::is_empty));
    let array = node.types() == ["array"] && empty(node.get("items")) && !node.has("prefixItems");
    let others = ["patternProperties", "anyOf", "oneOf", "allOf", "$ref"];
    let object = node.types() == ["object"]
        && node.properties().is_none_or(Object::is_empty)
        && empty(node.get("additionalProperties"))
        && !others.iter().any(|keyword| node.has(keyword));
    if array || object {
        let message = format!("nothing says what is inside `{name}`");
        sink.report(&PARAM_ARRAY_AS_TEXT_RISK, node.pointer.clone(), None, message);
    }
}
