//! Keywords: which a target does not take, which nobody knows, and which belong to another draft.

use crate::gate::Profile;
use crate::gate::profile::Draft;
use crate::json::Value;
use crate::lint::Severity;
use crate::lint::rule::{
    GeminiForm, rules,
    sets::{ALL, GATE, GEMINI, OPENAI_STRICT, STRICT},
};
use crate::lint::sink::Sink;
use crate::lint::target::Target;
use crate::lint::tool::{Node, Role, Tool};

rules! {
    KEYWORD_UNSUPPORTED = "keyword-unsupported": "a keyword that Gemini does not know";
        [] gemini Error / Some(Severity::Note); Note;
        "Gemini's `parameters` are a subset of OpenAPI: an unknown field is a 400. As `parametersJsonSchema` it is ignored, so the rule that it states is not kept.";
        "nakama#292, pizza-bot#62, goai#108, notion-mcp-server#102; google.genai.types.Schema and JSONSchema";
    KEYWORD_UNKNOWN = "keyword-unknown": "a keyword that is none";
        [ALL => Warning];
        "Validators ignore what they do not know, so a misspelled keyword is a rule that is never applied; ajv in strict mode throws. Keys of your own begin with `x-`.";
        "measured: only ajv's strict mode notices";
    KEYWORD_OTHER_DIALECT = "keyword-other-dialect": "a keyword of another draft";
        [ALL => Warning];
        "The keyword is not part of the draft that the schema is read as, so some validators apply it and others do not. A note only for `definitions`, which every validator follows references into.";
        "measured: `dependencies` under 2020-12 is enforced by ajv and Rust and ignored by Python; `prefixItems`, `dependentRequired` and others under draft-07 are ignored or refused";
    EXCLUSIVE_BOOLEAN = "exclusive-boolean": "a boolean `exclusiveMinimum` or `exclusiveMaximum`";
        [ALL => Error];
        "That is draft 4. Since draft 6 the keyword holds the bound itself, and validators refuse a boolean.";
        "measured: a meta-schema error in Python, ajv and Rust";
    FORMAT_UNSUPPORTED = "format-unsupported": "a `format` that the target does not take";
        [STRICT => Error] gemini Error / None; Warning;
        "OpenAI's strict mode takes nine names (date-time, time, date, duration, email, hostname, ipv4, ipv6, uuid), Anthropic's also uri. Gemini's `parameters` take enum and date-time for strings (newer documentation lists more) and float, double, int32 and int64 for numbers. One other name is a 400 for the whole request.";
        "oh-my-pi#206, cyanheads/git-mcp-server#47, firecrawl#196, BuilderIO/agent-native#3085";
    FORMAT_NOT_ASSERTED = "format-not-asserted": "a `format` that is not checked here";
        [GATE => Note];
        "The validator does not know the name in this draft, or leaves formats unchecked: a value that does not fit is accepted in a replay, and may be refused by a server that checks.";
        "measured: unknown names are ignored; uuid and duration are only known from 2019-09 on";
    GATE_NOT_ENFORCED = "gate-not-enforced": "a rule that the gate does not enforce";
        [GATE => Note];
        "The gate interprets `type`, `required`, `enum`, `properties`, `additionalProperties` and `items`. What else a schema demands reaches the tool unchecked: check it there.";
        "the rules of the gate, G9 to G16";
}

/// Keywords of all drafts, with the vocabulary for annotations.
const EVERY_DRAFT: [&str; 42] = [
    "$schema",
    "$ref",
    "title",
    "description",
    "default",
    "type",
    "enum",
    "properties",
    "patternProperties",
    "additionalProperties",
    "required",
    "items",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minProperties",
    "maxProperties",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "definitions",
    "$defs",
    "dependencies",
    "const",
    "contains",
    "propertyNames",
    "examples",
    "$id",
    "$comment",
    "readOnly",
    "writeOnly",
    "deprecated",
];
/// Since draft 7.
const SINCE_7: [&str; 5] = ["if", "then", "else", "contentEncoding", "contentMediaType"];
/// Since 2019-09.
const SINCE_2019: [&str; 9] = [
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedProperties",
    "unevaluatedItems",
    "minContains",
    "maxContains",
    "$anchor",
    "contentSchema",
    "$vocabulary",
];
const ONLY_2019: [&str; 2] = ["$recursiveRef", "$recursiveAnchor"];
const SINCE_2020: [&str; 3] = ["prefixItems", "$dynamicRef", "$dynamicAnchor"];
/// Gone in 2020-12, and `id`, gone after draft 4.
const OLD: [&str; 2] = ["additionalItems", "id"];
/// Not JSON Schema, but known and harmless: `OpenAPI`'s, and what Gemini and code editors add.
const OTHERS: [&str; 18] = [
    "nullable",
    "example",
    "discriminator",
    "xml",
    "externalDocs",
    "propertyOrdering",
    "property_ordering",
    "any_of",
    "min_items",
    "max_items",
    "min_length",
    "max_length",
    "min_properties",
    "max_properties",
    "additional_properties",
    "prefix_items",
    "defs",
    "ref",
];

