//! `misfire lint` as a command: formats, exit statuses, configuration, repairs.
#![cfg(all(feature = "cli", feature = "jsonschema"))]

use clap::{Args as _, FromArgMatches as _};
use misfire::cli::{Config, Streams, lint};
use misfire::json::Value;
use std::path::Path;

struct Ran {
    status: u8,
    out: String,
    err: String,
}

/// Runs the command in a folder: paths are relative to it, and so are configuration and output.
fn run(folder: &Path, args: &[&str]) -> Ran {
    let command = lint::Args::augment_args(clap::Command::new("lint").no_binary_name(true));
    let args = args.iter().map(|arg| arg.replace("{}", &folder.to_string_lossy())).collect::<Vec<_>>();
    let args = lint::Args::from_arg_matches(&command.try_get_matches_from(args).unwrap()).unwrap();
    let config = Config::load(folder).unwrap();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut streams = Streams { input: &mut std::io::empty(), out: &mut out, err: &mut err };
    let status = lint::run(&args, &config, &mut streams).unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace(&*folder.to_string_lossy(), "DIR");
    Ran { status, out: text(out), err: text(err) }
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

const TOOLS: &str = r#"{"tools": [
  {"name": "good", "description": "Does something useful.", "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}},
  {"name": "bad|`x`", "description": "<b>Does</b> something, @everybody.", "inputSchema": {
    "type": "object",
    "properties": {"a": {"type": "int"}},
    "additionalProperties": false
  }}
]}
"#;

#[test]
fn text_is_for_people_and_the_status_for_programs() {
    let folder = folder(&[("t.json", TOOLS)]);
    let ran = run(folder.path(), &["{}/t.json"]);
    assert_eq!(ran.status, 1);
    assert!(ran.out.contains("bad|`x`  DIR/t.json:3\n"), "{}", ran.out);
    assert!(
        ran.out
            .contains("  error        5  /properties/a/type: \"int\" is no type of JSON Schema [type-unknown; mcp, clients]\n"),
        "{}",
        ran.out
    );
    assert!(ran.out.ends_with("2 definitions: 1 error, 1 warning, 1 note\n"), "{}", ran.out);
    assert_eq!(run(folder.path(), &["{}/t.json", "--fail-on", "never"]).status, 0);
    assert_eq!(run(folder.path(), &["{}/t.json", "--ignore", "type-unknown"]).status, 0);
    assert_eq!(run(folder.path(), &["{}/t.json", "--ignore", "type-unknown", "--fail-on", "note"]).status, 1);
    let none = run(folder.path(), &["{}/nowhere.json"]);
    assert!(none.status == 2 && none.err.contains("nowhere.json"), "{}", none.err);
}

