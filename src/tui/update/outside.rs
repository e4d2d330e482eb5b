//! What comes from outside: signals, files, jobs, other programs.

use super::super::edit::job::EditOutput;
use super::super::job::Output;
use super::super::job::review::ReviewOutput;
use super::super::notices::Level;
use super::super::runtime::clipboard::{Copied, CopiedTo};
use super::super::runtime::editor::Outcome;
use super::super::runtime::jobs::{JobEvent, Ticket};
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
            Msg::Watch(change) => self.watched(change, effects),
            Msg::Job(ticket, event) => return self.job(ticket, event, effects),
            Msg::JobRefused(ticket) => {
                self.jobs.forget(ticket.key);
                self.reading_ended(ticket.key);
                self.say(Level::Error, &format!("{}: too much is being done already", ticket.key.kind));
            }
            Msg::Panicked(report) => self.panicked(&report),
            Msg::Copied(copied) => self.copied(&copied),
            Msg::Edited(edited) if self.take_over(&edited) => {}
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

    fn watched(&mut self, change: Change, effects: &mut Effects) {
        self.files_changed(&change, effects);
        match change {
            Change::Ready(mode) | Change::Mode(mode) => {
                if let Mode::Looking(why) = &mode {
                    self.say(Level::Warning, &format!("Files are looked at once a second: {why}"));
                }
                self.watching = Watching::Active(mode);
            }
            Change::Changed(paths) => self.note_paths("changed", &paths),
            Change::Removed(paths) => self.note_paths("removed", &paths),
        }
    }

    /// What it leads to is said when it is known.
    fn note_paths(&mut self, what: &str, paths: &[std::path::PathBuf]) {
        for path in paths {
            self.notices.note(self.now, Level::Info, &format!("{what}: {}", path.display()));
        }
    }

    fn job(&mut self, ticket: Ticket, event: JobEvent<Output>, effects: &mut Effects) -> Redraw {
        let event = match event {
            // It has happened, and what comes later builds on it.
            JobEvent::Output(
                output @ (Output::News(_)
                | Output::BaselineMarked
                | Output::BaselineSet { .. }
                | Output::Review(ReviewOutput::Accepted(..))
                | Output::Edit(EditOutput::Saved { .. } | EditOutput::NotSaved(_))),
            ) => {
                self.take_in_output(output, effects);
                return Redraw::Needed;
            }
            event => event,
        };
        match self.jobs.note(ticket, event) {
            None => Redraw::NotNeeded,
            Some(JobEvent::Output(output)) => {
                self.take_in_output(output, effects);
                Redraw::Needed
            }
            Some(JobEvent::Panicked(message)) => {
                self.reading_ended(ticket.key);
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
        let what = copied.what;
        let size = if copied.bytes == 1 { "1 byte".to_owned() } else { format!("{} bytes", copied.bytes) };
        let (level, text) = match &copied.how {
            CopiedTo::Terminal => (Level::Info, format!("Copied {what} ({size}) by way of the terminal")),
            CopiedTo::Program(program) => (Level::Info, format!("Copied {what} ({size}) with {program}")),
            CopiedTo::File(path) => (Level::Warning, format!("No clipboard: {what} was saved to {}", path.display())),
            CopiedTo::Nowhere(why) => (Level::Error, format!("{what} could not be copied: {why}")),
        };
        self.say(level, &text);
    }
}
