//! What comes from outside: signals, files, jobs, other programs.

use super::super::job::Output;
use super::super::notices::Level;
use super::super::runtime::clipboard::{Copied, CopiedTo};
use super::super::runtime::editor::Outcome;
use super::super::runtime::jobs::JobEvent;
use super::super::runtime::panics::PanicReport;
use super::super::runtime::watch::{Change, Mode};
use super::super::runtime::{Effect, Msg, Redraw};
use super::super::state::{State, Watching};
use super::Effects;

impl State {
    pub(super) fn outside(&mut self, msg: Msg<Output>, effects: &mut Effects) -> Redraw {
        match msg {
            Msg::Quit(exit) => {
                effects.push(Effect::Quit(exit));
                return Redraw::NotNeeded;
            }
            Msg::Suspend => effects.push(Effect::Suspend),
            Msg::Resumed => effects.push(Effect::Repaint),
            Msg::CannotSuspend => {
                self.say(Level::Warning, "There is no shell to go back to: nothing would wake the program up again");
            }
            Msg::Watch(change) => self.watched(change),
            Msg::Job(ticket, event) => return self.job(ticket, event),
            Msg::JobRefused(ticket) => {
                self.jobs.forget(ticket.key);
                self.say(Level::Error, &format!("{}: too much is being done already", ticket.key.kind));
            }
            Msg::Panicked(report) => self.panicked(&report),
            Msg::Copied(copied) => self.copied(&copied),
            Msg::Edited(edited) => match edited.outcome {
                Outcome::Failed(why) => self.say(Level::Error, &why),
                Outcome::Unchanged => self.say(Level::Info, "Nothing was changed in the editor"),
                Outcome::Changed(_) | Outcome::Closed => {}
            },
            Msg::Key(_) | Msg::Paste(_) | Msg::Mouse(_) | Msg::Focus(_) | Msg::Resize { .. } | Msg::Tick => {
                return Redraw::NotNeeded;
            }
        }
        Redraw::Needed
    }

    fn watched(&mut self, change: Change) {
        match change {
            Change::Ready(mode) | Change::Mode(mode) => {
                if let Mode::Looking(why) = &mode {
                    self.say(Level::Warning, &format!("Files are looked at once a second: {why}"));
                }
                self.watching = Watching::Active(mode);
            }
            Change::Changed(paths) => self.say_paths("changed", &paths),
            Change::Removed(paths) => self.say_paths("removed", &paths),
        }
    }

    fn say_paths(&mut self, what: &str, paths: &[std::path::PathBuf]) {
        let text = match paths {
            [one] => format!("{what}: {}", one.display()),
            many => format!("{what}: {} files", many.len()),
        };
        self.say(Level::Info, &text);
    }

    fn job(&mut self, ticket: super::super::runtime::jobs::Ticket, event: JobEvent<Output>) -> Redraw {
        match self.jobs.note(ticket, event) {
            None => Redraw::NotNeeded,
            Some(JobEvent::Output(output)) => match output {},
            Some(JobEvent::Panicked(message)) => {
                self.say(Level::Error, &format!("{} failed: {message}; the log has more", ticket.key.kind));
                Redraw::Needed
            }
            Some(JobEvent::Progress { .. } | JobEvent::Finished | JobEvent::Cancelled) => Redraw::Needed,
        }
    }

    fn panicked(&mut self, report: &PanicReport) {
        let PanicReport { thread, message, place, backtrace } = report;
        self.say(Level::Error, &format!("{thread} failed: {message}; the log has more\nat {place}\n{backtrace}"));
    }

    fn copied(&mut self, copied: &Copied) {
        let (what, bytes) = (copied.what, copied.bytes);
        let (level, text) = match &copied.how {
            CopiedTo::Terminal => (Level::Info, format!("Copied {what} ({bytes} bytes) by way of the terminal")),
            CopiedTo::Program(program) => (Level::Info, format!("Copied {what} ({bytes} bytes) with {program}")),
            CopiedTo::File(path) => (Level::Warning, format!("No clipboard: {what} was saved to {}", path.display())),
            CopiedTo::Nowhere(why) => (Level::Error, format!("{what} could not be copied: {why}")),
        };
        self.say(level, &text);
    }
}
