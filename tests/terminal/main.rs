//! The terminal app in a real pseudo-terminal: what only terminals do.
//!
//! Every wait is for a condition, with a deadline, and shows the screen when it fails.

#![cfg(all(unix, feature = "tui"))]

mod app;
mod demo;
mod editing;
mod finding;
mod job_control;
mod probe;
mod pty;

use probe::{probe, start_probe};
use pty::{DEADLINE, Term, command, signal};
use std::path::Path;
use std::time::{Duration, Instant};

/// The real program, in an empty folder.
fn start_app(columns: u16, rows: u16, change: impl FnOnce(&mut portable_pty::CommandBuilder)) -> (Term, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let mut command = command(env!("CARGO_BIN_EXE_misfire"));
    command.cwd(folder.path());
    change(&mut command);
    let term = Term::start(command, columns, rows);
    term.wait_for("* watching");
    (term, folder)
}

fn write_script(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn it_starts_and_quits_and_leaves_the_terminal_as_it_was() {
    let (mut term, _folder) = start_app(80, 24, |_| {});
    assert!(term.with(|written| written.parser.screen().alternate_screen()));
    assert!(term.with(|written| written.parser.screen().bracketed_paste()));
    term.send("\x1b[27u?");
    term.wait_for("name, description or key");
    term.send("\x1b[27u");
    term.wait("the palette's end", |term| !term.screen().contains("name, description"));
    term.send("q");
    assert_eq!(term.wait_exit(), 0);
    term.assert_left();
}

#[test]
fn it_is_drawn_anew_at_another_size() {
    let (mut term, _folder) = start_app(80, 24, |_| {});
    assert!(!term.screen().contains("Tools"));
    term.resize(120, 40);
    term.wait_for("Tools");
    term.wait("the whole width", |term| term.screen().lines().nth(1).is_some_and(|line| line.chars().count() == 120));
    term.resize(30, 5);
    term.wait_for("too small (need 40x8), q");
    term.send("q");
    assert_eq!(term.wait_exit(), 0);
    term.assert_left();
}

#[test]
fn a_pasted_line_end_runs_nothing() {
    let (mut term, _folder) = start_app(80, 24, |_| {});
    term.send("?");
    term.wait_for("name, description or key");
    term.send("\x1b[200~quit\nquit\n\x1b[201~");
    term.wait_for(": quit quit");
    term.send("\x03\x03");
    assert_eq!(term.wait_exit(), 0);
}

#[test]
fn nothing_is_written_while_nothing_happens() {
    let (term, _folder) = start_app(120, 40, |_| {});
    term.wait_quiet(Duration::from_secs(2));
    assert!(term.screen().contains("* watching"));
}

#[test]
fn without_colours_no_colour_is_written() {
    let (mut term, _folder) = start_app(120, 40, |command| command.env("NO_COLOR", "1"));
    term.send("?");
    term.wait_for("name, description or key");
    term.send("\x1b[27uy");
    term.wait_for("JSON Pointer");
    term.send("\x1b[27uq");
    assert_eq!(term.wait_exit(), 0);
    let bytes = term.bytes();
    for sequence in bytes.split("\x1b[").skip(1) {
        let Some((parameters, _)) = sequence.split_once('m').filter(|(p, _)| p.bytes().all(|b| b.is_ascii_digit() || b == b';'))
        else {
            continue;
        };
        for parameter in parameters.split(';').filter_map(|p| p.parse::<u8>().ok()) {
            assert!(!matches!(parameter, 30..=38 | 40..=48 | 90..=107), "a colour: {parameters}");
        }
    }
}

#[test]
fn a_change_in_a_watched_folder_is_seen() {
    let (term, folder) = start_app(80, 24, |_| {});
    std::fs::create_dir(folder.path().join("tools")).unwrap();
    std::fs::write(folder.path().join("tools/a.json"), "{}").unwrap();
    term.wait_for("tools/a.json");
}

#[test]
fn signals_end_it_cleanly() {
    for (name, status) in [("TERM", 143), ("HUP", 129), ("INT", 130)] {
        let (mut term, _folder) = start_app(80, 24, |_| {});
        term.signal(name);
        assert_eq!(term.wait_exit(), status, "{name}");
        term.assert_left();
    }
}

#[test]
fn it_ends_when_its_terminal_is_closed() {
    let (mut term, _folder) = start_app(80, 24, |_| {});
    term.close();
    assert_eq!(term.wait_exit(), 129);
}

#[test]
fn it_ends_when_a_terminal_is_closed_that_would_not_tell() {
    // In a session of its own the terminal is not its controlling one: there is no signal, only the end of what can be read.
    let folder = tempfile::tempdir().unwrap();
    let script = write_script(folder.path(), "run", &format!("{}\necho $? > ended\n", env!("CARGO_BIN_EXE_misfire")));
    let mut setsid = command("setsid");
    setsid.args(["-w", "sh", &script]);
    setsid.cwd(folder.path());
    let mut term = Term::start(setsid, 80, 24);
    term.wait_for("* watching");
    term.close();
    let ended = folder.path().join("ended");
    term.wait("its end", |_| std::fs::read_to_string(&ended).is_ok_and(|status| !status.is_empty()));
    assert_eq!(std::fs::read_to_string(&ended).unwrap(), "129\n");
}

#[test]
fn without_a_terminal_it_says_so() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_misfire")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "misfire: standard output is not a terminal\n");
    assert_eq!(output.stdout, b"");
}

