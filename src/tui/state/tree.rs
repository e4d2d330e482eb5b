//! A JSON text as a tree to move in: folds, a cursor, and what is wrong at each row.

use super::pages::lines;
use crate::json::{Kind, Outline, OutlineLine, Part};
use std::collections::BTreeMap;
use std::ops::Range;

/// A tree with its rows.
#[derive(Clone, Debug)]
pub struct TreeView {
    outline: Outline,
    rows: Vec<TreeRow>,
    anchors: Vec<Anchor>,
    /// Strings that are shown in full, below their rows.
    opened: BTreeMap<u32, Opened>,
    cursor: usize,
    /// The first row that is seen.
    pub top: usize,
    width: usize,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeRow {
    /// A line of the outline.
    Line(OutlineLine),
    /// Something that should be there and is not: which anchor says so, and how deep it would stand.
    Absent {
        /// The anchor's number.
        anchor: usize,
        /// How deep.
        depth: u32,
        /// The node that it would stand in.
        parent: u32,
    },
    /// A piece of a string that is shown in full.
    Text {
        /// The string.
        node: u32,
        /// How deep.
        depth: u32,
        /// Where in the string.
        part: Range<usize>,
    },
}

/// A place that something is to be said about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// A node.
    Node(u32),
    /// Something that is missing in a node.
    Absent(u32),
    /// Nowhere in this tree.
    Nowhere,
}

#[derive(Clone, Debug)]
struct Opened {
    text: String,
    lines: Vec<Range<usize>>,
}

/// What is to be said about a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// This anchor is here.
    Here(usize),
    /// So many anchors are hidden in what is folded here.
    Inside(usize),
}

impl TreeView {
    /// A tree, with its anchors in sight.
    #[must_use]
    pub fn new(outline: Outline, anchors: Vec<Anchor>) -> Self {
        let mut view = Self { outline, rows: Vec::new(), anchors, opened: BTreeMap::new(), cursor: 0, top: 0, width: 80 };
        view.reveal_anchors();
        view.rows = view.make_rows();
        view
    }

    fn reveal_anchors(&mut self) {
        for anchor in &self.anchors {
            match anchor {
                Anchor::Node(node) => self.outline.reveal(*node),
                Anchor::Absent(node) => {
                    self.outline.reveal(*node);
                    self.outline.set_folded(*node, false);
                }
                Anchor::Nowhere => {}
            }
        }
    }

    /// The tree.
    #[must_use]
    pub fn outline(&self) -> &Outline {
        &self.outline
    }

    /// The rows.
    #[must_use]
    pub fn rows(&self) -> &[TreeRow] {
        &self.rows
    }

    /// The selected row.
    #[must_use]
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// The node that is selected, or in which the selected row stands.
    #[must_use]
    pub fn node(&self) -> u32 {
        self.rows.get(self.cursor).map_or(0, TreeRow::node)
    }

    /// What an anchor is about.
    #[must_use]
    pub fn anchor(&self, number: usize) -> Option<&Anchor> {
        self.anchors.get(number)
    }

    /// A piece of a string that is shown in full.
    #[must_use]
    pub fn text(&self, node: u32, part: &Range<usize>) -> &str {
        self.opened.get(&node).and_then(|opened| opened.text.get(part.clone())).unwrap_or_default()
    }

    /// Whether a string is shown in full.
    #[must_use]
    pub fn is_opened(&self, node: u32) -> bool {
        self.opened.contains_key(&node)
    }

    /// What is to be said about a row, in the order of the anchors.
    #[must_use]
    pub fn said(&self, row: &TreeRow) -> Vec<Said> {
        match row {
            TreeRow::Absent { anchor, .. } => vec![Said::Here(*anchor)],
            TreeRow::Text { .. } | TreeRow::Line(OutlineLine { part: Part::Close, .. }) => Vec::new(),
            TreeRow::Line(line) => {
                let here = (0..).zip(&self.anchors).filter(|(_, anchor)| **anchor == Anchor::Node(line.node));
                let mut said: Vec<Said> = here.map(|(number, _)| Said::Here(number)).collect();
                if self.outline.is_folded(line.node) {
                    let inside = line.node + 1..self.outline.view(line.node).after();
                    let hidden = self.anchors.iter().filter(|anchor| match anchor {
                        Anchor::Node(node) => inside.contains(node),
                        Anchor::Absent(node) => inside.contains(node) || *node == line.node,
                        Anchor::Nowhere => false,
                    });
                    said.extend(Some(hidden.count()).filter(|n| *n > 0).map(Said::Inside));
                }
                said
            }
        }
    }

