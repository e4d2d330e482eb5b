//! The explorer of definitions: one tree of all of them, folded here and there, and what is searched for in it.

use crate::definition::parameter_pattern;
use crate::replay::stats::{Statistics, ToolStatistics, Usage};
use crate::tui::job::{Definitions, Explored, Lint, Severity};
use std::collections::HashSet;
use std::sync::Arc;

/// A row of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Item {
    /// Which definition.
    pub tool: usize,
    /// What of it.
    pub part: ItemPart,
}

/// What a row shows of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ItemPart {
    /// Itself.
    Tool,
    /// A finding of lint.
    Lint(usize),
    /// A parameter.
    Parameter(usize),
    /// Something that calls send and nothing declares.
    Undeclared(usize),
}

/// What is selected, by names that stay when definitions are read again.
type Key = (String, String);

/// The explorer.
#[derive(Clone, Debug, Default)]
pub struct Explorer {
    /// The definitions.
    pub definitions: Arc<Definitions>,
    /// The counts, where they have been asked for.
    pub statistics: Option<Arc<Statistics>>,
    /// The counts of each definition's calls.
    counts: Vec<ToolStatistics>,
    /// The rows that are not folded away.
    rows: Vec<Item>,
    cursor: usize,
    /// The first row that is seen.
    pub top: usize,
    /// What is not as it is at first: tools that are unfolded, parameters that are folded.
    toggled: HashSet<Key>,
    /// Notes of lint are left out.
    hides_notes: bool,
    query: String,
    found: Vec<Item>,
    /// The selected finding is explained, from this line on.
    pub explained: Option<usize>,
}

impl Explorer {
    /// The rows that are not folded away.
    #[must_use]
    pub fn rows(&self) -> &[Item] {
        &self.rows
    }

    /// The selected row.
    #[must_use]
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// What is selected.
    #[must_use]
    pub fn item(&self) -> Option<Item> {
        self.rows.get(self.cursor).copied()
    }

    /// The definition of a row.
    #[must_use]
    pub fn tool(&self, item: Item) -> Option<&Explored> {
        self.definitions.tools.get(item.tool)
    }

    /// The counts of a definition's calls.
    #[must_use]
    pub fn counts(&self, tool: usize) -> Option<&ToolStatistics> {
        self.counts.get(tool)
    }

    /// How what a row shows is used; none where that is not counted.
    #[must_use]
    pub fn usage(&self, item: Item) -> Option<&Usage> {
        let counts = self.counts(item.tool)?;
        match item.part {
            ItemPart::Parameter(row) => counts.parameters.get(row),
            ItemPart::Undeclared(n) => counts.undeclared.values().nth(n),
            ItemPart::Tool | ItemPart::Lint(_) => None,
        }
    }

    /// Whether lint has notes, hidden or not.
    #[must_use]
    pub fn has_notes(&self) -> bool {
        self.definitions.tools.iter().flat_map(|tool| &tool.lints).any(|lint| lint.severity == Severity::Note)
    }

    /// Whether notes of lint are left out.
    #[must_use]
    pub fn hides_notes(&self) -> bool {
        self.hides_notes
    }

    /// Leaves notes of lint out, or shows them again. What is selected stays so, or what it stands in.
    pub fn toggle_notes(&mut self) {
        let selected = self.item();
        self.hides_notes = !self.hides_notes;
        self.rebuild();
        if let Some(item) = selected {
            let around = self.lint_of(item).map_or(ItemPart::Tool, |lint| lint.row.map_or(ItemPart::Tool, ItemPart::Parameter));
            self.select_item(Item { part: around, ..item });
            self.select_item(item);
        }
    }

    fn lint_of(&self, item: Item) -> Option<&Lint> {
        match item.part {
            ItemPart::Lint(n) => self.tool(item)?.lints.get(n),
            _ => None,
        }
    }

