//! Captured calls by name: `PATH:LINE`, as every command and the app print it, or an id.

use super::Streams;
use crate::capture::{self, Call, Options, Problem, Sink};
use crate::json::Visible;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Finds the first call of each name. What is not there, or there more than once, is said.
///
/// # Errors
/// If that could not be said.
pub fn calls_named(names: &[&str], sessions: &[PathBuf], streams: &mut Streams<'_>) -> io::Result<Vec<Option<Call>>> {
    let mut finder =
        Finder { names: names.iter().map(|name| plain(name)).collect(), found: vec![None; names.len()], more: Vec::new() };
    capture::read_paths(&paths(sessions, names), &Options::default(), &mut finder);
    for (n, name) in names.iter().enumerate() {
        let name = Visible::new(name);
        if finder.found[n].is_none() {
            writeln!(
                streams.err,
                "misfire: there is no call `{name}`: name it as PATH:LINE or by its id; misfire check lists them"
            )?;
        }
        if finder.more.contains(&n) {
            writeln!(streams.err, "misfire: `{name}` names more than one call: this is the first; PATH:LINE names one")?;
        }
    }
    Ok(finder.found)
}

/// Where to look: the file that a name begins with, if that is outside of the sessions, too.
fn paths(sessions: &[PathBuf], names: &[&str]) -> Vec<PathBuf> {
    let mut paths = sessions.to_vec();
    for name in names {
        let Some((file, _)) = name.rsplit_once(':') else { continue };
        let file = Path::new(file);
        if file.is_file() && !sessions.iter().any(|session| file.starts_with(session)) && !paths.iter().any(|path| path == file) {
            paths.push(file.to_owned());
        }
    }
    paths
}

fn plain(name: &str) -> String {
    name.strip_prefix("./").unwrap_or(name).to_owned()
}

struct Finder {
    names: Vec<String>,
    found: Vec<Option<Call>>,
    /// Names of more than one.
    more: Vec<usize>,
}

impl Sink for Finder {
    fn call(&mut self, call: Call) -> ControlFlow<()> {
        let place = plain(&call.place.to_string());
        for (n, name) in self.names.iter().enumerate() {
            if *name != place && call.id.as_ref() != Some(name) {
                continue;
            }
            match &self.found[n] {
                // A place is more than an id that looks like one.
                Some(found) if *name == place && plain(&found.place.to_string()) != place => self.found[n] = Some(call.clone()),
                Some(_) if !self.more.contains(&n) => self.more.push(n),
                Some(_) => {}
                None => self.found[n] = Some(call.clone()),
            }
        }
        ControlFlow::Continue(())
    }

    fn problem(&mut self, _: Problem) {
        // What cannot be read is what `misfire check` is for.
    }
}
