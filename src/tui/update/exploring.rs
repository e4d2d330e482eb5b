//! The explorer of definitions: what is asked for it, and what its keys do.

use super::super::job::{Job, kind};
use super::super::keys::ActionId;
use super::super::layout::Pane;
use super::super::notices::Level;
use super::super::runtime::Effect;
use super::super::state::{Item, ItemPart, Loading, Purpose, State, Tab, ToolKey};
use super::moving::Way;
use super::{Effects, in_sight};
use crate::json::Position;
use crate::replay::filter::failing_at;
use crate::tui::edit::job::Shared;
use std::path::PathBuf;
use std::sync::Arc;

impl State {
    /// Whether the tree of definitions is on the screen.
    pub(in crate::tui) fn is_exploring(&self) -> bool {
        self.tab == Tab::Definitions
    }

    /// Has definitions laid out, and calls counted, where what is there is out of date and somebody looks at it.
    pub(super) fn settle_definitions(&mut self, effects: &mut Effects) {
        let Some(desk) = self.desk.clone() else { return };
        let laid_out = Arc::ptr_eq(&self.explorer.definitions.gate, &self.data.gate);
        if !laid_out && !self.asked_definitions.as_ref().is_some_and(|gate| Arc::ptr_eq(gate, &self.data.gate)) {
            self.asked_definitions = Some(Arc::clone(&self.data.gate));
            let ticket = self.jobs.ask(self.now, kind::DEFINITIONS, 0);
            let (catalog, gate) = (Shared(Arc::clone(&self.data.catalog)), Shared(Arc::clone(&self.data.gate)));
            effects.push(Effect::Spawn(ticket, Job::Definitions(catalog, gate, Shared(Arc::clone(&self.lint)))));
        }
        let is_seen = self.is_exploring() || self.tab == Tab::Statistics || self.layout(self.size).slot(Pane::Card).is_some();
        let is_stale = self.counted != Some(self.data.revision) && self.counting.is_none();
        if is_seen && is_stale && self.loading == Loading::Done {
            self.counting = Some(self.data.revision);
            effects.push(Effect::Spawn(self.jobs.ask(self.now, kind::COUNTING, 0), Job::Count(desk)));
        }
        if self.is_exploring() {
            let height = self.explorer_height();
            let explorer = &mut self.explorer;
            explorer.top = in_sight(explorer.top, explorer.cursor(), explorer.rows().len(), height);
        }
    }

    /// Rows of the tree that are on the screen.
    fn explorer_height(&self) -> usize {
        let inner = self.layout(self.size).slot(Pane::Detail).map(|slot| slot.inner).unwrap_or_default();
        crate::tui::view::explorer_parts(inner).1.height.into()
    }

    /// Does what an action says in the tree of definitions, if it is about that.
    pub(super) fn perform_in_explorer(&mut self, action: ActionId, count: Option<u32>, effects: &mut Effects) -> bool {
        match action {
            ActionId::ShowDefinitions => self.show_definitions(),
            ActionId::FindDefinition if !self.is_exploring() => {
                self.show_definitions();
                self.search();
            }
            _ if !self.is_exploring() || self.focus != Pane::Detail => return false,
            ActionId::FindDefinition => self.search(),
            ActionId::NextFound | ActionId::PreviousFound => {
                for _ in 0..count.unwrap_or(1).min(1_000) {
                    self.explorer.go_to_found(action == ActionId::PreviousFound, false);
                }
                if self.explorer.found().is_empty() {
                    self.say(Level::Info, "Nothing was searched for, or found; / searches");
                }
            }
            ActionId::Open => self.open_definition_row(),
            ActionId::EditDefinition | ActionId::EditExternal => self.edit_definition_row(effects),
            ActionId::ToggleFold | ActionId::Fold => {
                if let Some(item) = self.explorer.item() {
                    self.explorer.toggle(item);
                }
            }
            ActionId::FoldAll => self.explorer.toggle_all(),
            ActionId::ToggleNotes => self.explorer.toggle_notes(),
            ActionId::Left => self.explorer.go_out(),
            ActionId::Right => self.explorer.go_in(),
            ActionId::Back if self.explorer.explained.take().is_some() => {}
            _ => return false,
        }
        true
    }

