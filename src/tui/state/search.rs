//! Searching in what is shown of a call: texts by their bytes, trees by the keys and values of their nodes, comparisons by rows.

use super::Tab;
use super::tree::{TreeRow, TreeView};
use crate::capture::index::CallId;
use crate::json::{Kind, Outline};
use std::ops::Range;

/// Places are counted up to so many.
pub const MOST: usize = 10_000;

/// What is searched for. Case matters only where there is an upper-case letter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needle {
    text: String,
    fold: bool,
}

impl Needle {
    /// A text to search for.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self { text: text.to_owned(), fold: !text.chars().any(char::is_uppercase) }
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where it stands, without overlaps: of the letters that have an upper case, only those of ASCII are found in either.
    pub fn find<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = Range<usize>> + 'a {
        let mut from = 0;
        std::iter::from_fn(move || {
            let at = from + self.first(text.get(from..)?)?;
            from = at + self.text.len();
            Some(at..from)
        })
    }

    fn first(&self, text: &[u8]) -> Option<usize> {
        let needle = self.text.as_bytes();
        let first = *needle.first()?;
        if !self.fold {
            return memchr::memmem::find(text, needle);
        }
        let is_here = |at: &usize| text.get(*at..at + needle.len()).is_some_and(|here| here.eq_ignore_ascii_case(needle));
        memchr::memchr2_iter(first, first.to_ascii_uppercase(), text).find(is_here)
    }
}

/// What is searched in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The tree of the arguments.
    Arguments,
    /// Arguments that are no tree.
    Text,
    /// The definition.
    Schema,
    /// What the model gets.
    Model,
    /// The bytes as captured.
    Raw,
    /// Before and after.
    Diff,
    /// What a tab lists in rows.
    Rows(Tab),
}

/// A place that matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The byte, or the row of a comparison or a list.
    pub at: usize,
    /// The node of a tree.
    pub node: u32,
    /// How many places before it match in the same value.
    pub nth: usize,
}

/// A search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// What for.
    pub needle: Needle,
    /// What was found last.
    pub hits: Vec<Hit>,
    /// Which of them one is at.
    pub at: Option<usize>,
    /// In what it was found.
    pub target: Option<(Option<CallId>, What)>,
    /// From where on, while the text is typed: the byte, and the first line that was seen.
    pub(in crate::tui) origin: (usize, usize),
    /// Which place one was at in the search before, while the text is typed.
    pub(in crate::tui) was_at: Option<usize>,
}

/// The places in a text.
#[must_use]
pub fn in_text(needle: &Needle, text: &str) -> Vec<Hit> {
    needle.find(text.as_bytes()).take(MOST).map(|found| Hit { at: found.start, node: 0, nth: 0 }).collect()
}

/// The places in a tree: in keys, and in values that hold no others.
#[must_use]
pub fn in_tree(needle: &Needle, outline: &Outline) -> Vec<Hit> {
    let mut hits: Vec<Hit> = Vec::new();
    for found in needle.find(outline.text()) {
        let Some((node, is_value)) = node_of(outline, &found) else { continue };
        let nth = hits.last().filter(|last| last.node == node && is_value && last.nth < usize::MAX);
        let nth = match (is_value, nth) {
            // What is in the key is seen in the row itself.
            (false, _) => usize::MAX,
            (true, Some(last)) => last.nth + 1,
            (true, None) => 0,
        };
        hits.push(Hit { at: found.start, node, nth });
        if hits.len() == MOST {
            break;
        }
    }
    hits
}

/// The node in whose key or value some bytes stand, and whether it is the value.
fn node_of(outline: &Outline, found: &Range<usize>) -> Option<(u32, bool)> {
    let (mut low, mut high) = (0, outline.view(0).after());
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if outline.view(middle).anchor() <= found.start { low = middle } else { high = middle }
    }
    let view = outline.view(low);
    let inside = |range: Range<usize>| range.start <= found.start && found.end <= range.end;
    if view.key_span().is_some_and(inside) {
        return Some((low, false));
    }
    let is_value = !matches!(view.kind(), Kind::Object | Kind::Array) && inside(view.span());
    is_value.then_some((low, true))
}

/// Selects the row of a place in a tree: what hides it is unfolded, and a string that is longer than the tree is wide is shown
/// in full.
pub fn go_to(tree: &mut TreeView, needle: &Needle, hit: Hit, width: usize) {
    tree.select_node(hit.node);
    let view = tree.outline().view(hit.node);
    let is_long = view.kind() == Kind::String && view.raw().len() > width / 2;
    if hit.nth == usize::MAX || !is_long {
        return;
    }
    if !tree.is_opened(hit.node) {
        tree.toggle();
    }
    // The text is shown as it is, not as it stands in JSON; what is found there is found again.
    let rows: Vec<usize> = tree
        .rows()
        .iter()
        .enumerate()
        .filter_map(|(row, shown)| match shown {
            TreeRow::Text { node, part, .. } if *node == hit.node => {
                Some(needle.find(tree.text(*node, part).as_bytes()).map(move |_| row))
            }
            _ => None,
        })
        .flatten()
        .collect();
    if let Some(row) = rows.get(hit.nth.min(rows.len().saturating_sub(1))) {
        tree.select(*row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_matters_where_there_is_an_upper_case_letter() {
        let find =
            |needle: &str, text: &str| Needle::new(needle).find(text.as_bytes()).map(|found| found.start).collect::<Vec<_>>();
        assert_eq!(find("ab", "ab AB aB"), [0, 3, 6]);
        assert_eq!(find("aB", "ab AB aB"), [6]);
        assert_eq!(find("aa", "aaaa"), [0, 2]);
        assert_eq!(find("é", "É é"), [3]);
        assert_eq!(find("", "x"), [0; 0]);
    }

    #[test]
    fn in_trees_keys_and_values_are_found_and_nothing_between_them() {
        let outline = Outline::parse(br#"{"abc": "x abc abc", "list": [1, {"deep": "abc"}], "n": 11}"#.to_vec(), 1).unwrap();
        let hits =
            |needle: &str| in_tree(&Needle::new(needle), &outline).iter().map(|hit| (hit.node, hit.nth)).collect::<Vec<_>>();
        assert_eq!(hits("abc"), [(1, usize::MAX), (1, 0), (1, 1), (5, 0)]);
        assert_eq!(hits("1"), [(3, 0), (6, 0), (6, 1)]);
        assert_eq!(hits("\": "), []);
        assert_eq!(hits("[1"), []);
    }

    #[test]
    fn folded_values_open_to_show_what_was_found() {
        let outline = Outline::parse(br#"{"a": {"b": {"c": "needle"}}, "d": 1}"#.to_vec(), 1).unwrap();
        let mut tree = TreeView::new(outline, Vec::new());
        let needle = Needle::new("needle");
        let hit = in_tree(&needle, tree.outline())[0];
        go_to(&mut tree, &needle, hit, 80);
        assert_eq!(tree.outline().path(tree.node()).1, "/a/b/c");
    }
}
