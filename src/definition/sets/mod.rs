//! Named sets of definitions, which are part of the program: `@wave`, `@claude-code`. Wherever a path of definitions is
//! wanted, such a name can stand; a folder whose name begins so is written `./@NAME`.

use std::path::{Path, PathBuf};

/// A set of definitions by name.
#[derive(Debug)]
pub struct NamedSet {
    /// Its name, with the `@`.
    pub name: &'static str,
    /// What it holds, for people: `Claude Code calls` are judged by it.
    pub title: &'static str,
    /// The version of the agent whose definitions these are; empty where there is only one.
    version: &'static str,
    files: &'static [SetFile],
}

/// A file of a set, as if it lay in a folder of that name.
#[derive(Debug)]
pub(super) struct SetFile {
    /// `@wave/mcp/tickets.json`
    pub path: &'static str,
    pub text: &'static str,
}

macro_rules! wave {
    ($path:literal) => {
        SetFile { path: concat!("@wave/", $path), text: include_str!(concat!("../../../tools/", $path)) }
    };
}

const WAVE: &[SetFile] = &[
    wave!("Agent.json"),
    wave!("Artifact.json"),
    wave!("AskUserQuestion.json"),
    wave!("Bash.json"),
    wave!("CronCreate.json"),
    wave!("CronDelete.json"),
    wave!("CronList.json"),
    wave!("Edit.json"),
    wave!("EnterPlanMode.json"),
    wave!("EnterWorktree.json"),
    wave!("ExitPlanMode.json"),
    wave!("ExitWorktree.json"),
    wave!("Glob.json"),
    wave!("Grep.json"),
    wave!("LSP.json"),
    wave!("Read.json"),
    wave!("Skill.json"),
    wave!("TaskCreate.json"),
    wave!("TaskGet.json"),
    wave!("TaskList.json"),
    wave!("TaskStop.json"),
    wave!("TaskUpdate.json"),
    wave!("WebFetch.json"),
    wave!("Workflow.json"),
    wave!("Write.json"),
    wave!("custom/notify_channel.json"),
    wave!("custom/preview.json"),
    wave!("custom/run_sql.json"),
    wave!("mcp/tickets.json"),
];

const CLAUDE_CODE: &str = "@claude-code";

/// Every set; of several versions the newest first.
static SETS: [NamedSet; 3] = [
    NamedSet { name: "@wave", title: "wave", version: "", files: WAVE },
    NamedSet {
        name: "@claude-code-2.1.332",
        title: "Claude Code",
        version: "2.1.332",
        files: &[SetFile { path: "@claude-code-2.1.332", text: include_str!("claude-code-2.1.332.json") }],
    },
    NamedSet {
        name: "@claude-code-2.1.45",
        title: "Claude Code",
        version: "2.1.45",
        files: &[SetFile { path: "@claude-code-2.1.45", text: include_str!("claude-code-2.1.45.json") }],
    },
];

