//! What the tests of this room share.

use super::live::Target;
use crate::capture::Call;
use crate::definition::{Catalog, Definition};
use crate::gate::{Arguments, Gate};
use proptest::prelude::*;

const DEFINITIONS: &[u8] = br##"[
    {"name": "TaskUpdate", "parameters": {"type": "object", "required": ["taskId"],
        "properties": {
            "status": {"type": "string", "enum": ["pending", "completed"]},
            "taskId": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "string", "enum": ["x", "y"]}},
            "steps": {"type": "array", "items": {"type": "object", "required": ["name"],
                "properties": {"name": {"type": "string"}, "done": {"type": "boolean"}}}},
            "kind": {"anyOf": [{"type": "string", "enum": ["one"]}, {"type": "null"}]},
            "flag": {"$ref": "#/$defs/flag"}
        },
        "$defs": {"flag": {"type": "boolean"}}}},
    {"name": "TaskList"}
]"##;

pub(crate) fn catalog() -> Catalog {
    Catalog::from_definitions(Definition::parse(DEFINITIONS).unwrap())
}

pub(crate) fn gate() -> Gate {
    Gate::new(&catalog())
}

pub(crate) fn definition(name: &str) -> std::sync::Arc<Definition> {
    catalog().get(name).unwrap().clone()
}

pub(crate) fn call(tool: &str, text: &str) -> Call {
    Call::new(tool, Arguments::text(text))
}

pub(crate) fn target(tool: &str) -> Target {
    Target::of(&call(tool, ""))
}

/// JSON texts, loosely laid out.
pub(crate) fn json() -> impl Strategy<Value = String> {
    let leaf = proptest::sample::select(&["1", "-0.5e+7", "\"a \\\" }{\"", "\"\"", "null", "true", "{ }", "[]"][..]);
    let leaf = leaf.prop_map(str::to_owned);
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[ {}]", items.join(" ,\n"))),
            proptest::collection::vec(inner, 0..4).prop_map(|items| {
                let members: Vec<String> = items.iter().enumerate().map(|(n, item)| format!("\"k{}\" :{item}", n % 3)).collect();
                format!("{{{} }}", members.join(", "))
            }),
        ]
    })
}
