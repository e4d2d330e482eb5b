//! The terminal app, started from arguments.

use misfire::cli::{self, Config};
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// The app on what the arguments and the configuration say.
pub fn app(args: &cli::AppArgs, config: &Config) -> ExitCode {
    #[cfg(feature = "jsonschema")]
    let lint = match cli::lint::configured(config) {
        Ok(lint) => lint,
        Err(reason) => {
            eprintln!("misfire: {reason}");
            return ExitCode::from(cli::FAILED);
        }
    };
    let options = misfire::tui::Options {
        #[cfg(feature = "jsonschema")]
        lint,
        tools: config.tools(&args.rules.tools).to_vec(),
        carried: args.rules.tools.is_empty(),
        sessions: config.sessions(&args.sessions).to_vec(),
        profile: args.rules.profile.profile(config),
        baseline: args.baseline.clone(),
        review: cli::review::configured(config),
        config: config.text().to_owned(),
        ..looking(&args.look)
    };
    ended(misfire::tui::run(&options))
}

/// What the arguments say of the screen.
fn looking(look: &cli::LookArgs) -> misfire::tui::Options {
    use misfire::tui::theme::ThemeKind;
    let theme = look.theme.map(|name| match name {
        cli::ThemeName::Dark => ThemeKind::Dark,
        cli::ThemeName::Light => ThemeKind::Light,
        cli::ThemeName::Ansi => ThemeKind::Ansi,
        cli::ThemeName::Mono => ThemeKind::Mono,
    });
    let (ascii, still, mouse) = (look.ascii, look.no_motion, !look.no_mouse);
    misfire::tui::Options { theme, ascii, still, mouse, ..misfire::tui::Options::default() }
}

/// The app on throwaway data. It works in the folder of these, so that whatever it writes goes with them.
pub fn demo(args: &cli::demo::Args) -> ExitCode {
    use misfire::demo::{Player, SESSIONS, Stage, TOOLS};
    // A person's keys, where there is a configuration that can be read; the demo works without one.
    let config = Config::load(Path::new("")).map(|config| config.text().to_owned()).unwrap_or_default();
    let options = misfire::tui::Options {
        tools: vec![TOOLS.into()],
        sessions: vec![SESSIONS.into()],
        config,
        demo: true,
        ..looking(&args.look)
    };
    let play = || -> io::Result<misfire::tui::Exit> {
        let stage = std::sync::Arc::new(Stage::set_up()?);
        let before = std::env::current_dir();
        std::env::set_current_dir(stage.folder())?;
        let ended = Player::start(&stage).and_then(|_player| misfire::tui::run(&options));
        // Some systems do not remove the folder that one is in.
        let _ = before.map(std::env::set_current_dir);
        ended
    };
    ended(play())
}

fn ended(ended: io::Result<misfire::tui::Exit>) -> ExitCode {
    match ended {
        Ok(exit) => ExitCode::from(exit.status()),
        Err(error) => {
            eprintln!("misfire: {error}");
            ExitCode::from(cli::FAILED)
        }
    }
}
