//! What applies to what in a schema: its subschemas as a graph, references followed, and how far judging by it can go.
//!
//! A validator follows `$ref` wherever it leads. A definition that comes from outside can make it go round without end, or
//! into more alternatives than anyone can wait for; the graph shows that before any call is judged.

use crate::definition::{Place, subschemas};
use crate::json::{JsString, Object, Step, Value, pointer, pointer_steps};
use std::collections::HashMap;

/// A place in the graph.
pub(super) type NodeId = u32;

/// The largest number of subschemas that is looked at. Real definitions have a few hundred.
const MAX_NODES: usize = 50_000;
/// How many schemas one value may have to be judged by, alternatives multiplied out.
const MAX_ALTERNATIVES: u64 = 10_000;
/// How deep judging may nest, schemas inside and beside one another counted.
const MAX_CHAIN: u32 = 1_024;
/// References that we cannot follow ourselves; the validator may be able to.
const MAX_UNKNOWN: usize = 16;
/// How deep a value may be where the schema refers to itself.
const MAX_DEPTH: u32 = 128;

/// Why judging by a schema could go wrong, and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Trouble {
    pub pointer: String,
    pub reason: String,
}

#[derive(Debug, Default)]
pub(super) struct GraphNode {
    /// Schemas that apply to the same value: references and combinators.
    pub same: Vec<NodeId>,
    /// Everything that applies inside it.
    inside: Vec<NodeId>,
    /// Declared keys, sorted.
    pub keys: Vec<(JsString, Option<NodeId>)>,
    /// It has `properties`, so that other keys are undeclared.
    pub names_keys: bool,
    /// It has `patternProperties`: other keys may be meant by a pattern.
    pub by_pattern: bool,
    /// What the other keys are checked by.
    pub extra: Option<NodeId>,
    /// What elements are checked by, whatever their place.
    pub items: Vec<NodeId>,
}

#[derive(Debug, Default)]
pub(super) struct Graph {
    pub nodes: Vec<GraphNode>,
    /// How deep a value may go.
    pub max_depth: u32,
}

impl Graph {
    /// Follows a whole schema. `old`: it is of draft 4, where `$id` was called `id`.
    pub fn build(root: &Value, old: bool) -> Result<Self, Trouble> {
        let mut builder = Builder { id_keyword: if old { b"id" } else { b"$id" }, ..Builder::default() };
        builder.node(root, root, None);
        builder.connect()?;
        let Builder { nodes, places, .. } = builder;
        let trouble = |node: NodeId, reason: String| Trouble { pointer: places[node as usize].pointer(&places), reason };
        let same = post_order(&nodes, |node| [node.same.as_slice(), &[]]).map_err(|node| {
            trouble(node, "the schema refers to itself without going into the value, so it says nothing".to_owned())
        })?;
        let mut cost = vec![1_u64; nodes.len()];
        let mut chain = vec![1_u32; nodes.len()];
        for id in same {
            let next = &nodes[id as usize].same;
            cost[id as usize] = next.iter().fold(1, |sum: u64, n| sum.saturating_add(cost[*n as usize]));
            chain[id as usize] = 1 + next.iter().map(|n| chain[*n as usize]).max().unwrap_or(0);
            if cost[id as usize] > MAX_ALTERNATIVES {
                let reason = format!("one value would have to be judged by more than {MAX_ALTERNATIVES} schemas");
                return Err(trouble(id, reason));
            }
        }
        let beside = chain.iter().copied().max().unwrap_or(1);
        let mut max_depth = u32::MAX;
        match post_order(&nodes, |node| [node.same.as_slice(), node.inside.as_slice()]) {
            // It refers to itself: the depth of the value is what bounds it.
            Err(_) => max_depth = (MAX_CHAIN / beside).min(MAX_DEPTH),
            Ok(order) => {
                for id in order {
                    let node = &nodes[id as usize];
                    let longest = node.same.iter().chain(&node.inside).map(|n| chain[*n as usize]).max();
                    chain[id as usize] = 1 + longest.unwrap_or(0);
                }
            }
        }
        if let Some(id) = (0_u32..).zip(&chain).find(|(_, length)| **length > MAX_CHAIN).map(|(id, _)| id) {
            return Err(trouble(id, format!("schemas lead to one another more than {MAX_CHAIN} deep")));
        }
        Ok(Self { nodes, max_depth })
    }
}

