//! Exporting: a table from actions to what they write, the job that writes it, and what is said of it.
//!
//! The name of the file is asked for, with one filled in that says what it is; it is meant from the folder that the program was
//! started in. Nothing is overwritten without asking. A file that could not be written whole is not left behind.

pub mod job;

use super::edit::copying;
use super::edit::job::Shared;
use super::job::Job;
use super::keys::ActionId;
use super::notices::Level;
use super::picture;
use super::runtime::Effect;
use super::state::{Overlay, Purpose, Question, State};
use super::theme::ThemeKind;
use super::update::Effects;
use crate::capture::write_call;
use crate::report::Markup;
use job::{Content, ExportJob, Exported, Form, Subject, kind};
use std::path::PathBuf;
use std::sync::Arc;

/// One thing that can be exported.
struct Export {
    action: ActionId,
    /// After the name of the file, with the dot.
    ending: &'static str,
    make: Make,
}

/// How it is made.
enum Make {
    /// At once, from the call that is looked at.
    Call(fn(&State) -> Option<String>),
    /// At once, from the selected definition.
    Definition,
    /// At once, from the screen.
    Screen(fn(&State) -> String),
    /// By a job, from every call in the list.
    Shown(Form),
}

const EXPORTS: &[Export] = &[
    Export { action: ActionId::ExportArguments, ending: ".arguments.json", make: Make::Call(arguments) },
    Export { action: ActionId::ExportCall, ending: ".misfire.jsonl", make: Make::Call(call) },
    Export { action: ActionId::ExportModelText, ending: ".model.txt", make: Make::Call(model_text) },
    Export { action: ActionId::ExportIssues, ending: ".issues.txt", make: Make::Call(issues) },
    Export { action: ActionId::ExportDefinition, ending: ".definition.json", make: Make::Definition },
    Export { action: ActionId::ExportShown, ending: ".misfire.jsonl", make: Make::Shown(Form::Own) },
    Export { action: ActionId::ExportVerdicts, ending: ".ndjson", make: Make::Shown(Form::Verdicts) },
    Export { action: ActionId::ExportReport, ending: ".md", make: Make::Shown(Form::Report(Markup::Markdown)) },
    Export { action: ActionId::ExportPage, ending: ".html", make: Make::Shown(Form::Report(Markup::Html)) },
    Export { action: ActionId::ExportPicture, ending: ".svg", make: Make::Screen(svg) },
    Export { action: ActionId::ExportScreen, ending: ".txt", make: Make::Screen(text) },
];

fn arguments(state: &State) -> Option<String> {
    Some(copying::arguments(&state.look.call.as_ref()?.shown.call))
}

fn call(state: &State) -> Option<String> {
    Some(write_call(&state.look.call.as_ref()?.shown.call) + "\n")
}

fn model_text(state: &State) -> Option<String> {
    state.look.call.as_ref()?.shown.model_text.clone()
}

fn issues(state: &State) -> Option<String> {
    Some(copying::issues(state.look.call.as_ref()?.shown.issues()))
}

fn svg(state: &State) -> String {
    picture::svg(&picture::frame(state), state.theme.kind() != ThemeKind::Light)
}

fn text(state: &State) -> String {
    picture::text(&picture::frame(state)) + "\n"
}

impl State {
    /// Exports, if that is what the action is about.
    pub(super) fn perform_export(&mut self, action: ActionId) -> bool {
        let Some(export) = EXPORTS.iter().find(|export| export.action == action) else { return false };
        let made = match &export.make {
            Make::Call(make) => make(self).map(|text| (self.name_of_call(), Content::Text(text))),
            Make::Definition => self
                .definition_here()
                .map(|definition| (file_name([definition.name()]), Content::Text(copying::schema(definition)))),
            Make::Screen(make) => Some(("misfire-screen".to_owned(), Content::Text(make(self)))),
            Make::Shown(form) => self.every_call_shown(*form).map(|content| ("misfire-calls".to_owned(), content)),
        };
        let Some((stem, content)) = made else {
            self.say(Level::Info, &format!("{}: there is none here", action.action().title));
            return true;
        };
        if self.jobs.running().any(|(key, _)| key.kind == kind::EXPORTING) {
            self.say(Level::Info, "Something is being exported already; Ctrl-c stops it");
            return true;
        }
        let path = PathBuf::from(stem + export.ending);
        self.ask_where_to_export(ExportJob { path, overwrite: false, content });
        true
    }