#[test]
fn json_has_everything() {
    let folder = folder(&[("t.json", TOOLS)]);
    let ran = run(folder.path(), &["{}/t.json", "--target", "all", "--format", "json", "--select", "type-unknown"]);
    let report = Value::parse(ran.out.as_bytes()).unwrap();
    let tools = report.get("tools").and_then(Value::as_array).unwrap();
    let names: Vec<String> = tools.iter().map(|t| t.get("name").unwrap().to_json()).collect();
    assert_eq!(names, ["\"good\"", "\"bad|`x`\""]);
    assert_eq!(tools[0].get("findings").unwrap().to_json(), "[]");
    assert_eq!(
        tools[1].get("findings").unwrap().to_json(),
        r#"[{"rule":"type-unknown","severity":"error","targets":["all"],"pointer":"/properties/a/type","file":"DIR/t.json","line":5,"message":"\"int\" is no type of JSON Schema","fingerprint":"FP"}]"#
            .replace("FP", tools[1].at_pointer("/findings/0/fingerprint").and_then(Value::as_string).unwrap().as_str().unwrap())
    );
    assert_eq!(report.get("summary").unwrap().to_json(), r#"{"tools":2,"error":1,"warning":0,"note":0}"#);
}

#[test]
fn other_formats_escape_what_definitions_say() {
    let folder = folder(&[("t.json", TOOLS)]);
    let of = |format: &str| run(folder.path(), &["{}/t.json", "--format", format]).out;
    let markdown = of("markdown");
    assert!(markdown.starts_with("### Tool definitions: 1 error, 1 warning, 1 note\n"), "{markdown}");
    assert!(
        markdown.contains(
            "| error | ``bad\\|`x` `` | `DIR/t.json:5` | \"int\" is no type of JSON Schema (mcp, clients) | `type-unknown` |"
        ) || markdown.contains("`` bad\\|`x` ``"),
        "{markdown}"
    );
    let github = of("github");
    assert!(
        github.starts_with("::error file=DIR/t.json,line=5,title=type-unknown::bad|`x`: \"int\" is no type of JSON Schema\n"),
        "{github}"
    );
    let junit = of("junit");
    assert!(junit.contains(r#"<testsuites name="misfire lint" tests="2" failures="1">"#), "{junit}");
    assert!(junit.contains(r#"<testcase name="good" classname="DIR/t.json" file="DIR/t.json" line="2"/>"#), "{junit}");
    assert!(junit.contains(r#"<failure type="type-unknown" message="&quot;int&quot; is no type of JSON Schema">"#), "{junit}");
    let sarif = Value::parse(of("sarif").as_bytes()).unwrap();
    assert_eq!(sarif.at_pointer("/runs/0/results/0/ruleId").unwrap().to_json(), "\"type-unknown\"");
    assert_eq!(sarif.at_pointer("/runs/0/results/0/locations/0/physicalLocation/region/startLine").unwrap().to_json(), "5");
    let index: usize = sarif.at_pointer("/runs/0/results/0/ruleIndex").unwrap().to_json().parse().unwrap();
    assert_eq!(sarif.at_pointer(&format!("/runs/0/tool/driver/rules/{index}/id")).unwrap().to_json(), "\"type-unknown\"");
}

#[test]
fn annotations_keep_to_what_github_keeps() {
    let properties: Vec<String> = (0..30).map(|i| format!(r#""p{i}": {{"type": "int"}}"#)).collect();
    let tools = format!(
        r#"{{"name": "t%\u000a::error::x", "inputSchema": {{"type": "object", "properties": {{{}}}}}}}"#,
        properties.join(", ")
    );
    let folder = folder(&[("t,a.json", &tools)]);
    let out = run(folder.path(), &["{}/t,a.json", "--format", "github"]).out;
    let count = |start: &str| out.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!(count("::error "), 10);
    assert!(count("::notice ") <= 10 && out.lines().count() <= 30);
    assert!(out.lines().all(|line| line.starts_with("::")), "{out}");
    assert!(out.contains("file=DIR/t%2Ca.json,line=1") && out.contains("::t%25%0A::error::x: "), "{out}");
    assert!(out.ends_with("more findings are not shown here\n"), "{out}");
}

#[test]
fn several_formats_and_a_file() {
    let folder = folder(&[("t.json", TOOLS)]);
    let ran = run(folder.path(), &["{}/t.json", "--format", "github", "--format", "markdown", "--output", "{}/r.md"]);
    assert!(ran.out.starts_with("::error ") && !ran.out.contains("###"));
    assert!(std::fs::read_to_string(folder.path().join("r.md")).unwrap().starts_with("### "));
    let failed = run(folder.path(), &["{}/t.json", "--output", "{}/no/such/folder.md"]);
    assert!(failed.status == 2 && failed.err.contains("could not be written"));
}

#[test]
fn configuration_and_its_mistakes() {
    let config = "tools = \"x.json\"\ntargets = [\"openai\"]\nfail-on = \"note\"\n[rules]\ntype-unknown = \"note\"\nparam-description-missing = \"off\"\n";
    let folder = folder(&[("t.json", TOOLS), ("misfire.toml", config)]);
    let ran = run(folder.path(), &["{}/t.json"]);
    assert!(
        ran.status == 1 && ran.out.contains("note         5  /properties/a/type") && ran.out.contains("[type-unknown; openai]"),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains("param-description-missing"));
    assert_eq!(
        run(folder.path(), &["{}/t.json", "--fail-on", "error", "--target", "mcp", "--ignore", "tool-name-pattern"]).status,
        0
    );
    for (config, word) in [
        ("[rules]\nno-such = \"off\"\n", "no-such"),
        ("[rules]\ntype-array = \"loud\"\n", "type-array"),
        ("targets = [\"x\"]\n", "targets"),
    ] {
        std::fs::write(folder.path().join("misfire.toml"), config).unwrap();
        let ran = run(folder.path(), &["{}/t.json"]);
        assert!(ran.status == 2 && ran.err.contains(word), "{}", ran.err);
    }
}

#[test]
fn rules_are_listed_and_explained() {
    let folder = folder(&[]);
    let list = run(folder.path(), &["--list-rules"]);
    assert_eq!((list.status, list.out.lines().count()), (0, misfire::lint::rules().len()));
    let why = run(folder.path(), &["--explain", "type-array"]);
    assert!(
        why.out.contains("gemini, as `parameters`") && why.out.contains("known from: ") && why.out.contains("2026-11-30"),
        "{}",
        why.out
    );
}

#[test]
fn repairs_are_shown_and_then_written() {
    let before = "\u{FEFF}{\"name\": \"t\", \"inputSchema\": {\n  \"type\": \"object\"\n}}\n";
    let folder = folder(&[("t.json", before)]);
    let args = ["{}/t.json", "--target", "openai", "--fix", "--fail-on", "never"];
    let shown = run(folder.path(), &[&args[..], &["--dry-run"]].concat());
    assert!(shown.out.contains("+  \"properties\": {}\n"), "{}", shown.out);
    assert_eq!(std::fs::read_to_string(folder.path().join("t.json")).unwrap(), before);
    let ran = run(folder.path(), &args);
    assert!(ran.out.contains("+  \"properties\": {}\n") && !ran.out.contains("[object-properties-missing"), "{}", ran.out);
    let after = std::fs::read_to_string(folder.path().join("t.json")).unwrap();
    assert_eq!(after, before.replace("\"object\"\n", "\"object\",\n  \"properties\": {}\n"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}
