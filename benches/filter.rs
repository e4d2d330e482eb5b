//! Finding calls among 100,000: `cargo bench --bench filter`.
//!
//! Targets, for all of them together: a filter that rows decide under 5 ms, fuzzy matching of names under 30 ms.

use divan::{Bencher, black_box};
use misfire::gate::VerdictKind;
use misfire::replay::filter::{Filter, Flags, Fuzzy, Places, RowFacts, Sort};
use misfire::replay::{Kinds, Outcome};

const ROWS: usize = 100_000;
const TOOLS: [&str; 8] =
    ["TaskUpdate", "TaskCreate", "Bash", "Read", "mcp__github__list_issues", "Grep", "AskUserQuestion", "WebFetch"];

fn main() {
    divan::main();
}

/// What a list holds of each call.
struct Held {
    tool: &'static str,
    at: i64,
    outcome: Outcome,
    places: Vec<Box<str>>,
    summary: String,
}

fn rows() -> Vec<Held> {
    let row = |n: usize| {
        let bad = n.is_multiple_of(5);
        let kinds = if bad { Kinds::from_name(Kinds::NAMES[n % 4]).unwrap_or_default() } else { Kinds::default() };
        let kind = if bad { VerdictKind::Rejected } else { VerdictKind::Accepted };
        Held {
            tool: TOOLS[n * 7 % TOOLS.len()],
            at: i64::try_from(n * 31 % ROWS).unwrap_or(0) * 1000,
            outcome: Outcome { kind, recovered: false, issues: u16::from(bad) * 2, kinds },
            places: if bad { vec!["/taskId".into(), format!("/items/{n}/name").into()] } else { Vec::new() },
            summary: format!("{{\"file_path\":\"/srv/project/{n}.md\",\"content\":\"…\"}}"),
        }
    };
    (0..ROWS).map(row).collect()
}

fn facts(held: &Held) -> RowFacts<'_> {
    RowFacts {
        tool: held.tool,
        model: Some("claude-sonnet-4-5"),
        session: Some("5f2e9c1a-3a9e-4f0e-9d61-1a5c7a1f0b7c"),
        file: "/home/me/project/sessions/today.misfire.jsonl",
        order: 0,
        at: Some(held.at),
        outcome: held.outcome,
        places: Places::Pointers(&held.places),
        flags: Flags::NONE,
        summary: Some(&held.summary),
    }
}

#[divan::bench(args = [
    "verdict:rejected|unparsable",
    "tool:task*",
    "tool:mcp__*issues | tool:Bash",
    "kind:missing at:/items/*/name",
    "at:**/name",
    "model:*sonnet* file:*.jsonl since:24h n>1 !is:pending",
    "tool:/^task.*e$/",
])]
fn row_only(bencher: Bencher<'_, '_>, text: &str) {
    let rows = rows();
    let filter = Filter::parse(text).expect("a filter");
    assert!(rows.iter().all(|row| filter.decide(&facts(row), 86_400_000).is_some()));
    bencher.bench(|| rows.iter().filter(|row| filter.decide(&facts(row), black_box(86_400_000)) == Some(true)).count());
}

/// What the rows alone can say: the rest of the calls have to be read.
#[divan::bench]
fn a_word_in_rows(bencher: Bencher<'_, '_>) {
    let rows = rows();
    let filter = Filter::parse("99.md").expect("a filter");
    bencher.bench(|| rows.iter().filter(|row| filter.decide(&facts(row), 0) == Some(true)).count());
}

#[divan::bench(args = ["time desc", "tool, time", "verdict, issues desc, tool", "file"])]
fn sort(bencher: Bencher<'_, '_>, order: &str) {
    let rows = rows();
    let sort: Sort = order.parse().expect("an order");
    bencher.with_inputs(|| rows.iter().collect::<Vec<_>>()).bench_values(|mut rows| {
        sort.sort(&mut rows, |row| facts(row));
        rows
    });
}

#[divan::bench(args = ["tu", "task", "ghlist", "e", "zzz"])]
fn fuzzy(bencher: Bencher<'_, '_>, typed: &str) {
    let names: Vec<String> = (0..ROWS).map(|n| format!("{}_{}", TOOLS[n % TOOLS.len()], n % 1000)).collect();
    bencher.bench(|| Fuzzy::new(black_box(typed)).rank(&names));
}

#[divan::bench]
fn parse(bencher: Bencher<'_, '_>) {
    bencher.bench(|| Filter::parse(black_box("tool:Task* (is:bad | err:\"not found\") !kind:unexpected since:1h n>1")));
}
