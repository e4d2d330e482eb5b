//! Findings as Markdown for a pull request or a step summary. Everything that comes from a definition is escaped:
//! descriptions and names are anybody's text.

use super::escape::{code, text};
use super::findings::{Suite, count_words, counts, worst_first};
use std::io::{self, Write};

/// Rows of the table; a comment of GitHub takes about 65,000 characters.
const MOST: usize = 100;

/// Writes findings as a heading with the counts and a table, the worst first.
///
/// # Errors
/// If the output could not be written.
pub fn markdown(out: &mut dyn Write, title: &str, suites: &[Suite<'_>]) -> io::Result<()> {
    writeln!(out, "### {}: {}\n", text(title), count_words(counts(suites)))?;
    let all = worst_first(suites);
    if all.is_empty() {
        return writeln!(out, "{} tools, nothing found.", suites.len());
    }
    writeln!(out, "| | tool | where | what | rule |\n| --- | --- | --- | --- | --- |")?;
    for (suite, item) in all.iter().take(MOST) {
        let place =
            if item.file.as_os_str().is_empty() { String::new() } else { format!("{}:{}", item.file.display(), item.line) };
        let targets = if item.targets.is_empty() { String::new() } else { format!(" ({})", item.targets.join(", ")) };
        writeln!(
            out,
            "| {} | {} | {} | {}{targets} | `{}` |",
            item.severity,
            code(suite.tool, true),
            code(&place, true),
            text(item.message),
            item.rule
        )?;
    }
    if all.len() > MOST {
        writeln!(out, "\n{} more are not shown.", all.len() - MOST)?;
    }
    Ok(())
}
