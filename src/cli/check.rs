//! `misfire check`: judge captured calls.

use super::follow::{Follow, Style};
use super::interrupt::Interrupt;
use super::profile::ProfileArgs;
use super::progress::Progress;
use super::{Config, FAILED, FOUND, INTERRUPTED, OK, Streams, load_catalog, tools_for};
use crate::capture::sweep::{Judge, SweepSink, sweep};
use crate::capture::{self, Call, Options, Problem, ProblemKind, Sink};
use crate::gate::{Arguments, Gate, Profile, Verdict, VerdictKind};
use crate::json::Visible;
use crate::replay::filter::{Details, Filter, RowFacts};
use crate::replay::{self, Strangers, summary};
use crate::report::{CallReport, Counts, Tally, call_parts, call_text};
use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Judge captured calls: which would fail, and the exact text the model would get
///
/// Exit status: 0 nothing wrong; 1 at least one call would get an error; 2 usage, or a path or definition file that could
/// not be read; 130 ended by Ctrl-C, after saying what was done so far.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folders or files of captured calls, - for stdin [default: sessions, or what misfire.toml says]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// A folder or file of tool definitions, or a set such as @claude-code (repeatable) [default: tools, or what misfire.toml says]
    #[arg(long, value_name = "PATH")]
    tools: Vec<PathBuf>,
    /// text for people, ndjson one object a call, json one array of them
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Report only calls with these verdicts (the exit status still speaks of all)
    #[arg(long, value_name = "VERDICT", value_delimiter = ',', value_parser = verdict)]
    only: Vec<VerdictKind>,
    /// Report only calls that this filter finds, as in 'tool:Task* n>1 since:1h' (the exit status still speaks of all)
    #[arg(long = "where", value_name = "FILTER", value_parser = filter)]
    filter: Option<Filter>,
    /// Exit with 2 also if a line inside a capture could not be read (every line is parsed then)
    #[arg(long)]
    strict: bool,
    /// Parse every line, also those that cannot hold a call as its writer writes it
    #[arg(long)]
    thorough: bool,
    /// How many threads judge [default: one for each processor]
    #[arg(long, value_name = "N")]
    threads: Option<std::num::NonZero<usize>>,
    /// Go on with what agents write from now on, until Ctrl-C
    #[arg(long)]
    follow: bool,
    #[command(flatten)]
    profile: ProfileArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Json,
    Ndjson,
}

fn verdict(name: &str) -> Result<VerdictKind, String> {
    let names = || VerdictKind::ALL.map(VerdictKind::name).join(", ");
    VerdictKind::from_name(name).ok_or_else(|| format!("expected one of {}", names()))
}

pub(super) fn filter(text: &str) -> Result<Filter, String> {
    Filter::parse(text).map_err(|error| format!("{}\n\n{}", Visible::new(&error.to_string()), error.underlined(text)))
}

/// Whether the filter, if there is one, finds the call.
pub(super) fn finds(filter: Option<&Filter>, now: i64, call: &Call, verdict: &Verdict) -> bool {
    let Some(filter) = filter else { return true };
    let (file, summary) = (call.place.file.to_string_lossy(), summary(call, verdict));
    let facts = RowFacts::of_call(call, verdict, &file, &summary);
    filter.matches(&facts, now, || Details::of(call, verdict))
}

/// The time, in milliseconds since 1970.
pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Runs the command.
pub(super) fn run(args: &Args, config: &Config, streams: &mut Streams<'_>) -> io::Result<u8> {
    let sessions = config.sessions(&args.paths);
    let tools = tools_for(&args.tools, sessions, config, streams)?;
    if args.follow {
        return follow(args, sessions, tools, args.profile.profile(config), streams);
    }
    let (catalog, unreadable) = load_catalog(&tools, config, streams)?;
    let judging = Judging { gate: Gate::with_profile(&catalog, args.profile.profile(config)), args, now: now() };
    let (stdin, paths): (Vec<PathBuf>, Vec<PathBuf>) = sessions.iter().cloned().partition(|path| path.as_os_str() == "-");
    let interrupt = Interrupt::install(|| {});
    let mut input = Vec::new();
    if !stdin.is_empty() {
        interrupt.ending_at_once(|| streams.input.read_to_end(&mut input))?;
    }
    let mut check = Check {
        args,
        out: Output { out: &mut *streams.out, err: &mut *streams.err },
        tally: Tally::default(),
        by_tool: BTreeMap::new(),
        strangers: Strangers::default(),
        interrupt,
        progress: Progress::start(&paths, args.format != Format::Text),
        paths_failed: unreadable,
        lines_failed: 0,
        first: true,
        written: Ok(()),
    };
    if args.format == Format::Json {
        check.write("[");
    }
    let options = Options { thorough: args.thorough || args.strict, ..Options::calls_only() };
    if !stdin.is_empty() {
        let mut sink = General { judging: &judging, check: &mut check };
        capture::read_from(input.as_slice(), Path::new("-"), &options, &mut sink);
    }
    let threads = args.threads.or_else(|| std::thread::available_parallelism().ok()).map_or(1, std::num::NonZero::get);
    sweep(&paths, &options, threads, &judging, &mut check);
    check.finish()
}

