//! A tool's parameters as a tree of rows, for people to browse.

use super::Definition;
use crate::json::{JsString, Step, Value, pointer};

/// One parameter, or a place inside one: an element of a list, any other key of a map, one form of a union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name; `[]` for the elements of a list, `*` for the other keys of an object, `anyOf[0]` for a form of a union.
    pub name: String,
    /// How deep it stands; 0 for the tool's own parameters.
    pub depth: usize,
    /// The row that it stands in, by its number; none for the tool's own parameters.
    pub parent: Option<usize>,
    /// Which part of that one it is.
    pub part: Part,
    /// Its schema's place, as a JSON Pointer into the tool's parameters.
    pub pointer: String,
    /// Where its `$ref` leads inside the definition, as such a pointer. What is inside it stands there.
    pub target: Option<String>,
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
    /// What else restricts its values.
    pub constraints: Vec<Constraint>,
}

/// Which part of a value a parameter is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The value of a key.
    Key(JsString),
    /// Each element.
    Element,
    /// The element at a place.
    Nth(usize),
    /// The value of each key that has no schema of its own.
    Other,
    /// The value itself, by one of several schemas.
    Form,
}

/// A keyword that restricts values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The keyword.
    pub keyword: &'static str,
    /// The keyword and, where it is short, what it says: `minimum 1`.
    pub text: String,
}

/// Keywords of JSON Schema that restrict a value, besides `type`, `enum` and those that the tree of parameters shows.
const CONSTRAINTS: [&str; 32] = [
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
    "minContains",
    "maxContains",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "unevaluatedProperties",
    "unevaluatedItems",
    "if",
    "not",
    "anyOf",
    "oneOf",
    "allOf",
    "$ref",
];

/// Rows of one definition, and how deep they go: no person reads on, and a definition may be made to have no end.
const MAX_ROWS: usize = 10_000;
const MAX_DEPTH: usize = 64;

impl Definition {
    /// The parameters in the order of the schema, each followed by what is inside it. References inside the definition are
    /// followed, but not into what they stand in. Of more than 10,000 the first, of more than 64 in each other the outer ones.
    #[must_use]
    pub fn parameter_rows(&self) -> Vec<Parameter> {
        let Some(root) = self.parameters() else { return Vec::new() };
        let mut rows: Vec<Parameter> = Vec::new();
        let mut work = Vec::new();
        push_inner(&mut work, &At { schema: root, pointer: "", row: None });
        // A stack, last in first out: what is inside a place comes right after it.
        while let Some(place) = work.pop() {
            if rows.len() == MAX_ROWS {
                break;
            }
            let target = target(root, place.schema, &rows, place.parent);
            let depth = place.parent.map_or(0, |parent| rows[parent].depth + 1);
            let (schema, pointer, number) = (place.schema, place.pointer.clone(), rows.len());
            rows.push(row(place, depth, target.as_ref()));
            if depth + 1 < MAX_DEPTH {
                if let Some((pointer, schema)) = &target {
                    push_inner(&mut work, &At { schema, pointer, row: Some(number) });
                }
                // On top, so that it comes first.
                push_inner(&mut work, &At { schema, pointer: &pointer, row: Some(number) });
            }
        }
        rows
    }
}

/// A schema, where it stands, and the row that it is of.
struct At<'a, 'p> {
    schema: &'a Value,
    pointer: &'p str,
    row: Option<usize>,
}

struct Place<'a> {
    name: String,
    part: Part,
    schema: &'a Value,
    parent: Option<usize>,
    pointer: String,
    required: bool,
}

/// Where the `$ref` of a schema leads, unless that is outside of the definition or around the place itself.
fn target<'a>(root: &'a Value, schema: &Value, rows: &[Parameter], parent: Option<usize>) -> Option<(String, &'a Value)> {
    let pointer = schema.get("$ref")?.as_string()?.as_str()?.strip_prefix('#')?;
    if pointer.is_empty() {
        return None;
    }
    let found = root.at_pointer(pointer).filter(|found| found.as_object().is_some())?;
    let mut around = parent;
    while let Some(row) = around.map(|row| &rows[row]) {
        if row.pointer == pointer || row.target.as_deref() == Some(pointer) {
            return None;
        }
        around = row.parent;
    }
    Some((pointer.to_owned(), found))
}

