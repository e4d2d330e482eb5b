//! The index: what it knows of calls, reading them again, and following files as they are written.

use misfire::capture::index::{CallId, Change, Index, Scanner};
use misfire::capture::{self, Call, Options, Problem, Sink};
use std::fs::{self, File};
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

#[derive(Default)]
struct Calls(Vec<Call>);

impl Sink for Calls {
    fn call(&mut self, call: Call) -> ControlFlow<()> {
        self.0.push(call);
        ControlFlow::Continue(())
    }

    fn problem(&mut self, _: Problem) {}
}

struct Watched {
    scanner: Scanner,
    index: Index,
}

impl Watched {
    fn new(path: &Path) -> Self {
        Self { scanner: Scanner::new(vec![path.to_path_buf()], Options::default()), index: Index::default() }
    }

    fn scan(&mut self) -> Vec<Change> {
        let mut changes = Vec::new();
        self.scanner.scan(&mut |batch| changes.push(self.index.apply(batch)), &mut || true);
        changes
    }

    fn ids(&self) -> Vec<String> {
        self.index.calls().map(|id| self.index.read(id).unwrap().id.unwrap_or_default()).collect()
    }
}

fn own(id: &str) -> String {
    format!("{{\"id\":\"{id}\",\"tool\":\"Read\",\"arguments\":{{\"file_path\":\"{id}\"}}}}\n")
}

fn append(path: &Path, text: &str) {
    let mut file = File::options().append(true).create(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

/// The sample captures and the bundled sessions, as far as they are there.
fn folders() -> Vec<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let samples = std::env::var_os("MISFIRE_CAPTURES").map_or_else(|| root.join("../shared/captures"), PathBuf::from);
    [root.join("sessions"), samples].into_iter().filter(|folder| folder.is_dir()).collect()
}

#[test]
fn every_entry_reads_as_the_call_that_a_stream_gives() {
    for folder in folders() {
        let mut streamed = Calls::default();
        capture::read_paths(std::slice::from_ref(&folder), &Options::default(), &mut streamed);
        let mut watched = Watched::new(&folder);
        watched.scan();
        assert_eq!(watched.index.len(), streamed.0.len());
        for (id, call) in watched.index.calls().zip(&streamed.0) {
            let entry = watched.index.entry(id).unwrap();
            let read = watched.index.read(id).unwrap();
            assert_eq!(&read, call, "{}", call.place);
            assert_eq!(watched.index.name(entry.tool()), call.tool);
            assert_eq!(entry.line(), call.place.line);
            assert_eq!(entry.has_result(), call.result.is_some(), "{}", call.place);
            assert_eq!(entry.is_error(), call.result.as_ref().and_then(|r| r.is_error));
            assert_eq!((entry.is_sidechain(), entry.is_pending()), (call.sidechain, call.pending));
            assert_eq!(entry.model().map(|m| watched.index.name(m)), call.model.as_deref());
            assert_eq!(entry.session().map(|s| watched.index.name(s)), call.session.as_deref());
        }
        assert_eq!(watched.scan(), [], "nothing was written since");
    }
}

#[test]
fn a_file_that_grows_is_read_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    let mut watched = Watched::new(folder.path());
    assert_eq!(watched.scan(), []);
    append(&path, &(own("1") + &own("2")));
    assert_eq!(watched.scan(), [Change { added: 0..2, ..Change::default() }]);
    // A line that is cut anywhere, then ended.
    let line = own("3");
    for at in [1, 9, line.len() - 2] {
        append(&path, &line[..at]);
        assert!(watched.scan().iter().all(|change| change.added.is_empty()));
        append(&path, &line[at..]);
        let n = u32::try_from(watched.index.len()).unwrap();
        let changes = watched.scan();
        // The same id and arguments are one call.
        assert_eq!(changes.iter().map(|c| c.added.len()).sum::<usize>(), usize::from(n == 2), "{at} {changes:?}");
    }
    // A line without an end that is whole is read, and not again when its end comes.
    append(&path, own("4").trim_end());
    assert_eq!(watched.scan()[0].added, 3..4);
    append(&path, "\n");
    assert!(watched.scan()[0].added.is_empty());
    append(&path, &own("5"));
    assert_eq!(watched.scan()[0].added, 4..5);
    assert_eq!(watched.ids(), ["1", "2", "3", "4", "5"]);
    let lines: Vec<_> = watched.index.entries(0).iter().map(capture::index::Entry::line).collect();
    assert_eq!(lines, [1, 2, 3, 6, 7]);
    assert_eq!(watched.index.problems(0), []);
}

#[test]
fn results_that_come_later_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    let call = |id: &str| {
        format!(
            r#"{{"type":"assistant","sessionId":"s","message":{{"role":"assistant","model":"m","content":[{{"type":"tool_use","id":"{id}","name":"Read","input":{{}}}}]}}}}
"#
        )
    };
    let result = |id: &str| {
        format!(
            r#"{{"type":"user","sessionId":"s","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"no {id}","is_error":true}}]}}}}
"#
        )
    };
    append(&path, &(call("a") + &call("b") + &call("c") + &call("d")));
    let mut watched = Watched::new(folder.path());
    watched.scan();
    // Many other files in between, so that what this one needs to grow has been given up.
    for n in 0..100 {
        append(&folder.path().join(format!("other{n}.jsonl")), &own("x"));
    }
    watched.scan();
    append(&path, &(result("b") + &call("b")));
    let changes = watched.scan();
    assert_eq!(changes, [Change { added: 4..4, answered: vec![1], ..Change::default() }]);
    let read = watched.index.read(CallId { file: 0, call: 1 }).unwrap();
    assert_eq!(read.result.as_ref().map(|r| (r.is_error, r.text.as_str())), Some((Some(true), "no b")));
    let to_judge = watched.index.read_to_judge(CallId { file: 0, call: 1 }).unwrap();
    assert_eq!(to_judge, Call { result: None, ..read });
    append(&path, &result("a"));
    assert_eq!(watched.scan()[0].answered, [0]);
    assert_eq!(watched.index.entries(0)[0].is_error(), Some(true));
}

