//! What a string is, so that its replacement can be of the same kind.

use super::words::MAX_TOKEN;

/// What a string is.
pub(super) enum Class {
    /// A token or a number that keeps its shape.
    Shaped,
    Date {
        exists: bool,
    },
    Mail,
    Url,
    Path,
    /// One word or name.
    Word,
    Text,
}

/// The class of a string that says something.
pub(super) fn class(text: &str) -> Class {
    if let Some(exists) = date(text) {
        return Class::Date { exists };
    }
    let spaced = text.contains(char::is_whitespace);
    let has_digit = text.bytes().any(|b| b.is_ascii_digit());
    let is_number = has_digit && text.bytes().all(|b| b.is_ascii_digit() || b"+-.,:/() eE%".contains(&b));
    if is_number && text.len() <= MAX_TOKEN {
        return Class::Shaped;
    }
    if spaced {
        return Class::Text;
    }
    if text.split_once("://").is_some_and(|(scheme, _)| !scheme.is_empty() && scheme.bytes().all(|b| b.is_ascii_alphanumeric())) {
        return Class::Url;
    }
    if text.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.') && !host.contains(['/', '@'])) {
        return Class::Mail;
    }
    if text.starts_with('~') || text.contains(['/', '\\']) {
        return Class::Path;
    }
    let is_token = text.len() <= MAX_TOKEN && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.:".contains(&b));
    match (is_token, has_digit) {
        (true, true) => Class::Shaped,
        (true, false) => Class::Word,
        _ => Class::Text,
    }
}

/// Whether a text begins with a date (`2026-02-30`, alone or with a time behind it), and if there is such a day.
fn date(text: &str) -> Option<bool> {
    if !text.is_ascii() || text.len() < 10 || text.len() > 35 {
        return None;
    }
    let (day, rest) = text.split_at(10);
    let mut parts =
        day.split('-').map(|part| part.bytes().all(|b| b.is_ascii_digit()).then(|| part.parse::<u32>().ok()).flatten());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let is_time = rest.is_empty() || rest.starts_with(['T', ' ']) && rest[1..].bytes().all(|b| b"0123456789:.,+-Z".contains(&b));
    if parts.next().is_some() || !is_time || text.as_bytes()[4] != b'-' || text.as_bytes()[7] != b'-' {
        return None;
    }
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    Some((1..=days).contains(&day))
}
