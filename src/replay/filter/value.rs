//! The values of terms: what each is tested for.

use super::error::FilterError;
use super::flag::Flag;
use super::lex::{Form, RawValue};
use super::pattern::{Pattern, Text, is_glob};
use super::suggest::nearest;
use super::term::{Field, ValueKind};
use super::time::When;
use crate::gate::VerdictKind;
use crate::replay::Kinds;
use std::ops::Range;

/// What one value of a term asks for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
    Pattern(Pattern),
    /// A verdict; none for calls that are still being streamed.
    Verdict(Option<VerdictKind>),
    Flag(Flag),
    Kind(Kinds),
    When(When),
    Number(u32),
}

/// The word for a call without a verdict of its own yet.
pub(super) const PENDING: &str = "pending";

/// The words that a field takes; none if it takes anything.
pub(super) fn words(field: Field) -> Vec<&'static str> {
    match field {
        Field::Verdict => VerdictKind::ALL.map(VerdictKind::name).into_iter().chain([PENDING]).collect(),
        Field::Is => Flag::ALL.map(Flag::name).to_vec(),
        Field::Kind => Kinds::NAMES.to_vec(),
        _ => Vec::new(),
    }
}

/// Reads a value, which may hold several words with commas between them.
pub(super) fn tests(field: Field, value: &RawValue) -> Result<Vec<Test>, FilterError> {
    let one = |test: Option<Test>, expected: &str| {
        test.map(|test| vec![test]).ok_or_else(|| FilterError::new(value.range.clone(), expected))
    };
    match field.value_kind() {
        ValueKind::Word => parts(value).map(|(range, name)| word(field, range, name)).collect(),
        ValueKind::Time => {
            let expected = "an age as 10m, 2h or 7d, a day as 2026-11-24, or a time as 2026-11-24T09:13:14Z";
            one(When::parse(&value.text).map(Test::When), expected)
        }
        ValueKind::Number => {
            let digits = value.text.bytes().all(|b| b.is_ascii_digit());
            one(value.text.parse().ok().filter(|_| digits).map(Test::Number), "a number of issues, as in n>1")
        }
        ValueKind::Path if field == Field::At => pointer(value).map(|pattern| vec![Test::Pattern(pattern)]),
        ValueKind::Text | ValueKind::Name | ValueKind::Path => pattern(field, value).map(|pattern| vec![Test::Pattern(pattern)]),
    }
}

/// The words of a value, each with its place.
fn parts(value: &RawValue) -> impl Iterator<Item = (Range<usize>, &str)> {
    let quoted = value.form == Form::Quoted;
    let mut at = value.range.start;
    value.text.split(move |c| c == ',' && !quoted).map(move |part| {
        let range = if quoted { value.range.clone() } else { at..at + part.len() };
        at = range.end + 1;
        (range, part)
    })
}

fn word(field: Field, range: Range<usize>, name: &str) -> Result<Test, FilterError> {
    let name = name.to_ascii_lowercase().replace('-', "_");
    let test = match field {
        Field::Verdict if name == PENDING => Some(Test::Verdict(None)),
        Field::Verdict => VerdictKind::from_name(&name).map(|kind| Test::Verdict(Some(kind))),
        Field::Is => Flag::from_name(&name).map(Test::Flag),
        _ => Kinds::from_name(&name).map(Test::Kind),
    };
    test.ok_or_else(|| {
        let words = words(field);
        let meant = nearest(&name, words.iter().copied()).map(str::to_owned);
        FilterError::new(range, format!("one of {}", words.join(", "))).suggest(meant)
    })
}

fn pattern(field: Field, value: &RawValue) -> Result<Pattern, FilterError> {
    let text = || Text::new(value.text.as_str());
    Ok(match value.form {
        Form::Regex => {
            let wrong = |error| FilterError::new(value.range.clone(), format!("a regular expression ({error})"));
            Pattern::regex(&value.text).map_err(wrong)?
        }
        Form::Bare if field.value_kind() != ValueKind::Text && is_glob(&value.text) => Pattern::Glob(text()),
        Form::Bare | Form::Quoted => Pattern::Literal(text()),
    })
}

/// A JSON Pointer begins with a slash, or with `**` for any depth; that of the arguments themselves is empty.
fn pointer(value: &RawValue) -> Result<Pattern, FilterError> {
    let text = &value.text;
    let quoted = value.form == Form::Quoted;
    if text.starts_with('/') || (quoted && text.is_empty()) || (!quoted && text.starts_with("**")) {
        return pattern(Field::At, value);
    }
    let steps = text.trim_matches(['.', '[', ']']).replace("].", "/").replace(['.', '['], "/").replace(']', "");
    let meant = format!("/{steps}");
    let meant = if quoted { super::print::quoted(&meant) } else { meant };
    let expected = "a JSON Pointer, which begins with /, or **/ for any depth";
    Err(FilterError::new(value.range.clone(), expected).suggest(Some(meant)))
}