/// All nodes, each after those that it leads to; or a node that leads to itself.
fn post_order<'a>(nodes: &'a [GraphNode], next: impl Fn(&'a GraphNode) -> [&'a [NodeId]; 2]) -> Result<Vec<NodeId>, NodeId> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; nodes.len()];
    let mut order = Vec::with_capacity(nodes.len());
    let mut stack: Vec<(NodeId, usize)> = Vec::new();
    for start in 0..nodes.len() {
        if marks[start] != Mark::New {
            continue;
        }
        marks[start] = Mark::Open;
        stack.push((NodeId::try_from(start).unwrap_or(NodeId::MAX), 0));
        while let Some((id, at)) = stack.last_mut() {
            let [first, second] = next(&nodes[*id as usize]);
            let Some(&child) = first.get(*at).or_else(|| second.get(at.checked_sub(first.len())?)) else {
                marks[*id as usize] = Mark::Done;
                order.push(*id);
                stack.pop();
                continue;
            };
            *at += 1;
            match marks[child as usize] {
                Mark::Done => {}
                Mark::Open => return Err(child),
                Mark::New => {
                    marks[child as usize] = Mark::Open;
                    stack.push((child, 0));
                }
            }
        }
    }
    Ok(order)
}

/// Where a node stands, as a step from the node that holds it: a pointer is only made when it is asked for.
#[derive(Debug)]
struct Spot {
    parent: Option<NodeId>,
    steps: Vec<JsString>,
}

impl Spot {
    fn pointer(&self, all: &[Self]) -> String {
        let mut chain = vec![self];
        while let Some(parent) = chain[chain.len() - 1].parent {
            chain.push(&all[parent as usize]);
        }
        pointer(chain.iter().rev().flat_map(|spot| &spot.steps).map(|step| Step::Key(step.as_bytes())))
    }
}

#[derive(Default)]
struct Builder<'a> {
    id_keyword: &'static [u8],
    nodes: Vec<GraphNode>,
    places: Vec<Spot>,
    /// Schemas by address: each is one node, however many ways lead to it.
    known: HashMap<*const Value, NodeId>,
    /// Each schema that is still to be connected, with the resource that its references are read against.
    work: Vec<(NodeId, &'a Object, &'a Value)>,
    refs: Vec<(NodeId, &'a str, &'a Value)>,
    /// Resources by `$id`, and places by the resource and the anchor.
    ids: Vec<(&'a str, &'a Value)>,
    anchors: HashMap<(*const Value, &'a str), &'a Value>,
    /// The members of large objects by key, so that many references into one do not each go through all of it.
    members: HashMap<*const Object, HashMap<&'a [u8], &'a Value>>,
}

impl<'a> Builder<'a> {
    /// The node of a schema; none for what checks nothing.
    fn node(&mut self, schema: &'a Value, resource: &'a Value, spot: Option<Spot>) -> Option<NodeId> {
        let object = schema.as_object()?;
        if let Some(known) = self.known.get(&std::ptr::from_ref(schema)) {
            return Some(*known);
        }
        let id = NodeId::try_from(self.nodes.len()).ok()?;
        let resource = match object.get(self.id_keyword).and_then(Value::as_string).and_then(JsString::as_str) {
            Some(uri) if !uri.starts_with('#') => {
                self.ids.push((uri.trim_end_matches('#'), schema));
                schema
            }
            _ => resource,
        };
        for keyword in [&b"$anchor"[..], b"$dynamicAnchor"] {
            if let Some(name) = object.get(keyword).and_then(Value::as_string).and_then(JsString::as_str) {
                self.anchors.insert((std::ptr::from_ref(resource), name), schema);
            }
        }
        self.known.insert(std::ptr::from_ref(schema), id);
        self.nodes.push(GraphNode::default());
        self.places.push(spot.unwrap_or(Spot { parent: None, steps: Vec::new() }));
        self.work.push((id, object, resource));
        Some(id)
    }

