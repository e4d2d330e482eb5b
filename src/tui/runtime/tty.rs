//! The terminal as a file: reading it, seeing that it is gone, and who would wake us up (Unix).

use super::decode::Decoder;
use super::input::InputSource;
use crossterm::event::Event;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::os::fd::AsFd;
use std::time::Duration;

/// How long what follows an Esc may take: a terminal sends it at once, a person does not; a slow line is in between.
const ESC: Duration = Duration::from_millis(30);
/// How long the rest of a paste may take.
const PASTE: Duration = Duration::from_secs(1);

/// The terminal, read byte by byte. A change of its size is a signal, and not told here.
#[derive(Debug)]
pub(super) struct Tty {
    file: File,
    decoder: Decoder,
    /// How long nothing has followed what is incomplete.
    waited: Duration,
}

impl Tty {
    /// Standard input if it is a terminal, and the controlling terminal otherwise.
    pub(super) fn open() -> io::Result<Self> {
        let stdin = io::stdin();
        let file = if stdin.is_terminal() {
            // A handle of its own: standard input's buffer might keep what is meant for another program.
            File::from(stdin.as_fd().try_clone_to_owned()?)
        } else {
            File::open("/dev/tty")?
        };
        Ok(Self { file, decoder: Decoder::default(), waited: Duration::ZERO })
    }

    /// Whether there is something to read, waiting at most this long.
    fn wait(&self, limit: Duration) -> io::Result<bool> {
        let limit = Timespec { tv_sec: limit.as_secs().try_into().unwrap_or(i64::MAX), tv_nsec: limit.subsec_nanos().into() };
        let mut fds = [PollFd::new(&self.file, PollFlags::IN)];
        match poll(&mut fds, Some(&limit)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let found = fds[0].revents();
        // What is left to read of a terminal that is gone does not matter any more.
        if found.intersects(PollFlags::HUP | PollFlags::ERR) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        // macOS cannot poll `/dev/tty` and says that it is not valid: then reading has to wait.
        Ok(found.intersects(PollFlags::IN | PollFlags::NVAL))
    }

    fn take_in(&mut self) -> io::Result<()> {
        let mut bytes = [0; 4096];
        match self.file.read(&mut bytes) {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(n) => {
                self.decoder.take_in(&bytes[..n]);
                self.waited = Duration::ZERO;
                Ok(())
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Nothing came for so long.
    fn nothing_came(&mut self, limit: Duration) {
        self.waited += limit;
        let patience = if self.decoder.is_in_paste() { PASTE } else { ESC };
        if self.waited >= patience {
            self.decoder.no_more_for_now();
            self.waited = Duration::ZERO;
        }
    }
}

impl InputSource for Tty {
    fn poll(&mut self, limit: Duration) -> io::Result<bool> {
        if self.decoder.has_event() {
            return Ok(true);
        }
        let incomplete = self.decoder.is_incomplete();
        let limit = if incomplete { limit.min(ESC) } else { limit };
        if self.wait(limit)? {
            self.take_in()?;
        } else if incomplete {
            self.nothing_came(limit);
        }
        Ok(self.decoder.has_event())
    }

    fn read(&mut self) -> io::Result<Event> {
        self.decoder.next().ok_or_else(|| io::ErrorKind::WouldBlock.into())
    }

    fn discard(&mut self) -> io::Result<()> {
        while self.wait(Duration::ZERO)? {
            self.take_in()?;
        }
        self.decoder.clear();
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
