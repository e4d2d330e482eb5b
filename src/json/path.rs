//! Paths to a place in a value: as people write them, and as JSON Pointers (rule G19).

use std::fmt::Write as _;

/// One step down into a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// Into an object, by key (WTF-8).
    Key(&'a [u8]),
    /// Into an array, by index.
    Index(usize),
}

/// The path as people write it: `questions[0].options[1].label`. Empty for the whole value.
pub fn human_path<'a>(steps: impl IntoIterator<Item = Step<'a>>) -> String {
    let mut out = String::with_capacity(32);
    for (i, step) in steps.into_iter().enumerate() {
        match step {
            Step::Key(key) => {
                if i > 0 {
                    out.push('.');
                }
                out.push_str(&super::to_well_formed(key));
            }
            Step::Index(index) => {
                let _ = write!(out, "[{index}]");
            }
        }
    }
    out
}

/// The path as a JSON Pointer (RFC 6901): `/questions/0/options/1/label`. Empty for the whole value.
pub fn pointer<'a>(steps: impl IntoIterator<Item = Step<'a>>) -> String {
    let mut out = String::with_capacity(32);
    for step in steps {
        out.push('/');
        match step {
            Step::Key(key) => push_escaped(&mut out, &super::to_well_formed(key)),
            Step::Index(index) => {
                let _ = write!(out, "{index}");
            }
        }
    }
    out
}

fn push_escaped(out: &mut String, key: &str) {
    if !key.contains(['~', '/']) {
        out.push_str(key);
        return;
    }
    for c in key.chars() {
        match c {
            '~' => out.push_str("~0"),
            '/' => out.push_str("~1"),
            other => out.push(other),
        }
    }
}

/// The steps of a JSON Pointer, unescaped; `None` if it is not one.
#[must_use]
pub fn pointer_steps(pointer: &str) -> Option<Vec<String>> {
    if pointer.is_empty() {
        return Some(Vec::new());
    }
    let steps = pointer.strip_prefix('/')?.split('/');
    Some(steps.map(|step| step.replace("~1", "/").replace("~0", "~")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms() {
        let steps = [Step::Key(b"a/b"), Step::Index(0), Step::Key(b"~"), Step::Key(b"")];
        assert_eq!(human_path(steps), "a/b[0].~.");
        assert_eq!(pointer(steps), "/a~1b/0/~0/");
        assert_eq!(pointer_steps("/a~1b/0/~0/").unwrap(), ["a/b", "0", "~", ""]);
        assert_eq!(human_path([Step::Index(2), Step::Key(b"x")]), "[2].x");
        assert_eq!(human_path([Step::Key(b""), Step::Key(b"x")]), ".x");
        assert_eq!((human_path([]), pointer([])), (String::new(), String::new()));
        assert!(pointer_steps("a").is_none());
    }
}