    /// Connects everything that can be reached. References come last: where they lead may be read later than they are.
    fn connect(&mut self) -> Result<(), Trouble> {
        let mut unknown = 0;
        loop {
            while let Some((id, object, resource)) = self.work.pop() {
                self.connect_node(id, object, resource);
                if self.nodes.len() > MAX_NODES {
                    let reason = format!("more than {MAX_NODES} schemas in one definition");
                    return Err(Trouble { pointer: String::new(), reason });
                }
            }
            let Some((id, reference, resource)) = self.refs.pop() else { return Ok(()) };
            if let Some((target, resource)) = self.resolve(reference, resource) {
                let spot = Spot { parent: None, steps: Vec::new() };
                let target = self.node(target, resource, Some(spot));
                self.nodes[id as usize].same.extend(target);
            } else {
                unknown += 1;
                if unknown > MAX_UNKNOWN {
                    let reason = format!("more than {MAX_UNKNOWN} references that lead nowhere in the definition");
                    return Err(Trouble { pointer: self.places[id as usize].pointer(&self.places), reason });
                }
            }
        }
    }

    fn connect_node(&mut self, id: NodeId, object: &'a Object, resource: &'a Value) {
        let mut node = GraphNode {
            names_keys: object.get(b"properties").is_some_and(|v| matches!(v, Value::Object(_))),
            by_pattern: object.get(b"patternProperties").is_some(),
            ..GraphNode::default()
        };
        for child in subschemas(object) {
            let steps = std::iter::once(JsString::from(child.keyword))
                .chain(child.key.cloned())
                .chain(child.index.map(|i| i.to_string().into()))
                .collect();
            let found = self.node(child.schema, resource, Some(Spot { parent: Some(id), steps }));
            match (child.place, child.keyword, child.key) {
                (Place::Inside, "properties", Some(key)) => node.keys.push((key.clone(), found)),
                (Place::Inside, "additionalProperties" | "unevaluatedProperties", _) => {
                    let checks = child.schema.as_object().is_some_and(|o| !o.is_empty());
                    node.extra = node.extra.or(found.filter(|_| checks));
                }
                (Place::Inside, "items" | "prefixItems" | "additionalItems" | "unevaluatedItems" | "contains", _) => {
                    node.items.extend(found);
                }
                _ => {}
            }
            match child.place {
                Place::Same => node.same.extend(found),
                Place::Inside => node.inside.extend(found),
                Place::Kept => {}
            }
        }
        for name in object.get(b"required").and_then(Value::as_array).unwrap_or_default().iter().filter_map(Value::as_string) {
            node.keys.push((name.clone(), None));
        }
        // A key that is both declared and required keeps the schema that it is declared with.
        node.keys.sort_by(|(a, x), (b, y)| a.cmp(b).then(y.is_some().cmp(&x.is_some())));
        node.keys.dedup_by(|(a, _), (b, _)| a == b);
        for keyword in [&b"$ref"[..], b"$dynamicRef", b"$recursiveRef"] {
            if let Some(reference) = object.get(keyword).and_then(Value::as_string).and_then(JsString::as_str) {
                self.refs.push((id, reference, resource));
            }
        }
        self.nodes[id as usize] = node;
    }

