//! Each format by invented data: what is found, where, and that the index reads the same.

use misfire::capture::index::{Index, Scanner};
use misfire::capture::{self, Call, CapturedTools, InputKind, Options, Problem, Sink};
use misfire::gate::Arguments;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::Path;

#[derive(Default)]
struct Found {
    all: Vec<Call>,
    problems: Vec<Problem>,
    tools: Vec<CapturedTools>,
}

impl Sink for Found {
    fn call(&mut self, call: Call) -> ControlFlow<()> {
        self.all.push(call);
        ControlFlow::Continue(())
    }

    fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    fn tools(&mut self, tools: CapturedTools) {
        self.tools.push(tools);
    }
}

/// Reads a text as a file, both as a stream and by the index, which must agree.
fn read(text: impl AsRef<[u8]>) -> Found {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("capture");
    fs::write(&path, text.as_ref()).unwrap();
    let mut found = Found::default();
    capture::read_paths(std::slice::from_ref(&path), &Options::default(), &mut found);
    let mut scanner = Scanner::new(vec![path], Options::default());
    let mut index = Index::default();
    scanner.scan(
        &mut |batch| {
            index.apply(batch);
        },
        &mut || true,
    );
    let indexed: Vec<_> = index.calls().map(|id| index.read(id).expect("a call that was just scanned")).collect();
    assert_eq!(indexed, found.all);
    let lines: Vec<_> = index.entries(0).iter().map(capture::index::Entry::line).collect();
    assert_eq!(lines, found.all.iter().map(|call| call.place.line).collect::<Vec<_>>());
    assert_eq!(index.tools(0), found.tools);
    found
}

/// A call as one line, for comparing: line, id, tool, arguments, flag and text of the result.
fn described(call: &Call) -> String {
    let arguments = match &call.arguments {
        Arguments::Absent => "absent".to_owned(),
        Arguments::Text(text) => format!("text {text}"),
        Arguments::Json(value) => value.to_json(),
    };
    let mut line = format!("{} {} {} {arguments}", call.place.line, call.id.as_deref().unwrap_or("-"), call.tool);
    if let Some(result) = &call.result {
        let flag = result.is_error.map_or("?", |is_error| if is_error { "error" } else { "ok" });
        let _ = write!(line, " => {flag} {}", result.text);
    }
    line
}

#[track_caller]
fn expect(text: impl AsRef<[u8]>, calls: &[&str]) -> Found {
    let found = read(text);
    assert_eq!(found.all.iter().map(described).collect::<Vec<_>>(), calls);
    assert_eq!(found.problems, []);
    found
}

fn format_of(text: impl AsRef<[u8]>) -> &'static str {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x"), text).unwrap();
    let mut index = Index::default();
    Scanner::new(vec![folder.path().into()], Options::default()).scan(
        &mut |batch| {
            index.apply(batch);
        },
        &mut || true,
    );
    index.format(0).map_or("none", capture::FormatName::name)
}

