//! A line to fill in, one mechanism for all of them: a filter, the name of a tool, a text to search for, a comment, a revision.

use super::State;
use super::explorer::Item;
use super::tools::ToolKey;
use crate::capture::index::CallId;
use crate::replay::filter::{Candidate, Completion, FilterError, Known, complete, meant};
use crate::tui::layout::Pane;
use crate::tui::line_input::LineInput;
use std::collections::HashMap;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A filter for the list of calls.
    Filter,
    /// Letters of a tool's name.
    Tools,
    /// Letters of the name of a tool to go to.
    GoTo,
    /// Letters of what the row of a call to go to shows.
    GoToCall,
    /// A text to search for in what is shown of a call.
    Search,
    /// Words to search for in the definitions.
    Definitions,
    /// A comment on a call.
    Comment(CallId),
    /// The file to export to.
    ExportAs,
    /// Why a finding is accepted.
    Reason,
    /// The git revision that a review compares with.
    ReviewBase,
    /// The git revision that flips are counted from.
    Baseline,
}

impl Purpose {
    /// What stands before the line.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Filter => "filter: ",
            Self::Tools => "tools: ",
            Self::GoTo => "go to tool: ",
            Self::GoToCall => "go to call: ",
            Self::Search => "search: ",
            Self::Definitions => "search definitions: ",
            Self::Comment(_) => "comment: ",
            Self::ExportAs => "export to: ",
            Self::Reason => "reason: ",
            Self::ReviewBase => "review against: ",
            Self::Baseline => "flips since: ",
        }
    }

    /// What stands in an empty line.
    #[must_use]
    pub fn placeholder(self) -> &'static str {
        match self {
            Self::Filter => "tool:Task* is:bad \"two words\"",
            Self::Tools | Self::GoTo => "letters of the name",
            Self::GoToCall => "letters of tool, issue, arguments, id, model, session",
            Self::Search => "text, in lower case for any case",
            Self::Definitions => "name, type, value or description",
            Self::Comment(_) => "nothing takes the comment away",
            Self::ExportAs => "a file, as seen from the folder where the program was started",
            Self::Reason => "in a few words",
            Self::ReviewBase | Self::Baseline => "main, HEAD~2, v1.2, main...",
        }
    }

    /// What has to be said of it beyond its name.
    #[must_use]
    pub fn message(self) -> Option<&'static str> {
        match self {
            Self::Reason => Some("Why is this finding accepted? It is recorded with the finding, for whoever asks later."),
            Self::ReviewBase => Some(
                "The git revision to review against, or with ... behind it the merge base with it; nothing: that with the \
                 default branch.",
            ),
            Self::Baseline => Some(
                "The git revision to count flips from, or with ... behind it the merge base with it; nothing: that with the \
                 default branch.",
            ),
            _ => None,
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
    /// How many lines further back than what was typed the line is, and what was typed.
    pub(in crate::tui) recalled: (usize, String),
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
    pub(in crate::tui) definition: Option<Item>,
    /// Whether somebody had chosen the call, and whether the newest was followed.
    pub(in crate::tui) chosen: (bool, bool),
}

/// Lines that were taken, by what they were for: they can be had again.
#[derive(Clone, Debug, Default)]
pub struct Recall(HashMap<&'static str, Vec<String>>);

/// Lines of one kind, the oldest first, as they are kept between runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptLines {
    /// What they are for, as [`Purpose::label`] says it.
    pub label: String,
    /// The lines.
    pub lines: Vec<String>,
}

impl Recall {
    /// So many are remembered of each kind.
    const MOST: usize = 50;
    /// What is asked for again in another run. Comments and reasons are about one thing, files are named anew.
    const KEPT: [Purpose; 5] = [Purpose::Filter, Purpose::Search, Purpose::Definitions, Purpose::ReviewBase, Purpose::Baseline];

    /// Remembers a line as the last one.
    pub fn remember(&mut self, purpose: Purpose, line: &str) {
        if line.trim().is_empty() {
            return;
        }
        let lines = self.0.entry(purpose.label()).or_default();
        lines.retain(|known| known != line);
        lines.push(line.to_owned());
        lines.drain(..lines.len().saturating_sub(Self::MOST));
    }

