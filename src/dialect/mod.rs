//! Wording: a verdict into the exact text, and the exact wire result, that a model would get.
//!
//! This room words what it is given and never decides. The wording is fixed (rule G22): what else there is to say to
//! people stands beside it, never in it.

pub mod recorded;
mod wave;
mod wire;

pub use wave::text;
pub use wire::{WireForm, wire};
