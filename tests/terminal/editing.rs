//! Editing and replaying in a real terminal, on a copy of the bundled definitions and sessions.

use crate::app::{bundled, calls_in, start_in};
use crate::pty::{Term, command};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const SELECT_ALL: &str = "\x1ba";
const UNDO: &str = "\x1bu";
const F5: &str = "\x1b[15~";

struct Editing {
    term: Term,
    folder: tempfile::TempDir,
    calls: usize,
}

fn paste(text: &str) -> String {
    format!("\x1b[200~{text}\x1b[201~")
}

impl Editing {
    fn start(columns: u16, rows: u16) -> Self {
        Self::start_with(tempfile::tempdir().unwrap(), columns, rows, &[])
    }

    fn start_with(folder: tempfile::TempDir, columns: u16, rows: u16, variables: &[(&str, &str)]) -> Self {
        let folder = bundled(folder);
        let term = start_in(folder.path(), (columns, rows), variables);
        let calls = calls_in(&folder.path().join("sessions"));
        term.wait_for("BAD 3");
        Self { term, folder, calls }
    }

    /// Opens the editor at the newest failing call.
    fn edit(&mut self) {
        self.term.send("e");
        self.term.wait_for("as it was");
    }

    fn write(&mut self, text: &str) {
        self.term.send(SELECT_ALL);
        self.term.send(&paste(text));
        self.term.wait_for("edited: F5 replays it");
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn state_files(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(self.path("state/misfire")).into_iter().flatten().flatten();
        files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|e| e == "json")).collect()
    }
}

#[test]
fn the_verdict_changes_with_each_key() {
    let mut app = Editing::start(80, 24);
    app.edit();
    app.term.send(SELECT_ALL);
    app.term.send("[");
    app.term.wait_for("PARSE");
    app.term.wait_for("Failed to parse tool arguments");
    app.term.wait_for("expected a value, found the end of the text");
    app.term.send("]");
    app.term.wait_for("BAD 1");
    app.term.wait_for("The parameter `arguments` type is expected as `object`");
    app.term.send(UNDO);
    app.term.wait_for("PARSE");
    app.term.send(UNDO);
    app.term.wait_for("as it was");
    app.term.send("\x1b");
    app.term.wait_for("e to edit");
}

#[test]
fn replaying_flips_to_before_and_after_and_the_original_stays() {
    let mut app = Editing::start(120, 40);
    let before = fs::read(app.path("sessions/wave-refactor.jsonl")).unwrap();
    app.edit();
    app.write("{\"questions\": []}");
    app.term.send(F5);
    app.term.wait_for("before: original");
    app.term.wait_for("after: attempt 1, not saved");
    app.term.wait_for("issues fixed 3, new 0, still there 0");
    app.term.wait_for(&format!("{} calls", app.calls + 1));
    assert_eq!(fs::read(app.path("sessions/wave-refactor.jsonl")).unwrap(), before);
    assert!(!app.path("sessions/attempts.misfire.jsonl").exists(), "nothing is written before it is asked for");
    // What is not saved is there again at the next start.
    app.term.send("qq");
    app.term.wait_for("1 attempt not saved to a file is kept for the next start");
    assert_eq!(app.term.wait_exit(), 0);
    app.term.assert_left();
    assert!(app.state_files().iter().any(|file| fs::read_to_string(file).unwrap().contains("call_h14.1")));
}

#[test]
fn a_saved_attempt_is_written_once_and_shown_once() {
    let mut app = Editing::start(120, 40);
    app.edit();
    app.write("{\"questions\": []}");
    app.term.send(F5);
    app.term.wait_for("not saved");
    app.term.send("s");
    app.term.wait_for("Saved the attempt to sessions/attempts.misfire.jsonl");
    let text = fs::read_to_string(app.path("sessions/attempts.misfire.jsonl")).unwrap();
    assert_eq!(text.lines().count(), 1);
    for part in
        ["\"id\":\"call_h14.1\"", "\"parent\":\"call_h14\"", "\"arguments\":\"{\\\"questions\\\": []}\"", "\"note\":\"edited\""]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
    app.term.wait("that it is saved", |term| !term.screen().contains("not saved"));
    // The watcher tells of the file as well; nothing comes of that.
    app.term.wait_quiet(Duration::from_millis(600));
    app.term.wait_for(&format!("{} calls", app.calls + 1));
    assert_eq!(app.term.screen().matches('└').count() - corners(&app.term), 1, "{}", app.term.screen());
    app.term.send("qq");
    assert_eq!(app.term.wait_exit(), 0);
}

