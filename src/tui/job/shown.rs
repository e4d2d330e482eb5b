//! A call laid out to be looked at. Made by a worker, as a text may have many megabytes.

use super::schema;
use crate::capture::index::CallId;
use crate::capture::{Call, InputKind};
use crate::definition::Definition;
use crate::dialect;
use crate::gate::{Arguments, Issue, Verdict, VerdictKind};
use crate::json::{Outline, Position, SyntaxError, View, trim};
use crate::replay::Detail;
use std::sync::Arc;

/// A container with more values in it than this starts folded.
const FOLDED_FROM: u32 = 200;

/// A call with everything that the detail pane shows.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Which call.
    pub id: CallId,
    /// The call as it was captured.
    pub call: Call,
    /// What the gate says.
    pub verdict: Verdict,
    /// The definition that it is judged by.
    pub definition: Option<Arc<Definition>>,
    /// The arguments.
    pub arguments: ArgumentsView,
    /// The definition as it stands in its file.
    pub schema: Option<Outline>,
    /// For each issue, the node of that outline which it is about.
    pub schema_nodes: Vec<Option<u32>>,
    /// For each issue, the place of that node in the definition's file.
    pub schema_places: Vec<Option<Position>>,
    /// The nodes of that outline that the gate does not enforce.
    pub unenforced: Vec<u32>,
    /// The exact text that the model gets; none if the call goes on.
    pub model_text: Option<String>,
    /// The call's bytes in its file.
    pub raw: Vec<u8>,
}

/// How arguments can be shown.
#[derive(Clone, Debug)]
pub enum ArgumentsView {
    /// As a tree.
    Tree(Outline),
    /// As text that does not parse.
    Broken {
        /// The text as captured.
        text: Vec<u8>,
        /// Where and why.
        error: SyntaxError,
    },
    /// As text that is not meant to be JSON.
    FreeText(Vec<u8>),
}

impl Shown {
    /// Lays a call out. `raw` are its bytes in the file.
    #[must_use]
    pub fn new(id: CallId, detail: Detail, raw: Vec<u8>) -> Self {
        let Detail { call, verdict, definition, profile } = detail;
        let arguments = ArgumentsView::of(&call, &verdict);
        let schema = definition.as_ref().and_then(|definition| Outline::parse(definition.raw().to_vec(), u32::MAX).ok());
        let mut shown = Self {
            id,
            model_text: dialect::text(&verdict),
            call,
            verdict,
            definition: definition.clone(),
            arguments,
            schema,
            schema_nodes: Vec::new(),
            schema_places: Vec::new(),
            unenforced: Vec::new(),
            raw,
        };
        if let Some(definition) = &definition {
            // The outline is of the definition alone, whose nodes follow each other in its file.
            let first = definition.view().index();
            let about = |issue: &Issue| schema::part_about(definition, &issue.pointer);
            shown.schema_nodes = shown.issues().iter().map(|issue| about(issue).map(|view| view.index() - first)).collect();
            shown.schema_places = shown.issues().iter().map(|issue| about(issue).map(View::position)).collect();
            shown.unenforced = schema::unenforced(definition, profile).iter().map(|view| view.index() - first).collect();
        }
        shown
    }

    /// What is wrong; of a call that is passed through, what would be.
    #[must_use]
    pub fn issues(&self) -> &[Issue] {
        if self.is_advice() { &self.verdict.advice } else { &self.verdict.issues }
    }

    /// The issues are what validation would say: the call is not the gate's to judge.
    #[must_use]
    pub fn is_advice(&self) -> bool {
        self.verdict.kind == VerdictKind::PassedThrough
    }
}

impl ArgumentsView {
    /// The arguments of a call, as its verdict says they can be read.
    #[must_use]
    pub fn of(call: &Call, verdict: &Verdict) -> Self {
        let text = match &call.arguments {
            Arguments::Absent => b"{}".to_vec(),
            Arguments::Json(value) => value.to_json().into_bytes(),
            Arguments::Text(text) => text.as_bytes().to_vec(),
        };
        if call.input == InputKind::FreeText {
            return Self::FreeText(text);
        }
        let json = match (&verdict.recovery, trim(&text)) {
            (Some(recovery), _) => recovery.text.as_bytes(),
            (None, b"") => b"{}",
            (None, text) => text,
        };
        match Outline::parse(json.to_vec(), FOLDED_FROM) {
            Ok(outline) => Self::Tree(outline),
            Err(error) => Self::Broken { error: verdict.parse_error.clone().unwrap_or(error), text },
        }
    }
}
