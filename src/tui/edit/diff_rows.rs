//! A comparison as rows to scroll through.

use super::diff::{Diff, Half, Pair};
use crate::gate::{Issue, VerdictKind};
use std::ops::Range;

/// From this width on, both sides stand beside each other.
pub const BESIDE: usize = 90;

/// One row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Row<'a> {
    /// What follows.
    Heading(&'static str),
    /// The counts of issues.
    Counts,
    /// An issue, and what became of it.
    Issue(Fate, &'a Issue),
    /// Two lines beside each other.
    Beside(&'a Pair),
    /// A line that is in both.
    Same(&'a Half),
    /// A line that was there before.
    Before(&'a Half),
    /// A line that is there now.
    After(&'a Half),
    /// So many lines that are in both are left out.
    Folded(usize),
    /// Neither gets a text.
    NoText,
    /// An empty row.
    Empty,
}

/// What became of an issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is gone.
    Fixed,
    /// It was not there before.
    New,
    /// It is still there.
    Still,
}

/// Lines that are the same in both and stay beside one that differs.
const CONTEXT: usize = 3;

/// The rows of a comparison, for a pane of this width: `whole`, or without lines that are the same in both and far from
/// what differs.
#[must_use]
pub fn rows<'a>(diff: &'a Diff, width: usize, whole: bool) -> Vec<Row<'a>> {
    let comparison = &diff.comparison;
    let fates = [(Fate::Fixed, &comparison.fixed), (Fate::New, &comparison.new), (Fate::Still, &comparison.still)];
    let mut rows = vec![Row::Counts];
    // Of a text that is no JSON nothing more is known than that.
    let known = diff.after.kind != VerdictKind::Unparsable && diff.before.kind != VerdictKind::Unparsable;
    rows.extend(
        fates.into_iter().filter(|_| known).flat_map(|(fate, issues)| issues.iter().map(move |issue| Row::Issue(fate, issue))),
    );
    let texts = |rows: &mut Vec<Row<'a>>| {
        rows.extend([Row::Empty, Row::Heading("what the model gets")]);
        if diff.texts.is_empty() {
            rows.push(Row::NoText);
        }
        push(rows, &diff.texts, width, whole);
    };
    // Where the arguments are the same, what was said of them comes first.
    let same = diff.patch.is_empty();
    if same {
        texts(&mut rows);
    }
    rows.extend([Row::Empty, Row::Heading("arguments")]);
    push(&mut rows, &diff.arguments, width, whole);
    if !same {
        texts(&mut rows);
    }
    rows
}

fn push<'a>(rows: &mut Vec<Row<'a>>, pairs: &'a [Pair], width: usize, whole: bool) {
    let mut at = 0;
    for gap in if whole { Vec::new() } else { far_from_change(pairs) } {
        push_all(rows, &pairs[at..gap.start], width);
        rows.push(Row::Folded(gap.len()));
        at = gap.end;
    }
    push_all(rows, &pairs[at..], width);
}

/// Where lines stand that are far from what differs. One line alone takes no less room than the words in its place. Where
/// nothing differs, nothing is far from it.
fn far_from_change(pairs: &[Pair]) -> Vec<Range<usize>> {
    let changes: Vec<usize> = (0..pairs.len()).filter(|at| !pairs[*at].is_same()).collect();
    let Some(first) = changes.first() else { return Vec::new() };
    let before = 0..first.saturating_sub(CONTEXT);
    let between = changes.windows(2).map(|two| two[0] + 1 + CONTEXT..two[1].saturating_sub(CONTEXT));
    let after = changes.last().map(|last| last + 1 + CONTEXT..pairs.len());
    std::iter::once(before).chain(between).chain(after).filter(|gap| gap.len() > 1).collect()
}

fn push_all<'a>(rows: &mut Vec<Row<'a>>, pairs: &'a [Pair], width: usize) {
    if width >= BESIDE {
        return rows.extend(pairs.iter().map(Row::Beside));
    }
    let mut rest = pairs;
    while let Some((first, after)) = rest.split_first() {
        if let (true, Some(half)) = (first.is_same(), &first.after) {
            rows.push(Row::Same(half));
            rest = after;
            continue;
        }
        // What was there, then what is there now, as patches have it.
        let (changed, after) = rest.split_at(rest.iter().take_while(|pair| !pair.is_same()).count().max(1));
        rows.extend(changed.iter().filter_map(|pair| pair.before.as_ref()).map(Row::Before));
        rows.extend(changed.iter().filter_map(|pair| pair.after.as_ref()).map(Row::After));
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::super::diff::pairs;
    use super::*;
    use crate::tui::edit::tests::{call, gate};

    #[test]
    fn narrow_panes_have_one_side_after_the_other() {
        let (before, after) = (call("TaskUpdate", "{\"id\":\"2\",\"x\":1}"), call("TaskUpdate", "{\"taskId\":\"2\"}"));
        let diff = Diff::of(&gate(), &before, &after);
        let shown: String = rows(&diff, 60, false)
            .iter()
            .map(|row| match row {
                Row::Same(_) => '=',
                Row::Before(_) => '-',
                Row::After(_) => '+',
                Row::Issue(Fate::Fixed, _) => 'f',
                Row::Counts => '#',
                Row::Heading(_) => 'h',
                Row::Empty => ' ',
                _ => '?',
            })
            .collect();
        assert_eq!(shown, "#fff h=--+= h----");
        assert!(rows(&diff, 120, false).iter().filter(|row| matches!(row, Row::Beside(_))).count() >= 4);
    }

    #[test]
    fn lines_far_from_what_differs_are_left_out() {
        let text = |changed: &[usize]| -> String {
            (0..20).map(|n| if changed.contains(&n) { format!("{n} new\n") } else { format!("{n}\n") }).collect()
        };
        for (changed, gaps) in [
            (&[0][..], std::iter::once(4..20).collect()),
            (&[19], std::iter::once(0..16).collect()),
            (&[10], vec![0..7, 14..20]),
            (&[3, 11], vec![7..8, 15..20]),
            (&[3, 12], vec![7..9, 16..20]),
            (&[], vec![]),
        ] {
            let gaps: Vec<Range<usize>> = gaps.into_iter().filter(|gap| gap.len() > 1).collect();
            assert_eq!(far_from_change(&pairs(&text(&[]), &text(changed))), gaps, "{changed:?}");
        }
        let (old, new) = (text(&[]), text(&[10]));
        let pairs = pairs(&old, &new);
        let folded = |whole: bool| {
            let mut rows = Vec::new();
            push(&mut rows, &pairs, 60, whole);
            rows.iter().map(|row| if let Row::Folded(lines) = row { *lines } else { 1 }).sum::<usize>()
        };
        assert_eq!((folded(false), folded(true)), (21, 21));
    }
}
