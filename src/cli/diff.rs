//! `misfire diff`: its arguments. What it prints is what the app's comparison is made of, which this room does not know.

use super::profile::RulesArgs;
use std::path::PathBuf;

/// Compare two captured calls or attempts: arguments, issues, and the text that the model gets
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The first call: PATH:LINE as every command prints it, or its id
    pub before: String,
    /// The second call
    pub after: String,
    /// A folder or file of captured calls (repeatable) [default: sessions, or what misfire.toml says]
    #[arg(long, value_name = "PATH")]
    pub sessions: Vec<PathBuf>,
    /// By what they are judged.
    #[command(flatten)]
    pub rules: RulesArgs,
}
