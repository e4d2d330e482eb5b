//! YAML as JSON: cassettes of recorded HTTP traffic are kept in YAML, and read like all else once they are JSON.
//!
//! Scalars are understood as YAML's core schema has them, and as the libraries that write cassettes do: `null`, booleans and
//! numbers where they are plain, text where they are quoted; `!!binary` is decoded.

use super::base64;
use crate::json::quote;
use saphyr_parser::{Event, Parser, ScalarStyle, Span, Tag};
use std::borrow::Cow;
use std::collections::HashMap;

/// JSON made from YAML.
pub(crate) struct Converted {
    pub json: Vec<u8>,
    /// In the order of the JSON: where it came from.
    pub marks: Vec<Mark>,
}

/// From this offset on in the JSON, the YAML is at that line.
pub(crate) struct Mark {
    pub json: usize,
    pub line: u32,
    /// The offset of that line.
    pub offset: u64,
    /// A text whose lines are lines of the file.
    pub literal: bool,
}

/// Whether a text seems to be a cassette in YAML: a mapping with a list of interactions at the top.
pub(crate) fn is_cassette(text: &[u8]) -> bool {
    let mut lines = text.split(|b| *b == b'\n').take(1000);
    let top = |line: &[u8]| line.starts_with(b"interactions:") || line.starts_with(b"http_interactions:");
    !matches!(text.trim_ascii_start(), [b'{' | b'[', ..]) && lines.any(top)
}

/// Converts a YAML document, which may become at most `cap` bytes of JSON.
///
/// # Errors
/// Line, column and reason, where it is not YAML.
pub(crate) fn to_json(text: &str, cap: usize) -> Result<Converted, (u32, String)> {
    let line_starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|n| n + 1)).collect();
    let mut writer =
        Writer { json: Vec::new(), marks: Vec::new(), open: Vec::new(), anchors: HashMap::new(), line_starts, documents: 0 };
    let mut parser = Parser::new_from_str(text);
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| {
            let at = error.marker();
            (number(at.line()), format!("column {}: {}", at.col() + 1, error.info()))
        })?;
        writer.event(event, span);
        if writer.json.len() > cap {
            return Err((number(span.start.line()), format!("it becomes more than the cap of {cap} bytes")));
        }
    }
    Ok(Converted { json: writer.json, marks: writer.marks })
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

struct Writer {
    json: Vec<u8>,
    marks: Vec<Mark>,
    open: Vec<Open>,
    /// What an anchor names: its place in the JSON.
    anchors: HashMap<usize, (usize, usize)>,
    line_starts: Vec<usize>,
    documents: u32,
}

struct Open {
    is_map: bool,
    /// How many keys and values it has so far.
    count: usize,
    start: usize,
    anchor: usize,
}

impl Open {
    fn wants_key(&self) -> bool {
        self.is_map && self.count.is_multiple_of(2)
    }
}

impl Writer {
    fn event(&mut self, event: Event<'_>, span: Span) {
        match event {
            // Only the first document counts; a cassette has one.
            Event::DocumentStart(_) => self.documents += 1,
            _ if self.documents > 1 => {}
            Event::Scalar(text, style, anchor, tag) => {
                let start = self.begin(span, style == ScalarStyle::Literal);
                let is_key = self.open.last().is_some_and(Open::wants_key);
                let value = if is_key { quote(text.as_bytes()) } else { scalar(&text, style, tag.as_deref()) };
                self.json.extend_from_slice(value.as_bytes());
                self.end(start, anchor);
            }
            Event::SequenceStart(anchor, _) => self.start(span, anchor, false),
            Event::MappingStart(anchor, _) => self.start(span, anchor, true),
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(open) = self.open.pop() {
                    // A key that is no scalar cannot be one in JSON: it becomes its text.
                    self.json.push(if open.is_map { b'}' } else { b']' });
                    if self.open.last().is_some_and(Open::wants_key) {
                        let text = quote(&self.json[open.start..]);
                        self.json.truncate(open.start);
                        self.json.extend_from_slice(text.as_bytes());
                    }
                    self.end(open.start, open.anchor);
                }
            }
            Event::Alias(anchor) => {
                let start = self.begin(span, false);
                match self.anchors.get(&anchor).copied() {
                    Some((from, to)) => self.json.extend_from_within(from..to),
                    None => self.json.extend_from_slice(b"null"),
                }
                self.end(start, 0);
            }
            _ => {}
        }
    }

    fn start(&mut self, span: Span, anchor: usize, is_map: bool) {
        let start = self.begin(span, false);
        self.json.push(if is_map { b'{' } else { b'[' });
        self.open.push(Open { is_map, count: 0, start, anchor });
    }

    /// Writes what must stand before a key or value, and returns where it starts.
    fn begin(&mut self, span: Span, literal: bool) -> usize {
        if let Some(open) = self.open.last() {
            match open {
                Open { count: 0, .. } => {}
                Open { is_map: true, count, .. } if !count.is_multiple_of(2) => self.json.push(b':'),
                _ => self.json.push(b','),
            }
        }
        // The place of a literal text is that of its first line, not of the mark before it.
        let line = span.start.line();
        let offset = self.line_starts.get(line.saturating_sub(1)).copied().unwrap_or_default();
        self.marks.push(Mark { json: self.json.len(), line: number(line), offset: offset as u64, literal });
        self.json.len()
    }

    fn end(&mut self, start: usize, anchor: usize) {
        if anchor > 0 {
            self.anchors.insert(anchor, (start, self.json.len()));
        }
        if let Some(open) = self.open.last_mut() {
            open.count += 1;
        }
    }
}

