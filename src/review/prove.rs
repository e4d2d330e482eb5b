//! What can be proved about two schemas without trying values: that one takes everything the other takes.
//!
//! Only ever `true` for what holds; `false` means that it was not proved. The parts that are decided are those that tool
//! definitions are made of; any other keyword has to be the same on both sides.

use super::alike;
use super::kinds::Kinds;
use super::semantics::{Extra, Semantics};
use super::side::{Root, Side};
use crate::json::{Object, Value};

/// A schema in the schema that it is part of.
pub(crate) type In<'a> = (Root<'a>, &'a Value);

/// How deep schemas are compared for a proof.
const MAX_DEPTH: usize = 24;
/// How many pairs of schemas one proof may look at.
const MAX_STEPS: u32 = 5_000;

/// Keywords that are decided; what else is enforced has to be the same.
const DECIDED: [&str; 27] = [
    "type",
    "nullable",
    "enum",
    "const",
    "required",
    "properties",
    "additionalProperties",
    "items",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "uniqueItems",
    "anyOf",
    "oneOf",
    "allOf",
    "$ref",
    "$defs",
    "definitions",
    "defs",
];

/// Whether everything that the second schema takes is taken by the first.
pub(crate) fn covers<'a>(semantics: Semantics, wide: In<'a>, narrow: In<'a>) -> bool {
    Proof { semantics, declared_only: false, steps: 0 }.covers(wide, narrow, 0)
}

/// The same for calls that send nothing but what the second schema declares: what a model that read it would send.
pub(crate) fn covers_declared<'a>(semantics: Semantics, wide: In<'a>, narrow: In<'a>) -> bool {
    Proof { semantics, declared_only: true, steps: 0 }.covers(wide, narrow, 0)
}

struct Proof {
    semantics: Semantics,
    declared_only: bool,
    steps: u32,
}

