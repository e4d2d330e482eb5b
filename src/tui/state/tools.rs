//! The list of tools: definitions, what could not be read, and names that calls use and nobody defines.

use super::rows::{Counts, Rows};
use crate::definition::{Catalog, Definition, Finding, FindingKind};
use crate::replay::filter::Fuzzy;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

/// What a row of the list stands for. Selections are kept by it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ToolKey {
    /// All calls.
    #[default]
    All,
    /// Something that is wrong with a file.
    Finding(PathBuf, u32),
    /// A definition, by its name and its file: two files may use one name.
    Definition(String),
    /// A name that calls use and that no definition has.
    Unknown(Arc<str>),
}

/// A row of the list.
#[derive(Clone, Debug)]
pub struct ToolRow {
    /// What it stands for.
    pub key: ToolKey,
    /// The definition, if there is one.
    pub definition: Option<Arc<Definition>>,
    /// What is wrong, if that is what the row says.
    pub finding: Option<Finding>,
    /// The names that its calls use.
    pub names: Vec<Arc<str>>,
    /// Its file cannot be read any more, and this is its last good definition.
    pub kept: bool,
    /// The letters of its name that were found, by their numbers.
    pub found: Vec<usize>,
}

/// The list of tools.
#[derive(Clone, Debug, Default)]
pub struct Tools {
    all: Vec<ToolRow>,
    /// Those that match the typed letters, the best first.
    rows: Vec<ToolRow>,
    typed: String,
    selected: usize,
    /// The first row that is seen.
    pub top: usize,
    /// How many findings there are, and definitions.
    pub findings: usize,
    /// How many definitions there are.
    pub definitions: usize,
}

impl Tools {
    /// The rows.
    #[must_use]
    pub fn rows(&self) -> &[ToolRow] {
        &self.rows
    }

    /// Every row, also those that the typed letters leave out.
    #[must_use]
    pub fn all(&self) -> &[ToolRow] {
        &self.all
    }

    /// The letters by which tools are found.
    #[must_use]
    pub fn typed(&self) -> &str {
        &self.typed
    }

    /// Lists only what has these letters in its name, the best first; without letters, everything.
    pub fn narrow(&mut self, typed: &str) {
        let key = self.row().map(|row| row.key.clone()).unwrap_or_default();
        typed.clone_into(&mut self.typed);
        self.list();
        (self.selected, self.top) = (0, 0);
        if typed.trim().is_empty() {
            self.select_key(&key);
        }
    }

    fn list(&mut self) {
        let mut fuzzy = Fuzzy::new(&self.typed);
        if fuzzy.is_empty() {
            self.rows = self.all.clone();
            return;
        }
        let labels: Vec<String> = self.all.iter().map(ToolRow::label).collect();
        let found =
            |n: usize| ToolRow { found: fuzzy.find(&labels[n]).map_or_else(Vec::new, |found| found.at), ..self.all[n].clone() };
        let ranked = Fuzzy::new(&self.typed).rank(&labels);
        self.rows = ranked.into_iter().map(found).collect();
    }

    /// The selected row.
    #[must_use]
    pub fn selected(&self) -> usize {
        self.selected
    }

    /// What is selected.
    #[must_use]
    pub fn row(&self) -> Option<&ToolRow> {
        self.rows.get(self.selected)
    }

    /// Selects a row.
    pub fn select(&mut self, row: usize) {
        self.selected = row.min(self.rows.len().saturating_sub(1));
    }

    /// Selects what has this key.
    pub fn select_key(&mut self, key: &ToolKey) {
        if let Some(row) = self.rows.iter().position(|row| row.key == *key) {
            self.selected = row;
        }
    }

    /// Lists everything anew; the selection stays on what it was on, or where it was.
    pub(super) fn rebuild(&mut self, catalog: &Catalog, rows: &Rows) {
        let key = self.row().map(|row| row.key.clone()).unwrap_or_default();
        let unknown = rows.tools().map(|(name, _)| name).filter(|name| catalog.get(name).is_none());
        self.all = std::iter::once(ToolRow::of(ToolKey::All))
            .chain(catalog.findings().iter().filter(|finding| finding.kind != FindingKind::Empty).map(ToolRow::finding))
            .chain(catalog.definitions().iter().map(|definition| ToolRow::definition(definition, catalog)))
            .chain(
                unknown.map(|name| ToolRow { names: vec![Arc::clone(name)], ..ToolRow::of(ToolKey::Unknown(Arc::clone(name))) }),
            )
            .collect();
        self.list();
        self.findings = self.all.iter().filter(|row| row.finding.is_some()).count();
        self.definitions = catalog.definitions().len();
        self.select(self.selected);
        self.select_key(&key);
    }

    /// Whether a name that calls use has a row.
    pub(super) fn knows(&self, name: &str) -> bool {
        self.all.iter().any(|row| row.names.iter().any(|known| &**known == name))
    }
}

impl ToolRow {
    fn of(key: ToolKey) -> Self {
        Self { key, definition: None, finding: None, names: Vec::new(), kept: false, found: Vec::new() }
    }

    fn finding(finding: &Finding) -> Self {
        let line = finding.position.map_or(0, |position| position.line);
        Self { finding: Some(finding.clone()), ..Self::of(ToolKey::Finding(finding.path.clone(), line)) }
    }

    fn definition(definition: &Arc<Definition>, catalog: &Catalog) -> Self {
        let own = |name: &&str| catalog.get(name).is_some_and(|known| Arc::ptr_eq(known, definition));
        let qualified = definition.qualified_name();
        let names = [Some(definition.name()), qualified.as_deref()].into_iter().flatten().filter(own).map(Arc::from).collect();
        let kept = catalog.findings().iter().any(|finding| finding.kept && finding.path == definition.path());
        let name = qualified.clone().unwrap_or_else(|| definition.name().to_owned());
        Self { definition: Some(Arc::clone(definition)), names, kept, ..Self::of(ToolKey::Definition(name)) }
    }

    /// What it is called in the list.
    #[must_use]
    pub fn label(&self) -> String {
        match &self.key {
            ToolKey::All => "all calls".to_owned(),
            ToolKey::Finding(path, _) => path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
            // The names of an MCP server's tools all begin alike; where they are from stands beside them.
            ToolKey::Definition(name) => {
                self.definition.as_ref().map_or_else(|| name.clone(), |definition| definition.name().to_owned())
            }
            ToolKey::Unknown(name) => name.to_string(),
        }
    }

    /// Counts of its calls.
    #[must_use]
    pub fn counts(&self, rows: &Rows) -> Counts {
        if self.key == ToolKey::All {
            return rows.total();
        }
        self.names
            .iter()
            .map(|name| rows.counts(name))
            .fold(Counts::default(), |a, b| Counts { calls: a.calls + b.calls, failing: a.failing + b.failing })
    }

    /// The filter that shows its calls; none for all of them.
    #[must_use]
    pub fn filter(&self) -> Option<(ToolKey, HashSet<Arc<str>>)> {
        (self.key != ToolKey::All).then(|| (self.key.clone(), self.names.iter().cloned().collect()))
    }
}
