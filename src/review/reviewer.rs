//! The review itself: definitions compared once, calls replayed one by one; the end is in `conclude`.

use super::change::{Change, Words};
use super::finding::{CallCounts, Finding, Judged, ReplayedCall, ToolReview};
use super::judged::JudgedCall;
use super::pairs::{self, Pair};
use super::rules::{RuleId, Severity};
use super::semantics::Semantics;
use super::side::Root;
use super::subject::Subject;
use super::{prove, tools};
use crate::capture::Call;
use crate::definition::{Catalog, Definition};
use crate::gate::{Gate, Profile, VerdictKind};
use crate::replay;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// How to review.
#[derive(Clone, Debug)]
pub struct Options {
    /// The rules by which calls are judged, and which decide what a change means.
    pub profile: Profile,
    /// Severities by rule that differ from the rule's own; `None` switches it off.
    pub levels: BTreeMap<String, Option<Severity>>,
    /// The server fills in defaults: a required parameter with a default may be left out.
    pub server_fills_defaults: bool,
    /// Look for lint rules that the change newly violates, by these options.
    pub lint: Option<crate::lint::Options>,
    /// Keep every call in the result, not only those whose verdict changes or that feel a change.
    pub keep_calls: bool,
    /// How many of the calls that feel a finding are kept with it.
    pub examples: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            profile: Profile::default(),
            levels: BTreeMap::new(),
            server_fills_defaults: false,
            lint: None,
            keep_calls: false,
            examples: 5,
        }
    }
}

/// A review: what changed, and who feels it.
#[derive(Clone, Debug, Default)]
pub struct Review {
    /// The tools with findings, the worst first.
    pub tools: Vec<ToolReview>,
    /// Recorded calls, in the order in which they came.
    pub calls: Vec<ReplayedCall>,
    /// All calls, counted, whether or not they are kept.
    pub counts: CallCounts,
}

impl Review {
    /// All findings, each with its tool.
    pub fn findings(&self) -> impl Iterator<Item = (&ToolReview, &Finding)> {
        self.tools.iter().flat_map(|tool| tool.findings.iter().map(move |finding| (tool, finding)))
    }

    /// How many findings of a severity there are that nobody has accepted.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.findings().filter(|(_, f)| f.severity == severity && f.accepted.is_none()).count()
    }

    /// The worst severity of a finding that nobody has accepted.
    #[must_use]
    pub fn worst(&self) -> Option<Severity> {
        self.findings().filter(|(_, f)| f.accepted.is_none()).map(|(_, f)| f.severity).max()
    }
}

/// Compares two catalogs and takes recorded calls.
#[derive(Debug)]
pub struct Reviewer {
    pub(super) options: Options,
    pub(super) semantics: Semantics,
    pub(super) before: Arc<Gate>,
    pub(super) after: Arc<Gate>,
    pub(super) tools: Vec<Subject>,
    /// The tool that a call's name stands for, before or after.
    pub(super) by_name: HashMap<String, usize>,
    pub(super) calls: Vec<ReplayedCall>,
    pub(super) counts: CallCounts,
}

impl Reviewer {
    /// Compares two catalogs.
    #[must_use]
    pub fn new(before: &Catalog, after: &Catalog, options: Options) -> Self {
        let semantics = Semantics::of(options.profile);
        let (pairs, siblings) = pairs::pair(before, after);
        let mut subjects = Vec::new();
        for pair in &pairs {
            subjects.extend(Subject::new(pair, &siblings, semantics));
        }
        let mut about_list = Vec::from_iter(tools::order(before, after));
        if let Some(options) = &options.lint {
            about_list.extend(lint_newly((before, after), &mut subjects, options));
        }
        if !about_list.is_empty() {
            subjects.push(Subject::of_list(about_list));
        }
        let mut by_name = HashMap::new();
        for (at, subject) in subjects.iter().enumerate() {
            for definition in [&subject.pair.before, &subject.pair.after].into_iter().flatten() {
                for catalog in [before, after] {
                    let names = [Some(definition.name().to_owned()), definition.qualified_name()];
                    for name in names.into_iter().flatten() {
                        if catalog.get(&name).is_some_and(|known| Arc::ptr_eq(known, definition)) {
                            by_name.insert(name, at);
                        }
                    }
                }
            }
        }
        let before_gate = Arc::new(Gate::with_profile(before, options.profile));
        let after_gate = Arc::new(Gate::with_profile(after, options.profile));
        let mut reviewer = Self {
            semantics,
            before: before_gate,
            after: after_gate,
            tools: subjects,
            by_name,
            calls: Vec::new(),
            counts: CallCounts::default(),
            options,
        };
        reviewer.compile_errors();
        reviewer
    }

    /// The gate by the definitions before the change.
    #[must_use]
    pub fn before(&self) -> &Arc<Gate> {
        &self.before
    }

