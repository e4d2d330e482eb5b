//! Two attempts beside each other: what was written, what is wrong with it, what the model gets.

use super::draft::text_of;
use crate::capture::Call;
use crate::dialect;
use crate::gate::{Gate, Verdict};
use crate::replay::{Comparison, judge};
use similar::{ChangeTag, InlineChange, TextDiff};

/// What became of a call from one attempt to another.
#[derive(Clone, Debug)]
pub struct Diff {
    /// What the gate says of the first.
    pub before: Verdict,
    /// What it says of the second.
    pub after: Verdict,
    /// What became of the issues.
    pub comparison: Comparison,
    /// The arguments, line by line.
    pub arguments: Vec<Pair>,
    /// The text that the model gets, line by line.
    pub texts: Vec<Pair>,
    /// The same as a patch.
    pub patch: String,
}

/// Two lines that belong beside each other. One may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The line before.
    pub before: Option<Half>,
    /// The line after.
    pub after: Option<Half>,
}

/// One line of one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Half {
    /// The line's number, from 1.
    pub number: u32,
    /// The line in pieces, each with whether it is what differs.
    pub pieces: Vec<(bool, String)>,
}

impl Pair {
    /// Whether both are there and say the same.
    #[must_use]
    pub fn is_same(&self) -> bool {
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => before.text() == after.text(),
            _ => false,
        }
    }
}

impl Half {
    /// The whole line.
    #[must_use]
    pub fn text(&self) -> String {
        self.pieces.iter().map(|(_, text)| text.as_str()).collect()
    }
}

impl Diff {
    /// Compares two attempts, under one gate.
    #[must_use]
    pub fn of(gate: &Gate, before: &Call, after: &Call) -> Self {
        Self::between((judge(gate, before), judge(gate, after)), before, after)
    }

    /// Compares what two gates say of one call.
    #[must_use]
    pub fn by_two(before: &Gate, after: &Gate, call: &Call) -> Self {
        Self::between((judge(before, call), judge(after, call)), call, call)
    }

    fn between(verdicts: (Verdict, Verdict), before: &Call, after: &Call) -> Self {
        let (old, new) = (text_of(before), text_of(after));
        let name = |call: &Call| call.id.clone().unwrap_or_else(|| call.place.to_string());
        let texts = (dialect::text(&verdicts.0), dialect::text(&verdicts.1));
        Self {
            comparison: Comparison::of(&verdicts.0, &verdicts.1),
            arguments: pairs(&old, &new),
            texts: pairs(texts.0.as_deref().unwrap_or_default(), texts.1.as_deref().unwrap_or_default()),
            patch: patch(&old, &new, &name(before), &name(after)),
            before: verdicts.0,
            after: verdicts.1,
        }
    }
}

fn patch(old: &str, new: &str, before: &str, after: &str) -> String {
    let line = |name: &str| name.replace(['\n', '\r'], " ");
    TextDiff::from_lines(old, new).unified_diff().header(&line(before), &line(after)).to_string()
}

/// The lines of two texts, those that changed beside each other.
#[must_use]
pub fn pairs(old: &str, new: &str) -> Vec<Pair> {
    let diff = TextDiff::from_lines(old, new);
    let mut pairs = Vec::new();
    for op in diff.ops() {
        let (mut removed, mut added) = (Vec::new(), Vec::new());
        for change in diff.iter_inline_changes(op) {
            match change.tag() {
                ChangeTag::Equal => {
                    let before = change.old_index().map(|at| half(&change, at));
                    let after = change.new_index().map(|at| half(&change, at));
                    pairs.push(Pair { before, after });
                }
                ChangeTag::Delete => removed.extend(change.old_index().map(|at| half(&change, at))),
                ChangeTag::Insert => added.extend(change.new_index().map(|at| half(&change, at))),
            }
        }
        let (mut removed, mut added) = (removed.into_iter(), added.into_iter());
        loop {
            let pair = Pair { before: removed.next(), after: added.next() };
            if pair.before.is_none() && pair.after.is_none() {
                break;
            }
            pairs.push(pair);
        }
    }
    pairs
}

fn half(change: &InlineChange<'_, str>, index: usize) -> Half {
    let pieces = change.iter_strings_lossy().map(|(differs, text)| (differs, text.trim_end_matches('\n').to_owned()));
    let pieces = pieces.filter(|(_, text)| !text.is_empty()).collect();
    Half { number: u32::try_from(index + 1).unwrap_or(u32::MAX), pieces }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::edit::tests::{call, gate};
    use proptest::prelude::*;

    fn shown(pairs: &[Pair]) -> Vec<String> {
        let side = |half: &Option<Half>| {
            half.as_ref().map_or_else(
                || "~".to_owned(),
                |half| {
                    let pieces =
                        half.pieces.iter().map(|(differs, text)| if *differs { format!("<{text}>") } else { text.clone() });
                    format!("{}:{}", half.number, pieces.collect::<String>())
                },
            )
        };
        pairs.iter().map(|pair| format!("{} | {}", side(&pair.before), side(&pair.after))).collect()
    }

    #[test]
    fn lines_stand_beside_those_that_they_became() {
        let made = pairs("{\n  \"id\": \"2\",\n  \"a\": 1\n}", "{\n  \"taskId\": \"2\",\n  \"a\": 1,\n  \"b\": 2\n}");
        assert_eq!(shown(&made)[0], "1:{ | 1:{");
        assert_eq!(shown(&made).last().unwrap(), "4:} | 5:}");
        assert!(made.iter().any(|pair| pair.before.is_none()));
    }

    #[test]
    fn what_became_of_a_call() {
        let (before, after) = (call("TaskUpdate", "{\"id\":\"2\"}"), call("TaskUpdate", "{\"taskId\":\"2\",\"x\":1}"));
        let diff = Diff::of(&gate(), &before, &after);
        assert_eq!(diff.comparison.line(), "issues fixed 2, new 1, still there 0");
        assert!(diff.patch.contains("-  \"id\": \"2\"\n+  \"taskId\": \"2\",\n"), "{}", diff.patch);
        assert!(!diff.texts.is_empty() && !diff.arguments.iter().all(Pair::is_same));
        assert!(Diff::of(&gate(), &before, &before).arguments.iter().all(Pair::is_same));
    }

    proptest! {
        #[test]
        fn nothing_is_lost(old in "[ab\n\r\u{1b}日]{0,20}", new in "[ab\n\r\u{1b}日]{0,20}") {
            let pairs = pairs(&old, &new);
            let lines = |text: &str| text.lines().count();
            let count = |side: fn(&Pair) -> &Option<Half>| pairs.iter().filter(|pair| side(pair).is_some()).count();
            // A lone carriage return ends a line here too.
            prop_assert!(count(|pair| &pair.before) >= lines(&old));
            prop_assert!(count(|pair| &pair.after) >= lines(&new));
            let joined: String = pairs.iter().filter_map(|pair| pair.after.as_ref()).map(Half::text).collect();
            prop_assert_eq!(joined.replace('\n', ""), new.replace('\n', ""));
        }
    }
}
