//! Input as it should not be: nothing stops the rest, and nothing is dropped without a word.

use misfire::capture::{self, Call, Options, Problem, ProblemKind, Sink, Summary, write_call};
use misfire::gate::Arguments;
use misfire::json::Value;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

#[derive(Default)]
struct Calls {
    all: Vec<Call>,
    problems: Vec<Problem>,
    stop_after: Option<usize>,
}

impl Sink for Calls {
    fn call(&mut self, call: Call) -> ControlFlow<()> {
        self.all.push(call);
        if self.stop_after == Some(self.all.len()) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }
}

impl Calls {
    fn ids(&self) -> Vec<&str> {
        self.all.iter().map(|call| call.id.as_deref().unwrap_or("-")).collect()
    }

    fn problems(&self) -> Vec<String> {
        self.problems.iter().map(ToString::to_string).collect()
    }
}

fn read(text: impl AsRef<[u8]>) -> Calls {
    read_with(text, &Options::default()).0
}

fn read_with(text: impl AsRef<[u8]>, options: &Options) -> (Calls, Summary) {
    let mut calls = Calls::default();
    let summary = capture::read_from(text.as_ref(), Path::new("f"), options, &mut calls);
    (calls, summary)
}

fn read_path(path: &Path) -> (Calls, Summary) {
    let mut calls = Calls::default();
    let summary = capture::read_paths(&[path.to_path_buf()], &Options::default(), &mut calls);
    (calls, summary)
}

