//! `misfire marks`: its arguments. What it prints is kept by the app, which this room does not know.

use std::path::PathBuf;

/// List the calls that were marked or commented on in the terminal app
///
/// They are kept for each project: its folder, its definitions and its captures, as the app was started with them.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A folder or file of captured calls (repeatable) [default: sessions, or what misfire.toml says]
    #[arg(long, value_name = "PATH")]
    pub sessions: Vec<PathBuf>,
    /// A folder or file of tool definitions, or a set such as @claude-code (repeatable) [default: tools, or what misfire.toml says]
    #[arg(long, value_name = "PATH")]
    pub tools: Vec<PathBuf>,
    /// text for people, ndjson one object a call
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// How they are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// One object a line.
    Ndjson,
}
