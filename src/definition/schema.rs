//! Where schemas stand inside a schema: the one table by which rooms walk one.

use crate::json::{JsString, Object, Value};

/// How a schema that stands under a keyword is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// To the value itself: `allOf`, `if`, …
    Same,
    /// To something inside the value: `properties`, `items`, …
    Inside,
    /// Not by itself: it waits under `$defs` to be referred to.
    Kept,
}

/// A schema inside a schema.
#[derive(Clone, Copy, Debug)]
pub struct Child<'a> {
    /// The keyword that it stands under, as written.
    pub keyword: &'a str,
    /// The property's name, where the keyword holds schemas by name.
    pub key: Option<&'a JsString>,
    /// The place in the list, where the keyword holds a list of schemas.
    pub index: Option<usize>,
    /// The schema; whatever stands there, so not always an object or a boolean.
    pub schema: &'a Value,
    /// How it is applied.
    pub place: Place,
}

enum Holds {
    One,
    List,
    Map,
    OneOrList,
}

/// The keywords that hold schemas, from draft-04 to 2020-12, with the spellings that Gemini's SDKs also take
/// (`any_of`, `defs`, …). Everything else in a schema is data, whatever it looks like.
fn holds(keyword: &[u8]) -> Option<(Holds, Place)> {
    Some(match keyword {
        b"properties" | b"patternProperties" => (Holds::Map, Place::Inside),
        b"items" => (Holds::OneOrList, Place::Inside),
        b"additionalProperties"
        | b"additional_properties"
        | b"unevaluatedProperties"
        | b"additionalItems"
        | b"unevaluatedItems"
        | b"contains"
        | b"propertyNames" => (Holds::One, Place::Inside),
        b"prefixItems" | b"prefix_items" => (Holds::List, Place::Inside),
        b"allOf" | b"anyOf" | b"oneOf" | b"any_of" => (Holds::List, Place::Same),
        b"not" | b"if" | b"then" | b"else" => (Holds::One, Place::Same),
        b"dependentSchemas" | b"dependencies" => (Holds::Map, Place::Same),
        b"$defs" | b"definitions" | b"defs" => (Holds::Map, Place::Kept),
        _ => return None,
    })
}

/// The schemas directly inside a schema, in the order in which they are written. `dependencies` that list names and other
/// things that cannot be schemas where one could stand are passed on as they are.
pub fn subschemas(schema: &Object) -> impl Iterator<Item = Child<'_>> {
    schema.entries().iter().flat_map(|(keyword, value)| {
        let mut found = Vec::new();
        if let (Some((holds, place)), Some(keyword)) = (holds(keyword.as_bytes()), keyword.as_str()) {
            let child = Child { keyword, key: None, index: None, schema: value, place };
            match (holds, value) {
                (Holds::Map, Value::Object(map)) => {
                    found.extend(map.entries().iter().map(|(key, schema)| Child { key: Some(key), schema, ..child }));
                }
                (Holds::List | Holds::OneOrList, Value::Array(list)) => {
                    found.extend(list.iter().enumerate().map(|(i, schema)| Child { index: Some(i), schema, ..child }));
                }
                (Holds::One | Holds::OneOrList, _) => found.push(child),
                _ => {}
            }
        }
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_properties_are_data() {
        let schema = Value::parse(
            br#"{"properties": {"items": {"type": "string"}, "required": true}, "enum": [{"not": {}}], "items": [{}, {}],
                "anyOf": [{}], "not": false, "$defs": {"a": {}}, "default": {"properties": {}}}"#,
        )
        .unwrap();
        let found: Vec<String> = subschemas(schema.as_object().unwrap())
            .map(|c| format!("{}/{:?}{:?} {:?}", c.keyword, c.key, c.index, c.place))
            .collect();
        assert_eq!(
            found,
            [
                "properties/Some(\"items\")None Inside",
                "properties/Some(\"required\")None Inside",
                "items/NoneSome(0) Inside",
                "items/NoneSome(1) Inside",
                "anyOf/NoneSome(0) Same",
                "not/NoneNone Same",
                "$defs/Some(\"a\")None Kept",
            ]
        );
    }
}