    fn ask_where_to_export(&mut self, job: ExportJob) {
        self.open_prompt(Purpose::ExportAs, &job.path.to_string_lossy());
        self.exporting = Some(Box::new(job));
    }

    /// Writes what is to be exported into the file of this name.
    pub(super) fn export_as(&mut self, name: &str, effects: &mut Effects) {
        let Some(job) = self.exporting.take() else { return };
        self.export(ExportJob { path: PathBuf::from(name), ..*job }, effects);
    }

    fn export(&mut self, job: ExportJob, effects: &mut Effects) {
        effects.push(Effect::Spawn(self.jobs.ask(self.now, kind::EXPORTING, 0), Job::Export(job)));
    }

    /// Overwrites the file that is there, or asks for another name.
    pub(super) fn answer_overwriting(&mut self, yes: bool, effects: &mut Effects) {
        let Some(job) = self.exporting.take() else { return };
        if yes {
            self.export(ExportJob { overwrite: true, ..*job }, effects);
        } else {
            self.ask_where_to_export(*job);
        }
    }

    /// The name of a file about the call that is looked at: its tool and its id.
    fn name_of_call(&self) -> String {
        let Some(look) = &self.look.call else { return "call".to_owned() };
        let call = &look.shown.call;
        file_name([Some(call.tool.as_str()), call.id.as_deref()].into_iter().flatten())
    }

    fn every_call_shown(&self, form: Form) -> Option<Content> {
        let desk = self.desk.clone()?;
        let subject = |id| Subject { id, attempt: self.edit.attempts.get(id).map(|attempt| Shared(Arc::clone(&attempt.call))) };
        let calls: Vec<Subject> = self.data.calls.from(0).iter().map(|id| subject(*id)).collect();
        let gate = Shared(Arc::clone(&self.data.gate));
        (!calls.is_empty()).then_some(Content::Calls { desk, gate, calls, form })
    }

    /// Says what became of an export.
    pub(super) fn exported(&mut self, exported: Exported) {
        match exported {
            Exported::Taken(job) if self.overlay.is_none() => {
                self.exporting = Some(job);
                self.overlay = Some(Overlay::Confirm(Question::OverwriteExport));
            }
            Exported::Taken(job) => {
                // Something else is being asked: what is exported can be exported again.
                self.say(Level::Warning, &format!("Nothing was exported: {} is there already", job.path.display()));
            }
            Exported::Text { path, bytes } => self.say(Level::Info, &format!("Exported {bytes} bytes to {}", path.display())),
            Exported::Calls { path, calls, unread: 0 } => {
                self.say(Level::Info, &format!("Exported {calls} calls to {}", path.display()));
            }
            Exported::Calls { path, calls, unread } => {
                let text = format!("Exported {calls} calls to {}; {unread} could not be read any more", path.display());
                self.say(Level::Warning, &text);
            }
            Exported::Failed(why) => self.say(Level::Error, &format!("Nothing was exported, and nothing is lost: {why}")),
        }
    }
}

/// A file's name from such parts, as far as every system takes them.
fn file_name<'p>(parts: impl IntoIterator<Item = &'p str>) -> String {
    const LONGEST: usize = 80;
    let name = parts.into_iter().collect::<Vec<_>>().join("-");
    let safe = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let name: String = name.chars().take(LONGEST).map(safe).collect();
    // Neither hidden nor an option.
    let name = name.trim_start_matches(['.', '-']);
    if name.is_empty() { "call".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::keys::{ACTIONS, Group};

    #[test]
    fn every_action_of_the_menu_exports_something() {
        for action in ACTIONS.iter().filter(|action| action.group == Group::Export) {
            assert!(EXPORTS.iter().any(|export| export.action == action.id), "{}", action.name);
        }
    }
}