fn follow(args: &Args, sessions: &[PathBuf], tools: Vec<PathBuf>, profile: Profile, streams: &mut Streams<'_>) -> io::Result<u8> {
    if sessions.iter().any(|path| path.as_os_str() == "-") {
        writeln!(streams.err, "misfire: stdin cannot be followed; name files or folders")?;
        return Ok(FAILED);
    }
    let style = match args.format {
        Format::Text => Style::Text,
        Format::Ndjson => Style::Lines,
        Format::Json => Style::Array,
    };
    let options = Options { thorough: args.thorough || args.strict, ..Options::default() };
    let (sessions, only, filter) = (sessions.to_vec(), args.only.clone(), args.filter.clone());
    Follow { sessions, tools, options, style, profile, from_start: true, only, filter }.run(streams)
}

/// Judges and renders calls, in any thread.
struct Judging<'a> {
    gate: Gate,
    args: &'a Args,
    /// What ages in the filter are measured from.
    now: i64,
}

/// What is kept of a call until it is its turn.
struct Kept {
    counts: Counts,
    report: Option<Box<Report>>,
}

/// What is printed of a call, but for the line on which it stands: that is known when it is its turn.
struct Report {
    tool: String,
    /// Empty where nothing is printed, and only the tool is told.
    before: String,
    after: String,
}

impl Judging<'_> {
    fn reports(&self, kind: VerdictKind) -> bool {
        match (self.args.only.is_empty(), self.args.format) {
            // Asked for nothing in particular, people want to see what is wrong.
            (true, Format::Text) => kind.is_error() || self.args.filter.is_some(),
            (true, _) => true,
            (false, _) => self.args.only.contains(&kind),
        }
    }

    fn report(&self, verdict: &Verdict, id: Option<&str>, file: &Path, call: Option<&Call>) -> Report {
        let pending = call.is_some_and(|call| call.pending);
        let file = file.to_string_lossy();
        let (before, after) = match self.args.format {
            Format::Text => {
                let text = match call.map(|call| &call.arguments) {
                    Some(Arguments::Text(text)) => Some(text.as_bytes()),
                    _ => None,
                };
                let mark = if pending { "  pending" } else { "" };
                let head = format!("  {}{mark}  {}\n", verdict.kind.name(), Visible::new(id.unwrap_or_default()));
                let report = CallReport { verdict, id, source: None, pending };
                (format!("  {}:", Visible::new(&file)), head + &call_text(report, text, "    "))
            }
            Format::Json | Format::Ndjson => call_parts(verdict, id, &file, pending),
        };
        Report { tool: verdict.tool.clone(), before, after }
    }
}

impl Judge for Judging<'_> {
    type Kept = Kept;

    fn accepts(&self, tool: &str, text: &[u8], at: usize) -> Option<usize> {
        // A filter asks for more than is known of a call that is accepted from its bytes.
        if self.args.filter.is_some() { None } else { self.gate.accepts_at(tool, None, text, at) }
    }

    fn accepted(&self, tool: &str, id: Option<&str>, file: &Path) -> Kept {
        let report = self.reports(VerdictKind::Accepted).then(|| self.report(&Gate::accepted(tool), id, file, None));
        Kept { counts: Counts::accepted(), report: report.map(Box::new) }
    }

    fn judge(&self, call: &Call) -> Kept {
        let verdict = replay::judge(&self.gate, call);
        let report = if self.reports(verdict.kind) && finds(self.args.filter.as_ref(), self.now, call, &verdict) {
            Some(self.report(&verdict, call.id.as_deref(), &call.place.file, Some(call)))
        } else {
            let unknown = verdict.kind == VerdictKind::UnknownTool;
            unknown.then(|| Report { tool: verdict.tool.clone(), before: String::new(), after: String::new() })
        };
        Kept { counts: Counts::of(&verdict, call.pending), report: report.map(Box::new) }
    }
}

struct Output<'s> {
    out: &'s mut (dyn io::Write + Send),
    err: &'s mut (dyn io::Write + Send),
}

