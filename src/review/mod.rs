//! What changed between two catalogs of definitions, and which captured calls feel it.
//!
//! Every comparison of schemas sees two documents. This one also replays recorded calls against both, and says who is
//! affected: calls that fail now, calls whose value is no longer read, and changes that no recorded call exercises, which is
//! a result of its own and no reason to be calm.
//!
//! ```
//! use misfire::capture::Call;
//! use misfire::definition::{Catalog, Definition};
//! use misfire::gate::Arguments;
//! use misfire::review::{Options, Reviewer, RuleId, Severity};
//!
//! let catalog = |text: &str| Definition::parse(text.as_bytes()).map(Catalog::from_definitions);
//! let before = catalog(r#"{"name": "list", "parameters": {"type": "object", "properties": {"limit": {"type": "number"}}}}"#)?;
//! let after = catalog(r#"{"name": "list", "parameters": {"type": "object", "properties": {"limit": {"type": "integer"}}}}"#)?;
//!
//! let mut reviewer = Reviewer::new(&before, &after, Options::default());
//! reviewer.replay(&Call::new("list", Arguments::text(r#"{"limit": 2.5}"#)));
//! let review = reviewer.finish();
//!
//! let finding = &review.tools[0].findings[0];
//! assert_eq!((finding.rule, finding.severity), (RuleId::ParamTypeNarrowed, Severity::Error));
//! assert_eq!(finding.message, "`limit`: number → integer; 1 of 1 recorded call now fails");
//! assert_eq!(finding.example.as_ref().map(|call| call.to_json()).as_deref(), Some(r#"{"limit":0.5}"#));
//! # Ok::<(), misfire::definition::ReadError>(())
//! ```

#[cfg(feature = "cli")]
mod accept;
mod alike;
mod change;
mod compare;
mod conclude;
mod evidence;
mod example;
mod explain;
mod finding;
mod judged;
mod kinds;
mod lints;
mod pairs;
mod places;
mod prove;
mod reviewer;
mod rules;
mod semantics;
mod settle;
mod side;
#[cfg(feature = "cli")]
mod sides;
mod subject;
mod tools;

#[cfg(feature = "cli")]
pub use accept::{ACCEPT_FILE, AcceptError, AcceptFile, Entry, Leftover, LeftoverState, day_of, is_day, today};
pub use change::Renamed;
pub(crate) use change::shorten;
pub use explain::Cause;
pub use finding::{CallCounts, Evidence, Finding, Judged, Lint, Proof, ReplayedCall, ToolChange, ToolReview};
pub use judged::JudgedCall;
pub use reviewer::{Options, Review, Reviewer};
pub use rules::{Directions, Effect, Rule, RuleId, Severity, Turn};
#[cfg(feature = "cli")]
pub use sides::Sides;
