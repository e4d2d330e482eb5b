//! A day's work on very many calls: starting, going about while they are read and after, finding, sorting, saving a definition.
//!
//! `MISFIRE_BENCH_SESSIONS` names a folder of captures and `MISFIRE_BENCH_TOOLS` its definitions (to be copied, as one is saved);
//! without them it is 100,000 calls that are made on the spot.

use super::{loaded_megabytes, many, most_megabytes, report, shows_a_failing_call, start, state};
use misfire::tui::edit::memory::Memory;
use misfire::tui::headless::Headless;
use misfire::tui::runtime::watch::Change;
use misfire::tui::runtime::{Effect, Msg};
use misfire::tui::{Options, State};
use std::fs::OpenOptions;
use std::hint::black_box;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// As long as a person takes between two keys that are held down.
const BETWEEN: Duration = Duration::from_millis(33);
const LIMIT: Duration = Duration::from_secs(600);
/// A call as it comes while one works.
const CALL: &str = r#"{"id":"live-NUMBER","at":"2030-01-01T00:00:NUMBERZ","tool":"Read","arguments":{"file":"src/lib.rs"}}"#;

pub fn a_large_corpus() {
    let (folder, mut options) = many();
    if let Some(sessions) = std::env::var_os("MISFIRE_BENCH_SESSIONS") {
        options.sessions = vec![PathBuf::from(sessions)];
    }
    if let Some(tools) = std::env::var_os("MISFIRE_BENCH_TOOLS") {
        let copy = folder.path().join("tools.json");
        std::fs::copy(&tools, &copy).expect("definitions");
        options.tools = vec![copy];
    }
    let live = folder.path().join("live");
    std::fs::create_dir(&live).expect("a folder");
    let live = live.join("live.misfire.jsonl");
    append(&live, 0);
    // It is not what a start is measured with.
    let old = std::time::SystemTime::UNIX_EPOCH;
    OpenOptions::new().append(true).open(&live).and_then(|file| file.set_modified(old)).expect("a time");
    options.sessions.push(live.clone());
    let before = loaded_megabytes().unwrap_or_default();
    let mut app = open(&options, None);
    let calls = app.state.data.rows.total().calls;
    if let (Some(now), Some(most)) = (loaded_megabytes(), most_megabytes()) {
        let each = (now - before) * (1 << 20) / u64::try_from(calls).unwrap_or(1).max(1);
        println!("memory: {now} MB of {calls} calls, {most} MB at most while they were read; {each} bytes a call");
    }
    keys(&mut app, "moving", &["j", "j", "k", "PageDown", "PageUp", "G", "g", "Tab", "j", "k", "Tab", "Tab"]);
    keys(&mut app, "tools", &["Shift-Tab", "j", "k", "Tab"]);
    keys(&mut app, "views", &["4", "6", "3", "1"]);
    typing(&mut app);
    for name in ["sort-tool", "sort-issues", "sort-newest", "show-statistics", "show-flips", "show-review", "show-definitions"] {
        palette(&mut app, name);
    }
    grow(&mut app, &live);
    save(&mut app, &options);
    cancel(&mut app);
    grow(&mut app, &live);
    again(app, &options);
}

/// A call comes while one works.
fn append(path: &Path, number: usize) {
    let line = CALL.replace("NUMBER", &format!("{number:02}")) + "\n";
    let mut file = OpenOptions::new().create(true).append(true).open(path).expect("a file");
    file.write_all(line.as_bytes()).expect("a line");
}

/// A file grows by a call, several times.
fn grow(app: &mut Headless, path: &Path) {
    let (mut shown, mut answered) = (Vec::new(), Vec::new());
    for _ in 0..5 {
        let calls = app.state.data.rows.total().calls;
        append(path, calls % 60);
        let grown = Instant::now();
        let _ = app.send(Msg::Watch(Change::Changed(vec![path.to_path_buf()])));
        while app.state.data.rows.total().calls == calls && grown.elapsed() < LIMIT {
            answered.extend(app.take_one(BETWEEN).map(|took| took + draw(app)));
        }
        shown.push(grown.elapsed());
        answers(app, &mut answered);
    }
    shown.sort_unstable();
    println!("large corpus, a call comes: on the screen after {:?} (median), {:?} at most", shown[2], shown[4]);
    report("large corpus, a call comes, answer to frame", &mut answered);
}

