//! Replayed texts: calls of their own under the call that they are attempts at. The call itself never changes.

use crate::capture::Call;
use crate::capture::index::CallId;
use crate::capture::time::rfc3339;
use crate::gate::{Arguments, Gate};
use crate::replay::{Label, Labels, Packer, Row, judge};
use std::sync::Arc;

/// The number of the file in which attempts stand that have not been saved: no file has so many before it.
pub const UNSAVED: u32 = u32::MAX;

/// Attempts that are not in a file yet.
#[derive(Clone, Debug, Default)]
pub struct Attempts {
    list: Vec<Attempt>,
    revision: u64,
}

/// One of them.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The attempt, as it will be saved.
    pub call: Arc<Call>,
    /// The call that it is an attempt at, where that is known.
    pub parent: Option<CallId>,
    /// It has been written to a file that is not among those that are read.
    pub saved: bool,
}

impl Attempts {
    /// All of them, in the order of their numbers.
    #[must_use]
    pub fn list(&self) -> &[Attempt] {
        &self.list
    }

    /// The one with this id.
    #[must_use]
    pub fn get(&self, id: CallId) -> Option<&Attempt> {
        self.list.get(id.call as usize).filter(|_| id.file == UNSAVED)
    }

    /// A number that is another one when anything has changed.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// How many are in no file.
    #[must_use]
    pub fn unsaved(&self) -> usize {
        self.list.iter().filter(|attempt| !attempt.saved).count()
    }

    /// Adds an attempt; gives its id.
    pub fn add(&mut self, call: Call, parent: Option<CallId>) -> CallId {
        self.revision += 1;
        self.list.push(Attempt { call: Arc::new(call), parent, saved: false });
        id(self.list.len() - 1)
    }

    /// The ids at a call, in order.
    #[must_use]
    pub fn of(&self, parent: CallId) -> impl DoubleEndedIterator<Item = CallId> {
        let at = move |(n, attempt): (usize, &Attempt)| (attempt.parent == Some(parent)).then(|| id(n));
        self.list.iter().enumerate().filter_map(at)
    }

    /// Marks attempts as written.
    pub fn mark_saved(&mut self, saved: &[CallId]) {
        self.revision += 1;
        for id in saved {
            if let Some(attempt) = self.list.get_mut(id.call as usize) {
                attempt.saved = true;
            }
        }
    }

    /// Takes away those that stand in a file now, or are not wanted any more. Gives the new id of each that is left, by its old number.
    pub fn replace(&mut self, gone: &[CallId]) -> Vec<Option<CallId>> {
        self.revision += 1;
        let mut left = 0;
        let stays = |n: usize| !gone.contains(&id(n));
        let ids = (0..self.list.len()).map(|n| {
            stays(n).then(|| {
                left += 1;
                id(left - 1)
            })
        });
        let ids = ids.collect();
        let mut n = 0;
        self.list.retain(|_| {
            n += 1;
            stays(n - 1)
        });
        ids
    }

    /// The calls of a file are other ones now: what were attempts at these are attempts at something unknown.
    pub fn forget_parents(&mut self, file: u32, from: u32) -> bool {
        let mut changed = false;
        for attempt in &mut self.list {
            changed |= attempt.parent.take_if(|parent| parent.file == file && parent.call >= from).is_some();
        }
        changed
    }

    /// The rows, as lists show them.
    #[must_use]
    pub fn rows(&self, gate: &dyn Fn(u32) -> Arc<Gate>) -> Vec<Row> {
        let of = |attempt: &Attempt| gate(attempt.parent.map_or(UNSAVED, |parent| parent.file));
        self.list.iter().enumerate().map(|(n, attempt)| row(id(n), attempt, &of(attempt))).collect()
    }

    /// How they begin, in the same order.
    #[must_use]
    pub fn labels(&self) -> Labels {
        let labels: Vec<Label> = self.list.iter().map(|attempt| Label::of(&attempt.call)).collect();
        Packer::default().pack(&labels)
    }

