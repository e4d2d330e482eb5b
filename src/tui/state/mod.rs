//! Everything that decides what is on the screen.

mod by_file;
mod call_set;
mod calls;
mod cell;
mod data;
mod example;
mod explorer;
mod find;
mod fuzzy;
mod look;
mod notes;
mod pages;
mod prompt;
pub mod review;
mod rows;
mod search;
mod tools;
mod tree;

pub use calls::{Calls, arranged, compare};
pub use data::{Baseline, Brought, Data};
pub use example::Example;
pub use explorer::{Explorer, Item, ItemPart};
pub use find::{Answer, Answers, Find, Flagged, Query};
pub use fuzzy::{FuzzyCalls, rank, write_text};
pub use look::{Look, Looked};
pub use notes::{KeptNote, Note, Notes};
pub use pages::{Pages, cells};
pub use prompt::{Before, KeptLines, Prompt, Purpose, Recall};
pub use rows::{Counts, Place, Rows, Spot, fails};
pub use search::{Hit, MOST, Needle, Search, What, go_to, in_text, in_tree};
pub use tools::{ToolKey, ToolRow, Tools};
pub use tree::{Anchor, Said, TreeRow, TreeView, indent};

use self::review::ReviewScreen;
use super::edit::Editing;
use super::edit::draft::Draft;
use super::export::job::ExportJob;
use super::job::review::Settings;
use super::job::{Desk, LintOptions};
use super::keys::input::Pending;
use super::keys::{ActionId, Context, Keymap, Snapshot};
use super::layout::{Layout, Pane, Wanted, layout};
use super::line_input::LineInput;
use super::notices::{Level, Notices};
use super::runtime::ledger::Ledger;
use super::runtime::watch::Mode;
use super::theme::Theme;
use crate::dialect::WireForm;
use crate::gate::{Gate, Profile};
use crate::json::Visible;
use ratatui::layout::Size;
use std::sync::Arc;
use std::time::Duration;

/// What the detail pane shows of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    /// The arguments as a tree.
    #[default]
    Arguments,
    /// The editor.
    Edit,
    /// The issues.
    Issues,
    /// What the model gets.
    ModelText,
    /// Before and after.
    Diff,
    /// The definition.
    Schema,
    /// The call as it was captured.
    Raw,
    /// The way of the call through the gate.
    Stages,
    /// All definitions as a tree.
    Definitions,
    /// Counts of calls.
    Statistics,
    /// Calls whose verdict is not what it was at the baseline.
    Flips,
    /// What changed in the definitions, and who feels it.
    Review,
    /// What the program had to say.
    Log,
}

impl Tab {
    /// Those with a number.
    pub const NUMBERED: [Self; 6] = [Self::Arguments, Self::Edit, Self::Issues, Self::ModelText, Self::Diff, Self::Schema];

    /// The word on the tab.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Arguments => "1 Args",
            Self::Edit => "2 Edit",
            Self::Issues => "3 Issues",
            Self::ModelText => "4 Model text",
            Self::Diff => "5 Diff",
            Self::Schema => "6 Schema",
            Self::Raw => "Raw",
            Self::Stages => "Stages",
            Self::Definitions => "Definitions",
            Self::Statistics => "Statistics",
            Self::Flips => "Flips",
            Self::Review => "Review",
            Self::Log => "Log",
        }
    }
}

/// What lies over the panes and has the keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// The palette.
    Palette(PaletteState),
    /// A question.
    Confirm(Question),
    /// A line to fill in.
    Prompt(Box<Prompt>),
}

/// The palette while it is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaletteState {
    /// What is searched for.
    pub query: LineInput,
    /// The selected row.
    pub selected: usize,
    /// Where the keys were before: the actions offered are those that work there.
    pub over: Context,
}

/// A question that is answered with yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Quit although what is in no file will not be there at the next start: edits and attempts, marks and comments, or both.
    QuitAndLose {
        /// Edits or attempts.
        edits: bool,
        /// Marks or comments.
        notes: bool,
    },
    /// Write an export over a file that is there.
    OverwriteExport,
    /// Write an accepted finding into the project.
    AcceptFinding,
}

