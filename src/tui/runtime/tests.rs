//! The loop, the gate and the workers as they run in the app, on a terminal in memory.

use super::event_loop::{Flow, Host, event_loop};
use super::input::{Gate, InputSource, spawn};
use super::jobs::{JobContext, JobEvent, JobKey, Jobs, Ticket};
use super::queues::{Queues, Senders, queues};
use super::*;
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::Frame;
use ratatui::backend::TestBackend;
use std::convert::Infallible;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

const DEADLINE: Duration = Duration::from_secs(20);

/// Counts what it is given; `q` quits.
#[derive(Default)]
struct Counter {
    keys: u64,
    outputs: u64,
    ticks: u64,
    tick_at: Option<Duration>,
}

enum Sum {
    Up(u64),
    Panic,
    UntilCancelled(mpsc::Sender<()>),
}

impl Work for Sum {
    type Output = u64;

    fn run(self, job: &JobContext<u64>) {
        match self {
            Self::Up(n) => job.output(n),
            Self::Panic => panic!("a job's panic"),
            Self::UntilCancelled(started) => {
                started.send(()).unwrap();
                while !job.is_cancelled() {
                    thread::yield_now();
                }
            }
        }
    }
}

impl App for Counter {
    type Work = Sum;

    fn update(&mut self, now: Duration, msg: Msg<u64>, effects: &mut Vec<Effect<Sum>>) -> Redraw {
        match msg {
            Msg::Key(key) if key.code == KeyCode::Char('q') => effects.push(Effect::Quit(Exit::Asked)),
            Msg::Key(key) if key.code == KeyCode::Char('t') => self.tick_at = Some(now + Duration::from_millis(30)),
            Msg::Key(key) if key.code == KeyCode::Char('e') => effects.push(Effect::Suspend),
            Msg::Key(_) => self.keys += 1,
            Msg::Job(_, JobEvent::Output(n)) => self.outputs += n,
            Msg::Tick => {
                self.ticks += 1;
                self.tick_at = None;
                effects.push(Effect::Quit(Exit::Asked));
            }
            _ => return Redraw::NotNeeded,
        }
        Redraw::Needed
    }

    fn deadline(&self) -> Option<Duration> {
        self.tick_at
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        frame.buffer_mut()[(0, 0)].set_char('x');
    }
}

struct TestHost {
    started: Instant,
    frames: u64,
}

impl Host<TestBackend, Sum> for TestHost {
    fn now(&self) -> Duration {
        self.started.elapsed()
    }

    fn perform(&mut self, effect: Effect<Sum>, _: &mut Terminal<TestBackend>) -> Result<Flow, Infallible> {
        Ok(match effect {
            Effect::Quit(exit) => Flow::Exit(exit),
            Effect::Suspend => Flow::RepaintAndForgetInput,
            _ => Flow::Continue,
        })
    }

    fn draw(&mut self, terminal: &mut Terminal<TestBackend>, render: impl FnOnce(&mut Frame<'_>)) -> Result<(), Infallible> {
        self.frames += 1;
        terminal.draw(render).map(drop)
    }
}

fn key(c: char) -> KeyEvent {
    KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE)
}

fn run_loop(send: impl FnOnce(Senders<u64>)) -> (Counter, TestHost, Exit) {
    let (to, mut ends): (Senders<u64>, Queues<u64>) = queues();
    send(to);
    let mut app = Counter::default();
    let mut host = TestHost { started: Instant::now(), frames: 0 };
    let mut terminal = Terminal::new(TestBackend::new(10, 3)).unwrap();
    let Ok(exit) = event_loop(&mut app, &mut terminal, &mut ends, &mut host);
    (app, host, exit)
}

#[test]
fn a_burst_of_keys_is_taken_in_before_one_frame() {
    let (app, host, exit) = run_loop(|to| {
        for _ in 0..60 {
            to.input.send(Msg::Key(key('a'))).unwrap();
        }
        to.input.send(Msg::Key(key('q'))).unwrap();
    });
    assert_eq!((app.keys, host.frames, exit), (60, 1, Exit::Asked));
}

#[test]
fn a_deadline_becomes_a_tick() {
    let (app, _, exit) = run_loop(|to| {
        to.input.send(Msg::Key(key('t'))).unwrap();
        // Nobody must seem to have gone while the tick is waited for.
        std::mem::forget(to);
    });
    assert_eq!((app.ticks, exit), (1, Exit::Asked));
}

#[test]
fn what_was_typed_before_somebody_else_had_the_terminal_is_forgotten() {
    let (app, ..) = run_loop(|to| {
        for c in ['a', 'e', 'b', 'b'] {
            to.input.send(Msg::Key(key(c))).unwrap();
        }
        thread::spawn(move || {
            // After the loop has thrown away what it had.
            while !to.input.is_empty() {
                thread::yield_now();
            }
            to.input.send(Msg::Key(key('q'))).unwrap();
        });
    });
    assert!(app.keys <= 1, "{}", app.keys);
}

