//! Captured calls by name: `PATH:LINE`, as every command and the app print it, or an id.

use super::profile::RulesArgs;
use super::{Config, Streams, say_findings, tools_for};
use crate::capture::{self, Call, CapturedTools, Options, Problem, Sink};
use crate::json::Visible;
use crate::replay::{FileRules, InForce, Rulebook};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where calls are looked for, and by what they are judged.
#[derive(Clone, Copy, Debug)]
pub struct Where<'a> {
    /// Folders and files of captured calls, as they were given.
    pub sessions: &'a [PathBuf],
    /// By what they are judged.
    pub rules: &'a RulesArgs,
}

/// Calls, and whether some definition could not be read.
#[derive(Debug)]
pub struct Named {
    /// For each name the first call that has it, with what was in force when it was made.
    pub calls: Vec<Option<(Call, InForce)>>,
    /// Some definition could not be read, which has been said.
    pub unreadable: bool,
}

/// Finds the first call of each name, with what `misfire check` judges it by. What is not there, or there more than once, is
/// said.
///
/// # Errors
/// If that could not be said.
pub fn calls_named(names: &[&str], at: Where<'_>, config: &Config, streams: &mut Streams<'_>) -> io::Result<Named> {
    let sessions = config.sessions(at.sessions);
    let tools = tools_for(&at.rules.tools, sessions, config, streams)?;
    let rulebook = Rulebook::load(&tools, at.rules.profile.profile(config), at.rules.tools.is_empty());
    let unreadable = say_findings(&rulebook.usual().catalog, streams)?;
    let nowhere: Arc<Path> = Arc::from(Path::new(""));
    let mut finder = Finder {
        names: names.iter().map(|name| plain(name)).collect(),
        found: vec![None; names.len()],
        more: Vec::new(),
        rules: rulebook.of(&nowhere),
        rulebook,
        file: nowhere,
    };
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
    Ok(Named { calls: finder.found, unreadable })
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
    found: Vec<Option<(Call, InForce)>>,
    /// Names of more than one.
    more: Vec<usize>,
    rulebook: Rulebook,
    /// What judges the calls of …
    rules: FileRules,
    /// … this file.
    file: Arc<Path>,
}

impl Finder {
    fn turn_to(&mut self, file: &Arc<Path>) {
        if self.file != *file {
            self.rules = self.rulebook.of(file);
            self.file = Arc::clone(file);
        }
    }
}

impl Sink for Finder {
    fn call(&mut self, call: Call) -> ControlFlow<()> {
        self.turn_to(&call.place.file);
        let place = plain(&call.place.to_string());
        for (n, name) in self.names.iter().enumerate() {
            if *name != place && call.id.as_ref() != Some(name) {
                continue;
            }
            let found = || Some((call.clone(), self.rules.in_force().clone()));
            match &self.found[n] {
                // A place is more than an id that looks like one.
                Some((other, _)) if *name == place && plain(&other.place.to_string()) != place => self.found[n] = found(),
                Some(_) if !self.more.contains(&n) => self.more.push(n),
                Some(_) => {}
                None => self.found[n] = found(),
            }
        }
        ControlFlow::Continue(())
    }

    fn tools(&mut self, tools: CapturedTools) {
        self.turn_to(&tools.place.file);
        // What is wrong with them is what `misfire check` says.
        let _ = self.rules.take(&self.rulebook, &tools);
    }

    fn problem(&mut self, _: Problem) {
        // What cannot be read is what `misfire check` is for.
    }
}
