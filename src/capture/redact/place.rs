//! What a definition says of a place in the arguments: which keys it declares there, and which values it lists.

use crate::json::Value;

/// A place in the arguments.
#[derive(Clone, Copy)]
pub(super) enum Place<'s> {
    /// No definition says anything of it.
    Unknown,
    /// It is described by this schema.
    At(&'s Value),
}

/// What becomes of a key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// The definition declares it.
    Keep,
    /// It is data, in a free-form map.
    Replace,
    /// Nothing says what it is: a parameter's name stays, anything else goes.
    ByLooks,
}

impl<'s> Place<'s> {
    fn schema(self) -> Option<&'s Value> {
        match self {
            // What a reference leads to is not looked up (rule G9).
            Self::At(schema) if schema.get("$ref").is_none() => Some(schema),
            _ => None,
        }
    }

    /// The place under a key, and what becomes of the key.
    pub(super) fn member(self, key: &[u8]) -> (Self, Fate) {
        let Some(schema) = self.schema() else { return (Self::Unknown, Fate::ByLooks) };
        let properties = schema.get("properties").and_then(Value::as_object);
        if let Some(property) = properties.and_then(|properties| properties.get(key)) {
            return (Self::At(property), Fate::Keep);
        }
        let required = schema.get("required").and_then(Value::as_array).unwrap_or_default();
        if required.iter().any(|name| name.as_string().is_some_and(|name| name.as_bytes() == key)) {
            return (Self::Unknown, Fate::Keep);
        }
        match schema.get("additionalProperties") {
            Some(inner @ Value::Object(_)) => (Self::At(inner), Fate::Replace),
            Some(Value::Bool(true)) => (Self::Unknown, Fate::Replace),
            Some(Value::Bool(false)) => (Self::Unknown, Fate::ByLooks),
            _ if properties.is_none() => (Self::Unknown, Fate::Replace),
            _ => (Self::Unknown, Fate::ByLooks),
        }
    }

    /// The place of every element.
    pub(super) fn element(self) -> Self {
        self.schema().and_then(|schema| schema.get("items")).map_or(Self::Unknown, Self::At)
    }

    /// Whether the definition lists values here at all.
    pub(super) fn lists_values(self) -> bool {
        self.schema().is_some_and(|schema| !listed(schema).is_empty())
    }

    /// Whether the definition lists this value here.
    pub(super) fn lists(self, value: &Value) -> bool {
        self.schema().is_some_and(|schema| listed(schema).contains(&value))
    }

    /// Every list of values below this place, as a validation text writes it, and every declared key.
    pub(super) fn contract(self) -> (Vec<String>, Vec<&'s [u8]>) {
        let (mut lists, mut keys) = (Vec::new(), Vec::new());
        let mut work: Vec<&Value> = self.schema().into_iter().collect();
        while let Some(value) = work.pop() {
            match value {
                Value::Array(items) => work.extend(items),
                Value::Object(object) => {
                    if let Some(values) = value.get("enum").and_then(Value::as_array) {
                        lists.push(values.iter().map(Value::to_json).collect::<Vec<_>>().join("|"));
                    }
                    if let Some(properties) = value.get("properties").and_then(Value::as_object) {
                        keys.extend(properties.entries().iter().map(|(key, _)| key.as_bytes()));
                    }
                    work.extend(object.entries().iter().map(|(_, value)| value));
                }
                _ => {}
            }
        }
        (lists, keys)
    }
}

/// The values of `enum` and `const`, also of alternatives directly below.
fn listed(schema: &Value) -> Vec<&Value> {
    let alternatives = ["anyOf", "oneOf", "allOf"].iter().filter_map(|key| schema.get(key)?.as_array()).flatten();
    let schemas = std::iter::once(schema).chain(alternatives);
    schemas
        .flat_map(|schema| {
            let listed = schema.get("enum").and_then(Value::as_array).unwrap_or_default();
            listed.iter().chain(schema.get("const"))
        })
        .collect()
}
