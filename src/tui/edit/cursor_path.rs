//! Where in a JSON text a cursor is, for texts that are not JSON yet.
//!
//! The text is read as far as it makes sense, up to the cursor and then on to the end of the object that the cursor is in, so
//! that its other keys are known. Nothing has to be right.

use std::ops::Range;

/// One step down to where the cursor is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Under this key.
    Key(String),
    /// Inside an array.
    Item,
}

/// What could be written at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Here {
    /// The containers around it, from the outermost.
    pub path: Vec<Step>,
    /// A key or a value.
    pub slot: Slot,
    /// What is written of it before the cursor, without a quote.
    pub prefix: String,
    /// All of it that is written, quotes included: what a completion takes the place of.
    pub written: Range<usize>,
}

/// What belongs at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A key; the others of the same object.
    Key(Vec<String>),
    /// A value.
    Value,
}

/// A container that is open.
struct Open {
    is_object: bool,
    keys: Vec<String>,
    /// The key that has been read and whose value has not.
    key: Option<String>,
    /// After a colon or, in an array, after the bracket or a comma.
    wants_value: bool,
}

impl Open {
    fn new(is_object: bool) -> Self {
        Self { is_object, keys: Vec::new(), key: None, wants_value: !is_object }
    }
}

/// A piece of a text.
struct Token<'a> {
    range: Range<usize>,
    kind: TokenKind<'a>,
}

enum TokenKind<'a> {
    Punctuation(u8),
    /// What is between the quotes; the second one may be missing.
    Text(&'a str),
    /// A number or a word.
    Bare,
}

/// Where the cursor is; none where nothing can be completed: between a key and its colon, after a value.
#[must_use]
pub fn here(text: &str, cursor: usize) -> Option<Here> {
    let mut open: Vec<Open> = Vec::new();
    let mut rest = tokens(text).peekable();
    while let Some(token) = rest.next_if(|token| token.range.end < cursor || is_past(token, cursor)) {
        take(&mut open, &token);
    }
    let touching = rest.next_if(|token| token.range.start < cursor && !matches!(token.kind, TokenKind::Punctuation(_)));
    let (prefix, written) = match &touching {
        // What follows in a string that is not closed may be anything.
        Some(token @ Token { range, kind: TokenKind::Text(_) }) => {
            let end = if is_closed(token) { range.end } else { cursor };
            (text[range.start + 1..cursor].to_owned(), range.start..end)
        }
        Some(Token { range, .. }) => (text[range.start..cursor].to_owned(), range.clone()),
        None => (String::new(), cursor..cursor),
    };
    let depth = open.len();
    let innermost = open.last()?;
    let path = path_of(&open);
    let slot = if innermost.wants_value {
        Slot::Value
    } else if innermost.is_object && innermost.key.is_none() {
        let mut keys = innermost.keys.clone();
        if let Some(token) = &touching {
            take(&mut open, token);
            let object = open.last_mut()?;
            object.keys.truncate(keys.len());
            if !is_closed(token) {
                object.key = None;
            }
        }
        keys.extend(later_keys(open, depth, rest));
        Slot::Key(keys)
    } else {
        return None;
    };
    // What stands where a key belongs and is no string is not replaced by one.
    Some(Here { path, slot, prefix, written })
}

/// Punctuation that ends at the cursor is behind it; a string or word that ends there is still being written, unless the
/// closing quote has been.
fn is_past(token: &Token<'_>, cursor: usize) -> bool {
    token.range.end == cursor
        && match token.kind {
            TokenKind::Punctuation(_) => true,
            TokenKind::Text(_) => is_closed(token),
            TokenKind::Bare => false,
        }
}

/// Whether a string has both of its quotes.
fn is_closed(token: &Token<'_>) -> bool {
    matches!(token.kind, TokenKind::Text(inside) if token.range.len() == inside.len() + 2)
}

fn path_of(open: &[Open]) -> Vec<Step> {
    let step = |open: &Open| if open.is_object { open.key.clone().map(Step::Key) } else { Some(Step::Item) };
    let (last, above) = open.split_last().map_or((None, open), |(last, above)| (Some(last), above));
    let mut path: Vec<Step> = above.iter().filter_map(step).collect();
    // A value's own key is part of its path; a key has none yet.
    path.extend(last.filter(|last| last.wants_value).and_then(step));
    path
}

/// Takes in what a token says about where one is.
fn take(open: &mut Vec<Open>, token: &Token<'_>) {
    match token.kind {
        TokenKind::Punctuation(byte @ (b'{' | b'[')) => {
            if let Some(around) = open.last_mut() {
                around.wants_value = !around.is_object || around.key.is_some();
            }
            open.push(Open::new(byte == b'{'));
        }
        TokenKind::Punctuation(b'}' | b']') => {
            open.pop();
            if let Some(around) = open.last_mut() {
                around.wants_value = false;
            }
        }
        TokenKind::Punctuation(byte) => {
            let Some(innermost) = open.last_mut() else { return };
            if byte == b':' {
                innermost.wants_value = innermost.key.is_some();
            } else {
                innermost.key = None;
                innermost.wants_value = !innermost.is_object;
            }
        }
        TokenKind::Text(text) => {
            let Some(innermost) = open.last_mut() else { return };
            if innermost.wants_value {
                innermost.wants_value = false;
            } else if innermost.is_object && innermost.key.is_none() {
                innermost.keys.push(text.to_owned());
                innermost.key = Some(text.to_owned());
            }
        }
        TokenKind::Bare => {
            if let Some(innermost) = open.last_mut() {
                innermost.wants_value = false;
            }
        }
    }
}

