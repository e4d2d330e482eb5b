//! Keys: what they are, what they do, and everything that can be said about it, from one table.
//!
//! To add an action, add a row to [`actions`], handle its [`ActionId`] where the state is updated, and let the test in
//! `tests/docs.rs` write `docs/keys.md` anew.

pub mod actions;
pub mod chord;
pub mod context;
pub mod docs;
pub mod footer;
pub mod input;
pub mod keymap;
pub mod palette;
pub mod snapshot;
pub mod user;

pub use actions::{ACTIONS, Action, ActionId, Group};
pub use chord::{Chord, ChordError, Sequence};
pub use context::Context;
pub use keymap::{Binding, Keymap, Next, Resolved};
pub use snapshot::Snapshot;
