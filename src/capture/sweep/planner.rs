//! Cutting files into units of work, in order.

use super::lines::{Fast, fast};
use crate::capture::detect::{self, Detected};
use crate::capture::format::Format;
use crate::capture::options::Options;
use crate::capture::problem::Problem;
use crate::capture::source;
use crate::capture::walk::{Found, walk};
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How large a unit is. Size matters little between 64 KiB and 4 MiB; this keeps memory small.
const UNIT: u64 = 512 << 10;

/// How much of a file is looked at to find its format; where that does not do, it takes the general way.
const SAMPLE: u64 = 32 << 10;

/// Up to this size what a file holds may wait for its turn.
const SMALL: u64 = 16 << 20;

/// A file of a known line format, being cut.
struct Cutting {
    piece: Piece,
    next: u64,
}

/// A piece of a file: the lines that start in it.
#[derive(Clone)]
pub(super) struct Piece {
    pub path: Arc<Path>,
    pub file: Arc<fs::File>,
    pub format: &'static dyn Format,
    pub fast: Fast,
    pub start: u64,
    pub end: u64,
    /// It is the file's first.
    pub first: bool,
}

/// A file that is read the general way.
pub(super) struct File {
    pub path: Arc<Path>,
    pub named: bool,
}

pub(super) enum Work {
    Unit(Piece),
    /// Small enough to be kept until it is its turn, so that other files can be read meanwhile.
    Small(File),
    Whole(File),
    Problem(Problem),
}

/// A piece of work with its place in the order.
pub(super) struct Task {
    pub number: usize,
    pub work: Work,
}

pub(super) struct Planner {
    files: std::vec::IntoIter<Found>,
    cutting: Option<Cutting>,
    number: usize,
    /// Everything takes the general way.
    general: bool,
}

impl Planner {
    pub fn new(paths: &[PathBuf], options: &Options, problem: &mut dyn FnMut(Problem)) -> Self {
        let general = options.thorough || options.format.is_some();
        Self { files: walk(paths, problem).into_iter(), cutting: None, number: 0, general }
    }

    /// The next piece of work.
    pub fn next(&mut self) -> Option<Task> {
        let work = match self.cut() {
            Some(piece) => Work::Unit(piece),
            None => self.open()?,
        };
        let number = self.number;
        self.number += 1;
        Some(Task { number, work })
    }

    fn cut(&mut self) -> Option<Piece> {
        let cutting = self.cutting.as_mut()?;
        let end = cutting.piece.end;
        let start = cutting.next;
        let next = (start + UNIT).min(end);
        let first = start == cutting.piece.start;
        let piece = Piece { start, end: next, first, ..cutting.piece.clone() };
        cutting.next = next;
        if next == end {
            self.cutting = None;
        }
        Some(piece)
    }

    /// Opens the next file and takes its first piece, or all of it.
    fn open(&mut self) -> Option<Work> {
        let found = self.files.next()?;
        let file = File { path: found.path, named: found.named };
        if file.path.as_os_str() == source::STDIN {
            return Some(Work::Whole(file));
        }
        Some(match examine(&file.path, self.general) {
            Ok(Examined::Lines(piece)) => {
                let next = piece.start;
                self.cutting = Some(Cutting { piece, next });
                Work::Unit(self.cut()?)
            }
            Ok(Examined::Small) => Work::Small(file),
            Ok(Examined::Other) => Work::Whole(file),
            Err(error) => Work::Problem(Problem::io(&file.path, &error)),
        })
    }
}

/// What a file is, for planning.
enum Examined {
    /// Lines in a format that has a fast way: the whole file as a piece.
    Lines(Piece),
    Small,
    /// Large, or no regular file.
    Other,
}

fn examine(path: &Arc<Path>, general: bool) -> std::io::Result<Examined> {
    let data = fs::metadata(path)?;
    // A pipe is not opened here: opening it twice would lose what it holds.
    if !data.is_file() {
        return Ok(Examined::Other);
    }
    let whole = if data.len() <= SMALL { Examined::Small } else { Examined::Other };
    if general {
        return Ok(whole);
    }
    let file = fs::File::open(path)?;
    let end = file.metadata()?.len();
    let mut sample = Vec::with_capacity(usize::try_from(SAMPLE.min(end)).unwrap_or(0));
    (&file).take(SAMPLE).read_to_end(&mut sample)?;
    let mark = source::mark(&sample);
    let complete = sample.len() as u64 == end;
    let Detected::Lines(Some(guess)) = detect::detect(&sample[mark..], complete) else { return Ok(whole) };
    if !guess.sure && !complete {
        return Ok(whole);
    }
    let format = guess.format;
    let Some(fast) = fast(format.name()) else { return Ok(whole) };
    Ok(Examined::Lines(Piece {
        path: Arc::clone(path),
        file: Arc::new(file),
        format,
        fast,
        start: mark as u64,
        end,
        first: true,
    }))
}
