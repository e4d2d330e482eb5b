//! The gate over a catalog: parse, route, validate, verdict.

use super::by_name::ByName;
use super::parse::{Arguments, Parsed, parse};
use super::plan::Plan;
#[cfg(feature = "jsonschema")]
use super::profile::{Judgement, SchemaValidator};
use super::verdict::{Issue, Recovery, Verdict, VerdictKind};
use crate::definition::{Catalog, Definition, Origin};
use crate::json::{Value, trim};
use std::collections::HashMap;
use std::sync::Arc;

/// Definitions compiled for judging calls. Made once for a catalog; cheap to ask from many threads.
#[derive(Debug, Default)]
pub struct Gate {
    profile: Profile,
    tools: ByName<Arc<Tool>>,
}

/// Which rules a call is judged by. How it is parsed and routed is the same under all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// The rules of wave-agent's gate (G9 to G18).
    #[default]
    Wave,
    /// The rules of a full JSON Schema validator; see [`profile`](super::profile).
    #[cfg(feature = "jsonschema")]
    JsonSchema {
        /// Whether `format` is asserted: in every draft or in none.
        formats: bool,
    },
}

impl Profile {
    /// The profile's name in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Wave => "wave",
            #[cfg(feature = "jsonschema")]
            Self::JsonSchema { .. } => "jsonschema",
        }
    }

    /// Whether it asserts formats.
    #[must_use]
    pub fn asserts_formats(self) -> bool {
        match self {
            Self::Wave => false,
            #[cfg(feature = "jsonschema")]
            Self::JsonSchema { formats } => formats,
        }
    }

    /// Whether what a schema says under a keyword is held against calls: `wave` interprets six keywords (rules G9 to G16), a
    /// full validator all but `format`, for which there is a switch.
    #[must_use]
    pub fn enforces(self, keyword: &str) -> bool {
        match self {
            Self::Wave => matches!(keyword, "type" | "required" | "enum" | "properties" | "additionalProperties" | "items"),
            #[cfg(feature = "jsonschema")]
            Self::JsonSchema { formats } => formats || keyword != "format",
        }
    }

    /// The profile after this one, for whoever goes through all of them: a full validator, the same with formats, `wave` again.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            #[cfg(feature = "jsonschema")]
            Self::Wave => Self::JsonSchema { formats: false },
            #[cfg(feature = "jsonschema")]
            Self::JsonSchema { formats: false } => Self::JsonSchema { formats: true },
            #[cfg(feature = "jsonschema")]
            Self::JsonSchema { formats: true } => Self::Wave,
            #[cfg(not(feature = "jsonschema"))]
            Self::Wave => Self::Wave,
        }
    }
}

#[derive(Debug)]
struct Tool {
    definition: Arc<Definition>,
    rules: Rules,
}

/// A definition compiled for a profile.
#[derive(Debug)]
enum Rules {
    Wave(Plan),
    #[cfg(feature = "jsonschema")]
    JsonSchema(Box<SchemaValidator>),
}

impl Rules {
    fn compile(profile: Profile, parameters: Option<&Value>) -> Self {
        match profile {
            Profile::Wave => Self::Wave(Plan::compile(parameters)),
            #[cfg(feature = "jsonschema")]
            Profile::JsonSchema { formats } => Self::JsonSchema(Box::new(SchemaValidator::compile(parameters, formats))),
        }
    }

    #[cfg_attr(not(feature = "jsonschema"), expect(clippy::unnecessary_wraps, reason = "other profiles have no plan"))]
    fn plan(&self) -> Option<&Plan> {
        match self {
            Self::Wave(plan) => Some(plan),
            #[cfg(feature = "jsonschema")]
            Self::JsonSchema(_) => None,
        }
    }

    fn judge(&self, name: &str, arguments: &Value) -> Verdict {
        match self {
            Self::Wave(plan) => match plan.issues(arguments) {
                issues if issues.is_empty() => verdict(name, VerdictKind::Accepted, issues),
                issues => verdict(name, VerdictKind::Rejected, issues),
            },
            #[cfg(feature = "jsonschema")]
            Self::JsonSchema(validator) => {
                let verdict = match validator.judge(arguments) {
                    Judgement::Accepted { ignored } => Verdict { ignored, ..verdict(name, VerdictKind::Accepted, Vec::new()) },
                    Judgement::Rejected(issues) => verdict(name, VerdictKind::Rejected, issues),
                    Judgement::Undecided(reason) => {
                        Verdict { undecided: Some(reason), ..verdict(name, VerdictKind::Undecided, Vec::new()) }
                    }
                };
                Verdict { draft: Some(validator.draft().name()), ..verdict }
            }
        }
    }
}

impl Gate {
    /// Compiles every definition of a catalog, under every name that it goes by, for the profile `wave`.
    #[must_use]
    pub fn new(catalog: &Catalog) -> Self {
        Self::default().renewed(catalog)
    }

    /// The same for any profile.
    #[must_use]
    pub fn with_profile(catalog: &Catalog, profile: Profile) -> Self {
        Self { profile, ..Self::default() }.renewed(catalog)
    }

