//! What the program knows, as text and as data. Nothing here computes; formats stand side by side and none knows another.

mod call;
mod calls;
#[cfg_attr(not(any(feature = "jsonschema", test)), expect(dead_code, reason = "the reports on definitions use all of it"))]
mod escape;
#[cfg(feature = "jsonschema")]
pub mod findings;
#[cfg(feature = "jsonschema")]
mod github;
mod html;
#[cfg(feature = "jsonschema")]
mod junit;
#[cfg(feature = "jsonschema")]
pub mod markdown;
#[cfg(feature = "jsonschema")]
pub mod review;
#[cfg(feature = "jsonschema")]
mod sarif;
mod stats;
mod text;

pub use call::{CallReport, call_object, call_parts, verdict_members};
pub use calls::{CallsReport, Markup};
#[cfg(feature = "jsonschema")]
pub use github::github;
#[cfg(feature = "jsonschema")]
pub use junit::junit;
#[cfg(feature = "jsonschema")]
pub use sarif::sarif;
pub use stats::{duration, kinds as kinds_text, level, sorted as sorted_kinds, stats_object, stats_text};
pub use text::{Counts, Tally, call_text, stage_lines};
