//! A tool that has changed, with what is known of it so far: the changes, and what recorded calls say of each.

use super::change::{Change, Touch};
use super::compare::{self, Comparison};
use super::finding::Evidence;
use super::pairs::{self, Pair, Siblings};
use super::places::Places;
use super::rules::RuleId;
use super::semantics::Semantics;
use super::tools;
use crate::definition::Definition;
use crate::json::Value;
use std::path::PathBuf;

/// Failing calls of each finding among which a small one is looked for.
const EXAMPLES: usize = 5;

/// A tool that has changed, with what is known so far.
#[derive(Debug)]
pub(super) struct Subject {
    pub pair: Pair,
    pub changes: Vec<Change>,
    pub places: Places,
    pub evidence: Vec<Evidence>,
    /// Calls that newly fail without any change that would explain it.
    pub unexplained: Evidence,
    pub calls: usize,
    /// Of calls that feel a change: the smallest that fails for each.
    pub recorded: Vec<Option<Value>>,
    pub cut: bool,
}

impl Evidence {
    /// Notes a call that feels it, if there are fewer than so many yet.
    pub(super) fn note(&mut self, call: usize, most: usize) {
        if self.examples.len() < most && self.examples.last() != Some(&call) {
            self.examples.push(call);
        }
    }
}

impl Subject {
    /// A pair of definitions that differ; `None` where they do not.
    pub fn new(pair: &Pair, siblings: &Siblings, semantics: Semantics) -> Option<Self> {
        let mut found = tools::changes(pair, siblings);
        let (mut places, mut cut) = (Places::new(), false);
        if let (Some(before), Some(after)) = (&pair.before, &pair.after) {
            if pair.renamed.is_none() && before.raw() == after.raw() {
                return None;
            }
            let Comparison { changes, places: all, cut: stopped, .. } =
                compare::compare(pairs::parameters(before), pairs::parameters(after), semantics);
            found.extend(changes);
            places = all;
            cut = stopped;
        }
        let count = found.len();
        Some(Self {
            pair: pair.clone(),
            changes: found,
            places,
            evidence: vec![Evidence::default(); count],
            unexplained: Evidence::default(),
            calls: 0,
            recorded: vec![None; count],
            cut,
        })
    }

    /// The schemas at each place, before and after.
    pub fn schemas(&self, semantics: Semantics) -> Vec<(&Value, &Value)> {
        match (&self.pair.before, &self.pair.after) {
            (Some(before), Some(after)) => {
                compare::compare(pairs::parameters(before), pairs::parameters(after), semantics).schemas
            }
            _ => Vec::new(),
        }
    }

    pub fn of_list(changes: Vec<Change>) -> Self {
        Self {
            pair: Pair { before: None, after: None, renamed: None },
            evidence: vec![Evidence::default(); changes.len()],
            recorded: vec![None; changes.len()],
            changes,
            places: Places::new(),
            unexplained: Evidence::default(),
            calls: 0,
            cut: false,
        }
    }

    /// The parameters that go by another name now: their pointers before and after.
    pub fn renames(&self) -> Vec<(String, String)> {
        let renamed = self.changes.iter().filter(|change| change.rule == RuleId::ParamRenamed);
        let new = |change: &Change| {
            let name = change.after.as_ref()?.as_string()?.to_string();
            let parent = &change.pointer[..change.pointer.rfind('/')?];
            Some((change.pointer.clone(), super::side::join(parent, &name)))
        };
        renamed.filter_map(new).collect()
    }

    pub fn push(&mut self, change: Change) {
        self.changes.push(change);
        self.evidence.push(Evidence::default());
        self.recorded.push(None);
    }

    /// Notes a call that newly fails for these changes.
    pub fn fail(&mut self, changes: &[usize], failed_before: bool, (place, most): (usize, usize), arguments: Option<&Value>) {
        if changes.is_empty() {
            self.unexplained.failing += 1;
            self.unexplained.failed_before += usize::from(failed_before);
            self.unexplained.note(place, most);
        }
        let size = |value: &Value| value.to_json().len();
        for i in changes {
            let evidence = &mut self.evidence[*i];
            evidence.failing += 1;
            evidence.failed_before += usize::from(failed_before);
            evidence.note(place, most);
            // A few are enough to find a small one.
            if let Some(arguments) = arguments.filter(|_| evidence.failing <= EXAMPLES) {
                let known = &mut self.recorded[*i];
                if known.as_ref().is_none_or(|old| size(arguments) < size(old)) {
                    *known = Some(arguments.clone());
                }
            }
        }
    }

    /// The file and line that a change is about: after it, or where the tool stood.
    pub fn place_of(&self, change: &Change) -> (PathBuf, u32) {
        let Some(after) = &self.pair.after else {
            // The line in a file that may be gone means nothing: its beginning stands for it.
            return (self.pair.before.as_ref().map(|d| d.path().to_owned()).unwrap_or_default(), 1);
        };
        let is_of_tool = change.touch == Touch::Tool || change.rule.id().starts_with("tool-");
        let position = match (&change.pointer, is_of_tool || change.rule == RuleId::DocToolDescriptionChanged) {
            (pointer, true) if pointer.is_empty() => after.position(),
            (pointer, _) => after.position_of(existing(after, pointer)),
        };
        (after.path().to_owned(), position.line)
    }
}

/// The part of a pointer that is still there.
fn existing<'p>(definition: &Definition, pointer: &'p str) -> &'p str {
    let Some(view) = definition.parameters_view() else { return "" };
    let mut pointer = pointer;
    while view.at_pointer(pointer).is_none() {
        match pointer.rfind('/') {
            Some(at) => pointer = &pointer[..at],
            None => return "",
        }
    }
    pointer
}
