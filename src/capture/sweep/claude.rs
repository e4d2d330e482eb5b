//! Lines of Claude Code transcripts, as their writer writes them.

use crate::capture::call::{Call, Place};
use crate::gate::Arguments;
use crate::json::{Object, Scanner, Value};
use std::ops::Range;

/// A call in a line: byte ranges of it.
pub(super) struct Picked {
    pub tool: Range<usize>,
    pub id: Option<Range<usize>>,
    pub arguments: Range<usize>,
    pub accepted: bool,
}

/// Picks the calls of a line. False where the line is not plain: then nothing counts, and the general way reads it.
pub(super) fn pick(line: &str, accepts: &dyn Fn(&str, usize) -> Option<usize>, picked: &mut Vec<Picked>) -> bool {
    let scan = Scanner { text: line.as_bytes(), at: 0 };
    let plain = LineScan { line, scan, accepts, picked }.line().is_some();
    if !plain {
        picked.clear();
    }
    plain
}

/// The call that was picked, for judging in full.
pub(super) fn call(tool: &str, id: Option<&str>, arguments: &[u8], place: Place) -> Call {
    let value = Value::parse(arguments).unwrap_or(Value::Object(Object::default()));
    Call { id: id.map(str::to_owned), place, ..Call::new(tool, Arguments::Json(value)) }
}

struct LineScan<'a> {
    line: &'a str,
    scan: Scanner<'a>,
    accepts: &'a dyn Fn(&str, usize) -> Option<usize>,
    picked: &'a mut Vec<Picked>,
}

/// `None` wherever a line is not plain.
impl LineScan<'_> {
    fn line(&mut self) -> Option<()> {
        let (mut kind, mut message) = (None, false);
        self.object(|this, key| {
            match key {
                "type" if kind.is_none() => kind = Some(this.plain_string()?),
                "message" if !message => {
                    message = true;
                    this.message()?;
                }
                "type" | "message" => return None,
                _ => this.skip()?,
            }
            Some(())
        })?;
        self.scan.skip_space();
        if self.scan.at != self.scan.text.len() {
            return None;
        }
        match kind.map(|kind| &self.line[kind]) {
            Some("assistant") => {}
            // Messages of subagents are wrapped in these.
            Some("progress") => return None,
            _ => self.picked.clear(),
        }
        Some(())
    }

    fn message(&mut self) -> Option<()> {
        if self.scan.peek() != Some(b'{') {
            return self.skip();
        }
        let mut content = false;
        self.object(|this, key| {
            if key != "content" {
                return this.skip();
            }
            if std::mem::replace(&mut content, true) {
                return None;
            }
            if this.scan.peek() != Some(b'[') {
                return this.skip();
            }
            this.blocks()
        })
    }

    fn blocks(&mut self) -> Option<()> {
        self.scan.at += 1;
        self.scan.skip_space();
        if self.scan.peek() == Some(b']') {
            self.scan.at += 1;
            return Some(());
        }
        loop {
            if self.scan.peek() == Some(b'{') {
                self.block()?;
            } else {
                self.skip()?;
            }
            self.scan.skip_space();
            match self.scan.peek()? {
                b',' => self.scan.at += 1,
                b']' => {
                    self.scan.at += 1;
                    return Some(());
                }
                _ => return None,
            }
            self.scan.skip_space();
        }
    }

    fn block(&mut self) -> Option<()> {
        let (mut kind, mut id, mut tool, mut input) = (None, None, None, None);
        self.object(|this, key| {
            match key {
                "type" if kind.is_none() => kind = Some(this.plain_string()?),
                "id" if id.is_none() => id = Some(this.plain_string()?),
                "name" if tool.is_none() => tool = Some(this.plain_string()?),
                "input" if input.is_none() => input = Some(this.input(kind.as_ref()?, tool.as_ref())?),
                "type" | "id" | "name" | "input" => return None,
                _ => this.skip()?,
            }
            Some(())
        })?;
        match &self.line[kind?] {
            "tool_use" => {
                let (arguments, accepted) = input?;
                self.picked.push(Picked { tool: tool?, id, arguments, accepted });
                Some(())
            }
            kind if kind.ends_with("tool_use") => None,
            _ => Some(()),
        }
    }

    /// A call's input: where it is, and whether it was accepted on the way.
    fn input(&mut self, kind: &Range<usize>, tool: Option<&Range<usize>>) -> Option<(Range<usize>, bool)> {
        let start = self.scan.at;
        if &self.line[kind.clone()] != "tool_use" {
            self.skip()?;
            return Some((start..self.scan.at, false));
        }
        let tool = &self.line[tool?.clone()];
        // A string is the model's raw text, and so is what stands in `__unparsedToolInput`.
        let rest = self.scan.text.get(start..)?;
        if rest.first() != Some(&b'{') || rest[1..].trim_ascii_start().starts_with(b"\"__") {
            return None;
        }
        let accepted = (self.accepts)(tool, start);
        match accepted {
            Some(end) => self.scan.at = end,
            None => self.skip()?,
        }
        Some((start..self.scan.at, accepted.is_some()))
    }

    /// Goes through the members of an object; each time the scanner is at the value, which must be stepped over.
    fn object(&mut self, mut member: impl FnMut(&mut Self, &str) -> Option<()>) -> Option<()> {
        self.scan.skip_space();
        if self.scan.peek() != Some(b'{') {
            return None;
        }
        self.scan.at += 1;
        self.scan.skip_space();
        if self.scan.peek() == Some(b'}') {
            self.scan.at += 1;
            return Some(());
        }
        let line = self.line;
        loop {
            let key = self.plain_string()?;
            self.scan.skip_space();
            if self.scan.peek() != Some(b':') {
                return None;
            }
            self.scan.at += 1;
            self.scan.skip_space();
            member(self, &line[key])?;
            self.scan.skip_space();
            match self.scan.peek()? {
                b',' => self.scan.at += 1,
                b'}' => {
                    self.scan.at += 1;
                    return Some(());
                }
                _ => return None,
            }
            self.scan.skip_space();
        }
    }

    /// A string without escapes: the range inside the quotes.
    fn plain_string(&mut self) -> Option<Range<usize>> {
        if self.scan.peek() != Some(b'"') {
            return None;
        }
        self.scan.at += 1;
        let start = self.scan.at;
        let escaped = self.scan.string_end()?;
        (!escaped).then(|| start..self.scan.at - 1)
    }

    fn skip(&mut self) -> Option<()> {
        self.scan.skip_value().then_some(())
    }
}
