//! What is inside: keys of objects, elements of arrays, branches of unions.

use super::Proof;
use crate::json::{Object, Value};
use crate::review::alike;
use crate::review::kinds::Kinds;
use crate::review::semantics::{Extra, Semantics};
use crate::review::side::has_reference;
use crate::review::side::{Root, Side};

impl Proof {
    pub(super) fn object<'a>(
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

    pub(super) fn items<'a>(
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

    pub(super) fn unions<'a>(
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
}
