//! Findings as workflow commands of GitHub Actions, which show beside the lines of a pull request.
//!
//! GitHub keeps ten annotations of a kind for each step and drops the rest without a word (actions/toolkit, problem
//! matchers), so no more are written, and one line says how many there are.

use super::findings::{Suite, worst_first};
use crate::lint::Severity;
use std::io::{self, Write};

/// Annotations of one kind that are kept.
const MOST: usize = 10;

/// Writes findings as annotations.
///
/// # Errors
/// If the output could not be written.
pub fn github(out: &mut dyn Write, suites: &[Suite<'_>]) -> io::Result<()> {
    let mut written = [0; 3];
    let mut left = 0;
    for (suite, item) in worst_first(suites) {
        let (kind, command) = match item.severity {
            Severity::Error => (0, "error"),
            Severity::Warning => (1, "warning"),
            Severity::Note => (2, "notice"),
        };
        // The last place of the notices is for the line that counts the rest.
        if written[kind] >= MOST - usize::from(kind == 2) {
            left += 1;
            continue;
        }
        written[kind] += 1;
        let file = if item.file.as_os_str().is_empty() {
            String::new()
        } else {
            format!("file={},line={},", property(&item.file.to_string_lossy()), item.line)
        };
        let title = property(item.rule);
        let tool = data(suite.tool);
        writeln!(out, "::{command} {file}title={title}::{tool}: {}", data(item.message))?;
    }
    if left > 0 {
        writeln!(out, "::notice title=misfire::{left} more findings are not shown here")?;
    }
    Ok(())
}

/// The text of a command: what would end it is escaped.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property's value: what would end that is escaped too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
