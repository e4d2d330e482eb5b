//! Hashes by which repeats are found: of an id, and of arguments as JSON values.
//!
//! Equal values have equal hashes whatever the order of their keys, their spacing, escapes and number spelling. The hash is
//! a sum over all nodes of a mix of path and content, so it needs no sorting, no building of values and no recursion. Its 64
//! bits are not made to withstand somebody who constructs collisions: these would hide a repeat's twin in their own file.

use crate::json::{Kind, Tree, View, trim};
use std::borrow::Cow;

const A: u64 = 0x9E37_79B9_7F4A_7C15;
const B: u64 = 0xC2B2_AE3D_27D4_EB4F;

/// Two numbers into one, by a folded multiplication.
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ A) * u128::from(b ^ B);
    #[expect(clippy::cast_possible_truncation, reason = "the two halves are folded on purpose")]
    let (low, high) = (product as u64, (product >> 64) as u64);
    low ^ high
}

/// The hash of bytes.
pub(crate) fn bytes(seed: u64, bytes: &[u8]) -> u64 {
    let mut hash = mix(seed, bytes.len() as u64);
    let (words, tail) = bytes.as_chunks::<8>();
    for word in words {
        hash = mix(hash, u64::from_le_bytes(*word));
    }
    let mut last = [0; 8];
    last[..tail.len()].copy_from_slice(tail);
    mix(hash, u64::from_le_bytes(last))
}

/// The hash of arguments that are text: as the JSON value that it holds, else as exact text.
pub(crate) fn of_text(text: &[u8], scratch: &mut Tree) -> u64 {
    let trimmed = trim(text);
    match scratch.parse_into(trimmed) {
        Ok(()) => of_value(scratch.root(trimmed)),
        Err(_) => bytes(1, text),
    }
}

/// The hash of a value.
pub(crate) fn of_value(root: View<'_>) -> u64 {
    let mut sum: u64 = 0;
    let mut work = vec![(root, 0_u64)];
    while let Some((view, path)) = work.pop() {
        let kind = view.kind();
        sum = sum.wrapping_add(mix(path, leaf(view)));
        match kind {
            Kind::Array => work.extend(view.items().zip(1_u64..).map(|(item, n)| (item, mix(path, n)))),
            Kind::Object => push_members(&mut work, view, path),
            _ => {}
        }
    }
    sum
}

fn leaf(view: View<'_>) -> u64 {
    match view.kind() {
        Kind::Null => 2,
        Kind::False => 3,
        Kind::True => 4,
        Kind::Array => 5,
        Kind::Object => 6,
        // `-0` equals `0`.
        Kind::Number => mix(7, (view.number().unwrap_or_default() + 0.0).to_bits()),
        Kind::String => bytes(8, &text_of(view)),
    }
}

/// A string's text in WTF-8, borrowed where it has no escapes.
pub(crate) fn text_of(view: View<'_>) -> Cow<'_, [u8]> {
    match view.raw_string() {
        Some(raw) if memchr::memchr(b'\\', raw).is_none() => Cow::Borrowed(raw),
        _ => Cow::Owned(view.string().unwrap_or_default().as_bytes().to_vec()),
    }
}

/// Of equal keys only the last counts, as in JavaScript.
fn push_members<'a>(work: &mut Vec<(View<'a>, u64)>, object: View<'a>, path: u64) {
    let first = work.len();
    work.extend(object.children().map(|child| {
        let key = child.key_str().unwrap_or_default();
        (child, mix(path, bytes(9, key.as_bytes())))
    }));
    let members = &work[first..];
    let repeated = if members.len() <= 16 {
        (1..members.len()).any(|i| members[..i].iter().any(|(_, path)| *path == members[i].1))
    } else {
        let mut paths: Vec<u64> = members.iter().map(|(_, path)| *path).collect();
        paths.sort_unstable();
        paths.windows(2).any(|pair| pair[0] == pair[1])
    };
    if repeated {
        let mut seen = std::collections::HashSet::new();
        let mut last: Vec<(View<'a>, u64)> = work.drain(first..).rev().filter(|(_, path)| seen.insert(*path)).collect();
        work.append(&mut last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> u64 {
        of_text(text.as_bytes(), &mut Tree::default())
    }

    #[test]
    fn equal_values_have_equal_hashes() {
        for (a, b) in [
            (r#"{"a":1,"b":[1,2]}"#, r#" { "b" : [1.0, 2e0], "a" : 1 } "#),
            (r#"{"a":1,"a":2}"#, r#"{"a":2}"#),
            (r#"["\u0041\n"]"#, "[\"A\\u000a\"]"),
            ("-0", "0"),
            ("1e400", "1e999"),
            ("not json", "not json"),
        ] {
            assert_eq!(of(a), of(b), "{a} {b}");
        }
        let many = |reverse: bool| {
            let mut members: Vec<String> = (0..40).map(|n| format!("\"k{}\":{n}", n % 20)).collect();
            if reverse {
                members.drain(..20);
                members.reverse();
            }
            format!("{{{}}}", members.join(","))
        };
        assert_eq!(of(&many(false)), of(&many(true)));
    }

    #[test]
    fn different_values_have_different_hashes() {
        let texts = [
            "",
            " ",
            "{}",
            "[]",
            "null",
            "0",
            "1",
            "\"\"",
            "\"0\"",
            "[[]]",
            "[{}]",
            "{\"a\":{}}",
            "{\"a\":[]}",
            "[1,2]",
            "[2,1]",
            "[1]",
            "{\"a\":1}",
            "{\"b\":1}",
            "{\"a\":{\"b\":1}}",
            "{\"a\":1,\"b\":2}",
            "{\"a\":2,\"b\":1}",
            "not json",
            "not json ",
            "[0]",
            "[0,0]",
        ];
        for (i, a) in texts.iter().enumerate() {
            for b in &texts[..i] {
                assert_ne!(of(a), of(b), "{a} {b}");
            }
        }
    }
}