#[test]
fn claude_lines_of_every_kind() {
    let text = r#"{"type":"summary","summary":"s","leafUuid":"u"}
{"type":"assistant","sessionId":"s1","timestamp":"2026-01-01T00:00:00Z","message":{"role":"assistant","model":"m","content":[{"type":"text","text":"x"},{"type":"tool_use","id":"a","name":"Read","input":{"file_path":"x"}}]}}
{"type":"progress","uuid":"u","data":{"type":"agent_progress","message":{"type":"assistant","timestamp":"2026-01-01T00:00:01Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"b","name":"Grep","input":{}}]}},"normalizedMessages":[{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"No","input":{}}]}}]}}
{"type":"user","isSidechain":true,"uuid":"u","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"l1"},{"type":"image","source":{}},{"type":"text","text":"l2"}]}]},"toolUseResult":{"type":"tool_use","id":"z","name":"No","input":{}}}
{"type":"assistant","session_id":"s2","parent_tool_use_id":"a","message":{"role":"assistant","content":[{"type":"mcp_tool_use","id":"d","name":"q","input":{}},{"type":"mcp_tool_result","tool_use_id":"d","is_error":true,"content":"no"}]}}
"#;
    let found = expect(text, &["2 a Read {\"file_path\":\"x\"} => ok l1\n[image]\nl2", "3 b Grep {}", "5 d q {} => error no"]);
    let sidechains: Vec<_> = found.all.iter().map(|call| call.sidechain).collect();
    assert_eq!(sidechains, [false, true, true]);
    assert_eq!(found.all[0].session.as_deref(), Some("s1"));
    assert_eq!((found.all[0].model.as_deref(), found.all[0].at.as_deref()), (Some("m"), Some("2026-01-01T00:00:00Z")));
    assert_eq!(found.all[1].at.as_deref(), Some("2026-01-01T00:00:01Z"));
    assert_eq!(found.all[2].input, InputKind::ProviderRun);
    assert_eq!(format_of(text), "claude-code");
}

#[test]
fn chat_streams_in_a_thousand_pieces() {
    let arguments = format!("{{\"text\":\"{}\"}}", "é\\n".repeat(600));
    let chars: Vec<char> = arguments.chars().collect();
    let mut lines = vec![
        r#"{"id":"r","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":null}}]}"#.to_owned(),
        r#"{"id":"r","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"Write","arguments":""}},{"index":1,"id":"b","type":"function","function":{"name":"Read","arguments":"{"}}]}}]}"#.to_owned(),
    ];
    for piece in &chars {
        let piece = misfire::json::quote(piece.to_string().as_bytes());
        lines.push(format!(r#"{{"id":"r","choices":[{{"index":0,"delta":{{"tool_calls":[{{"index":0,"function":{{"arguments":{piece}}}}}]}}}}]}}"#));
    }
    lines.push(
        r#"{"id":"r","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"}"}}]}}]}"#.to_owned(),
    );
    lines.push(r#"{"id":"r","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#.to_owned());
    lines.push(r#"{"id":"r2","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"Cut","arguments":"{\"a\":"}}]}}]}"#.to_owned());
    let text = lines.join("\n") + "\n";
    // A file may go on, so the index does not show a call that is still coming.
    let mut found = Found::default();
    capture::read_from(text.as_bytes(), Path::new("f"), &Options::default(), &mut found);
    let expected =
        [format!("2 a Write text {arguments}"), "2 b Read text {}".to_owned(), format!("{} c Cut text {{\"a\":", lines.len())];
    assert_eq!(found.all.iter().map(described).collect::<Vec<_>>(), expected);
    assert_eq!(found.all[0].finish_reason.as_deref(), Some("tool_calls"));
    assert_eq!(found.all.iter().map(|call| call.pending).collect::<Vec<_>>(), [false, false, true]);
    let whole = lines[..lines.len() - 1].join("\n");
    assert_eq!(read(&whole).all.len(), 2);
    // The same as server-sent events.
    let events = "data: ".to_owned() + &lines[..lines.len() - 1].join("\n\ndata: ") + "\n\n";
    let found = read(format!(": keep-alive\n\n{events}data: [DONE]\n\n"));
    assert_eq!(found.all[0].place.line, 5);
    assert_eq!(found.all.len(), 2);
    // And as one document.
    assert_eq!(read(format!("[\n{}\n]", lines[..lines.len() - 1].join(",\n"))).all[0].place.line, 3);
}

#[test]
fn chat_streams_of_servers_that_number_nothing() {
    let text = r#"data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"X","arguments":"{}"}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"b","function":{"name":"Y","arguments":"{\"n\":1}"}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"id":"c","function":{"name":"Z","arguments":"{"}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"function":{"arguments":"}"}}]},"finish_reason":"tool_calls"}]}

data: [DONE]
"#;
    expect(text, &["1 a X text {}", "3 b Y text {\"n\":1}", "5 c Z text {}"]);
}

#[test]
fn other_chat_forms() {
    let text = r#"{"model":"m","created":1745961622,"choices":[{"finish_reason":"length","message":{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"T","arguments":"{\"x"}}]}}]}
{"messages":[{"role":"assistant","function_call":{"name":"old","arguments":"{}"}},{"role":"function","name":"old","content":"done"}]}
{"messages":[{"role":"assistant","tool_calls":[{"id":"l","name":"flat","args":{"a":1}}]},{"role":"tool","tool_call_id":"l","content":[{"type":"text","text":"x"}]}],"tools":[{"type":"function","function":{"name":"flat"}}]}
{"request":{"url":"/v1/chat/completions","body":"{\"messages\":[{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"s\",\"function\":{\"name\":\"inner\",\"arguments\":\"{}\"}}]}]}"}}
"#;
    let found = expect(text, &["1 a T text {\"x", "2 - old text {} => ? done", "3 l flat {\"a\":1} => ? x", "4 s inner text {}"]);
    assert_eq!(found.all[0].finish_reason.as_deref(), Some("length"));
    assert_eq!((found.all[0].model.as_deref(), found.all[0].at.as_deref()), (Some("m"), Some("2025-04-29T21:20:22Z")));
    assert_eq!(found.tools[0].json, r#"[{"type":"function","function":{"name":"flat"}}]"#);
    assert_eq!(found.tools[0].place.line, 3);
}

#[test]
fn anthropic_streams() {
    let text = r#"event: message_start
data: {"type":"message_start","message":{"model":"m","role":"assistant","content":[]}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"ls","input":{}}}

data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":""}}
data: {"type":"content_block_stop","index":0}
data: {"type":"content_block_start","index":1,"content_block":{"type":"server_tool_use","id":"b","name":"web_search","input":{}}}
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"query\": "}}
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"\"x\"}"}}
data: {"type":"content_block_stop","index":1}
data: {"type":"content_block_start","index":2,"content_block":{"type":"web_search_tool_result","tool_use_id":"b","content":[]}}
data: {"type":"content_block_stop","index":2}
data: {"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"c","name":"cut","input":{}}}
data: {"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\"a\": \"b"}}
data: {"type":"content_block_stop","index":3}
data: {"type":"message_stop"}
"#;
    let found = expect(text, &["5 a ls {}", "9 b web_search {\"query\":\"x\"} => ok ", "15 c cut text {\"a\": \"b"]);
    assert_eq!(found.all[0].model.as_deref(), Some("m"));
    assert_eq!(found.all[1].input, InputKind::ProviderRun);
}

/// Servers that only speak the protocol leave events out: the end of an item, its number, the arguments once more.
#[test]
fn responses_streams_of_other_servers() {
    let text = r#"data: {"type":"response.output_item.added","item":{"type":"function_call","id":"f","call_id":"a","name":"X","arguments":""}}
data: {"type":"response.output_item.added","item":{"type":"function_call","id":"g","call_id":"b","name":"Y","arguments":""}}
data: {"type":"response.function_call_arguments.delta","item_id":"f","delta":"{\"n\":"}
data: {"type":"response.function_call_arguments.delta","item_id":"g","delta":"{}"}
data: {"type":"response.function_call_arguments.delta","item_id":"f","delta":"1}"}
data: {"type":"response.function_call_arguments.done","item_id":"f","arguments":"{\"n\":1}"}
data: {"type":"response.completed","response":{"status":"completed"}}
"#;
    let found = expect(text, &["1 a X text {\"n\":1}", "2 b Y text {}"]);
    assert!(found.all.iter().all(|call| !call.pending));
    // Cut off: what was said to be whole is.
    let text = r#"data: {"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"f","call_id":"a","name":"X","arguments":""}}
data: {"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","id":"g","call_id":"b","name":"Y","arguments":""}}
data: {"type":"response.function_call_arguments.done","output_index":0,"item_id":"f","arguments":"{}"}
data: {"type":"response.function_call_arguments.delta","output_index":1,"delta":"{\"a\""}
"#;
    let mut found = Found::default();
    capture::read_from(text.as_bytes(), Path::new("f"), &Options::default(), &mut found);
    assert_eq!(found.all.iter().map(described).collect::<Vec<_>>(), ["1 a X text {}", "2 b Y text {\"a\""]);
    assert_eq!(found.all.iter().map(|call| call.pending).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn responses_streams_and_items() {
    let text = r#"data: {"type":"response.created","response":{"model":"m","output":[]}}
data: {"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"f","call_id":"a","name":"X","arguments":""}}
data: {"type":"response.function_call_arguments.delta","output_index":0,"delta":"{}"}
data: {"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"f","call_id":"a","name":"X","arguments":"{}"}}
data: {"type":"response.output_item.done","output_index":1,"item":{"type":"custom_tool_call","call_id":"b","name":"patch","input":"*** not json"}}
data: {"type":"response.completed","response":{"model":"m","output":[{"type":"function_call","id":"f","call_id":"a","name":"X","arguments":"{}"}]}}
"#;
    let found = expect(text, &["4 a X text {}", "5 b patch text *** not json"]);
    assert_eq!(found.all[1].input, InputKind::FreeText);
    assert_eq!(found.all[0].model.as_deref(), Some("m"));
    let text = r#"{"input":[{"type":"local_shell_call","call_id":"s","action":{"type":"exec","command":["ls"]}},{"type":"local_shell_call_output","call_id":"s","output":"a"},{"type":"file_search_call","id":"no"}]}
"#;
    let found = expect(text, &["1 s local_shell_call {\"type\":\"exec\",\"command\":[\"ls\"]} => ? a"]);
    assert_eq!(found.all[0].input, InputKind::ProviderRun);
}

#[test]
fn codex_rollouts_with_and_without_envelope() {
    let text = r#"{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"s"}}
{"timestamp":"2026-01-01T00:00:01Z","type":"turn_context","payload":{"model":"m1"}}
{"timestamp":"2026-01-01T00:00:02Z","type":"response_item","payload":{"type":"function_call","name":"exec","arguments":"{}","call_id":"a"}}
{"timestamp":"2026-01-01T00:00:02Z","type":"event_msg","payload":{"type":"function_call","name":"exec","arguments":"{}","call_id":"z"}}
{"timestamp":"2026-01-01T00:00:03Z","type":"turn_context","payload":{"model":"m2"}}
{"timestamp":"2026-01-01T00:00:04Z","type":"response_item","payload":{"type":"function_call_output","call_id":"a","output":"ok"}}
{"timestamp":"2026-01-01T00:00:05Z","type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","input":"*** x","call_id":"b"}}
"#;
    let found = expect(text, &["3 a exec text {} => ? ok", "7 b apply_patch text *** x"]);
    let models: Vec<_> = found.all.iter().map(|call| (call.session.as_deref(), call.model.as_deref())).collect();
    assert_eq!(models, [(Some("s"), Some("m1")), (Some("s"), Some("m2"))]);
    assert_eq!(format_of(text), "codex-rollout");
    let text = r#"{"id":"s","timestamp":"2026-01-01T00:00:00Z","instructions":null,"git":{}}
{"record_type":"state"}
{"type":"message","role":"user","content":[{"type":"input_text","text":"x"}]}
{"type":"function_call","name":"shell","arguments":"{}","call_id":"a"}
{"type":"function_call_output","call_id":"a","output":"{}"}
"#;
    let found = expect(text, &["4 a shell text {} => ? {}"]);
    assert_eq!(found.all[0].session.as_deref(), Some("s"));
    assert_eq!(format_of(text), "codex-rollout");
}

#[test]
fn gemini_in_both_cases_and_without_ids() {
    let text = r#"{"contents":[{"role":"model","parts":[{"functionCall":{"name":"f","args":{"a":1}}},{"function_call":{"name":"f","args":{"a":2}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"one"}}},{"function_response":{"name":"f","response":{"error":"two"}}}]}],"tools":[{"functionDeclarations":[{"name":"f"}]}]}
{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f","args":{"a":1}}}]},"finishReason":"STOP"}],"modelVersion":"m"}
"#;
    let found = expect(text, &["1 - f {\"a\":1} => ok one", "1 - f {\"a\":2} => error two", "2 - f {\"a\":1}"]);
    assert_eq!(found.all[2].model.as_deref(), Some("m"));
    assert_eq!(found.tools.len(), 1);
    assert_eq!(format_of(text), "gemini");
}

#[test]
fn gemini_cli_sessions_by_lines() {
    let text = r#"{"sessionId":"s","projectHash":"h","startTime":"2026-01-01T00:00:00Z"}
{"id":"1","timestamp":"2026-01-01T00:00:01Z","type":"user","content":"x"}
{"id":"2","timestamp":"2026-01-01T00:00:02Z","type":"gemini","content":"","model":"m","toolCalls":[{"id":"a","name":"ls","args":{}}]}
{"id":"2","timestamp":"2026-01-01T00:00:02Z","type":"gemini","content":"","model":"m","toolCalls":[{"id":"a","name":"ls","args":{},"status":"error","result":[{"functionResponse":{"response":{"error":"no"}}}]}]}
"#;
    let found = expect(text, &["3 a ls {} => error no"]);
    assert_eq!(found.all[0].session.as_deref(), Some("s"));
    assert_eq!(format_of(text), "gemini-cli-session");
}

#[test]
fn bedrock_streams() {
    let text = r#"{"contentBlockStart":{"start":{"toolUse":{"toolUseId":"a","name":"f"}},"contentBlockIndex":0}}
{"contentBlockDelta":{"delta":{"toolUse":{"input":"{\"x\":"}},"contentBlockIndex":0}}
{"contentBlockDelta":{"delta":{"toolUse":{"input":"1}"}},"contentBlockIndex":0}}
{"contentBlockStop":{"contentBlockIndex":0}}
{"messages":[{"role":"user","content":[{"toolResult":{"toolUseId":"a","status":"error","content":[{"text":"no"}]}}]}]}
"#;
    expect(text, &["1 a f {\"x\":1} => error no"]);
}

#[test]
fn mcp_lines_logs_and_inspectors() {
    let text = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}
{"jsonrpc":"2.0","id":1,"method":"tools/list"}
{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"q","inputSchema":{"type":"object"}}]}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"q","arguments":{"a":1}}}
{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"bad"}],"isError":true}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"q"}}
{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"invalid"}}
{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"q","arguments":{"a":1}}}
"#;
    let found = expect(text, &["4 2 q {\"a\":1} => error bad", "6 3 q absent => error invalid", "9 2 q {\"a\":1}"]);
    assert_eq!((found.tools.len(), found.tools[0].place.line), (1, 3));
    assert_eq!(format_of(text), "mcp-jsonrpc");
    let log = r#"2026-01-01T10:00:00.000Z [files] [info] Server started and connected
