//! A definition's parameters compiled into a plan: done once, used for every call.

use super::by_name::ByName;
use crate::json::{JsString, Object, Value};
use std::collections::HashMap;

/// A schema ready for judging. Of the schema only `type`, `required`, `enum`, `properties`, `additionalProperties` and
/// `items` are kept (and what decides whether those apply); everything else never rejects.
#[derive(Debug)]
pub struct Plan {
    pub(super) nodes: Vec<PlanNode>,
}

/// A place in the plan. Places that check nothing have none.
pub(super) type NodeId = u32;

#[derive(Debug, Default)]
pub(super) struct PlanNode {
    /// The declared types; empty where the type is not checked.
    pub types: TypeSet,
    /// The declared type names as listed, joined by ` | `.
    pub types_expected: String,
    /// `nullable: true` lets null past `enum`.
    pub nullable: bool,
    pub allowed: Vec<Value>,
    /// The allowed values as `JSON.stringify` writes them, joined by `|`.
    pub allowed_expected: String,
    pub object: Option<ObjectRule>,
    /// Checks each element of an array.
    pub items: Option<NodeId>,
}

#[derive(Debug)]
pub(super) struct ObjectRule {
    /// Declared and required keys.
    keys: ByName<KnownKey>,
    /// `required` in its order, each name once.
    pub required: Vec<JsString>,
    /// What becomes of any other key.
    pub extra: KeyRule,
}

/// A key that is declared or required.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownKey {
    pub rule: KeyRule,
    /// Its place in `required`.
    pub required: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyRule {
    Accept,
    Check(NodeId),
    Unexpected,
}

/// A set of JSON Schema types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TypeSet(u8);

const TYPES: [&str; 7] = ["string", "number", "integer", "boolean", "object", "array", "null"];

impl TypeSet {
    // The places of the names in `TYPES`.
    pub const STRING: u8 = 1;
    pub const NUMBER: u8 = 1 << 1;
    pub const INTEGER: u8 = 1 << 2;
    pub const BOOLEAN: u8 = 1 << 3;
    pub const OBJECT: u8 = 1 << 4;
    pub const ARRAY: u8 = 1 << 5;
    pub const NULL: u8 = 1 << 6;

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    fn bit(name: &[u8]) -> Option<u8> {
        TYPES.iter().position(|t| t.as_bytes() == name).map(|i| 1 << i)
    }

    /// Whether it has a type.
    pub fn has(self, kind: u8) -> bool {
        self.0 & kind != 0
    }

    /// Whether a value is of one of the types (rule G10: an integer is any number without a fraction).
    pub fn holds(self, value: &Value) -> bool {
        let bits = match value {
            Value::String(_) => Self::STRING,
            Value::Number(n) if n.is_finite() && n.fract() == 0.0 => Self::NUMBER | Self::INTEGER,
            Value::Number(_) => Self::NUMBER,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Object(_) => Self::OBJECT,
            Value::Array(_) => Self::ARRAY,
            Value::Null => Self::NULL,
        };
        self.0 & bits != 0
    }
}

impl Plan {
    /// Compiles a tool's parameters; `None` accepts anything (rule G8). The root is node 0.
    #[must_use]
    pub fn compile(parameters: Option<&Value>) -> Self {
        let mut compiler = Compiler { nodes: Vec::new(), work: Vec::new() };
        if let Some(schema) = parameters
            && compiler.slot(schema).is_none()
        {
            return Self { nodes: Vec::new() };
        }
        while let Some((id, schema)) = compiler.work.pop() {
            let node = compiler.node(schema);
            compiler.nodes[id as usize] = node;
        }
        Self { nodes: compiler.nodes }
    }
}

struct Compiler<'a> {
    nodes: Vec<PlanNode>,
    /// Schemas still to be compiled, each with its place: a list instead of recursion, so that no schema is too deep.
    work: Vec<(NodeId, &'a Object)>,
}

impl<'a> Compiler<'a> {
    /// A place for a schema; none where it is not interpreted (rule G9).
    fn slot(&mut self, schema: &'a Value) -> Option<NodeId> {
        let object = schema.as_object()?;
        if object.is_empty() || object.get(b"$ref").is_some() {
            return None;
        }
        let id = NodeId::try_from(self.nodes.len()).ok()?;
        self.nodes.push(PlanNode::default());
        self.work.push((id, object));
        Some(id)
    }

