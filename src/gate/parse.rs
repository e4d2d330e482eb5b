//! Parsing a call's arguments: rules G3 to G6.

use crate::json::{JsString, SyntaxError, Value, trim};

/// A call's arguments as they were captured.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Arguments {
    /// None were given (or JSON `null`): judged as `{}`.
    #[default]
    Absent,
    /// The model's raw text.
    Text(JsString),
    /// Already JSON: taken as it is.
    Json(Value),
}

impl Arguments {
    /// The model's raw text.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::Text(text.into())
    }

    /// Arguments as a value that a provider or a capture holds: a string is the model's raw text, `null` is none.
    #[must_use]
    pub fn from_value(value: Value) -> Self {
        match &value {
            Value::Null => Self::Absent,
            Value::String(text) => Self::Text(text.clone()),
            _ => Self::Json(value),
        }
    }
}

/// What parsing made of a text.
#[derive(Clone, Debug)]
pub enum Parsed {
    /// It was JSON.
    Value(Value),
    /// It was not, but became JSON when closed as if cut off (rule G5).
    Recovered {
        /// The value of the closed text.
        value: Value,
        /// The closed text.
        text: JsString,
        /// What was wrong with the text as captured.
        error: SyntaxError,
    },
    /// It was not, and closing it did not help.
    Failed(SyntaxError),
}

/// Parses the raw text of a call's arguments (rules G3 to G6): trimmed as JavaScript trims, blank is `{}`, and a text that
/// looks cut off is closed. Offsets in errors are into `text`, untrimmed.
#[must_use]
pub fn parse(text: &[u8]) -> Parsed {
    let trimmed = trim(text);
    if trimmed.is_empty() {
        return Parsed::Value(Value::Object(crate::json::Object::default()));
    }
    let mut error = match Value::parse(trimmed) {
        Ok(value) => return Parsed::Value(value),
        Err(error) => error,
    };
    let start = trimmed.as_ptr().addr() - text.as_ptr().addr();
    error.offset += start;
    let closed = close_truncated(trimmed);
    match Value::parse(&closed) {
        Ok(value) => Parsed::Recovered { value, text: JsString::from_wtf8(&closed), error },
        Err(_) => Parsed::Failed(error),
    }
}

/// Closes what a cut-off text left open: a string, then braces, but no brace past a bracket that is open (rule G5).
fn close_truncated(text: &[u8]) -> Vec<u8> {
    let (mut braces, mut brackets) = (0_i64, 0_i64);
    let (mut in_string, mut escaped) = (false, false);
    for byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' => braces += 1,
            b'}' => braces -= 1,
            b'[' => brackets += 1,
            b']' => brackets -= 1,
            _ => {}
        }
    }
    let mut closed = text.to_vec();
    closed.extend(in_string.then_some(b'"'));
    if brackets == 0 {
        closed.extend(std::iter::repeat_n(b'}', usize::try_from(braces).unwrap_or(0)));
    }
    closed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g3_trimmed_and_blank() {
        for text in ["", "  ", "\u{FEFF}\n", "\u{3000}{}\u{2028}"] {
            assert!(matches!(parse(text.as_bytes()), Parsed::Value(v) if v.to_json() == "{}"), "{text:?}");
        }
        assert!(matches!(parse(b" null "), Parsed::Value(Value::Null)));
        assert!(matches!(parse("{\u{FEFF}}".as_bytes()), Parsed::Failed(e) if e.offset == 1));
        assert!(matches!(parse("\u{FEFF}{]".as_bytes()), Parsed::Failed(e) if e.offset == 4));
    }

    #[test]
    fn g5_closed_as_if_cut_off() {
        for (text, closed) in [
            (r#"{"a":"b"#, Some(r#"{"a":"b"}"#)),
            (r#"{"a":{"b":{"c":1"#, Some(r#"{"a":{"b":{"c":1}}}"#)),
            (r#"{"a":"x\"y"#, Some(r#"{"a":"x\"y"}"#)),
            (r#""abc"#, Some(r#""abc""#)),
            (r#"{"a":[1],"b":"{["#, Some(r#"{"a":[1],"b":"{["}"#)),
            // An open bracket is never closed, and no brace is added behind it.
            (r#"{"a":[1"#, None),
            (r#"["a"#, None),
            // A cut inside an escape, after a comma, a colon or a key.
            (r#"{"a":"x\"#, None),
            (r#"{"a":"\u12"#, None),
            (r#"{"a":1,"#, None),
            (r#"{"a":"#, None),
            (r#"{"a"#, None),
        ] {
            match (parse(text.as_bytes()), closed) {
                (Parsed::Recovered { text: got, .. }, Some(want)) => assert_eq!(got, want),
                (Parsed::Failed(_), None) => {}
                (got, _) => panic!("{text}: {got:?}"),
            }
        }
    }
}
