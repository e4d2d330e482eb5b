//! The accept file: findings that somebody has looked at and wants, each with a reason.
//!
//! A file beside the definitions, because JSON has no comments, and a key in a definition would be sent to the provider.

use super::finding::Finding;
use super::reviewer::Review;
use crate::json::Visible;
use serde::Deserialize;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The file's name where none is given.
pub const ACCEPT_FILE: &str = "misfire.accept.toml";

/// What has been accepted.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AcceptFile {
    /// The entries, in the order of the file.
    #[serde(default, rename = "accept")]
    pub entries: Vec<Entry>,
}

/// One accepted finding.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The finding's fingerprint.
    pub fingerprint: String,
    /// The rule, for people, and to tell a finding that changed since.
    #[serde(default)]
    pub rule: String,
    /// The tool.
    #[serde(default)]
    pub tool: String,
    /// Where in its parameters.
    #[serde(default)]
    pub pointer: String,
    /// Why it is wanted.
    pub reason: String,
    /// The last day on which it holds, `YYYY-MM-DD`.
    #[serde(default)]
    pub until: Option<String>,
}

/// An entry that is worth a look: it does nothing, or no longer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leftover {
    /// The entry.
    pub entry: Entry,
    /// What is the matter with it.
    pub state: LeftoverState,
}

/// What is the matter with an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftoverState {
    /// No finding has its fingerprint.
    Unused,
    /// A finding of its rule is at its place, but what stood or stands there is something else now.
    Stale,
    /// Its last day has passed; the finding counts again.
    Expired,
}

impl LeftoverState {
    /// The state's name in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unused => "unused",
            Self::Stale => "stale",
            Self::Expired => "expired",
        }
    }

    /// What that means and what to do.
    #[must_use]
    pub fn advice(self) -> &'static str {
        match self {
            Self::Unused => "no finding has this fingerprint; remove the entry",
            Self::Stale => "the finding has changed since it was accepted; look again, then accept it anew",
            Self::Expired => "its last day has passed; decide again",
        }
    }
}

/// Why an accept file could not be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AcceptError(String);

impl AcceptFile {
    /// Reads the text of an accept file.
    ///
    /// # Errors
    /// If it is not TOML, or an entry is not complete; the error says where.
    pub fn parse(text: &str) -> Result<Self, AcceptError> {
        let file: Self = toml::from_str(text).map_err(|error| AcceptError(error.to_string().trim_end().to_owned()))?;
        for entry in &file.entries {
            if entry.until.as_deref().is_some_and(|day| !is_day(day)) {
                let reason = format!("`until` of {} must be a day, written YYYY-MM-DD", entry.fingerprint);
                return Err(AcceptError(reason));
            }
        }
        Ok(file)
    }

    /// Reads the file that is named, else the usual one if it is there; gives its path too.
    ///
    /// # Errors
    /// If it cannot be read or used, in words.
    pub fn read(given: Option<&Path>) -> Result<(Self, PathBuf), String> {
        let path = given.map_or_else(|| PathBuf::from(ACCEPT_FILE), Path::to_owned);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound && given.is_none() => String::new(),
            Err(error) => return Err(format!("{}: could not be read: {error}", path.display())),
        };
        let file = Self::parse(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok((file, path))
    }

    /// Adds an entry to a file, which need not be there yet; what stands in it stays as it is.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(path: &Path, entry: &Entry) -> io::Result<()> {
        let text = match std::fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            text => text?,
        };
        let gap = match text.as_str() {
            "" => "",
            text if text.ends_with("\n\n") => "",
            text if text.ends_with('\n') => "\n",
            _ => "\n\n",
        };
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path)?;
        file.write_all(format!("{gap}{}", entry.to_toml()).as_bytes())
    }

    /// Marks the findings that are accepted on a day (`YYYY-MM-DD`), and gives the entries that did nothing.
    pub fn apply(&self, review: &mut Review, today: &str) -> Vec<Leftover> {
        let mut leftovers = Vec::new();
        for entry in &self.entries {
            let expired = entry.until.as_deref().is_some_and(|until| until < today);
            let mut used = false;
            let mut alike = false;
            for tool in &mut review.tools {
                for finding in &mut tool.findings {
                    if finding.fingerprint == entry.fingerprint {
                        used = true;
                        if !expired {
                            finding.accepted = Some(entry.reason.clone());
                        }
                    }
                    alike |= finding.rule.id() == entry.rule && finding.pointer == entry.pointer && tool.name == entry.tool;
                }
            }
            let state = match (used, expired) {
                (true, false) => continue,
                (true, true) => LeftoverState::Expired,
                (false, _) if alike => LeftoverState::Stale,
                (false, _) => LeftoverState::Unused,
            };
            // A finding that was accepted again is not held against the entry before.
            let renewed = self.entries.iter().any(|other| {
                let same = other.fingerprint == entry.fingerprint && other != entry;
                same && other.until.as_deref().is_none_or(|until| until >= today)
            });
            if !(renewed && state == LeftoverState::Expired) {
                leftovers.push(Leftover { entry: entry.clone(), state });
            }
        }
        leftovers
    }
}

