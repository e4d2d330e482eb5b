//! A small app on the real runtime, for what the real app never does on purpose: panic, above all.

use crate::pty::{Term, command};
use crossterm::event::{KeyCode, KeyModifiers};
use misfire::tui::runtime::editor::{EditRequest, Outcome, Subject};
use misfire::tui::runtime::jobs::{JobContext, JobEvent, JobKey, Ticket};
use misfire::tui::runtime::{App, Effect, Exit, Msg, Redraw, Setup, Work, run};
use portable_pty::CommandBuilder;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use std::time::Duration;

/// Set where the test program is to be the app.
const PROBE: &str = "MISFIRE_PROBE";

/// The command that runs the probe: this very test program, asked for the one test that is the probe.
pub fn probe() -> CommandBuilder {
    let mut command = command(std::env::current_exe().unwrap());
    command.args(["--exact", "probe::probe_itself", "--nocapture", "--test-threads=1"]);
    command.env(PROBE, "1");
    command
}

pub fn start_probe() -> Term {
    start(probe())
}

pub fn start(command: CommandBuilder) -> Term {
    let term = Term::start(command, 60, 10);
    term.wait_for("ready 60x10");
    term
}

/// Not a test: the probe, when it is asked for.
#[test]
fn probe_itself() {
    if std::env::var_os(PROBE).is_none() {
        return;
    }
    let mut app = Probe::default();
    let setup = Setup { mouse: true, watch: Vec::new(), accept: |_| true };
    // As `main` would end: a panic that reaches it is status 101.
    let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(&mut app, setup)));
    std::process::exit(match ended {
        Ok(Ok(exit)) => exit.status().into(),
        Ok(Err(error)) => {
            eprintln!("{error}");
            2
        }
        Err(_) => 101,
    });
}

#[derive(Default)]
struct Probe {
    size: (u16, u16),
    typed: String,
    last: String,
    fill: u8,
    panics_when_drawn: bool,
}

pub enum Task {
    Panic,
    Count,
}

impl Work for Task {
    type Output = u32;

    fn run(self, job: &JobContext<u32>) {
        match self {
            Self::Panic => panic!("a worker's panic"),
            Self::Count => (1..=1000).for_each(|n| job.output(n)),
        }
    }
}

impl App for Probe {
    type Work = Task;

    fn update(&mut self, _: Duration, msg: Msg<u32>, effects: &mut Vec<Effect<Task>>) -> Redraw {
        let ticket = |id| Ticket { key: JobKey { kind: "task", id }, generation: 1 };
        match msg {
            Msg::Key(key) if key.modifiers.contains(KeyModifiers::CONTROL) => match key.code {
                KeyCode::Char('z') => effects.push(Effect::Suspend),
                KeyCode::Char('w') => effects.push(Effect::Spawn(ticket(1), Task::Panic)),
                KeyCode::Char('n') => effects.push(Effect::Spawn(ticket(2), Task::Count)),
                KeyCode::Char('u') => panic!("the UI's panic"),
                KeyCode::Char('d') => self.panics_when_drawn = true,
                KeyCode::Char('e') => effects.push(Effect::Edit(EditRequest {
                    id: 1,
                    subject: Subject::Text { text: b"{}".to_vec(), extension: "json" },
                    line: 7,
                    column: 1,
                })),
                KeyCode::Char('y') => effects.push(Effect::Copy { what: "text", text: "copied text".to_owned() }),
                KeyCode::Char('p') => effects.push(Effect::Print("printed \u{1b}[31mtext".to_owned())),
                KeyCode::Char('f') => self.fill = self.fill.wrapping_add(1),
                KeyCode::Char('q') => effects.push(Effect::Quit(Exit::Asked)),
                _ => return Redraw::NotNeeded,
            },
            Msg::Key(key) => self.typed.extend(key.code.as_char()),
            Msg::Paste(text) => self.last = format!("pasted {text:?}"),
            Msg::Mouse(mouse) => self.last = format!("mouse {:?}", mouse.kind),
            Msg::Resize { columns, rows } => self.size = (columns, rows),
            Msg::Quit(exit) => effects.push(Effect::Quit(exit)),
            Msg::Suspend => effects.push(Effect::Suspend),
            Msg::Resumed => {
                "resumed".clone_into(&mut self.last);
                effects.push(Effect::Repaint);
            }
            Msg::CannotSuspend => "cannot suspend".clone_into(&mut self.last),
            Msg::Panicked(report) => self.last = format!("{} panicked: {}", report.thread, report.message),
            Msg::Job(_, JobEvent::Output(n)) => self.last = format!("counted {n}"),
            Msg::Copied(copied) => self.last = format!("{:?}", copied.how),
            Msg::Edited(edited) => {
                self.last = match edited.outcome {
                    Outcome::Changed(text) => format!("edited {}", String::from_utf8_lossy(&text)),
                    other => format!("{other:?}"),
                }
            }
            _ => return Redraw::NotNeeded,
        }
        Redraw::Needed
    }

    fn deadline(&self) -> Option<Duration> {
        None
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        let area = frame.area();
        let (columns, rows) = self.size;
        for (y, text) in (0..).zip([format!("ready {columns}x{rows}"), format!("typed [{}]", self.typed), self.last.clone()]) {
            frame.render_widget(Line::raw(text), Rect { y, height: 1, ..area }.intersection(area));
        }
        assert!(!self.panics_when_drawn, "a panic while drawing");
        if self.fill > 0 {
            let sign = if self.fill.is_multiple_of(2) { "#" } else { "." };
            for y in 3..area.height {
                frame.render_widget(Line::raw(sign.repeat(area.width.into())), Rect { y, height: 1, ..area });
            }
        }
    }
}
