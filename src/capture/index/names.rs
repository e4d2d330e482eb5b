//! Names that many calls share, each kept once.

use std::collections::HashMap;

/// Gives names their numbers, from 1; 0 stands for no name.
#[derive(Default)]
pub(super) struct Names {
    numbers: HashMap<Box<str>, u32>,
    /// Names that nobody has been told of yet.
    new: Vec<Box<str>>,
}

impl Names {
    pub(super) fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = u32::try_from(self.numbers.len() + 1).unwrap_or(u32::MAX);
        self.numbers.insert(name.into(), number);
        self.new.push(name.into());
        number
    }

    pub(super) fn take_new(&mut self) -> Vec<Box<str>> {
        std::mem::take(&mut self.new)
    }
}
