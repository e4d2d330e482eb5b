//! A tool's parameters as a tree of rows, for people to browse.

use super::Definition;
use crate::json::{Step, Value, pointer};

/// One parameter, or a place inside one: an element of a list, any other key of a map, one form of a union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name; `[]` for the elements of a list, `*` for the other keys of an object, `anyOf[0]` for a form of a union.
    pub name: String,
    /// How deep it stands; 0 for the tool's own parameters.
    pub depth: usize,
    /// Its schema's place, as a JSON Pointer into the tool's parameters.
    pub pointer: String,
    /// Whether a call must have it.
    pub required: bool,
    /// The declared types, joined by ` | `; empty where there is none.
    pub types: String,
    /// The listed values as JSON, where only these are allowed.
    pub values: Vec<String>,
    /// The default as JSON.
    pub default: Option<String>,
    /// What the model is told about it.
    pub description: Option<String>,
    /// Constraints that the schema states and the wave gate does not enforce, each as `keyword value`.
    pub unenforced: Vec<String>,
}

/// Keywords of JSON Schema that restrict a value and that the wave gate does not interpret.
const UNENFORCED: [&str; 24] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "propertyNames",
    "patternProperties",
    "const",
    "prefixItems",
    "contains",
    "dependentRequired",
    "if",
    "not",
    "oneOf",
    "$ref",
];

impl Definition {
    /// The parameters in the order of the schema, each followed by what is inside it.
    #[must_use]
    pub fn parameter_rows(&self) -> Vec<Parameter> {
        let mut rows = Vec::new();
        let mut work = Vec::new();
        if let Some(schema) = self.parameters() {
            push_inner(schema, &mut work, 0, "");
        }
        // A stack, last in first out: what is inside a place comes right after it.
        while let Some(Place { name, schema, depth, pointer, required }) = work.pop() {
            rows.push(row(name, schema, depth, pointer.clone(), required));
            push_inner(schema, &mut work, depth + 1, &pointer);
        }
        rows
    }
}

struct Place<'a> {
    name: String,
    schema: &'a Value,
    depth: usize,
    pointer: String,
    required: bool,
}

/// Puts the places inside a schema on the stack, the first one on top.
fn push_inner<'a>(schema: &'a Value, work: &mut Vec<Place<'a>>, depth: usize, at: &str) {
    let below = |keys: &[Step<'_>]| format!("{at}{}", pointer(keys.iter().copied()));
    let start = work.len();
    let mut add = |name: String, schema: &'a Value, pointer: String, required| {
        if schema.as_object().is_some() {
            work.push(Place { name, schema, depth, pointer, required });
        }
    };
    let required = schema.get("required").and_then(Value::as_array).unwrap_or_default();
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        for (key, property) in properties.entries() {
            let required = required.iter().any(|name| name.as_string() == Some(key));
            add(key.to_string(), property, below(&[Step::Key(b"properties"), Step::Key(key.as_bytes())]), required);
        }
    }
    for (keyword, name) in [("items", "[]"), ("additionalProperties", "*")] {
        if let Some(inner) = schema.get(keyword) {
            add(name.to_owned(), inner, below(&[Step::Key(keyword.as_bytes())]), false);
        }
    }
    for keyword in ["anyOf", "oneOf", "allOf", "prefixItems"] {
        for (i, branch) in schema.get(keyword).and_then(Value::as_array).unwrap_or_default().iter().enumerate() {
            add(format!("{keyword}[{i}]"), branch, below(&[Step::Key(keyword.as_bytes()), Step::Index(i)]), false);
        }
    }
    work[start..].reverse();
}

fn row(name: String, schema: &Value, depth: usize, pointer: String, required: bool) -> Parameter {
    let types = match schema.get("type") {
        Some(Value::Array(names)) => {
            names.iter().filter_map(Value::as_string).map(ToString::to_string).collect::<Vec<_>>().join(" | ")
        }
        Some(Value::String(name)) => name.to_string(),
        _ => String::new(),
    };
    let unenforced = UNENFORCED
        .iter()
        .filter_map(|keyword| schema.get(keyword).map(|value| (keyword, value)))
        // Unions are shown as places of their own.
        .map(|(keyword, value)| match value {
            Value::Array(_) | Value::Object(_) => (*keyword).to_owned(),
            scalar => format!("{keyword} {}", scalar.to_json()),
        })
        .collect();
    Parameter {
        name,
        depth,
        pointer,
        required,
        types,
        values: schema.get("enum").and_then(Value::as_array).unwrap_or_default().iter().map(Value::to_json).collect(),
        default: schema.get("default").map(Value::to_json),
        description: schema.get("description").and_then(Value::as_string).map(ToString::to_string),
        unenforced,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_follow_the_schema() {
        let text = br#"{"name": "t", "parameters": {"type": "object", "required": ["list"], "properties": {
            "list": {"type": "array", "minItems": 1, "items": {"type": "object", "properties": {"k": {"type": ["string", "null"], "enum": ["a", null]}}}},
            "map": {"type": "object", "additionalProperties": {"type": "string", "default": "x"}},
            "any": {"anyOf": [{"type": "string"}, {"type": "number", "maximum": 3}], "description": "Either."}}}}"#;
        let definition = Definition::parse(text).unwrap().remove(0);
        let rows = definition.parameter_rows();
        let shown: Vec<_> = rows.iter().map(|r| format!("{}{} {}", "  ".repeat(r.depth), r.name, r.pointer)).collect();
        assert_eq!(
            shown,
            [
                "list /properties/list",
                "  [] /properties/list/items",
                "    k /properties/list/items/properties/k",
                "map /properties/map",
                "  * /properties/map/additionalProperties",
                "any /properties/any",
                "  anyOf[0] /properties/any/anyOf/0",
                "  anyOf[1] /properties/any/anyOf/1",
            ]
        );
        assert!(rows[0].required && !rows[1].required);
        assert_eq!(rows[0].unenforced, ["minItems 1"]);
        assert_eq!(
            (rows[2].types.as_str(), rows[2].values.as_slice()),
            ("string | null", ["\"a\"".to_owned(), "null".to_owned()].as_slice())
        );
        assert_eq!(rows[4].default.as_deref(), Some("\"x\""));
        assert_eq!(rows[5].description.as_deref(), Some("Either."));
    }
}
