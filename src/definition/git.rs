//! Definitions as they are at a git revision, read from git's objects.
//!
//! Nothing is checked out and nothing is fetched: not even the objects that a partial clone would fetch when they are asked
//! for. Only plumbing is called (`rev-parse`, `merge-base`, `for-each-ref`, `ls-tree`, `cat-file`), whose output no
//! configuration changes, and with what a repository could configure to be run (hooks, a file system monitor, pagers,
//! transports, credential helpers) switched off: a repository that is reviewed is not trusted.

use super::Catalog;
use super::catalog::{self, FindingKind};
use std::io::{self, BufReader, Read as _, Write as _};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A repository with a working tree.
#[derive(Clone, Debug)]
pub struct Repository {
    /// Where git is run.
    folder: PathBuf,
    /// Where paths that are given start.
    start: PathBuf,
    /// The working tree's topmost folder.
    top: PathBuf,
}

/// A commit, and how it was named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// The commit's id.
    pub commit: String,
    /// How people call it: `origin/main`, `merge base with origin/main`.
    pub name: String,
}

impl Revision {
    /// The revision for people: the beginning of its id, and how it was named.
    #[must_use]
    pub fn words(&self) -> String {
        if self.name.starts_with(self.short()) {
            format!("`{}`", self.short())
        } else {
            format!("`{}` ({})", self.short(), self.name)
        }
    }

    /// The beginning of the commit's id: enough to recognise it.
    #[must_use]
    pub fn short(&self) -> &str {
        self.commit.get(..12).unwrap_or(&self.commit)
    }
}

/// Why definitions could not be read from git.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// The program is not there.
    #[error("git could not be run ({0})")]
    NoGit(io::Error),
    /// There is no repository here.
    #[error("{} is in no git working tree", folder.display())]
    NoRepository {
        /// The folder.
        folder: PathBuf,
    },
    /// The repository has no files to compare.
    #[error("{} is a bare repository: there are no files in it to compare", folder.display())]
    Bare {
        /// The folder.
        folder: PathBuf,
    },
    /// Nothing has been committed yet.
    #[error("there is no commit yet, so nothing to compare with")]
    NoCommit,
    /// The default branch is not known.
    #[error("the default branch is not known in this clone; name the base: --base origin/main{}", hint(fetch.as_deref()))]
    NoDefaultBranch {
        /// What fetches one, in a shallow clone.
        fetch: Option<String>,
    },
    /// There is no such revision.
    #[error("there is no revision `{name}` in this clone{}", hint(fetch.as_deref()))]
    NoRevision {
        /// As it was named.
        name: String,
        /// What fetches it.
        fetch: Option<String>,
    },
    /// Two revisions have no common ancestor here.
    #[error("no merge base of HEAD and `{name}` is in this clone; compare with its tip: --base {name}{}", hint(fetch.as_deref()))]
    NoMergeBase {
        /// The other revision.
        name: String,
        /// What fetches the history, in a shallow clone.
        fetch: Option<String>,
    },
    /// A path is not in the repository.
    #[error("{} is outside the repository at {}", path.display(), top.display())]
    Outside {
        /// The path.
        path: PathBuf,
        /// The repository's topmost folder.
        top: PathBuf,
    },
    /// A path is in another repository.
    #[error("{} is in the submodule {}, which has a history of its own; run this inside it: cd {}", path.display(), submodule, submodule)]
    Submodule {
        /// The path.
        path: PathBuf,
        /// The submodule's folder.
        submodule: String,
    },
    /// An object is not in this clone.
    #[error(
        "{path} at {revision} is not in this clone, which is partial; fetch what is missing:\n  git fetch --refetch --no-filter origin"
    )]
    NoObject {
        /// The file.
        path: String,
        /// The revision.
        revision: String,
    },
    /// Git said something else.
    #[error("git {command} failed: {message}")]
    Failed {
        /// The command.
        command: String,
        /// What git said.
        message: String,
    },
}