/// Puts the places inside a schema on the stack, the first one on top.
fn push_inner<'a>(work: &mut Vec<Place<'a>>, at: &At<'a, '_>) {
    let below = |keys: &[Step<'_>]| format!("{}{}", at.pointer, pointer(keys.iter().copied()));
    let start = work.len();
    let mut add = |name: String, part: Part, schema: &'a Value, pointer: String, required| {
        if schema.as_object().is_some() {
            work.push(Place { name, part, schema, parent: at.row, pointer, required });
        }
    };
    let schema = at.schema;
    let required = schema.get("required").and_then(Value::as_array).unwrap_or_default();
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        for (key, property) in properties.entries() {
            let required = required.iter().any(|name| name.as_string() == Some(key));
            let place = below(&[Step::Key(b"properties"), Step::Key(key.as_bytes())]);
            add(key.to_string(), Part::Key(key.clone()), property, place, required);
        }
    }
    for (keyword, name, part) in [("items", "[]", Part::Element), ("additionalProperties", "*", Part::Other)] {
        if let Some(inner) = schema.get(keyword) {
            add(name.to_owned(), part, inner, below(&[Step::Key(keyword.as_bytes())]), false);
        }
    }
    for keyword in ["anyOf", "oneOf", "allOf", "prefixItems"] {
        for (i, branch) in schema.get(keyword).and_then(Value::as_array).unwrap_or_default().iter().enumerate() {
            let part = if keyword == "prefixItems" { Part::Nth(i) } else { Part::Form };
            let place = below(&[Step::Key(keyword.as_bytes()), Step::Index(i)]);
            add(format!("{keyword}[{i}]"), part, branch, place, false);
        }
    }
    work[start..].reverse();
}

fn row(place: Place<'_>, depth: usize, target: Option<&(String, &Value)>) -> Parameter {
    let Place { name, part, schema, parent, pointer, required } = place;
    // What stands beside a reference comes before what it leads to.
    let get = |keyword: &str| schema.get(keyword).or_else(|| target.and_then(|(_, target)| target.get(keyword)));
    let types = match get("type") {
        Some(Value::Array(names)) => {
            names.iter().filter_map(Value::as_string).map(ToString::to_string).collect::<Vec<_>>().join(" | ")
        }
        Some(Value::String(name)) => name.to_string(),
        _ => String::new(),
    };
    let constraint = |keyword: &'static str, value: &Value| match value {
        Value::Array(_) | Value::Object(_) => Constraint { keyword, text: keyword.to_owned() },
        scalar => Constraint { keyword, text: format!("{keyword} {}", scalar.to_json()) },
    };
    Parameter {
        name,
        depth,
        parent,
        part,
        pointer,
        target: target.map(|(pointer, _)| pointer.clone()),
        required,
        types,
        values: get("enum").and_then(Value::as_array).unwrap_or_default().iter().map(Value::to_json).collect(),
        default: get("default").map(Value::to_json),
        description: get("description").and_then(Value::as_string).map(ToString::to_string),
        constraints: CONSTRAINTS.iter().filter_map(|keyword| Some(constraint(keyword, get(keyword)?))).collect(),
    }
}

/// The place of a row in arguments, as people write it: `questions[].options[].label`, with `*` for any other key.
#[must_use]
pub fn parameter_path(rows: &[Parameter], row: usize) -> String {
    let mut out = String::new();
    for parameter in way(rows, row) {
        match &parameter.part {
            Part::Key(key) if out.is_empty() => out.push_str(&key.to_well_formed()),
            Part::Key(key) => out.extend([".", &key.to_well_formed()]),
            Part::Element => out.push_str("[]"),
            Part::Nth(n) => out.extend(["[", &n.to_string(), "]"]),
            Part::Other => out.push_str(if out.is_empty() { "*" } else { ".*" }),
            Part::Form => {}
        }
    }
    out
}

/// The same as a JSON Pointer with `*` for elements and other keys: a pattern for the places of issues.
#[must_use]
pub fn parameter_pattern(rows: &[Parameter], row: usize) -> String {
    let mut out = String::new();
    for parameter in way(rows, row) {
        match &parameter.part {
            Part::Key(key) => out.push_str(&pointer([Step::Key(key.as_bytes())])),
            Part::Nth(n) => out.push_str(&pointer([Step::Index(*n)])),
            Part::Element | Part::Other => out.push_str("/*"),
            Part::Form => {}
        }
    }
    out
}

