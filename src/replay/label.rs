//! How calls begin, for lists: some words of each, packed, as there may be a million.

use super::row;
use crate::capture::Call;
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress};
use std::fmt;
use std::sync::Arc;

/// How a call begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// The beginning of its arguments: one line, safe to show.
    pub text: String,
    /// The beginning of its id, if it has one.
    pub id: Option<String>,
}

impl Label {
    /// The label of a call.
    #[must_use]
    pub fn of(call: &Call) -> Self {
        Self { text: row::beginning(call).into(), id: row::beginning_of_id(call).map(str::to_owned) }
    }
}

/// So many labels are packed together: more take less memory, and longer to look at.
const TOGETHER: usize = 128;
/// Bytes for how many there are, and for the lengths of each.
const HEAD: usize = 2;
const LENGTHS: usize = 4;
/// Fewer are not worth packing.
const FEW: usize = 8;

/// The labels of the calls of a file, in order. A clone shares what is packed.
#[derive(Clone, Debug, Default)]
pub struct Labels(Vec<Block>);

#[derive(Clone)]
struct Block {
    /// The number of the label after its last.
    end: u32,
    /// The number of its first label: some at its end may be forgotten.
    start: u32,
    /// How many bytes there are when it is unpacked; 0 where it is not packed.
    size: u32,
    bytes: Arc<[u8]>,
}

impl Labels {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.last().map_or(0, |block| block.end as usize)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Puts the labels of the calls from this number on after these.
    pub fn append(&mut self, from: usize, others: Self) {
        let by = u32::try_from(from.max(self.len())).unwrap_or(u32::MAX);
        self.0.extend(others.0.into_iter().map(|block| Block {
            start: block.start.saturating_add(by),
            end: block.end.saturating_add(by),
            ..block
        }));
    }

    /// Forgets all but the first.
    pub fn truncate(&mut self, length: usize) {
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        self.0.retain(|block| block.start < length);
        if let Some(last) = self.0.last_mut() {
            last.end = last.end.min(length);
        }
    }

    /// The label of this number; an empty one where there is none. Several in a row are read faster by one reader.
    #[must_use]
    pub fn get(&self, number: u32) -> Label {
        LabelReader::default()
            .read(self, number)
            .map_or_else(Label::default, |(text, id)| Label { text: text.to_owned(), id: id.map(str::to_owned) })
    }

    fn block(&self, number: u32) -> Option<&Block> {
        self.0.get(self.0.partition_point(|block| block.end <= number)).filter(|block| block.start <= number)
    }
}

impl fmt::Debug for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}: {} bytes", self.start, self.end, self.bytes.len())
    }
}

/// Packs labels.
pub struct Packer {
    compress: Compress,
    plain: Vec<u8>,
}

impl Default for Packer {
    fn default() -> Self {
        Self { compress: Compress::new(Compression::fast(), false), plain: Vec::new() }
    }
}

impl fmt::Debug for Packer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Packer")
    }
}

impl Packer {
    /// Packs the labels of calls that follow each other.
    pub fn pack(&mut self, labels: &[Label]) -> Labels {
        let mut start = 0;
        let block = |labels: &[Label]| {
            let end = start + u32::try_from(labels.len()).unwrap_or(u32::MAX);
            let (size, bytes) = self.bytes(labels);
            Block { start: std::mem::replace(&mut start, end), end, size, bytes }
        };
        Labels(labels.chunks(TOGETHER).map(block).collect())
    }

    /// First how many there are, and how long each text and id is (and 1 more where there is one), then all texts, then all ids: what is alike stands together.
    fn bytes(&mut self, labels: &[Label]) -> (u32, Arc<[u8]>) {
        self.plain.clear();
        self.plain.extend(u16::try_from(labels.len()).unwrap_or(0).to_le_bytes());
        let length = |text: &str| u16::try_from(text.len()).unwrap_or(0).to_le_bytes();
        for label in labels {
            self.plain.extend(length(&label.text));
            self.plain.extend(label.id.as_deref().map_or([0; 2], |id| (u16::from_le_bytes(length(id)) + 1).to_le_bytes()));
        }
        self.plain.extend(labels.iter().flat_map(|label| label.text.bytes()));
        self.plain.extend(labels.iter().flat_map(|label| &label.id).flat_map(|id| id.bytes()));
        let size = u32::try_from(self.plain.len()).unwrap_or(0);
        if labels.len() >= FEW {
            self.compress.reset();
            let mut packed = Vec::with_capacity(self.plain.len());
            let done = self.compress.compress_vec(&self.plain, &mut packed, FlushCompress::Finish);
            // What does not get shorter stays as it is.
            if matches!(done, Ok(flate2::Status::StreamEnd)) {
                return (size, Arc::from(packed));
            }
        }
        (0, Arc::from(&*self.plain))
    }
}

