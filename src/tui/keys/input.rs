//! From keys to actions: numbers, sequences, and waiting for the rest of them. Pure, the time is given.

use super::actions::ActionId;
use super::chord::Chord;
use super::context::Context;
use super::keymap::{Keymap, Next, Resolved};
use std::time::Duration;

/// How long after the first key of a sequence what may follow is shown.
pub const WHICH_KEY: Duration = Duration::from_millis(300);
/// How long a digit that is bound itself waits for what it might be the number of.
pub const DIGIT: Duration = Duration::from_millis(400);
/// Numbers stop growing here.
const MOST: u32 = 99_999;

/// Keys that have been typed and have not done anything yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pending {
    count: Option<u32>,
    chords: Vec<Chord>,
    since: Duration,
    /// The number is one digit so far, and this is what the digit does if nothing follows.
    lone_digit: Option<ActionId>,
}

/// What a key has led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// These, in order: more than one when a digit turned out not to be a number.
    Actions(Vec<(ActionId, Option<u32>)>),
    /// More keys are waited for.
    Waiting,
    /// The keys were taken back, or led nowhere: there is nothing to do, but what was shown of them goes.
    Dropped,
    /// It is not a key of ours: text, where text is written.
    Unknown,
}

impl Pending {
    /// Whether keys are waiting.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count.is_none() && self.chords.is_empty()
    }

    /// The number typed so far.
    #[must_use]
    pub fn count(&self) -> Option<u32> {
        self.count
    }

    /// The keys of a sequence typed so far.
    #[must_use]
    pub fn chords(&self) -> &[Chord] {
        &self.chords
    }

    /// When [`Pending::time_passed`] has something to do, or the which-key panel is to be shown.
    #[must_use]
    pub fn deadline(&self, now: Duration) -> Option<Duration> {
        let digit = self.lone_digit.map(|_| self.since + DIGIT);
        let which_key = (!self.chords.is_empty()).then_some(self.since + WHICH_KEY).filter(|at| *at > now);
        digit.or(which_key)
    }

    /// What may follow, once it is worth showing.
    #[must_use]
    pub fn which_key(&self, keymap: &Keymap, context: Context, now: Duration) -> Option<Vec<Next>> {
        if self.chords.is_empty() || now < self.since + WHICH_KEY {
            return None;
        }
        match keymap.resolve(context, &self.chords) {
            Resolved::Prefix(next) => Some(next),
            _ => None,
        }
    }

    /// Takes in a key.
    pub fn press(&mut self, keymap: &Keymap, context: Context, chord: Chord, now: Duration) -> Typed {
        let was_empty = self.is_empty();
        if self.chords.is_empty()
            && let Some(waiting) = self.press_digit(keymap, context, chord, now)
        {
            return waiting;
        }
        if self.chords.is_empty() {
            self.since = now;
        }
        self.chords.push(chord);
        match keymap.resolve(context, &self.chords) {
            Resolved::Action(action) => {
                let pending = std::mem::take(self);
                Typed::Actions(pending.complete(action))
            }
            Resolved::Prefix(_) => {
                self.lone_digit = None;
                Typed::Waiting
            }
            Resolved::Nothing => {
                let pending = std::mem::take(self);
                match pending.lone_digit {
                    Some(digit) => Typed::Actions(vec![(digit, None)]),
                    None if was_empty => Typed::Unknown,
                    None => Typed::Dropped,
                }
            }
        }
    }

    /// A digit begins or continues a number, where lists and trees are moved through.
    fn press_digit(&mut self, keymap: &Keymap, context: Context, chord: Chord, now: Duration) -> Option<Typed> {
        let digit = chord.digit().filter(|digit| *digit > 0 || self.count.is_some())?;
        if !matches!(context, Context::List | Context::Tree | Context::Diff) {
            return None;
        }
        self.lone_digit = match keymap.resolve(context, &[chord]) {
            Resolved::Action(action) if self.count.is_none() => Some(action),
            _ => None,
        };
        // Only in lists are numbers likelier than the digit's own action: elsewhere a first digit acts at once.
        if self.lone_digit.is_some() && context != Context::List {
            self.lone_digit = None;
            return None;
        }
        self.count = Some((self.count.unwrap_or(0) * 10 + digit).min(MOST));
        self.since = now;
        Some(Typed::Waiting)
    }

    /// The actions that an action with what was typed before it comes to.
    fn complete(self, action: ActionId) -> Vec<(ActionId, Option<u32>)> {
        if action.action().counted {
            return vec![(action, self.count)];
        }
        // The digit was no number after all.
        self.lone_digit.into_iter().chain([action]).map(|action| (action, None)).collect()
    }

    /// Takes in that time has passed: a digit alone does what it is bound to.
    pub fn time_passed(&mut self, now: Duration) -> Option<ActionId> {
        let action = self.lone_digit.filter(|_| now >= self.since + DIGIT)?;
        *self = Self::default();
        Some(action)
    }

    /// Takes back whatever was typed; true if there was something.
    pub fn clear(&mut self) -> bool {
        !std::mem::take(self).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn type_in(pending: &mut Pending, context: Context, keys: &str) -> Typed {
        let map = Keymap::default();
        let mut last = Typed::Unknown;
        for key in keys.split_whitespace() {
            last = pending.press(&map, context, key.parse().unwrap(), ms(0));
        }
        last
    }

    fn actions(context: Context, keys: &str) -> Typed {
        type_in(&mut Pending::default(), context, keys)
    }

    #[test]
    fn a_number_repeats_what_can_be_repeated() {
        assert_eq!(actions(Context::List, "1 2 j"), Typed::Actions(vec![(ActionId::MoveDown, Some(12))]));
        assert_eq!(actions(Context::List, "5 G"), Typed::Actions(vec![(ActionId::Newest, Some(5))]));
        assert_eq!(actions(Context::List, "j"), Typed::Actions(vec![(ActionId::MoveDown, None)]));
        assert_eq!(actions(Context::Tree, "8 j"), Typed::Actions(vec![(ActionId::MoveDown, Some(8))]));
        assert_eq!(actions(Context::List, "9 9 9 9 9 9 9 j"), Typed::Actions(vec![(ActionId::MoveDown, Some(MOST))]));
    }

    #[test]
    fn a_digit_that_is_no_number_does_what_it_is_bound_to() {
        assert_eq!(actions(Context::Tree, "4"), Typed::Actions(vec![(ActionId::TabModelText, None)]));
        assert_eq!(actions(Context::List, "4 z"), Typed::Actions(vec![(ActionId::TabModelText, None), (ActionId::Zoom, None)]));
        let mut pending = Pending::default();
        assert_eq!(type_in(&mut pending, Context::List, "4"), Typed::Waiting);
        assert_eq!(pending.deadline(ms(0)), Some(DIGIT));
        assert_eq!(pending.time_passed(ms(399)), None);
        assert_eq!(pending.time_passed(DIGIT), Some(ActionId::TabModelText));
        assert!(pending.is_empty());
    }

    #[test]
    fn a_sequence_waits_and_shows_what_may_follow_after_a_while() {
        let map = Keymap::default();
        let mut pending = Pending::default();
        assert_eq!(type_in(&mut pending, Context::List, "y"), Typed::Waiting);
        assert_eq!(pending.which_key(&map, Context::List, ms(299)), None);
        assert_eq!(pending.which_key(&map, Context::List, ms(300)).map(|next| next.len()), Some(12));
        assert_eq!(pending.deadline(ms(300)), None);
        assert_eq!(type_in(&mut pending, Context::List, "e"), Typed::Actions(vec![(ActionId::CopyModelText, None)]));
        assert_eq!(actions(Context::List, "y z"), Typed::Dropped);
    }

    #[test]
    fn text_is_not_ours() {
        assert_eq!(actions(Context::Editor, "4"), Typed::Unknown);
        assert_eq!(actions(Context::Prompt, "y"), Typed::Unknown);
    }
}
