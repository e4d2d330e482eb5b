//! Parameters: added, removed, renamed, moved, required or no longer.

use super::{Comparer, Descent, Found, Node};
use crate::json::{Object, Value};
use crate::review::alike::{self, Bare};
use crate::review::change::{Renamed, Touch, Words, subject};
use crate::review::kinds::Kinds;
use crate::review::places::Hop;
use crate::review::prove;
use crate::review::rules::{Directions, Effect, RuleId};
use crate::review::semantics::{Extra, Semantics};
use crate::review::side::{Root, Side, join};
use std::collections::{HashMap, HashSet};

/// A parameter as one side declares it.
#[derive(Clone, Debug)]
pub(super) struct Param<'a> {
    pub name: String,
    /// Its schema; none where only `required` names it.
    pub schema: Option<&'a Value>,
    /// It may be sent for its name alone. Under the wave gate `required` declares too (rule G14).
    pub declared: bool,
    pub required: bool,
    /// Where its schema stands, or would stand.
    pub pointer: String,
}

/// A parameter that one side has and the other has not, at its place: it may have moved.
#[derive(Clone, Debug)]
pub(super) struct Gone<'a> {
    pub pointer: String,
    pub path: String,
    pub name: String,
    pub schema: &'a Value,
}

/// The schema of a parameter that only `required` names.
static ANYTHING: Value = Value::Bool(true);

/// How deep a removed parameter is looked into for what has moved out of it.
const MAX_INSIDE: usize = 256;

/// The parameters of an object: as declared, then those that are only required.
pub(super) fn params<'a>(semantics: Semantics, side: &Side<'a>) -> Vec<Param<'a>> {
    let names = side.array("required").unwrap_or_default().iter().filter_map(|n| Some(n.as_string()?.to_string()));
    let mut required: HashSet<String> = names.clone().collect();
    let base = side.pointer_of("properties");
    let declared = side.object("properties").map(Object::entries).unwrap_or_default();
    let mut found = Vec::with_capacity(declared.len());
    for (key, schema) in declared {
        let name = key.to_string();
        let (required, pointer) = (required.remove(&name), join(&base, &name));
        found.push(Param { name, schema: Some(schema), declared: true, required, pointer });
    }
    let by_required = semantics == Semantics::Wave;
    // What is left is required and not declared.
    for name in names {
        if required.remove(&name) {
            let schema = by_required.then_some(&ANYTHING);
            found.push(Param { pointer: join(&base, &name), name, schema, declared: by_required, required: true });
        }
    }
    found
}

/// Parameters by name.
struct Named<'p, 'a> {
    list: &'p [Param<'a>],
    places: HashMap<&'p str, usize>,
}

impl<'p, 'a> Named<'p, 'a> {
    fn new(list: &'p [Param<'a>]) -> Self {
        Self { list, places: list.iter().enumerate().map(|(at, param)| (param.name.as_str(), at)).collect() }
    }

    fn get(&self, name: &str) -> Option<&'p Param<'a>> {
        self.places.get(name).map(|at| &self.list[*at])
    }

    fn declares(&self, name: &str) -> bool {
        self.get(name).is_some_and(|param| param.declared)
    }
}

/// The type of a parameter in a word.
fn kind_of(schema: Option<&Value>) -> String {
    schema.map_or_else(|| "anything".to_owned(), super::arrays::gist)
}

impl<'a> Comparer<'a> {
    /// Compares the parameters of an object.
    pub(super) fn parameters(&mut self, node: &Node<'_, 'a>) {
        let (before, after) = (params(self.semantics, node.before), params(self.semantics, node.after));
        let (old, new) = (Named::new(&before), Named::new(&after));
        let mut removed: Vec<&Param<'a>> = before.iter().filter(|p| p.declared && !new.declares(&p.name)).collect();
        let mut added: Vec<&Param<'a>> = after.iter().filter(|p| old.get(&p.name).is_none()).collect();
        // What was required without being declared is described now: not new, and perhaps less than anything.
        let is_described = |p: &&Param<'a>| p.declared && old.get(&p.name).is_some() && !old.declares(&p.name);
        let described: Vec<&Param<'a>> = after.iter().filter(is_described).collect();
        for (from, to, confidence) in renames(&removed, &added) {
            removed.retain(|param| param.name != from.name);
            added.retain(|param| param.name != to.name);
            self.renamed(node, from, to, confidence);
        }
        if node.pair.place == 0 && !removed.is_empty() && !after.iter().any(|param| param.declared) {
            self.emptied(node, before.len());
        }
        for param in &removed {
            self.removed(node, param);
        }
        for param in &added {
            self.added(node, param, param.required);
        }
        for param in &described {
            self.added(node, param, false);
        }
        for from in &before {
            if let Some(to) = new.get(&from.name) {
                self.required(node, from, to);
                self.into(node, from, to);
            }
        }
        self.order(node, &old, &new);
    }

