//! A captured call as lists show it.

use super::filter::{self, Flags};
use super::stats::Maps;
use super::{Label, Outcome, Said};
use crate::capture::index::{CallId, Entry, Index};
use crate::capture::{Call, InputKind};
use crate::gate::{Arguments, Issue, Verdict};
use crate::json::{Value, Visible, quote, trim};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;

/// What a list shows of a call. The rest is read when it is shown.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Row {
    /// The call.
    pub id: CallId,
    /// The tool's name.
    pub tool: Arc<str>,
    /// The model, where one is recorded.
    pub model: Option<Arc<str>>,
    /// The session, where one is recorded.
    pub session: Option<Arc<str>>,
    /// When it was made, in milliseconds since 1970.
    pub at: Option<i64>,
    /// The line on which it stands in its file.
    pub line: u32,
    /// Still being streamed when it was captured.
    pub pending: bool,
    /// Made inside a subagent.
    pub sidechain: bool,
    /// An attempt at another call.
    pub attempt: bool,
    /// The flag of the recorded result.
    pub recorded_error: Option<bool>,
    /// A result was recorded.
    pub has_result: bool,
    /// The call that this one is an attempt at; set once both are known.
    pub parent: Option<CallId>,
    /// What its remark says of it: commented, edited, replayed.
    pub flags: Flags,
    /// The verdict, as [`Row::said`] has it.
    pub outcome: Outcome,
    /// What the gate says.
    pub said: Arc<Said>,
}

/// The longest summary, in characters.
const SUMMARY: usize = 80;
/// Bytes that so many characters are in.
const START: usize = 8 * SUMMARY;
/// The most places that a row keeps: a call may have as many issues as its arguments have values.
const PLACES: usize = 64;

impl Row {
    pub(super) fn new(id: CallId, entry: &Entry, index: &Index, names: &mut Names, flags: Flags, said: Arc<Said>) -> Self {
        Self {
            id,
            tool: names.get(index.name(entry.tool())),
            model: entry.model().map(|name| names.get(index.name(name))),
            session: entry.session().map(|name| names.get(index.name(name))),
            at: entry.at(),
            line: entry.line(),
            pending: entry.is_pending(),
            sidechain: entry.is_sidechain(),
            attempt: entry.is_attempt(),
            recorded_error: entry.is_error(),
            has_result: entry.has_result(),
            parent: None,
            flags,
            outcome: said.outcome,
            said,
        }
    }

    /// The row of a call that stands in no file yet, such as an attempt that has not been saved.
    #[must_use]
    pub fn of_call(id: CallId, call: &Call, verdict: &Verdict) -> Self {
        Self {
            id,
            tool: Arc::from(call.tool.as_str()),
            model: call.model.as_deref().map(Arc::from),
            session: call.session.as_deref().map(Arc::from),
            at: call.at.as_deref().and_then(crate::capture::time::millis),
            line: call.place.line,
            pending: call.pending,
            sidechain: call.sidechain,
            attempt: call.parent.is_some(),
            recorded_error: call.result.as_ref().and_then(|result| result.is_error),
            has_result: call.result.is_some(),
            parent: None,
            flags: filter::remark_flags(call),
            outcome: Outcome::of(verdict),
            said: Arc::new(Said::of(call, verdict)),
        }
    }

    /// Takes over what the gate says now.
    pub fn take_in(&mut self, judgement: Judgement) {
        self.outcome = judgement.said.outcome;
        self.said = judgement.said;
    }
}

/// What the gate says anew of a call that was judged before.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The call.
    pub id: CallId,
    /// What is said of it now.
    pub said: Arc<Said>,
}

impl Judgement {
    /// The judgement that a verdict is.
    #[must_use]
    pub fn of(id: CallId, call: &Call, verdict: &Verdict) -> Self {
        Self { id, said: Arc::new(Said::of(call, verdict)) }
    }
}

/// As much of a call's id as letters of it are looked for.
pub(super) fn beginning_of_id(call: &Call) -> Option<&str> {
    const LONGEST: usize = 64;
    let id = call.id.as_deref()?;
    let end = id.char_indices().nth(LONGEST).map_or(id.len(), |(end, _)| end);
    Some(&id[..end])
}

pub(super) fn places(issues: &[Issue]) -> Box<[Box<str>]> {
    issues.iter().take(PLACES).map(|issue| issue.pointer.as_str().into()).collect()
}

/// Equal names, held once.
#[derive(Default)]
pub(super) struct Names(std::collections::HashSet<Arc<str>>);

impl Names {
    fn get(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.0.get(name) {
            return Arc::clone(known);
        }
        let new: Arc<str> = Arc::from(name);
        self.0.insert(Arc::clone(&new));
        new
    }
}

/// What judging a call left to be kept.
pub(super) struct Judged {
    pub said: Said,
    /// The arguments of a failing call, as far as equality goes.
    pub arguments: u64,
    /// What was said of it at the baseline, where that is not the same by nature.
    pub baseline: Option<Outcome>,
    pub label: Label,
    pub flags: Flags,
    /// Hashes of its id and of the id of the call it is an attempt at.
    pub id: Option<u64>,
    pub parent: Option<u64>,
}

