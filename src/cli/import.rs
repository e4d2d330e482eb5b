//! `misfire import`: captured calls of any format in our own.

use super::again::Again;
use super::interrupt::Interrupt;
use super::output::{self, NewFile};
use super::progress::Progress;
use super::{Config, FAILED, INTERRUPTED, OK, Streams, load_catalog, plural};
use crate::capture::redact::Redactor;
use crate::capture::{self, Call, FormatName, Options, Problem, Sink, Summary, write_call};
use crate::definition::Catalog;
use crate::gate::Arguments;
use crate::json::{Visible, to_well_formed};
use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Print captured calls of any format in our own, with their results
///
/// Exit status: 0 all could be read; 2 usage, or a path that could not be read.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "one a flag")]
pub struct Args {
    /// Files or folders of captured calls, - for stdin
    #[arg(value_name = "IN", required = true)]
    paths: Vec<PathBuf>,
    /// Write to this file instead of stdout; it is written whole or not at all
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file that is there
    #[arg(long, requires = "out")]
    force: bool,
    /// Replace secrets, names, paths and free text; structure, keys, numbers and listed values stay
    #[arg(long)]
    redact: bool,
    /// Leave out calls that an earlier file has too (same id, tool and arguments)
    #[arg(long)]
    dedupe: bool,
    /// Read every file as this format
    #[arg(long, value_name = "NAME")]
    format_in: Option<FormatName>,
    /// Parse every line, also those that seem to hold no call
    #[arg(long)]
    thorough: bool,
    /// ndjson for our own format, text for a list to look at
    #[arg(long, value_enum, default_value_t = Format::Ndjson)]
    format: Format,
    /// For --redact: definitions whose listed values stay (repeatable) [default: tools, or what misfire.toml says]
    #[arg(long, value_name = "PATH")]
    tools: Vec<PathBuf>,
    /// Exit with 2 also if a line inside a capture could not be read
    #[arg(long)]
    strict: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Ndjson,
}

/// Runs the command.
pub(super) fn run(args: &Args, config: &Config, streams: &mut Streams<'_>) -> io::Result<u8> {
    if let Some(reason) = args.out.as_deref().and_then(|out| refuse(out, args)) {
        writeln!(streams.err, "misfire: {}", Visible::new(&reason))?;
        return Ok(FAILED);
    }
    let (catalog, unreadable) = if args.redact { definitions(args, config, streams)? } else { Default::default() };
    let interrupt = Interrupt::install(|| {});
    let mut import = Import {
        args,
        interrupt: interrupt.clone(),
        progress: Progress::start(&args.paths, args.out.is_none()),
        redactor: args.redact.then(|| Redactor::new(&catalog)),
        streams,
        file: None,
        seen: Again::default(),
        again: 0,
        paths_failed: unreadable,
        written: Ok(()),
    };
    let summary = import.read()?;
    import.finish(&summary)
}

/// Why the file cannot be written, if so. Inputs are safe even from `--force`.
fn refuse(out: &Path, args: &Args) -> Option<String> {
    if let Ok(real) = std::fs::canonicalize(out)
        && capture::files(&args.paths).iter().any(|path| std::fs::canonicalize(path).is_ok_and(|path| path == real))
    {
        return Some(format!("{} is one of the inputs, which are never written; choose another name", out.display()));
    }
    output::refusal(out, args.force)
}

/// What tells a contract's words from somebody's text: the definitions that calls would be judged by, then the sets that are
/// part of the program, for calls that these do not know.
fn definitions(args: &Args, config: &Config, streams: &mut Streams<'_>) -> io::Result<(Catalog, bool)> {
    let mut paths = config.tools(&args.tools).to_vec();
    if args.tools.is_empty() {
        paths.retain(|path| path.exists());
    }
    let unreadable = if paths.is_empty() { false } else { load_catalog(&paths, config, streams)?.1 };
    paths.extend(["@wave", "@claude-code"].map(PathBuf::from));
    Ok((Catalog::load(&paths), unreadable))
}

/// Takes the calls as they are read and writes them.
struct Import<'a, 's> {
    args: &'a Args,
    interrupt: Interrupt,
    progress: Progress,
    redactor: Option<Redactor<'a>>,
    streams: &'a mut Streams<'s>,
    file: Option<NewFile>,
    seen: Again,
    /// Calls that an earlier file has too.
    again: u64,
    paths_failed: bool,
    written: io::Result<()>,
}

impl Sink for Import<'_, '_> {
    fn call(&mut self, call: Call) -> ControlFlow<()> {
        self.progress.call(&call.place, call.result.as_ref().is_some_and(|result| result.is_error == Some(true)));
        if self.interrupt.came() {
            return ControlFlow::Break(());
        }
        if !(self.is_again(&call) && self.args.dedupe) {
            self.written = self.write(&call);
        }
        if self.written.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn problem(&mut self, problem: Problem) {
        self.paths_failed |= problem.kind.is_path();
        self.progress.clear();
        if self.written.is_ok() {
            self.written = writeln!(self.streams.err, "misfire: {}", Visible::new(&problem.to_string()));
        }
    }
}

impl Import<'_, '_> {
    /// Reads every path in order. The file to be written is made only once there is something to write, so that it is not
    /// found among the inputs.
    fn read(&mut self) -> io::Result<Summary> {
        let options = Options { format: self.args.format_in, thorough: self.args.thorough, results: true, ..Options::default() };
        let mut total = Summary::default();
        for group in self.args.paths.chunk_by(|a, b| a.as_os_str() != "-" && b.as_os_str() != "-") {
            let summary = if group[0].as_os_str() == "-" {
                let mut bytes = Vec::new();
                let (interrupt, input) = (self.interrupt.clone(), &mut *self.streams.input);
                interrupt.ending_at_once(|| input.read_to_end(&mut bytes))?;
                capture::read_from(bytes.as_slice(), &group[0], &options, self)
            } else {
                capture::read_paths(group, &options, self)
            };
            add(&mut total, &summary);
            if summary.stopped {
                break;
            }
        }
        Ok(total)
    }

