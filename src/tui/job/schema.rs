//! From a place in arguments to the part of the definition that is about it.

use crate::definition::Definition;
use crate::gate::Profile;
use crate::json::{Kind, View, pointer_steps};

/// The part of a definition that says what may stand at a place in the arguments; for a place that it does not know, the part
/// about what holds it. None for a definition without parameters.
pub(super) fn part_about<'a>(definition: &'a Definition, pointer: &str) -> Option<View<'a>> {
    let mut at = definition.parameters_view()?;
    for step in pointer_steps(pointer)? {
        let Some(inner) = inside(at, &step, 0) else { return Some(at.get("properties").unwrap_or(at)) };
        at = inner;
    }
    Some(at)
}

/// Unions in unions: no real schema is deeper.
const DEEPEST: u8 = 8;

/// The schema of what stands under a key or an index.
fn inside<'a>(schema: View<'a>, step: &str, depth: u8) -> Option<View<'a>> {
    let object = |view: &View<'_>| view.kind() == Kind::Object;
    let property = schema.get("properties").and_then(|properties| properties.get(step)).filter(object);
    let other = || schema.get("additionalProperties").filter(object);
    let element = || schema.get("items").filter(object).filter(|_| step.bytes().all(|b| b.is_ascii_digit()));
    property.or_else(element).or_else(other).or_else(|| {
        let branches = ["anyOf", "oneOf", "allOf"].into_iter().filter_map(|keyword| schema.get(keyword));
        (depth < DEEPEST).then(|| branches.flat_map(View::items).find_map(|branch| inside(branch, step, depth + 1))).flatten()
    })
}

/// The keywords of a definition that restrict values and that a profile does not enforce.
pub(super) fn unenforced(definition: &Definition, profile: Profile) -> Vec<View<'_>> {
    let Some(parameters) = definition.parameters_view() else { return Vec::new() };
    let mut found = Vec::new();
    for row in definition.parameter_rows() {
        let left_out: Vec<_> = row.constraints.iter().filter(|constraint| !profile.enforces(constraint.keyword)).collect();
        for place in std::iter::once(&row.pointer).chain(&row.target) {
            let Some(schema) = parameters.at_pointer(place).filter(|_| !left_out.is_empty()) else { continue };
            found.extend(left_out.iter().filter_map(|constraint| schema.get(constraint.keyword)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_about_a_place() {
        let text = br#"{"type":"function","function":{"name":"t","parameters":{"properties":{
            "list":{"type":"array","items":{"anyOf":[{"type":"null"},{"properties":{"k":{"type":"string","minLength":1}}}]}},
            "map":{"additionalProperties":{"type":"number"}}}}}}"#;
        let definition = Definition::parse(text).unwrap().remove(0);
        let part = |pointer: &str| String::from_utf8_lossy(part_about(&definition, pointer).unwrap().raw()).into_owned();
        assert_eq!(part("/list/3/k"), r#"{"type":"string","minLength":1}"#);
        assert_eq!(part("/map/any~1thing"), r#"{"type":"number"}"#);
        assert!(part("/lists").starts_with('{') && part("/lists").contains("\"map\""));
        assert_eq!(part(""), String::from_utf8_lossy(definition.parameters_view().unwrap().raw()));
        let keywords: Vec<_> =
            unenforced(&definition, Profile::Wave).iter().map(|view| view.key_str().unwrap().into_owned()).collect();
        assert_eq!(keywords, ["anyOf", "minLength"]);
        #[cfg(feature = "jsonschema")]
        assert_eq!(unenforced(&definition, Profile::JsonSchema { formats: false }).len(), 0);
    }
}
