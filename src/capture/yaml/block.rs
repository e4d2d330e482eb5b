//! The YAML that recorders of HTTP traffic write: mappings and sequences in blocks, told by lines and indentation.
//!
//! Whatever is not plainly that (flow collections with something in them, anchors, tags but `!!binary`, keys that are no simple ones,
//! directives, carriage returns, several documents) is [`Odd`], and the general parser's.

use super::{Converted, Mark, plain};
use crate::json::push_escaped;

/// There is something that is not read here.
pub(super) struct Odd;

pub(super) type Read<T> = Result<T, Odd>;

/// How deep blocks may be nested in one another.
const DEPTH: usize = 64;

/// How long a key may be: YAML has 1024 characters.
const KEY: usize = 1000;

/// Converts a YAML document; `None`: it has to be parsed.
pub(super) fn to_json(source: &str, cap: usize) -> Option<Converted> {
    let text = source.as_bytes();
    // Other line ends, and marks that are no text.
    if memchr::memchr2(b'\r', 0, text).is_some() || memchr::memmem::find(text, "\u{FEFF}".as_bytes()).is_some() {
        return None;
    }
    let json = String::with_capacity(text.len() / 8 * 9);
    let mut block = Block { source, text, at: 0, line: 1, line_start: 0, json, marks: Vec::new(), cap, depth: 0 };
    block.document().ok()?;
    Some(Converted { json: block.json, marks: block.marks })
}

/// A text being read. Between values it stands at the start of a line.
pub(super) struct Block<'t> {
    source: &'t str,
    /// The same.
    pub text: &'t [u8],
    pub at: usize,
    /// The line in which it stands, and where that starts.
    line: u32,
    pub line_start: usize,
    pub json: String,
    marks: Vec<Mark>,
    cap: usize,
    depth: usize,
}

/// A key: its text in the line, and where what follows its colon starts.
struct Key<'t> {
    text: &'t [u8],
    after: usize,
}

impl<'t> Block<'t> {
    fn document(&mut self) -> Read<()> {
        if self.text.starts_with(b"---\n") {
            self.step_line(3);
        }
        let column = self.content()?.ok_or(Odd)?;
        self.at = self.line_start + column;
        if self.key()?.is_none() {
            return Err(Odd);
        }
        self.mapping(column)?;
        if self.content()?.is_some() { Err(Odd) } else { Ok(()) }
    }

    /// Goes to the next line with something in it; its indentation, or `None` at the end.
    fn content(&mut self) -> Read<Option<usize>> {
        loop {
            let spaces = self.spaces(self.line_start);
            let at = self.line_start + spaces;
            match self.text.get(at) {
                None => return Ok(None),
                Some(b'.') if spaces == 0 && &self.text[at..] == b"...\n" => return Ok(None),
                Some(b'\n') => self.step_line(at),
                Some(b'#') => self.skip_comment(at),
                Some(0..=0x1F) => return Err(Odd),
                // Where another document may begin.
                Some(b'-' | b'.') if spaces == 0 && is_document_marker(&self.text[at..]) => return Err(Odd),
                Some(_) => return Ok(Some(spaces)),
            }
        }
    }

    /// How many spaces stand at a place.
    pub(super) fn spaces(&self, at: usize) -> usize {
        self.text[at..].iter().take_while(|b| **b == b' ').count()
    }

    /// Where the line ends that goes on at this place.
    pub(super) fn line_end(&self, at: usize) -> usize {
        memchr::memchr(b'\n', &self.text[at..]).map_or(self.text.len(), |n| at + n)
    }

    /// Goes to the line behind a line end, which may be that of the text.
    pub(super) fn step_line(&mut self, newline: usize) {
        self.line = self.line.saturating_add(1);
        self.line_start = (newline + 1).min(self.text.len());
        self.at = self.line_start;
    }

    /// Behind a value nothing may follow on its line.
    pub(super) fn end_line(&mut self) -> Read<()> {
        let at = self.at + self.spaces(self.at);
        match self.text.get(at) {
            None | Some(b'\n') => self.step_line(at),
            Some(b'#') if at > self.at => self.skip_comment(at),
            Some(_) => return Err(Odd),
        }
        self.within_cap()
    }

    fn skip_comment(&mut self, at: usize) {
        self.step_line(self.line_end(at));
    }

    pub(super) fn within_cap(&self) -> Read<()> {
        if self.json.len() > self.cap { Err(Odd) } else { Ok(()) }
    }

    /// What is written next stands here.
    pub(super) fn mark(&mut self, literal: bool) {
        let (json, line, offset) = (self.json.len(), self.line, self.line_start as u64);
        self.marks.push(Mark { json, line, offset, literal });
    }

