//! Patterns of ECMA-262 with the `u` flag: whether a text is one, and what in it matters elsewhere.
//!
//! Engines differ in what they forgive. This reads a pattern by the strict grammar (ECMA-262, section 22.2.1, with
//! `UnicodeMode`), which is what JSON Schema asks for and what ajv applies.

/// Something in a pattern that other engines take differently, or that costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trait {
    /// `\d`, `\D`
    Digits,
    /// `\w`, `\W`, `\b`, `\B`
    Words,
    /// `\s`, `\S`
    Spaces,
    /// `\p{…}`
    Property,
    /// Look-ahead and look-behind.
    LookAround,
    BackReference,
    /// A repeated group that holds a repetition.
    NestedQuantifier,
    StartAnchor,
    EndAnchor,
}

impl Trait {
    /// How it is written, where engines differ on it.
    pub fn differs(self) -> Option<&'static str> {
        match self {
            Self::Digits => Some("`\\d`"),
            Self::Words => Some("`\\w` or `\\b`"),
            Self::Spaces => Some("`\\s`"),
            Self::Property => Some("`\\p{…}`"),
            Self::LookAround => Some("look-around"),
            _ => None,
        }
    }
}

/// What is in a pattern, each once; an error says in words why it is none.
pub(super) fn check(pattern: &str) -> Result<Vec<Trait>, String> {
    let mut reader = Reader { rest: pattern.chars().collect(), at: 0, traits: Vec::new(), groups: vec![Group::default()] };
    reader.read()?;
    Ok(reader.traits)
}

struct Reader {
    rest: Vec<char>,
    at: usize,
    traits: Vec<Trait>,
    groups: Vec<Group>,
}

/// A group that is being read, or the pattern as a whole.
#[derive(Clone, Copy, Default)]
struct Group {
    /// What was just read and may still be repeated.
    last: Last,
    /// The alternative has a repetition without an upper bound.
    repeats: bool,
    /// It has something that must be there once, which tells one round of the group from the next.
    fixed: bool,
    /// Some alternative repeats and has nothing fixed: repeated as a whole, it can be split in many ways.
    loose: bool,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Last {
    #[default]
    Nothing,
    Atom,
    LooseGroup,
}

impl Group {
    /// Takes in what was read last, now that nothing repeats it.
    fn settle(&mut self) {
        match std::mem::take(&mut self.last) {
            Last::Nothing => {}
            Last::Atom => self.fixed = true,
            Last::LooseGroup => self.repeats = true,
        }
    }

    fn end_alternative(&mut self) {
        self.settle();
        self.loose |= self.repeats && !self.fixed;
        (self.repeats, self.fixed) = (false, false);
    }
}

/// How often something is repeated.
enum Repeat {
    Unbounded,
    Optional,
    Fixed,
}

impl Reader {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.rest.get(self.at + ahead).copied()
    }