/// What Gemini's `parameters` take.
const GEMINI_TAKES: [&str; 24] = [
    "type",
    "format",
    "title",
    "description",
    "nullable",
    "enum",
    "items",
    "maxItems",
    "minItems",
    "properties",
    "required",
    "minProperties",
    "maxProperties",
    "minLength",
    "maxLength",
    "pattern",
    "example",
    "anyOf",
    "propertyOrdering",
    "default",
    "minimum",
    "maximum",
    "defs",
    "ref",
];
/// What Gemini's `parametersJsonSchema` heeds, besides.
const GEMINI_JSON_TAKES: [&str; 8] =
    ["$id", "$defs", "$ref", "$anchor", "prefixItems", "additionalProperties", "uniqueItems", "$schema"];

/// The formats that OpenAI's strict mode takes.
const STRICT_FORMATS: [&str; 9] = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

fn is_known(keyword: &str) -> bool {
    let lists: [&[&str]; 7] = [&EVERY_DRAFT, &SINCE_7, &SINCE_2019, &ONLY_2019, &SINCE_2020, &OLD, &OTHERS];
    keyword.starts_with("x-") || lists.iter().any(|list| list.contains(&keyword))
}

pub(super) fn check(tool: &Tool<'_>, sink: &mut Sink<'_>) {
    for node in &tool.nodes {
        for (keyword, value) in node.schema.entries() {
            let keyword = keyword.to_well_formed();
            if !is_known(&keyword) {
                let hint = did_you_mean(&keyword).map(|known| format!("; did you mean `{known}`?")).unwrap_or_default();
                let message = format!("`{keyword}` is no keyword{hint}");
                sink.report(&KEYWORD_UNKNOWN, node.at(&keyword), Some(value), message);
            }
            other_dialect(tool, node, &keyword, value, sink);
            gemini(tool, node, &keyword, value, sink);
            not_enforced(node, &keyword, value, sink);
            if matches!(&*keyword, "exclusiveMinimum" | "exclusiveMaximum")
                && matches!(value, Value::Bool(_))
                && tool.draft != Draft::Draft4
            {
                let message = format!("`{keyword}` is {}, and holds a number since draft 6", value.to_json());
                sink.report(&EXCLUSIVE_BOOLEAN, node.at(&keyword), Some(value), message);
            }
        }
        format(tool, node, sink);
    }
}

/// The known keyword that an unknown one was probably meant to be: one or two slips away.
fn did_you_mean(keyword: &str) -> Option<&'static str> {
    let lists: [&[&'static str]; 4] = [&EVERY_DRAFT, &SINCE_7, &SINCE_2019, &SINCE_2020];
    let slips = |known: &str| distance(&keyword.to_lowercase(), &known.to_lowercase());
    let near = lists.iter().flat_map(|list| list.iter().copied()).map(|known| (slips(known), known)).min()?;
    (near.0 <= 2 && near.0 < keyword.len().div_ceil(2)).then_some(near.1)
}

/// The number of letters to insert, drop, replace or swap with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 2 {
        return usize::MAX;
    }
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let swapped = if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    rows[i - 2][j - 2] + 1
                } else {
                    usize::MAX
                };
                replaced.min(swapped).min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1)
            };
        }
    }
    rows[a.len()][b.len()]
}

