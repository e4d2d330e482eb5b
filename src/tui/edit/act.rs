//! What the actions of the editor do.

use super::skeleton::with_required;
use super::{format::format, typing};
use crate::tui::keys::ActionId;
use crate::tui::layout::Pane;
use crate::tui::notices::Level;
use crate::tui::runtime::editor::{EditRequest, Edited, Outcome, Subject};
use crate::tui::runtime::{Effect, Redraw};
use crate::tui::state::{State, Tab};
use crate::tui::update::Effects;
use crossterm::event::{KeyCode, KeyEvent};

impl State {
    /// Does what an action says, if it has to do with editing.
    pub(in crate::tui) fn perform_in_editing(&mut self, action: ActionId, count: Option<u32>, effects: &mut Effects) -> bool {
        match action {
            ActionId::Edit => {
                // A call that comes in must not take the place of the one that is written for.
                self.data.calls.follow = false;
                self.tab = Tab::Edit;
                self.focus = Pane::Detail;
            }
            ActionId::EditExternal if self.tab != Tab::Schema => self.hand_over(effects),
            ActionId::NextIssue | ActionId::PreviousIssue if self.is_writing() => {
                let found = self.draft_mut().is_some_and(|draft| draft.go_to_stop(action == ActionId::NextIssue));
                if !found {
                    self.say(Level::Info, "Nothing is wrong with this text");
                }
            }
            ActionId::Undo | ActionId::Redo => self.take_back(action == ActionId::Undo),
            ActionId::FormatText => self.format_text(),
            ActionId::SelectAll => drop(self.draft_mut().map(|draft| draft.buffer.select_all())),
            ActionId::Complete => self.complete(),
            ActionId::InsertRequired => self.insert_required(),
            ActionId::DiscardEdits => self.discard_edits(),
            ActionId::Replay => self.replay(false, effects),
            ActionId::ReplayEdited => self.replay(true, effects),
            ActionId::DiscardAttempt => self.discard_attempt(effects),
            ActionId::SaveAttempt => self.save_attempts(effects),
            _ => return self.perform_in_comparing(action, count) || self.perform_copy(action, effects),
        }
        true
    }

    /// Closes what is open in the editor: false if nothing is.
    pub(in crate::tui) fn go_back_in_editor(&mut self) -> bool {
        if !self.is_writing() {
            return false;
        }
        self.draft_mut().is_some_and(|draft| draft.popup.take().is_some() || draft.buffer.unselect())
    }

    /// Takes in a key that writes.
    pub(in crate::tui) fn type_key(&mut self, key: &KeyEvent) -> Redraw {
        let page = self.editor_height();
        let Some(draft) = self.draft_mut() else { return Redraw::NotNeeded };
        if let Some(popup) = &mut draft.popup {
            let last = popup.choices.len() - 1;
            match key.code {
                KeyCode::Down => popup.selected = if popup.selected == last { 0 } else { popup.selected + 1 },
                KeyCode::Up => popup.selected = popup.selected.checked_sub(1).unwrap_or(last),
                KeyCode::Enter => draft.accept(),
                _ => return self.type_through(key, page),
            }
            return Redraw::Needed;
        }
        self.type_through(key, page)
    }

    fn type_through(&mut self, key: &KeyEvent, page: usize) -> Redraw {
        let Some(draft) = self.draft_mut() else { return Redraw::NotNeeded };
        match typing::press(&mut draft.buffer, key, page) {
            typing::Pressed::Unknown => return Redraw::NotNeeded,
            typing::Pressed::Changed => draft.narrow(),
            typing::Pressed::Moved => draft.popup = None,
        }
        Redraw::Needed
    }

    /// Takes in what was pasted, as one step.
    pub(in crate::tui) fn paste_text(&mut self, text: &str) -> Redraw {
        let Some(draft) = self.draft_mut() else { return Redraw::NotNeeded };
        // Terminals send a carriage return for every line end of what is pasted.
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        draft.buffer.insert(&text);
        draft.popup = None;
        Redraw::Needed
    }

    fn take_back(&mut self, undo: bool) {
        let Some(draft) = self.draft_mut() else { return };
        draft.popup = None;
        let done = if undo { draft.buffer.undo() } else { draft.buffer.redo() };
        if !done {
            self.say(Level::Info, if undo { "There is nothing to undo" } else { "There is nothing to do again" });
        }
    }

