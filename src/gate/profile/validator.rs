//! A definition's parameters compiled for a full validator, and calls judged by it.

use super::graph::{Graph, Trouble};
use super::ignored::ignored;
use super::issues::issues;
use super::node::{Budget, Ours, Probe, converted};
use crate::gate::Issue;
use crate::json::{JsString, Value};
use jsonschema::PatternOptions;
use jsonschema::error::ValidationErrorKind;

/// The deepest nesting of a definition that is compiled. The crate recurses on it: at 5,000 levels it runs out of stack.
const MAX_SCHEMA_DEPTH: u32 = 128;
/// The most patterns that are compiled: each may take milliseconds and a megabyte.
const MAX_PATTERNS: usize = 256;
/// Steps after which a match is given up, and the size of a compiled pattern.
const BACKTRACK_LIMIT: usize = 100_000;
pub(super) const PATTERN_SIZE: usize = 1 << 20;
/// Looks at values that one judgement may take: this many, or so many for each value in the arguments, if that is more. A
/// call of ordinary size takes under a hundred.
const MAX_LOOKS: u64 = 1_000_000;
const LOOKS_PER_VALUE: u64 = 50;

/// A draft of JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Draft {
    /// Draft 4, of 2013.
    Draft4,
    /// Draft 6, of 2017.
    Draft6,
    /// Draft 7, of 2018.
    Draft7,
    /// 2019-09.
    Draft201909,
    /// 2020-12, the newest, and what holds where a schema does not say (as in MCP since its revision 2025-11-25).
    Draft202012,
}

impl Draft {
    /// The draft's name in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Draft4 => "draft-04",
            Self::Draft6 => "draft-06",
            Self::Draft7 => "draft-07",
            Self::Draft201909 => "2019-09",
            Self::Draft202012 => "2020-12",
        }
    }

    /// The draft that a `$schema` names; `http` or `https` and an empty fragment make no difference.
    #[must_use]
    pub fn from_uri(uri: &str) -> Option<Self> {
        let rest = uri.strip_prefix("http://").or_else(|| uri.strip_prefix("https://"))?.strip_prefix("json-schema.org/")?;
        match rest.trim_end_matches('#') {
            "draft-04/schema" => Some(Self::Draft4),
            "draft-06/schema" => Some(Self::Draft6),
            "draft-07/schema" => Some(Self::Draft7),
            "draft/2019-09/schema" => Some(Self::Draft201909),
            "draft/2020-12/schema" => Some(Self::Draft202012),
            _ => None,
        }
    }

    /// The draft that a schema is read as: the one it names, else 2020-12.
    #[must_use]
    pub fn of(schema: &Value) -> Self {
        let named = schema.get("$schema").and_then(Value::as_string).and_then(JsString::as_str).and_then(Self::from_uri);
        named.unwrap_or(Self::Draft202012)
    }

    pub(super) fn of_crate(self) -> jsonschema::Draft {
        match self {
            Self::Draft4 => jsonschema::Draft::Draft4,
            Self::Draft6 => jsonschema::Draft::Draft6,
            Self::Draft7 => jsonschema::Draft::Draft7,
            Self::Draft201909 => jsonschema::Draft::Draft201909,
            Self::Draft202012 => jsonschema::Draft::Draft202012,
        }
    }
}

/// Why a definition cannot be judged by.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the definition cannot be judged by: {reason}")]
pub struct Refusal {
    /// Where in the parameters, as a JSON Pointer.
    pub pointer: String,
    /// What is wrong there.
    pub reason: String,
}

/// What a full validator says of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It is valid; these keys were accepted although nothing declares them.
    Accepted {
        /// Their paths as people write them (rule G19).
        ignored: Vec<String>,
    },
    /// It is not, for these reasons.
    Rejected(Vec<Issue>),
    /// That could not be found out.
    Undecided(String),
}

/// A schema compiled for a full validator.
///
/// Compiling never fails as such: what cannot be compiled makes every judgement undecided, see
/// [`SchemaValidator::refusal`].
#[derive(Debug)]
pub struct SchemaValidator {
    draft: Draft,
    compiled: Result<Compiled, Refusal>,
}

