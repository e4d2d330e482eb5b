//! Edits that repair what a rule found and provably keep what the schema accepts.
//!
//! Nothing is closed, required or stripped here: such an edit changes which calls are accepted, and that is for a person to
//! decide. Each edit is proved, by the canonical forms of the schema before and after, to accept the same values; one that
//! cannot be proved is not offered.

use super::diff::unified;
use super::rules::refs::is_alone;
use super::tool::{Node, Tool};
use super::{Finding, Options, lint};
use crate::definition::{Catalog, Definition, Shape};
use crate::gate::profile::{Follower, Target as Reference, covers};
use crate::json::{JsString, Object, Value, View};
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::path::PathBuf;

/// A repair of one finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The rule whose finding it repairs.
    pub rule: &'static str,
    /// The tool.
    pub tool: String,
    /// The place that changes, as a JSON Pointer into the parameters.
    pub pointer: String,
    /// What it does, in words.
    pub what: &'static str,
    /// Byte ranges of the file's text (without a byte order mark), and what takes their place; in order, apart.
    pub changes: Vec<(Range<usize>, String)>,
}

/// The edits of one file.
#[derive(Clone, Debug)]
pub struct FileFix {
    /// The file; empty for text that came from nowhere.
    pub path: PathBuf,
    /// The edits that are applied, in the order of the text.
    pub edits: Vec<Edit>,
    /// The text after them.
    pub after: Vec<u8>,
    /// What changes, as a unified diff.
    pub diff: String,
}

/// The edits that repair what is found in a catalog, by file. Edits that overlap wait for the next time: apply these, read
/// the file again, and ask again until there are none.
#[must_use]
pub fn fixes(catalog: &Catalog, options: &Options) -> Vec<FileFix> {
    let report = lint(catalog, options);
    let definitions = catalog.definitions().iter().chain(catalog.duplicates());
    let mut by_file: BTreeMap<PathBuf, (&Definition, Vec<Edit>)> = BTreeMap::new();
    for (definition, tool) in definitions.zip(&report.tools) {
        let edits = proved(definition, candidates(definition, &tool.findings));
        if !edits.is_empty() {
            by_file.entry(definition.path().to_owned()).or_insert((definition, Vec::new())).1.extend(edits);
        }
    }
    by_file.into_iter().map(|(path, (definition, edits))| file_fix(path, definition.document().text(), edits)).collect()
}

fn file_fix(path: PathBuf, before: &[u8], mut edits: Vec<Edit>) -> FileFix {
    edits.sort_by_key(|edit| edit.changes.first().map_or(0, |(range, _)| range.start));
    let mut end = 0;
    edits.retain(|edit| {
        let apart = edit.changes.first().is_none_or(|(range, _)| range.start >= end);
        if apart {
            end = edit.changes.last().map_or(end, |(range, _)| range.end);
        }
        apart
    });
    let changes: Vec<_> = edits.iter().flat_map(|edit| edit.changes.iter().cloned()).collect();
    let diff = unified(&path, before, &changes);
    FileFix { after: apply(before, &changes), path, edits, diff }
}

/// A text with ranges of it replaced; they are in order and apart.
pub(super) fn apply(text: &[u8], changes: &[(Range<usize>, String)]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    for (range, replacement) in changes {
        out.extend_from_slice(&text[at..range.start]);
        out.extend_from_slice(replacement.as_bytes());
        at = range.end;
    }
    out.extend_from_slice(&text[at..]);
    out
}

