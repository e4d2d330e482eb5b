//! What a plain scalar is, by YAML's core schema and as the libraries that write cassettes have it: `null`, booleans and numbers;
//! all else is text. Where a scalar is tagged `!!binary`, its base64 is decoded.

use super::block::Odd;
use crate::capture::base64;
use std::borrow::Cow;

/// What a plain scalar is as JSON, if it is not text.
pub(super) fn value(text: &str) -> Option<Cow<'_, str>> {
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

/// The text in a scalar of base64. Bytes that are no text stay base64; bodies know a compressed one by how it begins.
pub(super) fn binary(text: &str) -> Cow<'_, str> {
    let decoded = base64::decode(text.as_bytes()).and_then(|bytes| String::from_utf8(bytes).ok());
    decoded.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Whether a plain scalar may begin so, for certain.
pub(super) fn can_start(first: u8, next: &[u8]) -> bool {
    match first {
        b'-' | b'?' | b':' => next.first().is_some_and(|b| !b.is_ascii_whitespace()),
        b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\'' | b'"' | b'%' | b'@' | b'`' => false,
        first => first > b' ',
    }
}

/// Whether a part of a line has nothing in it that ends a plain scalar, or is rare.
pub(super) fn is_plain(text: &[u8]) -> bool {
    text.iter().enumerate().all(|(n, byte)| match byte {
        b':' => text.get(n + 1).is_some_and(|b| *b != b' '),
        b'#' => n == 0 || text[n - 1] != b' ',
        byte => *byte >= b' ',
    })
}

/// A line of a plain scalar, without the spaces at its end.
pub(super) fn line(line: &[u8]) -> Result<&[u8], Odd> {
    let text = trim_spaces(line);
    if is_plain(text) { Ok(text) } else { Err(Odd) }
}

/// A text without the spaces at its end.
pub(super) fn trim_spaces(text: &[u8]) -> &[u8] {
    let length = text.iter().rposition(|b| *b != b' ').map_or(0, |n| n + 1);
    &text[..length]
}
