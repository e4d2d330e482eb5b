//! Frames of the terminal app, without the terminal: `cargo bench --bench frames`.
//!
//! Targets: from the start to a frame with the newest failing call of the bundled data under 100 ms, of 100,000 calls and 500
//! definitions under 200 ms; from a key to the frame that shows what it did, at 200x60 with these, under 16 ms for 95 of 100 keys;
//! memory under 250 MB; one argument of 10 MB opens folded without a stall. Each is stated with whether it was met.

mod large;

use divan::{Bencher, black_box};
use misfire::tui::headless::Headless;
use misfire::tui::{Options, State};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(120);
const CALLS: usize = 100_000;
const DEFINITIONS: usize = 500;
/// What nobody feels as waiting.
const FRAME: Duration = Duration::from_millis(16);

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_wanted = |bench: &str| wanted.is_empty() || wanted.iter().any(|name| bench.contains(name.as_str()));
    // First, while the most memory that the process has had is what this takes.
    if is_wanted("at_work_on_many_calls") {
        at_work_on_many_calls();
    }
    if is_wanted("a_large_corpus") {
        large::a_large_corpus();
    }
    divan::main();
    if is_wanted("one_large_argument") {
        one_large_argument();
    }
    if is_wanted("typing_a_filter") {
        typing_a_filter();
    }
}

/// The start, and going about, with 100,000 calls and 500 definitions; and the memory that it takes.
fn at_work_on_many_calls() {
    let (_folder, options) = many();
    let mut starts: Vec<Duration> = (0..5).map(|_| first_frame(&options)).collect();
    starts.sort_unstable();
    state("100,000 calls, 500 definitions, start to the newest failing call (median)", starts[2], Duration::from_millis(200));
    let mut app = loaded(&options);
    let keys = ["j", "j", "PageDown", "k", "G", "g", "Tab", "j", "Tab", "J", "4", "1", "6", "1", "Space", "z", "z", "PageUp"];
    let mut frames: Vec<Duration> = Vec::new();
    for key in keys.iter().cycle().take(400) {
        let pressed = Instant::now();
        app.press(key);
        black_box(app.draw());
        frames.push(pressed.elapsed());
        // What the key asked for, such as reading a call, comes later; it is drawn in its turn.
        app.finish(LIMIT);
    }
    report("100,000 calls, 500 definitions, key to frame", &mut frames);
    if let Some(megabytes) = most_megabytes() {
        let met = if megabytes < 250 { "met" } else { "MISSED" };
        println!("100,000 calls, 500 definitions, memory of the whole process: {megabytes} MB; target under 250 MB: {met}");
    }
}

fn one_large_argument() {
    let (_folder, options) = large();
    let mut app = loaded(&options);
    let opened = Instant::now();
    app.press("Enter");
    black_box(app.draw());
    state("10 MB in one argument, opened", opened.elapsed(), FRAME);
}

fn first_frame(options: &Options) -> Duration {
    let started = Instant::now();
    let mut app = start(options);
    assert!(app.wait(LIMIT, shows_a_failing_call));
    black_box(app.draw());
    started.elapsed()
}

/// The most memory that this process has had, where the system tells.
fn most_megabytes() -> Option<u64> {
    megabytes("VmHWM:")
}

/// The memory that it has now.
fn loaded_megabytes() -> Option<u64> {
    megabytes("VmRSS:")
}

fn megabytes(what: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(what))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? / 1024)
}

fn state(what: &str, took: Duration, target: Duration) {
    println!("{what}: {took:?}; target {target:?}: {}", if took < target { "met" } else { "MISSED" });
}

/// While filters are typed, and a call is looked for by letters, over 100,000 calls.
fn typing_a_filter() {
    let (_folder, options) = many();
    let mut app = loaded(&options);
    let filters = ["tool:Read is:bad n>0", "verdict:accepted since:7d", "kind:missing at:/file_path", "file:19* model:m"];
    typing(&mut app, "typing_a_filter", "/", &filters);
    typing(&mut app, "going_to_a_call", "Ctrl-g", &["read src 77", "unexpected file", "c19-499", "rsrclim"]);
}

/// From each key to its frame, and from each answer of a job to the frame after it.
fn typing(app: &mut Headless, what: &str, open: &str, texts: &[&str]) {
    let (mut keys, mut answers) = (Vec::new(), Vec::new());
    for text in texts {
        let typed = text.chars().map(|c| if c == ' ' { "Space".to_owned() } else { c.to_string() });
        for key in [open.to_owned(), "Ctrl-u".to_owned()].into_iter().chain(typed).chain(["Enter".to_owned()]) {
            let started = Instant::now();
            app.press(&key);
            black_box(app.draw());
            keys.push(started.elapsed());
            // A person types about ten keys a second; a word that is looked for in every call is not waited for.
            let next = Instant::now() + Duration::from_millis(30);
            while let Some(took) = app.take_one(next.saturating_duration_since(Instant::now())) {
                let started = Instant::now();
                black_box(app.draw());
                answers.push(took + started.elapsed());
            }
        }
        assert!(app.finish(LIMIT));
    }
    report(&format!("{what} over 100,000 calls, key to frame"), &mut keys);
    report(&format!("{what} over 100,000 calls, a job's answer to frame"), &mut answers);
}

