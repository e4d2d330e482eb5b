//! `required`.

use crate::json::{JsString, Object, Value};
use crate::lint::rule::{
    rules,
    sets::{ALL, CLIENTS, OPENAI_STRICT},
};
use crate::lint::sink::Sink;
use crate::lint::tool::{Node, Tool};
use std::collections::HashSet;

rules! {
    REQUIRED_WITHOUT_PROPERTIES = "required-without-properties": "`required` without `properties`";
        [CLIENTS => Warning];
        "Some providers behind gateways refuse it (Groq), and no model can know what the names stand for.";
        "livekit/agents#5082";
    REQUIRED_UNDECLARED = "required-undeclared": "a required name that is no declared parameter";
        [OPENAI_STRICT => Error, ALL.without(OPENAI_STRICT) => Warning];
        "Validators do not mind: they demand a key that nothing describes, so the model cannot know what to send. Usually it was renamed in one place only. OpenAI's strict mode refuses it, and clients filter it out for Gemini.";
        "dotnet/extensions#6302, opencode#11889; measured: no validator minds";
    REQUIRED_NOT_ARRAY = "required-not-array": "`required` that is no list of names";
        [ALL => Error];
        "`required: true` inside a parameter is draft 3; since then the object around it lists the names. Validators refuse the schema.";
        "gmail-mcp-server#5; measured: a meta-schema error everywhere";
    REQUIRED_DUPLICATE = "required-duplicate": "a name twice in `required`";
        [ALL => Error];
        "The meta-schema wants the names to differ, so validators that check it refuse the schema.";
        "measured: a meta-schema error in Python, ajv and Rust";
    DEFAULT_ON_REQUIRED = "default-on-required": "a default on a required parameter";
        [ALL => Note];
        "A default says what happens when the parameter is left out, and it may not be left out; no validator fills it in. One of the two is wrong.";
        "Graph-It-Live#141";
}

pub(super) fn check(tool: &Tool<'_>, sink: &mut Sink<'_>) {
    for node in &tool.nodes {
        if let Some(value) = node.get("required") {
            list(node, value, sink);
            names(tool, node, value, sink);
        }
    }
    for (node, name, required) in tool.parameters() {
        if let Some(value) = node.get("default").filter(|_| required) {
            let message = format!("`{name}` is required and has the default {}", value.to_json());
            sink.report(&DEFAULT_ON_REQUIRED, node.at("default"), Some(value), message);
        }
    }
}

fn list(node: &Node<'_>, value: &Value, sink: &mut Sink<'_>) {
    let is_list = value.as_array().is_some_and(|names| names.iter().all(|name| name.as_string().is_some()));
    if !is_list {
        let message = format!("`required` is {}, not a list of names", value.to_json());
        sink.report(&REQUIRED_NOT_ARRAY, node.at("required"), Some(value), message);
    }
    let mut seen = HashSet::new();
    if let Some(twice) = node.required().into_iter().find(|name| !seen.insert(*name)) {
        let message = format!("`{twice}` stands twice in `required`");
        sink.report(&REQUIRED_DUPLICATE, node.at("required"), Some(&Value::String(twice.clone())), message);
    }
}

fn names(tool: &Tool<'_>, node: &Node<'_>, value: &Value, sink: &mut Sink<'_>) {
    if node.required().is_empty() {
        return;
    }
    let around: Vec<&Object> = tool.around(node).filter_map(Node::properties).collect();
    // A branch may demand what the schema around it declares; one that refers elsewhere may find it there.
    let elsewhere = ["patternProperties", "$ref", "allOf", "anyOf", "oneOf"].iter().any(|keyword| node.has(keyword));
    let Some(own) = node.properties() else {
        if around.is_empty() && !elsewhere {
            let message = "`required` names parameters and there are no `properties`".to_owned();
            sink.report(&REQUIRED_WITHOUT_PROPERTIES, node.at("required"), Some(value), message);
        }
        return;
    };
    let declared: HashSet<&JsString> = around.iter().chain([&own]).flat_map(|p| p.entries()).map(|(key, _)| key).collect();
    for name in node.required() {
        if !declared.contains(name) && !elsewhere {
            let message = format!("`{name}` is required and not declared");
            sink.report(&REQUIRED_UNDECLARED, node.at("required"), Some(&Value::String(name.clone())), message);
        }
    }
}
