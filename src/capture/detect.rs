//! Which format a text is in, by its content.

use super::format::{APIS, FORMATS, Format, SURE};
use crate::json::{Tree, View};

/// How much is looked at to begin with, and at most where the first lines tell nothing.
pub(crate) const SAMPLE: usize = 64 * 1024;
const ENOUGH: usize = 4 * 1024 * 1024;

/// How many lines are weighed, unless fewer leave no doubt.
const LINES: usize = 100;
const CERTAIN: u32 = 3 * SURE;

/// A format, and whether a longer sample could show another.
#[derive(Clone, Copy)]
pub(crate) struct Guess {
    pub format: &'static dyn Format,
    pub sure: bool,
}

/// What a sample shows.
pub(crate) enum Detected {
    /// Lines of this format, or of none that is known.
    Lines(Option<Guess>),
    /// Server-sent events, whose data is of this format.
    Events(Option<Guess>),
    /// A document; its format is seen when it has been read whole.
    Document,
    /// A longer sample is needed.
    NeedsMore,
    /// There is nothing in it (yet).
    Empty,
}

/// Looks at the beginning of a text; `complete`: it is the whole of it.
pub(crate) fn detect(sample: &[u8], complete: bool) -> Detected {
    let start = sample.iter().position(|b| !b.is_ascii_whitespace());
    let Some(start) = start else {
        return if complete { Detected::Empty } else { Detected::NeedsMore };
    };
    let text = &sample[start..];
    let line_end = memchr::memchr(b'\n', text);
    if line_end.is_none() && !complete {
        return Detected::NeedsMore;
    }
    let mut tree = Tree::default();
    if super::yaml::is_cassette(text) {
        return Detected::Document;
    }
    if is_events(text) {
        let (format, lines) = weigh_lines(text, complete, &mut tree, event_data_start);
        return match format {
            None if !complete && lines < LINES && sample.len() < ENOUGH => Detected::NeedsMore,
            found => Detected::Events(found),
        };
    }
    let spans = |end: usize| line_end.is_some_and(|newline| end > newline);
    match tree.parse_prefix(text) {
        Ok(end) if spans(end) => return Detected::Document,
        // Strings cannot hold a line end, so a value that goes on behind one is meant to.
        Err(error) if !complete && error.offset >= text.len() && spans(error.offset) => return Detected::Document,
        Err(error) if error.offset >= text.len() && spans(error.offset) && !next_line_parses(text, &mut tree) => {
            return Detected::Document;
        }
        _ => {}
    }
    let (format, lines) = weigh_lines(text, complete, &mut tree, value_start);
    match format {
        None if !complete && lines < LINES && sample.len() < ENOUGH => Detected::NeedsMore,
        found => Detected::Lines(found),
    }
}

/// Whether the second line is a value by itself: then the first is a cut one, and not the beginning of a document.
fn next_line_parses(text: &[u8], tree: &mut Tree) -> bool {
    let second = text.split(|b| *b == b'\n').nth(1).unwrap_or_default();
    tree.parse_prefix(second).is_ok() && tree.root(second).kind().is_container()
}

fn weigh_lines(text: &[u8], complete: bool, tree: &mut Tree, start: fn(&[u8]) -> usize) -> (Option<Guess>, usize) {
    if let Some(format) = leading(text, tree, start) {
        return (Some(Guess { format, sure: true }), 0);
    }
    let mut weights = [0; FORMATS.len()];
    let mut lines = 0;
    let mut rest = text;
    while lines < LINES
        && weights.iter().all(|weight| *weight < CERTAIN)
        && let Some(line) = next_line(&mut rest, complete)
    {
        lines += 1;
        each_value(&line[start(line)..], tree, |value| add_weights(value, &mut weights, 0));
    }
    (heaviest(&weights), lines)
}

/// The format that will weigh most, where that shows without asking those of the APIs, which look for their values everywhere and
/// can at best be sure of each.
fn leading(text: &[u8], tree: &mut Tree, start: fn(&[u8]) -> usize) -> Option<&'static dyn Format> {
    const OTHERS: usize = FORMATS.len() - APIS;
    let mut weights = [0; FORMATS.len()];
    // How many values the APIs were not asked of, as another format was sure of them.
    let mut unasked = 0;
    let mut rest = text;
    loop {
        let line = next_line(&mut rest, false)?;
        each_value(&line[start(line)..], tree, |value| {
            let mut sure = false;
            for (weight, format) in weights.iter_mut().zip(FORMATS).take(OTHERS) {
                let more = format.weigh(value);
                *weight += more;
                sure |= more >= SURE;
            }
            unasked += u32::from(sure);
            if !sure {
                add_weights(value, &mut weights, OTHERS);
            }
        });
        let (others, apis) = weights.split_at(OTHERS);
        let least = others.iter().max().copied().unwrap_or_default();
        let most = apis.iter().max().copied().unwrap_or_default() + SURE * unasked;
        if least.max(most) >= CERTAIN {
            return heaviest(others).filter(|_| least >= most).map(|guess| guess.format);
        }
    }
}

