//! Asking the system about the terminal: whether it is still there, and who would wake us up (Unix).

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, IsTerminal};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

/// Sees that the terminal has been closed.
#[derive(Debug)]
pub(super) struct HangUp {
    /// Where standard input is something else.
    opened: Option<File>,
}

impl HangUp {
    /// None where this cannot be asked: then reading must do.
    pub(super) fn open() -> Option<Self> {
        let opened = if io::stdin().is_terminal() { None } else { Some(File::open("/dev/tty").ok()?) };
        let this = Self { opened };
        // macOS cannot poll `/dev/tty` and says "not a valid descriptor".
        this.wait(Duration::ZERO).ok().map(|()| this)
    }

    /// Waits until there is something to read, at most this long.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(super) fn wait(&self, limit: Duration) -> io::Result<()> {
        let stdin = io::stdin();
        let fd: BorrowedFd<'_> = self.opened.as_ref().map_or_else(|| stdin.as_fd(), AsFd::as_fd);
        let mut fds = [PollFd::from_borrowed_fd(fd, PollFlags::IN)];
        let limit = Timespec { tv_sec: 0, tv_nsec: limit.subsec_nanos().into() };
        match poll(&mut fds, Some(&limit)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        if fds[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }
}

/// Whether somebody would continue us if we stopped. A shell with job control puts each job into a process group of its own;
/// without one we are in the group of the session's leader, and stopping would be for good.
pub(super) fn has_job_control() -> bool {
    use rustix::process::{getpgrp, getsid};
    getsid(None).is_ok_and(|session| session != getpgrp())
}

/// Tells the other programs of our process group to stop, as the terminal would on Ctrl-z: started by another program
/// (`cargo run`), our stopping alone would leave the shell waiting for that one.
pub(super) fn stop_process_group() -> io::Result<()> {
    Ok(rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)?)
}
