//! Each rule of a review has a pair of definitions that must trigger it and one that must not.
#![cfg(feature = "jsonschema")]

use misfire::capture::Call;
use misfire::definition::{Catalog, Definition};
use misfire::gate::{Arguments, Profile};
use misfire::json::Value;
use misfire::review::{Options, Review, Reviewer, RuleId, Severity};

const DATA: &str = include_str!("vectors/review-rules.ndjson");
/// Rules that have to do with lint rules and providers, which have tests of their own.
const ELSEWHERE: [RuleId; 2] = [RuleId::LintNewlyViolated, RuleId::ProviderLimitCrossed];

fn review(before: &str, after: &str, calls: &[Value]) -> Review {
    let catalog = |text: &str| Catalog::from_definitions(Definition::parse(text.as_bytes()).expect(text));
    let options = Options { profile: Profile::JsonSchema { formats: false }, ..Options::default() };
    let mut reviewer = Reviewer::new(&catalog(before), &catalog(after), options);
    for call in calls {
        reviewer.replay(&Call::new("t", Arguments::Json(call.clone())));
    }
    reviewer.finish()
}

/// A pair of the data: lists of tools as they are, or parameters of a tool `t`.
fn pair(before: &Value, after: &Value) -> (String, String) {
    let text = |side: &Value| match side {
        Value::Array(_) => side.to_json(),
        parameters => format!(r#"[{{"name":"t","parameters":{}}}]"#, parameters.to_json()),
    };
    (text(before), text(after))
}

fn has(review: &Review, rule: &str, at: Option<(&str, Severity)>) -> bool {
    review.findings().any(|(_, f)| f.rule.id() == rule && at.is_none_or(|(pointer, s)| f.pointer == pointer && f.severity == s))
}

fn said(review: &Review) -> Vec<String> {
    review.findings().map(|(_, f)| format!("{} {} {:?}: {}", f.severity, f.rule.id(), f.pointer, f.message)).collect()
}

#[test]
fn every_rule_has_a_pair_that_must_and_one_that_must_not() {
    let mut seen = Vec::new();
    let mut wrong = Vec::new();
    for line in DATA.lines() {
        let row = Value::parse(line.as_bytes()).expect(line);
        let text = |key: &str| row.get(key).and_then(Value::as_string).expect(line).to_string();
        let (rule, at) = (text("rule"), text("at"));
        let severity = Severity::from_name(&text("severity")).expect(line);
        let calls = row.get("calls").and_then(Value::as_array).unwrap_or_default();
        let list = |key: &str| row.get(key).and_then(Value::as_array);
        let (before, after) = match list("tools") {
            Some([before, after]) => pair(before, after),
            _ => pair(row.get("before").expect(line), row.get("after").expect(line)),
        };
        let must = review(&before, &after, calls);
        if !has(&must, &rule, Some((&at, severity))) {
            wrong.push(format!("{rule} {severity} at {at:?} is missing:\n  {}", said(&must).join("\n  ")));
        }
        let Some([before, after]) = list("not") else { panic!("{line}") };
        let (before, after) = pair(before, after);
        let must_not = review(&before, &after, &[]);
        if has(&must_not, &rule, None) {
            wrong.push(format!("{rule} is found in {before} {after}:\n  {}", said(&must_not).join("\n  ")));
        }
        let id = RuleId::from_id(&rule).expect(&rule);
        seen.push(id);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for rule in RuleId::ALL.iter().filter(|rule| !ELSEWHERE.contains(rule)) {
        assert!(seen.contains(rule), "{} has no pair", rule.id());
    }
}

#[test]
fn an_object_without_parameters_is_removed_like_any_other() {
    let definition = |more: &str| {
        format!(r#"{{"name": "A", "inputSchema": {{"type": "object", "properties": {{"p": {{"type": "string"}}{more}}}}}}}"#)
    };
    let review = review(&definition(r#", "q": {"type": "object", "properties": {}}"#), &definition(""), &[]);
    assert!(has(&review, "param-removed-ignored", None), "{:?}", said(&review));
}

#[test]
fn a_definition_compared_with_itself_says_nothing() {
    for line in DATA.lines() {
        let row = Value::parse(line.as_bytes()).expect(line);
        for key in ["before", "after"] {
            if let Some(side) = row.get(key) {
                let (text, _) = pair(side, side);
                // Written anew, so that it is not found equal by its bytes.
                let spaced = text.replace("\"t\"", " \"t\" ");
                let review = review(&text, &spaced, &[]);
                let changes: Vec<_> =
                    review.findings().filter(|(_, f)| !f.rule.id().starts_with("schema-")).map(|(_, f)| f.rule.id()).collect();
                assert!(changes.is_empty(), "{changes:?}: {text}");
            }
        }
    }
}

#[test]
fn a_limit_of_a_provider_is_crossed_by_the_change_or_not_at_all() {
    use misfire::lint::{self, Target, Targets};
    let catalog = |tools: usize| {
        let list: Vec<String> = (0..tools).map(|n| format!(r#"{{"name":"t{n}","parameters":{{"type":"object"}}}}"#)).collect();
        Catalog::from_definitions(Definition::parse(format!("[{}]", list.join(",")).as_bytes()).unwrap())
    };
    let crossed = |before: usize, after: usize, target: Target| {
        let lint = Some(lint::Options { targets: Some(Targets::of(&[target])), ..lint::Options::default() });
        let review = Reviewer::new(&catalog(before), &catalog(after), Options { lint, ..Options::default() }).finish();
        let found = review.findings().filter(|(_, f)| f.rule == RuleId::ProviderLimitCrossed);
        found.map(|(_, f)| (f.severity, f.pointer.clone())).collect::<Vec<_>>()
    };
    assert_eq!(crossed(128, 129, Target::OpenAi), [(Severity::Error, String::new())]);
    assert_eq!(crossed(127, 128, Target::OpenAi), []);
    // It was crossed before: no news.
    assert_eq!(crossed(129, 130, Target::OpenAi), []);
    // Somebody else's limit.
    assert_eq!(crossed(128, 129, Target::Mcp), []);
}

#[test]
fn a_verdict_that_is_another_one_is_traced_to_its_change() {
    let catalog = |parameters: &str| {
        let text = format!(r#"{{"name":"t","parameters":{parameters}}}"#);
        Catalog::from_definitions(Definition::parse(text.as_bytes()).unwrap())
    };
    let wide = r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"enum":["x","y"]},"c":{"type":"integer"}}}"#;
    let narrow = r#"{"type":"object","properties":{"a":{"type":"integer"},"b":{"enum":["x"]},"d":{}},"required":["d"]}"#;
    for (before, after, call, causes) in [
        (wide, narrow, r#"{"a":"1"}"#, &[RuleId::ParamTypeChanged, RuleId::ParamAddedRequired][..]),
        (wide, narrow, r#"{"b":"y"}"#, &[RuleId::ParamEnumValueRemoved, RuleId::ParamAddedRequired]),
        (wide, narrow, r#"{"b":"x"}"#, &[RuleId::ParamAddedRequired]),
        (wide, narrow, r#"{"c":1}"#, &[RuleId::ParamRemovedRejected, RuleId::ParamAddedRequired]),
        // Mended: what its issues are gone for.
        (narrow, wide, r#"{"b":"y"}"#, &[RuleId::ParamEnumValueAdded, RuleId::ParamRemovedRejected]),
        (narrow, wide, "{}", &[RuleId::ParamRemovedRejected]),
        // Judged alike, though the definition changed.
        (wide, wide, "{}", &[]),
    ] {
        let reviewer = Reviewer::new(&catalog(before), &catalog(after), Options::default());
        let found = reviewer.explain(&Call::new("t", Arguments::Json(Value::parse(call.as_bytes()).unwrap())));
        let found: Vec<_> = found.iter().map(|cause| cause.rule).collect();
        assert!(causes.iter().all(|cause| found.contains(cause)), "{before} {after} {call}: {found:?} lacks some of {causes:?}");
        assert_eq!(found.is_empty(), causes.is_empty(), "{found:?}");
    }
    let reviewer = Reviewer::new(&Catalog::default(), &catalog(wide), Options::default());
    let found = reviewer.explain(&Call::new("t", Arguments::Json(Value::parse(b"{}").unwrap())));
    assert_eq!(found.iter().map(|cause| cause.rule).collect::<Vec<_>>(), [RuleId::ToolAdded]);
}
