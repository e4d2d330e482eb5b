//! Whatever happens, in whatever order: nothing panics, and what is selected is there.

use super::super::edit::diff::Diff;
use super::super::edit::job::Shared;
use super::super::job::find::{FindJob, Found, decide};
use super::super::job::review::{ReviewJob, ReviewOutput, Reviewed};
use super::super::job::{Desk, Job, Output, Shown, explore, kind};
use super::super::keys::Keymap;
use super::super::layout::Pane;
use super::super::runtime::jobs::{JobEvent, JobKey, Ticket};
use super::super::runtime::watch::Change;
use super::super::runtime::{App, Effect, Msg};
use super::super::state::{Answer, Query, Rows, State, Tab, arranged, compare, fails, rank};
use super::super::theme::{Theme, ThemeKind};
use crate::capture::Call;
use crate::capture::index::CallId;
use crate::definition::{Catalog, Definition};
use crate::gate::{Arguments, Gate, Profile};
use crate::replay::stats::{Facts, Maps, Seen, Statistics};
use crate::replay::{Detail, Flip, Judgement, Label, Labels, News, Outcome, Packer, Row, judge};
use crate::review::{AcceptFile, Options, Reviewer, Sides};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use proptest::prelude::*;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use std::hash::RandomState;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const TOOLS: [&str; 3] = ["Read", "Write", "nobody"];
const ARGUMENTS: [&str; 6] = [
    r#"{"path":"a"}"#,
    r#"{"path":1,"list":[{"a":"\u001b"},{}],"x":{"y":[[]]}}"#,
    r#"{"list":"not a list"}"#,
    "{\"path\": ",
    "",
    "[1, \"\u{202e}\u{4e00}\\n\\n\"]",
];

const FILTERS: &[&str] = &[
    "",
    "is:bad",
    "tool:Read",
    "args:a",
    "verdict:accepted | is:marked",
    "!is:attempt kind:missing",
    "is:flipped",
    "no filter:",
];

/// One thing that happens, as far as it can be told without knowing the state.
#[derive(Clone, Debug)]
enum Happening {
    Key(KeyCode, KeyModifiers),
    Mouse(MouseEventKind, u16, u16),
    Resize(u16, u16),
    Tick,
    Calls { file: u32, keep: u32, added: Vec<(u8, u8, i64, bool)> },
    Gone(u32),
    Parents(Vec<(CallId, CallId)>),
    Definitions(bool),
    Answer { stale: bool, readable: bool },
    BaselineMarked,
    Loaded,
    Filter(&'static str),
    Found,
    Watched(String),
}

fn ids() -> impl Strategy<Value = CallId> {
    (0..3u32, 0..6u32).prop_map(|(file, call)| CallId { file, call })
}

fn happenings() -> impl Strategy<Value = Happening> {
    use Happening::{
        Answer, BaselineMarked, Calls, Definitions, Filter, Found, Gone, Key, Loaded, Mouse, Parents, Resize, Tick, Watched,
    };
    let named = proptest::sample::select(
        &[KeyCode::Tab, KeyCode::Enter, KeyCode::Esc, KeyCode::Down, KeyCode::PageDown, KeyCode::F(3), KeyCode::End][..],
    );
    let codes = prop_oneof![named, proptest::char::range(' ', '~').prop_map(KeyCode::Char)];
    let modifiers = proptest::sample::select(&[KeyModifiers::NONE, KeyModifiers::NONE, KeyModifiers::CONTROL][..]);
    let kinds = proptest::sample::select(
        &[MouseEventKind::Up(MouseButton::Left), MouseEventKind::ScrollUp, MouseEventKind::ScrollDown][..],
    );
    let added = proptest::collection::vec((0..3u8, 0..6u8, 0..4i64, any::<bool>()), 0..5);
    let screens = proptest::sample::select(&['X', 'S', 'V', 'F', '/', 'C', '.', 'j', 'G'][..]).prop_map(KeyCode::Char);
    prop_oneof![
        6 => screens.prop_map(|code| Key(code, KeyModifiers::NONE)),
        12 => (codes, modifiers).prop_map(|(code, modifiers)| Key(code, modifiers)),
        2 => (kinds, 0..250u16, 0..80u16).prop_map(|(kind, column, row)| Mouse(kind, column, row)),
        1 => (1..250u16, 1..80u16).prop_map(|(columns, rows)| Resize(columns, rows)),
        1 => Just(Tick),
        6 => (0..3u32, 0..6u32, added).prop_map(|(file, keep, added)| Calls { file, keep, added }),
        1 => (0..3u32).prop_map(Gone),
        1 => proptest::collection::vec((ids(), ids()), 1..3).prop_map(Parents),
        2 => any::<bool>().prop_map(Definitions),
        6 => (any::<bool>(), any::<bool>()).prop_map(|(stale, readable)| Answer { stale: stale && !readable, readable }),
        1 => Just(BaselineMarked),
        3 => proptest::sample::select(FILTERS).prop_map(Filter),
        3 => Just(Found),
        1 => Just(Loaded),
        1 => "(tools|sessions|x)/a.json".prop_map(Watched),
    ]
}

fn catalog(strict: bool) -> Arc<Catalog> {
    let read = if strict { r#""additionalProperties": false, "required": ["path"]"# } else { r#""required": []"# };
    let text = format!(
        r#"[{{"name": "Read", "parameters": {{"type": "object", {read},
            "properties": {{"path": {{"type": "string", "minLength": 2}}, "list": {{"type": "array"}}}}}}}}, {{"name": "Write"}}]"#
    );
    Arc::new(Catalog::from_definitions(Definition::parse(text.as_bytes()).unwrap()))
}

