//! Definitions laid out to be explored, with what lint finds in them.

use crate::definition::{Catalog, Definition, Parameter, Part};
use crate::gate::{Gate, Profile};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

/// How definitions are linted: as `misfire lint` does by the same configuration.
#[cfg(feature = "jsonschema")]
pub type LintOptions = crate::lint::Options;
/// Without the validator nothing is linted.
#[cfg(not(feature = "jsonschema"))]
#[derive(Clone, Copy, Debug, Default)]
pub struct LintOptions;

/// How much a finding matters, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A note.
    Note,
    /// A warning.
    Warning,
    /// An error.
    Error,
}

impl Severity {
    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// What lint says of a definition.
#[derive(Clone, Debug)]
pub struct Lint {
    /// The rule's name.
    pub rule: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// For whom.
    pub targets: String,
    /// What is wrong.
    pub message: String,
    /// The line in the definition's file.
    pub line: u32,
    /// The parameter that it is about, by its row; none for the tool itself.
    pub row: Option<usize>,
    /// Why it matters, as `misfire lint --explain` says it.
    pub why: String,
}

/// A definition, laid out.
#[derive(Clone, Debug)]
pub struct Explored {
    /// The definition.
    pub definition: Arc<Definition>,
    /// The names that its calls use.
    pub names: Vec<String>,
    /// Its parameters.
    pub rows: Vec<Parameter>,
    /// Whether the rules in force look at each of them at all.
    pub reached: Vec<bool>,
    /// What is searched in: for the tool, and then for each parameter, in lower case.
    pub texts: Vec<String>,
    /// What lint says, in the order of the file.
    pub lints: Vec<Lint>,
    /// When its file was changed last, in milliseconds since 1970.
    pub changed: Option<i64>,
    /// The draft of JSON Schema that it is written in.
    pub draft: &'static str,
}

impl Explored {
    /// The name by which it is shown.
    #[must_use]
    pub fn name(&self) -> &str {
        self.definition.name()
    }

    /// How much the worst finding matters.
    #[must_use]
    pub fn worst(&self) -> Option<Severity> {
        self.lints.iter().map(|lint| lint.severity).max()
    }
}

/// All definitions, laid out for a gate.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    /// The gate that was in force.
    pub gate: Arc<Gate>,
    /// The definitions, in the order of the catalog.
    pub tools: Vec<Explored>,
}

/// Lays all of them out.
pub(in crate::tui) fn explore(catalog: &Catalog, gate: &Arc<Gate>, options: &LintOptions) -> Definitions {
    let profile = gate.profile();
    let mut tools: Vec<Explored> = catalog.definitions().iter().map(|definition| lay_out(definition, catalog, profile)).collect();
    lint(&mut tools, catalog, options, profile);
    Definitions { gate: Arc::clone(gate), tools }
}

fn lay_out(definition: &Arc<Definition>, catalog: &Catalog, profile: Profile) -> Explored {
    let rows = definition.parameter_rows();
    let own = |name: &&str| catalog.get(name).is_some_and(|known| Arc::ptr_eq(known, definition));
    let qualified = definition.qualified_name();
    let names = [Some(definition.name()), qualified.as_deref()];
    let names = names.into_iter().flatten().filter(own).map(str::to_owned).collect();
    let mut texts = vec![[definition.name(), definition.description().unwrap_or_default()].join("\n").to_lowercase()];
    texts.extend(rows.iter().map(text));
    let modified = std::fs::metadata(definition.path()).and_then(|data| data.modified()).ok();
    let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let changed = since.and_then(|since| i64::try_from(since.as_millis()).ok());
    let (reached, draft) = (reached(&rows, profile), draft(definition));
    Explored { definition: Arc::clone(definition), names, rows, reached, texts, lints: Vec::new(), changed, draft }
}

fn text(row: &Parameter) -> String {
    let mut text = [row.name.as_str(), &row.types].join("\n");
    for more in row.values.iter().chain(&row.default).chain(&row.description) {
        text.push('\n');
        text.push_str(more);
    }
    for constraint in &row.constraints {
        text.push('\n');
        text.push_str(&constraint.text);
    }
    text.to_lowercase()
}

