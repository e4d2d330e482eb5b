//! Going through a line that is one JSON object, without building anything.

use crate::json::Scanner;
use std::ops::Range;

/// A call in a line: byte ranges of it.
pub(super) struct Picked {
    pub tool: Range<usize>,
    pub id: Option<Range<usize>>,
    /// The arguments' JSON, or the inside of the string that holds their text.
    pub arguments: Range<usize>,
    pub is_text: bool,
    pub accepted: bool,
}

/// Whether the JSON value at an offset of the line is right for a tool: then the offset after it.
pub(super) type Accepts<'a> = &'a dyn Fn(&str, usize) -> Option<usize>;

/// A line that is being picked from. `None` wherever it is not plain: then nothing counts, and the general way reads it.
pub(super) struct LineScan<'a> {
    pub line: &'a str,
    pub scan: Scanner<'a>,
    pub accepts: Accepts<'a>,
    pub picked: &'a mut Vec<Picked>,
}

impl<'a> LineScan<'a> {
    pub fn new(line: &'a str, accepts: Accepts<'a>, picked: &'a mut Vec<Picked>) -> Self {
        Self { line, scan: Scanner { text: line.as_bytes(), at: 0 }, accepts, picked }
    }

    /// Nothing but blanks may follow.
    pub fn end(&mut self) -> Option<()> {
        self.scan.skip_space();
        (self.scan.at == self.scan.text.len()).then_some(())
    }

    /// Goes through the members of an object; each time the scanner is at the value, which must be stepped over.
    #[inline]
    pub fn object(&mut self, mut member: impl FnMut(&mut Self, &[u8]) -> Option<()>) -> Option<()> {
        self.scan.skip_space();
        self.step(b'{')?;
        self.scan.skip_space();
        if self.scan.peek() == Some(b'}') {
            self.scan.at += 1;
            return Some(());
        }
        let line = self.line;
        loop {
            let key = self.plain_string()?;
            self.scan.skip_space();
            self.step(b':')?;
            self.scan.skip_space();
            member(self, &line.as_bytes()[key])?;
            if self.closes(b'}')? {
                return Some(());
            }
        }
    }

    /// Goes through the elements of an array in the same way.
    #[inline]
    pub fn array(&mut self, mut element: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.step(b'[')?;
        self.scan.skip_space();
        if self.scan.peek() == Some(b']') {
            self.scan.at += 1;
            return Some(());
        }
        loop {
            element(self)?;
            if self.closes(b']')? {
                return Some(());
            }
        }
    }

    /// After a member: true at the end of the container, false after a comma.
    fn closes(&mut self, close: u8) -> Option<bool> {
        self.scan.skip_space();
        let closes = match self.scan.peek()? {
            b',' => false,
            byte if byte == close => true,
            _ => return None,
        };
        self.scan.at += 1;
        if !closes {
            self.scan.skip_space();
        }
        Some(closes)
    }

    fn step(&mut self, byte: u8) -> Option<()> {
        (self.scan.peek()? == byte).then(|| self.scan.at += 1)
    }

    /// A string without escapes: the range inside the quotes.
    pub fn plain_string(&mut self) -> Option<Range<usize>> {
        let (range, escaped) = self.string()?;
        (!escaped).then_some(range)
    }

    /// A string: the range inside the quotes, and whether there are escapes in it.
    pub fn string(&mut self) -> Option<(Range<usize>, bool)> {
        self.step(b'"')?;
        let start = self.scan.at;
        let escaped = self.scan.string_end()?;
        Some((start..self.scan.at - 1, escaped))
    }

    pub fn skip(&mut self) -> Option<()> {
        self.scan.skip_value().then_some(())
    }

    /// Arguments that are an object: where they are, and whether they were accepted on the way.
    pub fn arguments(&mut self, tool: &Range<usize>) -> Option<(Range<usize>, bool)> {
        let start = self.scan.at;
        if self.scan.peek() != Some(b'{') {
            return None;
        }
        let tool = self.line.get(tool.clone())?;
        let accepted = (self.accepts)(tool, start);
        match accepted {
            Some(end) => self.scan.at = end,
            None => self.skip()?,
        }
        Some((start..self.scan.at, accepted.is_some()))
    }
}
