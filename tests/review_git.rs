//! Definitions at a git revision: every state that a repository can be in gives a clear result, and nothing is fetched.
#![cfg(feature = "jsonschema")]

use misfire::definition::git::{GitError, Repository};
use misfire::definition::{Catalog, FindingKind};
use misfire::review::Sides;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

struct Repo {
    folder: TempDir,
}

impl Repo {
    fn new() -> Self {
        let repo = Self { folder: tempfile::tempdir().unwrap() };
        repo.git(&["init", "--quiet", "--initial-branch=main"]);
        repo
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn git(&self, arguments: &[&str]) -> String {
        git(self.path(), arguments)
    }

    fn write(&self, path: &str, text: &str) -> &Self {
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    fn tool(&self, path: &str, name: &str) -> &Self {
        self.write(path, &format!("{{\"name\": \"{name}\", \"parameters\": {{\"type\": \"object\"}}}}"))
    }

    fn commit(&self) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", "c"]);
        self.git(&["rev-parse", "HEAD"])
    }

    fn open(&self) -> Repository {
        Repository::discover(self.path()).unwrap()
    }

    fn names(&self, revision: &str, paths: &[&str]) -> Vec<String> {
        let repository = self.open();
        let revision = repository.revision(revision).unwrap();
        let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
        names(&repository.catalog(&revision, &paths).unwrap())
    }
}

fn names(catalog: &Catalog) -> Vec<String> {
    catalog.definitions().iter().map(|d| format!("{} {}", d.name(), d.path().display())).collect()
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .current_dir(folder)
        .args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "protocol.file.allow=always"])
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .expect("git");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

#[test]
fn files_and_folders_as_they_were() {
    let repo = Repo::new();
    repo.tool("tools/a.json", "a").tool("tools/sub/b.json", "b").write("tools/README.md", "no tool").tool("other/c.json", "c");
    repo.tool("tools/mcp/srv/m.json", "m").tool("tools/ü ü.json", "u");
    let first = repo.commit();
    repo.tool("tools/a.json", "a2").git(&["rm", "--quiet", "tools/sub/b.json"]);
    repo.commit();
    assert_eq!(
        repo.names(&first, &["tools"]),
        ["a tools/a.json", "m tools/mcp/srv/m.json", "b tools/sub/b.json", "u tools/ü ü.json"]
    );
    assert_eq!(repo.names("HEAD~1", &["tools/a.json", "other"]), ["a tools/a.json", "c other/c.json"]);
    assert_eq!(repo.names("HEAD", &["tools/a.json"]), ["a2 tools/a.json"]);
    assert_eq!(repo.names("HEAD", &["."]).len(), 4);
    // A folder that was not there yet holds nothing, which is no error.
    assert_eq!(repo.names("HEAD", &["added/later"]), [""; 0]);
    // Origin follows the place, as for files.
    let repository = repo.open();
    let catalog = repository.catalog(&repository.revision("HEAD").unwrap(), &[PathBuf::from("tools")]).unwrap();
    assert!(catalog.get("mcp__srv__m").is_some());
    // From a folder below the top, paths start there.
    let below = Repository::discover(&repo.path().join("tools")).unwrap();
    let catalog = below.catalog(&below.revision(&first).unwrap(), &[PathBuf::from("../other"), PathBuf::from("sub")]).unwrap();
    assert_eq!(names(&catalog), ["c ../other/c.json", "b sub/b.json"]);
}

#[test]
fn the_base_is_the_merge_base_with_the_default_branch() {
    let repo = Repo::new();
    let base = repo.tool("tools/a.json", "a").commit();
    repo.git(&["checkout", "--quiet", "-b", "work"]);
    repo.tool("tools/a.json", "mine").commit();
    repo.git(&["checkout", "--quiet", "main"]);
    repo.tool("tools/a.json", "theirs").commit();
    repo.git(&["checkout", "--quiet", "work"]);
    let found = repo.open().default_base().unwrap();
    assert_eq!((found.commit.as_str(), found.name.as_str()), (base.as_str(), "merge base with main"));
    assert_eq!(repo.open().revision("main...").unwrap().commit, base);
    assert_ne!(repo.open().revision("main").unwrap().commit, base);
    // A detached head is a head.
    repo.git(&["checkout", "--quiet", "--detach"]);
    assert_eq!(repo.open().default_base().unwrap().commit, base);
    // In a clone, the remote's default branch is what counts, whatever its name.
    let clone = tempfile::tempdir().unwrap();
    repo.git(&["checkout", "--quiet", "-B", "trunk", "main"]);
    let url = format!("file://{}", repo.path().display());
    git(clone.path(), &["clone", "--quiet", &url, "c"]);
    let found = Repository::discover(&clone.path().join("c")).unwrap().default_base().unwrap();
    assert_eq!(found.name, "merge base with origin/trunk");
}

