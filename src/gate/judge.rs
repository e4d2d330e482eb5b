//! The gate over a catalog: parse, route, validate, verdict.

use super::parse::{Arguments, Parsed, parse};
use super::plan::Plan;
use super::verdict::{Issue, Recovery, Verdict, VerdictKind};
use crate::definition::{Catalog, Definition, Origin};
use crate::json::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// Definitions compiled for judging calls. Made once for a catalog; cheap to ask from many threads.
#[derive(Debug, Default)]
pub struct Gate {
    tools: HashMap<String, Arc<Tool>>,
}

#[derive(Debug)]
struct Tool {
    definition: Arc<Definition>,
    plan: Plan,
}

impl Gate {
    /// Compiles every definition of a catalog, under every name that it goes by.
    #[must_use]
    pub fn new(catalog: &Catalog) -> Self {
        Self::default().renewed(catalog)
    }

    /// A gate for another catalog, which takes over the plans of definitions that are the same objects in both.
    #[must_use]
    pub fn renewed(&self, catalog: &Catalog) -> Self {
        let mut by_address: HashMap<*const Definition, Arc<Tool>> =
            self.tools.values().map(|tool| (Arc::as_ptr(&tool.definition), Arc::clone(tool))).collect();
        let mut tools = HashMap::new();
        for (name, definition) in catalog.names() {
            let tool = by_address.entry(Arc::as_ptr(definition)).or_insert_with(|| {
                Arc::new(Tool { definition: Arc::clone(definition), plan: Plan::compile(definition.parameters()) })
            });
            tools.insert(name.to_owned(), Arc::clone(tool));
        }
        Self { tools }
    }

    /// Judges one call: the tool's name and the arguments as the model gave them, and the finish reason that the provider
    /// reported, if it did.
    #[must_use]
    pub fn judge(&self, tool: &str, arguments: &Arguments, finish_reason: Option<&str>) -> Verdict {
        match arguments {
            Arguments::Absent => self.judge_value(tool, &Value::Object(crate::json::Object::default())),
            Arguments::Json(value) => self.judge_value(tool, value),
            Arguments::Text(text) => self.judge_text(tool, text.as_bytes(), finish_reason),
        }
    }

    /// Judges one call whose arguments are the model's raw text, in WTF-8.
    #[must_use]
    pub fn judge_text(&self, tool: &str, text: &[u8], finish_reason: Option<&str>) -> Verdict {
        match parse(text) {
            Parsed::Value(value) => self.judge_value(tool, &value),
            Parsed::Recovered { value, text, error } => {
                let mut verdict = self.judge_value(tool, &value);
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

    /// Judges one call whose arguments are already parsed.
    #[must_use]
    pub fn judge_value(&self, name: &str, arguments: &Value) -> Verdict {
        let tool = self.tools.get(name);
        match tool {
            _ if name.starts_with("mcp__") => self.pass_through(name, arguments),
            None => verdict(name, VerdictKind::UnknownTool, Vec::new()),
            Some(tool) if tool.definition.origin() != Origin::Builtin => self.pass_through(name, arguments),
            Some(tool) => match tool.plan.issues(arguments) {
                issues if issues.is_empty() => verdict(name, VerdictKind::Accepted, issues),
                issues => verdict(name, VerdictKind::Rejected, issues),
            },
        }
    }

    /// A call that is not the gate's to judge (rule G7): what validation would have said is kept as advice.
    fn pass_through(&self, name: &str, arguments: &Value) -> Verdict {
        let advice = self.tools.get(name).map(|tool| tool.plan.issues(arguments)).unwrap_or_default();
        Verdict { advice, ..verdict(name, VerdictKind::PassedThrough, Vec::new()) }
    }

    /// The verdict on a call that never carries JSON arguments: a free-text tool's input, or a tool that the provider runs.
    #[must_use]
    pub fn passed_through(tool: &str) -> Verdict {
        verdict(tool, VerdictKind::PassedThrough, Vec::new())
    }
}

fn verdict(tool: &str, kind: VerdictKind, issues: Vec<Issue>) -> Verdict {
    Verdict { tool: tool.to_owned(), kind, issues, recovery: None, parse_error: None, cut_by_length: false, advice: Vec::new() }
}