impl GitError {
    /// Whether there is nothing in git here to compare with, whatever revision is named.
    #[must_use]
    pub fn has_no_history(&self) -> bool {
        matches!(self, Self::NoGit(_) | Self::NoRepository { .. } | Self::Bare { .. } | Self::NoCommit | Self::Outside { .. })
    }
}

/// The command that helps, on a line of its own.
fn hint(fetch: Option<&str>) -> String {
    fetch.map_or_else(String::new, |fetch| format!("; fetch it first:\n  {fetch}"))
}

/// Environment and configuration for every call; see the top of this file.
const ENVIRONMENT: [(&str, &str); 8] = [
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    // No transport at all, also in versions that do not know GIT_NO_LAZY_FETCH (before 2.44).
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_ASKPASS", ""),
    ("GIT_PAGER", "cat"),
    ("GIT_LITERAL_PATHSPECS", "1"),
    ("LC_ALL", "C"),
];
const CONFIGURATION: [&str; 4] = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat", "credential.helper="];

impl Repository {
    /// Finds the repository that a folder is in.
    ///
    /// # Errors
    /// If there is none, or none with a working tree, or git cannot be run.
    pub fn discover(folder: &Path) -> Result<Self, GitError> {
        let absolute = std::fs::canonicalize(folder).map_err(|_| GitError::NoRepository { folder: folder.to_owned() })?;
        let mut repository = Self { start: absolute.clone(), folder: absolute, top: PathBuf::new() };
        let bare = repository.git(&["rev-parse", "--is-bare-repository", "--is-inside-work-tree"])?;
        if !bare.status.success() {
            let message = text(&bare.stderr);
            if message.contains("not a git repository") {
                return Err(GitError::NoRepository { folder: folder.to_owned() });
            }
            return Err(GitError::Failed { command: "rev-parse".to_owned(), message });
        }
        match text(&bare.stdout).split_whitespace().collect::<Vec<_>>().as_slice() {
            ["true", ..] => return Err(GitError::Bare { folder: folder.to_owned() }),
            [_, "true"] => {}
            _ => return Err(GitError::NoRepository { folder: folder.to_owned() }),
        }
        let top = repository.line(&["rev-parse", "--show-toplevel"])?;
        repository.top = std::fs::canonicalize(&top).unwrap_or_else(|_| PathBuf::from(top));
        Ok(repository)
    }

    /// Finds the repository that paths are in, given from the current folder: the one around that folder, or, where the first
    /// path is not in it, the one around that path.
    ///
    /// # Errors
    /// As [`Repository::discover`].
    pub fn around(paths: &[PathBuf]) -> Result<Self, GitError> {
        let here = Self::discover(Path::new("."));
        let is_here = |path: &PathBuf| here.as_ref().is_ok_and(|here| here.within(path).is_ok());
        let Some(first) = paths.first().filter(|path| !is_here(path)) else { return here };
        let absolute = std::path::absolute(first).unwrap_or_else(|_| first.clone());
        let folder = absolute.ancestors().find(|folder| folder.is_dir()).map(Self::discover);
        let start = std::fs::canonicalize(".");
        match (folder, start) {
            (Some(Ok(there)), Ok(start)) => Ok(Self { start, ..there }),
            _ => here,
        }
    }

    /// The definitions that paths held at a revision: the one that is named, or the merge base with the default branch.
    ///
    /// # Errors
    /// As [`Repository::around`], [`Repository::revision`] and [`Repository::catalog`].
    pub fn at(paths: &[PathBuf], name: Option<&str>) -> Result<(Catalog, Revision), GitError> {
        let repository = Self::around(paths)?;
        let revision = name.map_or_else(|| repository.default_base(), |name| repository.revision(name))?;
        Ok((repository.catalog(&revision, paths)?, revision))
    }

