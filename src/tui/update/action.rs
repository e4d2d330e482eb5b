//! What each action does.

use super::super::job::kind;
use super::super::keys::{ActionId, palette};
use super::super::layout::{Pane, Wanted, layout};
use super::super::notices::Level;
use super::super::runtime::editor::{EditRequest, Subject};
use super::super::runtime::{Effect, Exit};
use super::super::state::{Overlay, PaletteState, Question, State, Tab};
use super::Effects;
use crate::dialect::WireForm;
use crate::json::Position;
use crate::tui::line_input::LineInput;
use std::path::PathBuf;
use std::time::Duration;

/// Cancelling twice within this time quits.
const TWICE: Duration = Duration::from_secs(1);
/// Rows that a page of the palette moves.
const PALETTE_PAGE: usize = 10;

/// Opens a file at a place.
pub(super) fn edit_file(path: PathBuf, at: Position) -> Effect<crate::tui::job::Job> {
    let Position { line, column } = at;
    Effect::Edit(EditRequest { id: 0, subject: Subject::File(path), line, column })
}

impl State {
    /// Does what an action says, or says why not.
    pub(super) fn perform(&mut self, action: ActionId, count: Option<u32>, effects: &mut Effects) {
        if let Err(refusal) = action.action().available(&self.snapshot()) {
            return self.say(Level::Info, &format!("{}: {refusal}", action.action().name));
        }
        if let Some(Overlay::Palette(_)) = self.overlay
            && self.perform_in_palette(action, count, effects)
        {
            return;
        }
        if matches!(self.overlay, Some(Overlay::Prompt(_))) && self.perform_in_prompt(action, effects) {
            return;
        }
        match action {
            _ if self.perform_in_review(action, effects) => {}
            _ if self.perform_in_finding(action, count) || self.perform_in_search(action, count) => {}
            _ if self.perform_in_flips(action) || self.perform_in_fuzzy(action) => {}
            _ if self.perform_in_explorer(action, count, effects) => {}
            _ if self.perform_in_editing(action, count, effects) || self.perform_in_rules(action, effects) => {}
            _ if self.perform_export(action) => {}
            ActionId::ShowPalette => self.open_palette(),
            ActionId::Back => {
                let _ = self.go_back() || self.show_more();
            }
            ActionId::Quit => self.go_back_or_quit(effects),
            ActionId::Cancel => self.cancel(effects),
            ActionId::Yes => self.answer(true, effects),
            ActionId::No => self.answer(false, effects),
            ActionId::Suspend => effects.push(Effect::Suspend),
            ActionId::Redraw => effects.push(Effect::Repaint),
            ActionId::Rescan => {
                effects.push(Effect::Rescan);
                self.reload(effects);
                self.scan(effects);
            }
            ActionId::MarkBaseline => self.mark_baseline(effects),
            ActionId::NextIssue | ActionId::PreviousIssue => self.go_to_issue(action, count),
            ActionId::Wrap => self.reading.wrap = !self.reading.wrap,
            ActionId::Whitespace => self.reading.whitespace = !self.reading.whitespace,
            ActionId::NextForm => self.next_form(),
            ActionId::EditExternal | ActionId::EditDefinition => self.open_editor(true, effects),
            ActionId::OpenCapture => self.open_editor(false, effects),
            ActionId::ToggleMouse => self.toggle_mouse(effects),
            ActionId::Zoom => self.zoom = !self.zoom,
            ActionId::Open => self.open(),
            _ if self.go(action) || self.scroll_log(action, count) || self.fold(action) || self.move_in(action, count) => {}
            // Every other action works on data, and there is none to work on.
            _ => self.say(Level::Info, &format!("{}: there is nothing to do it with", action.action().name)),
        }
    }

    /// Goes to a pane or a tab, if that is what the action is about.
    fn go(&mut self, action: ActionId) -> bool {
        let tab = match action {
            ActionId::NextPane => return self.cycle(1),
            ActionId::PreviousPane => return self.cycle(-1),
            ActionId::PaneLeft => return self.neighbour(-1, 0),
            ActionId::PaneRight => return self.neighbour(1, 0),
            ActionId::PaneUp => return self.neighbour(0, -1),
            ActionId::PaneDown => return self.neighbour(0, 1),
            ActionId::TabArguments => Tab::Arguments,
            ActionId::TabEdit => Tab::Edit,
            ActionId::TabIssues => Tab::Issues,
            ActionId::TabModelText => Tab::ModelText,
            ActionId::TabDiff => Tab::Diff,
            ActionId::TabSchema => Tab::Schema,
            ActionId::TabRaw => Tab::Raw,
            ActionId::ShowStages => Tab::Stages,
            ActionId::ShowStatistics => Tab::Statistics,
            ActionId::ShowFlips => Tab::Flips,
            ActionId::ShowLog => Tab::Log,
            _ => return false,
        };
        self.tab = tab;
        if matches!(tab, Tab::Log | Tab::Flips | Tab::Statistics) {
            self.focus = Pane::Detail;
            self.log_scroll = 0;
        } else if self.zoom {
            // What was asked for must be seen.
            self.focus = Pane::Detail;
        }
        true
    }

