//! Bounds: of numbers, of lengths, of the sizes of arrays and objects.

use super::{Comparer, Found, Node};
use crate::json::Value;
use crate::review::change::{Touch, Words, short};
use crate::review::kinds::Kinds;
use crate::review::rules::{RuleId, Severity};
use crate::review::side::Side;

/// One end of a range, and the rules that its changes fall under.
struct End {
    keyword: &'static str,
    /// The keyword that says the same without the bound itself.
    exclusive: Option<&'static str>,
    upper: bool,
    of: Kinds,
    narrowed: RuleId,
    added: RuleId,
    widened: RuleId,
    removed: RuleId,
    rejects: &'static [&'static str],
}

#[rustfmt::skip]
const ENDS: [End; 8] = [
    range("minimum", "exclusiveMinimum", false, &["minimum", "exclusiveMinimum"]),
    range("maximum", "exclusiveMaximum", true, &["maximum", "exclusiveMaximum"]),
    length("minLength", false, &["minLength"]),
    length("maxLength", true, &["maxLength"]),
    size("minItems", false, Kinds::ARRAY, &["minItems"]),
    size("maxItems", true, Kinds::ARRAY, &["maxItems"]),
    size("minProperties", false, Kinds::OBJECT, &["minProperties"]),
    size("maxProperties", true, Kinds::OBJECT, &["maxProperties"]),
];

const fn range(keyword: &'static str, exclusive: &'static str, upper: bool, rejects: &'static [&'static str]) -> End {
    End {
        keyword,
        exclusive: Some(exclusive),
        upper,
        of: Kinds::NUMBER,
        narrowed: RuleId::ParamRangeNarrowed,
        added: RuleId::ParamRangeAdded,
        widened: RuleId::ParamRangeWidened,
        removed: RuleId::ParamRangeRemoved,
        rejects,
    }
}

