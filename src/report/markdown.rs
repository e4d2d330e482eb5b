//! Findings as Markdown for a pull request or a step summary. Everything that comes from a definition is escaped:
//! descriptions and names are anybody's text.

use super::findings::{Suite, count_words, counts, worst_first};
use crate::json::Visible;
use std::io::{self, Write};

/// Rows of the table; a comment of GitHub takes about 65,000 characters.
const MOST: usize = 100;

/// Writes findings as a heading with the counts and a table, the worst first.
///
/// # Errors
/// If the output could not be written.
pub fn markdown(out: &mut dyn Write, title: &str, suites: &[Suite<'_>]) -> io::Result<()> {
    writeln!(out, "### {}: {}\n", escaped(title), count_words(counts(suites)))?;
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
            code(suite.tool),
            code(&place),
            escaped(item.message),
            item.rule
        )?;
    }
    if all.len() > MOST {
        writeln!(out, "\n{} more are not shown.", all.len() - MOST)?;
    }
    Ok(())
}

/// Text that Markdown and HTML leave alone, on one line.
#[must_use]
pub fn escaped(text: &str) -> String {
    let visible = Visible::new(text).into_string();
    let mut out = String::with_capacity(visible.len());
    for c in visible.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // Mentions and issue numbers are links to GitHub, wherever they stand.
            '@' | '#' => {
                out.push(c);
                out.push('\u{2060}');
            }
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '|' | '~' | '!' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

/// Text in code style, on one line; in a table, where a bar would end the cell.
#[must_use]
pub fn code(text: &str) -> String {
    let visible = Visible::new(text).into_string();
    if visible.is_empty() {
        return String::new();
    }
    let longest = visible.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if visible.starts_with('`') || visible.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{}{pad}{fence}", visible.replace('|', "\\|"))
}
