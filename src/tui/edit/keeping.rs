//! Where the state of the last run comes from at the start, and goes to at the end.

use super::memory::{self, Ignored};
use crate::tui::notices::Level;
use crate::tui::state::State;
use std::io;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// Goes on from the last run at these definitions and captures, if things are to be kept between runs at all.
pub fn begin(state: &mut State, sources: &[PathBuf], keep: bool) {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).ok();
    state.edit.started = since.and_then(|since| i64::try_from(since.as_millis()).ok());
    if !keep {
        return;
    }
    let Some(path) = path(sources) else { return };
    match memory::read(&path) {
        Ok(Some(memory)) => {
            let said = what_is_back(memory.drafts.len(), memory.attempts.len());
            state.remember(memory);
            if let Some(said) = said {
                state.say(Level::Info, &said);
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

/// The file in which the state of the app on these definitions and captures is kept, in the folder that one is in; none where
/// the system has no place for it.
#[must_use]
pub fn path(sources: &[PathBuf]) -> Option<PathBuf> {
    let variable = |name: &str| std::env::var(name).ok();
    let project = std::env::current_dir().unwrap_or_default();
    let home = variable(if cfg!(windows) { "USERPROFILE" } else { "HOME" });
    memory::path(variable("XDG_STATE_HOME").as_deref(), home.as_deref(), &project, sources)
}

/// Keeps what the next run goes on from. Gives what is to be said of it: edits and attempts that are in no file.
///
/// # Errors
/// If it cannot be written.
pub fn end(state: &State) -> io::Result<Option<String>> {
    let Some(path) = &state.edit.keeping.path else { return Ok(None) };
    let memory = state.memory();
    if memory.is_empty() && !path.exists() {
        return Ok(None);
    }
    memory::write(path, &memory.to_text())?;
    Ok(what_is_kept(memory.drafts.len(), memory.attempts.len()))
}

/// What is in no file and will be there again.
fn what_is_kept(drafts: usize, attempts: usize) -> Option<String> {
    let count = |n: usize, one: &str| match n {
        0 => None,
        1 => Some(format!("1 {one}")),
        n => Some(format!("{n} {one}s")),
    };
    let counts: Vec<String> = [count(drafts, "edit"), count(attempts, "attempt")].into_iter().flatten().collect();
    let (verb, what) = (if drafts + attempts == 1 { "is" } else { "are" }, counts.join(" and "));
    (!what.is_empty()).then(|| format!("{what} not saved to a file {verb} kept for the next start"))
}

/// What of the last run can be gone on with.
fn what_is_back(drafts: usize, attempts: usize) -> Option<String> {
    let edits = match drafts {
        0 => None,
        1 => Some("An edit of the last run can be gone on with: e at the call".to_owned()),
        n => Some(format!("{n} edits of the last run can be gone on with: e at the call")),
    };
    let attempts = match attempts {
        0 => None,
        1 => Some("An attempt of the last run is in no file yet: s at the call saves it".to_owned()),
        n => Some(format!("{n} attempts of the last run are in no file yet: s at the call saves them")),
    };
    match (edits, attempts) {
        (Some(edits), Some(attempts)) => Some(format!("{edits}. {attempts}")),
        (edits, attempts) => edits.or(attempts),
    }
}