/// Something long is begun, and stopped.
fn cancel(app: &mut Headless) {
    app.press("Esc / Ctrl-u");
    for c in "no-arguments-hold-this".chars() {
        app.press(&c.to_string());
    }
    app.press("Enter");
    let mut answered = Vec::new();
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(1) && app.state.jobs.oldest().is_some() {
        answered.extend(app.take_one(BETWEEN).map(|took| took + draw(app)));
    }
    let left = app.state.data.find.undecided();
    let (key, stopped) = (key(app, "Ctrl-c"), Instant::now());
    answers(app, &mut answered);
    println!(
        "large corpus, a filter that reads is stopped with {left} to be read: key to frame {key:?}, at rest after {:?}",
        stopped.elapsed()
    );
    report("large corpus, a filter that reads, answer to frame", &mut answered);
    app.press("/ Ctrl-u Enter");
    answers(app, &mut Vec::new());
}

/// The program is left, and opened where one was.
fn again(mut app: Headless, options: &Options) {
    app.press("Esc Esc Esc g PageDown PageDown m");
    answers(&mut app, &mut Vec::new());
    let quitting = Instant::now();
    let asked = |app: &Headless| app.asked.iter().any(|effect| matches!(effect, Effect::Quit(_)));
    for _ in 0..8 {
        if !asked(&app) {
            app.press("q");
        }
        // Marks are asked about where there is no place to keep them.
        if app.state.overlay.is_some() {
            app.press("y");
        }
    }
    let asked = asked(&app);
    let memory = app.state.memory();
    let text = memory.to_text();
    println!("large corpus, q: asked to quit {asked}, {} bytes to keep after {:?}", text.len(), quitting.elapsed());
    let dropping = Instant::now();
    let before = place(&app.state);
    drop(app);
    println!("large corpus, everything let go after {:?}", dropping.elapsed());
    let app = open(options, Some(memory));
    println!("large corpus, opened again: the same call is selected: {}", place(&app.state) == before);
}

fn place(state: &State) -> Option<String> {
    let spot = state.data.rows.spot(state.data.calls.selected()?)?;
    Some(format!("{spot:?}"))
}

/// Starts, with keys held down while everything is read.
fn open(options: &Options, memory: Option<Memory>) -> Headless {
    let started = Instant::now();
    let mut app = start(options);
    let is_back = memory.is_some();
    if let Some(memory) = memory {
        app.state.remember(memory);
    }
    assert!(app.wait(LIMIT, shows_a_failing_call));
    draw(&app);
    state("large corpus, start to the newest failing call", started.elapsed(), Duration::from_millis(200));
    let (mut pressed, mut answers) = (Vec::new(), Vec::new());
    let mut next = Instant::now();
    let mut calls = 0;
    while app.state.jobs.oldest().is_some() && started.elapsed() < LIMIT {
        answers.extend(app.take_one(next.saturating_duration_since(Instant::now())).map(|took| took + draw(&app)));
        // Who moves about does not want to be where he was.
        if next <= Instant::now() && !is_back {
            pressed.push(key(&mut app, ["j", "j", "k", "PageDown", "g"][calls % 5]));
            calls += 1;
            next = Instant::now() + BETWEEN;
        }
    }
    println!("large corpus, everything read and judged: {:?}", started.elapsed());
    report("large corpus, while it is read, key to frame", &mut pressed);
    report("large corpus, while it is read, news to frame", &mut answers);
    app
}

/// Draws a frame, and says how long that took.
fn draw(app: &Headless) -> Duration {
    let drawing = Instant::now();
    black_box(app.draw());
    drawing.elapsed()
}

