//! A line to fill in: a filter, the name of a tool, a text to search for, a comment.

use super::State;
use super::tools::ToolKey;
use crate::capture::index::CallId;
use crate::replay::filter::{Candidate, Completion, FilterError, Known, complete};
use crate::tui::layout::Pane;
use crate::tui::line_input::LineInput;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A filter for the list of calls.
    Filter,
    /// Letters of a tool's name.
    Tools,
    /// Letters of the name of a tool to go to.
    GoTo,
    /// A text to search for in what is shown of a call.
    Search,
    /// A comment on a call.
    Comment(CallId),
}

impl Purpose {
    /// What stands before the line.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Filter => "filter: ",
            Self::Tools => "tools: ",
            Self::GoTo => "go to tool: ",
            Self::Search => "search: ",
            Self::Comment(_) => "comment: ",
        }
    }

    /// What stands in an empty line.
    #[must_use]
    pub fn placeholder(self) -> &'static str {
        match self {
            Self::Filter => "tool:Task* is:bad \"two words\"",
            Self::Tools | Self::GoTo => "letters of the name",
            Self::Search => "text, in lower case for any case",
            Self::Comment(_) => "nothing takes the comment away",
        }
    }
}

/// A line that is being filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// What for.
    pub purpose: Purpose,
    /// The line.
    pub input: LineInput,
    /// What is wrong with it; the last good text is in force meanwhile.
    pub error: Option<FilterError>,
    /// The selected candidate.
    pub selected: usize,
    /// What is put back if it is not taken.
    pub(in crate::tui) before: Before,
}

/// How it was before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Before {
    pub(in crate::tui) text: String,
    pub(in crate::tui) on: bool,
    pub(in crate::tui) call: Option<CallId>,
    pub(in crate::tui) top: usize,
    pub(in crate::tui) focus: Pane,
    pub(in crate::tui) tool: ToolKey,
}

/// Places of issues that are offered.
const POINTERS: usize = 500;

impl State {
    /// What can be typed next in a filter.
    #[must_use]
    pub fn completion(&self, prompt: &Prompt) -> Completion {
        let (rows, tools) = (&self.data.rows, &self.data.tools);
        let names: Vec<&str> = tools.all().iter().flat_map(|row| row.names.iter().map(|name| &**name)).collect();
        let models: Vec<&str> = rows.models().map(|name| &**name).collect();
        let sessions: Vec<&str> = rows.sessions().map(|name| &**name).collect();
        let files: Vec<&str> = rows.file_names().collect();
        let mut pointers: Vec<&str> = self
            .data
            .calls
            .from(0)
            .iter()
            .take(POINTERS)
            .filter_map(|place| rows.get(place.id))
            .flat_map(|row| row.places.iter().map(|place| &**place))
            .collect();
        pointers.sort_unstable();
        pointers.dedup();
        let known = Known { tools: &names, models: &models, sessions: &sessions, files: &files, pointers: &pointers };
        let mut completion = complete(prompt.input.text(), prompt.input.cursor(), &known);
        let typed = prompt.input.text().get(completion.range.clone()).unwrap_or_default();
        // What is there already need not be offered.
        completion.candidates.retain(|candidate: &Candidate| candidate.text != typed);
        completion
    }
}