    fn member(&mut self, object: &'a Object, key: &[u8]) -> Option<&'a Value> {
        const FEW: usize = 32;
        if object.len() <= FEW {
            return object.get(key);
        }
        let all = || object.entries().iter().map(|(key, value)| (key.as_bytes(), value)).collect();
        self.members.entry(std::ptr::from_ref(object)).or_insert_with(all).get(key).copied()
    }

    fn at(&mut self, root: &'a Value, pointer: &str) -> Option<&'a Value> {
        pointer_steps(pointer)?.iter().try_fold(root, |value, step| match value {
            Value::Object(object) => self.member(object, step.as_bytes()),
            Value::Array(items) => items.get(step.parse::<usize>().ok()?),
            _ => None,
        })
    }

    /// The schema that a reference leads to, and the resource that it is in.
    fn resolve(&mut self, reference: &str, resource: &'a Value) -> Option<(&'a Value, &'a Value)> {
        let (base, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let resource = if base.is_empty() {
            resource
        } else {
            let path = base.trim_start_matches("./").trim_start_matches('/');
            let is_it = |id: &str| id == base || id.strip_suffix(path).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
            self.ids.iter().find(|(id, _)| is_it(id)).map(|(_, schema)| *schema)?
        };
        let target = match fragment {
            "" => Some(resource),
            pointer if pointer.starts_with('/') => self.at(resource, &percent_decoded(pointer)),
            anchor => self.anchors.get(&(std::ptr::from_ref(resource), anchor)).copied(),
        }?;
        Some((target, resource))
    }
}

/// A URI fragment's `%41` as the bytes they stand for (RFC 3986, section 2.1); what is no escape is kept.
pub(super) fn percent_decoded(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let escape = tail.get(..2).filter(|_| *first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        if let Some(byte) = escape.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            out.push(byte);
            rest = &tail[2..];
        } else {
            out.push(*first);
            rest = tail;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(text: &str) -> Result<Graph, Trouble> {
        Graph::build(&Value::parse(text.as_bytes()).expect(text), false)
    }

    #[test]
    fn what_would_not_end_is_seen() {
        for (schema, fine) in [
            (r##"{"$ref": "#"}"##, false),
            (r##"{"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"anyOf": [{"$ref": "#"}]}}}"##, false),
            (r##"{"properties": {"child": {"$ref": "#"}}}"##, true),
            (r##"{"$ref": "#/$defs/a", "$defs": {"a": {"items": {"$ref": "#/$defs/a"}}}}"##, true),
            (r##"{"$ref": "#b", "$defs": {"a": {"$anchor": "b", "not": {"$ref": "#b"}}}}"##, false),
            (r##"{"$ref": "a.json", "$defs": {"a": {"$id": "http://x/a.json", "not": {"$ref": "#"}}}}"##, false),
            (r#"{"$ref": "https://json-schema.org/draft/2020-12/schema"}"#, true),
        ] {
            assert_eq!(build(schema).is_ok(), fine, "{schema}");
        }
        assert_eq!(
            build(r##"{"properties": {"a": {"items": {"not": {"$ref": "#/properties/a/items"}}}}}"##).unwrap_err().pointer,
            "/properties/a/items"
        );
    }

    #[test]
    fn alternatives_are_multiplied_out() {
        let bomb = |n: usize| {
            let defs: Vec<String> = (0..n)
                .map(|i| {
                    format!(r##""a{i}": {{"allOf": [{{"$ref": "#/$defs/a{}"}}, {{"$ref": "#/$defs/a{}"}}]}}"##, i + 1, i + 1)
                })
                .collect();
            format!(r##"{{"$ref": "#/$defs/a0", "$defs": {{{}, "a{n}": {{"type": "string"}}}}}}"##, defs.join(", "))
        };
        assert!(build(&bomb(8)).is_ok());
        assert!(build(&bomb(40)).unwrap_err().reason.contains("10000 schemas"));
        let chain: Vec<String> = (0..5000).map(|i| format!(r##""a{i}": {{"$ref": "#/$defs/a{}"}}"##, i + 1)).collect();
        let chain = format!(r##"{{"$ref": "#/$defs/a0", "$defs": {{{}, "a5000": {{}}}}}}"##, chain.join(", "));
        assert!(build(&chain).unwrap_err().reason.contains("1024 deep"));
    }
}