2026-01-01T10:00:01.000Z [files] [info] Message from client: {"method":"tools/call","params":{"name":"read","arguments":{"path":"x"}},"jsonrpc":"2.0","id":7} { metadata: undefined }
2026-01-01T10:00:02.000Z [files] [info] Message from server: {"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"hi"}]}} { metadata: undefined }
"#;
    let found = expect(log, &["2 7 read {\"path\":\"x\"} => ok hi"]);
    assert_eq!(found.all[0].at.as_deref(), Some("2026-01-01T10:00:01.000Z"));
    let proxied = r#"{"ts":"2026-01-01T10:00:00Z","direction":"in","message":"{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"tools/call\",\"params\":{\"name\":\"q\",\"arguments\":{}}}"}
{"ts":"2026-01-01T10:00:01Z","direction":"out","message":{"jsonrpc":"2.0","id":"x","result":{"content":[]}}}
"#;
    let found = expect(proxied, &["1 x q {} => ok "]);
    assert_eq!(found.all[0].at.as_deref(), Some("2026-01-01T10:00:00Z"));
    let history = r#"[{"request":"{\"method\":\"tools/call\",\"params\":{\"name\":\"q\",\"arguments\":{\"a\":1}}}","response":"{\"content\":[{\"type\":\"text\",\"text\":\"ok\"}],\"isError\":false}"}]"#;
    let options = Options { format: Some("mcp-jsonrpc".parse().unwrap()), ..Options::default() };
    let mut found = Found::default();
    capture::read_from(history.as_bytes(), Path::new("f"), &options, &mut found);
    assert_eq!(found.all.iter().map(described).collect::<Vec<_>>(), ["1 - q {\"a\":1} => ok ok"]);
}

