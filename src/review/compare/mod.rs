//! What changed between two schemas: pair by pair along the schema, each pair by one small comparison a subject.
//!
//! Nothing here recurses on its input: pairs wait in a list, a pair that is reached again (through a reference) is not
//! compared again, and past a budget the comparison stops and says so.

mod arrays;
mod bounds;
mod combine;
mod objects;
mod params;
mod refs;
mod text;
mod types;
mod unions;
mod values;

use super::change::{Change, Renamed, Touch, Words, short, subject};
use super::places::{Hop, PlaceId, Places};
use super::rules::{Directions, RuleId, Severity};
use super::semantics::Semantics;
use super::side::{Root, Side, has_reference, reference};
use crate::json::Value;
use std::collections::HashMap;

use params::Gone;
pub(crate) use text::sizes as text_sizes;

/// The most pairs of schemas that are compared for one tool.
const MAX_PAIRS: usize = 20_000;
/// The deepest nesting that is compared; no provider and no validator takes more.
const MAX_DEPTH: usize = 128;

/// What a comparison found.
#[derive(Debug)]
pub(crate) struct Comparison<'a> {
    pub changes: Vec<Change>,
    pub places: Places,
    /// The schema before and after the change at each place.
    pub schemas: Vec<(&'a Value, &'a Value)>,
    /// It stopped at its budget.
    pub cut: bool,
}

/// Two schemas of one place that wait to be compared.
#[derive(Clone, Debug)]
struct Pair<'a> {
    place: PlaceId,
    before: &'a Value,
    after: &'a Value,
    before_at: String,
    after_at: String,
    /// The profile looks at this place before and after.
    enforced: (bool, bool),
    /// 2 for a branch of a union, 1 for a property of one: its fixed value may be what tells branches apart.
    near_union: u8,
    depth: usize,
}

/// A comparison at work.
struct Comparer<'a> {
    semantics: Semantics,
    before: Root<'a>,
    after: Root<'a>,
    has_references: bool,
    places: Places,
    schemas: Vec<(&'a Value, &'a Value)>,
    known: HashMap<(*const Value, *const Value), PlaceId>,
    work: Vec<Pair<'a>>,
    changes: Vec<Change>,
    /// Parameters that are gone and that are new, anywhere: some may have moved.
    gone: Vec<Gone<'a>>,
    new: Vec<Gone<'a>>,
    cut: bool,
}

/// Compares a tool's parameters before and after a change.
pub(crate) fn compare<'a>(before: &'a Value, after: &'a Value, semantics: Semantics) -> Comparison<'a> {
    let mut comparer = Comparer {
        semantics,
        before: Root(before),
        after: Root(after),
        has_references: has_reference(before) || has_reference(after),
        places: Places::new(),
        schemas: vec![(before, after)],
        known: HashMap::from([((std::ptr::from_ref(before), std::ptr::from_ref(after)), 0)]),
        work: Vec::new(),
        changes: Vec::new(),
        gone: Vec::new(),
        new: Vec::new(),
        cut: false,
    };
    comparer.work.push(Pair {
        place: 0,
        before,
        after,
        before_at: String::new(),
        after_at: String::new(),
        enforced: (true, true),
        near_union: 0,
        depth: 0,
    });
    while let Some(pair) = comparer.work.pop() {
        comparer.pair(&pair);
    }
    comparer.moved();
    let Comparer { changes, places, schemas, cut, .. } = comparer;
    Comparison { changes, places, schemas, cut }
}

impl<'a> Comparer<'a> {
    fn pair(&mut self, pair: &Pair<'a>) {
        // Without references equal texts mean the same; with them, what they lead to may differ.
        if !self.has_references && pair.before.to_json() == pair.after.to_json() {
            return;
        }
        let both_refer = [pair.before, pair.after].iter().all(|v| v.as_object().is_some_and(|o| reference(o).is_some()));
        let before = Side::new(self.before, pair.before, &pair.before_at, !both_refer);
        let after = Side::new(self.after, pair.after, &pair.after_at, !both_refer);
        let view = Node { pair, before: &before, after: &after };
        let start = self.work.len();
        self.text(&view);
        if both_refer {
            self.follow_both(&view);
        } else {
            self.references(&view);
            if self.types(&view) {
                self.values(&view);
                self.bounds(&view);
                self.strings(&view);
                self.objects(&view);
                self.arrays(&view);
                self.unions(&view);
                self.combinations(&view);
            }
        }
        // What was found first is compared first.
        self.work[start..].reverse();
    }