impl Proof {
    fn covers<'a>(&mut self, (wide_root, wide): In<'a>, (narrow_root, narrow): In<'a>, depth: usize) -> bool {
        self.steps += 1;
        if self.steps > MAX_STEPS || depth > MAX_DEPTH {
            return false;
        }
        if self.takes_anything(wide) || matches!(narrow, Value::Bool(false)) {
            return true;
        }
        // Where everything fits, and there is something that the other side does not take.
        if self.takes_anything(narrow) {
            return false;
        }
        if !has_reference(wide) && alike::bare(wide) == alike::bare(narrow) {
            return true;
        }
        let through = self.semantics != Semantics::Wave;
        let a = Side::new(wide_root, wide, "", through);
        let b = Side::new(narrow_root, narrow, "", through);
        if a.never {
            return false;
        }
        // A union on the narrow side is as many schemas: each is enough of a proof for itself.
        for keyword in ["anyOf", "oneOf"] {
            if let Some(branches) = b.own(keyword).and_then(Value::as_array).filter(|_| through && b.own("properties").is_none())
                && !branches.is_empty()
                && branches.iter().all(|branch| self.covers((wide_root, wide), (narrow_root, branch), depth + 1))
            {
                return true;
            }
        }
        self.types(&a, &b)
            && self.values(&a, &b)
            && self.sizes(&a, &b)
            && self.object((wide_root, &a), (narrow_root, &b), depth)
            && self.items((wide_root, &a), (narrow_root, &b), depth)
            && self.unions((wide_root, &a), (narrow_root, narrow, &b), depth)
            && self.rest(&a, &b)
    }

    /// Whether a schema says nothing that this profile enforces.
    fn takes_anything(&self, schema: &Value) -> bool {
        match schema {
            Value::Bool(anything) => *anything,
            Value::Object(object) => {
                (self.semantics == Semantics::Wave && object.get(b"$ref").is_some())
                    || object.entries().iter().all(|(keyword, _)| !self.semantics.enforces(&keyword.to_well_formed()))
            }
            _ => self.semantics == Semantics::Wave,
        }
    }

    fn kinds(&self, side: &Side<'_>) -> Kinds {
        let kinds = Kinds::of(side).unwrap_or(Kinds::ANY);
        let by_keyword = side.get("nullable").is_some_and(Value::is_true) && self.semantics != Semantics::Wave;
        let declared = side.get("type").and_then(Kinds::declared).is_some_and(|kinds| kinds.meets(Kinds::NULL));
        if by_keyword && !declared { kinds.without(Kinds::NULL) } else { kinds }
    }

    fn types(&self, a: &Side<'_>, b: &Side<'_>) -> bool {
        // What the wide side says by its union is proved there.
        let said = a.get("type").is_some();
        !said || self.kinds(a).holds(self.kinds(b))
    }

    fn values(&self, a: &Side<'_>, b: &Side<'_>) -> bool {
        let listed = |side: &Side<'_>| -> Option<Vec<Value>> {
            match side.get("const").filter(|_| self.semantics.enforces("const")) {
                Some(value) => Some(vec![value.clone()]),
                None => side.array("enum").filter(|v| !v.is_empty()).map(<[Value]>::to_vec),
            }
        };
        let nullable = |side: &Side<'_>| self.semantics == Semantics::Wave && side.get("nullable").is_some_and(Value::is_true);
        match (listed(a), listed(b)) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(wide), Some(narrow)) => {
                narrow.iter().all(|value| wide.contains(value)) && (!nullable(b) || nullable(a) || wide.contains(&Value::Null))
            }
        }
    }

    fn sizes(&self, a: &Side<'_>, b: &Side<'_>) -> bool {
        let kinds = self.kinds(b);
        let at_most = |keyword: &str, other: Option<&str>| {
            let Some(limit) = a.number(keyword).filter(|_| self.semantics.enforces(keyword)) else { return true };
            let inside = |bound: f64| bound <= limit;
            b.number(keyword).is_some_and(inside) || other.and_then(|k| b.number(k)).is_some_and(inside)
        };
        let at_least = |keyword: &str, other: Option<&str>| {
            let Some(limit) = a.number(keyword).filter(|_| self.semantics.enforces(keyword)) else { return true };
            let inside = |bound: f64| bound >= limit;
            limit <= 0.0 && keyword.starts_with("min") && keyword != "minimum"
                || b.number(keyword).is_some_and(inside)
                || other.and_then(|k| b.number(k)).is_some_and(inside)
        };
        // An integer above 0 is at least 1.
        let integers = kinds.and(Kinds::NUMBER) == Kinds::INTEGER;
        let beyond = |keyword: &str, plain: &str, step: f64, upper: bool| {
            let Some(limit) = a.number(keyword).filter(|_| self.semantics.enforces(keyword)) else {
                return !matches!(a.get(keyword), Some(Value::Bool(true))) || a.get(keyword) == b.get(keyword);
            };
            let past = |bound: f64, by: f64| if upper { bound + by <= limit } else { bound - by >= limit };
            b.number(keyword).is_some_and(|bound| past(bound, 0.0))
                || b.number(plain).is_some_and(|bound| {
                    if integers {
                        past(bound, step)
                    } else if upper {
                        bound < limit
                    } else {
                        bound > limit
                    }
                })
        };
        let numbers = !kinds.meets(Kinds::NUMBER)
            || at_most("maximum", Some("exclusiveMaximum"))
                && at_least_number(a, b, integers, self.semantics)
                && beyond("exclusiveMaximum", "maximum", 1.0, true)
                && beyond("exclusiveMinimum", "minimum", 1.0, false)
                && self.multiple(a, b);
        numbers
            && (!kinds.meets(Kinds::STRING) || at_most("maxLength", None) && at_least("minLength", None))
            && (!kinds.meets(Kinds::ARRAY) || at_most("maxItems", None) && at_least("minItems", None) && self.unique(a, b))
            && (!kinds.meets(Kinds::OBJECT) || at_most("maxProperties", None) && at_least("minProperties", None))
    }

    fn multiple(&self, a: &Side<'_>, b: &Side<'_>) -> bool {
        let Some(of) = a.number("multipleOf").filter(|_| self.semantics.enforces("multipleOf")) else { return true };
        let whole = |n: f64| n.fract() == 0.0 && n.abs() < 1e9;
        b.number("multipleOf").is_some_and(|n| n.total_cmp(&of).is_eq() || (whole(n) && whole(of) && of > 0.0 && (n % of) == 0.0))
            || (of.total_cmp(&1.0).is_eq() && self.kinds(b).and(Kinds::NUMBER) == Kinds::INTEGER)
    }

    fn unique(&self, a: &Side<'_>, b: &Side<'_>) -> bool {
        let unique = |side: &Side<'_>| side.get("uniqueItems").is_some_and(Value::is_true);
        !self.semantics.enforces("uniqueItems") || !unique(a) || unique(b)
    }

    fn object<'a>(
        &mut self,
        (wide_root, a): (Root<'a>, &Side<'a>),
        (narrow_root, b): (Root<'a>, &Side<'a>),
        depth: usize,
    ) -> bool {
        if !self.kinds(b).meets(Kinds::OBJECT) {
            return true;
        }
        if ["properties", "required", "additionalProperties"].iter().all(|keyword| a.get(keyword).is_none()) {
            return true;
        }
        let names = |side: &Side<'a>| -> Vec<String> {
            let list = side.array("required").unwrap_or_default();
            list.iter().filter_map(|name| Some(name.as_string()?.to_string())).collect()
        };
        let (wide_required, required) = (names(a), names(b));
        if !wide_required.iter().all(|name| required.contains(name)) {
            return false;
        }
        let wide = a.object("properties").map(Object::entries).unwrap_or_default();
        let narrow = b.object("properties").map(Object::entries).unwrap_or_default();
        // The wave gate accepts what `required` alone names (rule G14).
        let by_required = self.semantics == Semantics::Wave;
        let patterned = b.get("patternProperties").is_some() || a.get("patternProperties").is_some();
        let mut extra = self.semantics.extra(b);
        let is_said = b.get("additionalProperties").is_some() || narrow.is_empty();
        if self.declared_only && !is_said {
            extra = Extra::Closed;
        }
        for (key, schema) in wide {
            let fits = match narrow.iter().find(|(k, _)| k == key) {
                Some((_, old)) => self.covers((wide_root, schema), (narrow_root, old), depth + 1),
                None if patterned => self.takes_anything(schema),
                None => match &extra {
                    Extra::Closed => !by_required || !required.contains(&key.to_string()) || self.takes_anything(schema),
                    Extra::Open => self.takes_anything(schema),
                    Extra::Checked(old) => self.covers((wide_root, schema), (narrow_root, *old), depth + 1),
                },
            };
            if !fits {
                return false;
            }
        }
        let beyond = self.semantics.extra(a);
        let declares =
            |key: &str| wide.iter().any(|(k, _)| *k == key) || (by_required && wide_required.iter().any(|name| name == key));
        let undeclared = narrow.iter().filter(|(key, _)| !declares(&key.to_well_formed()));
        for (_, schema) in undeclared {
            let fits = match &beyond {
                Extra::Open => true,
                Extra::Closed => matches!(schema, Value::Bool(false)),
                Extra::Checked(wide) => self.covers((wide_root, *wide), (narrow_root, schema), depth + 1),
            };
            if !fits {
                return false;
            }
        }
        let only_required = required.iter().any(|name| !declares(name) && !narrow.iter().any(|(key, _)| *key == name.as_str()));
        match (&beyond, &extra) {
            (Extra::Open, _) => true,
            (Extra::Closed | Extra::Checked(_), Extra::Closed) => !only_required && !patterned,
            (Extra::Checked(wide), Extra::Checked(narrow)) => {
                !patterned && self.covers((wide_root, *wide), (narrow_root, *narrow), depth + 1)
            }
            _ => false,
        }
    }

    fn items<'a>(
        &mut self,
        (wide_root, a): (Root<'a>, &Side<'a>),
        (narrow_root, b): (Root<'a>, &Side<'a>),
        depth: usize,
    ) -> bool {
        if !self.kinds(b).meets(Kinds::ARRAY) {
            return true;
        }
        match (a.get("items"), b.get("items")) {
            (None, _) => true,
            (Some(wide), _) if self.takes_anything(wide) => true,
            (Some(wide), Some(narrow)) if wide.as_array().is_none() && narrow.as_array().is_none() => {
                self.covers((wide_root, wide), (narrow_root, narrow), depth + 1)
            }
            (Some(wide), narrow) => Some(wide) == narrow,
        }
    }

    fn unions<'a>(
        &mut self,
        (wide_root, a): (Root<'a>, &Side<'a>),
        (narrow_root, narrow, b): (Root<'a>, &'a Value, &Side<'a>),
        depth: usize,
    ) -> bool {
        if self.semantics == Semantics::Wave {
            return true;
        }
        let any = a.own("anyOf").and_then(Value::as_array);
        let any_fits = any.is_none_or(|branches| {
            branches.iter().any(|branch| self.covers((wide_root, branch), (narrow_root, narrow), depth + 1))
                || b.own("anyOf").and_then(Value::as_array).is_some_and(|old| {
                    old.iter().all(|o| branches.iter().any(|n| self.covers((wide_root, n), (narrow_root, o), depth + 1)))
                })
        });
        let same = |keyword: &str| match (a.own(keyword), b.own(keyword)) {
            (None, _) => true,
            (Some(wide), narrow) => narrow.is_some_and(|n| !has_reference(wide) && alike::bare(wide) == alike::bare(n)),
        };
        let all = a.own("allOf").and_then(Value::as_array).unwrap_or_default();
        any_fits && same("oneOf") && all.iter().all(|member| self.covers((wide_root, member), (narrow_root, narrow), depth + 1))
    }

    /// Everything else that is enforced on the wide side is the same on the narrow one.
    fn rest(&self, a: &Side<'_>, b: &Side<'_>) -> bool {
        a.keywords().into_iter().all(|keyword| {
            let keyword = keyword.to_well_formed();
            DECIDED.contains(&&*keyword)
                || !self.semantics.enforces(&keyword)
                || a.get(&keyword) == b.get(&keyword) && a.get(&keyword).is_none_or(|value| !has_reference(value))
        })
    }
}

