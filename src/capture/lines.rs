//! Lines of any length from any source, with their places.

use std::io::{self, Read};

/// How much is read at once, and how much at first: most files are small, and a buffer costs what is in it.
const CHUNK: usize = 256 * 1024;
const FIRST: usize = 16 * 1024;

/// Cuts a source into lines. Holds the line that it hands out and what was read with it, and nothing else.
pub(crate) struct LineSource<R> {
    source: R,
    buffer: Vec<u8>,
    /// The part of the buffer that holds bytes not handed out yet.
    start: usize,
    end: usize,
    /// File offset of `start`.
    offset: u64,
    ended: bool,
    /// Why it ended, where that was no end.
    failed: Option<io::Error>,
    cap: usize,
}

/// One line.
pub(crate) struct Line<'a> {
    /// Its bytes, without the line end; empty if it was too long.
    pub bytes: &'a [u8],
    /// The offset at which it starts.
    pub offset: u64,
    /// Whether it has a line end: the last line may not have one (yet).
    pub terminated: bool,
    /// Its length, where that was over the cap.
    pub too_long: Option<u64>,
}

impl<R: Read> LineSource<R> {
    /// Lines of a source whose first byte has this offset in its file.
    pub(crate) fn new(source: R, offset: u64, cap: usize) -> Self {
        Self { source, buffer: Vec::new(), start: 0, end: 0, offset, ended: false, failed: None, cap }
    }

    /// The bytes not handed out yet, at least `wanted` of them where there are so many.
    pub(crate) fn peek(&mut self, wanted: usize) -> &[u8] {
        while !self.ended && self.end - self.start < wanted {
            self.fill();
        }
        &self.buffer[self.start..self.end]
    }

    /// Whether all there is has been read into the buffer.
    pub(crate) fn is_complete(&self) -> bool {
        self.ended
    }

    /// The offset of the next byte to be handed out.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Drops bytes that were seen by [`LineSource::peek`].
    pub(crate) fn skip(&mut self, bytes: usize) {
        let bytes = bytes.min(self.end - self.start);
        self.start += bytes;
        self.offset += bytes as u64;
    }

    /// The next line, or `None` at the end.
    pub(crate) fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        let mut searched = 0;
        let length = loop {
            let unread = &self.buffer[self.start..self.end];
            if let Some(n) = memchr::memchr(b'\n', &unread[searched..]) {
                break searched + n;
            }
            searched = unread.len();
            if self.ended {
                break searched;
            }
            if searched > self.cap {
                return Ok(Some(self.skip_long_line()));
            }
            self.fill();
        };
        let terminated = self.start + length < self.end;
        if length == 0 && !terminated {
            return self.failed.take().map_or(Ok(None), Err);
        }
        let (at, offset) = (self.start, self.offset);
        self.skip(length + usize::from(terminated));
        let too_long = (length > self.cap).then_some(length as u64);
        let bytes = if too_long.is_some() { &[] } else { &self.buffer[at..at + length] };
        Ok(Some(Line { bytes, offset, terminated, too_long }))
    }

    fn skip_long_line(&mut self) -> Line<'static> {
        let offset = self.offset;
        loop {
            let unread = &self.buffer[self.start..self.end];
            let found = memchr::memchr(b'\n', unread);
            let used = found.map_or(unread.len(), |n| n + 1);
            self.skip(used);
            if found.is_some() || self.ended {
                let length = self.offset - offset - u64::from(found.is_some());
                return Line { bytes: &[], offset, terminated: found.is_some(), too_long: Some(length) };
            }
            self.fill();
        }
    }

    /// Why the source ended, where that was no end and nobody has been told. What came before is handed out first.
    pub(crate) fn failure(&mut self) -> io::Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// Reads some more behind what is there, moving that to the front of the buffer first where this makes room.
    fn fill(&mut self) {
        let step = self.buffer.len().clamp(FIRST, CHUNK);
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        } else if self.buffer.len() - self.end < step && self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        if self.buffer.len() - self.end < step {
            let doubled = self.buffer.len().saturating_mul(2).min(self.cap.saturating_add(2 * CHUNK));
            self.buffer.resize(doubled.max(self.end + step), 0);
        }
        loop {
            match self.source.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.ended = true,
                Ok(n) => self.end += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => (self.ended, self.failed) = (true, Some(error)),
            }
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source that gives few bytes at a time.
    struct Drip<'a>(&'a [u8], usize);

    impl Read for Drip<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let n = self.1.min(self.0.len()).min(into.len());
            into[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    fn lines(text: &[u8], step: usize, cap: usize) -> Vec<(String, u64, bool, Option<u64>)> {
        let mut source = LineSource::new(Drip(text, step), 0, cap);
        let mut found = Vec::new();
        while let Some(line) = source.next_line().unwrap() {
            found.push((String::from_utf8_lossy(line.bytes).into_owned(), line.offset, line.terminated, line.too_long));
        }
        found
    }

    #[test]
    fn places_and_ends() {
        for step in [1, 3, 1000] {
            let found = lines(b"ab\n\ncd\r\ne", step, 100);
            let expected = [("ab", 0, true), ("", 3, true), ("cd\r", 4, true), ("e", 8, false)];
            assert_eq!(found, expected.map(|(t, o, e)| (t.to_owned(), o, e, None)));
            assert_eq!(lines(b"", step, 100), []);
            assert_eq!(lines(b"\n", step, 100), [(String::new(), 0, true, None)]);
        }
    }

    #[test]
    fn long_lines_are_skipped_and_measured() {
        let text = [vec![b'x'; 1_000_000], b"\nok\n".to_vec(), vec![b'y'; 500_000]].concat();
        for step in [777, 1 << 20] {
            let found = lines(&text, step, 1000);
            assert_eq!(found[0], (String::new(), 0, true, Some(1_000_000)));
            assert_eq!(found[1], ("ok".to_owned(), 1_000_001, true, None));
            assert_eq!(found[2], (String::new(), 1_000_004, false, Some(500_000)));
        }
        assert_eq!(lines(&text, 4096, 2_000_000).len(), 3);
    }
}
