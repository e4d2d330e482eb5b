//! Calls made safe to show to others: free text, names, paths and secrets replaced, structure and types kept.
//!
//! What stays: tool names, keys, numbers, booleans, nulls, the values that a definition lists, times, models, flags, and the
//! form of recorded validation texts; so that a redacted call gets the same verdict with the same issues. What goes: every
//! other string, also inside JSON that stands in a string, and the keys of free-form maps. Equal strings get equal
//! replacements, so that relations stay visible, and different ones different replacements. A replacement is made from the
//! order in which strings come and from their class and length, never from what they say.
//!
//! What nobody can know: whether a number, or a key that looks like a parameter's name, tells something. Have a look before
//! you publish.

mod broken;
mod class;
mod place;
mod text;
mod validation;
mod words;

use self::place::Place;
use self::words::Words;
use super::call::{Call, InputKind, Outcome};
use super::time;
use crate::definition::Catalog;
use crate::gate::{Arguments, Parsed, parse};
use crate::json::{JsString, Value, trim};
use std::path::Path;
use std::sync::Arc;

/// Redacts the calls of one run. Definitions say which values are words of a contract rather than somebody's text.
pub struct Redactor<'c> {
    catalog: &'c Catalog,
    words: Words,
}

impl<'c> Redactor<'c> {
    /// A redactor that has seen nothing yet.
    #[must_use]
    pub fn new(catalog: &'c Catalog) -> Self {
        Self { catalog, words: Words::default() }
    }

    /// The call, redacted. The path of its place is redacted too; line and offset are not.
    #[must_use]
    pub fn call(&mut self, call: &Call) -> Call {
        let place = self.place_of(&call.tool);
        let id = call.id.as_ref().map(|id| self.words.id(id));
        let parent = call.parent.as_ref().map(|id| self.words.id(id));
        let session = call.session.as_ref().map(|session| self.words.name(session));
        let arguments = self.arguments(&call.arguments, call.input, place);
        let result = call.result.as_ref().map(|result| Outcome { text: self.result(&result.text, place), ..result.clone() });
        let file = self.words.value(&call.place.file.to_string_lossy());
        Call {
            tool: self.tool(&call.tool),
            arguments,
            id,
            at: call.at.clone().filter(|at| time::millis(at).is_some()),
            session,
            model: call.model.as_ref().map(|model| self.model(model)),
            finish_reason: call.finish_reason.as_ref().map(|reason| self.reason(reason)),
            origin: call.origin,
            sidechain: call.sidechain,
            pending: call.pending,
            input: call.input,
            result,
            parent,
            note: call.note.as_ref().map(|note| self.words.value(note)),
            place: super::Place { file: Arc::from(Path::new(&file)), ..call.place.clone() },
        }
    }

    fn place_of(&self, tool: &str) -> Place<'c> {
        self.catalog.get(tool).and_then(|definition| definition.parameters()).map_or(Place::Unknown, Place::At)
    }

    /// A tool's name stays, unless it is one that a model made up out of something else.
    fn tool(&mut self, name: &str) -> String {
        if self.catalog.get(name).is_some() || words::is_plain_name(name, 96) {
            return name.to_owned();
        }
        let prefix = if name.starts_with("mcp__") { "mcp__" } else { "" };
        let mut new = format!("{prefix}{}", self.words.key(name));
        while self.catalog.get(&new).is_some() {
            new.push('_');
        }
        new
    }

    /// A model's name is a provider's word, unless it is a path, an address or a key.
    fn model(&mut self, model: &str) -> String {
        let (name, version) = model.split_once('@').unwrap_or((model, ""));
        let is_version = version.bytes().all(|b| b.is_ascii_digit());
        let plain = !name.starts_with('/') && !name.contains("//") && name.split(['.', '/', ':']).all(words::is_model_part);
        if plain && is_version && model.len() <= 80 { model.to_owned() } else { self.words.value(model) }
    }

    fn reason(&mut self, reason: &str) -> String {
        if words::is_plain_name(reason, 40) { reason.to_owned() } else { self.words.value(reason) }
    }

    fn arguments(&mut self, arguments: &Arguments, input: InputKind, place: Place<'c>) -> Arguments {
        match arguments {
            Arguments::Absent => Arguments::Absent,
            Arguments::Text(text) if input == InputKind::FreeText => {
                Arguments::Text(self.words.value(&text.to_well_formed()).into())
            }
            Arguments::Text(text) => Arguments::Text(self.raw_text(text, place)),
            Arguments::Json(value) => {
                let text = value.to_exact_json();
                let new = self.json(text.as_bytes(), place, 0).and_then(|text| Value::parse(&text).ok());
                Arguments::Json(new.unwrap_or_default())
            }
        }
    }

    /// A model's raw text, which may be cut off or no JSON at all: afterwards it parses as it did before, or does not.
    fn raw_text(&mut self, raw: &JsString, place: Place<'c>) -> JsString {
        let bytes = raw.as_bytes();
        let inner = trim(bytes);
        if inner.is_empty() {
            return raw.clone();
        }
        let start = inner.as_ptr().addr() - bytes.as_ptr().addr();
        let new = match parse(bytes) {
            Parsed::Value(_) => self.json(inner, place, 0).unwrap_or_default(),
            Parsed::Recovered { text, value, .. } => {
                let added = text.as_bytes().len() - inner.len();
                let cut = self.json(text.as_bytes(), place, 0).map(|mut new| {
                    new.truncate(new.len().saturating_sub(added));
                    new
                });
                cut.filter(|new| matches!(parse(new), Parsed::Recovered { .. })).unwrap_or_else(|| cut_anew(&value))
            }
            Parsed::Failed(_) => broken::redact(inner, &mut self.words),
        };
        JsString::from_wtf8(&[&bytes[..start], &new, &bytes[start + inner.len()..]].concat())
    }

    /// A recorded answer: validation texts keep their form, JSON its shape.
    fn result(&mut self, text: &str, place: Place<'c>) -> String {
        if let Some(new) = self.validation(text, place) {
            return new;
        }
        self.string(text, Place::Unknown, 0)
    }
}

