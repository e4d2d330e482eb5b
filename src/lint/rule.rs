//! A rule as data: what it finds, for whom it matters and how much, and where that is known from.

use super::target::{Target, Targets};
use std::fmt::{self, Write as _};

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Quality.
    Note,
    /// A named client ignores or mangles it, or it is almost surely a mistake.
    Warning,
    /// A named target refuses it, or it can never work.
    Error,
}

impl Severity {
    /// All, the worst first.
    pub const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Note];

    /// The severity's name in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// The severity with that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|severity| severity.name() == name)
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How Gemini gets a definition, which decides what it refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GeminiForm {
    /// As `parameters`: Gemini's own subset of `OpenAPI`. Refused where it does not fit.
    Parameters,
    /// As `parametersJsonSchema`: JSON Schema, of which a part is ignored.
    JsonSchema,
    /// Made for somebody else; a client turns it into one or the other.
    Converted,
}

/// How much a rule matters to Gemini, by the form in which it gets the definition.
#[derive(Clone, Copy, Debug)]
pub struct GeminiLevels {
    /// As `parameters`.
    pub parameters: Severity,
    /// As `parametersJsonSchema`.
    pub json_schema: Option<Severity>,
    /// Converted by a client.
    pub converted: Severity,
}

/// A lint rule.
#[derive(Debug)]
pub struct Rule {
    /// Its name, in kebab case. Names do not change.
    pub id: &'static str,
    /// What it finds, in a few words.
    pub finds: &'static str,
    /// For whom it matters, and how much.
    pub levels: &'static [(Targets, Severity)],
    /// For Gemini, where the form decides.
    pub gemini: Option<GeminiLevels>,
    /// Why it matters and what to do, for people.
    pub why: &'static str,
    /// Where that is known from: issues of public repositories (`owner/name#1`), specifications, measurements.
    pub evidence: &'static str,
    /// When that was looked at: provider rules move.
    pub date: &'static str,
}

impl Rule {
    /// How much it matters to a target.
    #[must_use]
    pub fn severity(&self, target: Target, form: GeminiForm) -> Option<Severity> {
        if let (Target::Gemini, Some(levels)) = (target, &self.gemini) {
            return match form {
                GeminiForm::Parameters => Some(levels.parameters),
                GeminiForm::JsonSchema => levels.json_schema,
                GeminiForm::Converted => Some(levels.converted),
            };
        }
        self.levels.iter().find(|(targets, _)| targets.has(target)).map(|(_, severity)| *severity)
    }

    /// Everybody that it matters to.
    #[must_use]
    pub fn targets(&self) -> Targets {
        let gemini = if self.gemini.is_some() { Targets::of(&[Target::Gemini]) } else { Targets::NONE };
        self.levels.iter().fold(gemini, |all, (targets, _)| all.or(*targets))
    }

    /// Why it matters, for whom how much, and where that is known from: some lines for people.
    #[must_use]
    pub fn explanation(&self) -> String {
        let mut out = format!("{}: {}\n\n{}\n\n", self.id, self.finds, self.why);
        let mut level = |severity: Severity, whom: &str| {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{:8} {whom}", severity.name());
        };
        for (targets, severity) in self.levels {
            level(*severity, &targets.names().join(", "));
        }
        if let Some(levels) = self.gemini {
            level(levels.parameters, "gemini, as `parameters`");
            if let Some(severity) = levels.json_schema {
                level(severity, "gemini, as `parametersJsonSchema`");
            }
            level(levels.converted, "gemini, made for somebody else and converted");
        }
        let _ = writeln!(out, "\nknown from: {} (looked at {})", self.evidence, self.date);
        out
    }

    /// The worst it can be.
    #[must_use]
    pub fn worst(&self) -> Severity {
        let gemini = self.gemini.map(|levels| levels.parameters);
        self.levels.iter().map(|(_, severity)| *severity).chain(gemini).max().unwrap_or(Severity::Note)
    }
}

/// Sets that several rules name.
pub(super) mod sets {
    use super::{Target, Targets};

    pub const ALL: Targets = Targets::ALL;
    pub const OPENAI: Targets = Targets::of(&[Target::OpenAi, Target::OpenAiStrict]);
    pub const OPENAI_STRICT: Targets = Targets::of(&[Target::OpenAiStrict]);
    pub const ANTHROPIC: Targets = Targets::of(&[Target::Anthropic, Target::AnthropicStrict]);
    pub const ANTHROPIC_STRICT: Targets = Targets::of(&[Target::AnthropicStrict]);
    pub const STRICT: Targets = OPENAI_STRICT.or(ANTHROPIC_STRICT);
    pub const GEMINI: Targets = Targets::of(&[Target::Gemini]);
    pub const BEDROCK: Targets = Targets::of(&[Target::Bedrock]);
    pub const MCP: Targets = Targets::of(&[Target::Mcp]);
    pub const CLIENTS: Targets = Targets::of(&[Target::Clients]);
    pub const GATE: Targets = Targets::of(&[Target::Gate]);
}

/// Defines rules as constants, and the list of them. Gemini's levels, where the form decides, are written
/// `parameters / json_schema / converted`.
macro_rules! rules {
    ($($name:ident = $id:literal: $finds:literal; [$($targets:expr => $severity:ident),*] $(gemini $p:ident / $j:expr; $c:ident)?; $why:literal; $evidence:literal;)*) => {
        $(pub(in crate::lint) static $name: $crate::lint::Rule = $crate::lint::Rule {
            id: $id,
            finds: $finds,
            levels: &[$(($targets, $crate::lint::Severity::$severity)),*],
            gemini: rules!(@gemini $($p $j, $c)?),
            why: $why,
            evidence: $evidence,
            date: "2026-11-30",
        };)*
        pub(in crate::lint) static RULES: &[&$crate::lint::Rule] = &[$(&$name),*];
    };
    (@gemini) => { None };
    (@gemini $p:ident $j:expr, $c:ident) => {
        Some($crate::lint::GeminiLevels {
            parameters: $crate::lint::Severity::$p,
            json_schema: $j,
            converted: $crate::lint::Severity::$c,
        })
    };
}
pub(super) use rules;
