//! A judged call as JSON: one object, the same in every command.

use crate::dialect;
use crate::gate::{self, Branch, Issue, Verdict};
use crate::json::{JsString, Value, push_escaped, push_quoted};

/// A judged call with what identifies it.
#[derive(Clone, Copy, Debug)]
pub struct CallReport<'a> {
    /// The verdict, which knows the tool's name.
    pub verdict: &'a Verdict,
    /// The call's id, if it has one.
    pub id: Option<&'a str>,
    /// `PATH:LINE` of the call; `None` for one that was typed.
    pub source: Option<&'a str>,
    /// The call was still being streamed when it was captured: judged as it stands, not counted as a failure.
    pub pending: bool,
}

/// The object of a judged call: `tool`, `id`, `source` and what [`verdict_members`] gives; `pending` only where it is true.
#[must_use]
pub fn call_object(call: CallReport<'_>) -> Value {
    let mut members: Vec<(JsString, Value)> = vec![
        ("tool".into(), call.verdict.tool.as_str().into()),
        ("id".into(), call.id.into()),
        ("source".into(), call.source.into()),
    ];
    members.extend(verdict_members(call.verdict));
    members.extend(call.pending.then(|| ("pending".into(), true.into())));
    Value::Object(members.into_iter().collect())
}

/// The text of [`call_object`] for a call in a file, in two parts: the line number belongs between them. For many calls, whose
/// lines are known only when they are handed over.
#[must_use]
pub fn call_parts(verdict: &Verdict, id: Option<&str>, file: &str, pending: bool) -> (String, String) {
    let mut before = String::with_capacity(96 + file.len());
    before.push_str("{\"tool\":");
    push_quoted(&mut before, verdict.tool.as_bytes());
    before.push_str(",\"id\":");
    match id {
        Some(id) => push_quoted(&mut before, id.as_bytes()),
        None => before.push_str("null"),
    }
    before.push_str(",\"source\":\"");
    push_escaped(&mut before, file.as_bytes());
    before.push(':');

    let text = dialect::text(verdict);
    let mut after = String::with_capacity(160 + 160 * verdict.issues.len() + 2 * text.as_ref().map_or(0, String::len));
    let pieces = ["\",\"verdict\":\"", verdict.kind.name(), "\",\"is_error\":", boolean(verdict.is_error()), ",\"issues\":["];
    after.extend(pieces);
    for (i, issue) in verdict.issues.iter().enumerate() {
        after.extend([if i > 0 { ",{" } else { "{" }, "\"kind\":\"", issue.kind.name(), "\""]);
        push_member(&mut after, "path", Some(&issue.path));
        push_member(&mut after, "pointer", Some(&issue.pointer));
        push_member(&mut after, "expected", issue.kind.expected());
        push_member(&mut after, "provided", issue.kind.provided());
        push_member(&mut after, "keyword", issue.kind.keyword());
        if let Some(branch) = issue.kind.branch() {
            after.extend([",\"branch\":", &branch_object(branch).to_json()]);
        }
        after.push('}');
    }
    after.push_str("],\"text\":");
    match &text {
        Some(text) => push_quoted(&mut after, text.as_bytes()),
        None => after.push_str("null"),
    }
    after.extend([",\"recovered\":", boolean(verdict.recovered())]);
    for (key, value) in profile_members(verdict) {
        after.extend([",\"", key, "\":", &value.to_json()]);
    }
    after.push_str(if pending { ",\"pending\":true}" } else { "}" });
    (before, after)
}

fn boolean(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}

fn push_member(out: &mut String, key: &str, value: Option<&str>) {
    if let Some(value) = value {
        out.extend([",\"", key, "\":"]);
        push_quoted(out, value.as_bytes());
    }
}

/// The members that say what the gate says: `verdict`, `is_error`, `issues`, `text`, `recovered`.
pub fn verdict_members(verdict: &Verdict) -> impl Iterator<Item = (JsString, Value)> {
    let issues: Vec<Value> = verdict.issues.iter().map(issue_object).collect();
    let members: [(JsString, Value); 5] = [
        ("verdict".into(), verdict.kind.name().into()),
        ("is_error".into(), verdict.is_error().into()),
        ("issues".into(), issues.into()),
        ("text".into(), dialect::text(verdict).into()),
        ("recovered".into(), verdict.recovered().into()),
    ];
    members.into_iter().chain(profile_members(verdict).map(|(key, value)| (key.into(), value)))
}