/// The rows that a row stands in, from the outermost to itself.
fn way(rows: &[Parameter], row: usize) -> Vec<&Parameter> {
    let mut way: Vec<&Parameter> = std::iter::successors(rows.get(row), |row| rows.get(row.parent?)).collect();
    way.reverse();
    way
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
        let constraints = |n: usize| rows[n].constraints.iter().map(|c| c.text.as_str()).collect::<Vec<_>>();
        assert_eq!((constraints(0), constraints(5)), (vec!["minItems 1"], vec!["anyOf"]));
        assert_eq!(rows.iter().map(|row| row.parent).collect::<Vec<_>>()[1..6], [Some(0), Some(1), None, Some(3), None]);
        assert_eq!(
            (rows[2].types.as_str(), rows[2].values.as_slice()),
            ("string | null", ["\"a\"".to_owned(), "null".to_owned()].as_slice())
        );
        assert_eq!(rows[4].default.as_deref(), Some("\"x\""));
        assert_eq!(rows[5].description.as_deref(), Some("Either."));
    }

    #[test]
    fn places_of_rows() {
        let text = br#"{"name": "t", "parameters": {"properties": {
            "a/b": {"items": {"anyOf": [{"properties": {"k": {}}}], "prefixItems": [{}]}}, "map": {"additionalProperties": {"properties": {"x": {}}}}}}}"#;
        let rows = Definition::parse(text).unwrap().remove(0).parameter_rows();
        let places: Vec<_> = (0..rows.len()).map(|n| (parameter_path(&rows, n), parameter_pattern(&rows, n))).collect();
        let places: Vec<_> = places.iter().map(|(path, pattern)| format!("{path} {pattern}")).collect();
        let wanted = ["a/b /a~1b", "a/b[] /a~1b/*", "a/b[] /a~1b/*", "a/b[].k /a~1b/*/k", "a/b[][0] /a~1b/*/0"];
        assert_eq!(places[..5], wanted);
        assert_eq!(places[5..], ["map /map", "map.* /map/*", "map.*.x /map/*/x"]);
        assert_eq!((parameter_path(&rows, 99), parameter_pattern(&rows, 99)), (String::new(), String::new()));
    }

    #[test]
    fn references_are_followed_but_not_in_a_circle() {
        let text = br##"{"name": "t", "parameters": {"$defs": {
            "node": {"type": "object", "description": "A node.", "properties": {"next": {"$ref": "#/$defs/node"}, "v": {"minimum": 1}}}},
            "properties": {"head": {"$ref": "#/$defs/node"}, "all": {"$ref": "#"}, "away": {"$ref": "https://example.com/a"}}}}"##;
        let definition = Definition::parse(text).unwrap().remove(0);
        let rows = definition.parameter_rows();
        let shown: Vec<_> = rows.iter().map(|r| format!("{}{} {}", "  ".repeat(r.depth), r.name, r.pointer)).collect();
        assert_eq!(
            shown,
            [
                "head /properties/head",
                "  next /$defs/node/properties/next",
                "  v /$defs/node/properties/v",
                "all /properties/all",
                "away /properties/away",
            ]
        );
        assert_eq!(rows[0].target.as_deref(), Some("/$defs/node"));
        assert_eq!((rows[0].types.as_str(), rows[0].description.as_deref()), ("object", Some("A node.")));
        assert_eq!(rows[0].constraints[0].text, "$ref \"#/$defs/node\"");
    }

    #[test]
    fn a_definition_without_end_has_an_end() {
        let deep = format!(r#"{{"name": "t", "parameters": {}1{}}}"#, r#"{"items": "#.repeat(5_000), "}".repeat(5_000));
        assert_eq!(Definition::parse(deep.as_bytes()).unwrap()[0].parameter_rows().len(), MAX_DEPTH);
        let twice: Vec<String> = (0..40)
            .map(|n| {
                format!(
                    r##""d{n}": {{"properties": {{"a": {{"$ref": "#/$defs/d{0}"}}, "b": {{"$ref": "#/$defs/d{0}"}}}}}}"##,
                    n + 1
                )
            })
            .collect();
        let wide = format!(
            r##"{{"name": "t", "parameters": {{"$defs": {{{}}}, "properties": {{"x": {{"$ref": "#/$defs/d0"}}}}}}}}"##,
            twice.join(",")
        );
        assert_eq!(Definition::parse(wide.as_bytes()).unwrap()[0].parameter_rows().len(), MAX_ROWS);
    }
}
