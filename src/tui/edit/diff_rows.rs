//! A comparison as rows to scroll through.

use super::diff::{Diff, Half, Pair};
use crate::gate::{Issue, VerdictKind};
use crate::json::Visible;
use crate::tui::text::wrapped_rows;
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
    /// Two lines beside each other, and which part of them.
    Beside(&'a Pair, Part),
    /// A line that is in both.
    Same(&'a Half, Part),
    /// A line that was there before.
    Before(&'a Half, Part),
    /// A line that is there now.
    After(&'a Half, Part),
    /// So many lines that are in both are left out.
    Folded(usize),
    /// Neither gets a text.
    NoText,
    /// An empty row.
    Empty,
}

/// How much of a line is in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of it, as far as there is room.
    Whole,
    /// The row with this number, from 0, when it is wrapped.
    Wrapped(usize),
}

impl Part {
    /// Whether the line begins here.
    #[must_use]
    pub fn is_first(self) -> bool {
        matches!(self, Self::Whole | Self::Wrapped(0))
    }
}

/// What is shown of a comparison, and in how many cells.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Cells for both sides together.
    pub width: usize,
    /// Also lines that are the same in both and far from what differs.
    pub whole: bool,
    /// The texts that the model gets are wrapped; arguments never are.
    pub wrap: bool,
}

impl Shape {
    /// Whether both sides stand beside each other.
    #[must_use]
    pub fn is_beside(self) -> bool {
        self.width >= BESIDE
    }

    /// The cells of each side's lines, behind the sign.
    #[must_use]
    pub fn room(self) -> usize {
        let side = if self.is_beside() { (self.width / 2).saturating_sub(1) } else { self.width };
        side.saturating_sub(SIGN)
    }
}

/// Cells of the sign before a line.
const SIGN: usize = 2;

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

/// The rows of a comparison.
#[must_use]
pub fn rows(diff: &Diff, shape: Shape) -> Vec<Row<'_>> {
    let comparison = &diff.comparison;
    let fates = [(Fate::Fixed, &comparison.fixed), (Fate::New, &comparison.new), (Fate::Still, &comparison.still)];
    let mut rows = vec![Row::Counts];
    // Of a text that is no JSON nothing more is known than that.
    let known = diff.after.kind != VerdictKind::Unparsable && diff.before.kind != VerdictKind::Unparsable;
    rows.extend(
        fates.into_iter().filter(|_| known).flat_map(|(fate, issues)| issues.iter().map(move |issue| Row::Issue(fate, issue))),
    );
    // Where the arguments are the same, what was said of them comes first.
    let same = diff.patch.is_empty();
    if same {
        texts(&mut rows, diff, shape);
    }
    rows.extend([Row::Empty, Row::Heading("arguments")]);
    push(&mut rows, &diff.arguments, Shape { wrap: false, ..shape });
    if !same {
        texts(&mut rows, diff, shape);
    }
    rows
}

fn texts<'a>(rows: &mut Vec<Row<'a>>, diff: &'a Diff, shape: Shape) {
    rows.extend([Row::Empty, Row::Heading("what the model gets")]);
    if diff.texts.is_empty() {
        rows.push(Row::NoText);
    }
    push(rows, &diff.texts, shape);
}

fn push<'a>(rows: &mut Vec<Row<'a>>, pairs: &'a [Pair], shape: Shape) {
    let mut at = 0;
    for gap in if shape.whole { Vec::new() } else { far_from_change(pairs) } {
        push_all(rows, &pairs[at..gap.start], shape);
        rows.push(Row::Folded(gap.len()));
        at = gap.end;
    }
    push_all(rows, &pairs[at..], shape);
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

/// The parts of a line.
fn parts(half: &Half, shape: Shape) -> Vec<Part> {
    if !shape.wrap {
        return vec![Part::Whole];
    }
    let rows = wrapped_rows(&Visible::new(&half.text()), shape.room());
    (0..rows).map(Part::Wrapped).collect()
}

fn push_all<'a>(rows: &mut Vec<Row<'a>>, pairs: &'a [Pair], shape: Shape) {
    if shape.is_beside() {
        let sides = |pair: &'a Pair| {
            let parts = [&pair.before, &pair.after].into_iter().flatten().map(|half| parts(half, shape));
            parts.max_by_key(Vec::len).unwrap_or_default().into_iter().map(move |part| Row::Beside(pair, part))
        };
        return rows.extend(pairs.iter().flat_map(sides));
    }
    let of = |half: &'a Half, row: fn(&'a Half, Part) -> Row<'a>| parts(half, shape).into_iter().map(move |part| row(half, part));
    let mut rest = pairs;
    while let Some((first, after)) = rest.split_first() {
        if let (true, Some(half)) = (first.is_same(), &first.after) {
            rows.extend(of(half, Row::Same));
            rest = after;
            continue;
        }
        // What was there, then what is there now, as patches have it.
        let (changed, after) = rest.split_at(rest.iter().take_while(|pair| !pair.is_same()).count().max(1));
        rows.extend(changed.iter().filter_map(|pair| pair.before.as_ref()).flat_map(|half| of(half, Row::Before)));
        rows.extend(changed.iter().filter_map(|pair| pair.after.as_ref()).flat_map(|half| of(half, Row::After)));
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::super::diff::pairs;
    use super::*;
    use crate::tui::edit::tests::{call, gate};

    fn shape(width: usize) -> Shape {
        Shape { width, whole: false, wrap: false }
    }

    #[test]
    fn texts_are_wrapped_and_arguments_are_not() {
        let long = format!("{{\"id\":\"2\",\"{}\":1}}", "x".repeat(200));
        let diff = Diff::of(&gate(), &call("TaskUpdate", &long), &call("TaskUpdate", "{\"taskId\":\"2\"}"));
        for width in [1, 20, 60, 120] {
            let wrapped = rows(&diff, Shape { wrap: true, ..shape(width) });
            let later = |row: &&Row<'_>| match row {
                Row::Beside(_, part) | Row::Same(_, part) | Row::Before(_, part) | Row::After(_, part) => !part.is_first(),
                _ => false,
            };
            assert_eq!(wrapped.len() - wrapped.iter().filter(later).count(), rows(&diff, shape(width)).len(), "at {width}");
            assert!(wrapped.iter().any(|row| later(&row)), "at {width}");
        }
    }

    #[test]
    fn narrow_panes_have_one_side_after_the_other() {
        let (before, after) = (call("TaskUpdate", "{\"id\":\"2\",\"x\":1}"), call("TaskUpdate", "{\"taskId\":\"2\"}"));
        let diff = Diff::of(&gate(), &before, &after);
        let shown: String = rows(&diff, shape(60))
            .iter()
            .map(|row| match row {
                Row::Same(..) => '=',
                Row::Before(..) => '-',
                Row::After(..) => '+',
                Row::Issue(Fate::Fixed, _) => 'f',
                Row::Counts => '#',
                Row::Heading(_) => 'h',
                Row::Empty => ' ',
                _ => '?',
            })
            .collect();
        assert_eq!(shown, "#fff h=--+= h----");
        assert!(rows(&diff, shape(120)).iter().filter(|row| matches!(row, Row::Beside(..))).count() >= 4);
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
            push(&mut rows, &pairs, Shape { whole, ..shape(60) });
            rows.iter().map(|row| if let Row::Folded(lines) = row { *lines } else { 1 }).sum::<usize>()
        };
        assert_eq!((folded(false), folded(true)), (21, 21));
    }
}
