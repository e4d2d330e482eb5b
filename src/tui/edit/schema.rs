//! What a schema says of a place in the arguments.

use super::cursor_path::Step;
use crate::json::{Object, Value};

/// Schemas that one schema may stand for: more than anybody writes, and an end for those that name themselves.
const FORMS: usize = 64;

/// Every schema that a value at the end of this path may follow.
#[must_use]
pub fn at_path<'a>(root: &'a Value, path: &[Step]) -> Vec<&'a Value> {
    path.iter().fold(forms(root, vec![root]), |schemas, step| {
        let below = schemas.into_iter().filter_map(|schema| match step {
            Step::Key(key) => member(schema, key).or_else(|| schema.get("additionalProperties")),
            Step::Item => schema.get("items"),
        });
        forms(root, below.collect())
    })
}

/// The properties that these schemas declare, each once, required ones first.
#[must_use]
pub fn properties<'a>(schemas: &[&'a Value]) -> Vec<Property<'a>> {
    let mut properties: Vec<Property<'a>> = Vec::new();
    for schema in schemas {
        let required = schema.get("required").and_then(Value::as_array).unwrap_or_default();
        for (name, schema) in schema.get("properties").and_then(Value::as_object).map_or(&[][..], Object::entries) {
            let required = required.iter().any(|required| required.as_string() == Some(name));
            let name = name.to_string();
            if !properties.iter().any(|known| known.name == name) {
                properties.push(Property { name, schema, required });
            }
        }
    }
    properties.sort_by_key(|property| !property.required);
    properties
}

/// A declared property.
#[derive(Clone, Debug)]
pub struct Property<'a> {
    /// Its name.
    pub name: String,
    /// What is declared of it.
    pub schema: &'a Value,
    /// Whether it must be there.
    pub required: bool,
}

/// The names of the types that a schema declares.
#[must_use]
pub fn types(schema: &Value) -> Vec<String> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name.to_string()],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_string).map(ToString::to_string).collect(),
        _ => Vec::new(),
    }
}

/// A value to start from: the default, the first of the listed values, or an empty one of the declared type, with what it
/// must hold.
#[must_use]
pub fn placeholder(root: &Value, schema: &Value) -> String {
    fill(root, schema, 8)
}

fn fill(root: &Value, schema: &Value, depth: usize) -> String {
    let schemas = forms(root, vec![schema]);
    let find = |keyword: &str| schemas.iter().find_map(|schema| schema.get(keyword));
    if let Some(value) = find("default").or_else(|| find("const")) {
        return value.to_json();
    }
    if let Some(value) = find("enum").and_then(Value::as_array).and_then(<[Value]>::first) {
        return value.to_json();
    }
    let named = schemas.iter().flat_map(|schema| types(schema)).find(|name| name != "null");
    match named.as_deref() {
        Some("string") => "\"\"".to_owned(),
        Some("number" | "integer") => "0".to_owned(),
        Some("boolean") => "false".to_owned(),
        Some("array") => "[]".to_owned(),
        Some("object") if depth > 0 => {
            let required = properties(&schemas).into_iter().filter(|property| property.required);
            let members = required.map(|property| {
                format!("{}:{}", crate::json::quote(property.name.as_bytes()), fill(root, property.schema, depth - 1))
            });
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        Some("object") => "{}".to_owned(),
        _ => "null".to_owned(),
    }
}

fn member<'a>(schema: &'a Value, key: &str) -> Option<&'a Value> {
    schema.get("properties")?.get(key)
}

/// The schemas themselves and those that they refer to or are unions of.
fn forms<'a>(root: &'a Value, schemas: Vec<&'a Value>) -> Vec<&'a Value> {
    let mut forms = schemas;
    let mut next = 0;
    while next < forms.len() && forms.len() < FORMS {
        let schema = forms[next];
        next += 1;
        let branches = ["anyOf", "oneOf", "allOf"].iter().filter_map(|keyword| schema.get(keyword)?.as_array()).flatten();
        let referred = schema.get("$ref").and_then(Value::as_string).and_then(|at| {
            let at = at.to_well_formed();
            root.at_pointer(at.strip_prefix('#')?)
        });
        for more in branches.chain(referred) {
            if !forms.iter().any(|known| std::ptr::eq(*known, more)) {
                forms.push(more);
            }
        }
    }
    forms
}
