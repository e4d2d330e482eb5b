//! Counting calls: by tool, by kind of issue, by parameter, by model, over time; and models that try the same again.
//!
//! What is counted of a call is taken down once, when it is judged ([`Facts`], a few dozen bytes); adding it up ([`Statistics`]) then
//! needs neither the call nor its definition. So the counts of a hundred thousand calls are there in milliseconds whenever
//! something has changed, and the app and the command count alike.

mod facts;
mod timeline;
mod usage;

pub use facts::{Facts, Maps, Seen};
pub use timeline::Timeline;

use facts::Spot;
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher as _, RandomState};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How many calls there are, and how many of them fail. Calls that are still being streamed do not fail yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// All of them.
    pub calls: u64,
    /// Those for which the model gets an error.
    pub failing: u64,
}

impl Count {
    fn add(&mut self, fails: bool) {
        self.calls += 1;
        self.failing += u64::from(fails);
    }
}

/// Failing calls by the kind of an issue that they have, a constraint by its keyword; and by the verdicts that have no issues. A call
/// with several kinds counts under each.
pub type ByKind = BTreeMap<&'static str, u64>;

/// How a parameter is used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Calls that have a value there.
    pub used: u64,
    /// Failing calls with an issue there.
    pub failing: u64,
    /// The same by kind.
    pub kinds: ByKind,
}

/// What is counted of the calls of one tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolStatistics {
    /// Its calls.
    pub count: Count,
    /// Its failing calls.
    pub kinds: ByKind,
    /// Its parameters, by the numbers of [`parameter_rows`](crate::definition::Definition::parameter_rows). Those at the end that no
    /// call uses may be left out.
    pub parameters: Vec<Usage>,
    /// Issues with the arguments as a whole.
    pub whole: Usage,
    /// Issues where nothing is declared, by JSON Pointers with `*` for any element.
    pub undeclared: BTreeMap<Arc<str>, Usage>,
    /// Its calls over time.
    pub timeline: Timeline,
}

/// A call that was made again with the same arguments, and failed each time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetryLoop {
    /// The tool.
    pub tool: String,
    /// The session, where one is recorded.
    pub session: Option<String>,
    /// How often it was made.
    pub times: u64,
    /// The file of the first time.
    pub file: PathBuf,
    /// The line there.
    pub line: u32,
}

/// Everything that is counted.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// All calls.
    pub total: Count,
    /// All failing calls.
    pub kinds: ByKind,
    /// By the name that calls use.
    pub tools: BTreeMap<String, ToolStatistics>,
    /// By the model that made them; the empty name is that of none recorded.
    pub models: BTreeMap<String, Count>,
    /// All calls over time.
    pub timeline: Timeline,
    hasher: RandomState,
    /// Failing calls by what makes two of them the same: session, tool and arguments.
    failing: HashMap<u64, RetryLoop>,
}

impl Statistics {
    /// Adds a call.
    pub fn add(&mut self, call: &Seen<'_>) {
        let fails = call.outcome.is_error() && !call.pending;
        self.total.add(fails);
        entry(&mut self.models, call.model.unwrap_or_default()).add(fails);
        self.timeline.add(call.at, fails);
        let tool = entry(&mut self.tools, call.tool);
        tool.add(call, fails);
        if fails {
            for kind in call.facts.kinds(call.outcome.kind) {
                *self.kinds.entry(kind).or_default() += 1;
            }
            if !call.attempt {
                self.add_failing(call);
            }
        }
    }

    fn add_failing(&mut self, call: &Seen<'_>) {
        // Two files are two sessions, where none is recorded.
        let session = (call.session, call.session.is_none().then_some(call.file));
        let key = self.hasher.hash_one((session, call.tool, call.arguments));
        let known = self.failing.entry(key).or_insert_with(|| RetryLoop {
            tool: call.tool.to_owned(),
            session: call.session.map(str::to_owned),
            times: 0,
            file: call.file.to_owned(),
            line: call.line,
        });
        known.times += 1;
        if (call.file, call.line) < (&known.file, known.line) {
            (known.file, known.line) = (call.file.to_owned(), call.line);
        }
    }

