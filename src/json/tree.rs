//! A JSON text as flat nodes, each with its place in the text.
//!
//! This is the one scanner of the crate: readers pick from its nodes, a [`Value`](super::Value) is built from them, the
//! screens fold them. It keeps an explicit chain of parents instead of recursing, so depth costs memory and nothing else.

use super::position::{Position, saturate};
use super::scan::{Scanner, SyntaxError, is_space};
use super::string::{JsString, unescape};
use std::borrow::Cow;
use std::fmt;

const NONE: u32 = u32::MAX;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `false`
    False,
    /// `true`
    True,
    /// A number literal.
    Number,
    /// A string literal.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Kind {
    /// Whether the node can have children.
    #[must_use]
    pub fn is_container(self) -> bool {
        matches!(self, Self::Array | Self::Object)
    }
}

/// One value of a text: its kind and where it and its key stand.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// The string (or the key) has escapes, so its raw bytes are not its text.
    escaped: bool,
    key_escaped: bool,
    /// Byte offsets of the value in the text, end excluded; a string's quotes are included.
    start: u32,
    end: u32,
    /// Byte offsets of the key's inside, without quotes; `NONE` where there is no key.
    key_start: u32,
    key_end: u32,
    parent: u32,
    /// The node after this one and all that it holds.
    after: u32,
}

/// The nodes of one JSON text, in the order in which they stand there; the first is the whole.
///
/// The tree does not hold the text: [`Tree::root`] brings the two together again. One tree can be used for many texts in
/// turn ([`Tree::parse_into`]) without allocating again.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// Reads a whole text, which is one value with white space around it.
    ///
    /// # Errors
    /// Where `JSON.parse` would throw, and for texts of 4 GiB and more.
    pub fn parse(text: &[u8]) -> Result<Self, SyntaxError> {
        let mut tree = Self::default();
        tree.parse_into(text)?;
        Ok(tree)
    }

    /// Like [`Tree::parse`], reusing this tree's memory. After an error the nodes read so far are kept.
    ///
    /// # Errors
    /// As [`Tree::parse`].
    pub fn parse_into(&mut self, text: &[u8]) -> Result<(), SyntaxError> {
        let end = self.parse_prefix(text)?;
        match text[end..].iter().position(|b| !is_space(*b)) {
            None => Ok(()),
            Some(n) => Err(SyntaxError::at(text, end + n, "the end of the text")),
        }
    }

    /// Reads the value at the start of a text and returns the offset after it: for texts that hold several, one after the other.
    ///
    /// # Errors
    /// As [`Tree::parse`].
    pub fn parse_prefix(&mut self, text: &[u8]) -> Result<usize, SyntaxError> {
        self.nodes.clear();
        if u32::try_from(text.len()).is_err() {
            return Err(SyntaxError { offset: 0, expected: "a text under 4 GiB", found: format!("{} bytes", text.len()) });
        }
        Builder { scan: Scanner { text, at: 0 } }.document(&mut self.nodes)
    }

    /// The nodes in text order.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The whole value, over the text that was parsed.
    ///
    /// # Panics
    /// If nothing has been parsed.
    #[must_use]
    pub fn root<'a>(&'a self, text: &'a [u8]) -> View<'a> {
        self.view(text, 0)
    }

    /// The node with that number, over the text that was parsed.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    pub fn view<'a>(&'a self, text: &'a [u8], index: u32) -> View<'a> {
        assert!((index as usize) < self.nodes.len(), "no node {index}");
        View { nodes: &self.nodes, text, index }
    }
}

/// A node together with its text.
#[derive(Clone, Copy)]
pub struct View<'a> {
    nodes: &'a [Node],
    text: &'a [u8],
    index: u32,
}

