use super::*;
use crate::capture::{Call, InputKind};
use crate::definition::{Catalog, Definition, Parameter, Part, parameter_path};
use crate::gate::{Arguments, Gate};
use crate::json::Value;
use crate::replay::{Outcome, judge};
use proptest::prelude::*;

const TOOLS: &str = r##"[{"name": "search", "parameters": {"type": "object", "required": ["query"],
    "$defs": {"page": {"type": "object", "properties": {"size": {"type": "number"}, "next": {"$ref": "#/$defs/page"}}}},
    "properties": {
        "query": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}},
        "filters": {"type": "array", "items": {"type": "object", "properties": {"field": {"type": "string"}, "op": {"enum": ["eq", "ne"]}}, "required": ["field"]}},
        "map": {"type": "object", "additionalProperties": {"type": "number"}},
        "page": {"$ref": "#/$defs/page"},
        "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}]},
        "who": {"anyOf": [{"type": "string"}, {"type": "object", "properties": {"id": {"type": "string"}}}]}}}},
    {"name": "open", "parameters": {}}]"##;

struct Counting {
    definition: Arc<Definition>,
    gate: Gate,
    maps: Maps,
    hasher: RandomState,
    statistics: Statistics,
}

impl Counting {
    fn new() -> Self {
        let catalog = Arc::new(Catalog::from_definitions(Definition::parse(TOOLS.as_bytes()).unwrap()));
        let definition = Arc::clone(catalog.get("search").unwrap());
        let gate = Gate::new(&catalog);
        Self {
            definition,
            gate,
            maps: Maps::new(Arc::clone(&catalog), catalog),
            hasher: RandomState::new(),
            statistics: Statistics::default(),
        }
    }

    fn add(&mut self, call: &Call) {
        let verdict = judge(&self.gate, call);
        let facts = Facts::of(call, &verdict, &self.maps, &self.hasher);
        self.statistics.add(&Seen {
            tool: &call.tool,
            model: call.model.as_deref(),
            session: call.session.as_deref(),
            at: call.at.as_deref().and_then(crate::capture::time::millis),
            outcome: Outcome::of(&verdict),
            pending: call.pending,
            attempt: call.parent.is_some(),
            file: &call.place.file,
            line: call.place.line,
            facts: &facts,
            arguments: facts.arguments(),
        });
    }

    /// `path used failing kinds` of each parameter that is used or fails.
    fn parameters(&self) -> Vec<String> {
        let rows = self.definition.parameter_rows();
        let tool = self.statistics.of_tool(["search"]);
        let shown = |(row, usage): (usize, &Usage)| {
            let kinds: Vec<String> = usage.kinds.iter().map(|(kind, n)| format!("{kind} {n}")).collect();
            let line = format!("{} {} {} {}", parameter_path(&rows, row), usage.used, usage.failing, kinds.join(","));
            (*usage != Usage::default()).then(|| line.trim_end().to_owned())
        };
        tool.parameters.iter().enumerate().filter_map(shown).collect()
    }
}

fn call(arguments: &str) -> Call {
    Call::new("search", Arguments::text(arguments))
}

