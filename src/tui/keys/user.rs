//! A person's own keys: patches over the defaults. The person always wins, and every mistake is told with its line.
//!
//! ```toml
//! [keys.list]
//! replay = ["r", "F6"]   # in place of the default keys of this action in this context
//! mark = []              # no key at all
//! unbind = ["x"]         # these keys do nothing here
//! ```

use super::actions::{ACTIONS, ActionId};
use super::chord::Sequence;
use super::context::Context;
use super::keymap::{Binding, Keymap};
use std::fmt;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Something about the keys in a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong and what to do.
    pub message: String,
    /// Whether something that was asked for does not happen; otherwise it is good to know.
    pub is_mistake: bool,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weight = if self.is_mistake { "error" } else { "note" };
        write!(f, "line {}: {weight}: {}", self.line, self.message)
    }
}

impl Keymap {
    /// The defaults with the patches of a configuration, given as its whole text. What cannot be understood is told and left
    /// out; a text that is no TOML at all leaves the defaults.
    #[must_use]
    pub fn with_user(config: &str) -> (Self, Vec<Problem>) {
        let mut patch = Patch { text: config, map: Self::default(), own: Vec::new(), problems: Vec::new() };
        match DeTable::parse(config) {
            Ok(table) => patch.apply(table.get_ref()),
            Err(error) => patch.mistake(error.span().unwrap_or(0..0), format!("this is not TOML: {}", error.message())),
        }
        patch.finish()
    }
}

struct Patch<'a> {
    text: &'a str,
    map: Keymap,
    /// The person's bindings so far, with where they stand.
    own: Vec<(Binding, Range<usize>)>,
    problems: Vec<Problem>,
}

impl Patch<'_> {
    fn tell(&mut self, at: Range<usize>, message: String, is_mistake: bool) {
        let before = self.text.get(..at.start).unwrap_or(self.text);
        let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
        self.problems.push(Problem { line, message, is_mistake });
    }

    fn mistake(&mut self, at: Range<usize>, message: String) {
        self.tell(at, message, true);
    }

    fn apply(&mut self, config: &DeTable<'_>) {
        let Some((_, keys)) = config.iter().find(|(name, _)| name.get_ref() == "keys") else { return };
        let DeValue::Table(contexts) = keys.get_ref() else {
            return self.mistake(keys.span(), "`keys` is a table of contexts, such as [keys.list]".to_owned());
        };
        for (name, table) in contexts {
            match (Context::parse(name.get_ref()), table.get_ref()) {
                (Some(context), DeValue::Table(table)) => self.apply_context(context, table),
                (Some(_), _) => self.mistake(table.span(), format!("`keys.{}` is a table of actions", name.get_ref())),
                (None, _) => {
                    let known = Context::ALL.map(Context::name).join(", ");
                    self.mistake(name.span(), format!("there is no context `{}`; there are {known}", name.get_ref()));
                }
            }
        }
    }

    fn apply_context(&mut self, context: Context, table: &DeTable<'_>) {
        for (name, value) in table {
            if name.get_ref() == "unbind" {
                for (keys, at) in self.sequences(value) {
                    self.unbind(context, &keys, at);
                }
            } else if let Some(action) = ActionId::parse(name.get_ref()) {
                self.map.bindings.retain(|b| b.context != context || b.action != action);
                for (keys, at) in self.sequences(value) {
                    self.bind(Binding { context, keys, action }, at);
                }
            } else {
                let hint = nearest(name.get_ref()).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                self.mistake(name.span(), format!("there is no action `{}`{hint}", name.get_ref()));
            }
        }
    }

    /// The keys of a value: a text or a list of texts.
    fn sequences(&mut self, value: &Spanned<DeValue<'_>>) -> Vec<(Sequence, Range<usize>)> {
        let single = std::slice::from_ref(value);
        let values: Vec<&Spanned<DeValue<'_>>> = match value.get_ref() {
            DeValue::Array(values) => values.iter().collect(),
            _ => single.iter().collect(),
        };
        let mut sequences = Vec::new();
        for value in values {
            let at = value.span();
            let DeValue::String(text) = value.get_ref() else {
                self.mistake(at, "keys are written as text, such as \"Ctrl-x\" or \"y e\"".to_owned());
                continue;
            };
            match text.parse() {
                Ok(keys) => sequences.push((keys, at)),
                Err(error) => self.mistake(at, format!("{error}")),
            }
        }
        sequences
    }

    fn unbind(&mut self, context: Context, keys: &Sequence, at: Range<usize>) {
        let before = self.map.bindings.len();
        self.map.bindings.retain(|b| b.context != context || b.keys != *keys);
        if self.map.bindings.len() == before {
            self.mistake(at, format!("`{keys}` is not bound in {context}, so it cannot be unbound there"));
        }
    }

    /// Adds one of the person's bindings. Two of them on one key, or one at the beginning of another, cannot both work.
    fn bind(&mut self, binding: Binding, at: Range<usize>) {
        let overlaps = |other: &Binding| {
            let (a, b) = (binding.keys.chords(), other.keys.chords());
            other.context == binding.context && (a.starts_with(b) || b.starts_with(a))
        };
        if let Some((other, _)) = self.own.iter().find(|(other, _)| overlaps(other)) {
            let (name, keys) = (other.action.action().name, &other.keys);
            let message = format!("`{}` cannot be bound in {}: `{keys}` is bound to {name} above", binding.keys, binding.context);
            return self.mistake(at, message);
        }
        self.own.push((binding, at));
    }

    /// Puts the person's bindings over the defaults and tells which of these yield.
    fn finish(mut self) -> (Keymap, Vec<Problem>) {
        for (binding, at) in std::mem::take(&mut self.own) {
            let overlaps = |other: &Binding| {
                let (a, b) = (binding.keys.chords(), other.keys.chords());
                other.context == binding.context && (a.starts_with(b) || b.starts_with(a))
            };
            let (yielding, kept): (Vec<_>, Vec<_>) = std::mem::take(&mut self.map.bindings).into_iter().partition(overlaps);
            self.map.bindings = kept;
            for other in yielding {
                let (keys, name) = (other.keys, other.action.action().name);
                self.tell(at.clone(), format!("`{keys}` no longer does {name} in {}", other.context), false);
            }
            self.note_shadowed_global(&binding, at);
            self.map.bindings.push(binding);
        }
        // A key is shown by its first binding: the person's come before what is left of the defaults for the same action.
        self.problems.sort_by_key(|problem| problem.line);
        (self.map, self.problems)
    }

    fn note_shadowed_global(&mut self, binding: &Binding, at: Range<usize>) {
        if binding.context == Context::Global {
            return;
        }
        let global = self.map.bindings.iter().find(|b| b.context == Context::Global && b.keys == binding.keys);
        if let Some(name) = global.map(|b| b.action.action().name) {
            let message = format!("`{}` no longer does {name} in {}", binding.keys, binding.context);
            self.tell(at, message, false);
        }
    }
}

