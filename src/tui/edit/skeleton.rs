//! Putting in what is missing, with values to start from.

use super::cursor_path::Step;
use super::format::format;
use super::live::Live;
use super::schema::{at_path, placeholder, properties};
use crate::definition::Definition;
use crate::gate::{Issue, IssueKind};
use crate::json::{Kind, Tree, View, pointer_steps, quote};
use std::collections::BTreeMap;

/// The text with every required parameter that is missing put in, and the offset of the first one's value; laid out anew.
///
/// # Errors
/// Why it cannot be done, in words for people.
pub fn with_required(text: &str, live: &Live, definition: &Definition) -> Result<(String, usize), &'static str> {
    if live.broken.is_some() {
        return Err("the text is not JSON yet: mend that first");
    }
    let text = if text.trim().is_empty() { "{}" } else { text };
    let Ok(tree) = Tree::parse(text.as_bytes()) else { return Err("the text is not JSON yet: mend that first") };
    let root = tree.root(text.as_bytes());
    let insertions = insertions(root, &live.verdict.issues, definition);
    let Some((_, first)) = insertions.first_key_value() else { return Err("nothing that is required is missing") };
    let first = first.pointer.clone();
    let mut filled = text.to_owned();
    for (at, insertion) in insertions.iter().rev() {
        filled.insert_str(*at, &insertion.text);
    }
    let filled = format(&filled).map_err(|_| "the text is not JSON yet: mend that first")?;
    let tree = Tree::parse(filled.as_bytes()).map_err(|_| "the text is not JSON yet: mend that first")?;
    let place = tree.root(filled.as_bytes()).at_pointer(&first).map_or(0, |view| cursor_in(view));
    Ok((filled, place))
}

/// Where one goes on writing: inside of an empty string, list or object.
fn cursor_in(view: View<'_>) -> usize {
    let span = view.span();
    if matches!(view.raw(), b"\"\"" | b"[]" | b"{}") { span.start + 1 } else { span.start }
}

struct Insertion {
    text: String,
    /// The first thing put in here.
    pointer: String,
}

/// What to put in where, by offset: one piece for each object that lacks something.
fn insertions(root: View<'_>, issues: &[Issue], definition: &Definition) -> BTreeMap<usize, Insertion> {
    let mut insertions: BTreeMap<usize, Insertion> = BTreeMap::new();
    for issue in issues.iter().filter(|issue| issue.kind == IssueKind::Missing) {
        let Some((above, _)) = issue.pointer.rsplit_once('/') else { continue };
        let Some(object) = root.at_pointer(above).filter(|view| view.kind() == Kind::Object) else { continue };
        let Some(key) = pointer_steps(&issue.pointer).and_then(|mut steps| steps.pop()) else { continue };
        let last = object.children().last();
        let at = last.map_or(object.span().start + 1, |last| last.span().end);
        let member = format!("{}:{}", quote(key.as_bytes()), value_for(definition, root, above, &key));
        if let Some(known) = insertions.get_mut(&at) {
            known.text.push(',');
            known.text.push_str(&member);
        } else {
            let text = if last.is_some() { format!(",{member}") } else { member };
            insertions.insert(at, Insertion { text, pointer: issue.pointer.clone() });
        }
    }
    insertions
}

fn value_for(definition: &Definition, root: View<'_>, above: &str, key: &str) -> String {
    let Some(schema) = definition.parameters() else { return "null".to_owned() };
    let schemas = at_path(schema, &steps(root, above));
    let property = properties(&schemas).into_iter().find(|property| property.name == key);
    property.map_or_else(|| "null".to_owned(), |property| placeholder(schema, property.schema))
}

/// A pointer's steps, lists told from objects by the text.
fn steps(root: View<'_>, pointer: &str) -> Vec<Step> {
    let mut at = root;
    let mut steps = Vec::new();
    for key in pointer_steps(pointer).unwrap_or_default() {
        let next = match at.kind() {
            Kind::Array => at.children().nth(key.parse().unwrap_or(usize::MAX)),
            _ => at.get(&key),
        };
        steps.push(if at.kind() == Kind::Array { Step::Item } else { Step::Key(key) });
        let Some(next) = next else { break };
        at = next;
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::edit::tests::{definition, gate, target};

    fn filled(text: &str) -> Result<(String, String), &'static str> {
        let live = Live::of(&gate(), &target("TaskUpdate"), text);
        with_required(text, &live, &definition("TaskUpdate")).map(|(text, at)| {
            let rest = text[at..].chars().take(3).collect();
            (text.replace([' ', '\n'], ""), rest)
        })
    }

    #[test]
    fn what_is_required_is_put_in_where_it_is_missing() {
        let made = |text: &str, at: &str| Ok((text.to_owned(), at.to_owned()));
        assert_eq!(filled(""), made(r#"{"taskId":""}"#, "\"\n}"));
        assert_eq!(filled("{}"), made(r#"{"taskId":""}"#, "\"\n}"));
        assert_eq!(
            filled(r#"{"status":"pending","steps":[{"done":true},{}]}"#),
            made(r#"{"status":"pending","steps":[{"done":true,"name":""},{"name":""}],"taskId":""}"#, "\"\n ")
        );
        assert_eq!(filled(r#"{"taskId":""}"#), Err("nothing that is required is missing"));
        assert_eq!(filled("{,"), Err("the text is not JSON yet: mend that first"));
    }
}
