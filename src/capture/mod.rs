//! Captured sessions: the calls that models made, as agents and APIs recorded them.
//!
//! One small reader a format, found by content; calls paired with their recorded results; repeats found; whatever cannot be
//! read reported with its place. This room never judges a call.
//!
//! ```
//! use misfire::capture::{self, Call, Options, Problem, Sink};
//! use std::{ops::ControlFlow, path::Path};
//!
//! #[derive(Default)]
//! struct Calls(Vec<Call>);
//!
//! impl Sink for Calls {
//!     fn call(&mut self, call: Call) -> ControlFlow<()> {
//!         self.0.push(call);
//!         ControlFlow::Continue(())
//!     }
//!     fn problem(&mut self, problem: Problem) {
//!         panic!("{problem}");
//!     }
//! }
//!
//! let line = r#"{"id": "c1", "tool": "Read", "arguments": "{\"file_path\": \"a.md\"}"}"#;
//! let mut calls = Calls::default();
//! let summary = capture::read_from(line.as_bytes(), Path::new("a.misfire.jsonl"), &Options::default(), &mut calls);
//! assert_eq!((summary.calls, calls.0[0].tool.as_str()), (1, "Read"));
//! assert_eq!(calls.0[0].place.to_string(), "a.misfire.jsonl:1");
//! ```

mod base64;
mod call;
mod compressed;
mod detect;
mod event;
mod format;
mod glob;
mod hash;
mod identity;
pub mod index;
mod ledger;
mod lines;
mod options;
mod problem;
pub mod redact;
mod source;
mod stream;
pub mod sweep;
pub mod time;
mod unit;
mod version;
mod walk;
mod write;
mod yaml;

pub use call::{Call, CapturedTools, InputKind, Outcome, Place};
pub use glob::matches_nothing;
pub use identity::identity;
pub use options::{FormatName, Options, UnknownFormatName, formats};
pub use problem::{Problem, ProblemKind};
pub use stream::{Sink, Summary, read_from, read_paths};
pub use version::{claude_code_version_of, claude_code_versions};
pub use walk::files;
pub use write::write_call;