    /// Selects a row.
    pub fn select(&mut self, row: usize) {
        self.cursor = row.min(self.rows.len().saturating_sub(1));
    }

    /// Selects an anchor, and unfolds what hides it.
    pub fn select_anchor(&mut self, number: usize) -> bool {
        match self.anchors.get(number) {
            Some(Anchor::Node(node)) => {
                let node = *node;
                self.outline.reveal(node);
                self.rebuild();
                self.cursor = self.row_of(node).unwrap_or(self.cursor);
                true
            }
            Some(Anchor::Absent(node)) => {
                let node = *node;
                self.outline.reveal(node);
                self.outline.set_folded(node, false);
                self.rebuild();
                let absent = |row: &TreeRow| matches!(row, TreeRow::Absent { anchor, .. } if *anchor == number);
                self.cursor = self.rows.iter().position(absent).unwrap_or(self.cursor);
                true
            }
            Some(Anchor::Nowhere) | None => false,
        }
    }

    /// Selects a node, and unfolds what hides it.
    pub fn select_node(&mut self, node: u32) {
        self.outline.reveal(node);
        self.rebuild();
        self.cursor = self.row_of(node).unwrap_or(self.cursor);
    }

    /// The anchor at the selected row.
    #[must_use]
    pub fn selected_anchor(&self) -> Option<usize> {
        let row = self.rows.get(self.cursor)?;
        self.said(row).iter().find_map(|said| match said {
            Said::Here(number) => Some(*number),
            Said::Inside(_) => None,
        })
    }

    /// Folds or unfolds the selected value; a string is shown in full, or no more.
    pub fn toggle(&mut self) {
        let node = self.node();
        if self.outline.view(node).kind() == Kind::String {
            if self.opened.remove(&node).is_none() {
                self.open(node);
            }
        } else {
            let folded = self.outline.is_open(node);
            self.outline.set_folded(node, folded);
        }
        self.rebuild_at(node);
    }

    /// Folds the selected value, or what holds it.
    pub fn fold(&mut self) {
        let mut node = self.node();
        if self.opened.remove(&node).is_none() {
            if !self.outline.is_open(node) {
                node = self.outline.view(node).parent().map_or(node, crate::json::View::index);
            }
            self.outline.set_folded(node, true);
        }
        self.rebuild_at(node);
    }

    /// Folds everything, or unfolds everything where that has been done.
    pub fn fold_all(&mut self) {
        let node = self.node();
        let open = |row: &TreeRow| matches!(row, TreeRow::Line(line) if line.node > 0 && line.part == Part::Open);
        let folded = self.rows.iter().any(open);
        self.outline.set_all_folded(folded);
        self.opened.clear();
        self.rebuild_at(node);
    }

    /// Folds what is open, else goes to what holds it.
    pub fn go_left(&mut self) {
        let node = self.node();
        let on_value = matches!(self.rows.get(self.cursor), Some(TreeRow::Line(line)) if line.part != Part::Close);
        if on_value && (self.is_opened(node) || (self.outline.is_open(node) && node > 0)) {
            return self.fold();
        }
        let up = match self.rows.get(self.cursor) {
            Some(TreeRow::Line(line)) if line.part != Part::Close => {
                self.outline.view(node).parent().map(crate::json::View::index)
            }
            _ => Some(node),
        };
        if let Some(row) = up.and_then(|node| self.row_of(node)) {
            self.cursor = row;
        }
    }

