//! When a whole run is judged by the wrong definitions, that is one thing to say, not a thousand failures.

use crate::definition::{Catalog, NamedSet};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Fewer calls of unknown tools than this are each worth showing.
const FEW: usize = 5;

/// The calls of sessions in which most are of tools that no definition knows.
#[derive(Clone, Debug, Default)]
pub struct Strangers {
    /// Unknown tools of the session that is being read, with their calls, and how many calls it has.
    session: BTreeMap<String, usize>,
    calls: usize,
    /// The same of all sessions before it in which most were unknown.
    tools: BTreeMap<String, usize>,
    of: usize,
    sessions: usize,
}

impl Strangers {
    /// Takes note of the next call of a session; `unknown`: no definition knows its tool.
    pub fn call(&mut self, tool: &str, unknown: bool) {
        self.calls += 1;
        if !unknown {
            return;
        }
        if let Some(count) = self.session.get_mut(tool) {
            *count += 1;
        } else {
            self.session.insert(tool.to_owned(), 1);
        }
    }

    /// The session ends: whether most of its calls were of unknown tools, so that they are said in one line.
    pub fn end_session(&mut self) -> bool {
        let (session, calls) = (std::mem::take(&mut self.session), std::mem::take(&mut self.calls));
        let unknown: usize = session.values().sum();
        let most = unknown >= FEW && unknown * 2 > calls;
        if most {
            self.sessions += 1;
            self.of += calls;
            for (tool, count) in session {
                *self.tools.entry(tool).or_default() += count;
            }
        }
        most
    }

    /// What to say and try, if there were such sessions.
    #[must_use]
    pub fn advice(&self) -> Option<String> {
        if self.sessions == 0 {
            return None;
        }
        let (unknown, of) = (self.unknown(), self.of);
        let sessions = if self.sessions == 1 { String::new() } else { format!(" in {} sessions", self.sessions) };
        let counts = format!("{unknown} of {of} calls{sessions} are of tools that no definition here knows");
        Some(match self.best_set() {
            Some(set) => format!(
                "{counts}: these look like {} calls, judged by other definitions: try --tools {}",
                set.title,
                set.short_name()
            ),
            None => format!("{counts}: name their definitions with --tools, or draft some with misfire infer"),
        })
    }

    fn unknown(&self) -> usize {
        self.tools.values().sum()
    }

    /// The set that knows most of them, if it knows more than half.
    fn best_set(&self) -> Option<&'static NamedSet> {
        let known = |set: &&NamedSet| {
            let catalog = Catalog::load(&[PathBuf::from(set.name)]);
            self.tools.iter().filter(|(tool, _)| catalog.get(tool).is_some()).map(|(_, n)| n).sum::<usize>()
        };
        // Of two that know as many the first.
        let best = NamedSet::all().iter().rev().max_by_key(known)?;
        (known(&best) * 2 > self.unknown()).then_some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(strangers: &mut Strangers, unknown: &[&str], known: usize) -> bool {
        for tool in unknown {
            strangers.call(tool, true);
        }
        for _ in 0..known {
            strangers.call("t", false);
        }
        strangers.end_session()
    }

    #[test]
    fn most_calls_of_a_session() {
        let claude = ["TodoWrite", "TodoWrite", "Bash", "ToolSearch", "NotebookEdit", "Nobody"];
        let mut strangers = Strangers::default();
        assert!(!session(&mut strangers, &claude, 6), "half of them is not most");
        assert!(!session(&mut strangers, &["a", "b", "c"], 0), "few");
        assert_eq!(strangers.advice(), None);
        assert!(session(&mut strangers, &claude, 2));
        let said = strangers.advice().unwrap();
        assert!(
            said.starts_with("6 of 8 calls are of")
                && said.ends_with("Claude Code calls, judged by other definitions: try --tools @claude-code"),
            "{said}"
        );
        assert!(session(&mut strangers, &["a", "b", "c", "d", "e", "f", "g"], 0));
        let said = strangers.advice().unwrap();
        assert!(said.starts_with("13 of 15 calls in 2 sessions") && said.contains("misfire infer"), "{said}");
    }
}