    pub(super) fn move_in_explorer(&mut self, way: Way) {
        if let Some(top) = self.explorer.explained {
            let lines = self.explorer.lint().map_or(0, |lint| lint.why.lines().count());
            self.explorer.explained = Some(way.from(top, lines));
        } else {
            let explorer = &mut self.explorer;
            explorer.select(way.from(explorer.cursor(), explorer.rows().len()));
        }
    }

    fn show_definitions(&mut self) {
        self.tab = Tab::Definitions;
        let selected = match self.focus {
            Pane::Tools | Pane::Card => self.data.tools.row().and_then(|row| row.names.first()).map(ToString::to_string),
            _ => self.look.call.as_ref().map(|look| look.shown.call.tool.clone()),
        };
        self.focus = Pane::Detail;
        if let Some(name) = selected {
            self.explorer.select_tool(&name);
        }
    }

    fn search(&mut self) {
        self.explorer.explained = None;
        let query = self.explorer.query().to_owned();
        self.open_prompt(Purpose::Definitions, &query);
    }

    /// Searches the definitions for what is typed, from what was selected before; without a place that matches, that stays so.
    pub(super) fn search_definitions(&mut self, query: &str, from: Option<Item>) {
        self.explorer.set_query(query);
        if let Some(from) = from {
            self.explorer.select_item(from);
        }
        if !query.is_empty() {
            self.explorer.go_to_found(false, true);
        }
    }

    /// A finding is explained, a failing parameter leads to the calls that fail there, everything else is folded or unfolded.
    fn open_definition_row(&mut self) {
        let Some(item) = self.explorer.item() else { return };
        let failing = self.explorer.usage(item).map_or(0, |usage| usage.failing);
        if matches!(item.part, ItemPart::Lint(_)) {
            let explained = &mut self.explorer.explained;
            *explained = if explained.is_some() { None } else { Some(0) };
        } else if failing > 0 {
            self.show_calls_failing_at(item);
        } else if self.explorer.can_fold(item) {
            self.explorer.toggle(item);
        } else {
            self.say(Level::Info, "No call fails here");
        }
    }

    /// The calls that have an issue with what a row shows.
    fn show_calls_failing_at(&mut self, item: super::super::state::Item) {
        let (Some(pattern), Some(tool)) = (self.explorer.pattern(item), self.explorer.tool(item)) else { return };
        if tool.names.is_empty() {
            return self.say(Level::Info, "Another definition has the same name, and calls are judged by that one");
        }
        let filter = failing_at(&tool.names, &pattern).to_string();
        self.data.find.choose_tool(None);
        if let Err(error) = self.data.find.set_text(&filter) {
            return self.say(Level::Error, &error.to_string());
        }
        self.data.find.set_on(true);
        self.data.calls.chosen = false;
        self.data.calls.follow = false;
        self.data.tools.select_key(&ToolKey::All);
        self.tab = Tab::Arguments;
        self.focus = Pane::Calls;
    }

    fn edit_definition_row(&mut self, effects: &mut Effects) {
        let place = self.explorer.item().and_then(|item| self.explorer.tool(item).map(|tool| (item, tool)));
        let Some((item, tool)) = place else { return self.say(Level::Info, "There is no definition to open") };
        let of = |row: usize| tool.rows.get(row).map(|row| tool.definition.position_of(&row.pointer));
        let start = tool.definition.position();
        let position = match item.part {
            ItemPart::Tool | ItemPart::Undeclared(_) => start,
            ItemPart::Parameter(row) => of(row).unwrap_or(start),
            ItemPart::Lint(n) => tool.lints.get(n).map_or(start, |lint| Position { line: lint.line, column: 1 }),
        };
        let path: PathBuf = tool.definition.path().to_owned();
        effects.push(super::action::edit_file(path, position));
    }
}
