//! What the gate says of a text while it is being written, and where in the text.

use crate::capture::{Call, InputKind};
use crate::definition::Origin;
use crate::dialect;
use crate::gate::{Arguments, Gate, Issue, Verdict};
use crate::json::{Position, Tree, trim};
use std::ops::Range;

/// What a text is the arguments of: everything about a call that judging depends on, its arguments aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The tool's name.
    pub tool: String,
    origin: Option<Origin>,
    finish_reason: Option<String>,
    input: InputKind,
}

impl Target {
    /// That of a call.
    #[must_use]
    pub fn of(call: &Call) -> Self {
        Self { tool: call.tool.clone(), origin: call.origin, finish_reason: call.finish_reason.clone(), input: call.input }
    }

    /// What the gate says of this text as its arguments.
    #[must_use]
    pub fn judge(&self, gate: &Gate, text: &str) -> Verdict {
        match self.input {
            InputKind::Json => gate.judge_as(&self.tool, self.origin, &Arguments::text(text), self.finish_reason.as_deref()),
            InputKind::FreeText | InputKind::ProviderRun => Gate::passed_through(&self.tool),
        }
    }
}

/// A verdict on a text that is being written, with the places of what is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Live {
    /// The verdict.
    pub verdict: Verdict,
    /// The exact text that the model would get.
    pub text: Option<String>,
    /// Where each issue of the verdict stands, in the same order.
    pub places: Vec<Spot>,
    /// Where the text stops being JSON, if it does; set too for one that was closed as if cut off.
    pub broken: Option<Broken>,
}

/// A place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The bytes that are concerned: the value, or where something is missing, the bracket that opens what it is missing in.
    pub span: Range<usize>,
    /// Where a person would look: at the key, where there is one.
    pub anchor: usize,
    /// The same for people.
    pub position: Position,
}

/// Where a text stops being JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The byte at which reading stopped.
    pub at: usize,
    /// The same for people.
    pub position: Position,
    /// What would have been right there, and what stands there.
    pub why: String,
}

impl Live {
    /// Judges a text and finds the places of what is wrong with it.
    #[must_use]
    pub fn of(gate: &Gate, target: &Target, text: &str) -> Self {
        let verdict = target.judge(gate, text);
        let error = verdict.parse_error.as_ref().or(verdict.recovery.as_ref().map(|recovery| &recovery.error));
        let broken = error.map(|error| Broken {
            at: error.offset.min(text.len()),
            position: error.position(text.as_bytes()),
            why: error.to_string(),
        });
        let places = places(&verdict, text);
        Self { text: dialect::text(&verdict), places, broken, verdict }
    }

    /// The issues with their places.
    #[must_use]
    pub fn issues(&self) -> impl DoubleEndedIterator<Item = (&Issue, &Spot)> {
        self.verdict.issues.iter().zip(&self.places)
    }

    /// Every place at which something is wrong, in the order of the text.
    #[must_use]
    pub fn stops(&self) -> Vec<usize> {
        let broken = self.broken.iter().map(|broken| broken.at);
        let mut stops: Vec<usize> = self.places.iter().map(|spot| spot.anchor).chain(broken).collect();
        stops.sort_unstable();
        stops.dedup();
        stops
    }
}

fn places(verdict: &Verdict, text: &str) -> Vec<Spot> {
    if verdict.issues.is_empty() {
        return Vec::new();
    }
    let trimmed = trim(text.as_bytes());
    let start = trimmed.as_ptr().addr() - text.as_ptr().addr();
    // A text that was closed as if cut off has the same places up to its end.
    let read = verdict.recovery.as_ref().map_or(trimmed, |recovery| recovery.text.as_bytes());
    let Ok(tree) = Tree::parse(read) else {
        // A blank text is an empty object.
        return verdict.issues.iter().map(|_| spot(text, 0, 0..0)).collect();
    };
    let root = tree.root(read);
    let place = |issue: &Issue| {
        let (view, found) = nearest(root, &issue.pointer);
        let (anchor, span) = (view.anchor() + start, view.span());
        let span = span.start + start..span.end + start;
        // What is missing is missing in something: its opening bracket.
        if found { spot(text, anchor, span) } else { spot(text, span.start, span.start..span.start + 1) }
    };
    verdict.issues.iter().map(place).collect()
}

fn spot(text: &str, anchor: usize, span: Range<usize>) -> Spot {
    let anchor = anchor.min(text.len());
    let span = span.start.min(text.len())..span.end.min(text.len());
    Spot { span, anchor, position: Position::of(text.as_bytes(), anchor) }
}

/// The value that a pointer names, or the last one on the way there that is there.
fn nearest<'a>(root: crate::json::View<'a>, pointer: &str) -> (crate::json::View<'a>, bool) {
    let mut pointer = pointer;
    let mut found = true;
    loop {
        if let Some(view) = root.at_pointer(pointer) {
            return (view, found);
        }
        found = false;
        pointer = pointer.rsplit_once('/').map_or("", |(above, _)| above);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::edit::tests::{gate, target};

    fn shown(text: &str) -> Vec<String> {
        let live = Live::of(&gate(), &target("TaskUpdate"), text);
        let broken = live.broken.iter().map(|broken| format!("broken {}: {}", broken.position, broken.why));
        let issues = live.issues().map(|(issue, spot)| {
            format!("{} {} {} {:?}", issue.kind.name(), issue.subject(), spot.position, &text[spot.span.clone()])
        });
        broken.chain(issues).collect()
    }

    #[test]
    fn issues_stand_where_they_are_in_the_text_as_written() {
        for (text, expected) in [
            ("{\n  \"taskId\": \"2\"\n}", &[][..]),
            ("{\n  \"id\": \"2\"\n}", &["missing taskId line 1, column 1 \"{\"", "unexpected id line 2, column 3 \"\\\"2\\\"\""]),
            ("", &["missing taskId line 1, column 1 \"\""]),
            ("  \n {\"taskId\": 2}", &["type taskId line 2, column 3 \"2\""]),
            // Of equal keys the last one counts.
            ("{\"taskId\":\"1\",\n\"taskId\":2}", &["type taskId line 2, column 1 \"2\""]),
            ("{\"taskId\":\"1\",\"status\":\"Done\"}", &["value status line 1, column 15 \"\\\"Done\\\"\""]),
            ("{\"é\":1,\"taskId\":[]}", &["unexpected é line 1, column 2 \"1\"", "type taskId line 1, column 8 \"[]\""]),
            ("{\"taskId\":", &["broken line 1, column 11: expected a value, found the end of the text"]),
            // Closed as if cut off: both what is wrong with the text and with the value.
            (
                "{\"taskId\":\"2\",\"status\":\"Do",
                &[
                    "broken line 1, column 27: expected `\"` (the end of a string), found the end of the text",
                    "value status line 1, column 15 \"\\\"Do\"",
                ],
            ),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn the_model_text_is_the_one_that_would_be_sent() {
        let live = Live::of(&gate(), &target("TaskUpdate"), "{");
        // A lone brace is closed, as if it had been cut off.
        assert!(live.text.unwrap().starts_with("TaskUpdate failed due to the following issue(s):\n"));
        assert_eq!(Live::of(&gate(), &target("TaskUpdate"), "[").text.unwrap(), "Failed to parse tool arguments");
    }
}