#[test]
fn what_is_missing_is_named_with_what_to_do() {
    // No repository at all.
    let nowhere = tempfile::tempdir().unwrap();
    let error = Repository::discover(nowhere.path()).unwrap_err();
    assert!(matches!(error, GitError::NoRepository { .. }) && error.has_no_history(), "{error}");
    // What to do is told by what can do it.
    let told = Sides::of(&[nowhere.path().to_owned()], None, None).err().unwrap();
    assert!(told.ends_with("; name what to compare with: --against PATH"), "{told}");
    assert!(!error.to_string().contains("--against"), "{error}");
    // A bare one.
    let bare = tempfile::tempdir().unwrap();
    git(bare.path(), &["init", "--quiet", "--bare"]);
    assert!(matches!(Repository::discover(bare.path()).unwrap_err(), GitError::Bare { .. }));
    // One without a commit.
    let repo = Repo::new();
    assert!(matches!(repo.open().default_base().unwrap_err(), GitError::NoCommit));
    assert!(matches!(repo.open().revision("HEAD").unwrap_err(), GitError::NoCommit));
    // The inside of `.git`.
    assert!(matches!(Repository::discover(&repo.path().join(".git")).unwrap_err(), GitError::NoRepository { .. }));
    // Revisions that are none, whatever they look like.
    repo.tool("a.json", "a").commit();
    for name in ["nowhere", "--all", "-h", "", "main:a.json", "HEAD^{tree}", "a\nb", "main..."] {
        let found = repo.open().revision(name);
        assert!(found.is_ok() == (name == "main..."), "{name:?}: {found:?}");
    }
    // A path outside.
    let repository = repo.open();
    let head = repository.revision("HEAD").unwrap();
    let error = repository.catalog(&head, &[PathBuf::from("../elsewhere")]).unwrap_err();
    assert!(matches!(error, GitError::Outside { .. }), "{error}");
    // Histories that have nothing in common.
    repo.git(&["checkout", "--quiet", "--orphan", "other"]);
    repo.tool("b.json", "b").commit();
    let error = repo.open().default_base().unwrap_err();
    assert!(matches!(&error, GitError::NoMergeBase { fetch: None, .. }) && error.to_string().contains("--base main"), "{error}");
}

#[test]
fn a_shallow_clone_is_told_what_to_fetch() {
    let repo = Repo::new();
    repo.tool("a.json", "a").commit();
    repo.git(&["checkout", "--quiet", "-b", "work"]);
    repo.tool("a.json", "b").commit();
    repo.tool("a.json", "c").commit();
    let clones = tempfile::tempdir().unwrap();
    let url = format!("file://{}", repo.path().display());
    git(clones.path(), &["clone", "--quiet", "--depth=1", "--branch=work", &url, "c"]);
    let clone = clones.path().join("c");
    let repository = Repository::discover(&clone).unwrap();
    let error = repository.revision("origin/main").unwrap_err().to_string();
    let line = "git fetch --depth=1 origin main:refs/remotes/origin/main";
    assert!(error.ends_with(&format!("\n  {line}")), "{error}");
    // The line does what it says, and then it works.
    git(&clone, &line.split(' ').skip(1).collect::<Vec<_>>());
    assert!(repository.revision("origin/main").is_ok());
    // The merge base is still not there: that takes the history.
    git(&clone, &["remote", "set-head", "origin", "main"]);
    let error = repository.default_base().unwrap_err().to_string();
    assert!(error.contains("git fetch --unshallow origin") && error.contains("--base origin/main"), "{error}");
    git(&clone, &["fetch", "--quiet", "--unshallow", "origin"]);
    assert!(repository.default_base().is_ok());
}

