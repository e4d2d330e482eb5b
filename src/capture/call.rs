//! A call as it was captured.

use crate::definition::Origin;
use crate::gate::Arguments;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// What a model asked for, whole and as it was captured, with the answer that was recorded. It never changes: whoever edits
/// a call makes a new one whose [`parent`](Self::parent) names it.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The tool's name, as the model wrote it.
    pub tool: String,
    /// What the model passed; a text stays the text that was captured.
    pub arguments: Arguments,
    /// The call's id, unique in its session at best.
    pub id: Option<String>,
    /// When it was made, as captured: RFC 3339 as a rule, or what [`time::millis`](super::time::millis) reads.
    pub at: Option<String>,
    /// The session it belongs to; where there is none, the file stands for it.
    pub session: Option<String>,
    /// The model that made it.
    pub model: Option<String>,
    /// Why the model stopped (rule G6), in the provider's word.
    pub finish_reason: Option<String>,
    /// Who owned the tool when the call was recorded; takes the place of the definition's origin (rule G7).
    pub origin: Option<Origin>,
    /// Made inside a subagent.
    pub sidechain: bool,
    /// Still being streamed when it was captured: judged as it stands, not counted as a failure.
    pub pending: bool,
    /// Whether the arguments are JSON at all.
    pub input: InputKind,
    /// The recorded answer.
    pub result: Option<Outcome>,
    /// The id of the call that this one is an attempt at.
    pub parent: Option<String>,
    /// A remark for people.
    pub note: Option<String>,
    /// Where it stands.
    pub place: Place,
}

impl Call {
    /// A call of a tool with these arguments, and nothing else known about it.
    #[must_use]
    pub fn new(tool: impl Into<String>, arguments: Arguments) -> Self {
        Self {
            tool: tool.into(),
            arguments,
            id: None,
            at: None,
            session: None,
            model: None,
            finish_reason: None,
            origin: None,
            sidechain: false,
            pending: false,
            input: InputKind::Json,
            result: None,
            parent: None,
            note: None,
            place: Place::default(),
        }
    }
}

/// What a call's input is. Only JSON is judged; the others are passed through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum InputKind {
    /// JSON arguments, as a value or as text.
    #[default]
    Json,
    /// Free text by design (an OpenAI custom tool), never parsed.
    FreeText,
    /// The provider runs the tool itself (a server tool): nothing here stands between the model and it.
    ProviderRun,
}

impl InputKind {
    /// The kind's name in our own format; `None` for the usual one, which is not written.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Json => None,
            Self::FreeText => Some("free_text"),
            Self::ProviderRun => Some("provider_run"),
        }
    }

    /// The kind of that name; JSON for any other.
    #[must_use]
    pub fn from_name(name: &str) -> Self {
        [Self::FreeText, Self::ProviderRun].into_iter().find(|kind| kind.name() == Some(name)).unwrap_or_default()
    }
}

/// The answer that was recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The recorded flag, never guessed from the text; `None` where the format has none.
    pub is_error: Option<bool>,
    /// The recorded text.
    pub text: String,
}

/// Where a call stands: the place at which its object starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file as it was given or found; `-` is standard input.
    pub file: Arc<Path>,
    /// The line, from 1; 0 for a call that stands nowhere.
    pub line: u32,
    /// The byte offset in the file; in a line whose bytes were not valid UTF-8, and in YAML, that of the line or scalar.
    pub offset: u64,
}

impl Default for Place {
    fn default() -> Self {
        Self { file: Arc::from(Path::new("")), line: 0, offset: 0 }
    }
}

/// `PATH:LINE`
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.line)
    }
}

/// Tool definitions that a capture carries: what an API request sent along, or an MCP server listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapturedTools {
    /// Where they stand.
    pub place: Place,
    /// A list of definitions as JSON, in whatever shape the provider wants; [`Definition::parse`] reads it.
    ///
    /// [`Definition::parse`]: crate::definition::Definition::parse
    pub json: String,
}
