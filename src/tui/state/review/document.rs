//! A finding in lines: what changed, who feels it, an example, and the calls.

use crate::json::Visible;
use crate::report::review::call_problem;
use crate::review::{Effect, Evidence, Finding, Proof, ReplayedCall, Severity, ToolReview, shorten};
use crate::tui::job::review::Reviewed;
use crate::tui::text::Line;
use crate::tui::theme::{Role, Theme};

/// A line, and the call that it is about, by its place in the review.
#[derive(Clone, Debug)]
pub struct DocumentLine {
    /// The line.
    pub line: Line,
    /// The call.
    pub call: Option<usize>,
}

/// The lines of a finding, each of at most so many cells.
#[must_use]
pub fn document(theme: &Theme, reviewed: &Reviewed, number: usize, width: usize) -> Vec<DocumentLine> {
    let Some((tool, finding)) = reviewed.finding(number) else { return Vec::new() };
    let mut text = Text { theme, lines: Vec::new() };
    change(&mut text, finding);
    directions(&mut text, finding);
    evidence(&mut text, tool, finding, reviewed);
    let proof = match tool.proof {
        Proof::Same => "Proved: both definitions accept the same calls.",
        Proof::Kept => "Proved: every call that the old definition describes is still accepted.",
        Proof::Unknown => "",
    };
    text.word(proof, Role::Ok);
    if let Some(example) = &finding.example {
        text.add(
            Line::data(&Visible::new(&example.to_json()), theme.style(Role::Text), theme)
                .and_word(" was accepted, is now rejected", theme.style(Role::Bad)),
        );
    }
    let mut lines: Vec<DocumentLine> =
        text.lines.iter().flat_map(|line| line.wrapped(width)).map(|line| DocumentLine { line, call: None }).collect();
    lines.extend(calls(theme, finding, reviewed));
    lines
}

struct Text<'t> {
    theme: &'t Theme,
    lines: Vec<Line>,
}

impl Text<'_> {
    fn add(&mut self, line: Line) {
        self.lines.push(line);
    }

    fn word(&mut self, text: &'static str, role: Role) {
        if !text.is_empty() {
            self.add(Line::word(text, self.theme.style(role)));
        }
    }

    fn data(&mut self, name: &'static str, text: &str, role: Role) {
        let line = Line::word(name, self.theme.style(Role::Muted));
        self.add(line.and_data(&Visible::new(text), self.theme.style(role), self.theme));
    }
}

/// What changed, and where.
fn change(text: &mut Text<'_>, finding: &Finding) {
    let theme = text.theme;
    let (muted, plain) = (theme.style(Role::Muted), theme.style(Role::Text));
    let line = Line::word(finding.severity.name(), theme.style(role(finding)))
        .and_word("  ", muted)
        .and_word(finding.rule.id(), plain)
        .and_word("  ", muted)
        .and_data(&Visible::new(&finding.fingerprint), muted, theme);
    text.add(line);
    let message =
        if theme.is_ascii() { finding.message.replace('→', "->").replace('…', "...") } else { finding.message.clone() };
    text.data("", &message, Role::Text);
    if let Some(reason) = &finding.accepted {
        text.data("accepted: ", reason, Role::Ok);
    }
    let mut place = Line::new();
    if !finding.file.as_os_str().is_empty() {
        place = place.and_data(&Visible::new(&finding.file.to_string_lossy()), plain, theme).and_word(":", plain);
        place = place.and_number(finding.line, plain).and_word("  ", muted);
    }
    text.add(place.and_data(&Visible::new(&finding.pointer), muted, theme));
    for (name, value) in [("before: ", &finding.before), ("after:  ", &finding.after)] {
        if let Some(value) = value.as_ref().filter(|_| finding.lint.is_none()) {
            text.data(name, &shorten(&value.to_json(), VALUE), Role::Text);
        }
    }
    if let Some(renamed) = &finding.renamed {
        let sure = format!("{} ({:.0}% sure)", renamed.from, renamed.confidence * 100.0);
        text.data("a guess; was ", &sure, Role::Text);
    }
}

/// Characters of a value that are shown.
const VALUE: usize = 400;

