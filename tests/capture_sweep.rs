//! The fast way and the general way of reading captures say the same, on real samples and on generated ones.

mod common;

use common::{Random, shared};
use misfire::capture::sweep::{Judge, SweepSink, sweep};
use misfire::capture::{self, Call, CapturedTools, Options, Problem, ProblemKind, Sink};
use misfire::definition::{Catalog, Definition};
use misfire::gate::{Arguments, Gate};
use misfire::replay;
use std::fs;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Judges with a gate, or has every call built and keeps all that `check` shows of it.
struct Witness(Option<Gate>);

impl Witness {
    fn line(tool: &str, id: Option<&str>, file: &Path, what: &str) -> String {
        format!("{tool} {id:?} {} {what}", file.display())
    }
}

impl Judge for Witness {
    type Kept = String;
    type Rules = ();

    fn rules(&self, _: &Path) {}

    fn tools(&self, (): &mut (), _: &CapturedTools) -> Result<(), String> {
        Ok(())
    }

    fn accepts(&self, (): &(), tool: &str, text: &[u8], at: usize) -> Option<usize> {
        self.0.as_ref()?.accepts_at(tool, None, text, at)
    }

    fn accepted(&self, tool: &str, id: Option<&str>, file: &Path) -> String {
        Self::line(tool, id, file, "Accepted []")
    }

    fn judge(&self, (): &(), call: &Call) -> String {
        let what = match (&self.0, &call.arguments) {
            (Some(gate), _) => {
                let verdict = replay::judge(gate, call);
                format!("{:?} {:?}", verdict.kind, verdict.issues)
            }
            (None, Arguments::Json(value)) => value.to_json(),
            (None, other) => format!("{other:?}"),
        };
        Self::line(&call.tool, call.id.as_deref(), &call.place.file, &what)
    }
}

/// Lines and problems, as the general way and the fast way report them.
#[derive(Default, Debug, PartialEq)]
struct Report {
    calls: Vec<String>,
    problems: Vec<String>,
    bytes: u64,
}

struct General<'a>(&'a Witness, Report);

impl Sink for General<'_> {
    fn call(&mut self, call: Call) -> ControlFlow<()> {
        let line = call.place.line;
        self.1.calls.push(format!("{line}: {}", self.0.judge(&(), &call)));
        ControlFlow::Continue(())
    }

    fn problem(&mut self, problem: Problem) {
        self.1.note(&problem);
    }
}

impl SweepSink<String> for Report {
    fn call(&mut self, kept: String, line: u32) -> ControlFlow<()> {
        self.calls.push(format!("{line}: {kept}"));
        ControlFlow::Continue(())
    }

    fn problem(&mut self, problem: Problem) {
        self.note(&problem);
    }

    fn progress(&mut self, bytes: u64) -> ControlFlow<()> {
        self.bytes += bytes;
        ControlFlow::Continue(())
    }
}

impl Report {
    /// Only what costs calls, or says where they are: lines without a call are not all looked at by the fast way.
    fn note(&mut self, problem: &Problem) {
        if matches!(problem.kind, ProblemKind::TooLong { .. } | ProblemKind::Unreadable(_)) {
            self.problems.push(problem.to_string());
        }
    }
}

fn general(paths: &[PathBuf], witness: &Witness, options: &Options) -> Report {
    let mut sink = General(witness, Report::default());
    capture::read_paths(paths, &Options { thorough: true, ..*options }, &mut sink);
    sink.1
}

fn assert_same(paths: &[PathBuf], gate: &dyn Fn() -> Gate) {
    for witness in [Witness(None), Witness(Some(gate()))] {
        let expected = general(paths, &witness, &Options::calls_only());
        for threads in [1, 3] {
            let mut report = Report::default();
            sweep(paths, &Options::calls_only(), threads, &witness, &mut report);
            assert_eq!(report.calls.len(), expected.calls.len());
            for (got, expected) in report.calls.iter().zip(&expected.calls) {
                assert_eq!(got, expected);
            }
            // A broken line that cannot hold a call may go unseen; whatever is said is said by both.
            assert!(report.problems.iter().all(|problem| expected.problems.contains(problem)), "{:?}", report.problems);
        }
    }
}

