//! `misfire check`: judge captured calls.

use super::follow::{Follow, Style};
use super::interrupt::Interrupt;
use super::progress::Progress;
use super::{Config, FAILED, FOUND, INTERRUPTED, OK, Streams, load_catalog, tools_for};
use crate::capture::{self, Call, Options, Problem, ProblemKind, Sink};
use crate::gate::{Arguments, Gate, Verdict, VerdictKind};
use crate::json::Visible;
use crate::replay::{self, Strangers};
use crate::report::{CallReport, Tally, call_object, call_text};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Judge captured calls: which would fail, and the exact text the model would get
///
/// Exit status: 0 nothing wrong; 1 at least one call would get an error; 2 usage, or a path or definition file that could
/// not be read; 130 ended by Ctrl-C.
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
    /// Exit with 2 also if a line inside a capture could not be read
    #[arg(long)]
    strict: bool,
    /// Go on with what agents write from now on, until Ctrl-C
    #[arg(long)]
    follow: bool,
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

/// Runs the command.
pub(super) fn run(args: &Args, config: &Config, streams: &mut Streams<'_>) -> io::Result<u8> {
    let paths = config.sessions(&args.paths);
    let tools = tools_for(&args.tools, paths, config, streams)?;
    if args.follow {
        return follow(args, paths, tools, streams);
    }
    let (catalog, unreadable) = load_catalog(&tools, config, streams)?;
    let mut check = Check {
        gate: Gate::new(&catalog),
        args,
        streams,
        tally: Tally::default(),
        by_tool: BTreeMap::new(),
        strangers: Strangers::default(),
        interrupt: Interrupt::install(|| {}),
        progress: Progress::start(paths, args.format != Format::Text),
        paths_failed: unreadable,
        lines_failed: 0,
        first: true,
        written: Ok(()),
    };
    if args.format == Format::Json {
        check.write("[");
    }
    let options = Options::calls_only();
    for path in paths {
        if path.as_os_str() == "-" {
            let input = &mut *check.streams.input;
            // The sink needs the streams too: what stands on stdin is read whole first.
            let mut bytes = Vec::new();
            check.interrupt.ending_at_once(|| input.read_to_end(&mut bytes))?;
            capture::read_from(bytes.as_slice(), path, &options, &mut check);
        } else {
            capture::read_paths(std::slice::from_ref(path), &options, &mut check);
        }
    }
    check.finish()
}

fn follow(args: &Args, paths: &[PathBuf], tools: Vec<PathBuf>, streams: &mut Streams<'_>) -> io::Result<u8> {
    if paths.iter().any(|path| path.as_os_str() == "-") {
        writeln!(streams.err, "misfire: stdin cannot be followed; name files or folders")?;
        return Ok(FAILED);
    }
    let style = match args.format {
        Format::Text => Style::Text,
        Format::Ndjson => Style::Lines,
        Format::Json => Style::Array,
    };
    let (sessions, only) = (paths.to_vec(), args.only.clone());
    Follow { sessions, tools, options: Options::default(), style, from_start: true, only }.run(streams)
}

/// Takes the calls as they are read, judges them and reports.
struct Check<'a, 's> {
    gate: Gate,
    args: &'a Args,
    streams: &'a mut Streams<'s>,
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

impl Sink for Check<'_, '_> {
    fn call(&mut self, call: Call) -> ControlFlow<()> {
        let verdict = replay::judge(&self.gate, &call);
        self.tally.add(&verdict, call.pending);
        self.strangers.add(&verdict);
        self.progress.call(&call.place, verdict.is_error());
        if self.args.only.is_empty() || self.args.only.contains(&verdict.kind) {
            self.report(&call, &verdict);
        }
        if self.written.is_err() || self.interrupt.came() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn problem(&mut self, problem: Problem) {
        self.paths_failed |= problem.kind.is_path();
        self.lines_failed += usize::from(problem.kind.is_loss());
        self.progress.clear();
        // A last line that is cut off belongs to a file that is still growing.
        if problem.kind != ProblemKind::CutLastLine && self.written.is_ok() {
            self.written = writeln!(self.streams.err, "misfire: {}", Visible::new(&problem.to_string()));
        }
    }
}

impl Check<'_, '_> {
    fn report(&mut self, call: &Call, verdict: &Verdict) {
        let source = call.place.to_string();
        let report = CallReport { verdict, id: call.id.as_deref(), source: Some(&source), pending: call.pending };
        match self.args.format {
            Format::Ndjson => {
                let line = call_object(report).to_json();
                self.write(&line);
                self.write("\n");
            }
            Format::Json => {
                let object = call_object(report).to_json();
                let start = if std::mem::take(&mut self.first) { "\n" } else { ",\n" };
                self.write(start);
                self.write(&object);
            }
            // Asked for nothing in particular, people want to see what is wrong.
            Format::Text if verdict.is_error() || !self.args.only.is_empty() => self.note(call, verdict, report),
            Format::Text => {}
        }
    }

    fn note(&mut self, call: &Call, verdict: &Verdict, report: CallReport<'_>) {
        let text = match &call.arguments {
            Arguments::Text(text) => Some(text.as_bytes()),
            _ => None,
        };
        let (count, notes) = self.by_tool.entry(call.tool.clone()).or_default();
        *count += 1;
        let pending = if call.pending { "  pending" } else { "" };
        let place = Visible::new(report.source.unwrap_or_default());
        let id = Visible::new(call.id.as_deref().unwrap_or_default());
        // Writing to a string cannot fail.
        let _ = writeln!(notes, "  {place}  {}{pending}  {id}", verdict.kind.name());
        notes.push_str(&call_text(report, text, "    "));
    }

    fn write(&mut self, text: &str) {
        if self.written.is_ok() {
            self.written = self.streams.out.write_all(text.as_bytes());
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
                if let (Some(advice), true) = (&advice, self.args.only.is_empty()) {
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
            writeln!(self.streams.err, "misfire: {advice}")?;
        }
        if self.lines_failed > 0 {
            let lines = if self.lines_failed == 1 { "line" } else { "lines" };
            writeln!(self.streams.err, "misfire: {} {lines} could not be read", self.lines_failed)?;
        }
        if self.interrupt.came() {
            writeln!(self.streams.err, "misfire: stopped; the rest was not read")?;
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
