//! How fast captures are judged, relative to reading them and counting their lines: `cargo bench --bench throughput`.
//!
//! A corpus for each format is made on the spot, from a seed: sessions in which models read and write files, one call in ten
//! wrong. Each row is the whole program (`misfire check --format ndjson --only rejected`), in rounds that go through all rows, so
//! that what else the machine does falls on all of them; medians count. `MISFIRE_BENCH_MB` says how large a corpus is (64),
//! `MISFIRE_BENCH_ROUNDS` how many rounds there are (5). Ratios are to be compared, not seconds.

use misfire::capture::{self, Call, Options, Problem, Sink};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Read as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn main() {
    // `cargo test --benches` only wants to know that it runs.
    let testing = !std::env::args().any(|argument| argument == "--bench");
    let number = |name: &str, usual: usize| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let megabytes = if testing { 1 } else { number("MISFIRE_BENCH_MB", 64) };
    let rounds = if testing { 1 } else { number("MISFIRE_BENCH_ROUNDS", 5) };
    let folder = tempfile::tempdir().expect("a folder");
    let corpora: Vec<Corpus> = FORMATS.iter().map(|format| Corpus::make(format, megabytes << 20, folder.path())).collect();
    println!(
        "{:<18} {:>6} {:>8} {:>12} {:>12} {:>12} {:>8} {:>8}",
        "format", "MB", "calls", "count MB/s", "1 thread", "2 threads", "1t/count", "2t/count"
    );
    for corpus in &corpora {
        corpus.measure(rounds);
    }
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).expect("a folder");
    let mut starts: Vec<Duration> = (0..rounds * 5).map(|_| check(&empty, 1)).collect();
    println!("start-up with the bundled definitions: {:.1} ms", median(&mut starts).as_secs_f64() * 1e3);
}

/// A format, the end of its files' names, and one exchange in it: a call and its result.
struct Format {
    name: &'static str,
    extension: &'static str,
    head: &'static str,
    exchange: fn(&mut String, &Exchange),
    between: &'static str,
    tail: &'static str,
}

/// What a model does in one exchange.
struct Exchange {
    id: String,
    tool: &'static str,
    /// JSON.
    arguments: String,
    /// JSON in a JSON string.
    quoted: String,
    /// The text of the result, as it stands in a JSON string.
    result: String,
}

const LINES: Format = Format { name: "", extension: "jsonl", head: "", exchange: |_, _| {}, between: "\n", tail: "\n" };

