//! `anyOf` and `oneOf`: whether one can tell the branches apart.

use crate::json::{JsString, Object, Value};
use crate::lint::rule::{
    rules,
    sets::{ALL, OPENAI_STRICT},
};
use crate::lint::sink::Sink;
use crate::lint::tool::{Node, Tool};

rules! {
    UNION_OVERLAP = "union-overlap": "branches of `oneOf` that can both match";
        [ALL => Warning];
        "`oneOf` wants exactly one match: a value that fits two branches (1 is a number and an integer) is rejected, which nobody means. Write `anyOf`, or make the branches exclude one another.";
        "measured: `oneOf` of integer and number rejects 1";
    UNION_NO_DISCRIMINATOR = "union-no-discriminator": "object branches without a key that tells them apart";
        [ALL => Note];
        "A key with a constant in each branch (`\"kind\": {\"const\": \"file\"}`) lets a model choose first, and an error say which branch was meant.";
        "measured: with such a key the closest branch is found";
    UNION_SHARED_FIRST_KEY = "union-shared-first-key": "object branches of `anyOf` that begin with the same key";
        [OPENAI_STRICT => Note];
        "OpenAI's strict mode writes keys in the order of the schema and wants branches to differ from the first one on.";
        "text of the provider's 400 answer, as quoted by a third party";
}

/// Branches that are compared with one another.
const MAX_BRANCHES: usize = 32;

pub(super) fn check(tool: &Tool<'_>, sink: &mut Sink<'_>) {
    for node in &tool.nodes {
        for keyword in ["oneOf", "anyOf"] {
            let branches: Vec<&Object> = node.list(keyword).iter().filter_map(Value::as_object).take(MAX_BRANCHES).collect();
            if branches.len() >= 2 {
                union(node, keyword, &branches, sink);
            }
        }
    }
}

fn union(node: &Node<'_>, keyword: &str, branches: &[&Object], sink: &mut Sink<'_>) {
    let value = node.get(keyword);
    let pairs = || {
        branches
            .iter()
            .enumerate()
            .flat_map(|(i, a)| branches[i + 1..].iter().enumerate().map(move |(k, b)| (i, i + 1 + k, *a, *b)))
    };
    if keyword == "oneOf"
        && let Some((i, k, ..)) = pairs().find(|(_, _, a, b)| both_can_match(a, b))
    {
        let message = format!("a value can match the branches {} and {}, and is then rejected", i + 1, k + 1);
        sink.report(&UNION_OVERLAP, node.at(keyword), value, message);
    }
    let objects: Vec<&Object> = branches.iter().copied().filter(|branch| properties(branch).is_some()).collect();
    if objects.len() >= 2 {
        if !has_tag(&objects) {
            let message = "no key with a constant tells the branches apart".to_owned();
            sink.report(&UNION_NO_DISCRIMINATOR, node.at(keyword), value, message);
        }
        let first = |branch: &&Object| properties(branch).and_then(|p| p.entries().first()).map(|(key, _)| key.clone());
        let firsts: Vec<JsString> = objects.iter().filter_map(first).collect();
        let twice = firsts.iter().enumerate().find(|(i, key)| firsts[..*i].contains(key)).map(|(_, key)| key);
        if let Some(key) = twice.filter(|_| keyword == "anyOf") {
            let message = format!("two branches begin with the key `{key}`");
            sink.report(&UNION_SHARED_FIRST_KEY, node.at(keyword), value, message);
        }
    }
}

fn properties(branch: &Object) -> Option<&Object> {
    branch.get(b"properties")?.as_object().filter(|properties| !properties.is_empty())
}

/// The values that a schema is limited to by `const` or `enum`.
fn listed(schema: &Value) -> Option<Vec<&Value>> {
    let constant = schema.get("const").map(|value| vec![value]);
    constant.or_else(|| schema.get("enum")?.as_array().map(|values| values.iter().collect()))
}

fn disjoint(a: &Value, b: &Value) -> bool {
    match (listed(a), listed(b)) {
        (Some(a), Some(b)) => !a.iter().any(|value| b.contains(value)),
        _ => false,
    }
}

/// Whether some key is limited to other values in each branch.
fn has_tag(branches: &[&Object]) -> bool {
    let Some((first, rest)) = branches.split_first() else { return false };
    let Some(keys) = properties(first) else { return false };
    keys.entries().iter().any(|(key, schema)| {
        let others: Vec<&Value> = rest.iter().filter_map(|branch| properties(branch)?.get(key.as_bytes())).collect();
        let all: Vec<&Value> = std::iter::once(schema).chain(others).collect();
        all.len() == branches.len() && all.iter().enumerate().all(|(i, a)| all[i + 1..].iter().all(|b| disjoint(a, b)))
    })
}

/// Whether a value surely exists that matches both. Where that is not clear, not: nothing is claimed.
fn both_can_match(a: &Object, b: &Object) -> bool {
    let plain = |branch: &Object| {
        let known: [&[u8]; 8] =
            [b"type", b"title", b"description", b"properties", b"required", b"additionalProperties", b"default", b"examples"];
        branch.entries().iter().all(|(keyword, _)| known.contains(&keyword.as_bytes()))
    };
    if !plain(a) || !plain(b) {
        return false;
    }
    let types = |branch: &Object| -> Vec<String> {
        let value = branch.get(b"type");
        let list = value.map_or(&[][..], |v| v.as_array().unwrap_or(std::slice::from_ref(v)));
        list.iter().filter_map(Value::as_string).map(ToString::to_string).collect()
    };
    let (of_a, of_b) = (types(a), types(b));
    let share =
        |x: &String, y: &String| x == y || matches!((x.as_str(), y.as_str()), ("number", "integer") | ("integer", "number"));
    let shared: Vec<&String> = of_a.iter().filter(|x| of_b.iter().any(|y| share(x, y))).collect();
    match shared.as_slice() {
        [] => false,
        // Other types than object have no further rules here.
        names if names.iter().any(|name| *name != "object") => true,
        _ => objects_can_match(a, b),
    }
}

/// Whether an object with all the keys that either requires can match both.
fn objects_can_match(a: &Object, b: &Object) -> bool {
    let required = |branch: &Object| branch.get(b"required").and_then(Value::as_array).unwrap_or_default().to_vec();
    let takes = |branch: &Object, name: &Value| {
        let key = name.as_string().map(JsString::as_bytes).unwrap_or_default();
        let closed = branch.get(b"additionalProperties").is_some_and(|v| !v.is_true());
        !closed || properties(branch).is_some_and(|p| p.get(key).is_some())
    };
    let all: Vec<Value> = required(a).into_iter().chain(required(b)).collect();
    let fits_keys = all.iter().all(|name| takes(a, name) && takes(b, name));
    // The schemas of a key that both must have can only be compared where they are the same.
    let fits_values = all.iter().all(|name| {
        let key = name.as_string().map(JsString::as_bytes).unwrap_or_default();
        match (properties(a).and_then(|p| p.get(key)), properties(b).and_then(|p| p.get(key))) {
            (Some(x), Some(y)) => x == y,
            _ => true,
        }
    });
    // Two branches that only differ in what they require say on purpose that one of the two must be there.
    fits_keys && fits_values && properties(a).is_some() && properties(b).is_some()
}
