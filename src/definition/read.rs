//! Reading definitions out of a text, in the shapes that providers use.

use super::{Definition, Document, Origin};
use crate::json::{Kind, Position, SyntaxError, Tree, Value, View};
use std::path::Path;
use std::sync::Arc;

/// The provider's shape in which a definition is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// OpenAI Chat Completions: `{"type": "function", "function": {…}}`.
    OpenAi,
    /// OpenAI Responses: the same, flat.
    OpenAiResponses,
    /// Anthropic Messages: `input_schema`.
    Anthropic,
    /// Model Context Protocol: `inputSchema`.
    Mcp,
    /// Gemini: `functionDeclarations`, `parametersJsonSchema`, upper-case type names.
    Gemini,
    /// Amazon Bedrock Converse: `toolSpec`.
    Bedrock,
    /// Only `name` and perhaps `parameters`.
    Bare,
}

impl Shape {
    /// The shape's name in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::OpenAiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Mcp => "mcp",
            Self::Gemini => "gemini",
            Self::Bedrock => "bedrock",
            Self::Bare => "bare",
        }
    }
}

/// Why a definition, or a whole file of them, could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{position}: {reason}")]
pub struct ReadError {
    /// Where in the text.
    pub position: Position,
    /// What is wrong there and what to do.
    pub reason: String,
}

/// A tool's parts, found in a node of its document.
struct Found<'a> {
    shape: Shape,
    /// The node that is the definition as the provider gets it.
    whole: View<'a>,
    name: View<'a>,
    description: Option<View<'a>>,
    parameters: Option<View<'a>>,
}

/// Reads every definition in a text.
///
/// Errors: the text is not JSON or holds nothing that could be a definition. Single definitions that cannot be read are in
/// the second part of the result, and the others are read.
pub(super) fn read_all(
    path: &Path,
    mut text: Vec<u8>,
    origin: Origin,
    server: Option<&str>,
) -> Result<(Vec<Definition>, Vec<ReadError>), ReadError> {
    if text.starts_with(b"\xEF\xBB\xBF") {
        text.drain(..3);
    }
    let tree =
        Tree::parse(&text).map_err(|error| ReadError { position: error.position(&text), reason: describe(&error, &text) })?;
    let document = Arc::new(Document { path: path.to_owned(), text, tree });
    let (mut definitions, mut errors) = (Vec::new(), Vec::new());
    let mut found = Vec::new();
    collect(document.view(0), &mut found, &mut errors);
    for tool in found {
        definitions.push(tool.into_definition(&document, origin, server));
    }
    Ok((definitions, errors))
}

/// Why a text is not JSON. What git leaves in a file that it could not merge has a cause and a cure of its own.
fn describe(error: &SyntaxError, text: &[u8]) -> String {
    let conflict = |line: &[u8]| line.starts_with(b"<<<<<<< ") || line.starts_with(b">>>>>>> ");
    if text.split(|b| *b == b'\n').any(conflict) {
        return format!("merge conflict markers are in the file; resolve the conflict first (not JSON: {error})");
    }
    format!("not JSON: {error}")
}

/// Finds the definitions below a node: in lists, in wrappers around lists, or the node itself.
fn collect<'a>(node: View<'a>, found: &mut Vec<Found<'a>>, errors: &mut Vec<ReadError>) {
    // Wrappers nest a few deep at most; a stack keeps a hostile file from nesting them without end.
    let mut work = vec![(node, false)];
    while let Some((node, listed)) = work.pop() {
        if let Some(list) = list_in(node) {
            let mut items: Vec<_> = list.items().map(|item| (item, true)).collect();
            items.reverse();
            work.extend(items);
            continue;
        }
        match read_tool(node) {
            Ok(tool) => found.push(tool),
            // A tool that the provider runs itself has a type and no name: nothing to judge by, nothing wrong.
            Err(_) if listed && is_hosted(node) => {}
            Err(reason) => errors.push(ReadError { position: node.position(), reason: reason.to_owned() }),
        }
    }
}

