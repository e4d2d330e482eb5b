//! Bars and timelines. Each bar has its number beside it, so that nothing depends on how it is drawn.

use super::super::text::Line;
use super::super::theme::Role;
use super::Canvas;
use crate::json::Visible;
use crate::replay::stats::{ByKind, Count, Timeline};
use crate::report::{duration, level, sorted_kinds};

/// The signs of a timeline, from nothing to the most.
const SIGNS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const ASCII: [&str; 9] = [" ", ".", ":", "-", "=", "+", "*", "#", "@"];

/// One bar: a name, the bar, a number.
pub(super) struct Bar {
    pub name: Line,
    pub n: u64,
}

/// Bars under each other, in so many cells.
pub(super) fn bars(canvas: &Canvas<'_>, bars: &[Bar], width: usize) -> Vec<Line> {
    const NUMBER: usize = 7;
    let (text, bad) = (canvas.style(Role::Text), canvas.style(Role::Bad));
    let names = bars.iter().map(|bar| bar.name.width()).max().unwrap_or(0).min(width / 2).max(4);
    let room = width.saturating_sub(names + NUMBER + 2).min(40);
    let most = bars.iter().map(|bar| bar.n).max().unwrap_or(0).max(1);
    let sign = if canvas.theme().is_ascii() { "#" } else { "█" };
    let line = |bar: &Bar| {
        let cells = (bar.n.saturating_mul(room as u64)).div_ceil(most);
        let mut line = bar.name.truncated(names, canvas.theme()).pad_to(names + 1, text);
        for _ in 0..cells {
            line = line.and_word(sign, bad);
        }
        line.pad_to(names + 1 + room, text).and_word(" ", text).and_number(bar.n, text)
    };
    bars.iter().map(line).collect()
}

/// Kinds as bars, the most frequent first.
pub(super) fn kinds(canvas: &Canvas<'_>, kinds: &ByKind, width: usize) -> Vec<Line> {
    let text = canvas.style(Role::Text);
    let all: Vec<Bar> = sorted_kinds(kinds).into_iter().map(|(kind, n)| Bar { name: Line::word(kind, text), n }).collect();
    bars(canvas, &all, width)
}

/// Kinds in a line, the most frequent first.
pub(super) fn kinds_line(canvas: &Canvas<'_>, kinds: &ByKind) -> Line {
    Line::data(&Visible::new(&crate::report::kinds_text(kinds)), canvas.style(Role::Text), canvas.theme())
}

/// Calls over time and those that fail, one row each, and what a column stands for; nothing without a time.
pub(super) fn timeline(canvas: &Canvas<'_>, timeline: &Timeline, width: usize) -> Vec<Line> {
    let (text, muted, bad) = (canvas.style(Role::Text), canvas.style(Role::Muted), canvas.style(Role::Bad));
    let Some(start) = timeline.start() else { return Vec::new() };
    let (buckets, seconds) = timeline.at_most(width.saturating_sub(6).max(1));
    let signs = if canvas.theme().is_ascii() { ASCII } else { SIGNS };
    let most = buckets.iter().map(|count| count.calls).max().unwrap_or(0);
    let row = |name: &'static str, style, of: fn(&Count) -> u64| {
        let line = Line::word(name, muted).pad_to(6, muted);
        buckets.iter().fold(line, |line, count| line.and_word(signs[level(of(count), most, signs.len())], style))
    };
    let from = crate::capture::time::rfc3339(start).get(..16).unwrap_or_default().replace('T', " ");
    let from = format!("from {from} UTC, each column {}", duration(seconds));
    vec![
        row("calls", text, |count| count.calls),
        row("fail", bad, |count| count.failing),
        Line::data(&Visible::new(&from), muted, canvas.theme()),
    ]
}
