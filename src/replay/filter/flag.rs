//! Flags of calls: what `is:` asks for.

/// A flag of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flag {
    /// Marked by the user.
    Marked,
    /// Run again as it was.
    Replayed,
    /// Edited.
    Edited,
    /// With a comment.
    Commented,
    /// The model gets an error back; a call that is still being streamed does not count.
    Bad,
    /// Still being streamed when it was captured.
    Pending,
    /// Made inside a subagent.
    Sidechain,
    /// The arguments were closed as if cut off.
    Recovered,
    /// Judged otherwise than at the baseline.
    Flipped,
    /// An attempt at another call.
    Attempt,
}

impl Flag {
    /// All flags.
    pub const ALL: [Self; 10] = [
        Self::Marked,
        Self::Replayed,
        Self::Edited,
        Self::Commented,
        Self::Bad,
        Self::Pending,
        Self::Sidechain,
        Self::Recovered,
        Self::Flipped,
        Self::Attempt,
    ];

    /// The flag's name: `is:NAME`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Marked => "marked",
            Self::Replayed => "replayed",
            Self::Edited => "edited",
            Self::Commented => "commented",
            Self::Bad => "bad",
            Self::Pending => "pending",
            Self::Sidechain => "sidechain",
            Self::Recovered => "recovered",
            Self::Flipped => "flipped",
            Self::Attempt => "attempt",
        }
    }

    /// Another spelling: `~NAME`. The flag's name does as well there.
    #[must_use]
    pub fn short(self) -> Option<&'static str> {
        match self {
            Self::Bad => Some("~e"),
            Self::Marked => Some("~marked"),
            Self::Replayed => Some("~replay"),
            Self::Commented => Some("~comment"),
            _ => None,
        }
    }

    /// What it says, in a few words.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            Self::Marked => "marked",
            Self::Replayed => "run again as it was",
            Self::Edited => "edited",
            Self::Commented => "with a comment",
            Self::Bad => "the model gets an error back (not while it is pending)",
            Self::Pending => "still being streamed when it was captured",
            Self::Sidechain => "made inside a subagent",
            Self::Recovered => "the arguments were closed as if cut off",
            Self::Flipped => "judged otherwise than at the baseline",
            Self::Attempt => "an attempt at another call",
        }
    }

    /// The flag of that name, in any case.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|flag| flag.name().eq_ignore_ascii_case(name))
    }

    /// The flag of a spelling with a tilde.
    pub(super) fn from_short(short: &str) -> Option<Self> {
        let by_short = Self::ALL.into_iter().find(|flag| flag.short() == Some(short));
        by_short.or_else(|| Self::from_name(short.strip_prefix('~')?))
    }
}

/// A set of flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(u16);

impl Flags {
    /// No flag.
    pub const NONE: Self = Self(0);

    /// These flags, and this one if `set`.
    #[must_use]
    pub const fn with(self, flag: Flag, set: bool) -> Self {
        Self(self.0 | ((set as u16) << flag as u16))
    }

    /// These flags and those.
    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Whether the flag is among them.
    #[must_use]
    pub const fn has(self, flag: Flag) -> bool {
        self.0 & 1 << flag as u16 != 0
    }
}

impl FromIterator<Flag> for Flags {
    fn from_iter<I: IntoIterator<Item = Flag>>(flags: I) -> Self {
        flags.into_iter().fold(Self::NONE, |set, flag| set.with(flag, true))
    }
}