    /// Puts a pair on the list, or notes another way to one that is known.
    fn descend(&mut self, node: &Node<'_, 'a>, hop: Hop, step: Descent<'a>) {
        let key = (std::ptr::from_ref(step.before), std::ptr::from_ref(step.after));
        if let Some(place) = self.known.get(&key) {
            self.places.enter(*place, node.pair.place, hop);
            return;
        }
        if self.schemas.len() >= MAX_PAIRS || node.pair.depth >= MAX_DEPTH {
            self.cut = true;
            return;
        }
        let place = self.places.add(node.pair.place, hop);
        self.known.insert(key, place);
        self.schemas.push((step.before, step.after));
        let goes_on = |side: &Side<'_>, at: bool| {
            let opaque = self.semantics == Semantics::Wave && (side.is_opaque() || !side.is_own(step.keyword));
            at && !opaque && self.semantics.descends(step.keyword)
        };
        self.work.push(Pair {
            place,
            before: step.before,
            after: step.after,
            before_at: step.before_at,
            after_at: step.after_at,
            enforced: (goes_on(node.before, node.pair.enforced.0), goes_on(node.after, node.pair.enforced.1)),
            near_union: step.near_union,
            depth: node.pair.depth + 1,
        });
    }
}

/// A pair of schemas below the one at hand.
struct Descent<'a> {
    keyword: &'static str,
    before: &'a Value,
    after: &'a Value,
    before_at: String,
    after_at: String,
    near_union: u8,
}

/// A pair with its two sides.
struct Node<'n, 'a> {
    pair: &'n Pair<'a>,
    before: &'n Side<'a>,
    after: &'n Side<'a>,
}

/// What is particular about a change; the rest follows from the node.
struct Found {
    rule: RuleId,
    touch: Touch,
    pointer: String,
    /// The keyword by which the profile would notice; none where it is not about a keyword.
    keyword: &'static str,
    words: Words,
    before: Option<Value>,
    after: Option<Value>,
    severity: Option<Severity>,
    directions: Option<Directions>,
    renamed: Option<Renamed>,
    hint: Option<String>,
    probes: Vec<Value>,
}

impl Found {
    /// A change of one keyword's value.
    fn of_keyword(rule: RuleId, node: &Node<'_, '_>, keyword: &'static str) -> Self {
        let (before, after) = (node.before.get(keyword).cloned(), node.after.get(keyword).cloned());
        let words = Words {
            keyword: keyword.to_owned(),
            before: before.as_ref().map_or_else(|| "none".to_owned(), short),
            after: after.as_ref().map_or_else(|| "none".to_owned(), short),
            ..Words::default()
        };
        let side = if after.is_some() { node.after } else { node.before };
        Self { words, before, after, ..Self::new(rule, side.pointer_of(keyword), keyword) }
    }

    fn new(rule: RuleId, pointer: String, keyword: &'static str) -> Self {
        Self {
            rule,
            touch: Touch::Text,
            pointer,
            keyword,
            words: Words::default(),
            before: None,
            after: None,
            severity: None,
            directions: None,
            renamed: None,
            hint: None,
            probes: Vec::new(),
        }
    }

    fn touch(self, touch: Touch) -> Self {
        Self { touch, ..self }
    }
}

impl Comparer<'_> {
    /// Records a change at a node; its subject is the node's place unless it has been named.
    fn report(&mut self, node: &Node<'_, '_>, found: Found) {
        let mut words = found.words;
        if words.subject.is_empty() {
            words.subject = subject(&self.places.human(node.pair.place));
        }
        // What narrows has to be enforced after the change, what widens had to be before it.
        let keyword = found.keyword;
        let seen = |side: &Side<'_>, at: bool| {
            let hidden = self.semantics == Semantics::Wave && (side.is_opaque() || !side.is_own(keyword));
            at && !hidden && self.semantics.enforces(keyword)
        };
        let enforced = keyword.is_empty() || seen(node.before, node.pair.enforced.0) || seen(node.after, node.pair.enforced.1);
        self.changes.push(Change {
            rule: found.rule,
            place: node.pair.place,
            touch: found.touch,
            pointer: found.pointer,
            before: found.before,
            after: found.after,
            words,
            enforced,
            severity: found.severity,
            directions: found.directions,
            renamed: found.renamed,
            lint: None,
            hint: found.hint,
            probes: found.probes,
        });
    }

    /// The path of a key of the object at a node.
    fn path_of(&self, node: &Node<'_, '_>, key: &str) -> String {
        super::places::below(&self.places.human(node.pair.place), key)
    }
}