fn bundled() -> Gate {
    Gate::new(&Catalog::load(&[PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tools")]))
}

#[test]
fn both_ways_agree_on_the_bundled_sessions() {
    assert_same(&[PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("sessions")], &bundled);
}

#[test]
fn both_ways_agree_on_real_captures() {
    let (Some(captures), Some(tools)) = (shared("captures"), shared("captures/tools/claude-code-2.1.45.json")) else {
        eprintln!("skipped: needs ../shared/captures");
        return;
    };
    let gate = || Gate::new(&Catalog::load(std::slice::from_ref(&tools)));
    let formats = fs::read_dir(captures).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    for format in formats.filter(|path| !path.ends_with("tools")) {
        assert_same(&[format], &gate);
    }
}

const TOOL: &str = r#"{"name":"Read","parameters":{"type":"object","properties":{"file_path":{"type":"string"},"limit":{"type":"integer"}},"required":["file_path"]}}"#;

const CLAUDE: &str = "{\"type\":\"summary\",\"summary\":\"s\",\"leafUuid\":\"u\"}\n{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"hi\"},\"uuid\":\"u\"}\n";
const WAVE: &str = "{\"type\":\"metadata\",\"workdir\":\"/w\"}\n{\"id\":\"m\",\"role\":\"user\",\"blocks\":[]}\n";
const OWN: &str = "{\"id\":\"first\",\"tool\":\"Read\",\"arguments\":{}}\n";

/// A capture that begins with `start`, in which most lines are plain and some are everything else.
fn transcript(r: &mut Random, lines: usize, start: &str, line: fn(&mut Random, usize) -> String) -> Vec<u8> {
    let mut out = Vec::new();
    if r.chance(1, 5) {
        out.extend(b"\xEF\xBB\xBF");
    }
    out.extend(start.as_bytes());
    for n in 0..lines {
        let mut line = line(r, n).into_bytes();
        match r.below(60) {
            0 => line.truncate(r.below(line.len())),
            1 => line.insert(r.below(line.len()), 0xFF),
            2 => line.extend_from_within(..),
            3 => line.extend(b" "),
            4 => line.insert(0, b' '),
            5 => line = b"{oops}".to_vec(),
            6 => line = b"".to_vec(),
            7 => line.extend(b"\r"),
            8 => line.retain(|b| *b != b':' || r.chance(9, 10)),
            _ => {}
        }
        out.extend(line);
        out.push(b'\n');
    }
    if r.chance(1, 2) {
        out.pop();
    }
    out
}

fn transcript_line(r: &mut Random, n: usize) -> String {
    let id = if r.chance(1, 10) { r.below(5) } else { n };
    let input = r.pick(&[
        r#"{"file_path":"/a"}"#,
        r#"{"file_path":"/a","limit":3}"#,
        r#"{"limit":3,"file_path":"/a"}"#,
        r#"{"file_path":"/\u0061","file_path":"/a"}"#,
        r#"{"file_path":7}"#,
        r#"{"path":"/a"}"#,
        r#"{"file\u005fpath":"/a"}"#,
        r#"{"file_path":"quoted \"tool_use\" inside","limit":1e400}"#,
        r#""{\"file_path\":\"/a\"}""#,
        "null",
        "[]",
        r#"{"__unparsedToolInput":{"raw":"{\"file_path\":","len":12}}"#,
        "{ }",
    ]);
    let kind = r.pick(&["tool_use", "tool_use", "tool_use", "tool_use", "tool_use", "server_tool_use", "text"]);
    let mut members = vec![
        format!("\"type\":\"{kind}\""),
        format!("\"id\":\"t{id}\""),
        "\"name\":\"Read\"".to_owned(),
        format!("\"input\":{input}"),
    ];
    match r.below(20) {
        0 => r.shuffle(&mut members),
        1 => members.push("\"id\":\"again\"".to_owned()),
        2 => drop(members.remove(r.below(members.len()))),
        3 => members.push("\"caller\":{\"type\":\"direct\"}".to_owned()),
        4 => members[1] = String::from("\"id\":\"t\\n\""),
        _ => {}
    }
    let block = format!("{{{}}}", members.join(","));
    let pad = "x".repeat(if r.chance(1, 40) { 300_000 } else { r.below(400) });
    let content = format!("[{{\"type\":\"text\",\"text\":\"{pad}\"}},{block}]");
    let role = r.pick(&["assistant", "assistant", "assistant", "assistant", "assistant", "user"]);
    let message =
        format!("\"message\":{{\"role\":\"{role}\",\"content\":{content},\"usage\":{{\"server_tool_use\":{{\"n\":0}}}}}}");
    match r.below(12) {
        0 => format!("{{\"type\":\"progress\",\"data\":{{\"message\":{{\"type\":\"{role}\",{message}}}}},\"uuid\":\"u\"}}"),
        1..=4 => format!("{{\"parentUuid\":null,\"isSidechain\":false,{message},\"type\":\"{role}\",\"uuid\":\"u\"}}"),
        5 => format!("{{ \"type\" : \"{role}\" , {message} , \"uuid\" : \"u\" }}"),
        6 => format!("{{\"type\":\"{role}\",{message},\"uuid\":\"u\",\"type\":\"user\"}}"),
        _ => format!("{{\"type\":\"{role}\",{message},\"uuid\":\"u\"}}"),
    }
}

/// The model's text, as a JSON string.
fn parameters(r: &mut Random) -> String {
    let text = r.pick(&[
        r#"{"file_path":"/a"}"#,
        r#" {"file_path":"/a","limit":3} "#,
        r#"{"file_path":"caf\u00e9 \"quoted\" \\ and 示例 🙂"}"#,
        r#"{"file_path":7}"#,
        r#"{"file_path":"/a""#,
        r#"{"path":"/a"}"#,
        "",
        "not json",
        "[1]",
        "\u{3000}{\"file_path\":\"/a\"}",
    ]);
    let quoted = misfire::json::quote(text.as_bytes());
    if r.chance(1, 12) { quoted.replace('a', "\\u0061") } else { quoted }
}

fn wave_line(r: &mut Random, n: usize) -> String {
    let block = |r: &mut Random, n: usize| {
        let id = if r.chance(1, 8) { r.below(5) } else { n };
        let odd = r.pick(&["{\"file_path\":\"/a\"}", "null", "7"]).to_string();
        let parameters = if r.chance(1, 15) { odd } else { parameters(r) };
        let mut members = vec![
            format!("\"type\":\"{}\"", r.pick(&["tool", "tool", "tool", "tool", "text"])),
            format!("\"id\":\"t{id}\""),
            format!("\"name\":\"{}\"", r.pick(&["Read", "Read", "Read", "Nobody", "mcp__a__b"])),
            format!("\"parameters\":{parameters}"),
            format!("\"stage\":\"{}\"", r.pick(&["end", "end", "end", "start", "streaming", "e\\u006ed"])),
            "\"result\":\"a \\\"tool\\\" said\"".to_owned(),
        ];
        match r.below(16) {
            0 => r.shuffle(&mut members),
            1 => members.push("\"id\":\"again\"".to_owned()),
            2 => drop(members.remove(r.below(members.len()))),
            3 => members[1] = String::from("\"id\":7"),
            4 => members[2] = String::from("\"name\":\"R\\u0065ad\""),
            _ => {}
        }
        format!("{{{}}}", members.join(","))
    };
    let mut blocks: Vec<String> = (0..r.below(3)).map(|k| block(r, n * 3 + k)).collect();
    blocks.push("{\"type\":\"text\",\"content\":\"tool\"}".to_owned());
    let blocks = format!("\"blocks\":[{}]", blocks.join(","));
    match r.below(12) {
        0 => format!("{{\"blocks\":[],{blocks},\"role\":\"assistant\"}}"),
        1 => format!("{{ \"role\" : \"assistant\" , {blocks} }}"),
        2 => "{\"role\":\"assistant\",\"blocks\":\"tool\",\"x\":\"tool\"}".to_owned(),
        _ => format!("{{\"id\":\"m{n}\",\"role\":\"assistant\",\"timestamp\":\"t\",{blocks},\"usage\":{{\"model\":\"m\"}}}}"),
    }
}

fn own_line(r: &mut Random, n: usize) -> String {
    let id = if r.chance(1, 8) { r.below(5) } else { n };
    let arguments = match r.below(8) {
        0 => r#"{"file_path":7}"#.to_owned(),
        1 => "null".to_owned(),
        2 | 3 => parameters(r),
        4 => "[]".to_owned(),
        _ => r#"{"limit":1,"file_path":"/a"}"#.to_owned(),
    };
    let mut members = vec![format!("\"id\":\"t{id}\""), "\"tool\":\"Read\"".to_owned(), format!("\"arguments\":{arguments}")];
    match r.below(16) {
        0 => members.push("\"finish_reason\":\"length\"".to_owned()),
        1 => members.push("\"origin\":\"mcp\"".to_owned()),
        2 => members.push("\"pending\":true".to_owned()),
        3 => members.push("\"input\":\"free_text\"".to_owned()),
        4 => members.push("\"result\":{\"text\":\"x\",\"tool\":1}".to_owned()),
        5 => r.shuffle(&mut members),
        6 => drop(members.remove(r.below(members.len()))),
        7 => members.push("\"arguments\":{}".to_owned()),
        _ => {}
    }
    format!("{{{}}}", members.join(","))
}

#[test]
fn both_ways_agree_on_generated_transcripts() {
    let gate = || Gate::new(&Catalog::from_definitions(Definition::parse(TOOL.as_bytes()).unwrap()));
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random::new(7);
    for round in 0..24 {
        let path = folder.path().join(format!("{round}.jsonl"));
        let (start, line): (_, fn(&mut Random, usize) -> String) = match round % 3 {
            0 => (CLAUDE, transcript_line),
            1 => (WAVE, wave_line),
            _ => (OWN, own_line),
        };
        fs::write(&path, transcript(&mut random, 120, start, line)).unwrap();
        assert_same(&[path], &gate);
    }
    // All of them at once: repeats are looked for in each file on its own.
    assert_same(&[folder.path().to_owned()], &gate);
}

/// What the fast way cannot see, and the general way can.
/// A small file with more calls than are kept until it is its turn is read at its turn.
#[test]
fn both_ways_agree_on_a_small_file_that_holds_very_much() {
    let folder = tempfile::tempdir().unwrap();
    let line = |n: usize| {
        format!(r#"{{"id":"c{n}","tool":"{}","arguments":{{"n":{n}}}}}"#, if n.is_multiple_of(7) { "Read" } else { "Own" })
    };
    let lines = |range: std::ops::Range<usize>| range.map(|n| line(n) + "\n").collect::<String>();
    fs::write(folder.path().join("a.jsonl"), lines(0..10)).unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(lines(10..40_000).as_bytes()).unwrap();
    fs::write(folder.path().join("b.jsonl.gz"), packed.finish().unwrap()).unwrap();
    fs::write(folder.path().join("c.jsonl"), lines(40_000..40_010)).unwrap();
    assert_same(&[folder.path().to_path_buf()], &bundled);
}

/// Lines that are longer than the cap, or nearly: inside a piece of a file, over the end of one, over several, at the end.
#[test]
fn both_ways_agree_on_lines_over_the_cap() {
    let folder = tempfile::tempdir().unwrap();
    let path = [folder.path().join("session.jsonl")];
    let options = Options { max_line: 100_000, ..Options::calls_only() };
    let call = |n: usize, length: usize| {
        let line = |text: &str| {
            let block = format!(r#"{{"type":"tool_use","id":"t{n}","name":"Read","input":{{"file_path":"{text}"}}}}"#);
            format!(r#"{{"type":"assistant","uuid":"u{n}","message":{{"role":"assistant","content":[{block}]}}}}"#)
        };
        line(&"x".repeat(length.saturating_sub(line("").len())))
    };
    for seed in 0..10 {
        let mut r = Random::new(seed);
        let mut text: String = (0..5).map(|n| call(n, 300) + "\n").collect();
        for n in 5..80 {
            let long = [100_001, 400_000, 700_000, 1_800_000];
            let length = *r.pick(if n % 10 == 0 { &long } else { &[300, 20_000, 99_999, 100_000] });
            text = text + &call(n, length) + "\n";
        }
        if r.chance(1, 2) {
            text.pop();
        }
        fs::write(&path[0], text).unwrap();
        let witness = Witness(Some(bundled()));
        let expected = general(&path, &witness, &options);
        for threads in [1, 3] {
            let mut report = Report::default();
            sweep(&path, &options, threads, &witness, &mut report);
            assert_eq!(report.calls, expected.calls, "{seed}");
            assert_eq!(report.problems, expected.problems, "{seed}");
        }
    }
}

#[test]
fn a_type_spelled_with_escapes_is_seen_by_the_general_way_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd.jsonl");
    let plain = r#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Read","input":{}}]},"uuid":"u"}"#;
    fs::write(&path, format!("{plain}\n{}\n", plain.replace("tool_use", "tool\\u005fuse").replace("\"a\"", "\"b\""))).unwrap();
    for (thorough, calls) in [(false, 1), (true, 2)] {
        let mut report = Report::default();
        sweep(std::slice::from_ref(&path), &Options { thorough, ..Options::calls_only() }, 2, &Witness(None), &mut report);
        assert_eq!(report.calls.len(), calls);
    }
}
