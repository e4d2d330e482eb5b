//! `misfire check`: judge captured calls.

use super::again::Again;
use super::follow::{Follow, Style};
use super::interrupt::Interrupt;
use super::profile::RulesArgs;
use super::progress::Progress;
use super::stdin::Inputs;
use super::{Config, FAILED, FOUND, INTERRUPTED, OK, Streams, plural, say_findings, tools_for};
use crate::capture::sweep::{Judge, SweepSink, sweep};
use crate::capture::{Call, CapturedTools, FormatName, Options, Problem, ProblemKind};
use crate::gate::{Arguments, Gate, Profile, Verdict, VerdictKind};
use crate::json::Visible;
use crate::replay::filter::{Details, Filter, Flag, RowFacts};
use crate::replay::{self, FileRules, Rulebook, Strangers, summary};
use crate::report::{CallReport, CallsReport, Counts, Markup, Tally, call_parts, call_text};
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
#[expect(clippy::struct_excessive_bools, reason = "one a flag")]
pub struct Args {
    /// Folders or files of captured calls, - for stdin [default: sessions, or what misfire.toml says]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    rules: RulesArgs,
    /// text for people, ndjson one object a call, json one array of them; markdown and html: a report, html one file that runs and loads nothing
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
    /// Leave out calls that an earlier file has too (same id, tool and arguments)
    #[arg(long)]
    dedupe: bool,
    /// Read every file as this format
    #[arg(long, value_name = "NAME")]
    format_in: Option<FormatName>,
    /// Go on with what agents write from now on, until Ctrl-C
    #[arg(long)]
    follow: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Json,
    Ndjson,
    Markdown,
    Html,
}

impl Format {
    fn markup(self) -> Option<Markup> {
        match self {
            Self::Markdown => Some(Markup::Markdown),
            Self::Html => Some(Markup::Html),
            Self::Text | Self::Json | Self::Ndjson => None,
        }
    }
}

fn verdict(name: &str) -> Result<VerdictKind, String> {
    let names = || VerdictKind::ALL.map(VerdictKind::name).join(", ");
    VerdictKind::from_name(name).ok_or_else(|| format!("expected one of {}", names()))
}

pub(super) fn filter(text: &str) -> Result<Filter, String> {
    let filter =
        Filter::parse(text).map_err(|error| format!("{}\n\n{}", Visible::new(&error.to_string()), error.underlined(text)))?;
    // What stands in no capture would find nothing, and say nothing.
    if filter.asks_for(Flag::Marked) {
        return Err("marks are kept by the terminal app, not in captures; `misfire marks` lists them".into());
    }
    if filter.asks_for(Flag::Flipped) {
        return Err("a flip needs something to compare with; `misfire review --base REVISION --calls PATH` lists them".into());
    }
    Ok(filter)
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
    let tools = tools_for(&args.rules.tools, sessions, config, streams)?;
    if args.follow {
        return follow(args, sessions, tools, args.rules.profile.profile(config), streams);
    }
    let rulebook = Rulebook::load(&tools, args.rules.profile.profile(config), args.rules.tools.is_empty());
    let unreadable = say_findings(&rulebook.usual().catalog, streams)?;
    let judging = Judging { rulebook, args, now: now() };
    let interrupt = Interrupt::install(|| {});
    let inputs = Inputs::take(sessions, &interrupt, streams)?;
    let mut check = Check {
        args,
        out: Output { out: &mut *streams.out, err: &mut *streams.err },
        tally: Tally::default(),
        by_tool: BTreeMap::new(),
        listed: CallsReport::new(args.format.markup().unwrap_or_default()),
        strangers: Strangers::default(),
        unknown: Vec::new(),
        again: Again::default(),
        left_out: 0,
        file: 0,
        interrupt,
        accepted: 0,
        progress: Progress::start(&inputs.paths, args.format != Format::Text),
        paths_failed: unreadable,
        lines_failed: 0,
        first: true,
        written: Ok(()),
    };
    if args.format == Format::Json {
        check.write("[");
    }
    let options = Options { format: args.format_in, thorough: args.thorough || args.strict, ..Options::calls_only() };
    inputs.judge_stdin(&options, &judging, &mut check);
    let threads = args.threads.or_else(|| std::thread::available_parallelism().ok()).map_or(1, std::num::NonZero::get);
    sweep(&inputs.paths, &options, threads, &judging, &mut check);
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
        Format::Markdown | Format::Html => {
            writeln!(streams.err, "misfire: a report is written when everything has been read; it cannot be followed")?;
            return Ok(FAILED);
        }
    };
    let options = Options { format: args.format_in, thorough: args.thorough || args.strict, ..Options::default() };
    let (carried, strict, dedupe) = (args.rules.tools.is_empty(), args.strict, args.dedupe);
    let (sessions, only, filter) = (sessions.to_vec(), args.only.clone(), args.filter.clone());
    Follow { sessions, tools, carried, options, style, profile, from_start: true, only, filter, strict, dedupe }.run(streams)
}

/// Judges and renders calls, in any thread.
struct Judging<'a> {
    rulebook: Rulebook,
    args: &'a Args,
    /// What ages in the filter are measured from.
    now: i64,
}

/// What is kept of a call until it is its turn.
struct Kept {
    counts: Counts,
    report: Option<Box<Report>>,
    /// By what it is known again in another file, where that is asked for.
    identity: Option<u64>,
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
            (true, Format::Text | Format::Markdown | Format::Html) => kind.is_error() || self.args.filter.is_some(),
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
            Format::Markdown | Format::Html => {
                let markup = self.args.format.markup().unwrap_or_default();
                markup.section(verdict, id, Some(&file), pending)
            }
        };
        Report { tool: verdict.tool.clone(), before, after }
    }
}