impl Entry {
    /// An entry for a finding.
    #[must_use]
    pub fn of(tool: &str, finding: &Finding, reason: &str, until: Option<&str>) -> Self {
        Self {
            fingerprint: finding.fingerprint.clone(),
            rule: finding.rule.id().to_owned(),
            tool: tool.to_owned(),
            pointer: finding.pointer.clone(),
            reason: reason.to_owned(),
            until: until.map(str::to_owned),
        }
    }

    /// The entry as it is written into the file.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut out = String::from("[[accept]]\n");
        let members = [
            ("fingerprint", Some(&self.fingerprint)),
            ("rule", Some(&self.rule).filter(|t| !t.is_empty())),
            ("tool", Some(&self.tool).filter(|t| !t.is_empty())),
            ("pointer", Some(&self.pointer).filter(|_| !self.rule.is_empty())),
            ("reason", Some(&self.reason)),
            ("until", self.until.as_ref()),
        ];
        for (key, value) in members {
            if let Some(value) = value {
                // Writing to a string cannot fail.
                let _ = writeln!(out, "{key} = {}", basic_string(value));
            }
        }
        out
    }
}

/// A TOML basic string (TOML 1.0, "String").
fn basic_string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() || Visible::new(c.encode_utf8(&mut [0; 4])).has_marks() => {
                let _ = write!(out, "\\U{:08X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The day today, in UTC.
#[must_use]
pub fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    day_of(since.map_or(0, |since| since.as_secs()))
}

/// Whether a text is a day as `YYYY-MM-DD`, so that days compare as texts.
#[must_use]
pub fn is_day(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts[..] else { return false };
    let number = |part: &str, digits: usize| {
        (part.len() == digits && part.bytes().all(|b| b.is_ascii_digit())).then(|| part.parse::<u32>().ok()).flatten()
    };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2)) else { return false };
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return false,
    };
    (1..=days).contains(&day)
}

/// The day (UTC) of a time in seconds since 1970, as `YYYY-MM-DD`.
#[must_use]
pub fn day_of(seconds: u64) -> String {
    // Civil from days, by Howard Hinnant's algorithm (chrono-Compatible Low-Level Date Algorithms).
    let days = seconds / 86_400 + 719_468;
    let era = days / 146_097;
    let of_era = days % 146_097;
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let entry = Entry {
            fingerprint: "9f31c02ab7de".to_owned(),
            rule: "param-range-narrowed".to_owned(),
            tool: "a\"b\\c\u{202e}\u{1b}".to_owned(),
            pointer: "/properties/a~1b".to_owned(),
            reason: "wanted:\nthe server never took more".to_owned(),
            until: Some("2027-02-28".to_owned()),
        };
        let text = format!("# kept\n{}\n{}", entry.to_toml(), entry.to_toml());
        assert!(!text.contains(['\u{202e}', '\u{1b}']));
        assert_eq!(AcceptFile::parse(&text).unwrap().entries, [entry.clone(), entry]);
        assert!(AcceptFile::parse("").unwrap().entries.is_empty());
    }

    #[test]
    fn mistakes_are_told() {
        for (text, said) in [
            ("[[accept]]\nfingerprint = \"a\"\n", "reason"),
            ("[[accept]]\nfingerprint = \"a\"\nreason = \"b\"\nuntil = \"soon\"\n", "YYYY-MM-DD"),
            ("[[accept]]\nfingerprnt = \"a\"\n", "fingerprnt"),
            ("accept = 1", "accept"),
        ] {
            assert!(AcceptFile::parse(text).unwrap_err().to_string().contains(said), "{text}");
        }
    }

    #[test]
    fn days() {
        for (text, yes) in [
            ("2026-11-30", true),
            ("2028-02-29", true),
            ("2026-02-29", false),
            ("2026-13-01", false),
            ("2026-1-01", false),
            ("2026-11-30T00:00", false),
            ("", false),
        ] {
            assert_eq!(is_day(text), yes, "{text}");
        }
        assert_eq!(
            (day_of(0), day_of(951_782_400), day_of(1_796_000_000)),
            ("1970-01-01".into(), "2000-02-29".into(), "2026-11-30".into())
        );
    }
}
