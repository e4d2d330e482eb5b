//! The scanner: strings, numbers and words of JSON, exactly as `JSON.parse` takes them. Everything that reads JSON text in this
//! crate reads it with this.

use super::position::Position;
use wide::u8x16;

/// Why and where a text is not JSON.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found {found}")]
pub struct SyntaxError {
    /// Byte offset at which reading stopped.
    pub offset: usize,
    /// What would have been right there, in words.
    pub expected: &'static str,
    /// What stands there, in words.
    pub found: String,
}

impl SyntaxError {
    /// Where that is in the text it came from.
    #[must_use]
    pub fn position(&self, text: &[u8]) -> Position {
        Position::of(text, self.offset)
    }

    #[cold]
    pub(super) fn at(text: &[u8], offset: usize, expected: &'static str) -> Self {
        let found = match text.get(offset) {
            None => "the end of the text".to_owned(),
            Some(c @ 0..=0x1F) => format!("the control character U+{c:04X}"),
            Some(_) => {
                let part = super::to_well_formed(&text[offset..(offset + 4).min(text.len())]);
                format!("`{}`", part.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER))
            }
        };
        Self { offset, expected, found }
    }
}

pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Which of sixteen bytes are a backslash or a control character: a bit for each, the first lowest.
#[inline(always)]
fn odd(block: u8x16) -> u32 {
    (block.simd_eq(u8x16::splat(b'\\')) | block.simd_eq(block.min(u8x16::splat(0x1F)))).to_bitmask()
}

/// A place in a text, moving forward.
pub(crate) struct Scanner<'a> {
    pub text: &'a [u8],
    pub at: usize,
}

