//! Judged calls as one HTML file: nothing in it is run or loaded, and it reads well in the light and in the dark.

use crate::json::Visible;

/// What stands before the calls. Colours are those of whoever reads; the policy says that nothing is loaded, whatever a call
/// would smuggle in.
pub(super) const START: &str = r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Tool calls</title>
<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; background: Canvas; color: CanvasText; }
h1, h2 { line-height: 1.2; }
h2 { font-size: 1.1rem; margin-top: 2rem; padding-top: 1rem; border-top: 1px solid GrayText; }
code, pre { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; padding: 0.75rem; border: 1px solid GrayText; border-radius: 0.25rem; }
</style>
</head>
<body>
"#;

/// What stands behind them.
pub(super) const END: &str = "</body>\n</html>\n";

/// Text inside an element or an attribute: nothing in it is acted on.
pub(super) fn text(text: &str) -> String {
    let visible = Visible::new(text);
    let mut out = String::with_capacity(visible.as_str().len() + 16);
    for c in visible.as_str().chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// Text as code.
pub(super) fn code(code: &str) -> String {
    format!("<code>{}</code>", text(code))
}

/// Lines as they are.
pub(super) fn block(lines: &str) -> String {
    let lines: Vec<String> = Visible::lines(lines).map(|line| text(line.as_str())).collect();
    // A line end right behind the element's beginning is not shown: one that is part of the text comes after it.
    format!("<pre>\n{}</pre>\n", lines.join("\n"))
}
