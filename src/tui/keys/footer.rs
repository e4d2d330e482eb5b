//! The row of hints at the bottom.

use super::actions::ACTIONS;
use super::context::Context;
use super::keymap::Keymap;
use super::snapshot::Snapshot;
use unicode_width::UnicodeWidthStr;

/// One hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The preferred key.
    pub keys: String,
    /// What it does.
    pub title: &'static str,
}

impl Hint {
    /// Cells that it takes: the key, a space, the word.
    fn width(&self) -> usize {
        self.keys.width() + 1 + self.title.width()
    }
}

/// Cells between two hints.
pub const GAP: usize = 2;

/// The most important hints that fit into so many cells, in the order of the table: of what can be done here and now.
#[must_use]
pub fn footer(keymap: &Keymap, context: Context, snapshot: &Snapshot, width: usize) -> Vec<Hint> {
    let mut actions: Vec<_> = ACTIONS
        .iter()
        .filter(|action| action.priority > 0 && action.applies_in(context) && action.available(snapshot).is_ok())
        .collect();
    actions.sort_by_key(|action| std::cmp::Reverse(action.priority));
    let mut hints: Vec<(_, Hint)> = Vec::new();
    let mut left = width;
    for action in actions {
        let Some(keys) = keymap.keys_of(action.id, context).next() else { continue };
        let hint = Hint { keys: keys.to_string(), title: action.title };
        let needed = hint.width() + if hints.is_empty() { 0 } else { GAP };
        if needed > left {
            break;
        }
        left -= needed;
        hints.push((action.id, hint));
    }
    hints.sort_by_key(|(id, _)| *id);
    hints.into_iter().map(|(_, hint)| hint).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(context: Context, snapshot: &Snapshot, width: usize) -> String {
        let hints = footer(&Keymap::default(), context, snapshot, width);
        hints.iter().map(|hint| format!("{} {}", hint.keys, hint.title)).collect::<Vec<_>>().join("  ")
    }

    #[test]
    fn the_most_important_come_first_and_the_rest_is_left_out() {
        let call = Snapshot { call: true, replayable: true, opens: true, ..Snapshot::default() };
        assert_eq!(line(Context::List, &call, 60), "Enter open  Tab pane  e edit  r replay  ? palette  q quit");
        assert_eq!(line(Context::List, &call, 20), "? palette  q quit");
        assert_eq!(line(Context::List, &call, 3), "");
        assert_eq!(line(Context::Confirm, &call, 60), "y yes  n no");
    }

    #[test]
    fn what_cannot_be_done_is_not_offered() {
        assert!(!line(Context::List, &Snapshot::default(), 200).contains("replay"));
    }
}
