//! The profile `jsonschema`: a call judged by the rules of a full JSON Schema validator.
//!
//! The validator is the crate `jsonschema`, which nothing outside this module sees. It never reads a file or the network,
//! and a definition that could make it run without end, or out of stack, never reaches it: such a definition is
//! *undecided*, with the reason, as is a call that it could not finish judging.

mod follow;
mod graph;
mod ignored;
mod issues;
mod node;
mod proof;
mod validator;

pub use follow::{Follower, Target};
pub use proof::{covers, satisfiable};
pub use validator::{Draft, Judgement, Refusal, SchemaValidator};