    /// The findings that are shown of a definition.
    fn lints<'t>(&self, tool: &'t Explored) -> impl Iterator<Item = (usize, &'t Lint)> + use<'t> {
        let hides = self.hides_notes;
        tool.lints.iter().enumerate().filter(move |(_, lint)| !hides || lint.severity != Severity::Note)
    }

    /// The pointer of an undeclared row.
    #[must_use]
    pub fn undeclared(&self, tool: usize, n: usize) -> Option<&str> {
        self.counts(tool)?.undeclared.keys().nth(n).map(|pointer| &**pointer)
    }

    /// The finding that is selected.
    #[must_use]
    pub fn lint(&self) -> Option<&Lint> {
        self.lint_of(self.item()?)
    }

    /// A pattern for the places of issues with what a row shows.
    #[must_use]
    pub fn pattern(&self, item: Item) -> Option<String> {
        match item.part {
            ItemPart::Parameter(row) => Some(parameter_pattern(&self.tool(item)?.rows, row)),
            ItemPart::Undeclared(n) => self.undeclared(item.tool, n).map(str::to_owned),
            ItemPart::Tool | ItemPart::Lint(_) => None,
        }
    }

    /// Where the schema of the selected row stands in the parameters of its definition; none of what nothing declares.
    #[must_use]
    pub fn schema_pointer(&self) -> Option<&str> {
        let item = self.item()?;
        let tool = self.tool(item)?;
        let row = match item.part {
            ItemPart::Parameter(row) => Some(row),
            ItemPart::Lint(n) => tool.lints.get(n)?.row,
            ItemPart::Tool => None,
            ItemPart::Undeclared(_) => return None,
        };
        row.map_or(Some(""), |row| tool.rows.get(row).map(|row| &*row.pointer))
    }

    /// How deep a row stands.
    #[must_use]
    pub fn depth(&self, item: Item) -> usize {
        let of = |row: usize| self.tool(item).and_then(|tool| tool.rows.get(row)).map_or(0, |row| row.depth + 1);
        match item.part {
            ItemPart::Tool => 0,
            ItemPart::Parameter(row) => of(row),
            ItemPart::Undeclared(_) => 1,
            ItemPart::Lint(n) => {
                let row = self.tool(item).and_then(|tool| tool.lints.get(n)).and_then(|lint| lint.row);
                row.map_or(1, |row| of(row) + 1)
            }
        }
    }

    /// Whether something stands inside of a row.
    #[must_use]
    pub fn can_fold(&self, item: Item) -> bool {
        let Some(tool) = self.tool(item) else { return false };
        match item.part {
            ItemPart::Tool => {
                !tool.rows.is_empty() || self.lints(tool).next().is_some() || self.undeclared(item.tool, 0).is_some()
            }
            ItemPart::Parameter(row) => {
                tool.rows.get(row + 1).is_some_and(|next| next.parent == Some(row))
                    || self.lints(tool).any(|(_, lint)| lint.row == Some(row))
            }
            ItemPart::Lint(_) | ItemPart::Undeclared(_) => false,
        }
    }

    /// Whether what stands inside of a row is shown.
    #[must_use]
    pub fn is_open(&self, item: Item) -> bool {
        self.key(item).is_some_and(|key| self.toggled.contains(&key)) == (item.part == ItemPart::Tool)
    }

    fn key(&self, item: Item) -> Option<Key> {
        let tool = self.tool(item)?;
        let name = tool.definition.qualified_name().unwrap_or_else(|| tool.name().to_owned());
        let part = match item.part {
            ItemPart::Tool => String::new(),
            ItemPart::Parameter(_) | ItemPart::Undeclared(_) => self.pattern(item)? + &format!("#{}", self.depth(item)),
            ItemPart::Lint(n) => format!("lint {}", tool.lints.get(n)?.message),
        };
        Some((name, part))
    }

    /// Takes in definitions that were laid out anew.
    pub fn set_definitions(&mut self, definitions: Definitions) {
        let key = self.item().and_then(|item| self.key(item));
        self.definitions = Arc::new(definitions);
        self.count();
        self.rebuild();
        self.select_key(key);
        self.find();
    }

    /// Takes in new counts.
    pub fn set_statistics(&mut self, statistics: Statistics) {
        let key = self.item().and_then(|item| self.key(item));
        self.statistics = Some(Arc::new(statistics));
        self.count();
        self.rebuild();
        self.select_key(key);
    }

    fn count(&mut self) {
        let Some(statistics) = &self.statistics else { return };
        let names = |tool: &Explored| statistics.of_tool(tool.names.iter().map(String::as_str));
        self.counts = self.definitions.tools.iter().map(names).collect();
    }

    fn select_key(&mut self, key: Option<Key>) {
        let at = key.and_then(|key| self.rows.iter().position(|item| self.key(*item).as_ref() == Some(&key)));
        self.select(at.unwrap_or(self.cursor));
    }

    /// Selects a row.
    pub fn select(&mut self, row: usize) {
        self.cursor = row.min(self.rows.len().saturating_sub(1));
        self.explained = None;
    }

    /// Selects what a row shows, if there is such a row.
    pub fn select_item(&mut self, item: Item) {
        if let Some(row) = self.rows.iter().position(|row| *row == item) {
            self.select(row);
        }
    }

    /// Selects a definition.
    pub fn select_tool(&mut self, name: &str) {
        let tool = self.definitions.tools.iter().position(|tool| tool.names.iter().any(|known| known == name));
        if let Some(tool) = tool {
            let item = Item { tool, part: ItemPart::Tool };
            if !self.is_open(item) {
                self.toggle(item);
            }
            self.select(self.rows.binary_search_by_key(&tool, |item| item.tool).unwrap_or(0));
            while self.cursor > 0 && self.rows.get(self.cursor - 1).is_some_and(|before| before.tool == tool) {
                self.cursor -= 1;
            }
        }
    }

    /// Folds a row, or unfolds it.
    pub fn toggle(&mut self, item: Item) {
        if let Some(key) = self.key(item).filter(|_| self.can_fold(item)) {
            if !self.toggled.remove(&key) {
                self.toggled.insert(key);
            }
            self.rebuild();
        }
    }

    /// Unfolds all definitions, or folds all of them where all are unfolded. What is selected stays so, or what it stands in.
    pub fn toggle_all(&mut self) {
        let selected = self.item();
        let tools = (0..self.definitions.tools.len()).map(|tool| Item { tool, part: ItemPart::Tool });
        let folded: Vec<Item> = tools.clone().filter(|item| self.can_fold(*item) && !self.is_open(*item)).collect();
        let all: Vec<Item> = if folded.is_empty() { tools.collect() } else { folded };
        let keys: Vec<Key> = all.iter().filter_map(|item| self.key(*item)).collect();
        for key in keys {
            if !self.toggled.remove(&key) {
                self.toggled.insert(key);
            }
        }
        self.rebuild();
        let at = |item: Item| self.rows.iter().position(|row| *row == item);
        let found = selected.and_then(|item| at(item).or_else(|| at(Item { part: ItemPart::Tool, ..item })));
        self.select(found.unwrap_or(0));
    }

    /// Goes to the row that the selected one stands in; folds it, if it is unfolded.
    pub fn go_out(&mut self) {
        let Some(item) = self.item() else { return };
        if self.can_fold(item) && self.is_open(item) {
            return self.toggle(item);
        }
        let depth = self.depth(item);
        if let Some(row) = self.rows[..self.cursor].iter().rposition(|row| self.depth(*row) < depth) {
            self.select(row);
        }
    }

    /// Unfolds the selected row, or goes to the first one in it.
    pub fn go_in(&mut self) {
        let Some(item) = self.item().filter(|item| self.can_fold(*item)) else { return };
        if self.is_open(item) { self.select(self.cursor + 1) } else { self.toggle(item) }
    }

    fn rebuild(&mut self) {
        let mut rows = Vec::new();
        for tool in 0..self.definitions.tools.len() {
            self.push_tool(tool, &mut rows);
        }
        self.rows = rows;
        self.cursor = self.cursor.min(self.rows.len().saturating_sub(1));
    }

    fn push_tool(&self, tool: usize, rows: &mut Vec<Item>) {
        let item = |part| Item { tool, part };
        rows.push(item(ItemPart::Tool));
        if !self.is_open(item(ItemPart::Tool)) {
            return;
        }
        let known = &self.definitions.tools[tool];
        let lints = |row: Option<usize>| {
            let here = self.lints(known).filter(move |(_, lint)| lint.row == row);
            here.map(|(n, _)| item(ItemPart::Lint(n)))
        };
        let has_lint: HashSet<usize> = self.lints(known).filter_map(|(_, lint)| lint.row).collect();
        rows.extend(lints(None));
        // While one is folded, what is deeper is left out.
        let mut folded: Option<usize> = None;
        for (n, row) in known.rows.iter().enumerate() {
            if folded.is_some_and(|depth| row.depth > depth) {
                continue;
            }
            folded = None;
            rows.push(item(ItemPart::Parameter(n)));
            if self.is_open(item(ItemPart::Parameter(n))) {
                if has_lint.contains(&n) {
                    rows.extend(lints(Some(n)));
                }
            } else {
                folded = Some(row.depth);
            }
        }
        let undeclared = self.counts(tool).map_or(0, |counts| counts.undeclared.len());
        rows.extend((0..undeclared).map(|n| item(ItemPart::Undeclared(n))));
    }

    /// What is searched for.
    #[must_use]
    pub fn query(&self) -> &str {
        &self.query
    }

    /// Everything that was found, whether or not it is folded away.
    #[must_use]
    pub fn found(&self) -> &[Item] {
        &self.found
    }

    /// The how-manieth of what was found is selected, from 1.
    #[must_use]
    pub fn found_at(&self) -> Option<usize> {
        self.found.binary_search(&self.item()?).ok().map(|n| n + 1)
    }

    /// Searches for words, all of which must be in one place, in any case.
    pub fn set_query(&mut self, query: &str) {
        query.clone_into(&mut self.query);
        self.find();
    }

    fn find(&mut self) {
        self.found.clear();
        let query = self.query.to_lowercase();
        let words: Vec<memchr::memmem::Finder<'_>> = query.split_whitespace().map(memchr::memmem::Finder::new).collect();
        if words.is_empty() {
            return;
        }
        for (tool, known) in self.definitions.tools.iter().enumerate() {
            for (n, text) in known.texts.iter().enumerate() {
                if words.iter().all(|word| word.find(text.as_bytes()).is_some()) {
                    let part = n.checked_sub(1).map_or(ItemPart::Tool, ItemPart::Parameter);
                    self.found.push(Item { tool, part });
                }
            }
        }
    }

    /// Goes to the next of what was found, or the one before; `stay`: what is selected will do.
    pub fn go_to_found(&mut self, back: bool, stay: bool) {
        let Some(item) = self.item() else { return };
        let after = self.found.partition_point(|found| if stay || back { *found < item } else { *found <= item });
        let count = self.found.len();
        if count == 0 {
            return;
        }
        let next = if back { (after + count - 1) % count } else { after % count };
        self.reveal(self.found[next]);
    }

    /// Selects a row, and unfolds what it stands in.
    fn reveal(&mut self, item: Item) {
        let mut around = vec![Item { part: ItemPart::Tool, ..item }];
        if let (ItemPart::Parameter(row), Some(tool)) = (item.part, self.tool(item)) {
            let parents = std::iter::successors(tool.rows.get(row).and_then(|row| row.parent), |row| tool.rows.get(*row)?.parent);
            around.extend(parents.map(|row| Item { part: ItemPart::Parameter(row), ..item }));
        }
        for outer in around.into_iter().filter(|outer| *outer != item) {
            if !self.is_open(outer) {
                self.toggle(outer);
            }
        }
        self.select_item(item);
    }
}
