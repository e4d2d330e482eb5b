//! Places in a tool's arguments that schemas speak of, and which of them a JSON Pointer, or a value, reaches.
//!
//! A place is a pair of schemas that describe the same values, one of each side. Because a `$ref` may lead to one pair from
//! many others, also from inside itself, places form a graph; the root is place 0. Asking whether a pointer leads to a place
//! walks the pointer backwards along the graph, so that recursion in a schema needs no list of paths.

use crate::json::{Step, Value, human_path};
use std::collections::HashSet;

/// A place's number.
pub(crate) type PlaceId = usize;

/// The step from a place to one below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Hop {
    /// Into an object, by key.
    Key(String),
    /// Into an object, by any key.
    AnyKey,
    /// Into an array, at one position.
    Index(usize),
    /// Into an array, at any position.
    AnyIndex,
    /// To the same value, described by another schema: a branch, or what a reference leads to.
    Same,
}

#[derive(Clone, Debug, Default)]
struct Place {
    /// From where it is reached; the first is how it was found.
    entries: Vec<(PlaceId, Hop)>,
}

/// The graph of places.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    places: Vec<Place>,
}

/// How many values of one call are looked at for one place.
const MAX_VALUES: usize = 10_000;

impl Places {
    pub fn new() -> Self {
        Self { places: vec![Place::default()] }
    }

    /// Adds a place below another one.
    pub fn add(&mut self, from: PlaceId, hop: Hop) -> PlaceId {
        self.places.push(Place { entries: vec![(from, hop)] });
        self.places.len() - 1
    }

    /// Adds another way to reach a place.
    pub fn enter(&mut self, place: PlaceId, from: PlaceId, hop: Hop) {
        let entry = (from, hop);
        if place != 0 && !self.places[place].entries.contains(&entry) {
            self.places[place].entries.push(entry);
        }
    }

    /// The way on which a place was found, from the root.
    pub fn chain(&self, place: PlaceId) -> Vec<(PlaceId, &Hop)> {
        let mut chain = Vec::new();
        let mut at = place;
        while let Some((from, hop)) = self.places[at].entries.first() {
            chain.push((*from, hop));
            at = *from;
        }
        chain.reverse();
        chain
    }

    /// The way as people write it: `steps[].name`; empty for the arguments themselves.
    pub fn human(&self, place: PlaceId) -> String {
        let mut out = String::new();
        for (_, hop) in self.chain(place) {
            match hop {
                Hop::Key(key) => out = below(&out, key),
                Hop::AnyKey => out = below(&out, "*"),
                Hop::Index(index) => out = format!("{out}[{index}]"),
                Hop::AnyIndex => out.push_str("[]"),
                Hop::Same => {}
            }
        }
        out
    }

    /// Whether these steps, from the root, lead exactly to the place.
    pub fn reaches(&self, place: PlaceId, steps: &[String]) -> bool {
        let mut work = vec![(place, steps.len())];
        let mut seen = HashSet::new();
        while let Some((place, len)) = work.pop() {
            if place == 0 && len == 0 {
                return true;
            }
            if !seen.insert((place, len)) {
                continue;
            }
            for (from, hop) in &self.places[place].entries {
                let fits = match hop {
                    Hop::Same => {
                        work.push((*from, len));
                        continue;
                    }
                    _ if len == 0 => false,
                    Hop::Key(key) => steps[len - 1] == *key,
                    Hop::AnyKey => true,
                    Hop::Index(index) => steps[len - 1].parse() == Ok(*index),
                    Hop::AnyIndex => steps[len - 1].parse::<usize>().is_ok(),
                };
                if fits {
                    work.push((*from, len - 1));
                }
            }
        }
        false
    }

    /// Whether the place, as it was found, lies at or below these steps.
    pub fn is_below(&self, place: PlaceId, steps: &[String]) -> bool {
        let chain = self.chain(place);
        let real: Vec<&Hop> = chain.into_iter().map(|(_, hop)| hop).filter(|hop| **hop != Hop::Same).collect();
        real.len() >= steps.len()
            && real.iter().zip(steps).all(|(hop, step)| match hop {
                Hop::Key(key) => key == step,
                Hop::Index(index) => step.parse() == Ok(*index),
                Hop::AnyIndex => step.parse::<usize>().is_ok(),
                Hop::AnyKey | Hop::Same => true,
            })
    }

    /// The values of a call at a place, on the way on which it was found.
    pub fn values<'v>(&self, place: PlaceId, arguments: &'v Value) -> Vec<&'v Value> {
        let mut values = vec![arguments];
        for (_, hop) in self.chain(place) {
            let mut next = Vec::new();
            for value in values {
                match (hop, value) {
                    (Hop::Same, value) => next.push(value),
                    (Hop::Key(key), Value::Object(object)) => next.extend(object.get(key.as_bytes())),
                    (Hop::AnyKey, Value::Object(object)) => next.extend(object.entries().iter().map(|(_, v)| v)),
                    (Hop::Index(index), Value::Array(items)) => next.extend(items.get(*index)),
                    (Hop::AnyIndex, Value::Array(items)) => next.extend(items),
                    _ => {}
                }
                if next.len() > MAX_VALUES {
                    break;
                }
            }
            values = next;
        }
        values
    }
}

/// A key below a path, as people write it.
pub(crate) fn below(path: &str, key: &str) -> String {
    if path.is_empty() { human_path([Step::Key(key.as_bytes())]) } else { format!("{path}.{key}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(pointer: &str) -> Vec<String> {
        crate::json::pointer_steps(pointer).unwrap()
    }

    #[test]
    fn a_pointer_is_followed_back_through_references() {
        // root.tree -> node; node.children[] -> node again.
        let mut places = Places::new();
        let node = places.add(0, Hop::Key("tree".to_owned()));
        let children = places.add(node, Hop::Key("children".to_owned()));
        let item = places.add(children, Hop::AnyIndex);
        places.enter(node, item, Hop::Same);
        let name = places.add(node, Hop::Key("name".to_owned()));
        assert!(places.reaches(name, &steps("/tree/name")));
        assert!(places.reaches(name, &steps("/tree/children/3/children/0/name")));
        assert!(!places.reaches(name, &steps("/tree/children/x/name")));
        assert!(!places.reaches(name, &steps("/name")));
        assert_eq!(places.human(item), "tree.children[]");
        assert!(places.is_below(name, &steps("/tree")) && !places.is_below(name, &steps("/tree/children")));
    }

    #[test]
    fn values_at_a_place() {
        let mut places = Places::new();
        let list = places.add(0, Hop::Key("l".to_owned()));
        let item = places.add(list, Hop::AnyIndex);
        let same = places.add(item, Hop::Same);
        let a = places.add(same, Hop::AnyKey);
        let call = Value::parse(br#"{"l": [{"a": 1, "b": 2}, {"a": 3}, 4]}"#).unwrap();
        let found: Vec<String> = places.values(a, &call).into_iter().map(Value::to_json).collect();
        assert_eq!(found, ["1", "2", "3"]);
    }

    #[test]
    fn places_that_are_the_same_value_do_not_go_round() {
        let mut places = Places::new();
        let a = places.add(0, Hop::Same);
        let b = places.add(a, Hop::Same);
        places.enter(a, b, Hop::Same);
        assert!(places.reaches(b, &[]) && !places.reaches(b, &steps("/x")));
    }
}
