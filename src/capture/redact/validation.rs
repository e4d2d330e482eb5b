//! Recorded validation texts: their form stays, the names and values quoted in them are redacted as in the arguments.

use super::place::Place;
use super::{Redactor, words};
use crate::dialect::recorded::{self, Line, Quoted};

impl<'c> Redactor<'c> {
    /// The text, redacted; `None` if it is no validation text.
    pub(super) fn validation(&mut self, text: &str, place: Place<'c>) -> Option<String> {
        let (before, body, after) = recorded::unwrap(text);
        if !recorded::is_refusal(text) {
            return None;
        }
        let lines: Vec<String> = body.split('\n').map(|line| self.validation_line(line, place)).collect();
        Some(format!("{before}{}{after}", lines.join("\n")))
    }

    fn validation_line(&mut self, line: &str, place: Place<'c>) -> String {
        match recorded::line(line) {
            Some(Line::Fixed) => line.to_owned(),
            Some(Line::Quoting(parts)) => parts
                .into_iter()
                .map(|part| match part {
                    Quoted::Fixed(text) => text.to_owned(),
                    Quoted::Tool(name) => self.tool(name),
                    Quoted::Path(path) => self.path(path, place),
                    Quoted::Types(types) => self.types(types),
                    Quoted::Values(values) => self.values(values, place),
                })
                .collect(),
            None => self.words.value(line),
        }
    }

    /// A path as people write it. Keys with points in them are found where they have been seen as a whole.
    fn path(&mut self, path: &str, place: Place<'c>) -> String {
        let (_, declared) = place.contract();
        let segment = |key: &str, words: &mut words::Words| match words.known_key(key) {
            Some(new) if !declared.contains(&key.as_bytes()) => new,
            _ if declared.contains(&key.as_bytes()) || words::is_index(key) || words::is_plain_name(key, 40) => key.to_owned(),
            _ if key.is_empty() => String::new(),
            _ => words.key(key),
        };
        if self.words.known_key(path).is_some() {
            return segment(path, &mut self.words);
        }
        let mut out = String::new();
        let mut rest = path;
        loop {
            let end = rest.find(['.', '[', ']']).unwrap_or(rest.len());
            out.push_str(&segment(&rest[..end], &mut self.words));
            let Some(separator) = rest[end..].chars().next() else { return out };
            out.push(separator);
            rest = &rest[end + 1..];
        }
    }

    fn types(&mut self, types: &str) -> String {
        let known = |name: &str| {
            matches!(name, "string" | "number" | "integer" | "boolean" | "object" | "array" | "null" | "undefined" | "any")
        };
        if types.split(" | ").all(known) { types.to_owned() } else { self.words.value(types) }
    }

    fn values(&mut self, values: &str, place: Place<'c>) -> String {
        let (lists, _) = place.contract();
        if lists.iter().any(|list| list == values) {
            return values.to_owned();
        }
        let one = |part: &str, words: &mut words::Words| match part.strip_prefix('"') {
            Some(inner) => format!("\"{}\"", words.value(inner.strip_suffix('"').unwrap_or(inner))),
            None if part.parse::<f64>().is_ok() || matches!(part, "true" | "false" | "null") => part.to_owned(),
            None => words.value(part),
        };
        values.split('|').map(|part| one(part, &mut self.words)).collect::<Vec<_>>().join("|")
    }
}
