//! What can be typed next.

use super::flag::Flag;
use super::fuzzy::Fuzzy;
use super::lex::{Lexer, Slot};
use super::print::literal;
use super::term::{Field, TERMS, Term, ValueKind};
use super::value::{PENDING, words};
use crate::gate::VerdictKind;
use std::borrow::Cow;
use std::ops::Range;

/// Names that occur in the calls at hand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known<'a> {
    /// Tools, called or defined.
    pub tools: &'a [&'a str],
    /// Models.
    pub models: &'a [&'a str],
    /// Sessions.
    pub sessions: &'a [&'a str],
    /// Files.
    pub files: &'a [&'a str],
    /// Places of issues, as JSON Pointers.
    pub pointers: &'a [&'a str],
}

/// What can stand at a cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The bytes that a candidate takes the place of; they end at the cursor.
    pub range: Range<usize>,
    /// The term whose value is typed; none where a term begins.
    pub field: Option<Field>,
    /// What goes there, in one line.
    pub hint: &'static str,
    /// The best first.
    pub candidates: Vec<Candidate>,
}

/// A text that can stand at a cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The text, quoted where that is needed.
    pub text: String,
    /// What it means, where that needs words.
    pub note: &'static str,
}

impl Candidate {
    fn new(text: impl Into<String>, note: &'static str) -> Self {
        Self { text: text.into(), note }
    }
}

impl AsRef<str> for Candidate {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

/// What can be typed at a cursor, which is a byte offset. The text may be wrong, before the cursor and behind it.
#[must_use]
pub fn complete(text: &str, cursor: usize, known: &Known<'_>) -> Completion {
    let cursor = (0..=cursor.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let text = &text[..cursor];
    let slot = slot(text);
    let typed = &text[slot.start..];
    let candidates = match slot.field {
        None => terms(typed, known),
        Some(field) => values(field, known),
    };
    let typed = typed.strip_prefix('"').unwrap_or(typed);
    let mut fuzzy = Fuzzy::new(typed);
    let candidates = fuzzy.rank(&candidates).into_iter().map(|n| candidates[n].clone()).collect();
    let hint = slot.field.unwrap_or(Field::Any).term().help;
    Completion { range: slot.start..cursor, field: slot.field, hint, candidates }
}

/// What of a text that is being typed at its end has a meaning already: all of it, but for a last bare word that may become the
/// name of a term. Taken as a word, `kind` would hide what `kind:missing` shows.
///
/// ```
/// use misfire::replay::filter::decided;
///
/// assert_eq!(decided("is:bad kin"), "is:bad ");
/// assert_eq!(decided("is:bad kin "), "is:bad kin ");
/// assert_eq!(decided("is:bad kindness"), "is:bad kindness");
/// ```
#[must_use]
pub fn decided(text: &str) -> &str {
    let slot = slot(text);
    let (before, typed) = text.split_at(slot.start);
    let may_be = |term: &Term| term.name.get(..typed.len()).is_some_and(|start| start.eq_ignore_ascii_case(typed));
    if slot.field.is_none() && !typed.is_empty() && TERMS.iter().any(may_be) { before } else { text }
}

/// A text that is being typed at its end, as it is meant: a name is matched whole, but while it is typed, and where no name is
/// what stands there, it stands for those that begin so, and a `*` says that.
///
/// ```
/// use misfire::replay::filter::{Known, meant};
///
/// let known = Known { tools: &["TaskGet", "TaskUpdate", "Bash"], ..Known::default() };
/// assert_eq!(meant("is:bad tool:Task", &known), "is:bad tool:Task*");
/// assert_eq!(meant("tool:Bash", &known), "tool:Bash");
/// assert_eq!(meant("tool:Tusk", &known), "tool:Tusk");
/// ```
#[must_use]
pub fn meant<'t>(text: &'t str, known: &Known<'_>) -> Cow<'t, str> {
    let slot = slot(text);
    let names = match slot.field {
        Some(Field::Tool) => known.tools,
        Some(Field::Model) => known.models,
        Some(Field::Session) => known.sessions,
        _ => return Cow::Borrowed(text),
    };
    let typed = &text[slot.start..];
    let is_plain = !typed.is_empty() && typed.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c));
    // Case matters where there is an upper-case letter, as in the filter.
    let exact = typed.chars().any(char::is_uppercase);
    let begins = |name: &str| {
        name.get(..typed.len()).is_some_and(|start| if exact { start == typed } else { start.eq_ignore_ascii_case(typed) })
    };
    let mut beginning = names.iter().filter(|name| begins(name)).peekable();
    let is_beginning = beginning.peek().is_some() && beginning.all(|name| name.len() > typed.len());
    if is_plain && is_beginning { Cow::Owned(format!("{text}*")) } else { Cow::Borrowed(text) }
}

