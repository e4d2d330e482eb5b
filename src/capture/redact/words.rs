//! Replacements: of a similar class and length, made from a count and never from what a string says.

use super::class::{Class, class};
use std::collections::HashMap;
use std::fmt::Write as _;

/// The longest replacement of free text.
const MAX_TEXT: usize = 60;
/// The longest name or token that keeps its shape.
pub(super) const MAX_TOKEN: usize = 40;
/// Filler: short words, so that no longer word of a text can be among them.
const FILLER: [&str; 6] = ["note", "part", "unit", "step", "line", "text"];

/// What has been replaced by what, in one run.
#[derive(Default)]
pub(super) struct Words {
    values: HashMap<String, String>,
    keys: HashMap<String, String>,
    /// How many strings of a shape there have been.
    shapes: HashMap<String, Count>,
    count: u64,
}

#[derive(Default)]
struct Count {
    next: u64,
    /// A number before `next` that has not been used.
    spare: Option<u64>,
}

impl Count {
    fn take(&mut self) -> u64 {
        self.spare.take().unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        })
    }
}

impl Words {
    /// The replacement of a string that is a value.
    pub fn value(&mut self, text: &str) -> String {
        if text.trim().is_empty() || matches!(text, "true" | "false" | "null") {
            return text.to_owned();
        }
        if let Some(known) = self.values.get(text) {
            return known.clone();
        }
        let new = self.make(text);
        self.values.insert(text.to_owned(), new.clone());
        new
    }

    /// The replacement of a call's id: its prefix and its length stay, different ids stay different.
    pub fn id(&mut self, id: &str) -> String {
        self.known_or(id, |words| words.shaped(id, prefix(id)))
    }

    /// The replacement of a session's name: its form stays.
    pub fn name(&mut self, name: &str) -> String {
        self.known_or(name, |words| words.shaped(name, 0))
    }

    /// The replacement of a key, or of a name that is no parameter's.
    pub fn key(&mut self, key: &str) -> String {
        if let Some(known) = self.keys.get(key) {
            return known.clone();
        }
        let new = format!("key_{}", self.keys.len() + 1);
        self.keys.insert(key.to_owned(), new.clone());
        new
    }

    /// The replacement that a key has got already.
    pub fn known_key(&self, key: &str) -> Option<String> {
        self.keys.get(key).cloned()
    }

    fn known_or(&mut self, text: &str, make: impl FnOnce(&mut Self) -> String) -> String {
        if text.is_empty() {
            return String::new();
        }
        if let Some(known) = self.values.get(text) {
            return known.clone();
        }
        let new = make(self);
        self.values.insert(text.to_owned(), new.clone());
        new
    }

    fn make(&mut self, text: &str) -> String {
        match class(text) {
            Class::Shaped => self.shaped(text, 0),
            Class::Date { exists } => self.date(text, exists),
            Class::Mail => format!("u{}@mail.test", self.next()),
            Class::Url => format!("http://host.test/{}", self.next()),
            Class::Path => self.path(text),
            Class::Word => format!("{}{}", if text.len() < 5 { "t" } else { "item" }, self.next()),
            Class::Text => self.text(text),
        }
    }

    fn next(&mut self) -> u64 {
        self.count += 1;
        self.count
    }

    /// The next string of the same shape: letters stay letters, digits digits, zeros zeros, all else as it is.
    fn shaped(&mut self, text: &str, keep: usize) -> String {
        if !text.is_ascii() || text.bytes().any(|b| b.is_ascii_control() || b == b' ') || text.len() > 2 * MAX_TOKEN {
            return format!("id-{}", self.next());
        }
        let rest = &text[keep..];
        let hex = rest.len() >= 8 && rest.bytes().filter(u8::is_ascii_alphabetic).all(|b| b.is_ascii_hexdigit());
        let alphabets: Vec<&[u8]> = rest.bytes().map(|b| alphabet(b, hex)).collect();
        let mut shape = text[..keep].to_owned();
        shape.push('\0');
        shape.extend(rest.bytes().zip(&alphabets).map(|(b, letters)| char::from(*letters.first().unwrap_or(&b))));
        let count = self.shapes.entry(shape).or_default();
        let number = count.take();
        let new = spell(rest, &alphabets, number);
        if new != rest || number.saturating_add(1) >= capacity(&alphabets) {
            return text[..keep].to_owned() + &new;
        }
        // It would stay as it is: the next one of its shape gets this number instead.
        let next = count.take();
        count.spare = Some(number);
        text[..keep].to_owned() + &spell(rest, &alphabets, next)
    }

