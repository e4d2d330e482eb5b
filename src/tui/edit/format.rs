//! Laying JSON out without changing what it says: only the white space between its parts is another. Numbers keep their
//! spelling, repeated keys stay, escapes stay escapes.

use crate::json::{JsString, SyntaxError, Tree};
use std::fmt::Write as _;

/// Lays a JSON text out with two spaces a level.
///
/// # Errors
/// Where it is not JSON.
pub fn format(text: &str) -> Result<String, SyntaxError> {
    Tree::parse(text.as_bytes())?;
    let mut out = String::with_capacity(text.len() + text.len() / 2);
    let mut depth = 0_usize;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let taken = match c {
            '"' => string_end(rest),
            _ => c.len_utf8(),
        };
        let after = rest[taken..].trim_start_matches([' ', '\t', '\r', '\n']);
        match c {
            ' ' | '\t' | '\r' | '\n' => {}
            '{' | '[' => {
                out.push(c);
                if !after.starts_with(['}', ']']) {
                    depth += 1;
                    new_line(&mut out, depth);
                }
            }
            '}' | ']' => {
                if !out.ends_with(['{', '[']) {
                    depth = depth.saturating_sub(1);
                    new_line(&mut out, depth);
                }
                out.push(c);
            }
            ',' => {
                out.push(c);
                new_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            _ => out.push_str(&rest[..taken]),
        }
        rest = &rest[taken..];
    }
    Ok(out)
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

/// The offset after the string literal at the start of a text.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// A text as it can be edited. Half a surrogate pair, which no text on a screen can hold, stands as its escape: inside a
/// string, which is the only place where JSON may have it, that says the same.
#[must_use]
pub fn editable(text: &JsString) -> String {
    match text.as_str() {
        Some(text) => text.to_owned(),
        None => escape_surrogates(text.as_bytes()),
    }
}

fn escape_surrogates(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 16);
    let mut rest = bytes;
    loop {
        match std::str::from_utf8(rest) {
            Ok(text) => {
                out.push_str(text);
                return out;
            }
            Err(error) => {
                let (good, bad) = rest.split_at(error.valid_up_to());
                out.push_str(&String::from_utf8_lossy(good));
                rest = if let [0xED, b @ 0xA0..=0xBF, c @ 0x80..=0xBF, after @ ..] = bad {
                    let unit = 0xD000 | (u32::from(b & 0x3F) << 6) | u32::from(c & 0x3F);
                    // Writing to a string cannot fail.
                    let _ = write!(out, "\\u{unit:04x}");
                    after
                } else {
                    out.push(char::REPLACEMENT_CHARACTER);
                    &bad[error.error_len().unwrap_or(bad.len()).max(1).min(bad.len())..]
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Value;
    use proptest::prelude::*;

    #[test]
    fn only_white_space_changes() {
        for (text, laid_out) in [
            ("{}", "{}"),
            (" [ ] ", "[]"),
            ("1e400", "1e400"),
            (
                r#"{"a":1,"a":1.0,"b":[1,{"c":"}\" {"}],"d":{ }}"#,
                "{\n  \"a\": 1,\n  \"a\": 1.0,\n  \"b\": [\n    1,\n    {\n      \"c\": \"}\\\" {\"\n    }\n  ],\n  \"d\": {}\n}",
            ),
            ("{\"\\ud800\":\"\\u0000\"}", "{\n  \"\\ud800\": \"\\u0000\"\n}"),
        ] {
            assert_eq!(format(text).unwrap(), laid_out, "{text}");
            assert_eq!(format(laid_out).unwrap(), laid_out);
        }
        assert_eq!(format("{\"a\":}").unwrap_err().offset, 5);
    }

    #[test]
    fn half_a_surrogate_pair_is_an_escape() {
        let text = JsString::from_wtf8(b"{\"a\":\"\xED\xA0\xBDx\"}");
        assert_eq!(editable(&text), r#"{"a":"\ud83dx"}"#);
        let read = |text: &[u8]| Value::parse(text).unwrap();
        assert_eq!(read(text.as_bytes()), read(editable(&text).as_bytes()));
        assert_eq!(editable(&JsString::from_wtf8(b"a\xFFb")), "a\u{FFFD}b");
    }

    proptest! {
        #[test]
        fn the_value_stays(text in crate::tui::edit::tests::json()) {
            let laid_out = format(&text).unwrap();
            prop_assert_eq!(Value::parse(text.as_bytes()).unwrap(), Value::parse(laid_out.as_bytes()).unwrap());
            let without = |text: &str| text.replace([' ', '\n'], "");
            prop_assert_eq!(without(&text), without(&laid_out));
        }
    }
}
