//! What is wrong with a definition itself: what providers refuse, what clients ignore or mangle, what validators disagree
//! on, and what a model cannot know.
//!
//! A provider checks all tools of a request and refuses it for one bad definition, so an error here matters although every
//! recorded call replays clean. Each rule is data ([`rules`]): for whom it matters and how much, why, and where that is
//! known from.
//!
//! ```
//! use misfire::definition::{Catalog, Definition};
//! use misfire::lint::{Options, Severity, lint};
//!
//! let tool = Definition::parse(br#"{"type": "function", "function": {"name": "reload", "description": "Reload some files.",
//!     "parameters": {"type": "object", "properties": {"paths": {"type": "array"}}}}}"#)?;
//! let report = lint(&Catalog::from_definitions(tool), &Options::default());
//!
//! let finding = &report.tools[0].findings.iter().find(|finding| finding.severity == Severity::Error).unwrap();
//! assert_eq!(finding.rule.id, "array-items-missing");
//! assert_eq!(finding.pointer, "/properties/paths");
//! # Ok::<(), misfire::definition::ReadError>(())
//! ```

mod diff;
mod ecma;
mod fingerprint;
mod fix;
mod lines;
mod rule;
mod rules;
mod sink;
mod target;
mod tool;

pub use fingerprint::fingerprint;
pub use fix::{Edit, FileFix, fixes};
pub use rule::{GeminiForm, GeminiLevels, Rule, Severity};
pub use target::{Target, Targets, is_strict};

use crate::definition::{Catalog, Definition};
use crate::gate::Profile;
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

/// What to check, and for whom.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// For whom; `None`: for those that each definition's form shows it was made for ([`Targets::of_form`]).
    pub targets: Option<Targets>,
    /// Apply the strict rules to tools that do not ask for strict decoding too.
    pub assume_strict: bool,
    /// What a client puts before the tool's name: `mcp__server__`.
    pub name_prefix: String,
    /// The rules by which calls are judged: what they leave out is what the rules for the gate are about.
    pub profile: Profile,
    /// Only these rules, if any are named.
    pub select: HashSet<String>,
    /// Not these rules.
    pub ignore: HashSet<String>,
    /// Severities by rule that differ from the rule's own; `None` switches it off.
    pub levels: BTreeMap<String, Option<Severity>>,
}

impl Options {
    fn takes(&self, rule: &str) -> bool {
        (self.select.is_empty() || self.select.contains(rule)) && !self.ignore.contains(rule)
    }

    fn level(&self, rule: &str, severity: Severity) -> Option<Severity> {
        self.levels.get(rule).copied().unwrap_or(Some(severity))
    }
}

/// Something about a definition.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule that it breaks.
    pub rule: &'static Rule,
    /// How much it matters, to these targets.
    pub severity: Severity,
    /// For whom it matters so much; for others the same may be another finding.
    pub targets: Targets,
    /// Where in the parameters, as a JSON Pointer; empty for the tool itself.
    pub pointer: String,
    /// The file that the definition was read from; empty for text that came from nowhere.
    pub file: PathBuf,
    /// The line there, from 1.
    pub line: u32,
    /// What is wrong, in one sentence with the values.
    pub message: String,
    /// The same for the same finding in another run: see [`fingerprint()`].
    pub fingerprint: String,
}

/// A tool and what was found about it.
#[derive(Clone, Debug)]
pub struct ToolReport {
    /// The tool's name.
    pub name: String,
    /// The file that it was read from.
    pub file: PathBuf,
    /// The line there at which it starts.
    pub line: u32,
    /// In the order of the file.
    pub findings: Vec<Finding>,
}

/// Everything that was found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Every tool, in the order of the catalog, those without findings too.
    pub tools: Vec<ToolReport>,
}

impl Report {
    /// All findings.
    pub fn findings(&self) -> impl Iterator<Item = (&ToolReport, &Finding)> {
        self.tools.iter().flat_map(|tool| tool.findings.iter().map(move |finding| (tool, finding)))
    }

    /// How many findings there are of a severity.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.findings().filter(|(_, finding)| finding.severity == severity).count()
    }

    /// The worst severity of any finding.
    #[must_use]
    pub fn worst(&self) -> Option<Severity> {
        self.findings().map(|(_, finding)| finding.severity).max()
    }
}

/// Every rule, by id.
#[must_use]
pub fn rules() -> Vec<&'static Rule> {
    let mut all: Vec<&'static Rule> = rules::all().collect();
    all.sort_by_key(|rule| rule.id);
    all
}

/// The rule with that id.
#[must_use]
pub fn rule(id: &str) -> Option<&'static Rule> {
    rules::all().find(|rule| rule.id == id)
}

/// Checks every definition of a catalog.
#[must_use]
pub fn lint(catalog: &Catalog, options: &Options) -> Report {
    let lines = lines::Lines::default();
    let mut request = rules::request::Request::default();
    let mut report = Report::default();
    // Those that no call is judged by are sent to providers all the same.
    for definition in catalog.definitions().iter().chain(catalog.duplicates()) {
        let tool = tool::Tool::new(definition);
        let mut sink = sink::Sink::new(options, &tool, &lines);
        rules::check(&tool, &mut sink);
        rules::schema::check_whole(&tool, &mut sink);
        request.add(&tool, &mut sink);
        if let Some(first) = catalog.get(definition.name()).filter(|first| is_duplicate(catalog, first, definition)) {
            rules::request::duplicate(&tool, first, &mut sink);
        }
        report.tools.push(ToolReport {
            name: definition.name().to_owned(),
            file: definition.path().to_owned(),
            line: lines.line(definition, ""),
            findings: sink.finish(),
        });
    }
    report
}

fn is_duplicate(catalog: &Catalog, first: &Arc<Definition>, definition: &Arc<Definition>) -> bool {
    !Arc::ptr_eq(first, definition) && catalog.duplicates().iter().any(|duplicate| Arc::ptr_eq(duplicate, definition))
}
