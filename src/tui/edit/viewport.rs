//! The part of a text that is on the screen: always the one with the cursor in it.

use super::draft::Draft;
use crate::json::Visible;
use crate::tui::state::cells;
use crate::tui::update::in_sight;
use unicode_width::UnicodeWidthStr;

/// Lines up to here are measured as they are shown; in longer ones each character counts for itself.
const EXACT: usize = 16 << 10;

/// Cells that a part of a line takes.
#[must_use]
pub fn width(text: &str) -> usize {
    if text.bytes().all(|byte| (0x20..0x7F).contains(&byte)) {
        text.len()
    } else if text.len() <= EXACT {
        Visible::new(text).as_str().width()
    } else {
        text.chars().map(cells).sum()
    }
}

/// The part of a line that begins at a cell and has room in so many: where it starts and ends, in bytes, and the cells before.
#[must_use]
pub fn part(line: &str, left: usize, width: usize) -> (usize, usize, usize) {
    if line.len() <= EXACT {
        return (0, line.len(), 0);
    }
    let (mut used, mut start, mut before) = (0, 0, 0);
    for (at, c) in line.char_indices() {
        if used <= left {
            (start, before) = (at, used);
        }
        if used > left + width {
            return (start, at, before);
        }
        used += cells(c);
    }
    (start, line.len(), before)
}

/// How many lines a text has; an empty one has one.
#[must_use]
pub fn lines(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1
}

/// The offset at which a line starts, counted from 0.
#[must_use]
pub fn line_start(text: &str, line: usize) -> usize {
    match line.checked_sub(1) {
        None => 0,
        Some(n) => memchr::memchr_iter(b'\n', text.as_bytes()).nth(n).map_or(text.len(), |at| at + 1),
    }
}

/// Cells for the numbers of lines and the sign beside them.
#[must_use]
pub fn gutter(width: usize, lines: usize) -> usize {
    const NARROW: usize = 50;
    if width < NARROW { 2 } else { lines.to_string().len().max(2) + 3 }
}

/// Scrolls as little as needed for the cursor to be in sight.
pub fn follow(draft: &mut Draft, width: usize, height: usize) {
    let text = draft.buffer.text();
    let cursor = draft.buffer.cursor();
    let all = lines(text);
    let row = memchr::memchr_iter(b'\n', &text.as_bytes()[..cursor]).count();
    draft.top = in_sight(draft.top, row, all, height.max(1));
    let room = width.saturating_sub(gutter(width, all)).max(1);
    let column = self::width(&text[draft.buffer.line_at(cursor).start..cursor]);
    if column < draft.left {
        draft.left = column.saturating_sub(room / 4);
    } else if column >= draft.left + room {
        draft.left = column - room * 3 / 4;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::edit::tests::call;

    #[test]
    fn the_cursor_is_in_sight() {
        let text = format!("[\n{}]", "\"x\",\n".repeat(100) + &"long ".repeat(50));
        let mut draft = Draft::new(&call("T", &text), None);
        draft.buffer.move_to(text.len());
        follow(&mut draft, 80, 10);
        assert_eq!(draft.top, 92);
        assert!((draft.left..draft.left + 75).contains(&251));
        draft.buffer.move_to(0);
        follow(&mut draft, 80, 10);
        assert_eq!((draft.top, draft.left), (0, 0));
    }

    #[test]
    fn long_lines_are_cut_where_they_are_seen() {
        let line = "日a".repeat(10_000);
        let (start, end, before) = part(&line, 15_001, 40);
        assert!(end - start < 200 && before <= 15_001, "{start} {end} {before}");
        assert_eq!(width(&line[..start]), before);
        assert_eq!(part("short", 100, 40), (0, 5, 0));
    }

    #[test]
    fn lines_are_counted() {
        assert_eq!((lines(""), lines("a\n"), line_start("a\nb", 1), line_start("a\nb", 9)), (1, 2, 2, 3));
    }
}
