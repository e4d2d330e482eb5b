//! A comparison as rows to scroll through.

use super::diff::{Diff, Half, Pair};
use crate::gate::{Issue, VerdictKind};

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

/// The rows of a comparison, for a pane of this width.
#[must_use]
pub fn rows(diff: &Diff, width: usize) -> Vec<Row<'_>> {
    let comparison = &diff.comparison;
    let fates = [(Fate::Fixed, &comparison.fixed), (Fate::New, &comparison.new), (Fate::Still, &comparison.still)];
    let mut rows = vec![Row::Counts];
    // Of a text that is no JSON nothing more is known than that.
    let known = diff.after.kind != VerdictKind::Unparsable && diff.before.kind != VerdictKind::Unparsable;
    rows.extend(
        fates.into_iter().filter(|_| known).flat_map(|(fate, issues)| issues.iter().map(move |issue| Row::Issue(fate, issue))),
    );
    rows.extend([Row::Empty, Row::Heading("arguments")]);
    push(&mut rows, &diff.arguments, width);
    rows.extend([Row::Empty, Row::Heading("what the model gets")]);
    if diff.texts.is_empty() {
        rows.push(Row::NoText);
    }
    push(&mut rows, &diff.texts, width);
    rows
}

fn push<'a>(rows: &mut Vec<Row<'a>>, pairs: &'a [Pair], width: usize) {
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
    use super::*;
    use crate::tui::edit::tests::{call, gate};

    #[test]
    fn narrow_panes_have_one_side_after_the_other() {
        let (before, after) = (call("TaskUpdate", "{\"id\":\"2\",\"x\":1}"), call("TaskUpdate", "{\"taskId\":\"2\"}"));
        let diff = Diff::of(&gate(), &before, &after);
        let shown: String = rows(&diff, 60)
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
        assert!(rows(&diff, 120).iter().filter(|row| matches!(row, Row::Beside(_))).count() >= 4);
    }
}