/// Takes the calls in order and reports them.
struct Check<'a, 's> {
    args: &'a Args,
    out: Output<'s>,
    tally: Tally,
    /// For people: what is wrong, by tool.
    by_tool: BTreeMap<String, (usize, String)>,
    strangers: Strangers,
    interrupt: Interrupt,
    progress: Progress,
    paths_failed: bool,
    lines_failed: usize,
    first: bool,
    written: io::Result<()>,
}

impl SweepSink<Kept> for Check<'_, '_> {
    fn call(&mut self, kept: Kept, line: u32) -> ControlFlow<()> {
        self.tally.add_counts(&kept.counts);
        self.progress.add(0, 1, u64::from(kept.counts.kind.is_error()));
        if let Some(report) = kept.report {
            if kept.counts.kind == VerdictKind::UnknownTool {
                self.strangers.add(&report.tool);
            }
            if !report.before.is_empty() {
                self.report(*report, line);
            }
        }
        self.flow()
    }

    fn problem(&mut self, problem: Problem) {
        self.paths_failed |= problem.kind.is_path();
        self.lines_failed += usize::from(problem.kind.is_loss());
        self.progress.clear();
        // A last line that is cut off belongs to a file that is still growing.
        if problem.kind != ProblemKind::CutLastLine && self.written.is_ok() {
            self.written = writeln!(self.out.err, "misfire: {}", Visible::new(&problem.to_string()));
        }
    }

    fn progress(&mut self, bytes: u64) -> ControlFlow<()> {
        self.progress.add(bytes, 0, 0);
        self.flow()
    }
}

/// Calls of a stream that is no file.
struct General<'a, 'b, 's> {
    judging: &'a Judging<'b>,
    check: &'a mut Check<'b, 's>,
}

impl Sink for General<'_, '_, '_> {
    fn call(&mut self, call: Call) -> ControlFlow<()> {
        self.check.call(self.judging.judge(&call), call.place.line)
    }

    fn problem(&mut self, problem: Problem) {
        self.check.problem(problem);
    }
}

impl Check<'_, '_> {
    fn flow(&self) -> ControlFlow<()> {
        if self.written.is_err() || self.interrupt.came() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn report(&mut self, report: Report, line: u32) {
        let Report { tool, before, after } = report;
        match self.args.format {
            Format::Text => {
                let (count, notes) = self.by_tool.entry(tool).or_default();
                *count += 1;
                notes.extend([before, line.to_string(), after]);
            }
            Format::Json | Format::Ndjson => {
                if self.args.format == Format::Json {
                    let start = if std::mem::take(&mut self.first) { "\n" } else { ",\n" };
                    self.write(start);
                }
                self.write(&before);
                self.write(&line.to_string());
                self.write(&after);
                if self.args.format == Format::Ndjson {
                    self.write("\n");
                }
            }
        }
    }

    fn write(&mut self, text: &str) {
        if self.written.is_ok() {
            self.written = self.out.out.write_all(text.as_bytes());
        }
    }

    fn finish(mut self) -> io::Result<u8> {
        drop(std::mem::take(&mut self.progress));
        let advice = self.strangers.advice(self.tally.calls());
        match self.args.format {
            Format::Json => self.write(if self.first { "]\n" } else { "\n]\n" }),
            Format::Ndjson => {}
            Format::Text => {
                let mut by_tool = std::mem::take(&mut self.by_tool);
                if let (Some(advice), true, None) = (&advice, self.args.only.is_empty(), &self.args.filter) {
                    by_tool.retain(|tool, _| !self.strangers.has(tool));
                    self.write(&format!("{advice}\n\n"));
                }
                for (tool, (count, notes)) in by_tool {
                    let calls = if count == 1 { "call" } else { "calls" };
                    self.write(&format!("{}  {count} {calls}\n{notes}\n", Visible::new(&tool)));
                }
                self.write(&format!("{}\n", self.tally.line()));
            }
        }
        self.written?;
        if let (Some(advice), true) = (advice, self.args.format != Format::Text) {
            writeln!(self.out.err, "misfire: {advice}")?;
        }
        if self.lines_failed > 0 {
            let lines = if self.lines_failed == 1 { "line" } else { "lines" };
            writeln!(self.out.err, "misfire: {} {lines} could not be read", self.lines_failed)?;
        }
        if self.interrupt.came() {
            writeln!(self.out.err, "misfire: stopped; the rest was not read")?;
            return Ok(INTERRUPTED);
        }
        Ok(if self.paths_failed || (self.args.strict && self.lines_failed > 0) {
            FAILED
        } else if self.tally.errors() > 0 {
            FOUND
        } else {
            OK
        })
    }
}
