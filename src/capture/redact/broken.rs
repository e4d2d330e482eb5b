//! Arguments that are no JSON: afterwards they are none either.

use super::words::Words;
use crate::gate::{Parsed, parse};

/// Replaces strings and words, keeps the punctuation. What was broken about the text is kept as far as it is punctuation.
pub(super) fn redact(text: &[u8], words: &mut Words) -> Vec<u8> {
    let text = crate::json::to_well_formed(text);
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_ref();
    while let Some(c) = rest.chars().next() {
        let used = match c {
            '"' => push_string(&mut out, rest, words),
            _ if c.is_ascii_alphanumeric() => push_word(&mut out, rest),
            _ if c.is_ascii() => {
                out.push(c);
                1
            }
            _ => {
                out.push('x');
                c.len_utf8()
            }
        };
        rest = &rest[used..];
    }
    for end in ["", "\\", "}", "]"] {
        let candidate = format!("{out}{end}");
        if matches!(parse(candidate.as_bytes()), Parsed::Failed(_)) {
            return candidate.into_bytes();
        }
    }
    b"{x".to_vec()
}

/// A string, up to its end or that of the text; returns how much it took.
fn push_string(out: &mut String, text: &str, words: &mut Words) -> usize {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| match c {
        _ if escaped => {
            escaped = false;
            false
        }
        '\\' => {
            escaped = true;
            false
        }
        c => *c == '"',
    });
    let inside = &text[1..end.map_or(text.len(), |(at, _)| at)];
    out.push('"');
    let new = words.value(inside);
    let has_break = inside.contains(|c: char| u32::from(c) < 0x20);
    // A raw line feed in a string is what is often wrong; where there was none there must be none.
    out.extend(new.chars().map(|c| match c {
        '"' | '\\' => '_',
        c if u32::from(c) < 0x20 && !has_break => ' ',
        c => c,
    }));
    if has_break && !new.contains(|c: char| u32::from(c) < 0x20) {
        out.push('\n');
    }
    if bad_escape(inside) {
        out.push_str("\\q");
    }
    if let Some((at, _)) = end {
        out.push('"');
        return at + 1;
    }
    out.extend(escaped.then_some('\\'));
    text.len()
}

/// Whether a string has an escape that JSON does not know.
fn bad_escape(inside: &str) -> bool {
    let mut chars = inside.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            continue;
        }
        let good = match chars.next() {
            Some('u') => chars.by_ref().take(4).filter(char::is_ascii_hexdigit).count() == 4,
            Some(c) => matches!(c, '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't'),
            // Cut off, which the end of the text says.
            None => true,
        };
        if !good {
            return true;
        }
    }
    false
}

/// A run of letters and digits outside strings; returns how long it was.
fn push_word(out: &mut String, text: &str) -> usize {
    let length = text.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let word = &text[..length];
    let is_literal = matches!(word, "true" | "false" | "null" | "True" | "False" | "None" | "NaN" | "undefined");
    if is_literal || (word.len() <= 8 && word.bytes().all(|b| b.is_ascii_digit())) {
        out.push_str(word);
    } else {
        out.extend(std::iter::repeat_n('x', length.min(4)));
    }
    length
}
