//! Text of others in Markdown, so that it stays text: definitions and calls are untrusted.

use crate::json::Visible;

/// Text as it is. What Markdown or HTML would act on is escaped; what would notify people or make links (`@name`, `#1`,
/// addresses) is broken by a character without width, because GitHub looks for these after everything is unescaped.
pub(super) fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let visible = Visible::new(text);
    let mut chars = visible.as_str().chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '@' | '#' => {
                out.push(c);
                out.push_str("&#8203;");
            }
            ':' if chars.peek() == Some(&'/') => out.push_str(":&#8203;"),
            'w' if out.ends_with("ww") => out.push_str("w&#8203;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

/// Text as code: nothing in it is acted on. `in_table`: a bar has to be escaped there, in code too.
pub(super) fn code(text: &str, in_table: bool) -> String {
    let visible = Visible::new(text);
    let inner = visible.as_str();
    if inner.is_empty() {
        return String::new();
    }
    let longest = inner.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    // A space keeps the text's own backticks from the fence; one on each side is taken away again (CommonMark, 6.1).
    let pad = if inner.starts_with(['`', ' ']) || inner.ends_with(['`', ' ']) { " " } else { "" };
    let inner = if in_table { inner.replace('|', "\\|") } else { inner.to_owned() };
    format!("{fence}{pad}{inner}{pad}{fence}")
}

/// A sentence in which names stand in backticks: those parts become code, the others text. Whoever puts a backtick into a
/// name only moves where code begins.
pub(super) fn sentence(sentence: &str, in_table: bool) -> String {
    let parts: Vec<&str> = sentence.split('`').collect();
    let last = parts.len() - 1;
    let mut out = String::new();
    for (i, part) in parts.iter().enumerate() {
        // After an odd number of backticks the last one opens nothing.
        out.push_str(&if i % 2 == 1 && i < last { code(part, in_table) } else { text(part) });
    }
    out
}

/// Text inside HTML, as `<summary>` is. Mentions and links are looked for there too.
pub(super) fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let visible = Visible::new(text);
    let mut chars = visible.as_str().chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '`' => out.push_str("&#96;"),
            '[' => out.push_str("&#91;"),
            ':' if chars.peek() == Some(&'/') => out.push_str(":&#8203;"),
            '@' | '#' => {
                out.push(c);
                out.push_str("&#8203;");
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_acted_on() {
        assert_eq!(
            text("<b>*x*</b> @me #1 a|b http://x www.y \n"),
            "&lt;b&gt;\\*x\\*&lt;/b&gt; @&#8203;me #&#8203;1 a\\|b http:&#8203;//x www&#8203;.y &lt;LF&gt;"
        );
        assert_eq!(code("a``b|c", true), "```a``b\\|c```");
        assert_eq!(code("`x", false), "`` `x ``");
        assert_eq!(sentence("`a` and b_c", false), "`a` and b\\_c");
        assert_eq!(sentence("`a <i>`` @x", false), "`a <i>` @&#8203;x");
        assert_eq!(html("<script>`@x"), "&lt;script&gt;&#96;@&#8203;x");
    }
}
