//! Catalogs: the definitions in files and folders, each with its origin and place, and what could not be read.

use super::read::{self, ReadError};
use super::{Definition, NamedSet, Origin};
use crate::json::Position;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The largest definition file that is read. Real ones are under 200 KB.
pub(super) const MAX_BYTES: u64 = 64 << 20;

/// Why the definitions of a submodule are left out where definitions are compared with a revision.
pub(super) const SUBMODULE: &str = "a submodule: its definitions have a history of their own; review them inside it";

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// A path, a file or a definition in it could not be read.
    Unreadable,
    /// Two definitions have one name; the first in path order holds.
    Duplicate,
    /// There is nothing there to read.
    Empty,
    /// Something is left out on purpose; nothing is wrong with it.
    Skipped,
}

/// Something about the definitions that a person should know. Everything else keeps working.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is about.
    pub kind: FindingKind,
    /// The file or folder.
    pub path: PathBuf,
    /// Where in the file, if it could be read that far.
    pub position: Option<Position>,
    /// What is wrong and what to do.
    pub reason: String,
    /// The last good definitions of the file stay in force meanwhile.
    pub kept: bool,
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some(position) = self.position {
            write!(f, ":{}:{}", position.line, position.column)?;
        }
        write!(f, ": {}", self.reason)?;
        if self.kept {
            write!(f, " (its last good definitions stay in force)")?;
        }
        Ok(())
    }
}

/// A set of definitions, by name.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    definitions: Vec<Arc<Definition>>,
    names: HashMap<String, Arc<Definition>>,
    duplicates: Vec<Arc<Definition>>,
    findings: Vec<Finding>,
}

impl Catalog {
    /// A catalog of definitions that are at hand, in this order; of two with one name the first holds.
    #[must_use]
    pub fn from_definitions(definitions: impl IntoIterator<Item = Definition>) -> Self {
        let mut catalog = Self::default();
        definitions.into_iter().for_each(|definition| catalog.add(Arc::new(definition)));
        catalog
    }

    /// Reads every `*.json` below the folders, and the files, that are given, in path order.
    ///
    /// Below a folder `mcp` the tools are an MCP server's (the file or folder below it names the server), below `custom` an
    /// SDK user's; the folder that is given counts. A path that begins with `@` names a set that is part of the program
    /// ([`NamedSet`]). Nothing fails as a whole: what could not be read is in [`Catalog::findings`].
    #[must_use]
    pub fn load(paths: &[PathBuf]) -> Self {
        Self::load_keeping(paths, &Self::default())
    }

    /// The same, without what belongs to another git repository below the folders, such as a submodule: that has a history of
    /// its own. What is left out is told.
    #[must_use]
    pub fn load_own(paths: &[PathBuf]) -> Self {
        Self::load_with(paths, &Self::default(), true)
    }

    /// Reads again. Where a file cannot be read any more but is still there, the definitions that `previous` has of it stay
    /// in force; definitions of a file whose text is unchanged are the same objects as in `previous`.
    #[must_use]
    pub fn load_keeping(paths: &[PathBuf], previous: &Self) -> Self {
        Self::load_with(paths, previous, false)
    }

    fn load_with(paths: &[PathBuf], previous: &Self, only_own: bool) -> Self {
        let mut catalog = Self::default();
        for path in paths {
            if NamedSet::is_name(path) {
                catalog.take_set(path, previous);
                continue;
            }
            let before = catalog.definitions.len() + catalog.findings.len();
            let mut files = Vec::new();
            catalog.list(path, only_own, &mut files);
            for file in &files {
                catalog.read(path, file, previous);
            }
            if catalog.definitions.len() + catalog.findings.len() == before {
                let reason = "no definitions here; put one tool a file (NAME.json), or name another folder with --tools";
                catalog.find(FindingKind::Empty, path, None, reason.to_owned());
            }
        }
        catalog
    }

    /// The same without the definitions that are not wanted.
    #[must_use]
    pub fn filtered(&self, keep: impl Fn(&Definition) -> bool) -> Self {
        let mut catalog = Self::default();
        self.definitions.iter().filter(|definition| keep(definition)).for_each(|definition| catalog.add(Arc::clone(definition)));
        catalog
    }

    /// The same with these definitions before all others: of one name they hold.
    #[must_use]
    pub fn preceded_by(&self, first: &[Arc<Definition>]) -> Self {
        let mut catalog = Self::default();
        for definition in first {
            catalog.add(Arc::clone(definition));
        }
        let taken: HashSet<String> = catalog.names.keys().cloned().collect();
        let rest = self.definitions.iter().filter(|definition| !taken.contains(definition.name()));
        rest.for_each(|definition| catalog.add(Arc::clone(definition)));
        catalog.findings.clone_from(&self.findings);
        catalog
    }