    /// Unfolds what is folded, else goes to the first value in it.
    pub fn go_right(&mut self) {
        let node = self.node();
        let kind = self.outline.view(node).kind();
        if self.outline.is_folded(node) || (kind == Kind::String && !self.is_opened(node)) {
            self.toggle();
        } else if self.outline.is_open(node) || self.is_opened(node) {
            self.select(self.cursor + 1);
        }
    }

    /// Takes in how wide strings that are shown in full may be.
    pub fn set_width(&mut self, width: usize) {
        if self.width == width {
            return;
        }
        self.width = width;
        if self.opened.is_empty() {
            return;
        }
        for node in self.opened.keys().copied().collect::<Vec<_>>() {
            self.open(node);
        }
        self.rebuild();
    }

    /// Takes over folds, cursor and scroll position of another view of the same text.
    pub fn take_over(&mut self, other: Self) {
        if self.outline.text() != other.outline.text() {
            return;
        }
        let node = other.node();
        (self.outline, self.opened, self.top, self.width) = (other.outline, other.opened, other.top, other.width);
        self.reveal_anchors();
        self.rebuild_at(node);
        if self.rows == other.rows {
            self.cursor = other.cursor;
        }
    }

    fn open(&mut self, node: u32) {
        let view = self.outline.view(node);
        let depth = view.depth();
        let text = view.str().unwrap_or_default().into_owned();
        let room = self.width.saturating_sub(indent(depth + 1, self.width) + 4).max(8);
        let lines = lines(&text, Some(room));
        self.opened.insert(node, Opened { text, lines });
    }

    fn row_of(&self, node: u32) -> Option<usize> {
        // Rows of lines are in the order of their nodes, but for closing brackets.
        self.rows.iter().position(|row| matches!(row, TreeRow::Line(line) if line.node == node && line.part != Part::Close))
    }

    fn rebuild(&mut self) {
        self.rows = self.make_rows();
        self.select(self.cursor);
    }

    /// Makes the rows anew and keeps a node selected, or what hides it.
    fn rebuild_at(&mut self, node: u32) {
        self.rows = self.make_rows();
        let mut at = Some(node);
        while let Some(node) = at {
            if let Some(row) = self.row_of(node) {
                self.cursor = row;
                break;
            }
            at = self.outline.view(node).parent().map(crate::json::View::index);
        }
        self.select(self.cursor);
    }

    fn make_rows(&self) -> Vec<TreeRow> {
        let mut absent: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (number, anchor) in self.anchors.iter().enumerate() {
            if let Anchor::Absent(node) = anchor {
                absent.entry(*node).or_default().push(number);
            }
        }
        let mut rows = Vec::new();
        for line in self.outline.lines() {
            let missing = absent.get(&line.node).into_iter().flatten();
            let missing = missing.map(|anchor| TreeRow::Absent { anchor: *anchor, depth: line.depth + 1, parent: line.node });
            match line.part {
                Part::Open => rows.push(TreeRow::Line(line)),
                Part::Close => {
                    rows.extend(missing);
                    rows.push(TreeRow::Line(line));
                }
                Part::Whole => {
                    rows.push(TreeRow::Line(line));
                    if !self.outline.is_folded(line.node) {
                        rows.extend(missing);
                    }
                    if let Some(opened) = self.opened.get(&line.node) {
                        let part =
                            |part: &Range<usize>| TreeRow::Text { node: line.node, depth: line.depth + 1, part: part.clone() };
                        rows.extend(opened.lines.iter().map(part));
                    }
                }
            }
        }
        rows
    }
}

impl TreeRow {
    /// The node that it shows, or stands in.
    #[must_use]
    pub fn node(&self) -> u32 {
        match self {
            Self::Line(line) => line.node,
            Self::Absent { parent, .. } => *parent,
            Self::Text { node, .. } => *node,
        }
    }
}

/// Cells by which a row is indented. Very deep rows are not indented further, so that they stay in sight.
#[must_use]
pub fn indent(depth: usize, width: usize) -> usize {
    depth.saturating_mul(2).min(width / 2)
}
