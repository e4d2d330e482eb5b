//! The formats that can be read: one small module each, behind one trait, in one table.
//!
//! A format turns a value (a line, or a whole document) into events and knows nothing else. Reading bytes, pairing results,
//! finding repeats, counting and reporting are the same for all and are done elsewhere.

mod claude;
mod openai;
mod own;
mod wave;

use super::event::Event;
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

/// What a format remembers from one value of a file for the next.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {}

/// Every format; of two that are equally sure of a file, the first here holds.
pub(crate) static FORMATS: [&dyn Format; 4] = [&own::Own, &wave::Wave, &claude::Claude, &openai::OpenAiChat];

/// The format of that name.
pub(crate) fn by_name(name: &str) -> Option<&'static dyn Format> {
    FORMATS.into_iter().find(|format| format.name() == name)
}
