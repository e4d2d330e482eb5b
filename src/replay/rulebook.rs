//! Which definitions judge the calls of which capture.
//!
//! Calls are judged by the definitions that were in force when they were made, as far as their capture tells: a set with
//! versions is taken in the version that wrote the capture, and what a capture carries itself (the `tools` of an API request,
//! the answer to an MCP `tools/list`) stands before everything else.

use super::stats::Maps;
use crate::capture::{CapturedTools, claude_code_version_of};
use crate::definition::{Catalog, Definition, NamedSet};
use crate::gate::{Gate, Profile};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Definitions and the gate over them.
#[derive(Clone, Debug)]
pub struct InForce {
    /// The definitions.
    pub catalog: Arc<Catalog>,
    /// The gate over them: cheap to hand to another thread.
    pub gate: Arc<Gate>,
    /// What is counted of the calls of each tool.
    pub maps: Arc<Maps>,
}

impl InForce {
    /// Counts are shown by the usual definitions; none where these are.
    fn new(catalog: Catalog, profile: Profile, usual: Option<&Arc<Catalog>>) -> Self {
        Self::of(Gate::with_profile(&catalog, profile), catalog, usual)
    }

    fn of(gate: Gate, catalog: Catalog, usual: Option<&Arc<Catalog>>) -> Self {
        let catalog = Arc::new(catalog);
        let shown = Arc::clone(usual.unwrap_or(&catalog));
        Self { gate: Arc::new(gate), maps: Arc::new(Maps::new(Arc::clone(&catalog), shown)), catalog }
    }

    /// The same for another catalog, with what is compiled already.
    fn renewed(&self, catalog: Catalog, usual: Option<&Arc<Catalog>>) -> Self {
        Self::of(self.gate.renewed(&catalog), catalog, usual)
    }
}

/// The definitions that were asked for, and how they are applied.
#[derive(Clone, Debug)]
pub struct Rulebook {
    /// As they were asked for.
    paths: Vec<PathBuf>,
    /// With each version that there is, the newest first; one where no set with versions is among them.
    editions: Vec<Edition>,
    carried: bool,
}

/// The definitions with one version of a set that has several.
#[derive(Clone, Debug)]
struct Edition {
    paths: Vec<PathBuf>,
    in_force: InForce,
}

impl Rulebook {
    /// Loads the definitions at these paths. `carried`: what a capture carries itself is used for its calls.
    #[must_use]
    pub fn load(paths: &[PathBuf], profile: Profile, carried: bool) -> Self {
        let mut editions = NamedSet::editions(paths);
        editions.dedup();
        let mut loaded: Vec<Edition> = Vec::new();
        for paths in editions {
            let usual = loaded.first().map(|usual| &usual.in_force.catalog);
            let in_force = InForce::new(Catalog::load(&paths), profile, usual);
            loaded.push(Edition { paths, in_force });
        }
        Self { paths: paths.to_vec(), editions: loaded, carried }
    }

    /// What judges calls of whose capture nothing is known.
    #[must_use]
    pub fn usual(&self) -> &InForce {
        &self.editions[0].in_force
    }

    /// From here on calls are judged by another profile; `gate` is over the usual definitions.
    pub fn take_profile(&mut self, gate: &Arc<Gate>) {
        for (number, Edition { in_force, .. }) in self.editions.iter_mut().enumerate() {
            let other = || Arc::new(Gate::with_profile(&in_force.catalog, gate.profile()));
            in_force.gate = if number == 0 { Arc::clone(gate) } else { other() };
        }
    }

    /// What judges the calls of this file, before any of it has been read.
    #[must_use]
    pub fn of(&self, file: &Path) -> FileRules {
        let edition = self.edition_of(file);
        FileRules { edition, carried: Vec::new(), in_force: self.editions[edition].in_force.clone() }
    }

    fn edition_of(&self, file: &Path) -> usize {
        if self.editions.len() == 1 {
            return 0;
        }
        let Some(version) = claude_code_version_of(file) else { return 0 };
        let chosen = NamedSet::choose(&self.paths, Some(&version));
        self.editions.iter().position(|edition| edition.paths == chosen).unwrap_or(0)
    }

    /// Reads the definitions again; a file that cannot be read any more keeps its last good ones. Returns the names by which
    /// calls are judged differently, or not at all, and whether anything else changed that is said of the definitions.
    pub fn reload(&mut self) -> (Vec<String>, bool) {
        let (mut changed, mut otherwise) = (Vec::new(), false);
        let mut usual: Option<Arc<Catalog>> = None;
        for Edition { paths, in_force } in &mut self.editions {
            let catalog = Catalog::load_keeping(paths, &in_force.catalog);
            let names = in_force.catalog.changed_names(&catalog);
            if !names.is_empty() || !same_places(&in_force.catalog, &catalog) {
                otherwise = true;
                changed.extend(names);
                *in_force = in_force.renewed(catalog, usual.as_ref());
            } else if let Some(usual) = &usual {
                in_force.maps = Arc::new(Maps::new(Arc::clone(&in_force.catalog), Arc::clone(usual)));
            }
            usual.get_or_insert_with(|| Arc::clone(&in_force.catalog));
        }
        changed.sort_unstable();
        changed.dedup();
        (changed, otherwise)
    }
}

/// What judges the calls of each file.
#[derive(Debug)]
pub(super) struct AllInForce {
    pub usual: InForce,
    /// Of files that have rules of their own.
    pub own: HashMap<u32, InForce>,
}

impl AllInForce {
    pub fn of(&self, file: u32) -> &InForce {
        self.own.get(&file).unwrap_or(&self.usual)
    }
}

