//! Names: of tools and of parameters.

use crate::json::{Object, Value};
use crate::lint::Severity;
use crate::lint::rule::{
    rules,
    sets::{ALL, ANTHROPIC, BEDROCK, CLIENTS, GEMINI, MCP, OPENAI},
};
use crate::lint::sink::Sink;
use crate::lint::target::Targets;
use crate::lint::tool::{Node, Role, Tool, escape};

rules! {
    TOOL_NAME_PATTERN = "tool-name-pattern": "a tool name with characters that the target does not take";
        [OPENAI.or(ANTHROPIC).or(GEMINI).or(BEDROCK) => Error, MCP => Warning];
        "OpenAI, Anthropic and Bedrock take letters, digits, `_` and `-`; Gemini also `.` and `:` but a letter or `_` first; MCP recommends letters, digits, `_`, `-` and `.`. A name outside that makes the provider refuse the whole list of tools. Rename the tool, and keep the old name as an alias while old sessions still call it.";
        "evoila/meho#2745, home-assistant/core#147760, modelcontextprotocol#1345, cyanheads/atlas-mcp-server#14; Bedrock API reference, ToolSpecification";
    TOOL_NAME_LENGTH = "tool-name-length": "a tool name that is too long for the target, with the prefix that clients put before it";
        [OPENAI.or(ANTHROPIC).or(GEMINI).or(BEDROCK) => Error, MCP.or(CLIENTS) => Warning];
        "OpenAI and Bedrock take 64 characters, Anthropic, Gemini and MCP 128. Clients put the server's name in front (`mcp__server__`), and some cut at 64: check with `--name-prefix`.";
        "mastra-ai/mastra#6302, mims-harvard/ToolUniverse#3; Bedrock API reference, ToolSpecification";
    PROPERTY_KEY_PATTERN = "property-key-pattern": "a parameter name with characters that the target does not take";
        [ANTHROPIC.or(BEDROCK) => Error];
        "Parameters at the top must match `^[a-zA-Z0-9_.-]{1,64}$`; deeper ones are free. One name outside that makes the provider refuse the whole list of tools.";
        "firefly-iii-mcp#6, composio#3500, twilio-labs/mcp#58; top level only: aws IDP#709, decocms/studio#6874";
    PROPERTY_NAMED_LIKE_KEYWORD = "property-named-like-keyword": "a parameter that is called like a keyword of JSON Schema";
        [BEDROCK.or(CLIENTS) => Warning];
        "Code that walks a schema without telling names from keywords takes a parameter called `properties`, `required`, `items`, `type` or `$ref` for the keyword, and refuses or mangles the definition. Rename it if you can.";
        "hypothesi/mcp-server-tauri#31";
    PROPERTY_NAME_NONSTANDARD = "property-name-nonstandard": "a parameter name that is no plain identifier";
        [GEMINI => Warning];
        "Gemini documents parameter names as `[A-Za-z_][A-Za-z0-9_]*` of at most 64 characters; others may work, and models write them less surely.";
        "google.genai.types.FunctionDeclaration";
    MCP_HEADER_INVALID = "mcp-header-invalid": "an `x-mcp-header` that clients must drop the tool for";
        [MCP => Error];
        "`x-mcp-header` names the HTTP header that carries a parameter. It must be a token, be used once in a tool (whatever the case), and stand on a string, integer or boolean parameter that is always at the same place: not on a `number`, an object or an array, and not inside `items` or a union.";
        "MCP 2026-07-28, server/tools, x-mcp-header";
}

pub(super) fn check(tool: &Tool<'_>, sink: &mut Sink<'_>) {
    tool_name(tool, sink);
    parameter_names(tool, sink);
    headers(tool, sink);
}

