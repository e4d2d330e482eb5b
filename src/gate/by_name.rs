//! Looking names up: every call asks for a tool, and every key of its arguments for a rule.

/// Things by name.
#[derive(Debug)]
pub(super) struct ByName<T> {
    /// In ascending order, one for each entry.
    prints: Vec<u64>,
    entries: Vec<(Box<[u8]>, T)>,
}

impl<T> Default for ByName<T> {
    fn default() -> Self {
        Self { prints: Vec::new(), entries: Vec::new() }
    }
}

impl<T, N: Into<Box<[u8]>>> FromIterator<(N, T)> for ByName<T> {
    /// Each name may be there once.
    fn from_iter<I: IntoIterator<Item = (N, T)>>(entries: I) -> Self {
        let mut entries: Vec<(Box<[u8]>, T)> = entries.into_iter().map(|(name, thing)| (name.into(), thing)).collect();
        entries.sort_by_cached_key(|(name, _)| print(name));
        Self { prints: entries.iter().map(|(name, _)| print(name)).collect(), entries }
    }
}

impl<T> ByName<T> {
    pub fn get(&self, name: &[u8]) -> Option<&T> {
        let print = print(name);
        let mut at = self.prints.partition_point(|other| *other < print);
        while self.prints.get(at) == Some(&print) {
            let (other, thing) = &self.entries[at];
            // The print of a short name holds all of it.
            if name.len() < 8 || **other == *name {
                return Some(thing);
            }
            at += 1;
        }
        None
    }

    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.entries.iter().map(|(_, thing)| thing)
    }
}

/// A name's length and first seven bytes in one number: nearly all look-ups are decided by comparing these. (The length stops at
/// 255; so many bytes are compared anyway.)
#[inline]
fn print(name: &[u8]) -> u64 {
    let head = match (name, name.first_chunk::<8>(), name.first_chunk::<4>(), name.last_chunk::<4>()) {
        (_, Some(head), _, _) => u64::from_be_bytes(*head) >> 8,
        (_, _, Some(first), Some(last)) => {
            u64::from(u32::from_be_bytes(*first)) << 24 | u64::from(u32::from_be_bytes(*last) & 0xFF_FFFF)
        }
        (name, ..) => name.iter().fold(0, |head, byte| head << 8 | u64::from(*byte)),
    };
    (name.len().min(255) as u64) << 56 | head
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn what_is_there_is_found_and_nothing_else(
            names in proptest::collection::hash_set("[ab\u{0}]{0,10}|a{250,260}", 0..40),
            others in proptest::collection::vec("[ab\u{0}]{0,10}|a{250,260}", 0..40),
        ) {
            let list: Vec<(&[u8], &str)> = names.iter().map(|name| (name.as_bytes(), name.as_str())).collect();
            let found: ByName<&str> = list.into_iter().collect();
            for name in names.iter().chain(&others) {
                let wanted = names.get(name).map(String::as_str);
                proptest::prop_assert_eq!(found.get(name.as_bytes()).copied(), wanted);
            }
        }
    }
}
