//! Lines of wave-agent sessions, and of our own format: arguments that are text, or JSON.

use super::members::{LineScan, Picked};

/// Picks the calls of a line of a wave-agent session; `None` where it is not plain.
pub(super) fn pick(scan: &mut LineScan<'_>) -> Option<()> {
    let mut blocks = false;
    scan.object(|scan, key| {
        if key != b"blocks" {
            return scan.skip();
        }
        if std::mem::replace(&mut blocks, true) {
            return None;
        }
        if scan.scan.peek() != Some(b'[') {
            return scan.skip();
        }
        scan.array(|scan| if scan.scan.peek() == Some(b'{') { block(scan) } else { scan.skip() })
    })?;
    scan.end()
}

fn block(scan: &mut LineScan<'_>) -> Option<()> {
    let (mut kind, mut id, mut tool, mut parameters, mut stage) = (None, None, None, None, None);
    scan.object(|scan, key| {
        let place = match key {
            b"type" => &mut kind,
            b"id" => &mut id,
            b"name" => &mut tool,
            b"stage" => &mut stage,
            b"parameters" if parameters.is_none() => {
                parameters = Some(scan.string()?.0);
                return Some(());
            }
            b"parameters" => return None,
            _ => return scan.skip(),
        };
        place.is_none().then_some(())?;
        *place = Some(scan.plain_string()?);
        Some(())
    })?;
    if &scan.line[kind?] != "tool" {
        return Some(());
    }
    // A call that is still being streamed is judged, but not counted.
    if stage.is_some_and(|stage| &scan.line[stage] != "end") {
        return None;
    }
    scan.picked.push(Picked { tool: tool?, id, arguments: parameters?, is_text: true, accepted: false });
    Some(())
}

/// Picks the call of a line of our own format; `None` where it is not plain.
pub(super) fn pick_own(scan: &mut LineScan<'_>) -> Option<()> {
    let (mut id, mut tool, mut arguments) = (None, None, None);
    scan.object(|scan, key| {
        match key {
            b"id" if id.is_none() => id = Some(scan.plain_string()?),
            b"tool" if tool.is_none() => tool = Some(scan.plain_string()?),
            b"arguments" if arguments.is_none() => {
                arguments = Some(if scan.scan.peek() == Some(b'"') {
                    (scan.string()?.0, true, false)
                } else {
                    let (range, accepted) = scan.arguments(tool.as_ref()?)?;
                    (range, false, accepted)
                });
            }
            // These decide how a call is judged.
            b"id" | b"tool" | b"arguments" | b"finish_reason" | b"origin" | b"input" | b"pending" => return None,
            _ => scan.skip()?,
        }
        Some(())
    })?;
    scan.end()?;
    let (arguments, is_text, accepted) = arguments?;
    scan.picked.push(Picked { tool: tool?, id, arguments, is_text, accepted });
    Some(())
}
