//! Names that many calls share, each kept once.

use std::collections::HashMap;

/// Gives names their numbers, from 1; 0 stands for no name. Models are numbered apart, as there are few.
#[derive(Default)]
pub(super) struct Names {
    names: Table,
    models: Table,
}

#[derive(Default)]
struct Table {
    numbers: HashMap<Box<str>, u32>,
    /// Names that nobody has been told of yet.
    new: Vec<Box<str>>,
}

/// Names with the numbers after those that were given out before.
#[derive(Default)]
pub(super) struct NewNames {
    pub names: Vec<Box<str>>,
    pub models: Vec<Box<str>>,
}

impl Names {
    pub(super) fn number(&mut self, name: &str) -> u32 {
        self.names.number(name)
    }

    /// A model's number; after so many models that no file can mean them all, none.
    pub(super) fn model(&mut self, name: &str) -> u16 {
        if self.models.numbers.len() >= usize::from(u16::MAX) {
            return 0;
        }
        u16::try_from(self.models.number(name)).unwrap_or(0)
    }

    pub(super) fn take_new(&mut self) -> NewNames {
        NewNames { names: std::mem::take(&mut self.names.new), models: std::mem::take(&mut self.models.new) }
    }
}

impl Table {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = u32::try_from(self.numbers.len() + 1).unwrap_or(u32::MAX);
        self.numbers.insert(name.into(), number);
        self.new.push(name.into());
        number
    }
}