/// The state, and what the engine would know.
struct World {
    state: State,
    strict: bool,
    /// By file: tool and arguments of each call.
    calls: [Vec<(u8, u8)>; 3],
    /// The last request for a call.
    asked: Option<(Ticket, CallId)>,
    /// What was asked of jobs that find calls.
    finding: Vec<(Ticket, Shared<FindJob>)>,
    /// What was asked of jobs that lay definitions out, count, and review.
    others: Vec<(Ticket, Job)>,
}

impl World {
    fn new() -> Self {
        let mut state = State::new(Theme::new(ThemeKind::Dark, false), Keymap::default());
        state.desk = Some(Desk::new(vec!["tools".into()], vec!["sessions".into()], Profile::Wave));
        Self { state, strict: true, calls: [const { Vec::new() }; 3], asked: None, finding: Vec::new(), others: Vec::new() }
    }

    fn call(&self, id: CallId) -> Option<Call> {
        let (tool, arguments) = self.calls.get(id.file as usize)?.get(id.call as usize)?;
        Some(Call::new(TOOLS[usize::from(*tool)], Arguments::text(ARGUMENTS[usize::from(*arguments)])))
    }

    fn row(&self, id: CallId, at: i64, pending: bool) -> Row {
        let call = self.call(id).unwrap();
        let verdict = judge(&Gate::new(&catalog(self.strict)), &call);
        Row { at: (at > 0).then_some(at), line: 1, pending, ..Row::of_call(id, &call, &verdict) }
    }

    fn send(&mut self, now: Duration, msg: Msg<Output>) {
        let mut effects = Vec::new();
        let _ = self.state.update(now, msg, &mut effects);
        for effect in effects {
            match effect {
                Effect::Spawn(ticket, Job::Detail(_, id)) => self.asked = Some((ticket, id)),
                Effect::Spawn(ticket, Job::Find(work)) => self.finding.push((ticket, work)),
                Effect::Spawn(ticket, job @ (Job::Definitions(..) | Job::Count(_) | Job::Review(_))) => {
                    self.others.push((ticket, job));
                }
                _ => {}
            }
        }
    }

