//! The terminal app.
//!
//! - [`runtime`]: the terminal, input, jobs, watching, and the loop; it knows nothing of what is shown.
//! - [`State`] and its `update` (pure): what messages change.
//! - [`view`]: what is drawn, on a canvas that takes nothing but safe [`text`].
//! - [`keys`]: the one table of actions, and everything that comes from it.
//! - [`layout`] and [`theme`]: where things are and what they look like.

pub mod edit;
pub mod export;
pub mod headless;
pub mod job;
pub mod keys;
pub mod layout;
pub mod line_input;
pub mod notices;
pub mod picture;
pub mod runtime;
pub mod state;
pub mod text;
pub mod theme;
mod update;
pub mod view;

pub use runtime::Exit;
pub use state::{Overlay, PaletteState, Question, State, Tab, Watching};

use crate::gate::{Gate, Profile};
use crate::json::Visible;
use edit::keeping;
use job::review::Settings;
use job::{Desk, LintOptions};
use keys::Keymap;
use notices::Level;
use runtime::Setup;
use state::review::ReviewScreen;
use std::io::{self, Write as _};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use theme::{Theme, ThemeKind};

/// What the app is started with.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that a person may ask for")]
pub struct Options {
    /// Folders or files of tool definitions.
    pub tools: Vec<PathBuf>,
    /// What captures carry themselves is used for their calls.
    pub carried: bool,
    /// Folders or files of captured sessions.
    pub sessions: Vec<PathBuf>,
    /// Colours; what the environment says, if none.
    pub theme: Option<ThemeKind>,
    /// Nothing but ASCII of our own.
    pub ascii: bool,
    /// Nothing moves by itself.
    pub still: bool,
    /// What is shown is thrown away afterwards: that is said, and nothing is kept between runs.
    pub demo: bool,
    /// Take the mouse from the start.
    pub mouse: bool,
    /// By whose rules calls are judged at first.
    pub profile: Profile,
    /// The git revision that flips are counted from; empty for the merge base with the default branch.
    pub baseline: Option<String>,
    /// How changes to the definitions are reviewed; or what is wrong with the configuration of that.
    pub review: Result<crate::review::Options, String>,
    /// How definitions are linted.
    pub lint: LintOptions,
    /// The text of the configuration, for its keys.
    pub config: String,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            tools: vec![PathBuf::from("tools")],
            carried: true,
            sessions: vec![PathBuf::from("sessions")],
            theme: None,
            ascii: false,
            still: false,
            demo: false,
            mouse: true,
            profile: Profile::default(),
            baseline: None,
            review: Ok(crate::review::Options::default()),
            lint: LintOptions::default(),
            config: String::new(),
        }
    }
}

/// Runs the app in the terminal until it quits.
///
/// # Errors
/// When there is no terminal, or when it cannot be used.
pub fn run(options: &Options) -> io::Result<Exit> {
    let watch: Vec<PathBuf> = options.tools.iter().chain(&options.sessions).cloned().collect();
    let environment = Theme::from_environment(|name| std::env::var(name).ok());
    let ascii = options.ascii || environment.is_ascii();
    let mut state = start(options, Theme::new(options.theme.unwrap_or_else(|| environment.kind()), ascii));
    keeping::begin(&mut state, &watch, !options.demo);
    let setup = Setup { mouse: options.mouse, watch, accept: is_ours };
    run_and_keep(&mut state, |state| runtime::run(state, setup))
}

/// Runs the app and keeps what was written, which outlives a defect of the screen.
fn run_and_keep(state: &mut State, run: impl FnOnce(&mut State) -> io::Result<Exit>) -> io::Result<Exit> {
    let ended = panic::catch_unwind(AssertUnwindSafe(|| run(state)));
    let kept = panic::catch_unwind(AssertUnwindSafe(|| keeping::end(state)));
    let said = match kept {
        Ok(Ok(said)) => said,
        Ok(Err(error)) => Some(format!("edits, notes and the state of the screen were not kept: {error}")),
        Err(_) => None,
    };
    if let Some(said) = said {
        // The screen is gone by now.
        let _ = writeln!(io::stderr(), "misfire: {}", Visible::new(&said));
    }
    ended.unwrap_or_else(|panic| panic::resume_unwind(panic))
}

/// The app before anything has happened.
fn start(options: &Options, theme: Theme) -> State {
    let sources: Vec<&PathBuf> = options.tools.iter().chain(&options.sessions).collect();
    let (keymap, problems) = Keymap::with_user(&options.config);
    let mut state = State::new(if options.still { theme.still() } else { theme }, keymap);
    state.demo = options.demo;
    state.mouse = options.mouse;
    state.lint = Arc::new(options.lint.clone());
    state.desk = Some(Desk::new(options.tools.clone(), options.sessions.clone(), options.profile).carried(options.carried));
    state.data.gate = Arc::new(Gate::with_profile(&state.data.catalog, options.profile));
    state.sources = sources.iter().map(|path| Visible::new(&path.to_string_lossy())).collect();
    state.baseline_wanted.clone_from(&options.baseline);
    state.review = ReviewScreen::new(options.review.clone().map(|options| Settings { options, base: None }));
    state.watching = if sources.is_empty() { Watching::Nothing } else { Watching::Starting };
    for problem in &problems {
        state.notices.note(state.now, if problem.is_mistake { Level::Error } else { Level::Info }, &format!("keys: {problem}"));
    }
    if options.demo {
        state.data.calls.follow = true;
        state.say(Level::Info, "A demo: f stops following, e edits a failing call, F lists flips, q ends it");
    }
    let mistakes = problems.iter().filter(|problem| problem.is_mistake).count();
    if mistakes > 0 {
        state.say(Level::Error, &format!("{mistakes} mistakes in the configuration of the keys; the log has them"));
    }
    state
}

/// Definitions and captures are JSON, whole or by lines.
fn is_ours(path: &Path) -> bool {
    path.extension().is_some_and(|extension| ["json", "jsonl", "ndjson"].iter().any(|ours| extension.eq_ignore_ascii_case(ours)))
}

#[cfg(test)]
mod tests {
    use super::edit::draft::Origin;
    use super::edit::drafts::Waiting;
    use super::edit::memory::{self, Memory};
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_panic_of_the_ui_leaves_what_was_written_on_disk() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        let mut state = State::new(Theme::new(ThemeKind::Mono, true), Keymap::default());
        let origin = Origin { file: Arc::from(Path::new("a.jsonl")), line: 1, id: None, tool: "t".into() };
        let draft = Waiting { origin, text: "{\"written\"".into(), cursor: 3 };
        state.remember(Memory { drafts: vec![draft.clone()], ..Memory::default() });
        state.edit.keeping.path = Some(path.clone());
        let ended = panic::catch_unwind(AssertUnwindSafe(|| run_and_keep(&mut state, |_| panic!("a defect"))));
        assert!(ended.is_err(), "the panic goes on");
        assert_eq!(memory::read(&path).unwrap().unwrap().drafts, [draft]);
    }
}
