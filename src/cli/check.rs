//! `misfire check`: judge captured calls.

use super::{Config, FAILED, FOUND, OK, Streams, load_catalog};
use crate::capture::{self, Call, Options, Problem, ProblemKind, Sink};
use crate::gate::{Arguments, Gate, Verdict, VerdictKind};
use crate::json::Visible;
use crate::replay::filter::{Details, Filter, RowFacts};
use crate::replay::{self, summary};
use crate::report::{CallReport, Tally, call_object, call_text};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// Judge captured calls: which would fail, and the exact text the model would get
///
/// Exit status: 0 nothing wrong; 1 at least one call would get an error; 2 usage, or a path or definition file that could
/// not be read.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folders or files of captured calls, - for stdin [default: sessions, or what misfire.toml says]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// A folder or file of tool definitions (repeatable) [default: tools, or what misfire.toml says]
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
    /// Exit with 2 also if a line inside a capture could not be read
    #[arg(long)]
    strict: bool,
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

fn filter(text: &str) -> Result<Filter, String> {
    Filter::parse(text).map_err(|error| format!("{}\n\n{}", Visible::new(&error.to_string()), error.underlined(text)))
}

/// Whether the filter finds the call.
fn finds(filter: &Filter, call: &Call, verdict: &Verdict) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let (file, summary) = (call.place.file.to_string_lossy(), summary(call, verdict));
    let facts = RowFacts::of_call(call, verdict, &file, &summary);
    filter.matches(&facts, i64::try_from(now).unwrap_or(i64::MAX), || Details::of(call, verdict))
}

/// Runs the command.
pub(super) fn run(args: &Args, config: &Config, streams: &mut Streams<'_>) -> io::Result<u8> {
    let (catalog, unreadable) = load_catalog(&args.tools, config, streams)?;
    let paths = config.sessions(&args.paths);
    let mut check = Check {
        gate: Gate::new(&catalog),
        args,
        streams,
        tally: Tally::default(),
        by_tool: BTreeMap::new(),
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
            input.read_to_end(&mut bytes)?;
            capture::read_from(bytes.as_slice(), path, &options, &mut check);
        } else {
            capture::read_paths(std::slice::from_ref(path), &options, &mut check);
        }
    }
    check.finish()
}

/// Takes the calls as they are read, judges them and reports.
struct Check<'a, 's> {
    gate: Gate,
    args: &'a Args,
    streams: &'a mut Streams<'s>,
    tally: Tally,
    /// For people: what is wrong, by tool.
    by_tool: BTreeMap<String, (usize, String)>,
    paths_failed: bool,
    lines_failed: usize,
    first: bool,
    written: io::Result<()>,
}

impl Sink for Check<'_, '_> {
    fn call(&mut self, call: Call) -> ControlFlow<()> {
        let verdict = replay::judge(&self.gate, &call);
        self.tally.add(&verdict, call.pending);
        let wanted = self.args.only.is_empty() || self.args.only.contains(&verdict.kind);
        if wanted && self.args.filter.as_ref().is_none_or(|filter| finds(filter, &call, &verdict)) {
            self.report(&call, &verdict);
        }
        if self.written.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn problem(&mut self, problem: Problem) {
        self.paths_failed |= problem.kind.is_path();
        self.lines_failed += usize::from(problem.kind.is_loss());
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
            Format::Text if verdict.is_error() || !self.args.only.is_empty() || self.args.filter.is_some() => {
                self.note(call, verdict, report);
            }
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
        match self.args.format {
            Format::Json => self.write(if self.first { "]\n" } else { "\n]\n" }),
            Format::Ndjson => {}
            Format::Text => {
                for (tool, (count, notes)) in std::mem::take(&mut self.by_tool) {
                    let calls = if count == 1 { "call" } else { "calls" };
                    self.write(&format!("{}  {count} {calls}\n{notes}\n", Visible::new(&tool)));
                }
                self.write(&format!("{}\n", self.tally.line()));
            }
        }
        self.written?;
        if self.lines_failed > 0 {
            let lines = if self.lines_failed == 1 { "line" } else { "lines" };
            writeln!(self.streams.err, "misfire: {} {lines} could not be read", self.lines_failed)?;
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