    fn into(&mut self, node: &Node<'_, 'a>, old: &Param<'a>, new: &Param<'a>) {
        if let (Some(before), Some(after)) = (old.schema, new.schema) {
            let (before_at, after_at) = (old.pointer.clone(), new.pointer.clone());
            let step = Descent {
                keyword: "properties",
                before,
                after,
                before_at,
                after_at,
                near_union: node.pair.near_union.saturating_sub(1),
            };
            self.descend(node, Hop::Key(new.name.clone()), step);
        }
    }

    fn renamed(&mut self, node: &Node<'_, 'a>, old: &Param<'a>, new: &Param<'a>, confidence: f64) {
        let rejected = new.required || matches!(self.semantics.extra(node.after), Extra::Closed);
        let words = Words {
            subject: subject(&self.path_of(node, &old.name)),
            after: format!("`{}`", self.path_of(node, &new.name)),
            ..Words::default()
        };
        let effect = if rejected { Effect::Rejected } else { Effect::Ignored };
        let found = Found {
            words,
            before: Some(old.name.as_str().into()),
            after: Some(new.name.as_str().into()),
            directions: Some(Directions { new: Effect::Ok, recorded: effect, stale: effect }),
            renamed: Some(Renamed { from: old.name.clone(), confidence }),
            ..Found::new(RuleId::ParamRenamed, old.pointer.clone(), "properties")
        };
        self.report(node, found.touch(Touch::Renamed(old.name.clone(), new.name.clone())));
        self.required(node, old, new);
        self.into(node, old, new);
    }

    fn removed(&mut self, node: &Node<'_, 'a>, param: &Param<'a>) {
        let (rule, keyword) = match self.semantics.extra(node.after) {
            _ if let Some(pattern) = Self::pattern_for(node.after, &param.name) => (RuleId::ParamRemovedCovered, pattern),
            Extra::Closed => (RuleId::ParamRemovedRejected, String::new()),
            Extra::Open => (RuleId::ParamRemovedIgnored, String::new()),
            Extra::Checked(schema) => {
                let old = param.schema.unwrap_or(&ANYTHING);
                if prove::covers(self.semantics, (self.after, schema), (self.before, old)) {
                    (RuleId::ParamRemovedCovered, "additionalProperties".to_owned())
                } else {
                    (RuleId::ParamRemovedRejected, String::new())
                }
            }
        };
        let path = self.path_of(node, &param.name);
        let words = Words { subject: subject(&path), keyword, ..Words::default() };
        let found = Found { words, before: param.schema.cloned(), ..Found::new(rule, param.pointer.clone(), "properties") };
        self.report(node, found.touch(Touch::Key(param.name.clone())));
        if let Some(schema) = param.schema {
            self.gone.push(Gone { pointer: param.pointer.clone(), path, name: param.name.clone(), schema });
        }
    }

    /// The pattern under which a key is still described.
    fn pattern_for(side: &Side<'_>, key: &str) -> Option<String> {
        let patterns = side.object("patternProperties")?;
        let found = patterns.entries().iter().find(|(pattern, _)| prove::matches(&pattern.to_well_formed(), key));
        found.map(|(pattern, _)| format!("patternProperties `{pattern}`"))
    }

    fn added(&mut self, node: &Node<'_, 'a>, param: &Param<'a>, required: bool) {
        let has_default = param.schema.is_some_and(|schema| schema.get("default").is_some());
        let rule = match (required, has_default) {
            (true, true) => RuleId::ParamAddedRequiredDefault,
            (true, false) => RuleId::ParamAddedRequired,
            (false, _) => RuleId::ParamAddedOptional,
        };
        let path = self.path_of(node, &param.name);
        let words = Words { subject: subject(&path), after: kind_of(param.schema), ..Words::default() };
        let keyword = if required { "required" } else { "properties" };
        let probes = super::types::samples(Kinds::ANY);
        let found = Found { words, probes, after: param.schema.cloned(), ..Found::new(rule, param.pointer.clone(), keyword) };
        self.report(node, found.touch(Touch::Within(param.name.clone())));
        if let Some(schema) = param.schema {
            self.new.push(Gone { pointer: param.pointer.clone(), path, name: param.name.clone(), schema });
        }
    }

