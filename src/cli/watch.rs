//! `misfire watch`: each new failure as it happens.

use super::follow::{Follow, Style};
use super::profile::RulesArgs;
use super::{Config, Streams, tools_for};
use crate::capture::{FormatName, Options};
use crate::replay::filter::Filter;
use std::io;
use std::path::PathBuf;

/// Print each failing call as an agent makes it, with the text that the model gets
///
/// What is there already is not printed; `misfire check --follow` begins with it. Definitions are read again when they
/// change. Ends with Ctrl-C, status 130.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folders or files of captured calls [default: sessions, or what misfire.toml says]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    rules: RulesArgs,
    /// text for people, ndjson one object a failure
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Only failures that this filter finds, as in 'tool:Task*'
    #[arg(long = "where", value_name = "FILTER", value_parser = super::check::filter)]
    filter: Option<Filter>,
    /// Leave out calls that another file has had (same id, tool and arguments)
    #[arg(long)]
    dedupe: bool,
    /// Read every file as this format
    #[arg(long, value_name = "NAME")]
    format_in: Option<FormatName>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Format {
    Text,
    Ndjson,
}

/// Runs the command.
pub(super) fn run(args: &Args, config: &Config, streams: &mut Streams<'_>) -> io::Result<u8> {
    let sessions = config.sessions(&args.paths).to_vec();
    let follow = Follow {
        tools: tools_for(&args.rules.tools, &sessions, config, streams)?,
        carried: args.rules.tools.is_empty(),
        sessions,
        options: Options { format: args.format_in, ..Options::default() },
        style: match args.format {
            Format::Text => Style::Brief,
            Format::Ndjson => Style::FailureLines,
        },
        profile: args.rules.profile.profile(config),
        from_start: false,
        only: Vec::new(),
        filter: args.filter.clone(),
        strict: false,
        dedupe: args.dedupe,
    };
    follow.run(streams)
}
