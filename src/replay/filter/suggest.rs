//! Did you mean: the nearest of a few words.

/// The word that was most probably meant: one that begins with what was typed, or one that is a few typing mistakes away.
pub(super) fn nearest<'a>(typed: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_ascii_lowercase();
    if typed.is_empty() || typed.len() > 32 {
        return None;
    }
    let allowed = 1 + typed.len() / 4;
    let rated = words.into_iter().filter_map(|word| {
        let begins = typed.len() >= 2 && (word.starts_with(&typed) || typed.starts_with(word));
        let distance = if begins { 1 } else { distance(typed.as_bytes(), word.as_bytes()) };
        // The first letter is rarely the wrong one.
        let same_start = typed.as_bytes().first() == word.as_bytes().first();
        (distance <= allowed && distance < word.len()).then_some(((distance, !same_start), word))
    });
    rated.min_by_key(|(rating, _)| *rating).map(|(_, word)| word)
}

/// How many letters to insert, delete, replace or swap with their neighbour.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut best = (row[j] + usize::from(x != y)).min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                best = best.min(before[j - 1] + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word() {
        let words = ["tool", "verdict", "is", "kind", "at", "unknown_tool", "marked"];
        for (typed, meant) in [
            ("tol", Some("tool")),
            ("otol", Some("tool")),
            ("verdcit", Some("verdict")),
            ("KINDS", Some("kind")),
            ("unknown", Some("unknown_tool")),
            ("mark", Some("marked")),
            ("xyz", None),
            ("", None),
            ("http", None),
        ] {
            assert_eq!(nearest(typed, words), meant, "{typed}");
        }
    }
}