#[test]
fn parameters_are_counted_where_they_stand() {
    for (arguments, wanted, undeclared) in [
        ("", &["query 0 1 missing 1"][..], &[][..]),
        (r#"{"query":"a","tags":["x","y"]}"#, &["query 1 0", "tags 1 0", "tags[] 1 0"], &[]),
        (r#"{"query":1,"Query":2}"#, &["query 1 1 type 1"], &["/Query unexpected"]),
        (
            r#"{"query":"a","filters":[{"field":"f","op":"eq"},{"op":"gt","x":1},{"op":"lt","x":1}]}"#,
            &["query 1 0", "filters 1 0", "filters[] 1 0", "filters[].field 1 1 missing 1", "filters[].op 1 1 value 1"],
            &["/filters/*/x unexpected"],
        ),
        (r#"{"query":"a","map":{"k":1,"l":"2"}}"#, &["query 1 0", "map 1 0", "map.* 1 1 type 1"], &[]),
        (
            r#"{"query":"a","page":{"size":1,"next":{"size":2}}}"#,
            &["query 1 0", "page 1 0", "page.size 1 0", "page.next 1 0"],
            &[],
        ),
        (r#"{"query":"a","pair":["x",2,3]}"#, &["query 1 0", "pair 1 0", "pair[0] 1 0", "pair[1] 1 0"], &[]),
        (r#"{"query":"a","who":{"id":"x"}}"#, &["query 1 0", "who 1 0", "who.id 1 0"], &[]),
        (r#"["a"]"#, &[], &[]),
        (r#"{"query": "cut of"#, &["query 1 0"], &[]),
        (r#"{"query": ]"#, &[], &[]),
    ] {
        let mut counting = Counting::new();
        counting.add(&call(arguments));
        assert_eq!(counting.parameters(), wanted, "{arguments}");
        let tool = counting.statistics.of_tool(["search"]);
        let found: Vec<String> =
            tool.undeclared.iter().map(|(at, u)| format!("{at} {}", u.kinds.keys().next().unwrap())).collect();
        assert_eq!(found, undeclared, "{arguments}");
    }
}

#[test]
fn calls_count_by_verdict_model_and_kind() {
    let mut counting = Counting::new();
    let with_model = |mut call: Call, model: &str| {
        call.model = Some(model.to_owned());
        call
    };
    counting.add(&with_model(call(r#"{"query":"a"}"#), "m1"));
    counting.add(&with_model(call(r#"{"query":1,"a":1,"b":2}"#), "m1"));
    counting.add(&call("{]"));
    counting.add(&Call::new("nobody", Arguments::text("{}")));
    counting.add(&Call { pending: true, ..call("{}") });
    counting.add(&Call { input: InputKind::FreeText, ..Call::new("open", Arguments::text("not json")) });
    let statistics = &counting.statistics;
    assert_eq!(statistics.total, Count { calls: 6, failing: 3 });
    let kinds: Vec<_> = statistics.kinds.iter().map(|(kind, n)| format!("{kind} {n}")).collect();
    assert_eq!(kinds, ["type 1", "unexpected 1", "unknown_tool 1", "unparsable 1"], "a call counts once under each kind");
    assert_eq!(statistics.models["m1"], Count { calls: 2, failing: 1 });
    assert_eq!(statistics.models[""], Count { calls: 4, failing: 2 });
    assert_eq!(statistics.tools["search"].count, Count { calls: 4, failing: 2 });
    assert_eq!(statistics.of_tool(["search", "nobody"]).count, Count { calls: 5, failing: 3 });
    assert_eq!(statistics.of_tool([]), ToolStatistics::default());
}

#[test]
fn the_same_failing_again_is_a_loop() {
    let mut counting = Counting::new();
    let made = |arguments: &str, session: Option<&str>, line| {
        let mut call = call(arguments);
        call.session = session.map(str::to_owned);
        call.place.line = line;
        call
    };
    for (line, arguments) in (1..).zip([r#"{"q":1}"#, r#"{ "q": 1 }"#, r#"{"q":2}"#, r#"{"query":"a"}"#, r#"{"query":"a"}"#]) {
        counting.add(&made(arguments, Some("s1"), line));
    }
    counting.add(&made(r#"{"q":1}"#, Some("s2"), 6));
    counting.add(&Call { parent: Some("c".to_owned()), ..made(r#"{"q":2}"#, Some("s1"), 7) });
    for line in [10, 9, 8] {
        counting.add(&made("{]", None, line));
    }
    let loops: Vec<_> = counting.statistics.retry_loops().into_iter().map(|l| (l.times, l.session.as_deref(), l.line)).collect();
    assert_eq!(loops, [(3, None, 8), (2, Some("s1"), 1)], "neither what passes, nor another session, nor a person's attempt");
}

#[test]
fn a_timeline_has_few_buckets_whatever_the_span() {
    for (times, seconds, buckets) in [
        (&[0][..], 1, &[1][..]),
        (&[1_500, 1_999, 3_000], 1, &[2, 0, 1]),
        (&[0, 200_000], 5, &[]),
        (&[-1_000, 0], 1, &[1, 1]),
        (&[0, 10_000_000], 300, &[]),
        (&[0, 1_000_000_000_000, 2_000_000_000_000], 29_030_400, &[]),
    ] {
        let mut timeline = Timeline::default();
        for at in times {
            timeline.add(Some(*at), false);
        }
        assert_eq!(timeline.seconds(), seconds, "{times:?}");
        let counts: Vec<u64> = timeline.buckets().iter().map(|count| count.calls).collect();
        assert!(counts.len() <= 128 && counts.iter().sum::<u64>() == times.len() as u64, "{times:?}");
        assert!(buckets.is_empty() || counts == buckets, "{times:?}: {counts:?}");
        assert!(timeline.start().unwrap() <= times[0] && times[0] < timeline.start().unwrap() + seconds * 1_000);
    }
    let mut timeline = Timeline::default();
    timeline.add(None, true);
    assert_eq!((timeline.start(), timeline.untimed.failing), (None, 1));
    for at in [i64::MIN, i64::MAX, 0] {
        timeline.add(Some(at), false);
    }
    assert_eq!(timeline.buckets().iter().map(|c| c.calls).sum::<u64>() + timeline.untimed.calls, 4);
    assert_eq!(Timeline::default().at_most(0), (Vec::new(), 1));
}

/// The values that a part of these leads to.
fn at<'a>(values: Vec<&'a Value>, part: &Part, siblings: &[&Part]) -> Vec<&'a Value> {
    let mut found = Vec::new();
    for value in values {
        match (part, value) {
            (Part::Form, value) => found.push(value),
            (Part::Key(key), Value::Object(object)) => found.extend(object.get(key.as_bytes())),
            (Part::Other, Value::Object(object)) => {
                let declared = |key| siblings.iter().any(|part| matches!(part, Part::Key(known) if known == key));
                found.extend(object.entries().iter().filter(|(key, _)| !declared(key)).map(|(_, value)| value));
            }
            (Part::Nth(n), Value::Array(items)) => found.extend(items.get(*n)),
            (Part::Element, Value::Array(items)) => {
                let first = siblings.iter().filter(|part| matches!(part, Part::Nth(_))).count();
                found.extend(items.iter().skip(first));
            }
            _ => {}
        }
    }
    found
}

/// Whether arguments have a value at a row's place, found without any of what is tested.
fn has(rows: &[Parameter], row: usize, arguments: &Value) -> bool {
    let parts: Vec<&Part> = {
        let mut way: Vec<&Parameter> = std::iter::successors(rows.get(row), |row| rows.get(row.parent?)).collect();
        way.reverse();
        way.into_iter().map(|parameter| &parameter.part).collect()
    };
    let siblings = |n: usize| -> Vec<&Part> {
        let parent = std::iter::successors(rows.get(row), |row| rows.get(row.parent?)).nth(parts.len() - 1 - n).unwrap().parent;
        rows.iter().filter(|other| other.parent == parent).map(|other| &other.part).collect()
    };
    let mut values = vec![arguments];
    for (n, part) in parts.iter().enumerate() {
        values = at(values, part, &siblings(n));
    }
    !values.is_empty()
}

fn arguments() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![Just("1".to_owned()), Just("\"eq\"".to_owned()), Just("null".to_owned()), Just("true".to_owned())];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let keys = proptest::sample::select(
            &["query", "tags", "filters", "map", "page", "pair", "who", "field", "op", "size", "next", "id", "0", "x"][..],
        );
        let object = proptest::collection::vec((keys, inner.clone()), 0..4).prop_map(|entries| {
            let entries: Vec<String> = entries.into_iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
            format!("{{{}}}", entries.join(","))
        });
        let list = proptest::collection::vec(inner, 0..4).prop_map(|items| format!("[{}]", items.join(",")));
        prop_oneof![3 => object, 1 => list]
    })
}

proptest! {
    #[test]
    fn usage_is_what_a_slow_count_finds(calls in proptest::collection::vec(arguments(), 0..12)) {
        let mut counting = Counting::new();
        let rows = counting.definition.parameter_rows();
        let mut slow = vec![0; rows.len()];
        for arguments in &calls {
            counting.add(&call(arguments));
            let value = Value::parse(arguments.as_bytes()).unwrap();
            for (row, count) in slow.iter_mut().enumerate() {
                *count += u64::from(rows[row].part != Part::Form && has(&rows, row, &value));
            }
        }
        let mut fast: Vec<u64> = counting.statistics.of_tool(["search"]).parameters.iter().map(|usage| usage.used).collect();
        fast.resize(rows.len(), 0);
        prop_assert_eq!(fast, slow);
    }

    #[test]
    fn a_timeline_does_not_depend_on_the_order(times in proptest::collection::vec((0..3_000_000_000i64, any::<bool>()), 0..40), n: usize) {
        let (mut a, mut b, mut c, mut d) = (Timeline::default(), Timeline::default(), Timeline::default(), Timeline::default());
        for (at, fails) in &times {
            a.add(Some(*at), *fails);
        }
        for (at, fails) in times.iter().rev() {
            b.add(Some(*at), *fails);
        }
        let half = n % (times.len() + 1);
        for (at, fails) in &times[..half] {
            c.add(Some(*at), *fails);
        }
        for (at, fails) in &times[half..] {
            d.add(Some(*at), *fails);
        }
        c.merge(&d);
        prop_assert_eq!(&a, &b);
        prop_assert_eq!(a, c);
    }

    #[test]
    fn no_arguments_break_it(arguments in "[\\[\\]{}:,\"a-c0-9]{0,30}") {
        let mut counting = Counting::new();
        counting.add(&call(&arguments));
        prop_assert_eq!(counting.statistics.total.calls, 1);
    }
}