const fn length(keyword: &'static str, upper: bool, rejects: &'static [&'static str]) -> End {
    End {
        keyword,
        exclusive: None,
        upper,
        of: Kinds::STRING,
        narrowed: RuleId::ParamLengthNarrowed,
        added: RuleId::ParamLengthAdded,
        widened: RuleId::ParamLengthWidened,
        removed: RuleId::ParamLengthRemoved,
        rejects,
    }
}

const fn size(keyword: &'static str, upper: bool, of: Kinds, rejects: &'static [&'static str]) -> End {
    let (narrowed, widened) = if matches!(of, Kinds::OBJECT) {
        (RuleId::ObjectSizeChanged, RuleId::ObjectSizeChanged)
    } else {
        (RuleId::ArraySizeNarrowed, RuleId::ArraySizeWidened)
    };
    End { keyword, exclusive: None, upper, of, narrowed, added: narrowed, widened, removed: widened, rejects }
}

/// A bound as it works: its value, and whether the value itself is out.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bound {
    at: f64,
    exclusive: bool,
}

impl End {
    /// The bound in force; of an integer, the last integer inside.
    fn bound(&self, side: &Side<'_>, integers: bool) -> Option<Bound> {
        let plain = side.number(self.keyword);
        let exclusive = self.exclusive.and_then(|keyword| match side.get(keyword) {
            Some(Value::Number(n)) => Some(*n),
            // Draft 4: the flag beside the bound.
            Some(Value::Bool(true)) => plain,
            _ => None,
        });
        let tighter = |a: f64, b: f64| if self.upper { a <= b } else { a >= b };
        let bound = match (plain, exclusive) {
            (None, None) => return self.trivial(side),
            (None, Some(at)) => Bound { at, exclusive: true },
            (Some(p), Some(e)) if tighter(e, p) => Bound { at: e, exclusive: true },
            (Some(at), _) => Bound { at, exclusive: false },
        };
        if !integers {
            return Some(bound);
        }
        let inside = match (self.upper, bound.exclusive) {
            (true, true) => bound.at.ceil() - 1.0,
            (true, false) => bound.at.floor(),
            (false, true) => bound.at.floor() + 1.0,
            (false, false) => bound.at.ceil(),
        };
        Some(Bound { at: inside, exclusive: false })
    }

    /// No bound: for a size the same as a minimum of 0.
    fn trivial(&self, _side: &Side<'_>) -> Option<Bound> {
        (!self.upper && self.exclusive.is_none()).then_some(Bound { at: 0.0, exclusive: false })
    }

    /// Whether `a` lets less through than `b`.
    fn is_tighter(&self, a: Bound, b: Bound) -> bool {
        let beyond = if self.upper { a.at < b.at } else { a.at > b.at };
        beyond || (a.at.total_cmp(&b.at).is_eq() && a.exclusive && !b.exclusive)
    }

    fn is_said(&self, side: &Side<'_>) -> bool {
        side.get(self.keyword).is_some() || self.exclusive.is_some_and(|keyword| side.get(keyword).is_some())
    }

    /// The keyword by which a side says this bound.
    fn spelled(&self, side: &Side<'_>) -> &'static str {
        match self.exclusive {
            Some(exclusive) if side.get(self.keyword).is_none() && side.get(exclusive).is_some() => exclusive,
            _ => self.keyword,
        }
    }
}

impl Comparer<'_> {
    /// Compares every bound of a place.
    pub(super) fn bounds(&mut self, node: &Node<'_, '_>) {
        let kinds = |side: &Side<'_>| Kinds::of(side).unwrap_or(Kinds::ANY);
        let (before_kinds, after_kinds) = (kinds(node.before), kinds(node.after));
        for end in &ENDS {
            // A bound on what could not be there before takes nothing away.
            if !before_kinds.meets(end.of) || !after_kinds.meets(end.of) {
                continue;
            }
            let integers = |kinds: Kinds| end.exclusive.is_some() && kinds.and(Kinds::NUMBER) == Kinds::INTEGER;
            let whole = integers(before_kinds) || integers(after_kinds);
            let (before, after) = (end.bound(node.before, whole), end.bound(node.after, whole));
            let added = !end.is_said(node.before);
            let rule = match (before, after) {
                (Some(a), Some(b)) if end.is_tighter(b, a) => {
                    if added {
                        end.added
                    } else {
                        end.narrowed
                    }
                }
                (Some(a), Some(b)) if end.is_tighter(a, b) => {
                    if end.is_said(node.after) {
                        end.widened
                    } else {
                        end.removed
                    }
                }
                (None, Some(_)) => end.added,
                (Some(_), None) => end.removed,
                _ => continue,
            };
            // A bound that is set for the first time often writes down what the server enforced already.
            let severity = (added && rule == RuleId::ArraySizeNarrowed).then_some(Severity::Warning);
            self.bound(node, end, rule, severity, after.map(|bound| probe(end, bound)).unwrap_or_default());
        }
        self.multiple(node);
    }

    fn bound(&mut self, node: &Node<'_, '_>, end: &End, rule: RuleId, severity: Option<Severity>, probes: Vec<Value>) {
        let (from, to) = (end.spelled(node.before), end.spelled(node.after));
        let keyword = if end.is_said(node.after) { to } else { from };
        let said = |side: &Side<'_>, keyword: &str| side.get(keyword).map_or_else(|| "none".to_owned(), short);
        let (mut before, after) = (said(node.before, from), said(node.after, to));
        if from != to && end.is_said(node.before) && end.is_said(node.after) {
            before = format!("{before} ({from})");
        }
        let words = Words { keyword: keyword.to_owned(), before, after, ..Words::default() };
        let found = Found {
            words,
            severity,
            probes,
            before: node.before.get(from).cloned(),
            after: node.after.get(to).cloned(),
            ..Found::of_keyword(rule, node, keyword)
        };
        self.report(node, found.touch(Touch::Value(end.rejects)));
    }

    fn multiple(&mut self, node: &Node<'_, '_>) {
        let (before, after) = (node.before.number("multipleOf"), node.after.number("multipleOf"));
        if before != after {
            let found = Found::of_keyword(RuleId::ParamMultipleChanged, node, "multipleOf");
            let probes = before.into_iter().chain([1.0]).map(Value::Number).collect();
            self.report(node, Found { probes, ..found }.touch(Touch::Value(&["multipleOf"])));
        }
    }
}

/// Values that lie just outside a bound.
fn probe(end: &End, bound: Bound) -> Vec<Value> {
    const LONGEST: f64 = 64.0;
    let outside = |step: f64| if end.upper { bound.at + step } else { bound.at - step };
    if end.exclusive.is_some() {
        let edge = bound.exclusive.then_some(bound.at);
        return edge.into_iter().chain([outside(1.0), outside(0.5)]).map(Value::Number).collect();
    }
    let size = outside(1.0);
    if !(0.0..=LONGEST).contains(&size) {
        return Vec::new();
    }
    // It was just checked to be a small whole number, or is cut to one.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 64")]
    let count = size as usize;
    match end.of {
        Kinds::STRING => vec![Value::from("a".repeat(count))],
        Kinds::ARRAY => vec![
            Value::Array((0..count).map(|i| Value::from(u32::try_from(i).unwrap_or_default())).collect()),
            Value::Array((0..count).map(|i| Value::from(format!("{i}"))).collect()),
            Value::Array((0..count).map(|_| Value::Object(crate::json::Object::default())).collect()),
        ],
        _ => vec![Value::Object((0..count).map(|i| (format!("k{i}").into(), Value::from(true))).collect())],
    }
}
