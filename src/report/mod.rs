//! What the program knows, as text and as data. Nothing here computes; formats stand side by side and none knows another.

mod call;
mod text;

pub use call::{CallReport, call_object, verdict_members};
pub use text::{Tally, call_text, stage_lines};
