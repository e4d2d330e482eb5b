//! Strings as JavaScript holds them: sequences of code units, so that half a surrogate pair is a legal string.

use std::borrow::Cow;
use std::fmt;
use wide::u8x16;

/// A JavaScript string, stored as WTF-8: UTF-8 in which a surrogate without its other half is written as three bytes.
///
/// Two halves that meet are always stored as the one character they make, so equal strings have equal bytes.
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JsString(Vec<u8>);

impl JsString {
    /// The bytes, in WTF-8.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The text, if it is valid Unicode.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }

    /// The text with every lone surrogate replaced by U+FFFD, as JavaScript's `toWellFormed` does.
    #[must_use]
    pub fn to_well_formed(&self) -> Cow<'_, str> {
        to_well_formed(&self.0)
    }

    /// Whether the text holds a surrogate without its other half.
    #[must_use]
    pub fn has_lone_surrogate(&self) -> bool {
        self.as_str().is_none()
    }

    /// A string from bytes that are already WTF-8, for instance a part of a larger one.
    /// Bytes that are not are kept; they become U+FFFD when the text is shown.
    #[must_use]
    pub fn from_wtf8(bytes: &[u8]) -> Self {
        let mut out = Self::default();
        out.push_wtf8(bytes);
        out
    }

    /// The number of UTF-16 code units: the `length` that JavaScript reports.
    #[must_use]
    pub fn utf16_len(&self) -> usize {
        // Every lead byte is a code unit, and one of four bytes is two of them.
        self.0.iter().map(|b| usize::from(b & 0xC0 != 0x80) + usize::from(*b >= 0xF0)).sum()
    }

    /// Appends text in WTF-8, joining surrogate halves that meet.
    pub(crate) fn push_wtf8(&mut self, bytes: &[u8]) {
        if let (Some(high), Some(low)) = (last_high_surrogate(&self.0), first_low_surrogate(bytes)) {
            self.0.truncate(self.0.len() - 3);
            self.push_char(join(high, low));
            self.0.extend_from_slice(&bytes[3..]);
        } else {
            self.0.extend_from_slice(bytes);
        }
    }

    fn push_char(&mut self, c: char) {
        self.0.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }

    /// Appends one UTF-16 code unit, as an escape `\uXXXX` names it.
    fn push_unit(&mut self, unit: u16) {
        if let Some(c) = char::from_u32(u32::from(unit)) {
            self.push_char(c);
            return;
        }
        // Bit patterns of a three-byte sequence; the cast keeps the low byte on purpose.
        let [hi, lo] = unit.to_be_bytes();
        let bytes = [0xE0 | (hi >> 4), 0x80 | ((hi & 0x0F) << 2) | (lo >> 6), 0x80 | (lo & 0x3F)];
        self.push_wtf8(&bytes);
    }
}

impl From<&str> for JsString {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

impl From<String> for JsString {
    fn from(text: String) -> Self {
        Self(text.into_bytes())
    }
}

impl PartialEq<str> for JsString {
    fn eq(&self, other: &str) -> bool {
        self.0 == other.as_bytes()
    }
}

impl PartialEq<&str> for JsString {
    fn eq(&self, other: &&str) -> bool {
        self.0 == other.as_bytes()
    }
}

/// The text, well formed: a lone surrogate becomes U+FFFD.
impl fmt::Display for JsString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_well_formed())
    }
}

impl fmt::Debug for JsString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&super::write::quote(&self.0))
    }
}

fn surrogate(bytes: &[u8]) -> Option<u16> {
    match bytes {
        [0xED, b @ 0xA0..=0xBF, c] => Some(0xD000 | (u16::from(b & 0x3F) << 6) | u16::from(c & 0x3F)),
        _ => None,
    }
}

fn last_high_surrogate(bytes: &[u8]) -> Option<u16> {
    surrogate(bytes.get(bytes.len().checked_sub(3)?..)?).filter(|u| *u < 0xDC00)
}

fn first_low_surrogate(bytes: &[u8]) -> Option<u16> {
    surrogate(bytes.get(..3)?).filter(|u| *u >= 0xDC00)
}

