//! The gate: what happens to a tool call before anything runs.
//!
//! A call's arguments are parsed, the call is routed by its tool's origin, and validated against the tool's own JSON Schema.
//! A call that fails goes no further: no hook, no permission prompt, no tool. The rules are those of netease's wave-agent,
//! cited here by their numbers G1 to G22; this room decides, and [`dialect`](crate::dialect) words.
//!
//! ```
//! use misfire::definition::{Catalog, Definition};
//! use misfire::gate::{Arguments, Gate, VerdictKind};
//!
//! let read = Definition::parse(br#"{"name": "Read", "parameters": {
//!     "type": "object", "properties": {"file_path": {"type": "string"}}, "required": ["file_path"]}}"#)?;
//! let gate = Gate::new(&Catalog::from_definitions(read));
//!
//! let verdict = gate.judge("Read", &Arguments::text(r#"{"filePath": "a.md"}"#), None);
//! assert_eq!(verdict.kind, VerdictKind::Rejected);
//! assert_eq!(verdict.issues.len(), 2);
//! # Ok::<(), misfire::definition::ReadError>(())
//! ```

mod accept;
mod by_name;
mod judge;
mod parse;
mod plan;
#[cfg(feature = "jsonschema")]
pub mod profile;
mod stages;
mod verdict;
mod walk;

pub use judge::{Gate, Profile};
pub use parse::{Arguments, Parsed, parse};
pub use plan::Plan;
pub use stages::{Stage, StageOutcome, stages};
pub use verdict::{Branch, Issue, IssueKind, Recovery, Verdict, VerdictKind};