#[test]
fn otlp_spans() {
    let text = r#"{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"t","spanId":"s1","name":"chat m","attributes":[]},{"traceId":"t","spanId":"s2","name":"execute_tool ls","startTimeUnixNano":"1730518953176773492","attributes":[{"key":"gen_ai.tool.name","value":{"stringValue":"ls"}},{"key":"gen_ai.tool.call.id","value":{"stringValue":"call_1"}},{"key":"gen_ai.tool.call.arguments","value":{"stringValue":"{\"p\":1}"}},{"key":"gen_ai.tool.call.result","value":{"stringValue":"a b"}}],"status":{"code":2}}]}]}]}
"#;
    let found = expect(text, &["1 call_1 ls text {\"p\":1} => error a b"]);
    assert_eq!(found.all[0].at.as_deref(), Some("2024-11-02T03:42:33.176Z"));
    assert_eq!(format_of(text), "otel-genai");
    // What a console exporter prints: objects over many lines, one after the other.
    let printed = "{\n  \"name\": \"execute_tool x\",\n  \"context\": {\"span_id\": \"0x1\"},\n  \"status\": {\"status_code\": \"OK\"},\n  \"attributes\": {\"input.value\": \"{}\", \"output.value\": \"y\"}\n}\n";
    expect(printed.repeat(2).replacen("0x1", "0x2", 1), &["1 0x2 x text {} => ok y", "7 0x1 x text {} => ok y"]);
}

