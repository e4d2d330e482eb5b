//! Calls over time, in a bounded number of buckets whatever the span.

use super::Count;

/// The most buckets.
const BUCKETS: i64 = 128;

/// Widths of buckets in seconds, each a multiple of the one before, so that narrower buckets always fit into wider ones.
const WIDTHS: [i64; 14] = [1, 5, 15, 60, 300, 900, 3_600, 10_800, 43_200, 86_400, 604_800, 2_419_200, 29_030_400, 2_903_040_000];

/// Calls over time. Buckets begin at multiples of their width since 1970, and are as narrow as their number allows; so the order in
/// which calls are added makes no difference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// Which of the widths is in use.
    width: usize,
    /// The number of the first bucket since 1970.
    first: i64,
    buckets: Vec<Count>,
    /// Calls whose time is not recorded.
    pub untimed: Count,
}

impl Timeline {
    /// When the first bucket begins, in milliseconds since 1970; none without a timed call.
    #[must_use]
    pub fn start(&self) -> Option<i64> {
        (!self.buckets.is_empty()).then(|| self.first.saturating_mul(WIDTHS[self.width]).saturating_mul(1_000))
    }

    /// How much time a bucket stands for, in seconds.
    #[must_use]
    pub fn seconds(&self) -> i64 {
        WIDTHS[self.width]
    }

    /// The buckets, from the first with a call to the last.
    #[must_use]
    pub fn buckets(&self) -> &[Count] {
        &self.buckets
    }

    /// The buckets joined so that there are no more than so many, and how much time each stands for.
    #[must_use]
    pub fn at_most(&self, most: usize) -> (Vec<Count>, i64) {
        let each = self.buckets.len().div_ceil(most.max(1)).max(1);
        let sum = |part: &[Count]| {
            part.iter().fold(Count::default(), |a, b| Count { calls: a.calls + b.calls, failing: a.failing + b.failing })
        };
        let seconds = self.seconds().saturating_mul(i64::try_from(each).unwrap_or(i64::MAX));
        (self.buckets.chunks(each).map(sum).collect(), seconds)
    }

    /// Adds a call.
    pub(super) fn add(&mut self, at: Option<i64>, fails: bool) {
        match at {
            None => self.untimed.add(fails),
            Some(at) => self.put(at.div_euclid(1_000), Count { calls: 1, failing: u64::from(fails) }),
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.untimed.calls += other.untimed.calls;
        self.untimed.failing += other.untimed.failing;
        for (n, count) in (other.first..).zip(&other.buckets) {
            // Narrower than the other's they must not stay: what is inside its buckets is not known.
            self.widen_to(other.width);
            self.put(n.saturating_mul(other.seconds()), *count);
        }
    }

    fn put(&mut self, second: i64, count: Count) {
        let mut bucket = second.div_euclid(self.seconds());
        if self.buckets.is_empty() {
            self.first = bucket;
        }
        while !self.holds(bucket) && self.width + 1 < WIDTHS.len() {
            self.widen_to(self.width + 1);
            bucket = second.div_euclid(self.seconds());
        }
        if !self.holds(bucket) {
            // Times that no calendar has.
            return self.untimed_from(count);
        }
        if bucket < self.first {
            let missing = usize::try_from(self.first - bucket).unwrap_or_default();
            self.buckets.splice(0..0, std::iter::repeat_n(Count::default(), missing));
            self.first = bucket;
        }
        let at = usize::try_from(bucket - self.first).unwrap_or_default();
        if self.buckets.len() <= at {
            self.buckets.resize(at + 1, Count::default());
        }
        self.buckets[at].calls += count.calls;
        self.buckets[at].failing += count.failing;
    }

    fn untimed_from(&mut self, count: Count) {
        self.untimed.calls += count.calls;
        self.untimed.failing += count.failing;
    }

    fn holds(&self, bucket: i64) -> bool {
        let length = i64::try_from(self.buckets.len()).unwrap_or(i64::MAX);
        let last = self.first.saturating_add(length).saturating_sub(1).max(bucket);
        last.saturating_sub(self.first.min(bucket)) < BUCKETS
    }

    fn widen_to(&mut self, width: usize) {
        if width <= self.width {
            return;
        }
        let (old, first) = (self.seconds(), self.first);
        self.width = width;
        let buckets = std::mem::take(&mut self.buckets);
        self.first = first.saturating_mul(old).div_euclid(self.seconds());
        for (n, count) in (first..).zip(buckets) {
            let at = n.saturating_mul(old).div_euclid(self.seconds()).saturating_sub(self.first);
            let at = usize::try_from(at).unwrap_or_default();
            if self.buckets.len() <= at {
                self.buckets.resize(at + 1, Count::default());
            }
            self.buckets[at].calls += count.calls;
            self.buckets[at].failing += count.failing;
        }
    }
}
