//! The ten acceptance scenarios, each by its name, on the bundled definitions. A small runtime stands around the gate and
//! records what a call reaches.

use misfire::definition::Catalog;
use misfire::dialect::{WireForm, wire};
use misfire::gate::{Arguments, Gate, Stage, StageOutcome, stages};
use std::path::PathBuf;

/// What an agent runtime does with a call, and what it leaves in the conversation.
struct Runtime {
    gate: Gate,
    /// Stages that calls entered: `hook Read`, `permission Read`, `run Read`.
    entered: Vec<String>,
    conversation: Vec<String>,
}

impl Runtime {
    fn new() -> Self {
        let catalog = Catalog::load(&[PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tools")]);
        Self { gate: Gate::new(&catalog), entered: Vec::new(), conversation: Vec::new() }
    }

    /// Executes a call; returns the text of an error, and adds the tool's result to the conversation either way.
    fn call(&mut self, tool: &str, arguments: &str) -> Option<String> {
        let verdict = self.gate.judge(tool, &Arguments::text(arguments), None);
        for (stage, outcome) in stages(&verdict) {
            if outcome == StageOutcome::WouldBeEntered {
                self.entered.push(format!("{} {tool}", stage.name()));
            }
        }
        let message = wire(WireForm::Anthropic, &verdict, Some("toolu_1"));
        self.conversation.push(message.map_or("the tool's own result".to_owned(), |m| m.to_json()));
        misfire::dialect::text(&verdict)
    }

    fn reached_nothing(&self) -> bool {
        self.entered.is_empty()
    }

    fn ran(&self, tool: &str) -> bool {
        ["hook", "permission", "run"].iter().all(|stage| self.entered.contains(&format!("{stage} {tool}")))
    }
}

/// One rejected call: its exact text, and that it reached nothing.
fn rejected(tool: &str, arguments: &str, lines: &[&str]) {
    let mut runtime = Runtime::new();
    let expected = format!("{tool} failed due to the following issue(s):\n{}", lines.join("\n"));
    assert_eq!(runtime.call(tool, arguments), Some(expected));
    assert!(runtime.reached_nothing(), "{:?}", runtime.entered);
}

#[test]
fn scenario_01_a_required_parameter_is_missing() {
    rejected("Read", "{}", &["The required parameter `file_path` is missing"]);
}

#[test]
fn scenario_02_an_undeclared_key_is_named() {
    rejected(
        "Edit",
        r#"{"file_path":"/a","old_string":"x","new_string":"y","replaceAll":true}"#,
        &["An unexpected parameter `replaceAll` was provided"],
    );
}

#[test]
fn scenario_03_a_wrong_type_says_expected_and_provided() {
    rejected(
        "Read",
        r#"{"file_path":"/a","limit":"20"}"#,
        &["The parameter `limit` type is expected as `number` but provided as `string`"],
    );
}

#[test]
fn scenario_04_a_value_outside_the_enum() {
    rejected(
        "Grep",
        r#"{"pattern":"x","output_mode":"lines"}"#,
        &[r#"The parameter `output_mode` is invalid: expected one of "content"|"files_with_matches"|"count""#],
    );
}

#[test]
fn scenario_05_null_is_a_type_issue_unless_it_is_declared() {
    rejected(
        "Read",
        r#"{"file_path":"/a","limit":null}"#,
        &["The parameter `limit` type is expected as `number` but provided as `null`"],
    );
    let definition = br#"{"name":"t","parameters":{"properties":{"limit":{"type":["number","null"]}}}}"#;
    let catalog = Catalog::from_definitions(misfire::definition::Definition::parse(definition).unwrap());
    assert!(!Gate::new(&catalog).judge("t", &Arguments::text(r#"{"limit":null}"#), None).is_error());
}

#[test]
fn scenario_06_a_legal_call_behaves_as_without_a_gate() {
    for (tool, arguments) in [
        // Optional parameters absent, and free-form maps.
        ("Read", r#"{"file_path":"/a"}"#),
        ("TaskCreate", r#"{"subject":"a","description":"b","metadata":{"any":[1,{"thing":null}]}}"#),
        ("Workflow", r#"{"script":"x","args":[1,"two",null]}"#),
        ("TaskList", ""),
    ] {
        let mut runtime = Runtime::new();
        assert_eq!(runtime.call(tool, arguments), None, "{tool}");
        assert!(runtime.ran(tool));
    }
}

#[test]
fn scenario_07_a_rejection_is_an_ordinary_result_and_the_conversation_goes_on() {
    let mut runtime = Runtime::new();
    runtime.call("Read", r#"{"path":"/a"}"#);
    runtime.call("Read", r#"{"file_path":"/a"}"#);
    assert_eq!(
        runtime.conversation,
        [
            r#"{"type":"tool_result","tool_use_id":"toolu_1","content":"Read failed due to the following issue(s):\nThe required parameter `file_path` is missing\nAn unexpected parameter `path` was provided","is_error":true}"#,
            "the tool's own result",
        ]
    );
    assert!(runtime.ran("Read"));
}

#[test]
fn scenario_08_mcp_tools_pass_through() {
    for tool in ["search_train_tickets", "mcp__tickets__search_train_tickets", "mcp__nowhere__known"] {
        let mut runtime = Runtime::new();
        assert_eq!(runtime.call(tool, r#"{"date":"2023-11-32"}"#), None, "{tool}");
        assert!(runtime.ran(tool));
    }
    // What validation would have said is kept as advice.
    let verdict = Runtime::new().gate.judge("search_train_tickets", &Arguments::text("{}"), None);
    assert_eq!(verdict.advice.len(), 3);
}

#[test]
fn scenario_09_custom_tools_pass_through() {
    let mut runtime = Runtime::new();
    assert_eq!(runtime.call("run_sql", r#"{"no":"such parameter"}"#), None);
    assert!(runtime.ran("run_sql"));
}

#[test]
fn scenario_10_a_rejected_call_triggers_no_hook_and_no_permission_prompt() {
    for (tool, arguments) in [("Bash", r#"{"cmd":"rm -rf /"}"#), ("Bash", "{'command': 'ls'}"), ("Bosh", "{}")] {
        let mut runtime = Runtime::new();
        assert!(runtime.call(tool, arguments).is_some());
        assert!(runtime.reached_nothing(), "{tool} {arguments}: {:?}", runtime.entered);
    }
    let verdict = Runtime::new().gate.judge("Bash", &Arguments::text("{}"), None);
    let outcomes = stages(&verdict).map(|(stage, outcome)| (stage, outcome.words()));
    assert_eq!(
        outcomes,
        [
            (Stage::Parse, "passed"),
            (Stage::Route, "passed"),
            (Stage::Validate, "stopped here"),
            (Stage::Hook, "not entered"),
            (Stage::Permission, "not entered"),
            (Stage::Run, "not entered"),
        ]
    );
}

#[test]
fn a_task_update_without_its_id_touches_nothing_and_with_it_runs() {
    let mut runtime = Runtime::new();
    let text = runtime.call("TaskUpdate", r#"{"id":"2","status":"completed"}"#).expect("an error");
    assert!(text.contains("The required parameter `taskId` is missing"), "{text}");
    assert!(runtime.reached_nothing());
    assert_eq!(runtime.call("TaskUpdate", r#"{"taskId":"2","status":"completed"}"#), None);
    assert!(runtime.ran("TaskUpdate"));
}
