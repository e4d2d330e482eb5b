//! One text for all values that are equal: what fingerprints are made of, and what sets of values are compared by.

use super::value::{Object, Value};

impl Value {
    /// The value as a text that is the same for equal values: as [`Value::to_json`], with keys sorted by their bytes and
    /// numbers too large for a double as `1e999`, which reads back as the same.
    #[must_use]
    pub fn to_canonical(&self) -> String {
        enum Step<'a> {
            Value(&'a Value),
            Key(&'a [u8]),
            Text(&'static str),
        }
        let mut out = String::new();
        let mut work = vec![Step::Value(self)];
        while let Some(step) = work.pop() {
            match step {
                Step::Text(text) => out.push_str(text),
                Step::Key(key) => {
                    out.push_str(&super::quote(key));
                    out.push(':');
                }
                Step::Value(Self::Number(n)) if n.is_infinite() => out.push_str(if *n > 0.0 { "1e999" } else { "-1e999" }),
                Step::Value(Self::Array(items)) => {
                    work.push(Step::Text("]"));
                    for (i, item) in items.iter().enumerate().rev() {
                        work.push(Step::Value(item));
                        work.extend((i > 0).then_some(Step::Text(",")));
                    }
                    out.push('[');
                }
                Step::Value(Self::Object(object)) => {
                    work.push(Step::Text("}"));
                    for (i, (key, value)) in sorted(object).into_iter().enumerate().rev() {
                        work.push(Step::Value(value));
                        work.push(Step::Key(key));
                        work.extend((i > 0).then_some(Step::Text(",")));
                    }
                    out.push('{');
                }
                Step::Value(scalar) => out.push_str(&scalar.to_json()),
            }
        }
        out
    }
}

fn sorted(object: &Object) -> Vec<(&[u8], &Value)> {
    let mut members: Vec<_> = object.entries().iter().map(|(key, value)| (key.as_bytes(), value)).collect();
    members.sort_unstable_by_key(|(key, _)| *key);
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_have_one_text() {
        for (a, b, equal) in [
            (r#"{"b":1,"a":[2.0,{}]}"#, r#"{"a":[2,{}],"b":1e0}"#, true),
            ("[1e400]", "[9e999]", true),
            ("[1e400]", "[null]", false),
            ("[-1e400]", "[1e400]", false),
            ("[1,2]", "[12]", false),
            (r#"["1"]"#, "[1]", false),
        ] {
            let text = |t: &str| Value::parse(t.as_bytes()).expect(t).to_canonical();
            assert_eq!(text(a) == text(b), equal, "{a} {b}");
            assert_eq!(Value::parse(text(a).as_bytes()).map(|v| v.to_canonical()), Ok(text(a)));
        }
    }
}