static FORMATS: [Format; 14] = [
    Format {
        name: "claude-code",
        head: "{\"type\":\"summary\",\"summary\":\"s\",\"leafUuid\":\"u\"}\n",
        exchange: |out, e| {
            let Exchange { id, tool, arguments, result, .. } = e;
            let _ = write!(
                out,
                r#"{{"parentUuid":"u","isSidechain":false,"userType":"external","cwd":"/work","sessionId":"s","version":"2.1.332","type":"assistant","message":{{"id":"m{id}","type":"message","role":"assistant","model":"m","content":[{{"type":"tool_use","id":"{id}","name":"{tool}","input":{arguments}}}],"stop_reason":"tool_use"}},"uuid":"u","timestamp":"2026-11-24T10:00:00.000Z"}}
{{"parentUuid":"u","isSidechain":false,"type":"user","message":{{"role":"user","content":[{{"tool_use_id":"{id}","type":"tool_result","content":"{result}"}}]}},"uuid":"u","timestamp":"2026-11-24T10:00:01.000Z"}}"#
            );
        },
        ..LINES
    },
    Format {
        name: "wave-agent",
        head: "{\"type\":\"metadata\",\"workdir\":\"/work\"}\n",
        exchange: |out, e| {
            let Exchange { id, tool, quoted, result, .. } = e;
            let _ = write!(
                out,
                r#"{{"id":"m{id}","role":"assistant","timestamp":"2026-11-24T10:00:00.000Z","blocks":[{{"type":"tool","id":"{id}","name":"{tool}","parameters":{quoted},"result":"{result}","stage":"end","success":true}}]}}"#
            );
        },
        ..LINES
    },
    Format {
        name: "misfire",
        exchange: |out, e| {
            let Exchange { id, tool, arguments, result, .. } = e;
            let _ = write!(
                out,
                r#"{{"id":"{id}","tool":"{tool}","arguments":{arguments},"result":{{"is_error":false,"text":"{result}"}}}}"#
            );
        },
        ..LINES
    },
    Format {
        name: "openai-chat",
        exchange: |out, e| {
            let Exchange { id, tool, quoted, result, .. } = e;
            let _ = write!(
                out,
                r#"{{"timestamp":"2026-11-24T10:00:00","model":"m","messages":[{{"role":"user","content":"go on"}},{{"role":"assistant","content":null,"tool_calls":[{{"id":"{id}","type":"function","function":{{"name":"{tool}","arguments":{quoted}}}}}]}},{{"role":"tool","tool_call_id":"{id}","content":"{result}"}}]}}"#
            );
        },
        ..LINES
    },
    Format {
        name: "codex-rollout",
        head: "{\"timestamp\":\"2026-11-24T10:00:00Z\",\"type\":\"session_meta\",\"payload\":{\"id\":\"s\"}}\n",
        exchange: |out, e| {
            let Exchange { id, tool, quoted, result, .. } = e;
            let _ = write!(
                out,
                r#"{{"timestamp":"2026-11-24T10:00:00Z","type":"response_item","payload":{{"type":"function_call","name":"{tool}","arguments":{quoted},"call_id":"{id}"}}}}
{{"timestamp":"2026-11-24T10:00:01Z","type":"response_item","payload":{{"type":"function_call_output","call_id":"{id}","output":"{result}"}}}}"#
            );
        },
        ..LINES
    },
    Format {
        name: "anthropic",
        exchange: |out, e| {
            let Exchange { id, tool, arguments, result, .. } = e;
            let _ = write!(
                out,
                r#"{{"model":"m","messages":[{{"role":"assistant","content":[{{"type":"tool_use","id":"{id}","name":"{tool}","input":{arguments}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"{result}"}}]}}]}}"#
            );
        },
        ..LINES
    },
    Format {
        name: "gemini",
        exchange: |out, e| {
            let Exchange { tool, arguments, result, .. } = e;
            let _ = write!(
                out,
                r#"{{"contents":[{{"role":"model","parts":[{{"functionCall":{{"name":"{tool}","args":{arguments}}}}}]}},{{"role":"user","parts":[{{"functionResponse":{{"name":"{tool}","response":{{"output":"{result}"}}}}}}]}}]}}"#
            );
        },
        ..LINES
    },
    Format {
        name: "gemini-chunks",
        exchange: |out, e| {
            let Exchange { tool, arguments, result, .. } = e;
            out.push_str(r#"{"method":"generateContentStream","response":["#);
            for line in result.split("\\n").take(6) {
                let _ = write!(
                    out,
                    r#"{{"candidates":[{{"content":{{"parts":[{{"text":"{line}"}}],"role":"model"}},"index":0}}],"usageMetadata":{{"promptTokenCount":10}}}},"#
                );
            }
            let _ = write!(
                out,
                r#"{{"candidates":[{{"content":{{"parts":[{{"functionCall":{{"name":"{tool}","args":{arguments}}}}}],"role":"model"}},"finishReason":"STOP","index":0}}],"usageMetadata":{{"promptTokenCount":10,"candidatesTokenCount":20}}}}]}}"#
            );
        },
        ..LINES
    },
    Format {
        name: "bedrock",
        exchange: |out, e| {
            let Exchange { id, tool, arguments, result, .. } = e;
            let _ = write!(
                out,
                r#"{{"messages":[{{"role":"assistant","content":[{{"toolUse":{{"toolUseId":"{id}","name":"{tool}","input":{arguments}}}}}]}},{{"role":"user","content":[{{"toolResult":{{"toolUseId":"{id}","content":[{{"text":"{result}"}}],"status":"success"}}}}]}}]}}"#
            );
        },
        ..LINES
    },
    Format {
        name: "mcp",
        exchange: |out, e| {
            let Exchange { id, tool, arguments, result, .. } = e;
            let _ = write!(
                out,
                r#"{{"jsonrpc":"2.0","id":"{id}","method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}
{{"jsonrpc":"2.0","id":"{id}","result":{{"content":[{{"type":"text","text":"{result}"}}],"isError":false}}}}"#
            );
        },
        ..LINES
    },
    Format {
        name: "managed-agent",
        exchange: |out, e| {
            let Exchange { id, tool, arguments, result, .. } = e;
            let _ = write!(
                out,
                r#"{{"type":"agent.tool_use","id":"{id}","name":"{tool}","input":{arguments},"processed_at":"2026-11-24T10:00:00Z"}}
{{"type":"agent.tool_result","tool_use_id":"{id}","content":[{{"type":"text","text":"{result}"}}],"is_error":false}}"#
            );
        },
        ..LINES
    },
    Format {
        name: "otel-genai",
        exchange: |out, e| {
            let Exchange { id, tool, quoted, result, .. } = e;
            let _ = write!(
                out,
                r#"{{"resourceSpans":[{{"scopeSpans":[{{"spans":[{{"traceId":"t","spanId":"{id}","name":"execute_tool {tool}","attributes":[{{"key":"gen_ai.operation.name","value":{{"stringValue":"execute_tool"}}}},{{"key":"gen_ai.tool.name","value":{{"stringValue":"{tool}"}}}},{{"key":"gen_ai.tool.call.id","value":{{"stringValue":"{id}"}}}},{{"key":"gen_ai.tool.call.arguments","value":{{"stringValue":{quoted}}}}},{{"key":"gen_ai.tool.call.result","value":{{"stringValue":"{result}"}}}}]}}]}}]}}]}}"#
            );
        },
        ..LINES
    },
    Format {
        name: "tau2",
        extension: "json",
        head: "{\"info\":{},\"simulations\":[{\"id\":\"s\",\"messages\":[\n",
        exchange: |out, e| {
            let Exchange { id, tool, arguments, result, .. } = e;
            let _ = write!(
                out,
                r#"{{"role":"assistant","tool_calls":[{{"id":"{id}","name":"{tool}","arguments":{arguments}}}]}},
{{"id":"{id}","role":"tool","content":"{result}","error":false}}"#
            );
        },
        between: ",\n",
        tail: "]}]}\n",
    },
    Format {
        name: "openai-cassette",
        extension: "yaml",
        head: "version: 2\ninteractions:\n",
        exchange: |out, e| {
            let Exchange { id, tool, quoted, result, .. } = e;
            let body = format!(
                r#"{{"id":"r","model":"m","choices":[{{"index":0,"message":{{"role":"assistant","content":"{result}","tool_calls":[{{"id":"{id}","type":"function","function":{{"name":"{tool}","arguments":{quoted}}}}}]}},"finish_reason":"tool_calls"}}]}}"#
            );
            let _ = write!(
                out,
                "- request:\n    body: '{{\"model\":\"m\"}}'\n    method: POST\n    uri: https://api.example.com/v1/chat/completions\n  response:\n    body: {}\n    headers:\n      Content-Type:\n      - application/json\n    status: 200 OK",
                misfire::json::quote(body.as_bytes())
            );
        },
        ..LINES
    },
];

/// Files of one format.
struct Corpus {
    format: &'static Format,
    folder: PathBuf,
    bytes: u64,
    calls: u64,
}

impl Corpus {
    fn make(format: &'static Format, bytes: usize, below: &Path) -> Self {
        let folder = below.join(format.name);
        fs::create_dir(&folder).expect("a folder");
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        let (mut written, mut calls, mut files) = (0, 0, 0);
        while written < bytes {
            let size = (256 << 10) + random.below(4 << 20);
            let mut text = String::from(format.head);
            while text.len() < size {
                if text.len() > format.head.len() {
                    text.push_str(format.between);
                }
                (format.exchange)(&mut text, &exchange(&mut random, calls));
                calls += 1;
            }
            text.push_str(format.tail);
            written += text.len();
            fs::write(folder.join(format!("{files:03}.{}", format.extension)), text).expect("a file");
            files += 1;
        }
        let corpus = Self { format, folder, bytes: written as u64, calls };
        let mut seen = Count(0);
        capture::read_paths(std::slice::from_ref(&corpus.folder), &Options::calls_only(), &mut seen);
        assert_eq!(seen.0, calls, "calls of {}", format.name);
        corpus
    }

    fn measure(&self, rounds: usize) {
        let mut times: [Vec<Duration>; 3] = Default::default();
        for round in 0..=rounds {
            let took = [count_lines(&self.folder), check(&self.folder, 1), check(&self.folder, 2)];
            // The first round only warms up.
            if round > 0 || rounds == 1 {
                times.iter_mut().zip(took).for_each(|(times, took)| times.push(took));
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "for people")]
        let megabytes = self.bytes as f64 / 1e6;
        let [count, one, two] = times.each_mut().map(|times| median(times).as_secs_f64());
        println!(
            "{:<18} {megabytes:>6.0} {:>8} {:>12.0} {:>12.0} {:>12.0} {:>7.0}% {:>7.0}%",
            self.format.name,
            self.calls,
            megabytes / count,
            megabytes / one,
            megabytes / two,
            count / one * 100.0,
            count / two * 100.0
        );
    }
}

struct Count(u64);

impl Sink for Count {
    fn call(&mut self, _: Call) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }

    fn problem(&mut self, problem: Problem) {
        panic!("{problem}");
    }
}

