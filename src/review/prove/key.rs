//! Which keys a pattern of keys is about.

use crate::json::Value;

/// Whether a pattern matches a key.
pub(crate) fn matches(pattern: &str, key: &str) -> bool {
    match pattern {
        "" | "^" | ".*" | "^.*" | "^.*$" | "^(.*)$" => true,
        _ => by_validator(pattern, key),
    }
}

/// Asks the validator, which has the engine.
fn by_validator(pattern: &str, key: &str) -> bool {
    use crate::gate::profile::{Judgement, SchemaValidator};
    let one = |name: &str, value: Value| -> Value {
        Value::Object(std::iter::once((crate::json::JsString::from(name), value)).collect())
    };
    let schema = one("patternProperties", one(pattern, Value::Bool(false)));
    let validator = SchemaValidator::compile(Some(&schema), false);
    matches!(validator.judge(&one(key, Value::Null)), Judgement::Rejected(_))
}
