//! What is kept between runs: drafts, what was selected, how the screen was. One small file for each project, in the folder
//! that the system has for a user's state; never in the project.

use super::draft::Origin;
use super::drafts::Waiting;
use super::kept::Kept;
use super::kept_view::KeptView;
use crate::json::{Value, to_well_formed};
use crate::tui::state::KeptLines;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The version of the file that this program writes.
const VERSION: u32 = 1;
/// No more is read.
const LARGEST: u64 = 64 << 20;

/// What is kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    /// The file and line of the selected call.
    pub selected: Option<(PathBuf, u32)>,
    /// The pane had the screen to itself.
    pub zoom: bool,
    /// Long lines were cut.
    pub cut_lines: bool,
    /// Texts that were written and not replayed.
    pub drafts: Vec<Waiting>,
    /// Attempts that are in no file.
    pub attempts: Vec<Kept>,
    /// How the calls were looked at.
    pub view: KeptView,
    /// Filters, searches and revisions that were written.
    pub recall: Vec<KeptLines>,
}

/// Why a file is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ignored {
    /// A newer program wrote it: it is not written either.
    Newer,
    /// It is not what this program writes.
    Broken,
}

/// The file for a project: its folder, and what is looked at in it.
#[must_use]
pub fn path(state_home: Option<&str>, home: Option<&str>, project: &Path, sources: &[PathBuf]) -> Option<PathBuf> {
    let absolute = |text: &str| Some(PathBuf::from(text)).filter(|path| path.is_absolute());
    let folder = state_home.and_then(absolute).or_else(|| Some(home.and_then(absolute)?.join(".local/state")))?;
    let mut hash = fnv(0xcbf2_9ce4_8422_2325, project.as_os_str().as_encoded_bytes());
    for source in sources {
        hash = fnv(fnv(hash, b"\0"), source.as_os_str().as_encoded_bytes());
    }
    Some(folder.join("misfire").join(format!("{hash:016x}.json")))
}

/// FNV-1a: a name for a file that is the same in every run and version.
fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Reads a file; nothing where there is none.
///
/// # Errors
/// Why it is not used.
pub fn read(path: &Path) -> Result<Option<Memory>, Ignored> {
    let Ok(file) = std::fs::File::open(path) else { return Ok(None) };
    let mut text = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut text).map_err(|_| Ignored::Broken)?;
    if text.len() as u64 > LARGEST {
        return Err(Ignored::Broken);
    }
    parse(&text).map(Some)
}

/// Writes a file in one step: whoever reads it has the old one or the new one, whole.
///
/// # Errors
/// If it cannot be written.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    /// A job may be writing when the program ends, which writes too.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = path.parent().unwrap_or(Path::new(""));
    let at = |path: &Path, error: &io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    std::fs::create_dir_all(folder).map_err(|error| at(folder, &error))?;
    let temporary = path.with_extension(format!("{}.tmp", std::process::id()));
    let written = private_file(&temporary).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_data()
    });
    let written = written.and_then(|()| std::fs::rename(&temporary, path));
    written.map_err(|error| {
        let _ = std::fs::remove_file(&temporary);
        at(path, &error)
    })
}

/// What a model wrote may be nobody else's business.
fn private_file(path: &Path) -> io::Result<std::fs::File> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

impl Memory {
    /// Whether there is anything worth a file.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The text of the file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let place =
            |file: &Path, line: u32| [("file", Value::from(file.to_string_lossy().as_ref())), ("line", Value::from(line))];
        let selected = self.selected.as_ref().map(|(file, line)| Value::from(place(file, *line)));
        let draft = |draft: &Waiting| {
            let [file, line] = place(&draft.origin.file, draft.origin.line);
            Value::from([
                file,
                line,
                ("id", draft.origin.id.as_deref().into()),
                ("tool", Value::from(draft.origin.tool.as_str())),
                ("text", Value::from(draft.text.as_str())),
                ("cursor", Value::from(u32::try_from(draft.cursor).unwrap_or(u32::MAX))),
            ])
        };
        let text = |text: &String| Value::from(text.as_str());
        let lines = |kept: &KeptLines| {
            let lines: Vec<Value> = kept.lines.iter().map(text).collect();
            Value::from([("of", text(&kept.label)), ("lines", Value::from(lines))])
        };
        let drafts: Vec<Value> = self.drafts.iter().map(draft).collect();
        let value = Value::from([
            ("version", Value::from(VERSION)),
            ("selected", selected.unwrap_or(Value::Null)),
            ("zoom", Value::from(self.zoom)),
            ("cut_lines", Value::from(self.cut_lines)),
            ("drafts", Value::from(drafts)),
            ("view", self.view.to_value()),
            ("recall", Value::from(self.recall.iter().map(lines).collect::<Vec<_>>())),
            ("attempts", Value::from(self.attempts.iter().map(Kept::to_value).collect::<Vec<_>>())),
        ]);
        value.to_json_pretty(1) + "\n"
    }
}

