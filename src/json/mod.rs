//! JSON as JavaScript's `JSON.parse` and `JSON.stringify` see it, and text made safe to look at.
//!
//! The runtime whose answers this crate predicts is written in JavaScript, so "valid JSON" here means exactly what
//! `JSON.parse` accepts, with its meaning (rule G4): lone surrogates, `1e400`, numbers as their nearest double, the last of
//! several equal keys, and any depth of nesting. Nothing in this room recurses on its input, so no input is too deep.
//!
//! - [`Tree`]: a text as flat nodes with their places, the strings not yet unescaped: for readers, for viewing, for positions.
//! - [`Value`]: a value as JavaScript would hold it: for judging and for writing.
//! - [`JsString`]: text that may hold lone surrogates.
//! - [`Visible`]: text in which control, bidirectional and invisible characters have been made visible.
//!
//! ```
//! use misfire::json::Value;
//!
//! let value = Value::parse(br#"{"b": 1e3, "a": "\ud800", "b": 1.0}"#).unwrap();
//! assert_eq!(value.to_json(), r#"{"b":1,"a":"\ud800"}"#);
//! ```

mod canonical;
mod number;
mod outline;
mod path;
mod position;
mod scan;
mod string;
mod tree;
mod value;
mod visible;
mod write;

pub use outline::{Outline, OutlineLine, Part};
pub use path::{Step, human_path, pointer, pointer_steps};
pub use position::Position;
pub use scan::SyntaxError;
pub use string::{JsString, to_well_formed, trim};
pub use tree::{Kind, Node, Tree, View};

pub(crate) use scan::{Scanner, is_space, special};
pub(crate) use string::unescape;
pub use value::{Object, Value};
pub use visible::Visible;
pub use write::quote;
pub(crate) use write::{push_escaped, push_quoted};
