//! What is taken down of a call when it is judged.

use super::usage::Usages;
use crate::capture::{Call, InputKind};
use crate::definition::Catalog;
use crate::gate::{Arguments, Parsed, Verdict, VerdictKind, parse};
use crate::json::Value;
use crate::replay::Outcome;
use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The most places of issues that are taken down of a call, which may have as many as its arguments have values.
const PLACES: usize = 64;

/// What is counted of a call besides its verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Facts {
    /// The parameters that have a value, by their rows, in order.
    pub(super) used: Box<[u16]>,
    /// The issues, by place and then kind, each once.
    pub(super) failing: Box<[Failure]>,
    /// What the arguments of a failing call are, as far as equality goes.
    arguments: u64,
}

/// An issue, as far as it is counted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Failure {
    pub spot: Spot,
    /// The kind; of a constraint the keyword.
    pub kind: &'static str,
}

/// What an issue is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Spot {
    /// The arguments as a whole.
    Whole,
    /// A parameter.
    Row(u16),
    /// Something that nothing declares, by a JSON Pointer with `*` for elements.
    Undeclared(Arc<str>),
}

/// A call as it is added up.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The tool, by the name that the call uses.
    pub tool: &'a str,
    /// The model, where one is recorded.
    pub model: Option<&'a str>,
    /// The session, where one is recorded.
    pub session: Option<&'a str>,
    /// When it was made, in milliseconds since 1970.
    pub at: Option<i64>,
    /// What the gate says.
    pub outcome: Outcome,
    /// Still being streamed.
    pub pending: bool,
    /// A person's attempt at another call: no model tried again.
    pub attempt: bool,
    /// The file.
    pub file: &'a Path,
    /// The line there.
    pub line: u32,
    /// What was taken down.
    pub facts: &'a Facts,
    /// The arguments of a failing call ([`Facts::arguments`]).
    pub arguments: u64,
}

/// The parameters of the definitions of a catalog, laid out for counting; each definition's when its first call comes.
#[derive(Debug, Default)]
pub struct Maps {
    catalog: Arc<Catalog>,
    /// The definitions that counts are shown by.
    shown: Arc<Catalog>,
    /// By the addresses of the definition and of the one that is shown, which the catalogs keep where they are.
    laid_out: Mutex<HashMap<[usize; 2], Arc<Usages>>>,
}

impl Maps {
    /// For calls that these definitions judge. Counts are shown by the second ones: where a capture has others of its own, its
    /// calls are counted by the places in the arguments that both have.
    #[must_use]
    pub fn new(catalog: Arc<Catalog>, shown: Arc<Catalog>) -> Self {
        Self { catalog, shown, laid_out: Mutex::default() }
    }

    fn of(&self, tool: &str) -> Option<Arc<Usages>> {
        let definition = self.catalog.get(tool)?;
        let mut laid_out = self.laid_out.lock().unwrap_or_else(PoisonError::into_inner);
        let shown = self.shown.get(tool);
        let key = [Arc::as_ptr(definition).addr(), shown.map_or(0, |shown| Arc::as_ptr(shown).addr())];
        let usages = laid_out.entry(key).or_insert_with(|| Arc::new(Usages::new(definition, shown.map(Arc::as_ref))));
        Some(Arc::clone(usages))
    }
}

impl Facts {
    /// Takes down what is counted of a judged call. Two calls of failing verdicts have equal arguments where the hasher is the same.
    #[must_use]
    pub fn of(call: &Call, verdict: &Verdict, maps: &Maps, hasher: &RandomState) -> Self {
        if call.input != InputKind::Json {
            return Self::default();
        }
        let value = value(call, verdict);
        let usages = maps.of(&call.tool);
        let used = value.as_deref().zip(usages.as_deref()).map(|(value, usages)| usages.used(value)).unwrap_or_default();
        let mut failing = Vec::new();
        for issue in &verdict.issues {
            let spot = usages.as_deref().map_or(Spot::Whole, |usages| usages.spot(&issue.pointer));
            failing.push(Failure { spot, kind: issue.kind.keyword().unwrap_or(issue.kind.name()) });
            if failing.len() == 4 * PLACES {
                break;
            }
        }
        failing.sort_unstable();
        failing.dedup();
        failing.truncate(PLACES);
        let arguments = match (&call.arguments, value) {
            _ if !verdict.is_error() => 0,
            (_, Some(value)) => hasher.hash_one(value.to_json()),
            (Arguments::Text(text), None) => hasher.hash_one(text),
            (_, None) => 0,
        };
        Self { used, failing: failing.into(), arguments }
    }

    /// What is the same for many calls, and what the arguments of a failing call are, as far as equality goes; 0 for others.
    #[must_use]
    pub fn apart(self) -> (Self, u64) {
        (Self { arguments: 0, ..self }, self.arguments)
    }

    /// What the arguments of a failing call are, as far as equality goes; 0 for others.
    #[must_use]
    pub fn arguments(&self) -> u64 {
        self.arguments
    }

    /// The kinds under which a failing call counts, each once.
    pub(super) fn kinds(&self, verdict: VerdictKind) -> Vec<&'static str> {
        let mut kinds: Vec<&str> = self.failing.iter().map(|failure| failure.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        if kinds.is_empty() { vec![verdict.name()] } else { kinds }
    }
}

/// The arguments as they were judged, where they can be read.
fn value<'a>(call: &'a Call, verdict: &Verdict) -> Option<Cow<'a, Value>> {
    match &call.arguments {
        Arguments::Absent => Some(Cow::Owned(Value::Object(crate::json::Object::default()))),
        Arguments::Json(value) => Some(Cow::Borrowed(value)),
        Arguments::Text(_) if verdict.parse_error.is_some() => None,
        Arguments::Text(text) => match parse(text.as_bytes()) {
            Parsed::Value(value) | Parsed::Recovered { value, .. } => Some(Cow::Owned(value)),
            Parsed::Failed(_) => None,
        },
    }
}
