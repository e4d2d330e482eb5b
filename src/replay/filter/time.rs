//! Points in time as filters write them: an age, a day, a moment.

use crate::capture::time::{millis, rfc3339};
use std::fmt;

const DAY: i64 = 86_400_000;
/// Units of ages, in milliseconds, from the largest to the smallest.
const UNITS: [(char, i64); 5] = [('w', 7 * DAY), ('d', DAY), ('h', 3_600_000), ('m', 60_000), ('s', 1000)];

/// A point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// So many milliseconds before now.
    Ago(i64),
    /// A moment, in milliseconds since 1970.
    Moment(i64),
    /// A day (UTC), by the moment at which it begins.
    Day(i64),
}

impl When {
    /// Reads `10m`, `1h30m`, `2026-11-24`, `2026-11-24T09:13` and what captures hold as times.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(age) = age(text) {
            return Some(Self::Ago(age));
        }
        let (when, at) = match text.len() {
            10 => (Self::Day as fn(i64) -> Self, millis(&format!("{text}T00:00:00Z"))?),
            16 => (Self::Moment as fn(i64) -> Self, millis(&format!("{text}:00Z"))?),
            _ => (Self::Moment as fn(i64) -> Self, millis(text)?),
        };
        // Near the years 0 and 10,000 a zone leads to what cannot be written again.
        (millis(&rfc3339(at)) == Some(at)).then(|| when(at))
    }

    /// The first moment that belongs to what is since then.
    pub fn start(self, now: i64) -> i64 {
        match self {
            Self::Ago(age) => now.saturating_sub(age),
            Self::Moment(at) | Self::Day(at) => at,
        }
    }

    /// The last moment that belongs to what is until then: of a day, its end.
    pub fn end(self, now: i64) -> i64 {
        match self {
            Self::Day(at) => at.saturating_add(DAY - 1),
            other => other.start(now),
        }
    }
}

/// The length of an age in milliseconds: numbers, each with its unit.
fn age(text: &str) -> Option<i64> {
    let mut sum = 0_i64;
    let mut number = None;
    for c in text.chars() {
        if let Some(digit) = c.to_digit(10) {
            number = Some(number.unwrap_or(0_i64).checked_mul(10)?.checked_add(i64::from(digit))?);
        } else {
            let (_, unit) = UNITS.iter().find(|(name, _)| c.eq_ignore_ascii_case(name))?;
            sum = sum.checked_add(number.take()?.checked_mul(*unit)?)?;
        }
    }
    (number.is_none() && !text.is_empty()).then_some(sum)
}

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ago(0) => f.write_str("0s"),
            // Ages are whole seconds, so that the last unit always divides.
            Self::Ago(age) => {
                UNITS.iter().find(|(_, unit)| age % unit == 0).map_or(Ok(()), |(name, unit)| write!(f, "{}{name}", age / unit))
            }
            Self::Moment(at) => f.write_str(&rfc3339(*at)),
            Self::Day(at) => f.write_str(rfc3339(*at).get(..10).unwrap_or_default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_and_written() {
        for (text, written) in [
            ("10m", "10m"),
            ("90s", "90s"),
            ("1h30M", "90m"),
            ("14d", "2w"),
            ("0h", "0s"),
            ("2026-11-24", "2026-11-24"),
            ("2026-11-24T09:13", "2026-11-24T09:13:00Z"),
            ("2026-11-24 09:13:14.5+01:00", "2026-11-24T08:13:14.500Z"),
        ] {
            let when = When::parse(text).expect(text);
            assert_eq!(when.to_string(), written);
            assert_eq!(When::parse(written), Some(when));
        }
        let wrong = ["", "m", "10", "10x", "m10", "2026-11-2", "yesterday", "99999999999999999999d", "99999999999999999w", "é0m"];
        for text in wrong.into_iter().chain(["0000-01-01T00:00:00+09:00"]) {
            assert_eq!(When::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_day_lasts_until_its_end() {
        let day = When::parse("1970-01-02").unwrap();
        assert_eq!((day.start(0), day.end(0)), (DAY, 2 * DAY - 1));
        let age = When::parse("10s").unwrap();
        assert_eq!((age.start(15_000), age.end(15_000), age.start(i64::MIN)), (5000, 5000, i64::MIN));
    }
}