    fn starts_with(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(i, c)| self.peek(i) == Some(c))
    }

    fn note(&mut self, found: Trait) {
        if !self.traits.contains(&found) {
            self.traits.push(found);
        }
    }

    fn group(&mut self) -> &mut Group {
        if self.groups.is_empty() {
            self.groups.push(Group::default());
        }
        let last = self.groups.len() - 1;
        &mut self.groups[last]
    }

    fn read(&mut self) -> Result<(), String> {
        while let Some(c) = self.peek(0) {
            if matches!(c, '*' | '+' | '?' | '{') {
                self.repeated(c)?;
                continue;
            }
            self.group().settle();
            match c {
                '(' => self.open()?,
                ')' => {
                    self.at += 1;
                    let mut closed = self.groups.pop().filter(|_| !self.groups.is_empty()).ok_or("a `)` without its `(`")?;
                    closed.end_alternative();
                    self.group().last = if closed.loose { Last::LooseGroup } else { Last::Atom };
                }
                '[' => {
                    self.class()?;
                    self.group().last = Last::Atom;
                }
                '\\' => {
                    let atom = self.escape(false)?;
                    self.group().last = if atom { Last::Atom } else { Last::Nothing };
                }
                ']' | '}' => return Err(format!("a `{c}` that closes nothing (write `\\{c}`)")),
                '^' | '$' => {
                    self.note(if c == '^' { Trait::StartAnchor } else { Trait::EndAnchor });
                    self.at += 1;
                }
                '|' => {
                    self.at += 1;
                    self.group().end_alternative();
                }
                _ => {
                    self.at += 1;
                    self.group().last = Last::Atom;
                }
            }
        }
        if self.groups.len() == 1 { Ok(()) } else { Err("a `(` without its `)`".to_owned()) }
    }

    fn repeated(&mut self, c: char) -> Result<(), String> {
        let what = std::mem::take(&mut self.group().last);
        if what == Last::Nothing {
            return Err(format!("`{c}` with nothing before it to repeat"));
        }
        match self.quantifier()? {
            Repeat::Unbounded => {
                if what == Last::LooseGroup {
                    self.note(Trait::NestedQuantifier);
                }
                self.group().repeats = true;
            }
            Repeat::Optional => {}
            Repeat::Fixed => self.group().fixed = true,
        }
        Ok(())
    }

    fn open(&mut self) -> Result<(), String> {
        self.groups.push(Group::default());
        for (start, look) in [("(?:", false), ("(?=", true), ("(?!", true), ("(?<=", true), ("(?<!", true)] {
            if self.starts_with(start) {
                self.at += start.len();
                if look {
                    self.note(Trait::LookAround);
                }
                return Ok(());
            }
        }
        if self.starts_with("(?<") {
            let name: String = self.rest[self.at + 3..].iter().take_while(|c| **c != '>').collect();
            let valid = name.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
                && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
            if !valid {
                return Err("a group whose name is no identifier".to_owned());
            }
            self.at += 4 + name.chars().count();
            return Ok(());
        }
        if self.starts_with("(?") {
            let shown: String = self.rest[self.at..].iter().take(4).collect();
            return Err(format!("`{shown}` is not known there"));
        }
        self.at += 1;
        Ok(())
    }

    fn quantifier(&mut self) -> Result<Repeat, String> {
        let repeat = match self.peek(0) {
            Some('{') => self.counted()?,
            first => {
                self.at += 1;
                if first == Some('?') { Repeat::Optional } else { Repeat::Unbounded }
            }
        };
        if self.peek(0) == Some('?') {
            self.at += 1;
        }
        Ok(repeat)
    }

    /// Reads `{2}`, `{2,}` or `{2,3}`.
    fn counted(&mut self) -> Result<Repeat, String> {
        let inside: String = self.rest[self.at + 1..].iter().take_while(|c| **c != '}').collect();
        let length = inside.chars().count();
        let (low, high) = inside.split_once(',').unwrap_or((&inside, &inside));
        let number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
        if self.rest.get(self.at + 1 + length) != Some(&'}') || !number(low) || !(high.is_empty() || number(high)) {
            return Err("a `{` that begins no repetition (write `\\{`)".to_owned());
        }
        let (from, to) = (low.trim_start_matches('0'), high.trim_start_matches('0'));
        if !high.is_empty() && (from.len(), from) > (to.len(), to) {
            return Err(format!("the repetition {{{inside}}} runs backwards"));
        }
        self.at += 2 + length;
        Ok(match (from.is_empty(), high.is_empty()) {
            (_, true) => Repeat::Unbounded,
            (true, false) => Repeat::Optional,
            (false, false) => Repeat::Fixed,
        })
    }

    /// Reads an escape; whether it can be repeated.
    fn escape(&mut self, in_class: bool) -> Result<bool, String> {
        let Some(c) = self.peek(1) else { return Err("a `\\` at the end".to_owned()) };
        self.at += 2;
        match c {
            'd' | 'D' => self.note(Trait::Digits),
            'w' | 'W' => self.note(Trait::Words),
            's' | 'S' => self.note(Trait::Spaces),
            'b' | 'B' if !in_class => {
                self.note(Trait::Words);
                return Ok(false);
            }
            'p' | 'P' => {
                self.note(Trait::Property);
                self.braces()?;
            }
            'u' if self.peek(0) == Some('{') => self.braces()?,
            'u' => self.hexadecimal(4)?,
            'x' => self.hexadecimal(2)?,
            'c' if self.peek(0).is_some_and(|c| c.is_ascii_alphabetic()) => self.at += 1,
            'k' if !in_class && self.peek(0) == Some('<') => {
                self.note(Trait::BackReference);
                while self.peek(0).is_some_and(|c| c != '>') {
                    self.at += 1;
                }
                self.at += 1;
            }
            '0' if !self.peek(0).is_some_and(|c| c.is_ascii_digit()) => {}
            '1'..='9' if !in_class => {
                self.note(Trait::BackReference);
                while self.peek(0).is_some_and(|c| c.is_ascii_digit()) {
                    self.at += 1;
                }
            }
            'f' | 'n' | 'r' | 't' | 'v' | '^' | '$' | '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|'
            | '/' => {}
            'b' | '-' if in_class => {}
            other => return Err(format!("the escape `\\{other}` is not known")),
        }
        Ok(true)
    }

    fn braces(&mut self) -> Result<(), String> {
        let inside = self.rest[self.at..].iter().skip(1).take_while(|c| **c != '}').count();
        if self.peek(0) != Some('{') || inside == 0 || self.peek(inside + 1) != Some('}') {
            return Err("an escape whose `{…}` is missing".to_owned());
        }
        self.at += inside + 2;
        Ok(())
    }

    fn hexadecimal(&mut self, digits: usize) -> Result<(), String> {
        if !(0..digits).all(|i| self.peek(i).is_some_and(|c| c.is_ascii_hexdigit())) {
            return Err(format!("an escape that needs {digits} hexadecimal digits"));
        }
        self.at += digits;
        Ok(())
    }

    fn class(&mut self) -> Result<(), String> {
        self.at += if self.peek(1) == Some('^') { 2 } else { 1 };
        // Whether the last member is a set, which no range can start or end with.
        let mut set = false;
        let mut first = true;
        loop {
            match self.peek(0) {
                None => return Err("a `[` without its `]`".to_owned()),
                Some(']') => {
                    self.at += 1;
                    return Ok(());
                }
                Some('-') if !first && self.peek(1).is_some_and(|c| c != ']') => {
                    self.at += 1;
                    let ends_in_set =
                        matches!((self.peek(0), self.peek(1)), (Some('\\'), Some('d' | 'D' | 'w' | 'W' | 's' | 'S' | 'p' | 'P')));
                    if set || ends_in_set {
                        return Err("a range that starts or ends with a set, such as `[\\w-.]` (write `\\-`)".to_owned());
                    }
                    self.member()?;
                    // What follows a range starts anew.
                    first = true;
                    continue;
                }
                Some(_) => set = self.member()?,
            }
            first = false;
        }
    }

    /// Reads one member of a class; whether it is a set of characters.
    fn member(&mut self) -> Result<bool, String> {
        if self.peek(0) != Some('\\') {
            self.at += 1;
            return Ok(false);
        }
        let set = self.peek(1).is_some_and(|c| "dDwWsSpP".contains(c));
        self.escape(true)?;
        Ok(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_pattern() {
        for pattern in [
            "",
            "^a$",
            "a|b",
            "(?:a)+",
            "(?<y>\\d{4})-\\k<y>",
            "[a-z\\-_.]",
            "[\\w-]",
            "[-a]",
            "[a-c-e]",
            "^\\p{L}+$",
            "\\u{1F600}",
            "a{2}",
            "a{2,}",
            "a{2,10}?",
            "\\/",
            "(?=a)",
            "(?<!a)b",
            "[^\\]]",
            "\\cA",
            "\\0",
            "(a)\\1",
            ".",
            "[]",
            "[^]",
            "^[A-Za-z0-9+/=]*$",
            "\\x41\\u0041",
        ] {
            assert!(check(pattern).is_ok(), "{pattern}: {:?}", check(pattern));
        }
        for pattern in [
            "(", ")", "[", "a{", "a{x}", "}", "]", "*a", "a**", "[a-z\\_]", "[\\w-.]", "\\-", "(?P<y>a)", "a\\Z", "\\Aa",
            "(?i)a", "\\", "\\u12", "\\p", "a{3,2}", "^*", "\\@",
        ] {
            assert!(check(pattern).is_err(), "{pattern}");
        }
    }

    #[test]
    fn what_costs() {
        for (pattern, expensive) in [
            ("(a+)+$", true),
            ("((a*)b?)*", true),
            ("(?:x|y+)*", true),
            ("(a+)?b", false),
            ("((a+))+", true),
            ("(\\w+\\s?)*", true),
            ("^[a-z0-9]+(-[a-z0-9]+)*$", false),
            ("(\\d+\\.)*", false),
            ("^[a-z]+(-[a-z]+)?$", false),
            ("^([0-9]{1,3}\\.){3}[0-9]{1,3}$", false),
        ] {
            assert_eq!(check(pattern).unwrap().contains(&Trait::NestedQuantifier), expensive, "{pattern}");
        }
    }
}
