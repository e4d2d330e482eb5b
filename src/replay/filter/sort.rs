//! Sort orders of calls: `time desc, tool`.

use super::error::FilterError;
use super::eval::severity;
use super::facts::RowFacts;
use super::suggest::nearest;
use std::cmp::Ordering;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// What calls are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SortKey {
    /// When they were made; calls without a time stand last either way.
    Time,
    /// The tool's name, case last.
    Tool,
    /// The verdict, the worst first.
    Verdict,
    /// The number of issues.
    Issues,
    /// The model's name; calls without one stand last either way.
    Model,
    /// Their place: file, then order in it.
    File,
}

impl SortKey {
    /// All keys.
    pub const ALL: [Self; 6] = [Self::Time, Self::Tool, Self::Verdict, Self::Issues, Self::Model, Self::File];

    /// The key's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Tool => "tool",
            Self::Verdict => "verdict",
            Self::Issues => "issues",
            Self::Model => "model",
            Self::File => "file",
        }
    }

    /// What it sorts by, in a few words.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            Self::Time => "when the calls were made; those without a time stand last either way",
            Self::Tool => "the tool's name",
            Self::Verdict => "the verdict, the worst first: rejected, unparsable, unknown tool, pending, accepted, the others",
            Self::Issues => "the number of issues",
            Self::Model => "the model; calls without one stand last either way",
            Self::File => "the file's path, then the place in it",
        }
    }

    fn compare(self, direction: Direction, a: &RowFacts<'_>, b: &RowFacts<'_>) -> Ordering {
        match self {
            Self::Time => known_first(direction, a.at.as_ref(), b.at.as_ref(), Ord::cmp),
            Self::Model => known_first(direction, a.model, b.model, names),
            Self::Tool => direction.apply(names(a.tool, b.tool)),
            Self::Verdict => direction.apply(severity(a).cmp(&severity(b))),
            Self::Issues => direction.apply(a.outcome.issues.cmp(&b.outcome.issues)),
            Self::File => direction.apply(a.file.cmp(b.file).then(a.order.cmp(&b.order))),
        }
    }
}

fn names(a: &str, b: &str) -> Ordering {
    fn folded(text: &str) -> impl Iterator<Item = u8> {
        text.bytes().map(|byte| byte.to_ascii_lowercase())
    }
    // Most calls are of few tools.
    if a == b { Ordering::Equal } else { folded(a).cmp(folded(b)).then_with(|| a.cmp(b)) }
}

fn known_first<T: ?Sized>(
    direction: Direction,
    a: Option<&T>,
    b: Option<&T>,
    compare: impl FnOnce(&T, &T) -> Ordering,
) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => direction.apply(compare(a, b)),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

/// Which end comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The least first.
    #[default]
    Ascending,
    /// The greatest first.
    Descending,
}

impl Direction {
    fn apply(self, ordering: Ordering) -> Ordering {
        match self {
            Self::Ascending => ordering,
            Self::Descending => ordering.reverse(),
        }
    }
}

/// A sort order: by the first key, where that is equal by the second, and so on; what is equal by all stays as it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sort {
    /// The keys, without repeats.
    keys: Vec<(SortKey, Direction)>,
}

impl Sort {
    /// An order by these keys; of a key that is there twice, the first counts.
    pub fn by(keys: impl IntoIterator<Item = (SortKey, Direction)>) -> Self {
        let mut sort = Self::default();
        for (key, direction) in keys {
            if sort.keys.iter().all(|(known, _)| *known != key) {
                sort.keys.push((key, direction));
            }
        }
        sort
    }

    /// The keys, the first one first.
    #[must_use]
    pub fn keys(&self) -> &[(SortKey, Direction)] {
        &self.keys
    }

    /// This order with the key in front: turned round if it is there already.
    #[must_use]
    pub fn toggled(&self, key: SortKey) -> Self {
        let direction = match self.keys.first() {
            Some((first, Direction::Ascending)) if *first == key => Direction::Descending,
            _ => Direction::Ascending,
        };
        Self::by(std::iter::once((key, direction)).chain(self.keys.iter().copied()))
    }

    /// How two calls stand to each other.
    #[must_use]
    pub fn compare(&self, a: &RowFacts<'_>, b: &RowFacts<'_>) -> Ordering {
        let orders = self.keys.iter().map(|(key, direction)| key.compare(*direction, a, b));
        orders.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }

    /// Sorts things by the facts of their calls. Stable.
    pub fn sort<'f, T>(&self, items: &mut [T], facts: impl Fn(&T) -> RowFacts<'f>) {
        items.sort_by(|a, b| self.compare(&facts(a), &facts(b)));
    }
}

/// `time desc, tool`
impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, (key, direction)) in self.keys.iter().enumerate() {
            let separator = if n > 0 { ", " } else { "" };
            let direction = if *direction == Direction::Descending { " desc" } else { "" };
            write!(f, "{separator}{}{direction}", key.name())?;
        }
        Ok(())
    }
}

impl FromStr for Sort {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        let mut keys: Vec<(SortKey, Direction)> = Vec::new();
        let mut at = 0;
        for part in text.split(',') {
            let (key, range) = one(part, at)?;
            if keys.iter().any(|(known, _)| *known == key.0) {
                return Err(FilterError::new(range, "each key once"));
            }
            keys.push(key);
            at += part.len() + 1;
        }
        Ok(Self { keys })
    }
}

/// One key with its direction, and where the key stands; `at` is where the part begins.
fn one(part: &str, at: usize) -> Result<((SortKey, Direction), Range<usize>), FilterError> {
    let place = |word: &str| {
        let start = at + (word.as_ptr().addr() - part.as_ptr().addr());
        start..start + word.len()
    };
    let mut words = part.split_whitespace();
    let keys = || SortKey::ALL.map(SortKey::name);
    let wrong = |range| FilterError::new(range, format!("one of {}", keys().join(", ")));
    let Some(word) = words.next() else { return Err(wrong(at..at + part.len())) };
    let key = SortKey::ALL.into_iter().find(|key| key.name().eq_ignore_ascii_case(word));
    let key = key.ok_or_else(|| wrong(place(word)).suggest(nearest(word, keys()).map(str::to_owned)))?;
    let direction = match words.next() {
        None => Direction::Ascending,
        Some(order) if order.eq_ignore_ascii_case("asc") => Direction::Ascending,
        Some(order) if order.eq_ignore_ascii_case("desc") => Direction::Descending,
        Some(order) => {
            let meant = nearest(order, ["asc", "desc"]).map(str::to_owned);
            return Err(FilterError::new(place(order), "asc, desc or a comma").suggest(meant));
        }
    };
    match words.next() {
        None => Ok(((key, direction), place(word))),
        Some(more) => Err(FilterError::new(place(more), "a comma")),
    }
}
