//! Judged calls as Markdown: counts, and each failing call with the text that the model gets. Calls are anybody's text, so what
//! comes from them stands in code.

use super::escape::code;
use super::text::Tally;
use crate::capture::Call;
use crate::dialect;
use crate::gate::Verdict;
use crate::json::Visible;
use std::fmt::Write as _;
use std::io;

/// Failing calls that are written out; more would be read by nobody.
const MOST: usize = 500;

/// Calls, one after the other.
#[derive(Debug, Default)]
pub struct CallsReport {
    tally: Tally,
    failing: usize,
    sections: String,
}

impl CallsReport {
    /// Adds a call. One that was still being streamed counts, and does not fail.
    pub fn add(&mut self, call: &Call, verdict: &Verdict) {
        self.tally.add(verdict, call.pending);
        if call.pending || !verdict.is_error() {
            return;
        }
        self.failing += 1;
        if self.failing > MOST {
            return;
        }
        // Writing to a string cannot fail.
        let place = if call.place.line > 0 { format!("{}\n\n", code(&call.place.to_string(), false)) } else { String::new() };
        let id = call.id.as_deref().map(|id| format!(" {}", code(id, false))).unwrap_or_default();
        let _ = write!(self.sections, "## {}{id}: {}\n\n{place}", code(&call.tool, false), verdict.kind.name());
        for issue in &verdict.issues {
            let place = code(if issue.path.is_empty() { "(the arguments)" } else { &issue.path }, false);
            let expected = issue.kind.expected().map(|e| format!(": expected {}", code(e, false))).unwrap_or_default();
            let provided = issue.kind.provided().map(|p| format!(", provided {}", code(p, false))).unwrap_or_default();
            let _ = writeln!(self.sections, "- {} {place}{expected}{provided}", issue.kind.name());
        }
        if let Some(text) = dialect::text(verdict) {
            let lines: Vec<String> = Visible::lines(&text).map(|line| line.to_string()).collect();
            let _ = writeln!(self.sections, "\nThe model would read:\n\n{}", fenced(&lines.join("\n")));
        }
    }

    /// Writes the report.
    ///
    /// # Errors
    /// If the output could not be written.
    pub fn write(&self, out: &mut dyn io::Write) -> io::Result<()> {
        writeln!(out, "# Tool calls\n\n{}\n", self.tally.line())?;
        out.write_all(self.sections.as_bytes())?;
        if self.failing > MOST {
            writeln!(out, "{} more that fail are not listed.", self.failing - MOST)?;
        }
        Ok(())
    }
}

/// A block of code whose fence is longer than any run of backticks in it.
fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{text}\n{fence}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::{Catalog, Definition};
    use crate::gate::{Arguments, Gate};
    use crate::replay::judge;

    #[test]
    fn what_a_model_wrote_stays_text() {
        let definition = br#"{"name":"t","parameters":{"properties":{"a":{"type":"string"}},"required":["a"]}}"#;
        let gate = Gate::new(&Catalog::from_definitions(Definition::parse(definition).unwrap()));
        let mut report = CallsReport::default();
        for (tool, arguments) in [("t", r#"{"a":"x"}"#), ("t", r#"{"```\n# x":1}"#), ("<b>`", "{")] {
            let call = Call::new(tool, Arguments::text(arguments));
            report.add(&call, &judge(&gate, &call));
        }
        let mut out = Vec::new();
        report.write(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.starts_with("# Tool calls\n\n3 calls: 1 accepted, 1 rejected, 1 unknown_tool"), "{text}");
        assert!(text.contains("## `t`: rejected") && text.contains("## `` <b>` ``: unknown_tool"), "{text}");
        assert!(!text.lines().any(|line| line == "# x"), "{text}");
    }
}
