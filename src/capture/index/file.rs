//! One file as the scanner knows it: how far it has been read, and how to tell what happened to it since.

use super::batch::{Batch, Layout};
use super::indexer::{Indexer, Scan, Seen};
use crate::capture::FormatName;
use crate::capture::detect::{self, Detected};
use crate::capture::format::{Context, Format};
use crate::capture::ledger::Ledger;
use crate::capture::lines::LineSource;
use crate::capture::problem::{Problem, ProblemKind};
use crate::capture::unit::UnitReader;
use crate::capture::{hash, source};
use std::collections::{HashMap, HashSet};
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

/// How many bytes at the start, and before the place of reading, are compared to see if a file is still the same.
const PROBE: u64 = 512;

/// A batch is handed over after this many bytes.
const BATCH: u64 = 8 << 20;

pub(super) struct ScannedFile {
    pub path: Arc<Path>,
    pub number: u32,
    pub named: bool,
    stamp: Option<Stamp>,
    form: Form,
    /// Whether more lines cannot show that it is of another format.
    sure: bool,
    /// All before this offset has been read, and so many lines with it.
    offset: u64,
    line: u32,
    head: (u64, u64),
    tail: u64,
    /// Of every call, the hash by which repeats are found.
    hashes: Vec<u64>,
    /// The ids of calls without a result.
    open: HashMap<u32, String>,
    reader: Option<UnitReader>,
    ledger: Option<Ledger>,
    known: Context,
    /// Hashes of the lists of definitions that have been seen.
    tools: HashSet<u64>,
}

#[derive(Clone, Copy)]
enum Form {
    Unknown,
    Lines(&'static dyn Format),
    /// Lines of server-sent events.
    Events(&'static dyn Format),
    /// Read as a whole each time: a document, or a compressed file.
    Whole,
}

/// What the system says of a file; as long as it is the same, nothing has been written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    length: u64,
    modified: Option<std::time::SystemTime>,
    identity: (u64, u64),
}

impl Stamp {
    pub(super) fn of(data: &Metadata) -> Self {
        Self { length: data.len(), modified: data.modified().ok(), identity: identity(data) }
    }

