//! The terminal app.

pub mod runtime;
