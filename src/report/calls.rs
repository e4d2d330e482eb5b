//! Judged calls as a report, in Markdown or HTML: counts, and each failing call with the text that the model gets. Calls are
//! anybody's text, so what comes from them stands in code.

use super::escape::code;
use super::html;
use super::text::Tally;
use crate::capture::Call;
use crate::dialect;
use crate::gate::{Issue, Verdict};
use crate::json::Visible;
use std::fmt::Write as _;
use std::io;

/// Calls that are written out; more would be read by nobody.
const MOST: usize = 500;

/// How the report is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Markup {
    /// Markdown.
    #[default]
    Markdown,
    /// One HTML file that runs and loads nothing.
    Html,
}

/// Calls, one after the other.
#[derive(Debug, Default)]
pub struct CallsReport {
    markup: Markup,
    tally: Tally,
    listed: usize,
    sections: String,
}

impl CallsReport {
    /// A report without calls.
    #[must_use]
    pub fn new(markup: Markup) -> Self {
        Self { markup, ..Self::default() }
    }

    /// Adds a call. One that was still being streamed counts, and does not fail.
    pub fn add(&mut self, call: &Call, verdict: &Verdict) {
        self.tally.add(verdict, call.pending);
        if call.pending || !verdict.is_error() {
            return;
        }
        let file = call.place.file.to_string_lossy();
        let place = Some(call.place.line).filter(|line| *line > 0);
        let (before, after) = self.markup.section(verdict, call.id.as_deref(), place.map(|_| &*file), call.pending);
        self.list(&before, place, &after);
    }

    /// Lists a call by what stands before and after the line on which it stands, as [`Markup::section`] gives it.
    pub fn list(&mut self, before: &str, line: Option<u32>, after: &str) {
        self.listed += 1;
        if self.listed > MOST {
            return;
        }
        self.sections.push_str(before);
        if let Some(line) = line {
            // Writing to a string cannot fail.
            let _ = write!(self.sections, "{line}");
        }
        self.sections.push_str(after);
    }

    /// Writes the report.
    ///
    /// # Errors
    /// If the output could not be written.
    pub fn write(&self, out: &mut dyn io::Write) -> io::Result<()> {
        self.write_with(&self.tally, out)
    }

    /// Writes the report with the counts of others than those that were added.
    ///
    /// # Errors
    /// If the output could not be written.
    pub fn write_with(&self, tally: &Tally, out: &mut dyn io::Write) -> io::Result<()> {
        let more = self.listed.saturating_sub(MOST);
        match self.markup {
            Markup::Markdown => {
                writeln!(out, "# Tool calls\n\n{}\n", tally.line())?;
                out.write_all(self.sections.as_bytes())?;
                if more > 0 {
                    writeln!(out, "{more} more are not listed.")?;
                }
            }
            Markup::Html => {
                write!(out, "{}<h1>Tool calls</h1>\n<p>{}</p>\n{}", html::START, html::text(&tally.line()), self.sections)?;
                if more > 0 {
                    writeln!(out, "<p>{more} more are not listed.</p>")?;
                }
                out.write_all(html::END.as_bytes())?;
            }
        }
        Ok(())
    }
}

impl Markup {
    /// What is written of a call: what comes before the line on which it stands in its file, and what comes after it.
    #[must_use]
    pub fn section(self, verdict: &Verdict, id: Option<&str>, file: Option<&str>, pending: bool) -> (String, String) {
        let kind = if pending { format!("{}, pending", verdict.kind.name()) } else { verdict.kind.name().to_owned() };
        let head = [Some(verdict.tool.as_str()), id].into_iter().flatten().map(|part| self.code(part));
        let head = head.collect::<Vec<_>>().join(" ");
        let issues = verdict.issues.iter().map(|issue| self.issue(issue)).collect::<Vec<_>>();
        let text = dialect::text(verdict);
        match self {
            Self::Markdown => {
                let before = format!("## {head}: {kind}\n\n");
                // The line stands in the same code as the file: a fence that is long enough for both.
                let (place, end) = file.map_or_else(Default::default, |file| open_code(&format!("{file}:")));
                let end = if file.is_some() { format!("{end}\n\n") } else { end };
                let issues: String = issues.iter().flat_map(|issue| ["- ", issue, "\n"]).collect();
                let text = text.map(|text| format!("\nThe model would read:\n\n{}\n", fenced(&visible(&text))));
                (before + &place, end + &issues + &text.unwrap_or_else(|| "\n".to_owned()))
            }
            Self::Html => {
                let before = format!("<section>\n<h2>{head}: {kind}</h2>\n");
                let (place, end) = file.map_or_else(Default::default, |file| {
                    (format!("<p><code>{}:", html::text(file)), "</code></p>\n".to_owned())
                });
                let items: String = issues.iter().flat_map(|issue| ["<li>", issue, "</li>\n"]).collect();
                let list = if items.is_empty() { items } else { format!("<ul>\n{items}</ul>\n") };
                let text = text.map(|text| format!("<p>The model would read:</p>\n{}", html::block(&text)));
                (before + &place, end + &list + &text.unwrap_or_default() + "</section>\n")
            }
        }
    }