/// What only the profile `jsonschema` says: the draft, keys that an open object accepted although nothing declares them, and
/// why a call could not be judged.
fn profile_members(verdict: &Verdict) -> impl Iterator<Item = (&'static str, Value)> {
    let ignored: Vec<Value> = verdict.ignored.iter().map(|key| key.as_str().into()).collect();
    let members = [
        ("draft", verdict.draft.map(Value::from)),
        ("ignored", (!ignored.is_empty()).then(|| ignored.into())),
        ("undecided", verdict.undecided.as_deref().map(Value::from)),
    ];
    members.into_iter().filter_map(|(key, value)| Some((key, value?)))
}

/// An issue: `expected`, `provided`, `keyword` and `branch` are absent where the kind has none.
pub(super) fn issue_object(issue: &Issue) -> Value {
    let mut members: Vec<(JsString, Value)> = vec![
        ("kind".into(), issue.kind.name().into()),
        ("path".into(), issue.path.as_str().into()),
        ("pointer".into(), issue.pointer.as_str().into()),
    ];
    members.extend(issue.kind.expected().map(|e| ("expected".into(), e.into())));
    members.extend(issue.kind.provided().map(|p| ("provided".into(), p.into())));
    members.extend(issue.kind.keyword().map(|k| ("keyword".into(), k.into())));
    members.extend(issue.kind.branch().map(|branch| ("branch".into(), branch_object(branch))));
    Value::Object(members.into_iter().collect())
}

/// The branch of a union that came closest: its place in the list, and what is wrong by it.
fn branch_object(branch: &Branch) -> Value {
    let issues: Vec<Value> = branch.issues.iter().map(issue_object).collect();
    Value::from([("index", u32::try_from(branch.index).unwrap_or(u32::MAX).into()), ("issues", issues.into())])
}

impl CallReport<'_> {
    /// The object of [`call_object`] with the stage trace and every wire result beside it.
    #[must_use]
    pub fn with_stages_and_wire(self) -> Value {
        let stages = gate::stages(self.verdict).map(|(stage, outcome)| (stage.name().into(), outcome.name().into()));
        let wire = dialect::WireForm::ALL.map(|form| (form.name().into(), dialect::wire(form, self.verdict, self.id).into()));
        let mut value = call_object(self);
        if let Value::Object(object) = &mut value {
            object.push("stages", Value::Object(stages.into_iter().collect()));
            object.push("wire", Value::Object(wire.into_iter().collect()));
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::{Catalog, Definition};
    use crate::gate::Gate;

    #[test]
    fn parts_joined_by_the_line_are_the_object() {
        let definition =
            br#"{"name":"t\"","parameters":{"properties":{"a":{"enum":["x\n"]},"b":{"type":"string"}},"required":["c\u001b"]}}"#;
        let gate = Gate::new(&Catalog::from_definitions(Definition::parse(definition).unwrap()));
        for (tool, arguments) in
            [("t\"", r#"{"a":1,"b":2,"d\\":3}"#), ("t\"", "{]"), ("nope", "{"), ("mcp__a__b", "{}"), ("t\"", r#"{"c\u001b":1}"#)]
        {
            let verdict = gate.judge_text(tool, arguments.as_bytes(), None);
            for (id, pending) in [(None, false), (Some("i\t"), true)] {
                let (before, after) = call_parts(&verdict, id, "C:\\a\"b.jsonl", pending);
                let source = Some("C:\\a\"b.jsonl:7");
                let object = call_object(CallReport { verdict: &verdict, id, source, pending });
                assert_eq!(format!("{before}7{after}"), object.to_json());
            }
        }
    }

    #[cfg(feature = "jsonschema")]
    #[test]
    fn of_a_union_the_closest_branch_is_said() {
        use crate::gate::Profile;
        let definition = br#"{"name":"t","parameters":{"properties":{"source":{"anyOf":[
            {"type":"object","properties":{"kind":{"const":"file"},"path":{"type":"string"}},"required":["kind","path"]},
            {"type":"string"}]}}}}"#;
        let catalog = Catalog::from_definitions(Definition::parse(definition).unwrap());
        let gate = Gate::with_profile(&catalog, Profile::JsonSchema { formats: false });
        let verdict = gate.judge_text("t", br#"{"source":{"kind":"file"}}"#, None);
        let object = call_object(CallReport { verdict: &verdict, id: None, source: Some("a:7"), pending: false });
        let (before, after) = call_parts(&verdict, None, "a", false);
        assert_eq!(format!("{before}7{after}"), object.to_json());
        let wanted = r#""branch":{"index":0,"issues":[{"kind":"missing","path":"source.path","pointer":"/source/path"}]}"#;
        assert!(object.to_json().contains(wanted), "{}", object.to_json());
    }
}
