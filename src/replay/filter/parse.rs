//! Tokens into an expression.
//!
//! ```text
//! or    = and ("|" and)*          with a space on some side of the bar
//! and   = tight (" "? tight)*     a "&" between them changes nothing
//! tight = unary ("|" unary)*      without spaces
//! unary = "!" unary | "(" or ")" | TERM
//! ```

use super::error::FilterError;
use super::expr::{Expr, Group};
use super::lex::{Form, Lexer, RawValue, Token, TokenKind};
use super::term::{Comparison, Field};
use super::value::{Test, tests};

/// How deep parentheses and `!` may be nested: what is typed by hand never is, and the stack is finite.
pub(super) const DEPTH: usize = 64;
/// How many regular expressions a filter may have: each may take 64 KiB.
const REGEXES: usize = 16;

/// Reads a filter's text.
pub(super) fn parse(text: &str) -> Result<Expr, FilterError> {
    let mut lexer = Lexer::new(text);
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next()? {
        if !matches!(token.kind, TokenKind::And) {
            tokens.push(token);
        }
    }
    let mut parser = Parser { tokens: tokens.into_iter().peekable(), end: text.len(), regexes: 0 };
    if parser.tokens.peek().is_none() {
        return Ok(Expr::All(Vec::new()));
    }
    let expr = parser.or(0)?;
    match parser.tokens.next() {
        None => Ok(expr),
        Some(token) => Err(FilterError::new(token.range, "a ( before this )")),
    }
}

struct Parser {
    tokens: std::iter::Peekable<std::vec::IntoIter<Token>>,
    end: usize,
    regexes: usize,
}

impl Parser {
    fn or(&mut self, depth: usize) -> Result<Expr, FilterError> {
        let mut options = vec![self.and(depth)?];
        while self.tokens.next_if(|token| matches!(token.kind, TokenKind::Or { .. })).is_some() {
            options.push(self.and(depth)?);
        }
        Ok(Expr::any(options))
    }

    fn and(&mut self, depth: usize) -> Result<Expr, FilterError> {
        let mut parts = vec![self.tight(depth)?];
        while self.tokens.peek().is_some_and(|token| !matches!(token.kind, TokenKind::Or { .. } | TokenKind::Close)) {
            parts.push(self.tight(depth)?);
        }
        Ok(Expr::all(parts))
    }

    fn tight(&mut self, depth: usize) -> Result<Expr, FilterError> {
        let mut options = vec![self.unary(depth)?];
        while let Some(bar) = self.tokens.next_if(|token| matches!(token.kind, TokenKind::Or { tight: true })) {
            // Written out, this takes parentheses.
            nest(depth, &bar)?;
            options.push(self.unary(depth)?);
        }
        Ok(Expr::any(options))
    }

    fn unary(&mut self, mut depth: usize) -> Result<Expr, FilterError> {
        let mut negations = 0;
        let token = loop {
            let Some(token) = self.tokens.next() else { return Err(FilterError::new(self.end..self.end, "a term")) };
            if !matches!(token.kind, TokenKind::Not) {
                break token;
            }
            depth = nest(depth, &token)?;
            negations += 1;
        };
        let expr = match token.kind {
            TokenKind::Open => {
                let inner = self.or(nest(depth, &token)?)?;
                match self.tokens.next() {
                    // What else could follow the expression ends it.
                    Some(_) => inner,
                    None => return Err(FilterError::new(token.range, "a ) to this (")),
                }
            }
            TokenKind::Flag(flag) => {
                Expr::Group(Group { field: Field::Is, comparison: Comparison::Equal, tests: vec![Test::Flag(flag)] })
            }
            TokenKind::Term { field, comparison, values } => self.group(field, comparison, &values)?,
            TokenKind::Close | TokenKind::Not | TokenKind::And | TokenKind::Or { .. } => {
                return Err(FilterError::new(token.range, "a term"));
            }
        };
        Ok((0..negations).fold(expr, |expr, _| Expr::Not(Box::new(expr))))
    }

    fn group(&mut self, field: Field, comparison: Comparison, values: &[RawValue]) -> Result<Expr, FilterError> {
        let mut group = Group { field, comparison, tests: Vec::new() };
        for value in values {
            self.regexes += usize::from(value.form == Form::Regex);
            if self.regexes > REGEXES {
                return Err(FilterError::new(value.range.clone(), format!("at most {REGEXES} regular expressions")));
            }
            group.tests.extend(tests(field, value)?);
        }
        Ok(Expr::Group(group))
    }
}

fn nest(depth: usize, token: &Token) -> Result<usize, FilterError> {
    if depth < DEPTH { Ok(depth + 1) } else { Err(FilterError::new(token.range.clone(), format!("at most {DEPTH} levels"))) }
}