    /// Lists the `*.json` files below a path, sorted; a file that is given is listed whatever its name.
    fn list(&mut self, root: &Path, only_own: bool, files: &mut Vec<PathBuf>) {
        let meta = match std::fs::metadata(root) {
            Ok(meta) => meta,
            Err(error) => {
                let reason = format!("{}; create the folder, or name another with --tools", describe(&error));
                self.find(FindingKind::Unreadable, root, None, reason);
                return;
            }
        };
        if meta.is_file() {
            files.push(root.to_owned());
            return;
        }
        if !meta.is_dir() {
            self.find(FindingKind::Unreadable, root, None, "neither a file nor a folder".to_owned());
            return;
        }
        // Folders already seen, so that a link to a folder above does not lead round and round.
        let mut seen = HashSet::new();
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            if !std::fs::canonicalize(&folder).is_ok_and(|real| seen.insert(real)) {
                continue;
            }
            let entries = match std::fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) => {
                    self.find(FindingKind::Unreadable, &folder, None, describe(&error));
                    continue;
                }
            };
            for path in entries.flatten().map(|entry| entry.path()) {
                match std::fs::metadata(&path) {
                    Ok(meta) if meta.is_dir() && only_own && path.join(".git").exists() => {
                        self.find(FindingKind::Skipped, &path, None, SUBMODULE.to_owned());
                    }
                    Ok(meta) if meta.is_dir() => folders.push(path),
                    Ok(meta) if meta.is_file() && is_json(&path) => files.push(path),
                    Err(error) if is_json(&path) => self.find(FindingKind::Unreadable, &path, None, describe(&error)),
                    _ => {}
                }
            }
        }
        files.sort();
    }

    fn take_set(&mut self, path: &Path, previous: &Self) {
        let name = path.to_string_lossy();
        let Some(set) = NamedSet::get(&name) else {
            let names = NamedSet::all().iter().map(NamedSet::short_name);
            let names: std::collections::BTreeSet<_> = names.collect();
            let names = names.into_iter().collect::<Vec<_>>().join(" and ");
            let reason = format!("no set of definitions of that name; there are {names}; write ./{name} if it is a folder");
            self.find(FindingKind::Unreadable, path, None, reason);
            return;
        };
        for file in set.files() {
            self.take(path, Path::new(file.path), Ok(file.text.into()), previous);
        }
    }

    fn read(&mut self, root: &Path, file: &Path, previous: &Self) {
        self.take(root, file, read_file(file), previous);
    }

    fn take(&mut self, root: &Path, file: &Path, text: Result<Vec<u8>, String>, previous: &Self) {
        let known: Vec<_> = previous.definitions.iter().filter(|d| d.path() == file).cloned().collect();
        let text = match text {
            Ok(text) => text,
            Err(reason) => {
                self.find(FindingKind::Unreadable, file, None, reason);
                self.keep(known);
                return;
            }
        };
        if known.first().is_some_and(|d| d.document().text() == text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&text))
            && !previous.findings.iter().any(|f| f.path == file)
        {
            for definition in known {
                self.add(definition);
            }
            return;
        }
        self.define(root, file, text, known);
    }

    /// Takes the definitions in a text that was read from elsewhere than the file system; `root` is the path that was given.
    pub(super) fn read_text(&mut self, root: &Path, file: &Path, text: Vec<u8>) {
        self.define(root, file, text, Vec::new());
    }

    fn define(&mut self, root: &Path, file: &Path, text: Vec<u8>, known: Vec<Arc<Definition>>) {
        let (origin, server) = origin_of(root, file);
        match read::read_all(file, text, origin, server.as_deref()) {
            Ok((definitions, errors)) => {
                for definition in definitions {
                    self.add(Arc::new(definition));
                }
                for ReadError { position, reason } in errors {
                    self.find(FindingKind::Unreadable, file, Some(position), reason);
                }
            }
            Err(ReadError { position, reason }) => {
                self.find(FindingKind::Unreadable, file, Some(position), reason);
                self.keep(known);
            }
        }
    }

    /// Keeps the last good definitions of the file that the newest finding is about.
    fn keep(&mut self, known: Vec<Arc<Definition>>) {
        if let (Some(finding), false) = (self.findings.last_mut(), known.is_empty()) {
            finding.kept = true;
        }
        for definition in known {
            self.add(definition);
        }
    }

    fn add(&mut self, definition: Arc<Definition>) {
        let mut names = vec![definition.name().to_owned()];
        names.extend(definition.qualified_name());
        let mut new = false;
        for name in names {
            if let Some(first) = self.names.get(&name) {
                let reason = format!(
                    "`{name}` is already defined at {}:{}; the first in path order holds, so rename or remove one",
                    first.path().display(),
                    first.position().line
                );
                // One finding for a definition, whichever of its names is taken.
                if !self.findings.iter().any(|f| f.path == definition.path() && f.position == Some(definition.position())) {
                    self.find(FindingKind::Duplicate, definition.path(), Some(definition.position()), reason);
                }
            } else {
                self.names.insert(name, Arc::clone(&definition));
                new = true;
            }
        }
        let list = if new { &mut self.definitions } else { &mut self.duplicates };
        list.push(definition);
    }

    pub(super) fn find(&mut self, kind: FindingKind, path: &Path, position: Option<Position>, reason: String) {
        self.findings.push(Finding { kind, path: path.to_owned(), position, reason, kept: false });
    }

    /// The definition that a call of this name is judged by.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<Definition>> {
        self.names.get(name)
    }

    /// The definitions in the order in which they were read, each once.
    #[must_use]
    pub fn definitions(&self) -> &[Arc<Definition>] {
        &self.definitions
    }

    /// The definitions that no call is judged by, because all their names were taken by others.
    #[must_use]
    pub fn duplicates(&self) -> &[Arc<Definition>] {
        &self.duplicates
    }

    /// Every name with its definition, in no order; a tool of an MCP server has two names.
    pub fn names(&self) -> impl Iterator<Item = (&str, &Arc<Definition>)> {
        self.names.iter().map(|(name, definition)| (name.as_str(), definition))
    }

    /// What could not be read, and names that are defined twice.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The names by which calls are judged differently, or not at all, in the other catalog; sorted.
    #[must_use]
    pub fn changed_names(&self, other: &Self) -> Vec<String> {
        let same = |a: &Arc<Definition>, b: &Arc<Definition>| Arc::ptr_eq(a, b) || a.judges_like(b);
        let mut names: Vec<String> = self
            .names()
            .filter(|(name, definition)| !other.get(name).is_some_and(|o| same(definition, o)))
            .map(|(name, _)| name.to_owned())
            .chain(other.names().filter(|(name, _)| self.get(name).is_none()).map(|(name, _)| name.to_owned()))
            .collect();
        names.sort();
        names
    }
}