fn key(app: &mut Headless, key: &str) -> Duration {
    let pressed = Instant::now();
    app.press(key);
    black_box(app.draw());
    pressed.elapsed()
}

/// Takes in what jobs give until none runs, and how long each took to its frame.
fn answers(app: &mut Headless, all: &mut Vec<Duration>) {
    let end = Instant::now() + LIMIT;
    while app.state.jobs.oldest().is_some() && Instant::now() < end {
        all.extend(app.take_one(BETWEEN).map(|took| took + draw(app)));
    }
}

fn keys(app: &mut Headless, what: &str, keys: &[&str]) {
    let (mut pressed, mut answered) = (Vec::new(), Vec::new());
    for name in keys.iter().cycle().take(60) {
        pressed.push(key(app, name));
        answers(app, &mut answered);
    }
    report(&format!("large corpus, {what}, key to frame"), &mut pressed);
    report(&format!("large corpus, {what}, answer to frame"), &mut answered);
}

fn typing(app: &mut Headless) {
    let (mut pressed, mut answered) = (Vec::new(), Vec::new());
    for text in ["tool:Read is:bad", "verdict:accepted n>0", "args:lib.rs is:bad", ""] {
        let typed = text.chars().map(|c| if c == ' ' { "Space".to_owned() } else { c.to_string() });
        for name in ["/".to_owned(), "Ctrl-u".to_owned()].into_iter().chain(typed).chain(["Enter".to_owned()]) {
            pressed.push(key(app, &name));
            let next = Instant::now() + BETWEEN;
            while let Some(took) = app.take_one(next.saturating_duration_since(Instant::now())) {
                answered.push(took + draw(app));
            }
        }
        let asked = Instant::now();
        answers(app, &mut answered);
        println!("large corpus, filter {text:?}: {} calls, {:?} after the last key", app.state.data.calls.len(), asked.elapsed());
    }
    report("large corpus, typing filters, key to frame", &mut pressed);
    report("large corpus, typing filters, answer to frame", &mut answered);
}

/// Does what has this name in the palette, until no job runs.
fn palette(app: &mut Headless, name: &str) {
    let mut answered = Vec::new();
    app.press(":");
    for c in name.chars() {
        app.press(&c.to_string());
    }
    let asked = Instant::now();
    let pressed = key(app, "Enter");
    answers(app, &mut answered);
    let slowest = answered.iter().max().copied().unwrap_or_default();
    println!(
        "large corpus, {name}: key to frame {pressed:?}, slowest answer to frame {slowest:?}, done after {:?}",
        asked.elapsed()
    );
    app.press("Esc");
}

/// A definition is saved: the calls of it are judged again.
fn save(app: &mut Headless, options: &Options) {
    let Some(path) = changed(&options.tools[0]) else { return };
    let mut answered = Vec::new();
    let saved = Instant::now();
    let _ = app.send(Msg::Watch(Change::Changed(vec![path])));
    let told = app.wait(LIMIT, |state| !state.data.changed.is_empty());
    println!("large corpus, a definition saved: first verdicts after {:?} ({told})", saved.elapsed());
    answers(app, &mut answered);
    println!("large corpus, a definition saved: {} flips, done after {:?}", app.state.data.flips.len(), saved.elapsed());
    report("large corpus, a definition saved, answer to frame", &mut answered);
}

/// Makes a parameter that is there a number, and says which file that was.
fn changed(tools: &Path) -> Option<PathBuf> {
    let file = if tools.is_dir() { tools.join("Read.json") } else { tools.to_owned() };
    let text = std::fs::read_to_string(&file).ok()?;
    let at = text.find("\"file_path\"")?;
    let (before, after) = text.split_at(at);
    let after = after.replacen("\"string\"", "\"number\"", 1);
    std::fs::write(&file, format!("{before}{after}")).ok()?;
    Some(file)
}
