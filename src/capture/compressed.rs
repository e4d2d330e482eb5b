//! Compressed files and bodies: gzip and Zstandard, known by their first bytes.

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::cell::Cell;
use std::io::{self, BufRead as _, BufReader, Read};
use std::rc::Rc;

/// How much a compressed body inside a capture may become.
const BODY_CAP: u64 = 256 << 20;

/// How a source is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    Zstd,
}

/// The compression that these first bytes begin, if any.
pub(crate) fn detect(start: &[u8]) -> Option<Compression> {
    match start {
        [0x1F, 0x8B, 8, ..] => Some(Compression::Gzip),
        [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Compression::Zstd),
        _ => None,
    }
}

/// What a source may become whatever its size, and how many times its size beyond that. Sessions become 5 to 50 times as large; what
/// becomes a thousand times as large holds one thing again and again.
const MODEST: u64 = 256 << 20;
const RATIO: u64 = 250;

/// A reader of what a compressed source holds, which stops with an error after `cap` bytes, or where it becomes out of all proportion.
pub(crate) fn reader<'a>(source: impl Read + 'a, compression: Compression, cap: u64) -> Box<dyn Read + 'a> {
    let taken = Rc::new(Cell::new(0));
    let source = Counted { source, taken: Rc::clone(&taken) };
    let plain: Box<dyn Read + 'a> = match compression {
        Compression::Gzip => Box::new(MultiGzDecoder::new(source)),
        Compression::Zstd => Box::new(Frames::new(source)),
    };
    Box::new(Capped { source: plain, given: 0, taken, cap })
}

/// What compressed bytes hold; `None` if they are not compressed, or broken.
pub(crate) fn inflate(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    reader(bytes, detect(bytes)?, BODY_CAP).read_to_end(&mut plain).ok()?;
    Some(plain)
}

/// The frames of a Zstandard file, one after the other.
struct Frames<R: Read> {
    source: BufReader<R>,
    frame: FrameDecoder,
    open: bool,
    /// Why there is nothing behind what has been decoded.
    failed: Option<io::Error>,
}

impl<R: Read> Frames<R> {
    fn new(source: R) -> Self {
        Self { source: BufReader::new(source), frame: FrameDecoder::new(), open: false, failed: None }
    }

    /// Decodes a block more. One that is broken ends its frame: the decoder keeps back as much as later blocks may refer to, up to
    /// megabytes, and gives it out at the end of a frame alone.
    fn decode(&mut self) {
        const EMPTY_LAST_BLOCK_AND_CHECKSUM: &[u8] = &[1, 0, 0, 0, 0, 0, 0];
        let one = || BlockDecodingStrategy::UptoBlocks(1);
        if let Err(error) = self.frame.decode_blocks(&mut self.source, one()) {
            let cut = matches!(self.source.fill_buf(), Ok([]));
            let reason = if cut { "the compressed data is cut off".to_owned() } else { error.to_string() };
            self.failed = Some(io::Error::new(io::ErrorKind::InvalidData, reason));
            self.open = self.frame.decode_blocks(EMPTY_LAST_BLOCK_AND_CHECKSUM, one()).is_ok();
        }
    }

    /// Begins the next frame; whether there is one.
    fn next(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.frame.reset(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    io::copy(&mut (&mut self.source).take(u64::from(length)), &mut io::sink())?;
                }
                Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error.to_string())),
            }
        }
        Ok(false)
    }
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.open {
                let ready = self.frame.read(into)?;
                if ready > 0 {
                    return Ok(ready);
                }
                if self.frame.is_finished() {
                    self.open = false;
                    continue;
                }
                self.decode();
            } else if let Some(error) = self.failed.take() {
                return Err(error);
            } else {
                self.open = self.next()?;
                if !self.open {
                    return Ok(0);
                }
            }
        }
    }
}

/// Ends with an error where a small file would become too much.
struct Capped<R> {
    source: R,
    given: u64,
    /// How much of the compressed source has been read.
    taken: Rc<Cell<u64>>,
    cap: u64,
}

impl<R: Read> Read for Capped<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(into)?;
        self.given += read as u64;
        let reason = if self.given > self.cap {
            format!("more than the cap of {} bytes", self.cap)
        } else if self.given > MODEST.max(self.taken.get().saturating_mul(RATIO)) {
            format!("more than {RATIO} times its size")
        } else {
            return Ok(read);
        };
        Err(io::Error::other(format!("expands to {reason}; decompress it first")))
    }
}

/// Counts what is read.
struct Counted<R> {
    source: R,
    taken: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(into)?;
        self.taken.set(self.taken.get() + read as u64);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(text: &[u8]) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest)
    }

    #[test]
    fn several_members_are_one_text() {
        for pack in [gzip, zstd] {
            let skipped = if pack(b"x")[0] == 0x28 { &b"\x50\x2A\x4D\x18\x03\x00\x00\x00abc"[..] } else { b"" };
            let packed = [&pack(b"hello "), skipped, &pack(&vec![b'y'; 300_000]), &pack(b"")].concat();
            let plain = inflate(&packed).unwrap();
            assert_eq!((plain.len(), &plain[..7]), (300_006, &b"hello y"[..]));
            assert!(inflate(&packed[..packed.len() - 3]).is_none());
            // What stands before the place where it is cut is there.
            let (mut start, text) = (Vec::new(), format!("{:060000}", 7));
            let packed = [pack(text.as_bytes()), pack(&(0..=255).cycle().take(900_000).collect::<Vec<u8>>())].concat();
            let mut cut = reader(&packed[..packed.len() - 5], detect(&packed).unwrap(), u64::MAX);
            assert!(cut.read_to_end(&mut start).is_err());
            assert!(start.len() >= 700_000 && start.starts_with(text.as_bytes()), "{}", start.len());
            let mut capped = reader(&packed[..], detect(&packed).unwrap(), 1000);
            let error = capped.read_to_end(&mut Vec::new()).unwrap_err().to_string();
            assert!(error.contains("cap of 1000"), "{error}");
        }
        assert!(inflate(b"plain").is_none());
    }

    #[test]
    fn what_expands_without_measure_is_stopped() {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        let (zeros, mut into) = (vec![0; 1 << 20], vec![0; 1 << 20]);
        (0..300).for_each(|_| encoder.write_all(&zeros).unwrap());
        let packed = encoder.finish().unwrap();
        let mut bomb = reader(&packed[..], Compression::Gzip, u64::MAX);
        let mut given = 0;
        let error = loop {
            match bomb.read(&mut into) {
                Ok(0) => panic!("all of it was read"),
                Ok(read) => given += read as u64,
                Err(error) => break error.to_string(),
            }
        };
        assert_eq!(error, "expands to more than 250 times its size; decompress it first");
        assert!((MODEST - (1 << 20)..=MODEST).contains(&given), "{given}");
    }
}
