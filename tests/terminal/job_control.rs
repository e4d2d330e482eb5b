//! Stopping and continuing, under a shell with job control: in tmux, where there is one.

use crate::pty::{DEADLINE, signal};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

struct Tmux {
    socket: String,
    folder: tempfile::TempDir,
}

impl Tmux {
    /// None where tmux or bash is missing.
    fn start(name: &str) -> Option<Self> {
        let there =
            |program: &str, flag: &str| Command::new(program).arg(flag).output().is_ok_and(|output| output.status.success());
        if !there("tmux", "-V") || !there("bash", "--version") {
            eprintln!("skipped: tmux and bash are needed for job control");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let tmux = Self { socket: format!("misfire-{name}-{}", std::process::id()), folder };
        let wrapper = tmux.folder.path().join("wrapper");
        std::fs::write(wrapper, format!("{}\necho wrapped $?\n", env!("CARGO_BIN_EXE_misfire"))).unwrap();
        let folder = tmux.folder.path().to_str().unwrap().to_owned();
        let shell = "PS1='prompt> ' exec bash --norc --noprofile -i";
        tmux.run(&["-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "-c", &folder, shell]);
        tmux.wait_for("prompt>");
        Some(tmux)
    }

    fn run(&self, arguments: &[&str]) -> String {
        let output = Command::new("tmux").args(["-L", &self.socket]).args(arguments).env_remove("TMUX").output().unwrap();
        assert!(output.status.success(), "tmux {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn screen(&self) -> String {
        self.run(&["capture-pane", "-p"])
    }

    fn keys(&self, keys: &[&str]) {
        self.run(&[&["send-keys"], keys].concat());
    }

    fn type_in(&self, line: &str) {
        self.keys(&["-l", line]);
        self.keys(&["Enter"]);
    }

    #[track_caller]
    fn wait(&self, what: &str, condition: impl Fn(&str) -> bool) {
        let started = Instant::now();
        loop {
            let screen = self.screen();
            if condition(&screen) {
                return;
            }
            assert!(started.elapsed() < DEADLINE, "waited in vain for {what}; on the screen:\n{screen}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    #[track_caller]
    fn wait_for(&self, text: &str) {
        self.wait(text, |screen| screen.contains(text));
    }

    /// The shell echoes what is typed and runs it: the terminal is as it was.
    #[track_caller]
    fn assert_sane(&self, tag: u32) {
        self.type_in(&format!("echo sane-$(({tag}+{tag}))"));
        self.wait("a sane shell", |screen| {
            screen.contains(&format!("echo sane-$(({tag}+{tag}))")) && screen.contains(&format!("sane-{}", tag + tag))
        });
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let _ = Command::new("tmux").args(["-L", &self.socket, "kill-server"]).env_remove("TMUX").output();
    }
}

#[test]
fn control_z_goes_to_the_shell_and_fg_comes_back() {
    let Some(tmux) = Tmux::start("fg") else { return };
    tmux.type_in(env!("CARGO_BIN_EXE_misfire"));
    tmux.wait_for("* watching");
    for round in 1..=2 {
        tmux.keys(&["C-z"]);
        tmux.wait_for("Stopped");
        tmux.assert_sane(10 * round);
        tmux.run(&["resize-window", "-x", if round == 1 { "120" } else { "80" }, "-y", "24"]);
        tmux.type_in("fg");
        tmux.wait("the app at its new size", |screen| {
            screen.contains("* watching") && screen.contains("Tools") == (round == 1) && !screen.contains("prompt>")
        });
        tmux.keys(&["?"]);
        tmux.wait_for("name, description or key");
        tmux.keys(&["Escape"]);
        tmux.wait("the palette's end", |screen| !screen.contains("name, description or key"));
        if round == 1 {
            tmux.type_in("");
            tmux.keys(&["q"]);
            tmux.wait("the calls to have the keys", |screen| screen.contains(">Calls"));
        }
    }
    tmux.keys(&["q"]);
    tmux.wait_for("prompt>");
    tmux.assert_sane(7);
}

#[test]
fn started_by_another_program_both_stop() {
    let Some(tmux) = Tmux::start("wrapped") else { return };
    tmux.type_in("sh ./wrapper");
    tmux.wait_for("* watching");
    tmux.keys(&["C-z"]);
    tmux.wait_for("Stopped");
    tmux.assert_sane(21);
    tmux.type_in("fg");
    tmux.wait("the app", |screen| screen.contains("* watching") && !screen.contains("prompt>"));
    tmux.keys(&["q"]);
    tmux.wait_for("wrapped 0");
    tmux.assert_sane(4);
}

#[test]
fn stopped_by_a_signal_it_comes_back_too() {
    let Some(tmux) = Tmux::start("signal") else { return };
    // The shell's job writes its own number before it becomes the app.
    tmux.type_in(&format!("sh -c 'echo $$ > process; exec {}'", env!("CARGO_BIN_EXE_misfire")));
    tmux.wait_for("* watching");
    let process = std::fs::read_to_string(tmux.folder.path().join("process")).unwrap();
    signal(process.trim().parse().unwrap(), "TSTP");
    tmux.wait_for("Stopped");
    tmux.assert_sane(33);
    tmux.type_in("fg");
    tmux.wait("the app", |screen| screen.contains("* watching") && !screen.contains("prompt>"));
    tmux.keys(&["q"]);
    tmux.wait_for("prompt>");
    tmux.assert_sane(5);
}