fn join(high: u16, low: u16) -> char {
    let code = 0x1_0000 + ((u32::from(high) - 0xD800) << 10) + (u32::from(low) - 0xDC00);
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The text of WTF-8 (or of any bytes) as valid Unicode: U+FFFD for every lone surrogate and every invalid sequence.
#[must_use]
pub fn to_well_formed(bytes: &[u8]) -> Cow<'_, str> {
    let first = match std::str::from_utf8(bytes) {
        Ok(text) => return Cow::Borrowed(text),
        Err(error) => error,
    };
    let mut out = String::with_capacity(bytes.len() + 8);
    let (mut rest, mut bad) = (bytes, first);
    loop {
        let (good, tail) = rest.split_at(bad.valid_up_to());
        out.push_str(std::str::from_utf8(good).unwrap_or_default());
        out.push(char::REPLACEMENT_CHARACTER);
        // A lone surrogate is one mark, not one for each of its bytes.
        let skip = if tail.get(..3).and_then(surrogate).is_some() { 3 } else { bad.error_len().unwrap_or(tail.len()) };
        rest = &tail[skip..];
        match std::str::from_utf8(rest) {
            Ok(text) => {
                out.push_str(text);
                return Cow::Owned(out);
            }
            Err(next) => bad = next,
        }
    }
}

/// Trims as JavaScript's `String.prototype.trim` does: Unicode white space, line ends and U+FEFF, at both ends (rule G3).
#[must_use]
pub fn trim(mut bytes: &[u8]) -> &[u8] {
    while let Some(n) = leading_space(bytes) {
        bytes = &bytes[n..];
    }
    while let Some(n) = trailing_space(bytes) {
        bytes = &bytes[..bytes.len() - n];
    }
    bytes
}

fn leading_space(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [0x09..=0x0D | 0x20, ..] => Some(1),
        [0xC2, 0xA0, ..] => Some(2),
        [a, b, c, ..] if is_wide_space([*a, *b, *c]) => Some(3),
        _ => None,
    }
}

fn trailing_space(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [.., 0x09..=0x0D | 0x20] => Some(1),
        [.., 0xC2, 0xA0] => Some(2),
        [.., a, b, c] if is_wide_space([*a, *b, *c]) => Some(3),
        _ => None,
    }
}

/// U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000 and U+FEFF.
fn is_wide_space(bytes: [u8; 3]) -> bool {
    matches!(
        bytes,
        [0xE1, 0x9A, 0x80]
            | [0xE2, 0x80, 0x80..=0x8A | 0xA8 | 0xA9 | 0xAF]
            | [0xE2, 0x81, 0x9F]
            | [0xE3, 0x80, 0x80]
            | [0xEF, 0xBB, 0xBF]
    )
}

/// Unescapes the inside of a string literal that has already been checked (see [`super::Tree`]).
pub(crate) fn unescape(raw: &[u8]) -> JsString {
    // No escape is shorter than what it means.
    let mut out = Unescaped { bytes: vec![0; raw.len() + BLOCK], end: 0 };
    let mut rest = raw;
    // A block is copied whole, and what follows goes over what was too much: most texts between two escapes are short.
    while let Some(block) = rest.first_chunk::<BLOCK>() {
        let backslashes = u8x16::new(*block).simd_eq(u8x16::splat(b'\\')).to_bitmask();
        out.bytes[out.end..out.end + BLOCK].copy_from_slice(block);
        if backslashes == 0 {
            out.end += BLOCK;
            rest = &rest[BLOCK..];
        } else {
            let plain = backslashes.trailing_zeros() as usize;
            out.end += plain;
            rest = out.escape(&rest[plain..]);
        }
    }
    while let Some(at) = memchr::memchr(b'\\', rest) {
        out.append(&rest[..at]);
        rest = out.escape(&rest[at..]);
    }
    out.append(rest);
    out.bytes.truncate(out.end);
    JsString(out.bytes)
}

/// How many bytes are looked at at once.
const BLOCK: usize = 16;

/// What an escape of two bytes means, by its second byte.
const MEANT: [u8; 256] = {
    let mut meant = [0; 256];
    let mut byte: u8 = 0;
    loop {
        meant[byte as usize] = match byte {
            b'b' => 0x08,
            b'f' => 0x0C,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            other => other,
        };
        if byte == u8::MAX {
            break meant;
        }
        byte += 1;
    }
};

/// A text that is being unescaped, at the start of a buffer that is large enough for it.
struct Unescaped {
    bytes: Vec<u8>,
    end: usize,
}

impl Unescaped {
    #[inline]
    fn append(&mut self, bytes: &[u8]) {
        self.bytes[self.end..self.end + bytes.len()].copy_from_slice(bytes);
        self.end += bytes.len();
    }