#[test]
fn a_workers_panic_leaves_the_screen_whole() {
    let mut term = start_probe();
    term.send("ab\x17");
    term.wait_for("panicked: a worker's panic");
    term.send("cd\x0e");
    term.wait_for("typed [abcd]");
    term.wait_for("counted 1000");
    assert!(term.with(|written| written.parser.screen().alternate_screen()));
    assert!(!term.bytes().contains("thread 'worker"), "the panic was printed");
    term.send("\x11");
    assert_eq!(term.wait_exit(), 0);
    term.assert_left();
}

#[test]
fn a_panic_of_the_ui_leaves_the_terminal_sane_and_is_told() {
    for (key, message) in [("\x15", "the UI's panic"), ("\x04", "a panic while drawing")] {
        let mut term = start_probe();
        term.send(key);
        assert_eq!(term.wait_exit(), 101);
        term.assert_left();
        let bytes = term.bytes();
        let left = bytes.rfind("\x1b[?1049l").unwrap();
        assert!(bytes[left..].contains(message), "the message comes after the screen has been left: {:?}", &bytes[left..]);
        assert!(!bytes[left..].contains("ready"), "a frame was written after the screen had been left");
    }
}

#[test]
fn paste_and_mouse_come_through() {
    let mut term = start_probe();
    term.send("\x1b[200~one\ntwo\x1b[201~");
    term.wait_for("pasted \"one\\ntwo\"");
    term.send("\x1b[<64;5;5M");
    term.wait_for("mouse ScrollUp");
}

#[test]
fn a_copy_goes_to_the_terminal() {
    let mut term = start_probe();
    term.send("\x19");
    term.wait_for("Terminal");
    assert_eq!(term.with(|written| written.parser.callbacks().0.clone()), ["Y29waWVkIHRleHQ="]);
}

#[test]
fn a_copy_in_tmux_is_wrapped_too() {
    let mut command = probe();
    command.env("TMUX", "/tmp/tmux,1,0");
    let mut term = probe::start(command);
    term.send("\x19");
    term.wait_for("Terminal");
    assert!(term.bytes().contains("\x1bPtmux;\x1b\x1b]52;c;Y29waWVkIHRleHQ="));
}