    /// The merge base of HEAD and the default branch: what a branch is compared with unless somebody says otherwise.
    ///
    /// # Errors
    /// If the default branch is not known, or the clone is too shallow to hold the merge base.
    pub fn default_base(&self) -> Result<Revision, GitError> {
        self.head()?;
        let branch = self.default_branch()?;
        self.merge_base(&branch)
    }

    /// The commit that a name stands for; `NAME...` is the merge base of HEAD and that.
    ///
    /// # Errors
    /// If there is no such revision in this clone.
    pub fn revision(&self, name: &str) -> Result<Revision, GitError> {
        if let Some(branch) = name.strip_suffix("...").filter(|branch| !branch.is_empty()) {
            self.head()?;
            self.commit(branch)?;
            return self.merge_base(branch);
        }
        if name == "HEAD" {
            self.head()?;
        }
        Ok(Revision { commit: self.commit(name)?, name: name.to_owned() })
    }

    fn head(&self) -> Result<String, GitError> {
        self.verify("HEAD")?.ok_or(GitError::NoCommit)
    }

    fn commit(&self, name: &str) -> Result<String, GitError> {
        let missing = |fetch| GitError::NoRevision { name: name.to_owned(), fetch };
        match self.verify(name)? {
            Some(commit) => Ok(commit),
            None => Err(missing(self.fetch_line(name)?)),
        }
    }

    /// What would bring a revision into a shallow clone.
    fn fetch_line(&self, name: &str) -> Result<Option<String>, GitError> {
        if !self.is_shallow()? {
            return Ok(None);
        }
        // `origin/main` is kept under that name, so that the same --base works afterwards.
        let tracked = name.strip_prefix("refs/remotes/").unwrap_or(name).strip_prefix("origin/");
        Ok(Some(match tracked {
            Some(branch) => format!("git fetch --depth=1 origin {branch}:refs/remotes/origin/{branch}"),
            None if name.len() == 40 && name.bytes().all(|b| b.is_ascii_hexdigit()) => {
                format!("git fetch --depth=1 origin {name}")
            }
            None => format!("git fetch --depth=1 origin {name}   (then --base FETCH_HEAD)"),
        }))
    }

