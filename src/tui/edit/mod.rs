//! Editing a call's arguments, replaying them, and comparing what came of it.
//!
//! - [`buffer`]: the text being written, with undo; [`draft`]: such a text for a call; [`live`]: what the gate says of it at
//!   each key.
//! - [`complete`], [`skeleton`], [`mod@format`]: help with writing, from the definition.
//! - [`attempts`]: replayed texts as calls of their own under the original, which never changes.
//! - [`diff`]: two attempts side by side.
//! - [`copying`]: what can be copied of a call; [`memory`]: what is kept between runs, [`kept`] attempts among it.
//! - [`editing`]: all of it in the app's state. What the actions do is in the private files beside it.

mod act;
pub mod attempts;
pub mod buffer;
mod comparing;
pub mod complete;
mod copy_actions;
pub mod copying;
pub mod cursor_path;
pub mod diff;
pub mod diff_rows;
pub mod draft;
pub mod drafts;
pub mod editing;
pub mod format;
pub mod history;
pub mod job;
pub mod keeping;
pub mod kept;
pub mod kept_view;
pub mod live;
pub mod memory;
mod replaying;
pub mod schema;
mod settling;
pub mod shell;
pub mod skeleton;
pub mod typing;
pub mod viewport;

pub use editing::{Compare, Editing, Versions};

#[cfg(test)]
mod state_tests;
#[cfg(test)]
pub(crate) mod tests;
