//! Where a reference of a schema leads, without reading anything but the schema.

use super::graph::percent_decoded;
use crate::definition::subschemas;
use crate::json::{JsString, Object, Step, Value, pointer};
use std::collections::HashMap;

/// Where a reference leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// To this JSON Pointer in the same schema.
    At(String),
    /// Into the same schema, to something that is not there.
    Nowhere,
    /// Out of the schema.
    Outside,
    /// Into a part of the schema that has an identifier of its own; not followed here.
    Unknown,
}

/// Follows references in one schema.
#[derive(Debug)]
pub struct Follower<'a> {
    root: &'a Value,
    ids: Identifiers<'a>,
}

impl<'a> Follower<'a> {
    /// Looks a schema over for what references name.
    #[must_use]
    pub fn new(root: &'a Value) -> Self {
        Self { root, ids: identifiers(root) }
    }

    /// Follows a reference from somewhere in the schema.
    #[must_use]
    pub fn follow(&self, reference: &str) -> Target {
        let (base, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        if !base.is_empty() {
            let path = base.trim_start_matches("./").trim_start_matches('/');
            let own = self.ids.ids.iter().any(|id| id.trim_end_matches('#').ends_with(path));
            return if own { Target::Unknown } else { Target::Outside };
        }
        let found = if fragment.is_empty() {
            Some(String::new())
        } else if fragment.starts_with('/') {
            let decoded = percent_decoded(fragment);
            self.root.at_pointer(&decoded).is_some().then_some(decoded)
        } else {
            self.ids.anchors.get(fragment).cloned()
        };
        match found {
            Some(pointer) => Target::At(pointer),
            // A part with an identifier is a document of its own to the references in it.
            None if self.ids.inner => Target::Unknown,
            None => Target::Nowhere,
        }
    }
}

#[derive(Debug, Default)]
struct Identifiers<'a> {
    ids: Vec<&'a str>,
    anchors: HashMap<&'a str, String>,
    /// Some part other than the root has an identifier.
    inner: bool,
}

fn identifiers(root: &Value) -> Identifiers<'_> {
    const MAX_DEPTH: usize = 128;
    let mut found = Identifiers::default();
    let mut work: Vec<(&Object, Vec<Step<'_>>)> = root.as_object().map(|root| (root, Vec::new())).into_iter().collect();
    while let Some((schema, steps)) = work.pop() {
        let text = |keyword: &[u8]| schema.get(keyword).and_then(Value::as_string).and_then(JsString::as_str);
        if let Some(id) = text(b"$id").or_else(|| text(b"id").filter(|_| steps.is_empty())) {
            found.ids.push(id);
            found.inner |= !steps.is_empty();
        }
        for keyword in [&b"$anchor"[..], b"$dynamicAnchor"] {
            found.anchors.extend(text(keyword).map(|name| (name, pointer(steps.iter().copied()))));
        }
        if steps.len() > MAX_DEPTH {
            continue;
        }
        for child in subschemas(schema) {
            if let Some(object) = child.schema.as_object() {
                let mut steps = steps.clone();
                steps.push(Step::Key(child.keyword.as_bytes()));
                steps.extend(child.key.map(|key| Step::Key(key.as_bytes())));
                steps.extend(child.index.map(Step::Index));
                work.push((object, steps));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_references_lead() {
        let root = br#"{"$id": "http://x/root.json", "$defs": {"a b": {"$anchor": "here"}, "c": {"type": "string"}}}"#;
        let root = Value::parse(root).unwrap();
        for (reference, target) in [
            ("#", Target::At(String::new())),
            ("#/$defs/c", Target::At("/$defs/c".to_owned())),
            ("#/$defs/a%20b", Target::At("/$defs/a b".to_owned())),
            ("#here", Target::At("/$defs/a b".to_owned())),
            ("#/$defs/z", Target::Nowhere),
            ("#there", Target::Nowhere),
            ("root.json#/$defs/c", Target::Unknown),
            ("http://x/root.json", Target::Unknown),
            ("https://json-schema.org/draft/2020-12/schema", Target::Outside),
            ("file:///etc/passwd", Target::Outside),
            ("common.json", Target::Outside),
        ] {
            assert_eq!(Follower::new(&root).follow(reference), target, "{reference}");
        }
    }
}
