//! What is written in our own format is read back as the same call.

use misfire::capture::{self, Call, InputKind, Options, Outcome, Problem, Sink, write_call};
use misfire::definition::Origin;
use misfire::gate::Arguments;
use misfire::json::{JsString, Object, Value};
use proptest::prelude::*;
use std::ops::ControlFlow;
use std::path::Path;

#[derive(Default)]
struct Calls(Vec<Call>);

impl Sink for Calls {
    fn call(&mut self, call: Call) -> ControlFlow<()> {
        self.0.push(call);
        ControlFlow::Continue(())
    }

    fn problem(&mut self, problem: Problem) {
        panic!("{problem}");
    }
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        "[a-z_]{1,8}",
        "\\PC{0,12}",
        proptest::collection::vec(any::<char>(), 0..8).prop_map(String::from_iter)
    ]
}

/// Text with lone surrogates now and then.
fn js_text() -> impl Strategy<Value = JsString> {
    let lone = prop_oneof!["[\\\\][u]d[89ab][0-9a-f]{2}", "[\\\\][u]d[c-f][0-9a-f]{2}"];
    prop_oneof![
        4 => text().prop_map(JsString::from),
        1 => ("[a-z]{0,3}", lone, "[a-z]{0,3}").prop_map(|(a, unit, b)| {
            let quoted = format!("\"{a}{unit}{b}\"");
            Value::parse(quoted.as_bytes()).unwrap().as_string().cloned().unwrap()
        }),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let infinite = prop_oneof![Just(f64::INFINITY), Just(f64::NEG_INFINITY)];
    let number = prop_oneof![
        8 => any::<i32>().prop_map(f64::from),
        8 => any::<f64>().prop_filter("JSON has no NaN", |n| !n.is_nan()),
        1 => infinite,
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        number.prop_map(Value::Number),
        js_text().prop_map(Value::String),
    ];
    leaf.prop_recursive(4, 24, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            proptest::collection::vec((js_text(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Object>())),
        ]
    })
}

fn arguments() -> impl Strategy<Value = Arguments> {
    prop_oneof![Just(Arguments::Absent), js_text().prop_map(Arguments::Text), value().prop_map(Arguments::from_value),]
}

fn call() -> impl Strategy<Value = Call> {
    let maybe = || proptest::option::of(text());
    let result = proptest::option::of((any::<Option<bool>>(), text()).prop_map(|(is_error, text)| Outcome { is_error, text }));
    let origin = proptest::option::of(prop_oneof![Just(Origin::Builtin), Just(Origin::Mcp), Just(Origin::Custom)]);
    let input = prop_oneof![Just(InputKind::Json), Just(InputKind::FreeText), Just(InputKind::ProviderRun)];
    let who = (text(), arguments(), maybe(), maybe(), maybe(), maybe(), maybe());
    (who, origin, any::<(bool, bool)>(), input, result, maybe(), maybe()).prop_map(
        |(
            (tool, arguments, id, at, session, model, finish_reason),
            origin,
            (sidechain, pending),
            input,
            result,
            parent,
            note,
        )| Call {
            id,
            at,
            session,
            model,
            finish_reason,
            origin,
            sidechain,
            pending,
            input,
            result,
            parent,
            note,
            ..Call::new(tool, arguments)
        },
    )
}

proptest! {
    #[test]
    fn written_and_read_again(call in call()) {
        let line = write_call(&call);
        prop_assert!(!line.contains('\n'));
        let mut calls = Calls::default();
        let options = Options { format: Some("misfire".parse().unwrap()), ..Options::default() };
        capture::read_from(line.as_bytes(), Path::new("f"), &options, &mut calls);
        prop_assert_eq!(calls.0.len(), 1);
        let read = calls.0.remove(0);
        prop_assert_eq!(&Call { place: call.place.clone(), ..read.clone() }, &call);
        prop_assert_eq!(write_call(&read), line);
    }
}
