//! A frame as a picture: SVG, with its colours, or text.

use super::runtime::App as _;
use super::state::State;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr as _;

/// Width and height of a cell, and where in it letters stand.
const CELL: (f32, f32, f32) = (8.4, 18.0, 13.5);
/// Around the frame.
const MARGIN: f32 = 10.0;

/// What a terminal shows where no colour is asked for.
#[derive(Clone, Copy, Debug)]
struct Paper {
    text: &'static str,
    background: &'static str,
}

const DARK: Paper = Paper { text: "#d0d0d0", background: "#16181d" };
const LIGHT: Paper = Paper { text: "#303030", background: "#fbfbfb" };

/// A frame of the size of the screen.
#[must_use]
pub fn frame(state: &State) -> Buffer {
    let Ok(mut terminal) = Terminal::new(TestBackend::new(state.size.width, state.size.height));
    let Ok(_) = terminal.draw(|frame| state.draw(frame));
    terminal.backend().buffer().clone()
}

/// The frame as SVG, on dark or on light paper. It draws text and rectangles, and asks for nothing from elsewhere.
#[must_use]
pub fn svg(frame: &Buffer, dark: bool) -> String {
    let paper = if dark { DARK } else { LIGHT };
    let (width, height) = (f32::from(frame.area.width) * CELL.0, f32::from(frame.area.height) * CELL.1);
    let (whole_width, whole_height) = (width + 2.0 * MARGIN, height + 2.0 * MARGIN);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{whole_width:.0}\" height=\"{whole_height:.0}\" \
         viewBox=\"0 0 {whole_width:.1} {whole_height:.1}\" \
         font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"14\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"{}\"/>\n",
        paper.background
    );
    for y in 0..frame.area.height {
        for run in runs(frame, y) {
            draw(&mut out, &run, y, paper);
        }
    }
    out.push_str("</svg>\n");
    out
}

/// The frame as text, without what is empty at the ends of lines.
#[must_use]
pub fn text(frame: &Buffer) -> String {
    let row = |y| runs(frame, y).iter().map(|run| run.text.as_str()).collect::<String>().trim_end().to_owned();
    (0..frame.area.height).map(row).collect::<Vec<_>>().join("\n")
}

/// Cells beside each other that look alike.
struct Run {
    x: u16,
    cells: u16,
    text: String,
    looks: Cell,
}

fn runs(frame: &Buffer, y: u16) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut x = 0;
    while x < frame.area.width {
        let cell = &frame[(frame.area.x + x, frame.area.y + y)];
        let symbol = cell.symbol();
        // What follows a wide sign is drawn with it.
        let width = u16::try_from(symbol.width()).unwrap_or(1).clamp(1, frame.area.width - x);
        let alike = |run: &&mut Run| (run.looks.fg, run.looks.bg, run.looks.modifier) == (cell.fg, cell.bg, cell.modifier);
        match runs.last_mut().filter(alike) {
            Some(run) => {
                run.text.push_str(symbol);
                run.cells += width;
            }
            None => runs.push(Run { x, cells: width, text: symbol.to_owned(), looks: cell.clone() }),
        }
        x += width;
    }
    runs
}