/// What is being typed at the end of a text.
fn slot(text: &str) -> Slot {
    let mut lexer = Lexer::new(text);
    let mut slot = lexer.slot;
    // What is wrong may be what is not finished yet.
    while !matches!(lexer.next(), Ok(None)) {
        slot = lexer.slot;
        if lexer.is_done() {
            break;
        }
        // Space behind a token: something new begins.
        slot = Slot { start: text.len(), field: None };
    }
    let word = slot.field.is_some_and(|field| field.value_kind() == ValueKind::Word);
    let comma = text[slot.start..].rfind(',').filter(|_| word);
    Slot { start: comma.map_or(slot.start, |comma| slot.start + comma + 1), ..slot }
}

/// How terms begin, and the tools that one may look for.
fn terms(typed: &str, known: &Known<'_>) -> Vec<Candidate> {
    if typed.starts_with('~') {
        let shorts = TERMS.iter().filter_map(|term| Some(Candidate::new(format!("{} ", term.short?), term.help)));
        return shorts.chain(Flag::ALL.iter().filter_map(|flag| Some(Candidate::new(flag.short()?, flag.help())))).collect();
    }
    let names = TERMS.iter().filter(|term| term.field != Field::Any);
    let names = names.map(|term| {
        let sign = if term.field == Field::Count { '>' } else { ':' };
        Candidate::new(format!("{}{sign}", term.name), term.help)
    });
    let tools = known.tools.iter().filter(|_| !typed.is_empty());
    names.chain(tools.map(|tool| Candidate::new(format!("tool:{}", literal(Field::Tool, tool)), ""))).collect()
}

fn values(field: Field, known: &Known<'_>) -> Vec<Candidate> {
    let names = |names: &[&str]| names.iter().map(|name| Candidate::new(literal(field, name), "")).collect();
    match field {
        Field::Tool => names(known.tools),
        Field::Model => names(known.models),
        Field::Session => names(known.sessions),
        Field::File => names(known.files),
        Field::At => names(known.pointers),
        Field::Verdict | Field::Is | Field::Kind => {
            words(field).iter().map(|word| Candidate::new(*word, note(field, word))).collect()
        }
        Field::Since | Field::Until => ["10m", "1h", "24h", "7d"].into_iter().map(|age| Candidate::new(age, "")).collect(),
        Field::Any | Field::Args | Field::Err | Field::Count => Vec::new(),
    }
}

