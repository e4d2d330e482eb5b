//! Calls that another file has had already.

use crate::capture::{Call, identity};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// Tells calls that come again in another file. In one file readers do that.
#[derive(Default)]
pub(super) struct Again {
    /// By identity: the file that had the call first.
    first: HashMap<u64, u32>,
    files: HashMap<Arc<Path>, u32>,
    /// The file of the last call, and its number.
    last: Option<(Arc<Path>, u32)>,
}

impl Again {
    /// Whether another file had the call first. Without an id a call is never a repeat.
    pub fn is_again(&mut self, call: &Call) -> bool {
        let Some(identity) = Self::identity(call) else { return false };
        let number = self.number(&call.place.file);
        self.has(identity, number)
    }

    /// The same for a call of which the identity and its file's number are known.
    pub fn has(&mut self, identity: u64, number: u32) -> bool {
        *self.first.entry(identity).or_insert(number) != number
    }

    /// By what a call is known again; none without an id.
    pub fn identity(call: &Call) -> Option<u64> {
        call.id.is_some().then(|| identity(call))
    }

    fn number(&mut self, file: &Arc<Path>) -> u32 {
        if let Some((last, number)) = &self.last
            && Arc::ptr_eq(last, file)
        {
            return *number;
        }
        let next = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
        let number = *self.files.entry(Arc::clone(file)).or_insert(next);
        self.last = Some((Arc::clone(file), number));
        number
    }
}
