//! Finding calls in a real terminal: filter, search, marks, comments, letters; the review; and what cannot be kept.

use crate::app::{bundled, calls_in, start_in};
use crate::pty::Term;
use std::fs;
use std::process::Command;

const ESC: &str = "\x1b[27u";
const CTRL_G: &str = "\x07";
const CTRL_U: &str = "\x15";
const SELECT_ALL: &str = "\x1ba";

struct Finding {
    term: Term,
    folder: tempfile::TempDir,
    calls: usize,
}

impl Finding {
    fn start() -> Self {
        Self::start_in(bundled(tempfile::tempdir().unwrap()))
    }

    fn start_in(folder: tempfile::TempDir) -> Self {
        let term = start_in(folder.path(), (120, 40), &[]);
        let calls = calls_in(&folder.path().join("sessions"));
        term.wait_for("* watching");
        Self { term, folder, calls }
    }

    fn misfire(&self, args: &[&str]) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_misfire"));
        command.args(args).current_dir(self.folder.path()).env("XDG_STATE_HOME", self.folder.path().join("state"));
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    }

    fn quit(&mut self) {
        self.term.send("qq");
        assert_eq!(self.term.wait_exit(), 0);
        self.term.assert_left();
    }
}

#[test]
fn a_filter_typed_key_by_key_never_empties_the_list_on_the_way() {
    let mut app = Finding::start();
    app.term.send("/");
    app.term.wait_for("filter: ");
    app.term.send("is:bad ");
    app.term.wait("fewer calls", |term| !term.screen().contains(&format!(" {0} of {0}", app.calls)));
    let mut typed = "is:bad ".to_owned();
    for key in "kind:type".chars() {
        app.term.send(&key.to_string());
        typed.push(key);
        app.term.wait_for(&format!("filter: {typed}"));
        assert!(!app.term.screen().contains(" 0 of "), "{typed}\n{}", app.term.screen());
    }
    app.term.send("\r");
    app.term.wait("the line's end", |term| !term.screen().contains("Enter accept"));
    assert!(app.term.screen().lines().next().unwrap().contains("filter: is:bad kind:type"));
    app.term.send(&format!("/{CTRL_U}verdict:accepted"));
    app.term.wait_for("filter: verdict:accepted");
    app.term.send(ESC);
    app.term.wait("the filter before", |term| term.screen().lines().next().unwrap().contains("is:bad kind:type"));
    app.quit();
}