#[test]
fn nobody_left_to_send_is_a_closed_terminal() {
    let (_, _, exit) = run_loop(|_| {});
    assert_eq!(exit, Exit::TerminalClosed);
}

/// Gives what is sent to it, and nothing is lost or doubled that it does not say.
struct Script(crossbeam_channel::Receiver<char>, Option<char>);

impl InputSource for Script {
    fn poll(&mut self, limit: Duration) -> io::Result<bool> {
        self.1 = match self.1.take() {
            Some(c) => Some(c),
            None => match self.0.recv_timeout(limit) {
                Ok(c) => Some(c),
                Err(crossbeam_channel::RecvTimeoutError::Timeout) => return Ok(false),
                Err(crossbeam_channel::RecvTimeoutError::Disconnected) => return Err(io::ErrorKind::UnexpectedEof.into()),
            },
        };
        Ok(true)
    }

    fn read(&mut self) -> io::Result<Event> {
        Ok(Event::Key(key(self.1.take().unwrap())))
    }
}

fn typed(ends: &mut Queues<u64>) -> String {
    match ends.wait(Some(DEADLINE)).unwrap() {
        Msg::Key(KeyEvent { code: KeyCode::Char(c), .. }) => c.to_string(),
        other => format!("{other:?}"),
    }
}

#[test]
fn a_parked_thread_reads_nothing_and_what_came_meanwhile_can_be_thrown_away() {
    let (to, mut ends): (Senders<u64>, Queues<u64>) = queues();
    let (keys, script) = crossbeam_channel::unbounded();
    let gate = Gate::default();
    spawn(Script(script, None), gate.clone(), to).unwrap();
    keys.send('a').unwrap();
    assert_eq!(typed(&mut ends), "a");
    assert!(gate.park(DEADLINE));
    keys.send('b').unwrap();
    gate.unpark();
    assert_eq!(typed(&mut ends), "b");
    assert!(gate.park(DEADLINE));
    keys.send('c').unwrap();
    assert!(gate.drain_and_unpark(DEADLINE));
    keys.send('d').unwrap();
    assert_eq!(typed(&mut ends), "d");
    drop(keys);
    assert_eq!(typed(&mut ends), "Quit(TerminalClosed)");
}

fn ticket(id: u64, generation: u64) -> Ticket {
    Ticket { key: JobKey { kind: "test", id }, generation }
}

fn said(ends: &mut Queues<u64>) -> (Ticket, JobEvent<u64>) {
    match ends.wait(Some(DEADLINE)).unwrap() {
        Msg::Job(ticket, event) => (ticket, event),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_latest_request_takes_the_place_of_the_waiting_one_and_stops_the_running_one() {
    let (to, mut ends) = queues();
    let jobs: Jobs<Sum> = Jobs::start(1, &to).unwrap();
    let (started, is_started) = mpsc::channel();
    assert!(jobs.spawn(ticket(1, 1), Sum::UntilCancelled(started)));
    is_started.recv_timeout(DEADLINE).unwrap();
    assert!(jobs.spawn(ticket(2, 1), Sum::Up(1)));
    assert!(jobs.spawn(ticket(2, 2), Sum::Up(2)));
    assert!(jobs.spawn(ticket(1, 2), Sum::Up(3)));
    assert_eq!(said(&mut ends), (ticket(1, 1), JobEvent::Cancelled));
    assert_eq!(said(&mut ends), (ticket(2, 2), JobEvent::Output(2)));
    assert_eq!(said(&mut ends), (ticket(2, 2), JobEvent::Finished));
    assert_eq!(said(&mut ends), (ticket(1, 2), JobEvent::Output(3)));
}

#[test]
fn a_full_queue_refuses_and_does_not_wait() {
    let (to, _ends) = queues();
    let jobs: Jobs<Sum> = Jobs::start(0, &to).unwrap();
    let taken = (0..1000).filter(|id| jobs.spawn(ticket(*id, 1), Sum::Up(1))).count();
    assert_eq!(taken, 256);
    assert!(jobs.spawn(ticket(0, 2), Sum::Up(1)), "a waiting one can still be replaced");
    jobs.cancel(ticket(5, 1).key);
    assert!(jobs.spawn(ticket(1000, 1), Sum::Up(1)));
}

#[test]
fn a_job_that_panics_says_so_and_its_worker_goes_on() {
    let (to, mut ends) = queues();
    let jobs: Jobs<Sum> = Jobs::start(1, &to).unwrap();
    assert!(jobs.spawn(ticket(1, 1), Sum::Panic));
    assert_eq!(said(&mut ends), (ticket(1, 1), JobEvent::Panicked("a job's panic".to_owned())));
    assert!(jobs.spawn(ticket(1, 2), Sum::Up(4)));
    assert_eq!(said(&mut ends), (ticket(1, 2), JobEvent::Output(4)));
}
