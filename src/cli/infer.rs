//! `misfire infer`: definitions drafted from captured calls.

use super::interrupt::Interrupt;
use super::output::{self, NewFile};
use super::progress::Progress;
use super::{Config, FAILED, INTERRUPTED, OK, Streams, plural};
use crate::capture::{self, Call, CapturedTools, FormatName, InputKind, Options, Problem, Sink};
use crate::definition::{Catalog, Definition, Inference, Origin};
use crate::dialect::recorded;
use crate::gate::{Arguments, Parsed, parse};
use crate::json::{Object, Value, Visible};
use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Draft tool definitions from captured calls: a beginning for people who have logs and no definitions
///
/// Definitions that the captures carry themselves (API requests, MCP tool lists) are taken as they are. Calls that the recorded
/// answer refuses (wrong parameters, unknown tool) are left out. Exit status: 0 drafted; 2 usage, a
/// path that could not be read, or a file that is there already.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files or folders of captured calls, - for stdin
    #[arg(value_name = "IN", required = true)]
    paths: Vec<PathBuf>,
    /// Write one file a tool into this folder; without it the drafts are printed as one JSON array
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Draft only tools with at least so many calls
    #[arg(long, value_name = "N", default_value_t = 1)]
    min: u64,
    /// Replace files that are there
    #[arg(long, requires = "out")]
    force: bool,
    /// Read every file as this format
    #[arg(long, value_name = "NAME")]
    format_in: Option<FormatName>,
}

/// Runs the command.
pub(super) fn run(args: &Args, _config: &Config, streams: &mut Streams<'_>) -> io::Result<u8> {
    let interrupt = Interrupt::install(|| {});
    let mut infer = Infer {
        interrupt: interrupt.clone(),
        progress: Progress::start(&args.paths, false),
        tools: BTreeMap::new(),
        carried: Vec::new(),
        left_out: 0,
        paths_failed: false,
        names: HashSet::new(),
        problems: Vec::new(),
    };
    let options = Options { format: args.format_in, ..Options::default() };
    for path in &args.paths {
        if path.as_os_str() == "-" {
            let mut bytes = Vec::new();
            interrupt.ending_at_once(|| streams.input.read_to_end(&mut bytes))?;
            capture::read_from(bytes.as_slice(), path, &options, &mut infer);
        } else {
            capture::read_paths(std::slice::from_ref(path), &options, &mut infer);
        }
    }
    drop(std::mem::take(&mut infer.progress));
    for problem in &infer.problems {
        writeln!(streams.err, "misfire: {}", Visible::new(problem))?;
    }
    if interrupt.came() {
        writeln!(streams.err, "misfire: stopped; nothing was drafted")?;
        return Ok(INTERRUPTED);
    }
    infer.finish(args, streams)
}

/// A tool that calls name.
struct Tool {
    name: String,
    origin: Option<Origin>,
    seen: Inference,
}

/// Takes the calls as they are read.
struct Infer {
    interrupt: Interrupt,
    progress: Progress,
    tools: BTreeMap<String, Tool>,
    /// Definitions that stand in the captures.
    carried: Vec<Definition>,
    left_out: u64,
    paths_failed: bool,
    /// Names of what is in `carried`.
    names: HashSet<String>,
    problems: Vec<String>,
}

impl Infer {
    fn finish(self, args: &Args, streams: &mut Streams<'_>) -> io::Result<u8> {
        let enough = |tool: &Tool| tool.seen.calls() >= args.min.max(1);
        let carried = Catalog::from_definitions(self.carried);
        let unknown = self.tools.into_values().filter(|tool| carried.get(&tool.name).is_none());
        let (drafts, few): (Vec<Tool>, Vec<Tool>) = unknown.partition(enough);
        let mut files: Vec<(Option<Origin>, String, Value)> = Vec::new();
        files.extend(carried.definitions().iter().map(|d| (None, d.name().to_owned(), Value::from(d.view()))));
        files.extend(drafts.iter().map(|tool| (tool.origin, tool.name.clone(), tool.seen.draft(&tool.name))));
        let failed = if let Some(folder) = &args.out {
            write_files(folder, &files, args.force, streams)?
        } else {
            let all: Vec<Value> = files.into_iter().map(|(_, _, definition)| definition).collect();
            writeln!(streams.out, "{}", Value::from(all).to_json_pretty(2))?;
            false
        };
        let calls = drafts.iter().map(|tool| tool.seen.calls()).sum();
        let mut said = vec![format!("{} drafted from {}", plural(drafts.len() as u64, "definition"), plural(calls, "call"))];
        if !carried.definitions().is_empty() {
            said.push(format!("{} taken from the captures", plural(carried.definitions().len() as u64, "definition")));
        }
        if !few.is_empty() {
            said.push(format!("{} with fewer than {} calls", plural(few.len() as u64, "tool"), args.min));
        }
        if self.left_out > 0 {
            let left_out = plural(self.left_out, "call");
            said.push(format!("{left_out} left out (refused, cut off, no JSON object, or not judged)"));
        }
        writeln!(streams.err, "misfire: {}", said.join("; "))?;
        Ok(if failed || self.paths_failed { FAILED } else { OK })
    }
}

