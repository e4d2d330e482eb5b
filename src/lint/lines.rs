//! Line numbers, found by halving in a list made once for a file: a file of many tools is not read again for each finding.

use crate::definition::{Definition, Document};
use std::cell::RefCell;
use std::collections::HashMap;

/// The line starts of the files that were asked about.
#[derive(Default)]
pub(super) struct Lines {
    by_document: RefCell<HashMap<*const Document, Vec<usize>>>,
}

impl Lines {
    /// The line of a place in a definition's parameters; of the definition itself for the empty pointer, and for a place
    /// that is not there.
    pub fn line(&self, definition: &Definition, pointer: &str) -> u32 {
        let place = if pointer.is_empty() { None } else { definition.parameters_view().and_then(|v| v.at_pointer(pointer)) };
        let offset = place.unwrap_or_else(|| definition.view()).anchor();
        let document = definition.document();
        let mut known = self.by_document.borrow_mut();
        let ends =
            known.entry(std::ptr::from_ref(document)).or_insert_with(|| memchr::memchr_iter(b'\n', document.text()).collect());
        u32::try_from(ends.partition_point(|end| *end < offset) + 1).unwrap_or(u32::MAX)
    }
}
