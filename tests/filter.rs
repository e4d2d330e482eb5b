//! The filter language from outside: read, printed, wrong, and asked about calls.

use misfire::capture::{Call, time};
use misfire::definition::{Catalog, Definition};
use misfire::gate::{Arguments, Gate, Verdict};
use misfire::replay::filter::{Details, Filter, Flag, Flags, RowFacts, Sort, SortKey};
use misfire::replay::{judge, summary};
use proptest::prelude::*;

fn canonical(text: &str) -> String {
    let filter = Filter::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let printed = filter.to_string();
    assert_eq!(Filter::parse(&printed).as_ref(), Ok(&filter), "{text} -> {printed}");
    printed
}

#[test]
fn both_spellings_and_canonical_text() {
    for (text, printed) in [
        ("", ""),
        ("  ", ""),
        ("word", "word"),
        ("a  b", "a b"),
        ("a & b", "a b"),
        ("a | b c", "a | b c"),
        ("(a | b) c", "(a | b) c"),
        ("a|b c", "a|b c"),
        ("tool:a|err:b c", "(tool:a | err:b) c"),
        ("((a b) c)", "a b c"),
        ("!(a b) !!c !(d)", "!(a b) !!c !d"),
        ("!tool:a|b", "!tool:a|b"),
        ("~t ord* ~t:x", "tool:ord* tool:x"),
        ("~e ~marked ~replay ~comment ~edited", "is:bad is:marked is:replayed is:commented is:edited"),
        ("~k missing ~p /a ~a x ~x \"y z\"", "kind:missing at:/a args:x err:\"y z\""),
        ("Tool:Bash IS:Bad verdict:Unknown-Tool", "tool:Bash is:bad verdict:unknown_tool"),
        ("verdict:rejected|unparsable,pending", "verdict:rejected|unparsable|pending"),
        ("kind:type,value", "kind:type|value"),
        ("n>1 n>=2 n=0 n:3 n!=4 n<5 n<=6 n:0|2", "n>1 n>=2 n:0 n:3 n!=4 n<5 n<=6 n:0|2"),
        ("since:90m until:2026-11-24", "since:90m until:2026-11-24"),
        ("since:2026-11-24T09:13", "since:2026-11-24T09:13:00Z"),
        ("/a|b c/ tool:/^T/", "/a|b c/ tool:/^T/"),
        ("/a\\/b\\\\/", "/a\\/b\\\\/"),
        ("/a/b/", "/a\\/b/"),
        ("\"tool:x\" \"a\\\"b\\\\c\" \"\"", "\"tool:x\" \"a\\\"b\\\\c\" \"\""),
        ("tool:\"a*\" file:/srv/x/* at:\"\" at:/a/**|/b", "tool:\"a*\" file:/srv/x/* at:\"\" at:/a/**|/b"),
        ("n", "n"),
    ] {
        assert_eq!(canonical(text), printed);
    }
}

#[test]
fn what_is_wrong_is_shown_where_it_is() {
    for (text, bad, suggestion) in [
        ("tool:Bash verdict:rejectd", "rejectd", Some("rejected")),
        ("verdict:rejected,unknown", "unknown", Some("unknown_tool")),
        ("is:mark", "mark", Some("marked")),
        ("kind:missng", "missng", Some("missing")),
        ("tol:x", "tol", Some("tool")),
        ("see http://x/y", "http://x/y", Some("\"http://x/y\"")),
        ("at:items[0].id", "items[0].id", Some("/items/0/id")),
        ("at:\"a b\"", "\"a b\"", Some("\"/a b\"")),
        ("a tool:", "tool:", None),
        ("~t", "~t", None),
        ("~z x", "~z", None),
        ("~markd", "~markd", Some("~marked")),
        ("a (b", "(", None),
        ("a) b", ")", None),
        ("() b", ")", None),
        ("a |", "", None),
        ("| a", "|", None),
        ("!", "", None),
        ("say \"hi", "\"hi", Some("\"hi\"")),
        ("\"a\"b", "b", None),
        ("f(x)", "f(x)", Some("\"f(x)\"")),
        ("/usr/bin", "/usr/bin", Some("\"/usr/bin\"")),
        ("err:/(/", "/(/", None),
        ("since:10", "10", None),
        ("n>many", "many", None),
        ("n:99999999999", "99999999999", None),
        ("n:+1", "+1", None),
    ] {
        let error = Filter::parse(text).expect_err(text);
        assert_eq!((&text[error.range.clone()], error.suggestion.as_deref()), (bad, suggestion), "{text}: {error}");
        if let Some(suggestion) = suggestion {
            let mut mended = text.to_owned();
            mended.replace_range(error.range, suggestion);
            assert!(Filter::parse(&mended).is_ok(), "{text} -> {mended}");
        }
    }
    let text = "tööl \u{1b} kind:x";
    let error = Filter::parse(text).unwrap_err();
    assert_eq!(error.to_string(), "expected one of missing, unexpected, type, value, constraint");
    assert_eq!(error.underlined(text), format!("tööl <ESC> kind:x\n{}^", " ".repeat(16)));
}

