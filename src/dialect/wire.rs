//! Wire results: the message that carries a verdict's text back to a model, in the form of each provider.

use crate::gate::Verdict;
use crate::json::Value;

/// A provider's form of a tool result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireForm {
    /// Anthropic Messages: a `tool_result` block with `is_error: true`.
    Anthropic,
    /// OpenAI Chat Completions: a message of the role `tool` (the form has no error flag).
    OpenAi,
    /// OpenAI Responses: a `function_call_output` item (the form has no error flag).
    Responses,
    /// Model Context Protocol: the `result` of `tools/call`, with `isError: true`.
    Mcp,
    /// Gemini: a `functionResponse` part whose `response` has the key `error`.
    Gemini,
}

impl WireForm {
    /// All forms.
    pub const ALL: [Self; 5] = [Self::Anthropic, Self::OpenAi, Self::Responses, Self::Mcp, Self::Gemini];

    /// The form's name in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
            Self::Responses => "responses",
            Self::Mcp => "mcp",
            Self::Gemini => "gemini",
        }
    }
}

/// The message that goes back instead of the tool's result; `None` where the call is not stopped.
///
/// `id` is the call's id. Where a form needs one and there is none, it is `null`, so that its absence is seen.
#[must_use]
pub fn wire(form: WireForm, verdict: &Verdict, id: Option<&str>) -> Option<Value> {
    let text = super::text(verdict)?;
    Some(match form {
        WireForm::Anthropic => Value::from([
            ("type", "tool_result".into()),
            ("tool_use_id", id.into()),
            ("content", text.into()),
            ("is_error", true.into()),
        ]),
        WireForm::OpenAi => Value::from([("role", "tool".into()), ("tool_call_id", id.into()), ("content", text.into())]),
        WireForm::Responses => {
            Value::from([("type", "function_call_output".into()), ("call_id", id.into()), ("output", text.into())])
        }
        WireForm::Mcp => {
            let block = Value::from([("type", "text".into()), ("text", text.into())]);
            Value::from([("content", vec![block].into()), ("isError", true.into())])
        }
        WireForm::Gemini => {
            let response = Value::from([("error", text.into())]);
            let name = Value::from(verdict.tool.as_str());
            // Gemini pairs by id where the call had one, else by name and order.
            let inner = match id {
                Some(id) => Value::from([("id", id.into()), ("name", name), ("response", response)]),
                None => Value::from([("name", name), ("response", response)]),
            };
            Value::from([("functionResponse", inner)])
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Gate;

    #[test]
    fn each_form_carries_the_exact_text() {
        let verdict = Gate::default().judge_text("nope", b"{}", None);
        let form = |form, id| wire(form, &verdict, id).unwrap().to_json();
        let id = Some("call_1");
        assert_eq!(
            form(WireForm::Anthropic, id),
            r#"{"type":"tool_result","tool_use_id":"call_1","content":"Error: Tool 'nope' not found","is_error":true}"#
        );
        assert_eq!(
            form(WireForm::OpenAi, id),
            r#"{"role":"tool","tool_call_id":"call_1","content":"Error: Tool 'nope' not found"}"#
        );
        assert_eq!(
            form(WireForm::Responses, id),
            r#"{"type":"function_call_output","call_id":"call_1","output":"Error: Tool 'nope' not found"}"#
        );
        assert_eq!(
            form(WireForm::Mcp, id),
            r#"{"content":[{"type":"text","text":"Error: Tool 'nope' not found"}],"isError":true}"#
        );
        assert_eq!(
            form(WireForm::Gemini, id),
            r#"{"functionResponse":{"id":"call_1","name":"nope","response":{"error":"Error: Tool 'nope' not found"}}}"#
        );
        assert_eq!(
            form(WireForm::Gemini, None),
            r#"{"functionResponse":{"name":"nope","response":{"error":"Error: Tool 'nope' not found"}}}"#
        );
        assert!(form(WireForm::Anthropic, None).contains(r#""tool_use_id":null"#));
    }

    #[test]
    fn a_call_that_is_not_stopped_has_no_result_of_ours() {
        let verdict = Gate::default().judge_text("mcp__a__b", b"{}", None);
        assert!(WireForm::ALL.iter().all(|form| wire(*form, &verdict, None).is_none()));
    }
}
