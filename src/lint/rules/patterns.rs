//! `pattern`: whether it is a pattern everywhere, and what it costs.

use crate::gate::profile::SchemaValidator;
use crate::json::Value;
use crate::lint::ecma::{self, Trait};
use crate::lint::rule::{
    rules,
    sets::{ALL, CLIENTS, MCP},
};
use crate::lint::sink::Sink;
use crate::lint::tool::{Tool, escape};

rules! {
    PATTERN_INVALID = "pattern-invalid": "a pattern that does not compile";
        [ALL => Error];
        "JSON Schema's patterns are ECMA-262 regular expressions with the `u` flag. One that is not makes ajv, and so most servers in JavaScript, refuse the schema: needless escapes like `\\_`, `(?P<name>…)`, `\\A`, `\\Z`, inline flags.";
        "measured: `[a-z\\_]`, `[\\w-.]`, `(?P<y>…)`, `\\Z` in ajv, Python and Rust";
    PATTERN_DIALECT = "pattern-dialect": "a pattern that means different things to different engines";
        [ALL => Note];
        "In Python `\\d`, `\\w` and `\\s` take digits, letters and spaces of every script, and `\\p{…}` is refused; look-around is refused by engines without backtracking (RE2, and so Gemini and Go). Spell the class out (`[0-9]`) where it matters. (That `$` also matches before a final line feed in Python is left out here: it is true of nearly every pattern.)";
        "measured: an Arabic digit, `\\p{L}`, look-ahead in Python, ajv and Rust";
    PATTERN_UNANCHORED = "pattern-unanchored": "a pattern without `^` and `$`";
        [ALL => Note];
        "A pattern is searched for anywhere in the text: without anchors one matching part is enough.";
        "JSON Schema, validation, 6.3.3";
    PATTERN_EXPENSIVE = "pattern-expensive": "a pattern that can take exponential time";
        [MCP.or(CLIENTS) => Warning];
        "Nested quantifiers and back-references make engines with backtracking try every way to split the text: a short argument can stop a server for seconds.";
        "measured: `(a+)+$` takes 3.3 s in Python for 27 characters, 1.5 s in V8 for 29";
}

pub(super) fn check(tool: &Tool<'_>, sink: &mut Sink<'_>) {
    // Where the whole compiles, each pattern does.
    let doubtful = tool.validator.refusal().is_some();
    for node in &tool.nodes {
        if let Some(value) = node.get("pattern")
            && let Some(pattern) = node.string("pattern")
        {
            pattern_rules(pattern, value, &node.at("pattern"), doubtful, sink);
        }
        let by_pattern = node.get("patternProperties").and_then(Value::as_object);
        for (pattern, _) in by_pattern.map(crate::json::Object::entries).unwrap_or_default() {
            let text = pattern.to_well_formed();
            let at = format!("{}/{}", node.at("patternProperties"), escape(&text));
            pattern_rules(&text, &Value::String(pattern.clone()), &at, doubtful, sink);
        }
    }
}

fn compiles(pattern: &Value) -> bool {
    let schema = Value::from([("pattern", pattern.clone())]);
    SchemaValidator::compile(Some(&schema), false).refusal().is_none()
}

fn pattern_rules(pattern: &str, value: &Value, at: &str, doubtful: bool, sink: &mut Sink<'_>) {
    let traits = match ecma::check(pattern) {
        Ok(traits) => traits,
        Err(problem) => {
            let message = format!("the pattern {} is no ECMA-262 pattern: {problem}", value.to_json());
            sink.report(&PATTERN_INVALID, at.to_owned(), Some(value), message);
            return;
        }
    };
    if doubtful && !compiles(value) {
        let message = format!("the pattern {} does not compile, or is too large when it does", value.to_json());
        sink.report(&PATTERN_INVALID, at.to_owned(), Some(value), message);
        return;
    }
    let differing: Vec<&str> = traits.iter().copied().filter_map(Trait::differs).collect();
    if !differing.is_empty() {
        let message = format!("engines differ on {} in the pattern", differing.join(", "));
        sink.report(&PATTERN_DIALECT, at.to_owned(), Some(value), message);
    }
    if !(traits.contains(&Trait::StartAnchor) || traits.contains(&Trait::EndAnchor)) {
        let message = format!("the pattern {} matches anywhere in the text", value.to_json());
        sink.report(&PATTERN_UNANCHORED, at.to_owned(), Some(value), message);
    }
    if traits.contains(&Trait::NestedQuantifier) || traits.contains(&Trait::BackReference) {
        let message = format!("the pattern {} can take exponential time", value.to_json());
        sink.report(&PATTERN_EXPENSIVE, at.to_owned(), Some(value), message);
    }
}
