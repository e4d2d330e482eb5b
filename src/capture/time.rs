//! Times of captures: read leniently, for ordering; written as RFC 3339.

/// Milliseconds since 1970 of a time such as `2026-11-24T09:13:14.5Z`, `2026-11-24 09:13:14+02:00` or one without a zone,
/// which is taken as UTC. `None` for anything else.
#[must_use]
pub fn millis(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let number = |range: std::ops::Range<usize>| -> Option<i64> {
        let digits = bytes.get(range)?;
        digits.iter().all(u8::is_ascii_digit).then(|| digits.iter().fold(0, |n, d| n * 10 + i64::from(d - b'0')))
    };
    let is = |at: usize, set: &[u8]| bytes.get(at).is_some_and(|b| set.contains(b));
    let shape = is(4, b"-") && is(7, b"-") && is(10, b"Tt ") && is(13, b":") && is(16, b":");
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    let sane = (1..=12).contains(&month) && (1..=31).contains(&day) && hour < 24 && minute < 60 && second <= 60;
    if !shape || !sane {
        return None;
    }
    let mut at = 19;
    let mut fraction = 0;
    if is(at, b".") {
        let digits = bytes[at + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
        let three: String = text.get(at + 1..at + 1 + digits)?.chars().chain("000".chars()).take(3).collect();
        fraction = three.parse().ok()?;
        at += 1 + digits;
    }
    let zone = match bytes.get(at..)? {
        b"" | b"Z" | b"z" => 0,
        [sign @ (b'+' | b'-'), _, _, b':', _, _] => {
            let minutes = number(at + 1..at + 3)? * 60 + number(at + 4..at + 6)?;
            if *sign == b'-' { -minutes } else { minutes }
        }
        _ => return None,
    };
    let seconds = days_from_civil(year, month, day) * 86_400 + hour * 3600 + (minute - zone) * 60 + second;
    Some(seconds * 1000 + fraction)
}

/// The RFC 3339 text of a time in milliseconds since 1970, in UTC; without a fraction where that is zero.
#[must_use]
pub fn rfc3339(millis: i64) -> String {
    let (seconds, fraction) = (millis.div_euclid(1000), millis.rem_euclid(1000));
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = civil_from_days(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let fraction = if fraction == 0 { String::new() } else { format!(".{fraction:03}") };
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z")
}

/// The RFC 3339 text of a number that an API gives as a time: seconds, milliseconds or nanoseconds since 1970, told apart by size.
#[must_use]
pub fn from_number(number: f64) -> Option<String> {
    // 1e11 seconds is the year 5138; as milliseconds it is 1973. APIs with numbers are younger than that.
    let scale = match number {
        n if !(1.0..1e20).contains(&n) => return None,
        n if n < 1e11 => 1000.0,
        n if n < 1e14 => 1.0,
        n if n < 1e17 => 1e-3,
        _ => 1e-6,
    };
    #[expect(clippy::cast_possible_truncation, reason = "at most 1e14, which fits")]
    Some(rfc3339((number * scale) as i64))
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar, by Howard Hinnant's `days_from_civil`.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The inverse: `civil_from_days`.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let (day, month) = (of_year - (153 * shifted + 2) / 5 + 1, if shifted < 10 { shifted + 3 } else { shifted - 9 });
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_and_written() {
        for (text, written) in [
            ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"),
            ("2026-11-24T09:13:14Z", "2026-11-24T09:13:14Z"),
            ("2024-02-29T23:59:59.9876+01:30", "2024-02-29T22:29:59.987Z"),
            ("2024-12-05T19:06:19.786938", "2024-12-05T19:06:19.786Z"),
            ("1969-12-31 23:59:59.5Z", "1969-12-31T23:59:59.500Z"),
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
        ] {
            assert_eq!(rfc3339(millis(text).unwrap()), written);
        }
        for text in ["", "2026-11-24", "2026-13-01T00:00:00Z", "2026-11-24T09:13:14 UTC", "2026-11-24T09:13:14é", "x"] {
            assert_eq!(millis(text), None, "{text}");
        }
        assert_eq!(from_number(1_745_961_622.0).unwrap(), "2025-04-29T21:20:22Z");
        assert_eq!(from_number(1_745_961_622_500.0).unwrap(), "2025-04-29T21:20:22.500Z");
        assert_eq!(from_number(1_730_518_953_176_773_492.0).unwrap(), "2024-11-02T03:42:33.176Z");
        assert_eq!((from_number(f64::INFINITY), from_number(-1.0)), (None, None));
    }
}