    fn output(&mut self, now: Duration, ticket: Ticket, output: Output) {
        self.send(now, Msg::Job(ticket, JobEvent::Output(output)));
    }

    fn happen(&mut self, now: Duration, happening: Happening) {
        let any = Ticket { key: JobKey { kind: kind::LOADING, id: 0 }, generation: 1 };
        match happening {
            Happening::Key(code, modifiers) => self.send(now, Msg::Key(KeyEvent::new(code, modifiers))),
            Happening::Mouse(kind, column, row) => {
                self.send(now, Msg::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
            }
            Happening::Resize(columns, rows) => self.send(now, Msg::Resize { columns, rows }),
            Happening::Tick => self.send(now, Msg::Tick),
            Happening::Calls { file, keep, added } => {
                let known = &mut self.calls[file as usize];
                let before = u32::try_from(known.len()).unwrap();
                let first = keep.min(before);
                known.truncate(first as usize);
                known.extend(added.iter().map(|(tool, arguments, ..)| (*tool, *arguments)));
                let labels: Vec<Label> = (first..u32::try_from(known.len()).unwrap())
                    .map(|call| Label::of(&self.call(CallId { file, call }).unwrap()))
                    .collect();
                let labels = Packer::default().pack(&labels);
                let rows =
                    (first..).zip(&added).map(|(call, (_, _, at, pending))| self.row(CallId { file, call }, *at, *pending));
                let added = rows.collect();
                let path = Arc::from(Path::new("sessions/a.jsonl"));
                let removed = if first < before { first..before } else { before..before };
                let answered = if first > 0 { vec![(0, Some(true))] } else { Vec::new() };
                let news = News::Calls { file, path, removed, added, labels, answered, gone: false, problems: Vec::new() };
                self.output(now, any, Output::News(vec![news]));
            }
            Happening::Gone(file) => {
                let known = std::mem::take(&mut self.calls[file as usize]);
                let path = Arc::from(Path::new("sessions/a.jsonl"));
                let removed = 0..u32::try_from(known.len()).unwrap();
                let (added, answered, problems) = (Vec::new(), Vec::new(), Vec::new());
                let news = News::Calls { file, path, removed, added, labels: Labels::default(), answered, gone: true, problems };
                self.output(now, any, Output::News(vec![news]));
            }
            Happening::Parents(parents) => self.output(now, any, Output::News(vec![News::Parents(parents)])),
            Happening::Definitions(strict) => self.definitions(now, any, strict),
            Happening::Answer { stale, readable } => self.answer(now, stale, readable),
            Happening::Filter(text) => {
                let _ = self.state.data.find.set_text(text);
                self.send(now, Msg::Tick);
            }
            Happening::Found => {
                self.found(now);
                self.other(now);
            }
            Happening::BaselineMarked => self.output(now, any, Output::BaselineMarked),
            Happening::Loaded => self.output(now, any, Output::Paths(Vec::new())),
            Happening::Watched(path) => self.send(now, Msg::Watch(Change::Changed(vec![path.into()]))),
        }
    }

    fn definitions(&mut self, now: Duration, ticket: Ticket, strict: bool) {
        self.strict = strict;
        let catalog = catalog(strict);
        let gate = Arc::new(Gate::new(&catalog));
        let all = (0..3u32).flat_map(|file| (0..8u32).map(move |call| CallId { file, call }));
        let judged: Vec<Judgement> = all
            .filter_map(|id| {
                let call = self.call(id)?;
                let verdict = judge(&gate, &call);
                Some(Judgement::of(id, &call, &verdict))
            })
            .collect();
        let flips = judged.iter().map(|j| Flip { id: j.id, before: j.said.outcome, after: j.said.outcome }).collect();
        let news = News::Definitions { catalog, gate, changed: vec!["Read".to_owned()], judged, flips };
        self.output(now, ticket, Output::News(vec![news]));
    }

    fn answer(&mut self, now: Duration, stale: bool, readable: bool) {
        let Some((mut ticket, id)) = self.asked else { return };
        ticket.generation -= u64::from(stale);
        let output = match self.call(id).filter(|_| readable) {
            Some(call) => {
                let catalog = catalog(self.strict);
                let verdict = judge(&Gate::new(&catalog), &call);
                let definition = catalog.get(&call.tool).cloned();
                Output::Call(Box::new(Shown::new(
                    id,
                    Detail { call, verdict, definition, profile: Profile::Wave },
                    b"{}".to_vec(),
                )))
            }
            None => Output::NoCall(id, "it is gone".to_owned()),
        };
        self.output(now, ticket, output);
    }

    /// A job that finds calls does what it was asked.
    fn found(&mut self, now: Duration) {
        if self.finding.is_empty() {
            return;
        }
        let (ticket, work) = self.finding.remove(0);
        let found = match &*work {
            FindJob::Decide { query, rows } => decide(query, rows, || false).unwrap(),
            FindJob::Read { query, rows, ids, .. } => {
                let (now, later) = ids.split_at(ids.len().min(3));
                let read = now.iter().map(|id| (*id, self.reads(query, rows, *id))).collect();
                Found::Read { read, left: later.to_vec() }
            }
            FindJob::Fuzzy { typed, rows } => Found::Fuzzy { typed: typed.clone(), found: rank(typed, rows, || false).unwrap() },
            FindJob::Sort { sort, rows, revision } => Found::Sorted { order: arranged(rows, sort), revision: *revision },
        };
        self.output(now, ticket, Output::Found(found));
        self.send(now, Msg::Job(ticket, JobEvent::Finished));
    }

    /// A job for the tree of definitions, the counts or the review does what it was asked.
    fn other(&mut self, now: Duration) {
        if self.others.is_empty() {
            return;
        }
        let (ticket, job) = self.others.remove(0);
        let output = match job {
            Job::Definitions(catalog, gate, lint) => Output::Definitions(Box::new(explore(&catalog.0, &gate.0, &lint.0))),
            Job::Count(_) => Output::Counted(Box::new(self.statistics())),
            Job::Review(ReviewJob::Make(..)) => Output::Review(ReviewOutput::Made(Ok(Box::new(self.review())))),
            Job::Review(ReviewJob::Compare(_, id, (before, after))) => {
                let diff = self.call(id).map(|call| Box::new(Diff::by_two(&before.0, &after.0, &call)));
                Output::Review(ReviewOutput::Compared(id, diff.ok_or_else(|| "it is gone".to_owned())))
            }
            _ => return,
        };
        self.output(now, ticket, output);
        self.send(now, Msg::Job(ticket, JobEvent::Finished));
    }

    fn ids(&self) -> impl Iterator<Item = CallId> + '_ {
        let of = |(file, calls): (u32, &Vec<(u8, u8)>)| {
            (0..u32::try_from(calls.len()).unwrap()).map(move |call| CallId { file, call })
        };
        (0..).zip(&self.calls).flat_map(of)
    }

