//! What changed about a tool as a whole: its name, its text, its hints, its form.

use super::change::{Change, Touch, Words, short};
use super::compare::text_sizes;
use super::pairs::{Pair, Siblings, percent};
use super::rules::RuleId;
use crate::definition::{Catalog, Definition};
use crate::json::{Value, View};

/// The changes of a tool beside those of its parameters.
pub(crate) fn changes(pair: &Pair, siblings: &Siblings) -> Vec<Change> {
    let mut found = Vec::new();
    match (&pair.before, &pair.after) {
        (None, None) => {}
        (None, Some(after)) => found.push(added(after)),
        (Some(before), None) => {
            let mut change = of_tool(RuleId::ToolRemoved, Some(before.view().into()), None);
            change.hint = siblings.of(before).map(|name| format!("`{name}` accepts the same arguments."));
            found.push(change);
        }
        (Some(before), Some(after)) => {
            if let Some(renamed) = &pair.renamed {
                let mut change = of_tool(RuleId::ToolRenamed, Some(before.name().into()), Some(after.name().into()));
                change.words.before = format!("`{}`", before.name());
                change.words.after = format!("`{}` (schemas {}% alike)", after.name(), percent(before, after));
                change.renamed = Some(renamed.clone());
                found.push(change);
            }
            both(before, after, &mut found);
        }
    }
    found
}

fn added(after: &Definition) -> Change {
    Change { touch: Touch::Text, ..of_tool(RuleId::ToolAdded, None, Some(after.view().into())) }
}

fn both(before: &Definition, after: &Definition, found: &mut Vec<Change>) {
    let mut push = |rule: RuleId, a: Option<Value>, b: Option<Value>, words: Words| {
        found.push(Change { words, touch: Touch::Text, ..of_tool(rule, a, b) });
    };
    if before.description() != after.description() {
        let words = Words { keyword: text_sizes(before.description(), after.description()), ..Words::default() };
        let text = |d: &Definition| d.description().map(Value::from);
        push(RuleId::DocToolDescriptionChanged, text(before), text(after), words);
    }
    let strict = |d: &Definition| member(d, "strict").and_then(View::bool).unwrap_or(false);
    if strict(before) != strict(after) {
        let (a, b) = (Value::from(strict(before)), Value::from(strict(after)));
        let words = values(Some(&a), Some(&b));
        push(RuleId::ToolStrictChanged, Some(a), Some(b), words);
    }
    let hints = |d: &Definition| member(d, "annotations").map_or(Value::Null, Value::from);
    let (old, new) = (hints(before), hints(after));
    let mut keys: Vec<String> = [&old, &new]
        .iter()
        .flat_map(|hints| hints.as_object().into_iter().flat_map(|o| o.entries().iter().map(|(key, _)| key.to_string())))
        .collect();
    keys.sort_unstable();
    keys.dedup();
    for key in keys {
        let (a, b) = (old.get(&key).cloned(), new.get(&key).cloned());
        if a != b {
            let words = Words { keyword: key.clone(), ..values(a.as_ref(), b.as_ref()) };
            // The hint's name is part of what was changed: two hints that flip the same way are two findings.
            let named = |value: Option<Value>| value.map(|v| Value::from([(key.as_str(), v)]));
            push(RuleId::ToolAnnotationChanged, named(a), named(b), words);
        }
    }
    let output = |d: &Definition| ["outputSchema", "output_schema"].iter().find_map(|k| member(d, k)).map(Value::from);
    let (old, new) = (output(before), output(after));
    if old != new {
        push(RuleId::ToolOutputSchemaChanged, old, new, Words::default());
    }
    if before.shape() != after.shape() {
        let (a, b) = (before.shape().name(), after.shape().name());
        let words = Words { before: a.to_owned(), after: b.to_owned(), ..Words::default() };
        push(RuleId::ToolKindChanged, Some(a.into()), Some(b.into()), words);
    }
}

fn values(before: Option<&Value>, after: Option<&Value>) -> Words {
    let text = |value: Option<&Value>| value.map_or_else(|| "none".to_owned(), short);
    Words { before: text(before), after: text(after), ..Words::default() }
}

/// A member of a definition, beside its name or around it.
fn member<'d>(definition: &'d Definition, key: &str) -> Option<View<'d>> {
    let whole = definition.view();
    let inner = || ["function", "toolSpec", "tool_spec"].iter().find_map(|wrapper| whole.get(wrapper)?.get(key));
    whole.get(key).or_else(inner)
}

/// A change of the tool itself, which touches all its calls.
pub(crate) fn of_tool(rule: RuleId, before: Option<Value>, after: Option<Value>) -> Change {
    Change {
        rule,
        place: 0,
        touch: Touch::Tool,
        pointer: String::new(),
        before,
        after,
        words: Words::default(),
        enforced: true,
        severity: None,
        directions: None,
        renamed: None,
        lint: None,
        hint: None,
        probes: Vec::new(),
    }
}

/// Whether the tools that both sides have come in another order. Only of lists that stand in one file: of a folder the order
/// is that of the paths.
pub(crate) fn order(before: &Catalog, after: &Catalog) -> Option<Change> {
    let one_file = |catalog: &Catalog| {
        let mut paths = catalog.definitions().iter().map(|d| d.path());
        paths.next().is_some_and(|first| paths.all(|path| path == first))
    };
    if !one_file(before) || !one_file(after) {
        return None;
    }
    let names = |catalog: &Catalog, other: &Catalog| -> Vec<String> {
        let shared = catalog.definitions().iter().map(|d| d.name()).filter(|name| other.get(name).is_some());
        shared.map(str::to_owned).collect()
    };
    let (a, b) = (names(before, after), names(after, before));
    let list = |names: &[String]| Some(Value::Array(names.iter().map(|n| n.as_str().into()).collect()));
    (a != b).then(|| Change { touch: Touch::Text, ..of_tool(RuleId::ToolOrderChanged, list(&a), list(&b)) })
}
