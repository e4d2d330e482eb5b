//! What changed between two catalogs of definitions, and which captured calls feel it.

mod alike;
mod change;
mod compare;
mod kinds;
mod places;
mod prove;
mod rules;
mod semantics;
mod side;

pub use change::Renamed;
pub use rules::{Directions, Effect, Rule, RuleId, Severity, Turn};
