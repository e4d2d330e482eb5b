//! Which key does what, where.

use super::actions::{ACTIONS, ActionId, Group};
use super::chord::{Chord, Sequence};
use super::context::Context;

/// One key, or several after each other, that do something in one context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Where.
    pub context: Context,
    /// The keys.
    pub keys: Sequence,
    /// What they do.
    pub action: ActionId,
}

/// All bindings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keymap {
    pub(super) bindings: Vec<Binding>,
}

/// What typed keys mean so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolved {
    /// They do this.
    Action(ActionId),
    /// They are the beginning of these, which the which-key panel shows.
    Prefix(Vec<Next>),
    /// Nothing.
    Nothing,
}

/// A key that would go on from what has been typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Next {
    /// The key.
    pub chord: Chord,
    /// What it does; none if more keys follow.
    pub action: Option<ActionId>,
}

impl Default for Keymap {
    /// The bindings of the table.
    fn default() -> Self {
        let mut bindings = Vec::new();
        for action in ACTIONS {
            for (context, keys) in action.keys {
                // A test holds that every key of the table can be read.
                let keys = keys.iter().filter_map(|keys| keys.parse().ok());
                bindings.extend(keys.map(|keys| Binding { context: *context, keys, action: action.id }));
            }
        }
        Self { bindings }
    }
}

impl Keymap {
    /// All bindings, in the order of the table, a person's own at the end.
    #[must_use]
    pub fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    /// Where else than where it was pressed a key, or a sequence that begins with it, does something: among lists, trees, the
    /// definitions and attempts, which one goes to.
    #[must_use]
    pub fn elsewhere(&self, chord: &Chord) -> Option<Context> {
        let places = [Context::List, Context::Tree, Context::Definitions, Context::Diff, Context::Editor];
        places
            .into_iter()
            .find(|place| self.bindings.iter().any(|b| b.context == *place && b.keys.chords().first() == Some(chord)))
    }

    /// What these keys mean in this context. The nearer context decides; over an overlay, and where text is written, those
    /// farther away only have a say where they cannot be meant as text.
    #[must_use]
    pub fn resolve(&self, context: Context, typed: &[Chord]) -> Resolved {
        let mut next: Vec<Next> = Vec::new();
        for holder in context.stack() {
            let here = || self.bindings.iter().filter(|b| b.context == *holder && Self::holds(b, context, *holder));
            if next.is_empty()
                && let Some(binding) = here().find(|b| b.keys.chords() == typed)
            {
                return Resolved::Action(binding.action);
            }
            for binding in here() {
                let Some([chord, rest @ ..]) = binding.keys.chords().strip_prefix(typed) else { continue };
                let action = rest.is_empty().then_some(binding.action);
                if !next.iter().any(|known| known.chord == *chord) {
                    next.push(Next { chord: *chord, action });
                }
            }
        }
        if next.is_empty() { Resolved::Nothing } else { Resolved::Prefix(next) }
    }

    fn holds(binding: &Binding, context: Context, holder: Context) -> bool {
        if context == holder {
            return true;
        }
        let is_text = binding.keys.chords().first().is_some_and(|chord| chord.is_text());
        let is_covered = context.is_overlay() && binding.action.action().group != Group::Terminal;
        !is_covered && !(is_text && (context.takes_text() || context.is_overlay()))
    }

    /// The keys that do this in this context, the preferred first.
    pub fn keys_of(&self, action: ActionId, context: Context) -> impl Iterator<Item = &Sequence> {
        let of = move |holder: &Context| {
            let holder = *holder;
            self.bindings.iter().filter(move |b| b.action == action && b.context == holder && Self::holds(b, context, holder))
        };
        context.stack().iter().flat_map(of).map(|b| &b.keys).filter(move |keys| {
            // A nearer context may have given the key to something else.
            self.resolve(context, keys.chords()) == Resolved::Action(action)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(context: Context, keys: &str) -> Resolved {
        let keys: Sequence = keys.parse().unwrap();
        Keymap::default().resolve(context, keys.chords())
    }

    #[test]
    fn every_key_of_the_table_can_be_read_and_means_one_thing() {
        let written: usize = ACTIONS.iter().flat_map(|action| action.keys).map(|(_, keys)| keys.len()).sum();
        let map = Keymap::default();
        assert_eq!(map.bindings.len(), written);
        for (n, a) in map.bindings.iter().enumerate() {
            for b in &map.bindings[n + 1..] {
                let (short, long) = (a.keys.chords(), b.keys.chords());
                let clash = a.context == b.context && (short.starts_with(long) || long.starts_with(short));
                assert!(!clash, "{} in {}: {} and {}", a.keys, a.context, a.action.action().name, b.action.action().name);
            }
        }
    }

    #[test]
    fn keys_that_terminals_cannot_tell_from_others_are_not_used() {
        for binding in Keymap::default().bindings {
            for chord in binding.keys.chords() {
                let same_as_another = ["Ctrl-i", "Ctrl-m", "Ctrl-h", "Ctrl-j", "Ctrl-[", "Ctrl-Enter"];
                assert!(!same_as_another.contains(&chord.to_string().as_str()), "{chord}");
            }
        }
    }

    #[test]
    fn the_nearer_context_decides() {
        assert_eq!(resolve(Context::List, "Ctrl-p"), Resolved::Action(ActionId::MoveUp));
        assert_eq!(resolve(Context::Confirm, "y"), Resolved::Action(ActionId::Yes));
        assert_eq!(resolve(Context::Confirm, "q"), Resolved::Action(ActionId::No));
        assert_eq!(resolve(Context::Palette, "Esc"), Resolved::Action(ActionId::Dismiss));
    }

    #[test]
    fn text_stays_text_where_it_is_written() {
        for key in ["q", "y", "?", "J", "/"] {
            assert_eq!(resolve(Context::Editor, key), Resolved::Nothing, "{key}");
            assert_eq!(resolve(Context::Prompt, key), Resolved::Nothing, "{key}");
        }
        assert_eq!(resolve(Context::Editor, "F5"), Resolved::Action(ActionId::ReplayEdited));
        assert_eq!(resolve(Context::Editor, "Esc"), Resolved::Action(ActionId::Back));
        assert_eq!(resolve(Context::Prompt, "Ctrl-z"), Resolved::Action(ActionId::Suspend));
        assert_eq!(resolve(Context::Prompt, "F5"), Resolved::Nothing);
    }

    #[test]
    fn a_prefix_tells_what_may_follow() {
        let Resolved::Prefix(next) = resolve(Context::List, "y") else { panic!("y is a prefix") };
        let keys: String = next.iter().map(|next| next.chord.to_string()).collect();
        assert_eq!(keys, "apjeiwsctdmy");
        assert_eq!(resolve(Context::Tree, "y e"), Resolved::Action(ActionId::CopyModelText));
        assert_eq!(resolve(Context::Tree, "y z"), Resolved::Nothing);
    }

    #[test]
    fn an_action_names_its_keys_where_they_work() {
        let map = Keymap::default();
        let keys = |action, context| map.keys_of(action, context).map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(keys(ActionId::MoveDown, Context::List), ["j", "Down", "Ctrl-n"]);
        assert_eq!(keys(ActionId::ShowPalette, Context::Editor), ["F1", "Alt-x"]);
        assert_eq!(keys(ActionId::Back, Context::Palette), [""; 0]);
    }
}