/// What a word of a term means.
pub(super) fn note(field: Field, word: &str) -> &'static str {
    match field {
        Field::Is => Flag::from_name(word).map_or("", Flag::help),
        Field::Verdict if word == PENDING => "still being streamed when it was captured, whatever the gate says so far",
        Field::Verdict => match VerdictKind::from_name(word) {
            Some(VerdictKind::Accepted) => "nothing is wrong",
            Some(VerdictKind::Rejected) => "the arguments have issues",
            Some(VerdictKind::Unparsable) => "the arguments are not JSON",
            Some(VerdictKind::UnknownTool) => "there is no tool of that name",
            Some(VerdictKind::PassedThrough) => "not the gate's to judge",
            Some(VerdictKind::Undecided) => "the profile could not tell",
            None => "",
        },
        Field::Kind => match word {
            "missing" => "a required parameter is not there",
            "unexpected" => "a parameter that nothing declares",
            "type" => "a value of another type",
            "value" => "a value that is not on the list",
            "constraint" => "a value outside the bounds, the pattern or the forms that the schema allows",
            _ => "",
        },
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::super::Filter;
    use super::*;
    use proptest::prelude::*;

    const KNOWN: Known<'_> = Known {
        tools: &["TaskUpdate", "TaskGet", "Bash", "two words"],
        models: &["claude-3", "gpt 5"],
        sessions: &[],
        files: &["a.jsonl"],
        pointers: &["/items/0", "/a b"],
    };

    /// The first candidates at `^`, and what they take the place of.
    fn at(text: &str) -> (String, Vec<String>) {
        let cursor = text.find('^').unwrap();
        let text = text.replace('^', "");
        let completion = complete(&text, cursor, &KNOWN);
        (text[completion.range].to_owned(), completion.candidates.into_iter().map(|c| c.text).take(3).collect())
    }

    #[test]
    fn what_can_come_next() {
        for (text, typed, candidates) in [
            ("^", "", &["tool:", "verdict:", "is:"][..]),
            ("tool:Bash ^", "", &["tool:", "verdict:", "is:"]),
            ("(^", "", &["tool:", "verdict:", "is:"]),
            ("a | !ve^", "ve", &["verdict:"]),
            ("tool:^", "", &["TaskUpdate", "TaskGet", "Bash"]),
            ("tool:tu^ is:bad", "tu", &["TaskUpdate"]),
            ("tool:Bash|get^", "get", &["TaskGet"]),
            ("tool:\"two^", "\"two", &["\"two words\""]),
            ("~t ^", "", &["TaskUpdate", "TaskGet", "Bash"]),
            ("~t ba^", "ba", &["Bash"]),
            ("~m^", "~m", &["~marked", "~comment"]),
            ("verdict:rejected,unk^", "unk", &["unknown_tool"]),
            ("is:m^", "m", &["marked"]),
            ("kind:^", "", &["missing", "unexpected", "type"]),
            ("at:^", "", &["/items/0", "\"/a b\""]),
            ("bogus:x since:^", "", &["10m", "1h", "24h"]),
            ("model:5^", "5", &["\"gpt 5\""]),
            ("args:x^", "x", &[]),
            ("n^", "n", &["n>", "until:", "kind:"]),
            ("bas^", "bas", &["tool:Bash"]),
        ] {
            let (got, first) = at(text);
            assert_eq!(got, typed, "{text}");
            assert!(first.starts_with(&candidates.iter().map(|c| (*c).to_owned()).collect::<Vec<_>>()), "{text}: {first:?}");
        }
    }

    #[test]
    fn a_word_that_may_become_a_term_waits() {
        for (text, expected) in [
            ("", ""),
            ("k", ""),
            ("Kind", ""),
            ("n", ""),
            ("kinds", "kinds"),
            ("\"kind", "\"kind"),
            ("kind:", "kind:"),
            ("kind ", "kind "),
            ("is:bad !to", "is:bad !"),
            ("(is:bad | ver", "(is:bad | "),
            ("tool:kind", "tool:kind"),
            ("~t is", "~t is"),
            ("é", "é"),
        ] {
            assert_eq!(decided(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in any::<String>(), cursor in 0_usize..40) {
            prop_assert!(text.starts_with(decided(&text)));
            let completion = complete(&text, cursor, &KNOWN);
            prop_assert!(text.get(completion.range).is_some());
        }

        #[test]
        fn a_completed_value_is_a_filter(text in "(tool|verdict|is|kind|at|model|file):|~[tkp] ") {
            for candidate in complete(&text, text.len(), &KNOWN).candidates {
                let text = format!("{text}{}", candidate.text);
                prop_assert!(Filter::parse(&text).is_ok(), "{text}");
            }
        }
    }
}
