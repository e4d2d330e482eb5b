//! Numbers as JavaScript reads and writes them.

use std::fmt::Write as _;

/// The double nearest to a number literal that has already been checked; too large becomes infinite, as in `JSON.parse`.
pub(super) fn parse(literal: &[u8]) -> f64 {
    let text = std::str::from_utf8(literal).unwrap_or("0");
    text.parse().unwrap_or(f64::NAN)
}

/// Appends a number as `JSON.stringify` writes it: the shortest digits that read back as the same double, an exponent from
/// 1e21 and below 1e-6, `-0` as `0`, and infinity as `null` (ECMA-262, `Number::toString` and `SerializeJSONProperty`).
pub(super) fn push(out: &mut String, number: f64) {
    if !number.is_finite() {
        out.push_str("null");
        return;
    }
    if number == 0.0 {
        out.push('0');
        return;
    }
    // Rust's exponent form has the same shortest digits; only their layout differs.
    let mut scientific = String::with_capacity(24);
    let _ = write!(scientific, "{:e}", number.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    if number < 0.0 {
        out.push('-');
    }
    push_digits(out, &digits, exponent);
}

fn push_digits(out: &mut String, digits: &str, exponent: i32) {
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    match exponent {
        0..=20 if count <= exponent + 1 => {
            out.push_str(digits);
            (count..=exponent).for_each(|_| out.push('0'));
        }
        0..=20 => {
            let (whole, fraction) = digits.split_at(usize::try_from(exponent + 1).unwrap_or(1));
            out.push_str(whole);
            out.push('.');
            out.push_str(fraction);
        }
        -6..=-1 => {
            out.push_str("0.");
            (exponent + 1..0).for_each(|_| out.push('0'));
            out.push_str(digits);
        }
        _ => {
            let (first, rest) = digits.split_at(1);
            out.push_str(first);
            if !rest.is_empty() {
                out.push('.');
                out.push_str(rest);
            }
            let _ = write!(out, "e{}{}", if exponent < 0 { '-' } else { '+' }, exponent.abs());
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn written_as_javascript_writes_them() {
        // Left: a literal; right: what `JSON.stringify(JSON.parse(literal))` printed under Node 20.
        for (literal, written) in [
            ("0", "0"),
            ("-0", "0"),
            ("1.0", "1"),
            ("-1.50", "-1.5"),
            ("1e3", "1000"),
            ("1e20", "100000000000000000000"),
            ("1e21", "1e+21"),
            ("123456789012345680000", "123456789012345680000"),
            ("1.5e300", "1.5e+300"),
            ("0.000001", "0.000001"),
            ("0.0000001", "1e-7"),
            ("0.00000012345", "1.2345e-7"),
            ("0.000123", "0.000123"),
            ("9007199254740993", "9007199254740992"),
            ("5e-324", "5e-324"),
            ("1.7976931348623157e308", "1.7976931348623157e+308"),
            ("1e400", "null"),
            ("-1e400", "null"),
            ("100", "100"),
            ("12.34", "12.34"),
            ("4.35", "4.35"),
            ("0.1", "0.1"),
        ] {
            let mut out = String::new();
            super::push(&mut out, super::parse(literal.as_bytes()));
            assert_eq!(out, written, "{literal}");
        }
    }
}