/// Where no span is a tool's, calls stand in the messages of the requests to the model, in any of the conventions; what a later
/// request repeats counts once.
#[test]
fn spans_with_messages() {
    let text = r#"{"traceId":"t","spanId":"s1","name":"chat m","attributes":{"gen_ai.request.model":"m","gen_ai.input.messages":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"and?\"}]}]","gen_ai.output.messages":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"well\"},{\"type\":\"tool_call\",\"id\":\"call_1\",\"name\":\"weather\",\"arguments\":{\"city\":\"Paris\"}}],\"finish_reason\":\"tool_call\"}]"}}
{"traceId":"t","spanId":"s2","name":"chat m","attributes":{"gen_ai.input.messages":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"and?\"}]},{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"well\"},{\"type\":\"tool_call\",\"id\":\"call_1\",\"name\":\"weather\",\"arguments\":{\"city\":\"Paris\"}}]},{\"role\":\"tool\",\"parts\":[{\"type\":\"tool_call_response\",\"id\":\"call_1\",\"response\":\"rain\"}]}]","gen_ai.output.messages":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"rain\"}],\"finish_reason\":\"stop\"}]"}}
"#;
    let found = expect(text, &["1 call_1 weather {\"city\":\"Paris\"} => ? rain"]);
    assert_eq!(format_of(text), "otel-genai");
    assert_eq!((found.all[0].model.as_deref(), found.all[0].finish_reason.as_deref()), (Some("m"), Some("tool_call")));
    // Structured, in OTLP's typed values, and then repeated as text.
    let typed = r#"{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"t","spanId":"s1","name":"chat m","attributes":[{"key":"gen_ai.output.messages","value":{"arrayValue":{"values":[{"kvlistValue":{"values":[{"key":"role","value":{"stringValue":"assistant"}},{"key":"parts","value":{"arrayValue":{"values":[{"kvlistValue":{"values":[{"key":"type","value":{"stringValue":"text"}},{"key":"content","value":{"stringValue":"well"}}]}},{"kvlistValue":{"values":[{"key":"type","value":{"stringValue":"tool_call"}},{"key":"id","value":{"stringValue":"call_1"}},{"key":"name","value":{"stringValue":"weather"}},{"key":"arguments","value":{"kvlistValue":{"values":[{"key":"city","value":{"stringValue":"Paris"}},{"key":"days","value":{"intValue":"2"}},{"key":"exact","value":{"boolValue":true}},{"key":"at","value":{"doubleValue":1.5}},{"key":"none","value":{}},{"key":"list","value":{"arrayValue":{"values":[{"stringValue":"a"},{"intValue":"1"}]}}}]}}}]}}]}}},{"key":"finish_reason","value":{"stringValue":"tool_call"}}]}}]}}}]},{"traceId":"t","spanId":"s2","name":"chat m","attributes":[{"key":"gen_ai.input.messages","value":{"stringValue":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"and?\"}]},{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"well\"},{\"type\":\"tool_call\",\"id\":\"call_1\",\"name\":\"weather\",\"arguments\":{\"city\":\"Paris\",\"days\":2,\"exact\":true,\"at\":1.5,\"none\":null,\"list\":[\"a\",1]}}]},{\"role\":\"tool\",\"parts\":[{\"type\":\"tool_call_response\",\"id\":\"call_1\",\"response\":\"rain\"}]}]"}}]}]}]}]}
"#;
    let arguments = r#"{"city":"Paris","days":2,"exact":true,"at":1.5,"none":null,"list":["a",1]}"#;
    expect(typed, &[&format!("1 call_1 weather {arguments} => ? rain")]);
    // An attribute for each field.
    let flat = r#"{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"t","spanId":"s1","name":"chat m","attributes":[{"key":"gen_ai.completion.0.role","value":{"stringValue":"assistant"}},{"key":"gen_ai.completion.0.finish_reason","value":{"stringValue":"tool_calls"}},{"key":"gen_ai.completion.0.tool_calls.0.id","value":{"stringValue":"call_1"}},{"key":"gen_ai.completion.0.tool_calls.0.name","value":{"stringValue":"weather"}},{"key":"gen_ai.completion.0.tool_calls.0.arguments","value":{"stringValue":"{\"n\":1}"}},{"key":"gen_ai.completion.0.tool_calls.1.id","value":{"stringValue":"call_2"}},{"key":"gen_ai.completion.0.tool_calls.1.name","value":{"stringValue":"time"}},{"key":"gen_ai.completion.0.tool_calls.1.arguments","value":{"stringValue":"{}"}}]},{"traceId":"t","spanId":"s2","name":"chat m","attributes":[{"key":"gen_ai.prompt.0.role","value":{"stringValue":"user"}},{"key":"gen_ai.prompt.0.content","value":{"stringValue":"hi"}},{"key":"gen_ai.prompt.1.role","value":{"stringValue":"assistant"}},{"key":"gen_ai.prompt.1.tool_calls.0.id","value":{"stringValue":"call_1"}},{"key":"gen_ai.prompt.1.tool_calls.0.name","value":{"stringValue":"weather"}},{"key":"gen_ai.prompt.1.tool_calls.0.arguments","value":{"stringValue":"{\"n\":1}"}},{"key":"gen_ai.prompt.2.role","value":{"stringValue":"tool"}},{"key":"gen_ai.prompt.2.tool_call_id","value":{"stringValue":"call_1"}},{"key":"gen_ai.prompt.2.content","value":{"stringValue":"rain"}}]}]}]}]}
"#;
    let found = expect(flat, &["1 call_1 weather text {\"n\":1} => ? rain", "1 call_2 time text {}"]);
    assert_eq!(found.all[1].finish_reason.as_deref(), Some("tool_calls"));
    let inference = r#"{"spans":[{"traceId":"t","spanId":"s1","name":"chat m","attributes":{"llm.model_name":"m","llm.output_messages.0.message.role":"assistant","llm.output_messages.0.message.tool_calls.0.tool_call.id":"call_1","llm.output_messages.0.message.tool_calls.0.tool_call.function.name":"weather","llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments":"{}"}},{"traceId":"t","spanId":"s2","name":"chat m","attributes":{"llm.input_messages.1.message.role":"tool","llm.input_messages.1.message.tool_call_id":"call_1","llm.input_messages.1.message.content":"rain"}}]}
"#;
    expect(inference, &["1 call_1 weather text {} => ? rain"]);
    let events = r#"{"spans":[{"traceId":"t","spanId":"s1","name":"chat m","attributes":{},"events":[{"name":"gen_ai.choice","attributes":{"index":0,"finish_reason":"tool_calls","message":"{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"call_1\",\"type\":\"function\",\"function\":{\"name\":\"weather\",\"arguments\":\"{}\"}}]}"}}]},{"traceId":"t","spanId":"s2","name":"chat m","attributes":{},"events":[{"name":"gen_ai.tool.message","attributes":{"id":"call_1","content":"rain"}}]}]}
"#;
    expect(events, &["1 call_1 weather text {} => ? rain"]);
    // Where tools have spans, these are the calls.
    let mixed = r#"{"spans":[{"traceId":"t","spanId":"s1","name":"chat m","attributes":{"gen_ai.output.messages":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"well\"},{\"type\":\"tool_call\",\"id\":\"call_1\",\"name\":\"weather\",\"arguments\":{\"city\":\"Paris\"}}],\"finish_reason\":\"tool_call\"}]"}},{"traceId":"t","spanId":"s2","name":"execute_tool weather","attributes":{"gen_ai.tool.call.id":"call_1","gen_ai.tool.name":"weather"},"status":{"code":"OK"}},{"traceId":"t","spanId":"s3","name":"chat m","attributes":{"gen_ai.output.messages":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"call_2\",\"name\":\"time\",\"arguments\":null},{\"type\":\"server_tool_call\",\"id\":\"c\",\"name\":\"search\",\"server_tool_call\":{\"type\":\"search\",\"query\":\"x\"}}]}]","gen_ai.input.messages":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"well\"},{\"type\":\"tool_call\",\"id\":\"call_1\",\"name\":\"weather\",\"arguments\":{\"city\":\"Paris\"}}]},{\"role\":\"tool\",\"parts\":[{\"type\":\"tool_call_response\",\"id\":\"call_1\",\"response\":\"rain\"}]}]"}},{"traceId":"t","spanId":"s4","name":"execute_tool clock","attributes":{}},{"traceId":"t","spanId":"s5","name":"chat m","attributes":{"gen_ai.output.messages":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"name\":\"clock\",\"arguments\":{}}]}]"}}]}"#;
    expect(mixed, &["1 call_1 weather absent", "1 s4 clock absent"]);
    let hosted = r#"{"spans":[{"traceId":"t","spanId":"s3","name":"chat m","attributes":{"gen_ai.output.messages":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"call_2\",\"name\":\"time\",\"arguments\":null},{\"type\":\"server_tool_call\",\"id\":\"c\",\"name\":\"search\",\"server_tool_call\":{\"type\":\"search\",\"query\":\"x\"}}]}]","gen_ai.input.messages":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"well\"},{\"type\":\"tool_call\",\"id\":\"call_1\",\"name\":\"weather\",\"arguments\":{\"city\":\"Paris\"}}]},{\"role\":\"tool\",\"parts\":[{\"type\":\"tool_call_response\",\"id\":\"call_1\",\"response\":\"rain\"}]}]"}}]}"#;
    let found = expect(
        hosted,
        &[
            "1 call_1 weather {\"city\":\"Paris\"} => ? rain",
            "1 call_2 time absent",
            "1 c search {\"type\":\"search\",\"query\":\"x\"}",
        ],
    );
    assert_eq!(found.all[2].input, InputKind::ProviderRun);
}