impl Judge for Judging<'_> {
    type Kept = Kept;
    type Rules = FileRules;

    fn rules(&self, file: &Path) -> FileRules {
        self.rulebook.of(file)
    }

    fn tools(&self, rules: &mut FileRules, tools: &CapturedTools) -> Result<(), String> {
        rules.take(&self.rulebook, tools)
    }

    /// A filter may ask for anything that is known of a call.
    fn judges_plain_calls(&self) -> bool {
        self.args.filter.is_none()
    }

    fn accepts(&self, rules: &FileRules, tool: &str, text: &[u8], at: usize) -> Option<usize> {
        // To know a call again takes its arguments as a value.
        if self.args.dedupe { None } else { rules.in_force().gate.accepts_at(tool, None, text, at) }
    }

    fn accepted(&self, tool: &str, id: Option<&str>, file: &Path) -> Kept {
        let report = self.reports(VerdictKind::Accepted).then(|| self.report(&Gate::accepted(tool), id, file, None));
        Kept { counts: Counts::accepted(), report: report.map(Box::new), identity: None }
    }

    fn judge(&self, rules: &FileRules, call: &Call) -> Kept {
        let verdict = replay::judge(&rules.in_force().gate, call);
        let report = if self.reports(verdict.kind) && finds(self.args.filter.as_ref(), self.now, call, &verdict) {
            Some(self.report(&verdict, call.id.as_deref(), &call.place.file, Some(call)))
        } else {
            let unknown = verdict.kind == VerdictKind::UnknownTool;
            unknown.then(|| Report { tool: verdict.tool.clone(), before: String::new(), after: String::new() })
        };
        let identity = if self.args.dedupe { Again::identity(call) } else { None };
        Kept { counts: Counts::of(&verdict, call.pending), report: report.map(Box::new), identity }
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
    /// For a report: the calls that it lists.
    listed: CallsReport,
    strangers: Strangers,
    /// For people: calls of unknown tools in the file that is being read.
    unknown: Vec<(String, String)>,
    again: Again,
    /// Calls that an earlier file has too.
    left_out: u64,
    /// The number of the file that is being read.
    file: u32,
    interrupt: Interrupt,
    /// Calls that were accepted, with nothing to say of them.
    accepted: usize,
    progress: Progress,
    paths_failed: bool,
    lines_failed: usize,
    first: bool,
    written: io::Result<()>,
}

impl SweepSink<Kept> for Check<'_, '_> {
    fn file(&mut self) {
        self.end_session();
        self.file += 1;
    }

    fn call(&mut self, kept: Kept, line: u32) -> ControlFlow<()> {
        if kept.identity.is_some_and(|identity| self.again.has(identity, self.file)) {
            self.left_out += 1;
            return self.flow();
        }
        if kept.counts.is_plainly_accepted() {
            self.accepted += 1;
        } else {
            self.tally.add_counts(&kept.counts);
        }
        self.progress.add(0, 1, u64::from(kept.counts.kind.is_error()));
        let unknown = kept.counts.kind == VerdictKind::UnknownTool;
        self.strangers.call(kept.report.as_ref().map_or("", |report| &report.tool), unknown);
        if let Some(report) = kept.report.filter(|report| !report.before.is_empty()) {
            self.report(*report, line, unknown);
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

impl Check<'_, '_> {
    fn flow(&self) -> ControlFlow<()> {
        if self.written.is_err() || self.interrupt.came() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Where most calls of a session are of unknown tools, that is one line for all of them, unless they were asked for.
    fn end_session(&mut self) {
        let asked_for = !self.args.only.is_empty() || self.args.filter.is_some();
        let most = self.strangers.end_session();
        for (tool, note) in std::mem::take(&mut self.unknown) {
            if !most || asked_for {
                self.note(tool, &note);
            }
        }
    }

    fn note(&mut self, tool: String, note: &str) {
        let (count, notes) = self.by_tool.entry(tool).or_default();
        *count += 1;
        notes.push_str(note);
    }

    fn report(&mut self, report: Report, line: u32, unknown: bool) {
        let Report { tool, before, after } = report;
        match self.args.format {
            Format::Text => {
                let note = [before, line.to_string(), after].concat();
                if unknown {
                    self.unknown.push((tool, note));
                } else {
                    self.note(tool, &note);
                }
            }
            Format::Markdown | Format::Html => self.listed.list(&before, Some(line), &after),
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
        self.tally.add_accepted(self.accepted);
        self.end_session();
        let advice = self.strangers.advice();
        match self.args.format {
            Format::Json => self.write(if self.first { "]\n" } else { "\n]\n" }),
            Format::Ndjson => {}
            Format::Markdown | Format::Html => {
                let mut page = Vec::new();
                self.listed.write_with(&self.tally, &mut page)?;
                self.write(&String::from_utf8_lossy(&page));
            }
            Format::Text => {
                let by_tool = std::mem::take(&mut self.by_tool);
                if let (Some(advice), true, None) = (&advice, self.args.only.is_empty(), &self.args.filter) {
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
        if self.left_out > 0 {
            let calls = plural(self.left_out, "call");
            writeln!(self.out.err, "misfire: {calls} left out, as earlier files have them")?;
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