fn tool_name(tool: &Tool<'_>, sink: &mut Sink<'_>) {
    let name = format!("{}{}", sink.name_prefix(), tool.definition.name());
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let mut wrong = Targets::NONE;
    if name.is_empty() || !name.chars().all(plain) {
        wrong = wrong.or(OPENAI).or(ANTHROPIC).or(BEDROCK);
    }
    if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') || !name.chars().all(|c| plain(c) || c == '.' || c == ':')
    {
        wrong = wrong.or(GEMINI);
    }
    if name.is_empty() || !name.chars().all(|c| plain(c) || c == '.') {
        wrong = wrong.or(MCP);
    }
    let value = Value::from(name.as_str());
    let message = format!("the tool name `{name}` has characters that are not taken");
    sink.report_for(&TOOL_NAME_PATTERN, wrong, String::new(), Some(&value), message);
    let length = name.chars().count();
    let mut wrong = Targets::NONE;
    if length > 64 {
        wrong = wrong.or(OPENAI).or(BEDROCK).or(CLIENTS);
    }
    if length > 128 {
        wrong = wrong.or(ANTHROPIC).or(GEMINI).or(MCP);
    }
    let limit = if length > 128 { 128 } else { 64 };
    let message = format!("the tool name `{name}` has {length} characters, more than {limit}");
    sink.report_for(&TOOL_NAME_LENGTH, wrong, String::new(), Some(&value), message);
}

fn parameter_names(tool: &Tool<'_>, sink: &mut Sink<'_>) {
    let properties = tool.root().and_then(super::super::tool::Node::properties);
    for (name, _) in properties.map(Object::entries).unwrap_or_default() {
        let text = name.to_well_formed();
        let fits = (1..=64).contains(&text.chars().count())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'));
        if !fits {
            let message = format!("the parameter name `{text}` does not match ^[a-zA-Z0-9_.-]{{1,64}}$");
            let value = Value::String(name.clone());
            sink.report(&PROPERTY_KEY_PATTERN, format!("/properties/{}", escape(&text)), Some(&value), message);
        }
    }
    for (node, name, _) in tool.parameters() {
        let text = name.to_well_formed();
        let value = Value::String(name.clone());
        if matches!(&*text, "properties" | "required" | "items" | "type" | "$ref") {
            let message = format!("the parameter `{text}` is called like a keyword of JSON Schema");
            sink.report(&PROPERTY_NAMED_LIKE_KEYWORD, node.pointer.clone(), Some(&value), message);
        }
        let identifier = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && text.len() <= 64;
        if !identifier {
            let message = format!("the parameter name `{text}` is no identifier of at most 64 characters");
            sink.report(&PROPERTY_NAME_NONSTANDARD, node.pointer.clone(), Some(&value), message);
        }
    }
}

/// The annotation that makes a client send a parameter as an HTTP header, from MCP 2026-07-28 on.
fn headers(tool: &Tool<'_>, sink: &mut Sink<'_>) {
    let mut seen: Vec<String> = Vec::new();
    for node in tool.nodes.iter().filter(|node| node.has("x-mcp-header")) {
        let value = node.get("x-mcp-header");
        let name = node.string("x-mcp-header").unwrap_or_default();
        // A token of RFC 9110, section 5.6.2.
        let token = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c));
        let problem = if !token {
            "is no header name"
        } else if seen.contains(&name.to_ascii_lowercase()) {
            "is used twice"
        } else if !["string", "integer", "boolean"].iter().any(|t| node.types() == [*t]) {
            "stands on something that is no string, integer or boolean"
        } else if !is_always_there(tool, node) {
            "stands where it is not always at the same place"
        } else {
            seen.push(name.to_ascii_lowercase());
            continue;
        };
        seen.push(name.to_ascii_lowercase());
        let written = value.map(Value::to_json).unwrap_or_default();
        sink.report(&MCP_HEADER_INVALID, node.at("x-mcp-header"), value, format!("x-mcp-header {written} {problem}"));
    }
}

/// Whether only `properties` lead to a schema.
fn is_always_there<'a>(tool: &'a Tool<'a>, node: &'a Node<'a>) -> bool {
    std::iter::successors(Some(node), |node| node.parent.map(|parent| &tool.nodes[parent]))
        .all(|node| matches!(node.role, Role::Property { .. } | Role::Root))
}

/// Reports names that several tools of one catalog have: looked at by [`super::request`], which sees them all.
pub(super) fn folded_twin(tool: &Tool<'_>, twin: &str, sink: &mut Sink<'_>) {
    let message = format!("the tool name `{}` differs from `{twin}` only in upper and lower case", tool.definition.name());
    let value = Value::from(tool.definition.name());
    sink.report_as(&super::request::TOOL_NAME_DUPLICATE, ALL, Severity::Warning, String::new(), Some(&value), message);
}
