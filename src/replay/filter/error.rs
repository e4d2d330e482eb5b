//! What is wrong with a filter's text, and where.

use crate::json::Visible;
use std::fmt;
use std::ops::Range;
use unicode_width::UnicodeWidthStr as _;

/// What is wrong with the text of a filter or of a sort order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError {
    /// The bytes that are wrong; empty at the end of a text that should go on.
    pub range: Range<usize>,
    /// What was expected there: `expected …`.
    pub expected: String,
    /// What to put in place of those bytes, if there is a good guess.
    pub suggestion: Option<String>,
}

impl FilterError {
    pub(super) fn new(range: Range<usize>, expected: impl Into<String>) -> Self {
        Self { range, expected: expected.into(), suggestion: None }
    }

    pub(super) fn suggest(mut self, suggestion: Option<String>) -> Self {
        self.suggestion = suggestion;
        self
    }

    /// The text with the bad bytes underlined, as two lines that are safe to show. `text` is what was parsed.
    #[must_use]
    pub fn underlined(&self, text: &str) -> String {
        // A range of another text must not panic.
        let part = |range: Range<usize>| Visible::new(text.get(range).unwrap_or_default()).into_string();
        let before = part(0..self.range.start).width();
        let carets = part(self.range.clone()).width().max(1);
        format!("{}\n{:before$}{:^>carets$}", Visible::new(text), "", "")
    }
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.expected)?;
        match &self.suggestion {
            Some(suggestion) => write!(f, "; did you mean `{suggestion}`?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for FilterError {}
