//! What happens when a thread panics.
//!
//! Only the end of the UI thread ends the screen. A worker that panics beside it must not leave the alternate screen: every
//! frame after that would be drawn over the person's shell. Its panic becomes a message instead.

use super::guard::{Modes, terminal_output};
use std::backtrace::Backtrace;
use std::panic::{self, PanicHookInfo};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// A panic of a thread other than the UI's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PanicReport {
    /// The thread's name.
    pub thread: String,
    /// What it said.
    pub message: String,
    /// Where, as `file:line:column`.
    pub place: String,
    /// How it came there.
    pub backtrace: String,
}

/// The hook, in force as long as this lives.
#[derive(Debug)]
pub(super) struct Hook {
    in_force: Arc<AtomicBool>,
}

impl Hook {
    /// Puts the hook in place, for the thread that calls it as the UI thread.
    pub(super) fn install(modes: Modes, report: impl Fn(PanicReport) + Send + Sync + 'static) -> Self {
        let in_force = Arc::new(AtomicBool::new(true));
        let still = Arc::clone(&in_force);
        let ui = thread::current().id();
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !still.load(Ordering::SeqCst) {
                before(info);
            } else if thread::current().id() == ui {
                if let Ok(mut out) = terminal_output() {
                    modes.leave(&mut out);
                }
                before(info);
            } else {
                report(describe(info));
            }
        }));
        Self { in_force }
    }
}

impl Drop for Hook {
    fn drop(&mut self) {
        // While unwinding the hook cannot be changed; switching it off always works.
        self.in_force.store(false, Ordering::SeqCst);
    }
}

fn describe(info: &PanicHookInfo<'_>) -> PanicReport {
    let thread = thread::current();
    PanicReport {
        thread: thread.name().unwrap_or("unnamed").to_owned(),
        message: payload_text(info.payload()),
        place: info.location().map(ToString::to_string).unwrap_or_default(),
        backtrace: Backtrace::force_capture().to_string(),
    }
}

/// What a panic said.
pub(super) fn payload_text(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
