//! The person's own editor.

use super::clipboard::create_temporary;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What to open, and where to put the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditRequest {
    /// Chosen by the app, to tell the answers apart.
    pub id: u64,
    /// What to open.
    pub subject: Subject,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

/// What to open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A text, in a temporary file that ends in `.extension` so that the editor knows what it is.
    Text {
        /// The text, as it is.
        text: Vec<u8>,
        /// Without the dot.
        extension: &'static str,
    },
    /// A file of the person's.
    File(PathBuf),
}

/// What came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    /// From the request.
    pub id: u64,
    /// How it ended.
    pub outcome: Outcome,
}

/// How editing ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The text was changed to this.
    Changed(Vec<u8>),
    /// The text is as it was.
    Unchanged,
    /// The file was opened and closed; the watcher tells whether it changed.
    Closed,
    /// It did not work, for this reason.
    Failed(String),
}

/// Opens the editor and waits for its end. The terminal must have been given back.
pub(super) fn edit(request: EditRequest, editor: &str) -> Edited {
    let place = Place { line: request.line.max(1), column: request.column.max(1) };
    let outcome = match request.subject {
        Subject::File(path) => run(editor, &path, place).map(|()| Outcome::Closed),
        Subject::Text { text, extension } => edit_text(editor, &text, extension, place),
    };
    Edited { id: request.id, outcome: outcome.unwrap_or_else(Outcome::Failed) }
}

fn edit_text(editor: &str, text: &[u8], extension: &str, place: Place) -> Result<Outcome, String> {
    let (mut file, path) = create_temporary("edit", extension).map_err(|error| error.to_string())?;
    file.write_all(text).map_err(|error| format!("{}: {error}", path.display()))?;
    drop(file);
    let ran = run(editor, &path, place);
    let after = std::fs::read(&path);
    if ran.is_err() && after.as_deref().is_ok_and(|after| after != text) {
        // The editor failed, or was made to (`:cq`), after it had saved: what was typed is not ours to delete.
        return ran.map(|()| Outcome::Closed).map_err(|why| format!("{why}; the text is kept in {}", path.display()));
    }
    let _ = std::fs::remove_file(&path);
    ran?;
    let after = after.map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(if after == text { Outcome::Unchanged } else { Outcome::Changed(after) })
}

fn run(editor: &str, file: &Path, place: Place) -> Result<(), String> {
    let mut words = command_line(editor, file, place).into_iter();
    let program = words.next().unwrap_or_default();
    let name = program.to_string_lossy().into_owned();
    let status = Command::new(&program).args(words).status();
    let status = status.map_err(|error| format!("{name} could not be started ({error}); set $VISUAL or $EDITOR"))?;
    if status.success() { Ok(()) } else { Err(format!("{name} ended with {status}")) }
}

/// The editor that the person has chosen.
pub(super) fn chosen() -> String {
    let set = |name| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    set("VISUAL").or_else(|| set("EDITOR")).unwrap_or_else(|| if cfg!(windows) { "notepad" } else { "vi" }.to_owned())
}

#[derive(Clone, Copy, Debug)]
struct Place {
    line: u32,
    column: u32,
}

/// How editors are told a line.
#[derive(Clone, Copy, Debug)]
enum Manner {
    /// `+12 FILE`
    Plus,
    /// `+12,5 FILE`
    PlusComma,
    /// `+12:5 FILE`
    PlusColon,
    /// `FILE:12:5`
    Suffix,
    /// `--goto FILE:12:5`
    Goto,
    /// `--line 12 FILE`
    Line,
    /// Not at all.
    Not,
}

const EDITORS: &[(Manner, &[&str])] = &[
    (
        Manner::Plus,
        &["vi", "vim", "nvim", "gvim", "view", "ex", "elvis", "vis", "joe", "jed", "mg", "mcedit", "ee", "ne", "gedit"],
    ),
    (Manner::PlusComma, &["nano", "pico"]),
    (Manner::PlusColon, &["emacs", "emacsclient", "kak", "micro"]),
    (Manner::Suffix, &["hx", "helix", "subl", "zed", "zeditor", "amp", "lapce"]),
    (Manner::Goto, &["code", "code-insiders", "codium", "vscodium", "cursor", "windsurf"]),
    (Manner::Line, &["kate", "kwrite", "mate"]),
];

/// Editors with windows of their own come back at once unless told to wait.
const MUST_WAIT: &[&str] =
    &["code", "code-insiders", "codium", "vscodium", "cursor", "windsurf", "subl", "zed", "zeditor", "mate", "gedit"];