    fn statistics(&self) -> Statistics {
        let catalog = catalog(self.strict);
        let (gate, maps) = (Gate::new(&catalog), Maps::new(Arc::clone(&catalog), Arc::clone(&catalog)));
        let (mut statistics, hasher) = (Statistics::default(), RandomState::new());
        for id in self.ids() {
            let call = self.call(id).unwrap();
            let verdict = judge(&gate, &call);
            let (facts, outcome) = (Facts::of(&call, &verdict, &maps, &hasher), Outcome::of(&verdict));
            let (file, at) = (Path::new("sessions/a.jsonl"), Some(i64::from(id.call) * 60_000));
            let (tool, line) = (&call.tool, id.call + 1);
            let (model, session, pending, attempt) = (None, None, false, false);
            statistics.add(&Seen {
                tool,
                model,
                session,
                at,
                outcome,
                pending,
                attempt,
                file,
                line,
                facts: &facts,
                arguments: facts.arguments(),
            });
        }
        statistics
    }

    /// A review of what the definitions are against the other ones.
    fn review(&self) -> Reviewed {
        let [before, after] = [catalog(!self.strict), catalog(self.strict)].map(|catalog| Catalog::clone(&catalog));
        let mut reviewer = Reviewer::new(&before, &after, Options { examples: 10, ..Options::default() });
        let mut kept = Vec::new();
        for id in self.ids() {
            let judged = reviewer.judge(&self.call(id).unwrap());
            kept.extend(reviewer.add(judged).map(|_| id));
        }
        let words = || "these".to_owned();
        let (unreadable, warnings, failed) = (Vec::new(), vec!["a warning".to_owned()], false);
        let sides = Sides { before, after, base: words(), head: words(), unreadable, warnings, failed };
        Reviewed::of(reviewer, kept, sides, &AcceptFile::default(), Profile::Wave, (Vec::new(), true))
    }