/// Whether the rules look at a row at all: the gate's own leave out what stands in unions and behind references (rules G9, G16).
fn reached(rows: &[Parameter], profile: Profile) -> Vec<bool> {
    let mut reached: Vec<bool> = Vec::with_capacity(rows.len());
    for row in rows {
        let keyword = match row.part {
            Part::Key(_) => "properties",
            Part::Element => "items",
            Part::Other => "additionalProperties",
            Part::Nth(_) => "prefixItems",
            Part::Form => "anyOf",
        };
        let parent = row.parent.map(|parent| (&rows[parent], reached[parent]));
        let refers = |row: &Parameter| row.constraints.iter().any(|constraint| constraint.keyword == "$ref");
        let open = parent.is_none_or(|(parent, reached)| reached && (profile.enforces("$ref") || !refers(parent)));
        reached.push(open && profile.enforces(keyword));
    }
    reached
}

#[cfg(feature = "jsonschema")]
fn draft(definition: &Definition) -> &'static str {
    use crate::gate::profile::Draft;
    definition.parameters().map_or(Draft::Draft202012, Draft::of).name()
}

#[cfg(not(feature = "jsonschema"))]
fn draft(_: &Definition) -> &'static str {
    "not looked at"
}

#[cfg(feature = "jsonschema")]
fn lint(tools: &mut [Explored], catalog: &Catalog, options: &LintOptions, profile: Profile) {
    use crate::lint;
    let options = LintOptions { profile, ..options.clone() };
    // The report begins with the definitions, in their order.
    for (tool, report) in tools.iter_mut().zip(lint::lint(catalog, &options).tools) {
        let found = |finding: lint::Finding| Lint {
            rule: finding.rule.id,
            severity: match finding.severity {
                lint::Severity::Note => Severity::Note,
                lint::Severity::Warning => Severity::Warning,
                lint::Severity::Error => Severity::Error,
            },
            targets: finding.targets.names().join(", "),
            row: row_of(&tool.rows, &finding.pointer),
            message: finding.message,
            line: finding.line,
            why: finding.rule.explanation(),
        };
        tool.lints = report.findings.into_iter().map(found).collect();
    }
}

#[cfg(not(feature = "jsonschema"))]
fn lint(_: &mut [Explored], _: &Catalog, _: &LintOptions, _: Profile) {}

/// The row whose schema holds a place, the innermost one.
#[cfg(feature = "jsonschema")]
fn row_of(rows: &[Parameter], place: &str) -> Option<usize> {
    let holds = |pointer: &str| place.strip_prefix(pointer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let length = |row: &Parameter| {
        let pointers = std::iter::once(&row.pointer).chain(&row.target);
        pointers.filter(|pointer| holds(pointer)).map(String::len).max()
    };
    let lengths = rows.iter().enumerate().filter_map(|(n, row)| Some((length(row)?, n)));
    lengths.max_by_key(|(length, n)| (*length, std::cmp::Reverse(*n))).map(|(_, n)| n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "jsonschema")]
    #[test]
    fn findings_stand_at_the_rows_that_they_are_about() {
        let text = br##"[{"type": "function", "function": {"name": "t", "description": "Does it.", "parameters": {"type": "object",
            "$defs": {"d": {"properties": {"deep": {"type": "array"}}}},
            "properties": {"list": {"type": "array", "description": "Some."}, "list2": {"type": "string"}, "d": {"$ref": "#/$defs/d"}}}}}]"##;
        let catalog = Catalog::from_definitions(Definition::parse(text).unwrap());
        let gate = Arc::new(Gate::new(&catalog));
        let explored = explore(&catalog, &gate, &LintOptions::default());
        let tool = &explored.tools[0];
        let at = |rule: &str| -> Vec<&str> {
            let lints = tool.lints.iter().filter(|lint| lint.rule == rule);
            lints.map(|lint| lint.row.map_or("", |row| tool.rows[row].name.as_str())).collect()
        };
        assert_eq!(at("array-items-missing"), ["deep", "list"]);
        assert!(tool.lints.iter().all(|lint| lint.why.contains("known from")), "{:?}", tool.lints);
        assert_eq!(tool.worst(), Some(Severity::Error));
        let names: Vec<_> = tool.rows.iter().zip(&tool.reached).map(|(row, reached)| (row.name.as_str(), *reached)).collect();
        assert_eq!(names, [("list", true), ("list2", true), ("d", true), ("deep", false)]);
        let full = Arc::new(Gate::with_profile(&catalog, Profile::JsonSchema { formats: false }));
        assert!(explore(&catalog, &full, &LintOptions::default()).tools[0].reached.iter().all(|reached| *reached));
        assert_eq!((tool.draft, tool.name()), ("2020-12", "t"));
        assert!(tool.texts[1].contains("list") && tool.texts[1].contains("some."));
    }
}
