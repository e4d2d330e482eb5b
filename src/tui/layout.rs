//! Where everything is: a pure function of the size and of very little state. Drawing uses it, and so does the mouse.

use ratatui::layout::{Rect, Size};

/// Less than this and there is only a line that says so.
pub const SMALLEST: Size = Size::new(40, 8);

/// A part of the screen that can have the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pane {
    /// The tools with their counts.
    Tools,
    /// The calls.
    Calls,
    /// The selected call, under one of its tabs.
    Detail,
    /// Before and after, where there is room for both beside the rest.
    Diff,
    /// What the model gets.
    ModelText,
    /// Facts about the selected tool.
    Card,
}

impl Pane {
    /// All of them, in the order in which Tab goes through them.
    pub const ALL: [Self; 6] = [Self::Tools, Self::Calls, Self::Detail, Self::Diff, Self::ModelText, Self::Card];
}

/// How the screen is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Too small for anything.
    TooSmall,
    /// A list above the detail.
    Stacked,
    /// Lists on the left, detail on the right.
    TwoColumns,
    /// Tools, calls and detail beside each other.
    ThreeColumns,
}

/// What the layout depends on besides the size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one fact that the layout depends on")]
pub struct Wanted {
    /// The pane that has the keys; it is always shown.
    pub focus: Pane,
    /// It has the screen to itself.
    pub zoom: bool,
    /// Two attempts are being compared.
    pub comparing: bool,
    /// What the model gets is shown beside the call.
    pub strip: bool,
    /// A text is being written, or a tree of everything is shown, which needs room.
    pub writing: bool,
}

/// A pane's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// All of it.
    pub outer: Rect,
    /// Without frame and title.
    pub inner: Rect,
    /// Whether there is a frame; otherwise the first row is the title.
    pub framed: bool,
}

impl Slot {
    fn new(outer: Rect, framed: bool) -> Self {
        let inner = if framed {
            Rect::new(
                outer.x.saturating_add(1),
                outer.y.saturating_add(1),
                outer.width.saturating_sub(2),
                outer.height.saturating_sub(2),
            )
        } else {
            split_rows(outer, 1).1
        };
        Self { outer, inner: inner.intersection(outer), framed }
    }
}

/// The whole screen, divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// How.
    pub shape: Shape,
    /// The row at the top.
    pub header: Rect,
    /// The row that tells where one is and what goes on.
    pub status: Rect,
    /// The row of hints; without rows where there is no room for it.
    pub footer: Rect,
    /// Everything in between.
    pub body: Rect,
    slots: [Option<Slot>; Pane::ALL.len()],
}

impl Layout {
    /// A pane's place, if it is shown.
    #[must_use]
    pub fn slot(&self, pane: Pane) -> Option<Slot> {
        self.slots[pane as usize]
    }

    /// The panes that are shown, in the order in which Tab goes through them.
    #[must_use]
    pub fn panes(&self) -> impl DoubleEndedIterator<Item = (Pane, Slot)> {
        Pane::ALL.into_iter().filter_map(|pane| Some((pane, self.slot(pane)?)))
    }

    /// The pane at a place of the screen; a strip inside a pane counts as itself.
    #[must_use]
    pub fn pane_at(&self, column: u16, row: u16) -> Option<Pane> {
        let hit = |slot: &Slot| slot.outer.contains((column, row).into());
        self.panes().filter(|(_, slot)| hit(slot)).min_by_key(|(_, slot)| slot.outer.area()).map(|(pane, _)| pane)
    }

    fn place(&mut self, pane: Pane, outer: Rect, framed: bool) {
        self.slots[pane as usize] = Some(Slot::new(outer, framed));
    }
}

