//! The writer below the frames: whole frames or nothing.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

/// DEC private mode 2026: the terminal shows what comes between the two at once. Others ignore it.
const BEGIN: &[u8] = b"\x1b[?2026h";
/// Ends what [`BEGIN`] began. The guard sends it too when it leaves, in case a frame was cut short.
pub(super) const END: &str = "\x1b[?2026l";

/// Collects what a frame writes, and writes it when the frame is finished, in one piece.
///
/// `flush` does nothing: ratatui flushes several times a frame, and clears outside of frames. Neither does dropping it, so
/// that after a panic no half frame lands on the main screen.
#[derive(Debug)]
pub struct Screen<W> {
    inner: Rc<RefCell<Inner<W>>>,
}

#[derive(Debug)]
struct Inner<W> {
    out: W,
    frame: Vec<u8>,
}

impl<W> Clone for Screen<W> {
    fn clone(&self) -> Self {
        Self { inner: Rc::clone(&self.inner) }
    }
}

impl<W: Write> Screen<W> {
    /// A screen that writes its frames to `out`.
    pub fn new(out: W) -> Self {
        Self { inner: Rc::new(RefCell::new(Inner { out, frame: Vec::with_capacity(16 * 1024) })) }
    }

    /// Begins a frame, which is written by [`Synchronized::finish`] and forgotten otherwise.
    pub fn frame(&self) -> Synchronized<'_, W> {
        Synchronized { screen: self, finished: false }
    }

    /// Writes at once, outside of any frame.
    ///
    /// # Errors
    /// What writing gave.
    pub fn write_now(&self, bytes: &[u8]) -> io::Result<()> {
        let inner = &mut *self.inner.borrow_mut();
        inner.out.write_all(bytes)?;
        inner.out.flush()
    }
}

impl<W> Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner.borrow_mut().frame.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// One frame under way.
#[derive(Debug)]
#[must_use]
pub struct Synchronized<'a, W> {
    screen: &'a Screen<W>,
    finished: bool,
}

impl<W: Write> Synchronized<'_, W> {
    /// Writes the frame between the marks that make the terminal show it at once; an empty one not at all.
    ///
    /// # Errors
    /// What writing gave.
    pub fn finish(mut self) -> io::Result<()> {
        self.finished = true;
        let inner = &mut *self.screen.inner.borrow_mut();
        if inner.frame.is_empty() {
            return Ok(());
        }
        // One write: a reader, or a signal, never sees the first mark without the last.
        let mut whole = Vec::with_capacity(inner.frame.len() + BEGIN.len() + END.len());
        whole.extend_from_slice(BEGIN);
        whole.append(&mut inner.frame);
        whole.extend_from_slice(END.as_bytes());
        inner.out.write_all(&whole)?;
        inner.out.flush()
    }
}

impl<W> Drop for Synchronized<'_, W> {
    fn drop(&mut self) {
        if !self.finished
            && let Ok(mut inner) = self.screen.inner.try_borrow_mut()
        {
            inner.frame.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(screen: &Screen<Vec<u8>>) -> String {
        String::from_utf8(screen.inner.borrow().out.clone()).unwrap()
    }

    #[test]
    fn a_frame_is_written_whole_and_marked() {
        let screen = Screen::new(Vec::new());
        let mut writer = screen.clone();
        let frame = screen.frame();
        writer.write_all(b"one ").unwrap();
        writer.flush().unwrap();
        writer.write_all(b"two").unwrap();
        assert_eq!(written(&screen), "");
        frame.finish().unwrap();
        assert_eq!(written(&screen), "\x1b[?2026hone two\x1b[?2026l");
        screen.frame().finish().unwrap();
        assert_eq!(written(&screen).len(), 23);
    }

    #[test]
    fn a_frame_that_is_not_finished_leaves_nothing() {
        let screen = Screen::new(Vec::new());
        let frame = screen.frame();
        screen.clone().write_all(b"half").unwrap();
        drop(frame);
        screen.frame().finish().unwrap();
        assert_eq!(written(&screen), "");
    }
}
