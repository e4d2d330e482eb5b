//! Reading definitions: every shape, every place, everything that can be wrong with a file.

mod common;

use common::shared;
use misfire::definition::{Catalog, Definition, FindingKind, Origin};
use misfire::json::Value;
use std::fs;
use std::path::{Path, PathBuf};

const SCHEMA: &str = r#"{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}"#;

fn names(definitions: &[Definition]) -> Vec<(&str, &str)> {
    definitions.iter().map(|d| (d.name(), d.shape().name())).collect()
}

#[test]
fn every_shape_is_read() {
    for (text, expected) in [
        (format!(r#"{{"type":"function","function":{{"name":"t","parameters":{SCHEMA}}}}}"#), "openai"),
        (format!(r#"{{"function":{{"name":"t","parameters":{SCHEMA}}}}}"#), "openai"),
        (format!(r#"{{"type":"function","name":"t","strict":true,"parameters":{SCHEMA}}}"#), "openai-responses"),
        (format!(r#"{{"name":"t","description":"d","input_schema":{SCHEMA}}}"#), "anthropic"),
        (format!(r#"{{"name":"t","title":"T","inputSchema":{SCHEMA}}}"#), "mcp"),
        (format!(r#"{{"functionDeclarations":[{{"name":"t","parametersJsonSchema":{SCHEMA}}}]}}"#), "gemini"),
        (format!(r#"{{"function_declarations":[{{"name":"t","parameters_json_schema":{SCHEMA}}}]}}"#), "gemini"),
        (
            r#"{"name":"t","parameters":{"type":"OBJECT","properties":{"a":{"type":"STRING"}},"required":["a"]}}"#.to_owned(),
            "gemini",
        ),
        (format!(r#"{{"toolSpec":{{"name":"t","inputSchema":{{"json":{SCHEMA}}}}}}}"#), "bedrock"),
        (format!(r#"{{"name":"t","parameters":{SCHEMA}}}"#), "bare"),
    ] {
        let wrapped = [
            text.clone(),
            format!("\u{FEFF}[{text}]"),
            format!(r#"{{"tools":[{text}]}}"#),
            format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{text}]}}}}"#),
            format!(r#"{{"toolConfig":{{"tools":[{text}]}}}}"#),
        ];
        for text in wrapped {
            let definitions = Definition::parse(text.as_bytes()).expect(&text);
            assert_eq!(names(&definitions), [("t", expected)], "{text}");
            let parameters = definitions[0].parameters().expect("parameters").to_json();
            assert_eq!(parameters, SCHEMA, "{text}");
        }
    }
}

#[test]
fn gemini_types_are_lowered_in_schemas_and_not_in_data() {
    let text = r#"{"name":"t","parameters":{"type":"OBJECT","nullable":true,"properties":{
        "type":{"type":"STRING","enum":["STRING"]},"l":{"type":"ARRAY","items":{"anyOf":[{"type":"INTEGER"},{"type":"NULL"}]}},
        "m":{"type":"OBJECT","additionalProperties":{"type":"BOOLEAN"},"default":{"type":"OBJECT"}}}}}"#;
    let definition = Definition::parse(text.as_bytes()).unwrap().remove(0);
    assert_eq!(
        definition.parameters().unwrap().to_json(),
        r#"{"type":"object","nullable":true,"properties":{"type":{"type":"string","enum":["STRING"]},"l":{"type":"array","items":{"anyOf":[{"type":"integer"},{"type":"null"}]}},"m":{"type":"object","additionalProperties":{"type":"boolean"},"default":{"type":"OBJECT"}}}}"#
    );
    // What is shown is what is sent.
    assert!(String::from_utf8_lossy(definition.raw()).contains("\"OBJECT\""));
}

#[test]
fn tools_that_a_provider_runs_are_no_mistake() {
    let text = r#"[{"type":"web_search"},{"google_search":{}},{"type":"bash_20250124","name":"bash"},{"name":"t"}]"#;
    let definitions = Definition::parse(text.as_bytes()).unwrap();
    assert_eq!(names(&definitions), [("bash", "bare"), ("t", "bare")]);
    assert!(definitions.iter().all(|d| d.parameters().is_none()));
}

#[test]
fn what_is_no_definition_says_what_is_missing() {
    for (text, line, words) in [
        ("{\n \"type\": \"object\",\n \"properties\": {}\n}", 1, "no `name`"),
        ("[{\"name\": 5}]", 1, "`name` must be a string"),
        ("[\n7]", 2, "expected an object"),
        ("{\n\"name\": \"t\",\n}", 3, "expected `\"` (a key), found `}`"),
        ("", 1, "the end of the text"),
    ] {
        let error = Definition::parse(text.as_bytes()).expect_err(text);
        assert!(error.position.line == line && error.reason.contains(words), "{text}: {error}");
    }
}

/// A folder with files, gone when dropped.
struct Folder(tempfile::TempDir);

impl Folder {
    fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for (path, text) in files {
            folder.write(path, text);
        }
        folder
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join("tools").join(path)
    }

    fn load(&self) -> Catalog {
        Catalog::load(&[self.path("")])
    }
}

fn tool(name: &str) -> String {
    format!("{{\"name\": \"{name}\", \"parameters\": {SCHEMA}}}")
}

#[test]
fn origins_servers_and_places() {
    let folder = Folder::with(&[
        ("b/Read.json", &format!("[\n{},\n  {}]", tool("Read"), tool("mcp__x__y"))),
        ("mcp/tickets.json", &tool("search")),
        ("mcp/hub/issues.json", &tool("list")),
        ("custom/mine.json", &tool("mine")),
        ("notes.txt", "not read"),
    ]);
    let catalog = folder.load();
    assert_eq!(catalog.findings(), []);
    let seen: Vec<_> = catalog.definitions().iter().map(|d| (d.name(), d.origin(), d.position().line)).collect();
    assert_eq!(
        seen,
        [
            ("Read", Origin::Builtin, 2),
            ("mcp__x__y", Origin::Mcp, 3),
            ("mine", Origin::Custom, 1),
            ("list", Origin::Mcp, 1),
            ("search", Origin::Mcp, 1)
        ]
    );
    for name in ["search", "mcp__tickets__search", "list", "mcp__hub__list"] {
        assert_eq!(catalog.get(name).map(|d| d.origin()), Some(Origin::Mcp), "{name}");
    }
    assert_eq!(catalog.get("Read").unwrap().position_of("/properties/a/type").column, 68);
}

#[test]
fn what_cannot_be_read_is_a_finding_and_the_others_work() {
    let folder = Folder::with(&[
        ("a.json", "{\n  \"name\": \"a\",\n  oops\n}"),
        ("b.json", &tool("b")),
        ("c.json", &format!("[{}, {{\"nme\": \"x\"}}]", tool("c"))),
        ("d.json", "\u{FEFF}"),
    ]);
    let catalog = folder.load();
    assert!(catalog.get("b").is_some() && catalog.get("c").is_some());
    let findings: Vec<String> = catalog.findings().iter().map(ToString::to_string).collect();
    assert_eq!(findings.len(), 3, "{findings:?}");
    assert!(findings[0].contains("a.json:3:3: not JSON: expected `\"` (a key), found `o`"), "{}", findings[0]);
    assert!(findings[1].contains("c.json:1:"), "{}", findings[1]);
    assert!(findings[2].contains("d.json:1:1"), "{}", findings[2]);
}

#[test]
fn a_name_defined_twice_names_both_places_and_the_first_holds() {
    let folder = Folder::with(&[("x.json", &tool("t")), ("sub/y.json", &format!("\n{}", tool("t")))]);
    let catalog = folder.load();
    let [finding] = catalog.findings() else { panic!("{:?}", catalog.findings()) };
    assert_eq!(finding.kind, FindingKind::Duplicate);
    let text = finding.to_string();
    assert!(text.contains("x.json:1:1") && text.contains("sub/y.json:2"), "{text}");
    assert_eq!(catalog.get("t").unwrap().path(), folder.path("sub/y.json"));
}

#[test]
fn empty_missing_and_odd_places_say_what_to_do() {
    let folder = Folder::with(&[("notes.txt", "no definition")]);
    let findings = |path: &Path| Catalog::load(&[path.to_owned()]).findings().to_vec();
    let empty = findings(&folder.path(""));
    assert!(empty[0].kind == FindingKind::Empty && empty[0].reason.contains("--tools"), "{empty:?}");
    let missing = findings(&folder.path("nowhere"));
    assert!(missing[0].kind == FindingKind::Unreadable && missing[0].reason.contains("does not exist"), "{missing:?}");
    // A file in place of a folder is read as a file of definitions.
    let file = findings(&folder.path("notes.txt"));
    assert!(file[0].kind == FindingKind::Unreadable && file[0].reason.contains("not JSON"), "{file:?}");
}

#[test]
fn while_a_file_does_not_parse_its_last_good_definitions_stay() {
    let folder = Folder::with(&[("a.json", &tool("a")), ("b.json", &tool("b"))]);
    let first = folder.load();
    folder.write("a.json", "{\"name\": \"a\", \"para");
    let broken = Catalog::load_keeping(&[folder.path("")], &first);
    assert!(broken.get("a").is_some() && broken.get("b").is_some());
    assert!(broken.findings()[0].kept && broken.findings()[0].to_string().contains("stay in force"));
    assert_eq!(first.changed_names(&broken), Vec::<String>::new());

    folder.write("a.json", &tool("a").replace("string", "number"));
    let mended = Catalog::load_keeping(&[folder.path("")], &broken);
    assert_eq!(mended.findings(), []);
    assert_eq!(broken.changed_names(&mended), ["a"]);
    // Unchanged files keep their very definitions, so that nothing of them is done again.
    assert!(std::sync::Arc::ptr_eq(first.get("b").unwrap(), mended.get("b").unwrap()));

    fs::remove_file(folder.path("a.json")).unwrap();
    let removed = Catalog::load_keeping(&[folder.path("")], &mended);
    assert!(removed.get("a").is_none());
    assert_eq!(mended.changed_names(&removed), ["a"]);
}

#[cfg(unix)]
#[test]
fn links_in_a_circle_end() {
    let folder = Folder::with(&[("sub/a.json", &tool("a"))]);
    std::os::unix::fs::symlink(folder.path(""), folder.path("sub/up")).unwrap();
    std::os::unix::fs::symlink(folder.path("gone.json"), folder.path("dangling.json")).unwrap();
    let catalog = folder.load();
    assert_eq!(catalog.definitions().len(), 1);
    assert!(catalog.findings()[0].to_string().contains("dangling.json"));
}

#[test]
fn bundled_definitions_are_whole() {
    let catalog = Catalog::load(&[PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tools")]);
    assert_eq!(catalog.findings(), []);
    let builtin: Vec<_> = catalog.definitions().iter().filter(|d| d.origin() == Origin::Builtin).collect();
    assert_eq!(builtin.len(), 25);
    for definition in catalog.definitions() {
        assert!(definition.description().is_some_and(|d| d.len() >= 20), "{}", definition.name());
        for row in definition.parameter_rows().iter().filter(|row| row.name != "[]" && row.name != "*") {
            assert!(row.description.is_some(), "{} {} has no description", definition.name(), row.pointer);
        }
    }
    let Some(path) = shared("spec/wave-tools.json") else {
        eprintln!("skipped in part: needs ../shared/spec/wave-tools.json");
        return;
    };
    let facts = Value::parse(&fs::read(path).unwrap()).unwrap();
    for fact in facts.as_array().unwrap() {
        let name = fact.get("name").and_then(Value::as_string).unwrap().to_string();
        let mut parameters = catalog.get(&name).unwrap().parameters().unwrap().clone();
        strip_descriptions(&mut parameters, false);
        assert_eq!(parameters.to_json(), fact.get("parameters").unwrap().to_json(), "{name}");
    }
}

/// Removes the descriptions of a schema, which are ours, and leaves parameters that are called so (`names`: the keys are
/// parameters).
fn strip_descriptions(value: &mut Value, names: bool) {
    match value {
        Value::Object(object) => {
            let described = |key: &misfire::json::JsString, v: &Value| !names && *key == "description" && v.as_string().is_some();
            let kept = object.entries().iter().filter(|(key, v)| !described(key, v)).map(|(key, v)| {
                let mut v = v.clone();
                strip_descriptions(&mut v, !names && *key == "properties");
                (key.clone(), v)
            });
            *value = Value::Object(kept.collect());
        }
        Value::Array(items) => items.iter_mut().for_each(|item| strip_descriptions(item, false)),
        _ => {}
    }
}

#[test]
fn real_definitions_of_other_agents_are_read() {
    let Some(folder) = shared("captures/tools") else {
        eprintln!("skipped: needs ../shared/captures/tools");
        return;
    };
    let catalog = Catalog::load(&[folder]);
    let unreadable: Vec<_> = catalog.findings().iter().filter(|f| f.kind != FindingKind::Duplicate).collect();
    assert!(unreadable.is_empty(), "{unreadable:#?}");
    assert!(catalog.definitions().len() > 150, "{}", catalog.definitions().len());
}
