//! A call as a command that judges it, safe to paste into a shell.
//!
//! What a model wrote is never run: every word is quoted, and characters that a terminal acts on, or that nobody sees, are
//! written as octal codes, which `printf` turns back into the bytes.

use crate::capture::Call;
use crate::gate::Arguments;
use crate::json::Visible;
use std::fmt::Write as _;
use std::path::Path;

/// The longest argument that a command can be given; Linux takes no single one over 128 KiB.
const LONGEST: usize = 100_000;

/// The command that judges a call by these definitions.
#[must_use]
pub fn command(call: &Call, tools: &[std::path::PathBuf]) -> String {
    let mut command = "misfire call".to_owned();
    // What the program would take without being told is not told.
    for tools in tools.iter().filter(|tools| tools.as_path() != Path::new("tools")) {
        let _ = write!(command, " --tools {}", quote(&tools.to_string_lossy()));
    }
    if let Some(reason) = &call.finish_reason {
        let _ = write!(command, " --finish-reason {}", quote(reason));
    }
    if call.tool.starts_with('-') {
        command.push_str(" --");
    }
    let _ = write!(command, " {}", quote(&call.tool));
    let bytes = match &call.arguments {
        Arguments::Absent => return command,
        Arguments::Json(value) => value.to_json().into_bytes(),
        Arguments::Text(text) => text.as_bytes().to_vec(),
    };
    match std::str::from_utf8(&bytes) {
        Ok(text) if is_plain(text) && !text.starts_with(['@', '-']) && text.len() <= LONGEST => {
            format!("{command} {}", quote(text))
        }
        _ => format!("printf '%b' '{}' | {command} -", octal(&bytes)),
    }
}

/// A word as a POSIX shell reads it back.
#[must_use]
pub fn quote(word: &str) -> String {
    let is_safe = |c: char| c.is_ascii_alphanumeric() || "_-./:,+@%=".contains(c);
    if !word.is_empty() && word.chars().all(is_safe) && !word.starts_with(['-', '=', '~']) {
        return word.to_owned();
    }
    if is_plain(word) {
        return format!("'{}'", word.replace('\'', r"'\''"));
    }
    format!("\"$(printf '%b' '{}')\"", octal(word.as_bytes()))
}

/// Whether a text can be pasted as it is.
fn is_plain(text: &str) -> bool {
    !Visible::new(text).has_marks()
}

/// A text for `printf '%b'`, between single quotes.
fn octal(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 16);
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => out.push_str("\\\\"),
                '\'' => out.push_str("\\0047"),
                c if is_plain(c.encode_utf8(&mut [0; 4])) => out.push(c),
                c => push_octal(&mut out, c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        push_octal(&mut out, chunk.invalid());
    }
    out
}

fn push_octal(out: &mut String, bytes: &[u8]) {
    for byte in bytes {
        let _ = write!(out, "\\0{byte:03o}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{JsString, Value};
    use crate::tui::edit::tests::call;
    use std::path::PathBuf;
    use std::process::Command;

    #[test]
    fn words() {
        for (word, quoted) in [
            ("TaskUpdate", "TaskUpdate"),
            ("a/b.json", "a/b.json"),
            ("", "''"),
            ("it's", r"'it'\''s'"),
            ("$(rm -rf /)", "'$(rm -rf /)'"),
            ("-x", "'-x'"),
            ("a b", "'a b'"),
            ("日本", "'日本'"),
            ("a\u{1b}[2J", r#""$(printf '%b' 'a\0033[2J')""#),
        ] {
            assert_eq!(quote(word), quoted);
        }
    }

    #[test]
    fn commands() {
        let tools = [PathBuf::from("tools")];
        let command = |tool: &str, text: &str| super::command(&call(tool, text), &tools);
        assert_eq!(command("T", r#"{"a":"it's"}"#), r#"misfire call T '{"a":"it'\''s"}'"#);
        // Not a file's name, not an option.
        assert_eq!(command("T", "@x"), "printf '%b' '@x' | misfire call T -");
        assert_eq!(command("T", "-5"), "printf '%b' '-5' | misfire call T -");
        assert_eq!(command("-T", "{}"), "misfire call -- '-T' '{}'");
        assert_eq!(command("T", "a\n'\\\u{0}"), r"printf '%b' 'a\0012\0047\\\0000' | misfire call T -");
        let more = Call { finish_reason: Some("length".into()), ..Call::new("T", Arguments::Json(Value::from("x"))) };
        assert_eq!(
            super::command(&more, &[PathBuf::from("my tools"), PathBuf::from("b")]),
            r#"misfire call --tools 'my tools' --tools b --finish-reason length T '"x"'"#
        );
        let half = Call::new("T", Arguments::Text(JsString::from_wtf8(b"\xED\xA0\xBD")));
        assert_eq!(super::command(&half, &tools), r"printf '%b' '\0355\0240\0275' | misfire call T -");
    }

    #[test]
    #[cfg(unix)]
    fn a_shell_reads_back_what_was_written() {
        let texts = ["it's $HOME `x` \"q\" \\n %s !", "a\nb\t\u{1b}]0;x\u{7}\u{202e}日", "\\0101", "", "--x", "a\\'b\r\n"];
        for text in texts {
            let script = format!("printf '%b' '{}'", octal(text.as_bytes()));
            let out = Command::new("sh").arg("-c").arg(&script).output().unwrap();
            assert_eq!(String::from_utf8_lossy(&out.stdout), text, "{script}");
            // A shell takes line ends away where it puts output in place.
            let script = format!("printf '%s' {}", quote(text));
            let out = Command::new("sh").arg("-c").arg(&script).output().unwrap();
            assert_eq!(String::from_utf8_lossy(&out.stdout), text.trim_end_matches('\n'), "{script}");
        }
    }
}
