//! The watch's thread: waits for the system, for quiet, and looks.

use super::known::{Found, Known};
use super::quiet::Quiet;
use super::source::{Source, Told};
use super::{Accept, Change, Command, Mode};
use crossbeam_channel::{Receiver, Sender, at, never, select, unbounded};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How often everything is looked at where the system does not tell.
const LOOK: Duration = Duration::from_secs(1);

pub(super) struct Watcher {
    known: Known,
    quiet: Quiet,
    tell: Box<dyn Fn(Change) -> bool + Send>,
    source: Option<Source>,
    told: (Sender<Told>, Receiver<Told>),
    mode: Mode,
    /// Roots that were not there at the last look.
    absent: Vec<PathBuf>,
    /// When to look everywhere.
    look: Option<Instant>,
    /// Nobody listens any more.
    over: bool,
    names: Names,
}

/// The roots as they were named, by where they are: the system tells places, and what it tells must be found under the names.
#[derive(Debug, Default)]
struct Names(Vec<(PathBuf, PathBuf)>);

impl Names {
    fn of(roots: &[PathBuf]) -> Self {
        let place = |root: &PathBuf| Some((std::path::absolute(root).ok()?, root.clone()));
        Self(roots.iter().filter_map(place).collect())
    }

    /// What a place is called: below the roots that it is in, or by which of their folders it is.
    fn at(&self, place: PathBuf) -> Vec<PathBuf> {
        let names: Vec<PathBuf> = self.0.iter().filter_map(|(at, root)| Self::under(&place, at, root)).collect();
        if names.is_empty() { vec![place] } else { names }
    }

    fn under(place: &Path, at: &Path, root: &Path) -> Option<PathBuf> {
        if let Ok(rest) = place.strip_prefix(at) {
            return Some(if rest.as_os_str().is_empty() { root.to_owned() } else { root.join(rest) });
        }
        let above = at.strip_prefix(place).ok()?.components().count();
        Some(root.ancestors().nth(above).filter(|name| !name.as_os_str().is_empty()).unwrap_or(root).to_owned())
    }
}

impl Watcher {
    pub fn new(roots: Vec<PathBuf>, accept: Accept, tell: Box<dyn Fn(Change) -> bool + Send>) -> Self {
        Self {
            names: Names::of(&roots),
            known: Known::new(roots, accept),
            quiet: Quiet::default(),
            tell,
            source: None,
            told: unbounded(),
            mode: Mode::Told,
            absent: Vec::new(),
            look: None,
            over: false,
        }
    }

    pub fn run(mut self, commands: &Receiver<Command>) {
        self.mode = self.arm_all();
        // Armed first and looked at second: what changes in between is told, and then found to be known.
        self.known.look();
        self.tell(Change::Ready(self.mode.clone()));
        while !self.over {
            self.plan_look();
            let due = [self.quiet.next(), self.look].into_iter().flatten().min().map_or_else(never, at);
            let told = self.told.1.clone();
            select! {
                recv(told) -> told => match told {
                    Ok(told) => self.hear(told),
                    Err(_) => return,
                },
                recv(commands) -> command => match command {
                    Ok(Command::Rescan) => self.rescan(),
                    Err(_) => return,
                },
                recv(due) -> _ => self.look_where_due(),
            }
        }
    }

    /// Arms every root that is there, on a new source.
    fn arm_all(&mut self) -> Mode {
        self.source = None;
        self.absent.clear();
        let mut source = match Source::new(self.told.0.clone()) {
            Ok(source) => source,
            Err(why) => return Mode::Looking(why),
        };
        for root in self.known.roots() {
            if !root.exists() {
                self.absent.push(root.clone());
            } else if let Err(why) = source.arm(root) {
                return Mode::Looking(why);
            }
        }
        self.source = Some(source);
        Mode::Told
    }

    fn plan_look(&mut self) {
        if self.source.is_none() || !self.absent.is_empty() {
            self.look.get_or_insert_with(|| Instant::now() + LOOK);
        } else {
            self.look = None;
        }
    }