#[test]
fn what_is_cut_replaced_or_removed_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    let mut watched = Watched::new(folder.path());
    fs::write(&path, own("1") + &own("2") + &own("3")).unwrap();
    watched.scan();
    // Cut: the calls that are left are the same.
    File::options().write(true).open(&path).unwrap().set_len(own("1").len() as u64).unwrap();
    assert_eq!(watched.scan(), [Change { removed: 1..3, added: 1..1, ..Change::default() }]);
    // Replaced by a longer one that begins otherwise.
    let other = folder.path().join("new");
    fs::write(&other, own("8") + &own("1") + &own("9")).unwrap();
    fs::rename(&other, &path).unwrap();
    assert_eq!(watched.scan(), [Change { removed: 0..1, added: 0..3, ..Change::default() }]);
    assert_eq!(watched.ids(), ["8", "1", "9"]);
    // Written over in place, longer, with another beginning.
    fs::write(&path, own("7") + &own("1") + &own("9") + &own("10")).unwrap();
    assert_eq!(watched.scan(), [Change { removed: 0..3, added: 0..4, ..Change::default() }]);
    fs::remove_file(&path).unwrap();
    assert_eq!(watched.scan(), [Change { removed: 0..4, gone: true, ..Change::default() }]);
    assert!(watched.index.is_empty());
    // Back again, in its old place.
    fs::write(&path, own("1")).unwrap();
    assert_eq!(watched.scan(), [Change { added: 0..1, ..Change::default() }]);
    // A call that is read after the file changed says so.
    fs::write(&path, "{}").unwrap();
    let error = watched.index.read(CallId { file: 0, call: 0 }).unwrap_err();
    assert!(error.to_string().contains("read it again"), "{error}");
}

#[test]
fn documents_that_are_rewritten_keep_what_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("messages.json");
    let message = |id: &str| {
        format!(
            r#"  {{"role": "assistant", "tool_calls": [
    {{"id": "{id}", "type": "function", "function": {{"name": "Read", "arguments": "{{}}"}}}}
  ]}}"#
        )
    };
    let write = |ids: &[&str]| {
        let messages: Vec<_> = ids.iter().map(|id| message(id)).collect();
        fs::write(&path, format!("[\n{}\n]\n", messages.join(",\n"))).unwrap();
    };
    let mut watched = Watched::new(folder.path());
    write(&["a", "b"]);
    assert_eq!(watched.scan()[0].added, 0..2);
    write(&["a", "b", "c"]);
    assert_eq!(watched.scan(), [Change { added: 2..3, ..Change::default() }]);
    write(&["a", "x"]);
    assert_eq!(watched.scan(), [Change { removed: 1..3, added: 1..2, ..Change::default() }]);
    assert_eq!(watched.ids(), ["a", "x"]);
    let places: Vec<_> = watched.index.calls().map(|id| watched.index.read(id).unwrap().place.line).collect();
    assert_eq!(places, [3, 6]);
}

/// Writers that append in pieces of any size while the files are scanned: in the end every call is there once.
#[test]
fn nothing_is_missed_or_repeated_while_others_write() {
    const WRITERS: usize = 4;
    const CALLS: usize = 400;
    let folder = tempfile::tempdir().unwrap();
    let mut watched = Watched::new(folder.path());
    let done = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let path = folder.path().join(format!("sub{}/w{writer}.jsonl", writer % 2));
            let done = &done;
            scope.spawn(move || {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                let text: String = (0..CALLS).map(|n| own(&format!("{writer}-{n}é"))).collect();
                let mut rest = text.as_bytes();
                let mut step = 1 + writer * 7;
                while !rest.is_empty() {
                    step = (step * 31 + 17) % 997 + 1;
                    let (piece, after) = rest.split_at(step.min(rest.len()));
                    File::options().append(true).create(true).open(&path).unwrap().write_all(piece).unwrap();
                    rest = after;
                }
                done.fetch_add(1, Ordering::SeqCst);
            });
        }
        let deadline = Instant::now() + Duration::from_secs(60);
        let mut added = 0;
        loop {
            let finished = done.load(Ordering::SeqCst) == WRITERS;
            for change in watched.scan() {
                assert!(change.removed.is_empty(), "{change:?}");
                added += change.added.len();
            }
            if finished {
                break;
            }
            assert!(Instant::now() < deadline, "{added} calls only");
        }
        assert_eq!(added, WRITERS * CALLS);
    });
    let mut ids = watched.ids();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), WRITERS * CALLS);
    assert!((0..WRITERS).all(|file| watched.index.problems(u32::try_from(file).unwrap()).is_empty()));
}