    fn reads(&self, query: &Query, rows: &Rows, id: CallId) -> bool {
        self.call(id).is_some_and(|call| {
            let verdict = judge(&Gate::new(&catalog(self.strict)), &call);
            query.decide_with(rows, id, &call, &verdict)
        })
    }

    /// When everything has been found: what is shown is what a look at every call gives, and the order is what sorting all gives.
    fn check_found(&mut self, now: Duration) -> Result<(), TestCaseError> {
        for _ in 0..1000 {
            if self.finding.is_empty() {
                break;
            }
            self.found(now);
        }
        self.send(now, Msg::Tick);
        let data = &self.state.data;
        prop_assert_eq!(data.find.undecided(), 0);
        prop_assert_eq!(data.calls.from(0), data.calls.expected(&data.rows, &data.find));
        let order = arranged(&data.rows, data.calls.sort());
        prop_assert_eq!(data.calls.all(), order.as_slice());
        for id in order {
            let query = data.find.query();
            let passes = match query.decide(&data.rows, id) {
                Answer::Yes => true,
                Answer::No => false,
                Answer::Unknown => match self.state.edit.attempts.get(id) {
                    Some(attempt) => query.decide_with(&data.rows, id, &attempt.call, &judge(&data.gate, &attempt.call)),
                    None => self.reads(query, &data.rows, id),
                },
            };
            prop_assert_eq!(data.find.answer(id), Answer::from(passes), "{:?} {}", id, data.find.text());
        }
        Ok(())
    }

    /// What is kept is what is gone on from.
    fn check_kept(&self) -> Result<(), TestCaseError> {
        let memory = self.state.memory();
        let mut other = State::new(Theme::new(ThemeKind::Dark, false), Keymap::default());
        other.remember(memory.clone());
        prop_assert_eq!(other.memory(), memory);
        Ok(())
    }

    /// What must always hold.
    fn check(&self) -> Result<(), TestCaseError> {
        let attempts = self.state.edit.attempts.list().len();
        let (data, known) = (&self.state.data, self.calls.iter().map(Vec::len).sum::<usize>() + attempts);
        prop_assert_eq!(data.rows.total().calls, known);
        prop_assert_eq!(data.rows.total().failing, data.rows.iter().filter(fails).count());
        prop_assert_eq!(data.rows.tools().map(|(_, counts)| counts.calls).sum::<usize>(), known);
        if data.find.shows_all() {
            prop_assert_eq!(data.calls.len(), known);
        }
        let place = |id: &CallId| data.rows.place(*id).unwrap();
        let in_order = |a: &CallId, b: &CallId| compare(data.calls.sort(), &data.rows, &place(a), &place(b)).is_le();
        // Until a job has sorted them they stand as they are.
        prop_assert!(data.find.at_once == 0 || data.calls.from(0).is_sorted_by(in_order));
        if !data.calls.sort().keys().is_empty() {
            let places = data.calls.from(0).iter().map(place).filter(|place| place.indent == 0);
            prop_assert_eq!(data.calls.clone().newest(&data.rows), places.min().map(|place| place.id));
        }
        match data.calls.selected() {
            Some(id) => prop_assert!(data.calls.row_of(id).is_some(), "{id:?} is selected and not there"),
            None => prop_assert!(data.calls.is_empty()),
        }
        prop_assert!(data.flips.iter().all(|flip| data.rows.get(flip.id).is_some()));
        prop_assert!(data.tools.selected() < data.tools.rows().len().max(1));
        prop_assert!(self.state.flips.0 < data.flips.len().max(1) || self.state.tab != Tab::Flips);
        let explorer = &self.state.explorer;
        prop_assert!(explorer.cursor() < explorer.rows().len().max(1));
        prop_assert!(explorer.found().iter().all(|item| explorer.tool(*item).is_some()));
        if let Some(reviewed) = self.state.review.reviewed() {
            prop_assert!(reviewed.is_empty() || self.state.review.finding().is_some());
        }
        Ok(())
    }
}

