//! The terms of the language: one table, from which come reading, suggestions, completion and documentation.

/// What a term looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// Anything a reader of the list or of the call sees: tool, summary, arguments, error text.
    Any,
    /// The tool's name.
    Tool,
    /// The verdict.
    Verdict,
    /// A flag.
    Is,
    /// A kind of issue.
    Kind,
    /// Where an issue is.
    At,
    /// The arguments.
    Args,
    /// The text that the model reads.
    Err,
    /// The model.
    Model,
    /// The session.
    Session,
    /// The file.
    File,
    /// Made since then.
    Since,
    /// Made until then.
    Until,
    /// The number of issues.
    Count,
}

/// How a term is written, and what it does.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// What it looks at.
    pub field: Field,
    /// Its name, without the colon; empty for words.
    pub name: &'static str,
    /// Its short spelling, or none.
    pub short: Option<&'static str>,
    /// What stands behind the name: `NAME`, `TEXT`, …; for people.
    pub value: &'static str,
    /// An example.
    pub example: &'static str,
    /// What it matches, in one line.
    pub help: &'static str,
}

const fn term(
    field: Field,
    name: &'static str,
    short: Option<&'static str>,
    value: &'static str,
    example: &'static str,
    help: &'static str,
) -> Term {
    Term { field, name, short, value, example, help }
}

/// Every term.
#[rustfmt::skip]
pub const TERMS: [Term; 14] = [
    term(Field::Any, "", None, "TEXT", "taskId", "text in the tool's name, the summary, the arguments or the error text"),
    term(Field::Tool, "tool", Some("~t"), "NAME", "tool:Task*", "the tool's name"),
    term(Field::Verdict, "verdict", None, "VERDICT", "verdict:rejected|unparsable", "what the gate says"),
    term(Field::Is, "is", None, "FLAG", "is:bad", "a flag of the call"),
    term(Field::Kind, "kind", Some("~k"), "KIND", "kind:missing", "a kind of issue that the call has"),
    term(Field::At, "at", Some("~p"), "POINTER", "at:/items/*", "where an issue is, as a JSON Pointer"),
    term(Field::Args, "args", Some("~a"), "TEXT", "args:\"file_path\"", "text in the arguments, as they were captured"),
    term(Field::Err, "err", Some("~x"), "TEXT", "err:/expected .* but/", "text in what the model reads"),
    term(Field::Model, "model", None, "NAME", "model:claude*", "the model that made the call"),
    term(Field::Session, "session", None, "NAME", "session:s1", "the session that the call belongs to"),
    term(Field::File, "file", None, "PATH", "file:*.jsonl", "the file's name, or the end of its path"),
    term(Field::Since, "since", None, "TIME", "since:10m", "made since then"),
    term(Field::Until, "until", None, "TIME", "until:2026-11-24", "made until then"),
    term(Field::Count, "n", None, "NUMBER", "n>=2", "the number of issues, with : = != < <= > >="),
];

/// How the value of a term is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueKind {
    /// Text anywhere, or a regular expression.
    Text,
    /// A name with wildcards, or a regular expression.
    Name,
    /// A path with wildcards. It may begin with a slash, so it is never a regular expression.
    Path,
    /// One of a few words.
    Word,
    /// A time.
    Time,
    /// A number.
    Number,
}

impl Field {
    /// The term that looks at it.
    #[must_use]
    pub fn term(self) -> &'static Term {
        // The table has a row for each field, in their order, which a test asserts.
        &TERMS[self as usize]
    }

    /// The field of that name, in any case.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        TERMS.iter().find(|term| !name.is_empty() && term.name.eq_ignore_ascii_case(name)).map(|term| term.field)
    }

    /// The field of that short spelling.
    pub(super) fn from_short(short: &str) -> Option<Self> {
        TERMS.iter().find(|term| term.short == Some(short)).map(|term| term.field)
    }

    pub(super) fn value_kind(self) -> ValueKind {
        match self {
            Self::Any | Self::Args | Self::Err => ValueKind::Text,
            Self::Tool | Self::Model | Self::Session => ValueKind::Name,
            Self::At | Self::File => ValueKind::Path,
            Self::Verdict | Self::Is | Self::Kind => ValueKind::Word,
            Self::Since | Self::Until => ValueKind::Time,
            Self::Count => ValueKind::Number,
        }
    }

    pub(super) fn takes_regex(self) -> bool {
        matches!(self.value_kind(), ValueKind::Text | ValueKind::Name)
    }
}

/// How a number is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    AtMost,
    Less,
    AtLeast,
    More,
}

impl Comparison {
    /// How each is written. Of two that begin alike the longer one stands first; of two spellings the canonical one.
    pub const SPELLINGS: [(&'static str, Self); 7] = [
        (":", Self::Equal),
        ("=", Self::Equal),
        ("!=", Self::Unequal),
        ("<=", Self::AtMost),
        ("<", Self::Less),
        (">=", Self::AtLeast),
        (">", Self::More),
    ];

    pub fn spelling(self) -> &'static str {
        Self::SPELLINGS.iter().find(|(_, comparison)| *comparison == self).map_or(":", |(spelling, _)| spelling)
    }

    pub fn holds(self, left: u32, right: u32) -> bool {
        match self {
            Self::Equal => left == right,
            Self::Unequal => left != right,
            Self::AtMost => left <= right,
            Self::Less => left < right,
            Self::AtLeast => left >= right,
            Self::More => left > right,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_row_for_each_field() {
        for (n, term) in TERMS.iter().enumerate() {
            assert_eq!(term.field as usize, n);
            assert!(term.field.term().name == term.name && !term.help.is_empty());
            assert_eq!(Field::from_name(term.name), (!term.name.is_empty()).then_some(term.field));
            assert!(super::super::Filter::parse(term.example).is_ok(), "{}", term.example);
        }
        assert_eq!(Field::Count as usize + 1, TERMS.len());
    }
}
