//! Patterns: text, names with wildcards, regular expressions. Without an upper-case letter, case does not matter.

use memchr::memmem;
use regex_lite::{Regex, RegexBuilder};

/// A pattern for a text.
#[derive(Clone, Debug)]
pub(super) enum Pattern {
    /// The text as it stands.
    Literal(Text),
    /// `*` for any run of characters, `?` for one.
    Glob(Text),
    /// A regular expression.
    Regex { source: String, regex: Box<Regex> },
}

/// A text, and whether case matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text {
    source: String,
    fold: bool,
    /// Bytes can be compared: case matters, or it is that of ASCII.
    bytewise: bool,
}

/// What separates the parts of a path, here or where a capture was made.
const SEPARATORS: [char; 2] = ['/', '\\'];
/// The largest compiled expression, in bytes, and the deepest nesting: a filter is typed by hand.
const REGEX_SIZE: usize = 1 << 16;
const REGEX_NEST: u32 = 50;

impl Pattern {
    /// A regular expression; the error is a short sentence.
    pub fn regex(source: &str) -> Result<Self, String> {
        let built = RegexBuilder::new(source)
            .case_insensitive(!source_has_upper(source))
            .size_limit(REGEX_SIZE)
            .nest_limit(REGEX_NEST)
            .build();
        let regex = built.map_err(|error| error.to_string())?;
        Ok(Self::Regex { source: source.to_owned(), regex: Box::new(regex) })
    }

    /// Whether the pattern is somewhere in the text.
    pub fn is_in(&self, text: &str) -> bool {
        match self {
            Self::Literal(literal) | Self::Glob(literal) => literal.is_in(text),
            Self::Regex { regex, .. } => regex.is_match(text),
        }
    }

    /// Whether the pattern is the whole text; a regular expression may still be anywhere in it.
    pub fn matches(&self, text: &str) -> bool {
        match self {
            Self::Literal(literal) => literal.is(text),
            Self::Glob(glob) => glob.matches(text),
            Self::Regex { regex, .. } => regex.is_match(text),
        }
    }

    /// Whether the pattern is the whole JSON Pointer. Wildcards stay in their segment; a segment `**` is any number of them.
    pub fn matches_pointer(&self, pointer: &str) -> bool {
        let Self::Glob(glob) = self else { return self.matches(pointer) };
        let one = |pattern: &str, segment: &str| glob.segment_matches(pattern, segment);
        wild(glob.source.split('/'), pointer.split('/'), |segment| segment == "**", one)
    }

    /// Whether the pattern is the path, or its end from a separator on; without a separator in it, whether it is the file's name.
    pub fn matches_path(&self, path: &str) -> bool {
        let (Self::Literal(text) | Self::Glob(text)) = self else { return self.matches(path) };
        if !text.source.contains(SEPARATORS) {
            let name = memchr::memrchr2(b'/', b'\\', path.as_bytes()).map_or(0, |at| at + 1);
            return self.matches(&path[name..]);
        }
        let ends = path.match_indices(SEPARATORS).map(|(at, _)| &path[at + 1..]);
        std::iter::once(path).chain(ends).any(|end| self.matches(end))
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Literal(a), Self::Literal(b)) | (Self::Glob(a), Self::Glob(b)) => a == b,
            (Self::Regex { source: a, .. }, Self::Regex { source: b, .. }) => a == b,
            _ => false,
        }
    }
}

