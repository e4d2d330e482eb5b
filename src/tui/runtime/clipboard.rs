//! Copying, by whatever way there is.
//!
//! First OSC 52, which works over ssh but never answers; then a program that owns the desktop's clipboard, where there seems to
//! be one; and a file when neither could have worked. None of it can end the app.

use crossterm::Command as _;
use crossterm::clipboard::CopyToClipboard;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Most bytes sent with OSC 52: xterm takes 100,000 characters of base64, others no less.
const OSC52_LIMIT: usize = 74_994;

/// What became of a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// What it was, for people.
    pub what: &'static str,
    /// How many bytes.
    pub bytes: usize,
    /// Where it went.
    pub how: CopiedTo,
}

/// Where a copy went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CopiedTo {
    /// To the terminal, which does not say whether it took it.
    Terminal,
    /// To the desktop, by this program.
    Program(&'static str),
    /// To this file: no other way was open.
    File(PathBuf),
    /// Nowhere, for this reason.
    Nowhere(String),
}

/// The sequence that asks the terminal to take the text; none if it is too long for that. Inside tmux it is sent twice: as
/// it is, for tmux itself (`set-clipboard on`), and wrapped, for the terminal around it (`allow-passthrough on`).
#[must_use]
pub fn osc52(text: &str, in_tmux: bool) -> Option<String> {
    if text.len() > OSC52_LIMIT {
        return None;
    }
    let mut plain = String::new();
    CopyToClipboard::to_clipboard_from(text).write_ansi(&mut plain).ok()?;
    if in_tmux {
        let inner = plain.replace('\x1b', "\x1b\x1b");
        let _ = write!(plain, "\x1bPtmux;{inner}\x1b\\");
    }
    Some(plain)
}

/// Programs that own a clipboard, with the variable that says that theirs is there.
const PROGRAMS: [(&str, &str, &[&str]); 4] = [
    ("WAYLAND_DISPLAY", "wl-copy", &[]),
    ("DISPLAY", "xclip", &["-selection", "clipboard"]),
    ("DISPLAY", "xsel", &["--clipboard", "--input"]),
    ("TERMUX_VERSION", "termux-clipboard-set", &[]),
];

/// Hands the text to a program or, when it has not been sent to the terminal, to a file. Waits for the program: not for the UI
/// thread.
#[must_use]
pub fn copy_elsewhere(what: &'static str, text: &str, sent_to_terminal: bool) -> Copied {
    let copied = |how| Copied { what, bytes: text.len(), how };
    if cfg!(target_os = "macos") && feed("pbcopy", &[], text).is_ok() {
        return copied(CopiedTo::Program("pbcopy"));
    }
    for (variable, program, arguments) in PROGRAMS {
        if std::env::var_os(variable).is_some_and(|value| !value.is_empty()) && feed(program, arguments, text).is_ok() {
            return copied(CopiedTo::Program(program));
        }
    }
    if sent_to_terminal {
        return copied(CopiedTo::Terminal);
    }
    copied(match save(text) {
        Ok(path) => CopiedTo::File(path),
        Err(error) => CopiedTo::Nowhere(error.to_string()),
    })
}

fn feed(program: impl AsRef<OsStr>, arguments: &[&str], text: &str) -> io::Result<()> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    // The pipe is closed when it is dropped, and then the program has everything.
    let given = child.stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(text.as_bytes()));
    let status = child.wait()?;
    given?;
    if status.success() { Ok(()) } else { Err(io::Error::other("the program failed")) }
}

fn save(text: &str) -> io::Result<PathBuf> {
    let (mut file, path) = create_temporary("copied", "txt")?;
    file.write_all(text.as_bytes())?;
    Ok(path)
}

/// A new file in the system's folder for such files, for this person only, under a name that nothing had.
pub(super) fn create_temporary(stem: &str, extension: &str) -> io::Result<(std::fs::File, PathBuf)> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let folder = std::env::temp_dir();
    let process = std::process::id();
    for n in 1..1000 {
        let path = folder.join(format!("misfire-{stem}-{process}-{n}.{extension}"));
        match options.open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(io::Error::new(error.kind(), format!("{}: {error}", path.display()))),
            Ok(file) => return Ok((file, path)),
        }
    }
    Err(io::Error::other(format!("{} is full of files of ours", folder.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_terminal_gets_base64() {
        assert_eq!(osc52("hi", false).unwrap(), "\x1b]52;c;aGk=\x1b\\");
        assert_eq!(osc52("hi", true).unwrap(), "\x1b]52;c;aGk=\x1b\\\x1bPtmux;\x1b\x1b]52;c;aGk=\x1b\x1b\\\x1b\\");
    }

    #[test]
    fn text_too_long_for_the_terminal_is_not_sent_to_it() {
        assert!(osc52(&"x".repeat(OSC52_LIMIT), false).is_some_and(|s| s.len() < 100_100));
        assert_eq!(osc52(&"x".repeat(OSC52_LIMIT + 1), false), None);
    }

    #[test]
    fn a_temporary_file_is_always_new() {
        let (_, first) = create_temporary("test", "json").unwrap();
        let (_, second) = create_temporary("test", "json").unwrap();
        assert_ne!(first, second);
        assert!(first.to_string_lossy().ends_with(".json"));
        std::fs::remove_file(first).unwrap();
        std::fs::remove_file(second).unwrap();
    }
}