    /// What was marked last stands at this line.
    fn move_mark(&mut self, line: u32, line_start: usize) {
        if let Some(mark) = self.marks.last_mut() {
            (mark.line, mark.offset) = (line, line_start as u64);
        }
    }

    /// Appends a part of the text that JSON writes the same way.
    pub(super) fn push_same(&mut self, start: usize, end: usize) -> Read<()> {
        self.json.push_str(self.source.get(start..end).ok_or(Odd)?);
        Ok(())
    }

    /// Appends the inside of a JSON string.
    pub(super) fn push_text(&mut self, text: &[u8]) {
        push_escaped(&mut self.json, text);
    }

    pub(super) fn push_newlines(&mut self, count: usize) {
        self.json.extend(std::iter::repeat_n("\\n", count));
    }

    /// A line end within a scalar, with so many blank lines behind it.
    pub(super) fn fold(&mut self, blanks: usize) {
        if blanks == 0 { self.json.push(' ') } else { self.push_newlines(blanks) }
    }

    /// A node that begins where its line, or what follows a dash, does. What it holds stands at `floor` or deeper.
    fn node(&mut self, floor: usize) -> Read<()> {
        let column = self.at - self.line_start;
        if self.is_dash() {
            self.sequence(column)
        } else if self.key()?.is_some() {
            self.mapping(column)
        } else {
            self.scalar(floor)
        }
    }

    fn is_dash(&self) -> bool {
        matches!(self.text[self.at..], [b'-', b' ' | b'\n', ..] | [b'-'])
    }

    fn enter(&mut self, bracket: char) -> Read<()> {
        self.mark(false);
        self.json.push(bracket);
        self.depth += 1;
        if self.depth > DEPTH { Err(Odd) } else { Ok(()) }
    }

    fn leave(&mut self, bracket: char) {
        self.json.push(bracket);
        self.depth -= 1;
    }

    /// The block sequence whose first dash stands here.
    fn sequence(&mut self, column: usize) -> Read<()> {
        self.enter('[')?;
        loop {
            self.at += 1;
            self.value(column, false)?;
            match self.content()? {
                Some(next) if next > column => return Err(Odd),
                Some(next) if next == column => {
                    self.at = self.line_start + column;
                    if !self.is_dash() {
                        break;
                    }
                    self.json.push(',');
                }
                _ => break,
            }
        }
        self.leave(']');
        Ok(())
    }

    /// The block mapping whose first key stands here.
    fn mapping(&mut self, column: usize) -> Read<()> {
        self.enter('{')?;
        loop {
            let key = self.key()?.ok_or(Odd)?;
            self.mark(false);
            self.push_string(key.text);
            self.json.push(':');
            self.at = key.after;
            self.value(column, true)?;
            match self.content()? {
                Some(next) if next > column => return Err(Odd),
                Some(next) if next == column => {
                    self.at = self.line_start + column;
                    self.json.push(',');
                }
                _ => break,
            }
        }
        self.leave('}');
        Ok(())
    }

    /// What stands behind a dash or a key's colon, on the same line or below.
    fn value(&mut self, column: usize, of_key: bool) -> Read<()> {
        let from = self.at;
        let (line, line_start) = (self.line, self.line_start);
        self.at += self.spaces(from);
        match self.text.get(self.at) {
            Some(b'#') if self.at > from => self.skip_comment(self.at),
            None | Some(b'\n') => self.step_line(self.at),
            Some(_) if of_key => return self.scalar(column + 1),
            Some(_) => return self.node(column + 1),
        }
        match self.content()? {
            Some(next) if next > column => {
                self.at = self.line_start + next;
                return self.node(column + 1);
            }
            Some(next) if of_key && next == column => {
                self.at = self.line_start + next;
                if self.is_dash() {
                    return self.sequence(column);
                }
            }
            _ => {}
        }
        // What is not there stands where it is missing.
        self.mark(false);
        self.move_mark(line, line_start);
        self.json.push_str("null");
        self.within_cap()
    }

    /// A scalar or an empty collection.
    fn scalar(&mut self, floor: usize) -> Read<()> {
        match self.text.get(self.at).ok_or(Odd)? {
            b'"' => self.double(floor)?,
            b'\'' => self.single(floor)?,
            b'|' | b'>' => return self.lines(floor),
            b'!' => return self.binary(floor),
            b'{' | b'[' => {
                let empty = self.source.get(self.at..self.at + 2).filter(|text| matches!(*text, "{}" | "[]")).ok_or(Odd)?;
                self.mark(false);
                self.json.push_str(empty);
                self.at += 2;
            }
            _ => return self.plain(floor),
        }
        self.end_line()
    }