    /// What is kept for the next run.
    #[must_use]
    pub fn to_keep(&self) -> Vec<KeptLines> {
        let kept = Self::KEPT.iter().filter_map(|purpose| {
            let lines = self.0.get(purpose.label())?.clone();
            Some(KeptLines { label: purpose.label().trim_end().to_owned(), lines })
        });
        kept.collect()
    }

    /// Goes on from what the last run kept.
    pub fn take_back(&mut self, kept: Vec<KeptLines>) {
        for KeptLines { label, lines } in kept {
            let Some(purpose) = Self::KEPT.into_iter().find(|purpose| purpose.label().trim_end() == label) else { continue };
            for line in &lines {
                self.remember(purpose, line);
            }
        }
    }

    /// The line so many steps back, from 1, leaving out one that is there already; the oldest, if there are not so many.
    #[must_use]
    pub fn back(&self, purpose: Purpose, steps: usize, but: &str) -> Option<(usize, &str)> {
        let lines: Vec<&String> = self.0.get(purpose.label())?.iter().rev().filter(|line| *line != but).collect();
        let steps = steps.min(lines.len());
        Some((steps, lines.get(steps.checked_sub(1)?)?.as_str()))
    }
}

/// Places of issues that are offered.
const POINTERS: usize = 500;

impl State {
    /// Whether there is something that can be typed next.
    pub(super) fn completes(&self, prompt: &Prompt) -> bool {
        prompt.purpose == Purpose::Filter && !self.completion(prompt).candidates.is_empty()
    }

    /// Whether what is written can be taken.
    pub(super) fn accepts(&self, prompt: &Prompt) -> bool {
        match prompt.purpose {
            Purpose::Filter => prompt.error.is_none(),
            Purpose::GoTo => !self.data.tools.rows().is_empty(),
            Purpose::ExportAs => !prompt.input.text().trim().is_empty(),
            Purpose::GoToCall => self.fuzzy.pending || !self.fuzzy.found.is_empty(),
            _ => true,
        }
    }

    /// A filter that is being written at its end, as it is meant: where only the beginning of a name stands there, it has a star.
    pub(in crate::tui) fn meant(&self, text: &str) -> String {
        let (rows, tools) = (&self.data.rows, &self.data.tools);
        let tools: Vec<&str> = tools.all().iter().flat_map(|row| row.names.iter().map(|name| &**name)).collect();
        let models: Vec<&str> = rows.models().map(|name| &**name).collect();
        let sessions: Vec<&str> = rows.sessions().map(|name| &**name).collect();
        let known = Known { tools: &tools, models: &models, sessions: &sessions, ..Known::default() };
        meant(text, &known).into_owned()
    }

    /// What can be typed next in a filter.
    #[must_use]
    pub fn completion(&self, prompt: &Prompt) -> Completion {
        let (rows, tools) = (&self.data.rows, &self.data.tools);
        let names: Vec<&str> = tools.all().iter().flat_map(|row| row.names.iter().map(|name| &**name)).collect();
        let models: Vec<&str> = rows.models().map(|name| &**name).collect();
        let sessions: Vec<&str> = rows.sessions().map(|name| &**name).collect();
        let files: Vec<&str> = rows.file_names().collect();
        let first = self.data.calls.from(0).iter().take(POINTERS);
        let mut pointers: Vec<&str> = first.flat_map(|id| rows.places(*id)).map(|place| &**place).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_had_again_the_last_one_first() {
        let mut recall = Recall::default();
        for line in ["a", "b", " ", "a", "c"] {
            recall.remember(Purpose::Filter, line);
        }
        assert_eq!(recall.back(Purpose::Filter, 1, ""), Some((1, "c")));
        assert_eq!(recall.back(Purpose::Filter, 1, "c"), Some((1, "a")), "that is there already");
        assert_eq!(recall.back(Purpose::Filter, 9, ""), Some((3, "b")));
        assert_eq!(recall.back(Purpose::Search, 1, ""), None, "each kind has its own");
        recall.remember(Purpose::Reason, "once");
        let mut next = Recall::default();
        next.take_back(recall.to_keep());
        assert_eq!(next.back(Purpose::Filter, 3, ""), Some((3, "b")), "in the next run too");
        assert_eq!(next.back(Purpose::Reason, 1, ""), None, "but what is about one thing");
    }
}
