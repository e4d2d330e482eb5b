//! Running the program as it is typed.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What a run gave.
pub struct Run {
    pub out: String,
    pub err: String,
    pub status: i32,
}

/// The bundled files.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_misfire"));
    command.args(args).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs in a folder, with this on stdin.
pub fn run(folder: &Path, args: &[&str], input: &[u8]) -> Run {
    let mut child = command(folder, args).spawn().expect("the program starts");
    // A program that does not read its input closes it; that is its right.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    let output = child.wait_with_output().expect("the program ends");
    Run {
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
        status: output.status.code().expect("an exit status"),
    }
}

/// A program that runs while the test does something else.
pub struct Running {
    child: Child,
    out: Arc<Mutex<String>>,
    err: Arc<Mutex<String>>,
    readers: Vec<std::thread::JoinHandle<()>>,
}

impl Running {
    pub fn start(folder: &Path, args: &[&str]) -> Self {
        let mut child = command(folder, args).spawn().expect("the program starts");
        let (out, err) = (Arc::default(), Arc::default());
        let readers = vec![
            collect(child.stdout.take().expect("a pipe"), Arc::clone(&out)),
            collect(child.stderr.take().expect("a pipe"), Arc::clone(&err)),
        ];
        Self { child, out, err, readers }
    }

    pub fn out(&self) -> String {
        self.out.lock().unwrap().clone()
    }

    pub fn err(&self) -> String {
        self.err.lock().unwrap().clone()
    }

    /// Waits until it has said so on stderr.
    pub fn until_err(&self, what: &str) {
        self.until(|run| run.err().contains(what), what);
    }

    /// Waits until stdout has it, and says how long that took.
    pub fn until_out(&self, what: &str) -> Duration {
        let started = Instant::now();
        self.until(|run| run.out().contains(what), what);
        started.elapsed()
    }

    pub fn until(&self, done: impl Fn(&Self) -> bool, what: &str) {
        let deadline = Instant::now() + Duration::from_secs(60);
        while !done(self) {
            assert!(Instant::now() < deadline, "waited for {what}\nout: {}\nerr: {}", self.out(), self.err());
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Presses Ctrl-C.
    pub fn interrupt(&self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill").success());
    }

    /// Closes its stdin, and waits for its end.
    pub fn end(mut self) -> Run {
        drop(self.child.stdin.take());
        let status = self.child.wait().expect("the program ends");
        self.readers.drain(..).for_each(|reader| reader.join().expect("a reader"));
        Run { out: self.out(), err: self.err(), status: status.code().expect("an exit status") }
    }

    /// Presses Ctrl-C, and waits for its end.
    pub fn stop(self) -> Run {
        self.interrupt();
        self.end()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Of a test that failed.
        let _ = self.child.kill();
    }
}

fn collect(mut from: impl std::io::Read + Send + 'static, into: Arc<Mutex<String>>) -> std::thread::JoinHandle<()> {
    std::thread::spawn(move || {
        let mut buffer = [0; 8 << 10];
        let mut whole = Vec::new();
        while let Ok(read @ 1..) = from.read(&mut buffer) {
            whole.extend_from_slice(&buffer[..read]);
            *into.lock().unwrap() = String::from_utf8_lossy(&whole).into_owned();
        }
    })
}