/// The action whose name is most like this, if one is at all.
fn nearest(name: &str) -> Option<&'static str> {
    let candidates = ACTIONS.iter().map(|action| (distance(name, action.name), action.name));
    candidates.min().filter(|(distance, known)| *distance <= known.len() / 3 + 1).map(|(_, known)| known)
}

/// How many characters have to be put in, taken out or changed.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::super::keymap::Resolved;
    use super::*;
    use proptest::prelude::*;

    fn patched(config: &str) -> (Keymap, Vec<String>) {
        let (map, problems) = Keymap::with_user(config);
        (map, problems.iter().map(ToString::to_string).collect())
    }

    fn does(map: &Keymap, context: Context, keys: &str) -> Option<&'static str> {
        match map.resolve(context, keys.parse::<Sequence>().unwrap().chords()) {
            Resolved::Action(action) => Some(action.action().name),
            _ => None,
        }
    }

    #[test]
    fn the_persons_keys_take_the_place_of_the_defaults() {
        let (map, problems) = patched("[keys.list]\nreplay = [\"t\", \"F6\"]\nfollow = []\nunbind = [\"z\"]\n");
        assert_eq!(problems, [""; 0]);
        assert_eq!(does(&map, Context::List, "t"), Some("replay"));
        assert_eq!(does(&map, Context::List, "F6"), Some("replay"));
        assert_eq!(does(&map, Context::List, "r"), None);
        assert_eq!(does(&map, Context::List, "f"), None);
        assert_eq!(does(&map, Context::List, "z"), None);
        assert_eq!(does(&map, Context::Tree, "r"), Some("replay"), "other contexts are as they were");
    }

    #[test]
    fn a_default_yields_and_it_is_told() {
        let (map, problems) = patched("\n[keys.list]\nreplay = \"e\"\nopen = \"R\"\n");
        assert_eq!(does(&map, Context::List, "e"), Some("replay"));
        assert_eq!(
            problems,
            ["line 3: note: `e` no longer does edit in list", "line 4: note: `R` no longer does rescan in list"]
        );
    }

    #[test]
    fn two_of_the_persons_bindings_on_one_key_are_a_mistake() {
        let (map, problems) = patched("[keys.global]\nzoom = \"F9\"\nwrap = \"F9\"\nquit = \"F9 x\"\n");
        assert_eq!(does(&map, Context::List, "F9"), does(&map, Context::Tree, "F9"));
        assert_eq!(problems.iter().filter(|p| p.contains("error") && p.contains("cannot be bound in global")).count(), 2);
    }

    #[test]
    fn mistakes_are_told_with_their_lines_and_the_rest_holds() {
        let config =
            "theme = \"dark\"\n[keys.list]\nreplya = \"F6\"\nreplay = [\"F6\", \"Hyper-x\", 3]\nunbind = \"F12\"\n[keys.lists]\n";
        let (map, problems) = patched(config);
        assert_eq!(does(&map, Context::List, "F6"), Some("replay"));
        assert_eq!(
            problems,
            [
                "line 3: error: there is no action `replya`; did you mean `replay`?",
                "line 4: error: `Hyper-x` is no key: write one character, F1 to F24, or a name such as Enter, Space or PageDown",
                "line 4: error: keys are written as text, such as \"Ctrl-x\" or \"y e\"",
                "line 5: error: `F12` is not bound in list, so it cannot be unbound there",
                "line 6: error: there is no context `lists`; there are global, list, tree, definitions, editor, diff, prompt, palette, confirm",
            ]
        );
    }

    #[test]
    fn what_is_no_toml_leaves_the_defaults() {
        let (map, problems) = patched("[keys.list\nreplay = ");
        assert_eq!(map, Keymap::default());
        assert_eq!(problems.len(), 1);
        assert!(problems[0].starts_with("line 1: error: this is not TOML"), "{}", problems[0]);
    }

    proptest! {
        #[test]
        fn no_configuration_panics(text in "(\\[keys\\.(list|tree|x)\\]\n)?([a-z-]{1,8} = (\"[a-z -]{0,8}\"|\\[\"[A-Z]\", 1\\])\n){0,5}.{0,20}") {
            let _ = Keymap::with_user(&text);
        }
    }
}