/// Edits that might repair the findings.
fn candidates(definition: &Definition, findings: &[Finding]) -> Vec<Edit> {
    let Some(root) = definition.parameters_view() else { return Vec::new() };
    // Gemini's own spelling of types is no JSON Schema, so nothing can be proved of it.
    if definition.shape() == Shape::Gemini {
        return Vec::new();
    }
    let tool = Tool::new(definition);
    let found: HashSet<(&str, &str)> = findings.iter().map(|f| (f.rule.id, f.pointer.as_str())).collect();
    let found_at = |id: &str, pointer: &str| found.contains(&(id, pointer));
    let edit = |rule, pointer: &str, what, changes: Option<Vec<_>>| {
        changes.map(|changes| Edit { rule, tool: definition.name().to_owned(), pointer: pointer.to_owned(), what, changes })
    };
    let text = definition.document().text();
    let mut edits = Vec::new();
    if found_at("object-properties-missing", "") {
        let changes = inserted(text, root, r#""properties": {}"#).map(|change| vec![change]);
        edits.extend(edit("object-properties-missing", "", "add `properties: {}`", changes));
    }
    let refers = findings.iter().any(|f| f.rule.id == "ref-local");
    let follower = definition.parameters().filter(|_| refers).map(Follower::new);
    let list_is_fine = !minds_type_array(findings);
    for node in &tool.nodes {
        for (exclusive, inclusive, step) in [("exclusiveMinimum", "minimum", 1.0), ("exclusiveMaximum", "maximum", -1.0)] {
            if node.types() == ["integer"] && found_at("keyword-unsupported", &node.at(exclusive)) {
                let view = root.at_pointer(&node.pointer);
                let changes = view.and_then(|view| to_inclusive(node, view, exclusive, inclusive, step));
                edits.extend(edit("keyword-unsupported", &node.pointer, "write the bound inclusively", changes));
            }
        }
        if let Some(follower) = follower.as_ref().filter(|_| is_alone(node)) {
            let view = root.at_pointer(&node.pointer);
            let changes = view.and_then(|view| inlined(follower, text, root, node, view));
            edits.extend(edit("ref-local", &node.pointer, "write the definition out in place of the reference", changes));
        }
        if list_is_fine && node.has("anyOf") && found_at("null-union", &node.at("anyOf")) {
            let changes = root.at_pointer(&node.pointer).and_then(|view| to_type_array(node, view));
            edits.extend(edit("null-union", &node.pointer, "allow null by a list of types", changes));
        }
    }
    edits
}

/// Whether those that the findings are for mind a list of types more than a union.
fn minds_type_array(findings: &[Finding]) -> bool {
    let rule = super::rule("type-array").map(super::Rule::targets).unwrap_or_default();
    findings.iter().filter(|f| f.rule.id == "null-union").any(|f| !f.targets.and(rule).is_empty())
}

fn member<'a>(object: View<'a>, key: &str) -> Option<View<'a>> {
    let mut same = object.children().filter(|child| child.key_str().is_some_and(|k| k == key));
    // A key that is written twice is for a person.
    same.next().filter(|_| same.next().is_none())
}

/// A member added at the end of an object, as its last one stands.
fn inserted(text: &[u8], object: View<'_>, written: &str) -> Option<(Range<usize>, String)> {
    if let Some(last) = object.children().last() {
        let line_start = memchr::memrchr(b'\n', &text[..last.anchor()]).map_or(0, |n| n + 1);
        let lead = std::str::from_utf8(&text[line_start..last.anchor()]).ok()?;
        let own_line = line_start > object.span().start && lead.chars().all(char::is_whitespace);
        let between = if own_line { format!(",\n{lead}") } else { ", ".to_owned() };
        return Some((last.span().end..last.span().end, format!("{between}{written}")));
    }
    Some((object.span(), format!("{{{written}}}")))
}

/// The range of a member with the comma that goes with it.
fn removed(member: View<'_>) -> Option<Range<usize>> {
    let parent = member.parent()?;
    let before = parent.children().take_while(|child| child.index() < member.index()).last();
    if let Some(before) = before {
        return Some(before.span().end..member.span().end);
    }
    let after = parent.children().find(|child| child.index() > member.index())?;
    Some(member.anchor()..after.anchor())
}

fn to_inclusive(
    node: &Node<'_>,
    view: View<'_>,
    exclusive: &str,
    inclusive: &str,
    step: f64,
) -> Option<Vec<(Range<usize>, String)>> {
    let Some(Value::Number(bound)) = node.get(exclusive) else { return None };
    // Doubles count whole numbers one by one up to here.
    if bound.fract() != 0.0 || bound.abs() > 9_007_199_254_740_000.0 {
        return None;
    }
    let written = Value::Number(bound + step).to_json();
    let old = member(view, exclusive)?;
    let Some(present) = node.get(inclusive) else {
        return Some(vec![(old.anchor()..old.span().end, format!("\"{inclusive}\": {written}"))]);
    };
    // The other bound must be the weaker one, and gives way.
    let Value::Number(other) = present else { return None };
    if (other - bound) * step > 0.0 {
        return None;
    }
    let mut changes = vec![(member(view, inclusive)?.span(), written), (removed(old)?, String::new())];
    changes.sort_by_key(|(range, _)| range.start);
    Some(changes)
}