    /// The file whose rules judge a call: that of the call which an attempt is one at.
    #[must_use]
    pub fn file_of(&self, id: CallId) -> u32 {
        let attempt = if id.file == UNSAVED { self.get(id) } else { None };
        attempt.and_then(|attempt| attempt.parent).map_or(id.file, |parent| parent.file)
    }
}

fn id(n: usize) -> CallId {
    CallId { file: UNSAVED, call: u32::try_from(n).unwrap_or(u32::MAX) }
}

fn row(id: CallId, attempt: &Attempt, gate: &Gate) -> Row {
    let call = &attempt.call;
    let verdict = judge(gate, call);
    Row { attempt: true, parent: attempt.parent, ..Row::of_call(id, call, &verdict) }
}

/// What an attempt is made with, besides its arguments.
#[derive(Clone, Copy, Debug)]
pub struct Making<'a> {
    /// The id of the call that it is an attempt at.
    pub parent: Option<&'a str>,
    /// The how-manieth it is.
    pub number: usize,
    /// When, in milliseconds since 1970.
    pub at: Option<i64>,
    /// A remark.
    pub note: &'a str,
}

/// A new call with these arguments: everything that judging depends on is as in the call that it is an attempt at; what was
/// recorded of that one is not.
#[must_use]
pub fn attempt(call: &Call, arguments: Arguments, making: Making<'_>) -> Call {
    let id = making.parent.map_or_else(|| format!("attempt-{}", making.number), |id| format!("{id}.{}", making.number));
    Call {
        id: Some(id),
        at: making.at.map(rfc3339),
        session: call.session.clone(),
        model: None,
        finish_reason: call.finish_reason.clone(),
        origin: call.origin,
        sidechain: call.sidechain,
        input: call.input,
        parent: making.parent.map(str::to_owned),
        note: Some(making.note.to_owned()),
        ..Call::new(call.tool.clone(), arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::VerdictKind;
    use crate::tui::edit::live::Target;
    use crate::tui::edit::tests::{call, gate};

    #[test]
    fn an_attempt_is_judged_as_its_call_is_and_the_call_stays_as_it_was() {
        let original = Call {
            id: Some("c1".into()),
            session: Some("s".into()),
            finish_reason: Some("length".into()),
            model: Some("m".into()),
            ..call("TaskUpdate", "{\"id\":1}")
        };
        let before = original.clone();
        let making = Making { parent: Some("c1"), number: 2, at: Some(1_000), note: "edited" };
        let made = attempt(&original, Arguments::text("{\"taskId\":\"1\"}\u{1b}"), making);
        assert_eq!(original, before);
        assert_eq!(Target::of(&original), Target::of(&made));
        assert_eq!((made.id.as_deref(), made.parent.as_deref(), made.model.as_deref()), (Some("c1.2"), Some("c1"), None));
        assert_eq!(made.arguments, Arguments::text("{\"taskId\":\"1\"}\u{1b}"));
        assert_eq!(attempt(&original, Arguments::Absent, Making { parent: None, ..making }).id.as_deref(), Some("attempt-2"));
    }

    #[test]
    fn what_is_saved_makes_room_and_the_others_get_its_numbers() {
        let parent = CallId { file: 0, call: 7 };
        let mut attempts = Attempts::default();
        let ids: Vec<CallId> = (0..3).map(|_| attempts.add(call("TaskUpdate", "{}"), Some(parent))).collect();
        assert_eq!(attempts.of(parent).collect::<Vec<_>>(), ids);
        assert_eq!(attempts.rows(&|_| Arc::new(gate()))[0].outcome.kind, VerdictKind::Rejected);
        assert_eq!(attempts.replace(&[ids[1]]), [Some(ids[0]), None, Some(ids[1])]);
        assert_eq!(attempts.unsaved(), 2);
        assert!(attempts.forget_parents(0, 7));
        assert_eq!(attempts.of(parent).count(), 0);
    }
}
