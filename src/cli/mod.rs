//! The commands: arguments, configuration, exit statuses. Thin: what they say comes from the other rooms.
//!
//! Exit statuses: 0 nothing wrong; 1 at least one verdict with `is_error`; 2 usage, or something that could not be read;
//! 130 ended by Ctrl-C, after saying what was done so far.
//! Results go to stdout, everything else to stderr.

mod again;
mod call;
mod check;
mod config;
pub mod demo;
#[cfg(feature = "tui")]
pub mod diff;
#[cfg(feature = "jsonschema")]
mod findings;
mod follow;
mod import;
mod infer;
mod interrupt;
#[cfg(feature = "tui")]
pub mod keys;
#[cfg(feature = "jsonschema")]
pub mod lint;
#[cfg(feature = "tui")]
pub mod marks;
mod named;
mod output;
mod profile;
mod progress;
#[cfg(feature = "jsonschema")]
pub mod review;
mod show;
mod stats;
mod stdin;
mod tools;
mod watch;
mod watching;

pub use config::{Config, ConfigError};
pub use named::{Named, Where, calls_named};
pub use profile::{ProfileArgs, RulesArgs};

use crate::capture::claude_code_versions;
use crate::definition::{Catalog, FindingKind, NamedSet};
use crate::json::Visible;
use clap::{Parser, Subcommand};
use std::io::{self, Read, Write};
use std::path::PathBuf;

/// Nothing is wrong.
pub const OK: u8 = 0;
/// At least one verdict with `is_error`.
pub const FOUND: u8 = 1;
/// Usage, or something that could not be read.
pub const FAILED: u8 = 2;
/// Ended by Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// See which parameters of a tool call a model got wrong, and the exact text it would get back.
///
/// Without a command the terminal app opens on the definitions and the captured calls.
#[derive(Debug, Parser)]
#[command(name = "misfire", version, max_term_width = 100, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// Where the app looks; the same for every command that takes them.
    #[command(flatten)]
    pub app: AppArgs,
    /// What to do instead of opening the terminal app.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What the terminal app opens on.
#[derive(Debug, Default, clap::Args)]
pub struct AppArgs {
    /// By what calls are judged at first.
    #[command(flatten)]
    pub rules: RulesArgs,
    /// A folder or file of captured calls (repeatable) [default: sessions, or what misfire.toml says]
    #[arg(long, value_name = "PATH")]
    pub sessions: Vec<PathBuf>,
    /// Count flips from the definitions at this git revision [default: from what they are at the start]
    #[arg(long, value_name = "REV")]
    pub baseline: Option<String>,
    /// What the app looks like.
    #[command(flatten)]
    pub look: LookArgs,
}

/// What the terminal app looks like.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct LookArgs {
    /// Draw with ASCII alone: no box characters, for screen readers and plain terminals
    #[arg(long)]
    pub ascii: bool,
    /// Let nothing on the screen move by itself: no spinner
    #[arg(long)]
    pub no_motion: bool,
    /// Leave the mouse to the terminal from the start; F2 takes it
    #[arg(long)]
    pub no_mouse: bool,
    /// Colours [default: what the environment says: `NO_COLOR`, `COLORTERM`, `TERM`, `COLORFGBG`]
    #[arg(long, value_enum, value_name = "NAME")]
    pub theme: Option<ThemeName>,
}

/// Colours by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ThemeName {
    /// For a dark background
    Dark,
    /// For a light background
    Light,
    /// The terminal's own 16 colours
    Ansi,
    /// No colours
    Mono,
}

/// A command.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Judge captured calls: which would fail, and the exact text the model would get
    Check(check::Args),
    /// Print each failing call as an agent makes it, with the text that the model gets
    Watch(watch::Args),
    /// Judge one call
    Call(call::Args),
    /// Count captured calls: by tool, kind of issue, parameter and model, and over time
    Stats(stats::Args),
    /// Show one captured call: what the tabs of the app show
    Show(show::Args),
    /// Compare two captured calls or attempts: arguments, issues, and the text that the model gets
    #[cfg(feature = "tui")]
    Diff(diff::Args),
    /// List the calls that were marked or commented on in the terminal app
    #[cfg(feature = "tui")]
    Marks(marks::Args),
    /// List the tool definitions, or show one as a tree of parameters
    Tools(tools::Args),
    /// Check the definitions themselves: what providers refuse, clients mangle and models cannot know
    #[cfg(feature = "jsonschema")]
    Lint(lint::Args),
    /// Review a change to the definitions: what changed, and which captured calls feel it
    #[cfg(feature = "jsonschema")]
    Review(review::Args),
    /// Accept a finding of a review, with a reason
    #[cfg(feature = "jsonschema")]
    Accept(review::AcceptArgs),
    /// Print captured calls of any format in our own, with their results
    Import(import::Args),
    /// Draft tool definitions from captured calls
    Infer(infer::Args),
    /// Play on throwaway data: an agent's calls come in, some fail, a definition changes
    Demo(demo::Args),
    /// List what the keys of the terminal app do, with your changes applied
    #[cfg(feature = "tui")]
    Keys(keys::KeysArgs),
    /// Print the manual page, for `man -l -`
    #[cfg(feature = "tui")]
    Man,
    /// Print completions for a shell
    #[cfg(feature = "tui")]
    Completions(keys::CompletionsArgs),
}

