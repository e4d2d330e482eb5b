//! How messages change the state. Pure: no I/O, no clock, no chance; what is to be done outside is returned as effects.

mod action;
mod data;
mod exploring;
mod filtering;
mod finding;
mod flips;
mod fuzzy;
mod mouse;
mod moving;
mod outside;
mod prompt;
mod review;
mod rules;
mod searching;
mod searching_rows;
mod settle;

use super::job::{Job, Output};
use super::keys::Chord;
use super::keys::input::Typed;
use super::notices::Level;
use super::runtime::{App, Effect, Msg, Redraw};
use super::state::{Overlay, State};
use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::Size;
use std::time::Duration;

pub(super) use rules::title as rules_title;
pub(super) use settle::in_sight;

pub(in crate::tui) type Effects = Vec<Effect<Job>>;

impl App for State {
    type Work = Job;

    fn update(&mut self, now: Duration, msg: Msg<Output>, effects: &mut Effects) -> Redraw {
        self.now = now;
        self.before_finding();
        self.begin(effects);
        let redraw = match msg {
            Msg::Key(key) => self.key(&key, effects),
            Msg::Paste(text) if self.is_writing() => self.paste_text(&text),
            Msg::Paste(text) => self.paste(&text),
            Msg::Mouse(event) => self.mouse_event(event, effects),
            Msg::Tick => self.time_passed(effects),
            Msg::Resize { columns, rows } => self.resize(Size::new(columns, rows)),
            Msg::Focus(_) => Redraw::NotNeeded,
            other => self.outside(other, effects),
        };
        if redraw == Redraw::Needed {
            self.settle_finding(effects);
            self.settle_flips();
            self.look_at_selected(effects);
            self.settle_editing(effects);
            self.settle_definitions(effects);
            self.settle();
        }
        redraw
    }

    fn deadline(&self) -> Option<Duration> {
        let deadlines =
            [self.notices.deadline(), self.pending.deadline(self.now), self.jobs.deadline(self.now), self.editing_deadline()];
        deadlines.into_iter().flatten().min()
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        super::view::draw(self, frame);
    }
}

impl State {
    fn key(&mut self, key: &KeyEvent, effects: &mut Effects) -> Redraw {
        let Some(chord) = Chord::of(key) else { return Redraw::NotNeeded };
        match self.pending.press(&self.keymap, self.context(), chord, self.now) {
            Typed::Actions(actions) => {
                for (action, count) in actions {
                    self.perform(action, count, effects);
                }
                Redraw::Needed
            }
            Typed::Waiting | Typed::Dropped => Redraw::Needed,
            Typed::Unknown if self.is_writing() => self.type_key(key),
            Typed::Unknown if self.overlay.is_none() => self.say_unbound(&chord),
            Typed::Unknown => self.write(|input| input.press(key)),
        }
    }

    /// A key that does nothing here says where it does something.
    fn say_unbound(&mut self, chord: &Chord) -> Redraw {
        let Some(context) = self.keymap.elsewhere(chord) else { return Redraw::NotNeeded };
        self.say(Level::Info, &format!("{chord} does something only in {}", context.help()));
        Redraw::Needed
    }

    fn paste(&mut self, text: &str) -> Redraw {
        self.write(|input| {
            input.insert(text);
            true
        })
    }

    /// Changes the line that is being written, if there is one.
    fn write(&mut self, change: impl FnOnce(&mut super::line_input::LineInput) -> bool) -> Redraw {
        if let Some(Overlay::Prompt(prompt)) = &mut self.overlay {
            let before = prompt.input.clone();
            if !change(&mut prompt.input) {
                return Redraw::NotNeeded;
            }
            if prompt.input != before {
                self.prompt_changed();
            }
            return Redraw::Needed;
        }
        let Some(Overlay::Palette(palette)) = &mut self.overlay else { return Redraw::NotNeeded };
        let before = palette.query.text().len();
        if !change(&mut palette.query) {
            return Redraw::NotNeeded;
        }
        if palette.query.text().len() != before {
            palette.selected = 0;
        }
        Redraw::Needed
    }

    fn time_passed(&mut self, effects: &mut Effects) -> Redraw {
        self.notices.time_passed(self.now);
        self.keep_when_due(effects);
        if let Some(action) = self.pending.time_passed(self.now) {
            self.perform(action, None, effects);
        }
        Redraw::Needed
    }

    fn resize(&mut self, size: Size) -> Redraw {
        if self.size == size {
            return Redraw::NotNeeded;
        }
        self.size = size;
        Redraw::Needed
    }
}

#[cfg(test)]
mod finding_tests;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
