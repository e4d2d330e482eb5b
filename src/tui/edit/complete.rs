//! What could be written at the cursor, from the definition: keys that are declared and not there yet, and listed values.

use super::cursor_path::{Here, Slot, here};
use super::schema::{Property, at_path, properties, types};
use crate::definition::Definition;
use crate::json::{Value, quote};
use std::ops::Range;

/// One thing that could be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What it is called.
    pub label: String,
    /// What it is, in a few words.
    pub detail: String,
    /// What it takes the place of.
    pub range: Range<usize>,
    /// What is put there.
    pub insert: String,
}

/// What could be written at the cursor, the likeliest first: those that begin with what is written there, then those that hold
/// it. Where none does, all: whoever asks at a wrong key wants the right one.
#[must_use]
pub fn completions(text: &str, cursor: usize, definition: &Definition) -> Vec<Completion> {
    let Some(root) = definition.parameters() else { return Vec::new() };
    let Some(here) = here(text, cursor) else { return Vec::new() };
    let schemas = at_path(root, &here.path);
    let all = match &here.slot {
        Slot::Key(others) => keys(text, &here, others, properties(&schemas)),
        Slot::Value => values(&here, &schemas),
    };
    let prefix = here.prefix.to_lowercase();
    let rank = |completion: &Completion| {
        let label = completion.label.trim_matches('"').to_lowercase();
        if label.starts_with(&prefix) { 0 } else { 1 + usize::from(!label.contains(&prefix)) }
    };
    let mut ranked: Vec<(usize, Completion)> = all.into_iter().map(|completion| (rank(&completion), completion)).collect();
    if ranked.iter().any(|(rank, _)| *rank < 2) {
        ranked.retain(|(rank, _)| *rank < 2);
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, completion)| completion).collect()
}

fn keys(text: &str, here: &Here, others: &[String], properties: Vec<Property<'_>>) -> Vec<Completion> {
    let has_colon = text[here.written.end..].trim_start().starts_with(':');
    let missing = properties.into_iter().filter(|property| !others.contains(&property.name));
    let completion = |property: Property<'_>| {
        let key = quote(property.name.as_bytes());
        let kind = types(property.schema).join(" | ");
        let required = if property.required { "required" } else { "" };
        let detail = [required, &kind].into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(", ");
        Completion {
            label: property.name,
            detail,
            range: here.written.clone(),
            insert: if has_colon { key } else { format!("{key}: ") },
        }
    };
    missing.map(completion).collect()
}

fn values(here: &Here, schemas: &[&Value]) -> Vec<Completion> {
    let mut values: Vec<(String, &'static str)> = Vec::new();
    let mut add = |value: String, detail| {
        if !values.iter().any(|(known, _)| *known == value) {
            values.push((value, detail));
        }
    };
    for schema in schemas {
        for value in schema.get("enum").and_then(Value::as_array).unwrap_or_default() {
            add(value.to_json(), "listed");
        }
        if let Some(value) = schema.get("const") {
            add(value.to_json(), "the only one");
        }
        if let Some(value) = schema.get("default") {
            add(value.to_json(), "default");
        }
        if schema.get("enum").is_none() {
            for kind in types(schema) {
                match kind.as_str() {
                    "boolean" => ["true", "false"].into_iter().for_each(|word| add(word.to_owned(), "boolean")),
                    "null" => add("null".to_owned(), "null"),
                    _ => {}
                }
            }
        }
    }
    let completion = |(value, detail): (String, &str)| Completion {
        label: value.clone(),
        detail: detail.to_owned(),
        range: here.written.clone(),
        insert: value,
    };
    values.into_iter().map(completion).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::edit::tests::definition;

    /// What is offered at `|`, and what the first of it makes of the text.
    fn at(marked: &str) -> (String, String) {
        let cursor = marked.find('|').unwrap();
        let mut text = marked.replacen('|', "", 1);
        let found = completions(&text, cursor, &definition("TaskUpdate"));
        let labels: Vec<&str> = found.iter().map(|completion| completion.label.as_str()).collect();
        let labels = labels.join(" ");
        if let Some(first) = found.first() {
            text.replace_range(first.range.clone(), &first.insert);
        }
        (labels, text)
    }

    #[test]
    fn what_is_offered_and_what_comes_of_it() {
        for (marked, offered, made) in [
            ("{|}", "taskId status tags steps kind flag", "{\"taskId\": }"),
            ("{\"sta|}", "status", "{\"status\": }"),
            ("{\"taskId\": \"1\", \"|\"}", "status tags steps kind flag", "{\"taskId\": \"1\", \"status\": }"),
            // At a wrong key, the one that holds it, and the colon that is there stays.
            ("{\"id|\": \"2\"}", "taskId", "{\"taskId\": \"2\"}"),
            ("{\"zzz|\": \"2\"}", "taskId status tags steps kind flag", "{\"taskId\": \"2\"}"),
            ("{\"status\": |}", "\"pending\" \"completed\"", "{\"status\": \"pending\"}"),
            ("{\"status\": \"Comp|leted\"}", "\"completed\"", "{\"status\": \"completed\"}"),
            ("{\"status\": \"|", "\"pending\" \"completed\"", "{\"status\": \"pending\""),
            ("{\"tags\": [\"a\", |]}", "\"x\" \"y\"", "{\"tags\": [\"a\", \"x\"]}"),
            ("{\"steps\": [{\"name\": \"n\", |}]}", "done", "{\"steps\": [{\"name\": \"n\", \"done\": }]}"),
            ("{\"steps\": [{\"done\": t|}]}", "true", "{\"steps\": [{\"done\": true}]}"),
            ("{\"kind\": |}", "\"one\" null", "{\"kind\": \"one\"}"),
            ("{\"flag\": |}", "true false", "{\"flag\": true}"),
            ("{\"taskId\": |}", "", "{\"taskId\": }"),
            ("{\"taskId\": \"1\" |}", "", "{\"taskId\": \"1\" }"),
            ("|", "", ""),
        ] {
            assert_eq!(at(marked), (offered.to_owned(), made.to_owned()), "{marked}");
        }
    }

    #[test]
    fn what_must_be_there_comes_first_and_says_so() {
        let found = completions("{}", 1, &definition("TaskUpdate"));
        assert_eq!((found[0].label.as_str(), found[0].detail.as_str()), ("taskId", "required, string"));
        assert_eq!(found[1].detail, "string");
    }
}