#[test]
fn marks_and_comments_are_kept_and_a_command_lists_them() {
    let mut app = Finding::start();
    app.term.send("m");
    app.term.wait_for("1 marked");
    app.term.send(";");
    app.term.wait_for("comment: ");
    app.term.send("look <again>\r");
    app.term.wait_for("Noted");
    app.term.send("M");
    app.term.wait_for("only marked");
    app.quit();
    let listed = app.misfire(&["marks"]);
    let place = listed.split("  ").next().unwrap().to_owned();
    assert!(listed.starts_with("sessions/") && listed.ends_with("  marked  ; look <again>\n"), "{listed}");
    assert!(app.misfire(&["show", &place]).contains("rejected"), "{place} names the call");
    let object = app.misfire(&["marks", "--format", "ndjson"]);
    assert!(object.contains(r#""marked":true,"comment":"look <again>""#), "{object}");
    let mut next = Finding::start_in(app.folder);
    next.term.wait_for("look <again>");
    next.term.send("MU");
    next.term.wait_for("The mark is gone");
    next.quit();
    assert!(!next.misfire(&["marks"]).contains("marked"));
}

#[test]
fn a_call_is_found_by_letters_and_texts_are_searched() {
    let mut app = Finding::start();
    app.term.send(CTRL_G);
    app.term.wait_for("go to call: ");
    app.term.send("askuser");
    app.term.wait("its row", |term| term.screen().contains("> ") && term.screen().contains("go to call: askuser"));
    app.term.send("\r");
    app.term.wait("the prompt's end", |term| !term.screen().contains("go to call"));
    app.term.wait_for("AskUserQuestion  ");
    app.term.send("\r/");
    app.term.wait_for("search: ");
    app.term.send("question\r");
    app.term.wait_for(" 1/");
    app.term.send("n");
    app.term.wait_for(" 2/");
    app.term.send("N");
    app.term.wait_for(" 1/");
    app.quit();
}

#[test]
fn the_review_shows_what_changed_and_leads_to_the_call() {
    if Command::new("git").arg("--version").output().is_err() {
        return eprintln!("skipped: git is not there");
    }
    let folder = bundled(tempfile::tempdir().unwrap());
    let git = |args: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(folder.path()).args(["-c", "user.name=t", "-c", "user.email=t@example.com"]).args(args);
        assert!(command.env("GIT_CONFIG_GLOBAL", "/dev/null").output().unwrap().status.success(), "git {args:?}");
    };
    git(&["init", "--quiet", "--initial-branch=main"]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message", "first"]);
    let path = folder.path().join("tools/TaskUpdate.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"taskId\"", "\"task\"")).unwrap();
    let mut app = Finding::start_in(folder);
    app.term.send("V");
    app.term.wait_for("looks renamed");
    app.term.wait_for("b revision");
    app.term.send("\r\r");
    app.term.wait_for("before");
    app.term.send(ESC);
    app.term.send(ESC);
    app.term.wait_for("looks renamed");
    app.term.send("b");
    app.term.wait_for("review against: ");
    app.term.send("HEAD\r");
    app.term.wait_for("(HEAD)");
    app.term.send("V");
    app.term.wait_for("that is what is shown");
    app.term.send(ESC);
    app.quit();
}

#[test]
fn what_cannot_be_kept_is_asked_about() {
    for keys in ["m", "edit"] {
        let folder = bundled(tempfile::tempdir().unwrap());
        // A file where the folder would be: nobody can write into it.
        fs::create_dir(folder.path().join("state")).unwrap();
        fs::write(folder.path().join("state/misfire"), "").unwrap();
        let mut app = Finding::start_in(folder);
        if keys == "m" {
            app.term.send("m");
            app.term.wait_for("1 marked");
        } else {
            app.term.send("e");
            app.term.wait_for("as it was");
            app.term.send(SELECT_ALL);
            app.term.send("[");
            app.term.wait_for("PARSE");
            app.term.send(ESC);
        }
        app.term.wait_for("state/misfire");
        app.term.send("q");
        app.term.wait_for(if keys == "m" { "Marks and comments cannot be kept" } else { "Edits cannot be kept" });
        app.term.send("n");
        app.term.wait("the question's end", |term| !term.screen().contains("lose them?"));
        app.term.send("q");
        app.term.wait_for("lose them?");
        app.term.send("y");
        assert_eq!(app.term.wait_exit(), 0);
        app.term.assert_left();
    }
}

#[test]
fn a_definition_that_vanishes_while_it_is_edited_is_told_and_comes_back() {
    let mut app = Finding::start();
    app.term.send("e");
    app.term.wait_for("as it was");
    app.term.send(SELECT_ALL);
    app.term.send("{");
    app.term.wait_for("closed as if cut off");
    let path = app.folder.path().join("tools/AskUserQuestion.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    // What is written stays, and is judged by what there is.
    app.term.wait_for("NOTOOL");
    app.term.wait_for("edited: F5 replays it");
    fs::write(&path, text).unwrap();
    app.term.wait_for("missing questions");
    app.term.send("}");
    app.term.wait("the finished text", |term| !term.screen().contains("closed as if cut off"));
    app.term.wait_for("BAD 1");
    app.term.signal("TERM");
    assert_eq!(app.term.wait_exit(), 143);
    app.term.assert_left();
}