/// Reads labels. It knows those that are packed with the last one.
#[derive(Default)]
pub struct LabelReader {
    decompress: Option<Decompress>,
    /// What is unpacked, and of what.
    now: Option<Arc<[u8]>>,
    plain: Vec<u8>,
    /// Where each text ends, and where each id does; the ids follow the texts.
    ends: Vec<(usize, usize, bool)>,
    texts: usize,
}

impl fmt::Debug for LabelReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LabelReader")
    }
}

impl LabelReader {
    /// Text and id of a label; none where there is none.
    pub fn read(&mut self, labels: &Labels, number: u32) -> Option<(&str, Option<&str>)> {
        let block = labels.block(number)?;
        if self.now.as_ref().is_none_or(|now| !Arc::ptr_eq(now, &block.bytes)) {
            self.unpack(block)?;
        }
        let at = (number - block.start) as usize;
        let (text_end, id_end, has_id) = *self.ends.get(at)?;
        let (text_start, id_start) = at.checked_sub(1).map_or((0, 0), |before| (self.ends[before].0, self.ends[before].1));
        let head = HEAD + LENGTHS * self.ends.len();
        let part = |from: usize, to: usize| std::str::from_utf8(self.plain.get(head + from..head + to)?).ok();
        let id = part(self.texts + id_start, self.texts + id_end)?;
        Some((part(text_start, text_end)?, has_id.then_some(id)))
    }

    fn unpack(&mut self, block: &Block) -> Option<()> {
        self.now = None;
        self.plain.clear();
        if block.size == 0 {
            self.plain.extend_from_slice(&block.bytes);
        } else {
            self.plain.reserve_exact(block.size as usize);
            let decompress = self.decompress.get_or_insert_with(|| Decompress::new(false));
            decompress.reset(false);
            decompress.decompress_vec(&block.bytes, &mut self.plain, FlushDecompress::Finish).ok()?;
        }
        self.ends.clear();
        let count = usize::from(u16::from_le_bytes([*self.plain.first()?, *self.plain.get(1)?]));
        let (mut text_end, mut id_end) = (0, 0);
        for lengths in self.plain.get(HEAD..HEAD + LENGTHS * count)?.chunks_exact(LENGTHS) {
            let length = |at: usize| usize::from(u16::from_le_bytes([lengths[at], lengths[at + 1]]));
            text_end += length(0);
            id_end += length(2).saturating_sub(1);
            self.ends.push((text_end, id_end, length(2) > 0));
        }
        self.texts = text_end;
        self.now = Some(Arc::clone(&block.bytes));
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn label() -> impl Strategy<Value = Label> {
        let id = proptest::option::of(proptest::string::string_regex("[a-zé\0]{0,64}").unwrap());
        ("[ -~é\u{2066}]{0,80}", id).prop_map(|(text, id)| Label { text, id })
    }

    proptest! {
        #[test]
        fn labels_are_the_same_again(
            batches in proptest::collection::vec(proptest::collection::vec(label(), 0..200), 0..4),
            keep in 0..300usize,
            more in proptest::collection::vec(label(), 0..20),
        ) {
            let (mut packer, mut labels, mut known) = (Packer::default(), Labels::default(), Vec::new());
            for batch in batches {
                labels.append(known.len(), packer.pack(&batch));
                known.extend(batch);
            }
            labels.truncate(keep);
            known.truncate(keep);
            labels.append(known.len(), packer.pack(&more));
            known.extend(more);
            prop_assert_eq!(labels.len(), known.len());
            let mut reader = LabelReader::default();
            for (n, label) in (0..).zip(&known) {
                prop_assert_eq!(reader.read(&labels, n), Some((label.text.as_str(), label.id.as_deref())));
                prop_assert_eq!(&labels.get(n), label);
            }
            let after = u32::try_from(known.len()).unwrap();
            prop_assert_eq!(reader.read(&labels, after), None);
        }
    }

    #[test]
    fn packed_they_take_less() {
        let label = |n| Label { text: format!("{{\"file_path\":\"src/{n}.rs\",\"limit\":{n}}}"), id: Some(format!("call-{n}")) };
        let labels: Vec<Label> = (0..1_000).map(label).collect();
        let plain: usize = labels.iter().map(|label| label.text.len() + label.id.as_ref().map_or(0, String::len)).sum();
        let packed: usize = Packer::default().pack(&labels).0.iter().map(|block| block.bytes.len()).sum();
        assert!(packed * 3 < plain, "{packed} of {plain} bytes");
    }
}