fn own(id: &str) -> String {
    format!(r#"{{"id":"{id}","tool":"Read","arguments":{{"file_path":"{id}"}}}}"#)
}

#[test]
fn marks_line_ends_and_blank_lines() {
    let text = format!("\u{FEFF}{}\r\n\r\n  \t\n{}\n\n{}", own("a"), own("b"), own("c"));
    let read = read(text);
    assert_eq!((read.ids(), read.problems()), (vec!["a", "b", "c"], vec![]));
    let places: Vec<_> = read.all.iter().map(|call| (call.place.line, call.place.offset)).collect();
    assert_eq!(places, [(1, 3), (4, 65), (6, 121)]);
}

#[test]
fn lines_that_cannot_be_read_are_reported_with_their_numbers() {
    let text = format!("{}\nnot json\n{}\n[1]\n{{\"id\":\"x\"}}\n{} trailing\n", own("a"), own("b"), own("c"));
    let read = read(text);
    assert_eq!(read.ids(), ["a", "b", "c"]);
    assert_eq!(
        read.problems(),
        [
            "f:2: not readable: column 1: expected a value, found `n`; the rest of the line is skipped",
            "f:4: not readable: expected an object with `tool`, a string, found an array",
            "f:5: not readable: expected an object with `tool`, a string, found an object without one",
            "f:6: not readable: column 56: expected a value, found `t`; the rest of the line is skipped",
        ]
    );
}

#[test]
fn several_objects_on_a_line() {
    let text = format!("{}{} {}\n{}", own("a"), own("b"), own("c"), own("d"));
    let read = read(text);
    assert_eq!((read.ids(), read.problems()), (vec!["a", "b", "c", "d"], vec![]));
    assert_eq!(read.all.iter().map(|call| call.place.line).collect::<Vec<_>>(), [1, 1, 1, 2]);
}

#[test]
fn a_last_line_that_is_cut_is_not_an_error() {
    for cut in ["{", "{\"id\":\"b\",\"to", "{\"tool\":\"x\",\"arguments\":\"\\u00"] {
        let (read, summary) = read_with(format!("{}\n{cut}", own("a")), &Options::default());
        assert_eq!(read.ids(), ["a"]);
        assert_eq!(read.problems.iter().map(|p| p.kind.clone()).collect::<Vec<_>>(), [ProblemKind::CutLastLine]);
        assert_eq!(summary.unreadable, 0);
    }
    // A cut line that is not the last is lost, and said to be.
    let read = read(format!("{}\n{{\"id\":\"b\",\"to\n{}\n", own("a"), own("c")));
    assert_eq!((read.ids(), read.problems().len()), (vec!["a", "c"], 1));
}

/// What a compressed file holds up to the place at which it is broken is read, and the place said.
#[test]
fn a_compressed_file_that_is_cut_keeps_what_came_before() {
    use std::io::Write as _;
    let folder = tempfile::tempdir().unwrap();
    let text: String = (0..20_000).map(|n| own(&format!("c{n}")) + "\n").collect();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    let gzip = encoder.finish().unwrap();
    let zstd = ruzstd::encoding::compress_to_vec(text.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    let path = folder.path().join("a.jsonl.packed");
    for (bytes, least, most, broken) in [
        (gzip.clone(), 20_000, 20_000, false),
        (gzip[..gzip.len() / 2].to_vec(), 5_000, 15_000, true),
        ([&gzip[..], b"and something else"].concat(), 20_000, 20_000, true),
        (zstd.clone(), 20_000, 20_000, false),
        (zstd[..zstd.len() / 2].to_vec(), 5_000, 15_000, true),
    ] {
        fs::write(&path, &bytes).unwrap();
        let (calls, _) = read_path(&path);
        let count = calls.all.len();
        assert!((least..=most).contains(&count), "{count} {:?}", calls.problems);
        let mut index = misfire::capture::index::Index::default();
        let mut scanner = misfire::capture::index::Scanner::new(vec![path.clone()], Options::default());
        let mut indexed = Vec::new();
        let mut apply = |batch: misfire::capture::index::Batch| {
            indexed.extend(batch.problems().iter().map(ToString::to_string));
            index.apply(batch);
        };
        scanner.scan(&mut apply, &mut || true);
        assert_eq!(index.len(), count);
        let place = format!("{}:{}: cannot be read from here on", path.display(), count + 1);
        for problems in [calls.problems(), indexed] {
            assert_eq!(
                problems.iter().filter(|problem| problem.starts_with(&place)).count(),
                usize::from(broken),
                "{problems:?}"
            );
        }
    }
}

#[test]
fn bytes_that_are_not_utf8_are_kept_as_replacement_characters() {
    let mut text = own("a").into_bytes();
    text.extend_from_slice(b"\n{\"id\":\"b\",\"tool\":\"Re\xFFad\",\"arguments\":{\"x\":\"\xED\xA0\x80\"}}\n");
    text.extend_from_slice(own("c").as_bytes());
    let (read, summary) = read_with(text, &Options::default());
    assert_eq!(read.ids(), ["a", "b", "c"]);
    assert_eq!(read.all[1].tool, "Re\u{FFFD}ad");
    // As Node reads it: three, for what would be one surrogate.
    let Arguments::Json(arguments) = &read.all[1].arguments else { panic!() };
    assert_eq!(arguments.to_json(), "{\"x\":\"\u{FFFD}\u{FFFD}\u{FFFD}\"}");
    assert_eq!(read.problems(), ["f:2: bytes that are not UTF-8 were read as U+FFFD"]);
    assert_eq!((summary.repaired, summary.unreadable), (1, 0));
    assert_eq!(read.all[2].place.line, 3);
}

#[test]
fn odd_values_are_read_as_javascript_reads_them() {
    let text = r#"{"id":"a","tool":"T","arguments":{"a":"\ud800","b":1e400,"a":"\udfff","n":9007199254740993}}"#;
    let read = read(text);
    let Arguments::Json(arguments) = &read.all[0].arguments else { panic!() };
    assert_eq!(arguments.to_json(), r#"{"a":"\udfff","b":null,"n":9007199254740992}"#);
    // A NUL is not JSON.
    let nul = [own("a").as_bytes(), b"\n\0\0\0\n", own("b").as_bytes()].concat();
    let read = self::read(nul);
    assert_eq!((read.ids(), read.problems().len()), (vec!["a", "b"], 1));
}

#[test]
fn depth_costs_memory_only() {
    let deep = "[".repeat(10_000) + &"]".repeat(10_000);
    let text = format!("{{\"id\":\"a\",\"tool\":\"T\",\"arguments\":{{\"x\":{deep}}}}}\n{}\n", own("b"));
    let read = read(&text);
    assert_eq!(read.ids(), ["a", "b"]);
    assert!(write_call(&read.all[0]).contains(&deep));
    // The same as text, as a document, and as nothing that is a call.
    let message =
        format!(r#"[{{"role":"assistant","tool_calls":[{{"id":"c","function":{{"name":"T","arguments":"{deep}"}}}}]}},{deep}]"#);
    assert_eq!(self::read(message.replace(":[", ":\n[")).ids(), ["c"]);
    assert!(self::read(&deep).all.is_empty());
}

#[test]
fn lines_over_the_cap_are_skipped_with_a_word() {
    let options = Options { max_line: 1000, ..Options::default() };
    let long = format!("{{\"id\":\"x\",\"tool\":\"T\",\"arguments\":\"{}\"}}", "x".repeat(400_000));
    let (read, summary) = read_with(format!("{}\n{long}\n{}\n", own("a"), own("b")), &options);
    assert_eq!(read.ids(), ["a", "b"]);
    assert_eq!(read.problems(), ["f:2: skipped, 400036 bytes are more than the cap of 1000; split the line or raise the cap"]);
    assert_eq!(summary.unreadable, 1);
    let (read, _) = read_with(format!("{}\n{long}\n", own("a")), &Options::default());
    assert_eq!(read.ids(), ["a", "x"]);
}

#[test]
fn other_texts_are_no_captures() {
    for text in ["hello\nworld\n", "{\"name\": \"misfire\"}\n", "{\n \"a\": 1\n}\n", "a,b\n1,2\n", "{\"a\":1}\n{\"a\":2}\n"] {
        let read = read(text);
        assert_eq!(read.problems.iter().map(|p| p.kind.clone()).collect::<Vec<_>>(), [ProblemKind::UnknownFormat], "{text}");
    }
    for text in ["", "\n\n", "\u{FEFF}"] {
        let read = read(text);
        assert_eq!((read.all.len(), read.problems.len()), (0, 0), "{text:?}");
    }
    let utf16: Vec<u8> = "\u{FEFF}{}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(read(utf16).problems[0].kind, ProblemKind::Utf16);
}

#[test]
fn a_forced_format_is_not_detected() {
    let options = Options { format: Some("misfire".parse().unwrap()), ..Options::default() };
    let (read, _) = read_with("{\"no\":1}\n{\"tool\":\"T\"}\n", &options);
    assert_eq!((read.all.len(), read.problems.len()), (1, 1));
    let error = "nonsense".parse::<capture::FormatName>().unwrap_err().to_string();
    assert!(error.contains("`nonsense`") && error.contains("claude-code"), "{error}");
}

#[test]
fn folders_links_and_what_is_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("b/deep/er")).unwrap();
    fs::write(root.join("b/deep/er/x.jsonl"), own("2")).unwrap();
    fs::write(root.join("b.jsonl"), own("3")).unwrap();
    fs::write(root.join("a.jsonl"), own("1")).unwrap();
    fs::write(root.join("notes.md"), "# nothing\n").unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(root, root.join("b/deep/up")).unwrap();
        std::os::unix::fs::symlink(root.join("nowhere"), root.join("c.jsonl")).unwrap();
        let made = std::process::Command::new("mkfifo").arg(root.join("pipe")).status();
        assert!(made.is_ok_and(|status| status.success()));
    }
    let (read, summary) = read_path(root);
    assert_eq!(read.ids(), ["1", "2", "3"]);
    assert_eq!((summary.files, summary.skipped), (3, 1));
    let kinds: Vec<_> = read.problems.iter().map(|problem| problem.kind.clone()).collect();
    if cfg!(unix) {
        assert_eq!(kinds, [ProblemKind::LinkLoop, ProblemKind::Missing, ProblemKind::NotAFile], "{:?}", read.problems());
    }
    let (read, _) = read_path(&root.join("nowhere"));
    assert!(read.problems()[0].ends_with("there is no such file; check the path"));
    let (read, _) = read_path(&root.join("notes.md"));
    assert_eq!(read.problems[0].kind, ProblemKind::UnknownFormat);
}

/// What can be opened and not read, and what would never end, in a folder: each is said once, and the rest is read.
#[test]
#[cfg(target_os = "linux")]
fn files_that_cannot_be_read_stop_nothing() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for (name, id) in [("a.jsonl", "1"), ("z.jsonl", "2")] {
        fs::write(root.join(name), own(id)).unwrap();
    }
    symlink("/proc/self/mem", root.join("b.jsonl")).unwrap();
    symlink("/dev/zero", root.join("c.jsonl")).unwrap();
    symlink("d.jsonl", root.join("d.jsonl")).unwrap();
    let (read, _) = read_path(root);
    assert_eq!(read.ids(), ["1", "2"]);
    let of = |name: &str| {
        let here = read.problems.iter().filter(|problem| *problem.file == *root.join(name));
        here.map(|problem| problem.kind.clone()).collect::<Vec<_>>()
    };
    assert!(matches!(&of("b.jsonl")[..], [ProblemKind::Io(_)]), "{:?}", read.problems());
    assert_eq!(of("c.jsonl"), [ProblemKind::NotAFile]);
    assert_eq!(of("d.jsonl"), [ProblemKind::LinkLoop]);
    assert_eq!(read.problems.len(), 3, "{:?}", read.problems());
}

