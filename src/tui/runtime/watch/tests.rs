//! The watch on real folders. Every wait is for a condition, with a deadline that a busy machine keeps.

use super::*;
use crossbeam_channel::{Receiver, unbounded};
use std::fs;
use std::time::{Duration, Instant};

const DEADLINE: Duration = Duration::from_secs(20);

fn json(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json")
}

struct Watched {
    folder: tempfile::TempDir,
    changes: Receiver<Change>,
    watch: Watch,
}

fn watch(prepare: impl FnOnce(&Path), roots: &[&str]) -> Watched {
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let roots = roots.iter().map(|root| folder.path().join(root)).collect();
    let (tell, changes) = unbounded();
    let watch = Watch::start(roots, json, move |change| tell.send(change).is_ok()).unwrap();
    let watched = Watched { folder, changes, watch };
    assert_eq!(watched.next(), Change::Ready(Mode::Told));
    watched
}

impl Watched {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes beside the file and renames over it, so that no look can fall between emptying and filling it.
    fn write(&self, name: &str, text: &str) {
        let beside = self.path(&format!("{name}.part"));
        fs::write(&beside, text).unwrap();
        fs::rename(beside, self.path(name)).unwrap();
    }

    fn next(&self) -> Change {
        self.changes.recv_timeout(DEADLINE).expect("a change is told in time")
    }

    /// Waits until exactly this has been told, in however many pieces.
    fn expect<'a>(&self, mut changed: Vec<&'a str>, mut removed: Vec<&'a str>) {
        let started = Instant::now();
        while !(changed.is_empty() && removed.is_empty()) {
            assert!(started.elapsed() < DEADLINE, "still waiting for {changed:?} and {removed:?}");
            let (list, paths) = match self.next() {
                Change::Changed(paths) => (&mut changed, paths),
                Change::Removed(paths) => (&mut removed, paths),
                other => panic!("unexpected {other:?}"),
            };
            for path in paths {
                let name = path.strip_prefix(self.folder.path()).unwrap().to_str().unwrap().to_owned();
                let before = list.len();
                list.retain(|wanted| *wanted != name);
                assert_ne!(list.len(), before, "{name} was not expected");
            }
        }
    }
}

#[test]
fn what_is_written_renamed_over_and_deleted_is_told_once() {
    let watched = watch(|folder| fs::write(folder.join("a.json"), "1").unwrap(), &[""]);
    watched.write("a.json", "2");
    watched.expect(vec!["a.json"], vec![]);
    fs::create_dir(watched.path("sub")).unwrap();
    watched.write("sub/b.json", "1");
    watched.expect(vec!["sub/b.json"], vec![]);
    fs::remove_file(watched.path("a.json")).unwrap();
    watched.expect(vec![], vec!["a.json"]);
    fs::remove_dir_all(watched.path("sub")).unwrap();
    watched.expect(vec![], vec!["sub/b.json"]);
}

#[test]
fn a_touch_tells_nothing() {
    let watched = watch(|folder| fs::write(folder.join("a.json"), "same").unwrap(), &[""]);
    watched.write("a.json", "same");
    fs::read(watched.path("a.json")).unwrap();
    watched.write("ignored.txt", "text");
    // What comes after them is told, and they are not: the order of events is kept.
    watched.write("b.json", "1");
    watched.expect(vec!["b.json"], vec![]);
    assert!(watched.changes.try_recv().is_err());
}

#[test]
fn a_file_can_be_named_alone() {
    let watched = watch(|folder| fs::write(folder.join("one.tools"), "1").unwrap(), &["one.tools"]);
    watched.write("other.json", "1");
    watched.write("one.tools", "2");
    watched.expect(vec!["one.tools"], vec![]);
}

#[test]
fn a_folder_may_come_later_and_go_and_come_again() {
    let watched = watch(|_| {}, &["tools"]);
    for text in ["1", "2"] {
        fs::create_dir(watched.path("tools")).unwrap();
        watched.write("tools/a.json", text);
        watched.expect(vec!["tools/a.json"], vec![]);
        fs::remove_dir_all(watched.path("tools")).unwrap();
        watched.expect(vec![], vec!["tools/a.json"]);
    }
}

#[test]
fn a_folder_that_is_replaced_in_one_go_is_still_watched() {
    let watched = watch(|folder| fs::create_dir(folder.join("tools")).unwrap(), &["tools"]);
    fs::remove_dir(watched.path("tools")).unwrap();
    fs::create_dir(watched.path("tools")).unwrap();
    watched.write("tools/a.json", "1");
    watched.expect(vec!["tools/a.json"], vec![]);
    watched.write("tools/a.json", "2");
    watched.expect(vec!["tools/a.json"], vec![]);
}

#[test]
fn a_rescan_finds_nothing_new_where_nothing_is() {
    let watched = watch(|folder| fs::write(folder.join("a.json"), "1").unwrap(), &[""]);
    watched.watch.rescan();
    watched.write("a.json", "2");
    watched.expect(vec!["a.json"], vec![]);
}

#[test]
fn a_thousand_files_at_once_are_all_told() {
    let watched = watch(|_| {}, &[""]);
    let names: Vec<String> = (0..1000).map(|n| format!("{n}.json")).collect();
    for name in &names {
        watched.write(name, "1");
    }
    watched.expect(names.iter().map(String::as_str).collect(), vec![]);
}
