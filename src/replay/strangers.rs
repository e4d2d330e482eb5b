//! When a whole run is judged by the wrong definitions, that is one thing to say, not a thousand failures.

use crate::definition::{Catalog, NamedSet};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Fewer calls of unknown tools than this are each worth showing.
const FEW: usize = 5;

/// The calls of a run whose tools no definition knows.
#[derive(Clone, Debug, Default)]
pub struct Strangers {
    tools: BTreeMap<String, usize>,
    calls: usize,
}

impl Strangers {
    /// Takes note of a call of an unknown tool.
    pub fn add(&mut self, tool: &str) {
        self.calls += 1;
        if let Some(count) = self.tools.get_mut(tool) {
            *count += 1;
        } else {
            self.tools.insert(tool.to_owned(), 1);
        }
    }

    /// Whether the tool is one of them.
    #[must_use]
    pub fn has(&self, tool: &str) -> bool {
        self.tools.contains_key(tool)
    }

    /// What to say and try, if most of so many calls are of unknown tools; `None` otherwise.
    #[must_use]
    pub fn advice(&self, of: usize) -> Option<String> {
        if self.calls < FEW || self.calls * 2 <= of {
            return None;
        }
        let counts = format!("{} of {of} calls are of tools that no definition here knows", self.calls);
        Some(match self.best_set() {
            Some(set) => format!(
                "{counts}: these look like {} calls, judged by other definitions: try --tools {}",
                set.title,
                set.short_name()
            ),
            None => format!("{counts}: name their definitions with --tools, or draft some with misfire infer"),
        })
    }

    /// The set that knows most of them, if it knows more than half.
    fn best_set(&self) -> Option<&'static NamedSet> {
        let known = |set: &&NamedSet| {
            let catalog = Catalog::load(&[PathBuf::from(set.name)]);
            self.tools.iter().filter(|(tool, _)| catalog.get(tool).is_some()).map(|(_, n)| n).sum::<usize>()
        };
        // Of two that know as many the first.
        let best = NamedSet::all().iter().rev().max_by_key(known)?;
        (known(&best) * 2 > self.calls).then_some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    fn strangers(tools: &[&str]) -> Strangers {
        let mut strangers = Strangers::default();
        for tool in tools {
            strangers.add(tool);
        }
        strangers
    }

    #[test]
    fn most_calls_of_a_run() {
        let claude = strangers(&["TodoWrite", "TodoWrite", "Bash", "ToolSearch", "NotebookEdit", "Nobody"]);
        let said = claude.advice(8).unwrap();
        assert!(
            said.starts_with("6 of 8 calls")
                && said.ends_with("Claude Code calls, judged by other definitions: try --tools @claude-code"),
            "{said}"
        );
        assert_eq!(claude.advice(12), None, "half of them is not most");
        assert_eq!(strangers(&["a", "b", "c"]).advice(3), None, "few");
        assert!(strangers(&["a", "b", "c", "d", "e"]).advice(5).unwrap().contains("misfire infer"));
        assert!(claude.has("Bash") && !claude.has("Read"));
    }
}
