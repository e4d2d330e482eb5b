//! `misfire man`: the manual page, from the arguments and the table of keys.

use clap::{Command, CommandFactory as _};
use clap_mangen::Man;
use misfire::cli::{Cli, OK};
use misfire::tui::keys::docs::keys_of;
use misfire::tui::keys::{ACTIONS, Group, Keymap};
use std::io::{self, Write};

/// What else there is to know, in the order of the page.
const REST: &str = include_str!("man.roff");

/// Prints the page, for `man -l -` and packages.
pub fn man(out: &mut dyn Write) -> io::Result<u8> {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    // The order of a page is that of its sections, so each is rendered by itself.
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    writeln!(page, ".SH COMMANDS")?;
    for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        subcommand(command, &mut page)?;
    }
    keys(&mut page)?;
    page.extend_from_slice(REST.as_bytes());
    out.write_all(&page)?;
    Ok(OK)
}

/// A command as a part of the page: clap's own rendering, one level down.
fn subcommand(command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    writeln!(page, ".SS \"misfire {}\"", plain(command.get_name()))?;
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    writeln!(page, "{}", plain(&about))?;
    let mut part = Vec::new();
    Man::new(command.clone()).render_options_section(&mut part)?;
    for line in String::from_utf8_lossy(&part).lines().filter(|line| !line.starts_with(".SH")) {
        writeln!(page, "{line}")?;
    }
    Ok(())
}

fn keys(page: &mut Vec<u8>) -> io::Result<()> {
    writeln!(page, ".SH KEYS\nThe keys of the terminal app by default; \\fBmisfire keys\\fR lists them with your changes.")?;
    let map = Keymap::default();
    for group in Group::ALL {
        writeln!(page, ".SS \"{}\"", plain(group.title()))?;
        for action in ACTIONS.iter().filter(|action| action.group == group) {
            let keys = keys_of(&map, action);
            writeln!(page, ".TP\n\\fB{}\\fR ({})\n{}", plain(action.name), plain(&keys.join("; ")), plain(action.help))?;
        }
    }
    Ok(())
}

/// Text that the page's language leaves as it is.
fn plain(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-").replace('\n', " ");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}
