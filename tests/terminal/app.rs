//! The app on a copy of the bundled definitions and sessions: what a person sees and what follows a change of a file.

use crate::pty::{Term, command};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

struct App {
    term: Term,
    folder: tempfile::TempDir,
}

impl App {
    fn start(columns: u16, rows: u16) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["tools", "sessions"] {
            copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join(name), &folder.path().join(name));
        }
        let mut command = command(env!("CARGO_BIN_EXE_misfire"));
        command.cwd(folder.path());
        let term = Term::start(command, columns, rows);
        term.wait_for("* watching");
        let all = calls_in(&folder.path().join("sessions"));
        term.wait_for(&format!("{all} calls"));
        Self { term, folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Saves as vim does: a new file, renamed over the old one.
    fn save_over(&self, name: &str, text: &str) {
        let new = self.path("4913.new");
        fs::write(&new, text).unwrap();
        fs::rename(new, self.path(name)).unwrap();
    }

    fn task_update(&self) -> String {
        fs::read_to_string(self.path("tools/TaskUpdate.json")).unwrap()
    }
}

pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// How many calls there are to be read.
pub fn calls_in(sessions: &Path) -> usize {
    let mut engine = misfire::replay::Engine::open(&[], vec![sessions.to_owned()], misfire::gate::Profile::Wave);
    engine.scan(&mut |_| {}, &mut || true);
    engine.progress().0
}

/// The program's own answer to the newest failing call of a session file.
fn exact_text(folder: &Path) -> (String, String) {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_misfire"))
        .args(["check", "sessions", "--format", "ndjson", "--only", "rejected,unparsable,unknown_tool"])
        .current_dir(folder)
        .output()
        .unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    let newest = lines.lines().rfind(|line| line.contains("wave-refactor")).unwrap();
    let call = misfire::json::Value::parse(newest.as_bytes()).unwrap();
    let text = |key: &str| call.get(key).unwrap().as_string().unwrap().to_string();
    (text("tool"), text("text"))
}

#[test]
fn it_opens_with_the_newest_failing_call_and_its_exact_text() {
    let app = App::start(120, 40);
    let (tool, text) = exact_text(app.folder.path());
    app.term.wait("the exact text", |term| {
        let screen = term.screen();
        screen.contains(&tool) && text.lines().take(2).all(|line| screen.contains(line))
    });
    let screen = app.term.screen();
    assert!(screen.contains("BAD") && screen.contains("validate (stopped)"), "{screen}");
}

#[test]
fn saving_a_definition_shows_the_flips() {
    let mut app = App::start(120, 40);
    let good = app.task_update();
    app.save_over("tools/TaskUpdate.json", &good.replace("\"taskId\"", "\"task_id\""));
    app.term.wait_for("now fail (TaskUpdate); F lists them");
    app.term.send("F");
    app.term.wait_for("changed: TaskUpdate");
    app.term.wait_for("missing task_id");
    app.term.send("\r");
    app.term.wait_for("The required parameter `task_id` is missing");
    app.save_over("tools/TaskUpdate.json", &good);
    app.term.wait_for("TaskUpdate: no verdict is another one than at the baseline");
    app.term.send("F");
    app.term.wait_for("No verdict is another one");
}

#[test]
fn a_half_written_definition_keeps_the_old_verdicts_and_both_facts_are_said() {
    let app = App::start(120, 40);
    let good = app.task_update();
    let bad = |screen: &str| screen.lines().next().and_then(|line| line.trim_end().rsplit("  ").next().map(str::to_owned));
    let before = bad(&app.term.screen());
    fs::write(app.path("tools/TaskUpdate.json"), &good[..good.len() / 2]).unwrap();
    app.term.wait_for("1 cannot be read");
    app.term.wait_for("X TaskUpdate.json");
    app.term.wait_for("old kept");
    assert_eq!(bad(&app.term.screen()), before, "the old verdicts stay");
    app.save_over("tools/TaskUpdate.json", &good);
    app.term.wait("the file to be read again", |term| !term.screen().contains("cannot be read"));
}

#[test]
fn a_call_that_is_added_to_a_session_is_shown() {
    use std::io::Write as _;
    let mut app = App::start(120, 40);
    let mut file = fs::OpenOptions::new().append(true).open(app.path("sessions/tour.misfire.jsonl")).unwrap();
    file.write_all(b"{\"at\":\"2099-01-01T00:00:00Z\",\"tool\":\"added_just_now\",\"arguments\":{}}\n").unwrap();
    app.term.wait_for("added_just_");
    assert!(!app.term.screen().contains("Error: Tool 'added_just_now' not found"), "what is looked at stays");
    app.term.send("g");
    app.term.wait_for("Error: Tool 'added_just_now' not found");
}

