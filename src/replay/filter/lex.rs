//! A filter's text into tokens.

use super::error::FilterError;
use super::flag::Flag;
use super::suggest::nearest;
use super::term::{Comparison, Field, TERMS};
use std::ops::Range;

/// A token and its bytes.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub range: Range<usize>,
    pub kind: TokenKind,
}

#[derive(Clone, Debug)]
pub(super) enum TokenKind {
    Open,
    Close,
    Not,
    /// `|`; without a space on either side it binds tighter than "and".
    Or {
        tight: bool,
    },
    /// `&`, which may stand where a space does.
    And,
    Flag(Flag),
    Term {
        field: Field,
        comparison: Comparison,
        /// One or more, separated by `|`.
        values: Vec<RawValue>,
    },
}

/// A value as it is written.
#[derive(Clone, Debug)]
pub(super) struct RawValue {
    pub range: Range<usize>,
    /// What it says, without quotes or slashes.
    pub text: String,
    pub form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Bare,
    Quoted,
    Regex,
}

/// What stands last in a text, for completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    /// Where it starts.
    pub start: usize,
    /// The field whose value it is; none for the beginning of a term.
    pub field: Option<Field>,
}

/// Reads tokens. After an error it goes on behind what was wrong.
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
    pub slot: Slot,
}

/// What ends a word that is not quoted.
const ENDS: [char; 3] = ['|', '(', ')'];

fn ends(c: char) -> bool {
    c.is_whitespace() || ENDS.contains(&c)
}

