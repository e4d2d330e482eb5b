//! A call in few bytes, as there may be a million; what many calls share is held once.

use crate::capture::index::CallId;
use crate::replay::filter::{Flag, Flags};
use crate::replay::{Row, Said};
use std::collections::HashMap;
use std::sync::Arc;

/// What is kept of a call besides its label.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// When it was made; where that is not recorded, when the one before it was.
    pub at: i64,
    pub said: Arc<Said>,
    pub line: u32,
    /// Names by their numbers; 0 for none.
    tool: u32,
    session: u32,
    model: u16,
    bits: u16,
}

/// A million calls take as many times this much, and their labels.
const _: () = assert!(size_of::<Cell>() <= 32);

const TIMED: u16 = 1;
const PENDING: u16 = 1 << 1;
const SIDECHAIN: u16 = 1 << 2;
const ATTEMPT: u16 = 1 << 3;
const HAS_RESULT: u16 = 1 << 4;
const FLAG_KNOWN: u16 = 1 << 5;
const IS_ERROR: u16 = 1 << 6;
/// What a remark says, in the bits from here on.
const REMARK: [Flag; 3] = [Flag::Commented, Flag::Edited, Flag::Replayed];
const REMARKED: u16 = 1 << 7;

impl Cell {
    /// Packs a row; `before` is when the call before it was made.
    pub fn new(row: Row, before: i64, names: &mut Arc<Names>) -> Self {
        let bit = |on: bool, bit: u16| if on { bit } else { 0 };
        let remark = REMARK.iter().zip(0..).map(|(flag, n)| bit(row.flags.has(*flag), REMARKED << n)).sum::<u16>();
        let bits = bit(row.at.is_some(), TIMED)
            | bit(row.pending, PENDING)
            | bit(row.sidechain, SIDECHAIN)
            | bit(row.attempt, ATTEMPT)
            | remark;
        let mut cell = Self {
            at: row.at.unwrap_or(before),
            line: row.line,
            tool: Names::number(names, &row.tool),
            session: row.session.as_ref().map_or(0, |name| Names::number(names, name)),
            model: row.model.as_ref().map_or(0, |name| Names::model(names, name)),
            bits,
            said: row.said,
        };
        if row.has_result {
            cell.answer(row.recorded_error);
        }
        cell
    }

    fn has(&self, bit: u16) -> bool {
        self.bits & bit != 0
    }

    pub fn answer(&mut self, flag: Option<bool>) {
        self.bits &= !(FLAG_KNOWN | IS_ERROR);
        self.bits |= HAS_RESULT | flag.map_or(0, |is_error| FLAG_KNOWN | if is_error { IS_ERROR } else { 0 });
    }

    /// When it was made, where that is recorded.
    pub fn timed(&self) -> Option<i64> {
        self.has(TIMED).then_some(self.at)
    }

    /// Whether the model gets an error for a call that is complete.
    pub fn fails(&self) -> bool {
        self.said.outcome.is_error() && !self.has(PENDING)
    }

    /// Its flags, and whether it is an attempt at a call that is known.
    pub fn flags(&self, has_parent: bool) -> Flags {
        self.remark()
            .with(Flag::Pending, self.has(PENDING))
            .with(Flag::Sidechain, self.has(SIDECHAIN))
            .with(Flag::Attempt, self.has(ATTEMPT) || has_parent)
    }

    fn remark(&self) -> Flags {
        REMARK.into_iter().zip(0..).fold(Flags::NONE, |flags, (flag, n)| flags.with(flag, self.has(REMARKED << n)))
    }

    pub fn tool<'n>(&self, names: &'n Names) -> &'n Arc<str> {
        names.text(self.tool)
    }

    pub fn session<'n>(&self, names: &'n Names) -> Option<&'n Arc<str>> {
        (self.session != 0).then(|| names.text(self.session))
    }

    pub fn model<'n>(&self, names: &'n Names) -> Option<&'n Arc<str>> {
        usize::from(self.model).checked_sub(1).and_then(|n| names.models.list.get(n))
    }

    /// The row again.
    pub fn row(&self, id: CallId, parent: Option<CallId>, names: &Names) -> Row {
        Row {
            id,
            tool: Arc::clone(self.tool(names)),
            model: self.model(names).cloned(),
            session: self.session(names).cloned(),
            at: self.timed(),
            line: self.line,
            pending: self.has(PENDING),
            sidechain: self.has(SIDECHAIN),
            attempt: self.has(ATTEMPT),
            recorded_error: self.has(FLAG_KNOWN).then(|| self.has(IS_ERROR)),
            has_result: self.has(HAS_RESULT),
            parent,
            flags: self.remark(),
            outcome: self.said.outcome,
            said: Arc::clone(&self.said),
        }
    }
}

/// Names that calls use, each held once.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// Of tools and sessions.
    common: Table,
    models: Table,
    none: Arc<str>,
}

#[derive(Clone, Debug, Default)]
struct Table {
    list: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u32>,
}

impl Default for Names {
    fn default() -> Self {
        Self { common: Table::default(), models: Table::default(), none: Arc::from("") }
    }
}

impl Names {
    fn number(names: &mut Arc<Self>, name: &Arc<str>) -> u32 {
        // A job may hold them: they are copied only where there is a new one.
        match names.common.numbers.get(name) {
            Some(number) => *number,
            None => Arc::make_mut(names).common.add(name),
        }
    }

    /// As many models as the index tells apart.
    fn model(names: &mut Arc<Self>, name: &Arc<str>) -> u16 {
        let number = match names.models.numbers.get(name) {
            Some(number) => *number,
            None if names.models.list.len() >= usize::from(u16::MAX) => 0,
            None => Arc::make_mut(names).models.add(name),
        };
        u16::try_from(number).unwrap_or(0)
    }

    fn text(&self, number: u32) -> &Arc<str> {
        number.checked_sub(1).and_then(|n| self.common.list.get(n as usize)).unwrap_or(&self.none)
    }
}

impl Table {
    fn add(&mut self, name: &Arc<str>) -> u32 {
        self.list.push(Arc::clone(name));
        let number = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        self.numbers.insert(Arc::clone(name), number);
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::Call;
    use crate::gate::{Arguments, Gate};
    use crate::replay::judge;

    #[test]
    fn a_row_is_the_same_again() {
        let made = Call { model: Some("m".into()), ..Call::new("Read", Arguments::text("{}")) };
        let id = CallId { file: 1, call: 2 };
        let plain = Row::of_call(id, &made, &judge(&Gate::default(), &made));
        let flags = [Flags::NONE, Flags::NONE.with(Flag::Edited, true), Flags::NONE.with(Flag::Commented, true)];
        let mut names = Arc::default();
        for n in 0..64u32 {
            let bit = |place: u32| n >> place & 1 == 1;
            let row = Row {
                at: bit(0).then_some(i64::from(n)),
                line: n,
                session: bit(1).then(|| Arc::from("s")),
                pending: bit(2),
                sidechain: bit(3),
                attempt: bit(4),
                has_result: bit(5),
                recorded_error: bit(5).then(|| bit(0)),
                flags: flags[n as usize % 3],
                parent: bit(4).then_some(CallId { file: 0, call: n }),
                ..plain.clone()
            };
            let cell = Cell::new(row.clone(), -1, &mut names);
            assert_eq!(format!("{:?}", cell.row(id, row.parent, &names)), format!("{row:?}"));
            assert_eq!(cell.at, row.at.unwrap_or(-1));
        }
    }
}