fn other_dialect(tool: &Tool<'_>, node: &Node<'_>, keyword: &str, value: &Value, sink: &mut Sink<'_>) {
    let draft = tool.draft;
    let foreign = (SINCE_2019.contains(&keyword) && draft < Draft::Draft201909)
        || (SINCE_2020.contains(&keyword) && draft < Draft::Draft202012)
        || (ONLY_2019.contains(&keyword) && draft != Draft::Draft201909)
        || (SINCE_7.contains(&keyword) && draft < Draft::Draft7)
        || (keyword == "dependencies" && draft >= Draft::Draft201909)
        || (keyword == "additionalItems" && draft >= Draft::Draft202012)
        || (keyword == "id" && draft > Draft::Draft4 && node.role == Role::Root);
    let message = || format!("`{keyword}` is not part of {}", draft.name());
    if foreign {
        sink.report(&KEYWORD_OTHER_DIALECT, node.at(keyword), Some(value), message());
    } else if keyword == "definitions" && draft >= Draft::Draft201909 {
        sink.report_as(&KEYWORD_OTHER_DIALECT, ALL, Severity::Note, node.at(keyword), Some(value), message());
    }
}

fn gemini(tool: &Tool<'_>, node: &Node<'_>, keyword: &str, value: &Value, sink: &mut Sink<'_>) {
    if !sink.wants(Target::Gemini) || GEMINI_TAKES.contains(&keyword) || !is_known(keyword) || keyword.contains('_') {
        return;
    }
    let heeded = GEMINI_JSON_TAKES.contains(&keyword);
    match tool.form {
        // The SDK's type has it; older endpoints refuse it.
        GeminiForm::Parameters if keyword == "additionalProperties" => {
            let message = format!("`{keyword}` is refused by older endpoints");
            sink.report_as(&KEYWORD_UNSUPPORTED, GEMINI, Severity::Warning, node.at(keyword), Some(value), message);
        }
        GeminiForm::JsonSchema | GeminiForm::Converted if heeded => {}
        form => {
            let what = if form == GeminiForm::Parameters { "unknown to Gemini" } else { "ignored by Gemini" };
            sink.report(&KEYWORD_UNSUPPORTED, node.at(keyword), Some(value), format!("`{keyword}` is {what}"));
        }
    }
}

/// Says which rules of a schema the profile in force leaves to the tool.
fn not_enforced(node: &Node<'_>, keyword: &str, value: &Value, sink: &mut Sink<'_>) {
    let rules = [
        "const",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "pattern",
        "minItems",
        "maxItems",
        "uniqueItems",
        "contains",
        "minProperties",
        "maxProperties",
        "patternProperties",
        "propertyNames",
        "anyOf",
        "oneOf",
        "allOf",
        "not",
        "if",
        "dependentRequired",
        "dependentSchemas",
        "dependencies",
        "prefixItems",
        "$ref",
        "unevaluatedProperties",
        "unevaluatedItems",
        "$dynamicRef",
    ];
    if sink.profile() == Profile::Wave && rules.contains(&keyword) {
        sink.report(&GATE_NOT_ENFORCED, node.at(keyword), Some(value), format!("the gate does not enforce `{keyword}`"));
    }
}

fn format(tool: &Tool<'_>, node: &Node<'_>, sink: &mut Sink<'_>) {
    let Some(name) = node.string("format") else { return };
    let value = node.get("format");
    let mut refused = OPENAI_STRICT;
    if STRICT_FORMATS.contains(&name) {
        refused = crate::lint::Targets::NONE;
    } else if name != "uri" {
        refused = STRICT;
    }
    let taken = if node.is_type("string") || node.types().is_empty() {
        matches!(name, "enum" | "date-time")
    } else {
        matches!(name, "float" | "double" | "int32" | "int64")
    };
    if !taken {
        refused = refused.or(GEMINI);
    }
    sink.report_for(&FORMAT_UNSUPPORTED, refused, node.at("format"), value, format!("the format `{name}` is not taken"));
    let asserts = match sink.profile() {
        Profile::Wave => false,
        Profile::JsonSchema { formats } => formats && is_asserted(tool.draft, name),
    };
    if !asserts {
        let message = format!("the format `{name}` is not checked here");
        sink.report(&FORMAT_NOT_ASSERTED, node.at("format"), value, message);
    }
}

/// Whether the validator checks a format where formats are asserted.
fn is_asserted(draft: Draft, name: &str) -> bool {
    match name {
        "date-time" | "email" | "hostname" | "ipv4" | "ipv6" | "uri" => true,
        "uri-reference" | "uri-template" | "json-pointer" => draft >= Draft::Draft6,
        "date" | "time" | "regex" | "relative-json-pointer" | "iri" | "iri-reference" => draft >= Draft::Draft7,
        "duration" | "uuid" => draft >= Draft::Draft201909,
        _ => false,
    }
}
