//! Captured calls against definitions: verdicts, and what changes when either does.

mod baseline;
mod compare;
mod engine;
pub mod filter;
mod flip;
mod follow;
mod kinds;
mod label;
mod other_rules;
mod outcome;
mod reloading;
mod row;
mod rulebook;
mod said;
pub mod stats;
mod store;
mod strangers;

pub use compare::Comparison;
pub use engine::{Detail, Engine, News, Reader};
pub use flip::Flip;
pub use follow::{Follower, Found};
pub use kinds::Kinds;
pub use label::{Label, LabelReader, Labels, Packer};
pub use other_rules::OtherRules;
pub use outcome::Outcome;
pub use reloading::{Reloaded, Reloading};
pub use row::{Judgement, Row, is_summary_cut, summary};
pub use rulebook::{FileRules, InForce, Rulebook};
pub use said::Said;
pub use strangers::Strangers;

use crate::capture::{Call, InputKind};
use crate::gate::{Gate, Verdict};

/// Judges a captured call. Input that is no JSON arguments by design, and calls that the provider runs itself, are passed
/// through; a call that is still being streamed is judged as it stands.
#[must_use]
pub fn judge(gate: &Gate, call: &Call) -> Verdict {
    match call.input {
        InputKind::Json => gate.judge_as(&call.tool, call.origin, &call.arguments, call.finish_reason.as_deref()),
        InputKind::FreeText | InputKind::ProviderRun => Gate::passed_through(&call.tool),
    }
}
