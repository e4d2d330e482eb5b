//! Any YAML as JSON, by a general parser: for what the [quick reader](super::block) does not know.

use super::{Converted, Mark, plain};
use crate::json::quote;
use saphyr_parser::{Event, Parser, ScalarStyle, Span, Tag};
use std::collections::HashMap;

/// Converts a YAML document, which may become at most `cap` bytes of JSON.
///
/// # Errors
/// Line, column and reason, where it is not YAML.
pub(super) fn to_json(text: &str, cap: usize) -> Result<Converted, (u32, String)> {
    let line_starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|n| n + 1)).collect();
    let mut writer =
        Writer { json: String::new(), marks: Vec::new(), open: Vec::new(), anchors: HashMap::new(), line_starts, documents: 0 };
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
    json: String,
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
                self.json.push_str(&value);
                self.end(start, anchor);
            }
            Event::SequenceStart(anchor, _) => self.start(span, anchor, false),
            Event::MappingStart(anchor, _) => self.start(span, anchor, true),
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(open) = self.open.pop() {
                    // A key that is no scalar cannot be one in JSON: it becomes its text.
                    self.json.push(if open.is_map { '}' } else { ']' });
                    if self.open.last().is_some_and(Open::wants_key) {
                        let text = quote(&self.json.as_bytes()[open.start..]);
                        self.json.truncate(open.start);
                        self.json.push_str(&text);
                    }
                    self.end(open.start, open.anchor);
                }
            }
            Event::Alias(anchor) => {
                let start = self.begin(span, false);
                match self.anchors.get(&anchor).copied() {
                    Some((from, to)) => self.json.extend_from_within(from..to),
                    None => self.json.push_str("null"),
                }
                self.end(start, 0);
            }
            _ => {}
        }
    }

    fn start(&mut self, span: Span, anchor: usize, is_map: bool) {
        let start = self.begin(span, false);
        self.json.push(if is_map { '{' } else { '[' });
        self.open.push(Open { is_map, count: 0, start, anchor });
    }

    /// Writes what must stand before a key or value, and returns where it starts.
    fn begin(&mut self, span: Span, literal: bool) -> usize {
        if let Some(open) = self.open.last() {
            match open {
                Open { count: 0, .. } => {}
                Open { is_map: true, count, .. } if !count.is_multiple_of(2) => self.json.push(':'),
                _ => self.json.push(','),
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
        return quote(plain::binary(text).as_bytes());
    }
    if style != ScalarStyle::Plain || core == Some("str") {
        return quote(text.as_bytes());
    }
    plain::value(text).map_or_else(|| quote(text.as_bytes()), Into::into)
}
