//! The crate's errors as our issues: their kinds, their words, and our order.
//!
//! The crate reports in an order of its own (a rank of keywords, children as the instance has them), which is no contract.
//! Ours is that of rule G18, carried on: by kind (missing, unexpected, type, value, constraint); within a kind in the order
//! of the walk through the arguments, depth first, what is missing in an object before what is in it; on one value by
//! keyword, in alphabetical order.

use crate::gate::{Branch, Issue, IssueKind};
use crate::json::{JsString, Object, Step, Value, human_path, pointer, pointer_steps};
use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use std::borrow::Cow;
use std::collections::HashMap;

/// The issues of a value that the crate found these errors in.
pub(super) fn issues(schema: &Value, value: &Value, errors: &[ValidationError<'_>]) -> Vec<Issue> {
    Finder { schema, root: value, keys: HashMap::new() }.issues(errors)
}

/// Finds in the arguments what errors are about.
struct Finder<'a> {
    schema: &'a Value,
    root: &'a Value,
    /// The keys of large objects by their text, so that many errors in one do not each go through all its keys.
    keys: HashMap<*const Object, HashMap<Cow<'a, str>, usize>>,
}

impl<'a> Finder<'a> {
    fn issues(&mut self, errors: &[ValidationError<'_>]) -> Vec<Issue> {
        let mut found = Vec::new();
        for error in errors {
            self.push(&mut found, error);
        }
        found.sort_by(|(a, x), (b, y)| {
            x.kind.rank().cmp(&y.kind.rank()).then_with(|| a.cmp(b)).then_with(|| x.kind.keyword().cmp(&y.kind.keyword()))
        });
        found.dedup_by(|(_, a), (_, b)| a == b);
        found.into_iter().map(|(_, issue)| issue).collect()
    }

    /// The place of a key in an object.
    fn key_at(&mut self, object: &'a Object, key: &str) -> Option<usize> {
        const FEW: usize = 32;
        let text = |(key, _): &'a (JsString, Value)| key.to_well_formed();
        if object.len() <= FEW {
            return object.entries().iter().position(|entry| text(entry) == key);
        }
        let all = || object.entries().iter().enumerate().map(|(at, entry)| (text(entry), at)).collect();
        self.keys.entry(std::ptr::from_ref(object)).or_insert_with(all).get(key).copied()
    }

    fn find(&mut self, pointer: &str) -> Located<'a> {
        let mut found = Located { steps: Vec::new(), value: Some(self.root), order: Vec::new() };
        for step in pointer_steps(pointer).unwrap_or_default() {
            let next = match found.value {
                Some(Value::Object(object)) => self.key_at(object, &step).map(|at| {
                    let (key, value) = &object.entries()[at];
                    (at, Step::Key(key.as_bytes()), value)
                }),
                Some(Value::Array(items)) => step.parse().ok().and_then(|at: usize| Some((at, Step::Index(at), items.get(at)?))),
                _ => None,
            };
            let Some((at, step, value)) = next else { break };
            found.steps.push(step);
            found.order.push(at + 1);
            found.value = Some(value);
        }
        found
    }

    /// An issue about a key of an object, there or not.
    fn issue_of_key(&mut self, place: &Located<'a>, kind: IssueKind, key: &str) -> (Vec<usize>, Issue) {
        let object = place.value.and_then(Value::as_object);
        let at = object.and_then(|object| self.key_at(object, key));
        let real = at.zip(object).map_or(key.as_bytes(), |(at, object)| object.entries()[at].0.as_bytes());
        let mut order = place.order.clone();
        order.push(at.map_or(0, |at| at + 1));
        let steps = || place.steps.iter().copied().chain(std::iter::once(Step::Key(real)));
        (order, Issue { kind, path: human_path(steps()), pointer: pointer(steps()) })
    }

    fn push(&mut self, found: &mut Vec<(Vec<usize>, Issue)>, error: &ValidationError<'_>) {
        let place = self.find(error.instance_path().as_str());
        match error.kind() {
            Kind::Required { property } => {
                found.push(self.issue_of_key(&place, IssueKind::Missing, property.as_str().unwrap_or_default()));
            }
            Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
                found.extend(unexpected.iter().map(|key| self.issue_of_key(&place, IssueKind::Unexpected, key)));
            }
            // `"name": false` is how a schema says that there is no such parameter.
            Kind::FalseSchema if matches!(place.steps.last(), Some(Step::Key(_))) => {
                found.push(place.issue(IssueKind::Unexpected));
            }
            Kind::Type { kind } => {
                let expected = declared_types(self.schema, error.schema_path().as_str()).unwrap_or_else(|| type_names(kind));
                let provided = place.value.map_or("null", Value::type_name);
                found.push(place.issue(IssueKind::Type { expected, provided }));
            }
            Kind::Enum { options } => {
                let listed = self.schema.at_pointer(error.schema_path().as_str()).and_then(Value::as_array);
                let expected = match listed {
                    Some(values) => values.iter().map(Value::to_json).collect::<Vec<_>>().join("|"),
                    None => options.to_string(),
                };
                found.push(place.issue(IssueKind::Value { expected, provided: place.json() }));
            }
            other => {
                let (keyword, expected, provided) = constraint(other, &place);
                let branch = self.closest(&place, other).map(Box::new);
                found.push(place.issue(IssueKind::Constraint { keyword, expected, provided, branch }));
            }
        }
    }

    /// Of a union that nothing matched, the branch that came closest: the one that says least against the value itself, then
    /// against the keys that tell branches apart (`const`, `enum`), then least in all; of several the first.
    fn closest(&mut self, place: &Located<'a>, kind: &Kind) -> Option<Branch> {
        let (Kind::AnyOf { context } | Kind::OneOfNotValid { context }) = kind else { return None };
        let here = place.steps.len();
        let depth = |e: &ValidationError<'_>| e.instance_path().as_str().matches('/').count();
        let score = |errors: &[ValidationError<'_>]| {
            let of_value =
                |e: &&ValidationError<'_>| depth(e) <= here && matches!(e.kind(), Kind::Type { .. } | Kind::FalseSchema);
            let of_tag =
                |e: &&ValidationError<'_>| depth(e) == here + 1 && matches!(e.kind(), Kind::Constant { .. } | Kind::Enum { .. });
            (errors.iter().filter(of_value).count(), errors.iter().filter(of_tag).count(), errors.len())
        };
        let (index, errors) = context.iter().enumerate().min_by_key(|(_, errors)| score(errors))?;
        Some(Branch { index, issues: self.issues(errors) })
    }
}

