//! Which tool became which: by name over all files, so that moving a tool to another file is no change; and guesses about
//! tools that were renamed.

use super::alike::{self, Bare};
use super::change::Renamed;
use crate::definition::{Catalog, Definition};
use crate::json::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// A tool before and after; at least one of both is there.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub before: Option<Arc<Definition>>,
    pub after: Option<Arc<Definition>>,
    /// The two have different names.
    pub renamed: Option<Renamed>,
}

/// From here schemas count as one that was edited a little.
const ALIKE: f64 = 0.8;
/// The most pairs of a removed and an added tool that are compared; past it there is no telling.
const MANY: usize = 10_000;

impl Pair {
    /// The tool's name after the change, or before it if it is gone.
    pub fn name(&self) -> &str {
        self.after.as_ref().or(self.before.as_ref()).map_or("", |definition| definition.name())
    }
}

/// Pairs the definitions of two catalogs: in the order of the second, what is gone at the end.
pub(crate) fn pair(before: &Catalog, after: &Catalog) -> (Vec<Pair>, Siblings) {
    let mut old: HashMap<String, &Arc<Definition>> = HashMap::new();
    for definition in before.definitions() {
        old.entry(key(definition)).or_insert(definition);
    }
    let mut taken: Vec<*const Definition> = Vec::new();
    let mut pairs = Vec::new();
    for definition in after.definitions() {
        // A server's tool whose file moved to another server's folder is found by its own name.
        let same = old.get(&key(definition)).copied().or_else(|| by_own_name(before, after, definition));
        let same = same.filter(|d| !taken.contains(&Arc::as_ptr(d)));
        taken.extend(same.map(Arc::as_ptr));
        pairs.push(Pair { before: same.cloned(), after: Some(Arc::clone(definition)), renamed: None });
    }
    let mut gone: Vec<&Arc<Definition>> =
        before.definitions().iter().filter(|definition| !taken.contains(&Arc::as_ptr(definition))).collect();
    let siblings = Siblings::new(&pairs, !gone.is_empty());
    for (at, old, confidence) in renames(&gone, &pairs, &siblings) {
        gone.retain(|definition| !Arc::ptr_eq(definition, &old));
        pairs[at].renamed = Some(Renamed { from: old.name().to_owned(), confidence });
        pairs[at].before = Some(old);
    }
    pairs.extend(gone.into_iter().map(|d| Pair { before: Some(Arc::clone(d)), after: None, renamed: None }));
    (pairs, siblings)
}

fn key(definition: &Definition) -> String {
    definition.qualified_name().unwrap_or_else(|| definition.name().to_owned())
}

/// The definition of the same name on the other side, where neither side has two of that name.
fn by_own_name<'c>(before: &'c Catalog, after: &Catalog, definition: &Definition) -> Option<&'c Arc<Definition>> {
    let named = |catalog: &'c Catalog| catalog.definitions().iter().filter(|d| d.name() == definition.name());
    let mut found = named(before);
    let only = found.next().filter(|_| found.next().is_none())?;
    (after.definitions().iter().filter(|d| d.name() == definition.name()).count() == 1).then_some(only)
}

/// A tool with its constraints, taken apart once for all comparisons.
struct Candidate<'c> {
    definition: &'c Arc<Definition>,
    bare: Bare,
}

impl<'c> Candidate<'c> {
    fn new(definition: &'c Arc<Definition>) -> Self {
        Self { definition, bare: alike::bare(parameters(definition)) }
    }
}

