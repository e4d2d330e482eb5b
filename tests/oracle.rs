//! The gate against an independent statement of its rules in JavaScript, over generated definitions and calls.
//!
//! Runs where `../shared/oracle/gate.mjs` and `node` are present, and says so where it does not. The same comparison over
//! hand-picked vectors runs everywhere: see `vectors.rs`.

mod common;

use common::{Random, judge_line, shared};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Pairs of a definition and a call that are compared.
const PAIRS: usize = 30_000;

/// Runs the oracle over one JSON object a line; `None` where it or node is not there.
fn oracle(input: &str) -> Option<String> {
    let script = shared("oracle/gate.mjs")?;
    let mut node = Command::new("node").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let mut stdin = node.stdin.take().expect("a pipe");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = node.wait_with_output().expect("node ends");
    writer.join().expect("no panic").expect("node reads all");
    assert!(output.status.success(), "node failed");
    Some(String::from_utf8(output.stdout).expect("UTF-8"))
}

fn compare(lines: &[String]) {
    let Some(answers) = oracle(&lines.join("\n")) else {
        eprintln!("skipped: needs ../shared/oracle/gate.mjs and node");
        return;
    };
    let answers: Vec<&str> = answers.lines().collect();
    assert_eq!(answers.len(), lines.len());
    for (line, answer) in lines.iter().zip(answers) {
        assert_eq!(judge_line(line), answer, "\nfor {line}");
    }
}

#[test]
fn agrees_with_the_oracle_on_generated_pairs() {
    let mut random = Random::new(0x5EED);
    let lines: Vec<String> = (0..PAIRS).map(|_| pair(&mut random)).collect();
    compare(&lines);
}

#[test]
fn agrees_with_the_oracle_on_the_vectors() {
    let vectors = include_str!("vectors/gate.ndjson");
    compare(&vectors.lines().map(str::to_owned).collect::<Vec<_>>());
}

/// A definition and a call, as one line for the oracle.
fn pair(r: &mut Random) -> String {
    let schema = schema(r, 0);
    let value = if r.chance(4, 5) { fitting(r, &schema, 0) } else { value(r, 0) };
    let arguments = match r.below(10) {
        0..=4 => value,
        5..=7 => misfire::json::quote(value.as_bytes()),
        8 => misfire::json::quote(damaged(r, &value).as_bytes()),
        _ => misfire::json::quote(
            format!("{}{}{}", r.pick(&["", " ", "\u{FEFF}", "\u{3000}\n"]), value, r.pick(&["", "\t", "\u{A0}"])).as_bytes(),
        ),
    };
    let name = r.pick(&["Read", "t", "mcp__a__b", "mcp_", "工具", "a`b\\n"]);
    let mut line = format!("{{\"name\":\"{name}\",\"arguments\":{arguments}");
    if r.chance(19, 20) {
        let _ = write!(line, ",\"parameters\":{}", schema.text);
    }
    if r.chance(1, 8) {
        let _ = write!(line, ",\"origin\":\"{}\"", r.pick(&["builtin", "mcp", "custom", "unknown"]));
    }
    if r.chance(1, 4) {
        let _ = write!(line, ",\"finish_reason\":\"{}\"", r.pick(&["length", "stop"]));
    }
    line + "}"
}

/// A text as it might arrive: cut off, or with a character lost, doubled or put in.
fn damaged(r: &mut Random, text: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let at = r.below(chars.len() + 1);
    match r.below(4) {
        0 | 1 => chars.truncate(at),
        2 if at < chars.len() => drop(chars.remove(at)),
        _ => chars.insert(at, *r.pick(&['"', '}', ']', ',', '\\', '{', '\n'])),
    }
    chars.into_iter().collect()
}

/// A generated schema: its text, and what is needed to make a value that nearly fits.
struct Schema {
    text: String,
    kind: &'static str,
    properties: Vec<(String, Schema)>,
    items: Option<Box<Schema>>,
    members: Vec<String>,
}

