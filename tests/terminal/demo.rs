//! The demonstration in a real terminal.

use crate::pty::{Term, command};
use std::fs;

#[test]
fn the_demo_plays_by_itself_and_leaves_nothing_behind() {
    let (here, temporary, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut command = command(env!("CARGO_BIN_EXE_misfire"));
    command.args(["demo", "--ascii", "--no-motion"]);
    command.cwd(here.path());
    command.env("TMPDIR", temporary.path());
    command.env("XDG_STATE_HOME", state.path());
    let mut term = Term::start(command, 120, 40);
    term.wait_for("DEMO on throwaway data");
    term.wait_for("A demo: f stops following");
    term.wait_for("8 calls  1 bad");
    term.wait_for("9 calls  1 bad");
    term.wait_for("now fail (TaskUpdate); F lists them");
    term.send("F");
    term.wait_for("changed: TaskUpdate");
    term.send("\x1b[27ugj1e");
    term.wait_for("as it was");
    term.send("\x1b[27u\x1b[27uq");
    assert_eq!(term.wait_exit(), 0);
    term.assert_left();
    for folder in [&here, &temporary, &state] {
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{}", folder.path().display());
    }
}

#[test]
fn a_demo_that_is_ended_by_a_signal_leaves_nothing_behind() {
    let (here, temporary) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut command = command(env!("CARGO_BIN_EXE_misfire"));
    command.args(["demo"]);
    command.cwd(here.path());
    command.env("TMPDIR", temporary.path());
    let mut term = Term::start(command, 80, 24);
    term.wait_for("DEMO");
    term.signal("TERM");
    assert_eq!(term.wait_exit(), 143);
    term.assert_left();
    assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0);
}