/// Who feels it, in the three directions.
fn directions(text: &mut Text<'_>, finding: &Finding) {
    let theme = text.theme;
    let muted = theme.style(Role::Muted);
    let directions = finding.directions;
    let named = [("new prompts ", directions.new), ("recorded calls ", directions.recorded), ("old clients ", directions.stale)];
    let mut line = Line::new();
    for (n, (name, effect)) in named.into_iter().enumerate() {
        let role = match effect {
            Effect::None => Role::Muted,
            Effect::Ok => Role::Ok,
            Effect::Differs | Effect::Ignored => Role::Warn,
            Effect::Rejected => Role::Bad,
        };
        line = line.and_word(if n > 0 { ", " } else { "" }, muted).and_word(name, muted);
        line = line.and_word(if effect == Effect::None { "not touched" } else { effect.name() }, theme.style(role));
    }
    text.add(line);
}

/// What the recorded calls say; that they say nothing is an answer of its own.
fn evidence(text: &mut Text<'_>, tool: &ToolReview, finding: &Finding, reviewed: &Reviewed) {
    let Evidence { calls, exercised, failing, failed_before, ignored, undecided, .. } = finding.evidence;
    let theme = text.theme;
    if calls == 0 && tool.name.is_empty() {
        return;
    }
    if reviewed.review.counts.total == 0 {
        return text.word("No recorded calls: nothing is known of who feels it.", Role::Warn);
    }
    if exercised == 0 && !finding.evidence.is_felt() {
        return text.word("No recorded call exercises this.", Role::Warn);
    }
    let (muted, plain) = (theme.style(Role::Muted), theme.style(Role::Text));
    let mut line = Line::new().and_number(calls as u64, plain).and_word(" recorded calls: ", muted);
    line = line.and_number(exercised as u64, plain).and_word(" have something there", muted);
    for (n, what, role) in [
        (failing, " fail now", Role::Bad),
        (failed_before, " of these had failed at the server", Role::Warn),
        (ignored, " send a value that is ignored now", Role::Warn),
        (undecided, " cannot be judged any more", Role::Warn),
    ] {
        if n > 0 {
            line = line.and_word(", ", muted).and_number(n as u64, theme.style(role)).and_word(what, theme.style(role));
        }
    }
    if !finding.evidence.is_felt() {
        line = line.and_word(", none feels it", theme.style(Role::Ok));
    }
    text.add(line);
}

/// The calls that feel it.
fn calls(theme: &Theme, finding: &Finding, reviewed: &Reviewed) -> Vec<DocumentLine> {
    let (muted, plain) = (theme.style(Role::Muted), theme.style(Role::Text));
    let evidence = &finding.evidence;
    let felt = evidence.failing + evidence.ignored + evidence.undecided;
    if felt == 0 {
        return Vec::new();
    }
    let heading = Line::word("Calls that feel it (", muted).and_number(felt as u64, muted).and_word("):", muted);
    let heading = [Line::new(), heading].map(|line| DocumentLine { line, call: None });
    let shown = evidence.examples.iter().filter_map(|at| Some((*at, reviewed.review.calls.get(*at)?)));
    let line = |call: &ReplayedCall| {
        // What is wrong comes before the arguments, which may be long.
        let line = Line::word("  ", muted).and_data(&Visible::new(&call.source), plain, theme).and_word("  ", muted);
        let line = line
            .and_data(&Visible::new(&call_problem(call, &finding.pointer)), theme.style(Role::Bad), theme)
            .and_word("  ", muted);
        let arguments = call.arguments.as_ref().map(|value| shorten(&value.to_json(), VALUE)).unwrap_or_default();
        line.and_data(&Visible::new(&arguments), muted, theme)
    };
    let shown = shown.map(|(at, call)| DocumentLine { line: line(call), call: Some(at) });
    let more = felt.saturating_sub(evidence.examples.len());
    let more = (more > 0).then(|| DocumentLine {
        line: Line::word("  and ", muted).and_number(more as u64, muted).and_word(" more", muted),
        call: None,
    });
    heading.into_iter().chain(shown).chain(more).collect()
}

/// How a finding is coloured: one that has been accepted does not count.
pub(in crate::tui) fn role(finding: &Finding) -> Role {
    match finding.severity {
        _ if finding.accepted.is_some() => Role::Muted,
        Severity::Error => Role::Bad,
        Severity::Warning => Role::Warn,
        Severity::Note => Role::Text,
    }
}
