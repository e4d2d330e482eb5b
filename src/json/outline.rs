//! A JSON text as lines to look at, with parts that can be folded away.

use super::path::{Step, human_path, pointer};
use super::scan::SyntaxError;
use super::tree::{Kind, Tree, View};
use super::value::array_index;
use std::ops::Range;

/// A JSON text laid out one value a line. What is folded takes one line, whatever it holds; making the lines takes time only
/// for those that are to be seen.
#[derive(Clone, Debug)]
pub struct Outline {
    text: Vec<u8>,
    tree: Tree,
    folded: Vec<bool>,
}

/// One line of an outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutlineLine {
    /// The node that it shows.
    pub node: u32,
    /// How deep it stands.
    pub depth: u32,
    /// Which part of the node it shows.
    pub part: Part,
}

/// Which part of a value a line shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of it: a scalar, an empty container, or a folded one.
    Whole,
    /// The opening bracket of a container.
    Open,
    /// The closing bracket of a container.
    Close,
}

impl Outline {
    /// Reads a text. Containers with more than `limit` values in them start folded, the outermost excepted.
    ///
    /// # Errors
    /// Where `JSON.parse` would throw; see [`Tree::parse`].
    pub fn parse(text: Vec<u8>, limit: u32) -> Result<Self, SyntaxError> {
        let tree = Tree::parse(&text)?;
        let folded = (0..).zip(tree.nodes()).map(|(i, _)| i > 0 && tree.view(&text, i).after() - i > limit).collect();
        Ok(Self { text, tree, folded })
    }

