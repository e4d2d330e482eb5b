//! The shape of a review's JSON, as a JSON Schema.

/// The JSON Schema (2020-12) of what [`json`](super::json()) writes.
#[must_use]
pub fn json_schema() -> &'static str {
    include_str!("schema.json")
}
