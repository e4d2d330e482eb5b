//! What was changed in the terminal, and putting it back.

use super::screen;
use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

const RAW: u8 = 1;
const SCREEN: u8 = 1 << 1;
const KEYS: u8 = 1 << 2;
const MOUSE: u8 = 1 << 3;
const PASTE: u8 = 1 << 4;
const FOCUS: u8 = 1 << 5;

/// How each mode is turned on and off, in the order in which they are turned on. The keyboard flags come after the alternate
/// screen because terminals keep a stack of them for each screen.
const MODES: [(u8, &str, &str); 5] = [
    (SCREEN, "\x1b[?1049h", "\x1b[?1049l"),
    // Only "disambiguate escape codes" (1): Esc is then no longer the start of something, and text keys stay text.
    (KEYS, "\x1b[>1u", "\x1b[<1u"),
    // Buttons and the wheel; not every movement, which would be a message for each cell that is crossed.
    (MOUSE, "\x1b[?1000h\x1b[?1006h", "\x1b[?1006l\x1b[?1000l"),
    (PASTE, "\x1b[?2004h", "\x1b[?2004l"),
    (FOCUS, "\x1b[?1004h", "\x1b[?1004l"),
];

/// Plain style and a cursor, on whichever screen is left.
const PLAIN: &str = "\x1b[0m\x1b[?25h";

/// The modes that are on now, known to the guard and to the panic hook. Whoever turns them off first takes them, so that
/// nothing is turned off twice: one pop too many would take a keyboard mode from the program that started us.
#[derive(Clone, Debug, Default)]
pub(super) struct Modes(Arc<AtomicU8>);

impl Modes {
    fn add(&self, mode: u8) {
        self.0.fetch_or(mode, Ordering::SeqCst);
    }

    fn remove(&self, mode: u8) -> bool {
        self.0.fetch_and(!mode, Ordering::SeqCst) & mode != 0
    }

    fn any(&self) -> bool {
        self.0.load(Ordering::SeqCst) != 0
    }

    /// Turns off whatever is on. What fails is passed over: there is nobody left to tell, and the rest is still worth doing.
    pub(super) fn leave(&self, out: &mut impl Write) {
        let on = self.0.swap(0, Ordering::SeqCst);
        if on & !RAW != 0 {
            let _ = out.write_all(leave_sequence(on).as_bytes());
            let _ = out.flush();
        }
        if on & RAW != 0 {
            let _ = crossterm::terminal::disable_raw_mode();
        }
    }
}

/// What turns off these modes, last on first off.
fn leave_sequence(on: u8) -> String {
    let mut sequence = String::from(screen::END);
    for (mode, _, off) in MODES.iter().rev() {
        if on & mode != 0 {
            if *mode == SCREEN {
                sequence.push_str(PLAIN);
            }
            sequence.push_str(off);
        }
    }
    sequence.push_str(PLAIN);
    sequence
}

/// Holds the terminal as the app wants it, and puts it back when dropped.
#[derive(Debug)]
pub struct Guard {
    out: File,
    modes: Modes,
    mouse: bool,
}

impl Guard {
    /// A guard that has not changed anything yet.
    pub(super) fn new(out: File, modes: Modes, mouse: bool) -> Self {
        Self { out, modes, mouse }
    }

    /// Takes the terminal: raw input, the alternate screen, then the rest.
    ///
    /// # Errors
    /// When there is no terminal, or not any more; whatever was on is off again then.
    pub fn enter(&mut self) -> io::Result<()> {
        let entered = self.try_enter();
        if entered.is_err() {
            self.leave();
        }
        entered
    }

    fn try_enter(&mut self) -> io::Result<()> {
        crossterm::terminal::enable_raw_mode()?;
        self.modes.add(RAW);
        let mut sequence = String::new();
        for (mode, on, _) in MODES {
            if mode != MOUSE || self.mouse {
                self.modes.add(mode);
                sequence.push_str(on);
            }
        }
        self.out.write_all(sequence.as_bytes())
    }

    /// Gives the terminal back. Doing it twice is doing it once.
    pub fn leave(&mut self) {
        self.modes.leave(&mut self.out);
    }

    /// Says everything again, without leaving: for when something else has changed the terminal under us, such as the shell while
    /// we were stopped from outside. The keyboard flags are set this time, not pushed, so that one pop still undoes them.
    ///
    /// # Errors
    /// When there is no terminal any more.
    pub fn reassert(&mut self) -> io::Result<()> {
        if !self.modes.any() {
            return Ok(());
        }
        crossterm::terminal::disable_raw_mode()?;
        crossterm::terminal::enable_raw_mode()?;
        let again = |(mode, on, _): (u8, &'static str, &str)| if mode == KEYS { "\x1b[=1;1u" } else { on };
        let sequence: String = MODES.into_iter().filter(|(mode, ..)| *mode != MOUSE || self.mouse).map(again).collect();
        self.out.write_all(sequence.as_bytes())
    }

    /// Takes the mouse, or leaves it to the terminal, now and at the next [`Guard::enter`].
    ///
    /// # Errors
    /// What writing gave.
    pub fn set_mouse(&mut self, on: bool) -> io::Result<()> {
        self.mouse = on;
        if !self.modes.any() {
            return Ok(());
        }
        let (_, enable, disable) = MODES[2];
        if on {
            self.modes.add(MOUSE);
            self.out.write_all(enable.as_bytes())
        } else if self.modes.remove(MOUSE) {
            self.out.write_all(disable.as_bytes())
        } else {
            Ok(())
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.leave();
    }
}

/// Standard output under a handle of its own, unbuffered: the panic hook must be able to write while the UI thread holds
/// whatever lock it held when it panicked.
///
/// # Errors
/// When there is no standard output.
pub(super) fn terminal_output() -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
    }
    #[cfg(windows)]
    {
        use std::os::windows::io::AsHandle;
        Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_are_left_in_reverse_and_only_once() {
        let modes = Modes::default();
        modes.add(SCREEN | KEYS | PASTE);
        let mut out = Vec::new();
        modes.leave(&mut out);
        let expected = "\x1b[?2026l\x1b[?2004l\x1b[<1u\x1b[0m\x1b[?25h\x1b[?1049l\x1b[0m\x1b[?25h";
        assert_eq!(String::from_utf8(out.clone()).unwrap(), expected);
        modes.leave(&mut out);
        assert_eq!(out.len(), expected.len());
    }

    #[test]
    fn nothing_on_is_nothing_written() {
        let mut out = Vec::new();
        Modes::default().leave(&mut out);
        assert_eq!(out, b"");
    }

    #[test]
    fn every_mode_has_a_way_back() {
        let on: String = MODES.iter().map(|(_, on, _)| *on).collect();
        let off = leave_sequence(u8::MAX);
        for mode in ["?1049", "?1000", "?1006", "?2004", "?1004"] {
            assert!(on.contains(&format!("{mode}h")) && off.contains(&format!("{mode}l")), "{mode}");
        }
    }
}