    /// The next pane in the order of Tab. Under the detail only one list is shown at a time, and then both take part.
    fn cycle(&mut self, step: isize) -> bool {
        let unzoomed = layout(self.size, Wanted { zoom: false, ..self.wanted() });
        let mut panes: Vec<Pane> = unzoomed.panes().map(|(pane, _)| pane).collect();
        if !panes.is_empty() {
            panes.extend([Pane::Tools, Pane::Calls]);
            panes.sort_unstable();
            panes.dedup();
        }
        if let Some(at) = panes.iter().position(|pane| *pane == self.focus) {
            let next = at.checked_add_signed(step).unwrap_or(panes.len() - 1);
            self.focus = panes[next % panes.len()];
        }
        true
    }

    /// The pane that begins nearest in a direction, one that is straight ahead first.
    fn neighbour(&mut self, right: i32, down: i32) -> bool {
        let layout = self.layout(self.size);
        let Some(here) = layout.slot(self.focus).map(|slot| slot.outer) else { return true };
        let distance = |pane: Pane| {
            let there = layout.slot(pane)?.outer;
            let x = i32::from(there.x) - i32::from(here.x);
            let y = i32::from(there.y) - i32::from(here.y);
            let (along, across) = (x * right + y * down, (x * down).abs() + (y * right).abs());
            let ahead = if down == 0 {
                there.top() < here.bottom() && here.top() < there.bottom()
            } else {
                there.left() < here.right() && here.left() < there.right()
            };
            (along > 0).then_some((!ahead, along, across))
        };
        let nearest = Pane::ALL.into_iter().filter_map(|pane| Some((distance(pane)?, pane))).min();
        if let Some((_, pane)) = nearest {
            self.focus = pane;
        }
        true
    }

    pub(super) fn scroll_log(&mut self, action: ActionId, count: Option<u32>) -> bool {
        if self.tab != Tab::Log || self.focus != Pane::Detail {
            return false;
        }
        let page = self.layout(self.size).slot(Pane::Detail).map_or(1, |slot| usize::from(slot.inner.height).max(1));
        let steps = usize::try_from(count.unwrap_or(1)).unwrap_or(usize::MAX);
        let most = self.log_lines().saturating_sub(page);
        self.log_scroll = match action {
            ActionId::MoveUp => self.log_scroll.saturating_add(steps),
            ActionId::MoveDown => self.log_scroll.saturating_sub(steps),
            ActionId::HalfPageUp => self.log_scroll.saturating_add(steps.saturating_mul(page / 2)),
            ActionId::HalfPageDown => self.log_scroll.saturating_sub(steps.saturating_mul(page / 2)),
            ActionId::PageUp => self.log_scroll.saturating_add(steps.saturating_mul(page)),
            ActionId::PageDown => self.log_scroll.saturating_sub(steps.saturating_mul(page)),
            ActionId::First => most,
            ActionId::Last => 0,
            _ => return false,
        }
        .min(most);
        true
    }

    /// The model's text in the next provider's form.
    fn next_form(&mut self) {
        let forms = WireForm::ALL;
        let at = self.reading.form.and_then(|form| forms.iter().position(|known| *known == form));
        self.reading.form = forms.get(at.map_or(0, |at| at + 1)).copied();
        let form = self.reading.form;
        if let Some(look) = &mut self.look.call {
            look.set_form(form);
        }
    }

    /// Opens the file of the definition at the part that the selected issue is about, or the file of the call at its line.
    fn open_editor(&mut self, definition: bool, effects: &mut Effects) {
        let look = self.look.call.as_deref();
        let place = if definition {
            let selected = self.data.tools.row().filter(|_| self.focus == Pane::Tools);
            let finding = selected.and_then(|row| row.finding.as_ref());
            match (selected.and_then(|row| row.definition.as_ref()), look) {
                _ if finding.is_some() => {
                    finding.map(|finding| (finding.path.clone(), finding.position.unwrap_or(Position { line: 1, column: 1 })))
                }
                (Some(definition), _) => Some((definition.path().to_owned(), definition.position())),
                (None, Some(look)) => look.shown.definition.as_ref().map(|definition| {
                    let issue = look.shown.schema_places.get(look.issue).copied().flatten();
                    (definition.path().to_owned(), issue.unwrap_or_else(|| definition.position()))
                }),
                (None, None) => None,
            }
        } else {
            let place = look.map(|look| &look.shown.call.place).filter(|place| place.line > 0);
            place.map(|place| (place.file.to_path_buf(), Position { line: place.line, column: 1 }))
        };
        match place {
            Some((path, position)) => effects.push(edit_file(path, position)),
            None if definition => self.say(Level::Info, "There is no definition of this tool to open"),
            None => {
                let text = format!("This attempt is in no file yet; {} saves it", self.key_of(ActionId::SaveAttempt));
                self.say(Level::Info, &text);
            }
        }
    }

