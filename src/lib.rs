//! See which parameters of a tool call a model got wrong, and the exact text it would get back.

pub mod json;
#[cfg(feature = "tui")]
pub mod tui;
