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

/// All bits of those bytes that are control characters.
#[inline]
fn controls(block: u8x16) -> u8x16 {
    block.simd_eq(block.min(u8x16::splat(0x1F)))
}

/// All bits of those bytes that end a string or are not part of one as they stand: quotes, backslashes, control characters.
#[inline]
fn specials(block: u8x16) -> u8x16 {
    block.simd_eq(u8x16::splat(b'"')) | block.simd_eq(u8x16::splat(b'\\')) | controls(block)
}

/// The first byte that cannot stand in a string literal as it is.
pub(crate) fn special(text: &[u8]) -> Option<usize> {
    let (blocks, tail) = text.as_chunks();
    for (i, block) in blocks.iter().enumerate() {
        let marks = specials(u8x16::new(*block)).to_bitmask();
        if marks != 0 {
            return Some(16 * i + marks.trailing_zeros() as usize);
        }
    }
    let at = tail.iter().position(|byte| matches!(byte, 0..=0x1F | b'"' | b'\\'));
    at.map(|at| 16 * blocks.len() + at)
}

/// Where the second bytes of escapes are, from where there are backslashes: a bit for each of sixteen bytes, the first lowest, and
/// one for the byte after them. In a run of backslashes every other one is itself the second byte of an escape: adding to
/// the runs that begin at odd places and looking where the carry ends tells their lengths' parity, all at once.
#[inline]
fn second_of_escapes(backslashes: u32) -> u32 {
    const ODD: u32 = 0xAAAA_AAAA;
    (((backslashes << 1) | ODD).wrapping_sub(backslashes) ^ ODD) ^ backslashes
}

/// Which of sixteen bytes may stand behind a backslash and end the escape: a bit for each.
#[inline]
fn second_of_plain_escapes(block: u8x16) -> u32 {
    let is = |byte| block.simd_eq(u8x16::splat(byte));
    (is(b'"') | is(b'\\') | is(b'/') | is(b'b') | is(b'f') | is(b'n') | is(b'r') | is(b't')).to_bitmask()
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
    #[expect(clippy::inline_always, reason = "a call for each key and value costs 3 to 5 % of all reading")]
    #[inline(always)]
    pub fn string_end(&mut self) -> Option<bool> {
        // Nearly every key and most values end in their first sixteen bytes.
        if let Some(block) = self.block() {
            let quotes = block.simd_eq(u8x16::splat(b'"')).to_bitmask();
            let marks = quotes | (block.simd_eq(u8x16::splat(b'\\')) | controls(block)).to_bitmask();
            // The lowest mark is a quote.
            if marks & marks.wrapping_neg() & quotes != 0 {
                self.at += marks.trailing_zeros() as usize + 1;
                return Some(false);
            }
            if marks == 0 {
                self.at += 16;
            }
        }
        self.string_rest()
    }

    /// From anywhere inside a string to after its closing quote, sixteen bytes at a time; whether there were escapes on the way.
    fn string_rest(&mut self) -> Option<bool> {
        let mut escaped = false;
        // Most strings have no escapes.
        while let Some(block) = self.block() {
            let marks = specials(block).to_bitmask();
            if marks != 0 {
                self.at += marks.trailing_zeros() as usize;
                break;
            }
            self.at += 16;
        }
        if self.peek() == Some(b'"') {
            self.at += 1;
            return Some(false);
        }
        loop {
            while let Some(block) = self.block() {
                let backslashes = block.simd_eq(u8x16::splat(b'\\')).to_bitmask();
                let mut stops = (block.simd_eq(u8x16::splat(b'"')) | controls(block)).to_bitmask();
                let mut length = 16;
                if backslashes != 0 {
                    let second = second_of_escapes(backslashes);
                    // Escapes of more than two bytes, and what is none, are looked at one by one: at their backslash.
                    let other = second & 0xFFFF & !second_of_plain_escapes(block);
                    stops = (stops & !second) | (other >> 1);
                    // A backslash at the end of the block begins the next one.
                    length -= (second >> 16) as usize;
                }
                if stops != 0 {
                    escaped |= backslashes & ((stops & stops.wrapping_neg()) - 1) != 0;
                    self.at += stops.trailing_zeros() as usize;
                    break;
                }
                escaped |= backslashes != 0;
                self.at += length;
            }
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return Some(escaped);
                }
                b'\\' => {
                    escaped = true;
                    self.escape()?;
                }
                0..=0x1F => return None,
                _ => self.at += 1,
            }
        }
    }

    #[inline]
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
        // Writers put none, or few: one comparison as a rule.
        while let Some(byte) = self.peek()
            && byte <= b' '
            && is_space(byte)
        {
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

    /// What a string is, byte by byte.
    fn plainly(text: &[u8]) -> Option<(usize, bool)> {
        let (mut at, mut escaped) = (0, false);
        loop {
            match text.get(at)? {
                b'"' => return Some((at + 1, escaped)),
                b'\\' => {
                    escaped = true;
                    at += match text.get(at + 1)? {
                        b'u' if text.get(at + 2..at + 6)?.iter().all(u8::is_ascii_hexdigit) => 6,
                        c if b"\"\\/bfnrt".contains(c) => 2,
                        _ => return None,
                    };
                }
                0..=0x1F => return None,
                _ => at += 1,
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn strings_end_where_they_end_byte_by_byte(
            pieces in proptest::collection::vec(proptest::prop_oneof![
                8 => "[a-z é]{1,20}", 4 => "\\\\{1,20}", 3 => "\\\\[\"\\\\/bfnrt]", 1 => "\\\\u[0-9a-fA-F]{4}",
                1 => "\\\\u[0-9]{1,3}", 1 => "[\u{0}-\u{1f}]", 1 => "\"",
            ], 0..12)
        ) {
            for tail in ["", "\"", "\",\"another string\" : 1234567890"] {
                let text = pieces.concat() + tail;
                let mut scan = Scanner { text: text.as_bytes(), at: 0 };
                let found = scan.string_end().map(|escaped| (scan.at, escaped));
                proptest::prop_assert_eq!(found, plainly(text.as_bytes()), "{:?}", text);
            }
        }
    }

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