#[test]
fn a_sink_can_stop() {
    let mut calls = Calls { stop_after: Some(2), ..Calls::default() };
    let text = [own("a"), own("b"), own("c")].join("\n");
    let summary = capture::read_from(text.as_bytes(), Path::new("f"), &Options::calls_only(), &mut calls);
    assert!(summary.stopped);
    assert_eq!(calls.ids(), ["a", "b"]);
}

#[test]
fn repeats_and_results() {
    let claude =
        |role: &str, block: &str| format!(r#"{{"type":"{role}","uuid":"u","message":{{"role":"{role}","content":[{block}]}}}}"#);
    let call =
        |id: &str, input: &str| claude("assistant", &format!(r#"{{"type":"tool_use","id":"{id}","name":"T","input":{input}}}"#));
    let result =
        |id: &str, text: &str| claude("user", &format!(r#"{{"type":"tool_result","tool_use_id":"{id}","content":"{text}"}}"#));
    let lines = [
        call("a", r#"{"x":1,"y":2}"#),
        call("b", "{}"),
        call("a", r#"{"y":2.0,"x":1}"#), // The same call.
        call("a", r#"{"x":2}"#),         // Another call.
        result("a", "second"),
        result("a", "first"),
        result("a", "repeat"),
        result("z", "orphan"),
    ];
    let (read, summary) = read_with(lines.join("\n"), &Options::default());
    let found: Vec<_> = read.all.iter().map(|c| (c.id.as_deref().unwrap(), c.result.as_ref().map(|r| r.text.as_str()))).collect();
    assert_eq!(found, [("a", Some("first")), ("b", None), ("a", Some("second"))]);
    assert_eq!((summary.calls, summary.repeats, summary.results, summary.orphans), (3, 1, 2, 1));
    let (read, _) = read_with(lines.join("\n"), &Options::calls_only());
    assert_eq!(read.all.len(), 3);
}

#[test]
fn claude_input_that_was_not_json_is_the_text_that_the_model_wrote() {
    let text = r#"{"type":"assistant","uuid":"u","message":{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"T","input":{"__unparsedToolInput":{"raw":"{\"a\": tru","len":9}}},{"type":"server_tool_use","id":"b","name":"web_search","input":{}}]}}"#;
    let read = read(text);
    assert_eq!(read.all[0].arguments, Arguments::text("{\"a\": tru"));
    assert_eq!(read.all[1].input, capture::InputKind::ProviderRun);
}

#[test]
fn openai_free_text_is_marked() {
    let text = r#"{"messages":[{"role":"assistant","tool_calls":[{"id":"a","type":"custom","custom":{"name":"sh","input":"ls -la"}}]}]}"#;
    let read = read(text);
    assert_eq!((read.all[0].input, &read.all[0].arguments), (capture::InputKind::FreeText, &Arguments::text("ls -la")));
    // What is written has it still.
    assert_eq!(self::read(write_call(&read.all[0])).all[0].input, capture::InputKind::FreeText);
}

#[test]
fn written_lines_are_one_line_of_valid_unicode() {
    let arguments = Value::parse(br#"{"a":"\ud800\n\u2028"}"#).unwrap();
    let call = Call { id: Some("x".into()), note: Some("n".into()), ..Call::new("T", Arguments::Json(arguments)) };
    let line = write_call(&call);
    assert_eq!(line, "{\"id\":\"x\",\"tool\":\"T\",\"arguments\":{\"a\":\"\\ud800\\n\u{2028}\"},\"note\":\"n\"}");
}

#[test]
fn the_bundled_formats_are_listed() {
    let names: Vec<_> = capture::formats().map(capture::FormatName::name).collect();
    assert!(["misfire", "wave-agent", "claude-code", "openai-chat"].iter().all(|name| names.contains(name)), "{names:?}");
}
