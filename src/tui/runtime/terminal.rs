//! The real terminal: performs what the app asks for.

use super::clipboard::{copy_elsewhere, osc52};
use super::editor::{self, EditRequest};
use super::event_loop::{Flow, Host};
use super::guard::Guard;
use super::input::Gate;
use super::jobs::Jobs;
use super::msg::{Effect, Msg, Work};
use super::queues::Senders;
use super::screen::Screen;
use super::watch::Watch;
use crate::json::Visible;
use ratatui::backend::CrosstermBackend;
use ratatui::{Frame, Terminal};
use std::fs::File;
use std::io::{self, Write};
use std::thread;
use std::time::{Duration, Instant};

/// How long to wait for the input thread to stand still. It looks up every 50 ms; the rest is for a busy machine.
const PARKING: Duration = Duration::from_secs(1);

pub(super) type Backend = CrosstermBackend<Screen<File>>;

/// Everything that a running app holds of the outside.
pub(super) struct TerminalHost<W: Work> {
    pub started: Instant,
    pub screen: Screen<File>,
    pub guard: Guard,
    pub gate: Gate,
    pub jobs: Jobs<W>,
    pub watch: Option<Watch>,
    pub to: Senders<W::Output>,
    #[cfg(unix)]
    pub signals: super::signals::Listening,
}

impl<W: Work> Host<Backend, W> for TerminalHost<W> {
    fn now(&self) -> Duration {
        self.started.elapsed()
    }

    fn draw(&mut self, terminal: &mut Terminal<Backend>, render: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        let frame = self.screen.frame();
        terminal.draw(render)?;
        frame.finish()
    }

    fn perform(&mut self, effect: Effect<W>, terminal: &mut Terminal<Backend>) -> io::Result<Flow> {
        match effect {
            Effect::Quit(exit) => return Ok(Flow::Exit(exit)),
            Effect::Suspend => return self.suspend(),
            Effect::Repaint => {
                self.guard.reassert()?;
                self.tell_size(terminal);
                return Ok(Flow::Repaint);
            }
            Effect::Edit(request) => return self.edit(request, terminal),
            Effect::Print(text) => return self.print(&text, terminal),
            Effect::Mouse(on) => self.guard.set_mouse(on)?,
            Effect::Copy { what, text } => self.copy(what, text)?,
            Effect::Spawn(ticket, work) => {
                if !self.jobs.spawn(ticket, work) {
                    self.tell(Msg::JobRefused(ticket));
                }
            }
            Effect::Cancel(key) => self.jobs.cancel(key),
            Effect::Rescan => {
                if let Some(watch) = &self.watch {
                    watch.rescan();
                }
            }
        }
        Ok(Flow::Continue)
    }
}

impl<W: Work> TerminalHost<W> {
    fn tell(&self, msg: Msg<W::Output>) {
        // The receiver is the loop that called us.
        let _ = self.to.control.send(msg);
    }

    /// The size may have changed while somebody else had the terminal.
    fn tell_size(&self, terminal: &Terminal<Backend>) {
        if let Ok(size) = terminal.size() {
            self.tell(Msg::Resize { columns: size.width, rows: size.height });
        }
    }

    /// Stops until continued. What is typed at the shell meanwhile is read by the shell, so nothing has to be thrown away.
    #[cfg(unix)]
    fn suspend(&mut self) -> io::Result<Flow> {
        if !super::tty::has_job_control() {
            self.tell(Msg::CannotSuspend);
            return Ok(Flow::Continue);
        }
        // Not standing still in time is no reason not to go on: at worst a key is read by the wrong one.
        let _ = self.gate.park(PARKING);
        self.guard.leave();
        let stopped = self.signals.stop(true);
        self.guard.enter()?;
        self.gate.unpark();
        self.tell(if stopped.is_ok() { Msg::Resumed } else { Msg::CannotSuspend });
        Ok(Flow::Repaint)
    }

    #[cfg(not(unix))]
    #[expect(clippy::unnecessary_wraps, reason = "one signature on all systems")]
    fn suspend(&mut self) -> io::Result<Flow> {
        self.tell(Msg::CannotSuspend);
        Ok(Flow::Continue)
    }

    fn edit(&mut self, request: EditRequest, terminal: &Terminal<Backend>) -> io::Result<Flow> {
        let edited = self.lend(terminal, || editor::edit(request, &editor::chosen()))?;
        self.tell(Msg::Edited(edited));
        Ok(Flow::RepaintAndForgetInput)
    }

    /// Writes to the main screen, where the terminal's own selection works, until Enter.
    fn print(&mut self, text: &str, terminal: &Terminal<Backend>) -> io::Result<Flow> {
        let mut out = super::guard::terminal_output()?;
        self.lend(terminal, || -> io::Result<()> {
            for line in Visible::lines(text) {
                writeln!(out, "{line}")?;
            }
            out.write_all(b"\n(Enter goes back)")?;
            io::stdin().read_line(&mut String::new()).map(drop)
        })??;
        Ok(Flow::RepaintAndForgetInput)
    }

    /// Gives the terminal to somebody else for a while.
    fn lend<T>(&mut self, terminal: &Terminal<Backend>, to: impl FnOnce() -> T) -> io::Result<T> {
        // Not standing still in time is no reason not to go on: at worst a key is read by the wrong one.
        let _ = self.gate.park(PARKING);
        self.guard.leave();
        #[cfg(unix)]
        self.signals.lend(true);
        let result = to();
        #[cfg(unix)]
        self.signals.lend(false);
        self.guard.enter()?;
        let _ = self.gate.drain_and_unpark(PARKING);
        self.tell_size(terminal);
        Ok(result)
    }

    fn copy(&mut self, what: &'static str, text: String) -> io::Result<()> {
        let sequence = osc52(&text, std::env::var_os("TMUX").is_some());
        if let Some(sequence) = &sequence {
            self.screen.write_now(sequence.as_bytes())?;
        }
        let sent = sequence.is_some();
        let control = self.to.control.clone();
        // A thread of its own: some of these programs wait for a display that does not answer.
        let copying = thread::Builder::new().name("copying".to_owned());
        copying.spawn(move || drop(control.send(Msg::Copied(copy_elsewhere(what, &text, sent)))))?;
        Ok(())
    }
}
