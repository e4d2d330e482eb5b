//! A program in a real pseudo-terminal, and what a terminal would make of what it writes.

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::ffi::OsStr;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Far longer than anything takes, even beside a build: whoever waits this long has failed.
pub const DEADLINE: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(5);

/// What the program wrote, as bytes and as a screen.
pub struct Written {
    pub bytes: Vec<u8>,
    pub parser: vt100::Parser<Clipboard>,
    last: Instant,
    ended: bool,
}

/// What the terminal was asked to put on its clipboard, in base64.
#[derive(Default)]
pub struct Clipboard(pub Vec<String>);

impl vt100::Callbacks for Clipboard {
    fn copy_to_clipboard(&mut self, _: &mut vt100::Screen, _: &[u8], data: &[u8]) {
        self.0.push(String::from_utf8_lossy(data).into_owned());
    }
}

pub struct Term {
    written: Arc<Mutex<Written>>,
    paused: Arc<AtomicBool>,
    closed: Arc<AtomicBool>,
    writer: Option<Box<dyn Write + Send>>,
    master: Option<Box<dyn MasterPty + Send>>,
    pub child: Box<dyn Child + Send + Sync>,
}

fn cells(n: u16) -> NonZeroU16 {
    NonZeroU16::new(n).unwrap()
}

/// A command with an environment in which nothing of the machine shows.
pub fn command(program: impl AsRef<OsStr>) -> CommandBuilder {
    let mut command = CommandBuilder::new(program);
    for name in ["NO_COLOR", "COLORTERM", "COLORFGBG", "TMUX", "DISPLAY", "WAYLAND_DISPLAY", "TERMUX_VERSION", "VISUAL", "EDITOR"]
    {
        command.env_remove(name);
    }
    command.env("TERM", "xterm-256color");
    command.env("LC_ALL", "C.UTF-8");
    command.env("RUST_BACKTRACE", "0");
    // Nothing is kept from one test to another, nor with what the person keeps.
    command.env_remove("XDG_STATE_HOME");
    command.env_remove("HOME");
    command
}

impl Term {
    pub fn start(command: CommandBuilder, columns: u16, rows: u16) -> Self {
        let size = PtySize { rows, cols: columns, ..PtySize::default() };
        let pair = native_pty_system().openpty(size).unwrap();
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let parser = vt100::Parser::new_with_callbacks(cells(rows), cells(columns), 0, Clipboard::default());
        let written = Arc::new(Mutex::new(Written { bytes: Vec::new(), parser, last: Instant::now(), ended: false }));
        let paused = Arc::new(AtomicBool::new(false));
        let closed = Arc::new(AtomicBool::new(false));
        let reader = pair.master.try_clone_reader().unwrap();
        thread::spawn({
            let (written, paused, closed) = (Arc::clone(&written), Arc::clone(&paused), Arc::clone(&closed));
            move || read_all(reader, &written, &paused, &closed)
        });
        let writer = pair.master.take_writer().unwrap();
        Self { written, paused, closed, writer: Some(writer), master: Some(pair.master), child }
    }

    pub fn send(&mut self, keys: &str) {
        let writer = self.writer.as_mut().unwrap();
        writer.write_all(keys.as_bytes()).unwrap();
        writer.flush().unwrap();
    }

    /// Stops reading what the program writes, as a slow terminal would, or goes on.
    pub fn pause(&self, paused: bool) {
        self.paused.store(paused, Ordering::SeqCst);
    }

    pub fn resize(&self, columns: u16, rows: u16) {
        self.with(|written| written.parser.screen_mut().set_size(cells(rows), cells(columns)));
        let size = PtySize { rows, cols: columns, ..PtySize::default() };
        self.master.as_ref().unwrap().resize(size).unwrap();
    }

    /// Closes the terminal, as closing its window does. The program must write something on `?`: only then does the reader
    /// notice, which holds the terminal open too.
    #[track_caller]
    pub fn close(&mut self) {
        self.closed.store(true, Ordering::SeqCst);
        self.send("?");
        self.wait("the reader's end", |term| term.with(|written| written.ended));
        self.writer = None;
        self.master = None;
    }

    pub fn signal(&self, name: &str) {
        signal(self.child.process_id().unwrap(), name);
    }

    pub fn with<T>(&self, look: impl FnOnce(&mut Written) -> T) -> T {
        look(&mut self.written.lock().unwrap())
    }

