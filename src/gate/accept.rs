//! Accepting a call from its raw bytes, without building a value.
//!
//! Most calls are right. This walk says so in one pass over the text, and says nothing else: at the first thing that is
//! wrong or merely odd (an issue, an escape in a key or in a listed value, a number whose kind is not plain) it gives up, and
//! the general way decides. Both ways must agree; a test holds them together.

use super::plan::{KeyRule, NodeId, ObjectRule, Plan, PlanNode, TypeSet};
use crate::json::{Scanner, Value};

/// Deeper values go the general way, which does not recurse.
const MAX_DEPTH: u32 = 64;

/// The walk gives up: the general way decides.
struct Unsure;

type Sure<T> = Result<T, Unsure>;

impl Plan {
    /// The offset after the JSON value that starts at `at`, if it certainly has no issue; `None` if it has one, or is not
    /// plain enough to tell here.
    pub(crate) fn accepts_raw(&self, text: &[u8], at: usize) -> Option<usize> {
        let mut walk = Accept { plan: self, scan: Scanner { text, at } };
        walk.scan.skip_space();
        let root = if self.nodes.is_empty() { None } else { Some(0) };
        walk.value(root, 0).ok()?;
        Some(walk.scan.at)
    }
}

struct Accept<'a> {
    plan: &'a Plan,
    scan: Scanner<'a>,
}

impl Accept<'_> {
    fn value(&mut self, id: Option<NodeId>, depth: u32) -> Sure<()> {
        let Some(id) = id else {
            return if self.scan.skip_value() { Ok(()) } else { Err(Unsure) };
        };
        let node = &self.plan.nodes[id as usize];
        match self.scan.peek() {
            Some(b'"') => self.string(node),
            Some(b'{') => {
                may_be(node, TypeSet::OBJECT, depth)?;
                match &node.object {
                    Some(rule) => self.object(rule, depth),
                    None => self.value(None, depth),
                }
            }
            Some(b'[') => {
                may_be(node, TypeSet::ARRAY, depth)?;
                match node.items {
                    Some(item) => self.array(item, depth),
                    None => self.value(None, depth),
                }
            }
            Some(b'-' | b'0'..=b'9') => self.number(node),
            Some(b't') => self.word(node, b"true", TypeSet::BOOLEAN),
            Some(b'f') => self.word(node, b"false", TypeSet::BOOLEAN),
            Some(b'n') => self.word(node, b"null", TypeSet::NULL),
            _ => Err(Unsure),
        }
    }

    /// Steps over an opening bracket.
    fn open(&mut self) {
        self.scan.at += 1;
        self.scan.skip_space();
    }

    fn string(&mut self, node: &PlanNode) -> Sure<()> {
        self.scan.at += 1;
        let start = self.scan.at;
        let escaped = self.scan.string_end().ok_or(Unsure)?;
        if !allows(node, TypeSet::STRING) {
            return Err(Unsure);
        }
        if node.allowed.is_empty() {
            return Ok(());
        }
        let text = &self.scan.text[start..self.scan.at - 1];
        let listed = |value: &Value| value.as_string().is_some_and(|s| s.as_bytes() == text);
        if escaped || !node.allowed.iter().any(listed) { Err(Unsure) } else { Ok(()) }
    }

    fn number(&mut self, node: &PlanNode) -> Sure<()> {
        let start = self.scan.at;
        let fractional = self.scan.number_end().ok_or(Unsure)?;
        // A literal this short cannot overflow, so that without a fraction it is an integer.
        let plain_integer = !fractional && self.scan.at - start < 300;
        let fits =
            node.types.is_empty() || node.types.has(TypeSet::NUMBER) || (plain_integer && node.types.has(TypeSet::INTEGER));
        if fits && node.allowed.is_empty() { Ok(()) } else { Err(Unsure) }
    }

    fn word(&mut self, node: &PlanNode, word: &'static [u8], kind: u8) -> Sure<()> {
        self.scan.literal(word).map_err(|_| Unsure)?;
        if allows(node, kind) && node.allowed.is_empty() { Ok(()) } else { Err(Unsure) }
    }

    /// An object with declared keys. A key that comes twice is checked twice, so that the last one is right too.
    fn object(&mut self, rule: &ObjectRule, depth: u32) -> Sure<()> {
        if rule.required.len() > 64 {
            return Err(Unsure);
        }
        self.open();
        let mut missing: u64 = if rule.required.len() == 64 { u64::MAX } else { (1 << rule.required.len()) - 1 };
        if self.scan.peek() == Some(b'}') {
            self.scan.at += 1;
            return if missing == 0 { Ok(()) } else { Err(Unsure) };
        }
        loop {
            let key = self.key()?;
            let known = rule.known(key);
            if let Some(place) = known.and_then(|known| known.required) {
                missing &= !(1 << place);
            }
            match known.map_or(rule.extra, |known| known.rule) {
                KeyRule::Unexpected => return Err(Unsure),
                KeyRule::Accept => self.value(None, depth + 1)?,
                KeyRule::Check(id) => self.value(Some(id), depth + 1)?,
            }
            if self.closes(b'}')? {
                return if missing == 0 { Ok(()) } else { Err(Unsure) };
            }
        }
    }

    fn array(&mut self, item: NodeId, depth: u32) -> Sure<()> {
        self.open();
        if self.scan.peek() == Some(b']') {
            self.scan.at += 1;
            return Ok(());
        }
        loop {
            self.value(Some(item), depth + 1)?;
            if self.closes(b']')? {
                return Ok(());
            }
        }
    }

    /// A key without escapes, and the colon after it.
    fn key(&mut self) -> Sure<&[u8]> {
        self.step(b'"')?;
        let start = self.scan.at;
        let escaped = self.scan.string_end().ok_or(Unsure)?;
        let end = self.scan.at - 1;
        self.colon()?;
        if escaped { Err(Unsure) } else { Ok(&self.scan.text[start..end]) }
    }

    fn step(&mut self, byte: u8) -> Sure<()> {
        if self.scan.peek() != Some(byte) {
            return Err(Unsure);
        }
        self.scan.at += 1;
        Ok(())
    }

    fn colon(&mut self) -> Sure<()> {
        self.scan.skip_space();
        self.step(b':')?;
        self.scan.skip_space();
        Ok(())
    }

    /// After a member: true at the end of the container, false after a comma.
    fn closes(&mut self, close: u8) -> Sure<bool> {
        self.scan.skip_space();
        let closes = match self.scan.peek() {
            Some(b',') => false,
            Some(byte) if byte == close => true,
            _ => return Err(Unsure),
        };
        self.scan.at += 1;
        if !closes {
            self.scan.skip_space();
        }
        Ok(closes)
    }
}

fn allows(node: &PlanNode, kind: u8) -> bool {
    node.types.is_empty() || node.types.has(kind)
}

/// Gives up unless a container of this kind may stand here.
fn may_be(node: &PlanNode, kind: u8, depth: u32) -> Sure<()> {
    if depth < MAX_DEPTH && allows(node, kind) && node.allowed.is_empty() { Ok(()) } else { Err(Unsure) }
}
