//! How alike two names, and two schemas, are: what guesses about renaming are made of.

use super::semantics::Semantics;
use crate::json::{Object, Step, Value, pointer, quote};
use std::collections::BTreeSet;

/// The longest name that is compared letter by letter.
const MAX_NAME: usize = 128;
/// The most places of a schema that are compared.
const MAX_LEAVES: usize = 4096;
/// Deeper places are compared as data: pointers grow with depth.
const MAX_POINTER: usize = 1024;

/// A name without case and separators: `entity_type`, `entityType` and `Entity-Type` are one.
pub(crate) fn folded(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The words of a name: at separators and where case or kind changes.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut previous = ' ';
    for c in name.chars() {
        if c.is_alphanumeric() {
            let starts = !previous.is_alphanumeric() || (c.is_uppercase() && !previous.is_uppercase());
            if starts {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(c.to_lowercase());
            }
        }
        previous = c;
    }
    words
}

/// How alike two names are, from 0 to 1; 1 where only case and separators differ.
pub(crate) fn names(a: &str, b: &str) -> f64 {
    let (left, right) = (folded(a), folded(b));
    if left == right {
        return if left.is_empty() && a != b { 0.0 } else { 1.0 };
    }
    if left.is_empty() || right.is_empty() {
        return 0.0;
    }
    let (first, second) = (words(a), words(b));
    let shared = first.iter().filter(|word| second.contains(word)).count();
    let by_words = share(2 * shared, first.len() + second.len());
    let (short, long) = if left.len() < right.len() { (&left, &right) } else { (&right, &left) };
    // `env` for `environment`: an abbreviation, the more telling the longer it is.
    let abbreviates = short.len() >= 3 && (long.starts_with(short.as_str()) || long.ends_with(short.as_str()));
    let by_start = if abbreviates { 0.7 } else { 0.0 };
    by_words.max(by_start).max(by_letters(&left, &right))
}

/// 1 minus the edit distance in shares of the longer name.
fn by_letters(a: &str, b: &str) -> f64 {
    let a: Vec<char> = a.chars().take(MAX_NAME).collect();
    let b: Vec<char> = b.chars().take(MAX_NAME).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = if x == y { diagonal } else { 1 + diagonal.min(row[j]).min(row[j + 1]) };
            diagonal = row[j + 1];
            row[j + 1] = cost;
        }
    }
    1.0 - share(row[b.len()], a.len().max(b.len()))
}

fn share(part: usize, whole: usize) -> f64 {
    let count = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
    if whole == 0 { 0.0 } else { count(part) / count(whole) }
}

/// A schema without what only people and models read: its constraints, each with its place. Equal for schemas that take the
/// same for the same reasons, in whatever order they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bare(BTreeSet<String>);

impl Bare {
    /// How many constraints there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// How alike two schemas are, from 0 to 1, by the constraints that they share.
    pub fn likeness(&self, other: &Self) -> f64 {
        if self == other { 1.0 } else { share(self.0.intersection(&other.0).count(), self.0.union(&other.0).count()) }
    }
}

/// Takes the constraints of a schema. Names of properties are places, so that a parameter called `description` is one.
pub(crate) fn bare(schema: &Value) -> Bare {
    let mut found = BTreeSet::new();
    let mut work = vec![(schema, String::new(), false)];
    while let Some((value, at, is_data)) = work.pop() {
        if found.len() > MAX_LEAVES {
            // Too large to be taken apart; still no other schema's.
            found.insert(schema.to_canonical());
            break;
        }
        let is_data = is_data || at.len() > MAX_POINTER;
        match value {
            // A schema that only describes is the empty one. What stands there counts: a closed object takes a parameter of which
            // nothing is said, and a branch of a union takes everything.
            Value::Object(object) if !is_data && !at.is_empty() && says_nothing(object) => {
                found.insert(format!("{}{{}}", quote(at.as_bytes())));
            }
            Value::Object(object) if !is_data && !object.is_empty() => inside(object, &at, &mut work),
            Value::Array(items) if !is_data && !items.is_empty() && items.iter().all(|i| i.as_object().is_some()) => {
                work.extend(items.iter().enumerate().map(|(i, item)| (item, format!("{at}/{i}"), false)));
            }
            // Quoted, so that no place can be read as another one with a value.
            other => drop(found.insert(format!("{}{}", quote(at.as_bytes()), canonical(&at, other)))),
        }
    }
    Bare(found)
}

fn says_nothing(schema: &Object) -> bool {
    schema.entries().iter().all(|(keyword, _)| Semantics::is_annotation(&keyword.to_well_formed()))
}

/// Puts what is inside a schema on the list, with whether it is data.
fn inside<'v>(object: &'v Object, at: &str, work: &mut Vec<(&'v Value, String, bool)>) {
    for (keyword, value) in object.entries() {
        let name = keyword.to_well_formed();
        if Semantics::is_annotation(&name) {
            continue;
        }
        let here = format!("{at}{}", pointer([Step::Key(keyword.as_bytes())]));
        match (&*name, value) {
            ("properties" | "patternProperties" | "$defs" | "definitions", Value::Object(map)) if !map.is_empty() => {
                for (key, schema) in map.entries() {
                    work.push((schema, format!("{here}{}", pointer([Step::Key(key.as_bytes())])), false));
                }
            }
            ("enum" | "const" | "required" | "type" | "dependentRequired", _) => work.push((value, here, true)),
            _ => work.push((value, here, false)),
        }
    }
}

/// Lists of names mean the same in any order.
fn canonical(at: &str, value: &Value) -> String {
    match value {
        Value::Array(items) if at.ends_with("/required") || at.ends_with("/type") || at.ends_with("/enum") => {
            let mut texts: Vec<String> = items.iter().map(Value::to_canonical).collect();
            texts.sort_unstable();
            texts.join(",")
        }
        other => other.to_canonical(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_people_would_call_alike() {
        for (a, b, alike) in [
            ("entity_type", "entityType", true),
            ("environment", "env", true),
            ("broadcast_watch", "meho.broadcast.watch", true),
            ("properties", "cssProperties", true),
            ("path", "file_path", true),
            ("colour", "color", true),
            ("user", "path", false),
            ("limit", "query", false),
            ("", "_", false),
            ("", "a", false),
        ] {
            assert_eq!(names(a, b) >= 0.6, alike, "{a} {b} {}", names(a, b));
        }
        assert!((names("entity_type", "EntityType") - 1.0).abs() < f64::EPSILON);
    }

    #[test]
    fn schemas_are_compared_by_constraints() {
        let json = |t: &str| Value::parse(t.as_bytes()).unwrap();
        let a = json(
            r#"{"type": "object", "description": "x", "properties": {"description": {"type": "string"}}, "required": ["b", "a"]}"#,
        );
        let b = json(
            r#"{"type": "object", "required": ["a", "b"], "properties": {"description": {"type": "string", "title": "T"}}}"#,
        );
        let c = json(r#"{"type": "object", "properties": {"other": {"type": "string"}}, "required": ["a", "b"]}"#);
        let (a, b, c) = (bare(&a), bare(&b), bare(&c));
        assert!(a == b && (a.likeness(&b) - 1.0).abs() < f64::EPSILON);
        assert!(a != c && a.likeness(&c) > 0.3 && a.likeness(&c) < 0.9);
        for (one, other) in [(r#"{"anyOf": []}"#, "{}"), ("true", "{}"), (r#"{"properties": {}}"#, "{}"), ("[[1]]", "[1]")] {
            assert_ne!(bare(&json(one)), bare(&json(other)), "{one} {other}");
        }
    }
}
