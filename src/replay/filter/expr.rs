//! A filter that has been read: an expression over groups of tests.

use super::term::{Comparison, Field};
use super::value::Test;

/// An expression in normal form: `All` and `Any` never hold their own kind, and two parts at least; only the empty filter is an
/// `All` of nothing.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expr {
    All(Vec<Expr>),
    Any(Vec<Expr>),
    Not(Box<Expr>),
    Group(Group),
}

/// A term: a field and what it is tested for, one of which must hold.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Group {
    pub field: Field,
    pub comparison: Comparison,
    pub tests: Vec<Test>,
}

impl Expr {
    /// All of these; there is at least one.
    pub fn all(parts: Vec<Self>) -> Self {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Self::All(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        if flat.len() == 1 { flat.remove(0) } else { Self::All(flat) }
    }

    /// One of these; there is at least one.
    pub fn any(parts: Vec<Self>) -> Self {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Self::Any(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        if flat.len() == 1 { flat.remove(0) } else { Self::Any(flat) }
    }

    /// Every group in the expression.
    pub fn groups(&self, visit: &mut dyn FnMut(&Group)) {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.groups(visit)),
            Self::Not(inner) => inner.groups(visit),
            Self::Group(group) => visit(group),
        }
    }
}
