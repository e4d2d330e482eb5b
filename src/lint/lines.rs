//! Line numbers, found by halving in a list made once for a file, and places found by an index of large objects: neither a
//! file of many tools nor a tool of many parameters is gone through again for each finding.

use crate::definition::{Definition, Document};
use crate::json::{Kind, View, pointer_steps};
use std::cell::RefCell;
use std::collections::HashMap;

/// What is known of the files that were asked about.
#[derive(Default)]
pub(super) struct Lines {
    documents: RefCell<HashMap<*const Document, Known>>,
}

#[derive(Default)]
struct Known {
    /// The offsets of line feeds.
    ends: Vec<usize>,
    /// The members of large objects: node numbers by key.
    members: HashMap<u32, HashMap<String, u32>>,
}

impl Lines {
    /// The line of a place in a definition's parameters; of the definition itself for the empty pointer, and for a place
    /// that is not there.
    pub fn line(&self, definition: &Definition, pointer: &str) -> u32 {
        let document = definition.document();
        let mut documents = self.documents.borrow_mut();
        let known = documents.entry(std::ptr::from_ref(document)).or_insert_with(|| {
            let ends = memchr::memchr_iter(b'\n', document.text()).collect();
            Known { ends, members: HashMap::new() }
        });
        let root = definition.parameters_view().filter(|_| !pointer.is_empty());
        let place = root.and_then(|root| known.find(root, pointer)).unwrap_or_else(|| definition.view());
        u32::try_from(known.ends.partition_point(|end| *end < place.anchor()) + 1).unwrap_or(u32::MAX)
    }
}

impl Known {
    fn find<'a>(&mut self, root: View<'a>, pointer: &str) -> Option<View<'a>> {
        pointer_steps(pointer)?.iter().try_fold(root, |view, step| match view.kind() {
            Kind::Object => self.member(view, step),
            Kind::Array => view.children().nth(step.parse().ok()?),
            _ => None,
        })
    }

    fn member<'a>(&mut self, object: View<'a>, key: &str) -> Option<View<'a>> {
        const FEW: usize = 32;
        if object.children().nth(FEW).is_none() {
            return object.get(key);
        }
        let all = || object.children().filter_map(|child| Some((child.key_str()?.into_owned(), child.index()))).collect();
        let index = *self.members.entry(object.index()).or_insert_with(all).get(key)?;
        Some(object.sibling_at(index))
    }
}
