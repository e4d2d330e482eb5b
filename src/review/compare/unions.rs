//! Unions: `anyOf` and `oneOf`, added, removed, and branch by branch.

use super::arrays::gist;
use super::{Comparer, Descent, Found, Node};
use crate::json::{JsString, Object, Value};
use crate::review::alike::{self, Bare};
use crate::review::change::{Touch, Words};
use crate::review::kinds::Kinds;
use crate::review::places::Hop;
use crate::review::prove;
use crate::review::prove::covers;
use crate::review::rules::{RuleId, Severity};
use crate::review::semantics::Semantics;
use crate::review::side::{Side, reference};

type Branches<'a> = Vec<(&'a Value, String)>;

/// The keywords by which a value that fits no form is rejected.
const FORMS: &[&str] = &["anyOf", "oneOf"];

impl<'a> Comparer<'a> {
    /// Compares the unions of a place.
    pub(super) fn unions(&mut self, node: &Node<'_, 'a>) {
        let all = |side: &Side<'a>| -> Vec<(&'static str, Branches<'a>)> {
            ["anyOf", "oneOf"].into_iter().filter_map(|keyword| Some((keyword, side.union(keyword)?))).collect()
        };
        let (mut before, mut after) = (all(node.before), all(node.after));
        if before.len() == 1 && after.len() == 1 && before[0].0 != after[0].0 {
            let ((from, a), (to, b)) = (before.remove(0), after.remove(0));
            self.kind(node, from, to);
            self.branches(node, to, &a, &b);
            return;
        }
        for keyword in ["anyOf", "oneOf"] {
            let take = |list: &mut Vec<(&'static str, Branches<'a>)>| {
                let at = list.iter().position(|(k, _)| *k == keyword)?;
                Some(list.remove(at).1)
            };
            match (take(&mut before), take(&mut after)) {
                (Some(a), Some(b)) => self.branches(node, keyword, &a, &b),
                (None, Some(b)) => self.union_added(node, keyword, &b),
                (Some(a), None) => self.union_removed(node, keyword, &a),
                (None, None) => {}
            }
        }
    }

    fn kind(&mut self, node: &Node<'_, 'a>, from: &'static str, to: &'static str) {
        let meaning = if to == "oneOf" {
            "values matching two forms are now rejected"
        } else {
            "values matching two forms are now accepted"
        };
        let words = Words { keyword: meaning.to_owned(), before: from.to_owned(), after: to.to_owned(), ..Words::default() };
        let (before, after) = (Some(from.into()), Some(to.into()));
        let pointer = node.after.pointer.clone();
        let found = Found { words, before, after, ..Found::new(RuleId::UnionKindChanged, pointer, to) };
        self.report(node, found.touch(Touch::Value(FORMS)));
    }

    /// A union where there was none: a restriction, unless it only lists more forms beside the old one.
    fn union_added(&mut self, node: &Node<'_, 'a>, keyword: &'static str, branches: &[(&'a Value, String)]) {
        let holds_old = |branch: &'a Value| covers(self.semantics, (self.after, branch), (self.before, node.pair.before));
        let at = node.after.get("type").is_none().then(|| branches.iter().position(|(branch, _)| holds_old(branch))).flatten();
        if let Some(at) = at {
            for (i, (branch, _)) in branches.iter().enumerate().filter(|(i, _)| *i != at) {
                self.branch(node, RuleId::UnionBranchAdded, keyword, branch, i, None);
            }
            return;
        }
        let words = Words { after: forms(keyword, branches.len()), ..Words::default() };
        let pointer = node.after.pointer.clone();
        let found = Found { pointer, words, ..Found::of_keyword(RuleId::UnionAdded, node, keyword) };
        self.report(node, found.touch(Touch::Within(String::new())));
    }

    /// No union where there was one: forms are gone, unless what stands there now takes them all.
    fn union_removed(&mut self, node: &Node<'_, 'a>, keyword: &'static str, branches: &[(&'a Value, String)]) {
        let lost: Vec<usize> =
            (0..branches.len()).filter(|i| node.before.own("type").is_none() && !self.still_fits(node, branches[*i].0)).collect();
        if lost.is_empty() || node.after.keywords().iter().all(|k| Semantics::is_annotation(&k.to_well_formed())) {
            let words = Words { before: forms(keyword, branches.len()), ..Words::default() };
            let pointer = node.after.pointer.clone();
            let found = Found { pointer, words, ..Found::of_keyword(RuleId::UnionRemoved, node, keyword) };
            self.report(node, found.touch(Touch::Value(FORMS)));
            return;
        }
        for i in lost {
            self.branch(node, RuleId::UnionBranchRemoved, keyword, branches[i].0, i, None);
        }
    }

    fn still_fits(&self, node: &Node<'_, 'a>, branch: &'a Value) -> bool {
        covers(self.semantics, (self.after, node.pair.after), (self.before, branch))
    }

    fn branches(
        &mut self,
        node: &Node<'_, 'a>,
        keyword: &'static str,
        before: &[(&'a Value, String)],
        after: &[(&'a Value, String)],
    ) {
        let pairs = matched(before, after);
        let few = before.len() * after.len() <= MANY;
        for (i, j) in &pairs {
            let ((a, before_at), (b, after_at)) = (&before[*i], &after[*j]);
            let (before_at, after_at) = (before_at.clone(), after_at.clone());
            self.descend(node, Hop::Same, Descent { keyword, before: a, after: b, before_at, after_at, near_union: 2 });
        }
        for (i, (branch, _)) in before.iter().enumerate().filter(|(i, _)| !pairs.iter().any(|(a, _)| a == i)) {
            let elsewhere = few && after.iter().any(|(b, _)| covers(self.semantics, (self.after, *b), (self.before, *branch)));
            if !elsewhere {
                self.branch(node, RuleId::UnionBranchRemoved, keyword, branch, i, None);
            }
        }
        for (j, (branch, _)) in after.iter().enumerate().filter(|(j, _)| !pairs.iter().any(|(_, b)| b == j)) {
            // What a second form takes too is rejected by `oneOf`.
            let overlaps =
                keyword == "oneOf" && before.iter().any(|(old, _)| prove::overlaps((self.after, *branch), (self.before, *old)));
            self.branch(node, RuleId::UnionBranchAdded, keyword, branch, j, overlaps.then_some(Severity::Error));
        }
    }

    fn branch(
        &mut self,
        node: &Node<'_, 'a>,
        rule: RuleId,
        keyword: &'static str,
        branch: &Value,
        index: usize,
        severity: Option<Severity>,
    ) {
        let name = format!("{} ({})", index + 1, gist(branch));
        let is_new = rule == RuleId::UnionBranchAdded;
        let words = Words { before: name.clone(), after: name, ..Words::default() };
        let side = if is_new { (None, Some(branch.clone())) } else { (Some(branch.clone()), None) };
        let hint = severity.map(|_| "It takes values that another form takes too, and `oneOf` rejects those.".to_owned());
        let probes = Kinds::of_branch(branch).map(super::types::samples).unwrap_or_default();
        let pointer = node.after.pointer.clone();
        let found = Found { words, severity, hint, probes, before: side.0, after: side.1, ..Found::new(rule, pointer, keyword) };
        self.report(node, found.touch(Touch::Within(String::new())));
    }
}

fn forms(keyword: &str, count: usize) -> String {
    match keyword {
        "oneOf" => format!("exactly one of {count} forms"),
        _ => format!("one of {count} forms"),
    }
}

/// Which branch became which: equal ones, then those with the same tag or reference, then the same types, most alike first.
fn matched(before: &[(&Value, String)], after: &[(&Value, String)]) -> Vec<(usize, usize)> {
    let forms = |list: &[(&Value, String)]| -> Vec<Form> { list.iter().map(|(branch, _)| Form::new(branch)).collect() };
    let (old, new) = (forms(before), forms(after));
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let (mut from, mut to) = (vec![true; old.len()], vec![true; new.len()]);
    let tests: [fn(&Form, &Form) -> bool; 3] = [
        |a, b| a.bare == b.bare,
        |a, b| a.tag.is_some() && a.tag == b.tag,
        |a, b| a.reference.is_some() && a.reference == b.reference,
    ];
    for test in tests {
        for (i, a) in old.iter().enumerate().filter(|(i, _)| from[*i]).collect::<Vec<_>>() {
            if let Some(j) = (0..new.len()).find(|j| to[*j] && test(a, &new[*j])) {
                (from[i], to[j]) = (false, false);
                pairs.push((i, j));
            }
        }
    }
    let mut scored = Vec::new();
    for i in (0..old.len()).filter(|i| from[*i]) {
        for j in (0..new.len()).filter(|j| to[*j]) {
            if scored.len() < MANY && same_kinds(before[i].0, after[j].0) {
                scored.push((old[i].bare.likeness(&new[j].bare).max(old[i].names.likeness(&new[j].names)), i, j));
            }
        }
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (score, i, j) in scored {
        let alone = before.len() == after.len() && before.len() - pairs.len() == 1;
        if from[i] && to[j] && (score >= 0.5 || alone) {
            (from[i], to[j]) = (false, false);
            pairs.push((i, j));
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Pairs of branches that are compared by likeness, or by proof.
const MANY: usize = 4096;

/// What a branch is known by.
struct Form {
    bare: Bare,
    /// The names of its properties alone.
    names: Bare,
    tag: Option<(String, Value)>,
    reference: Option<String>,
}

impl Form {
    fn new(branch: &Value) -> Self {
        let names = branch.get("properties").and_then(Value::as_object).map(Object::entries).unwrap_or_default();
        let names = names.iter().map(|(key, _)| (JsString::from(format!("p{key}")), Value::Bool(true)));
        Self {
            bare: alike::bare(branch),
            names: alike::bare(&Value::Object(names.collect())),
            tag: tag(branch),
            reference: branch.as_object().and_then(reference),
        }
    }
}

fn same_kinds(a: &Value, b: &Value) -> bool {
    match (Kinds::of_branch(a), Kinds::of_branch(b)) {
        (Some(a), Some(b)) => a.meets(b),
        (a, b) => a == b,
    }
}

/// The property by whose fixed value a branch is told from the others.
fn tag(branch: &Value) -> Option<(String, Value)> {
    let properties = branch.get("properties")?.as_object()?;
    properties.entries().iter().find_map(|(key, schema)| {
        let fixed = schema.get("const").or_else(|| match schema.get("enum")?.as_array()? {
            [only] => Some(only),
            _ => None,
        })?;
        Some((key.to_string(), fixed.clone()))
    })
}
