//! What can be proved about two schemas without trying values: that one takes everything the other takes.
//!
//! Only ever `true` for what holds; `false` means that it was not proved. The parts that are decided are those that tool
//! definitions are made of; any other keyword has to be the same on both sides.

mod inside;
mod key;
mod nothing;
mod sizes;
#[cfg(test)]
mod tests;

pub(crate) use key::matches;
pub(crate) use nothing::is_unsatisfiable;

use crate::json::Value;
use crate::review::alike;
use crate::review::kinds::Kinds;
use crate::review::semantics::Semantics;
use crate::review::side::{Root, Side, has_reference};

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

/// Whether two branches of a union provably share values: one takes all of the other, or both take a type without limits.
pub(crate) fn overlaps<'a>(a: In<'a>, b: In<'a>) -> bool {
    let semantics = Semantics::JsonSchema { formats: false };
    covers(semantics, a, b) || covers(semantics, b, a)
}