    pub fn screen(&self) -> String {
        self.with(|written| written.parser.screen().contents())
    }

    pub fn bytes(&self) -> String {
        self.with(|written| String::from_utf8_lossy(&written.bytes).into_owned())
    }

    /// How often a sequence has been written.
    pub fn count(&self, sequence: &str) -> usize {
        self.bytes().matches(sequence).count()
    }

    /// Waits for a condition; what is on the screen is shown when it does not come. A program that has ended brings it no more.
    #[track_caller]
    pub fn wait(&self, what: &str, mut condition: impl FnMut(&Self) -> bool) {
        let started = Instant::now();
        while !condition(self) {
            let ended = !self.closed.load(Ordering::SeqCst) && self.with(|written| written.ended);
            // It may have become true with the last that was written.
            if ended && condition(self) {
                return;
            }
            if ended || started.elapsed() > DEADLINE {
                let tail: String = self.bytes().chars().rev().take(400).collect::<Vec<_>>().into_iter().rev().collect();
                let how = if ended { " of a program that has ended" } else { "" };
                panic!("waited in vain for {what}{how}; on the screen:\n{}\nlast written: {tail:?}", self.screen());
            }
            thread::sleep(POLL);
        }
    }

    #[track_caller]
    pub fn wait_for(&self, text: &str) {
        self.wait(text, |term| term.screen().contains(text));
    }

    /// Waits until nothing has been written for so long.
    #[track_caller]
    pub fn wait_quiet(&self, quiet: Duration) {
        self.wait("silence", |term| term.with(|written| written.last.elapsed() >= quiet));
    }

    /// Waits for the end of the program, and of what it wrote; its exit status.
    #[track_caller]
    pub fn wait_exit(&mut self) -> u32 {
        let started = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(started.elapsed() < DEADLINE, "it does not end; on the screen:\n{}", self.screen());
            thread::sleep(POLL);
        };
        if self.master.is_some() {
            self.wait("the end of what was written", |term| term.with(|written| written.ended));
        }
        status.exit_code()
    }

    /// Everything that was turned on is off again, and what comes in pairs came in pairs.
    #[track_caller]
    pub fn assert_left(&self) {
        let screen = self.screen();
        self.with(|written| {
            let terminal = written.parser.screen();
            assert!(!terminal.alternate_screen(), "on the alternate screen:\n{screen}");
            assert!(!terminal.hide_cursor(), "the cursor is hidden");
            assert!(!terminal.bracketed_paste(), "bracketed paste is on");
            assert_eq!(terminal.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        });
        self.assert_pairs();
        let last = |sequence: &str| self.bytes().rfind(sequence).unwrap_or_default();
        assert!(last("\x1b[?1004l") > last("\x1b[?1004h"), "focus is still reported");
    }

    #[track_caller]
    pub fn assert_pairs(&self) {
        let (on, off) = (self.count("\x1b[>1u"), self.count("\x1b[<1u"));
        assert_eq!(on, off, "the keyboard flags are pushed and popped equally often");
        let mut open = false;
        let bytes = self.bytes();
        for (at, _) in bytes.match_indices("\x1b[?2026") {
            let begins = bytes[at..].starts_with("\x1b[?2026h");
            assert!(!(begins && open), "a frame begins inside another");
            open = begins;
        }
        assert!(!open, "a frame does not end");
    }
}

impl Drop for Term {
    fn drop(&mut self) {
        // Nothing is left behind by a test that failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn signal(process: u32, name: &str) {
    let status = std::process::Command::new("kill").args([&format!("-{name}"), &process.to_string()]).status();
    assert!(status.unwrap().success());
}

fn read_all(mut reader: Box<dyn Read + Send>, written: &Mutex<Written>, paused: &AtomicBool, closed: &AtomicBool) {
    let mut buffer = [0; 4096];
    loop {
        while paused.load(Ordering::SeqCst) {
            thread::sleep(POLL);
        }
        let n = reader.read(&mut buffer).unwrap_or(0);
        let mut written = written.lock().unwrap();
        if n == 0 || closed.load(Ordering::SeqCst) {
            written.ended = true;
            return;
        }
        written.bytes.extend_from_slice(&buffer[..n]);
        written.parser.process(&buffer[..n]);
        written.last = Instant::now();
    }
}
