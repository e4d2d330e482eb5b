//! Findings as `JUnit` XML, which GitLab, Jenkins and others show: a suite for each file, a case for each tool, so that one
//! sees how many of how many tools there is something about.

use super::findings::{Item, Suite};
use crate::json::Visible;
use crate::lint::Severity;
use std::io::{self, Write};

/// Writes findings as `JUnit` XML. A tool fails by what is at or above `fail_on`; the rest is in its output.
///
/// # Errors
/// If the output could not be written.
pub fn junit(out: &mut dyn Write, name: &str, suites: &[Suite<'_>], fail_on: Option<Severity>) -> io::Result<()> {
    let fails = |item: &Item<'_>| fail_on.is_some_and(|least| item.severity >= least);
    let failed = |suites: &[Suite<'_>]| suites.iter().filter(|suite| suite.items.iter().any(fails)).count();
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    let (tests, failures) = (suites.len(), failed(suites));
    writeln!(out, r#"<testsuites name="{}" tests="{tests}" failures="{failures}">"#, escaped(name))?;
    let mut rest = suites;
    while let Some(first) = rest.first() {
        let of_file = rest.iter().take_while(|suite| suite.file == first.file).count();
        let (here, after) = rest.split_at(of_file);
        rest = after;
        let file = escaped(&first.file.to_string_lossy());
        writeln!(out, r#"  <testsuite name="{file}" tests="{}" failures="{}">"#, here.len(), failed(here))?;
        for suite in here {
            case(out, suite, &file, &fails)?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

fn case(out: &mut dyn Write, suite: &Suite<'_>, file: &str, fails: &dyn Fn(&Item<'_>) -> bool) -> io::Result<()> {
    let name = escaped(suite.tool);
    let start = format!(r#"    <testcase name="{name}" classname="{file}" file="{file}" line="{}""#, suite.line);
    if suite.items.is_empty() {
        return writeln!(out, "{start}/>");
    }
    writeln!(out, "{start}>")?;
    for item in suite.items.iter().filter(|item| fails(item)) {
        let (rule, message) = (escaped(item.rule), escaped(item.message));
        writeln!(out, r#"      <failure type="{rule}" message="{message}">{}</failure>"#, escaped(&line(item)))?;
    }
    let others: Vec<String> = suite.items.iter().filter(|item| !fails(item)).map(|item| escaped(&line(item))).collect();
    if !others.is_empty() {
        writeln!(out, "      <system-out>{}</system-out>", others.join("\n"))?;
    }
    writeln!(out, "    </testcase>")
}

fn line(item: &Item<'_>) -> String {
    let place = if item.pointer.is_empty() { String::new() } else { format!(" at {}", item.pointer) };
    format!("{}:{} {} {}{place}: {}", item.file.display(), item.line, item.severity, item.rule, item.message)
}

/// Text for XML: its special characters as entities, and characters that XML cannot hold made visible.
fn escaped(text: &str) -> String {
    let holdable = |c: char| matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{FFFD}' | '\u{10000}'..);
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if holdable(c) => out.push(c),
            // The mark has angle brackets of its own.
            c => out.push_str(&Visible::new(c.encode_utf8(&mut [0; 4])).into_string().replace('<', "&lt;").replace('>', "&gt;")),
        }
    }
    out
}
