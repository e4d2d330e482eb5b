//! A judged call as JSON: one object, the same in every command.

use crate::dialect;
use crate::gate::{self, Issue, Verdict};
use crate::json::{JsString, Value};

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
    members.into_iter()
}

/// An issue: `expected` and `provided` are absent where the kind has none.
pub(super) fn issue_object(issue: &Issue) -> Value {
    let mut members: Vec<(JsString, Value)> = vec![
        ("kind".into(), issue.kind.name().into()),
        ("path".into(), issue.path.as_str().into()),
        ("pointer".into(), issue.pointer.as_str().into()),
    ];
    members.extend(issue.kind.expected().map(|e| ("expected".into(), e.into())));
    members.extend(issue.kind.provided().map(|p| ("provided".into(), p.into())));
    Value::Object(members.into_iter().collect())
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