/// The list of definitions that a node is or wraps.
fn list_in(node: View<'_>) -> Option<View<'_>> {
    if node.kind() == Kind::Array {
        return Some(node);
    }
    let array = |view: View<'_>| view.kind() == Kind::Array;
    let direct = ["functionDeclarations", "function_declarations", "tools"].iter().find_map(|key| node.get(key));
    direct
        .filter(|view| array(*view))
        .or_else(|| node.get("result").and_then(|result| result.get("tools")).filter(|view| array(*view)))
        .or_else(|| node.get("toolConfig").and_then(|config| config.get("tools")).filter(|view| array(*view)))
}

/// Hosted tools have no name of their own: `{"type": "web_search"}`, Gemini's `{"googleSearch": {}}`.
fn is_hosted(node: View<'_>) -> bool {
    if node.get("name").is_some() {
        return false;
    }
    let kind = node.get("type").and_then(View::str);
    let mut members = node.children();
    let only = members.next().filter(|_| members.next().is_none());
    kind.is_some_and(|kind| kind != "function" && kind != "object") || only.is_some_and(|only| only.kind() == Kind::Object)
}

fn read_tool(node: View<'_>) -> Result<Found<'_>, &'static str> {
    if node.kind() != Kind::Object {
        return Err("expected an object with a tool's name and parameters");
    }
    if let Some(spec) = node.get("toolSpec").or_else(|| node.get("tool_spec")) {
        let schema = spec.get("inputSchema").or_else(|| spec.get("input_schema"));
        return parts(Shape::Bedrock, node, spec, schema.and_then(|s| s.get("json")));
    }
    if let Some(function) = node.get("function").filter(|f| f.kind() == Kind::Object) {
        return parts(Shape::OpenAi, node, function, function.get("parameters"));
    }
    if let Some(schema) = node.get("input_schema") {
        return parts(Shape::Anthropic, node, node, Some(schema));
    }
    if let Some(schema) = node.get("inputSchema") {
        return parts(Shape::Mcp, node, node, Some(schema));
    }
    if let Some(schema) = node.get("parametersJsonSchema").or_else(|| node.get("parameters_json_schema")) {
        return parts(Shape::Gemini, node, node, Some(schema));
    }
    let parameters = node.get("parameters");
    let shape = if node.get("type").is_some_and(|t| t.is("function")) {
        Shape::OpenAiResponses
    } else if parameters.and_then(|p| p.get("type")).and_then(View::str).is_some_and(|t| is_upper_case_type(&t)) {
        Shape::Gemini
    } else {
        Shape::Bare
    };
    parts(shape, node, node, parameters)
}

fn parts<'a>(shape: Shape, whole: View<'a>, inner: View<'a>, parameters: Option<View<'a>>) -> Result<Found<'a>, &'static str> {
    let name = inner.get("name").ok_or("no `name`: a tool definition needs one (a bare JSON Schema is not a definition)")?;
    if name.kind() != Kind::String {
        return Err("`name` must be a string");
    }
    let description = inner.get("description").filter(|d| d.kind() == Kind::String);
    Ok(Found { shape, whole, name, description, parameters })
}

impl Found<'_> {
    fn into_definition(self, document: &Arc<Document>, origin: Origin, server: Option<&str>) -> Definition {
        let name = self.name.str().unwrap_or_default().into_owned();
        let mut parameters = self.parameters.map(Value::from);
        if self.shape == Shape::Gemini
            && let Some(schema) = &mut parameters
        {
            lower_types(schema);
        }
        Definition {
            origin: if name.starts_with("mcp__") { Origin::Mcp } else { origin },
            description: self.description.and_then(View::str).map(std::borrow::Cow::into_owned),
            parameters,
            shape: self.shape,
            server: server.map(str::to_owned),
            document: Arc::clone(document),
            node: self.whole.index(),
            parameters_node: self.parameters.map(View::index),
            name,
        }
    }
}

/// Gemini's enumeration of types (`Type` of `Schema` in the Gemini API), as written there.
fn is_upper_case_type(name: &str) -> bool {
    matches!(name, "STRING" | "NUMBER" | "INTEGER" | "BOOLEAN" | "ARRAY" | "OBJECT" | "NULL")
}

/// Makes Gemini's upper-case type names lower-case, wherever a schema can stand. Data (`enum`, `default`, …) is left alone.
fn lower_types(schema: &mut Value) {
    let mut schemas = vec![schema];
    while let Some(schema) = schemas.pop() {
        let Value::Object(object) = schema else { continue };
        for (keyword, value) in object.entries_mut() {
            match keyword.as_bytes() {
                b"type" => lower_type(value),
                b"properties" | b"patternProperties" | b"$defs" | b"defs" | b"definitions" => {
                    if let Value::Object(properties) = value {
                        schemas.extend(properties.entries_mut().map(|(_, schema)| schema));
                    }
                }
                b"items" | b"additionalProperties" | b"additional_properties" | b"not" => schemas.push(value),
                b"anyOf" | b"any_of" | b"oneOf" | b"allOf" | b"prefixItems" => {
                    if let Value::Array(members) = value {
                        schemas.extend(members.iter_mut());
                    }
                }
                _ => {}
            }
        }
    }
}

fn lower_type(value: &mut Value) {
    let lower = |value: &mut Value| {
        let name = value.as_string().and_then(|t| t.as_str()).filter(|t| is_upper_case_type(t)).map(str::to_lowercase);
        if let Some(name) = name {
            *value = name.into();
        }
    };
    match value {
        Value::Array(names) => names.iter_mut().for_each(lower),
        single => lower(single),
    }
}