    /// Appends what the escape at the start of a text means, and returns what follows.
    #[inline]
    fn escape<'t>(&mut self, text: &'t [u8]) -> &'t [u8] {
        match text {
            [_, b'u', ..] => self.code_unit(text),
            [_, second, rest @ ..] => {
                self.bytes[self.end] = MEANT[usize::from(*second)];
                self.end += 1;
                rest
            }
            _ => &[],
        }
    }

    fn code_unit<'t>(&mut self, text: &'t [u8]) -> &'t [u8] {
        let digit = |byte: &u8| char::from(*byte).to_digit(16).unwrap_or_default();
        let unit = text.get(2..6).unwrap_or_default().iter().fold(0, |unit, byte| (unit << 4) | digit(byte));
        let Some(c) = char::from_u32(unit) else { return self.surrogate(text, unit) };
        let length = c.encode_utf8(&mut self.bytes[self.end..]).len();
        self.end += length;
        text.get(6..).unwrap_or_default()
    }

    /// Halves that meet are joined: with what stands before, and with what stands behind without being an escape.
    fn surrogate<'t>(&mut self, text: &'t [u8], unit: u32) -> &'t [u8] {
        let high = last_high_surrogate(&self.bytes[..self.end]);
        let from = if high.is_some() { self.end - 3 } else { self.end };
        let mut around = JsString(self.bytes[from..self.end].to_vec());
        around.push_unit(u16::try_from(unit).unwrap_or_default());
        let low = text.get(6..9).filter(|low| first_low_surrogate(low).is_some()).unwrap_or_default();
        around.push_wtf8(low);
        self.end = from;
        self.append(&around.0);
        text.get(6 + low.len()..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::strategy::Strategy as _;

    #[test]
    fn surrogate_halves_that_meet_become_one_character() {
        for raw in [&b"\\ud83d\\ude00"[..], b"\\uD83D\\uDE00", b"\xED\xA0\xBD\\ude00", b"\\ud83d\xED\xB8\x80", "😀".as_bytes()]
        {
            assert_eq!(unescape(raw), "😀", "{raw:?}");
        }
        assert_eq!(unescape(b"\\ude00\\ud83d").to_well_formed(), "\u{FFFD}\u{FFFD}");
        assert!(unescape(b"a\\ud83db").has_lone_surrogate());
    }

    proptest::proptest! {
        #[test]
        fn unescaping_is_what_javascript_does(
            pieces in proptest::collection::vec(proptest::prop_oneof![
                4 => "[a-z é😀]{0,40}".prop_map(|text| (text.clone(), text.encode_utf16().collect::<Vec<_>>())),
                2 => proptest::sample::select(vec![
                    ("\\n", 10), ("\\t", 9), ("\\r", 13), ("\\b", 8), ("\\f", 12), ("\\\"", 34), ("\\\\", 92), ("\\/", 47),
                ]).prop_map(|(raw, unit)| (raw.to_owned(), vec![unit])),
                2 => proptest::num::u16::ANY.prop_map(|unit| (format!("\\u{unit:04x}"), vec![unit])),
                1 => (0xD800..0xE000_u16).prop_map(|unit| (format!("\\u{unit:04X}"), vec![unit])),
            ], 0..12)
        ) {
            let raw: String = pieces.iter().map(|(raw, _)| raw.as_str()).collect();
            let units: Vec<u16> = pieces.into_iter().flat_map(|(_, units)| units).collect();
            let text = unescape(raw.as_bytes());
            proptest::prop_assert_eq!(text.to_well_formed(), String::from_utf16_lossy(&units), "{}", raw);
            proptest::prop_assert_eq!(text.utf16_len(), units.len(), "{}", raw);
        }
    }

    #[test]
    fn length_is_counted_in_code_units() {
        for (raw, units) in [(&b"abc"[..], 3), ("é".as_bytes(), 1), ("😀".as_bytes(), 2), (b"\\ud83d", 1), (b"", 0)] {
            assert_eq!(unescape(raw).utf16_len(), units, "{raw:?}");
        }
    }

    #[test]
    fn well_formed_marks_each_lone_surrogate_once() {
        assert_eq!(to_well_formed(b"a\xED\xA0\x80b\xED\xB0\x80"), "a\u{FFFD}b\u{FFFD}");
        assert_eq!(to_well_formed(b"ok"), "ok");
        assert_eq!(to_well_formed(b"cut \xE2\x82"), "cut \u{FFFD}");
        assert_eq!(to_well_formed(b"\xFF\xFEx"), "\u{FFFD}\u{FFFD}x");
    }

    #[test]
    fn trim_takes_what_javascript_takes() {
        let all = "\u{9}\u{A}\u{B}\u{C}\u{D} \u{A0}\u{1680}\u{2000}\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}";
        assert_eq!(trim(format!("{all}x y{all}").as_bytes()), b"x y");
        assert_eq!(trim(all.as_bytes()), b"");
        // Not white space to JavaScript: next line, zero-width space, Mongolian vowel separator.
        for kept in ["\u{85}", "\u{200B}", "\u{180E}"] {
            assert_eq!(trim(kept.as_bytes()), kept.as_bytes());
        }
    }
}