struct Compiled {
    validator: jsonschema::Validator<Ours>,
    graph: Graph,
    /// The schema, for what errors do not carry (the order of `type`).
    schema: Value,
    patterns: bool,
    /// The text of strings matters in a way that makes half a surrogate pair differ from its replacement.
    reads_text: bool,
    /// An infinity has no remainder.
    divides: bool,
}

impl std::fmt::Debug for Compiled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Compiled").field("graph", &self.graph).finish_non_exhaustive()
    }
}

impl SchemaValidator {
    /// Compiles a schema; `None` accepts anything. `formats`: whether `format` is asserted, in every draft or in none.
    #[must_use]
    pub fn compile(schema: Option<&Value>, formats: bool) -> Self {
        let anything = Value::Bool(true);
        let schema = schema.unwrap_or(&anything);
        let draft = Draft::of(schema);
        Self { draft, compiled: compile(schema, draft, formats) }
    }

    /// The draft by whose rules it judges.
    #[must_use]
    pub fn draft(&self) -> Draft {
        self.draft
    }

    /// Why everything is undecided, if it is.
    #[must_use]
    pub fn refusal(&self) -> Option<&Refusal> {
        self.compiled.as_ref().err()
    }

    /// Judges a value.
    #[must_use]
    pub fn judge(&self, value: &Value) -> Judgement {
        match &self.compiled {
            Ok(compiled) => compiled.judge(value),
            Err(refusal) => Judgement::Undecided(refusal.to_string()),
        }
    }
}

impl Compiled {
    fn judge(&self, value: &Value) -> Judgement {
        if let Some(reason) = self.unreadable(value) {
            return Judgement::Undecided(reason.to_owned());
        }
        self.within(value, MAX_LOOKS).unwrap_or_else(|spent| {
            // Rare: only now is it worth counting what there is to look at.
            let looks = count(value).saturating_mul(LOOKS_PER_VALUE);
            let again = (looks > MAX_LOOKS && !spent.was_too_deep()).then(|| self.within(value, looks));
            again.unwrap_or(Err(spent)).unwrap_or_else(|spent| Judgement::Undecided(exhausted(&spent)))
        })
    }

    /// Judges with so many looks at values; an error if they were not enough.
    fn within(&self, value: &Value, looks: u64) -> Result<Judgement, Budget> {
        let budget = Budget::new(looks, self.graph.max_depth, self.patterns);
        let probe = Probe::new(value, &budget);
        let valid = self.validator.is_valid(probe);
        if valid && !budget.is_spent() {
            return Ok(Judgement::Accepted { ignored: ignored(&self.graph, value) });
        }
        let errors: Vec<_> = if budget.is_spent() { Vec::new() } else { self.validator.iter_errors(probe).collect() };
        if budget.is_spent() {
            drop(errors);
            return Err(budget);
        }
        if errors.iter().any(|error| is_unfinished(error.kind())) {
            let reason = format!("a pattern took more than {BACKTRACK_LIMIT} steps to match");
            return Ok(Judgement::Undecided(reason));
        }
        Ok(Judgement::Rejected(issues(&self.schema, value, &errors)))
    }

    /// Why a value cannot be judged by this schema; see the fields.
    fn unreadable(&self, value: &Value) -> Option<&'static str> {
        if !self.reads_text && !self.divides {
            return None;
        }
        let mut work = vec![value];
        while let Some(value) = work.pop() {
            match value {
                Value::String(text) if self.reads_text && text.has_lone_surrogate() => {
                    return Some("half a surrogate pair, which the validator's patterns cannot see, is in a string");
                }
                Value::Number(n) if self.divides && n.is_infinite() => {
                    return Some("a number too large for a double cannot be checked against `multipleOf`");
                }
                Value::Array(items) => work.extend(items),
                Value::Object(object) => {
                    if self.reads_text && object.entries().iter().any(|(key, _)| key.has_lone_surrogate()) {
                        return Some("half a surrogate pair, which the validator's patterns cannot see, is in a key");
                    }
                    work.extend(object.entries().iter().map(|(_, value)| value));
                }
                _ => {}
            }
        }
        None
    }
}

fn exhausted(budget: &Budget) -> String {
    if budget.was_too_deep() {
        "the arguments nest deeper than a definition that refers to itself can be followed".to_owned()
    } else {
        "the definition makes judging these arguments take too long".to_owned()
    }
}

