//! The program: a terminal app, and the same as commands.

use clap::Parser as _;
use misfire::cli::{self, Cli, Config, Streams};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let config = match Config::load(Path::new("")) {
        Ok(config) => config,
        Err(error) => {
            eprintln!("misfire: {error}");
            return ExitCode::from(cli::FAILED);
        }
    };
    let Some(command) = cli.command else {
        return app(&cli.app, &config);
    };
    let mut out = BufWriter::with_capacity(64 << 10, io::stdout());
    let mut streams = Streams { input: &mut io::stdin().lock(), out: &mut out, err: &mut io::stderr() };
    let status = cli::run(command, &config, &mut streams).and_then(|status| out.flush().map(|()| status));
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

#[cfg(feature = "tui")]
fn app(args: &cli::AppArgs, config: &Config) -> ExitCode {
    let options = misfire::tui::Options {
        tools: config.tools(&args.tools).to_vec(),
        sessions: config.sessions(&args.sessions).to_vec(),
        profile: args.profile.profile(config),
        config: config.text().to_owned(),
        ..misfire::tui::Options::default()
    };
    match misfire::tui::run(&options) {
        Ok(exit) => ExitCode::from(exit.status()),
        Err(error) => {
            eprintln!("misfire: {error}");
            ExitCode::from(cli::FAILED)
        }
    }
}

#[cfg(not(feature = "tui"))]
fn app(_: &cli::AppArgs, _: &Config) -> ExitCode {
    eprintln!("misfire: built without the terminal app; `misfire --help` lists the commands");
    ExitCode::from(cli::FAILED)
}