/// A place in the arguments.
struct Located<'a> {
    steps: Vec<Step<'a>>,
    value: Option<&'a Value>,
    /// The place of each step among its siblings, from 1: sorts as the walk goes.
    order: Vec<usize>,
}

impl Located<'_> {
    fn issue(&self, kind: IssueKind) -> (Vec<usize>, Issue) {
        let steps = || self.steps.iter().copied();
        (self.order.clone(), Issue { kind, path: human_path(steps()), pointer: pointer(steps()) })
    }

    fn json(&self) -> String {
        self.value.map(Value::to_json).unwrap_or_default()
    }
}

/// The names under `type` as they are listed, joined as rule G20 says; none where the schema is not at hand.
fn declared_types(schema: &Value, pointer: &str) -> Option<String> {
    match schema.at_pointer(pointer)? {
        Value::String(name) => Some(name.to_string()),
        Value::Array(names) => {
            Some(names.iter().filter_map(Value::as_string).map(ToString::to_string).collect::<Vec<_>>().join(" | "))
        }
        _ => None,
    }
}

fn type_names(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(name) => name.to_string(),
        TypeKind::Multiple(names) => names.iter().map(|name| name.to_string()).collect::<Vec<_>>().join(" | "),
    }
}

/// The keyword, what it wants and what came, in words.
fn constraint(kind: &Kind, place: &Located<'_>) -> (&'static str, String, String) {
    let characters =
        || count(place.value.and_then(Value::as_string).map_or(0, |s| s.to_well_formed().chars().count()), "character");
    let items = || count(place.value.and_then(Value::as_array).map_or(0, <[Value]>::len), "item");
    let keys = || count(place.value.and_then(Value::as_object).map_or(0, crate::json::Object::len), "key");
    let least = |n: u64, what: &str| format!("at least {}", count(n, what));
    let most = |n: u64, what: &str| format!("at most {}", count(n, what));
    match kind {
        Kind::Minimum { limit } => ("minimum", format!("at least {limit}"), place.json()),
        Kind::Maximum { limit } => ("maximum", format!("at most {limit}"), place.json()),
        Kind::ExclusiveMinimum { limit } => ("exclusiveMinimum", format!("more than {limit}"), place.json()),
        Kind::ExclusiveMaximum { limit } => ("exclusiveMaximum", format!("less than {limit}"), place.json()),
        Kind::MultipleOf { multiple_of } => {
            ("multipleOf", format!("a multiple of {}", Value::Number(*multiple_of).to_json()), place.json())
        }
        Kind::MinLength { limit } => ("minLength", least(*limit, "character"), characters()),
        Kind::MaxLength { limit } => ("maxLength", most(*limit, "character"), characters()),
        Kind::MinItems { limit } => ("minItems", least(*limit, "item"), items()),
        Kind::MaxItems { limit } => ("maxItems", most(*limit, "item"), items()),
        Kind::MinProperties { limit } => ("minProperties", least(*limit, "key"), keys()),
        Kind::MaxProperties { limit } => ("maxProperties", most(*limit, "key"), keys()),
        Kind::Pattern { pattern } => ("pattern", format!("text that matches the pattern {pattern}"), place.json()),
        Kind::Format { format } => ("format", format!("text in the format {format}"), place.json()),
        Kind::Constant { expected_value } => ("const", expected_value.to_string(), place.json()),
        Kind::UniqueItems => ("uniqueItems", "items that are all different".to_owned(), place.json()),
        Kind::Contains => ("contains", "an item of the form that the list must contain".to_owned(), items()),
        Kind::AdditionalItems { limit } => ("additionalItems", most(*limit as u64, "item"), items()),
        Kind::UnevaluatedItems { .. } => ("unevaluatedItems", "no further items".to_owned(), items()),
        Kind::AnyOf { context } => ("anyOf", format!("one of {}", count(context.len(), "form")), "none of them".to_owned()),
        Kind::OneOfNotValid { context } => {
            ("oneOf", format!("exactly one of {}", count(context.len(), "form")), "none of them".to_owned())
        }
        Kind::OneOfMultipleValid { context } => {
            let matching = context.iter().filter(|errors| errors.is_empty()).count();
            ("oneOf", format!("exactly one of {}", count(context.len(), "form")), format!("{matching} of them"))
        }
        Kind::Not { .. } => ("not", "anything but the form that is ruled out".to_owned(), place.json()),
        Kind::PropertyNames { error } => {
            let name = error.instance().to_string();
            let (_, expected, _) = constraint(error.kind(), &Located { steps: Vec::new(), value: None, order: Vec::new() });
            ("propertyNames", format!("keys that are {expected}"), name)
        }
        Kind::FalseSchema => ("false", "nothing here".to_owned(), place.json()),
        other => ("constraint", format!("what `{}` asks for", other.keyword()), place.json()),
    }
}

fn count(n: impl TryInto<u64>, what: &str) -> String {
    let n = n.try_into().unwrap_or(u64::MAX);
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
