//! The documentation of the keys, from the table.

use super::actions::{ACTIONS, Action, Group};
use super::context::Context;
use std::fmt::Write as _;

const INTRODUCTION: &str = "\
# Keys

This page is generated from the program's own table; the program's `?` shows the same, with what can be done here and now.

Nothing quits by accident: `Esc` only ever goes back. A number typed before an action that is marked with `n` repeats it
(`12j`); in lists a digit that has a meaning of its own waits a moment for what it might be the number of.

Keys can be changed in `misfire.toml`. What is written there takes the place of the default keys of that action in that
context; a default that stands in the way yields. Every mistake is reported with its line.

```toml
[keys.list]
replay = [\"r\", \"F6\"]   # these keys, and no others
follow = []            # no key
unbind = [\"z\"]         # this key does nothing
```

A key is one character (`G` is Shift and `g`), `F1` to `F24`, or one of Enter, Esc, Tab, Space, Backspace, Delete, Insert,
Up, Down, Left, Right, Home, End, PageUp and PageDown, after any of `Ctrl-`, `Alt-` and `Shift-`. Several keys after each
other are separated by spaces: `y e`.

In the editor, keys that are not in the tables below write as in emacs and in every text field: `Ctrl-a` `Ctrl-e` start and end
of the line, `Ctrl-b` `Ctrl-f` `Ctrl-p` `Ctrl-n` and the arrows a character or line, `Alt-b` `Alt-f` a word, `Alt-<` `Alt->`
start and end of the text, `Ctrl-d` `Ctrl-h` delete, `Ctrl-k` `Ctrl-u` `Ctrl-w` `Alt-d` cut to the end and start of the line
and a word, `Ctrl-y` puts in what was cut, `Shift` with the arrows or `Alt-m` selects, `Alt-w` keeps what is selected.

";

/// The page `docs/keys.md`.
#[must_use]
pub fn keys_markdown() -> String {
    let mut page = INTRODUCTION.to_owned();
    page.push_str("## Contexts\n\n| Context | Where |\n|---|---|\n");
    for context in Context::ALL {
        let _ = writeln!(page, "| `{}` | {} |", context.name(), context.help());
    }
    for group in Group::ALL {
        let _ = write!(page, "\n## {}\n\n| Action | Keys | What it does |\n|---|---|---|\n", group.title());
        for action in ACTIONS.iter().filter(|action| action.group == group) {
            let count = if action.counted { " (n)" } else { "" };
            let _ = writeln!(page, "| `{}` | {} | {}{count} |", action.name, keys_of(action), action.help);
        }
    }
    page
}

/// The keys of an action, contexts with the same keys together.
fn keys_of(action: &Action) -> String {
    let mut rows: Vec<(&[&str], Vec<&str>)> = Vec::new();
    for (context, keys) in action.keys {
        match rows.iter_mut().find(|(known, _)| known == keys) {
            Some((_, contexts)) => contexts.push(context.name()),
            None => rows.push((keys, vec![context.name()])),
        }
    }
    let row = |(keys, contexts): &(&[&str], Vec<&str>)| {
        if keys.is_empty() {
            return "palette".to_owned();
        }
        let keys: Vec<String> = keys.iter().map(|key| format!("`{}`", key.replace('|', "\\|"))).collect();
        format!("{} ({})", keys.join(" "), contexts.join(", "))
    };
    rows.iter().map(row).collect::<Vec<_>>().join("; ")
}