/// Corners of frames, which are the same sign as that of an attempt.
fn corners(term: &Term) -> usize {
    term.screen().matches("└─").count()
}

#[test]
fn what_cannot_be_written_is_said_and_nothing_is_lost() {
    let mut app = Editing::start(120, 40);
    fs::create_dir(app.path("sessions/attempts.misfire.jsonl")).unwrap();
    app.term.send("r");
    app.term.wait_for("attempt 1, not saved");
    app.term.send("s");
    app.term.wait_for("Nothing was saved, and nothing is lost");
    app.term.wait_for("attempt 1, not saved");
}

#[test]
fn a_paste_with_line_ends_is_one_step_to_undo() {
    let mut app = Editing::start(80, 24);
    app.edit();
    app.term.send(&paste("one\rtwo\rthree\r"));
    app.term.wait_for("three");
    app.term.wait_for("edited: F5 replays it");
    app.term.send(UNDO);
    app.term.wait_for("as it was");
    assert!(!app.term.screen().contains("three"));
}

#[test]
fn the_text_goes_to_the_persons_editor_and_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("editor.sh");
    fs::write(
        &script,
        "printf EDITOR\ngrep -c questions \"$1\"\nread -r line\nprintf '{\"questions\": \"%s\"}\\n' \"$line\" > \"$1\"\n",
    )
    .unwrap();
    let editor = format!("sh {}", script.display());
    let mut app = Editing::start_with(folder, 80, 24, &[("VISUAL", &editor)]);
    app.term.send("E");
    app.term.wait_for("EDITOR1");
    app.term.send("typed there\r");
    app.term.wait_for("edited: F5 replays it");
    app.term.wait_for("{\"questions\": \"typed there\"}");
    app.term.send("x");
    app.term.wait("a key that writes again", |term| term.screen().contains("PARSE") || term.screen().contains('x'));
}

#[test]
fn drafts_are_on_disk_a_moment_after_the_last_key_and_come_back() {
    let mut app = Editing::start(80, 24);
    app.edit();
    app.write("{\"questions\": \"kept\"");
    app.term.wait("the file", |_| {
        app.state_files().first().and_then(|file| fs::read_to_string(file).ok()).is_some_and(|text| text.contains("kept"))
    });
    app.term.signal("KILL");
    app.term.wait_exit();
    let Editing { folder, .. } = app;
    let mut next = Editing::start_with(folder, 80, 24, &[]);
    next.term.wait_for("An edit of the last run");
    next.term.send("e");
    next.term.wait_for("{\"questions\": \"kept\"");
    assert_eq!(next.state_files().len(), 1);
}

#[test]
fn a_signal_keeps_what_was_written_at_once() {
    let mut app = Editing::start(80, 24);
    app.edit();
    app.write("{\"kept\"");
    app.term.signal("TERM");
    assert_eq!(app.term.wait_exit(), 143);
    let [file] = app.state_files().try_into().unwrap();
    assert!(fs::read_to_string(file).unwrap().contains("{\\\"kept\\\""));
}

#[test]
fn state_of_a_newer_program_is_left_alone() {
    let mut app = Editing::start(80, 24);
    app.edit();
    app.term.signal("TERM");
    app.term.wait_exit();
    let [file] = app.state_files().try_into().unwrap();
    fs::write(&file, "{\"version\": 99}").unwrap();
    let Editing { folder, .. } = app;
    let mut next = Editing::start_with(folder, 120, 40, &[]);
    next.term.wait_for("is of a newer program");
    next.term.signal("TERM");
    next.term.wait_exit();
    assert_eq!(fs::read_to_string(file).unwrap(), "{\"version\": 99}");
}