    fn format_text(&mut self) {
        let Some(draft) = self.draft_mut() else { return };
        draft.popup = None;
        match format(draft.buffer.text()) {
            Ok(text) if text == draft.buffer.text() => self.say(Level::Info, "The text is laid out already"),
            Ok(text) => draft.buffer.set_text(&text, None),
            Err(error) => {
                let place = error.position(draft.buffer.text().as_bytes());
                let text = format!("The text cannot be laid out: {place}: {error}");
                self.say(Level::Info, &text);
            }
        }
    }

    fn complete(&mut self) {
        let Some(draft) = self.draft_mut() else { return };
        if draft.popup.is_some() {
            return draft.accept();
        }
        if draft.complete() {
            return;
        }
        let line = draft.buffer.line_at(draft.buffer.cursor());
        let before = &draft.buffer.text()[line.start..draft.buffer.cursor()];
        if before.trim().is_empty() {
            draft.buffer.typed("  ");
        } else {
            self.say(
                Level::Info,
                &format!("There is nothing to complete here; {} leaves the editor", self.key_of(ActionId::Back)),
            );
        }
    }

    fn insert_required(&mut self) {
        let Some(draft) = self.draft_mut() else { return };
        draft.popup = None;
        let made = match (draft.live.as_ref().filter(|_| draft.is_judged()), &draft.definition) {
            (Some(live), Some(definition)) => with_required(draft.buffer.text(), live, definition),
            (None, _) => Err("the text is still being judged"),
            (_, None) => Err("this tool has no definition"),
        };
        match made {
            Ok((text, cursor)) => draft.buffer.set_text(&text, Some(cursor)),
            Err(why) => self.say(Level::Info, &format!("insert-required: {why}")),
        }
    }

    fn discard_edits(&mut self) {
        let Some(draft) = self.draft_mut() else { return };
        draft.popup = None;
        let base = std::sync::Arc::clone(&draft.base);
        draft.buffer.set_text(&base, None);
    }

    /// Gives the text to the person's own editor, at the first thing that is wrong.
    fn hand_over(&mut self, effects: &mut Effects) {
        let Some(look) = &self.look.call else { return };
        let id = look.shown.id;
        let gate = self.rules_of(id).gate;
        let at_cursor = self.is_writing();
        let draft = self.edit.drafts.open(&look.shown);
        draft.judge(&gate);
        let text = draft.buffer.text();
        let cursor = crate::json::Position::of(text.as_bytes(), draft.buffer.cursor());
        let broken = draft.verdict().and_then(|live| live.broken.as_ref()).map(|broken| broken.position);
        let first = || draft.verdict()?.places.iter().min_by_key(|spot| spot.anchor).map(|spot| spot.position);
        let place = if at_cursor { cursor } else { broken.or_else(first).unwrap_or(cursor) };
        let subject = Subject::Text { text: text.as_bytes().to_vec(), extension: "json" };
        self.edit.requests += 1;
        self.edit.handed = Some((self.edit.requests, id));
        let request = EditRequest { id: self.edit.requests, subject, line: place.line, column: place.column };
        effects.push(Effect::Edit(request));
    }

    /// Takes the text back from the person's own editor. False if it was not one of ours.
    pub(in crate::tui) fn take_over(&mut self, edited: &Edited) -> bool {
        let Some((_, id)) = self.edit.handed.take_if(|(request, _)| *request == edited.id) else { return false };
        let Outcome::Changed(bytes) = &edited.outcome else { return false };
        let text = String::from_utf8_lossy(bytes);
        if matches!(text, std::borrow::Cow::Owned(_)) {
            self.say(Level::Warning, "Bytes that are not UTF-8 were replaced");
        }
        let Some(draft) = self.edit.drafts.get_mut(id) else { return false };
        // Most editors end a file with a line end that nobody wrote.
        let added = text.ends_with('\n') && !draft.buffer.text().ends_with('\n');
        let text = if added { &text[..text.len() - 1] } else { &text };
        draft.buffer.set_text(text, None);
        draft.popup = None;
        if self.look.call.as_ref().is_some_and(|look| look.shown.id == id) {
            self.tab = Tab::Edit;
            self.focus = Pane::Detail;
        }
        true
    }
}
