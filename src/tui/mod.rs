//! The terminal app.

pub mod keys;
pub mod runtime;
