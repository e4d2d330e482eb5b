//! A line that is asked for.

use crate::tui::line_input::LineInput;

/// The line, and what it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// What it is for.
    pub asks: Asks,
    /// What is written.
    pub input: LineInput,
}

/// What a line is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// Why a finding is accepted.
    Reason,
    /// The git revision that a review compares with.
    ReviewBase,
    /// The git revision that flips are counted from.
    Baseline,
}

impl Asks {
    /// What is asked, in words.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Reason => "Why is this finding accepted?",
            Self::ReviewBase => "Review against which git revision?",
            Self::Baseline => "Count flips from the definitions at which git revision?",
        }
    }

    /// What may be written.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            Self::Reason => "It is recorded with the finding, for whoever asks later.",
            Self::ReviewBase | Self::Baseline => {
                "main, HEAD~2, v1.2, or main... for the merge base with it; nothing: the default branch's"
            }
        }
    }
}

impl Asked {
    /// A line that begins with a text.
    #[must_use]
    pub fn new(asks: Asks, text: &str) -> Self {
        let mut input = LineInput::default();
        input.insert(text);
        Self { asks, input }
    }
}