#[test]
fn benchmarks() {
    let bfcl = r#"{"id":"multi_turn_0","result":[[[{"cd":"{\"folder\":\"x\"}"}],[{"ls":{}},{"pwd":"{}"}]],[]],"latency":[[0.1]]}
{"id":"simple_1","result":"[f(a=1)]","input_token_count":3}
"#;
    expect(bfcl, &["1 - cd text {\"folder\":\"x\"}", "1 - ls {}", "1 - pwd text {}"]);
    let tau = r#"{"info":{"agent_info":{"llm":"m"}},"simulations":[{"id":"sim","messages":[{"role":"user","tool_calls":[{"id":"u","name":"look","arguments":{}}]},{"role":"tool","tool_messages":[{"id":"u","role":"tool","content":"x","error":false}]},{"role":"assistant","raw_data":{"message":{"role":"assistant","tool_calls":[{"id":"z","function":{"name":"no","arguments":"{}"}}]}},"tool_calls":[{"id":"a","name":"do","arguments":{"n":1}}]}]}]}"#;
    let found = expect(tau, &["1 u look {} => ok x", "1 a do {\"n\":1}"]);
    assert_eq!(found.all.iter().map(|call| call.model.as_deref()).collect::<Vec<_>>(), [None, Some("m")]);
    let swe = r#"{"trajectory":[{"query":[{"role":"assistant","tool_calls":[{"id":"z","function":{"name":"no","arguments":"{}"}}]}]}],"history":[{"role":"assistant","agent":"main","message_type":"action","tool_calls":[{"id":"a","function":{"name":"open","arguments":"{}"}}]},{"role":"tool","agent":"main","content":"x","tool_call_ids":["a"]}]}"#;
    expect(swe, &["1 a open text {} => ? x"]);
}

