//! Which change a replayed call feels: from what is wrong with the call to what was done to the definition.

use super::change::{Change, Touch};
use super::places::Places;
use super::rules::{RuleId, Turn};
use crate::gate::{Issue, IssueKind};
use crate::json::{Value, pointer_steps};

/// The keyword that an issue is about.
fn keyword(issue: &Issue) -> &'static str {
    match &issue.kind {
        IssueKind::Missing => "required",
        IssueKind::Unexpected => "additionalProperties",
        IssueKind::Type { .. } => "type",
        IssueKind::Value { .. } => "enum",
        IssueKind::Constraint { keyword, .. } => keyword,
    }
}

/// Keywords that only say that something inside them did not fit.
const OUTER: [&str; 8] = ["anyOf", "oneOf", "allOf", "not", "if", "$ref", "constraint", "false"];

/// The changes that an issue comes from: those that can cause just this; else the nearest ones around the place; none if
/// nothing there has changed.
pub(crate) fn causes(changes: &[Change], places: &Places, issue: &Issue) -> Vec<usize> {
    let Some(steps) = pointer_steps(&issue.pointer) else { return Vec::new() };
    let exact: Vec<usize> = (0..changes.len()).filter(|i| touches(&changes[*i], places, issue, &steps)).collect();
    if !exact.is_empty() {
        return exact;
    }
    let mut nearest: Vec<usize> = Vec::new();
    // From the place itself outwards.
    for len in (0..=steps.len()).rev() {
        let here = |change: &Change| change.rule.rule().turn != Turn::Text && places.reaches(change.place, &steps[..len]);
        nearest.extend((0..changes.len()).filter(|i| here(&changes[*i])));
        if !nearest.is_empty() {
            break;
        }
    }
    nearest
}

/// Whether a change can cause just this issue.
fn touches(change: &Change, places: &Places, issue: &Issue, steps: &[String]) -> bool {
    let at = |steps: &[String]| places.reaches(change.place, steps);
    // Of an issue about a key, the object that has or lacks it, and the key.
    let (object, key) = match steps.split_last() {
        Some((key, object)) => (object, key.as_str()),
        None => (steps, ""),
    };
    let missing = matches!(issue.kind, IssueKind::Missing);
    let unexpected = matches!(issue.kind, IssueKind::Unexpected);
    let keyword = keyword(issue);
    let outer = OUTER.contains(&keyword);
    match &change.touch {
        Touch::Text => false,
        Touch::Tool => true,
        Touch::Value(keywords) => {
            let of_value = !missing && !unexpected;
            (of_value && at(steps) && (keywords.contains(&keyword) || outer))
                || (outer && change.rule.rule().turn != Turn::Text && places.is_below(change.place, steps))
        }
        Touch::Missing(name) => (missing && key == name && at(object)) || (outer && places.is_below(change.place, steps)),
        Touch::Key(name) => (unexpected && key == name && at(object)) || (outer && places.is_below(change.place, steps)),
        Touch::AnyKey => {
            (unexpected && at(object))
                || (!missing && !steps.is_empty() && at(object) && !unexpected && change.rule != RuleId::ObjectClosed)
                || (keyword == "propertyNames" && at(steps))
                || (outer && places.is_below(change.place, steps))
        }
        Touch::Renamed(old, new) => {
            (unexpected && key == old && at(object))
                || (missing && key == new && at(object))
                || (outer && places.is_below(change.place, steps))
        }
        // Everything at and below a key, or where there is none at and below the place itself.
        Touch::Within(name) if name.is_empty() => (0..=steps.len()).any(|len| at(&steps[..len])),
        Touch::Within(name) => {
            (0..steps.len()).any(|len| steps[len] == *name && at(&steps[..len]))
                || (outer && places.is_below(change.place, steps))
        }
    }
}

/// Whether a change is why a key of a call is ignored now, by the key's path as people write it.
pub(crate) fn ignores(change: &Change, places: &Places, path: &str) -> bool {
    let steps = human_steps(path);
    let Some((key, object)) = steps.split_last() else { return false };
    match &change.touch {
        Touch::Key(name) | Touch::Renamed(name, _) => key == name && places.reaches(change.place, object),
        Touch::AnyKey => places.reaches(change.place, object),
        _ => false,
    }
}

/// The steps of a path as people write it. A key with a point or a bracket in it is read as several, and then found nowhere.
fn human_steps(path: &str) -> Vec<String> {
    path.split(['.', '[']).map(|step| step.strip_suffix(']').unwrap_or(step).to_owned()).collect()
}

/// Whether a call has something at the place of a change.
pub(crate) fn exercises(change: &Change, places: &Places, arguments: &Value) -> bool {
    let values = places.values(change.place, arguments);
    let has = |name: &str| values.iter().any(|value| value.get(name).is_some());
    let objects = || values.iter().any(|value| value.as_object().is_some());
    let adds_required = matches!(change.rule, RuleId::ParamAddedRequired | RuleId::ParamAddedRequiredDefault);
    match &change.touch {
        Touch::Tool => true,
        Touch::Text | Touch::Value(_) => !values.is_empty(),
        Touch::Missing(_) | Touch::AnyKey => objects(),
        Touch::Key(name) | Touch::Renamed(name, _) => has(name),
        Touch::Within(name) if name.is_empty() => !values.is_empty(),
        Touch::Within(name) => has(name) || (adds_required && objects()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_as_people_write_them() {
        assert_eq!(human_steps("a.b[0][1].c"), ["a", "b", "0", "1", "c"]);
        assert_eq!(human_steps("[2].x"), ["", "2", "x"]);
        assert_eq!(human_steps("x"), ["x"]);
    }
}