    /// Another day in the same spelling; one that does not exist stays one that does not.
    fn date(&mut self, text: &str, exists: bool) -> String {
        let n = self.next();
        let day = if exists { n % 28 + 1 } else { 31 };
        let month = if exists { n / 28 % 12 + 1 } else { 2 };
        let rest: String = text[10..].chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        format!("{}-{month:02}-{day:02}{rest}", 2001 + n / 336 % 99)
    }

    fn path(&mut self, text: &str) -> String {
        let start = if text.starts_with("./") {
            "./"
        } else if text.starts_with("../") {
            "../"
        } else if text.starts_with(['/', '~']) || text.as_bytes().get(1) == Some(&b':') {
            "/"
        } else {
            ""
        };
        let segments = || text.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | ".." | "~"));
        let folders = segments().count().saturating_sub(1).min(6);
        let last = segments().next_back().unwrap_or_default();
        let extension = last.rsplit_once('.').map_or("", |(_, extension)| extension);
        let keeps = (1..=4).contains(&extension.len()) && extension.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        let mut new = format!("{start}{}file{}", "dir/".repeat(folders), self.next());
        if keeps {
            let _ = write!(new, ".{extension}");
        }
        new
    }

    fn text(&mut self, text: &str) -> String {
        let mut new = format!("item {}", self.next());
        let length = text.chars().count().min(MAX_TEXT);
        let breaks = text.contains('\n');
        let mut broken = false;
        for word in FILLER.iter().cycle() {
            if new.len() + 1 + word.len() > length {
                break;
            }
            let at_break = breaks && !broken && new.len() * 2 >= length;
            broken |= at_break;
            new.push(if at_break { '\n' } else { ' ' });
            new.push_str(word);
        }
        if breaks && !broken {
            new.push('\n');
        }
        new
    }
}

/// A number, spelled with these letters where there are any, and as the text is elsewhere.
fn spell(text: &str, alphabets: &[&[u8]], mut number: u64) -> String {
    let mut new = text.as_bytes().to_vec();
    for (byte, letters) in new.iter_mut().zip(alphabets).rev() {
        if let Some(length) = u64::try_from(letters.len()).ok().filter(|n| *n > 0) {
            *byte = usize::try_from(number % length).map_or(*byte, |at| letters[at]);
            number /= length;
        }
    }
    String::from_utf8_lossy(&new).into_owned()
}

/// How many numbers can be spelled.
fn capacity(alphabets: &[&[u8]]) -> u64 {
    alphabets.iter().fold(1, |n: u64, letters| n.saturating_mul(letters.len().max(1) as u64))
}

fn alphabet(byte: u8, hex: bool) -> &'static [u8] {
    match byte {
        b'1'..=b'9' => b"123456789",
        b'a'..=b'z' if hex => b"abcdef",
        b'A'..=b'Z' if hex => b"ABCDEF",
        b'a'..=b'z' => b"abcdefghijklmnopqrstuvwxyz",
        b'A'..=b'Z' => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        _ => b"",
    }
}

/// How long the prefix of an id is: `toolu_`, `call_`, `chatcmpl-`, or the letters before a mere number.
fn prefix(id: &str) -> usize {
    let letters = id.bytes().take_while(u8::is_ascii_alphabetic).count();
    let rest = &id[letters..];
    if letters == 0 || letters > 10 || begins_as_secret(id) {
        0
    } else if rest.starts_with(['_', '-']) {
        letters + 1
    } else if letters <= 4 && !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()) {
        letters
    } else {
        0
    }
}

/// A key that JavaScript takes for an index: a number, like the numbers that stay.
pub(super) fn is_index(key: &str) -> bool {
    !key.is_empty() && key.len() <= 10 && key.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a text looks like the name of a parameter or a tool, and like nothing else.
pub(super) fn is_plain_name(text: &str, longest: usize) -> bool {
    let first = text.bytes().next().is_some_and(|b| b.is_ascii_alphabetic() || b"_$-".contains(&b));
    let is_ours = text.strip_prefix("key_").is_some_and(|n| n.trim_end_matches('_').bytes().all(|b| b.is_ascii_digit()));
    first
        && !is_ours
        && text.len() <= longest
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_$-".contains(&b))
        && !has_digits(text, 4)
        && !is_secret(text)
}

/// Whether a text can be a part of a model's name: no account number, no key.
pub(super) fn is_model_part(part: &str) -> bool {
    part.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b)) && !has_digits(part, 9) && !is_secret(part)
}