    /// What is counted of the calls of one tool, by all the names that it goes by.
    #[must_use]
    pub fn of_tool<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> ToolStatistics {
        let mut known = names.into_iter().filter_map(|name| self.tools.get(name));
        let mut sum = known.next().cloned().unwrap_or_default();
        known.for_each(|more| sum.merge(more));
        sum
    }

    /// Forgets what is only of use for adding more calls: there may be as much of that as calls fail.
    pub fn close(&mut self) {
        self.failing.retain(|_, known| known.times > 1);
        self.failing.shrink_to_fit();
    }

    /// Calls that were made at least twice and failed each time, the most stubborn first.
    #[must_use]
    pub fn retry_loops(&self) -> Vec<&RetryLoop> {
        let mut loops: Vec<&RetryLoop> = self.failing.values().filter(|known| known.times > 1).collect();
        loops.sort_by(|a, b| b.times.cmp(&a.times).then_with(|| (&a.file, a.line).cmp(&(&b.file, b.line))));
        loops
    }
}

impl ToolStatistics {
    fn add(&mut self, call: &Seen<'_>, fails: bool) {
        self.count.add(fails);
        self.timeline.add(call.at, fails);
        for row in &call.facts.used {
            self.parameter(*row).used += 1;
        }
        if !fails {
            return;
        }
        for kind in call.facts.kinds(call.outcome.kind) {
            *self.kinds.entry(kind).or_default() += 1;
        }
        let mut last = None;
        for failure in &call.facts.failing {
            let usage = match &failure.spot {
                Spot::Row(row) => self.parameter(*row),
                Spot::Whole => &mut self.whole,
                Spot::Undeclared(pointer) => self.undeclared.entry(Arc::clone(pointer)).or_default(),
            };
            *usage.kinds.entry(failure.kind).or_default() += 1;
            // They are sorted by place: what fails in two ways is one call.
            if last != Some(&failure.spot) {
                usage.failing += 1;
                usage.used += u64::from(matches!(failure.spot, Spot::Undeclared(_)));
            }
            last = Some(&failure.spot);
        }
    }

    fn parameter(&mut self, row: u16) -> &mut Usage {
        let row = usize::from(row);
        if self.parameters.len() <= row {
            self.parameters.resize_with(row + 1, Usage::default);
        }
        &mut self.parameters[row]
    }

    fn merge(&mut self, other: &Self) {
        self.count.calls += other.count.calls;
        self.count.failing += other.count.failing;
        merge_kinds(&mut self.kinds, &other.kinds);
        if self.parameters.len() < other.parameters.len() {
            self.parameters.resize_with(other.parameters.len(), Usage::default);
        }
        self.parameters.iter_mut().zip(&other.parameters).for_each(|(a, b)| a.merge(b));
        self.whole.merge(&other.whole);
        for (pointer, usage) in &other.undeclared {
            self.undeclared.entry(Arc::clone(pointer)).or_default().merge(usage);
        }
        self.timeline.merge(&other.timeline);
    }
}

impl Usage {
    fn merge(&mut self, other: &Self) {
        self.used += other.used;
        self.failing += other.failing;
        merge_kinds(&mut self.kinds, &other.kinds);
    }
}

fn merge_kinds(into: &mut ByKind, from: &ByKind) {
    for (kind, n) in from {
        *into.entry(kind).or_default() += n;
    }
}

/// The entry of a name, which is owned only where it is new.
fn entry<'m, V: Default>(map: &'m mut BTreeMap<String, V>, name: &str) -> &'m mut V {
    if !map.contains_key(name) {
        map.insert(name.to_owned(), V::default());
    }
    map.entry(name.to_owned()).or_default()
}

/// What identifies a file.
pub(super) fn no_file() -> &'static Path {
    Path::new("")
}

#[cfg(test)]
mod tests;
