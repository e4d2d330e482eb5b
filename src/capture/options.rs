//! How captures are read.

use super::format::{self, FORMATS, Format};
use std::fmt;
use std::str::FromStr;

/// How captures are read.
#[derive(Clone, Debug)]
pub struct Options {
    /// Read every file as this format, whatever it looks like.
    pub format: Option<FormatName>,
    /// Find the result that belongs to each call. Without, calls come as soon as they are seen.
    pub results: bool,
    /// Parse every line, also those that seem to hold no call.
    pub thorough: bool,
    /// The longest line, and the longest document, that is read, in bytes.
    pub max_line: usize,
    /// The most that a compressed file may become, in bytes.
    pub max_expanded: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { format: None, results: true, thorough: false, max_line: 256 << 20, max_expanded: 64 << 30 }
    }
}

impl Options {
    /// Calls only, without their results: what judging needs.
    #[must_use]
    pub fn calls_only() -> Self {
        Self { results: false, ..Self::default() }
    }
}

/// A format that can be read, by name.
#[derive(Clone, Copy)]
pub struct FormatName(pub(crate) &'static dyn Format);

impl FormatName {
    /// The name, as [`FromStr`] takes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// What it is, for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.0.title()
    }
}

/// Every format that can be read.
pub fn formats() -> impl Iterator<Item = FormatName> {
    FORMATS.into_iter().map(FormatName)
}

impl FromStr for FormatName {
    type Err = UnknownFormatName;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        format::by_name(name).map(Self).ok_or_else(|| UnknownFormatName { name: name.to_owned() })
    }
}

impl PartialEq for FormatName {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl fmt::Display for FormatName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for FormatName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FormatName({})", self.name())
    }
}

/// There is no format of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is no capture format; expected one of {}", formats().map(FormatName::name).collect::<Vec<_>>().join(", "))]
pub struct UnknownFormatName {
    /// The name given.
    pub name: String,
}
