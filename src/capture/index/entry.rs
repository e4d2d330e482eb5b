//! A call as the index knows it: where it stands, and what lists show of it.

/// A call in the index. Everything else is read from the file when it is shown ([`Index::read`](super::Index::read)).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where the unit that holds the call starts, and how long it is: a value of a line, or the whole document.
    pub(super) offset: u64,
    pub(super) length: u32,
    /// Where the line that holds the result starts.
    pub(super) result_offset: u64,
    at: i64,
    line: u32,
    /// Names, by their numbers in the index; 0 for none.
    tool: u32,
    session: u32,
    model: u16,
    /// Which of the results in its line the result is.
    result_ordinal: u16,
    /// 24 bits: which of the unit's calls it is; 8 bits: flags.
    bits: u32,
}

/// A million calls take as many times this much, and 8 bytes each in the [`Scanner`](super::Scanner).
const _: () = assert!(size_of::<Entry>() <= 48);

const ORDINALS: u32 = (1 << 24) - 1;
const NO_TIME: i64 = i64::MIN;

pub(super) const HAS_ID: u32 = 1 << 24;
pub(super) const HAS_RESULT: u32 = 1 << 25;
pub(super) const FLAG_KNOWN: u32 = 1 << 26;
pub(super) const IS_ERROR: u32 = 1 << 27;
pub(super) const PENDING: u32 = 1 << 28;
pub(super) const SIDECHAIN: u32 = 1 << 29;
pub(super) const NOT_JSON: u32 = 1 << 30;
pub(super) const ATTEMPT: u32 = 1 << 31;

/// What an entry is made of.
pub(super) struct Parts {
    pub offset: u64,
    pub length: u32,
    pub ordinal: u32,
    pub line: u32,
    pub at: Option<i64>,
    pub tool: u32,
    pub session: u32,
    pub model: u16,
    /// Which of the unit's results its own is, where it has one.
    pub result_ordinal: u16,
    pub flags: u32,
}

impl Entry {
    pub(super) fn new(parts: &Parts) -> Self {
        let Parts { offset, length, ordinal, line, at, tool, session, model, result_ordinal, flags } = *parts;
        let bits = ordinal.min(ORDINALS) | flags;
        Self {
            offset,
            length,
            result_offset: offset,
            at: at.unwrap_or(NO_TIME),
            line,
            tool,
            session,
            model,
            result_ordinal,
            bits,
        }
    }

    pub(super) fn answer(&mut self, answer: &Answer) {
        self.result_offset = answer.offset;
        self.result_ordinal = answer.ordinal;
        self.bits &= !(FLAG_KNOWN | IS_ERROR);
        self.bits |= HAS_RESULT | answer.flags;
    }

    pub(super) fn ordinal(&self) -> u32 {
        self.bits & ORDINALS
    }

    pub(super) fn result_ordinal(&self) -> u32 {
        u32::from(self.result_ordinal)
    }

    pub(super) fn has(&self, flag: u32) -> bool {
        self.bits & flag != 0
    }

    /// The line on which the call's object starts, from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.line
    }

    /// When it was made, in milliseconds since 1970.
    #[must_use]
    pub fn at(&self) -> Option<i64> {
        (self.at != NO_TIME).then_some(self.at)
    }

    /// The tool's name, by its number in the index.
    #[must_use]
    pub fn tool(&self) -> Name {
        Name(self.tool)
    }

    /// The session, where one is recorded.
    #[must_use]
    pub fn session(&self) -> Option<Name> {
        (self.session != 0).then_some(Name(self.session))
    }

    /// The model, where one is recorded.
    #[must_use]
    pub fn model(&self) -> Option<Name> {
        (self.model != 0).then_some(Name(MODELS | u32::from(self.model)))
    }

    /// Whether it has an id.
    #[must_use]
    pub fn has_id(&self) -> bool {
        self.has(HAS_ID)
    }

    /// Whether a result was recorded.
    #[must_use]
    pub fn has_result(&self) -> bool {
        self.has(HAS_RESULT)
    }

    /// The recorded flag, if there is one.
    #[must_use]
    pub fn is_error(&self) -> Option<bool> {
        self.has(FLAG_KNOWN).then(|| self.has(IS_ERROR))
    }

    /// Whether it is still being streamed.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.has(PENDING)
    }

    /// Whether it was made inside a subagent.
    #[must_use]
    pub fn is_sidechain(&self) -> bool {
        self.has(SIDECHAIN)
    }

    /// Whether its input is JSON arguments, and not free text or a call that the provider runs itself.
    #[must_use]
    pub fn is_json(&self) -> bool {
        !self.has(NOT_JSON)
    }

    /// Whether it is an attempt at another call.
    #[must_use]
    pub fn is_attempt(&self) -> bool {
        self.has(ATTEMPT)
    }
}

/// Where a result was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub offset: u64,
    pub ordinal: u16,
    /// [`FLAG_KNOWN`] and [`IS_ERROR`].
    pub flags: u32,
}

impl Answer {
    pub(super) fn flags_of(is_error: Option<bool>) -> u32 {
        match is_error {
            None => 0,
            Some(false) => FLAG_KNOWN,
            Some(true) => FLAG_KNOWN | IS_ERROR,
        }
    }
}

/// A name that many calls share, by its number: equal names have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(pub(super) u32);

/// Models are few, and numbered apart.
pub(super) const MODELS: u32 = 1 << 31;

/// A call in the index: the file's number, and the call's number in it, in the order of first places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallId {
    /// The file's number.
    pub file: u32,
    /// The call's number in the file.
    pub call: u32,
}
