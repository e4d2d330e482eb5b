//! The program: a terminal app, and the same as commands.

use clap::Parser as _;
use misfire::cli::{self, Cli, Config, Streams};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;
use std::process::ExitCode;

#[cfg(feature = "tui")]
mod faces;

fn main() -> ExitCode {
    let cli = Cli::parse();
    #[cfg(feature = "tui")]
    if let Some(status) = cli.command.as_ref().and_then(of_the_app) {
        return status;
    }
    let config = match Config::load(Path::new("")) {
        Ok(config) => config,
        // It plays on data of its own.
        Err(_) if matches!(cli.command, Some(cli::Command::Demo(_))) => Config::default(),
        Err(error) => {
            eprintln!("misfire: {error}");
            return ExitCode::from(cli::FAILED);
        }
    };
    let Some(command) = cli.command else {
        return faces::app(&cli.app, &config);
    };
    let mut out = BufWriter::with_capacity(64 << 10, io::stdout());
    let mut streams = Streams { input: &mut io::stdin().lock(), out: &mut out, err: &mut io::stderr() };
    let status = match command {
        #[cfg(feature = "tui")]
        cli::Command::Diff(args) => faces::diff(&args, &config, &mut streams),
        #[cfg(feature = "tui")]
        cli::Command::Marks(args) => faces::marks(&args, &config, &mut streams),
        command => cli::run(command, &config, &mut streams),
    };
    written(status.and_then(|status| out.flush().map(|()| status)))
}

/// The exit status, once everything has been written.
fn written(status: io::Result<u8>) -> ExitCode {
    match status {
        Ok(status) => ExitCode::from(status),
        // Whoever reads us has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("misfire: could not write: {error}");
            ExitCode::from(cli::FAILED)
        }
    }
}

/// Commands that are about the terminal app; they work whatever the configuration says. None for the others.
#[cfg(feature = "tui")]
fn of_the_app(command: &cli::Command) -> Option<ExitCode> {
    let mut out = BufWriter::new(io::stdout());
    let status = match command {
        cli::Command::Demo(args) if args.wants_app() => return Some(faces::demo(args)),
        cli::Command::Keys(args) => faces::keys(args, &mut out),
        cli::Command::Man => faces::man(&mut out),
        cli::Command::Completions(args) => faces::completions(args, &mut out),
        _ => return None,
    };
    Some(written(status.and_then(|status| out.flush().map(|()| status))))
}

#[cfg(not(feature = "tui"))]
mod faces {
    use super::{Config, ExitCode, cli};

    /// There is no app to start.
    pub fn app(_: &cli::AppArgs, _: &Config) -> ExitCode {
        eprintln!("misfire: built without the terminal app; `misfire --help` lists the commands");
        ExitCode::from(cli::FAILED)
    }
}