fn draw(out: &mut String, run: &Run, y: u16, paper: Paper) {
    let has = |modifier| run.looks.modifier.contains(modifier);
    let (mut fill, mut behind) = (colour(run.looks.fg), colour(run.looks.bg));
    if has(Modifier::REVERSED) {
        let text = fill.unwrap_or_else(|| paper.text.to_owned());
        fill = Some(behind.unwrap_or_else(|| paper.background.to_owned()));
        behind = Some(text);
    }
    let (x, top) = (MARGIN + f32::from(run.x) * CELL.0, MARGIN + f32::from(y) * CELL.1);
    let width = f32::from(run.cells) * CELL.0;
    // Writing to a string cannot fail.
    if let Some(behind) = behind {
        let _ =
            writeln!(out, "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{:.1}\" fill=\"{behind}\"/>", CELL.1);
    }
    if run.text.trim().is_empty() {
        return;
    }
    let fill = fill.unwrap_or_else(|| paper.text.to_owned());
    let _ = write!(out, "<text x=\"{x:.1}\" y=\"{:.1}\" textLength=\"{width:.1}\" fill=\"{fill}\"", top + CELL.2);
    for (modifier, attribute) in [
        (Modifier::BOLD, " font-weight=\"bold\""),
        (Modifier::ITALIC, " font-style=\"italic\""),
        (Modifier::UNDERLINED, " text-decoration=\"underline\""),
        (Modifier::DIM, " opacity=\"0.6\""),
    ] {
        if has(modifier) {
            out.push_str(attribute);
        }
    }
    let _ = writeln!(out, " xml:space=\"preserve\">{}</text>", escaped(&run.text));
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The sixteen colours, as most terminals have them.
const SIXTEEN: [u32; 16] = [
    0x1d_1f21, 0xcc_3333, 0x4e_9a06, 0xc4_a000, 0x34_65a4, 0x8e_5ba0, 0x06_989a, 0xd3_d7cf, 0x7a_7a7a, 0xef_5050, 0x8a_e234,
    0xfc_e94f, 0x72_9fcf, 0xad_7fa8, 0x34_e2e2, 0xff_ffff,
];

/// None for the terminal's own.
fn colour(colour: Color) -> Option<String> {
    let sixteen = |n: usize| SIXTEEN.get(n).copied();
    let number = match colour {
        Color::Reset => None,
        Color::Rgb(r, g, b) => Some(u32::from_be_bytes([0, r, g, b])),
        Color::Black => sixteen(0),
        Color::Red => sixteen(1),
        Color::Green => sixteen(2),
        Color::Yellow => sixteen(3),
        Color::Blue => sixteen(4),
        Color::Magenta => sixteen(5),
        Color::Cyan => sixteen(6),
        Color::Gray => sixteen(7),
        Color::DarkGray => sixteen(8),
        Color::LightRed => sixteen(9),
        Color::LightGreen => sixteen(10),
        Color::LightYellow => sixteen(11),
        Color::LightBlue => sixteen(12),
        Color::LightMagenta => sixteen(13),
        Color::LightCyan => sixteen(14),
        Color::White => sixteen(15),
        Color::Indexed(n @ 0..16) => sixteen(n.into()),
        // A cube of six steps a colour, then 24 greys.
        Color::Indexed(n @ 16..232) => {
            let step = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
            let n = n - 16;
            Some(u32::from_be_bytes([0, step(n / 36), step(n / 6 % 6), step(n % 6)]))
        }
        Color::Indexed(n) => Some(u32::from(8 + 10 * (n - 232)) * 0x01_0101),
    };
    number.map(|number| format!("#{number:06x}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    #[test]
    fn a_picture_has_text_and_colours_and_nothing_that_acts() {
        let mut frame = Buffer::empty(Rect::new(0, 0, 12, 2));
        frame.set_string(0, 0, "<a> & 漢", Style::new().fg(Color::Indexed(196)).bold());
        frame.set_string(0, 1, "x", Style::new().reversed());
        let picture = svg(&frame, true);
        assert!(picture.contains("fill=\"#ff0000\" font-weight=\"bold\" xml:space=\"preserve\">&lt;a&gt; &amp; 漢"), "{picture}");
        assert!(picture.contains("fill=\"#d0d0d0\"/>") && picture.contains(">x</text>"), "{picture}");
        assert_eq!(text(&frame), "<a> & 漢\nx");
        assert_eq!(colour(Color::Indexed(255)).as_deref(), Some("#eeeeee"));
        for n in 0..=u8::MAX {
            assert_eq!(colour(Color::Indexed(n)).unwrap().len(), 7);
        }
    }
}