impl Text {
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        let fold = !text.chars().any(char::is_uppercase);
        Self { fold, bytewise: !fold || text.is_ascii(), source: text }
    }

    pub fn as_str(&self) -> &str {
        &self.source
    }

    fn is(&self, text: &str) -> bool {
        if self.bytewise { self.same(&self.source, text.as_bytes()) } else { folded(&self.source).eq(folded(text)) }
    }

    fn is_in(&self, text: &str) -> bool {
        if self.bytewise {
            return self.find(self.source.as_bytes(), text.as_bytes()).is_some();
        }
        text.char_indices().any(|(at, _)| starts_folded(&text[at..], &self.source))
    }

    /// Whether the text as a pattern with wildcards matches.
    fn matches(&self, text: &str) -> bool {
        self.segment_matches(&self.source, text)
    }

    /// Whether a part of the text as a pattern with wildcards matches.
    fn segment_matches(&self, glob: &str, text: &str) -> bool {
        if self.bytewise && !glob.contains('?') {
            return self.pieces_match(glob, text.as_bytes());
        }
        let one = |pattern: char, c: char| pattern == '?' || pattern == c || (self.fold && lower(pattern) == lower(c));
        wild(glob.chars(), text.chars(), |c| c == '*', one)
    }

    /// The usual pattern, without `?`: a start, an end, and pieces between them, each at the first place where it is found.
    fn pieces_match(&self, glob: &str, text: &[u8]) -> bool {
        let Some((start, pieces)) = glob.split_once('*') else { return self.same(glob, text) };
        let (middle, end) = pieces.rsplit_once('*').unwrap_or(("", pieces));
        let Some(between) = text.len().checked_sub(start.len() + end.len()) else { return false };
        let (first, rest) = text.split_at(start.len());
        let (mut rest, last) = rest.split_at(between);
        if !self.same(start, first) || !self.same(end, last) {
            return false;
        }
        middle.split('*').all(|piece| {
            let found = self.find(piece.as_bytes(), rest);
            rest = found.and_then(|at| rest.get(at + piece.len()..)).unwrap_or_default();
            found.is_some()
        })
    }

    /// Whether the bytes are the same, in any case where case does not matter.
    fn same(&self, pattern: &str, text: &[u8]) -> bool {
        if self.fold { pattern.as_bytes().eq_ignore_ascii_case(text) } else { pattern.as_bytes() == text }
    }

    /// Where the bytes are first.
    fn find(&self, needle: &[u8], text: &[u8]) -> Option<usize> {
        let Some(first) = needle.first() else { return Some(0) };
        if !self.fold {
            return memmem::find(text, needle);
        }
        let last_start = text.len().checked_sub(needle.len())?;
        let starts = memchr::memchr2_iter(first.to_ascii_lowercase(), first.to_ascii_uppercase(), &text[..=last_start]);
        starts.into_iter().find(|at| text[*at..*at + needle.len()].eq_ignore_ascii_case(needle))
    }
}

/// Whether a text has wildcards.
pub(super) fn is_glob(text: &str) -> bool {
    text.contains(['*', '?'])
}

/// Matches a pattern with stars against a text, both as sequences of whatever. A star gives back one thing at a time, and only
/// the last star does: no recursion, and at worst as many steps as pattern times text.
fn wild<P: Copy, T: Copy>(
    mut pattern: impl Iterator<Item = P> + Clone,
    mut text: impl Iterator<Item = T> + Clone,
    is_star: impl Fn(P) -> bool,
    one: impl Fn(P, T) -> bool,
) -> bool {
    let mut retry = None;
    loop {
        let mut rest = text.clone();
        match (pattern.next(), rest.next()) {
            (None, None) => return true,
            (Some(p), _) if is_star(p) => {
                retry = Some((pattern.clone(), text.clone()));
                continue;
            }
            (Some(p), Some(t)) if one(p, t) => {
                text = rest;
                continue;
            }
            _ => {}
        }
        let Some((after_star, taken)) = &mut retry else { return false };
        if taken.next().is_none() {
            return false;
        }
        (pattern, text) = (after_star.clone(), taken.clone());
    }
}

/// The lower case of a character, where that is one character.
fn lower(c: char) -> char {
    if c.is_ascii() { c.to_ascii_lowercase() } else { c.to_lowercase().next().unwrap_or(c) }
}

fn folded(text: &str) -> impl Iterator<Item = char> {
    text.chars().map(lower)
}

fn starts_folded(text: &str, start: &str) -> bool {
    let mut chars = text.chars();
    start.chars().all(|c| chars.next().is_some_and(|other| lower(c) == lower(other)))
}