/// The keys that follow in the object at this depth.
fn later_keys<'a>(mut open: Vec<Open>, depth: usize, rest: impl Iterator<Item = Token<'a>>) -> Vec<String> {
    let known = open.last().map_or(0, |object| object.keys.len());
    let mut keys = Vec::new();
    for token in rest {
        take(&mut open, &token);
        if open.len() < depth {
            break;
        }
        if open.len() == depth
            && let Some(object) = open.last_mut()
        {
            keys.extend(object.keys.drain(known..));
        }
    }
    keys
}

fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        at += text[at..].len() - text[at..].trim_start().len();
        let start = at;
        let kind = match bytes.get(at)? {
            byte @ (b'{' | b'}' | b'[' | b']' | b':' | b',') => {
                at += 1;
                TokenKind::Punctuation(*byte)
            }
            b'"' => {
                let (inside, end) = string(text, at);
                at = end;
                TokenKind::Text(inside)
            }
            _ => {
                let is_end = |c: char| c.is_whitespace() || matches!(c, '{' | '}' | '[' | ']' | ':' | ',' | '"');
                at += text[at..].find(is_end).unwrap_or(text.len() - at).max(1);
                TokenKind::Bare
            }
        };
        Some(Token { range: start..at, kind })
    })
}

/// A string literal: its inside and the offset after it. One that is not closed ends with its line, which no string may cross.
fn string(text: &str, start: usize) -> (&str, usize) {
    let bytes = text.as_bytes();
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return (&text[start + 1..at], at + 1),
            b'\n' => break,
            b'\\' if bytes.get(at + 1).is_some_and(u8::is_ascii) => at += 2,
            _ => at += 1,
        }
    }
    let end = at.min(text.len());
    (&text[start + 1..end], end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The place of `|` in a text.
    fn at(marked: &str) -> Option<Here> {
        let cursor = marked.find('|').unwrap();
        here(&marked.replacen('|', "", 1), cursor)
    }

    fn path(here: &Here) -> String {
        let step = |step: &Step| match step {
            Step::Key(key) => format!(".{key}"),
            Step::Item => "[]".to_owned(),
        };
        here.path.iter().map(step).collect()
    }

    #[test]
    fn keys() {
        for (marked, where_, prefix, others) in [
            ("{|", "", "", ""),
            ("{ | }", "", "", ""),
            ("{\"|", "", "", ""),
            ("{\"ta|\": 1, \"b\": 2}", "", "ta", "b"),
            ("{\"a\": 1, |\"b\": 2}", "", "", "a b"),
            ("{\"a\": 1, \"t|\n \"b\": 2}", "", "t", "a b"),
            ("{\"a\": {\"x\": 1, |}, \"b\": 2", ".a", "", "x"),
            ("{\"a\": [{\"x\": [], \"|\"}]}", ".a[]", "", "x"),
            ("{ta|}", "", "ta", ""),
        ] {
            let here = at(marked).unwrap_or_else(|| panic!("{marked}"));
            let Slot::Key(keys) = &here.slot else { panic!("{marked}: {here:?}") };
            assert_eq!(
                (path(&here).as_str(), here.prefix.as_str(), keys.join(" ").as_str()),
                (where_, prefix, others),
                "{marked}"
            );
        }
    }

    #[test]
    fn values() {
        for (marked, where_, prefix) in [
            ("{\"a\": |", ".a", ""),
            ("{\"a\":|}", ".a", ""),
            ("{\"a\": \"co|mpl\"}", ".a", "co"),
            ("{\"a\": tr|", ".a", "tr"),
            ("{\"a\": [\"x\", |]", ".a[]", ""),
            ("[|", "[]", ""),
            ("{\"a\": {\"b\": |", ".a.b", ""),
        ] {
            let here = at(marked).unwrap_or_else(|| panic!("{marked}"));
            assert_eq!((&here.slot, path(&here).as_str(), here.prefix.as_str()), (&Slot::Value, where_, prefix), "{marked}");
        }
    }

    #[test]
    fn nowhere() {
        for marked in ["|", "{\"a\" |: 1}", "{\"a\": 1 |}", "{}|", "{\"a\": \"x\" |", "{\"a\": \"x\"|}", "[1 |"] {
            assert_eq!(at(marked), None, "{marked}");
        }
    }

    proptest! {
        #[test]
        fn nothing_that_is_written_panics(text in "[{}\\[\\]:,\"\\\\ a1\n日]{0,30}", cursor in 0..40usize) {
            let cursor = (0..=cursor.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap();
            if let Some(here) = here(&text, cursor) {
                prop_assert!(here.written.start <= cursor && text.is_char_boundary(here.written.end));
            }
        }
    }
}