proptest! {
    #[test]
    fn whatever_happens_the_selection_is_there_and_nothing_panics(
        all in proptest::collection::vec((happenings(), 0..200u64), 0..60),
        (width, height) in (1..=250u16, 1..=80u16),
        at_once in proptest::sample::select(&[0usize, 4_000][..]),
    ) {
        let mut world = World::new();
        world.state.data.find.at_once = at_once;
        let mut now = Duration::ZERO;
        world.send(now, Msg::Resize { columns: 120, rows: 40 });
        for (happening, pause) in all {
            now += Duration::from_millis(pause);
            world.happen(now, happening);
            world.check()?;
        }
        world.check_found(now)?;
        world.check()?;
        world.check_kept()?;
        let screens = [Tab::Definitions, Tab::Statistics, Tab::Review, Tab::Flips, Tab::Stages, Tab::Log];
        for tab in std::iter::once(None).chain(screens.map(Some)) {
            if let Some(tab) = tab {
                (world.state.tab, world.state.focus) = (tab, Pane::Detail);
                world.send(now, Msg::Tick);
                world.check()?;
            }
            for (columns, rows) in [(width, height), (120, 40)] {
                let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
                terminal.draw(|frame| world.state.draw(frame)).unwrap();
            }
        }
    }
}

#[test]
fn an_attempt_at_a_call_that_is_gone_is_none_at_the_call_that_takes_its_number() {
    let mut world = World::new();
    let now = Duration::ZERO;
    world.state.data.find.at_once = 0;
    world.send(now, Msg::Resize { columns: 120, rows: 40 });
    let calls = || Happening::Calls { file: 0, keep: 0, added: vec![(0, 0, 0, false)] };
    let replay = Happening::Key(KeyCode::Char('r'), KeyModifiers::NONE);
    for happening in [calls(), Happening::Answer { stale: false, readable: true }, Happening::Gone(0), replay, calls()] {
        world.happen(now, happening);
        world.check().unwrap();
    }
    world.check_found(now).unwrap();
}

/// What the property above is about is there: otherwise it would say nothing of it.
#[test]
fn definitions_counts_and_a_review_are_reached() {
    let mut world = World::new();
    let now = Duration::ZERO;
    world.send(now, Msg::Resize { columns: 120, rows: 40 });
    let key = |c| Happening::Key(KeyCode::Char(c), KeyModifiers::NONE);
    let calls = Happening::Calls { file: 0, keep: 0, added: vec![(0, 1, 0, false), (0, 2, 0, false)] };
    let all = [Happening::Loaded, calls, Happening::Definitions(true), key('X'), key('S'), key('V')];
    for happening in all.into_iter().chain((0..8).map(|_| Happening::Found)) {
        world.happen(now, happening);
        world.check().unwrap();
    }
    let state = &world.state;
    assert!(!state.explorer.rows().is_empty() && state.explorer.statistics.is_some());
    assert!(state.review.reviewed().is_some_and(|reviewed| !reviewed.is_empty()), "{:?}", state.review.found);
}