/// Reads every file and counts its lines, in one thread: what no program that looks at every byte can go below by much.
fn count_lines(folder: &Path) -> Duration {
    let started = Instant::now();
    let mut buffer = vec![0; 512 << 10];
    let mut lines = 0;
    for path in capture::files(&[folder.to_owned()]) {
        let mut file = File::open(path).expect("a file");
        while let Ok(read @ 1..) = file.read(&mut buffer) {
            lines += memchr::memchr_iter(b'\n', &buffer[..read]).count();
        }
    }
    assert!(lines > 0);
    started.elapsed()
}

/// The whole program, from its start to its end.
fn check(folder: &Path, threads: usize) -> Duration {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools");
    let started = Instant::now();
    let status = Command::new(env!("CARGO_BIN_EXE_misfire"))
        .args(["check", "--format", "ndjson", "--only", "rejected", "--threads", &threads.to_string()])
        .arg("--tools")
        .arg(tools)
        .arg(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let took = started.elapsed();
    assert!(status.is_ok_and(|status| matches!(status.code(), Some(0 | 1))));
    took
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// xorshift64*
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(high).unwrap_or(0) % limit
    }

    fn words(&mut self, count: usize) -> String {
        const WORDS: [&str; 12] =
            ["amber", "basin", "cedar", "delta", "ember", "fjord", "grove", "harbor", "inlet", "jetty", "kelp", "ledge"];
        let words: Vec<&str> = (0..count).map(|_| WORDS[self.below(WORDS.len())]).collect();
        words.join(" ")
    }
}

fn exchange(random: &mut Random, number: u64) -> Exchange {
    let wrong = random.below(10) == 0;
    let path = format!("/work/{}.rs", random.words(2).replace(' ', "/"));
    let lines = 1 + random.below(12);
    let text: Vec<String> = (0..lines).map(|_| random.words(8)).collect();
    let (tool, arguments) = if random.below(4) == 0 {
        let key = if wrong { "text" } else { "content" };
        ("Write", format!(r#"{{"file_path":"{path}","{key}":"{}"}}"#, text.join("\\n")))
    } else {
        let limit = if wrong { "\"40\"" } else { "40" };
        ("Read", format!(r#"{{"file_path":"{path}","limit":{limit}}}"#))
    };
    let results = 8 + random.below(48);
    let result: Vec<String> = (0..results).map(|n| format!("{n}\\t{}", random.words(9))).collect();
    Exchange {
        id: format!("call_{number:08x}"),
        tool,
        quoted: misfire::json::quote(arguments.as_bytes()),
        arguments,
        result: result.join("\\n"),
    }
}
