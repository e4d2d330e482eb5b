//! A unified diff of known changes: no comparing, the changes say where they are.

use super::fix::apply;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

/// The diff of a text with ranges of it replaced, without lines of context.
pub(super) fn unified(path: &Path, before: &[u8], changes: &[(Range<usize>, String)]) -> String {
    let name = path.display();
    let mut out = format!("--- {name}\n+++ {name}\n");
    let (mut shift, mut at) = (0_isize, 0);
    while at < changes.len() {
        let start = memchr::memrchr(b'\n', &before[..changes[at].0.start]).map_or(0, |n| n + 1);
        let mut next = at;
        let mut end = start;
        // Changes on lines that touch are told together.
        while next < changes.len() && changes[next].0.start <= end.max(changes[at].0.start) {
            let last = changes[next].0.end;
            end = memchr::memchr(b'\n', &before[last..]).map_or(before.len(), |n| last + n + 1);
            next += 1;
        }
        let inside = changes[at..next].iter().map(|(range, with)| (range.start - start..range.end - start, with.clone()));
        let old = &before[start..end];
        let new = apply(old, &inside.collect::<Vec<_>>());
        let line = memchr::memchr_iter(b'\n', &before[..start]).count() + 1;
        let (old_lines, new_lines) = (lines(old), lines(&new));
        let moved = line.saturating_add_signed(shift);
        let _ = writeln!(out, "@@ -{line},{} +{moved},{} @@", old_lines.len(), new_lines.len());
        shift += signed(new_lines.len()) - signed(old_lines.len());
        out.extend(old_lines.iter().flat_map(|line| ["-", line, "\n"]));
        out.extend(new_lines.iter().flat_map(|line| ["+", line, "\n"]));
        at = next;
    }
    out
}

fn signed(n: usize) -> isize {
    isize::try_from(n).unwrap_or(isize::MAX)
}

fn lines(text: &[u8]) -> Vec<String> {
    let text = crate::json::to_well_formed(text);
    text.lines().map(str::to_owned).collect()
}
