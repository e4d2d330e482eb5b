//! The documentation of the keys, from the table.

use super::actions::{ACTIONS, Action, Group};
use super::context::Context;
use super::keymap::Keymap;
use crate::json::{JsString, Value};
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
    let actions: Vec<&Action> = ACTIONS.iter().collect();
    keys_page(&Keymap::default(), &actions)
}

/// A page of these actions, with the keys of this map.
#[must_use]
pub fn keys_page(map: &Keymap, actions: &[&Action]) -> String {
    let mut page = INTRODUCTION.to_owned();
    page.push_str("## Contexts\n\n| Context | Where |\n|---|---|\n");
    for context in Context::ALL {
        let _ = writeln!(page, "| `{}` | {} |", context.name(), context.help());
    }
    for (group, actions) in groups(actions) {
        let _ = write!(page, "\n## {}\n\n| Action | Keys | What it does |\n|---|---|---|\n", group.title());
        for action in actions {
            let keys = keys_by_context(map, action).into_iter().map(|(keys, contexts)| {
                let keys: Vec<String> = keys.iter().map(|key| format!("`{}`", key.replace('|', "\\|"))).collect();
                if keys.is_empty() { "palette".to_owned() } else { format!("{} ({})", keys.join(" "), contexts.join(", ")) }
            });
            let keys = keys.collect::<Vec<_>>().join("; ");
            let _ = writeln!(page, "| `{}` | {keys} | {}{} |", action.name, action.help, count(action));
        }
    }
    page
}

/// The same for people: a line for each action, under the heading of its group.
#[must_use]
pub fn keys_text(map: &Keymap, actions: &[&Action]) -> String {
    let width = actions.iter().map(|action| action.name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for (group, actions) in groups(actions) {
        let _ = writeln!(text, "{}{}", if text.is_empty() { "" } else { "\n" }, group.title());
        for action in actions {
            let keys = keys_of(map, action).join("; ");
            let _ = writeln!(text, "  {:width$}  {}{}\n  {:width$}    {keys}", action.name, action.help, count(action), "");
        }
    }
    text
}

/// The same for programs: an array of objects, with the keys by context.
#[must_use]
pub fn keys_json(map: &Keymap, actions: &[&Action]) -> String {
    let action = |action: &&Action| {
        let keys = contexts_of(map, action).into_iter().map(|context| {
            let keys: Vec<Value> = bound(map, action, context).iter().map(|keys| Value::from(keys.as_str())).collect();
            (JsString::from(context.name()), Value::from(keys))
        });
        Value::from([
            ("name", Value::from(action.name)),
            ("title", Value::from(action.title)),
            ("help", Value::from(action.help)),
            ("group", Value::from(action.group.title())),
            ("counted", Value::from(action.counted)),
            ("keys", Value::Object(keys.collect())),
        ])
    };
    Value::from(actions.iter().map(action).collect::<Vec<_>>()).to_json_pretty(2) + "\n"
}

/// The keys of an action, contexts with the same keys together: `j Down (list, tree)`.
#[must_use]
pub fn keys_of(map: &Keymap, action: &Action) -> Vec<String> {
    let row = |(keys, contexts): (Vec<String>, Vec<&str>)| {
        if keys.is_empty() { "palette".to_owned() } else { format!("{} ({})", keys.join(" "), contexts.join(", ")) }
    };
    keys_by_context(map, action).into_iter().map(row).collect()
}

/// The groups that have something to list, each with its actions.
fn groups<'a>(actions: &[&'a Action]) -> impl Iterator<Item = (Group, Vec<&'a Action>)> {
    let of = |group: Group| (group, actions.iter().copied().filter(|action| action.group == group).collect::<Vec<_>>());
    Group::ALL.into_iter().map(of).filter(|(_, actions)| !actions.is_empty())
}

fn count(action: &Action) -> &'static str {
    if action.counted { " (n)" } else { "" }
}

/// Where it works: the contexts of the table, and those that a person has bound it in.
fn contexts_of(map: &Keymap, action: &Action) -> Vec<Context> {
    let mut contexts: Vec<Context> = action.keys.iter().map(|(context, _)| *context).collect();
    for binding in map.bindings().iter().filter(|binding| binding.action == action.id) {
        if !contexts.contains(&binding.context) {
            contexts.push(binding.context);
        }
    }
    contexts
}

fn bound(map: &Keymap, action: &Action, context: Context) -> Vec<String> {
    let bindings = map.bindings().iter().filter(|binding| binding.action == action.id && binding.context == context);
    bindings.map(|binding| binding.keys.to_string()).collect()
}

fn keys_by_context(map: &Keymap, action: &Action) -> Vec<(Vec<String>, Vec<&'static str>)> {
    let mut rows: Vec<(Vec<String>, Vec<&str>)> = Vec::new();
    for context in contexts_of(map, action) {
        let keys = bound(map, action, context);
        match rows.iter_mut().find(|(known, _)| *known == keys) {
            Some((_, contexts)) => contexts.push(context.name()),
            None => rows.push((keys, vec![context.name()])),
        }
    }
    rows
}