fn inlined(
    follower: &Follower<'_>,
    text: &[u8],
    root: View<'_>,
    node: &Node<'_>,
    view: View<'_>,
) -> Option<Vec<(Range<usize>, String)>> {
    let Reference::At(pointer) = follower.follow(node.string("$ref")?) else { return None };
    let target = root.at_pointer(&pointer)?;
    // What holds the reference cannot take its place, and what refers further is written out from the inside.
    let raw = target.raw();
    let refers = Value::from(target).to_canonical().contains("\"$ref\"");
    if target.span().contains(&view.span().start) || refers || raw.len() > 4096 {
        return None;
    }
    let indent = |offset: usize| {
        let line = memchr::memrchr(b'\n', &text[..offset]).map_or(0, |n| n + 1);
        let space = text[line..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        String::from_utf8_lossy(&text[line..line + space]).into_owned()
    };
    let (from, to) = (format!("\n{}", indent(target.anchor())), format!("\n{}", indent(view.anchor())));
    Some(vec![(view.span(), String::from_utf8(raw.to_vec()).ok()?.replace(&from, &to))])
}

fn to_type_array(node: &Node<'_>, view: View<'_>) -> Option<Vec<(Range<usize>, String)>> {
    let branch = node.list("anyOf").iter().find(|branch| !branch.get("type").is_some_and(|t| t == &Value::from("null")))?;
    let object: &Object = branch.as_object()?;
    let name = branch.get("type")?.as_string()?.as_str()?;
    let is_taken = |(keyword, _): &(JsString, Value)| node.schema.get(keyword.as_bytes()).is_some();
    // These judge null too, so they cannot simply move beside it.
    let judges_null = ["enum", "const", "not", "anyOf", "oneOf", "allOf", "if", "$ref"].iter().any(|k| branch.get(k).is_some());
    if judges_null || name == "null" || node.has("type") || object.entries().iter().any(is_taken) {
        return None;
    }
    let union = member(view, "anyOf")?;
    let place = node.list("anyOf").iter().position(|b| std::ptr::eq(b, branch))?;
    let source = union.children().nth(place)?;
    let mut written = vec![format!(r#""type": ["{name}", "null"]"#)];
    for child in source.children().filter(|child| child.key_str().is_none_or(|key| key != "type")) {
        let key = crate::json::quote(child.key()?.as_bytes());
        written.push(format!("{key}: {}", String::from_utf8(child.raw().to_vec()).ok()?));
    }
    Some(vec![(union.anchor()..union.span().end, written.join(", "))])
}

/// The edits that were proved to keep the accepted set, each on its own.
fn proved(definition: &Definition, edits: Vec<Edit>) -> Vec<Edit> {
    let Some(view) = definition.parameters_view() else { return Vec::new() };
    let (text, span) = (definition.document().text(), view.span());
    let before = Value::from(view);
    let keeps = |edit: &Edit| {
        let inside = |(range, with): &(Range<usize>, String)| (range.start - span.start..range.end - span.start, with.clone());
        let changes: Vec<_> = edit.changes.iter().map(inside).collect();
        let Ok(after) = Value::parse(&apply(&text[span.clone()], &changes)) else { return false };
        same_set(&before, &after) || same_place(&before, &after, &edit.pointer)
    };
    edits.into_iter().filter(keeps).collect()
}

fn same_set(a: &Value, b: &Value) -> bool {
    covers(a, b) == Some(true) && covers(b, a) == Some(true)
}

/// Whether the schema that changed accepts the same values on its own, which makes the whole accept the same: except where
/// something around it looks at what was evaluated.
fn same_place(before: &Value, after: &Value, pointer: &str) -> bool {
    let whole = before.to_canonical();
    if ["unevaluated", "$dynamic", "$recursive", "\"$id\""].iter().any(|mark| whole.contains(mark)) {
        return false;
    }
    let alone = |root: &Value| {
        let object = root.at_pointer(pointer)?.as_object()?;
        let shared = [&b"$defs"[..], b"definitions", b"$schema"].into_iter();
        let shared = shared.filter(|key| object.get(key).is_none());
        let shared = shared.filter_map(|key| Some((JsString::from_wtf8(key), root.as_object()?.get(key)?.clone())));
        let own = object.entries().iter().map(|(key, value)| (key.clone(), value.clone()));
        Some(Value::Object(own.chain(shared).collect()))
    };
    alone(before).zip(alone(after)).is_some_and(|(a, b)| same_set(&a, &b))
}
