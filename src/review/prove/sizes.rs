//! Bounds, lengths and counts.

use super::Proof;
use crate::json::Value;
use crate::review::kinds::Kinds;
use crate::review::semantics::Semantics;
use crate::review::side::Side;

impl Proof {
    pub(super) fn sizes(&self, a: &Side<'_>, b: &Side<'_>) -> bool {
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
}

/// The lower bound of numbers; of integers, above 0 is at least 1.
fn at_least_number(a: &Side<'_>, b: &Side<'_>, integers: bool, semantics: Semantics) -> bool {
    let Some(limit) = a.number("minimum").filter(|_| semantics.enforces("minimum")) else { return true };
    let step = if integers { 1.0 } else { 0.0 };
    b.number("minimum").is_some_and(|bound| bound >= limit)
        || b.number("exclusiveMinimum").is_some_and(|bound| bound.floor() + step >= limit && bound + step >= limit)
}