    fn hear(&mut self, told: Told) {
        match told {
            Told::At(paths) => {
                let now = Instant::now();
                for path in paths.into_iter().flat_map(|place| self.names.at(place)) {
                    self.quiet.touch(path, now);
                }
            }
            // From now on the system may be behind again at any time, so it is not relied upon until asked to.
            Told::Overflow => self.stop_listening("more changed at once than the system could tell".to_owned()),
            Told::Failed(why) => self.stop_listening(why),
        }
    }

    fn stop_listening(&mut self, why: String) {
        self.source = None;
        self.switch(Mode::Looking(why));
        self.look_everywhere();
    }

    fn rescan(&mut self) {
        let mode = self.arm_all();
        self.switch(mode);
        self.look_everywhere();
    }

    fn switch(&mut self, mode: Mode) {
        if self.mode != mode {
            self.mode = mode.clone();
            self.tell(Change::Mode(mode));
        }
    }

    fn look_where_due(&mut self) {
        let now = Instant::now();
        let due = self.quiet.take(now);
        let mut found = Found::default();
        for path in &due.touched {
            found.merge(self.known.look_at(path));
            if path.is_dir() {
                // What is put into a new folder before the system watches that folder is not told.
                self.quiet.look_again(path.clone(), now);
            }
        }
        let (gone, back): (Vec<_>, Vec<_>) = due.again.into_iter().partition(|path| self.known.is_gone(path));
        for path in back {
            found.merge(self.known.look_at(&path));
        }
        self.report(found, gone, now);
        self.follow_roots(&due.touched);
        if self.look.is_some_and(|at| at <= now) {
            self.look = None;
            self.look_everywhere();
        }
    }

    /// A root may have come, or gone and its watch with it, or both between two looks.
    fn follow_roots(&mut self, touched: &[PathBuf]) {
        let Some(source) = &mut self.source else { return };
        for root in self.known.roots() {
            let was_absent = self.absent.contains(root);
            if !root.exists() {
                source.disarm(root);
                if !was_absent {
                    self.absent.push(root.clone());
                }
            } else if was_absent || touched.iter().any(|path| Source::folder_of(root).0.starts_with(path)) {
                source.disarm(root);
                self.absent.retain(|absent| absent != root);
                if let Err(why) = source.arm(root) {
                    return self.stop_listening(why);
                }
                // What came with it came before it was armed.
                self.quiet.look_again(root.clone(), Instant::now());
            }
        }
    }

    fn look_everywhere(&mut self) {
        let now = Instant::now();
        let found = self.known.look();
        self.report(found, Vec::new(), now);
        self.follow_roots(&[]);
    }

    fn report(&mut self, found: Found, gone: Vec<PathBuf>, now: Instant) {
        found.missing.into_iter().for_each(|path| self.quiet.look_again(path, now));
        if !found.changed.is_empty() {
            self.tell(Change::Changed(found.changed));
        }
        if !gone.is_empty() {
            self.tell(Change::Removed(gone));
        }
    }

    fn tell(&mut self, change: Change) {
        self.over |= !(self.tell)(change);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_found_under_the_name_that_was_given() {
        let here = std::env::current_dir().unwrap();
        let roots = ["tools", "./sessions", "one/file.jsonl", "/far/away"].map(PathBuf::from);
        let names = Names::of(&roots);
        for (place, name) in [
            ("tools/mcp/a.json", "tools/mcp/a.json"),
            ("tools", "tools"),
            ("sessions/x.jsonl", "./sessions/x.jsonl"),
            ("one/./file.jsonl", "one/file.jsonl"),
            ("/far/away/b.json", "/far/away/b.json"),
            ("/far", "/far"),
            ("elsewhere", "elsewhere"),
        ] {
            let expected = if name == "elsewhere" { here.join(name) } else { PathBuf::from(name) };
            assert_eq!(names.at(here.join(place)), [expected], "{place}");
        }
        assert_eq!(names.at(here.join("one")), [PathBuf::from("one")]);
    }
}