impl Sink for Infer {
    fn call(&mut self, call: Call) -> ControlFlow<()> {
        self.progress.call(&call.place, false);
        if self.interrupt.came() {
            return ControlFlow::Break(());
        }
        let taken = arguments(&call).is_some_and(|arguments| {
            let new = || Tool { name: call.tool.clone(), origin: call.origin, seen: Inference::default() };
            let is_object = arguments.as_object().is_some();
            is_object && self.tools.entry(call.tool.clone()).or_insert_with(new).seen.add(&arguments)
        });
        self.left_out += u64::from(!taken);
        ControlFlow::Continue(())
    }

    fn problem(&mut self, problem: Problem) {
        self.paths_failed |= problem.kind.is_path();
        self.problems.push(problem.to_string());
    }

    /// The same lists come with every request: of a name the first definition holds.
    fn tools(&mut self, tools: CapturedTools) {
        match Definition::parse(tools.json.as_bytes()) {
            Ok(definitions) => {
                for definition in definitions {
                    if self.names.insert(definition.name().to_owned()) {
                        self.carried.push(definition);
                    }
                }
            }
            Err(error) => self.problems.push(format!("{}: a list of definitions could not be read: {error}", tools.place)),
        }
    }
}

/// The arguments of a call that tells something about its tool: whole JSON that the runtime took.
fn arguments(call: &Call) -> Option<Value> {
    let refused = call.result.as_ref().is_some_and(|result| result.is_error != Some(false) && recorded::is_refusal(&result.text));
    if call.input != InputKind::Json || call.pending || refused || call.tool.is_empty() {
        return None;
    }
    match &call.arguments {
        Arguments::Absent => Some(Value::Object(Object::default())),
        Arguments::Json(value) => Some(value.clone()),
        Arguments::Text(text) => match parse(text.as_bytes()) {
            Parsed::Value(value) => Some(value),
            Parsed::Recovered { .. } | Parsed::Failed(_) => None,
        },
    }
}

/// Writes one file a tool. Files that are there stay, are named, and make the answer `true`.
fn write_files(
    folder: &Path,
    files: &[(Option<Origin>, String, Value)],
    force: bool,
    streams: &mut Streams<'_>,
) -> io::Result<bool> {
    let mut failed = false;
    let mut names = HashSet::new();
    for (origin, name, definition) in files {
        let below = if *origin == Some(Origin::Custom) { folder.join("custom") } else { folder.to_owned() };
        let mut stem = file_stem(name);
        // Names that differ in case only are one file to some systems.
        while !names.insert(stem.to_lowercase()) {
            stem.push('_');
        }
        let path = below.join(format!("{stem}.json"));
        let written = match output::refusal(&path, force) {
            Some(reason) => Err(reason),
            None => write_file(&path, definition, force).map_err(|e| format!("{}: could not be written: {e}", path.display())),
        };
        if let Err(reason) = written {
            failed = true;
            writeln!(streams.err, "misfire: {}", Visible::new(&reason))?;
        }
    }
    Ok(failed)
}

fn write_file(path: &Path, definition: &Value, force: bool) -> io::Result<()> {
    let mut file = NewFile::create(path, force)?;
    writeln!(file, "{}", definition.to_json_pretty(2))?;
    file.finish()
}

/// A tool's name as a file's, which must not lead anywhere else.
fn file_stem(name: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    name.chars().map(safe).take(100).collect()
}