    fn required(&mut self, node: &Node<'_, 'a>, old: &Param<'a>, new: &Param<'a>) {
        let has_default = new.schema.is_some_and(|schema| schema.get("default").is_some());
        let rule = match (old.required, new.required) {
            (false, true) if has_default => RuleId::ParamBecameRequiredDefault,
            (false, true) => RuleId::ParamBecameRequired,
            (true, false) => RuleId::ParamBecameOptional,
            _ => return,
        };
        let words = Words { subject: subject(&self.path_of(node, &new.name)), ..Words::default() };
        let found = Found {
            words,
            before: Some(old.required.into()),
            after: Some(new.required.into()),
            ..Found::new(rule, new.pointer.clone(), "required")
        };
        self.report(node, found.touch(Touch::Missing(new.name.clone())));
    }

    fn emptied(&mut self, node: &Node<'_, 'a>, count: usize) {
        let words = Words { keyword: count.to_string(), ..Words::default() };
        let before = node.before.get("properties").cloned();
        let after = node.after.get("properties").cloned();
        let pointer = node.after.pointer.clone();
        let found = Found { words, before, after, ..Found::new(RuleId::SchemaEmptied, pointer, "properties") };
        self.report(node, found.touch(Touch::AnyKey));
    }

    fn order(&mut self, node: &Node<'_, 'a>, before: &Named<'_, 'a>, after: &Named<'_, 'a>) {
        let is_shown = |p: &Param<'a>| p.schema.is_some_and(|schema| !std::ptr::eq(schema, &raw const ANYTHING));
        let names = |list: &Named<'_, 'a>, other: &Named<'_, 'a>| -> Vec<String> {
            let shared = list.list.iter().filter(|p| is_shown(p) && other.get(&p.name).is_some_and(is_shown));
            shared.map(|p| p.name.clone()).collect()
        };
        let (a, b) = (names(before, after), names(after, before));
        if a != b {
            let list = |names: Vec<String>| Some(Value::Array(names.into_iter().map(Value::from).collect()));
            let pointer = node.after.pointer_of("properties");
            self.report(node, Found { before: list(a), after: list(b), ..Found::new(RuleId::DocOrderChanged, pointer, "") });
        }
    }

    /// Finds parameters that left one object for another: flattened out of it, or wrapped into one.
    pub(super) fn moved(&mut self) {
        let gone: Vec<Gone<'a>> = self.gone.iter().flat_map(|g| inside(self.semantics, self.before, g)).collect();
        let new: Vec<Gone<'a>> = self.new.iter().flat_map(|g| inside(self.semantics, self.after, g)).collect();
        let (from, to) = (singles(&gone), singles(&new));
        let mut moves = Vec::new();
        for old in gone.iter().filter(|old| from.contains_key(old.name.as_str())) {
            let to = to.get(old.name.as_str()).filter(|to| to.pointer != old.pointer);
            moves.extend(to.filter(|to| alike::bare(to.schema) == alike::bare(old.schema)).map(|to| (old, to)));
        }
        for (old, to) in moves {
            // It takes the place of the removal and, where the parameter itself is what is new, of the addition.
            let at = self.changes.iter().position(|c| c.pointer == old.pointer && c.after.is_none() && is_removal(c.rule));
            let nested = self.changes.iter().position(|c| is_removal(c.rule) && old.pointer.starts_with(&c.pointer));
            let Some(from) = at.or(nested) else { continue };
            let mut change = self.changes[from].clone();
            if at.is_some() {
                self.changes.remove(from);
            }
            self.changes.retain(|c| !(c.rule == RuleId::ParamAddedOptional && c.pointer == to.pointer));
            change.rule = RuleId::ParamMoved;
            change.pointer.clone_from(&old.pointer);
            change.words.subject = subject(&old.path);
            change.words.before = format!("`{}`", old.pointer);
            change.words.after = format!("`{}`", to.pointer);
            change.before = Some(old.pointer.as_str().into());
            change.after = Some(to.pointer.as_str().into());
            change.severity = None;
            self.changes.push(change);
        }
        self.drop_emptied_removals();
    }

    /// The removal of an object that all parameters were moved out of says nothing more.
    fn drop_emptied_removals(&mut self) {
        let moved: Vec<String> =
            self.changes.iter().filter(|c| c.rule == RuleId::ParamMoved).map(|c| c.pointer.clone()).collect();
        self.changes.retain(|change| {
            let inside = change.before.as_ref().and_then(|b| b.get("properties")).and_then(Value::as_object);
            // Of an object without parameters none was moved.
            let all_moved = inside.filter(|properties| !properties.is_empty()).is_some_and(|properties| {
                let base = join(&change.pointer, "properties");
                properties.entries().iter().all(|(key, _)| moved.contains(&join(&base, &key.to_well_formed())))
            });
            !(is_removal(change.rule) && all_moved)
        });
    }
}

