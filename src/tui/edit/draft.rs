//! A text being written for a call.

use super::buffer::Buffer;
use super::complete::{Completion, completions};
use super::format::{editable, format};
use super::live::{Live, Target};
use crate::capture::Call;
use crate::definition::Definition;
use crate::gate::{Arguments, Gate};
use crate::tui::state::Pages;
use std::path::Path;
use std::sync::Arc;

/// Texts up to here are judged at once, longer ones by a job.
pub const AT_ONCE: usize = 64 << 10;

/// A call's arguments while they are edited. The call itself never changes.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The call.
    pub origin: Origin,
    /// What its text is judged as.
    pub target: Target,
    /// The definition that helps with writing.
    pub definition: Option<Arc<Definition>>,
    /// The text that editing began with, or that was replayed last.
    pub base: Arc<str>,
    /// The text.
    pub buffer: Buffer,
    /// What the gate says of it, once it has.
    pub live: Option<Live>,
    /// What the model would get, cut to be shown.
    pub model: Pages,
    /// The revision that this was said of.
    pub judged: Option<u64>,
    /// The revision that a job has been asked about.
    pub asked: Option<u64>,
    /// What could be written at the cursor, while that is shown.
    pub popup: Option<Popup>,
    /// The first line that is seen.
    pub top: usize,
    /// Cells that are scrolled away on the left.
    pub left: usize,
}

/// What could be written at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Popup {
    /// The choices; at least one.
    pub choices: Vec<Completion>,
    /// The selected one.
    pub selected: usize,
}

/// Which call it is, in words that hold when its file is read anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The file.
    pub file: Arc<Path>,
    /// The line in it.
    pub line: u32,
    /// Its id.
    pub id: Option<String>,
    /// The tool.
    pub tool: String,
}

impl Origin {
    /// That of a call.
    #[must_use]
    pub fn of(call: &Call) -> Self {
        Self { file: Arc::clone(&call.place.file), line: call.place.line, id: call.id.clone(), tool: call.tool.clone() }
    }

    /// Whether both are the same call: in one file, of one tool, with one id; without an id, on one line.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        let place = if self.id.is_some() { self.id == other.id } else { other.id.is_none() && self.line == other.line };
        self.file == other.file && self.tool == other.tool && place
    }
}

/// The text with which editing a call begins: its JSON laid out, and exactly as captured where it is none.
#[must_use]
pub fn text_of(call: &Call) -> String {
    match &call.arguments {
        Arguments::Absent => "{}".to_owned(),
        Arguments::Json(value) => value.to_json_pretty(2),
        Arguments::Text(text) => {
            let text = editable(text);
            format(&text).unwrap_or(text)
        }
    }
}

impl Draft {
    /// Begins to edit a call's arguments.
    #[must_use]
    pub fn new(call: &Call, definition: Option<Arc<Definition>>) -> Self {
        let text = text_of(call);
        Self {
            origin: Origin::of(call),
            target: Target::of(call),
            definition,
            base: Arc::from(text.as_str()),
            buffer: Buffer::new(text),
            live: None,
            model: Pages::default(),
            judged: None,
            asked: None,
            popup: None,
            top: 0,
            left: 0,
        }
    }

    /// Whether the text is another than the one that editing began with.
    #[must_use]
    pub fn is_edited(&self) -> bool {
        // Undoing everything makes it the same again.
        self.buffer.text() != &*self.base
    }

    /// Whether what is known of the text is about the text as it is.
    #[must_use]
    pub fn is_judged(&self) -> bool {
        self.judged == Some(self.buffer.revision())
    }

    /// Judges the text, if it is short enough for that to take no time. Gives whether a job must.
    pub fn judge(&mut self, gate: &Gate) -> bool {
        if self.is_judged() {
            return false;
        }
        if self.buffer.text().len() > AT_ONCE {
            return self.asked != Some(self.buffer.revision());
        }
        let live = Live::of(gate, &self.target, self.buffer.text());
        self.set_live(live, self.buffer.revision());
        false
    }

    /// Takes in what was said of a revision of the text.
    pub fn set_live(&mut self, live: Live, revision: u64) {
        if self.judged.is_some_and(|judged| judged > revision) {
            return;
        }
        let text = live.text.clone().unwrap_or_default();
        if self.model.text() != text {
            self.model = Pages::new(text);
        }
        // Cursor and first issue meet at the start.
        if self.judged.is_none() && self.buffer.revision() == 0 && self.buffer.cursor() == 0 {
            let first = live.broken.as_ref().map(|broken| broken.at).or(live.stops().first().copied());
            self.buffer.move_to(first.unwrap_or(0));
        }
        self.live = Some(live);
        self.judged = Some(revision);
    }