/// Where a command reads and writes.
pub struct Streams<'a> {
    /// Input, where a command is told to read `-`.
    pub input: &'a mut dyn Read,
    /// Results.
    pub out: &'a mut (dyn Write + Send),
    /// Everything else.
    pub err: &'a mut (dyn Write + Send),
}

/// Runs a command and returns its exit status.
///
/// # Errors
/// If a stream could not be written.
pub fn run(command: Command, config: &Config, streams: &mut Streams<'_>) -> io::Result<u8> {
    match command {
        Command::Check(args) => check::run(&args, config, streams),
        Command::Watch(args) => watch::run(&args, config, streams),
        Command::Call(args) => call::run(&args, config, streams),
        Command::Stats(args) => stats::run(&args, config, streams),
        Command::Show(args) => show::run(&args, config, streams),
        Command::Tools(args) => tools::run(&args, config, streams),
        #[cfg(feature = "jsonschema")]
        Command::Lint(args) => lint::run(&args, config, streams),
        #[cfg(feature = "jsonschema")]
        Command::Review(args) => review::run(&args, config, streams),
        #[cfg(feature = "jsonschema")]
        Command::Accept(args) => review::accept(&args, config, streams),
        Command::Import(args) => import::run(&args, config, streams),
        Command::Infer(args) => infer::run(&args, config, streams),
        Command::Demo(args) => demo::run(&args, streams),
        // The program itself does these: they are about what the app knows.
        #[cfg(feature = "tui")]
        Command::Keys(_) | Command::Man | Command::Completions(_) | Command::Diff(_) | Command::Marks(_) => Ok(OK),
    }
}

/// Loads definitions and says on stderr what is wrong with them. The flag is true where something could not be read.
fn load_catalog(paths: &[PathBuf], config: &Config, streams: &mut Streams<'_>) -> io::Result<(Catalog, bool)> {
    let catalog = Catalog::load(config.tools(paths));
    let unreadable = say_findings(&catalog, streams)?;
    Ok((catalog, unreadable))
}

/// Says on stderr what is wrong with definitions; whether something could not be read.
fn say_findings(catalog: &Catalog, streams: &mut Streams<'_>) -> io::Result<bool> {
    for finding in catalog.findings() {
        writeln!(streams.err, "misfire: {}", Visible::new(&finding.to_string()))?;
    }
    Ok(catalog.findings().iter().any(|f| f.kind == FindingKind::Unreadable))
}

/// Where the definitions are. Says which versions of a set with versions the captures there need.
fn tools_for(given: &[PathBuf], sessions: &[PathBuf], config: &Config, streams: &mut Streams<'_>) -> io::Result<Vec<PathBuf>> {
    let paths = config.tools(given);
    if !paths.iter().any(|path| NamedSet::is_versioned(path)) {
        return Ok(paths.to_vec());
    }
    let mut said: Vec<(PathBuf, Vec<String>)> = Vec::new();
    for version in claude_code_versions(sessions) {
        let chosen = NamedSet::choose(paths, Some(&version));
        let Some(set) = chosen.into_iter().find(|path| !paths.contains(path)) else { continue };
        match said.iter_mut().find(|(known, _)| *known == set) {
            Some((_, versions)) => versions.push(version),
            None => said.push((set, vec![version])),
        }
    }
    for (set, versions) in said {
        let versions = match versions.as_slice() {
            [only] => format!("version {only}"),
            [newest, .., oldest] => format!("versions {oldest} to {newest}"),
            [] => continue,
        };
        let which = Visible::new(&versions);
        writeln!(streams.err, "misfire: sessions written by {which} are judged by {}", set.display())?;
    }
    Ok(paths.to_vec())
}

/// `1 call`, `2 calls`
fn plural(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