#[test]
fn managed_events_bare() {
    let text = r#"{"type":"session.status_running","id":"e0"}
{"type":"agent.tool_use","id":"e1","name":"bash","input":{"command":"ls"},"processed_at":"2026-01-01T00:00:00Z"}
{"type":"agent.tool_result","id":"e2","tool_use_id":"e1","content":[{"type":"text","text":"x"}],"is_error":true}
{"type":"agent.custom_tool_use","id":"e3","name":"mine","input":{}}
{"type":"user.custom_tool_result","custom_tool_use_id":"e3","content":"y"}
"#;
    let found = expect(text, &["2 e1 bash {\"command\":\"ls\"} => error x", "4 e3 mine {} => ok y"]);
    assert_eq!(found.all[1].origin, Some(misfire::definition::Origin::Custom));
}

#[test]
fn archives_and_cassettes() {
    let request = r#"{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}"#;
    let response = r#"{\"choices\":[{\"message\":{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}}]}"#;
    let har = format!(
        r#"{{"log":{{"entries":[
{{"startedDateTime":"2026-01-01T00:00:00Z","request":{{"postData":{{"text":"{request}"}}}},"response":{{"content":{{"text":"{response}"}}}}}},
{{"request":{{"postData":{{"text":""}}}},"response":{{"content":{{"text":"eyJjb250ZW50IjpbeyJ0eXBlIjoidG9vbF91c2UiLCJpZCI6ImIiLCJuYW1lIjoiZyIsImlucHV0Ijp7fX1dfQ==","encoding":"base64"}}}}}}
]}}}}"#
    );
    let found = expect(&har, &["2 a f text {}", "3 b g {}"]);
    assert_eq!(found.all[0].at.as_deref(), Some("2026-01-01T00:00:00Z"));
    assert_eq!(format_of(&har), "har");
    let yaml = r#"---