/// The next line; the last one without its end only where the text is complete.
fn next_line<'t>(rest: &mut &'t [u8], complete: bool) -> Option<&'t [u8]> {
    let end = match memchr::memchr(b'\n', rest) {
        Some(end) => end,
        None if complete && !rest.is_empty() => rest.len(),
        None => return None,
    };
    let (line, next) = rest.split_at(end);
    *rest = next.get(1..).unwrap_or_default();
    Some(line)
}

fn each_value(mut text: &[u8], tree: &mut Tree, mut each: impl FnMut(View<'_>)) {
    while let Ok(used) = tree.parse_prefix(text) {
        each(tree.root(text));
        text = &text[used..];
    }
}

/// Whether a text is a stream of server-sent events: fields, the first of them one that a server begins with.
fn is_events(text: &[u8]) -> bool {
    let mut lines = text.split(|b| *b == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let field = |line: &[u8]| [&b"data:"[..], b"event:", b"id:", b"retry:", b":"].iter().any(|name| line.starts_with(name));
    lines.clone().next().is_some_and(field) && lines.any(has_event_data)
}

/// Whether a line of server-sent events carries a value.
pub(crate) fn has_event_data(line: &[u8]) -> bool {
    line.strip_prefix(b"data:").is_some_and(|data| data.trim_ascii_start().starts_with(b"{"))
}

/// Where the value of such a line begins.
pub(crate) fn event_data_start(line: &[u8]) -> usize {
    if line.starts_with(b"data:") { b"data:".len() } else { 0 }
}

/// Where a value begins in a line of a log that puts something before it.
fn value_start(line: &[u8]) -> usize {
    if matches!(line.trim_ascii_start(), [b'{' | b'[' | b'"', ..]) {
        return 0;
    }
    FORMATS.into_iter().find_map(|format| format.value_in(line)).unwrap_or(0)
}

/// The format of a value that is a whole document.
pub(crate) fn of_value(value: View<'_>) -> Option<&'static dyn Format> {
    let mut weights = [0; FORMATS.len()];
    add_weights(value, &mut weights, 0);
    heaviest(&weights).map(|guess| guess.format)
}

/// Adds what the formats from that one on weigh.
fn add_weights(value: View<'_>, weights: &mut [u32; FORMATS.len()], from: usize) {
    for (weight, format) in weights.iter_mut().zip(FORMATS).skip(from) {
        *weight += format.weigh(value);
    }
}

fn heaviest(weights: &[u32]) -> Option<Guess> {
    // Of equal weights the first holds, so the search goes backwards.
    let (weight, format) = weights.iter().zip(FORMATS).rev().max_by_key(|(weight, _)| **weight)?;
    (*weight > 0).then_some(Guess { format, sure: *weight >= CERTAIN })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of formats that are alike, and some that tell little or nothing.
    const LINES: [&str; 11] = [
        r#"{"type":"summary","summary":"A talk","leafUuid":"u1"}"#,
        r#"{"type":"user","uuid":"u2","message":{"role":"user","content":"hello"}}"#,
        r#"{"type":"assistant","uuid":"u3","message":{"role":"assistant","content":[]}}"#,
        r#"{"role":"assistant","blocks":[{"type":"tool","id":"a","name":"Read","parameters":"{}","stage":"end"}]}"#,
        r#"{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f","arguments":{}}}"#,
        r#"{"tool":"Read","arguments":{}}"#,
        r#"{"method":"generateContent","response":{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{}}}]}}]}}"#,
        r#"{"role":"user","content":"hello"}"#,
        r#"{"type":"assistant","uuid":"u3","message":{"role":"assistant","content":[]}} {"tool":"Read","arguments":{}}"#,
        "{}",
    ];

    proptest::proptest! {
        #[test]
        fn the_format_that_leads_is_the_heaviest(lines in proptest::collection::vec(0..LINES.len(), 0..12)) {
            let text = lines.iter().flat_map(|line| [LINES[*line], "\n"]).collect::<String>();
            let mut tree = Tree::default();
            let leading = leading(text.as_bytes(), &mut tree, value_start);
            let (mut weights, mut rest) = ([0; FORMATS.len()], text.as_bytes());
            while weights.iter().all(|weight| *weight < CERTAIN)
                && let Some(line) = next_line(&mut rest, true)
            {
                each_value(line, &mut tree, |value| add_weights(value, &mut weights, 0));
            }
            if let Some(leading) = leading {
                let heaviest = heaviest(&weights).map(|guess| guess.format.name());
                proptest::prop_assert_eq!(Some(leading.name()), heaviest, "{}", text);
            }
        }
    }
}
