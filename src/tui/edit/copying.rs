//! What can be copied of a call, as texts.

use super::shell;
use crate::capture::{Call, Outcome, write_call};
use crate::definition::Definition;
use crate::dialect::{self, WireForm, wire};
use crate::gate::{Arguments, Issue, IssueKind, Verdict};
use crate::json::to_well_formed;
use std::path::PathBuf;

/// The arguments as they are.
#[must_use]
pub fn arguments(call: &Call) -> String {
    match &call.arguments {
        Arguments::Absent => "{}".to_owned(),
        Arguments::Text(text) => text.to_well_formed().into_owned(),
        Arguments::Json(value) => value.to_json(),
    }
}

/// The issues, one a line.
#[must_use]
pub fn issues(issues: &[Issue]) -> String {
    issues.iter().map(|issue| issue_line(issue) + "\n").collect()
}

/// An issue in one line: its kind, its place, what was expected and what came.
#[must_use]
pub fn issue_line(issue: &Issue) -> String {
    let (kind, subject) = (issue.kind.name(), issue.subject());
    match &issue.kind {
        IssueKind::Missing | IssueKind::Unexpected => format!("{kind} {subject}"),
        IssueKind::Type { expected, provided } => format!("{kind} {subject}: expected {expected}, got {provided}"),
        IssueKind::Constraint { expected, provided, .. } => format!("{kind} {subject}: expected {expected}, got {provided}"),
        IssueKind::Value { expected, provided } => format!("{kind} {subject}: expected one of {expected}, got {provided}"),
    }
}

/// The message that goes back to the model; the form is the one shown, or else the one that the id looks like.
#[must_use]
pub fn wire_result(call: &Call, verdict: &Verdict, form: Option<WireForm>) -> Option<String> {
    let id = call.id.as_deref();
    let form =
        form.unwrap_or_else(|| if id.is_some_and(|id| id.starts_with("call_")) { WireForm::OpenAi } else { WireForm::Anthropic });
    Some(wire(form, verdict, id)?.to_json_pretty(2))
}

/// The definition as the model is given it.
#[must_use]
pub fn schema(definition: &Definition) -> String {
    to_well_formed(definition.raw()).into_owned()
}

/// The command that judges the call.
#[must_use]
pub fn command(call: &Call, tools: &[PathBuf]) -> String {
    shell::command(call, tools)
}

/// A test fixture: the call in our own format, with what the gate says of it as its result.
#[must_use]
pub fn fixture(call: &Call, verdict: &Verdict) -> String {
    let result = Outcome { is_error: Some(verdict.is_error()), text: dialect::text(verdict).unwrap_or_default() };
    let call = Call { result: Some(result), note: Some(format!("verdict: {}", verdict.kind.name())), ..call.clone() };
    write_call(&call)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Value;
    use crate::replay::judge;
    use crate::tui::edit::tests::{call, gate};

    #[test]
    fn issues_are_lines() {
        let verdict = judge(&gate(), &call("TaskUpdate", r#"{"status":"no","tags":1,"x":2}"#));
        assert_eq!(
            issues(&verdict.issues),
            "missing taskId\nunexpected x\ntype tags: expected array, got number\n\
             value status: expected one of \"pending\"|\"completed\", got \"no\"\n"
        );
    }

    #[test]
    fn a_wire_result_is_in_the_form_of_its_id_or_of_the_screen() {
        let with_id = |id: &str| Call { id: Some(id.into()), ..call("TaskUpdate", "{}") };
        let text = |id: &str, form| {
            let call = with_id(id);
            wire_result(&call, &judge(&gate(), &call), form).unwrap()
        };
        assert!(text("toolu_1", None).contains("tool_use_id"));
        assert!(text("call_1", None).contains("tool_call_id"));
        assert!(text("call_1", Some(WireForm::Mcp)).contains("isError"));
        let fine = call("TaskList", "{}");
        assert_eq!(wire_result(&fine, &judge(&gate(), &fine), None), None);
    }

    #[test]
    fn a_fixture_says_what_the_gate_says() {
        let call = Call { id: Some("c".into()), ..call("TaskUpdate", "{]") };
        let line = fixture(&call, &judge(&gate(), &call));
        let value = Value::parse(line.as_bytes()).unwrap();
        assert_eq!(value.at_pointer("/arguments"), Some(&Value::from("{]")));
        assert_eq!(value.at_pointer("/result/text"), Some(&Value::from("Failed to parse tool arguments")));
        assert_eq!(value.at_pointer("/note"), Some(&Value::from("verdict: unparsable")));
    }
}