#[test]
fn printing_shows_text_safely_and_comes_back() {
    let mut term = start_probe();
    term.send("\x10");
    term.wait_for("(Enter goes back)");
    assert!(term.screen().contains("printed <ESC>[31mtext"), "{}", term.screen());
    term.send("\r");
    term.wait_for("ready 60x10");
    term.send("ab");
    term.wait_for("typed [ab]");
}

#[test]
fn the_editor_gets_every_key_and_the_app_none_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let keys = folder.path().join("keys");
    let script = write_script(
        folder.path(),
        "vi",
        &format!(
            "stty raw -echo\nprintf EDITOR\ndd bs=1 count=20 > {} 2> /dev/null\nstty sane\nprintf edited > \"$1\"\n",
            keys.display()
        ),
    );
    let mut command = probe();
    command.env("VISUAL", format!("sh {script}"));
    let mut term = probe::start(command);
    for round in 1..=3 {
        term.send("\x05");
        term.wait_for("EDITOR");
        assert!(!term.with(|written| written.parser.screen().alternate_screen()));
        for key in "0123456789abcdefghi".chars() {
            term.send(&key.to_string());
        }
        // The last one that the editor reads, and more that it does not: nobody must act on these.
        term.send("jXYZ");
        term.wait_for("edited");
        term.wait_for("ready 60x10");
        assert_eq!(std::fs::read_to_string(&keys).unwrap(), "0123456789abcdefghij");
        term.send("k");
        term.wait_for(&format!("typed [{}]", "k".repeat(round)));
    }
    term.send("\x11");
    assert_eq!(term.wait_exit(), 0);
    term.assert_left();
}

#[test]
fn an_editor_that_fails_is_told() {
    let mut command = probe();
    command.env("EDITOR", "/nowhere/editor");
    let mut term = probe::start(command);
    term.send("\x05");
    term.wait_for("could not be started");
    term.send("x");
    term.wait_for("typed [x]");
}

#[test]
fn a_signal_meant_for_the_editor_does_not_end_the_app() {
    let folder = tempfile::tempdir().unwrap();
    let script = write_script(folder.path(), "editor", "trap 'exit 0' INT\necho EDITOR $$\nwhile :; do sleep 1; done\n");
    let mut command = probe();
    command.env("EDITOR", format!("sh {script}"));
    let mut term = probe::start(command);
    term.send("\x05");
    term.wait_for("EDITOR");
    // The terminal sends it to the whole process group.
    term.send("\x03");
    term.wait_for("Unchanged");
    term.send("x");
    term.wait_for("typed [x]");
}

#[test]
fn a_terminal_that_does_not_read_holds_nothing_up_for_good() {
    let mut term = start_probe();
    term.resize(200, 60);
    term.wait_for("ready 200x60");
    term.pause(true);
    for _ in 0..200 {
        term.send("\x06");
    }
    term.send("done");
    term.pause(false);
    term.wait_for("typed [done]");
    term.send("\x11");
    assert_eq!(term.wait_exit(), 0);
    term.assert_left();
}

#[test]
fn without_job_control_it_does_not_stop() {
    let mut term = start_probe();
    term.send("\x1a");
    term.wait_for("cannot suspend");
}

#[test]
fn after_being_stopped_from_outside_it_is_drawn_again() {
    let mut term = start_probe();
    let process = term.child.process_id().unwrap();
    signal(process, "STOP");
    let stopped = |_: &Term| {
        let status = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        status.contains(") T ") || !cfg!(target_os = "linux")
    };
    term.wait("its stop", stopped);
    signal(process, "CONT");
    term.wait_for("resumed");
    term.send("x\x11");
    assert_eq!(term.wait_exit(), 0);
    term.assert_left();
}

#[test]
fn it_is_there_quickly() {
    // Generous: what is measured is that nothing is waited for, such as an answer of the terminal.
    let started = Instant::now();
    let (mut term, _folder) = start_app(80, 24, |_| {});
    assert!(started.elapsed() < DEADLINE / 4, "{:?}", started.elapsed());
    term.send("q");
    assert_eq!(term.wait_exit(), 0);
}