impl Judged {
    pub fn of(call: &Call, verdict: &Verdict, maps: &Maps, hasher: &RandomState) -> Self {
        let (said, arguments) = Said::counted(call, verdict, maps, hasher);
        Self {
            said,
            arguments,
            baseline: None,
            label: Label::of(call),
            flags: filter::remark_flags(call),
            id: call.id.as_ref().map(|id| hasher.hash_one(id)),
            parent: call.parent.as_ref().map(|id| hasher.hash_one(id)),
        }
    }
}

/// One line about a call: what is wrong with it, or the beginning of its arguments.
#[must_use]
pub fn summary(call: &Call, verdict: &Verdict) -> Box<str> {
    error_line(call, verdict).unwrap_or_else(|| beginning(call))
}

/// What is wrong with a call, if anything is.
pub(super) fn error_line(call: &Call, verdict: &Verdict) -> Option<Box<str>> {
    if let Some(issue) = verdict.issues.first() {
        let more = verdict.issues.len() - 1;
        let rest = if more > 0 { format!(", +{more}") } else { String::new() };
        return Some(clip(&format!("{} {}{rest}", issue.kind.name(), issue.subject())));
    }
    let (Some(error), Arguments::Text(text)) = (&verdict.parse_error, &call.arguments) else { return None };
    let place = error.position(text.as_bytes());
    Some(clip(&format!("line {} col {}: expected {}", place.line, place.column, error.expected)))
}

/// The beginning of a call's arguments.
pub(super) fn beginning(call: &Call) -> Box<str> {
    clip(&match (&call.arguments, call.input) {
        (_, InputKind::ProviderRun) => "run by the provider".to_owned(),
        (Arguments::Absent, _) => "{}".to_owned(),
        (Arguments::Text(text), _) => start(trim(text.as_bytes())),
        (Arguments::Json(value), _) => {
            let mut text = String::new();
            begin(value, &mut text);
            start(text.as_bytes())
        }
    })
}

/// Writes the beginning of a value as JSON, however large the value is: what a label may need of it is the same. Each level writes
/// something, so that there are no more levels than bytes.
fn begin(value: &Value, out: &mut String) {
    let is_enough = |out: &String| out.len() > START;
    match value {
        Value::Array(items) => {
            out.push('[');
            for (n, item) in items.iter().enumerate() {
                if is_enough(out) {
                    return;
                }
                out.push_str(if n > 0 { "," } else { "" });
                begin(item, out);
            }
            out.push(']');
        }
        Value::Object(object) => {
            out.push('{');
            for (n, (key, item)) in object.entries().iter().enumerate() {
                if is_enough(out) {
                    return;
                }
                out.push_str(if n > 0 { "," } else { "" });
                out.push_str(&quote(beginning_of(key.as_bytes())));
                out.push(':');
                begin(item, out);
            }
            out.push('}');
        }
        Value::String(text) => out.push_str(&quote(beginning_of(text.as_bytes()))),
        other => out.push_str(&other.to_json()),
    }
}

fn beginning_of(text: &[u8]) -> &[u8] {
    &text[..text.len().min(START + 4)]
}

/// Enough of a text for a summary, whatever its length. Text that is laid out in lines is one line here.
fn start(text: &[u8]) -> String {
    let start = crate::json::to_well_formed(&text[..text.len().min(START)]);
    let mut lines = start.split('\n').map(|line| line.trim_end_matches('\r'));
    let first = lines.next().unwrap_or_default().to_owned();
    lines.fold(first, |all, line| all + " " + line.trim_start_matches([' ', '\t']))
}

/// Whether a summary is only the beginning of what it says, as far as its length tells.
#[must_use]
pub fn is_summary_cut(summary: &str) -> bool {
    summary.len() >= SUMMARY && summary.chars().count() >= SUMMARY
}

fn clip(text: &str) -> Box<str> {
    let visible = Visible::new(text).into_string();
    match visible.char_indices().nth(SUMMARY) {
        None => visible.into(),
        Some((end, _)) => visible[..end].into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_arguments_is_that_of_their_text() {
        let long = "é\"\u{1b}x".repeat(400);
        let texts = [
            "{}".to_owned(),
            "[]".to_owned(),
            format!("\"{}\"", "a\\u2066\\ud800".repeat(300)),
            format!("{{\"path\":{},\"after\":[1,-2.50,null,true]}}", quote(long.as_bytes())),
            format!("{{{}:[{{\"b\":[]}},{{}}]}}", quote(long.as_bytes())),
            format!("[{}]", vec!["{\"k\":12345678}"; 300].join(",")),
            "[".repeat(5_000) + &"]".repeat(5_000),
        ];
        for text in texts {
            let value = Value::parse(text.as_bytes()).unwrap();
            let whole = clip(&start(value.to_json().as_bytes()));
            assert_eq!(beginning(&Call::new("t", Arguments::Json(value))), whole, "{}", &text[..60.min(text.len())]);
        }
    }
}
