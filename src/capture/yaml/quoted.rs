//! Scalars in quotes, over one line or several.

use super::block::{Block, Odd, Read};
use super::plain::trim_spaces;
use crate::json::special;

impl Block<'_> {
    /// The scalar in double quotes that begins here. What JSON writes the same way is copied as it stands.
    pub(super) fn double(&mut self, floor: usize) -> Read<()> {
        let text = self.text;
        self.mark(false);
        self.json.push('"');
        let mut start = self.at + 1;
        let mut at = start;
        loop {
            at += special(&text[at..]).ok_or(Odd)?;
            match (text[at], text.get(at + 1)) {
                (b'"', _) => break,
                (b'\\', Some(b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't')) => {
                    at += 2;
                    continue;
                }
                (b'\\', Some(b'\n')) => {
                    self.push_same(start, at)?;
                    if self.continuation(at + 1, floor)? > 0 {
                        return Err(Odd);
                    }
                    at = self.at;
                }
                (b'\\', Some(_)) => {
                    self.push_same(start, at)?;
                    at += 1 + self.escape(&text[at + 1..])?;
                }
                (b'\n', _) => {
                    self.push_same(start, start + trim_spaces(&text[start..at]).len())?;
                    let blanks = self.continuation(at, floor)?;
                    self.fold(blanks);
                    at = self.at;
                }
                _ => return Err(Odd),
            }
            start = at;
        }
        self.push_same(start, at)?;
        self.json.push('"');
        self.at = at + 1;
        Ok(())
    }

    /// The escape behind a backslash; returns how long it is.
    fn escape(&mut self, text: &[u8]) -> Read<usize> {
        let digits = |count: usize| {
            let digits = text.get(1..=count).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit)).ok_or(Odd)?;
            let digits = std::str::from_utf8(digits).map_err(|_| Odd)?;
            u32::from_str_radix(digits, 16).map_err(|_| Odd)
        };
        let (code, length) = match text.first().ok_or(Odd)? {
            b'0' => (0, 1),
            b'a' => (7, 1),
            b'v' => (0xB, 1),
            b'e' => (0x1B, 1),
            b'\t' => (9, 1),
            plain @ (b' ' | b'/') => (u32::from(*plain), 1),
            b'N' => (0x85, 1),
            b'_' => (0xA0, 1),
            b'L' => (0x2028, 1),
            b'P' => (0x2029, 1),
            b'x' => (digits(2)?, 3),
            b'u' => (digits(4)?, 5),
            b'U' => (digits(8)?, 9),
            _ => return Err(Odd),
        };
        let character = char::from_u32(code).ok_or(Odd)?;
        self.push_text(character.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(length)
    }

    /// The scalar in single quotes that begins here.
    pub(super) fn single(&mut self, floor: usize) -> Read<()> {
        let text = self.text;
        self.mark(false);
        self.json.push('"');
        let mut start = self.at + 1;
        loop {
            let at = start + memchr::memchr2(b'\'', b'\n', &text[start..]).ok_or(Odd)?;
            let part = &text[start..at];
            let part = if text[at] == b'\n' { trim_spaces(part) } else { part };
            if memchr::memchr(b'\t', part).is_some() {
                return Err(Odd);
            }
            self.push_text(part);
            start = match text[at..] {
                [b'\'', b'\'', ..] => {
                    self.json.push('\'');
                    at + 2
                }
                [b'\'', ..] => {
                    self.at = at + 1;
                    break;
                }
                _ => {
                    let blanks = self.continuation(at, floor)?;
                    self.fold(blanks);
                    self.at
                }
            };
        }
        self.json.push('"');
        Ok(())
    }

    /// Goes to where a quoted scalar goes on behind this line end; how many blank lines stand between.
    fn continuation(&mut self, newline: usize, floor: usize) -> Read<usize> {
        self.step_line(newline);
        let mut blanks = 0;
        loop {
            let spaces = self.spaces(self.line_start);
            let at = self.line_start + spaces;
            match self.text.get(at).ok_or(Odd)? {
                b'\n' => {
                    blanks += 1;
                    self.step_line(at);
                }
                0..=0x1F => return Err(Odd),
                _ if spaces < floor => return Err(Odd),
                _ => {
                    self.at = at;
                    return Ok(blanks);
                }
            }
        }
    }
}