    /// The profile by whose rules it judges.
    #[must_use]
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// A gate for another catalog, which takes over the plans of definitions that are the same objects in both.
    #[must_use]
    pub fn renewed(&self, catalog: &Catalog) -> Self {
        let mut by_address: HashMap<*const Definition, Arc<Tool>> =
            self.tools.values().map(|tool| (Arc::as_ptr(&tool.definition), Arc::clone(tool))).collect();
        let tools = catalog.names().map(|(name, definition)| {
            let tool = by_address.entry(Arc::as_ptr(definition)).or_insert_with(|| {
                let rules = Rules::compile(self.profile, definition.parameters());
                Arc::new(Tool { definition: Arc::clone(definition), rules })
            });
            (name.as_bytes(), Arc::clone(tool))
        });
        Self { profile: self.profile, tools: tools.collect() }
    }

    /// Judges one call: the tool's name and the arguments as the model gave them, and the finish reason that the provider
    /// reported, if it did.
    #[must_use]
    pub fn judge(&self, tool: &str, arguments: &Arguments, finish_reason: Option<&str>) -> Verdict {
        self.judge_as(tool, None, arguments, finish_reason)
    }

    /// Like [`Gate::judge`], for a call that was recorded with its tool's origin, which then stands in for the definition's.
    #[must_use]
    pub fn judge_as(&self, tool: &str, origin: Option<Origin>, arguments: &Arguments, finish_reason: Option<&str>) -> Verdict {
        match arguments {
            Arguments::Absent => self.route(tool, origin, &Value::Object(crate::json::Object::default())),
            Arguments::Json(value) => self.route(tool, origin, value),
            Arguments::Text(text) => self.text(tool, origin, text.as_bytes(), finish_reason),
        }
    }

    /// Judges one call whose arguments are the model's raw text, in WTF-8.
    #[must_use]
    pub fn judge_text(&self, tool: &str, text: &[u8], finish_reason: Option<&str>) -> Verdict {
        self.text(tool, None, text, finish_reason)
    }

    /// Judges one call whose arguments are already parsed.
    #[must_use]
    pub fn judge_value(&self, tool: &str, arguments: &Value) -> Verdict {
        self.route(tool, None, arguments)
    }

    fn text(&self, tool: &str, origin: Option<Origin>, text: &[u8], finish_reason: Option<&str>) -> Verdict {
        if self.accepts_text(tool, origin, trim(text)) {
            return verdict(tool, VerdictKind::Accepted, Vec::new());
        }
        match parse(text) {
            Parsed::Value(value) => self.route(tool, origin, &value),
            Parsed::Recovered { value, text, error } => {
                let mut verdict = self.route(tool, origin, &value);
                verdict.recovery = Some(Recovery { text, error });
                verdict
            }
            Parsed::Failed(error) => Verdict {
                parse_error: Some(error),
                cut_by_length: finish_reason == Some("length"),
                ..verdict(tool, VerdictKind::Unparsable, Vec::new())
            },
        }
    }

    /// Whether a call with these arguments, given as JSON text, is certainly accepted. Most are, and this costs a fraction of
    /// building the value; false says nothing.
    #[must_use]
    pub fn accepts_text(&self, tool: &str, origin: Option<Origin>, json: &[u8]) -> bool {
        let end = self.accepts_at(tool, origin, json, 0);
        end.is_some_and(|end| json[end..].iter().all(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n')))
    }

    /// Like [`Gate::accepts_text`], for arguments that start at an offset of a longer text: the offset after them.
    #[must_use]
    pub fn accepts_at(&self, tool: &str, origin: Option<Origin>, text: &[u8], at: usize) -> Option<usize> {
        let known = self.tools.get(tool.as_bytes())?;
        let origin = origin.unwrap_or(known.definition.origin());
        if origin != Origin::Builtin || tool.starts_with("mcp__") {
            return None;
        }
        known.rules.plan()?.accepts_raw(text, at)
    }

    /// Routes a call by its tool's origin (rules G7 and G8), and validates it where that is the gate's to do.
    fn route(&self, name: &str, origin: Option<Origin>, arguments: &Value) -> Verdict {
        let tool = self.tools.get(name.as_bytes());
        let origin = origin.or_else(|| tool.map(|tool| tool.definition.origin())).unwrap_or_default();
        match tool {
            _ if name.starts_with("mcp__") || origin != Origin::Builtin => self.pass_through(name, arguments),
            None => verdict(name, VerdictKind::UnknownTool, Vec::new()),
            Some(tool) => tool.rules.judge(name, arguments),
        }
    }

    /// A call that is not the gate's to judge (rule G7): what validation would have said is kept as advice.
    fn pass_through(&self, name: &str, arguments: &Value) -> Verdict {
        let advice = self.tools.get(name.as_bytes()).map(|tool| tool.rules.judge(name, arguments).issues).unwrap_or_default();
        Verdict { advice, ..verdict(name, VerdictKind::PassedThrough, Vec::new()) }
    }

    /// The verdict on a call that is accepted, for whoever knows that it is ([`Gate::accepts_at`]).
    #[must_use]
    pub fn accepted(tool: &str) -> Verdict {
        verdict(tool, VerdictKind::Accepted, Vec::new())
    }

    /// The verdict on a call that never carries JSON arguments: a free-text tool's input, or a tool that the provider runs.
    #[must_use]
    pub fn passed_through(tool: &str) -> Verdict {
        verdict(tool, VerdictKind::PassedThrough, Vec::new())
    }
}

fn verdict(tool: &str, kind: VerdictKind, issues: Vec<Issue>) -> Verdict {
    Verdict {
        tool: tool.to_owned(),
        kind,
        issues,
        recovery: None,
        parse_error: None,
        cut_by_length: false,
        advice: Vec::new(),
        ignored: Vec::new(),
        undecided: None,
        draft: None,
    }
}
