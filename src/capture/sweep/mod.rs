//! Sweeping captures: every call judged once, from several threads, in order, at the speed of the disk.
//!
//! Files are cut into units that end at line ends; threads take the next one, and what they found is handed over in the order
//! of files and lines. In a unit, lines that cannot hold a call are not parsed (memmem over the whole unit finds those that can),
//! and a call that is right is accepted from its raw bytes while its line is scanned: nothing is built. Whatever is not plain (odd
//! order of keys, escapes in them, invalid UTF-8, several values on a line, another format, a pipe) takes the general way of
//! [`read_paths`](super::read_paths); both say the same.
//!
//! What this cannot see is a call whose `"tool_use"` is spelled with escapes, which no known writer does, and lines without a
//! call that begin and end like an object and are none: [`Options::thorough`] takes the general way for everything.

mod claude;
mod lines;
mod members;
mod order;
mod pick;
mod planner;
mod unit;
mod wave;
mod whole;

use super::call::{Call, CapturedTools};
use super::options::Options;
use super::problem::Problem;
use crate::json::{is_space, trim};
use order::Order;
use planner::Planner;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Judges calls, from several threads at once.
pub trait Judge: Sync {
    /// What is kept of a judged call until it is handed over.
    type Kept: Send;
    /// By what the calls of one file are judged.
    type Rules: Send + Sync;

    /// What the calls of this file are judged by, before any of it has been read.
    fn rules(&self, file: &Path) -> Self::Rules;

    /// The file carries definitions: from here on they may change what its calls are judged by.
    ///
    /// # Errors
    /// What is wrong with them, in words.
    fn tools(&self, rules: &mut Self::Rules, tools: &CapturedTools) -> Result<(), String>;

    /// Whether it is enough to know of a call its tool, its id and its arguments. If not, every line with a call is parsed.
    fn judges_plain_calls(&self) -> bool {
        true
    }

    /// Whether the JSON value that starts at `at` in `text` is right for this tool, for certain: then the offset after it.
    fn accepts(&self, rules: &Self::Rules, tool: &str, text: &[u8], at: usize) -> Option<usize>;

    /// What is kept of a call that [`Judge::accepts`] accepted.
    fn accepted(&self, tool: &str, id: Option<&str>, file: &Path) -> Self::Kept;

    /// Judges any call. The line of its place is not to be relied on: it comes with [`SweepSink::call`].
    fn judge(&self, rules: &Self::Rules, call: &Call) -> Self::Kept;
}

/// Whether a call with arguments in this text, and nothing else in it, is right for certain.
fn accepts_text<J: Judge>(judge: &J, rules: &J::Rules, tool: &str, text: &[u8]) -> bool {
    let text = trim(text);
    let end = judge.accepts(rules, tool, text, 0);
    end.is_some_and(|end| text[end..].iter().all(|byte| is_space(*byte)))
}

/// Takes what was kept of each call, in the order of files and of their first places in each.
pub trait SweepSink<K> {
    /// What comes from here on is of another file.
    fn file(&mut self) {}

    /// The next call, and the line on which it stands. `Break` ends the sweep.
    fn call(&mut self, kept: K, line: u32) -> ControlFlow<()>;

    /// Something could not be read. The rest is.
    fn problem(&mut self, problem: Problem);

    /// So many bytes have been read since this was said last. `Break` ends the sweep.
    fn progress(&mut self, bytes: u64) -> ControlFlow<()>;
}

/// Judges every call of these paths (a folder recursively, `-` is standard input), each once, with so many threads.
///
/// Memory holds, per thread, a piece of a file and its longest line, and a few words for each call of the file that is being
/// handed over.
pub fn sweep<J: Judge, S: SweepSink<J::Kept> + Send>(
    paths: &[PathBuf],
    options: &Options,
    threads: usize,
    judge: &J,
    sink: &mut S,
) {
    let planner = Mutex::new(Planner::new(paths, options, judge, &mut |problem| sink.problem(problem)));
    let order = Order::new(sink);
    let stopped = AtomicBool::new(false);
    let work = || {
        let mut buffers = unit::Buffers::default();
        while !stopped.load(Ordering::Relaxed) {
            let Some(task) = planner.lock().ok().and_then(|mut planner| planner.next()) else { return };
            let goes_on = match &task.work {
                planner::Work::Unit(piece) => order.hand_over(task.number, unit::read(piece, options, judge, &mut buffers)),
                planner::Work::Small(file) => match whole::read(file, options, judge) {
                    Some(found) => order.hand_over(task.number, found),
                    None => order.whole(task.number, |sink| whole::stream(file, options, judge, sink)),
                },
                planner::Work::Whole(file) => order.whole(task.number, |sink| whole::stream(file, options, judge, sink)),
                planner::Work::Problem(problem) => order.whole(task.number, |sink| {
                    sink.problem(problem.clone());
                    ControlFlow::Continue(())
                }),
            };
            if goes_on.is_break() {
                stopped.store(true, Ordering::Relaxed);
                order.stop();
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.max(1) {
            scope.spawn(work);
        }
        work();
    });
}