impl Question {
    /// The question in words.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::QuitAndLose { edits: true, notes: true } => {
                "Edits, marks and comments cannot be kept for the next start. Quit and lose them?"
            }
            Self::QuitAndLose { edits: true, .. } => "Edits cannot be kept for the next start. Quit and lose them?",
            Self::QuitAndLose { .. } => "Marks and comments cannot be kept for the next start. Quit and lose them?",
            Self::OverwriteExport => "There is a file of that name. Overwrite it?",
            Self::AcceptFinding => "Add this finding with its reason to misfire.accept.toml here?",
        }
    }
}

/// How files are watched, as far as is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Watching {
    /// Nothing is.
    #[default]
    Nothing,
    /// It is about to begin.
    Starting,
    /// It is.
    Active(Mode),
}

/// Everything.
#[derive(Debug)]
pub struct State {
    /// The time of the last message, since the start.
    pub now: Duration,
    /// The terminal's size.
    pub size: Size,
    /// Colours and signs.
    pub theme: Theme,
    /// What the keys do.
    pub keymap: Keymap,
    /// The folders and files that are shown, for the header.
    pub sources: Vec<Visible>,
    /// The pane that has the keys when nothing lies over it.
    pub focus: Pane,
    /// That pane has the screen to itself.
    pub zoom: bool,
    /// What the detail pane shows.
    pub tab: Tab,
    /// What lies over the panes.
    pub overlay: Option<Overlay>,
    /// What is exported when its file has been named.
    pub(in crate::tui) exporting: Option<Box<ExportJob>>,
    /// Lines that were filled in before.
    pub recall: Recall,
    /// Calls that were found by letters.
    pub fuzzy: FuzzyCalls,
    /// Keys typed that have not done anything yet.
    pub pending: Pending,
    /// What the program has to say.
    pub notices: Notices,
    /// The jobs.
    pub jobs: Ledger,
    /// How files are watched.
    pub watching: Watching,
    /// What is shown is thrown away afterwards.
    pub demo: bool,
    /// The mouse is ours.
    pub mouse: bool,
    /// How many edits and attempts are in no file.
    pub unsaved: usize,
    /// When cancelling was last asked for.
    pub(super) cancelled_at: Option<Duration>,
    /// How far the log is scrolled up from its end.
    pub log_scroll: usize,
    /// Where the engine is found; none where there is nothing to read.
    pub desk: Option<Desk>,
    /// How far the first reading is.
    pub loading: Loading,
    /// Definitions and calls.
    pub data: Data,
    /// The call that is looked at.
    pub look: Look,
    /// How texts are shown.
    pub reading: Reading,
    /// The selected flip, and the first that is seen.
    pub flips: (usize, usize),
    /// The rules that were asked for and are not in force yet.
    pub rules_wanted: Option<Profile>,
    /// The tree of definitions, and counts of calls.
    pub explorer: Explorer,
    /// How definitions are linted.
    pub lint: Arc<LintOptions>,
    /// The gate for which definitions were last asked for.
    pub(in crate::tui) asked_definitions: Option<Arc<Gate>>,
    /// The revision of the data whose calls have been counted.
    pub(in crate::tui) counted: Option<u64>,
    /// The one whose calls are being counted.
    pub(in crate::tui) counting: Option<u64>,
    /// The first row of the counts that is seen.
    pub statistics_top: usize,
    /// Editing, replaying and comparing.
    pub edit: Editing,
    /// The review.
    pub review: ReviewScreen,
    /// What is searched for in a call.
    pub search: Search,
    /// What the flags of calls were last made of.
    pub(super) noted: (u64, u64, u64),
    /// The git revision that flips are to be counted from once the calls have been read; empty for the usual one.
    pub baseline_wanted: Option<String>,
}

/// How far the first reading is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Loading {
    /// It has not been asked for.
    #[default]
    NotAsked,
    /// It goes on.
    UnderWay,
    /// Everything has been read once.
    Done,
}

/// Rows of one flip: the call, and what it flipped for.
pub const FLIP_ROWS: usize = 2;

/// Rows under the arguments that tell of the gate's stages and the recorded result, in a pane of this height.
#[must_use]
pub fn footer_rows(height: u16) -> u16 {
    match height {
        0..10 => 0,
        10..14 => 2,
        _ => 3,
    }
}

