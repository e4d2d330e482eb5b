//! Descriptions: what the model reads.

use crate::json::{JsString, Value};
use crate::lint::rule::{
    rules,
    sets::{ALL, CLIENTS, GATE, OPENAI},
};
use crate::lint::sink::Sink;
use crate::lint::target::Targets;
use crate::lint::tool::{Node, Tool};

rules! {
    TOOL_DESCRIPTION_MISSING = "tool-description-missing": "a tool without a description";
        [ALL => Warning];
        "The description is how a model decides whether to call the tool. Some clients refuse or hide tools that have none.";
        "zotero-mcp#256";
    TOOL_DESCRIPTION_SHORT = "tool-description-short": "a tool description of under 20 characters";
        [ALL => Note];
        "A few words rarely tell a model when to use the tool and when not.";
        "zotero-mcp#256";
    TOOL_DESCRIPTION_LONG = "tool-description-long": "a tool description that is refused or cut";
        [OPENAI.or(CLIENTS) => Warning];
        "OpenAI's chat models take 1,024 characters; Claude Code cuts at 2,048. What is behind that the model does not read. Put what matters first, and move detail to the parameters.";
        "modelcontextprotocol/servers#799, anthropics/claude-code#41593";
    PARAM_DESCRIPTION_MISSING = "param-description-missing": "a parameter without a description";
        [ALL => Note];
        "A name and a type leave the model guessing at units, forms and defaults.";
        "zotero-mcp#256";
    DESCRIPTION_MENTIONS_MISSING_PARAM = "description-mentions-missing-param": "a description that speaks of a parameter that does not exist";
        [ALL => Note];
        "A model that reads of a parameter `x` will send it. Usually it was renamed or removed and the text was forgotten.";
        "Graph-It-Live#141, foremerge#26";
    CONSTRAINT_NOT_DESCRIBED = "constraint-not-described": "a rule of the schema that the description does not mention";
        [GATE => Note];
        "Bounds, patterns and formats are rules that the model can only keep if it reads them. Not every provider shows it the schema word for word, and the gate does not enforce them: say them in the description.";
        "anthropic.lib._parse._transform moves bounds into the description for the same reason";
}

pub(super) fn check(tool: &Tool<'_>, sink: &mut Sink<'_>) {
    tool_description(tool, sink);
    for (node, name, _) in tool.parameters() {
        if node.string("description").is_none_or(|text| text.trim().is_empty()) && !node.has("$ref") {
            let message = format!("the parameter `{name}` has no description");
            sink.report(&PARAM_DESCRIPTION_MISSING, node.pointer.clone(), Some(&Value::String(name.clone())), message);
        }
        undescribed(node, name, sink);
    }
    missing_parameters(tool, sink);
}

fn tool_description(tool: &Tool<'_>, sink: &mut Sink<'_>) {
    let text = tool.definition.description().unwrap_or_default();
    let length = text.chars().count();
    let value = Value::from(text);
    if text.trim().is_empty() {
        sink.report(&TOOL_DESCRIPTION_MISSING, String::new(), None, "the tool has no description".to_owned());
    } else if length < 20 {
        let message = format!("the description has {length} characters");
        sink.report(&TOOL_DESCRIPTION_SHORT, String::new(), Some(&value), message);
    }
    let too_long = match length {
        0..=1024 => Targets::NONE,
        1025..=2048 => OPENAI,
        _ => OPENAI.or(CLIENTS),
    };
    let message = format!("the description has {length} characters");
    sink.report_for(&TOOL_DESCRIPTION_LONG, too_long, String::new(), Some(&value), message);
}