#[test]
fn an_attempt_that_is_in_no_file_survives_a_kill() {
    let mut app = Editing::start(120, 40);
    app.edit();
    app.write("{\"questions\": []}");
    app.term.send(F5);
    app.term.wait_for("after: attempt 1, not saved");
    app.term.wait("the file", |_| {
        app.state_files().first().and_then(|file| fs::read_to_string(file).ok()).is_some_and(|text| text.contains("call_h14.1"))
    });
    app.term.signal("KILL");
    app.term.wait_exit();
    let Editing { folder, calls, .. } = app;
    let mut command = command(env!("CARGO_BIN_EXE_misfire"));
    command.cwd(folder.path());
    command.env("XDG_STATE_HOME", folder.path().join("state"));
    let mut next = Term::start(command, 120, 40);
    next.wait_for(&format!("{} calls", calls + 1));
    next.wait_for("An attempt of the last run is in no file yet");
    next.send("5");
    next.wait_for("attempt 1, not saved");
    next.send("s");
    next.wait_for("Saved the attempt");
    let saved = fs::read_to_string(folder.path().join("sessions/attempts.misfire.jsonl")).unwrap();
    assert!(saved.contains("\"parent\":\"call_h14\""), "{saved}");
}

#[test]
fn what_was_written_is_on_disk_after_a_hang_up_and_a_closed_terminal() {
    for closed in [false, true] {
        let mut app = Editing::start(80, 24);
        app.edit();
        app.write("{\"kept\"");
        if closed {
            app.term.close();
        } else {
            app.term.signal("HUP");
        }
        assert_eq!(app.term.wait_exit(), 129, "closed: {closed}");
        let [file] = app.state_files().try_into().unwrap();
        assert!(fs::read_to_string(file).unwrap().contains("{\\\"kept\\\""), "closed: {closed}");
    }
}

#[test]
fn a_session_that_vanishes_while_its_call_is_edited_loses_nothing() {
    let mut app = Editing::start(120, 40);
    app.edit();
    app.write("{\"kept\"");
    let session = app.path("sessions/wave-refactor.jsonl");
    let text = fs::read(&session).unwrap();
    fs::remove_file(&session).unwrap();
    app.term.wait_for("is gone; what was written for its call is kept");
    app.term.wait_for("1 Args");
    fs::write(&session, text).unwrap();
    app.term.wait_for(&format!("{} calls", app.calls));
    app.term.send("gjjjjj");
    app.term.wait_for("sessions/wave-refactor.jsonl:11");
    app.term.send("e");
    app.term.wait_for("{\"kept\"");
}

#[test]
fn a_full_disk_is_said_and_a_later_save_writes_each_attempt_once() {
    if !Path::new("/dev/full").exists() {
        return eprintln!("skipped: there is no /dev/full");
    }
    let mut app = Editing::start(120, 40);
    let file = app.path("sessions/attempts.misfire.jsonl");
    std::os::unix::fs::symlink("/dev/full", &file).unwrap();
    app.term.send("r");
    app.term.wait_for("attempt 1, not saved");
    app.term.send("s");
    app.term.wait_for("Nothing was saved, and nothing is lost");
    app.term.wait_for("No space left on device");
    fs::remove_file(&file).unwrap();
    app.term.send("s");
    app.term.wait_for("Saved the attempt");
    assert_eq!(fs::read_to_string(file).unwrap().lines().count(), 1);
}

#[test]
fn a_folder_for_state_that_cannot_be_written_is_said_and_ends_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let blocked = folder.path().join("blocked");
    fs::write(&blocked, "").unwrap();
    let state = blocked.to_str().unwrap().to_owned();
    let mut app = Editing::start_with(folder, 120, 40, &[("XDG_STATE_HOME", &state)]);
    app.edit();
    app.write("{\"questions\": []}");
    app.term.wait_for("Nothing is kept for the next start");
    app.term.send("\x03\x03");
    assert_eq!(app.term.wait_exit(), 0);
    app.term.assert_left();
    assert!(app.term.screen().contains("the state of the screen were not kept"), "{}", app.term.screen());
}