    fn open_palette(&mut self) {
        self.overlay = Some(Overlay::Palette(PaletteState { query: LineInput::default(), selected: 0, over: self.context() }));
    }

    /// Whether the palette took the action for itself.
    fn perform_in_palette(&mut self, action: ActionId, count: Option<u32>, effects: &mut Effects) -> bool {
        let snapshot = self.snapshot();
        let Some(Overlay::Palette(open)) = &mut self.overlay else { return false };
        let entries = palette::entries(&self.keymap, open.over, &snapshot, open.query.text());
        let last = entries.len().saturating_sub(1);
        let steps = usize::try_from(count.unwrap_or(1)).unwrap_or(usize::MAX);
        match action {
            ActionId::MoveDown => open.selected = (open.selected + steps).min(last),
            ActionId::MoveUp => open.selected = open.selected.saturating_sub(steps),
            ActionId::PageDown => open.selected = (open.selected + PALETTE_PAGE).min(last),
            ActionId::PageUp => open.selected = open.selected.saturating_sub(PALETTE_PAGE),
            ActionId::Dismiss => self.overlay = None,
            ActionId::Accept => {
                let chosen = entries.get(open.selected).map(|entry| entry.action.id);
                self.overlay = None;
                if let Some(chosen) = chosen {
                    self.perform(chosen, None, effects);
                }
            }
            _ => return false,
        }
        true
    }

    /// Goes back one step: false if there is none.
    pub(super) fn go_back(&mut self) -> bool {
        if self.go_back_in_editor() {
            return true;
        }
        if self.notices.dismiss() || self.overlay.take().is_some() {
            return true;
        }
        if self.go_out() {
            return true;
        }
        if self.zoom {
            self.zoom = false;
            return true;
        }
        if self.focus == Pane::Tools && !self.data.tools.typed().is_empty() {
            self.data.tools.narrow("");
            return true;
        }
        if self.focus != Pane::Calls {
            self.focus = Pane::Calls;
            return true;
        }
        false
    }

    fn go_back_or_quit(&mut self, effects: &mut Effects) {
        // A notice is not a place to go back from.
        self.notices.dismiss();
        if !self.go_back() {
            self.quit(effects);
        }
    }

    fn quit(&mut self, effects: &mut Effects) {
        // What is kept is there again at the next start: nothing is lost that one would have to be asked about.
        let about = &self.data.find.notes;
        let (edits, notes) = (self.unsaved > 0, about.written() > 0 && !about.is_empty() && !self.demo);
        if (edits || notes) && !self.edit.keeping.works() {
            self.overlay = Some(Overlay::Confirm(Question::QuitAndLose { edits, notes }));
        } else {
            effects.push(Effect::Quit(Exit::Asked));
        }
    }

    fn answer(&mut self, yes: bool, effects: &mut Effects) {
        let Some(Overlay::Confirm(question)) = self.overlay.take() else { return };
        match question {
            Question::QuitAndLose { .. } if yes => effects.push(Effect::Quit(Exit::Asked)),
            Question::QuitAndLose { .. } => {}
            Question::OverwriteExport => self.answer_overwriting(yes, effects),
            Question::AcceptFinding => self.answer_accepting(yes, effects),
        }
    }

    fn cancel(&mut self, effects: &mut Effects) {
        let is_second = self.cancelled_at.is_some_and(|at| self.now.saturating_sub(at) <= TWICE);
        self.cancelled_at = Some(self.now);
        if is_second {
            return effects.push(Effect::Quit(Exit::Asked));
        }
        if matches!(self.overlay, Some(Overlay::Prompt(_))) {
            return self.dismiss_prompt();
        }
        if self.overlay.take().is_some() {
            return;
        }
        if let Some((key, _)) = self.jobs.oldest() {
            self.jobs.forget(key);
            effects.push(Effect::Cancel(key));
            self.reading_ended(key);
            let again = self.key_of(ActionId::Rescan);
            let text = match (key.kind, key.id) {
                (kind @ kind::JUDGING, 0) => {
                    format!("{kind} was stopped; calls are judged as before, {again} judges them by what is saved")
                }
                (kind, _) => format!("{kind} was stopped"),
            };
            return self.say(Level::Info, &text);
        }
        self.say(Level::Info, &format!("{} again quits", self.key_of(ActionId::Cancel)));
    }

    fn toggle_mouse(&mut self, effects: &mut Effects) {
        self.mouse = !self.mouse;
        effects.push(Effect::Mouse(self.mouse));
        let text = if self.mouse {
            "The mouse works here; Shift selects text in most terminals"
        } else {
            "The mouse is the terminal's: it selects text"
        };
        self.say(Level::Info, text);
    }
}