impl<'t> Lexer<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { text, at: 0, slot: Slot { start: 0, field: None } }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Whether a token reached to the very end.
    pub fn is_done(&self) -> bool {
        self.at == self.text.len()
    }

    fn first(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// At the end of what can be part of a word.
    fn at_end(&self) -> bool {
        self.first().is_none_or(ends)
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// The next token, if there is one.
    pub fn next(&mut self) -> Result<Option<Token>, FilterError> {
        let before = self.at;
        self.skip_space();
        let start = self.at;
        self.slot = Slot { start, field: None };
        let Some(first) = self.first() else { return Ok(None) };
        let kind = match first {
            '(' => self.one(TokenKind::Open),
            ')' => self.one(TokenKind::Close),
            '!' => self.one(TokenKind::Not),
            '|' => {
                let spaced = before < start || start == 0;
                let tight = !spaced && self.rest()[1..].chars().next().is_some_and(|c| !c.is_whitespace());
                self.one(TokenKind::Or { tight })
            }
            '&' if self.rest()[1..].chars().next().is_none_or(char::is_whitespace) => self.one(TokenKind::And),
            '~' if self.rest()[1..].starts_with(|c: char| c.is_ascii_alphabetic()) => self.short()?,
            _ => self.term()?,
        };
        Ok(Some(Token { range: start..self.at, kind }))
    }

    fn one(&mut self, kind: TokenKind) -> TokenKind {
        self.at += 1;
        self.slot.start = self.at;
        kind
    }

    /// `~t NAME`, `~t:NAME`, `~marked`.
    fn short(&mut self) -> Result<TokenKind, FilterError> {
        let start = self.at;
        let letters = self.rest()[1..].find(|c: char| !c.is_ascii_alphabetic()).map_or(self.rest().len(), |n| n + 1);
        let name = self.rest()[..letters].to_ascii_lowercase();
        self.at += letters;
        let range = start..self.at;
        if let Some(field) = Field::from_short(&name) {
            if self.first() == Some(':') {
                self.at += 1;
            } else if self.first().is_some_and(char::is_whitespace) {
                self.skip_space();
            }
            return self.values(field, Comparison::Equal, range);
        }
        match Flag::from_short(&name) {
            Some(flag) if self.at_end() => Ok(TokenKind::Flag(flag)),
            _ => {
                let shorts = TERMS.iter().filter_map(|term| term.short).chain(Flag::ALL.iter().filter_map(|flag| flag.short()));
                let list: Vec<&str> = shorts.collect();
                let meant = nearest(&name, list.iter().copied().filter(|short| short.len() > 2)).map(str::to_owned);
                let _ = self.bare();
                Err(FilterError::new(range, format!("one of {}", list.join(" "))).suggest(meant))
            }
        }
    }

    /// `name:value`, `n>1`, or words.
    fn term(&mut self) -> Result<TokenKind, FilterError> {
        let start = self.at;
        match self.head() {
            Some((name, comparison, length)) => {
                let Some(field) = Field::from_name(name) else {
                    let range = start..start + name.len();
                    return Err(self.unknown_term(range));
                };
                self.at += length;
                self.values(field, comparison, start..start + length)
            }
            None => self.values(Field::Any, Comparison::Equal, start..start),
        }
    }

    /// What a term begins with: its name, the comparison, and the length of both.
    fn head(&self) -> Option<(&'t str, Comparison, usize)> {
        let rest = self.rest();
        let name = &rest[..rest.find(|c: char| !c.is_ascii_alphabetic() && c != '_').unwrap_or(rest.len())];
        if name.is_empty() {
            return None;
        }
        let behind = &rest[name.len()..];
        if behind.starts_with(':') {
            return Some((name, Comparison::Equal, name.len() + 1));
        }
        if Field::from_name(name) != Some(Field::Count) {
            return None;
        }
        let (spelling, comparison) = Comparison::SPELLINGS.iter().find(|(spelling, _)| behind.starts_with(spelling))?;
        Some((name, *comparison, name.len() + spelling.len()))
    }

    fn unknown_term(&mut self, name: Range<usize>) -> FilterError {
        let names = || TERMS.iter().map(|term| term.name).filter(|name| !name.is_empty());
        let whole = name.start..self.bare().end;
        let expected =
            format!("a term ({}), or the text in quotes", names().map(|n| format!("{n}:")).collect::<Vec<_>>().join(" "));
        if let Some(meant) = nearest(&self.text[name.clone()], names()) {
            return FilterError::new(name, expected).suggest(Some(meant.to_owned()));
        }
        let quoted = super::print::quoted(&self.text[whole.clone()]);
        FilterError::new(whole, expected).suggest(Some(quoted))
    }

    /// The values of a term: one, or several with `|` between them and no space.
    fn values(&mut self, field: Field, comparison: Comparison, head: Range<usize>) -> Result<TokenKind, FilterError> {
        let mut values = vec![self.value(field, &head)?];
        while self.first() == Some('|') && self.goes_on(field) {
            self.at += 1;
            values.push(self.value(field, &head)?);
        }
        Ok(TokenKind::Term { field, comparison, values })
    }

    /// Whether another value of the same term follows the `|` here, and not a term of its own.
    fn goes_on(&self, field: Field) -> bool {
        let next = Lexer { text: self.text, at: self.at + 1, slot: self.slot };
        let short = next.rest().starts_with('~') && next.rest()[1..].starts_with(|c: char| c.is_ascii_alphabetic());
        let own_head = next.head().is_some_and(|(name, ..)| field == Field::Any || Field::from_name(name).is_some());
        !next.at_end() && !next.rest().starts_with('!') && !short && !own_head
    }

    fn value(&mut self, field: Field, head: &Range<usize>) -> Result<RawValue, FilterError> {
        self.slot = Slot { start: self.at, field: (field != Field::Any).then_some(field) };
        match self.first() {
            Some('"') => self.quoted(),
            Some('/') if field.takes_regex() => self.regex(),
            _ if self.at_end() => {
                let term = field.term();
                let example = if field == Field::At { "at:\"\" for the arguments themselves" } else { term.example };
                Err(FilterError::new(head.start..self.at, format!("{} behind it, as in {example}", term.value)))
            }
            _ => {
                let range = self.bare();
                let text = self.text[range.clone()].to_owned();
                self.no_parenthesis(range.start)?;
                Ok(RawValue { range, text, form: Form::Bare })
            }
        }
    }

    /// Reads on to the end of a word, and returns what was read.
    fn bare(&mut self) -> Range<usize> {
        let start = self.at;
        self.at += self.rest().find(ends).unwrap_or(self.rest().len());
        start..self.at
    }

    /// `f(x)` is one word to whoever types it: better ask for quotes than look for `f` and `x`.
    fn no_parenthesis(&mut self, start: usize) -> Result<(), FilterError> {
        if self.first() != Some('(') {
            return Ok(());
        }
        self.at += self.rest().find(char::is_whitespace).unwrap_or(self.rest().len());
        let range = start..self.at;
        let quoted = super::print::quoted(&self.text[range.clone()]);
        Err(FilterError::new(range, "a space before the parenthesis, or the text in quotes").suggest(Some(quoted)))
    }

    /// `"text"`, in which `\"` and `\\` stand for a quote and a backslash.
    fn quoted(&mut self) -> Result<RawValue, FilterError> {
        let start = self.at;
        let mut text = String::new();
        let mut chars = self.rest()[1..].char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.at = start + 1 + at + 1;
                    return self.closed(RawValue { range: start..self.at, text, form: Form::Quoted });
                }
                '\\' => text.push(chars.next_if(|(_, next)| matches!(next, '"' | '\\')).map_or('\\', |(_, next)| next)),
                other => text.push(other),
            }
        }
        self.at = self.text.len();
        let closed = super::print::quoted(&text);
        Err(FilterError::new(start..self.at, "a closing \"").suggest(Some(closed)))
    }

    fn closed(&mut self, value: RawValue) -> Result<RawValue, FilterError> {
        if self.at_end() && self.first() != Some('(') {
            return Ok(value);
        }
        let rest = self.bare();
        Err(FilterError::new(rest.start..rest.end.max(rest.start + 1).min(self.text.len()), "a space behind the closing \""))
    }

    /// `/expression/`, in which `\/` stands for a slash. It ends at a slash that ends the word.
    fn regex(&mut self) -> Result<RawValue, FilterError> {
        let start = self.at;
        let mut text = String::new();
        let mut chars = self.rest()[1..].char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            match c {
                '/' if chars.peek().is_none_or(|(_, next)| ends(*next)) && !text.is_empty() => {
                    self.at = start + 1 + at + 1;
                    return Ok(RawValue { range: start..self.at, text, form: Form::Regex });
                }
                '\\' => match chars.next() {
                    Some((_, '/')) => text.push('/'),
                    next => {
                        text.push('\\');
                        text.extend(next.map(|(_, next)| next));
                    }
                },
                other => text.push(other),
            }
        }
        let range = self.bare();
        let quoted = super::print::quoted(&self.text[range.clone()]);
        Err(FilterError::new(range, "a regular expression between slashes, or the text in quotes").suggest(Some(quoted)))
    }
}
