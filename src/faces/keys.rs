//! `misfire keys` and `misfire completions`.

use clap::CommandFactory as _;
use clap::builder::PossibleValuesParser;
use misfire::cli::keys::{CompletionsArgs, KeysArgs, KeysFormat};
use misfire::cli::{Cli, FAILED, FOUND, OK};
use misfire::tui::keys::docs::{keys_json, keys_page, keys_text};
use misfire::tui::keys::user::Problem;
use misfire::tui::keys::{ACTIONS, Action, ActionId, Keymap};
use std::io::{self, Write};

/// The file that a person's keys stand in.
const CONFIG: &str = "misfire.toml";

/// Lists keys, or checks a person's. The configuration is read as text, so that a mistake elsewhere in it hides nothing.
pub fn keys(args: &KeysArgs, out: &mut dyn Write) -> io::Result<u8> {
    let config = match std::fs::read_to_string(CONFIG) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return failed(&format!("{CONFIG}: could not be read: {error}")),
    };
    let (map, problems) = Keymap::with_user(&config);
    if args.check {
        return check(&problems, out);
    }
    let mut actions: Vec<&Action> = Vec::new();
    for name in &args.names {
        match ActionId::parse(name) {
            Some(id) => actions.push(id.action()),
            None => {
                return failed(&format!("there is no action `{}`; misfire keys lists them", misfire::json::Visible::new(name)));
            }
        }
    }
    if args.names.is_empty() {
        actions.extend(ACTIONS);
    }
    let made = match args.format {
        KeysFormat::Text => keys_text(&map, &actions),
        KeysFormat::Markdown => keys_page(&map, &actions),
        KeysFormat::Json => keys_json(&map, &actions),
    };
    out.write_all(made.as_bytes())?;
    Ok(OK)
}

fn check(problems: &[Problem], out: &mut dyn Write) -> io::Result<u8> {
    for Problem { line, message, is_mistake } in problems {
        let weight = if *is_mistake { "error" } else { "note" };
        writeln!(out, "{CONFIG}:{line}: {weight}: {}", misfire::json::Visible::new(message))?;
    }
    Ok(if problems.iter().any(|problem| problem.is_mistake) { FOUND } else { OK })
}

fn failed(why: &str) -> io::Result<u8> {
    writeln!(io::stderr(), "misfire: {why}")?;
    Ok(FAILED)
}

/// Prints completions; the names of actions come from the table.
pub fn completions(args: &CompletionsArgs, out: &mut dyn Write) -> io::Result<u8> {
    let names = PossibleValuesParser::new(ACTIONS.iter().map(|action| action.name));
    let mut command = Cli::command().mut_subcommand("keys", |keys| keys.mut_arg("names", |arg| arg.value_parser(names)));
    // It panics where writing fails, and a reader may have seen enough.
    let mut made = Vec::new();
    clap_complete::generate(args.shell, &mut command, "misfire", &mut made);
    out.write_all(&made)?;
    Ok(OK)
}
