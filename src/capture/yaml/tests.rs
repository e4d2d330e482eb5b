//! Texts, and that the quick reader says what the general one does, or nothing.

#![expect(clippy::format_push_string, reason = "these texts are small")]

use super::*;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree as _;

fn json(yaml: &str) -> String {
    to_json(yaml, 1 << 20).unwrap().json
}

#[test]
fn values() {
    for (yaml, expected) in [
        ("a: 1\nb:\n- x\n- null\n- ~\n-\n- yes\n- true\n", r#"{"a":1,"b":["x",null,null,null,"yes",true]}"#),
        ("- 1.50\n- -0\n- 1e3\n- +1\n- .5\n- 0x1F\n- 1_0\n- 012\n- 1.2.3\n", r#"[1.50,-0,1e3,1,0.5,31,"1_0",12,"1.2.3"]"#),
        (
            "a: '1'\nb: \"x\\ny\\U0001F642\"\nc: |\n  l1\n  l2\nd: >-\n  f1\n  f2\n",
            r#"{"a":"1","b":"x\ny🙂","c":"l1\nl2\n","d":"f1 f2"}"#,
        ),
        ("a: &x {k: [1]}\nb: *x\n? [1, 2]\n: c\n", r#"{"a":{"k":[1]},"b":{"k":[1]},"[1,2]":"c"}"#),
        ("a: !!binary |\n  aGk=\nb: !!str 1\n1: 2\n", r#"{"a":"hi","b":"1","1":2}"#),
        ("---\na: 1\n---\nb: 2\n", r#"{"a":1}"#),
        ("{}", "{}"),
    ] {
        assert_eq!(json(yaml), expected, "{yaml}");
    }
    let (line, reason) = to_json("a: [1\nb: {", 1000).err().unwrap();
    assert!(line >= 1 && reason.starts_with("column"), "{line} {reason}");
    // What repeats itself without end is stopped.
    let bomb = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c]\n";
    assert!(to_json(bomb, 2000).err().unwrap().1.contains("cap"));
}

#[test]
fn lines() {
    let converted = to_json("a:\n- b: 1\n  c: |\n    x\n    y\n", 1000).unwrap();
    let at = |text: &str| {
        let place = converted.json.find(text).unwrap();
        let mark = converted.marks.iter().rev().find(|mark| mark.json <= place).unwrap();
        (mark.line, mark.offset, mark.literal)
    };
    assert_eq!(at("{\"b\""), (2, 3, false));
    assert_eq!(at("\"x"), (4, 17, true));
}

/// Whether the quick reader read it; then the general one reads the same.
fn quick(yaml: &str) -> bool {
    let Some(quick) = block::to_json(yaml, 1 << 24) else { return false };
    match general::to_json(yaml, 1 << 24) {
        Ok(general) => {
            assert_eq!(quick.json, general.json, "{yaml}");
            let other = quick.marks.iter().zip(&general.marks).find(|(a, b)| a != b);
            assert_eq!((other, quick.marks.len()), (None, general.marks.len()), "{yaml}\n{}", quick.json);
        }
        Err(error) => panic!("{error:?}: {yaml}\n{}", quick.json),
    }
    true
}

#[test]
fn what_recorders_write_is_read_quickly() {
    for yaml in [
        "version: 1\ninteractions:\n- request:\n    body: '{\"a\":\"it''s\"}'\n    headers:\n      accept: ['*/*']\n".replace(" ['*/*']", "\n      - '*/*'"),
        "---\ninteractions:\n- response:\n    body:\n      string: \"{\\\"a\\\": 1,\\n\\\n        \\ \\\"b\\\": \\u2019\\x41}\"\n    code: 200\n    url: ''\n".to_owned(),
        "a:\n  b: |-\n    {\n      \"x\": 1\n\n    }\n  c: |+\n    x\n\n  d: |2\n      y\n  e: >\n    f\n    g\n\n    h\n".to_owned(),
        "a: !!binary |\n  H4sIAAAA\n  aGk=\nb: {}\nc: []\nd:\ne: plain text: no\n".replace(": no", ":no"),
        "a: long plain\n  text goes on\n\n  here\nb: 'and\n  in\n\n  quotes'\nc: \"x  \n  y\"\n# the end\n...\n".to_owned(),
        "- a".replace("- a", "k:\n  - - a\n    - b: 1\n      c: 2\n  -\n  - d"),
    ] {
        assert!(quick(&yaml), "{yaml}");
    }
}

#[test]
fn what_is_not_certain_is_left_to_the_general_reader() {
    for yaml in [
        "a: 1\r\nb: 2\r\n",
        "a: &x 1\nb: *x\n",
        "a: [1]\n",
        "a: {b: 1}\n",
        "a: !!str 1\n",
        "a: 1\n---\nb: 2\n",
        "a:\t1\n",
        "? a\n: b\n",
        "a: >\n  x\n    y\n",
        "%YAML 1.2\n---\na: 1\n",
        "a: 1\n...\nb: 1\n",
        "\u{FEFF}a: 1\n",
        "a: b: c\n",
        "a: \"x\" y\n",
        "a: 'x\n",
        "- 1\n",
        "1\n",
        "",
    ] {
        assert!(!quick(yaml), "{yaml}");
    }
}

#[test]
fn real_cassettes_are_read_quickly() {
    let folder = std::path::Path::new("/work/shared/captures");
    let files = crate::capture::files(&[folder.to_owned()]);
    let cassettes: Vec<_> = files.iter().filter(|path| path.extension().is_some_and(|end| end == "yaml")).collect();
    if cassettes.is_empty() {
        return eprintln!("skipped: there are no cassettes to read");
    }
    for path in cassettes {
        let text = std::fs::read_to_string(path).unwrap();
        assert!(quick(&text), "{}", path.display());
        // Cut, and with a line left out, they are still the same or given up.
        for (n, (at, _)) in text.match_indices('\n').enumerate().step_by(97) {
            quick(&text[..at]);
            let without: String = text.split_inclusive('\n').enumerate().filter(|(i, _)| *i != n).map(|(_, line)| line).collect();
            quick(&without);
        }
    }
}

/// Texts of scalars: what JSON and YAML both care about, and letters of several bytes.
fn text() -> impl Strategy<Value = String> {
    let part = select(vec![
        "a",
        "word",
        " ",
        "  ",
        "\n",
        "\n\n",
        "{\"k\": \"v\"}",
        "\"",
        "'",
        "\\",
        "\\n",
        ":",
        ": ",
        " #",
        "#",
        "-",
        "- ",
        "é",
        "🙂",
        "\u{85}",
        "\u{2028}",
        "\u{FEFF}",
        "1",
        "null",
        "~",
        "true",
        "0x1F",
        ".5",
        "|",
        ">",
        "[",
        "]",
        "{",
        "}",
        ",",
        "&",
        "*",
        "!",
        "%",
        "@",
        "?",
        "\t",
        "\u{7f}",
        "\u{1}",
        "aGk=",
        "---",
        "...",
    ]);
    vec(part, 0..8).prop_map(|parts| parts.concat())
}

/// A scalar in any style, written for a line indented so far; not always rightly.
fn scalar(text: &str, style: u8, indent: usize) -> String {
    let pad = " ".repeat(indent);
    let lines = |header: &str| {
        let body: String =
            text.split('\n').map(|line| if line.is_empty() { "\n".into() } else { format!("{pad}{line}\n") }).collect();
        format!("{header}\n{body}").trim_end_matches('\n').to_owned()
    };
    let folded = |text: &str| text.replace('\n', &format!("\n\n{pad}"));
    match style {
        0 => text.replace('\n', &format!("\n{pad}")),
        1 => format!("'{}'", folded(&text.replace('\'', "''"))),
        2 => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t")),
        3 => format!("\"{}\"", folded(&text.replace('\\', "\\\\").replace('"', "\\\""))),
        4 => format!(
            "\"{}\"",
            text.replace('\\', "\\/").replace('"', "\\x22").replace('\n', &format!("\\n\\\n{pad}\\")).replace('é', "\\u00e9")
        ),
        5 => lines("|"),
        6 => lines("|-"),
        7 => lines("|+"),
        8 => lines(">"),
        9 => lines(">-"),
        10 => lines("|2"),
        11 => lines("|2-"),
        12 => lines(">+"),
        13 => lines("!!binary |"),
        14 => lines("|  # why"),
        _ => format!("{text} # why"),
    }
}

const STYLES: u8 = 16;

#[derive(Clone, Debug)]
enum Yaml {
    Scalar(String, u8),
    Map(Vec<(String, Yaml)>, usize),
    List(Vec<Yaml>, usize),
    Empty(&'static str),
}

fn yaml() -> impl Strategy<Value = Yaml> {
    let leaf = prop_oneof![
        8 => (text(), 0..STYLES).prop_map(|(text, style)| Yaml::Scalar(text, style)),
        1 => select(vec!["", "{}", "[]", "null"]).prop_map(Yaml::Empty),
    ];
    let key = prop_oneof![4 => "[a-z]{1,6}", 1 => Just("'q k'".to_owned()), 1 => Just("\"d k\"".to_owned()), 1 => Just("x-y.z é".to_owned())];
    leaf.prop_recursive(4, 24, 5, move |inner| {
        prop_oneof![
            (vec((key.clone(), inner.clone()), 1..5), 1_usize..5).prop_map(|(members, step)| Yaml::Map(members, step)),
            (vec(inner, 1..5), 0_usize..4).prop_map(|(items, step)| Yaml::List(items, step)),
        ]
    })
}

impl Yaml {
    /// Writes it behind a dash or a colon in a line of this indentation.
    fn write(&self, indent: usize, behind_dash: bool, out: &mut String) {
        match self {
            Self::Empty(text) => *out += &format!(" {text}\n"),
            Self::Scalar(text, style) => *out += &format!(" {}\n", scalar(text, *style, indent + 2)),
            Self::Map(members, step) => {
                let within = if behind_dash { indent + 2 } else { indent + step };
                for (n, (key, value)) in members.iter().enumerate() {
                    *out += &if behind_dash && n == 0 {
                        " ".to_owned()
                    } else {
                        format!("{}{}", if n == 0 { "\n" } else { "" }, " ".repeat(within))
                    };
                    *out += &format!("{key}:");
                    value.write(within, false, out);
                }
            }
            Self::List(items, step) => {
                let within = if behind_dash { indent + 2 } else { indent + step };
                for (n, item) in items.iter().enumerate() {
                    *out += &if behind_dash && n == 0 {
                        " ".to_owned()
                    } else {
                        format!("{}{}", if n == 0 { "\n" } else { "" }, " ".repeat(within))
                    };
                    *out += "-";
                    item.write(within, true, out);
                }
            }
        }
    }
}

/// A cassette: exchanges with bodies of this kind.
fn cassette(bodies: &[Yaml]) -> String {
    let mut out = "version: 1\ninteractions:\n".to_owned();
    for body in bodies {
        out += "- request:\n    method: POST\n    body:";
        body.write(4, false, &mut out);
        out += "  response:\n    status: 200\n";
    }
    out
}

fn letters() -> Vec<&'static str> {
    vec![
        "",
        "\n",
        "\n\n",
        "  ",
        "    ",
        "- ",
        "-",
        "k: ",
        "k:",
        "'",
        "\"",
        "''",
        "\\\n",
        "\\",
        "|\n",
        ">-\n",
        "|2\n",
        "# c",
        " # c",
        "#",
        "x",
        "word",
        "{}",
        "[]",
        "1",
        "\t",
        "\r\n",
        "---",
        "---\n",
        "...\n",
        "&a ",
        "*a",
        "!!binary ",
        "? ",
        ": ",
        "\u{85}",
        "\u{2028}",
        "\u{A0}",
        "\u{FEFF}",
        "\n  ",
        "\n    ",
        "\n- ",
        "\n  - ",
        "\nk: ",
        "\n  k: ",
        "%",
        ",",
        "\u{1}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(1000)))]

    #[test]
    fn cassettes_are_read_the_same(bodies in vec(yaml(), 1..4)) {
        quick(&cassette(&bodies));
    }

    #[test]
    fn changed_cassettes_are_read_the_same(bodies in vec(yaml(), 1..3), changes in vec((any::<prop::sample::Index>(), 0_usize..4, select(letters())), 1..4)) {
        let mut text = cassette(&bodies);
        for (place, length, put) in changes {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let n = place.index(places.len());
            let end = places.get(n + length).copied().unwrap_or(text.len());
            text.replace_range(places[n]..end, put);
        }
        quick(&text);
    }

    #[test]
    fn soup_is_read_the_same(parts in vec(select(letters()), 0..24)) {
        quick(&format!("k:{}", parts.concat()));
        quick(&parts.concat());
    }
}

/// `PROPTEST_CASES` may ask for more.
fn cases(usual: u32) -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn most_generated_texts_reach_the_quick_reader() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let bodies = vec(yaml(), 1..3);
    let read = (0..400).filter(|_| quick(&cassette(&bodies.new_tree(&mut runner).unwrap().current()))).count();
    assert!(read > 100, "{read}");
}