#[test]
fn nothing_is_written_while_nothing_happens() {
    let app = App::start(120, 40);
    app.term.wait_quiet(Duration::from_secs(2));
    let written = app.term.with(|written| written.bytes.len());
    app.term.wait_quiet(Duration::from_secs(4));
    assert_eq!(app.term.with(|written| written.bytes.len()), written);
}

#[test]
fn the_capture_is_opened_at_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("vi");
    fs::write(&script, format!("echo \"$@\" > {}/asked\n", folder.path().display())).unwrap();
    for name in ["tools", "sessions"] {
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join(name), &folder.path().join(name));
    }
    let mut command = command(env!("CARGO_BIN_EXE_misfire"));
    command.cwd(folder.path());
    command.env("VISUAL", format!("sh {}", script.display()));
    let mut term = Term::start(command, 120, 40);
    // Until everything is read, another failing call may be the newest.
    term.wait_for("sessions/wave-refactor.jsonl:11");
    term.send("O");
    let asked = folder.path().join("asked");
    term.wait("the editor", |_| fs::read_to_string(&asked).is_ok_and(|asked| asked.contains("sessions/wave-refactor.jsonl")));
    term.wait_for("validate (stopped)");
    term.send("q");
    assert_eq!(term.wait_exit(), 0);
    term.assert_left();
}

#[test]
fn exports_go_to_new_files_whose_names_are_said() {
    let mut app = App::start(120, 40);
    let (_, text) = exact_text(app.folder.path());
    app.term.wait_for("sessions/wave-refactor.jsonl:11");
    fs::write(app.path("AskUserQuestion-call_h14.model.txt"), "mine").unwrap();
    app.term.send("x");
    app.term.wait_for("error text");
    app.term.send("e");
    app.term.wait_for("export to: AskUserQuestion-call_h14.model.txt");
    app.term.send("\r");
    app.term.wait_for("There is a file of that name. Overwrite it?");
    app.term.send("n");
    app.term.wait_for("export to: AskUserQuestion-call_h14.model.txt");
    app.term.send("\x152.txt\r");
    app.term.wait_for("to 2.txt");
    assert_eq!(fs::read_to_string(app.path("AskUserQuestion-call_h14.model.txt")).unwrap(), "mine");
    assert_eq!(fs::read_to_string(app.path("2.txt")).unwrap(), text);
    app.term.send("xe\r");
    app.term.wait_for("Overwrite it?");
    app.term.send("y");
    app.term.wait_for("to AskUserQuestion-call_h14.model.txt");
    assert_eq!(fs::read_to_string(app.path("AskUserQuestion-call_h14.model.txt")).unwrap(), text);
    let all = calls_in(&app.path("sessions"));
    app.term.send("xn\r");
    app.term.wait_for(&format!("Exported {all} calls to misfire-calls.ndjson"));
    assert_eq!(fs::read_to_string(app.path("misfire-calls.ndjson")).unwrap().lines().count(), all);
    app.term.send("xl\r");
    app.term.wait_for("calls to misfire-calls.misfire.jsonl");
    assert_eq!(calls_in(&app.path("misfire-calls.misfire.jsonl")), all);
    app.term.send("xm\r");
    app.term.wait_for("calls to misfire-calls.md");
    assert!(fs::read_to_string(app.path("misfire-calls.md")).unwrap().contains("The model would read:"));
    app.term.send("xh\r");
    app.term.wait_for("calls to misfire-calls.html");
    assert!(fs::read_to_string(app.path("misfire-calls.html")).unwrap().ends_with("</html>\n"));
    app.term.send("xs\r");
    app.term.wait_for("to misfire-screen.svg");
    assert!(fs::read_to_string(app.path("misfire-screen.svg")).unwrap().ends_with("</svg>\n"));
}

/// A copy of the bundled definitions and sessions in a folder.
pub fn bundled(folder: tempfile::TempDir) -> tempfile::TempDir {
    for name in ["tools", "sessions"] {
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join(name), &folder.path().join(name));
    }
    folder
}

/// The app in a folder, with state of its own there, outside of the project.
pub fn start_in(folder: &Path, (columns, rows): (u16, u16), variables: &[(&str, &str)]) -> Term {
    let mut command = command(env!("CARGO_BIN_EXE_misfire"));
    command.cwd(folder);
    command.env("XDG_STATE_HOME", folder.join("state"));
    for (name, value) in variables {
        command.env(name, value);
    }
    let term = Term::start(command, columns, rows);
    term.wait_for(&format!("{} calls", calls_in(&folder.join("sessions"))));
    term
}
