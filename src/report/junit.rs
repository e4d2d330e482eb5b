//! JUnit XML, as GitLab, Jenkins and others read it: a suite a file, a case a tool, so that it shows how many tools of how
//! many are concerned.

use super::item::{Item, slashed};
use crate::json::Visible;
use std::fmt::Write as _;
use std::path::Path;

/// A tool that was looked at: a case, whether or not anything was found.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The tool.
    pub tool: &'a str,
    /// Its file.
    pub file: &'a Path,
}

/// The findings by tool. A tool fails for findings that `fails` says count.
#[must_use]
pub fn junit(cases: &[Case<'_>], items: &[Item<'_>], fails: &dyn Fn(&Item<'_>) -> bool) -> String {
    let mut all: Vec<Case<'_>> = cases.to_vec();
    for item in items {
        if !all.iter().any(|case| case.tool == item.tool && case.file == item.file) {
            all.push(Case { tool: item.tool, file: item.file });
        }
    }
    let mut files: Vec<&Path> = all.iter().map(|case| case.file).collect();
    files.sort_unstable();
    files.dedup();
    let counts = |item: &&Item<'_>| item.accepted.is_none() && fails(item);
    let of = |case: &Case<'_>| -> Vec<&Item<'_>> {
        items.iter().filter(|item| item.tool == case.tool && item.file == case.file).collect()
    };
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"misfire\">\n");
    for file in files {
        let cases: Vec<&Case<'_>> = all.iter().filter(|case| case.file == file).collect();
        let failures = cases.iter().filter(|case| of(case).iter().any(counts)).count();
        let name = text(&slashed(file));
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{failures}\" errors=\"0\">", cases.len());
        for case in cases {
            let tool = if case.tool.is_empty() { "(the list of tools)" } else { case.tool };
            let _ = writeln!(out, "    <testcase name=\"{}\" classname=\"{name}\">", text(tool));
            for item in of(case) {
                let line = format!(
                    "{} {}: {} ({}:{}) {}",
                    item.severity,
                    item.rule,
                    item.message,
                    slashed(file),
                    item.line,
                    item.fingerprint
                );
                let line = match item.accepted {
                    Some(reason) => text(&format!("{line} accepted: {reason}")),
                    None => text(&line),
                };
                let _ = if counts(&item) {
                    writeln!(
                        out,
                        "      <failure type=\"{}\" message=\"{}\">{line}</failure>",
                        text(item.rule),
                        text(item.message)
                    )
                } else {
                    writeln!(out, "      <system-out>{line}</system-out>")
                };
            }
            out.push_str("    </testcase>\n");
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

/// Text for XML 1.0, in which most control characters cannot be written at all: they are made visible.
fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in Visible::new(text).as_str().chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_for_each_tool() {
        let file = Path::new("tools/a.json");
        let case = |tool| Case { tool, file };
        let item = Item {
            rule: "tool-removed",
            severity: "error",
            tool: "x",
            file,
            line: 1,
            message: "gone & \"\u{1}<",
            fingerprint: "f",
            accepted: None,
        };
        let xml = junit(&[case("x"), case("y")], &[item], &|item| item.severity == "error");
        assert!(xml.contains("tests=\"2\" failures=\"1\""));
        assert!(xml.contains("message=\"gone &amp; &quot;&lt;SOH&gt;&lt;\""), "{xml}");
    }
}
