//! Annotations of GitHub Actions: one line each on stdout.

use super::item::{Item, slashed};
use crate::json::Visible;
use std::fmt::Write as _;

/// So many annotations of a kind a step may have; what is beyond is dropped without a word (actions/toolkit,
/// docs/problem-matchers.md, "Limitations").
const MOST: usize = 10;

/// The findings as annotations, the worst first: at most ten of a kind, the last notice saying how many there are besides.
#[must_use]
pub fn annotations(items: &[Item<'_>]) -> String {
    let mut out = String::new();
    let mut left = 0;
    for (severity, command) in [("error", "error"), ("warning", "warning"), ("note", "notice")] {
        let found: Vec<&Item<'_>> = items.iter().filter(|i| i.severity == severity && i.accepted.is_none()).collect();
        // One notice is kept for the count of what is not shown.
        let most = if command == "notice" { MOST - 1 } else { MOST };
        left += found.len().saturating_sub(most);
        for item in found.into_iter().take(most) {
            let file = property(&slashed(item.file));
            let title = property(item.rule);
            let tool = if item.tool.is_empty() { String::new() } else { format!("{}: ", item.tool) };
            let message = data(&format!("{tool}{}", item.message));
            // Writing to a string cannot fail.
            let _ = writeln!(out, "::{command} file={file},line={},title={title}::{message}", item.line);
        }
    }
    if left > 0 {
        let _ = writeln!(out, "::notice title=misfire::{left} more findings are not shown here; see the report");
    }
    out
}

/// A message: `%` and line ends are escaped (actions/toolkit, `command.ts`), the rest is made visible.
fn data(text: &str) -> String {
    Visible::new(text).into_string().replace('%', "%25")
}

/// A property: `:` and `,` too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn item<'a>(severity: &'a str, message: &'a str) -> Item<'a> {
        Item {
            rule: "a-rule",
            severity,
            tool: "t",
            file: Path::new("a,b:c.json"),
            line: 3,
            message,
            fingerprint: "f",
            accepted: None,
        }
    }

    #[test]
    fn escaped_as_the_runner_unescapes() {
        let text = annotations(&[item("error", "100%\n::error::gotcha")]);
        assert_eq!(text, "::error file=a%2Cb%3Ac.json,line=3,title=a-rule::t: 100%25<LF>::error::gotcha\n");
    }

    #[test]
    fn no_more_than_are_shown() {
        let many: Vec<Item<'_>> = ["error", "warning", "note"].iter().flat_map(|s| (0..12).map(|_| item(s, "m"))).collect();
        let text = annotations(&many);
        assert_eq!(text.lines().count(), 30);
        assert!(text.ends_with("::7 more findings are not shown here; see the report\n"), "{text}");
        let accepted = [Item { accepted: Some("wanted"), ..item("error", "m") }];
        assert_eq!(annotations(&accepted), "");
    }
}
