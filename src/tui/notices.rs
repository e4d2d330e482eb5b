//! What the program has to say: one line for a while, and all of it in a log.

use crate::json::Visible;
use std::collections::VecDeque;
use std::time::Duration;

/// How long a line is shown.
const SHORT: Duration = Duration::from_secs(4);
/// How long a line is shown that tells of something that went wrong.
const LONG: Duration = Duration::from_secs(10);
/// How many entries the log keeps.
const KEPT: usize = 1000;

/// How much it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Good to know.
    Info,
    /// Not as it should be.
    Warning,
    /// Something does not work.
    Error,
}

/// One thing said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// When, since the start.
    pub at: Duration,
    /// How much it matters.
    pub level: Level,
    /// What; the first line is shown, the rest is in the log.
    pub lines: Vec<Visible>,
}

/// All that was said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notices {
    log: VecDeque<Notice>,
    /// What is shown, and until when.
    shown: Option<(Notice, Duration)>,
    /// How many warnings the shown one has taken the place of before anybody could read them.
    unread: usize,
}

impl Notices {
    /// Says something. A text of several lines is shown by its first.
    pub fn say(&mut self, now: Duration, level: Level, text: &str) {
        self.note(now, level, text);
        let is_wrong = |notice: &Notice| notice.level != Level::Info;
        let hidden = self.shown.as_ref().is_some_and(|(notice, _)| is_wrong(notice));
        self.unread = if hidden && level != Level::Info { self.unread + 1 } else { 0 };
        let until = now + if level == Level::Info { SHORT } else { LONG };
        self.shown = self.log.back().cloned().map(|notice| (notice, until));
    }

    /// Writes something to the log only.
    pub fn note(&mut self, now: Duration, level: Level, text: &str) {
        if self.log.len() == KEPT {
            self.log.pop_front();
        }
        self.log.push_back(Notice { at: now, level, lines: Visible::lines(text).collect() });
    }

    /// What is to be shown, if anything.
    #[must_use]
    pub fn shown(&self) -> Option<&Notice> {
        self.shown.as_ref().map(|(notice, _)| notice)
    }

    /// How many warnings the shown one has taken the place of while they were shown.
    #[must_use]
    pub fn unread(&self) -> usize {
        self.unread
    }

    /// Everything, the oldest first.
    #[must_use]
    pub fn log(&self) -> impl DoubleEndedIterator<Item = &Notice> {
        self.log.iter()
    }

    /// When the shown one goes.
    #[must_use]
    pub fn deadline(&self) -> Option<Duration> {
        self.shown.as_ref().map(|(_, until)| *until)
    }

    /// Takes in that time has passed.
    pub fn time_passed(&mut self, now: Duration) {
        self.shown.take_if(|(_, until)| *until <= now);
    }

    /// Takes the shown one away; true if there was one.
    pub fn dismiss(&mut self) -> bool {
        self.shown.take().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_goes_and_stays_in_the_log() {
        let mut notices = Notices::default();
        notices.say(Duration::ZERO, Level::Info, "one\ntwo");
        assert_eq!(notices.shown().unwrap().lines[0].as_str(), "one");
        notices.time_passed(SHORT);
        assert_eq!(notices.shown(), None);
        assert_eq!(notices.log().count(), 1);
    }

    #[test]
    fn warnings_that_were_not_read_are_counted() {
        let mut notices = Notices::default();
        for (level, unread) in
            [(Level::Warning, 0), (Level::Error, 1), (Level::Warning, 2), (Level::Info, 0), (Level::Warning, 0)]
        {
            notices.say(Duration::ZERO, level, "x");
            assert_eq!(notices.unread(), unread);
        }
    }

    #[test]
    fn the_log_does_not_grow_for_ever() {
        let mut notices = Notices::default();
        (0..2 * KEPT).for_each(|_| notices.note(Duration::ZERO, Level::Info, "x"));
        assert_eq!(notices.log().count(), KEPT);
    }
}
