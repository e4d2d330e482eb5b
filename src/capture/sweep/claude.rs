//! Lines of Claude Code transcripts, as their writer writes them.

use super::members::{LineScan, Picked};
use std::ops::Range;

/// Picks the calls of a line; `None` where it is not plain.
pub(super) fn pick(scan: &mut LineScan<'_>) -> Option<()> {
    let mut line = Envelope::default();
    let mut wrapped = Envelope::default();
    scan.object(|scan, key| match key {
        b"data" if !wrapped.seen => {
            wrapped.seen = true;
            data(scan, &mut wrapped)
        }
        b"data" => None,
        _ => line.member(scan, key),
    })?;
    scan.end()?;
    let calls = match line.kind(scan) {
        b"assistant" => line.calls,
        // Messages of subagents are wrapped in these.
        b"progress" if wrapped.kind(scan) == b"assistant" => wrapped.calls,
        _ => 0..0,
    };
    scan.picked.truncate(calls.end);
    scan.picked.drain(..calls.start.min(calls.end));
    Some(())
}

/// What has `type` and `message`: a line, or the message in a line of type `progress`.
#[derive(Default)]
struct Envelope {
    seen: bool,
    kind: Option<Range<usize>>,
    message: bool,
    /// Which of the picked calls are its.
    calls: Range<usize>,
}

impl Envelope {
    fn member(&mut self, scan: &mut LineScan<'_>, key: &[u8]) -> Option<()> {
        match key {
            b"type" if self.kind.is_none() => self.kind = Some(scan.plain_string()?),
            b"message" if !self.message => {
                self.message = true;
                let start = scan.picked.len();
                message(scan)?;
                self.calls = start..scan.picked.len();
            }
            b"type" | b"message" => return None,
            _ => scan.skip()?,
        }
        Some(())
    }

    fn kind<'a>(&self, scan: &LineScan<'a>) -> &'a [u8] {
        self.kind.as_ref().map_or(b"", |kind| scan.line.as_bytes().get(kind.clone()).unwrap_or_default())
    }
}

fn data(scan: &mut LineScan<'_>, wrapped: &mut Envelope) -> Option<()> {
    if scan.scan.peek() != Some(b'{') {
        return scan.skip();
    }
    let mut seen = false;
    scan.object(|scan, key| {
        if key != b"message" {
            return scan.skip();
        }
        if std::mem::replace(&mut seen, true) {
            return None;
        }
        if scan.scan.peek() != Some(b'{') {
            return scan.skip();
        }
        scan.object(|scan, key| wrapped.member(scan, key))
    })
}

fn message(scan: &mut LineScan<'_>) -> Option<()> {
    if scan.scan.peek() != Some(b'{') {
        return scan.skip();
    }
    let mut content = false;
    scan.object(|scan, key| {
        if key != b"content" {
            return scan.skip();
        }
        if std::mem::replace(&mut content, true) {
            return None;
        }
        if scan.scan.peek() != Some(b'[') {
            return scan.skip();
        }
        scan.array(|scan| if scan.scan.peek() == Some(b'{') { block(scan) } else { scan.skip() })
    })
}

fn block(scan: &mut LineScan<'_>) -> Option<()> {
    let (mut kind, mut id, mut tool, mut arguments) = (None, None, None, None);
    scan.object(|scan, key| {
        match key {
            b"type" if kind.is_none() => kind = Some(scan.plain_string()?),
            b"id" if id.is_none() => id = Some(scan.plain_string()?),
            b"name" if tool.is_none() => tool = Some(scan.plain_string()?),
            b"input" if arguments.is_none() => arguments = Some(input(scan, kind.as_ref()?, tool.as_ref())?),
            b"type" | b"id" | b"name" | b"input" => return None,
            _ => scan.skip()?,
        }
        Some(())
    })?;
    match &scan.line.as_bytes()[kind?] {
        b"tool_use" => {
            let (arguments, accepted) = arguments?;
            scan.picked.push(Picked { tool: tool?, id, arguments, is_text: false, accepted });
            Some(())
        }
        kind if kind.ends_with(b"tool_use") => None,
        _ => Some(()),
    }
}

/// A call's input: where it is, and whether it was accepted on the way.
fn input(scan: &mut LineScan<'_>, kind: &Range<usize>, tool: Option<&Range<usize>>) -> Option<(Range<usize>, bool)> {
    let start = scan.scan.at;
    if &scan.line[kind.clone()] != "tool_use" {
        scan.skip()?;
        return Some((start..scan.scan.at, false));
    }
    // What stands in `__unparsedToolInput` is the model's raw text.
    if scan.line.as_bytes().get(start + 1..)?.trim_ascii_start().starts_with(b"\"__") {
        return None;
    }
    scan.arguments(tool?)
}