/// The lower bound of numbers; of integers, above 0 is at least 1.
fn at_least_number(a: &Side<'_>, b: &Side<'_>, integers: bool, semantics: Semantics) -> bool {
    let Some(limit) = a.number("minimum").filter(|_| semantics.enforces("minimum")) else { return true };
    let step = if integers { 1.0 } else { 0.0 };
    b.number("minimum").is_some_and(|bound| bound >= limit)
        || b.number("exclusiveMinimum").is_some_and(|bound| bound.floor() + step >= limit && bound + step >= limit)
}

fn has_reference(schema: &Value) -> bool {
    let mut work = vec![schema];
    while let Some(value) = work.pop() {
        match value {
            Value::Object(object) => {
                if object.get(b"$ref").is_some() || object.get(b"$dynamicRef").is_some() {
                    return true;
                }
                work.extend(object.entries().iter().map(|(_, value)| value));
            }
            Value::Array(items) => work.extend(items),
            _ => {}
        }
    }
    false
}

/// Whether two branches of a union provably share values: one takes all of the other, or both take a type without limits.
pub(crate) fn overlaps<'a>(a: In<'a>, b: In<'a>) -> bool {
    let semantics = Semantics::JsonSchema { formats: false };
    covers(semantics, a, b) || covers(semantics, b, a)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    const JSON: Semantics = Semantics::JsonSchema { formats: false };

    fn proved(semantics: Semantics, wide: &str, narrow: &str) -> bool {
        let (wide, narrow) = (Value::parse(wide.as_bytes()).unwrap(), Value::parse(narrow.as_bytes()).unwrap());
        covers(semantics, (Root(&wide), &wide), (Root(&narrow), &narrow))
    }

    #[test]
    fn what_is_proved_for_a_validator() {
        for (wide, narrow, holds) in [
            (r#"{"type": "number"}"#, r#"{"type": "integer"}"#, true),
            (r#"{"type": "integer"}"#, r#"{"type": "number"}"#, false),
            (r#"{"type": ["string", "null"]}"#, r#"{"anyOf": [{"type": "string"}, {"type": "null"}]}"#, true),
            (r#"{"anyOf": [{"type": "string"}, {"type": "null"}]}"#, r#"{"type": ["string", "null"]}"#, false),
            (r#"{"enum": ["a", "b"]}"#, r#"{"const": "a"}"#, true),
            (r#"{"enum": ["a"]}"#, r#"{"enum": ["a", "b"]}"#, false),
            (r#"{"type": "integer", "exclusiveMinimum": 0}"#, r#"{"type": "integer", "minimum": 1}"#, true),
            (r#"{"type": "integer", "minimum": 1}"#, r#"{"type": "integer", "exclusiveMinimum": 0}"#, true),
            (r#"{"type": "number", "minimum": 1}"#, r#"{"type": "number", "exclusiveMinimum": 0}"#, false),
            (r#"{"type": "string", "maxLength": 5}"#, r#"{"type": "string", "maxLength": 3}"#, true),
            (r#"{"type": "string", "pattern": "a"}"#, r#"{"type": "string"}"#, false),
            (r#"{"type": "string", "pattern": "a"}"#, r#"{"type": "string", "pattern": "a", "minLength": 2}"#, true),
            (
                r#"{"properties": {"a": {"type": "string"}, "b": {"type": "string"}}}"#,
                r#"{"properties": {"a": {"type": "string"}}}"#,
                false,
            ),
            (r#"{"properties": {"a": {"type": "string"}}}"#, r#"{"type": "object", "properties": {"a": {"const": "x"}}}"#, true),
            (r#"{"type": "object", "required": ["a"]}"#, r#"{"type": "object"}"#, false),
            (
                r#"{"type": "object", "properties": {}, "additionalProperties": false}"#,
                r#"{"type": "object", "properties": {}}"#,
                false,
            ),
            (r#"{"type": "array", "items": {"type": "string"}}"#, r#"{"type": "array"}"#, false),
            (r##"{"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}"##, r#"{"type": "string"}"#, true),
            ("false", "false", true),
            ("false", r#"{"type": "string"}"#, false),
            ("true", "{}", true),
        ] {
            assert_eq!(proved(JSON, wide, narrow), holds, "{wide} covers {narrow}");
        }
    }

    #[test]
    fn what_is_proved_for_the_wave_gate() {
        for (wide, narrow, holds) in [
            (r#"{"type": "string", "maxLength": 3}"#, r#"{"type": "string"}"#, true),
            (r#"{"properties": {"a": {}, "b": {"type": "string"}}}"#, r#"{"type": "object", "properties": {"a": {}}}"#, true),
            (r#"{"properties": {"a": {}}}"#, r#"{"type": "object", "properties": {"a": {}, "b": {}}}"#, false),
            (
                r#"{"properties": {"a": {}}, "additionalProperties": false}"#,
                r#"{"type": "object", "properties": {"a": {}}}"#,
                true,
            ),
            (r#"{"$ref": "anything"}"#, r#"{"type": "string"}"#, true),
        ] {
            assert_eq!(proved(Semantics::Wave, wide, narrow), holds, "{wide} covers {narrow}");
        }
    }

    #[test]
    fn patterns_that_need_no_engine() {
        for (pattern, key, yes) in [
            ("^x-", "x-a", true),
            ("^x-", "ax-", false),
            ("^a$", "a", true),
            ("", "b", true),
            ("[a-z]", "a", false),
            ("_id$", "a_id", true),
        ] {
            assert_eq!(matches(pattern, key), yes, "{pattern} {key}");
        }
    }

    #[test]
    fn nothing_fits() {
        for (schema, none) in [
            (r#"{"type": "object", "required": ["a"], "properties": {"a": {"enum": []}}}"#, true),
            (r#"{"type": "object", "properties": {"a": {"enum": []}}}"#, false),
            (
                r#"{"type": "object", "required": ["a"], "properties": {"a": {"type": "integer", "minimum": 3, "maximum": 2}}}"#,
                true,
            ),
            (r#"{"type": "string", "enum": [1, 2]}"#, true),
            (r#"{"type": "string"}"#, false),
        ] {
            let value = Value::parse(schema.as_bytes()).unwrap();
            assert_eq!(is_unsatisfiable(JSON, (Root(&value), &value)), none, "{schema}");
        }
    }
}