const KEYS: [&str; 16] = [
    "a",
    "b",
    "file_path",
    "id",
    "",
    "0",
    "10",
    "9",
    "4294967295",
    "__proto__",
    "constructor",
    "a.b",
    "~/",
    "日",
    "\\ud800",
    "k\\u0000",
];
const TYPES: [&str; 7] = ["string", "number", "integer", "boolean", "object", "array", "null"];
/// Keyword values of a wrong shape, which count as absent.
const WRONG: [&str; 6] = ["null", "0", "true", "\"x\"", "[]", "[1]"];

fn schema(r: &mut Random, depth: usize) -> Schema {
    let mut out = Schema { text: String::new(), kind: "", properties: Vec::new(), items: None, members: Vec::new() };
    if r.chance(1, 25) {
        out.text = String::from(*r.pick(&["true", "false", "null", "1", "[]", "{}", "{\"$ref\":\"#/x\",\"type\":\"string\"}"]));
        return out;
    }
    let kind = if depth < 4 && r.chance(3, 5) { *r.pick(&["object", "object", "array"]) } else { *r.pick(&TYPES) };
    out.kind = kind;
    let mut keywords: Vec<String> = Vec::new();
    match r.below(12) {
        0 => {}
        1 => keywords.push(format!("\"type\":[\"{kind}\",\"{}\"]", r.pick(&TYPES))),
        2 => keywords
            .push(format!("\"type\":{}", r.pick(&["\"strng\"", "[]", "5", "null", "[\"string\",1]", "[\"object\",\"any\"]"]))),
        _ => keywords.push(format!("\"type\":\"{kind}\"")),
    }
    if r.chance(1, 8) {
        keywords.push(format!("\"nullable\":{}", r.pick(&["true", "true", "false", "1"])));
    }
    if r.chance(1, 6) || (kind == "string" && r.chance(1, 3)) {
        out.members = (0..r.below(4)).map(|_| value(r, depth + 3)).collect();
        keywords.push(format!("\"enum\":[{}]", out.members.join(",")));
    }
    if kind == "object" || r.chance(1, 12) {
        object_keywords(r, depth, &mut out, &mut keywords);
    }
    if (kind == "array" && r.chance(4, 5)) || r.chance(1, 12) {
        let items = schema(r, depth + 1);
        keywords.push(format!("\"items\":{}", items.text));
        out.items = Some(Box::new(items));
        if r.chance(1, 8) {
            keywords.push("\"prefixItems\":[]".to_owned());
        }
    }
    if r.chance(1, 15) {
        keywords.push(
            (*r.pick(&["\"minLength\":3", "\"format\":\"date\"", "\"description\":\"x\"", "\"const\":1", "\"type\":\"string\""]))
                .to_owned(),
        );
    }
    r.shuffle(&mut keywords);
    out.text = format!("{{{}}}", keywords.join(","));
    out
}