/// Guesses, one to one: the place of the new tool among the pairs, the old tool, and how sure that is.
fn renames(gone: &[&Arc<Definition>], pairs: &[Pair], siblings: &Siblings) -> Vec<(usize, Arc<Definition>, f64)> {
    let added: Vec<(usize, Candidate<'_>)> = pairs
        .iter()
        .enumerate()
        .filter(|(_, pair)| pair.before.is_none())
        .filter_map(|(i, pair)| Some((i, Candidate::new(pair.after.as_ref()?))))
        .collect();
    if gone.len() * added.len() > MANY {
        return Vec::new();
    }
    let mut scored = Vec::new();
    for old in gone.iter().map(|definition| Candidate::new(definition)) {
        for (at, new) in &added {
            if let Some(score) = score(&old, new) {
                scored.push((*at, Arc::clone(old.definition), score));
            }
        }
    }
    scored.sort_by(|a, b| b.2.total_cmp(&a.2));
    let mut found: Vec<(usize, Arc<Definition>, f64)> = Vec::new();
    for (at, old, score) in &scored {
        let free = |i: usize, d: &Arc<Definition>| found.iter().all(|(j, e, _)| *j != i && !Arc::ptr_eq(d, e));
        if !free(*at, old) {
            continue;
        }
        let rival = |(i, d, _): &&(usize, Arc<Definition>, f64)| free(*i, d) && (Arc::ptr_eq(d, old) != (i == at));
        let strongest = scored.iter().filter(rival).map(|(_, _, s)| *s).fold(0.0, f64::max);
        if *score - strongest > 0.1 || *score >= SAME_NAME {
            found.push((*at, Arc::clone(old), *score));
        }
    }
    // A tool that was there all along and takes the same was an alias, and what is gone was the other name for it.
    found.retain(|(_, old, score)| *score >= SAME_NAME || siblings.of(old).is_none());
    found
}

/// As sure as a guess can be: only case and separators differ.
const SAME_NAME: f64 = 0.98;

/// How likely two tools are one; `None` where too little speaks for it.
fn score(old: &Candidate<'_>, new: &Candidate<'_>) -> Option<f64> {
    let by_name = alike::names(old.definition.name(), new.definition.name());
    let by_schema = old.bare.likeness(&new.bare);
    if by_name >= 1.0 {
        return Some(SAME_NAME.max(by_schema));
    }
    let same_text = old.definition.description().is_some_and(|text| Some(text) == new.definition.description());
    let is_telling = old.bare.len() > 3;
    let likely = by_schema >= ALIKE && (by_name >= 0.5 || same_text || (is_telling && by_schema >= 1.0));
    let text = if same_text { 0.15 } else { 0.0 };
    likely.then_some((0.5 * by_schema + 0.3 * by_name + text).min(0.97))
}

/// The tools that both sides have, by what they take.
#[derive(Default)]
pub(crate) struct Siblings(Vec<(String, Bare)>);

impl Siblings {
    /// Takes the tools that are there on both sides; nothing where no tool is gone, so that nobody will ask.
    fn new(pairs: &[Pair], wanted: bool) -> Self {
        let kept = pairs.iter().filter(|pair| wanted && pair.before.is_some());
        let after = kept.filter_map(|pair| pair.after.as_ref());
        Self(after.map(|definition| (definition.name().to_owned(), alike::bare(parameters(definition)))).collect())
    }

    /// A tool that takes the same arguments as one that is gone, and was there before too.
    pub fn of(&self, gone: &Definition) -> Option<&str> {
        let wanted = alike::bare(parameters(gone));
        let same = self.0.iter().filter(|(name, bare)| name != gone.name() && *bare == wanted).map(|(name, _)| name.as_str());
        same.max_by(|a, b| alike::names(a, gone.name()).total_cmp(&alike::names(b, gone.name())))
    }
}

static NOTHING: Value = Value::Null;

/// A tool's parameters, or nothing.
pub(crate) fn parameters(definition: &Definition) -> &Value {
    definition.parameters().unwrap_or(&NOTHING)
}

/// How alike the schemas of two tools are, in per cent.
pub(crate) fn percent(old: &Definition, new: &Definition) -> String {
    format!("{:.0}", 100.0 * alike::bare(parameters(old)).likeness(&alike::bare(parameters(new))))
}
