//! What a profile enforces: the same change to a schema rejects calls under one and none under the other.

use super::side::Side;
use crate::gate::Profile;
use crate::json::Value;

/// The rules by which calls are judged, as far as a comparison has to know them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Semantics {
    /// The wave gate (rules G9 to G16): a few keywords, and an undeclared key is unexpected unless the object is opened.
    Wave,
    /// A full JSON Schema validator: every keyword, and an object is open unless it is closed.
    JsonSchema {
        /// Whether `format` is asserted.
        formats: bool,
    },
}

/// What becomes of a key that an object's schema does not declare.
#[derive(Clone, Debug)]
pub(crate) enum Extra<'a> {
    /// It is accepted and nobody looks at it.
    Open,
    /// It is rejected.
    Closed,
    /// Its value has to fit a schema.
    Checked(&'a Value),
}

/// Keywords that only tell people and models something.
const ANNOTATIONS: [&str; 12] = [
    "title",
    "description",
    "default",
    "examples",
    "example",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
    "$schema",
    "$id",
    "id",
];

impl Semantics {
    /// The rules of a profile.
    pub fn of(profile: Profile) -> Self {
        match profile {
            Profile::Wave => Self::Wave,
            Profile::JsonSchema { formats } => Self::JsonSchema { formats },
        }
    }

    /// Where and why a definition cannot be judged by. The wave gate takes every definition.
    pub fn refusal(self, parameters: Option<&Value>) -> Option<(String, String)> {
        match self {
            Self::Wave => None,
            Self::JsonSchema { formats } => {
                let validator = crate::gate::profile::SchemaValidator::compile(parameters, formats);
                let refusal = validator.refusal()?;
                let found = Some(refusal.pointer.clone()).filter(|pointer| !pointer.is_empty());
                let pointer = found.or_else(|| super::side::dangling(parameters?)).unwrap_or_default();
                Some((pointer, refusal.reason.clone()))
            }
        }
    }

    /// Whether a keyword can reject a call, at a place that is enforced at all.
    pub fn enforces(self, keyword: &str) -> bool {
        match self {
            Self::Wave => {
                matches!(keyword, "type" | "required" | "enum" | "properties" | "additionalProperties" | "items" | "nullable")
            }
            Self::JsonSchema { formats } => match keyword {
                "format" => formats,
                "nullable" => false,
                _ => !Self::is_annotation(keyword),
            },
        }
    }

    /// Whether a keyword says nothing about which values are right.
    pub fn is_annotation(keyword: &str) -> bool {
        ANNOTATIONS.contains(&keyword) || keyword.starts_with("x-")
    }

    /// Whether schemas inside this keyword's value are enforced.
    pub fn descends(self, keyword: &str) -> bool {
        match self {
            Self::Wave => matches!(keyword, "properties" | "additionalProperties" | "items"),
            Self::JsonSchema { .. } => true,
        }
    }

    /// What becomes of undeclared keys of an object (rule G15, and JSON Schema's own content model).
    pub fn extra<'a>(self, side: &Side<'a>) -> Extra<'a> {
        let extra = side.get("additionalProperties");
        match self {
            Self::Wave => {
                if side.get("patternProperties").is_some() || side.is_opaque() {
                    return Extra::Open;
                }
                match extra {
                    Some(Value::Bool(false)) => Extra::Closed,
                    Some(schema @ Value::Object(object)) if !object.is_empty() => Extra::Checked(schema),
                    Some(Value::Bool(true) | Value::Object(_)) => Extra::Open,
                    _ if side.object("properties").is_some() && !Self::declares_elsewhere(side) => Extra::Closed,
                    _ => Extra::Open,
                }
            }
            Self::JsonSchema { .. } => match extra {
                Some(Value::Bool(false)) => Extra::Closed,
                Some(schema @ Value::Object(object)) if !object.is_empty() => Extra::Checked(schema),
                None if matches!(side.get("unevaluatedProperties"), Some(Value::Bool(false))) => Extra::Closed,
                _ => Extra::Open,
            },
        }
    }

    /// Keywords beside which an undeclared key may be declared elsewhere (rule G15).
    fn declares_elsewhere(side: &Side<'_>) -> bool {
        const ELSEWHERE: [&str; 10] =
            ["anyOf", "oneOf", "allOf", "if", "then", "else", "dependentSchemas", "dependencies", "$dynamicRef", "$recursiveRef"];
        ELSEWHERE.iter().any(|keyword| side.own(keyword).is_some())
            || side.own("unevaluatedProperties").is_some_and(|v| !matches!(v, Value::Bool(false)))
    }
}
