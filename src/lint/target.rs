//! For whom a definition is checked.

use crate::definition::{Definition, Shape};
use std::fmt;

/// Somebody who reads tool definitions and has rules of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// OpenAI, Chat Completions and Responses, without `strict: true`.
    OpenAi,
    /// OpenAI with `strict: true`.
    OpenAiStrict,
    /// Anthropic Messages, without `strict: true`.
    Anthropic,
    /// Anthropic with `strict: true`.
    AnthropicStrict,
    /// Gemini and Vertex AI.
    Gemini,
    /// Amazon Bedrock Converse.
    Bedrock,
    /// The specification of the Model Context Protocol.
    Mcp,
    /// Well-known clients that pass tool definitions on: editors, agents and gateways.
    Clients,
    /// The gate of this crate, under the profile in force.
    Gate,
}

impl Target {
    /// All targets.
    pub const ALL: [Self; 9] = [
        Self::OpenAi,
        Self::OpenAiStrict,
        Self::Anthropic,
        Self::AnthropicStrict,
        Self::Gemini,
        Self::Bedrock,
        Self::Mcp,
        Self::Clients,
        Self::Gate,
    ];

    /// The target's name in output and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::OpenAiStrict => "openai-strict",
            Self::Anthropic => "anthropic",
            Self::AnthropicStrict => "anthropic-strict",
            Self::Gemini => "gemini",
            Self::Bedrock => "bedrock",
            Self::Mcp => "mcp",
            Self::Clients => "clients",
            Self::Gate => "gate",
        }
    }

    /// The target with that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|target| target.name() == name)
    }
}

/// A set of targets.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Targets(u16);

impl Targets {
    /// No target.
    pub const NONE: Self = Self(0);
    /// Every target.
    pub const ALL: Self = Self::of(&Target::ALL);

    /// The set of these.
    #[must_use]
    pub const fn of(targets: &[Target]) -> Self {
        let (mut bits, mut i) = (0, 0);
        while i < targets.len() {
            bits |= 1 << targets[i] as u16;
            i += 1;
        }
        Self(bits)
    }

    /// Whether a target is in it.
    #[must_use]
    pub const fn has(self, target: Target) -> bool {
        self.0 & (1 << target as u16) != 0
    }

    /// What is in both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// What is in either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What is in this and not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether nothing is in it.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The targets in order.
    pub fn iter(self) -> impl Iterator<Item = Target> {
        Target::ALL.into_iter().filter(move |target| self.has(*target))
    }

    /// The names for output: `all` alone where it is everybody.
    #[must_use]
    pub fn names(self) -> Vec<&'static str> {
        if self == Self::ALL { vec!["all"] } else { self.iter().map(Target::name).collect() }
    }

    /// Those that a definition's form shows it was made for. A bare one is nobody's in particular: it is checked for the gate.
    #[must_use]
    pub fn of_form(definition: &Definition) -> Self {
        let strict = is_strict(definition);
        match definition.shape() {
            Shape::OpenAi | Shape::OpenAiResponses if strict => Self::of(&[Target::OpenAiStrict]),
            Shape::OpenAi | Shape::OpenAiResponses => Self::of(&[Target::OpenAi]),
            Shape::Anthropic if strict => Self::of(&[Target::AnthropicStrict]),
            Shape::Anthropic => Self::of(&[Target::Anthropic]),
            Shape::Mcp => Self::of(&[Target::Mcp, Target::Clients]),
            Shape::Gemini => Self::of(&[Target::Gemini]),
            Shape::Bedrock => Self::of(&[Target::Bedrock]),
            Shape::Bare => Self::of(&[Target::Gate]),
        }
    }
}

impl fmt::Debug for Targets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

/// Whether a definition asks for strict decoding: `strict: true` where OpenAI and Anthropic look for it.
#[must_use]
pub fn is_strict(definition: &Definition) -> bool {
    let view = definition.view();
    let inner = view.get("function").unwrap_or(view);
    inner.get("strict").is_some_and(|v| v.bool() == Some(true))
}
