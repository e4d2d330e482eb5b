//! Validation texts as sessions recorded them: recognised by their wording, taken apart line by line.

/// A line of a validation text.
#[derive(Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// The same in every text.
    Fixed,
    /// Fixed wording around what it quotes.
    Quoting(Vec<Quoted<'a>>),
}

/// A part of a line.
#[derive(Debug, PartialEq, Eq)]
pub enum Quoted<'a> {
    /// Wording.
    Fixed(&'a str),
    /// A tool's name.
    Tool(&'a str),
    /// A parameter's path as people write it (rule G19).
    Path(&'a str),
    /// Names of types.
    Types(&'a str),
    /// A list of values.
    Values(&'a str),
}

/// What agents put around the texts.
const OPENINGS: [&str; 3] = ["<tool_use_error>", "InputValidationError: ", "Error: "];
const CLOSING: &str = "</tool_use_error>";

const PARSE: [&str; 2] =
    ["Failed to parse tool arguments", "Failed to parse tool arguments (output truncated, please reduce your output)"];
const TRUNCATED: &str = "Tool arguments were truncated (likely exceeded max output tokens). Please reduce your output or split into multiple tool calls.";

/// The text without what agents put around it, and what that was.
#[must_use]
pub fn unwrap(text: &str) -> (&str, &str, &str) {
    let mut start = 0;
    while let Some(opening) = OPENINGS.iter().find(|opening| text[start..].starts_with(**opening)) {
        // `Error: Tool 'x' not found` is a wording of its own.
        if *opening == "Error: " && text[start..].starts_with("Error: Tool '") {
            break;
        }
        start += opening.len();
    }
    let end = if text[start..].ends_with(CLOSING) { text.len() - CLOSING.len() } else { text.len() };
    (&text[..start], &text[start..end], &text[end..])
}

/// Whether a recorded result is what a model gets instead of the tool's result when its call is refused: wrong parameters,
/// arguments that do not parse, an unknown tool.
#[must_use]
pub fn is_refusal(text: &str) -> bool {
    let (_, body, _) = unwrap(text);
    let first = body.lines().next().unwrap_or_default();
    PARSE.contains(&first)
        || matches!(line(first), Some(Line::Quoting(parts)) if matches!(parts.as_slice(), [Quoted::Tool(_), ..] | [_, Quoted::Tool(_), ..]))
}

/// Takes a line of such a text apart.
#[must_use]
pub fn line(line: &str) -> Option<Line<'_>> {
    if line.is_empty() || line == TRUNCATED || PARSE.contains(&line) {
        return Some(Line::Fixed);
    }
    let parts = header(line).or_else(|| unknown(line)).or_else(|| issue(line))?;
    Some(Line::Quoting(parts))
}

fn header(line: &str) -> Option<Vec<Quoted<'_>>> {
    let wording =
        [" failed due to the following issue(s):", " failed due to the following issue:", " failed due to the following issues:"];
    let wording = wording.into_iter().find(|wording| line.ends_with(wording))?;
    let tool = &line[..line.len() - wording.len()];
    Some(vec![Quoted::Tool(tool), Quoted::Fixed(wording)])
}

fn unknown(line: &str) -> Option<Vec<Quoted<'_>>> {
    if let Some(tool) = line.strip_prefix("No such tool available: ") {
        return Some(vec![Quoted::Fixed("No such tool available: "), Quoted::Tool(tool)]);
    }
    let tool = line.strip_prefix("Error: Tool '")?.strip_suffix("' not found")?;
    Some(vec![Quoted::Fixed("Error: Tool '"), Quoted::Tool(tool), Quoted::Fixed("' not found")])
}

fn issue(line: &str) -> Option<Vec<Quoted<'_>>> {
    for (before, after) in [("The required parameter `", "` is missing"), ("An unexpected parameter `", "` was provided")] {
        if let Some(path) = line.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)) {
            return Some(vec![Quoted::Fixed(before), Quoted::Path(path), Quoted::Fixed(after)]);
        }
    }
    let before = "The parameter `";
    let rest = line.strip_prefix(before)?;
    if let Some((path, values)) = rest.split_once("` is invalid: expected one of ") {
        let between = "` is invalid: expected one of ";
        return Some(vec![Quoted::Fixed(before), Quoted::Path(path), Quoted::Fixed(between), Quoted::Values(values)]);
    }
    let (path, types) = rest.split_once("` type is expected as `")?;
    let (expected, provided) = types.strip_suffix('`')?.split_once("` but provided as `")?;
    Some(vec![
        Quoted::Fixed(before),
        Quoted::Path(path),
        Quoted::Fixed("` type is expected as `"),
        Quoted::Types(expected),
        Quoted::Fixed("` but provided as `"),
        Quoted::Types(provided),
        Quoted::Fixed("`"),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_recognised_whatever_stands_around_them() {
        for text in [
            "Read failed due to the following issue(s):\nThe required parameter `file_path` is missing",
            "<tool_use_error>InputValidationError: Read failed due to the following issue:\nThe parameter `offset` type is expected as `number` but provided as `string`</tool_use_error>",
            "Error: Tool 'Raed' not found",
            "<tool_use_error>Error: No such tool available: Raed</tool_use_error>",
            "Failed to parse tool arguments",
            "Failed to parse tool arguments (output truncated, please reduce your output)",
        ] {
            assert!(is_refusal(text), "{text}");
            let (before, body, after) = unwrap(text);
            assert_eq!(format!("{before}{body}{after}"), text);
            assert!(body.lines().all(|l| line(l).is_some()), "{text}");
        }
        for text in
            ["", "ok", "Error: File does not exist.", "The tests failed due to the following issue", "InputValidationError: x"]
        {
            assert!(!is_refusal(text), "{text}");
        }
    }

    #[test]
    fn lines_give_back_what_they_quote() {
        for text in [
            "The parameter `a.b[0]` type is expected as `string | null` but provided as `array`",
            "The parameter `mode` is invalid: expected one of \"a\"|1",
            "An unexpected parameter `x` was provided",
            "t failed due to the following issues:",
        ] {
            let Some(Line::Quoting(parts)) = line(text) else { panic!("{text}") };
            let whole: String = parts
                .iter()
                .map(|part| match part {
                    Quoted::Fixed(t) | Quoted::Tool(t) | Quoted::Path(t) | Quoted::Types(t) | Quoted::Values(t) => *t,
                })
                .collect();
            assert_eq!(whole, text);
        }
    }
}