    /// The gate by the definitions after the change.
    #[must_use]
    pub fn after(&self) -> &Arc<Gate> {
        &self.after
    }

    /// Judges a call on both sides. Many threads may do so at a time; [`Reviewer::add`] takes the results in their order.
    #[must_use]
    pub fn judge(&self, call: &Call) -> JudgedCall {
        let tool = self.by_name.get(call.tool.as_str()).copied();
        let after = Judged::of(replay::judge(&self.after, call));
        // By a definition that has not changed the verdict is the same.
        let before = if tool.is_some() { Judged::of(replay::judge(&self.before, call)) } else { after.clone() };
        let mut judged = JudgedCall {
            call: ReplayedCall {
                id: call.id.clone(),
                tool: call.tool.clone(),
                source: call.place.to_string(),
                before,
                after,
                arguments: None,
            },
            tool,
            failed_before: call.result.as_ref().is_some_and(|result| result.is_error == Some(true)),
            failing: Vec::new(),
            ignoring: Vec::new(),
            exercised: Vec::new(),
            undecided: false,
            pending: call.pending,
        };
        if let Some(tool) = tool {
            judged.attribute(&self.tools[tool], call);
        }
        judged
    }

    /// The tools that have changed, by the names that calls use: other calls are judged alike on both sides.
    pub fn changed(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }

    /// Takes into account a call that is judged alike on both sides, by what is known of it already.
    pub fn add_unchanged(&mut self, verdict: VerdictKind) {
        self.counts.count(verdict, false);
    }

    /// Takes a judged call into account. Gives its place in [`Review::calls`], if it is kept there.
    pub fn add(&mut self, judged: JudgedCall) -> Option<usize> {
        let feels = judged.feels();
        let JudgedCall { call, tool, failed_before, failing, ignoring, exercised, undecided, pending } = judged;
        self.counts.add(&call);
        let place = self.calls.len();
        // A call that was still being streamed says nothing about the change.
        if let Some(subject) = tool.filter(|_| !pending).map(|tool| &mut self.tools[tool]) {
            subject.calls += 1;
            for i in exercised {
                subject.evidence[i].exercised += 1;
            }
            for i in &ignoring {
                subject.evidence[*i].ignored += 1;
                subject.evidence[*i].note(place, self.options.examples);
            }
            if call.newly_fails() {
                subject.fail(&failing, failed_before, (place, self.options.examples), call.arguments.as_ref());
            }
            if undecided {
                for (change, evidence) in subject.changes.iter().zip(&mut subject.evidence) {
                    if change.rule == RuleId::SchemaInvalidAfter {
                        evidence.undecided += 1;
                        evidence.note(place, self.options.examples);
                    }
                }
            }
        }
        let kept = feels || self.options.keep_calls || call.before.verdict != call.after.verdict;
        kept.then(|| {
            self.calls.push(call);
            place
        })
    }

    /// Judges a call and takes it into account.
    pub fn replay(&mut self, call: &Call) {
        let judged = self.judge(call);
        self.add(judged);
    }

    /// Adds what the profile's compiler says of the definitions.
    fn compile_errors(&mut self) {
        for subject in &mut self.tools {
            let refusal =
                |definition: &Option<Arc<Definition>>| definition.as_ref().and_then(|d| self.semantics.refusal(d.parameters()));
            let (before, after) = (refusal(&subject.pair.before), refusal(&subject.pair.after));
            let found = match (before, after) {
                (_, Some((pointer, reason))) => Some((RuleId::SchemaInvalidAfter, pointer, reason)),
                (Some((pointer, reason)), None) if subject.pair.after.is_some() => {
                    Some((RuleId::SchemaInvalidBefore, pointer, reason))
                }
                _ => None,
            };
            if let Some((rule, pointer, reason)) = found {
                let words = Words { keyword: reason, ..Words::default() };
                subject.push(Change { pointer, words, ..tools::of_tool(rule, None, None) });
            } else if let Some(after) = subject.pair.after.as_ref() {
                let schema = pairs::parameters(after);
                if prove::is_unsatisfiable(self.semantics, (Root(schema), schema)) {
                    subject.push(tools::of_tool(RuleId::SchemaUnsatisfiable, None, None));
                }
            }
        }
    }
}

/// Adds the lint rules that are newly violated to the tools, and gives those of the list of tools.
fn lint_newly(catalogs: (&Catalog, &Catalog), subjects: &mut [Subject], options: &crate::lint::Options) -> Vec<Change> {
    let renames = subjects.iter().enumerate().map(|(at, subject)| (at, subject.renames())).collect();
    let pairs: Vec<(usize, &Pair)> = subjects.iter().enumerate().map(|(at, subject)| (at, &subject.pair)).collect();
    let newly = super::lints::newly(catalogs, &pairs, &renames, options);
    for (at, change) in newly.tools {
        subjects[at].push(change);
    }
    newly.list
}