    /// What was said was said by another gate.
    pub fn forget_verdict(&mut self) {
        self.judged = None;
        self.asked = None;
    }

    /// What the gate says of the text as it is.
    #[must_use]
    pub fn verdict(&self) -> Option<&Live> {
        self.live.as_ref().filter(|_| self.is_judged())
    }

    /// Puts the cursor at the next place at which something is wrong, or at the one before; round and round. False if there is
    /// none.
    pub fn go_to_stop(&mut self, forward: bool) -> bool {
        let Some(stops) = self.verdict().map(Live::stops) else { return false };
        let cursor = self.buffer.cursor();
        let next = if forward {
            stops.iter().find(|at| **at > cursor).or(stops.first())
        } else {
            stops.iter().rfind(|at| **at < cursor).or(stops.last())
        };
        let Some(next) = next.copied() else { return false };
        self.buffer.move_to(next);
        true
    }

    /// Shows what could be written at the cursor. False if there is nothing.
    pub fn complete(&mut self) -> bool {
        let Some(definition) = &self.definition else { return false };
        let choices = completions(self.buffer.text(), self.buffer.cursor(), definition);
        self.popup = (!choices.is_empty()).then_some(Popup { choices, selected: 0 });
        self.popup.is_some()
    }

    /// Narrows what is shown to what has been typed since.
    pub fn narrow(&mut self) {
        if let Some(popup) = self.popup.take() {
            let label = popup.choices.get(popup.selected).map(|choice| choice.label.clone());
            if self.complete()
                && let Some(popup) = &mut self.popup
            {
                popup.selected = popup.choices.iter().position(|choice| Some(&choice.label) == label.as_ref()).unwrap_or(0);
            }
        }
    }

    /// Writes what is selected.
    pub fn accept(&mut self) {
        let Some(popup) = self.popup.take() else { return };
        if let Some(choice) = popup.choices.into_iter().nth(popup.selected) {
            self.buffer.splice(choice.range, &choice.insert);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Value;
    use crate::tui::edit::tests::{call, definition, gate};

    fn draft(text: &str) -> Draft {
        let mut draft = Draft::new(&call("TaskUpdate", text), Some(definition("TaskUpdate")));
        assert!(!draft.judge(&gate()));
        draft
    }

    #[test]
    fn json_is_laid_out_and_what_is_none_stays_as_it_is() {
        assert_eq!(draft(r#"{"taskId":"1"}"#).buffer.text(), "{\n  \"taskId\": \"1\"\n}");
        assert_eq!(draft("{\"taskId\":\r\n").buffer.text(), "{\"taskId\":\r\n");
        let value = Call::new("T", Arguments::Json(Value::parse(b"[1]").unwrap()));
        assert_eq!(text_of(&value), "[\n  1\n]");
        assert_eq!(text_of(&Call::new("T", Arguments::Absent)), "{}");
    }

    #[test]
    fn the_cursor_starts_where_something_is_wrong_and_goes_on_from_there() {
        let mut draft = draft(r#"{"taskId":"1","x":1,"status":"no"}"#);
        let here = |draft: &Draft| draft.buffer.text()[draft.buffer.cursor()..].chars().take(4).collect::<String>();
        assert_eq!(here(&draft), "\"x\":");
        assert!(draft.go_to_stop(true));
        assert_eq!(here(&draft), "\"sta");
        assert!(draft.go_to_stop(true));
        assert_eq!(here(&draft), "\"x\":");
        assert!(draft.go_to_stop(false));
        assert_eq!(here(&draft), "\"sta");
    }

    #[test]
    fn a_choice_is_narrowed_by_typing_and_written_as_one_step() {
        let mut draft = draft("{}");
        draft.buffer.move_to(1);
        assert!(draft.complete());
        for c in ["\"", "s", "t", "a"] {
            draft.buffer.typed(c);
            draft.narrow();
        }
        assert_eq!(draft.popup.as_ref().unwrap().choices.len(), 1);
        draft.accept();
        assert_eq!(draft.buffer.text(), "{\"status\": }");
        assert!(draft.buffer.undo());
        assert_eq!(draft.buffer.text(), "{\"sta}");
    }

    #[test]
    fn long_texts_are_for_a_job() {
        let text = format!("{{\"taskId\":\"{}\"}}", "x".repeat(AT_ONCE));
        let mut draft = Draft::new(&call("TaskUpdate", &text), None);
        assert!(draft.judge(&gate()));
        draft.asked = Some(draft.buffer.revision());
        assert!(!draft.judge(&gate()));
        let live = Live::of(&gate(), &draft.target, draft.buffer.text());
        draft.buffer.typed(" ");
        draft.set_live(live, 0);
        assert!(draft.verdict().is_none() && draft.judge(&gate()));
    }
}