pub(super) fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"))
}

fn read_file(path: &Path) -> Result<Vec<u8>, String> {
    use std::io::Read as _;
    let file = std::fs::File::open(path).map_err(|e| describe(&e))?;
    let mut text = Vec::new();
    // One byte more than allowed tells that there is more, whatever the metadata said.
    file.take(MAX_BYTES + 1).read_to_end(&mut text).map_err(|e| describe(&e))?;
    if text.len() as u64 > MAX_BYTES {
        return Err(format!("larger than {} MiB, which no definition file is", MAX_BYTES >> 20));
    }
    Ok(text)
}

/// An error of the system in words that name the cause and nothing else.
fn describe(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "does not exist".to_owned(),
        std::io::ErrorKind::PermissionDenied => "may not be read (permission denied)".to_owned(),
        _ => format!("could not be read: {error}"),
    }
}

/// Origin and MCP server by the place of a file below the folder that was given (which counts; of a file that was given
/// itself, the two folders above it count).
fn origin_of(root: &Path, file: &Path) -> (Origin, Option<String>) {
    let below = file.strip_prefix(root).unwrap_or(file);
    let mut parts: Vec<String> = Vec::new();
    if below.as_os_str().is_empty() {
        let above = file.ancestors().skip(1).take(2).filter_map(Path::file_name);
        parts.extend(above.map(|p| p.to_string_lossy().into_owned()));
        parts.reverse();
        parts.extend(file.file_name().map(|p| p.to_string_lossy().into_owned()));
    } else {
        parts.extend(root.file_name().map(|p| p.to_string_lossy().into_owned()));
        parts.extend(below.components().map(|c| c.as_os_str().to_string_lossy().into_owned()));
    }
    let folders = parts.len().saturating_sub(1);
    let Some(at) = parts[..folders].iter().position(|p| p == "mcp" || p == "custom") else {
        return (Origin::Builtin, None);
    };
    if parts[at] == "custom" {
        return (Origin::Custom, None);
    }
    let server = parts.get(at + 1).map(|part| {
        let stem = Path::new(part).file_stem().map(|s| s.to_string_lossy().into_owned());
        if at + 1 == folders { stem.unwrap_or_default() } else { part.clone() }
    });
    (Origin::Mcp, server)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origin_follows_the_folders() {
        for (root, file, origin, server) in [
            ("tools", "tools/Read.json", Origin::Builtin, None),
            ("tools", "tools/mcp/tickets.json", Origin::Mcp, Some("tickets")),
            ("tools", "tools/mcp/git.hub/a.json", Origin::Mcp, Some("git.hub")),
            ("tools", "tools/custom/x/y.json", Origin::Custom, None),
            ("tools/mcp", "tools/mcp/tickets.json", Origin::Mcp, Some("tickets")),
            ("tools/mcp/tickets.json", "tools/mcp/tickets.json", Origin::Mcp, Some("tickets")),
            ("tools/mcp/srv/a.json", "tools/mcp/srv/a.json", Origin::Mcp, Some("srv")),
            ("tools/custom", "tools/custom/y.json", Origin::Custom, None),
            ("tools", "tools/mcp.json", Origin::Builtin, None),
            // A folder far above the one that was given says nothing.
            ("/srv/custom/app/tools", "/srv/custom/app/tools/Read.json", Origin::Builtin, None),
        ] {
            let want = (origin, server.map(str::to_owned));
            assert_eq!(origin_of(Path::new(root), Path::new(file)), want, "{root} {file}");
        }
    }
}
