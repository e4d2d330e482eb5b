//! Schemas that nothing fits.

use super::{In, MAX_DEPTH};
use crate::json::Value;
use crate::review::kinds::Kinds;
use crate::review::semantics::Semantics;
use crate::review::side::{Root, Side};

/// Whether a schema provably takes nothing, as far as that shows without a search.
pub(crate) fn is_unsatisfiable(semantics: Semantics, (root, schema): In<'_>) -> bool {
    unsatisfiable(semantics, root, schema, 0)
}

fn unsatisfiable(semantics: Semantics, root: Root<'_>, schema: &Value, depth: usize) -> bool {
    if depth > MAX_DEPTH || semantics == Semantics::Wave {
        return false;
    }
    let side = Side::new(root, schema, "", true);
    if side.never {
        return true;
    }
    let kinds = Kinds::of(&side);
    let listed = side.array("enum");
    let none_listed = listed.is_some_and(|values| {
        let typed = side.get("type").and_then(Kinds::declared).unwrap_or(Kinds::ANY);
        values.iter().all(|value| !typed.meets(Kinds::of_value(value)))
    });
    let crossed = |low: &str, high: &str, of: Kinds| {
        kinds.is_some_and(|kinds| of.holds(kinds))
            && side.number(low).zip(side.number(high)).is_some_and(|(low, high)| low > high)
    };
    let required = side.array("required").unwrap_or_default();
    let impossible = |key: &Value| {
        let name = key.as_string();
        let property = name.and_then(|name| side.object("properties")?.get(name.as_bytes()));
        property.is_some_and(|property| unsatisfiable(semantics, root, property, depth + 1))
    };
    none_listed
        || crossed("minimum", "maximum", Kinds::NUMBER)
        || crossed("minLength", "maxLength", Kinds::STRING)
        || crossed("minItems", "maxItems", Kinds::ARRAY)
        || (kinds == Some(Kinds::OBJECT) && required.iter().any(impossible))
        || side
            .own("allOf")
            .and_then(Value::as_array)
            .unwrap_or_default()
            .iter()
            .any(|m| unsatisfiable(semantics, root, m, depth + 1))
}