fn report(what: &str, times: &mut [Duration]) {
    if times.is_empty() {
        return println!("{what}: nothing to measure");
    }
    times.sort_unstable();
    let at =
        |share: usize| times.get((times.len() * share / 100).min(times.len().saturating_sub(1))).copied().unwrap_or_default();
    let target = if at(95) < FRAME { "met" } else { "MISSED" };
    println!(
        "{what}: median {:?}, p95 {:?}, slowest {:?} of {}; target p95 under 16 ms: {target}",
        at(50),
        at(95),
        at(100),
        times.len()
    );
}

fn bundled() -> Options {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    Options { tools: vec![here.join("tools")], sessions: vec![here.join("sessions")], ..Options::default() }
}

fn start(options: &Options) -> Headless {
    Headless::start(options, 200, 60).expect("threads")
}

/// The newest failing call and its text are there to be drawn.
fn shows_a_failing_call(state: &State) -> bool {
    state
        .look
        .call
        .as_ref()
        .is_some_and(|look| look.shown.model_text.is_some() && Some(look.shown.id) == state.data.calls.selected())
}

#[divan::bench(sample_count = 20)]
fn start_to_the_newest_failing_call(bencher: Bencher<'_, '_>) {
    let options = bundled();
    bencher.bench(|| {
        let mut app = start(&options);
        assert!(app.wait(LIMIT, shows_a_failing_call));
        app.draw()
    });
}

/// 100,000 calls in 20 files, one in ten wrong, and 500 definitions.
fn many() -> (tempfile::TempDir, Options) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("sessions")).expect("a folder");
    for file in 0..20 {
        let mut text = String::new();
        for n in 0..CALLS / 20 {
            let wrong = if n % 10 == 0 { "file" } else { "file_path" };
            let (hour, minute, second) = (file, n / 60 % 60, n % 60);
            let _ = writeln!(
                text,
                r#"{{"id":"c{file}-{n}","at":"2026-11-24T{hour:02}:{minute:02}:{second:02}Z","model":"m","tool":"Read","arguments":{{"{wrong}":"src/{n}.rs","limit":{n}}}}}"#
            );
        }
        std::fs::write(folder.path().join(format!("sessions/{file:02}.misfire.jsonl")), text).expect("a file");
    }
    let tools = folder.path().join("tools");
    std::fs::create_dir(&tools).expect("a folder");
    let read = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/Read.json")).expect("a definition");
    std::fs::write(tools.join("Read.json"), &read).expect("a file");
    for n in 1..DEFINITIONS {
        let other = read.replace("\"Read\"", &format!("\"Read{n}\""));
        std::fs::write(tools.join(format!("Read{n}.json")), other).expect("a file");
    }
    let sessions = folder.path().join("sessions");
    let options = Options { tools: vec![tools], sessions: vec![sessions], ..bundled() };
    (folder, options)
}

fn loaded(options: &Options) -> Headless {
    let mut app = start(options);
    assert!(app.finish(LIMIT));
    app
}

#[divan::bench(sample_count = 5)]
fn start_to_a_failing_call_of_100_000(bencher: Bencher<'_, '_>) {
    let (_folder, options) = many();
    bencher.bench(|| {
        let mut app = start(&options);
        assert!(app.wait(LIMIT, shows_a_failing_call));
        app.draw()
    });
}

#[divan::bench(sample_count = 3)]
fn reading_100_000_calls(bencher: Bencher<'_, '_>) {
    let (_folder, options) = many();
    bencher.bench(|| loaded(&options).state.data.rows.total().calls);
}

#[divan::bench(args = ["j", "PageDown", "G", "g"])]
fn key_to_frame_with_100_000_calls(bencher: Bencher<'_, '_>, key: &str) {
    let (_folder, options) = many();
    let mut app = loaded(&options);
    bencher.bench_local(|| {
        app.press(key);
        app.draw()
    });
}

/// One argument of 10 MB: to its frame, folded, and from a key to a frame.
fn large() -> (tempfile::TempDir, Options) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut text = String::from(r#"{"id":"large","tool":"Write","arguments":{"file_path":1,"content":["#);
    while text.len() < 10 << 20 {
        text.push_str(r#"{"line":"some words of a line, and a number","n":12345},"#);
    }
    text.push_str("0]}}\n");
    std::fs::write(folder.path().join("large.misfire.jsonl"), text).expect("a file");
    let options = Options { sessions: vec![PathBuf::from(folder.path())], ..bundled() };
    (folder, options)
}

#[divan::bench(args = ["j", "J", "Space Space", "6"], sample_count = 20)]
fn key_to_frame_with_10_megabytes(bencher: Bencher<'_, '_>, keys: &str) {
    let (_folder, options) = large();
    let mut app = loaded(&options);
    app.press("Enter");
    bencher.bench_local(|| {
        app.press(black_box(keys));
        app.draw()
    });
}

#[divan::bench(sample_count = 5)]
fn start_to_10_megabytes_folded(bencher: Bencher<'_, '_>) {
    let (_folder, options) = large();
    bencher.bench(|| loaded(&options).draw());
}
