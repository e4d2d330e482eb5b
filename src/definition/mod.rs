//! Tool definitions: what a model is told about a tool, in any of the shapes that providers use, and catalogs of them.

mod catalog;
pub mod git;
mod infer;
mod parameters;
mod read;
mod schema;
mod sets;

pub use catalog::{Catalog, Finding, FindingKind};
pub use infer::Inference;
pub use parameters::{Constraint, Parameter, Part, parameter_path, parameter_pattern};
pub use read::{ReadError, Shape};
pub use schema::{Child, Place, subschemas};
pub use sets::NamedSet;

use crate::json::{Position, Tree, Value, View};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where a tool comes from; decides whether the gate judges its calls (rule G7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// Part of the agent: judged.
    #[default]
    Builtin,
    /// Served by an MCP server, which owns the contract: passed through.
    Mcp,
    /// Registered by a user of the agent's SDK: passed through.
    Custom,
}

impl Origin {
    /// The origin's name in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
            Self::Mcp => "mcp",
            Self::Custom => "custom",
        }
    }
}

/// A file of definitions as it was read: its text and the places of everything in it.
#[derive(Debug, Default)]
pub struct Document {
    /// The path as it was given or found; empty for text that came from nowhere.
    pub path: PathBuf,
    text: Vec<u8>,
    tree: Tree,
}

impl Document {
    /// The text as read, without a byte order mark.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    fn view(&self, node: u32) -> View<'_> {
        self.tree.view(&self.text, node)
    }
}

/// One tool definition. It never changes; a file that is read again gives new ones.
#[derive(Debug)]
pub struct Definition {
    name: String,
    description: Option<String>,
    parameters: Option<Value>,
    origin: Origin,
    shape: Shape,
    server: Option<String>,
    document: Arc<Document>,
    node: u32,
    parameters_node: Option<u32>,
}

impl Definition {
    /// Reads every definition in a text: one, an array, `{"tools": […]}` or a JSON-RPC response. All are built-in tools
    /// unless their names begin `mcp__`; see [`Catalog::load`] for files and folders.
    ///
    /// # Errors
    /// If the text is not JSON, or a definition in it cannot be read.
    pub fn parse(text: &[u8]) -> Result<Vec<Self>, ReadError> {
        read::read_all(Path::new(""), text.to_vec(), Origin::Builtin, None).and_then(|(definitions, errors)| {
            match errors.into_iter().next() {
                Some(error) => Err(error),
                None => Ok(definitions),
            }
        })
    }

    /// Reads the definitions that a capture carries: those that can be read, and what is wrong with the others.
    ///
    /// # Errors
    /// What is wrong, where none can be read.
    pub(crate) fn read_carried(capture: &Path, text: &[u8]) -> Result<(Vec<Self>, Vec<String>), String> {
        let (definitions, errors) =
            read::read_all(capture, text.to_vec(), Origin::Builtin, None).map_err(|error| error.to_string())?;
        Ok((definitions, errors.iter().map(ToString::to_string).collect()))
    }

    /// The tool's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the model is told about the tool.
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// The schema of its parameters, for judging: Gemini's upper-case type names are lower-case here.
    #[must_use]
    pub fn parameters(&self) -> Option<&Value> {
        self.parameters.as_ref()
    }

    /// Where the tool comes from.
    #[must_use]
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// The same definition with another origin: for tools that a runtime knows to be MCP or custom.
    #[must_use]
    pub fn with_origin(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }

    /// The provider's shape in which it was written.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The MCP server, where the file's place names one.
    #[must_use]
    pub fn server(&self) -> Option<&str> {
        self.server.as_deref()
    }

    /// The other name that a tool of an MCP server goes by: `mcp__SERVER__NAME`.
    #[must_use]
    pub fn qualified_name(&self) -> Option<String> {
        let server = self.server.as_deref()?;
        (!self.name.starts_with("mcp__")).then(|| format!("mcp__{server}__{}", self.name))
    }

    /// The file it was read from; empty for text that came from nowhere.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.document.path
    }

    /// Line and column at which the definition starts in its file.
    #[must_use]
    pub fn position(&self) -> Position {
        self.document.view(self.node).position()
    }

    /// Where a place in the parameters stands in the file, by JSON Pointer; the definition itself for one that is not there.
    #[must_use]
    pub fn position_of(&self, pointer: &str) -> Position {
        let place = self.parameters_view().and_then(|view| view.at_pointer(pointer));
        place.map_or_else(|| self.position(), View::position)
    }

    /// The whole definition as it stands in its file: what is sent to the model.
    #[must_use]
    pub fn raw(&self) -> &[u8] {
        self.document.view(self.node).raw()
    }

    /// The parameters as they stand in the file.
    #[must_use]
    pub fn parameters_view(&self) -> Option<View<'_>> {
        self.parameters_node.map(|node| self.document.view(node))
    }

    /// The definition as it stands in the file.
    #[must_use]
    pub fn view(&self) -> View<'_> {
        self.document.view(self.node)
    }

    /// The file it was read from, whole.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The number of declared parameters at the top.
    #[must_use]
    pub fn parameter_count(&self) -> usize {
        let properties = self.parameters().and_then(|p| p.get("properties")).and_then(Value::as_object);
        properties.map_or(0, crate::json::Object::len)
    }

    /// Whether calls are judged as by the other: same name, origin and schema, wherever and however they are written.
    #[must_use]
    pub fn judges_like(&self, other: &Self) -> bool {
        self.name == other.name && self.origin == other.origin && self.parameters == other.parameters
    }
}
