//! Editing a call's arguments, replaying them, and comparing what came of it.
//!
//! - [`Buffer`](buffer::Buffer): the text being written, with undo; [`live`]: what the gate says of it at each key.
//! - [`complete`], [`skeleton`], [`format`]: help with writing, from the definition.
//! - [`attempts`]: replayed texts as calls of their own under the original, which never changes.
//! - [`diff`]: two attempts side by side.

pub mod attempts;
pub mod buffer;
pub mod complete;
pub mod copying;
pub mod cursor_path;
pub mod diff;
pub mod draft;
pub mod format;
pub mod history;
pub mod live;
pub mod schema;
pub mod shell;
pub mod skeleton;
pub mod typing;

#[cfg(test)]
pub(crate) mod tests;
