//! Walking a value along a plan: rules G9 to G19.

use super::plan::{KeyRule, NodeId, ObjectRule, Plan};
use super::verdict::{Issue, IssueKind};
use crate::json::{JsString, Step, Value, human_path, pointer};

impl Plan {
    /// Every issue of a value, in the order of rule G18.
    #[must_use]
    pub fn issues(&self, value: &Value) -> Vec<Issue> {
        if self.nodes.is_empty() {
            return Vec::new();
        }
        let mut walk = Walk { plan: self, open: Vec::new(), issues: Vec::new() };
        walk.visit(0, value);
        while walk.step() {}
        walk.issues.sort_by_key(|issue| issue.kind.rank());
        walk.issues
    }
}

/// The walk. The containers that are open are its stack and, with the element each is at, the path: nothing is allocated
/// for a path until an issue needs one, and no value is too deep.
struct Walk<'a> {
    plan: &'a Plan,
    open: Vec<Open<'a>>,
    issues: Vec<Issue>,
}

enum Open<'a> {
    Object { rule: &'a ObjectRule, entries: &'a [(JsString, Value)], next: usize },
    Array { item: NodeId, items: &'a [Value], next: usize },
}

impl<'a> Walk<'a> {
    /// Moves on to the next element of the innermost open container; false when all is done.
    fn step(&mut self) -> bool {
        match self.open.last_mut() {
            None => return false,
            Some(Open::Array { item, items, next }) => match items.get(*next) {
                Some(value) => {
                    *next += 1;
                    let item = *item;
                    self.visit(item, value);
                }
                None => drop(self.open.pop()),
            },
            Some(Open::Object { rule, entries, next }) => match entries.get(*next) {
                Some((key, value)) => {
                    *next += 1;
                    match rule.rule(key.as_bytes()) {
                        KeyRule::Accept => {}
                        KeyRule::Check(node) => self.visit(node, value),
                        KeyRule::Unexpected => self.report(IssueKind::Unexpected, None),
                    }
                }
                None => drop(self.open.pop()),
            },
        }
        true
    }

    /// Checks a value; a container that has something to check inside is opened.
    fn visit(&mut self, id: NodeId, value: &'a Value) {
        let node = &self.plan.nodes[id as usize];
        if !node.types.is_empty() && !node.types.holds(value) {
            let kind = IssueKind::Type { expected: node.types_expected.clone(), provided: value.type_name() };
            self.report(kind, None);
            return;
        }
        let null_by_declaration = node.nullable && matches!(value, Value::Null);
        if !node.allowed.is_empty() && !null_by_declaration && !node.allowed.contains(value) {
            let kind = IssueKind::Value { expected: node.allowed_expected.clone(), provided: value.to_json() };
            self.report(kind, None);
            return;
        }
        match (value, &node.object, node.items) {
            (Value::Object(object), Some(rule), _) => {
                self.missing(rule, object.entries());
                self.open.push(Open::Object { rule, entries: object.entries(), next: 0 });
            }
            (Value::Array(items), _, Some(item)) => self.open.push(Open::Array { item, items, next: 0 }),
            _ => {}
        }
    }

    /// Reports each required name that is not a key (rule G13).
    fn missing(&mut self, rule: &'a ObjectRule, entries: &'a [(JsString, Value)]) {
        // Past this a look-up table is cheaper than comparing each with each.
        const FEW: usize = 1024;
        if rule.required.len() * entries.len() <= FEW {
            for name in &rule.required {
                if !entries.iter().any(|(key, _)| key == name) {
                    self.report(IssueKind::Missing, Some(name));
                }
            }
            return;
        }
        let keys: std::collections::HashSet<&JsString> = entries.iter().map(|(key, _)| key).collect();
        for name in rule.required.iter().filter(|name| !keys.contains(name)) {
            self.report(IssueKind::Missing, Some(name));
        }
    }

    /// Records an issue with the element that the walk is at, or with a key below it.
    #[cold]
    fn report(&mut self, kind: IssueKind, key: Option<&JsString>) {
        let here = || {
            let below = key.map(|key| Step::Key(key.as_bytes()));
            self.open.iter().map(Open::current).chain(below)
        };
        let issue = Issue { kind, path: human_path(here()), pointer: pointer(here()) };
        self.issues.push(issue);
    }
}

impl<'a> Open<'a> {
    /// The step to the element that was last taken.
    fn current(&self) -> Step<'a> {
        match self {
            Self::Object { entries, next, .. } => Step::Key(entries[*next - 1].0.as_bytes()),
            Self::Array { next, .. } => Step::Index(*next - 1),
        }
    }
}