    pub(super) fn modified(&self) -> Option<std::time::SystemTime> {
        self.modified
    }
}

#[cfg(unix)]
fn identity(data: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (data.dev(), data.ino())
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> (u64, u64) {
    (0, 0)
}

impl ScannedFile {
    pub(super) fn new(path: Arc<Path>, number: u32, named: bool) -> Self {
        Self {
            path,
            number,
            named,
            stamp: None,
            form: Form::Unknown,
            sure: true,
            offset: 0,
            line: 0,
            head: (0, 0),
            tail: 0,
            hashes: Vec::new(),
            open: HashMap::new(),
            reader: None,
            ledger: None,
            known: Context::default(),
            tools: HashSet::new(),
        }
    }

    /// Whether it may have changed since it was read.
    pub(super) fn is_stale(&self, stamp: &Stamp) -> bool {
        self.stamp != Some(*stamp)
    }

    /// It is not there any more. Whether it was.
    pub(super) fn vanish(&mut self) -> bool {
        let was_there = self.stamp.take().is_some();
        *self = Self::new(Arc::clone(&self.path), self.number, self.named);
        was_there
    }

    /// Gives up what only a file that grows needs.
    pub(super) fn rest(&mut self) {
        self.ledger = None;
        self.hashes.shrink_to_fit();
        // Pieces of a call that is not whole yet stand nowhere else.
        self.reader.take_if(|reader| reader.state.stream.is_idle());
        self.open.shrink_to_fit();
    }

    /// Reads what is new, and hands it over in batches.
    pub(super) fn read(&mut self, scan: &mut Scan<'_, '_>) -> io::Result<()> {
        let mut file = File::open(&self.path)?;
        let stamp = Stamp::of(&file.metadata()?);
        let grew = self.sure && matches!(self.form, Form::Lines(_) | Form::Events(_)) && self.has_grown(&stamp, &mut file)?;
        let old = if grew { None } else { Some(self.forget()) };
        (scan.observer.observe)(Seen::File(self.number, &self.path, !grew));
        file.seek(SeekFrom::Start(self.offset))?;
        let mut batch = Batch { restarts: old.as_ref().is_some_and(|old| !old.is_empty()), ..Batch::new(self) };
        if let Form::Lines(format) | Form::Events(format) = self.form {
            let mut lines = LineSource::new(&file, self.offset, scan.options.max_line);
            self.lines(format, &mut lines, &mut batch, scan, old.as_deref())?;
        } else {
            let plain = source::plain(&file, scan.options.max_expanded)?;
            let compressed = plain.compressed;
            if compressed {
                batch.layout = Layout::Whole;
            }
            let mut lines = LineSource::new(plain.source, 0, scan.options.max_line);
            let read = self.begin(&mut lines, &mut batch, scan, old.as_deref()).and_then(|()| lines.failure());
            match read {
                // What stands before the place at which a compressed file is broken is there.
                Err(error) if compressed => batch.problems.push(match self.form {
                    Form::Lines(_) | Form::Events(_) => Problem::cut_off(&self.path, self.line.saturating_add(1), &error),
                    _ => Problem::io(&self.path, &error),
                }),
                read => read?,
            }
        }
        if batch.layout == Layout::Whole {
            self.form = Form::Whole;
        }
        self.stamp = Some(stamp);
        self.remember_probes(&mut file)?;
        self.finish(batch, scan, old.as_deref());
        Ok(())
    }

    /// The same file with the same beginning, and not shorter than what has been read of it.
    fn has_grown(&self, stamp: &Stamp, file: &mut File) -> io::Result<bool> {
        let Some(before) = self.stamp else { return Ok(false) };
        if before.identity != stamp.identity || stamp.length < self.offset || stamp.length <= before.length {
            return Ok(false);
        }
        let head = probe(file, 0, self.head.0)?;
        let tail_start = self.offset.saturating_sub(PROBE);
        let tail = probe(file, tail_start, self.offset - tail_start)?;
        Ok(head == self.head.1 && tail == self.tail)
    }

    fn remember_probes(&mut self, file: &mut File) -> io::Result<()> {
        let head = self.offset.min(PROBE);
        self.head = (head, probe(file, 0, head)?);
        let tail_start = self.offset.saturating_sub(PROBE);
        self.tail = probe(file, tail_start, self.offset - tail_start)?;
        Ok(())
    }

    /// Begins anew; returns the hashes of the calls that were known.
    fn forget(&mut self) -> Vec<u64> {
        let hashes = std::mem::take(&mut self.hashes);
        *self = Self::new(Arc::clone(&self.path), self.number, self.named);
        hashes
    }

    fn begin<R: Read>(
        &mut self,
        lines: &mut LineSource<R>,
        batch: &mut Batch,
        scan: &mut Scan<'_, '_>,
        old: Option<&[u64]>,
    ) -> io::Result<()> {
        let start = lines.peek(4);
        if let Some(kind) = source::refuse(start) {
            batch.problems.extend(self.named.then(|| Problem::of_file(&self.path, kind)));
            return Ok(());
        }
        let mark = source::mark(start);
        lines.skip(mark);
        let mut wanted = detect::SAMPLE;
        let detected = loop {
            lines.peek(wanted);
            let complete = lines.is_complete();
            match detect::detect(lines.peek(wanted), complete) {
                Detected::NeedsMore if !complete && wanted <= scan.options.max_line => {
                    wanted = wanted.saturating_mul(4).min(scan.options.max_line.saturating_add(1));
                }
                found => break found,
            }
        };
        let forced = scan.options.format.map(|format| format.0);
        match (detected, forced) {
            (Detected::Document, _) => {
                self.document(lines, batch, scan);
                Ok(())
            }
            (Detected::Lines(Some(guess)), None) => {
                self.sure = guess.sure;
                self.form = Form::Lines(guess.format);
                self.lines(guess.format, lines, batch, scan, old)
            }
            (Detected::Events(Some(guess)), None) => {
                self.sure = guess.sure;
                self.form = Form::Events(guess.format);
                self.lines(guess.format, lines, batch, scan, old)
            }
            (Detected::Lines(_), Some(format)) => {
                self.form = Form::Lines(format);
                self.lines(format, lines, batch, scan, old)
            }
            (Detected::Events(_), Some(format)) => {
                self.form = Form::Events(format);
                self.lines(format, lines, batch, scan, old)
            }
            // One line may be the beginning of any.
            (Detected::Lines(None) | Detected::Events(None), None)
                if self.named && memchr::memchr(b'\n', lines.peek(wanted)).is_some() =>
            {
                batch.problems.push(Problem::of_file(&self.path, ProblemKind::UnknownFormat));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn lines<R: Read>(
        &mut self,
        format: &'static dyn Format,
        lines: &mut LineSource<R>,
        batch: &mut Batch,
        scan: &mut Scan<'_, '_>,
        old: Option<&[u64]>,
    ) -> io::Result<()> {
        let is_events = matches!(self.form, Form::Events(_));
        let mut reader = self.reader.take().unwrap_or_else(|| {
            let mut reader = UnitReader::new(format, &self.path);
            reader.is_events = is_events;
            reader.state.context = self.known.clone();
            reader
        });
        batch.format = Some(FormatName(format));
        if is_events && batch.layout == Layout::Lines {
            batch.layout = Layout::Events;
        }
        let mut since = lines.offset();
        while let Some(line) = lines.next_line()? {
            let terminated = line.terminated;
            let start = line.offset;
            let used = reader.line(&line, self.line.saturating_add(1), scan.options.max_line, &mut self.indexer(batch, scan));
            if !terminated {
                self.offset = start + used as u64;
                break;
            }
            self.line = self.line.saturating_add(1);
            self.offset = lines.offset();
            if reader.state.context != self.known {
                self.known = reader.state.context.clone();
                batch.contexts.push((self.offset, self.known.clone()));
            }
            // A file that is read anew is handed over in one piece, as only the whole tells what is the same.
            if self.offset - since >= BATCH && !batch.restarts {
                since = self.offset;
                let next = Batch { format: batch.format, layout: batch.layout, ..Batch::new(self) };
                self.finish(std::mem::replace(batch, next), scan, old);
            }
        }
        if batch.layout == Layout::Whole {
            reader.finish(&mut self.indexer(batch, scan));
        }
        self.reader = Some(reader);
        Ok(())
    }

    fn document<R: Read>(&mut self, lines: &mut LineSource<R>, batch: &mut Batch, scan: &mut Scan<'_, '_>) {
        self.form = Form::Whole;
        let cap = scan.options.max_line;
        let length = lines.peek(cap.saturating_add(1)).len();
        if length > cap {
            batch.problems.push(Problem::of_file(&self.path, ProblemKind::TooLong { length: length as u64, cap }));
            return;
        }
        let offset = lines.offset();
        let mut reader = UnitReader::of_document(scan.options.format.map(|format| format.0), &self.path);
        reader.document(lines.peek(length), offset, cap, &mut self.indexer(batch, scan));
        reader.finish(&mut self.indexer(batch, scan));
        batch.format = reader.format().map(FormatName);
        batch.layout = Layout::Whole;
        if batch.format.is_none() {
            batch.problems.clear();
            batch.problems.extend(self.named.then(|| Problem::of_file(&self.path, ProblemKind::UnknownFormat)));
        }
        self.offset = offset + length as u64;
    }

    fn indexer<'a, 'o>(&'a mut self, batch: &'a mut Batch, scan: &'a mut Scan<'_, 'o>) -> Indexer<'a, 'o> {
        let hashes = &self.hashes;
        let open = &self.open;
        let ledger = self.ledger.get_or_insert_with(|| {
            let mut ledger = Ledger::resumed(hashes.iter().copied());
            let mut open: Vec<_> = open.iter().collect();
            open.sort_unstable();
            for (number, id) in open {
                ledger.reopen(id, *number);
            }
            ledger
        });
        let answers_apart = !matches!(self.form, Form::Lines(format) | Form::Events(format) if !format.answers_apart());
        Indexer {
            hashes: &mut self.hashes,
            open: &mut self.open,
            tools: &mut self.tools,
            path: &self.path,
            ledger,
            batch,
            names: scan.names,
            observer: scan.observer,
            answers_apart,
        }
    }

    /// Hands a batch over, with the names that it is the first to use.
    fn finish(&self, mut batch: Batch, scan: &mut Scan<'_, '_>, old: Option<&[u64]>) {
        if batch.restarts {
            let same = old.unwrap_or_default().iter().zip(&self.hashes).take_while(|(a, b)| a == b).count();
            batch.same = u32::try_from(same).unwrap_or(u32::MAX);
        }
        batch.names = scan.names.take_new();
        batch.read_to = self.offset;
        (scan.sink)(batch);
    }
}

fn probe(file: &mut File, offset: u64, length: u64) -> io::Result<u64> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(offset))?;
    file.take(length).read_to_end(&mut bytes)?;
    Ok(hash::bytes(0, &bytes))
}
