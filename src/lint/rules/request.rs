//! What only shows over all tools of a request: their number, their names, what strict decoding may cost in sum.

use super::names::folded_twin;
use super::strict::{optional_parameters, unions};
use crate::definition::Definition;
use crate::json::Value;
use crate::lint::Severity;
use crate::lint::rule::{
    rules,
    sets::{ALL, ANTHROPIC_STRICT, OPENAI},
};
use crate::lint::sink::Sink;
use crate::lint::target::Target;
use crate::lint::tool::Tool;
use std::collections::HashMap;

rules! {
    TOOL_NAME_DUPLICATE = "tool-name-duplicate": "two tools with one name";
        [ALL => Error];
        "A provider refuses a request that has two tools of one name, and a client that merges several servers drops one of them. A warning where one file has two versions of a tool, which may be a collection and no request, and for names that differ only in upper and lower case, which providers tell apart and models do not.";
        "anthropics/claude-code#10687 (`tools: Tool names must be unique.`); MCP 2025-11-25, server/tools: names should be unique within a server";
    TOOL_COUNT = "tool-count": "more tools than a request may have";
        [OPENAI => Error];
        "OpenAI takes 128 tools in a request and refuses it with more. Offer fewer, or let the client search.";
        "zed-industries/zed#32946, hexstrike-ai#29";
    STRICT_OPTIONAL_COUNT = "strict-optional-count": "more optional parameters than strict decoding takes";
        [ANTHROPIC_STRICT => Error];
        "Anthropic takes 24 optional parameters in a request, summed over its strict tools. Require some, or switch strict off for the tools that matter less.";
        "texts of the provider's 400 answers, as quoted by third parties; alphaXiv/agents#49";
    STRICT_UNION_COUNT = "strict-union-count": "more parameters with several types than strict decoding takes";
        [ANTHROPIC_STRICT => Error];
        "Anthropic takes 16 parameters with a union (`anyOf`, or a list of types) in a request, summed over its strict tools; a parameter that may be null counts.";
        "texts of the provider's 400 answers, as quoted by third parties";
    STRICT_TOOL_COUNT = "strict-tool-count": "more strict tools than a request may have";
        [ANTHROPIC_STRICT => Error];
        "Anthropic takes 20 strict tools in a request.";
        "texts of the provider's 400 answers, as quoted by third parties";
}

/// How many tools OpenAI takes in one request.
const MAX_TOOLS: usize = 128;

/// Sums over the tools of a request, as they are seen one after the other.
#[derive(Default)]
pub(in crate::lint) struct Request {
    folded: HashMap<String, String>,
    tools: usize,
    strict: usize,
    optional: usize,
    unions: usize,
}

impl Request {
    /// Counts a tool in, and reports what it makes too much: at the tool that crosses the limit, once.
    pub fn add(&mut self, tool: &Tool<'_>, sink: &mut Sink<'_>) {
        let name = tool.definition.name();
        match self.folded.insert(name.to_lowercase(), name.to_owned()) {
            Some(twin) if twin != name => folded_twin(tool, &twin, sink),
            _ => {}
        }
        self.tools += 1;
        if self.tools == MAX_TOOLS + 1 {
            let message = format!("this is the tool past the {MAX_TOOLS} that one request may have");
            sink.report(&TOOL_COUNT, String::new(), None, message);
        }
        if !sink.wants(Target::AnthropicStrict) {
            return;
        }
        let mut sum = |rule, so_far: &mut usize, here: usize, limit: usize, what: &str| {
            let before = *so_far;
            *so_far += here;
            if before <= limit && *so_far > limit {
                let message = format!("with this tool the request has {so_far} {what}, more than {limit}");
                sink.report(rule, String::new(), None, message);
            }
        };
        sum(&STRICT_TOOL_COUNT, &mut self.strict, 1, 20, "strict tools");
        sum(&STRICT_OPTIONAL_COUNT, &mut self.optional, optional_parameters(tool), 24, "optional parameters in strict tools");
        sum(&STRICT_UNION_COUNT, &mut self.unions, unions(tool), 16, "parameters with several types in strict tools");
    }
}

/// Reports a definition whose names were all taken by another.
pub(in crate::lint) fn duplicate(tool: &Tool<'_>, first: &Definition, sink: &mut Sink<'_>) {
    let own = tool.definition;
    let place = format!("{}:{}", first.path().display(), first.position().line);
    let message = format!("the name `{}` is taken by the definition at {place}", own.name());
    let is_version = first.path() == own.path() && first.raw() != own.raw();
    let severity = if is_version { Severity::Warning } else { Severity::Error };
    let value = Value::from(own.name());
    sink.report_as(&TOOL_NAME_DUPLICATE, ALL, severity, String::new(), Some(&value), message);
}
