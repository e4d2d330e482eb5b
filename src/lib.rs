//! See which parameters of a tool call a model got wrong, and the exact text it would get back.
//!
//! Models that call tools get parameters wrong: a key is missing, misspelled or invented, a type drifts, a value is outside
//! the list. This crate says what a strict runtime finds in such a call, and the text that the model would read.
//!
//! # In an agent
//!
//! The gate stands where a tool is executed. A call that is rejected reaches neither hook, permission nor tool; its text
//! goes back as an ordinary tool result, and the conversation goes on:
//!
//! ```
//! use misfire::definition::{Catalog, Definition};
//! use misfire::dialect::{WireForm, wire};
//! use misfire::gate::{Arguments, Gate};
//!
//! struct Call<'a> { id: &'a str, tool: &'a str, arguments: &'a str, finish_reason: Option<&'a str> }
//!
//! /// Runs one call, or says why not, in the form that the model's provider wants.
//! fn execute(gate: &Gate, call: &Call<'_>, mut run: impl FnMut(&str) -> String) -> String {
//!     let verdict = gate.judge(call.tool, &Arguments::text(call.arguments), call.finish_reason);
//!     if let Some(result) = wire(WireForm::OpenAi, &verdict, Some(call.id)) {
//!         return result.to_json(); // No hook, no permission prompt, no tool.
//!     }
//!     // From here on as if there were no gate: hook, permission, tool.
//!     run(call.arguments)
//! }
//!
//! let definitions = Definition::parse(br#"[{"type": "function", "function": {"name": "TaskUpdate", "parameters": {
//!     "type": "object",
//!     "properties": {"taskId": {"type": "string"}, "status": {"type": "string", "enum": ["pending", "completed"]}},
//!     "required": ["taskId"]}}}]"#)?;
//! let gate = Gate::new(&Catalog::from_definitions(definitions));
//!
//! let mut ran = 0;
//! let mut conversation = Vec::new();
//! for arguments in [r#"{"id": "2", "status": "completed"}"#, r#"{"taskId": "2", "status": "completed"}"#] {
//!     let call = Call { id: "call_1", tool: "TaskUpdate", arguments, finish_reason: None };
//!     conversation.push(execute(&gate, &call, |_| { ran += 1; "Updated task #2".to_owned() }));
//! }
//! assert_eq!(ran, 1, "only the second call reached the tool");
//! assert_eq!(conversation, [
//!     r#"{"role":"tool","tool_call_id":"call_1","content":"TaskUpdate failed due to the following issue(s):\nThe required parameter `taskId` is missing\nAn unexpected parameter `id` was provided"}"#,
//!     "Updated task #2",
//! ]);
//! # Ok::<(), misfire::definition::ReadError>(())
//! ```

pub mod capture;
#[cfg(feature = "cli")]
pub mod cli;
pub mod definition;
#[cfg(feature = "cli")]
pub mod demo;
pub mod dialect;
pub mod gate;
pub mod json;
#[cfg(feature = "jsonschema")]
pub mod lint;
pub mod replay;
pub mod report;
#[cfg(feature = "jsonschema")]
pub mod review;
#[cfg(feature = "tui")]
pub mod tui;
