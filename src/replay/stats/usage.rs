//! Which parameters a call uses, and which one an issue is about.

use super::facts::Spot;
use crate::definition::{Definition, Parameter, Part, parameter_pattern};
use crate::json::{JsString, Step, Value, pointer, pointer_steps};
use std::collections::HashMap;

/// A definition's parameters, laid out for walking through arguments. The tree of rows has an end, so walking it has one too.
#[derive(Debug)]
pub(super) struct Usages {
    /// What the arguments themselves hold, and then what each row holds.
    nodes: Vec<Node>,
    /// As what each of them is counted.
    spots: Vec<Spot>,
}

#[derive(Debug, Default)]
struct Node {
    keys: Vec<(JsString, usize)>,
    nth: Vec<(usize, usize)>,
    element: Option<usize>,
    other: Option<usize>,
    forms: Vec<usize>,
    /// It is a form of the value around it, not a place of its own.
    is_form: bool,
}

impl Usages {
    /// The parameters of a definition. Calls are counted by the rows of the one that is shown, which may be another one of that
    /// name, or none.
    pub fn new(definition: &Definition, shown: Option<&Definition>) -> Self {
        let rows = definition.parameter_rows();
        let spots = spots(&rows, &shown.map(Definition::parameter_rows).unwrap_or_default());
        let mut nodes: Vec<Node> = Vec::new();
        nodes.resize_with(rows.len() + 1, Node::default);
        for (row, parameter) in rows.into_iter().enumerate() {
            let (node, inside) = (row + 1, &mut nodes[parameter.parent.map_or(0, |parent| parent + 1)]);
            match parameter.part {
                Part::Key(key) => inside.keys.push((key, node)),
                Part::Nth(n) => inside.nth.push((n, node)),
                Part::Element => inside.element = Some(node),
                Part::Other => inside.other = Some(node),
                Part::Form => {
                    inside.forms.push(node);
                    nodes[node].is_form = true;
                }
            }
        }
        for node in &mut nodes {
            node.keys.sort_unstable();
        }
        Self { nodes, spots }
    }

    /// The rows that have a value in these arguments, in order. Of the forms of a union only what is inside them has.
    pub fn used(&self, arguments: &Value) -> Box<[u16]> {
        let mut used = vec![false; self.nodes.len()];
        self.walk(0, arguments, &mut used);
        let nodes = used.iter().enumerate().skip(1).filter(|(node, used)| **used && !self.nodes[*node].is_form);
        let mut rows: Vec<u16> = nodes.filter_map(|(node, _)| self.row(node)).collect();
        rows.sort_unstable();
        rows.dedup();
        rows.into()
    }

    fn row(&self, node: usize) -> Option<u16> {
        if let Spot::Row(row) = self.spots[node] { Some(row) } else { None }
    }

    fn walk(&self, at: usize, value: &Value, used: &mut [bool]) {
        used[at] = true;
        let node = &self.nodes[at];
        for form in &node.forms {
            self.walk(*form, value, used);
        }
        match value {
            Value::Object(object) => {
                for (key, inner) in object.entries() {
                    if let Some(below) = node.key(key.as_bytes()).or(node.other) {
                        self.walk(below, inner, used);
                    }
                }
            }
            Value::Array(items) => {
                for (n, inner) in items.iter().enumerate() {
                    if let Some(below) = node.at(n) {
                        self.walk(below, inner, used);
                    }
                }
            }
            _ => {}
        }
    }

    /// What an issue at a place in the arguments is about.
    pub fn spot(&self, place: &str) -> Spot {
        let Some(steps) = pointer_steps(place).filter(|steps| !steps.is_empty()) else { return Spot::Whole };
        let mut at = 0;
        for (n, step) in steps.iter().enumerate() {
            match self.below(at, step) {
                Some(below) => at = below,
                None => return Spot::Undeclared(self.pattern(&steps, n).into()),
            }
        }
        self.spots[at].clone()
    }

    /// What is declared for a step: by the value's own schema, or else by one of its forms.
    fn below(&self, at: usize, step: &str) -> Option<usize> {
        let node = &self.nodes[at];
        let index = || step.parse().ok().filter(|_| !step.starts_with('+'));
        let own = node.key(step.as_bytes()).or_else(|| node.at(index()?));
        own.or_else(|| node.forms.iter().find_map(|form| self.below(*form, step))).or(node.other)
    }

    /// The steps as a JSON Pointer, with `*` for elements and for keys that are data. Nothing is declared for the one of this number.
    fn pattern(&self, steps: &[String], undeclared: usize) -> String {
        let mut at = 0;
        let mut out = String::new();
        for (n, step) in steps.iter().enumerate() {
            let below = if n < undeclared { self.below(at, step) } else { None };
            let is_key = below.is_none_or(|below| self.has_key(at, step, below));
            if is_key && !(n > undeclared && step.bytes().all(|b| b.is_ascii_digit())) {
                out.push_str(&pointer([Step::Key(step.as_bytes())]));
            } else {
                out.push_str("/*");
            }
            at = below.unwrap_or(at);
        }
        out
    }

    fn has_key(&self, at: usize, step: &str, node: usize) -> bool {
        let known = &self.nodes[at];
        known.key(step.as_bytes()) == Some(node) || known.forms.iter().any(|form| self.has_key(*form, step, node))
    }
}

/// As what the arguments and each of the rows are counted: the row of the same place in the definition that is shown.
fn spots(rows: &[Parameter], shown: &[Parameter]) -> Vec<Spot> {
    let shown: Vec<String> = (0..shown.len()).map(|row| parameter_pattern(shown, row)).collect();
    let mut first: HashMap<&str, usize> = HashMap::new();
    for (row, place) in shown.iter().enumerate() {
        first.entry(place).or_insert(row);
    }
    let spot = |row: usize| {
        let place = parameter_pattern(rows, row);
        // Forms of a union have the same places, and are the same as long as they stand in the same row.
        let same = if shown.get(row) == Some(&place) { Some(row) } else { first.get(place.as_str()).copied() };
        same.map_or_else(|| Spot::Undeclared(place.into()), |row| u16::try_from(row).map_or(Spot::Whole, Spot::Row))
    };
    std::iter::once(Spot::Whole).chain((0..rows.len()).map(spot)).collect()
}

impl Node {
    fn key(&self, key: &[u8]) -> Option<usize> {
        let at = self.keys.binary_search_by(|(known, _)| known.as_bytes().cmp(key)).ok()?;
        Some(self.keys[at].1)
    }

    fn at(&self, index: usize) -> Option<usize> {
        self.nth.iter().find(|(n, _)| *n == index).map(|(_, node)| *node).or(self.element)
    }
}
