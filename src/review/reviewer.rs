//! The review itself: definitions compared once, calls replayed one by one, findings weighed at the end.

use super::change::{Change, Words, subject};
use super::compare::{self, Comparison};
use super::evidence::{causes, exercises, ignores};
use super::example::{Trial, smallest};
use super::finding::{CallCounts, Evidence, Finding, Judged, Proof, ReplayedCall, ToolChange, ToolReview};
use super::pairs::{self, Pair, Siblings};
use super::places::Places;
use super::prove;
use super::rules::{RuleId, Severity, Turn};
use super::semantics::Semantics;
use super::settle::{Circumstances, settle};
use super::side::Root;
use super::{alike, tools};
use crate::capture::Call;
use crate::definition::{Catalog, Definition};
use crate::gate::{Arguments, Gate, Parsed, Profile, Verdict, parse};
use crate::json::Value;
use crate::lint::fingerprint;
use crate::replay;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// How to review.
#[derive(Clone, Debug, Default)]
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
    options: Options,
    semantics: Semantics,
    before: Gate,
    after: Gate,
    tools: Vec<Subject>,
    /// The tool that a call's name stands for, before or after.
    by_name: HashMap<String, usize>,
    calls: Vec<ReplayedCall>,
    counts: CallCounts,
}

/// A tool that has changed, with what is known so far.
#[derive(Debug)]
struct Subject {
    pair: Pair,
    changes: Vec<Change>,
    places: Places,
    evidence: Vec<Evidence>,
    /// Calls that newly fail without any change that would explain it.
    unexplained: Evidence,
    calls: usize,
    /// Of calls that feel a change: the smallest that fails for each.
    recorded: Vec<Option<Value>>,
    cut: bool,
}

/// A call judged on both sides, with the changes that it feels.
#[derive(Debug)]
pub struct JudgedCall {
    call: ReplayedCall,
    tool: Option<usize>,
    failed_before: bool,
    failing: Vec<usize>,
    ignoring: Vec<usize>,
    exercised: Vec<usize>,
    undecided: bool,
    pending: bool,
}

impl JudgedCall {
    fn feels(&self) -> bool {
        self.call.newly_fails() || self.call.newly_ignored() || self.undecided || !self.ignoring.is_empty()
    }
}