fn parse(text: &[u8]) -> Result<Memory, Ignored> {
    let value = Value::parse(text).map_err(|_| Ignored::Broken)?;
    match number(value.get("version")) {
        Some(VERSION) => {}
        Some(version) if version > VERSION => return Err(Ignored::Newer),
        _ => return Err(Ignored::Broken),
    }
    let place = |value: &Value| Some((PathBuf::from(string(value.get("file"))?), number(value.get("line"))?));
    let draft = |value: &Value| {
        let (file, line) = place(value)?;
        let origin = Origin { file: Arc::from(file), line, id: string(value.get("id")), tool: string(value.get("tool"))? };
        let cursor = number(value.get("cursor")).and_then(|cursor| usize::try_from(cursor).ok()).unwrap_or(0);
        Some(Waiting { origin, text: string(value.get("text"))?, cursor })
    };
    let list = |key: &str| value.get(key).and_then(Value::as_array).unwrap_or_default();
    let lines = |value: &Value| {
        let lines = value.get("lines").and_then(Value::as_array)?;
        Some(KeptLines { label: string(value.get("of"))?, lines: lines.iter().filter_map(|line| string(Some(line))).collect() })
    };
    Ok(Memory {
        selected: value.get("selected").and_then(place),
        zoom: value.get("zoom").is_some_and(Value::is_true),
        view: KeptView::from_value(value.get("view"), number),
        recall: list("recall").iter().filter_map(lines).collect(),
        cut_lines: value.get("cut_lines").is_some_and(Value::is_true),
        drafts: list("drafts").iter().filter_map(draft).collect(),
        attempts: list("attempts").iter().filter_map(|kept| Kept::from_value(kept, place)).collect(),
    })
}

fn string(value: Option<&Value>) -> Option<String> {
    Some(to_well_formed(value?.as_string()?.as_bytes()).into_owned())
}

fn number(value: Option<&Value>) -> Option<u32> {
    match value? {
        Value::Number(number) if number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(number) => {
            // Whole and in range, so the text is that of an integer.
            format!("{number}").parse().ok()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::Call;
    use crate::gate::Arguments;
    use crate::tui::state::{KeptNote, Spot};
    use proptest::prelude::*;

    #[test]
    fn the_file_is_the_users_and_the_projects() {
        let of = |state: Option<&str>, home: Option<&str>, project: &str| {
            path(state, home, Path::new(project), &[PathBuf::from("tools")]).map(|path| path.to_string_lossy().into_owned())
        };
        assert!(of(Some("/s"), Some("/h"), "/p").unwrap().starts_with("/s/misfire/"));
        assert!(of(Some("relative"), Some("/h"), "/p").unwrap().starts_with("/h/.local/state/misfire/"));
        assert_ne!(of(Some("/s"), None, "/p"), of(Some("/s"), None, "/q"));
        assert_eq!(of(None, None, "/p"), None);
    }

    #[test]
    fn what_is_newer_or_broken_is_ignored_and_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/er/file.json");
        assert_eq!(read(&path), Ok(None));
        for (text, why) in [
            ("{\"version\":2}", Ignored::Newer),
            ("{\"version\":\"1\"}", Ignored::Broken),
            ("{", Ignored::Broken),
            ("", Ignored::Broken),
        ] {
            write(&path, text).unwrap();
            assert_eq!(read(&path), Err(why), "{text}");
        }
        let memory = Memory { zoom: true, ..Memory::default() };
        write(&path, &memory.to_text()).unwrap();
        assert_eq!(read(&path), Ok(Some(memory)));
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing else is left");
    }

    #[test]
    fn a_place_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("file"), "").unwrap();
        let error = write(&folder.path().join("file/below.json"), "").unwrap_err();
        assert!(error.to_string().contains("file"), "{error}");
    }

    proptest! {
        #[test]
        fn what_is_kept_comes_back(text in any::<String>(), id in proptest::option::of(any::<String>()), line: u32, zoom: bool) {
            let origin = Origin { file: Arc::from(Path::new("a/b.jsonl")), line, id: id.clone(), tool: text.clone() };
            let memory = Memory {
                selected: Some((PathBuf::from("a"), line)),
                zoom,
                cut_lines: !zoom,
                recall: vec![KeptLines { label: "filter:".into(), lines: vec![text.clone(), "is:bad".into()] }],
                view: KeptView {
                    filter: text.clone(),
                    filter_off: zoom,
                    only_marked: zoom,
                    sort: "tool desc".into(),
                    tab: text.clone(),
                    tool: id.clone(),
                    nth: line,
                    notes: vec![KeptNote {
                        spot: Spot { file: Arc::from(Path::new("a")), line, nth: 1 },
                        tool: text.clone(),
                        marked: zoom,
                        comment: text.clone(),
                    }],
                },
                attempts: vec![Kept {
                    call: Call { id: Some(text.clone()), note: Some("n".into()), ..Call::new(text.clone(), Arguments::text(&text)) },
                    parent: (line > 7).then(|| (PathBuf::from("a/b.jsonl"), line)),
                }],
                drafts: vec![Waiting { origin, cursor: text.len(), text }],
            };
            prop_assert_eq!(parse(memory.to_text().as_bytes()), Ok(memory));
        }

        #[test]
        fn no_text_panics(text in any::<Vec<u8>>()) {
            let _ = parse(&text);
        }
    }
}
