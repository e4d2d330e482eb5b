//! The body of a recorded request or response: JSON, several JSON values, or server-sent events, mostly inside a string.

use super::about::About;
use super::{Assembler, DEPTH, Walk, Where};
use crate::capture::event::Event;
use crate::json::{Tree, trim};

/// Reads a body that stands in a string which starts at `at` in the unit.
pub(in super::super) fn read_body(body: &[u8], at: usize, about: &About<'_>, out: &mut dyn FnMut(Event<'_>)) {
    let mut stream = Assembler::default();
    let mut tree = Tree::default();
    let trimmed = trim(body);
    if matches!(trimmed, [b'{' | b'[', ..]) {
        let mut from = trimmed.as_ptr().addr() - body.as_ptr().addr();
        while let Ok(length) = tree.parse_prefix(&body[from..]) {
            let text = &body[from..from + length];
            let place = Where::Inside { at, below: lines(&body[..from]), text };
            Walk { out, place, stream: &mut stream, splits: false }.visit(tree.root(text), about, DEPTH);
            from += length;
        }
    } else {
        for (line, below) in body.split(|b| *b == b'\n').zip(0..) {
            if let Some(data) = data(line)
                && tree.parse_into(data).is_ok()
            {
                let place = Where::Inside { at, below, text: data };
                Walk { out, place, stream: &mut stream, splits: false }.visit(tree.root(data), about, DEPTH);
            }
        }
    }
    stream.end(true, out);
}

fn lines(text: &[u8]) -> u32 {
    u32::try_from(memchr::memchr_iter(b'\n', text).count()).unwrap_or(u32::MAX)
}

/// What a line of server-sent events carries.
pub(crate) fn data(line: &[u8]) -> Option<&[u8]> {
    let data = line.strip_prefix(b"data:")?;
    Some(data.strip_prefix(b" ").unwrap_or(data))
}
