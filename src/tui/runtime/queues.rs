//! The one queue of the app, in three lanes.
//!
//! Senders may block, which holds back a worker that is too fast; the UI thread never blocks on sending, or both could wait for
//! each other.

use super::msg::Msg;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, never, select_biased, unbounded};
use std::time::Duration;

/// Keys typed or pasted ahead of a slow frame; far more than anyone types in one.
const INPUTS: usize = 1024;
/// Results of jobs and changes of files that wait; beyond it their threads do.
const RESULTS: usize = 256;

/// Most inputs and results taken in before a frame is drawn, so that a flood cannot keep the screen from being up to date.
pub(super) const INPUTS_PER_FRAME: usize = 64;
pub(super) const RESULTS_PER_FRAME: usize = 256;

/// The sending ends.
#[derive(Debug)]
pub struct Senders<O> {
    /// Signals, panics, answers of the runtime itself: few, and never held back.
    pub control: Sender<Msg<O>>,
    /// What the person does.
    pub input: Sender<Msg<O>>,
    /// What jobs and the watcher find.
    pub results: Sender<Msg<O>>,
}

impl<O> Clone for Senders<O> {
    fn clone(&self) -> Self {
        Self { control: self.control.clone(), input: self.input.clone(), results: self.results.clone() }
    }
}

/// The receiving ends, in order of precedence.
#[derive(Debug)]
pub struct Queues<O> {
    control: Receiver<Msg<O>>,
    input: Receiver<Msg<O>>,
    results: Receiver<Msg<O>>,
}

/// Makes both ends.
#[must_use]
pub fn queues<O>() -> (Senders<O>, Queues<O>) {
    let (control, control_end) = unbounded();
    let (input, input_end) = bounded(INPUTS);
    let (results, results_end) = bounded(RESULTS);
    (Senders { control, input, results }, Queues { control: control_end, input: input_end, results: results_end })
}

impl<O> Queues<O> {
    /// Waits for a message: for ever without a limit. An error is a time-out, or that nobody is left who could send.
    pub(super) fn wait(&mut self, limit: Option<Duration>) -> Result<Msg<O>, RecvTimeoutError> {
        let time_up = limit.map_or_else(never, crossbeam_channel::after);
        let received = select_biased! {
            recv(self.control) -> msg => msg,
            recv(self.input) -> msg => msg,
            recv(self.results) -> msg => msg,
            recv(time_up) -> _ => return Err(RecvTimeoutError::Timeout),
        };
        // The senders of all lanes go together, but what they sent before is still there.
        received.or_else(|_| self.next_of(&mut Share::default()).ok_or(RecvTimeoutError::Disconnected))
    }

    /// The next message if there is one, with what is left of the frame's share of inputs and results.
    pub(super) fn next_of(&self, share: &mut Share) -> Option<Msg<O>> {
        if let Ok(msg) = self.control.try_recv() {
            return Some(msg);
        }
        if share.inputs > 0
            && let Ok(msg) = self.input.try_recv()
        {
            share.inputs -= 1;
            return Some(msg);
        }
        if share.results > 0
            && let Ok(msg) = self.results.try_recv()
        {
            share.results -= 1;
            return Some(msg);
        }
        None
    }

    /// Drops what was typed ahead.
    pub(super) fn discard_input(&self) {
        self.input.try_iter().for_each(drop);
    }
}

/// How much more may be taken in before a frame.
#[derive(Debug)]
pub(super) struct Share {
    pub inputs: usize,
    pub results: usize,
}

impl Default for Share {
    fn default() -> Self {
        Self { inputs: INPUTS_PER_FRAME, results: RESULTS_PER_FRAME }
    }
}
