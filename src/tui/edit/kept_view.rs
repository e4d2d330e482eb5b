//! What is kept between runs of how the calls were looked at: filter, order, marks and comments, tab and tool.

use super::attempts::UNSAVED;
use crate::json::{Value, to_well_formed};
use crate::tui::state::{KeptNote, Loading, Spot, State, Tab, ToolKey, ToolRow};
use std::path::Path;
use std::sync::Arc;

/// How the calls were looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptView {
    /// The filter's text.
    pub filter: String,
    /// It was switched off.
    pub filter_off: bool,
    /// Only marked calls were shown.
    pub only_marked: bool,
    /// The order, as it is written; empty for the newest first.
    pub sort: String,
    /// The tab, by its title without a number; empty for the first.
    pub tab: String,
    /// The chosen tool: the name of a definition, or one that calls use.
    pub tool: Option<String>,
    /// How many calls stand before the selected one on its line.
    pub nth: u32,
    /// Marks and comments.
    pub notes: Vec<KeptNote>,
}

impl KeptView {
    /// As a value of the file.
    pub(super) fn to_value(&self) -> Value {
        let note = |note: &KeptNote| {
            Value::from([
                ("file", Value::from(note.spot.file.to_string_lossy().as_ref())),
                ("line", Value::from(note.spot.line)),
                ("nth", Value::from(note.spot.nth)),
                ("tool", Value::from(note.tool.as_str())),
                ("marked", Value::from(note.marked)),
                ("comment", Value::from(note.comment.as_str())),
            ])
        };
        let notes: Vec<Value> = self.notes.iter().map(note).collect();
        Value::from([
            ("filter", Value::from(self.filter.as_str())),
            ("filter_off", Value::from(self.filter_off)),
            ("only_marked", Value::from(self.only_marked)),
            ("sort", Value::from(self.sort.as_str())),
            ("tab", Value::from(self.tab.as_str())),
            ("tool", self.tool.as_deref().into()),
            ("nth", Value::from(self.nth)),
            ("notes", Value::from(notes)),
        ])
    }

    /// The same again. What is missing is as at the start: an older program wrote the file.
    pub(super) fn from_value(value: Option<&Value>, number: impl Fn(Option<&Value>) -> Option<u32>) -> Self {
        let Some(value) = value else { return Self::default() };
        let string = |value: &Value, key: &str| {
            value.get(key).and_then(Value::as_string).map(|text| to_well_formed(text.as_bytes()).into_owned())
        };
        let is = |value: &Value, key: &str| value.get(key).is_some_and(Value::is_true);
        let note = |value: &Value| {
            let (file, line) = (string(value, "file")?, number(value.get("line"))?);
            let spot = Spot { file: Arc::from(Path::new(&file)), line, nth: number(value.get("nth")).unwrap_or(0) };
            let (tool, comment) = (string(value, "tool")?, string(value, "comment").unwrap_or_default());
            Some(KeptNote { spot, tool, marked: is(value, "marked"), comment })
        };
        Self {
            filter: string(value, "filter").unwrap_or_default(),
            filter_off: is(value, "filter_off"),
            only_marked: is(value, "only_marked"),
            sort: string(value, "sort").unwrap_or_default(),
            tab: string(value, "tab").unwrap_or_default(),
            tool: string(value, "tool"),
            nth: number(value.get("nth")).unwrap_or(0),
            notes: value.get("notes").and_then(Value::as_array).unwrap_or_default().iter().filter_map(note).collect(),
        }
    }
}

/// Tabs that are opened again; the others show what is gone by then.
const TABS: [Tab; 8] = [Tab::Arguments, Tab::Edit, Tab::Issues, Tab::ModelText, Tab::Diff, Tab::Schema, Tab::Raw, Tab::Stages];

fn name_of(tab: Tab) -> &'static str {
    tab.title().trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ')
}

impl State {
    /// How the calls are looked at.
    pub(super) fn view_to_keep(&self) -> KeptView {
        let (find, rows) = (&self.data.find, &self.data.rows);
        let selected = self.data.calls.selected().filter(|id| self.edit.keeping.selected.is_none() && id.file != UNSAVED);
        let nth = selected.filter(|_| self.data.calls.chosen && self.loading == Loading::Done).and_then(|id| rows.spot(id));
        let tool = match find.tool() {
            Some(ToolKey::Definition(name)) => Some(name.clone()),
            Some(ToolKey::Unknown(name)) => Some(name.to_string()),
            Some(ToolKey::All | ToolKey::Finding(..)) | None => self.edit.keeping.tool.clone(),
        };
        KeptView {
            filter: find.text().to_owned(),
            filter_off: !find.is_on(),
            only_marked: find.only_marked(),
            sort: self.data.calls.sort().to_string(),
            tab: TABS.into_iter().skip(1).find(|tab| *tab == self.tab).map_or(String::new(), |tab| name_of(tab).to_owned()),
            tool,
            nth: nth.map_or(self.edit.keeping.nth, |spot| spot.nth),
            notes: find.notes.to_keep(rows),
        }
    }

    /// Goes on from how the calls were looked at. What is no filter and no order any more is left out.
    pub(super) fn remember_view(&mut self, view: KeptView) {
        let find = &mut self.data.find;
        let _ = find.set_text(&view.filter);
        find.set_on(!view.filter_off);
        find.set_only_marked(view.only_marked);
        find.notes.wait_for(view.notes);
        self.data.calls.set_sort(view.sort.parse().unwrap_or_default());
        self.tab = TABS.into_iter().find(|tab| name_of(*tab) == view.tab).unwrap_or_default();
        (self.edit.keeping.tool, self.edit.keeping.nth) = (view.tool, view.nth);
    }

    /// Chooses the tool that was chosen at the end of the last run, once it is there and unless another one has been.
    pub(super) fn find_kept_tool(&mut self) {
        let Some(name) = &self.edit.keeping.tool else { return };
        let is_it = |row: &&ToolRow| match &row.key {
            ToolKey::Definition(known) => known == name,
            ToolKey::Unknown(known) => **known == **name,
            ToolKey::All | ToolKey::Finding(..) => false,
        };
        let found = self.data.tools.all().iter().find(is_it).filter(|_| self.data.find.tool().is_none());
        if let Some((key, filter)) = found.map(|row| (row.key.clone(), row.filter())) {
            self.data.find.choose_tool(filter);
            self.data.tools.select_key(&key);
            self.edit.keeping.tool = None;
        } else if self.loading == Loading::Done || self.data.find.tool().is_some() {
            self.edit.keeping.tool = None;
        }
    }
}
