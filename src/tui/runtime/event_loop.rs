//! The loop: wait, take in what is there, draw once.
//!
//! It is generic over the terminal and over what performs effects, so that tests run this very loop. With nothing to do it
//! waits without a time limit: an idle app uses no processor time and writes no byte.

use super::msg::{App, Effect, Exit, Msg, OutputOf, Redraw};
use super::queues::{Queues, Share};
use crossbeam_channel::RecvTimeoutError;
use ratatui::backend::Backend;
use ratatui::{Frame, Terminal};
use std::time::Duration;

/// The least time between two frames.
pub const FRAME: Duration = Duration::from_millis(16);

/// What stands between the loop and the world.
pub trait Host<B: Backend, W> {
    /// The time since the start.
    fn now(&self) -> Duration;

    /// Performs one effect.
    ///
    /// # Errors
    /// When the terminal can no longer be used.
    fn perform(&mut self, effect: Effect<W>, terminal: &mut Terminal<B>) -> Result<Flow, B::Error>;

    /// Draws one frame, in one piece.
    ///
    /// # Errors
    /// When the terminal can no longer be used.
    fn draw(&mut self, terminal: &mut Terminal<B>, render: impl FnOnce(&mut Frame<'_>)) -> Result<(), B::Error> {
        terminal.draw(render).map(drop)
    }
}

/// How to go on after an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// As before.
    Continue,
    /// The screen is not what it was: draw every cell.
    Repaint,
    /// As [`Flow::Repaint`], and what was typed before belongs to somebody else.
    RepaintAndForgetInput,
    /// End.
    Exit(Exit),
}

/// Runs the app until it quits.
///
/// # Errors
/// When the terminal can no longer be used.
pub fn event_loop<A, B, H>(
    app: &mut A,
    terminal: &mut Terminal<B>,
    queues: &mut Queues<OutputOf<A>>,
    host: &mut H,
) -> Result<Exit, B::Error>
where
    A: App,
    B: Backend,
    H: Host<B, A::Work>,
{
    let mut run = Run { app, terminal, host, stale: true, effects: Vec::new() };
    let mut pace = Pace::default();
    loop {
        if run.stale && pace.may_draw(run.host.now()) {
            pace.drawn(run.host.now());
            run.draw()?;
        }
        let now = run.host.now();
        let limit = pace.wait(now, run.stale, run.app.deadline());
        let mut share = Share::default();
        let mut next = match queues.wait(limit) {
            Ok(msg) => Some(msg),
            Err(RecvTimeoutError::Timeout) => None,
            // Only when every sender is gone, the input thread included.
            Err(RecvTimeoutError::Disconnected) => return Ok(Exit::TerminalClosed),
        };
        let began = run.host.now();
        while let Some(msg) = next {
            if let Some(exit) = run.take_in(msg, queues)? {
                return Ok(exit);
            }
            // However much there is to be taken in: what a key did is seen soon.
            let is_late = run.host.now().saturating_sub(began) >= FRAME / 2;
            next = if is_late { None } else { queues.next_of(&mut share) };
        }
        if pace.tick_is_due(run.host.now(), run.app.deadline())
            && let Some(exit) = run.take_in(Msg::Tick, queues)?
        {
            return Ok(exit);
        }
    }
}

struct Run<'a, A: App, B: Backend, H> {
    app: &'a mut A,
    terminal: &'a mut Terminal<B>,
    host: &'a mut H,
    /// What is on the screen is out of date.
    stale: bool,
    effects: Vec<Effect<A::Work>>,
}

impl<A: App, B: Backend, H: Host<B, A::Work>> Run<'_, A, B, H> {
    fn draw(&mut self) -> Result<(), B::Error> {
        self.stale = false;
        let app = &*self.app;
        self.host.draw(self.terminal, |frame| app.draw(frame))
    }

    /// Gives one message to the app and performs what it asks for.
    fn take_in(&mut self, msg: Msg<OutputOf<A>>, queues: &Queues<OutputOf<A>>) -> Result<Option<Exit>, B::Error> {
        let redraw = self.app.update(self.host.now(), msg, &mut self.effects);
        self.stale |= redraw == Redraw::Needed;
        // Performing an effect asks nothing of the app, so no effect can come up meanwhile.
        for effect in std::mem::take(&mut self.effects) {
            match self.host.perform(effect, self.terminal)? {
                Flow::Continue => {}
                Flow::Repaint => self.repaint()?,
                Flow::RepaintAndForgetInput => {
                    queues.discard_input();
                    self.repaint()?;
                }
                Flow::Exit(exit) => return Ok(Some(exit)),
            }
        }
        Ok(None)
    }

    /// Has the next frame draw every cell. `Terminal::clear` would do, but it asks the terminal where the cursor is and waits
    /// for the answer, which the input thread might take.
    fn repaint(&mut self) -> Result<(), B::Error> {
        let size = self.terminal.size()?;
        self.terminal.resize(size.into())?;
        self.stale = true;
        Ok(())
    }
}

/// When to draw and when to tick.
#[derive(Debug, Default)]
struct Pace {
    last_frame: Option<Duration>,
    last_tick: Option<Duration>,
}

impl Pace {
    fn may_draw(&self, now: Duration) -> bool {
        self.last_frame.is_none_or(|at| now >= at + FRAME)
    }

    fn drawn(&mut self, now: Duration) {
        self.last_frame = Some(now);
    }

    /// How long to wait for a message: until a frame may be drawn, until the deadline, or for ever.
    fn wait(&self, now: Duration, stale: bool, deadline: Option<Duration>) -> Option<Duration> {
        let frame = self.last_frame.filter(|_| stale).map(|at| at + FRAME);
        let tick = deadline.map(|at| self.tick_at(at));
        [frame, tick].into_iter().flatten().min().map(|at| at.saturating_sub(now))
    }

    /// A deadline that does not move must not make the loop spin: two ticks are a frame apart at least.
    fn tick_at(&self, deadline: Duration) -> Duration {
        self.last_tick.map_or(deadline, |last| deadline.max(last + FRAME))
    }

    fn tick_is_due(&mut self, now: Duration, deadline: Option<Duration>) -> bool {
        let due = deadline.is_some_and(|at| self.tick_at(at) <= now);
        if due {
            self.last_tick = Some(now);
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn an_idle_app_waits_for_ever() {
        let pace = Pace { last_frame: Some(ms(100)), last_tick: Some(ms(90)) };
        assert_eq!(pace.wait(ms(500), false, None), None);
    }

    #[test]
    fn a_stale_screen_waits_for_the_rest_of_the_frame() {
        let pace = Pace { last_frame: Some(ms(100)), last_tick: None };
        assert!(!pace.may_draw(ms(115)));
        assert!(pace.may_draw(ms(116)));
        assert_eq!(pace.wait(ms(106), true, None), Some(ms(10)));
        assert_eq!(pace.wait(ms(106), true, Some(ms(109))), Some(ms(3)));
    }

    #[test]
    fn a_deadline_that_stays_does_not_spin() {
        let mut pace = Pace::default();
        assert!(pace.tick_is_due(ms(50), Some(ms(50))));
        assert_eq!(pace.wait(ms(50), false, Some(ms(50))), Some(FRAME));
        assert!(!pace.tick_is_due(ms(60), Some(ms(50))));
        assert!(pace.tick_is_due(ms(66), Some(ms(50))));
    }
}
