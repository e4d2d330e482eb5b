//! Whether a call passes: from what its row says where that is enough, else with its details.

use super::expr::{Expr, Group};
use super::facts::{Details, RowFacts};
use super::pattern::Pattern;
use super::term::Field;
use super::value::Test;
use crate::gate::VerdictKind;

/// What is asked about a call.
pub(super) struct Question<'a> {
    pub row: &'a RowFacts<'a>,
    pub details: Option<&'a Details<'a>>,
    pub now: i64,
}

impl Question<'_> {
    /// Whether the expression holds; `None` if that takes details that are not there.
    pub fn answer(&self, expr: &Expr) -> Option<bool> {
        match expr {
            Expr::All(parts) => self.combine(parts, false),
            Expr::Any(parts) => self.combine(parts, true),
            Expr::Not(inner) => self.answer(inner).map(|answer| !answer),
            Expr::Group(group) => self.group(group),
        }
    }

    /// The answer that decides if one part gives it; else the other one, if every part is answered.
    fn combine(&self, parts: &[Expr], decides: bool) -> Option<bool> {
        let mut all_known = true;
        // A number is compared sooner than a text, and may decide.
        let by_cost = parts.iter().filter(|part| part.is_cheap()).chain(parts.iter().filter(|part| !part.is_cheap()));
        for part in by_cost {
            match self.answer(part) {
                Some(answer) if answer == decides => return Some(decides),
                Some(_) => {}
                None => all_known = false,
            }
        }
        all_known.then_some(!decides)
    }

    fn group(&self, group: &Group) -> Option<bool> {
        let row = self.row;
        let pattern = |test: fn(&Pattern, &str) -> bool, text: Option<&str>| {
            Some(text.is_some_and(|text| group.any(|t| matches!(t, Test::Pattern(p) if test(p, text)))))
        };
        match group.field {
            Field::Tool => pattern(Pattern::matches, Some(row.tool)),
            Field::Model => pattern(Pattern::matches, row.model),
            Field::Session => pattern(Pattern::matches, row.session),
            Field::File => pattern(Pattern::matches_path, Some(row.file)),
            Field::Any => self.anywhere(group),
            Field::At => self.places(group),
            Field::Args => self.details.map(|details| group.is_in(&details.arguments)),
            Field::Err => self.text(group),
            Field::Verdict | Field::Is | Field::Kind | Field::Since | Field::Until | Field::Count => {
                Some(group.any(|test| self.fact(group, test)))
            }
        }
    }

    /// What every row knows of itself.
    fn fact(&self, group: &Group, test: &Test) -> bool {
        let row = self.row;
        match test {
            Test::Verdict(verdict) => *verdict == (!row.has(super::Flag::Pending)).then_some(row.outcome.kind),
            Test::Flag(flag) => row.has(*flag),
            Test::Kind(kinds) => row.outcome.kinds.meets(*kinds),
            Test::Number(number) => group.comparison.holds(u32::from(row.outcome.issues), *number),
            Test::When(when) => row.at.is_some_and(|at| match group.field {
                Field::Since => at >= when.start(self.now),
                _ => at <= when.end(self.now),
            }),
            Test::Pattern(_) => false,
        }
    }

    /// What a reader of the list sees, then what a reader of the call sees.
    fn anywhere(&self, group: &Group) -> Option<bool> {
        if group.is_in(self.row.tool) || self.row.summary.is_some_and(|summary| group.is_in(summary)) {
            return Some(true);
        }
        self.row.summary?;
        let details = self.details?;
        Some(group.is_in(&details.arguments) || details.text.as_ref().is_some_and(|text| group.is_in(text)))
    }

    fn text(&self, group: &Group) -> Option<bool> {
        if !self.row.outcome.is_error() {
            return Some(false);
        }
        self.details.map(|details| details.text.as_ref().is_some_and(|text| group.is_in(text)))
    }

    fn places(&self, group: &Group) -> Option<bool> {
        let at = |pointer: &str| group.any(|test| matches!(test, Test::Pattern(p) if p.matches_pointer(pointer)));
        if self.row.places.any(at) {
            return Some(true);
        }
        if self.row.places.len() >= usize::from(self.row.outcome.issues) && self.row.outcome.issues < u16::MAX {
            return Some(false);
        }
        self.details.map(|details| details.issues.iter().any(|issue| at(&issue.pointer)))
    }
}

impl Expr {
    /// A comparison of numbers.
    fn is_cheap(&self) -> bool {
        match self {
            Self::Group(group) => {
                matches!(group.field, Field::Verdict | Field::Is | Field::Kind | Field::Since | Field::Until | Field::Count)
            }
            Self::Not(inner) => matches!(&**inner, Self::Group(_)) && inner.is_cheap(),
            Self::All(_) | Self::Any(_) => false,
        }
    }
}

impl Group {
    fn any(&self, test: impl FnMut(&Test) -> bool) -> bool {
        self.tests.iter().any(test)
    }

    fn is_in(&self, text: &str) -> bool {
        self.any(|test| matches!(test, Test::Pattern(pattern) if pattern.is_in(text)))
    }
}

/// Whether a field looks at the line that the list shows.
pub(super) fn needs_summary(field: Field) -> bool {
    matches!(field, Field::Any)
}

/// Whether a field may need the details of a call.
pub(super) fn needs_details(field: Field) -> bool {
    matches!(field, Field::Any | Field::Args | Field::Err | Field::At)
}

/// How bad a verdict is, the worst first: for sorting.
pub(super) fn severity(row: &RowFacts<'_>) -> u8 {
    let order = [VerdictKind::Rejected, VerdictKind::Unparsable, VerdictKind::UnknownTool];
    let place = order.iter().position(|kind| *kind == row.outcome.kind).and_then(|n| u8::try_from(n).ok());
    if row.has(super::Flag::Pending) { 3 } else { place.unwrap_or(4 + u8::from(row.outcome.kind != VerdictKind::Accepted)) }
}
