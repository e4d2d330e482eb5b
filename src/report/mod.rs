//! What the program knows, as text and as data. Nothing here computes; formats stand side by side and none knows another.

mod call;
mod github;
mod item;
mod junit;
mod markdown;
pub mod review;
mod sarif;
mod text;

pub use call::{CallReport, call_object, verdict_members};
pub use github::annotations;
pub use item::Item;
pub use junit::{Case, junit};
pub use sarif::{SarifRule, sarif};
pub use text::{Tally, call_text, stage_lines};
