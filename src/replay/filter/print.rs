//! A filter as canonical text: reading it gives the same filter again.

use super::expr::{Expr, Group};
use super::pattern::{Pattern, Text};
use super::term::{Field, ValueKind};
use super::value::{PENDING, Test};
use crate::gate::VerdictKind;
use std::fmt::{self, Display as _, Write as _};

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All(parts) => separated(f, parts, " ", |part| matches!(part, Self::Any(_))),
            Self::Any(parts) => separated(f, parts, " | ", |_| false),
            Self::Not(inner) => {
                f.write_char('!')?;
                enclosed(f, inner, matches!(**inner, Self::All(_) | Self::Any(_)))
            }
            Self::Group(group) => group.fmt(f),
        }
    }
}

fn separated(f: &mut fmt::Formatter<'_>, parts: &[Expr], separator: &str, enclose: fn(&Expr) -> bool) -> fmt::Result {
    for (n, part) in parts.iter().enumerate() {
        if n > 0 {
            f.write_str(separator)?;
        }
        enclosed(f, part, enclose(part))?;
    }
    Ok(())
}

fn enclosed(f: &mut fmt::Formatter<'_>, expr: &Expr, enclose: bool) -> fmt::Result {
    if enclose { write!(f, "({expr})") } else { expr.fmt(f) }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.field != Field::Any {
            write!(f, "{}{}", self.field.term().name, self.comparison.spelling())?;
        }
        for (n, test) in self.tests.iter().enumerate() {
            if n > 0 {
                f.write_char('|')?;
            }
            match test {
                Test::Pattern(Pattern::Literal(text)) => f.write_str(&literal(self.field, text.as_str()))?,
                // Without quotes it came, without quotes it goes.
                Test::Pattern(Pattern::Glob(glob)) => f.write_str(Text::as_str(glob))?,
                Test::Pattern(Pattern::Regex { source, .. }) => regex(f, source)?,
                Test::Verdict(verdict) => f.write_str(verdict.map_or(PENDING, VerdictKind::name))?,
                Test::Flag(flag) => f.write_str(flag.name())?,
                Test::Kind(kinds) => f.write_str(kinds.names().next().unwrap_or_default())?,
                Test::When(when) => when.fmt(f)?,
                Test::Number(number) => number.fmt(f)?,
            }
        }
        Ok(())
    }
}

/// A text as the value of a term that stands for itself: in quotes where it would be read as something else.
pub(super) fn literal(field: Field, text: &str) -> String {
    let path = field.value_kind() == ValueKind::Path;
    let plain = |c: char| c.is_alphanumeric() || "_-.@+,".contains(c) || (path && c == '/');
    if !text.is_empty() && text.chars().all(plain) { text.to_owned() } else { quoted(text) }
}

/// A text in quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
    out
}

fn regex(f: &mut fmt::Formatter<'_>, source: &str) -> fmt::Result {
    f.write_char('/')?;
    let mut escaped = false;
    for c in source.chars() {
        if c == '/' && !escaped {
            f.write_char('\\')?;
        }
        escaped = c == '\\' && !escaped;
        f.write_char(c)?;
    }
    f.write_char('/')
}
