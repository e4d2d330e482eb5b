//! Scalars whose lines are lines of the file.

use super::block::{Block, Odd, Read};

/// What becomes of the line ends behind the last line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomping {
    Clip,
    Strip,
    Keep,
}

impl Block<'_> {
    /// The block scalar whose header begins here: literal (`|`), or folded (`>`).
    pub(super) fn lines(&mut self, floor: usize) -> Read<()> {
        let literal = self.text[self.at] == b'|';
        self.at += 1;
        let (chomping, increment) = self.header();
        self.end_line()?;
        let (mut blanks, first) = self.blank_lines(usize::MAX)?;
        let indentation = match increment {
            // Blanks before the first line of a text could be deeper than that: who knows what they are then.
            Some(_) if blanks > 0 => return Err(Odd),
            Some(increment) => floor - 1 + increment,
            None => first,
        };
        if indentation < floor || first < indentation || self.line_start == self.text.len() {
            return Err(Odd);
        }
        self.mark(literal);
        self.json.push('"');
        self.push_newlines(blanks);
        loop {
            let start = self.line_start + indentation;
            let end = self.line_end(start);
            let line = &self.text[start..end];
            // A folded line that is indented more stays as it is, and so does what is around it.
            let odd = line.starts_with(b"\t") || !literal && line.starts_with(b" ");
            if end == self.text.len() || odd || line.trim_ascii().is_empty() {
                return Err(Odd);
            }
            self.push_text(line);
            self.step_line(end);
            let next;
            (blanks, next) = self.blank_lines(indentation)?;
            if next < indentation || self.line_start == self.text.len() {
                if next >= floor {
                    return Err(Odd);
                }
                break;
            }
            if literal { self.push_newlines(blanks + 1) } else { self.fold(blanks) }
        }
        match chomping {
            Chomping::Strip => {}
            Chomping::Clip => self.push_newlines(1),
            Chomping::Keep => self.push_newlines(blanks + 1),
        }
        self.json.push('"');
        self.within_cap()
    }

    fn header(&mut self) -> (Chomping, Option<usize>) {
        let (mut chomping, mut increment) = (Chomping::Clip, None);
        while let Some(byte) = self.text.get(self.at) {
            match byte {
                b'-' if chomping == Chomping::Clip => chomping = Chomping::Strip,
                b'+' if chomping == Chomping::Clip => chomping = Chomping::Keep,
                b'1'..=b'9' if increment.is_none() => increment = Some(usize::from(byte - b'0')),
                _ => break,
            }
            self.at += 1;
        }
        (chomping, increment)
    }

    /// Goes over blank lines, none of which may be longer than `most`: how many, and the indentation of the line behind them.
    fn blank_lines(&mut self, most: usize) -> Read<(usize, usize)> {
        let (mut blanks, mut longest) = (0, 0);
        loop {
            let spaces = self.spaces(self.line_start);
            match self.text.get(self.line_start + spaces) {
                Some(b'\n') if spaces > most => return Err(Odd),
                Some(b'\n') => {
                    blanks += 1;
                    longest = longest.max(spaces);
                    self.step_line(self.line_start + spaces);
                }
                None if spaces > 0 => return Err(Odd),
                _ if most == usize::MAX && longest > spaces => return Err(Odd),
                _ => return Ok((blanks, spaces)),
            }
        }
    }
}
