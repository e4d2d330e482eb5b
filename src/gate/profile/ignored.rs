//! Keys that an open object accepts although nothing declares them: the value is valid, and nobody reads it.

use super::graph::{Graph, GraphNode, NodeId};
use crate::json::{Step, Value, human_path};

/// How many values are looked at. Past that the list is what was found until then.
const MAX_LOOKS: usize = 1_000_000;

/// The paths of the undeclared keys of a value that is accepted, in the order of the walk.
///
/// An object that no schema names keys for is free-form, and its keys are data. Otherwise a key is undeclared where no
/// schema that may apply declares it, requires it, or checks it by `additionalProperties`; alternatives all count, whether
/// or not they are the one that matched, and where `patternProperties` may mean a key it is never called undeclared.
pub(super) fn ignored(graph: &Graph, value: &Value) -> Vec<String> {
    let mut walk = Walk { graph, open: Vec::new(), looks: 0, found: Vec::new() };
    if !graph.nodes.is_empty() {
        walk.visit(vec![0], value);
    }
    while walk.step() {}
    walk.found
}

struct Walk<'a> {
    graph: &'a Graph,
    open: Vec<Open<'a>>,
    looks: usize,
    found: Vec<String>,
}

struct Open<'a> {
    /// Every schema that may apply to the container.
    schemas: Vec<NodeId>,
    value: &'a Value,
    next: usize,
}

impl<'a> Open<'a> {
    fn current(&self) -> Step<'a> {
        match self.value {
            Value::Object(object) => Step::Key(object.entries()[self.next - 1].0.as_bytes()),
            _ => Step::Index(self.next - 1),
        }
    }
}

impl<'a> Walk<'a> {
    fn visit(&mut self, schemas: Vec<NodeId>, value: &'a Value) {
        self.looks += 1;
        let container = matches!(value, Value::Object(_) | Value::Array(_));
        if container && !schemas.is_empty() && self.looks < MAX_LOOKS {
            let schemas = self.with_same(schemas);
            self.open.push(Open { schemas, value, next: 0 });
        }
    }

    /// The schemas and all that apply beside them.
    fn with_same(&mut self, mut schemas: Vec<NodeId>) -> Vec<NodeId> {
        if schemas.iter().all(|id| self.graph.nodes[*id as usize].same.is_empty()) {
            return schemas;
        }
        let mut seen: std::collections::HashSet<NodeId> = schemas.iter().copied().collect();
        let mut at = 0;
        while at < schemas.len() {
            let graph = self.graph;
            schemas.extend(graph.nodes[schemas[at] as usize].same.iter().filter(|id| seen.insert(**id)));
            at += 1;
        }
        self.looks += at;
        schemas
    }

    fn step(&mut self) -> bool {
        let Some(open) = self.open.last_mut() else { return false };
        let nodes = open.schemas.iter().map(|id| &self.graph.nodes[*id as usize]);
        open.next += 1;
        match open.value {
            Value::Object(object) if open.next <= object.len() => {
                let (key, value) = &object.entries()[open.next - 1];
                let wanted = matches!(value, Value::Object(_) | Value::Array(_));
                let (declared, below) = key_schemas(nodes, key.as_bytes(), wanted);
                if declared {
                    self.visit(below, value);
                } else {
                    self.found.push(human_path(self.open.iter().map(Open::current)));
                }
            }
            Value::Array(items) if open.next <= items.len() => {
                let below = nodes.flat_map(|node| node.items.iter().copied()).collect();
                let item = &items[open.next - 1];
                self.visit(below, item);
            }
            _ => drop(self.open.pop()),
        }
        true
    }
}

/// Whether a key counts as declared, and where that is wanted the schemas that its value is checked by.
fn key_schemas<'a>(nodes: impl Iterator<Item = &'a GraphNode>, key: &[u8], wanted: bool) -> (bool, Vec<NodeId>) {
    let (mut declared, mut named) = (false, false);
    let mut below = Vec::new();
    for node in nodes {
        named |= node.names_keys;
        if let Ok(at) = node.keys.binary_search_by(|(name, _)| name.as_bytes().cmp(key)) {
            declared = true;
            below.extend(node.keys[at].1.filter(|_| wanted));
        } else {
            declared |= node.by_pattern || node.extra.is_some();
            below.extend(node.extra.filter(|_| wanted));
        }
    }
    (declared || !named, below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_nobody_reads() {
        let open = r##"{"properties": {"a": {}, "o": {"properties": {"x": {}}}, "l": {"items": {"$ref": "#/properties/o"}}, "free": {"type": "object"}}}"##;
        for (schema, value, keys) in [
            (open, r#"{"a": 1, "b": 2, "0": 3}"#, &["0", "b"][..]),
            (open, r#"{"o": {"x": 1, "y": 2}, "l": [{"x": 1}, {"z": 1}]}"#, &["o.y", "l[1].z"]),
            (open, r#"{"free": {"anything": {"goes": 1}}}"#, &[]),
            (r#"{"properties": {}}"#, r#"{"a": 1}"#, &["a"]),
            (r#"{"properties": {}, "additionalProperties": {}}"#, r#"{"a": 1}"#, &["a"]),
            (r#"{"properties": {}, "additionalProperties": {"type": "string"}}"#, r#"{"a": "x"}"#, &[]),
            (r#"{"properties": {}, "patternProperties": {"^x": {}}}"#, r#"{"a": 1}"#, &[]),
            (r#"{"properties": {}, "required": ["a"]}"#, r#"{"a": 1}"#, &[]),
            (
                r#"{"properties": {"a": {}}, "anyOf": [{"properties": {"b": {}}}, {"required": ["c"]}]}"#,
                r#"{"b": 1, "c": 2, "d": 3}"#,
                &["d"],
            ),
            ("true", r#"{"a": 1}"#, &[]),
        ] {
            let graph = Graph::build(&Value::parse(schema.as_bytes()).unwrap(), false).unwrap();
            assert_eq!(ignored(&graph, &Value::parse(value.as_bytes()).unwrap()), keys, "{schema} {value}");
        }
    }
}
