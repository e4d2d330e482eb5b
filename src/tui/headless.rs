//! The app without a terminal: the same state, jobs and frames, for tests, benchmarks and pictures.
//!
//! Time stands still unless it is moved, so that frames are the same every time.

use super::job::{Job, Output};
use super::picture;
use super::runtime::jobs::Jobs;
use super::runtime::queues::Senders;
use super::runtime::{App, Effect, Msg, Redraw};
use super::theme::Theme;
use super::{Options, State, start};
use crossbeam_channel::{Receiver, unbounded};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use std::io;
use std::time::{Duration, Instant};

/// The app, its jobs, and the time.
pub struct Headless {
    /// What decides what is on the screen.
    pub state: State,
    /// The time of the next message.
    pub now: Duration,
    jobs: Jobs<Job>,
    results: Receiver<Msg<Output>>,
    /// What was asked for and is not a job.
    pub asked: Vec<Effect<Job>>,
}

impl Headless {
    /// Starts the app on a screen of this size. Reading has been asked for.
    ///
    /// # Errors
    /// When a thread cannot be started.
    pub fn start(options: &Options, columns: u16, rows: u16) -> io::Result<Self> {
        let theme = Theme::new(options.theme.unwrap_or_default(), options.ascii);
        let (results_to, results) = unbounded();
        let (control, input) = (results_to.clone(), results_to.clone());
        let jobs = Jobs::start(2, &Senders { control, input, results: results_to })?;
        let state = start(options, theme);
        let mut app = Self { state, now: Duration::ZERO, jobs, results, asked: Vec::new() };
        let _ = app.send(Msg::Resize { columns, rows });
        Ok(app)
    }

    /// Gives a message to the app and starts the jobs that it asks for.
    pub fn send(&mut self, msg: Msg<Output>) -> Redraw {
        let mut effects = Vec::new();
        let redraw = self.state.update(self.now, msg, &mut effects);
        for effect in effects {
            match effect {
                Effect::Spawn(ticket, job) => {
                    if !self.jobs.spawn(ticket, job) {
                        let _ = self.send(Msg::JobRefused(ticket));
                    }
                }
                Effect::Cancel(key) => self.jobs.cancel(key),
                other => self.asked.push(other),
            }
        }
        redraw
    }

    /// Presses keys, written as in the configuration and separated by spaces. What is no key is skipped.
    pub fn press(&mut self, keys: &str) {
        for key in keys.split_whitespace().filter_map(key) {
            let _ = self.send(Msg::Key(key));
        }
    }

    /// Takes in what jobs give until a condition holds; false if that takes longer than the limit.
    pub fn wait(&mut self, limit: Duration, until: impl Fn(&State) -> bool) -> bool {
        let end = Instant::now() + limit;
        while !until(&self.state) {
            let Ok(msg) = self.results.recv_deadline(end) else { return false };
            let _ = self.send(msg);
        }
        true
    }

    /// Takes in one thing that a job gives, and says how long that took; none if nothing comes within the limit.
    pub fn take_one(&mut self, limit: Duration) -> Option<Duration> {
        let msg = self.results.recv_timeout(limit).ok()?;
        let started = Instant::now();
        let _ = self.send(msg);
        Some(started.elapsed())
    }

    /// Takes in what jobs give until none runs; false if that takes longer than the limit.
    pub fn finish(&mut self, limit: Duration) -> bool {
        self.wait(limit, |state| state.jobs.oldest().is_none())
    }

    /// Draws a frame of the screen's size.
    #[must_use]
    pub fn draw(&self) -> Buffer {
        picture::frame(&self.state)
    }

    /// A frame as text.
    #[must_use]
    pub fn text(&self) -> String {
        picture::text(&self.draw())
    }
}

/// A key by its name, after any of `Ctrl-`, `Alt-` and `Shift-`.
fn key(name: &str) -> Option<KeyEvent> {
    for (prefix, modifier) in [("Ctrl-", KeyModifiers::CONTROL), ("Alt-", KeyModifiers::ALT), ("Shift-", KeyModifiers::SHIFT)] {
        if let Some(rest) = name.strip_prefix(prefix).filter(|rest| !rest.is_empty()) {
            return key(rest).map(|key| KeyEvent::new(key.code, key.modifiers | modifier));
        }
    }
    let mut characters = name.chars();
    let code = match (name, characters.next(), characters.next()) {
        ("Enter", ..) => KeyCode::Enter,
        ("Esc", ..) => KeyCode::Esc,
        ("Tab", ..) => KeyCode::Tab,
        ("Space", ..) => KeyCode::Char(' '),
        ("Up", ..) => KeyCode::Up,
        ("Down", ..) => KeyCode::Down,
        ("Left", ..) => KeyCode::Left,
        ("Right", ..) => KeyCode::Right,
        ("Home", ..) => KeyCode::Home,
        ("End", ..) => KeyCode::End,
        ("PageUp", ..) => KeyCode::PageUp,
        ("PageDown", ..) => KeyCode::PageDown,
        ("Backspace", ..) => KeyCode::Backspace,
        (_, Some(c), None) => KeyCode::Char(c),
        _ => KeyCode::F(name.strip_prefix('F')?.parse().ok()?),
    };
    Some(KeyEvent::new(code, KeyModifiers::NONE))
}