/// How texts are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Long lines go on below; otherwise they are cut.
    pub wrap: bool,
    /// Spaces and line ends are shown.
    pub whitespace: bool,
    /// The form in which the model's text would be sent; none for the plain text.
    pub form: Option<WireForm>,
}

impl Default for Reading {
    fn default() -> Self {
        Self { wrap: true, whitespace: false, form: None }
    }
}

impl State {
    /// The state at the start.
    #[must_use]
    pub fn new(theme: Theme, keymap: Keymap) -> Self {
        Self {
            now: Duration::ZERO,
            size: Size::default(),
            theme,
            keymap,
            sources: Vec::new(),
            focus: Pane::Calls,
            zoom: false,
            tab: Tab::default(),
            overlay: None,
            exporting: None,
            recall: Recall::default(),
            fuzzy: FuzzyCalls::default(),
            pending: Pending::default(),
            notices: Notices::default(),
            jobs: Ledger::default(),
            watching: Watching::default(),
            demo: false,
            mouse: true,
            unsaved: 0,
            cancelled_at: None,
            log_scroll: 0,
            desk: None,
            loading: Loading::default(),
            data: Data::default(),
            look: Look::default(),
            reading: Reading::default(),
            flips: (0, 0),
            rules_wanted: None,
            explorer: Explorer::default(),
            lint: Arc::default(),
            asked_definitions: None,
            counted: None,
            counting: None,
            statistics_top: 0,
            edit: Editing::default(),
            baseline_wanted: None,
            review: ReviewScreen::new(Ok(Settings { options: crate::review::Options::default(), base: None })),
            search: Search::default(),
            noted: (0, 0, 0),
        }
    }

    /// What has the keys.
    #[must_use]
    pub fn context(&self) -> Context {
        match (&self.overlay, self.focus) {
            (Some(Overlay::Palette(_)), _) => Context::Palette,
            (Some(Overlay::Confirm(_)), _) => Context::Confirm,
            (Some(Overlay::Prompt(_)), _) => Context::Prompt,
            (None, Pane::Tools | Pane::Calls | Pane::Card) => Context::List,
            (None, Pane::Diff) => Context::Diff,
            (None, Pane::Detail) if self.tab == Tab::Diff => Context::Diff,
            (None, Pane::Detail) if self.tab == Tab::Definitions => Context::Definitions,
            (None, Pane::Detail) if self.draft().is_some() => Context::Editor,
            (None, Pane::Detail | Pane::ModelText) => Context::Tree,
        }
    }