/// A scalar as JSON.
fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> String {
    let core = tag.filter(|tag| tag.is_yaml_core_schema()).map(|tag| tag.suffix.as_str());
    if core == Some("binary") {
        // Bytes that are no text stay base64; bodies know a compressed one by how it begins.
        let decoded = base64::decode(text.as_bytes()).and_then(|bytes| String::from_utf8(bytes).ok());
        return quote(decoded.as_deref().unwrap_or(text).as_bytes());
    }
    if style != ScalarStyle::Plain || core == Some("str") {
        return quote(text.as_bytes());
    }
    plain(text).map_or_else(|| quote(text.as_bytes()), Cow::into_owned)
}

/// What a plain scalar is, if it is not text.
fn plain(text: &str) -> Option<Cow<'_, str>> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" | ".nan" | ".NaN" | ".NAN" => return Some("null".into()),
        "true" | "True" | "TRUE" => return Some("true".into()),
        "false" | "False" | "FALSE" => return Some("false".into()),
        ".inf" | ".Inf" | ".INF" | "+.inf" => return Some("1e999".into()),
        "-.inf" | "-.Inf" | "-.INF" => return Some("-1e999".into()),
        _ => {}
    }
    let starts = text.trim_start_matches(['-', '+']);
    if !starts.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    if crate::json::Tree::parse(text.as_bytes()).is_ok() {
        return Some(text.into());
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            return u64::from_str_radix(digits, radix).ok().map(|n| n.to_string().into());
        }
    }
    // `+1`, `.5`, `1.`, `1.0e+3`: numbers that JSON writes otherwise.
    let is_number = text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
    let number: f64 = if is_number { text.parse().ok()? } else { return None };
    Some(crate::json::Value::Number(number).to_json().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(yaml: &str) -> String {
        String::from_utf8(to_json(yaml, 1 << 20).unwrap().json).unwrap()
    }

    #[test]
    fn values() {
        for (yaml, expected) in [
            ("a: 1\nb:\n- x\n- null\n- ~\n-\n- yes\n- true\n", r#"{"a":1,"b":["x",null,null,null,"yes",true]}"#),
            ("- 1.50\n- -0\n- 1e3\n- +1\n- .5\n- 0x1F\n- 1_0\n- 012\n- 1.2.3\n", r#"[1.50,-0,1e3,1,0.5,31,"1_0",12,"1.2.3"]"#),
            (
                "a: '1'\nb: \"x\\ny\\U0001F642\"\nc: |\n  l1\n  l2\nd: >-\n  f1\n  f2\n",
                r#"{"a":"1","b":"x\ny🙂","c":"l1\nl2\n","d":"f1 f2"}"#,
            ),
            ("a: &x {k: [1]}\nb: *x\n? [1, 2]\n: c\n", r#"{"a":{"k":[1]},"b":{"k":[1]},"[1,2]":"c"}"#),
            ("a: !!binary |\n  aGk=\nb: !!str 1\n1: 2\n", r#"{"a":"hi","b":"1","1":2}"#),
            ("---\na: 1\n---\nb: 2\n", r#"{"a":1}"#),
            ("{}", "{}"),
        ] {
            assert_eq!(json(yaml), expected, "{yaml}");
        }
        let (line, reason) = to_json("a: [1\nb: {", 1000).err().unwrap();
        assert!(line >= 1 && reason.starts_with("column"), "{line} {reason}");
        // What repeats itself without end is stopped.
        let bomb = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c]\n";
        assert!(to_json(bomb, 2000).err().unwrap().1.contains("cap"));
    }

    #[test]
    fn lines() {
        let converted = to_json("a:\n- b: 1\n  c: |\n    x\n    y\n", 1000).unwrap();
        let at = |text: &str| {
            let place = String::from_utf8_lossy(&converted.json).find(text).unwrap();
            let mark = converted.marks.iter().rev().find(|mark| mark.json <= place).unwrap();
            (mark.line, mark.offset, mark.literal)
        };
        assert_eq!(at("{\"b\""), (2, 3, false));
        assert_eq!(at("\"x"), (4, 17, true));
    }
}
