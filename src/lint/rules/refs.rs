//! `$ref`: where it leads.

use crate::gate::profile::{Draft, Follower, Target};
use crate::json::Value;
use crate::lint::Severity;
use crate::lint::rule::{
    rules,
    sets::{ALL, ANTHROPIC_STRICT, CLIENTS, OPENAI_STRICT},
};
use crate::lint::sink::Sink;
use crate::lint::tool::{Node, Tool};
use std::collections::HashMap;

rules! {
    REF_LOCAL = "ref-local": "references inside the definition";
        [CLIENTS => Warning];
        "VS Code Copilot, Claude Desktop, Copilot CLI, Qwen-Agent and others strip `$defs` on the way, and what is left refers to nothing. Write small definitions out.";
        "fastmcp#2808, copilot-cli#1876, Qwen-Agent#873, ms-365-mcp-server#643";
    REF_UNRESOLVED = "ref-unresolved": "a reference to something that is not there";
        [ALL => Error];
        "Validators that resolve early (ajv, Rust) refuse the whole definition; Python's raises when the value is reached. Usually a converter dropped `$defs`.";
        "davideast/stitch-mcp#184, docx-editor#3588";
    REF_EXTERNAL = "ref-external": "a reference out of the definition";
        [ALL => Error];
        "Whoever follows it reads a file or asks a server that the definition names. MCP forbids to do so by itself, and asks implementers to refuse what cannot be resolved.";
        "MCP 2026-07-28, basic; measured: Python's validator and default builds of the Rust crate fetch it";
    REF_SIBLINGS = "ref-siblings": "keywords beside `$ref`";
        [OPENAI_STRICT => Error, ALL.without(OPENAI_STRICT) => Warning];
        "Up to draft 7 everything beside `$ref` is ignored, so a rule there is not kept (ajv keeps it all the same). OpenAI's strict mode refuses anything beside it, a description too.";
        "measured: Python and Rust ignore it under draft-07, ajv applies it; openai.lib._pydantic writes such references out";
    REF_RECURSIVE = "ref-recursive": "a schema that refers to itself";
        [ANTHROPIC_STRICT => Error];
        "Anthropic's strict mode does not take recursion.";
        "texts of the provider's 400 answers, as quoted by third parties";
    REF_ANCHOR = "ref-anchor": "a reference to something that is not under `$defs`";
        [CLIENTS => Note];
        "Kimi and others only follow `#/$defs/…`; generators that point at another property (`#/properties/a`) meet them.";
        "ms-365-mcp-server#643";
}

/// Keywords that say nothing of a value.
const ANNOTATIONS: [&[u8]; 9] =
    [b"$ref", b"description", b"title", b"default", b"examples", b"deprecated", b"$comment", b"$defs", b"definitions"];

pub(super) fn check(tool: &Tool<'_>, sink: &mut Sink<'_>) {
    let Some(parameters) = tool.definition.parameters() else { return };
    let follower = Follower::new(parameters);
    let mut edges: HashMap<&str, Vec<String>> = HashMap::new();
    let mut first_local: Option<(&Node<'_>, usize)> = None;
    for node in tool.nodes.iter().filter(|node| node.string("$ref").is_some()) {
        let reference = node.string("$ref").unwrap_or_default();
        let value = node.get("$ref");
        match follower.follow(reference) {
            Target::At(pointer) => {
                first_local = Some(first_local.map_or((node, 1), |(first, count)| (first, count + 1)));
                if !pointer.starts_with("/$defs/") && !pointer.starts_with("/definitions/") {
                    let message = format!("`{reference}` does not lead into `$defs`");
                    sink.report(&REF_ANCHOR, node.at("$ref"), value, message);
                }
                edges.entry(&node.pointer).or_default().push(pointer);
            }
            Target::Nowhere => {
                sink.report(&REF_UNRESOLVED, node.at("$ref"), value, format!("`{reference}` leads nowhere"));
            }
            Target::Outside => {
                let message = format!("`{reference}` leads out of the definition");
                sink.report(&REF_EXTERNAL, node.at("$ref"), value, message);
            }
            Target::Unknown => {}
        }
        siblings(tool, node, sink);
    }
    if let Some((node, count)) = first_local {
        let message = if count == 1 { "one reference".to_owned() } else { format!("{count} references") };
        sink.report(&REF_LOCAL, node.at("$ref"), node.get("$ref"), format!("{message} to other parts of the definition"));
    }
    if let Some(pointer) = recursive(tool, &edges) {
        let value = parameters.at_pointer(&pointer);
        sink.report(&REF_RECURSIVE, format!("{pointer}/$ref"), value, "the schema refers to itself".to_owned());
    }
}

fn siblings(tool: &Tool<'_>, node: &Node<'_>, sink: &mut Sink<'_>) {
    let others: Vec<&[u8]> = node.schema.entries().iter().map(|(key, _)| key.as_bytes()).filter(|key| *key != b"$ref").collect();
    let Some(first) = others.iter().find(|key| !ANNOTATIONS.contains(key)).or(others.first()) else { return };
    let shown = crate::json::to_well_formed(first);
    let message = format!("`{shown}` stands beside `$ref`");
    let offender = Value::from(shown.as_ref());
    let at = node.pointer.clone();
    sink.report_for(&REF_SIBLINGS, OPENAI_STRICT, at.clone(), Some(&offender), message.clone());
    if tool.draft <= Draft::Draft7 && !ANNOTATIONS.contains(first) {
        let targets = ALL.without(OPENAI_STRICT);
        sink.report_as(
            &REF_SIBLINGS,
            targets,
            Severity::Warning,
            at,
            Some(&offender),
            format!("{message}, where draft 7 ignores it"),
        );
    }
}

/// A reference that leads to something around it, by however many other references.
fn recursive(tool: &Tool<'_>, edges: &HashMap<&str, Vec<String>>) -> Option<String> {
    let index: HashMap<&str, usize> = tool.nodes.iter().enumerate().map(|(i, node)| (node.pointer.as_str(), i)).collect();
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); tool.nodes.len()];
    for (i, node) in tool.nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            next[parent].push(i);
        }
        let targets = edges.get(node.pointer.as_str()).into_iter().flatten();
        next[i].extend(targets.filter_map(|target| index.get(target.as_str())));
    }
    // Only a reference can close a circle: what stands inside leads no way back.
    let (mut open, mut done) = (vec![false; next.len()], vec![false; next.len()]);
    let mut stack: Vec<(usize, usize)> = Vec::new();
    for start in 0..next.len() {
        if !done[start] {
            open[start] = true;
            stack.push((start, 0));
        }
        while let Some((node, at)) = stack.last_mut() {
            let Some(&child) = next[*node].get(*at) else {
                (open[*node], done[*node]) = (false, true);
                stack.pop();
                continue;
            };
            *at += 1;
            if open[child] {
                return Some(tool.nodes[*node].pointer.clone());
            }
            if !done[child] {
                open[child] = true;
                stack.push((child, 0));
            }
        }
    }
    None
}

/// Whether a schema is a reference and nothing else, so that its target can take its place.
pub(in crate::lint) fn is_alone(node: &Node<'_>) -> bool {
    node.schema.len() == 1 && node.has("$ref")
}
