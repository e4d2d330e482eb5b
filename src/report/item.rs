//! What the formats for continuous integration need of a finding, whoever found it.

use std::path::Path;

/// A finding as an entry of a list that another program shows.
#[derive(Clone, Debug)]
pub struct Item<'a> {
    /// The rule's name.
    pub rule: &'a str,
    /// `error`, `warning` or `note`.
    pub severity: &'a str,
    /// The tool; empty for the list of tools.
    pub tool: &'a str,
    /// The file.
    pub file: &'a Path,
    /// The line, from 1.
    pub line: u32,
    /// The sentence.
    pub message: &'a str,
    /// What the finding is known by from run to run.
    pub fingerprint: &'a str,
    /// Why it has been accepted, if it has: it is shown and does not count.
    pub accepted: Option<&'a str>,
}

/// A file's path with `/` between its parts, as these formats want it; relative where it was given so.
pub(super) fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    parts.join("/").replacen("//", "/", 1)
}