    /// Whether an earlier file has the call too.
    fn is_again(&mut self, call: &Call) -> bool {
        let again = self.seen.is_again(call);
        self.again += u64::from(again);
        again
    }

    fn write(&mut self, call: &Call) -> io::Result<()> {
        let redacted = self.redactor.as_mut().map(|redactor| redactor.call(call));
        let call = redacted.as_ref().unwrap_or(call);
        let mut line = match self.args.format {
            Format::Ndjson => write_call(call),
            Format::Text => text_line(call),
        };
        line.push('\n');
        match (&mut self.file, &self.args.out) {
            (Some(file), _) => file.write_all(line.as_bytes()),
            (None, Some(out)) => {
                let file = self.file.insert(NewFile::create(out, self.args.force)?);
                file.write_all(line.as_bytes())
            }
            (None, None) => self.streams.out.write_all(line.as_bytes()),
        }
    }

    fn finish(mut self, summary: &Summary) -> io::Result<u8> {
        drop(std::mem::take(&mut self.progress));
        let interrupted = self.interrupt.came();
        let mut written = std::mem::replace(&mut self.written, Ok(()));
        if let (Some(out), true, false) = (&self.args.out, written.is_ok(), interrupted) {
            // A file that was asked for is written even if there are no calls.
            let file = self.file.take().map_or_else(|| NewFile::create(out, self.args.force), Ok);
            written = file.and_then(NewFile::finish);
        }
        if let (Some(out), Err(error)) = (&self.args.out, &written) {
            writeln!(self.streams.err, "misfire: {}: could not be written: {error}", Visible::new(&out.display().to_string()))?;
            return Ok(FAILED);
        }
        written?;
        writeln!(self.streams.err, "misfire: {}", counts(summary, self.again, self.args.dedupe))?;
        if interrupted {
            let kept = if self.args.out.is_some() { "nothing was written" } else { "the rest was not read" };
            writeln!(self.streams.err, "misfire: stopped; {kept}")?;
            return Ok(INTERRUPTED);
        }
        Ok(if self.paths_failed || (self.args.strict && summary.unreadable > 0) { FAILED } else { OK })
    }
}

fn add(total: &mut Summary, part: &Summary) {
    total.files += part.files;
    total.skipped += part.skipped;
    total.bytes += part.bytes;
    total.lines += part.lines;
    total.calls += part.calls;
    total.repeats += part.repeats;
    total.results += part.results;
    total.orphans += part.orphans;
    total.unreadable += part.unreadable;
    total.repaired += part.repaired;
    total.stopped |= part.stopped;
}

/// `45 calls, 30 with a result; 2 repeats; 1 result without a call; 1 line could not be read; 3 files`
fn counts(summary: &Summary, again: u64, dedupe: bool) -> String {
    let mut out = format!("{}, {} with a result", plural(summary.calls, "call"), summary.results);
    let mut say = |n: u64, text: String| {
        if n > 0 {
            out.push_str("; ");
            out.push_str(&text);
        }
    };
    say(summary.repeats, plural(summary.repeats, "repeat"));
    let what = if dedupe { "left out, as earlier files have them" } else { "also in earlier files" };
    say(again, format!("{again} {what}"));
    say(summary.orphans, format!("{} without a call", plural(summary.orphans, "result")));
    say(summary.unreadable, format!("{} could not be read", plural(summary.unreadable, "line")));
    say(summary.repaired, format!("{} with bytes that are not UTF-8", plural(summary.repaired, "line")));
    say(1, plural(summary.files, "file"));
    say(summary.skipped, format!("{} skipped, in no known format", plural(summary.skipped, "file")));
    out
}

/// `PATH:LINE  TOOL  ID  ARGUMENTS  ok`
fn text_line(call: &Call) -> String {
    let arguments = match &call.arguments {
        Arguments::Absent => "{}".into(),
        Arguments::Text(text) => to_well_formed(text.as_bytes()).into_owned(),
        Arguments::Json(value) => value.to_json(),
    };
    let start: String = arguments.chars().take(60).collect();
    let more = if start.len() < arguments.len() { "…" } else { "" };
    let result = match call.result.as_ref().map(|result| result.is_error) {
        None => "no result",
        Some(None) => "answered",
        Some(Some(true)) => "error",
        Some(Some(false)) => "ok",
    };
    let place = Visible::new(&call.place.to_string()).into_string();
    let (tool, id) = (Visible::new(&call.tool), Visible::new(call.id.as_deref().unwrap_or("-")));
    format!("{place}  {tool}  {id}  {result}  {}{more}", Visible::new(&start))
}
