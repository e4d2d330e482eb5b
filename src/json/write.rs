//! Writing as `JSON.stringify` writes.

use super::scan::special;
use super::value::Value;
use std::fmt::Write as _;

/// A JSON string literal as `JSON.stringify` writes it, from WTF-8; lone surrogates become escapes.
#[must_use]
pub fn quote(text: &[u8]) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_quoted(&mut out, text);
    out
}

/// Appends a JSON string literal; see [`quote`].
pub(crate) fn push_quoted(out: &mut String, text: &[u8]) {
    out.push('"');
    push_escaped(out, text);
    out.push('"');
}

/// Appends the inside of a JSON string literal.
pub(crate) fn push_escaped(out: &mut String, text: &[u8]) {
    out.reserve(text.len());
    let Ok(mut text) = simdutf8::basic::from_utf8(text) else { return push_with_surrogates(out, text) };
    while let Some(special) = special(text.as_bytes()) {
        let (plain, after) = text.split_at(special);
        out.push_str(plain);
        push_special(out, after.as_bytes());
        text = &after[1..];
    }
    out.push_str(text);
}

fn push_with_surrogates(out: &mut String, text: &[u8]) {
    let mut rest = text;
    while !rest.is_empty() {
        let plain = rest.iter().position(|b| *b < 0x20 || matches!(b, b'"' | b'\\' | 0xED)).unwrap_or(rest.len());
        let (before, after) = rest.split_at(plain);
        out.push_str(&super::to_well_formed(before));
        rest = push_special(out, after);
    }
}

/// Writes the character at the start, which may need an escape, and returns what follows it.
fn push_special<'a>(out: &mut String, text: &'a [u8]) -> &'a [u8] {
    let mut used = 1;
    match text {
        [] => used = 0,
        [b'"', ..] => out.push_str("\\\""),
        [b'\\', ..] => out.push_str("\\\\"),
        [0x08, ..] => out.push_str("\\b"),
        [0x0C, ..] => out.push_str("\\f"),
        [b'\n', ..] => out.push_str("\\n"),
        [b'\r', ..] => out.push_str("\\r"),
        [b'\t', ..] => out.push_str("\\t"),
        [0xED, b @ 0xA0..=0xBF, c, ..] => {
            let unit = 0xD000 | (u32::from(b & 0x3F) << 6) | u32::from(c & 0x3F);
            let _ = write!(out, "\\u{unit:04x}");
            used = 3;
        }
        [0xED, ..] => {
            used = 3.min(text.len());
            out.push_str(&super::to_well_formed(&text[..used]));
        }
        [control, ..] => {
            let _ = write!(out, "\\u{control:04x}");
        }
    }
    &text[used..]
}

/// `JSON.stringify(value)`.
pub(super) fn stringify(value: &Value) -> String {
    write(value, None, false)
}

/// `JSON.stringify(value, null, indent)`.
pub(super) fn pretty(value: &Value, indent: usize) -> String {
    write(value, Some(indent), false)
}

/// JSON that reads back as the same value.
pub(super) fn exact(value: &Value) -> String {
    write(value, None, true)
}

/// `exact`: numbers that are infinite are written as such a number, instead of `null`.
fn write(value: &Value, indent: Option<usize>, exact: bool) -> String {
    enum Step<'a> {
        Value(&'a Value),
        Key(&'a [u8]),
        Line(usize),
        Text(&'static str),
    }
    let mut out = String::new();
    let mut work = vec![(Step::Value(value), 0)];
    while let Some((step, depth)) = work.pop() {
        match step {
            Step::Text(text) => out.push_str(text),
            Step::Line(depth) => {
                if let Some(width) = indent {
                    out.push('\n');
                    out.extend(std::iter::repeat_n(' ', width * depth));
                }
            }
            Step::Key(key) => {
                push_quoted(&mut out, key);
                out.push_str(if indent.is_some() { ": " } else { ":" });
            }
            Step::Value(Value::Null) => out.push_str("null"),
            Step::Value(Value::Bool(b)) => out.push_str(if *b { "true" } else { "false" }),
            Step::Value(Value::Number(n)) if exact && n.is_infinite() => out.push_str(if *n > 0.0 { "1e999" } else { "-1e999" }),
            Step::Value(Value::Number(n)) => super::number::push(&mut out, *n),
            Step::Value(Value::String(s)) => push_quoted(&mut out, s.as_bytes()),
            Step::Value(Value::Array(items)) if items.is_empty() => out.push_str("[]"),
            Step::Value(Value::Object(object)) if object.is_empty() => out.push_str("{}"),
            Step::Value(Value::Array(items)) => {
                out.push('[');
                work.push((Step::Text("]"), depth));
                work.push((Step::Line(depth), depth));
                for (i, item) in items.iter().enumerate().rev() {
                    work.push((Step::Value(item), depth + 1));
                    work.push((Step::Line(depth + 1), depth));
                    work.extend((i > 0).then_some((Step::Text(","), depth)));
                }
            }
            Step::Value(Value::Object(object)) => {
                out.push('{');
                work.push((Step::Text("}"), depth));
                work.push((Step::Line(depth), depth));
                for (i, (key, value)) in object.entries().iter().enumerate().rev() {
                    work.push((Step::Value(value), depth + 1));
                    work.push((Step::Key(key.as_bytes()), depth));
                    work.push((Step::Line(depth + 1), depth));
                    work.extend((i > 0).then_some((Step::Text(","), depth)));
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped_as_javascript_escapes_them() {
        assert_eq!(
            quote("a\"b\\c\u{8}\u{c}\n\r\t\u{1}\u{1f}\u{7f}é😀\u{2028}".as_bytes()),
            "\"a\\\"b\\\\c\\b\\f\\n\\r\\t\\u0001\\u001f\u{7f}é😀\u{2028}\""
        );
        assert_eq!(quote(b"x\xED\xA0\x80y\xED\xBF\xBF"), "\"x\\ud800y\\udfff\"");
        assert_eq!(quote("\u{D7FF}\u{E000}".as_bytes()), "\"\u{D7FF}\u{E000}\"");
    }

    #[test]
    fn pretty_is_what_javascript_prints() {
        let value = Value::parse(br#"{"a":[1,{}],"b":{"c":[]}}"#).unwrap();
        assert_eq!(value.to_json_pretty(2), "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": {\n    \"c\": []\n  }\n}");
    }
}