/// Those whose name no other one has, by name.
fn singles<'g, 'a>(list: &'g [Gone<'a>]) -> HashMap<&'g str, &'g Gone<'a>> {
    let mut found: HashMap<&str, Option<&Gone<'a>>> = HashMap::new();
    for gone in list {
        found.entry(gone.name.as_str()).and_modify(|known| *known = None).or_insert(Some(gone));
    }
    found.into_iter().filter_map(|(name, gone)| Some((name, gone?))).collect()
}

fn is_removal(rule: RuleId) -> bool {
    matches!(rule, RuleId::ParamRemovedIgnored | RuleId::ParamRemovedRejected)
}

/// A parameter and those inside it.
fn inside<'a>(semantics: Semantics, root: Root<'a>, outer: &Gone<'a>) -> Vec<Gone<'a>> {
    let mut found = vec![outer.clone()];
    let mut at = 0;
    while at < found.len() && found.len() < MAX_INSIDE {
        let (pointer, path) = (found[at].pointer.clone(), found[at].path.clone());
        let side = Side::new(root, found[at].schema, &pointer, true);
        for param in params(semantics, &side) {
            if let Some(schema) = param.schema {
                let path = crate::review::places::below(&path, &param.name);
                found.push(Gone { pointer: param.pointer, path, name: param.name, schema });
            }
        }
        at += 1;
    }
    found
}

/// Pairs of a removed and an added parameter that are probably one, with how sure that is.
///
/// One of each with the same schema and requiredness, or the same name but for case and separators. Where several could be
/// meant, the name has to decide.
fn renames<'p, 'a>(removed: &[&'p Param<'a>], added: &[&'p Param<'a>]) -> Vec<(&'p Param<'a>, &'p Param<'a>, f64)> {
    // With so many there is no telling by likeness.
    if removed.len() * added.len() > MANY {
        return Vec::new();
    }
    let taken_apart =
        |list: &[&'p Param<'a>]| -> Vec<Option<Bare>> { list.iter().map(|param| param.schema.map(alike::bare)).collect() };
    let (before, after) = (taken_apart(removed), taken_apart(added));
    let mut scored = Vec::new();
    for (old, old_bare) in removed.iter().zip(&before) {
        for (new, new_bare) in added.iter().zip(&after) {
            let same = old_bare.is_some() && old_bare == new_bare;
            if let Some(score) = score(old, new, same, new_bare.as_ref().map_or(0, Bare::len)) {
                scored.push((*old, *new, score));
            }
        }
    }
    scored.sort_by(|a, b| b.2.total_cmp(&a.2));
    let mut taken: Vec<(&Param<'_>, &Param<'_>, f64)> = Vec::new();
    for (old, new, score) in &scored {
        let free = |o: &Param<'_>, n: &Param<'_>| taken.iter().all(|(x, y, _)| x.name != o.name && y.name != n.name);
        if !free(old, new) {
            continue;
        }
        let rivals = scored.iter().filter(|(o, n, _)| free(o, n) && (o.name == old.name) != (n.name == new.name));
        let strongest = rivals.map(|(_, _, s)| *s).fold(0.0, f64::max);
        if *score >= CLEAR || strongest == 0.0 || (*score - strongest > MARGIN && *score > LIKELY) {
            taken.push((old, new, *score));
        }
    }
    taken
}

/// Pairs of a removed and an added parameter that are compared.
const MANY: usize = 10_000;
/// From here a pair needs no comparison with others.
const CLEAR: f64 = 0.95;
/// By so much the best of several has to be better than the next.
const MARGIN: f64 = 0.1;
/// And so good it has to be itself.
const LIKELY: f64 = 0.6;

/// How likely two parameters are one; `None` where nothing speaks for it. `same`: their schemas take the same; `size`: how
/// much these say.
fn score(old: &Param<'_>, new: &Param<'_>, same: bool, size: usize) -> Option<f64> {
    let by_name = alike::names(&old.name, &new.name);
    if by_name >= 1.0 {
        return Some(CLEAR + if old.required == new.required { 0.04 } else { 0.0 });
    }
    if old.required != new.required || !same {
        return None;
    }
    let text = |param: &Param<'_>| param.schema?.get("description")?.as_string().map(ToString::to_string);
    let by_text = match (text(old), text(new)) {
        (Some(a), Some(b)) if a == b => 0.3,
        // Two plain strings with names and descriptions of their own are two parameters.
        (Some(_), Some(_)) if by_name < 0.4 && size <= 1 => return None,
        _ => 0.0,
    };
    Some((0.4 + 0.4 * by_name + by_text).min(0.94))
}