/// The words to run: the person's, told to wait and where to go.
fn command_line(editor: &str, file: &Path, place: Place) -> Vec<OsString> {
    let mut words = split_words(editor);
    let name = words.first().and_then(|word| Path::new(word).file_stem()).map(|stem| stem.to_string_lossy().into_owned());
    let name = name.unwrap_or_default();
    let manner = EDITORS.iter().find(|(_, names)| names.contains(&&*name)).map_or(Manner::Not, |(manner, _)| *manner);
    if MUST_WAIT.contains(&&*name) && !words.iter().any(|word| word == "-w" || word == "--wait") {
        words.push("--wait".to_owned());
    }
    let Place { line, column } = place;
    let mut words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
    let mut target = file.as_os_str().to_owned();
    match manner {
        Manner::Plus => words.push(format!("+{line}").into()),
        Manner::PlusComma => words.push(format!("+{line},{column}").into()),
        Manner::PlusColon => words.push(format!("+{line}:{column}").into()),
        Manner::Line => words.extend(["--line".into(), line.to_string().into()]),
        Manner::Goto => words.push("--goto".into()),
        Manner::Suffix | Manner::Not => {}
    }
    if matches!(manner, Manner::Suffix | Manner::Goto) {
        let _ = write!(target, ":{line}:{column}");
    }
    words.push(target);
    words
}

/// Splits as a shell would, as far as a value of `$EDITOR` goes: blanks separate, quotes and backslashes protect. Nothing is
/// expanded and no shell is run.
fn split_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, quote) {
            (c, Some(q)) if c == q => quote = None,
            ('\\', None | Some('"')) if !cfg!(windows) && chars.peek().is_some() => {
                word.get_or_insert_default().extend(chars.next());
            }
            ('"' | '\'', None) => {
                quote = Some(c);
                // Quotes around nothing are a word.
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_editor_is_told_the_line_in_its_own_way() {
        for (editor, expected) in [
            ("vim", "vim +12 a.json"),
            ("/usr/bin/nvim -u NONE", "/usr/bin/nvim -u NONE +12 a.json"),
            ("nano", "nano +12,5 a.json"),
            ("emacsclient -t", "emacsclient -t +12:5 a.json"),
            ("hx", "hx a.json:12:5"),
            ("code", "code --wait --goto a.json:12:5"),
            ("code -w", "code -w --goto a.json:12:5"),
            ("kate -b", "kate -b --line 12 a.json"),
            ("my-editor", "my-editor a.json"),
        ] {
            let words = command_line(editor, Path::new("a.json"), Place { line: 12, column: 5 });
            let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
            assert_eq!(words.join(" "), expected);
        }
    }

    #[cfg(unix)]
    #[test]
    fn words_are_split_as_a_shell_would() {
        for (text, expected) in [
            ("", &[] as &[&str]),
            ("  vim   -n ", &["vim", "-n"]),
            ("'/opt/my editor/e' \"a b\"c '' d\\ e", &["/opt/my editor/e", "a bc", "", "d e"]),
            ("emacs --eval '(x \"y\")'", &["emacs", "--eval", "(x \"y\")"]),
            ("open 'quote", &["open", "quote"]),
        ] {
            assert_eq!(split_words(text), expected);
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_the_editor_does_comes_back() {
        let ask = |text: &[u8]| EditRequest {
            id: 7,
            subject: Subject::Text { text: text.to_vec(), extension: "json" },
            line: 1,
            column: 1,
        };
        let outcome = |editor: &str| edit(ask(b"{}"), editor).outcome;
        assert_eq!(outcome("true"), Outcome::Unchanged);
        assert_eq!(outcome("sh -c 'printf new > \"$0\"'"), Outcome::Changed(b"new".to_vec()));
        assert_eq!(outcome("sh -c 'exit 3'"), Outcome::Failed("sh ended with exit status: 3".to_owned()));
        let Outcome::Failed(why) = outcome("sh -c 'printf new > \"$0\"; exit 1'") else { panic!("must fail") };
        let kept = why.rsplit(' ').next().unwrap();
        assert_eq!(std::fs::read(kept).unwrap(), b"new");
        std::fs::remove_file(kept).unwrap();
        let Outcome::Failed(why) = outcome("/nowhere/editor") else { panic!("must fail") };
        assert!(why.contains("$VISUAL"), "{why}");
    }
}