    fn node(&mut self, schema: &'a Object) -> PlanNode {
        let nullable = schema.get(b"nullable").is_some_and(Value::is_true);
        let mut node = PlanNode { nullable, ..PlanNode::default() };
        if let Some((types, expected)) = declared_types(schema, nullable) {
            node.types = types;
            node.types_expected = expected;
        }
        if let Some(allowed) = schema.get(b"enum").and_then(Value::as_array) {
            node.allowed = allowed.to_vec();
            node.allowed_expected = allowed.iter().map(Value::to_json).collect::<Vec<_>>().join("|");
        }
        node.object = self.object_rule(schema);
        if schema.get(b"prefixItems").is_none() {
            node.items = schema.get(b"items").and_then(|items| self.slot(items));
        }
        node
    }

    fn object_rule(&mut self, schema: &'a Object) -> Option<ObjectRule> {
        let properties = schema.get(b"properties").and_then(Value::as_object);
        let mut required: Vec<JsString> = Vec::new();
        let mut keys: HashMap<&JsString, KeyRule> = HashMap::new();
        for name in schema.get(b"required").and_then(Value::as_array).unwrap_or_default().iter().filter_map(Value::as_string) {
            if keys.insert(name, KeyRule::Accept).is_none() {
                required.push(name.clone());
            }
        }
        for (name, property) in properties.map(Object::entries).unwrap_or_default() {
            let rule = self.slot(property).map_or(KeyRule::Accept, KeyRule::Check);
            keys.insert(name, rule);
        }
        let extra = self.extra_rule(schema, properties.is_some());
        if required.is_empty() && extra == KeyRule::Accept && keys.values().all(|rule| *rule == KeyRule::Accept) {
            return None;
        }
        let places: HashMap<&JsString, usize> = required.iter().enumerate().map(|(i, name)| (name, i)).collect();
        let known =
            keys.into_iter().map(|(name, rule)| (name.as_bytes(), KnownKey { rule, required: places.get(name).copied() }));
        let keys = known.collect();
        Some(ObjectRule { keys, required, extra })
    }

    /// What becomes of a key that is neither declared nor required (rule G15).
    fn extra_rule(&mut self, schema: &'a Object, has_properties: bool) -> KeyRule {
        if schema.get(b"patternProperties").is_some() {
            return KeyRule::Accept;
        }
        match schema.get(b"additionalProperties") {
            Some(Value::Bool(true)) => KeyRule::Accept,
            Some(Value::Bool(false)) => KeyRule::Unexpected,
            Some(rule @ Value::Object(_)) => self.slot(rule).map_or(KeyRule::Accept, KeyRule::Check),
            _ if has_properties && !declares_keys_elsewhere(schema) => KeyRule::Unexpected,
            _ => KeyRule::Accept,
        }
    }
}

impl ObjectRule {
    /// What becomes of a key.
    pub fn rule(&self, key: &[u8]) -> KeyRule {
        self.known(key).map_or(self.extra, |known| known.rule)
    }

    /// The key, if it is declared or required.
    #[inline]
    pub fn known(&self, key: &[u8]) -> Option<&KnownKey> {
        self.keys.get(key)
    }
}

/// The declared types and their names; `None` where the declaration cannot be interpreted (rule G10).
fn declared_types(schema: &Object, nullable: bool) -> Option<(TypeSet, String)> {
    let declared = schema.get(b"type")?;
    let list = declared.as_array().unwrap_or(std::slice::from_ref(declared));
    let mut bits = 0;
    let mut names: Vec<&str> = Vec::with_capacity(list.len() + 1);
    for name in list {
        let name = name.as_string()?.as_str()?;
        bits |= TypeSet::bit(name.as_bytes())?;
        names.push(name);
    }
    if names.is_empty() {
        return None;
    }
    if nullable && bits & TypeSet::NULL == 0 {
        bits |= TypeSet::NULL;
        names.push("null");
    }
    Some((TypeSet(bits), names.join(" | ")))
}

/// Keywords beside which an undeclared key may be declared elsewhere, so that it cannot be called unexpected (rule G15).
fn declares_keys_elsewhere(schema: &Object) -> bool {
    const ELSEWHERE: [&[u8]; 10] = [
        b"anyOf",
        b"oneOf",
        b"allOf",
        b"if",
        b"then",
        b"else",
        b"dependentSchemas",
        b"dependencies",
        b"$dynamicRef",
        b"$recursiveRef",
    ];
    ELSEWHERE.iter().any(|keyword| schema.get(keyword).is_some())
        || schema.get(b"unevaluatedProperties").is_some_and(|v| !matches!(v, Value::Bool(false)))
}
