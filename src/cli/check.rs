//! `misfire check`: judge captured calls.

/// Judge captured calls
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs the command.
pub(super) fn run(_args: Args, _config: &super::Config, _streams: &mut super::Streams<'_>) -> std::io::Result<u8> {
    Ok(super::OK)
}