/// Divides a screen of this size.
#[must_use]
pub fn layout(size: Size, wanted: Wanted) -> Layout {
    let screen = Rect::new(0, 0, size.width, size.height);
    if size.width < SMALLEST.width || size.height < SMALLEST.height {
        let (line, rest) = split_rows(screen, 1);
        let none = Rect::new(0, 0, 0, 0);
        return Layout { shape: Shape::TooSmall, header: line, status: none, footer: none, body: rest, slots: [None; 6] };
    }
    let framed = size.height >= 12;
    let (header, rest) = split_rows(screen, 1);
    let (rest, footer) = split_rows(rest, rest.height - u16::from(framed));
    let (body, status) = split_rows(rest, rest.height - 1);
    let shape = match size.width {
        160.. => Shape::ThreeColumns,
        100.. => Shape::TwoColumns,
        _ => Shape::Stacked,
    };
    let mut layout = Layout { shape, header, status, footer, body, slots: [None; 6] };
    let strip = wanted.strip && size.height >= 20;
    match shape {
        _ if wanted.zoom => layout.place(wanted.focus, body, framed),
        Shape::ThreeColumns => three_columns(&mut layout, wanted, framed, strip),
        Shape::TwoColumns => two_columns(&mut layout, wanted, framed, strip),
        Shape::Stacked | Shape::TooSmall => stacked(&mut layout, wanted, framed, strip),
    }
    if layout.slot(wanted.focus).is_none() {
        // Not a pane of this layout: it takes the place of the detail until the keys go elsewhere.
        let place = layout.slots[Pane::Detail as usize].take().map_or(body, |slot| slot.outer);
        layout.slots[Pane::ModelText as usize] = layout.slots[Pane::ModelText as usize].filter(|slot| slot.framed);
        layout.place(wanted.focus, place, framed);
    }
    layout
}

/// One list above the detail; the text for the model in a strip inside it.
fn stacked(layout: &mut Layout, wanted: Wanted, framed: bool, strip: bool) {
    let list = if wanted.focus == Pane::Tools { Pane::Tools } else { Pane::Calls };
    let (above, below) =
        split_rows(layout.body, if wanted.writing { layout.body.height / 6 } else { layout.body.height / 3 }.max(2));
    layout.place(list, above, framed);
    layout.place(Pane::Detail, below, framed);
    if strip {
        let inner = layout.slots[Pane::Detail as usize].map_or(below, |slot| slot.inner);
        let (detail, text) = split_rows(inner, inner.height - (inner.height * 2 / 5).max(3));
        if let Some(slot) = &mut layout.slots[Pane::Detail as usize] {
            slot.inner = detail;
        }
        layout.place(Pane::ModelText, text, false);
    }
}

fn two_columns(layout: &mut Layout, wanted: Wanted, framed: bool, strip: bool) {
    let (left, right) = split_columns(layout.body, (layout.body.width / 3).clamp(36, 48));
    if left.height < 10 {
        let list = if wanted.focus == Pane::Tools { Pane::Tools } else { Pane::Calls };
        layout.place(list, left, framed);
    } else {
        let (tools, calls) = split_rows(left, left.height / 3);
        layout.place(Pane::Tools, tools, framed);
        layout.place(Pane::Calls, calls, framed);
    }
    let (detail, text) = split_rows(right, if strip { right.height - right.height / 3 } else { right.height });
    layout.place(Pane::Detail, detail, framed);
    if strip {
        layout.place(Pane::ModelText, text, framed);
    }
}

fn three_columns(layout: &mut Layout, wanted: Wanted, framed: bool, strip: bool) {
    let (tools, rest) = split_columns(layout.body, 36);
    let (calls, right) = split_columns(rest, (rest.width * 2 / 5).clamp(50, 64));
    let (tools, card) = split_rows(tools, if tools.height >= 36 { tools.height * 3 / 5 } else { tools.height });
    layout.place(Pane::Tools, tools, framed);
    if card.height > 0 {
        layout.place(Pane::Card, card, framed);
    }
    layout.place(Pane::Calls, calls, framed);
    let comparing = wanted.comparing && strip;
    let (detail, rest) = match (comparing, strip) {
        (true, _) => split_rows(right, right.height * 2 / 5),
        (false, true) => split_rows(right, right.height * 2 / 3),
        (false, false) => (right, Rect::ZERO),
    };
    layout.place(Pane::Detail, detail, framed);
    let (diff, text) = split_rows(rest, if comparing { rest.height * 2 / 3 } else { 0 });
    if comparing {
        layout.place(Pane::Diff, diff, framed);
    }
    if strip {
        layout.place(Pane::ModelText, text, framed);
    }
}

/// The first rows, and the rest.
fn split_rows(area: Rect, rows: u16) -> (Rect, Rect) {
    let rows = rows.min(area.height);
    let first = Rect { height: rows, ..area };
    let rest = Rect { y: area.y + rows, height: area.height - rows, ..area };
    (first, rest)
}