impl<'a> View<'a> {
    fn node(self) -> &'a Node {
        &self.nodes[self.index as usize]
    }

    fn at(self, index: u32) -> Self {
        Self { index, ..self }
    }

    /// The node with another number in the same tree.
    pub(crate) fn sibling_at(self, index: u32) -> Self {
        self.at(index)
    }

    /// The node's number in its tree.
    #[must_use]
    pub fn index(self) -> u32 {
        self.index
    }

    /// What it is.
    #[must_use]
    pub fn kind(self) -> Kind {
        self.node().kind
    }

    /// Where it stands in the text: byte offsets.
    #[must_use]
    pub fn span(self) -> std::ops::Range<usize> {
        self.node().start as usize..self.node().end as usize
    }

    /// The byte offset of its key, or of itself where it has none: the place that a person would point at.
    #[must_use]
    pub fn anchor(self) -> usize {
        let node = self.node();
        if node.key_start == NONE { node.start as usize } else { node.key_start as usize - 1 }
    }

    /// The bytes as they stand in the text.
    #[must_use]
    pub fn raw(self) -> &'a [u8] {
        &self.text[self.span()]
    }

    /// The raw bytes between a string's quotes; `None` if this is no string.
    #[must_use]
    pub fn raw_string(self) -> Option<&'a [u8]> {
        let span = self.span();
        (self.kind() == Kind::String).then(|| &self.text[span.start + 1..span.end - 1])
    }

    /// A string's text.
    #[must_use]
    pub fn string(self) -> Option<JsString> {
        let raw = self.raw_string()?;
        Some(if self.node().escaped { unescape(raw) } else { JsString::from_wtf8(raw) })
    }

    /// A string's text as Unicode, lone surrogates replaced; borrowed where it can be.
    #[must_use]
    pub fn str(self) -> Option<Cow<'a, str>> {
        let raw = self.raw_string()?;
        Some(if self.node().escaped {
            Cow::Owned(unescape(raw).to_well_formed().into_owned())
        } else {
            super::to_well_formed(raw)
        })
    }

    /// Whether this is a string with exactly this text.
    #[must_use]
    pub fn is(self, text: &str) -> bool {
        self.raw_string().is_some_and(|raw| if self.node().escaped { unescape(raw) == text } else { raw == text.as_bytes() })
    }

    /// `true` or `false`.
    #[must_use]
    pub fn bool(self) -> Option<bool> {
        match self.kind() {
            Kind::True => Some(true),
            Kind::False => Some(false),
            _ => None,
        }
    }

    /// A number, as its nearest double.
    #[must_use]
    pub fn number(self) -> Option<f64> {
        (self.kind() == Kind::Number).then(|| super::number::parse(self.raw()))
    }

    /// The key under which this node stands in its object.
    #[must_use]
    pub fn key(self) -> Option<JsString> {
        let raw = self.raw_key()?;
        Some(if self.node().key_escaped { unescape(raw) } else { JsString::from_wtf8(raw) })
    }

    /// The key as Unicode, lone surrogates replaced; borrowed where it can be.
    #[must_use]
    pub fn key_str(self) -> Option<Cow<'a, str>> {
        let raw = self.raw_key()?;
        Some(if self.node().key_escaped {
            Cow::Owned(unescape(raw).to_well_formed().into_owned())
        } else {
            super::to_well_formed(raw)
        })
    }

    /// The key as it stands in the text, if that is the key: without escapes. For telling many keys apart quickly.
    pub(crate) fn plain_key(self) -> Option<&'a [u8]> {
        self.raw_key().filter(|_| !self.node().key_escaped)
    }

    /// Where its key stands in the text, quotes included.
    #[must_use]
    pub fn key_span(self) -> Option<std::ops::Range<usize>> {
        let node = self.node();
        (node.key_start != NONE).then(|| node.key_start as usize - 1..node.key_end as usize + 1)
    }

    fn raw_key(self) -> Option<&'a [u8]> {
        let node = self.node();
        (node.key_start != NONE).then(|| &self.text[node.key_start as usize..node.key_end as usize])
    }

    fn key_is(self, key: &[u8]) -> bool {
        self.raw_key().is_some_and(|raw| if self.node().key_escaped { unescape(raw).as_bytes() == key } else { raw == key })
    }

    /// The value under a key of an object: the last one, where the key is written several times.
    #[must_use]
    pub fn get(self, key: &str) -> Option<Self> {
        if self.kind() != Kind::Object {
            return None;
        }
        self.children().filter(|child| child.key_is(key.as_bytes())).last()
    }

    /// The members of an object or the elements of an array, as written (repeated keys included); nothing for other kinds.
    pub fn children(self) -> impl Iterator<Item = Self> + use<'a> {
        let end = self.node().after;
        let mut next = self.index + 1;
        std::iter::from_fn(move || {
            (next < end).then(|| {
                let child = self.at(next);
                next = child.node().after;
                child
            })
        })
    }

    /// The elements of an array; nothing for other kinds.
    pub fn items(self) -> impl Iterator<Item = Self> + use<'a> {
        let array = self.kind() == Kind::Array;
        self.children().filter(move |_| array)
    }

    /// The object or array that holds this node.
    #[must_use]
    pub fn parent(self) -> Option<Self> {
        let parent = self.node().parent;
        (parent != NONE).then(|| self.at(parent))
    }

    /// The number of the first node after this one and all that it holds.
    #[must_use]
    pub fn after(self) -> u32 {
        self.node().after
    }

    /// How many nodes stand above this one.
    #[must_use]
    pub fn depth(self) -> usize {
        std::iter::successors(self.parent(), |v| v.parent()).count()
    }

    /// The line and column at which a person would look for this node.
    #[must_use]
    pub fn position(self) -> Position {
        Position::of(self.text, self.anchor())
    }

    /// The node that a JSON Pointer (RFC 6901) names below this one.
    #[must_use]
    pub fn at_pointer(self, pointer: &str) -> Option<Self> {
        super::pointer_steps(pointer)?.iter().try_fold(self, |node, step| match node.kind() {
            Kind::Object => node.get(step),
            Kind::Array => node.children().nth(step.parse().ok()?),
            _ => None,
        })
    }
}

