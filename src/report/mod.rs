//! What the program knows, as text and as data. Nothing here computes; formats stand side by side and none knows another.

mod call;
mod text;

pub use call::{CallReport, call_object, call_parts, verdict_members};
pub use text::{Counts, Tally, call_text, stage_lines};