#[test]
fn depth_and_expressions_are_bounded() {
    let nested = |n: usize| format!("{}a{}", "(".repeat(n), ")".repeat(n));
    assert!(Filter::parse(&nested(64)).is_ok());
    for text in [nested(65), nested(100_000), "!".repeat(65) + "a", "!(".repeat(50_000), "/a/ ".repeat(17)] {
        assert!(Filter::parse(&text).is_err());
    }
    // Canonical text of the deepest filters is not too deep itself.
    let deep = |n: usize| format!("{}b c|tool:d{}", "!(".repeat(n), ")".repeat(n));
    canonical(&deep(31));
    assert!(Filter::parse(&deep(32)).is_err(), "written out, the list takes one more");
    canonical(&"word ".repeat(20_000));
}

const TOOL: &str = r#"{"name": "TaskUpdate", "parameters": {"type": "object", "additionalProperties": false,
    "properties": {"taskId": {"type": "string"}, "items": {"type": "array", "items": {"type": "number"}}}, "required": ["taskId"]}}"#;

fn gate() -> Gate {
    Gate::new(&Catalog::from_definitions(Definition::parse(TOOL.as_bytes()).unwrap()))
}

fn call(tool: &str, arguments: &str) -> Call {
    let mut call = Call::new(tool, Arguments::text(arguments));
    call.model = Some("claude-3".to_owned());
    call.at = Some("2026-11-24T09:00:00Z".to_owned());
    call
}

/// Whether the filter finds the call, and whether it had to ask for details.
fn find(text: &str, call: &Call, flags: Flags) -> (bool, bool) {
    let verdict: Verdict = judge(&gate(), call);
    let summary = summary(call, &verdict);
    let mut facts = RowFacts::of_call(call, &verdict, "sessions/a.misfire.jsonl", &summary);
    for flag in Flag::ALL {
        facts.flags = facts.flags.with(flag, flags.has(flag));
    }
    let filter = Filter::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let now = time::millis("2026-11-24T09:10:00Z").unwrap();
    let mut asked = false;
    let found = filter.matches(&facts, now, || {
        asked = true;
        Details::of(call, &verdict)
    });
    assert!(!asked || filter.needs().detail, "{text}");
    assert_eq!(found, filter.decide_with(&facts, &Details::of(call, &verdict), now), "{text}: the row decides as the details do");
    (found, asked)
}