#[test]
fn nothing_is_fetched_and_nothing_that_a_repository_configures_is_run() {
    let repo = Repo::new();
    repo.write("tools/a.json", "{\"name\": \"a\", \"description\": \"old\"}").commit();
    repo.write("tools/a.json", "{\"name\": \"a\", \"description\": \"new\"}").commit();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    repo.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let clones = tempfile::tempdir().unwrap();
    let url = format!("file://{}", repo.path().display());
    git(clones.path(), &["clone", "--quiet", "--filter=blob:none", &url, "c"]);
    let clone = clones.path().join("c");
    let touched = clones.path().join("touched");
    let script = clones.path().join("script");
    std::fs::write(&script, format!("#!/bin/sh\ntouch '{}'\nexit 1\n", touched.display())).unwrap();
    #[cfg(unix)]
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let script = script.to_str().unwrap();
    for (key, value) in [
        ("core.fsmonitor", script),
        ("core.pager", script),
        ("core.hooksPath", clones.path().to_str().unwrap()),
        ("core.sshCommand", script),
        ("credential.helper", script),
        ("diff.x.textconv", script),
        ("filter.x.smudge", script),
        ("core.gitProxy", script),
        ("alias.ls-tree", &format!("!{script}")),
        ("protocol.file.allow", "always"),
        ("remote.origin.uploadpack", script),
    ] {
        git(&clone, &["config", key, value]);
    }
    std::fs::write(clone.join(".git/info/attributes"), "*.json diff=x filter=x\n").unwrap();
    let repository = Repository::discover(&clone).unwrap();
    let revision = repository.revision("HEAD~1").unwrap();
    let error = repository.catalog(&revision, &[PathBuf::from("tools")]).unwrap_err();
    assert!(matches!(&error, GitError::NoObject { path, .. } if path == "tools/a.json"), "{error}");
    assert!(error.to_string().contains("git fetch --refetch"), "{error}");
    // What is there is read.
    assert_eq!(names(&repository.catalog(&repository.revision("HEAD").unwrap(), &[PathBuf::from("tools")]).unwrap()).len(), 1);
    assert!(!touched.exists(), "something was run");
}

#[test]
fn submodules_and_links() {
    let inner = Repo::new();
    inner.tool("m.json", "m").commit();
    let repo = Repo::new();
    repo.tool("tools/a.json", "a");
    let url = format!("file://{}", inner.path().display());
    repo.git(&["submodule", "--quiet", "add", &url, "tools/inner"]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("a.json", repo.path().join("tools/link.json")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", repo.path().join("tools/out.json")).unwrap();
        std::os::unix::fs::symlink("gone.json", repo.path().join("tools/dangling.json")).unwrap();
    }
    repo.commit();
    let repository = repo.open();
    let head = repository.revision("HEAD").unwrap();
    let catalog = repository.catalog(&head, &[PathBuf::from("tools")]).unwrap();
    let told: Vec<_> = catalog.findings().iter().map(|f| (f.kind, f.reason.clone())).collect();
    assert!(told.iter().any(|(kind, reason)| *kind == FindingKind::Skipped && reason.contains("submodule")), "{told:?}");
    assert_eq!(names(&catalog)[0], "a tools/a.json");
    #[cfg(unix)]
    {
        let links = told.iter().filter(|(_, reason)| reason.starts_with("a symbolic link")).count();
        assert_eq!(links, 2, "{told:?}");
        // The link inside the tree was followed: it holds the same name again.
        assert!(told.iter().any(|(kind, _)| *kind == FindingKind::Duplicate), "{told:?}");
    }
    for path in ["tools/inner", "tools/inner/m.json"] {
        let error = repository.catalog(&head, &[PathBuf::from(path)]).unwrap_err();
        assert!(matches!(&error, GitError::Submodule { submodule, .. } if submodule == "tools/inner"), "{error}");
    }
}

#[test]
fn files_that_cannot_be_read_are_told_and_the_others_are_read() {
    let repo = Repo::new();
    let conflict = "{\n<<<<<<< HEAD\n\"name\": \"a\"\n=======\n\"name\": \"b\"\n>>>>>>> other\n}\n";
    repo.tool("tools/ok.json", "ok").write("tools/conflict.json", conflict).write("tools/broken.json", "{").commit();
    let repository = repo.open();
    let catalog = repository.catalog(&repository.revision("HEAD").unwrap(), &[PathBuf::from("tools")]).unwrap();
    assert_eq!(names(&catalog), ["ok tools/ok.json"]);
    let told: Vec<String> = catalog.findings().iter().map(ToString::to_string).collect();
    assert!(told.iter().any(|t| t.starts_with("tools/conflict.json:2:1: merge conflict markers")), "{told:?}");
    assert!(told.iter().any(|t| t.starts_with("tools/broken.json:")), "{told:?}");
}

#[test]
fn many_files_are_read_in_one_go() {
    let repo = Repo::new();
    for i in 0..300 {
        let text = format!("{{\"name\": \"t{i}\", \"description\": \"{}\"}}", "x".repeat(2000));
        repo.write(&format!("tools/{i}.json"), &text);
    }
    repo.commit();
    assert_eq!(repo.names("HEAD", &["tools"]).len(), 300);
}
