//! Lint: every rule by a definition that must and one that must not trigger it, the bundled definitions, and the sample
//! definitions of real agents and servers where they are at hand.
#![cfg(feature = "jsonschema")]

use misfire::definition::{Catalog, Definition};
use misfire::gate::Profile;
use misfire::json::Value;
use misfire::lint::{Finding, Options, Report, Severity, Target, Targets, lint, rules};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key)?.as_string().map(ToString::to_string)
}

/// Writes out what a row says short: `{"$repeat": ["x", 3]}`, `{"$list": 3}`, `{"$properties": [3, {}]}`, `{"$tools": 3}`.
fn expanded(value: &Value) -> String {
    let number = |value: &Value| value.to_json().parse::<usize>().unwrap();
    let list = |n: usize, item: &dyn Fn(usize) -> String| (0..n).map(item).collect::<Vec<_>>().join(", ");
    let pair = |value: &Value| value.as_array().map(<[Value]>::to_vec).unwrap();
    let Value::Object(object) = value else {
        return match value {
            Value::Array(items) => format!("[{}]", items.iter().map(expanded).collect::<Vec<_>>().join(", ")),
            other => other.to_json(),
        };
    };
    let members = || object.entries().iter().map(|(k, v)| format!("{k:?}: {}", expanded(v))).collect::<Vec<_>>().join(", ");
    match object.entries() {
        [(key, short)] if *key == "$repeat" => {
            let [text, n] = pair(short).try_into().unwrap();
            Value::from(text.as_string().unwrap().to_string().repeat(number(&n))).to_json()
        }
        [(key, n)] if *key == "$list" => format!("[{}]", list(number(n), &|i| format!(r#""v{i}""#))),
        [(key, short)] if *key == "$properties" => {
            let [n, schema] = pair(short).try_into().unwrap();
            format!("{{{}}}", list(number(&n), &|i| format!(r#""p{i}": {}"#, schema.to_json())))
        }
        [(key, n)] if *key == "$tools" => {
            format!("[{}]", list(number(n), &|i| format!(r#"{{"name": "t{i}", "inputSchema": {{"type": "object"}}}}"#)))
        }
        [(key, n)] if *key == "$strict" => {
            let tool = |i| format!(r#"{{"name": "t{i}", "strict": true, "input_schema": {{"type": "object"}}}}"#);
            format!("[{}]", list(number(n), &tool))
        }
        _ => format!("{{{}}}", members()),
    }
}

/// The definitions of a row: whole as they stand, or parameters put into a tool of the row's form.
fn catalog(row: &Value, key: &str) -> Catalog {
    let given = row.get(key).unwrap_or_else(|| panic!("no {key} in {}", row.to_json()));
    let form = text(row, "form").unwrap_or_else(|| "mcp".to_owned());
    let strict = if row.get("strict").is_some() { r#", "strict": true"# } else { "" };
    let schema = expanded(given);
    let head = format!(r#""name": "t", "description": "A description that is long enough."{strict}"#);
    let tool = match (form.as_str(), given) {
        // Text, so that it can say what JSON cannot hold twice.
        ("raw", Value::String(written)) => written.to_string(),
        ("raw", _) => schema,
        ("mcp", _) if strict.is_empty() => format!(r#"{{{head}, "inputSchema": {schema}}}"#),
        ("mcp", _) => format!(r#"{{"type": "function", "function": {{{head}, "parameters": {schema}}}}}"#),
        ("anthropic", _) => format!(r#"{{{head}, "input_schema": {schema}}}"#),
        ("gemini", _) => format!(r#"{{{head}, "parameters": {}}}"#, schema.replacen(r#""object""#, r#""OBJECT""#, 1)),
        ("gemini-json", _) => format!(r#"{{{head}, "parametersJsonSchema": {schema}}}"#),
        (other, _) => panic!("no form {other}"),
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tools.json");
    std::fs::write(&file, tool).unwrap();
    let catalog = Catalog::load(&[file]);
    assert!(!catalog.definitions().is_empty(), "{:?}", catalog.findings());
    catalog
}

fn options(row: &Value) -> Options {
    let target = text(row, "target").unwrap();
    let targets = if target == "all" { Targets::ALL } else { Targets::of(&[Target::from_name(&target).expect(&target)]) };
    let profile = if text(row, "profile").is_some() { Profile::JsonSchema { formats: true } } else { Profile::Wave };
    let name_prefix = text(row, "name_prefix").unwrap_or_default();
    Options { targets: Some(targets), profile, name_prefix, ..Options::default() }
}

#[test]
fn every_rule_has_a_definition_that_must_and_one_that_must_not_trigger_it() {
    let rows = include_str!("data/lint-rules.ndjson");
    let mut tested = BTreeSet::new();
    let mut wrong = Vec::new();
    for line in rows.lines() {
        let row = Value::parse(line.as_bytes()).unwrap();
        let rule = text(&row, "rule").unwrap();
        let hit = |finding: &&Finding| {
            finding.rule.id == rule
                && text(&row, "severity").is_none_or(|s| s == finding.severity.name())
                && text(&row, "pointer").is_none_or(|p| p == finding.pointer)
        };
        let must = lint(&catalog(&row, "must"), &options(&row));
        if !must.findings().any(|(_, finding)| hit(&finding)) {
            let found: Vec<_> = must.findings().map(|(_, f)| (f.rule.id, f.severity, f.pointer.clone())).collect();
            wrong.push(format!("{rule} lacks: {} {found:?}", &line[..line.len().min(200)]));
        }
        let must_not = lint(&catalog(&row, "must_not"), &options(&row));
        if let Some((_, finding)) =
            must_not.findings().find(|(_, f)| f.rule.id == rule && text(&row, "severity").is_none_or(|s| s == f.severity.name()))
        {
            wrong.push(format!("{rule} found where it must not be: {} at {}", finding.message, finding.pointer));
        }
        tested.insert(rule);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let all: BTreeSet<String> = rules().iter().map(|rule| rule.id.to_owned()).collect();
    assert_eq!(all, tested, "rules without a test, or tests without a rule");
}

#[test]
fn rules_say_where_they_are_known_from() {
    for rule in rules() {
        assert!(!rule.why.is_empty() && !rule.evidence.is_empty() && rule.date.len() == 10, "{}", rule.id);
        assert!(!rule.targets().is_empty(), "{}", rule.id);
        assert!(rule.why.ends_with(['.', ')', '`']), "{}", rule.id);
    }
}

#[test]
fn findings_are_found_again() {
    let tools = |description: &str| {
        let text = format!(
            "{{\"tools\": [\n\n{{\"name\": \"t\", \"description\": \"{description}\",\n \"inputSchema\": {{\"type\": \"object\",\n  \"properties\": {{\n    \"a\": {{\"type\": \"int\"}}}}}}}}]}}"
        );
        let report = lint(&Catalog::from_definitions(Definition::parse(text.as_bytes()).unwrap()), &Options::default());
        let found = report.findings().find(|(_, f)| f.rule.id == "type-unknown").map(|(_, f)| f.clone());
        found.unwrap()
    };
    let (one, other) = (tools("One."), tools("Another text altogether."));
    assert_eq!((one.line, one.pointer.as_str()), (6, "/properties/a/type"));
    assert_eq!(one.fingerprint, other.fingerprint);
    assert_eq!(one.fingerprint.len(), 12);
}

#[test]
fn rules_can_be_chosen_and_their_levels_set() {
    let tool = br#"{"name": "t", "inputSchema": {"type": "object", "properties": {"a": {"type": "int"}}}}"#;
    let catalog = Catalog::from_definitions(Definition::parse(tool).unwrap());
    let ids = |options: &Options| -> Vec<(&str, Severity)> {
        lint(&catalog, options).findings().map(|(_, f)| (f.rule.id, f.severity)).collect()
    };
    let one = |id: &str| [id.to_owned()].into();
    assert_eq!(ids(&Options { select: one("type-unknown"), ..Options::default() }), [("type-unknown", Severity::Error)]);
    assert!(!ids(&Options { ignore: one("type-unknown"), ..Options::default() }).iter().any(|(id, _)| *id == "type-unknown"));
    let levels = [("type-unknown".to_owned(), Some(Severity::Note)), ("object-open".to_owned(), None)].into();
    let found = ids(&Options { levels, ..Options::default() });
    assert!(found.contains(&("type-unknown", Severity::Note)) && !found.iter().any(|(id, _)| *id == "object-open"));
}

fn shared(below: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(below);
    if !path.exists() {
        println!("skipped: {} is not there", path.display());
        return None;
    }
    Some(path)
}

fn errors(report: &Report) -> Vec<String> {
    let error = |(tool, f): (&misfire::lint::ToolReport, &Finding)| {
        (f.severity == Severity::Error)
            .then(|| format!("{} {} {} {}: {}", f.file.display(), tool.name, f.rule.id, f.pointer, f.message))
    };
    report.findings().filter_map(error).collect()
}

#[test]
fn the_bundled_definitions_have_no_errors() {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools");
    let report = lint(&Catalog::load(&[tools]), &Options::default());
    assert!(report.tools.len() > 20);
    assert_eq!(errors(&report), Vec::<String>::new());
}

#[test]
fn definitions_of_real_tools_have_no_false_errors() {
    let Some(folder) = shared("captures/tools") else { return };
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in [folder.clone(), folder.join("agents")] {
        files.extend(std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|p| p.is_file()));
    }
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let report = lint(&Catalog::load(&[file]), &Options::default());
        all.extend(errors(&report));
    }
    for error in &all {
        println!("{error}");
    }
    assert!(all.is_empty());
}

#[test]
fn what_was_found_in_the_cases_is_found() {
    let Some(folder) = shared("cases/definitions") else { return };
    let mut wrong = Vec::new();
    for case in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let expected = Value::parse(&std::fs::read(case.join("expected.json")).unwrap()).unwrap();
        let report =
            lint(&Catalog::load(&[case.join("after.json")]), &Options { targets: Some(Targets::ALL), ..Options::default() });
        for want in expected.get("lint_after").and_then(Value::as_array).unwrap() {
            let names: Vec<String> = want
                .get("targets")
                .and_then(Value::as_array)
                .unwrap()
                .iter()
                .filter_map(|v| v.as_string().map(ToString::to_string))
                .collect();
            let found = report.findings().any(|(_, f)| {
                let targets = f.targets.names();
                text(want, "rule").unwrap() == f.rule.id
                    && text(want, "severity").unwrap() == f.severity.name()
                    && text(want, "pointer").unwrap() == f.pointer
                    && (targets == ["all"] || names.iter().all(|name| targets.contains(&name.as_str())))
            });
            if !found {
                wrong.push(format!("{}: {}", case.display(), want.to_json()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// `UPDATE_DOCS=1 cargo test --test lint` writes the table anew.
#[test]
fn the_table_of_rules_is_documented_as_it_is() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/lint.md");
    let there = std::fs::read_to_string(&path).unwrap();
    let (before, _) = there.split_once("| rule |").expect("docs/lint.md has a table of rules");
    let mut made = format!("{before}| rule | finds | for whom | known from |\n| --- | --- | --- | --- |\n");
    for rule in rules() {
        let mut levels: Vec<String> =
            rule.levels.iter().map(|(targets, severity)| format!("{severity}: {}", targets.names().join(", "))).collect();
        if let Some(gemini) = rule.gemini {
            let json = gemini.json_schema.map_or("no".to_owned(), |severity| severity.name().to_owned());
            levels.push(format!(
                "gemini: {} as `parameters`, {json} as `parametersJsonSchema`, {} converted",
                gemini.parameters, gemini.converted
            ));
        }
        let row = [format!("`{}`", rule.id), rule.finds.to_owned(), levels.join("; "), rule.evidence.to_owned()];
        made.extend(["| ", &row.map(|cell| cell.replace('|', "\\|")).join(" | "), " |\n"]);
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    assert!(std::fs::read_to_string(&path).unwrap() == made, "docs/lint.md is out of date: UPDATE_DOCS=1 cargo test --test lint");
}