    fn verify(&self, name: &str) -> Result<Option<String>, GitError> {
        let wanted = format!("{name}^{{commit}}");
        let found = self.git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted])?;
        let commit = text(&found.stdout);
        Ok((found.status.success() && !commit.is_empty()).then_some(commit))
    }

    fn is_shallow(&self) -> Result<bool, GitError> {
        Ok(self.line(&["rev-parse", "--is-shallow-repository"])? == "true")
    }

    /// The remote's default branch, or what usually is one.
    fn default_branch(&self) -> Result<String, GitError> {
        let heads = self.line(&["for-each-ref", "--format=%(refname) %(symref)", "refs/remotes/*/HEAD"])?;
        let mut named: Vec<&str> =
            heads.lines().filter_map(|line| line.split_once(' ')?.1.strip_prefix("refs/remotes/")).collect();
        named.sort_by_key(|name| !name.starts_with("origin/"));
        for name in named.into_iter().chain(["origin/main", "origin/master", "main", "master"]) {
            if self.verify(name)?.is_some() {
                return Ok(name.to_owned());
            }
        }
        Err(GitError::NoDefaultBranch { fetch: self.fetch_line("origin/main")? })
    }

    fn merge_base(&self, branch: &str) -> Result<Revision, GitError> {
        let found = self.git(&["merge-base", "--end-of-options", "HEAD", branch])?;
        let commit = text(&found.stdout).lines().next().unwrap_or_default().to_owned();
        if found.status.success() && !commit.is_empty() {
            return Ok(Revision { commit, name: format!("merge base with {branch}") });
        }
        let fetch = self.is_shallow()?.then(|| "git fetch --unshallow origin".to_owned());
        Err(GitError::NoMergeBase { name: branch.to_owned(), fetch })
    }

    /// The definitions that the paths held at a revision. A path that was not there holds none, which is no error: a folder
    /// that was added has no past.
    ///
    /// # Errors
    /// If a path is outside the repository or in a submodule, or objects are missing.
    pub fn catalog(&self, revision: &Revision, paths: &[PathBuf]) -> Result<Catalog, GitError> {
        let mut found = Catalog::default();
        for path in paths {
            let within = self.within(path)?;
            self.no_submodule(revision, path, &within)?;
            let entries = self.list(revision, path, &within)?;
            for entry in entries.iter().filter(|entry| entry.kind == "commit") {
                found.find(FindingKind::Skipped, &entry.shown, None, catalog::SUBMODULE.to_owned());
            }
            let files: Vec<&Entry> = entries.iter().filter(|entry| entry.kind == "blob").collect();
            for (entry, text) in files.iter().zip(self.read(revision, &files)?) {
                match text {
                    Ok(text) => found.read_text(path, &entry.shown, text),
                    Err(reason) => found.find(FindingKind::Unreadable, &entry.shown, None, reason),
                }
            }
        }
        Ok(found)
    }

    /// A path below the topmost folder, with `/` between its parts.
    fn within(&self, path: &Path) -> Result<String, GitError> {
        let mut absolute = PathBuf::new();
        for part in self.start.join(path).components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => drop(absolute.pop()),
                other => absolute.push(other),
            }
        }
        // The way there may lead through a link.
        let real = std::fs::canonicalize(&absolute).unwrap_or_default();
        let within = absolute.strip_prefix(&self.top).or_else(|_| real.strip_prefix(&self.top));
        let within = within.map_err(|_| GitError::Outside { path: path.to_owned(), top: self.top.clone() })?;
        let parts: Vec<_> = within.components().map(|c| c.as_os_str().to_string_lossy()).collect();
        Ok(parts.join("/"))
    }

    fn no_submodule(&self, revision: &Revision, path: &Path, within: &str) -> Result<(), GitError> {
        let above: Vec<String> =
            within.match_indices('/').map(|(at, _)| within[..at].to_owned()).chain([within.to_owned()]).collect();
        for folder in above.iter().filter(|folder| !folder.is_empty()) {
            let line = self.line(&["ls-tree", "--full-tree", &revision.commit, "--", folder])?;
            if line.split_whitespace().nth(1) == Some("commit") {
                return Err(GitError::Submodule { path: path.to_owned(), submodule: folder.clone() });
            }
        }
        Ok(())
    }

    fn list(&self, revision: &Revision, path: &Path, within: &str) -> Result<Vec<Entry>, GitError> {
        let mut arguments = vec!["ls-tree", "-r", "-z", "--full-tree", &revision.commit];
        if !within.is_empty() {
            arguments.extend(["--", within]);
        }
        let output = self.git(&arguments)?;
        if !output.status.success() {
            return Err(failed("ls-tree", &output));
        }
        let mut entries = Vec::new();
        for record in output.stdout.split(|b| *b == 0).filter(|record| !record.is_empty()) {
            let record = String::from_utf8_lossy(record);
            let Some((meta, name)) = record.split_once('\t') else { continue };
            let [mode, kind, object] = meta.split(' ').collect::<Vec<_>>()[..] else { continue };
            let below = name.strip_prefix(within).unwrap_or(name).trim_start_matches('/');
            let given = below.is_empty();
            let shown = if given { path.to_owned() } else { path.join(below) };
            if kind == "commit" || given || catalog::is_json(&shown) {
                let object = if mode == LINK { format!("{}:{name}", revision.commit) } else { object.to_owned() };
                entries.push(Entry { kind: kind.to_owned(), object, shown });
            }
        }
        Ok(entries)
    }

    /// The texts of files, each or why it has none.
    fn read(&self, revision: &Revision, files: &[&Entry]) -> Result<Vec<Result<Vec<u8>, String>>, GitError> {
        if files.is_empty() {
            return Ok(Vec::new());
        }
        // A line feed in a name would be read as two requests.
        let requests: Vec<String> = files.iter().map(|file| file.object.replace('\n', "?")).collect();
        let requests = requests.join("\n") + "\n";
        let mut child = self
            .command(&["cat-file", "--batch", "--follow-symlinks"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(GitError::NoGit)?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let texts = std::thread::scope(|scope| {
            // Both pipes have to move at once: git writes while it is still being asked.
            scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(requests.as_bytes())));
            let mut out =
                BufReader::new(stdout.into_iter().fold(Box::new(io::empty()) as Box<dyn io::Read>, |_, out| Box::new(out)));
            files.iter().map(|_| answer(&mut out)).collect::<io::Result<Vec<_>>>()
        });
        let status = child.wait();
        let failed = |error: &io::Error| GitError::Failed { command: "cat-file".to_owned(), message: error.to_string() };
        let texts = texts.map_err(|error| failed(&error))?;
        status.map_err(|error| failed(&error))?;
        let mut found = Vec::with_capacity(texts.len());
        for (file, text) in files.iter().zip(texts) {
            found.push(match text {
                Answer::Text(text) => Ok(text),
                Answer::Link(why) => Err(why),
                Answer::TooLarge => Err("larger than any definition file is".to_owned()),
                Answer::Missing => {
                    let path = file.shown.display().to_string();
                    return Err(GitError::NoObject { path, revision: revision.name.clone() });
                }
            });
        }
        Ok(found)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.folder).arg("--no-pager");
        for setting in CONFIGURATION {
            command.args(["-c", setting]);
        }
        command.args(arguments).envs(ENVIRONMENT).env_remove("GIT_EXTERNAL_DIFF").stdin(Stdio::null());
        command
    }

    fn git(&self, arguments: &[&str]) -> Result<Output, GitError> {
        self.command(arguments).output().map_err(GitError::NoGit)
    }

    fn line(&self, arguments: &[&str]) -> Result<String, GitError> {
        let output = self.git(arguments)?;
        if output.status.success() { Ok(text(&output.stdout)) } else { Err(failed(arguments[0], &output)) }
    }
}