/// Issues of one call that are traced to changes: one is enough to find the call.
const MAX_ISSUES: usize = 64;
/// Findings of one tool for which an example is looked for.
const MAX_EXAMPLES: usize = 64;
/// Examples that are kept of each finding.
const EXAMPLES: usize = 5;

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
        let before_gate = Gate::with_profile(before, options.profile);
        let after_gate = Gate::with_profile(after, options.profile);
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
    pub fn before(&self) -> &Gate {
        &self.before
    }

    /// The gate by the definitions after the change.
    #[must_use]
    pub fn after(&self) -> &Gate {
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
            Self::attribute(&self.tools[tool], call, &mut judged);
        }
        judged
    }

    /// Finds what a call of a changed tool feels.
    fn attribute(subject: &Subject, call: &Call, judged: &mut JudgedCall) {
        let Some(arguments) = value_of(&call.arguments) else { return };
        for (i, change) in subject.changes.iter().enumerate() {
            if exercises(change, &subject.places, &arguments) {
                judged.exercised.push(i);
            }
        }
        let ReplayedCall { before, after, .. } = &judged.call;
        judged.undecided = before.passes() && after.verdict == crate::gate::VerdictKind::Undecided;
        if judged.call.newly_fails() {
            for issue in after.issues.iter().take(MAX_ISSUES) {
                judged.failing.extend(causes(&subject.changes, &subject.places, issue));
            }
            let of_tool = |change: &Change| change.touch == super::change::Touch::Tool;
            if after.issues.is_empty() {
                judged.failing.extend((0..subject.changes.len()).filter(|i| of_tool(&subject.changes[*i])));
            }
            judged.failing.sort_unstable();
            judged.failing.dedup();
        }
        if judged.call.newly_ignored() {
            for path in after.ignored.iter().filter(|path| !before.ignored.contains(path)) {
                let ignoring = (0..subject.changes.len()).filter(|i| ignores(&subject.changes[*i], &subject.places, path));
                judged.ignoring.extend(ignoring);
            }
        }
        if before.passes() {
            // Also of a call that fails for another reason, and where the gate does not say what it ignores.
            let ignored = |i: &&usize| subject.changes[**i].is_ignored_key() && !judged.failing.contains(i);
            let more: Vec<usize> = judged.exercised.iter().filter(ignored).copied().collect();
            judged.ignoring.extend(more);
        }
        judged.ignoring.sort_unstable();
        judged.ignoring.dedup();
        if judged.feels() {
            judged.call.arguments = Some(arguments);
        }
    }

    /// Takes a judged call into account.
    pub fn add(&mut self, judged: JudgedCall) {
        let JudgedCall { call, tool, failed_before, failing, ignoring, exercised, undecided, pending } = judged;
        self.counts.add(&call);
        let feels = call.newly_fails() || call.newly_ignored() || undecided || !ignoring.is_empty();
        let place = self.calls.len();
        // A call that was still being streamed says nothing about the change.
        if let Some(subject) = tool.filter(|_| !pending).map(|tool| &mut self.tools[tool]) {
            subject.calls += 1;
            for i in exercised {
                subject.evidence[i].exercised += 1;
            }
            for i in &ignoring {
                subject.evidence[*i].ignored += 1;
                subject.evidence[*i].note(place);
            }
            if call.newly_fails() {
                subject.fail(&failing, failed_before, place, call.arguments.as_ref());
            }
            if undecided {
                for (change, evidence) in subject.changes.iter().zip(&mut subject.evidence) {
                    if change.rule == RuleId::SchemaInvalidAfter {
                        evidence.undecided += 1;
                        evidence.note(place);
                    }
                }
            }
        }
        if feels || self.options.keep_calls || call.before.verdict != call.after.verdict {
            self.calls.push(call);
        }
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

    /// Weighs everything and gives the review.
    #[must_use]
    pub fn finish(self) -> Review {
        let mut reviews: Vec<ToolReview> = Vec::new();
        let has_calls = self.counts.total > 0;
        for subject in &self.tools {
            let review = self.review_of(subject, has_calls);
            if !review.findings.is_empty() {
                reviews.push(review);
            }
        }
        // The worst first; what is equal stays in the order of the catalog.
        reviews.sort_by_key(|tool| std::cmp::Reverse(tool.findings.iter().map(|f| f.severity).max()));
        Review { tools: reviews, calls: self.calls, counts: self.counts }
    }

    fn review_of(&self, subject: &Subject, has_calls: bool) -> ToolReview {
        let pair = &subject.pair;
        let proof = self.proof(subject);
        // Places are numbered as they were when the changes were found: a comparison is a function of its schemas.
        let schemas = subject.schemas(self.semantics);
        let mut findings = Vec::new();
        for (i, change) in subject.changes.iter().enumerate() {
            let mut evidence = subject.evidence[i].clone();
            evidence.calls = subject.calls;
            let mut found = self.finding(subject, change, evidence, has_calls);
            if let Some(finding) = found.as_mut().filter(|_| i < MAX_EXAMPLES) {
                finding.example = self.example(subject, change, &schemas, subject.recorded[i].as_ref());
            }
            findings.extend(found);
        }
        findings.extend(self.about_the_whole(subject, proof, &findings, has_calls));
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        let change = match (&pair.before, &pair.after) {
            (None, None) => ToolChange::List,
            (None, Some(_)) => ToolChange::Added,
            (Some(_), None) => ToolChange::Removed,
            _ if pair.renamed.is_some() => ToolChange::Renamed,
            _ => ToolChange::Changed,
        };
        let renamed_from = pair.renamed.as_ref().map(|renamed| renamed.from.clone());
        ToolReview { name: pair.name().to_owned(), renamed_from, change, proof, findings }
    }

    /// What is to be said where no rule says it: that nothing changed, or that more did.
    fn about_the_whole(&self, subject: &Subject, proof: Proof, findings: &[Finding], has_calls: bool) -> Option<Finding> {
        let (before, after) = (subject.pair.before.as_ref()?, subject.pair.after.as_ref()?);
        let mut evidence = subject.unexplained.clone();
        evidence.calls = subject.calls;
        if evidence.failing > 0 {
            let why = "recorded calls fail that no single change explains";
            return self.whole(subject, RuleId::SchemaUndecided, why, evidence, has_calls);
        }
        if subject.cut {
            let why = "the definitions are larger than can be compared piece by piece";
            return self.whole(subject, RuleId::SchemaUndecided, why, evidence, has_calls);
        }
        let respelled = alike::bare(pairs::parameters(before)) != alike::bare(pairs::parameters(after));
        let silent = findings.iter().all(|finding| finding.rule.rule().turn == Turn::Text);
        if !respelled || !silent {
            return None;
        }
        match proof {
            Proof::Same => self.whole(subject, RuleId::SchemaEquivalent, "", evidence, has_calls),
            _ => self.whole(subject, RuleId::SchemaUndecided, "keywords that they do not compare", evidence, has_calls),
        }
    }

    fn whole(&self, subject: &Subject, rule: RuleId, why: &str, evidence: Evidence, has_calls: bool) -> Option<Finding> {
        let parameters = |d: &Option<Arc<Definition>>| d.as_ref().and_then(|d| d.parameters().cloned());
        let (before, after) = (parameters(&subject.pair.before), parameters(&subject.pair.after));
        let words = Words { subject: subject_of_tool(), keyword: why.to_owned(), ..Words::default() };
        let change = Change { words, ..tools::of_tool(rule, before, after) };
        self.finding(subject, &change, evidence, has_calls)
    }

    /// What can be proved of the calls that a tool accepts.
    fn proof(&self, subject: &Subject) -> Proof {
        let (Some(before), Some(after)) = (&subject.pair.before, &subject.pair.after) else { return Proof::Unknown };
        let broken = subject.changes.iter().any(|c| matches!(c.rule, RuleId::SchemaInvalidAfter | RuleId::SchemaInvalidBefore));
        let fails = subject.unexplained.failing > 0 || subject.evidence.iter().any(|evidence| evidence.failing > 0);
        if broken || fails || subject.pair.renamed.is_some() {
            return Proof::Unknown;
        }
        let (before, after) = (pairs::parameters(before), pairs::parameters(after));
        let (old, new) = ((Root(before), before), (Root(after), after));
        let kept = prove::covers_declared(self.semantics, new, old);
        match (kept, prove::covers(self.semantics, new, old) && prove::covers(self.semantics, old, new)) {
            (_, true) => Proof::Same,
            (true, _) => Proof::Kept,
            _ => Proof::Unknown,
        }
    }

    fn finding(&self, subject: &Subject, change: &Change, evidence: Evidence, has_calls: bool) -> Option<Finding> {
        let known = Circumstances {
            semantics: self.semantics,
            evidence: &evidence,
            has_calls,
            profile: self.options.profile.name(),
            server_fills_defaults: self.options.server_fills_defaults,
        };
        let settled = settle(change, &known);
        let severity = self.options.levels.get(settled.rule.id()).copied().unwrap_or(Some(settled.severity))?;
        let tool = subject.pair.name();
        let sentence = Change { rule: settled.rule, ..change.clone() }.message(tool);
        let message = sentence_with(&sentence, &settled.clauses, change.hint.as_deref());
        let (file, line) = subject.place_of(change);
        Some(Finding {
            rule: settled.rule,
            severity,
            default_severity: settled.default_severity,
            pointer: change.pointer.clone(),
            file,
            line,
            before: change.before.clone(),
            after: change.after.clone(),
            change: sentence,
            message,
            directions: settled.directions,
            enforced: change.enforced,
            evidence,
            example: None,
            renamed: change.renamed.clone(),
            lint: change.lint.clone(),
            // The rule as compared, not as the calls make it: new captures must not orphan what was accepted.
            fingerprint: print_of(change, tool),
            accepted: None,
        })
    }

    fn example(
        &self,
        subject: &Subject,
        change: &Change,
        schemas: &[(&Value, &Value)],
        recorded: Option<&Value>,
    ) -> Option<Value> {
        let narrows = matches!(change.rule.rule().turn, Turn::Narrows | Turn::Unclear);
        let (before, after) = (subject.pair.before.as_ref()?, subject.pair.after.as_ref()?);
        // A key that nothing declared may hold anything: worth an example only if a call does.
        let unheard = change.rule == RuleId::ParamAddedOptional && recorded.is_none();
        if unheard || !narrows || !change.enforced || change.touch == super::change::Touch::Tool || subject.pair.renamed.is_some()
        {
            return None;
        }
        let is_cause = |issue: &crate::gate::Issue| {
            causes(&subject.changes, &subject.places, issue).iter().any(|i| std::ptr::eq(&raw const subject.changes[*i], change))
        };
        let trial = Trial { before: (&self.before, before.name()), after: (&self.after, after.name()), is_cause: &is_cause };
        smallest(change, &subject.places, schemas, &trial, recorded)
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

/// What a change is known by from run to run: the rule, the tool, the place, and what stood and stands there; no prose, so
/// that better wording in a later version does not orphan what was accepted by an earlier one.
fn print_of(change: &Change, tool: &str) -> String {
    let text = |value: &Option<Value>| value.as_ref().map(Value::to_canonical).unwrap_or_default();
    fingerprint(&[change.rule.id(), tool, &change.pointer, &text(&change.before), &text(&change.after)])
}

fn subject_of_tool() -> String {
    subject("")
}

/// A sentence with its clauses, and one more sentence after it.
fn sentence_with(sentence: &str, clauses: &[String], hint: Option<&str>) -> String {
    let mut out = sentence.to_owned();
    for clause in clauses {
        out.push_str("; ");
        out.push_str(clause);
    }
    if let Some(hint) = hint {
        out.push_str(". ");
        out.push_str(hint);
    }
    out
}

/// A call's arguments as a value, as far as they can be read (rules G3 to G5).
fn value_of(arguments: &Arguments) -> Option<Value> {
    match arguments {
        Arguments::Absent => Some(Value::Object(crate::json::Object::default())),
        Arguments::Json(value) => Some(value.clone()),
        Arguments::Text(text) => match parse(text.as_bytes()) {
            Parsed::Value(value) | Parsed::Recovered { value, .. } => Some(value),
            Parsed::Failed(_) => None,
        },
    }
}

impl Judged {
    fn of(verdict: Verdict) -> Self {
        let issues = if verdict.advice.is_empty() { verdict.issues } else { verdict.advice };
        Self { verdict: verdict.kind, issues, ignored: verdict.ignored }
    }
}

impl Evidence {
    fn note(&mut self, call: usize) {
        if self.examples.len() < EXAMPLES && self.examples.last() != Some(&call) {
            self.examples.push(call);
        }
    }
}

impl Subject {
    /// A pair of definitions that differ; `None` where they do not.
    fn new(pair: &Pair, siblings: &Siblings, semantics: Semantics) -> Option<Self> {
        let mut found = tools::changes(pair, siblings);
        let (mut places, mut cut) = (Places::new(), false);
        if let (Some(before), Some(after)) = (&pair.before, &pair.after) {
            if pair.renamed.is_none() && before.raw() == after.raw() {
                return None;
            }
            let Comparison { changes, places: all, cut: stopped, .. } =
                compare::compare(pairs::parameters(before), pairs::parameters(after), semantics);
            found.extend(changes);
            places = all;
            cut = stopped;
        }
        let count = found.len();
        Some(Self {
            pair: pair.clone(),
            changes: found,
            places,
            evidence: vec![Evidence::default(); count],
            unexplained: Evidence::default(),
            calls: 0,
            recorded: vec![None; count],
            cut,
        })
    }

    /// The schemas at each place, before and after.
    fn schemas(&self, semantics: Semantics) -> Vec<(&Value, &Value)> {
        match (&self.pair.before, &self.pair.after) {
            (Some(before), Some(after)) => {
                compare::compare(pairs::parameters(before), pairs::parameters(after), semantics).schemas
            }
            _ => Vec::new(),
        }
    }

    fn of_list(changes: Vec<Change>) -> Self {
        Self {
            pair: Pair { before: None, after: None, renamed: None },
            evidence: vec![Evidence::default(); changes.len()],
            recorded: vec![None; changes.len()],
            changes,
            places: Places::new(),
            unexplained: Evidence::default(),
            calls: 0,
            cut: false,
        }
    }

    /// The parameters that go by another name now: their pointers before and after.
    fn renames(&self) -> Vec<(String, String)> {
        let renamed = self.changes.iter().filter(|change| change.rule == RuleId::ParamRenamed);
        let new = |change: &Change| {
            let name = change.after.as_ref()?.as_string()?.to_string();
            let parent = &change.pointer[..change.pointer.rfind('/')?];
            Some((change.pointer.clone(), super::side::join(parent, &name)))
        };
        renamed.filter_map(new).collect()
    }

    fn push(&mut self, change: Change) {
        self.changes.push(change);
        self.evidence.push(Evidence::default());
        self.recorded.push(None);
    }

    /// Notes a call that newly fails for these changes.
    fn fail(&mut self, changes: &[usize], failed_before: bool, place: usize, arguments: Option<&Value>) {
        if changes.is_empty() {
            self.unexplained.failing += 1;
            self.unexplained.failed_before += usize::from(failed_before);
            self.unexplained.note(place);
        }
        let size = |value: &Value| value.to_json().len();
        for i in changes {
            let evidence = &mut self.evidence[*i];
            evidence.failing += 1;
            evidence.failed_before += usize::from(failed_before);
            evidence.note(place);
            // A few are enough to find a small one.
            if let Some(arguments) = arguments.filter(|_| evidence.failing <= EXAMPLES) {
                let known = &mut self.recorded[*i];
                if known.as_ref().is_none_or(|old| size(arguments) < size(old)) {
                    *known = Some(arguments.clone());
                }
            }
        }
    }

    /// The file and line that a change is about: after it, or where the tool stood.
    fn place_of(&self, change: &Change) -> (std::path::PathBuf, u32) {
        let Some(after) = &self.pair.after else {
            // The line in a file that may be gone means nothing: its beginning stands for it.
            return (self.pair.before.as_ref().map(|d| d.path().to_owned()).unwrap_or_default(), 1);
        };
        let is_of_tool = change.touch == super::change::Touch::Tool || change.rule.id().starts_with("tool-");
        let position = match (&change.pointer, is_of_tool || change.rule == RuleId::DocToolDescriptionChanged) {
            (pointer, true) if pointer.is_empty() => after.position(),
            (pointer, _) => after.position_of(existing(after, pointer)),
        };
        (after.path().to_owned(), position.line)
    }
}

/// The part of a pointer that is still there.
fn existing<'p>(definition: &Definition, pointer: &'p str) -> &'p str {
    let Some(view) = definition.parameters_view() else { return "" };
    let mut pointer = pointer;
    while view.at_pointer(pointer).is_none() {
        match pointer.rfind('/') {
            Some(at) => pointer = &pointer[..at],
            None => return "",
        }
    }
    pointer
}