impl fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} at {:?}", self.kind(), self.span())
    }
}

struct Builder<'a> {
    scan: Scanner<'a>,
}

impl Builder<'_> {
    fn document(&mut self, nodes: &mut Vec<Node>) -> Result<usize, SyntaxError> {
        let mut parent = NONE;
        self.scan.skip_space();
        self.value(nodes, parent, (NONE, NONE, false))?;
        loop {
            // A container that was just opened is the new parent; anything else is complete.
            let last = nodes.len() - 1;
            let opened = nodes[last].kind.is_container() && nodes[last].after == NONE;
            if opened {
                parent = saturate(last);
            } else if parent == NONE {
                return Ok(self.scan.at);
            }
            self.scan.skip_space();
            let in_object = nodes[parent as usize].kind == Kind::Object;
            let close = if in_object { b'}' } else { b']' };
            if self.scan.peek() == Some(close) {
                self.scan.at += 1;
                let after = saturate(nodes.len());
                let node = &mut nodes[parent as usize];
                node.end = saturate(self.scan.at);
                node.after = after;
                parent = node.parent;
                if parent == NONE {
                    return Ok(self.scan.at);
                }
                continue;
            }
            if !opened {
                let expected = if in_object { "`,` or `}`" } else { "`,` or `]`" };
                self.scan.expect(b',', expected)?;
                self.scan.skip_space();
            }
            let key = if in_object { self.key(opened)? } else { (NONE, NONE, false) };
            self.value(nodes, parent, key)?;
        }
    }

    fn key(&mut self, first: bool) -> Result<(u32, u32, bool), SyntaxError> {
        self.scan.expect(b'"', if first { "`\"` or `}`" } else { "`\"` (a key)" })?;
        let start = self.scan.at;
        let escaped = self.scan.string_body()?;
        let end = self.scan.at - 1;
        self.scan.skip_space();
        self.scan.expect(b':', "`:`")?;
        self.scan.skip_space();
        Ok((saturate(start), saturate(end), escaped))
    }

    /// Reads a scalar, or the opening of a container, which stays open (`after` is `NONE`).
    fn value(&mut self, nodes: &mut Vec<Node>, parent: u32, key: (u32, u32, bool)) -> Result<(), SyntaxError> {
        let start = self.scan.at;
        let mut escaped = false;
        let kind = match self.scan.peek() {
            Some(b'"') => {
                self.scan.at += 1;
                escaped = self.scan.string_body()?;
                Kind::String
            }
            Some(b'{') => {
                self.scan.at += 1;
                Kind::Object
            }
            Some(b'[') => {
                self.scan.at += 1;
                Kind::Array
            }
            Some(b'-' | b'0'..=b'9') => {
                self.scan.number()?;
                Kind::Number
            }
            Some(b't') => {
                self.scan.literal(b"true")?;
                Kind::True
            }
            Some(b'f') => {
                self.scan.literal(b"false")?;
                Kind::False
            }
            Some(b'n') => {
                self.scan.literal(b"null")?;
                Kind::Null
            }
            _ => return Err(self.scan.error("a value")),
        };
        let index = saturate(nodes.len());
        nodes.push(Node {
            kind,
            escaped,
            key_escaped: key.2,
            start: saturate(start),
            end: saturate(self.scan.at),
            key_start: key.0,
            key_end: key.1,
            parent,
            after: if kind.is_container() { NONE } else { index + 1 },
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_what_javascript_accepts() {
        for text in [
            "null",
            " true ",
            "\t\r\n false",
            "0",
            "-0",
            "-0.0e-0",
            "1E+5",
            "\"\"",
            "\"\\u0000\\/\\b\"",
            "[]",
            "[1,[2,[]]]",
            "{}",
            "{\"\":{}}",
            "{\"a\":1,\"a\":2}",
            "\"\u{7f}\u{2028}\"",
            "[\"\\ud800\"]",
            "1e400",
            "{ \"a\" : [ { } ] }",
        ] {
            assert!(Tree::parse(text.as_bytes()).is_ok(), "{text}");
        }
    }

    #[test]
    fn refuses_what_javascript_refuses_and_says_where() {
        for (text, offset) in [
            ("", 0),
            ("  ", 2),
            ("nul", 0),
            ("tru e", 0),
            ("01", 1),
            ("-", 1),
            ("+1", 0),
            ("1.", 2),
            (".5", 0),
            ("1e", 2),
            ("1e+", 3),
            ("\"", 1),
            ("\"\\x\"", 2),
            ("\"\\u12g4\"", 5),
            ("\"a\nb\"", 2),
            ("[1,]", 3),
            ("[1 2]", 3),
            ("[", 1),
            ("{\"a\"}", 4),
            ("{\"a\":}", 5),
            ("{\"a\":1,}", 7),
            ("{a:1}", 1),
            ("{'a':1}", 1),
            ("{\"a\":1", 6),
            ("// c\n1", 0),
            ("NaN", 0),
            ("Infinity", 0),
            ("1 1", 2),
            ("{}{}", 2),
            ("\u{FEFF}1", 0),
            ("\u{A0}1", 0),
            ("[}", 1),
            ("{]", 1),
        ] {
            let error = Tree::parse(text.as_bytes()).expect_err(text);
            assert_eq!(error.offset, offset, "{text}: {error}");
        }
    }

    #[test]
    fn depth_costs_memory_only() {
        for depth in [10_000, 1_000_000] {
            let text = "[".repeat(depth) + &"]".repeat(depth);
            assert_eq!(Tree::parse(text.as_bytes()).unwrap().nodes().len(), depth);
            assert!(Tree::parse("{\"a\":".repeat(depth).as_bytes()).is_err());
        }
    }

    #[test]
    fn nodes_know_their_places() {
        let text = b"{\n  \"a\": [1, {\"b\": \"x\\ny\"}],\n  \"\\u0061\": 2\n}";
        let tree = Tree::parse(text).unwrap();
        let root = tree.root(text);
        assert_eq!(root.get("a").and_then(View::number), Some(2.0), "the last of two equal keys");
        let b = root.children().next().and_then(|a| a.at_pointer("/1/b")).unwrap();
        assert_eq!(b.string().unwrap(), "x\ny");
        assert_eq!(b.raw(), br#""x\ny""#);
        assert_eq!(b.position(), Position { line: 2, column: 13 });
        assert_eq!(b.depth(), 3);
        assert_eq!(root.children().count(), 2);
    }

    #[test]
    fn several_values_in_a_row_are_read_one_by_one() {
        let text = b"{\"a\":1}{\"b\":2} 3";
        let mut tree = Tree::default();
        assert_eq!(tree.parse_prefix(text), Ok(7));
        assert_eq!(tree.parse_prefix(&text[7..]), Ok(7));
        assert_eq!(tree.parse_prefix(&text[14..]), Ok(2));
    }
}