/// Whether a regular expression asks for an upper-case letter: the names of classes (`\S`) and of characters (`\x4A`) do not.
fn source_has_upper(source: &str) -> bool {
    let mut chars = source.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\\' {
            if matches!(chars.next(), Some('x' | 'u' | 'U')) {
                while chars.next_if(|c| c.is_ascii_hexdigit() || *c == '{').is_some() {}
            }
        } else if c.is_uppercase() {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn glob(text: &str) -> Pattern {
        Pattern::Glob(Text::new(text))
    }

    fn literal(text: &str) -> Pattern {
        Pattern::Literal(Text::new(text))
    }

    #[test]
    fn wildcards_and_smart_case() {
        for (pattern, yes, no) in [
            ("task*", &["Task", "TaskUpdate", "task"][..], &["aTask", "tas"][..]),
            ("Task*", &["TaskUpdate"], &["taskUpdate"]),
            ("*update", &["TaskUpdate", "update", "updateupdate"], &["updates"]),
            ("t?sk", &["Task", "t\u{e9}sk"], &["tsk", "taask"]),
            ("*a*b*", &["ab", "xaxbx", "aab"], &["ba", ""]),
            ("é*", &["École", "é"], &["e"]),
            ("*", &["", "x"], &[]),
            ("**", &["", "x"], &[]),
        ] {
            assert!(yes.iter().all(|text| glob(pattern).matches(text)), "{pattern}");
            assert!(!no.iter().any(|text| glob(pattern).matches(text)), "{pattern}");
        }
        assert!(literal("bash").matches("Bash") && !literal("Bash").matches("bash") && !literal("a*").matches("ab"));
    }

    proptest! {
        #[test]
        fn both_ways_to_match_agree(pattern in "[abA*]{0,6}", text in "[abA]{0,10}") {
            let one = |p: char, c: char| p == c || (!pattern.contains('A') && p.eq_ignore_ascii_case(&c));
            let expected = wild(pattern.chars(), text.chars(), |c| c == '*', one);
            prop_assert_eq!(glob(&pattern).matches(&text), expected);
        }
    }

    #[test]
    fn stars_do_not_explode() {
        assert!(!glob(&"*a".repeat(200)).matches(&"ab".repeat(2000)));
        assert!(!glob(&"/**/a".repeat(200)).matches_pointer(&"/a/b".repeat(2000)));
    }

    #[test]
    fn text_anywhere() {
        for (pattern, text, found) in [
            ("taskid", "{\"taskId\": 1}", true),
            ("taskId", "{\"taskid\": 1}", false),
            ("", "", true),
            ("ab", "aab", true),
            ("aab", "aaab", true),
            ("ünï", "x ÜNÏ", true),
            ("Ünï", "x ünï", false),
            ("x", "", false),
        ] {
            assert_eq!(literal(pattern).is_in(text), found, "{pattern}");
        }
    }

    #[test]
    fn pointers_segment_by_segment() {
        for (pattern, pointer, matches) in [
            ("/items/*", "/items/0", true),
            ("/items/*", "/items/0/x", false),
            ("/items/**", "/items/0/x", true),
            ("/items/**", "/items", true),
            ("/**/x", "/items/0/x", true),
            ("/**/x", "/x", true),
            ("/item?/*/X", "/items/0/x", false),
            ("/item?/*/x", "/Items/0/x", true),
            ("**", "", true),
            ("/*", "", false),
            ("/*", "/", true),
        ] {
            assert_eq!(glob(pattern).matches_pointer(pointer), matches, "{pattern} {pointer}");
        }
        assert!(literal("").matches_pointer("") && !literal("").matches_pointer("/a"));
    }

    #[test]
    fn paths_by_name_or_end() {
        let path = "work/sessions/tour.misfire.jsonl";
        for pattern in ["tour*", "tour.misfire.jsonl", "sessions/*", "sessions/tour.misfire.jsonl", "work/*", path] {
            let pattern = if is_glob(pattern) { glob(pattern) } else { literal(pattern) };
            assert!(pattern.matches_path(path), "{pattern:?}");
        }
        for pattern in ["tour", "sessions", "essions/*", "/tour*"] {
            assert!(!glob(pattern).matches_path(path), "{pattern}");
        }
    }

    #[test]
    fn regular_expressions_are_bounded() {
        assert!(Pattern::regex("^task.*e$").unwrap().matches("TaskUpdate"));
        assert!(!Pattern::regex("^task[A-Z]").unwrap().matches("taskupdate"));
        assert!(Pattern::regex(r"^task\S\x41?").unwrap().matches("TASKx"), "classes do not make case matter");
        for wrong in ["(", "a{1000}{1000}", &"(".repeat(3000), "[z-a]", "\\"] {
            assert!(Pattern::regex(wrong).is_err(), "{wrong}");
        }
    }
}
