//! What is done off the UI thread, and what comes of it.

use super::runtime::Work;
use super::runtime::jobs::JobContext;

/// A job.
#[derive(Debug, PartialEq, Eq)]
pub enum Job {}

/// What a job found.
#[derive(Debug, PartialEq, Eq)]
pub enum Output {}

impl Work for Job {
    type Output = Output;

    fn run(self, _: &JobContext<Output>) {
        match self {}
    }
}
