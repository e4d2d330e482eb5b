//! The first definition and the first call, for a project that has none yet.

use super::{Desk, Loading, State};
use crate::json::Value;
use crate::tui::edit::shell::quote;
use std::path::{Path, PathBuf};

/// The name of the definition where there is none.
const TOOL: &str = "read_file";
const DEFINITION: &str =
    r#"{"name": "read_file", "parameters": {"properties": {"path": {"type": "string"}}, "required": ["path"]}}"#;

/// What can be written to have something to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// A definition and its file; none where there are definitions already.
    pub definition: Option<(PathBuf, &'static str)>,
    /// A call, as a line, and its file.
    pub call: (PathBuf, String),
}

impl Example {
    /// Commands of a POSIX shell that write it, without taking anything away that is there.
    #[must_use]
    pub fn commands(&self) -> String {
        let mut commands = String::new();
        if let Some((file, text)) = &self.definition {
            commands.push_str(&append(file, text));
        }
        commands + &append(&self.call.0, &self.call.1)
    }
}

fn append(file: &Path, line: &str) -> String {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let make = folder.map(|folder| format!("mkdir -p {} && ", quote(&folder.to_string_lossy()))).unwrap_or_default();
    format!("{make}printf '%s\\n' {} >> {}\n", quote(line), quote(&file.to_string_lossy()))
}

/// The file in this place: the place itself, if it is named as one.
fn file_in(place: &Path, name: &str) -> PathBuf {
    let is_file = place.extension().is_some_and(|ending| ["json", "jsonl", "ndjson"].iter().any(|ours| ending == *ours));
    if is_file { place.to_owned() } else { place.join(name) }
}

impl State {
    /// What would be the first call, and the first definition where there is none either; nothing where there are calls, or
    /// may be.
    #[must_use]
    pub fn example(&self) -> Option<Example> {
        let read = self.desk.is_none() || self.loading == Loading::Done;
        if !read || !self.data.calls.all().is_empty() {
            return None;
        }
        let desk = self.desk.as_ref();
        let first = |paths: Option<&[PathBuf]>, usual: &str| {
            paths.and_then(|paths| paths.first().cloned()).unwrap_or_else(|| PathBuf::from(usual))
        };
        let tools = first(desk.map(Desk::tools), "tools");
        let sessions = first(desk.map(Desk::sessions), "sessions");
        let known = self.data.catalog.definitions().first();
        let call = match known {
            Some(definition) => {
                let arguments = Value::Object(crate::json::Object::default());
                Value::from([("tool", Value::from(definition.name())), ("arguments", arguments)]).to_json()
            }
            None => format!(r#"{{"tool": "{TOOL}", "arguments": {{"file": "a.md"}}}}"#),
        };
        let definition = known.is_none().then(|| (file_in(&tools, "read_file.json"), DEFINITION));
        Some(Example { definition, call: (file_in(&sessions, "calls.jsonl"), call) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::{Catalog, Definition};
    use crate::gate::{Gate, VerdictKind};
    use crate::tui::keys::Keymap;
    use crate::tui::theme::{Theme, ThemeKind};
    use std::sync::Arc;

    fn state() -> State {
        State::new(Theme::new(ThemeKind::Mono, true), Keymap::default())
    }

    #[cfg(unix)]
    #[test]
    fn the_commands_write_a_definition_and_a_call_that_it_refuses() {
        let folder = tempfile::tempdir().unwrap();
        let commands = state().example().unwrap().commands();
        let run = |commands: &str| {
            let status = std::process::Command::new("sh").args(["-ec", commands]).current_dir(folder.path()).status();
            assert!(status.unwrap().success(), "{commands}");
        };
        run(&commands);
        let catalog = Catalog::load(&[folder.path().join("tools")]);
        let line = std::fs::read_to_string(folder.path().join("sessions/calls.jsonl")).unwrap();
        let call = Value::parse(line.as_bytes()).unwrap();
        let tool = call.get("tool").and_then(Value::as_string).unwrap().to_well_formed().into_owned();
        let arguments = crate::gate::Arguments::Json(call.get("arguments").unwrap().clone());
        let verdict = Gate::new(&catalog).judge(&tool, &arguments, None);
        assert_eq!((verdict.kind, verdict.issues.len()), (VerdictKind::Rejected, 2));
    }

    #[test]
    fn where_there_are_definitions_a_call_of_the_first_is_enough() {
        let mut state = state();
        let json = r#"{"name":"it's","parameters":{}}"#;
        state.data.catalog = Arc::new(Catalog::from_definitions(Definition::parse(json.as_bytes()).unwrap()));
        state.desk = Some(Desk::new(vec!["tools".into()], vec!["a b/log.jsonl".into()], crate::gate::Profile::Wave));
        assert_eq!(state.example(), None, "calls may be there: they have not been read");
        state.loading = Loading::Done;
        assert_eq!(
            state.example().unwrap().commands(),
            "mkdir -p 'a b' && printf '%s\\n' '{\"tool\":\"it'\\''s\",\"arguments\":{}}' >> 'a b/log.jsonl'\n"
        );
    }
}