#[test]
fn a_failing_call_is_found() {
    let call = call("TaskUpdate", r#"{"id": "needle", "items": [1, "2"]}"#);
    for (text, found, asked) in [
        ("", true, false),
        ("tool:task*", true, false),
        ("tool:task", false, false),
        ("tool:x|taskupdate", true, false),
        ("verdict:rejected", true, false),
        ("verdict:accepted|unparsable", false, false),
        ("is:bad !is:pending", true, false),
        ("kind:missing kind:type", true, false),
        ("kind:value", false, false),
        ("at:/taskId", true, false),
        ("at:/items/*", true, false),
        ("at:/items", false, false),
        ("at:**/1", true, false),
        ("n:3", true, false),
        ("n>3", false, false),
        ("model:claude* file:a.*", true, false),
        ("model:gpt* | session:*", false, false),
        ("since:10m", true, false),
        ("since:9m", false, false),
        ("until:9m until:2026-11-24", true, false),
        ("since:2026-11-25", false, false),
        ("needle", true, true),
        ("Needle", false, true),
        ("missing", true, false),
        ("args:needle", true, true),
        ("args:/\"items\": \\[\\d/", true, true),
        ("args:taskId", false, true),
        ("err:\"parameter `taskId` is missing\"", true, true),
        ("err:needle", false, true),
        // What the row decides is not asked for.
        ("tool:Bash args:needle", false, false),
        ("is:bad | args:nothing", true, false),
        ("!(tool:Bash args:needle)", true, false),
        ("!args:nothing", true, true),
    ] {
        assert_eq!(find(text, &call, Flags::NONE), (found, asked), "{text}");
    }
}

#[test]
fn other_calls_and_flags() {
    let right = call("TaskUpdate", r#"{"taskId": "1"}"#);
    assert_eq!(find("err:anything", &right, Flags::NONE), (false, false), "the row knows that there is no text");
    assert_eq!(find("at:** | kind:missing", &right, Flags::NONE), (false, false));
    let unknown = call("Nope", "{}");
    assert_eq!(find("err:\"not found\" verdict:unknown_tool", &unknown, Flags::NONE), (true, true));
    let cut = call("TaskUpdate", r#"{"taskId": "1"#);
    assert_eq!(find("is:recovered !is:bad", &cut, Flags::NONE), (true, false));
    let wrong = call("TaskUpdate", "[]");
    assert_eq!(find("at:\"\" verdict:rejected", &wrong, Flags::NONE), (true, false));
    let pending = Flags::NONE.with(Flag::Pending, true);
    assert_eq!(find("is:pending verdict:pending !is:bad !verdict:rejected", &wrong, pending), (true, false));
    for flag in [Flag::Marked, Flag::Replayed, Flag::Edited, Flag::Commented, Flag::Sidechain, Flag::Flipped, Flag::Attempt] {
        let text = format!("is:{}", flag.name());
        assert!(find(&text, &right, Flags::from_iter([flag])).0 && !find(&text, &right, Flags::NONE).0, "{text}");
    }
    let mut timeless = right;
    (timeless.at, timeless.model) = (None, None);
    assert_eq!(find("since:9999w | until:0s | model:*", &timeless, Flags::NONE), (false, false));
}

#[test]
fn sorted_and_stable() {
    let gate = gate();
    let calls = [
        ("b", None, "{}"),
        ("TaskUpdate", Some("2026-01-02T00:00:00Z"), "{}"),
        ("a", Some("2026-01-03T00:00:00Z"), "{}"),
        ("TaskUpdate", Some("2026-01-01T00:00:00Z"), r#"{"taskId": "1"}"#),
        ("TaskUpdate", Some("2026-01-01T00:00:00Z"), r#"{"x": 1}"#),
    ];
    let calls = calls.map(|(tool, at, arguments)| {
        let mut call = call(tool, arguments);
        call.at = at.map(str::to_owned);
        call.model = at.map(|at| at[8..10].to_owned());
        (judge(&gate, &call), call)
    });
    for (order, expected) in [
        ("", [0, 1, 2, 3, 4]),
        ("time", [3, 4, 1, 2, 0]),
        ("time desc", [2, 1, 3, 4, 0]),
        ("tool", [2, 0, 1, 3, 4]),
        ("tool desc, time", [3, 4, 1, 0, 2]),
        ("verdict, issues desc", [4, 1, 0, 2, 3]),
        ("issues", [0, 2, 3, 1, 4]),
        ("MODEL asc,tool", [3, 4, 1, 2, 0]),
    ] {
        let sort: Sort = order.parse().unwrap();
        let mut numbers = [0, 1, 2, 3, 4];
        sort.sort(&mut numbers, |n: &usize| RowFacts::of_call(&calls[*n].1, &calls[*n].0, "", ""));
        assert_eq!(numbers, expected, "{order}");
        assert_eq!(sort.to_string().parse(), Ok(sort));
    }
    assert_eq!(" Time  DESC ,tool asc".parse::<Sort>().unwrap().to_string(), "time desc, tool");
    for (text, bad, suggestion) in [
        ("tool, tim", "tim", Some("time")),
        ("time dsc", "dsc", Some("desc")),
        ("time,", "", None),
        ("tool,tool", "tool", None),
        ("time desc x", "x", None),
    ] {
        let error = text.parse::<Sort>().expect_err(text);
        assert_eq!((&text[error.range.clone()], error.suggestion.as_deref()), (bad, suggestion), "{text}");
    }
    let sort = Sort::default().toggled(SortKey::Tool).toggled(SortKey::Time).toggled(SortKey::Time);
    assert_eq!(sort.to_string(), "time desc, tool");
}

/// Texts that are nearly filters.
fn filterish() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => "(tool|model|session|args|err|file):[a-zA-Zé*?.:/|!~\"-]{1,6}",
        4 => "(verdict:(rejected|accepted|pending)|kind:(missing|type,value)|is:(bad|marked))",
        2 => "n(>|<|>=|<=|!=|:|=)[0-9]{1,3}",
        2 => "(since|until):([0-9]{1,4}[smhdw]|2026-1[12]-2[0-9](T09:1[0-9](:00Z)?)?)",
        2 => "at:(/[a-z*~01]{0,3}){1,3}",
        2 => "~[a-z]{1,2}( |:)[a-z]{1,4}",
        2 => "/[a-z.*|/\\\\ ()]{1,6}/",
        4 => "\"[a-z \\\\\"|()]{0,6}\"",
        6 => "[a-zA-Zé&n/~!<>]{1,4}",
        8 => "(\\||!|\\(|\\)| \\| | & | |\\|\\|)",
        8 => " ",
    ];
    proptest::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn printing_and_reading_is_identity(text in filterish()) {
        if let Ok(filter) = Filter::parse(&text) {
            let printed = filter.to_string();
            let again = Filter::parse(&printed);
            prop_assert_eq!(again.as_ref(), Ok(&filter), "{} -> {}", text, &printed);
            prop_assert_eq!(filter.to_string(), printed);
        }
    }

    #[test]
    fn errors_point_into_the_text(text in prop_oneof![filterish(), any::<String>()]) {
        if let Err(error) = Filter::parse(&text) {
            prop_assert!(text.get(error.range.clone()).is_some(), "{}: {:?}", text, error);
            prop_assert_eq!(error.underlined(&text).lines().count(), 2);
        }
        if let Err(error) = text.parse::<Sort>() {
            prop_assert!(text.get(error.range).is_some());
        }
    }

    #[test]
    fn the_row_never_contradicts_the_details(text in filterish(), arguments in "[{}\"a-z:1, \\[\\]]{0,20}") {
        if Filter::parse(&text).is_ok() {
            find(&text, &call("TaskUpdate", &arguments), Flags::NONE);
        }
    }
}

#[test]
fn the_filter_for_a_place_can_be_written_and_read_again() {
    use misfire::replay::filter::failing_at;
    for (pointer, text) in [
        ("/limit", "tool:a|\"b c\" at:/limit"),
        ("/list/*/k", "tool:a|\"b c\" at:/list/*/k"),
        ("/with space", "tool:a|\"b c\" at:\"/with space\""),
        ("/list/*/a \"quote\"", "tool:a|\"b c\" at:/list/*/a??quote?"),
    ] {
        let filter = failing_at(&["a".to_owned(), "b c".to_owned()], pointer);
        assert_eq!(filter.to_string(), text);
        assert_eq!(Filter::parse(text).unwrap(), filter, "{text}");
    }
}