    /// The facts that decide what can be done.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        // Keys are about what is seen.
        let seen = self.shows_call();
        let look = self.look.call.as_deref().filter(|_| seen);
        let (at, has_keys) = (self.tab, self.focus == Pane::Detail);
        Snapshot {
            elsewhere: !seen && self.data.calls.selected().is_some(),
            opens: self.opens(),
            at_flips: has_keys && at == Tab::Flips,
            at_review: has_keys && at == Tab::Review,
            at_definitions: has_keys && at == Tab::Definitions,
            compares: matches!(at, Tab::Flips | Tab::Review),
            history: self.review.has_history(),
            folds: at != Tab::Definitions || self.explorer.item().is_some_and(|item| self.explorer.can_fold(item)),
            comparing: (has_keys && at == Tab::Diff) || self.focus == Pane::Diff,
            accepts: match &self.overlay {
                Some(Overlay::Prompt(prompt)) => self.accepts(prompt),
                _ => true,
            },
            accepted: self.review.finding().is_some_and(|(_, finding)| finding.accepted.is_some()),
            notes: self.explorer.has_notes(),
            found: self.explorer.found().iter().any(|found| Some(*found) != self.explorer.item()),
            review: self.review.reviewed().is_some(),
            finding: self.is_reviewing() && self.review.finding().is_some(),
            tool: self.data.tools.row().is_some_and(|row| row.definition.is_some())
                || look.is_some_and(|look| look.shown.definition.is_some())
                || (self.tab == Tab::Definitions && self.explorer.item().is_some()),
            call: look.is_some(),
            replayable: look.is_some(),
            edited: look.is_some() && self.draft().is_some_and(Draft::is_edited),
            unsaved: self.unsaved_here().next().is_some(),
            attempts: self.versions().ids.len(),
            issues: look.map_or(0, |look| match self.draft().filter(|_| self.is_writing()) {
                Some(draft) => draft.verdict().map_or(0, |live| live.stops().len()),
                None => look.shown.issues().len(),
            }),
            model_text: look.is_some_and(|look| look.shown.model_text.is_some()),
            definition: self.explorer.item().is_some(),
            node: (self.tab == Tab::Definitions && self.explorer.item().is_some())
                || look.is_some_and(|look| match self.tab {
                    Tab::Arguments => look.arguments.is_some(),
                    Tab::Schema => look.schema.is_some(),
                    _ => false,
                }),
            calls: self.data.rows.total().calls > 0,
            row: seen && self.data.calls.selected().is_some(),
            completes: matches!(&self.overlay, Some(Overlay::Prompt(prompt)) if self.completes(prompt)),
            searchable: self.searchable().is_some(),
            search: !self.search.needle.text().is_empty(),
            example: self.example().is_some(),
            marks: self.data.find.notes.marked() > 0,
            filter: !self.data.find.text().is_empty(),
            job: self.jobs.oldest().is_some(),
            judged: self.desk.is_some(),
            watching: self.watching != Watching::Nothing,
        }
    }

    /// Whether the selected call is what is seen where the keys are: a flip is a call.
    fn shows_call(&self) -> bool {
        match self.tab {
            Tab::Definitions | Tab::Statistics | Tab::Review | Tab::Log => self.focus != Pane::Detail,
            Tab::Flips => self.focus != Pane::Detail || !self.data.flips.is_empty(),
            _ => true,
        }
    }

    /// Whether something is selected that can be opened.
    fn opens(&self) -> bool {
        let look = self.look.call.as_deref();
        match (self.focus, self.tab) {
            (Pane::Tools, _) => self.data.tools.row().is_some(),
            (Pane::Calls | Pane::ModelText | Pane::Diff | Pane::Card, _) => true,
            (Pane::Detail, Tab::Arguments) => look.is_some_and(|look| look.arguments.is_some()),
            (Pane::Detail, Tab::Schema) => look.is_some_and(|look| look.schema.is_some()),
            (Pane::Detail, Tab::Issues) => look.is_some_and(|look| !look.shown.issues().is_empty()),
            (Pane::Detail, Tab::Flips) => !self.data.flips.is_empty(),
            (Pane::Detail, Tab::Review) => self.review.finding().is_some(),
            (Pane::Detail, Tab::Definitions) => self.explorer.item().is_some(),
            (Pane::Detail, Tab::Edit | Tab::ModelText | Tab::Diff | Tab::Raw | Tab::Stages | Tab::Statistics | Tab::Log) => false,
        }
    }

    /// The key that does this, for a text that names it: the one that works here, or else elsewhere. What has no key is in
    /// the palette by its name.
    #[must_use]
    pub fn key_of(&self, action: ActionId) -> String {
        let here = self.keymap.keys_of(action, self.context()).next();
        let elsewhere = || self.keymap.bindings().iter().find(|binding| binding.action == action).map(|binding| &binding.keys);
        here.or_else(elsewhere).map_or_else(|| format!(":{}", action.action().name), ToString::to_string)
    }

    /// Where everything is, on a screen of this size.
    #[must_use]
    pub fn layout(&self, size: Size) -> Layout {
        layout(size, self.wanted())
    }

    /// What the layout depends on.
    #[must_use]
    pub fn wanted(&self) -> Wanted {
        // Once on the screen is enough, and where something else is read there is no room for it.
        let comparing = self.edit.compare.beside && self.tab != Tab::Diff;
        let strip = !matches!(
            self.tab,
            Tab::ModelText | Tab::Flips | Tab::Review | Tab::Log | Tab::Diff | Tab::Definitions | Tab::Statistics
        );
        // A text being written needs room, and so does what is read in peace.
        let writing = self.is_writing() || matches!(self.tab, Tab::Definitions | Tab::Statistics);
        Wanted { focus: self.focus, zoom: self.zoom, comparing, strip, writing }
    }

    /// Says something.
    pub fn say(&mut self, level: Level, text: &str) {
        self.notices.say(self.now, level, text);
    }
}