impl NamedSet {
    /// Every set; of several versions the newest first.
    #[must_use]
    pub fn all() -> &'static [Self] {
        &SETS
    }

    /// The set of that name; `@claude-code` is its newest version.
    #[must_use]
    pub fn get(name: &str) -> Option<&'static Self> {
        let wanted = if name == CLAUDE_CODE { SETS.iter().find(|set| !set.version.is_empty())?.name } else { name };
        SETS.iter().find(|set| set.name == wanted)
    }

    /// The name to ask for it by, whatever its version.
    #[must_use]
    pub fn short_name(&self) -> &'static str {
        if self.version.is_empty() { self.name } else { CLAUDE_CODE }
    }

    /// Whether a path is the name of a set rather than a place in the file system.
    #[must_use]
    pub fn is_name(path: &Path) -> bool {
        path.as_os_str().as_encoded_bytes().starts_with(b"@")
    }

    /// Whether the set has versions, one of which must be chosen.
    #[must_use]
    pub fn is_versioned(path: &Path) -> bool {
        path.as_os_str() == CLAUDE_CODE
    }

    /// The same paths with `@claude-code` as the version that was in use when the calls of this version were made: the newest
    /// that is not newer, else the oldest there is. Without a version it stays the newest.
    #[must_use]
    pub fn choose(paths: &[PathBuf], version: Option<&str>) -> Vec<PathBuf> {
        let wanted = version.and_then(parse);
        let choose = |wanted: &Vec<u64>| {
            let versions = || SETS.iter().filter(|set| !set.version.is_empty());
            versions().find(|set| parse(set.version).is_some_and(|v| v <= *wanted)).or_else(|| versions().next_back())
        };
        let chosen = wanted.as_ref().and_then(choose);
        let path = |path: &PathBuf| match chosen {
            Some(set) if Self::is_versioned(path) => PathBuf::from(set.name),
            _ => path.clone(),
        };
        paths.iter().map(path).collect()
    }

    /// The same paths with `@claude-code` as each of its versions, the newest first.
    pub(crate) fn editions(paths: &[PathBuf]) -> Vec<Vec<PathBuf>> {
        let versions = SETS.iter().filter(|set| !set.version.is_empty());
        versions.map(|set| Self::choose(paths, Some(set.version))).collect()
    }

    /// Its files: each path inside the set, and its text.
    pub fn texts(&self) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        self.files.iter().map(|file| (file.path.split_once('/').map_or(file.path, |(_, path)| path), file.text))
    }

    pub(super) fn files(&self) -> &'static [SetFile] {
        self.files
    }
}

/// `2.1.332` as numbers, which compare as versions do.
fn parse(version: &str) -> Option<Vec<u64>> {
    version.split('.').map(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::{Catalog, Origin};

    #[test]
    fn every_bundled_file_is_in_the_set() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools");
        let folder = Catalog::load(std::slice::from_ref(&root));
        let set = Catalog::load(&[PathBuf::from("@wave")]);
        assert_eq!(set.findings(), []);
        assert_eq!(folder.changed_names(&set), [""; 0], "add or remove the file in definition/sets/mod.rs");
        let paths = |catalog: &Catalog, root: &Path| -> Vec<PathBuf> {
            catalog.definitions().iter().map(|d| d.path().strip_prefix(root).unwrap().to_owned()).collect()
        };
        assert_eq!(paths(&folder, &root), paths(&set, Path::new("@wave")));
        assert_eq!(set.get("mcp__tickets__hold_seat").map(|d| d.origin()), Some(Origin::Mcp));
    }

    #[test]
    fn sets_by_name_and_version() {
        for set in NamedSet::all() {
            assert!(NamedSet::get(set.name).is_some() && NamedSet::get(set.short_name()).is_some());
            let catalog = Catalog::load(&[PathBuf::from(set.name)]);
            assert_eq!(catalog.findings(), [], "{}", set.name);
            assert!(catalog.definitions().iter().all(|d| d.description().is_some_and(|text| !text.is_empty())));
        }
        assert_eq!(NamedSet::get("@claude-code").unwrap().name, "@claude-code-2.1.332");
        assert!(NamedSet::get("@nobody").is_none() && NamedSet::get("wave").is_none());
        for (version, expected) in [
            (None, "@claude-code"),
            (Some("what"), "@claude-code"),
            (Some("1.0.3"), "@claude-code-2.1.45"),
            (Some("2.1.59"), "@claude-code-2.1.45"),
            (Some("2.1.332"), "@claude-code-2.1.332"),
            (Some("2.10.1"), "@claude-code-2.1.332"),
        ] {
            let paths = [PathBuf::from("tools"), PathBuf::from("@claude-code")];
            assert_eq!(NamedSet::choose(&paths, version), [PathBuf::from("tools"), PathBuf::from(expected)]);
        }
    }

    #[test]
    fn a_name_that_is_not_there_says_which_are() {
        let catalog = Catalog::load(&[PathBuf::from("@claude")]);
        let said = catalog.findings()[0].to_string();
        assert!(said.contains("@claude-code") && said.contains("@wave") && said.contains("./@claude"), "{said}");
    }
}