/// Reports bounds that the parameter's description says nothing of. The number itself counts as a mention, and for a
/// pattern or a format any word that says there is one.
fn undescribed(node: &Node<'_>, name: &JsString, sink: &mut Sink<'_>) {
    let Some(text) = node.string("description").map(str::to_lowercase) else { return };
    let bounds = [
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "maxLength",
        "minLength",
        "maxItems",
        "minItems",
        "multipleOf",
    ];
    for keyword in bounds {
        let Some(value @ Value::Number(limit)) = node.get(keyword) else { continue };
        // At least nothing, at least one, and "any safe integer", need no words.
        let is_obvious = matches!(keyword, "minLength" | "minItems" | "minimum") && *limit <= 1.0 || limit.abs() > 1e15;
        if !is_obvious && !text.contains(&value.to_json()) {
            let message = format!("the description of `{name}` does not mention {keyword} {}", value.to_json());
            sink.report(&CONSTRAINT_NOT_DESCRIBED, node.at(keyword), Some(value), message);
        }
    }
    for (keyword, words) in [
        ("pattern", ["pattern", "format", "form ", "like", "e.g", "must"]),
        ("format", ["format", "iso", "rfc", "url", "uri", "e.g"]),
    ] {
        let Some(value) = node.get(keyword).filter(|v| v.as_string().is_some()) else { continue };
        let shown = value.as_string().map(|v| v.to_well_formed().to_lowercase()).unwrap_or_default();
        if !text.contains(&shown) && !words.iter().any(|word| text.contains(word)) {
            let message = format!("the description of `{name}` does not mention {keyword} {}", value.to_json());
            sink.report(&CONSTRAINT_NOT_DESCRIBED, node.at(keyword), Some(value), message);
        }
    }
}

/// Names that are looked up from one description.
const MAX_NAMES: usize = 50;

/// Looks in all descriptions for a name in backticks beside a word that makes it a parameter's.
fn missing_parameters(tool: &Tool<'_>, sink: &mut Sink<'_>) {
    let known = |name: &str| {
        tool.nodes.iter().any(|node| {
            node.properties().is_some_and(|p| p.get(name.as_bytes()).is_some())
                || node.list("enum").iter().any(|v| v.as_string().is_some_and(|v| *v == name))
        })
    };
    // Keys may be declared by a pattern or left open on purpose; then nothing can be missing.
    if tool.root().is_none_or(|root| root.properties().is_none() || root.has("patternProperties") || root.has("$ref")) {
        return;
    }
    let of_tool = tool.definition.description().map(|text| (String::new(), text));
    let of_parameters = tool.nodes.iter().filter_map(|node| Some((node.at("description"), node.string("description")?)));
    for (pointer, text) in of_tool.into_iter().chain(of_parameters) {
        for name in named_parameters(text).into_iter().take(MAX_NAMES) {
            if !known(name) && name != tool.definition.name() {
                let message = format!("the description speaks of a parameter `{name}`, which does not exist");
                sink.report(&DESCRIPTION_MENTIONS_MISSING_PARAM, pointer.clone(), Some(&name.into()), message);
            }
        }
    }
}

/// Names that a text calls parameters: `` `x` parameter ``, `` the argument `x` ``.
fn named_parameters(text: &str) -> Vec<&str> {
    const NOUNS: [&str; 4] = ["parameter", "argument", "param", "arg"];
    let parts: Vec<&str> = text.split('`').collect();
    let quoted = (1..parts.len().saturating_sub(1)).step_by(2);
    let is_noun = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        NOUNS.contains(&word.strip_suffix('s').unwrap_or(&word))
    };
    quoted
        .filter(|i| {
            let beside =
                |text: &str, word: Option<&str>, joined: bool| joined && !text.trim().is_empty() && word.is_some_and(is_noun);
            let (before, after) = (parts[i - 1], parts[i + 1]);
            beside(before, before.split_whitespace().next_back(), !before.trim_end().ends_with(['.', ',', ';', ')']))
                || beside(after, after.split_whitespace().next(), after.starts_with(' '))
        })
        .map(|i| parts[i])
        .filter(|name| {
            name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        })
        .collect()
}