/// What judges the calls of one file.
#[derive(Clone, Debug)]
pub struct FileRules {
    edition: usize,
    /// What the file carries, the newest first.
    carried: Vec<Arc<Definition>>,
    in_force: InForce,
}

impl FileRules {
    /// What is in force for the next call.
    #[must_use]
    pub fn in_force(&self) -> &InForce {
        &self.in_force
    }

    /// Whether it is anything else than for most files.
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.edition != 0 || !self.carried.is_empty()
    }

    /// The file carries these definitions: from here on they stand before all others, and of one name the last.
    ///
    /// # Errors
    /// What is wrong with them, in words; those that can be read are used.
    pub fn take(&mut self, rulebook: &Rulebook, tools: &CapturedTools) -> Result<(), String> {
        if !rulebook.carried {
            return Ok(());
        }
        let (new, errors) = Definition::read_carried(&tools.place.file, tools.json.as_bytes())?;
        if !new.is_empty() {
            let is_new = |old: &Arc<Definition>| new.iter().any(|new| new.name() == old.name());
            self.carried.retain(|old| !is_new(old));
            self.carried.splice(0..0, new.into_iter().map(Arc::new));
            self.renew(rulebook);
        }
        errors.into_iter().next().map_or(Ok(()), Err)
    }

    /// The definitions that were asked for have changed.
    pub fn renew(&mut self, rulebook: &Rulebook) {
        let base = &rulebook.editions[self.edition].in_force;
        self.in_force = if self.carried.is_empty() {
            base.clone()
        } else {
            base.renewed(base.catalog.preceded_by(&self.carried), Some(&rulebook.usual().catalog))
        };
    }
}

/// Whether two catalogs that judge alike also say the same of their files: findings, descriptions, places.
fn same_places(a: &Catalog, b: &Catalog) -> bool {
    let same = |(a, b): (&Arc<Definition>, &Arc<Definition>)| Arc::ptr_eq(a, b);
    a.findings() == b.findings()
        && a.definitions().len() == b.definitions().len()
        && a.definitions().iter().zip(b.definitions()).all(same)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::Place;
    use crate::gate::{Arguments, VerdictKind};

    fn tools(json: &str) -> CapturedTools {
        CapturedTools { place: Place::default(), json: json.to_owned() }
    }

    #[test]
    fn what_a_file_carries_stands_before_the_rest() {
        let folder = tempfile::tempdir().unwrap();
        let define = |name: &str, key: &str| {
            format!(
                r#"{{"name":"{name}","input_schema":{{"type":"object","properties":{{"{key}":{{}}}},"required":["{key}"]}}}}"#
            )
        };
        std::fs::write(folder.path().join("a.json"), define("a", "old")).unwrap();
        std::fs::write(folder.path().join("b.json"), define("b", "old")).unwrap();
        let paths = [folder.path().to_owned()];
        let mut rulebook = Rulebook::load(&paths, Profile::Wave, true);
        let judge = |rules: &FileRules, tool: &str, key: &str| {
            let arguments = Arguments::Json(crate::json::Value::parse(format!("{{\"{key}\":1}}").as_bytes()).unwrap());
            rules.in_force().gate.judge(tool, &arguments, None).kind
        };
        let mut rules = rulebook.of(Path::new("x.jsonl"));
        assert!(!rules.is_own() && judge(&rules, "a", "old") == VerdictKind::Accepted);
        rules.take(&rulebook, &tools(&format!("[{},{}]", define("a", "new"), define("c", "new")))).unwrap();
        assert!(rules.is_own());
        assert_eq!(judge(&rules, "a", "old"), VerdictKind::Rejected);
        for (tool, key) in [("a", "new"), ("b", "old"), ("c", "new")] {
            assert_eq!(judge(&rules, tool, key), VerdictKind::Accepted, "{tool}");
        }
        // The last of a name holds; what cannot be read does not touch the rest.
        assert!(rules.take(&rulebook, &tools(&format!("[{},{{\"name\":5}}]", define("a", "newest")))).is_err());
        assert_eq!(judge(&rules, "a", "newest"), VerdictKind::Accepted);
        assert!(rules.take(&rulebook, &tools("[")).is_err());
        assert_eq!(judge(&rules, "c", "new"), VerdictKind::Accepted);
        // Other definitions change: those of the file stay.
        std::fs::write(folder.path().join("b.json"), define("b", "other")).unwrap();
        assert_eq!(rulebook.reload(), (vec!["b".to_owned()], true));
        rules.renew(&rulebook);
        assert_eq!(judge(&rules, "b", "old"), VerdictKind::Rejected);
        assert_eq!(judge(&rules, "a", "newest"), VerdictKind::Accepted);
        // Unless it was said which definitions are to be used.
        let given = Rulebook::load(&paths, Profile::Wave, false);
        let mut rules = given.of(Path::new("x.jsonl"));
        rules.take(&given, &tools(&define("a", "new"))).unwrap();
        assert!(!rules.is_own());
    }

    #[test]
    fn a_set_is_taken_in_the_version_that_wrote_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let rulebook = Rulebook::load(&[PathBuf::from("@claude-code")], Profile::Wave, true);
        let knows = |version: &str, tool: &str| {
            let path = folder.path().join("s.jsonl");
            std::fs::write(&path, format!("{{\"sessionId\":\"s\",\"version\":\"{version}\"}}\n")).unwrap();
            rulebook.of(&path).in_force().catalog.get(tool).is_some()
        };
        assert!(knows("2.1.59", "Task") && !knows("2.1.59", "Agent"));
        assert!(knows("2.1.400", "Agent") && !knows("2.1.400", "Task"));
        assert!(rulebook.usual().catalog.get("Agent").is_some());
    }
}