fn has_digits(text: &str, run: usize) -> bool {
    text.split(|c: char| !c.is_ascii_digit()).any(|digits| digits.len() >= run)
}

/// What the keys of well-known services begin with.
const SECRETS: [&str; 18] = [
    "sk-",
    "sk_",
    "pk_",
    "rk_",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "xox",
    "AKIA",
    "ASIA",
    "AIza",
    "eyJ",
    "npm_",
    "pypi-",
];

fn begins_as_secret(text: &str) -> bool {
    SECRETS.iter().any(|start| text.starts_with(start))
}

fn is_secret(text: &str) -> bool {
    // Also behind a prefix: `mcp__sk-…`.
    let starts = text
        .char_indices()
        .filter(|(at, c)| c.is_ascii_alphanumeric() && !text[..*at].ends_with(|before: char| before.is_ascii_alphanumeric()));
    if starts.into_iter().any(|(at, _)| begins_as_secret(&text[at..])) {
        return true;
    }
    // A run without a separator in which letters and digits alternate is no name.
    text.split(['_', '-', '.']).any(|run| {
        let digits = run.bytes().filter(u8::is_ascii_digit).count();
        let mixed = run.bytes().any(|b| b.is_ascii_uppercase()) && run.bytes().any(|b| b.is_ascii_lowercase());
        digits < run.len() && ((run.len() >= 16 && digits >= 3) || (run.len() >= 8 && digits >= 2 && mixed))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn classes() {
        let mut words = Words::default();
        for (text, new) in [
            ("", ""),
            (" \n", " \n"),
            ("true", "true"),
            ("20", "10"),
            ("-3.50", "-1.10"),
            ("2026-02-28T10:12:13Z", "2001-01-02T00:00:00Z"),
            ("2026-02-30", "2001-02-31"),
            ("ada@example.org", "u3@mail.test"),
            ("postgres://ada:secret@db.example.org/x", "http://host.test/4"),
            ("~/notes/plan.md", "/dir/file5.md"),
            ("src/lib.rs", "dir/file6.rs"),
            ("C:\\Users\\ada\\x.PNG", "/dir/dir/dir/file7"),
            ("ok", "t8"),
            ("general-purpose", "item9"),
            ("task-27", "aaaa-11"),
            ("Fix the door", "item 10 note"),
            ("Fix the door", "item 10 note"),
            ("first line\nsecond line", "item 11 note\npart unit"),
            ("日本語の文章", "item 12"),
        ] {
            assert_eq!(words.value(text), new, "{text}");
        }
    }

    #[test]
    fn ids_keep_prefix_and_length_and_stay_apart() {
        let mut words = Words::default();
        let ids: Vec<String> = (0..3000).map(|n| format!("toolu_{n:04}Ab")).collect();
        let new: HashSet<String> = ids.iter().map(|id| words.id(id)).collect();
        assert_eq!(new.len(), ids.len());
        assert!(new.iter().all(|id| id.starts_with("toolu_") && id.len() == 12));
        assert_eq!(["11", "12", "13"].map(|n| words.value(n)), ["12", "11", "14"], "none is itself");
        assert_eq!(words.id("call_7gAy59gsfCW3wCUCas4PQ3P2").split_at(5).0, "call_");
        let short: HashSet<String> = (1..=99).map(|n| words.id(&format!("c{n}"))).collect();
        assert!(short.len() == 99 && short.iter().all(|id| id.starts_with('c')));
        assert_eq!(words.name("3f2a77bc-1d0e-4c11-9a3b-0c4d55ee66ff").len(), 36);
        // A key that stands where an id should keeps nothing.
        assert!(!words.id("sk-live-51H8aBcD").contains("live"));
    }

    #[test]
    fn names_and_secrets() {
        for name in ["taskId", "file_path", "-B", "$ref", "mcp__tickets__hold_seat", "x2"] {
            assert!(is_plain_name(name, 64), "{name}");
        }
        for text in ["", "Ada Byron", "a/b", "sk-abc", "ghp_abc", "user20260101", "key_12", "AKIA1234", "f3a9c0b1d2e4f5a6b7", "é"]
        {
            assert!(!is_plain_name(text, 64), "{text}");
        }
    }
}