/// The mode of a symbolic link in a tree.
const LINK: &str = "120000";

/// An entry of a tree.
struct Entry {
    kind: String,
    /// What to ask for: the object, or of a link the place, which git follows inside the tree.
    object: String,
    /// The path as it would be given.
    shown: PathBuf,
}

enum Answer {
    Text(Vec<u8>),
    Missing,
    TooLarge,
    Link(String),
}

/// Reads one answer of `cat-file --batch` (its manual, under "BATCH OUTPUT").
fn answer(out: &mut impl io::BufRead) -> io::Result<Answer> {
    let mut head = String::new();
    out.read_line(&mut head)?;
    let head = head.trim_end();
    if head.ends_with(" missing") || head.is_empty() {
        return Ok(Answer::Missing);
    }
    let size: u64 = head.rsplit(' ').next().and_then(|size| size.parse().ok()).unwrap_or(0);
    if size > catalog::MAX_BYTES {
        io::copy(&mut out.take(size + 1), &mut io::sink())?;
        return Ok(Answer::TooLarge);
    }
    let mut bytes = Vec::new();
    out.take(size + 1).read_to_end(&mut bytes)?;
    bytes.truncate(usize::try_from(size).unwrap_or(usize::MAX));
    let link = |why: &str| Answer::Link(format!("a symbolic link that {why}"));
    Ok(match head.split(' ').next() {
        Some("symlink") => link("leads out of the repository, whose history does not hold its target"),
        Some("dangling") => link("leads nowhere"),
        Some("loop") => link("leads round and round"),
        Some("notdir") => link("leads through a file"),
        _ => Answer::Text(bytes),
    })
}

fn failed(command: &str, output: &Output) -> GitError {
    GitError::Failed { command: command.to_owned(), message: text(&output.stderr) }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_end().to_owned()
}
