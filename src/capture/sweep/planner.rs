//! Cutting files into units of work, in order.

use super::Judge;
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

/// How much of a file is looked at to find its format: first this, and then that. Where that does not do, it takes the general
/// way.
const SAMPLES: [u64; 2] = [8 << 10, 32 << 10];

/// Up to this size what a file holds may wait for its turn.
const SMALL: u64 = 16 << 20;

/// A file of a known line format, being cut.
struct Cutting<R> {
    piece: Piece<R>,
    next: u64,
}

/// A piece of a file: the lines that start in it.
pub(super) struct Piece<R> {
    pub path: Arc<Path>,
    pub file: Arc<fs::File>,
    pub format: &'static dyn Format,
    pub fast: Fast,
    /// By what its calls are judged.
    pub rules: Arc<R>,
    pub start: u64,
    pub end: u64,
    /// It is the file's first.
    pub first: bool,
}

impl<R> Piece<R> {
    fn part(&self, start: u64, end: u64) -> Self {
        let (path, file, rules) = (Arc::clone(&self.path), Arc::clone(&self.file), Arc::clone(&self.rules));
        Self { path, file, rules, format: self.format, fast: self.fast, start, end, first: start == self.start }
    }
}

/// A file that is read the general way.
pub(super) struct File {
    pub path: Arc<Path>,
    pub named: bool,
}

pub(super) enum Work<R> {
    Unit(Piece<R>),
    /// Small enough to be kept until it is its turn, so that other files can be read meanwhile.
    Small(File),
    Whole(File),
    Problem(Problem),
}

/// A piece of work with its place in the order.
pub(super) struct Task<R> {
    pub number: usize,
    pub work: Work<R>,
}

pub(super) struct Planner<'j, J: Judge> {
    judge: &'j J,
    files: std::vec::IntoIter<Found>,
    cutting: Option<Cutting<J::Rules>>,
    number: usize,
    /// Everything takes the general way.
    general: bool,
}

impl<'j, J: Judge> Planner<'j, J> {
    pub fn new(paths: &[PathBuf], options: &Options, judge: &'j J, problem: &mut dyn FnMut(Problem)) -> Self {
        let general = options.thorough || options.format.is_some();
        Self { judge, files: walk(paths, problem).into_iter(), cutting: None, number: 0, general }
    }

    /// The next piece of work.
    pub fn next(&mut self) -> Option<Task<J::Rules>> {
        let work = match self.cut() {
            Some(piece) => Work::Unit(piece),
            None => self.open()?,
        };
        let number = self.number;
        self.number += 1;
        Some(Task { number, work })
    }

    fn cut(&mut self) -> Option<Piece<J::Rules>> {
        let cutting = self.cutting.as_mut()?;
        let end = cutting.piece.end;
        let start = cutting.next;
        let next = (start + UNIT).min(end);
        let piece = cutting.piece.part(start, next);
        cutting.next = next;
        if next == end {
            self.cutting = None;
        }
        Some(piece)
    }

    /// Opens the next file and takes its first piece, or all of it.
    fn open(&mut self) -> Option<Work<J::Rules>> {
        let found = self.files.next()?;
        let file = File { path: found.path, named: found.named };
        if file.path.as_os_str() == source::STDIN {
            return Some(Work::Whole(file));
        }
        Some(match examine(&file.path, self.general, self.judge) {
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
enum Examined<R> {
    /// Lines in a format that has a fast way: the whole file as a piece.
    Lines(Piece<R>),
    Small,
    /// Large, or no regular file.
    Other,
}

fn examine<J: Judge>(path: &Arc<Path>, general: bool, judge: &J) -> std::io::Result<Examined<J::Rules>> {
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
    let mut sample = Vec::new();
    let mut found = None;
    for length in SAMPLES {
        (&file).take(length - sample.len() as u64).read_to_end(&mut sample)?;
        let complete = sample.len() as u64 == end;
        let mark = source::mark(&sample);
        if let Detected::Lines(Some(guess)) = detect::detect(&sample[mark..], complete)
            && (guess.sure || complete)
        {
            found = Some((guess.format, mark));
            break;
        }
    }
    let Some((format, mark)) = found else { return Ok(whole) };
    let Some(fast) = fast(format.name()) else { return Ok(whole) };
    Ok(Examined::Lines(Piece {
        path: Arc::clone(path),
        file: Arc::new(file),
        format,
        fast,
        rules: Arc::new(judge.rules(path)),
        start: mark as u64,
        end,
        first: true,
    }))
}
