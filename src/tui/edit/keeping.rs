//! Where the state of the last run comes from at the start, and goes to at the end.

use super::memory::{self, Ignored};
use crate::tui::notices::Level;
use crate::tui::state::State;
use std::io;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// Goes on from the last run at these definitions and captures.
pub fn begin(state: &mut State, sources: &[PathBuf]) {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).ok();
    state.edit.started = since.and_then(|since| i64::try_from(since.as_millis()).ok());
    let variable = |name: &str| std::env::var(name).ok();
    let project = std::env::current_dir().unwrap_or_default();
    let home = variable(if cfg!(windows) { "USERPROFILE" } else { "HOME" });
    let Some(path) = memory::path(variable("XDG_STATE_HOME").as_deref(), home.as_deref(), &project, sources) else { return };
    match memory::read(&path) {
        Ok(Some(memory)) => {
            let drafts = memory.drafts.len();
            state.remember(memory);
            if drafts > 0 {
                let text = if drafts == 1 { "An edit".to_owned() } else { format!("{drafts} edits") };
                state.say(Level::Info, &format!("{text} of the last run can be gone on with: e at the call"));
            }
        }
        Ok(None) => {}
        Err(Ignored::Newer) => {
            // What a newer program has written is not ours to overwrite.
            let text = format!("{} is of a newer program: nothing is taken from it, and nothing is kept", path.display());
            return state.say(Level::Warning, &text);
        }
        Err(Ignored::Broken) => {
            state.say(Level::Warning, &format!("{} cannot be read and is not used", path.display()));
        }
    }
    state.edit.keeping.path = Some(path);
}

/// Keeps what the next run goes on from.
///
/// # Errors
/// If it cannot be written.
pub fn end(state: &State) -> io::Result<()> {
    let Some(path) = &state.edit.keeping.path else { return Ok(()) };
    let memory = state.memory();
    if memory.is_empty() && !path.exists() {
        return Ok(());
    }
    memory::write(path, &memory.to_text())
}
