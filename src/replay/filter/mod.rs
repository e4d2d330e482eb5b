//! Finding calls among many: the filter language, sort orders, fuzzy matching of names, and what a prompt needs to help whoever
//! types. Everything here is a function of what it is given: no clock, no files.
//!
//! The language is described, term by term, in `docs/filter.md`, which [`manual`] writes.
//!
//! ```
//! use misfire::replay::filter::{Filter, FilterError};
//!
//! let filter = Filter::parse("tool:Task* !(is:pending | ~k missing) n>1")?;
//! assert_eq!(filter.to_string(), "tool:Task* !(is:pending | kind:missing) n>1");
//! assert!(filter.needs().row && !filter.needs().detail);
//!
//! let text = "tool:Bash verdict:rejectd";
//! let error = Filter::parse(text).unwrap_err();
//! assert_eq!((&text[error.range.clone()], error.suggestion.as_deref()), ("rejectd", Some("rejected")));
//! # Ok::<(), FilterError>(())
//! ```

mod complete;
mod error;
mod eval;
mod expr;
mod facts;
mod flag;
mod fuzzy;
mod lex;
mod manual;
mod parse;
mod pattern;
mod print;
mod sort;
mod suggest;
mod term;
mod time;
mod value;

pub use complete::{Candidate, Completion, Known, complete, decided, meant};
pub use error::FilterError;
pub use facts::{Details, EDITED, Places, REPLAYED, RowFacts, remark_flags};
pub use flag::{Flag, Flags};
pub use fuzzy::{Fuzzy, FuzzyMatch};
pub use manual::manual;
pub use sort::{Direction, Sort, SortKey};
pub use term::{Field, TERMS, Term};

use expr::Expr;
use pattern::{Pattern, Text};
use std::fmt;
use std::str::FromStr;
use term::Comparison;
use value::Test;

/// Which calls to show. The empty filter lets all of them pass.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter(Expr);

/// The filter for calls of a tool, by any of its names, with an issue at a place, by a JSON Pointer in which a segment `*` is any.
#[must_use]
pub fn failing_at(names: &[String], pointer: &str) -> Filter {
    use expr::Group;
    let group = |field, tests| Expr::Group(Group { field, comparison: Comparison::Equal, tests });
    let tools = names.iter().map(|name| Test::Pattern(Pattern::Literal(Text::new(name.as_str())))).collect();
    let is_wild = pointer.split('/').any(|segment| segment == "*");
    // Without quotes only what needs none can be written; where a key does, `?` is any character.
    let plain = |c: char| if c.is_alphanumeric() || "_-.@+,/*".contains(c) { c } else { '?' };
    let place = if is_wild {
        Pattern::Glob(Text::new(pointer.chars().map(plain).collect::<String>()))
    } else {
        Pattern::Literal(Text::new(pointer))
    };
    Filter(Expr::All(vec![group(Field::Tool, tools), group(Field::At, vec![Test::Pattern(place)])]))
}

/// What a filter looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// What the list knows of a call.
    pub row: bool,
    /// The line that the list shows of a call.
    pub summary: bool,
    /// What only the call itself knows, of calls that the row does not decide.
    pub detail: bool,
}

impl Default for Filter {
    fn default() -> Self {
        Self(Expr::All(Vec::new()))
    }
}

impl Filter {
    /// Reads a filter's text.
    ///
    /// # Errors
    /// If it is none: says where, and what was expected.
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        parse::parse(text).map(Self)
    }

    /// Whether every call passes because nothing is asked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0 == Expr::All(Vec::new())
    }

    /// What the filter looks at. Terms that look at details look at the row first.
    #[must_use]
    pub fn needs(&self) -> Needs {
        let mut needs = Needs { row: !self.is_empty(), ..Needs::default() };
        self.0.groups(&mut |group| {
            needs.summary |= eval::needs_summary(group.field);
            needs.detail |= eval::needs_details(group.field);
        });
        needs
    }

    /// Whether the filter asks for a flag.
    #[must_use]
    pub fn asks_for(&self, flag: Flag) -> bool {
        let mut asks = false;
        self.0.groups(&mut |group| asks |= group.tests.iter().any(|test| *test == Test::Flag(flag)));
        asks
    }

    /// Whether the call passes, from what its row says; `None` if that takes its details. `now` is the time that ages are
    /// measured from, in milliseconds since 1970.
    #[must_use]
    pub fn decide(&self, row: &RowFacts<'_>, now: i64) -> Option<bool> {
        eval::Question { row, details: None, now }.answer(&self.0)
    }

    /// Whether the call passes, its details being known.
    #[must_use]
    pub fn decide_with(&self, row: &RowFacts<'_>, details: &Details<'_>, now: i64) -> bool {
        // With details, everything has an answer.
        eval::Question { row, details: Some(details), now }.answer(&self.0).unwrap_or(false)
    }

    /// Whether the call passes; its details are asked for only if its row does not decide.
    pub fn matches<'d>(&self, row: &RowFacts<'_>, now: i64, details: impl FnOnce() -> Details<'d>) -> bool {
        self.decide(row, now).unwrap_or_else(|| self.decide_with(row, &details(), now))
    }
}

/// Canonical text: reading it gives the same filter.
impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Filter {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}