    /// The text that was read.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// A node, by its number.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    pub fn view(&self, node: u32) -> View<'_> {
        self.tree.view(&self.text, node)
    }

    /// The lines that are to be seen, in order.
    #[must_use]
    pub fn lines(&self) -> Vec<OutlineLine> {
        let mut lines = Vec::new();
        // Containers that are open, with the node after each.
        let mut open: Vec<(u32, u32)> = Vec::new();
        let mut node = 0;
        let end = u32::try_from(self.tree.nodes().len()).unwrap_or(u32::MAX);
        while node < end || !open.is_empty() {
            let depth = u32::try_from(open.len()).unwrap_or(u32::MAX);
            if let Some((container, after)) = open.last().copied()
                && node >= after
            {
                open.pop();
                lines.push(OutlineLine { node: container, depth: depth - 1, part: Part::Close });
                continue;
            }
            let after = self.view(node).after();
            if self.is_open(node) {
                lines.push(OutlineLine { node, depth, part: Part::Open });
                open.push((node, after));
                node += 1;
            } else {
                lines.push(OutlineLine { node, depth, part: Part::Whole });
                node = after;
            }
        }
        lines
    }

    /// Whether a container has something in it and is not folded.
    #[must_use]
    pub fn is_open(&self, node: u32) -> bool {
        self.view(node).after() > node + 1 && !self.folded[node as usize]
    }

    /// Whether a container has something in it and is folded.
    #[must_use]
    pub fn is_folded(&self, node: u32) -> bool {
        self.view(node).after() > node + 1 && self.folded[node as usize]
    }

    /// Folds or unfolds a container.
    pub fn set_folded(&mut self, node: u32, folded: bool) {
        if let Some(place) = self.folded.get_mut(node as usize) {
            *place = folded;
        }
    }

    /// Folds or unfolds everything, the outermost value excepted.
    pub fn set_all_folded(&mut self, folded: bool) {
        self.folded.iter_mut().skip(1).for_each(|place| *place = folded);
    }

    /// Unfolds whatever hides a node.
    pub fn reveal(&mut self, node: u32) {
        let mut at = Some(node);
        while let Some(parent) = at.and_then(|node| self.view(node).parent()).map(View::index) {
            self.set_folded(parent, false);
            at = Some(parent);
        }
    }

    /// The node that a JSON Pointer names; of equal keys the last one, which is the one that counts.
    #[must_use]
    pub fn at_pointer(&self, pointer: &str) -> Option<u32> {
        self.view(0).at_pointer(pointer).map(View::index)
    }

    /// Where a node is, as people write it and as a JSON Pointer.
    #[must_use]
    pub fn path(&self, node: u32) -> (String, String) {
        let mut steps = Vec::new();
        let mut view = self.view(node);
        while let Some(parent) = view.parent() {
            steps.push(match (view.key(), parent.kind()) {
                (Some(key), Kind::Object) => Ok(key),
                _ => Err(parent.children().take_while(|child| child.index() != view.index()).count()),
            });
            view = parent;
        }
        steps.reverse();
        let steps = || {
            steps.iter().map(|step| match step {
                Ok(key) => Step::Key(key.as_bytes()),
                Err(index) => Step::Index(*index),
            })
        };
        (human_path(steps()), pointer(steps()))
    }

    /// Where a node is as a jq path: `.questions[0].header`, keys that are no plain words in brackets.
    #[must_use]
    pub fn jq_path(&self, node: u32) -> String {
        let (_, pointer) = self.path(node);
        let mut view = self.view(0);
        let mut out = String::new();
        for step in super::pointer_steps(&pointer).unwrap_or_default() {
            let plain = !step.is_empty() && !step.starts_with(|c: char| c.is_ascii_digit());
            let plain = plain && step.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if view.kind() == Kind::Array && array_index(step.as_bytes()).is_some() {
                out = if out.is_empty() { ".".to_owned() } else { out } + &format!("[{step}]");
            } else if plain {
                out = out + "." + &step;
            } else {
                out = if out.is_empty() { ".".to_owned() } else { out } + &format!("[{}]", super::quote(step.as_bytes()));
            }
            view = view.at_pointer(&super::pointer([Step::Key(step.as_bytes())])).unwrap_or(view);
        }
        if out.is_empty() { ".".to_owned() } else { out }
    }

    /// The bytes of a node in the text.
    #[must_use]
    pub fn span(&self, node: u32) -> Range<usize> {
        self.view(node).span()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(outline: &Outline) -> Vec<String> {
        let line = |line: &OutlineLine| {
            let view = outline.view(line.node);
            let key = view.key_str().map(|k| format!("{k}: ")).unwrap_or_default();
            let text = match (line.part, view.kind()) {
                (Part::Whole, _) => String::from_utf8_lossy(view.raw()).into_owned(),
                (Part::Open, Kind::Array) => "[".to_owned(),
                (Part::Open, _) => "{".to_owned(),
                (Part::Close, Kind::Array) => return format!("{}]", " ".repeat(line.depth as usize)),
                (Part::Close, _) => return format!("{}}}", " ".repeat(line.depth as usize)),
            };
            format!("{}{key}{text}", " ".repeat(line.depth as usize))
        };
        outline.lines().iter().map(line).collect()
    }

    #[test]
    fn lines_follow_the_folds() {
        let text = br#"{"a":[1,{"b":2}],"c":{},"d":[[]]}"#;
        let mut outline = Outline::parse(text.to_vec(), 100).unwrap();
        assert_eq!(shown(&outline), ["{", " a: [", "  1", "  {", "   b: 2", "  }", " ]", " c: {}", " d: [", "  []", " ]", "}"]);
        let a = outline.at_pointer("/a").unwrap();
        outline.set_folded(a, true);
        assert_eq!(shown(&outline), ["{", r#" a: [1,{"b":2}]"#, " c: {}", " d: [", "  []", " ]", "}"]);
        outline.set_all_folded(true);
        assert_eq!(shown(&outline).len(), 5);
        let b = outline.at_pointer("/a/1/b").unwrap();
        outline.reveal(b);
        assert!(shown(&outline).contains(&"   b: 2".to_owned()));
        assert_eq!(outline.path(b), ("a[1].b".to_owned(), "/a/1/b".to_owned()));
        assert_eq!(Outline::parse(text.to_vec(), 1).unwrap().lines().len(), 5, "large containers start folded");
    }

    #[test]
    fn jq_paths_quote_what_is_no_word() {
        let text = br#"{"a":[{"b c":1,"0":2}]}"#;
        let outline = Outline::parse(text.to_vec(), 100).unwrap();
        for (pointer, path) in
            [("", "."), ("/a", ".a"), ("/a/0", ".a[0]"), ("/a/0/b c", ".a[0][\"b c\"]"), ("/a/0/0", ".a[0][\"0\"]")]
        {
            assert_eq!(outline.jq_path(outline.at_pointer(pointer).unwrap()), path);
        }
    }

    #[test]
    fn depth_and_size_are_no_limit() {
        let depth = 100_000;
        let mut outline = Outline::parse(("[".repeat(depth) + &"]".repeat(depth)).into_bytes(), 10).unwrap();
        assert_eq!(outline.lines().len(), 3);
        outline.set_all_folded(false);
        assert_eq!(outline.lines().len(), 2 * depth - 1);
    }
}