impl Scanner<'_> {
    /// From after the opening quote to after the closing one; whether there were escapes.
    pub fn string_body(&mut self) -> Result<bool, SyntaxError> {
        self.string_end().ok_or_else(|| self.string_error())
    }

    /// Like [`Scanner::string_body`]; `None` leaves the scanner where the string goes wrong.
    #[inline(always)]
    pub fn string_end(&mut self) -> Option<bool> {
        // Nearly every key and most values end in their first sixteen bytes.
        if let Some(block) = self.block() {
            let quotes = block.simd_eq(u8x16::splat(b'"')).to_bitmask();
            let marks = quotes | odd(block);
            // The lowest mark is a quote.
            if marks & marks.wrapping_neg() & quotes != 0 {
                self.at += marks.trailing_zeros() as usize + 1;
                return Some(false);
            }
        }
        self.string_rest()
    }

    /// From anywhere inside a string to after its closing quote; whether there were escapes on the way.
    fn string_rest(&mut self) -> Option<bool> {
        let mut escaped = false;
        loop {
            self.skip_plain();
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return Some(escaped);
                }
                b'\\' => {
                    escaped = true;
                    self.escape()?;
                }
                _ => return None,
            }
        }
    }

    /// Moves over bytes of a string that need no look of their own, sixteen at a time.
    #[inline]
    fn skip_plain(&mut self) {
        while let Some(block) = self.block() {
            let marks = block.simd_eq(u8x16::splat(b'"')).to_bitmask() | odd(block);
            if marks != 0 {
                self.at += marks.trailing_zeros() as usize;
                return;
            }
            self.at += 16;
        }
        while self.peek().is_some_and(|b| b != b'"' && b != b'\\' && b >= 0x20) {
            self.at += 1;
        }
    }

    #[inline(always)]
    fn block(&self) -> Option<u8x16> {
        self.text.get(self.at..)?.first_chunk().map(|block| u8x16::new(*block))
    }

    fn escape(&mut self) -> Option<()> {
        match self.text.get(self.at + 1)? {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => self.at += 2,
            b'u' if self.text.get(self.at + 2..self.at + 6)?.iter().all(u8::is_ascii_hexdigit) => self.at += 6,
            _ => return None,
        }
        Some(())
    }

    /// What is wrong with the string in which the scanner stands.
    #[cold]
    fn string_error(&self) -> SyntaxError {
        match self.peek() {
            None => self.error("`\"` (the end of a string)"),
            Some(b'\\') if self.text.get(self.at + 1) == Some(&b'u') => {
                let digits = self.text[self.at + 2..].iter().take(4).take_while(|b| b.is_ascii_hexdigit()).count();
                SyntaxError::at(self.text, self.at + 2 + digits, "four hexadecimal digits after `\\u`")
            }
            Some(b'\\') => SyntaxError::at(self.text, self.at + 1, "one of `\"` `\\` `/` `b` `f` `n` `r` `t` `u` after `\\`"),
            Some(_) => self.error("no control character inside a string (write it as an escape)"),
        }
    }

    /// A number, from its first character; whether it has a fraction or an exponent.
    pub fn number(&mut self) -> Result<bool, SyntaxError> {
        self.number_end().ok_or_else(|| self.error("a digit"))
    }

    /// Like [`Scanner::number`]; `None` leaves the scanner where a digit is missing.
    #[inline]
    pub fn number_end(&mut self) -> Option<bool> {
        let mut whole = true;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return None,
        }
        if self.peek() == Some(b'.') {
            whole = false;
            self.at += 1;
            self.some_digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            whole = false;
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.some_digits()?;
        }
        Some(!whole)
    }

    fn some_digits(&mut self) -> Option<()> {
        if !self.peek()?.is_ascii_digit() {
            return None;
        }
        self.digits();
        Some(())
    }

    #[inline]
    fn digits(&mut self) {
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
    }

    /// Steps over a value and says whether it could: it is JSON and no deeper than 64 levels.
    pub fn skip_value(&mut self) -> bool {
        // The open containers, the innermost in the lowest bit: 1 for an object.
        let (mut open, mut depth) = (0_u64, 0_u32);
        loop {
            let scalar = match self.peek() {
                Some(bracket @ (b'{' | b'[')) => {
                    let object = bracket == b'{';
                    self.at += 1;
                    self.skip_space();
                    if self.peek() == Some(if object { b'}' } else { b']' }) {
                        self.at += 1;
                        true
                    } else {
                        if depth == 64 || (object && !self.skip_key()) {
                            return false;
                        }
                        open = (open << 1) | u64::from(object);
                        depth += 1;
                        continue;
                    }
                }
                Some(b'"') => {
                    self.at += 1;
                    self.string_end().is_some()
                }
                Some(b'-' | b'0'..=b'9') => self.number_end().is_some(),
                Some(b't') => self.literal(b"true").is_ok(),
                Some(b'f') => self.literal(b"false").is_ok(),
                Some(b'n') => self.literal(b"null").is_ok(),
                _ => false,
            };
            if !scalar {
                return false;
            }
            // Close what ends here; after a comma comes the next value.
            loop {
                if depth == 0 {
                    return true;
                }
                self.skip_space();
                let object = open & 1 == 1;
                match self.peek() {
                    Some(b',') => {
                        self.at += 1;
                        self.skip_space();
                        if object && !self.skip_key() {
                            return false;
                        }
                        break;
                    }
                    Some(byte) if byte == if object { b'}' } else { b']' } => {
                        self.at += 1;
                        open >>= 1;
                        depth -= 1;
                    }
                    _ => return false,
                }
            }
        }
    }

    #[inline]
    fn skip_key(&mut self) -> bool {
        if self.peek() != Some(b'"') {
            return false;
        }
        self.at += 1;
        if self.string_end().is_none() {
            return false;
        }
        self.skip_space();
        if self.peek() != Some(b':') {
            return false;
        }
        self.at += 1;
        self.skip_space();
        true
    }

    /// A word, whole.
    pub fn literal(&mut self, word: &'static [u8]) -> Result<(), SyntaxError> {
        if self.text[self.at..].starts_with(word) {
            self.at += word.len();
            return Ok(());
        }
        Err(self.error("a value"))
    }

    pub fn expect(&mut self, byte: u8, expected: &'static str) -> Result<(), SyntaxError> {
        if self.peek() != Some(byte) {
            return Err(self.error(expected));
        }
        self.at += 1;
        Ok(())
    }

    #[inline]
    pub fn skip_space(&mut self) {
        while self.peek().is_some_and(is_space) {
            self.at += 1;
        }
    }

    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    pub fn error(&self, expected: &'static str) -> SyntaxError {
        SyntaxError::at(self.text, self.at, expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Tree;

    #[test]
    fn skipping_agrees_with_reading() {
        for text in [
            "1",
            "-0.5e+7",
            "\"a\\u00e9\"",
            "true",
            "null",
            "{}",
            "[]",
            "{ }",
            "[ ]",
            "[1, [2, {\"a\" : [ ] }], \"x\"]",
            "{\"a\":{\"b\":[{}]},\"c\":1}",
            "",
            "[1,]",
            "{\"a\"}",
            "{\"a\":}",
            "{,}",
            "[}",
            "{]",
            "[1 2]",
            "tru",
            "01x",
            "\"\\x\"",
            "\"\n\"",
            "{\"a\":1,}",
            "{1:2}",
            "[[[]]",
            "-",
        ] {
            let mut scan = Scanner { text: text.as_bytes(), at: 0 };
            let skipped = scan.skip_value().then_some(scan.at);
            assert_eq!(skipped, Tree::default().parse_prefix(text.as_bytes()).ok(), "{text}");
        }
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(Scanner { text: nested(65).as_bytes(), at: 0 }.skip_value());
        assert!(!Scanner { text: nested(66).as_bytes(), at: 0 }.skip_value());
    }
}