/// The first columns, and the rest.
fn split_columns(area: Rect, columns: u16) -> (Rect, Rect) {
    let columns = columns.min(area.width);
    let first = Rect { width: columns, ..area };
    let rest = Rect { x: area.x + columns, width: area.width - columns, ..area };
    (first, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::fmt::Write as _;

    const CALLS: Wanted = Wanted { focus: Pane::Calls, zoom: false, comparing: false, strip: true, writing: false };

    fn describe(width: u16, height: u16, wanted: Wanted) -> String {
        let layout = layout(Size::new(width, height), wanted);
        let mut text = format!("{width}x{height} {:?}", layout.shape);
        for (name, area) in [("header", layout.header), ("status", layout.status), ("footer", layout.footer)] {
            if area.height > 0 {
                let _ = write!(text, " {name}@{}", area.y);
            }
        }
        for (pane, slot) in layout.panes() {
            let Rect { x, y, width, height } = slot.outer;
            let frame = if slot.framed { "" } else { " bare" };
            let _ = write!(
                text,
                "\n  {pane:?} {width}x{height} at {x},{y}{frame}, inside {}x{}",
                slot.inner.width, slot.inner.height
            );
        }
        text
    }

    #[test]
    fn at_twelve_sizes() {
        let sizes = [
            (1, 1),
            (39, 24),
            (40, 8),
            (40, 12),
            (80, 19),
            (80, 24),
            (99, 40),
            (100, 40),
            (120, 40),
            (159, 50),
            (160, 50),
            (200, 60),
        ];
        let shown: Vec<String> = sizes.iter().map(|(width, height)| describe(*width, *height, CALLS)).collect();
        insta::assert_snapshot!(shown.join("\n\n"));
    }

    #[test]
    fn with_other_things_wanted() {
        let shown = [
            describe(80, 24, Wanted { focus: Pane::Tools, ..CALLS }),
            describe(80, 24, Wanted { zoom: true, ..CALLS }),
            describe(80, 24, Wanted { focus: Pane::Detail, writing: true, ..CALLS }),
            describe(80, 24, Wanted { focus: Pane::Diff, ..CALLS }),
            describe(120, 11, CALLS),
            describe(200, 60, Wanted { comparing: true, ..CALLS }),
        ];
        insta::assert_snapshot!(shown.join("\n\n"));
    }

    #[test]
    fn the_mouse_finds_the_strip_inside_the_detail() {
        let layout = layout(Size::new(80, 24), CALLS);
        let strip = layout.slot(Pane::ModelText).unwrap().outer;
        assert_eq!(layout.pane_at(strip.x, strip.y), Some(Pane::ModelText));
        assert_eq!(layout.pane_at(0, strip.y), Some(Pane::Detail));
        assert_eq!(layout.pane_at(0, 0), None);
    }

    proptest! {
        #[test]
        fn everything_is_on_the_screen_and_nothing_on_top_of_another(
            width in 0..260u16,
            height in 0..90u16,
            focus in proptest::sample::select(&Pane::ALL[..]),
            zoom: bool,
            comparing: bool,
            strip: bool,
            writing: bool,
        ) {
            let layout = layout(Size::new(width, height), Wanted { focus, zoom, comparing, strip, writing });
            let screen = Rect::new(0, 0, width, height);
            let mut areas: Vec<Rect> = [layout.header, layout.status, layout.footer].into();
            for (pane, slot) in layout.panes() {
                prop_assert_eq!(slot.inner.intersection(slot.outer), slot.inner);
                // The strip lies inside the detail's frame, but not in what is left of its inside.
                let detail = layout.slot(Pane::Detail).filter(|_| pane == Pane::ModelText);
                let inside = detail.is_some_and(|detail| detail.outer.intersection(slot.outer) == slot.outer);
                areas.push(if inside { Rect::ZERO } else { slot.outer });
            }
            for (n, a) in areas.iter().enumerate() {
                prop_assert_eq!(a.intersection(screen), if a.area() == 0 { a.intersection(screen) } else { *a });
                prop_assert!(areas[n + 1..].iter().all(|b| a.intersection(*b).area() == 0), "{areas:?}");
            }
            if layout.shape == Shape::TooSmall {
                prop_assert_eq!(layout.panes().count(), 0);
            } else {
                prop_assert!(layout.slot(focus).is_some_and(|slot| slot.outer.height >= 2));
            }
        }
    }
}
