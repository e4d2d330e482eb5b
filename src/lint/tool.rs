//! A definition laid out for the rules: every schema in it with its pointer and its role.

use super::rule::GeminiForm;
use super::target::is_strict;
use crate::definition::{Child, Definition, Place, Shape, subschemas};
use crate::gate::profile::{Draft, SchemaValidator};
use crate::json::{JsString, Object, Step, Value, pointer};
use std::collections::HashSet;

/// Schemas that are looked at in one definition, and how deep; beyond that `schema-too-deep` says all there is to say.
const MAX_NODES: usize = 50_000;
const MAX_DEPTH: usize = 130;

/// What a schema is to the schema around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Role<'a> {
    Root,
    /// A declared parameter.
    Property {
        name: &'a JsString,
        required: bool,
    },
    /// What elements must be.
    Item,
    /// What other keys must be.
    Extra,
    /// A branch of `anyOf`, `oneOf` or `allOf`.
    Branch(&'a str),
    /// Another schema that applies to the same value.
    Same,
    /// Another schema that applies inside.
    Inside,
    /// Kept under `$defs`.
    Kept,
}

pub(super) struct Node<'a> {
    pub pointer: String,
    pub schema: &'a Object,
    pub role: Role<'a>,
    pub parent: Option<usize>,
    /// How many containers stand around the value: 0 for the arguments.
    pub level: usize,
    /// How many schemas stand around this one.
    pub depth: usize,
}

impl<'a> Node<'a> {
    pub fn get(&self, keyword: &str) -> Option<&'a Value> {
        self.schema.get(keyword.as_bytes())
    }

    pub fn has(&self, keyword: &str) -> bool {
        self.get(keyword).is_some()
    }

    pub fn at(&self, keyword: &str) -> String {
        format!("{}/{}", self.pointer, escape(keyword))
    }

    pub fn string(&self, keyword: &str) -> Option<&'a str> {
        self.get(keyword)?.as_string()?.as_str()
    }

    /// The declared types, in the order in which they are listed.
    pub fn types(&self) -> Vec<&'a str> {
        let names = match self.get("type") {
            Some(Value::Array(names)) => names.as_slice(),
            Some(name) => std::slice::from_ref(name),
            None => &[],
        };
        names.iter().filter_map(Value::as_string).filter_map(JsString::as_str).collect()
    }

    pub fn is_type(&self, name: &str) -> bool {
        self.types().contains(&name)
    }

    pub fn properties(&self) -> Option<&'a Object> {
        self.get("properties")?.as_object()
    }

    pub fn required(&self) -> Vec<&'a JsString> {
        self.get("required").and_then(Value::as_array).unwrap_or_default().iter().filter_map(Value::as_string).collect()
    }

    pub fn list(&self, keyword: &str) -> &'a [Value] {
        self.get(keyword).and_then(Value::as_array).unwrap_or_default()
    }

    /// Whether it describes an object: by its type, or by declaring keys.
    pub fn is_object(&self) -> bool {
        self.is_type("object") || (!self.has("type") && self.properties().is_some())
    }
}

/// One step of a JSON Pointer, escaped.
pub(super) fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// A definition with all its schemas, outer before inner.
pub(super) struct Tool<'a> {
    pub definition: &'a Definition,
    pub nodes: Vec<Node<'a>>,
    pub draft: Draft,
    pub strict: bool,
    pub form: GeminiForm,
    /// The parameters compiled, formats not asserted: the dearest thing to know of a definition, so once.
    pub validator: SchemaValidator,
}

impl<'a> Tool<'a> {
    pub fn new(definition: &'a Definition) -> Self {
        let parameters = definition.parameters();
        let mut tool = Self {
            definition,
            nodes: Vec::new(),
            draft: parameters.map_or(Draft::Draft202012, Draft::of),
            strict: is_strict(definition),
            form: gemini_form(definition),
            validator: SchemaValidator::compile(parameters, false),
        };
        if let Some(Value::Object(root)) = parameters {
            tool.nodes.push(Node { pointer: String::new(), schema: root, role: Role::Root, parent: None, level: 0, depth: 0 });
        }
        let mut at = 0;
        while at < tool.nodes.len() && at < MAX_NODES {
            let schema = tool.nodes[at].schema;
            let required: HashSet<&JsString> = tool.nodes[at].required().into_iter().collect();
            for child in subschemas(schema) {
                tool.add(at, child, &required);
            }
            at += 1;
        }
        tool
    }

    fn add(&mut self, parent: usize, child: Child<'a>, required: &HashSet<&JsString>) {
        let Value::Object(schema) = child.schema else { return };
        let around = &self.nodes[parent];
        let depth = around.depth + 1;
        if depth > MAX_DEPTH {
            return;
        }
        let role = match (child.place, child.keyword, child.key) {
            (_, "properties", Some(name)) => Role::Property { name, required: required.contains(name) },
            (_, "items" | "prefixItems" | "prefix_items", _) => Role::Item,
            (_, "additionalProperties" | "additional_properties", _) => Role::Extra,
            (_, "anyOf" | "oneOf" | "allOf" | "any_of", _) => Role::Branch(child.keyword),
            (Place::Kept, ..) => Role::Kept,
            (Place::Same, ..) => Role::Same,
            (Place::Inside, ..) => Role::Inside,
        };
        let steps =
            [Some(Step::Key(child.keyword.as_bytes())), child.key.map(|k| Step::Key(k.as_bytes())), child.index.map(Step::Index)];
        let pointer = format!("{}{}", around.pointer, pointer(steps.into_iter().flatten()));
        let level = around.level + usize::from(child.place == Place::Inside);
        self.nodes.push(Node { pointer, schema, role, parent: Some(parent), level, depth });
    }

    pub fn root(&self) -> Option<&Node<'a>> {
        self.nodes.first()
    }

    /// The schemas that apply to the same value as this one and stand around it, the nearest first; itself excluded.
    pub fn around(&self, node: &Node<'a>) -> impl Iterator<Item = &Node<'a>> {
        let is_same = |node: &Node<'_>| matches!(node.role, Role::Branch(_) | Role::Same);
        let next = move |node: &Node<'a>| node.parent.filter(|_| is_same(node)).map(|parent| &self.nodes[parent]);
        std::iter::successors(next(node), move |node| next(node))
    }

    /// Declared parameters at every depth.
    pub fn parameters(&self) -> impl Iterator<Item = (&Node<'a>, &'a JsString, bool)> {
        self.nodes.iter().filter_map(|node| match node.role {
            Role::Property { name, required } => Some((node, name, required)),
            _ => None,
        })
    }
}

fn gemini_form(definition: &Definition) -> GeminiForm {
    let view = definition.view();
    let json_schema = view.get("parametersJsonSchema").or_else(|| view.get("parameters_json_schema")).is_some();
    match definition.shape() {
        Shape::Gemini if json_schema => GeminiForm::JsonSchema,
        // A declaration with lower-case types has no other mark than its place in a list of declarations.
        Shape::Gemini | Shape::Bare => GeminiForm::Parameters,
        _ => GeminiForm::Converted,
    }
}