http_interactions:
- request:
    method: post
    body:
      encoding: UTF-8
      string: '{"contents":[{"role":"user","parts":[{"text":"x"}]}]}'
  response:
    body:
      encoding: UTF-8
      string: |
        {
          "candidates": [{"content": {"parts": [
            {"functionCall": {"name": "f", "args": {"n": 1}}}
          ]}}]
        }
  recorded_at: Thu, 01 Jan 2026 00:00:00 GMT
- request:
    body:
      string: '{"contents":[{"role":"model","parts":[{"functionCall":{"name":"f","args":{"n":1}}},{"functionCall":{"name":"f","args":{"n":1}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"r"}}}]}]}'
  response:
    parsed_body:
      candidates: []
"#;
    let found = expect(yaml, &["14 - f {\"n\":1} => ok r", "20 - f {\"n\":1}"]);
    assert_eq!(found.all.len(), 2);
    assert_eq!(format_of(yaml), "vcr-cassette");
}

#[test]
fn compressed_files() {
    let line = r#"{"id":"a","tool":"T","arguments":{"x":1}}"#;
    let text = format!("{line}\n{}\n", line.replace("\"a\"", "\"b\""));
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    expect(encoder.finish().unwrap(), &["1 a T {\"x\":1}", "2 b T {\"x\":1}"]);
    let zstd = ruzstd::encoding::compress_to_vec(text.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    expect(zstd, &["1 a T {\"x\":1}", "2 b T {\"x\":1}"]);
}

#[test]
fn a_wave_call_that_is_written_again_when_it_ends() {
    let text = r#"{"type":"metadata","workdir":"/w"}
{"id":"m1","role":"assistant","timestamp":"2026-01-01T00:00:00Z","blocks":[{"type":"tool","id":"a","name":"Bash","parameters":"{}","stage":"running"},{"type":"tool","id":"b","name":"Read","parameters":"{\"fi","stage":"streaming"}],"usage":{"model":"m"}}
{"id":"m1","role":"assistant","timestamp":"2026-01-01T00:00:00Z","blocks":[{"type":"tool","id":"a","name":"Bash","parameters":"{}","stage":"end","success":false,"result":"","error":"no"}],"usage":{"model":"m"}}
"#;
    let found = expect(text, &["2 a Bash text {} => error no", "2 b Read text {\"fi"]);
    assert_eq!(found.all.iter().map(|call| call.pending).collect::<Vec<_>>(), [false, true]);
    assert_eq!(found.all[0].model.as_deref(), Some("m"));
}