/// Something cut off of the same kind, where the text itself cannot be kept; the values are gone.
fn cut_anew(value: &Value) -> Vec<u8> {
    match value {
        Value::Object(_) => b"{".to_vec(),
        _ => b"\"".to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::Definition;

    const TOOL: &str = r#"{"name": "Save", "parameters": {"type": "object", "properties": {
        "path": {"type": "string"}, "mode": {"enum": ["append", "replace"]}, "count": {"type": "integer"},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        "steps": {"type": "array", "items": {"type": "object", "properties": {"state": {"enum": ["open", "done"]}}}}},
        "required": ["path"]}}"#;

    fn redact(arguments: &str) -> String {
        let catalog = Catalog::from_definitions(Definition::parse(TOOL.as_bytes()).unwrap());
        let call = Call::new("Save", Arguments::text(arguments));
        match Redactor::new(&catalog).call(&call).arguments {
            Arguments::Text(text) => text.to_string(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn structure_stays_and_text_goes() {
        for (before, after) in [
            (
                r#"{"path": "/home/ada/plan.md", "mode": "append", "count": 3}"#,
                r#"{"path": "/dir/dir/file1.md", "mode": "append", "count": 3}"#,
            ),
            (r#"{"mode": "overwrite"}"#, r#"{"mode": "item1"}"#),
            (r#"{"filePath":"a","count":"20"}"#, r#"{"filePath":"t1","count":"10"}"#),
            (r#"{"labels":{"Ada Byron":"x","17":"x"}}"#, r#"{"labels":{"key_1":"t1","17":"t1"}}"#),
            // JSON in a string stays JSON, and what the definition lists stays in it.
            (
                r#"{"steps":"[{\"state\":\"open\",\"who\":\"Ada Byron\"}]"}"#,
                r#"{"steps":"[{\"state\":\"open\",\"who\":\"item 1\"}]"}"#,
            ),
            // Equal keys, spacing, numbers and escapes are as they were.
            ("{\"count\":1e400, \"count\" :\t-0}", "{\"count\":1e400, \"count\" :\t-0}"),
            // Cut off in the middle of a string.
            (r#"{"path": "/srv/secret/pl"#, r#"{"path": "/dir/dir/file1"#),
            (" null ", " null "),
        ] {
            assert_eq!(redact(before), after, "{before}");
        }
    }

    #[test]
    fn what_is_no_json_stays_no_json() {
        for text in [
            r#"{"path": "C:\projects\plan"}"#,
            "{'path': 'secret plan'}",
            "{\"path\": \"a\nsecret\"}",
            r#"<parameter name="path">secret plan</parameter>"#,
            "{\"path\": [\"secret",
            "secret",
            "{\"path\": \"secret\\",
            "{\"path\": \"x\"} secret",
        ] {
            let new = redact(text);
            assert!(matches!(parse(new.as_bytes()), Parsed::Failed(_)), "{text} -> {new}");
            assert!(!new.contains("secret") && !new.contains("projects"), "{text} -> {new}");
        }
    }

    #[test]
    fn validation_texts_keep_their_form() {
        let catalog = Catalog::from_definitions(Definition::parse(TOOL.as_bytes()).unwrap());
        let mut redactor = Redactor::new(&catalog);
        let mut call = Call::new("Save", Arguments::text(r#"{"labels":{"Ada Byron":1}}"#));
        let text = "Save failed due to the following issue(s):\nThe required parameter `path` is missing\n\
            The parameter `labels.Ada Byron` type is expected as `string` but provided as `number`\n\
            The parameter `mode` is invalid: expected one of \"append\"|\"replace\"\nTell Ada";
        call.result = Some(Outcome { is_error: Some(true), text: text.to_owned() });
        let new = redactor.call(&call).result.unwrap().text;
        assert_eq!(new, text.replace("Ada Byron", "key_1").replace("Tell Ada", "item 1"));
    }
}