    fn code(self, text: &str) -> String {
        match self {
            Self::Markdown => code(text, false),
            Self::Html => html::code(text),
        }
    }

    fn issue(self, issue: &Issue) -> String {
        let place = self.code(if issue.path.is_empty() { "(the arguments)" } else { &issue.path });
        let expected = issue.kind.expected().map(|e| format!(": expected {}", self.code(e))).unwrap_or_default();
        let provided = issue.kind.provided().map(|p| format!(", provided {}", self.code(p))).unwrap_or_default();
        format!("{} {place}{expected}{provided}", issue.kind.name())
    }
}

fn visible(text: &str) -> String {
    Visible::lines(text).map(|line| line.to_string()).collect::<Vec<_>>().join("\n")
}

/// The beginning of code, and its end, with room for a number behind it.
fn open_code(text: &str) -> (String, String) {
    let whole = code(&format!("{text}0"), false);
    let fence: String = whole.chars().take_while(|c| *c == '`').collect();
    let pad = if whole.ends_with(&format!(" {fence}")) { " " } else { "" };
    let end = format!("{pad}{fence}");
    let start = whole.strip_suffix(&format!("0{end}")).unwrap_or(&whole).to_owned();
    (start, end)
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
    use crate::capture::Place;
    use crate::definition::{Catalog, Definition};
    use crate::gate::{Arguments, Gate};
    use crate::json::Value;
    use crate::replay::judge;
    use proptest::prelude::*;
    use std::path::Path;

    /// Calls by a definition of one tool.
    fn report(markup: Markup, calls: &[(&str, &str)]) -> String {
        let definition = br#"{"name":"t","parameters":{"properties":{"a":{"type":"string"}},"required":["a"]}}"#;
        let gate = Gate::new(&Catalog::from_definitions(Definition::parse(definition).unwrap()));
        let mut report = CallsReport::new(markup);
        for (n, (tool, arguments)) in calls.iter().enumerate() {
            let mut call = Call::new(*tool, Arguments::text(arguments));
            call.id = (n > 0).then(|| format!("c{n}<i>"));
            if n > 1 {
                call.place = Place { file: Path::new("a`<b>.jsonl").into(), line: 7, offset: 0 };
            }
            report.add(&call, &judge(&gate, &call));
        }
        let mut out = Vec::new();
        report.write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    const CALLS: [(&str, &str); 3] = [("t", r#"{"a":"x"}"#), ("t", "{\"```\\n# x<script>alert(1)</script>\":1}"), ("<b>`", "{")];

    #[test]
    fn what_a_model_wrote_stays_text() {
        let text = report(Markup::Markdown, &CALLS);
        assert!(text.starts_with("# Tool calls\n\n3 calls: 1 accepted, 1 rejected, 1 unknown_tool"), "{text}");
        assert!(text.contains("## `t` `c1<i>`: rejected") && text.contains("## `` <b>` `` `c2<i>`: unknown_tool"), "{text}");
        assert!(text.contains("``a`<b>.jsonl:7``"), "{text}");
        assert!(!text.lines().any(|line| line == "# x"), "{text}");
    }

    #[test]
    fn a_page_says_the_same_and_runs_and_loads_nothing() {
        let page = report(Markup::Html, &CALLS);
        assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "{page}");
        assert!(page.contains("<p>3 calls: 1 accepted, 1 rejected, 1 unknown_tool"), "{page}");
        assert!(page.contains("<h2><code>&lt;b&gt;`</code> <code>c2&lt;i&gt;</code>: unknown_tool</h2>"), "{page}");
        assert!(page.contains("<code>a`&lt;b&gt;.jsonl:7</code>"), "{page}");
        for bad in ["<script", "<b>", "<i>", "src=", "href=", "url(", "@import", "<img", "<link"] {
            assert!(!page.contains(bad), "{bad}: {page}");
        }
        assert!(page.contains("default-src 'none'") && page.contains("color-scheme: light dark"));
    }

    /// The elements of the report itself, without attributes.
    const ELEMENTS: [&str; 10] = ["body", "code", "h1", "h2", "html", "li", "p", "pre", "section", "ul"];

    proptest! {
        #[test]
        fn no_call_writes_elements(tool in ".{0,12}", key in "[<>&\"'/a-z`=]{0,12}") {
            let arguments = Value::from([(key.as_str(), Value::from(tool.as_str()))]).to_json();
            let page = report(Markup::Html, &[("t", "{}"), ("t", &arguments), (&tool, &arguments)]);
            let body = page.strip_prefix(html::START).unwrap();
            for rest in body.split('<').skip(1) {
                let name = rest.split('>').next().unwrap().trim_start_matches('/');
                prop_assert!(ELEMENTS.contains(&name), "{name} in {page}");
            }
        }
    }
}
