//! What can be proved of schemas, by the crate's canonical form. No answer is an answer here: it is often not known.

use super::graph::Graph;
use super::node::converted;
use super::validator::{Draft, PATTERN_SIZE, survey};
use crate::definition::{Place, subschemas};
use crate::json::Value;
use jsonschema::PatternOptions;
use jsonschema::canonical::{self, Containment, Satisfiability};

/// Schemas beyond this size are not looked at, nor those whose alternatives multiply out to more than so many for one value:
/// the canonical form does multiply them out.
const MAX_NODES: usize = 400;
const MAX_ALTERNATIVES: u64 = 64;

/// Whether any value satisfies a schema; `None` if that is not known.
#[must_use]
pub fn satisfiable(schema: &Value) -> Option<bool> {
    if is_plainly_satisfiable(schema) {
        return Some(true);
    }
    match canonicalized(schema)?.satisfiability() {
        Satisfiability::Yes => Some(true),
        Satisfiability::No => Some(false),
        Satisfiability::Unknown => None,
    }
}

/// Whether every value that `old` accepts is accepted by `new` too; `None` if that is not known.
#[must_use]
pub fn covers(new: &Value, old: &Value) -> Option<bool> {
    match canonicalized(new)?.covers(&canonicalized(old)?).ok()? {
        Containment::Yes => Some(true),
        Containment::No => Some(false),
        Containment::Unknown => None,
    }
}

fn canonicalized(schema: &Value) -> Option<canonical::CanonicalSchema> {
    let traits = survey(schema).ok()?;
    // Patterns are multiplied into automata: a few simple ones are enough.
    if traits.patterns > 8 {
        return None;
    }
    let graph = Graph::build(schema, false).ok()?;
    // Recursive schemas are where the crate errs or works longest.
    if graph.nodes.len() > MAX_NODES || graph.max_depth != u32::MAX {
        return None;
    }
    if most_alternatives(schema) > MAX_ALTERNATIVES {
        return None;
    }
    canonical::options()
        .offline()
        .with_draft(Draft::of(schema).of_crate())
        .should_validate_formats(false)
        .with_pattern_options(PatternOptions::fancy_regex().size_limit(PATTERN_SIZE).dfa_size_limit(PATTERN_SIZE))
        .canonicalize(&converted(schema, u32::MAX))
        .ok()
}

/// The most alternatives that any one value in a schema has. The schema has been surveyed: it is not too deep.
fn most_alternatives(schema: &Value) -> u64 {
    let mut most = 1;
    let mut work = vec![schema];
    while let Some(schema) = work.pop() {
        most = most.max(alternatives(schema));
        let children = schema.as_object().into_iter().flat_map(subschemas);
        work.extend(children.map(|child| child.schema));
    }
    most
}

/// The alternatives that a schema has for a value, multiplied out. What is ruled out counts by its parts, each of which may
/// fail; a reference counts as a few.
fn alternatives(schema: &Value) -> u64 {
    let Some(object) = schema.as_object() else { return 1 };
    let (mut product, mut sums) = (1_u64, [0_u64; 2]);
    for child in subschemas(object).filter(|child| child.place == Place::Same) {
        let count = alternatives(child.schema);
        match child.keyword {
            "anyOf" => sums[0] = sums[0].saturating_add(count),
            "oneOf" => sums[1] = sums[1].saturating_add(count.saturating_mul(2)),
            "not" => product = product.saturating_mul(count.saturating_add(parts(child.schema))),
            "allOf" => product = product.saturating_mul(count),
            _ => product = product.saturating_mul(count.saturating_add(2)),
        }
    }
    if object.get(b"$ref").is_some() {
        product = product.saturating_mul(2);
    }
    sums.iter().fold(product, |all, sum| all.saturating_mul((*sum).max(1)))
}

fn parts(schema: &Value) -> u64 {
    let object = schema.as_object();
    let listed = schema.get("required").and_then(Value::as_array).map_or(0, <[Value]>::len);
    (object.map_or(0, crate::json::Object::len) + listed) as u64
}

/// The common case, decided without the crate: an object whose required keys are declared by a type alone, or not at all.
fn is_plainly_satisfiable(schema: &Value) -> bool {
    let Some(object) = schema.as_object() else { return false };
    let combines = [
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "if",
        "$ref",
        "enum",
        "const",
        "minProperties",
        "maxProperties",
        "propertyNames",
        "patternProperties",
        "dependentRequired",
        "dependentSchemas",
        "dependencies",
        "unevaluatedProperties",
        "$dynamicRef",
        "$recursiveRef",
    ];
    if combines.iter().any(|keyword| object.get(keyword.as_bytes()).is_some()) {
        return false;
    }
    let is_object = schema.get("type").is_none_or(|t| t.as_string().is_some_and(|name| *name == "object"));
    let required = schema.get("required").and_then(Value::as_array).unwrap_or_default();
    let closed = schema.get("additionalProperties").is_some_and(|v| !v.is_true());
    let plain = |property: &Value| {
        property.as_object().is_some_and(|p| {
            p.entries().iter().all(|(keyword, _)| {
                matches!(keyword.as_bytes(), b"type" | b"description" | b"title" | b"default" | b"examples" | b"format")
            }) && property.get("type").is_some_and(|t| t.as_string().is_some())
        })
    };
    is_object
        && required.iter().all(|name| {
            let name = name.as_string().map(crate::json::JsString::to_well_formed).unwrap_or_default();
            let property = schema.get("properties").and_then(|properties| properties.get(&name));
            property.map_or(!closed, plain)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Value {
        Value::parse(text.as_bytes()).expect(text)
    }

    #[test]
    fn satisfiability_is_proved() {
        for (schema, known) in [
            (r#"{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}"#, Some(true)),
            (
                r#"{"type": "object", "properties": {"a": {"type": "integer", "minimum": 5, "maximum": 4}}, "required": ["a"]}"#,
                Some(false),
            ),
            (r#"{"type": "object", "properties": {"a": false}, "required": ["a"]}"#, Some(false)),
            (r#"{"type": "object", "allOf": [{"required": ["a"]}], "properties": {"a": {"enum": []}}}"#, Some(false)),
            (r#"{"type": "object", "properties": {"a": {"type": "string", "minLength": 3, "maxLength": 2}}}"#, Some(true)),
        ] {
            assert_eq!(satisfiable(&json(schema)), known, "{schema}");
        }
    }

    #[test]
    fn containment_is_proved() {
        let (exclusive, inclusive) =
            (json(r#"{"type": "integer", "exclusiveMinimum": 0}"#), json(r#"{"type": "integer", "minimum": 1}"#));
        assert_eq!((covers(&exclusive, &inclusive), covers(&inclusive, &exclusive)), (Some(true), Some(true)));
        assert_eq!(covers(&json(r#"{"maximum": 5}"#), &json(r#"{"maximum": 9}"#)), Some(false));
    }
}