fn object_keywords(r: &mut Random, depth: usize, out: &mut Schema, keywords: &mut Vec<String>) {
    if r.chance(7, 8) {
        let names: Vec<String> = (0..r.below(5)).map(|_| (*r.pick(&KEYS)).to_owned()).collect();
        out.properties = names.into_iter().map(|name| (name, schema(r, depth + 1))).collect();
        let list: Vec<String> = out.properties.iter().map(|(name, s)| format!("\"{name}\":{}", s.text)).collect();
        keywords.push(format!("\"properties\":{{{}}}", list.join(",")));
    } else if r.chance(1, 2) {
        keywords.push(format!("\"properties\":{}", r.pick(&WRONG)));
    }
    match r.below(8) {
        0 => keywords.push(format!("\"required\":{}", r.pick(&WRONG))),
        1..=5 => {
            let mut names: Vec<String> = (0..r.below(4)).map(|_| format!("\"{}\"", r.pick(&KEYS))).collect();
            names.extend(out.properties.iter().filter(|_| r.chance(1, 2)).map(|(name, _)| format!("\"{name}\"")));
            names.extend(r.chance(1, 6).then(|| "7".to_owned()));
            keywords.push(format!("\"required\":[{}]", names.join(",")));
        }
        _ => {}
    }
    match r.below(10) {
        0 | 1 => keywords.push("\"additionalProperties\":false".to_owned()),
        2 => keywords.push("\"additionalProperties\":true".to_owned()),
        3 => keywords.push(format!("\"additionalProperties\":{}", schema(r, depth + 1).text)),
        4 => keywords.push(format!("\"additionalProperties\":{}", r.pick(&WRONG))),
        _ => {}
    }
    if r.chance(1, 8) {
        let elsewhere = [
            "\"anyOf\":[]",
            "\"oneOf\":1",
            "\"allOf\":null",
            "\"if\":{}",
            "\"then\":{}",
            "\"else\":{}",
            "\"dependentSchemas\":{}",
            "\"dependencies\":{}",
            "\"$dynamicRef\":\"#a\"",
            "\"$recursiveRef\":\"#\"",
            "\"unevaluatedProperties\":false",
            "\"unevaluatedProperties\":true",
            "\"patternProperties\":{}",
            "\"$defs\":{}",
            "\"not\":{}",
        ];
        keywords.push((*r.pick(&elsewhere)).to_owned());
    }
}

/// A value that fits a schema, more or less.
fn fitting(r: &mut Random, schema: &Schema, depth: usize) -> String {
    if r.chance(1, 12) || depth > 8 {
        return value(r, depth);
    }
    if !schema.members.is_empty() && r.chance(4, 5) {
        return r.pick(&schema.members).clone();
    }
    match schema.kind {
        "object" => {
            let mut members: Vec<String> = Vec::new();
            for (name, property) in &schema.properties {
                if r.chance(3, 4) {
                    members.push(format!("\"{name}\":{}", fitting(r, property, depth + 1)));
                }
            }
            while r.chance(1, 3) {
                members.push(format!("\"{}\":{}", r.pick(&KEYS), value(r, depth + 1)));
            }
            r.shuffle(&mut members);
            format!("{{{}}}", members.join(","))
        }
        "array" => {
            let items = (0..r.below(4)).map(|_| match &schema.items {
                Some(items) => fitting(r, items, depth + 1),
                None => value(r, depth + 1),
            });
            format!("[{}]", items.collect::<Vec<_>>().join(","))
        }
        "null" => "null".to_owned(),
        "boolean" => (*r.pick(&["true", "false"])).to_owned(),
        "number" | "integer" => (*r.pick(&NUMBERS)).to_owned(),
        "string" => (*r.pick(&STRINGS)).to_owned(),
        _ => value(r, depth),
    }
}

const NUMBERS: [&str; 15] = [
    "0",
    "-0",
    "1",
    "1.0",
    "1.5",
    "1e3",
    "-7",
    "9007199254740993",
    "1e21",
    "1e400",
    "-1e400",
    "1e-7",
    "5e-324",
    "0.1",
    "123456789012345678901",
];
const STRINGS: [&str; 10] = [
    "\"\"",
    "\"a\"",
    "\"b\"",
    "\"1\"",
    "\"true\"",
    "\"\\ud83d\\ude00\"",
    "\"\\ud800\"",
    "\"\\u0000\\n\\\"\\\\\"",
    "\"日本\u{2028}\"",
    "\"{\\\"a\\\":1}\"",
];

fn value(r: &mut Random, depth: usize) -> String {
    match r.below(if depth < 5 { 8 } else { 5 }) {
        0 => "null".to_owned(),
        1 => (*r.pick(&["true", "false"])).to_owned(),
        2 => (*r.pick(&NUMBERS)).to_owned(),
        3 | 4 => (*r.pick(&STRINGS)).to_owned(),
        5 => format!("[{}]", (0..r.below(4)).map(|_| value(r, depth + 1)).collect::<Vec<_>>().join(",")),
        _ => {
            let members = (0..r.below(5)).map(|_| format!("\"{}\":{}", r.pick(&KEYS), value(r, depth + 1)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
    }
}
