//! Sets of JSON types, with integers inside numbers.

use super::side::Side;
use crate::json::{JsString, Value};

/// A set of types. A number is an integer or a fraction, so that `integer` lies within `number`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kinds(u8);

impl Kinds {
    pub const NONE: Self = Self(0);
    pub const ANY: Self = Self(0x7F);
    pub const STRING: Self = Self(1);
    pub const INTEGER: Self = Self(2);
    pub const NUMBER: Self = Self(2 | 4);
    pub const BOOLEAN: Self = Self(8);
    pub const OBJECT: Self = Self(16);
    pub const ARRAY: Self = Self(32);
    pub const NULL: Self = Self(64);

    fn named(name: &JsString) -> Option<Self> {
        Some(match name.as_str()? {
            "string" => Self::STRING,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "boolean" => Self::BOOLEAN,
            "object" => Self::OBJECT,
            "array" => Self::ARRAY,
            "null" => Self::NULL,
            _ => return None,
        })
    }

    /// The type of a value.
    pub fn of_value(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(n) if n.is_finite() && n.fract() == 0.0 => Self::INTEGER,
            Value::Number(_) => Self::NUMBER,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    /// The types that a `type` keyword names; `None` where it cannot be read (rule G10).
    pub fn declared(value: &Value) -> Option<Self> {
        let list = value.as_array().unwrap_or(std::slice::from_ref(value));
        let kinds = list.iter().map(|name| Self::named(name.as_string()?)).collect::<Option<Vec<_>>>()?;
        (!kinds.is_empty()).then(|| kinds.into_iter().fold(Self::NONE, Self::or))
    }

    /// The types that a schema allows: as declared, else as its listed values or the branches of its union have them.
    /// `None` where it says nothing of types.
    pub fn of(side: &Side<'_>) -> Option<Self> {
        if side.never {
            return Some(Self::NONE);
        }
        let null = if side.null().is_some() { Self::NULL } else { Self::NONE };
        if let Some(declared) = side.get("type").and_then(Self::declared) {
            return Some(declared.or(null));
        }
        if let Some(values) = side.array("enum").filter(|values| !values.is_empty()) {
            return Some(values.iter().map(Self::of_value).fold(null, Self::or));
        }
        if let Some(value) = side.get("const") {
            return Some(Self::of_value(value).or(null));
        }
        let branches = side.union("anyOf").or_else(|| side.union("oneOf"))?;
        let kinds = branches.iter().map(|(branch, _)| Self::of_branch(branch)).collect::<Option<Vec<_>>>()?;
        Some(kinds.into_iter().fold(null, Self::or))
    }

    /// The types of a branch, by what stands in it alone.
    pub fn of_branch(branch: &Value) -> Option<Self> {
        if let Some(declared) = branch.get("type") {
            return Self::declared(declared);
        }
        if let Some(values) = branch.get("enum").and_then(Value::as_array).filter(|values| !values.is_empty()) {
            return Some(values.iter().map(Self::of_value).fold(Self::NONE, Self::or));
        }
        branch.get("const").map(Self::of_value)
    }

    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Whether every type of the other is one of these.
    pub fn holds(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The types in words: `string | number`.
    pub fn words(self) -> String {
        const NAMES: [(Kinds, &str); 7] = [
            (Kinds::STRING, "string"),
            (Kinds::NUMBER, "number"),
            (Kinds::INTEGER, "integer"),
            (Kinds::BOOLEAN, "boolean"),
            (Kinds::OBJECT, "object"),
            (Kinds::ARRAY, "array"),
            (Kinds::NULL, "null"),
        ];
        if self == Self::ANY {
            return "anything".to_owned();
        }
        let mut rest = self;
        let mut names = Vec::new();
        for (kinds, name) in NAMES {
            if rest.holds(kinds) && rest.meets(kinds) {
                names.push(name);
                rest = rest.without(kinds);
            }
        }
        if names.is_empty() { "nothing".to_owned() } else { names.join(" | ") }
    }
}

#[cfg(test)]
mod tests {
    use super::super::side::Root;
    use super::*;

    #[test]
    fn types_of_schemas() {
        for (schema, words) in [
            (r#"{"type": "integer"}"#, Some("integer")),
            (r#"{"type": ["null", "number"]}"#, Some("number | null")),
            (r#"{"type": "string", "nullable": true}"#, Some("string | null")),
            (r#"{"enum": [1, "a"]}"#, Some("string | integer")),
            (r#"{"const": 1.5}"#, Some("number")),
            (r#"{"anyOf": [{"type": "string"}, {"type": "null"}]}"#, Some("string | null")),
            (r#"{"oneOf": [{"type": "string"}, {"enum": [true]}]}"#, Some("string | boolean")),
            (r#"{"oneOf": [{"type": "string"}, {"required": ["a"]}]}"#, None),
            (r#"{"type": "strnig"}"#, None),
            ("false", Some("nothing")),
            ("true", None),
        ] {
            let value = Value::parse(schema.as_bytes()).unwrap();
            let kinds = Kinds::of(&Side::new(Root(&value), &value, "", true));
            assert_eq!(kinds.map(Kinds::words).as_deref(), words, "{schema}");
        }
        assert!(Kinds::NUMBER.holds(Kinds::INTEGER) && !Kinds::INTEGER.holds(Kinds::NUMBER));
    }
}