    /// A text in base64.
    fn binary(&mut self, floor: usize) -> Read<()> {
        const TAG: &[u8] = b"!!binary ";
        if !self.text[self.at..].starts_with(TAG) {
            return Err(Odd);
        }
        self.at += TAG.len();
        if !matches!(self.text.get(self.at), Some(b'|' | b'>' | b'"' | b'\'')) {
            return Err(Odd);
        }
        let start = self.json.len();
        let (line, line_start) = (self.line, self.line_start);
        self.scalar(floor)?;
        // A tag is a part of what it stands before.
        self.move_mark(line, line_start);
        let raw = self.json[start..].strip_prefix('"').and_then(|json| json.strip_suffix('"')).ok_or(Odd)?;
        // Base64 needs no escapes but those of line ends, which are no part of it.
        let text = raw.replace("\\n", "\n");
        if text.contains('\\') {
            return Err(Odd);
        }
        self.json.truncate(start);
        self.push_string(plain::binary(&text).as_bytes());
        Ok(())
    }

    /// The key that stands here, if one does.
    fn key(&self) -> Read<Option<Key<'t>>> {
        let rest = &self.text[self.at..];
        let is_end = |n: usize| matches!(rest.get(n + 1), None | Some(b' ' | b'\n'));
        let (start, end, colon) = match rest {
            [quote @ (b'"' | b'\''), inside @ ..] => {
                // A long one is no key, and is read but once.
                let inside = &inside[..inside.len().min(KEY)];
                let end = inside.iter().position(|b| b == quote || *b == b'\\' || *b < b' ');
                let Some(end) = end.filter(|end| inside[*end] == *quote) else { return Ok(None) };
                (1, end + 1, end + 2)
            }
            [first, next @ ..] if plain::can_start(*first, next) => {
                let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len()).min(KEY)];
                let Some(end) = memchr::memchr_iter(b':', line).find(|n| is_end(*n)) else { return Ok(None) };
                if !plain::is_plain(&line[..end]) || line[end - 1] == b' ' {
                    return Err(Odd);
                }
                (0, end, end)
            }
            _ => return Ok(None),
        };
        let is_key = rest.get(colon) == Some(&b':') && is_end(colon);
        Ok(is_key.then(|| Key { text: &rest[start..end], after: self.at + colon + 1 }))
    }

    fn push_string(&mut self, text: &[u8]) {
        self.json.push('"');
        self.push_text(text);
        self.json.push('"');
    }

    /// A scalar without quotes, over one line or several.
    fn plain(&mut self, floor: usize) -> Read<()> {
        let text = self.text;
        let [first, next @ ..] = &text[self.at..] else { return Err(Odd) };
        if !plain::can_start(*first, next) {
            return Err(Odd);
        }
        self.mark(false);
        let (start, end) = (self.at, self.line_end(self.at));
        let first = plain::line(&text[start..end])?;
        let mut more = self.following(end, floor)?;
        if more.is_none() {
            match plain::value(self.source.get(start..start + first.len()).ok_or(Odd)?) {
                Some(json) => self.json.push_str(&json),
                None => self.push_string(first),
            }
            return self.within_cap();
        }
        self.json.push('"');
        self.push_text(first);
        while let Some(blanks) = more {
            self.fold(blanks);
            let end = self.line_end(self.at);
            self.push_text(plain::line(&text[self.at..end])?);
            more = self.following(end, floor)?;
        }
        self.json.push('"');
        self.within_cap()
    }

    /// Goes to the line behind this line end. If the scalar goes on there, or behind blank lines: how many of these there were.
    fn following(&mut self, end: usize, floor: usize) -> Read<Option<usize>> {
        self.step_line(end);
        let (line, start) = (self.line, self.line_start);
        let mut blanks = 0;
        loop {
            let spaces = self.spaces(self.line_start);
            let at = self.line_start + spaces;
            match self.text.get(at) {
                Some(b'\n') => {
                    blanks += 1;
                    self.step_line(at);
                }
                Some(0..=0x1F) => return Err(Odd),
                Some(b'#') | None => break,
                Some(_) if spaces < floor => break,
                Some(_) => {
                    self.at = at;
                    return Ok(Some(blanks));
                }
            }
        }
        (self.line, self.line_start, self.at) = (line, start, start);
        Ok(None)
    }
}

fn is_document_marker(line: &[u8]) -> bool {
    let marked = line.starts_with(b"---") || line.starts_with(b"...");
    marked && line.get(3).is_none_or(u8::is_ascii_whitespace)
}