/// How many values there are in a value.
fn count(value: &Value) -> u64 {
    let (mut work, mut count) = (vec![value], 0);
    while let Some(value) = work.pop() {
        count += 1;
        match value {
            Value::Array(items) => work.extend(items),
            Value::Object(object) => work.extend(object.entries().iter().map(|(_, value)| value)),
            _ => {}
        }
    }
    count
}

/// Whether the engine gave up, so that the truth is unknown.
fn is_unfinished(kind: &ValidationErrorKind) -> bool {
    matches!(
        kind,
        ValidationErrorKind::BacktrackLimitExceeded { .. }
            | ValidationErrorKind::RegexEngineFailure { .. }
            | ValidationErrorKind::Referencing(_)
    )
}

fn compile(schema: &Value, draft: Draft, formats: bool) -> Result<Compiled, Refusal> {
    let traits = survey(schema)?;
    let graph =
        Graph::build(schema, draft == Draft::Draft4).map_err(|Trouble { pointer, reason }| Refusal { pointer, reason })?;
    let validator = jsonschema::options_for::<Ours>()
        .with_draft(draft.of_crate())
        .offline()
        .should_validate_formats(formats)
        .should_ignore_unknown_formats(true)
        // Draft 6 and 7 let a validator assert these; no other one does, and nobody expects it.
        .without_content_media_type_support("application/json")
        .without_content_encoding_support("base64")
        .with_pattern_options(
            PatternOptions::fancy_regex().backtrack_limit(BACKTRACK_LIMIT).size_limit(PATTERN_SIZE).dfa_size_limit(PATTERN_SIZE),
        )
        // It has been surveyed: nothing in it is too deep or cannot be said.
        .build(&converted(schema, MAX_SCHEMA_DEPTH + 1))
        .map_err(|error| Refusal { pointer: error.instance_path().as_str().to_owned(), reason: error.masked().to_string() })?;
    let reads_text = traits.patterns > 0 || traits.has_replacement || (formats && traits.has_format);
    Ok(Compiled { validator, graph, schema: schema.clone(), patterns: traits.patterns > 0, reads_text, divides: traits.divides })
}

/// What has to be known of a schema before the crate sees it.
#[derive(Default)]
pub(super) struct Traits {
    pub patterns: usize,
    has_format: bool,
    divides: bool,
    /// U+FFFD, which a lone surrogate in a value would be taken for.
    has_replacement: bool,
}

/// Looks at everything in a schema; an error where the crate could not take it.
pub(super) fn survey(schema: &Value) -> Result<Traits, Refusal> {
    let refuse = |reason: String| Refusal { pointer: String::new(), reason };
    let mut traits = Traits::default();
    let mut work = vec![(schema, 1)];
    while let Some((value, depth)) = work.pop() {
        if depth > MAX_SCHEMA_DEPTH {
            return Err(refuse(format!("it nests more than {MAX_SCHEMA_DEPTH} levels deep")));
        }
        match value {
            Value::Object(object) => {
                for (key, value) in object.entries() {
                    match key.as_bytes() {
                        b"pattern" => traits.patterns += 1,
                        b"patternProperties" => traits.patterns += value.as_object().map_or(0, crate::json::Object::len),
                        b"format" => traits.has_format = true,
                        b"multipleOf" => traits.divides = true,
                        _ => {}
                    }
                    traits.has_replacement |= check_text(key).map_err(refuse)?;
                    work.push((value, depth + 1));
                }
            }
            Value::Array(items) => work.extend(items.iter().map(|item| (item, depth + 1))),
            Value::String(text) => traits.has_replacement |= check_text(text).map_err(refuse)?,
            Value::Number(n) if n.is_infinite() => return Err(refuse("a number in it is too large for a double".to_owned())),
            _ => {}
        }
    }
    if traits.patterns > MAX_PATTERNS {
        return Err(refuse(format!("it has more than {MAX_PATTERNS} patterns")));
    }
    Ok(traits)
}

/// Whether a text of the schema holds U+FFFD.
fn check_text(text: &JsString) -> Result<bool, String> {
    match text.as_str() {
        Some(text) => Ok(!text.is_ascii() && text.contains(char::REPLACEMENT_CHARACTER)),
        None => Err("a string in it has half a surrogate pair".to_owned()),
    }
}
