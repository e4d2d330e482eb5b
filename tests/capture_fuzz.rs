//! Captures that have been damaged: nothing panics, and the stream and the index see the same calls.

use misfire::capture::index::{Index, Scanner};
use misfire::capture::{self, Call, Options, Problem, ProblemKind, Sink};
use proptest::prelude::*;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

#[derive(Default)]
struct Found {
    all: Vec<Call>,
    problems: Vec<Problem>,
}

impl Sink for Found {
    fn call(&mut self, call: Call) -> ControlFlow<()> {
        self.all.push(call);
        ControlFlow::Continue(())
    }

    fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }
}

/// The bundled sessions and, where they are, the sample captures of up to 40 KB.
fn originals() -> &'static Vec<Vec<u8>> {
    static TEXTS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    TEXTS.get_or_init(|| {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let mut texts = Vec::new();
        let mut folders = vec![root.join("sessions"), root.join("../shared/captures")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if entry.metadata().is_ok_and(|data| data.len() < 40_000) {
                    texts.push((path.clone(), fs::read(&path).unwrap()));
                }
            }
        }
        texts.sort();
        texts.into_iter().map(|(_, text)| text).collect()
    })
}

#[derive(Clone, Debug)]
enum Damage {
    Cut(usize),
    Remove(usize, usize),
    Put(usize, &'static [u8]),
    Repeat(usize, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let place = any::<usize>();
    let bits: [&[u8]; 14] = [
        b"\n",
        b"\0",
        b"\xFF",
        b"\xED\xA0\x80",
        b"{",
        b"}",
        b"\"",
        b"\\",
        b"\r\n",
        b"[[[[",
        b"\xEF\xBB\xBF",
        b"data: ",
        b"\\ud800",
        b"1e999",
    ];
    prop_oneof![
        1 => place.prop_map(Damage::Cut),
        3 => (place, 1_usize..200).prop_map(|(at, n)| Damage::Remove(at, n)),
        4 => (place, proptest::sample::select(bits.to_vec())).prop_map(|(at, bytes)| Damage::Put(at, bytes)),
        2 => (place, 1_usize..3000).prop_map(|(at, n)| Damage::Repeat(at, n)),
    ]
}

fn damaged(mut text: Vec<u8>, damages: &[Damage]) -> Vec<u8> {
    for damage in damages {
        let at = |place: usize| place % (text.len() + 1);
        match *damage {
            Damage::Cut(place) => text.truncate(at(place)),
            Damage::Remove(place, n) => {
                let from = at(place);
                text.drain(from..(from + n).min(text.len()));
            }
            Damage::Put(place, bytes) => {
                let from = at(place);
                text.splice(from..from, bytes.iter().copied());
            }
            Damage::Repeat(place, n) => {
                let from = at(place);
                let part = text[from..(from + n).min(text.len())].to_vec();
                text.splice(from..from, part);
            }
        }
    }
    text
}

fn scan(path: &Path) -> (Vec<Call>, Vec<Problem>) {
    let mut index = Index::default();
    let mut scanner = Scanner::new(vec![path.to_path_buf()], Options::default());
    scanner.scan(
        &mut |batch| {
            index.apply(batch);
        },
        &mut || true,
    );
    let calls = index.calls().map(|id| index.read(id).unwrap()).collect();
    (calls, index.problems(0).to_vec())
}

/// The lines of a stream may go on, so the index does not show what is still coming.
fn settled(calls: Vec<Call>) -> Vec<Call> {
    calls.into_iter().filter(|call| !call.pending).collect()
}

proptest! {
    #[test]
    fn damaged_captures(which in any::<prop::sample::Index>(), damages in prop::collection::vec(damage(), 0..5)) {
        let text = damaged(which.get(originals()).clone(), &damages);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        fs::write(&path, &text).unwrap();
        let mut found = Found::default();
        capture::read_paths(std::slice::from_ref(&path), &Options::default(), &mut found);
        let (indexed, problems) = scan(&path);
        prop_assert_eq!(settled(indexed), settled(found.all));
        found.problems.retain(|problem| problem.kind != ProblemKind::CutLastLine);
        let unknown = |problems: &[Problem]| problems.iter().any(|p| p.kind == ProblemKind::UnknownFormat);
        if !unknown(&found.problems) {
            prop_assert_eq!(problems, found.problems);
        }
    }

    #[test]
    fn a_file_that_grows_in_any_steps(which in any::<prop::sample::Index>(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6), damages in prop::collection::vec(damage(), 0..2)) {
        let text = damaged(which.get(originals()).clone(), &damages);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let mut index = Index::default();
        let mut scanner = Scanner::new(vec![folder.path().to_path_buf()], Options::default());
        let mut ends: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).chain([text.len()]).collect();
        ends.sort_unstable();
        for end in ends {
            fs::write(&path, &text[..end]).unwrap();
            scanner.scan(&mut |batch| { index.apply(batch); }, &mut || true);
        }
        let grown: Vec<Call> = index.calls().map(|id| index.read(id).unwrap()).collect();
        let (fresh, _) = scan(&path);
        prop_assert_eq!(grown, fresh);
    }
}
