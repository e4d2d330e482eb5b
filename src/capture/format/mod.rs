//! The formats that can be read: one small module each, behind one trait, in one table.
//!
//! A format turns a value (a line, or a whole document) into events and knows nothing else. Reading bytes, pairing results,
//! finding repeats, counting and reporting are the same for all and are done elsewhere.

mod api;
mod bfcl;
mod cassette;
mod claude;
mod codex;
mod gemini_cli;
mod gemini_fake;
mod managed;
mod mcp;
mod otel;
mod own;
mod swe;
mod tau2;
mod wave;

pub(crate) use api::Assembler;

use super::event::{Event, Start};
use crate::json::View;

/// A capture format.
pub(crate) trait Format: Sync {
    /// Its name, as `--format-in` takes it.
    fn name(&self) -> &'static str;

    /// What it is, for people.
    fn title(&self) -> &'static str;

    /// How surely a value is of this format: 0 for not at all, [`SURE`] where no other format has such values. Values that
    /// tell nothing weigh nothing; a file is of the format whose weights sum up to most.
    fn weigh(&self, value: View<'_>) -> u32;

    /// Whether results may stand apart from their calls, so that calls without one must be remembered.
    fn answers_apart(&self) -> bool {
        true
    }

    /// Whether files of it may be logs, in which other lines and what stands around a value are nothing to report.
    fn is_log(&self) -> bool {
        false
    }

    /// Where in a line of a log a value of this format begins.
    fn value_in(&self, _line: &[u8]) -> Option<usize> {
        None
    }

    /// Says what the value holds.
    ///
    /// # Errors
    /// What a value of this format must be, in words, where this one is not: for formats in which every line is a call.
    fn read(&self, value: View<'_>, state: &mut State, out: &mut dyn FnMut(Event<'_>)) -> Result<(), &'static str>;
}

/// The weight of a value that only one format has.
pub(crate) const SURE: u32 = 100;

/// The weight of a value that has the outer form of a format, but tells nothing of calls.
pub(crate) const LIKELY: u32 = 10;

/// What is remembered from one value of a file for the next.
#[derive(Default)]
pub(crate) struct State {
    pub context: Context,
    /// Calls that come in pieces.
    pub stream: Assembler,
    /// The line that is being read; none in a document, which is read at once.
    pub unit: Option<Start>,
    /// The time with which that line begins, in a log.
    pub log_time: Option<String>,
}

/// What earlier lines say of later ones. Small: an index keeps it for every place at which it changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Context {
    pub session: Option<String>,
    pub model: Option<String>,
}

/// How many formats at the end of the table are those of APIs, which find their values wherever they stand, and are at most
/// [`SURE`] of one.
pub(crate) const APIS: usize = 5;

/// Every format; of two that are equally sure of a file, the first here holds.
pub(crate) static FORMATS: [&dyn Format; 20] = [
    &own::Own,
    &wave::Wave,
    &claude::Claude,
    &codex::Codex,
    &gemini_cli::Session,
    &gemini_cli::Stream,
    &gemini_fake::GeminiFake,
    &mcp::Mcp,
    &otel::Otel,
    &swe::SweAgent,
    &tau2::Tau2,
    &bfcl::Bfcl,
    &managed::Managed,
    &cassette::Cassette,
    &cassette::Har,
    &api::OPENAI_CHAT,
    &api::OPENAI_RESPONSES,
    &api::ANTHROPIC,
    &api::GEMINI,
    &api::BEDROCK,
];

/// The format of that name.
pub(crate) fn by_name(name: &str) -> Option<&'static dyn Format> {
    FORMATS.into_iter().find(|format| format.name() == name)
}
