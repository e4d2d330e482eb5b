//! Following sessions: what `misfire check --follow` and `misfire watch` have in common.

use super::again::Again;
use super::check::{finds, now};
use super::interrupt::Interrupt;
use super::watching::Watching;
use super::{FAILED, INTERRUPTED, Streams, plural, say_findings};
use crate::capture::{self, Call, CapturedTools, Options, Problem, ProblemKind};
use crate::definition::NamedSet;
use crate::dialect;
use crate::gate::{Arguments, Profile, Verdict, VerdictKind};
use crate::json::Visible;
use crate::replay::filter::Filter;
use crate::replay::{self, FileRules, Follower, Found, Rulebook};
use crate::report::{CallReport, Tally, call_object, call_text};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What to follow, and how to say what comes.
#[expect(clippy::struct_excessive_bools, reason = "one a flag of the command line")]
pub(super) struct Follow {
    pub sessions: Vec<PathBuf>,
    pub tools: Vec<PathBuf>,
    /// What captures carry themselves is used for their calls.
    pub carried: bool,
    pub options: Options,
    pub style: Style,
    /// Whose rules judge.
    pub profile: Profile,
    /// Also what is there already.
    pub from_start: bool,
    /// Only these verdicts; empty for all.
    pub only: Vec<VerdictKind>,
    /// Only calls that it finds.
    pub filter: Option<Filter>,
    /// A line that could not be read counts as a path that could not.
    pub strict: bool,
    /// Leave out calls that another file has had.
    pub dedupe: bool,
}

/// How calls are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Failures, with their issues and the text, and the counts at the end.
    Text,
    /// Failures, with the text and nothing else.
    Brief,
    /// Every call as an object on a line.
    Lines,
    /// Failures as objects on lines.
    FailureLines,
    /// Every call in one array.
    Array,
}

impl Follow {
    /// Follows until Ctrl-C comes. What could not be read is said when it is met.
    pub fn run(self, streams: &mut Streams<'_>) -> io::Result<u8> {
        if output_is_followed(&self.sessions) {
            let reason = "stdout is one of the files that are followed; write to another folder";
            writeln!(streams.err, "misfire: {reason}")?;
            return Ok(FAILED);
        }
        // Watched first, read then: what comes in between is told.
        let definitions: Vec<PathBuf> = self.tools.iter().filter(|path| !NamedSet::is_name(path)).cloned().collect();
        let (mut watching, failed) = Watching::start(&self.sessions, &definitions);
        say_failed(failed, streams)?;
        let interrupt = Interrupt::install(watching.stopper());
        let rulebook = Rulebook::load(&self.tools, self.profile, self.carried);
        let unreadable = say_findings(&rulebook.usual().catalog, streams)?;
        let mut follower = Follower::new(self.sessions.clone(), self.options.clone());
        let mut teller = Teller::new(&self, rulebook);
        teller.failed = unreadable;
        teller.begin(streams)?;
        teller.silent = !self.from_start;
        teller.scan(&mut follower, &interrupt, streams)?;
        teller.silent = false;
        let (calls, files) = (plural(teller.calls, "call"), plural(follower.files() as u64, "file"));
        writeln!(streams.err, "misfire: following {calls} in {files}; Ctrl-C ends")?;
        while !interrupt.came() {
            let waited = watching.wait();
            say_failed(waited.failed, streams)?;
            if waited.stop {
                break;
            }
            if waited.tools {
                teller.reload(streams)?;
            }
            teller.scan(&mut follower, &interrupt, streams)?;
        }
        teller.end(streams)?;
        Ok(if teller.has_failed() { FAILED } else { INTERRUPTED })
    }
}

fn say_failed(reason: Option<String>, streams: &mut Streams<'_>) -> io::Result<()> {
    let Some(reason) = reason else { return Ok(()) };
    writeln!(streams.err, "misfire: changes are not told ({}); looking every second instead", Visible::new(&reason))
}

fn say_problem(problem: &Problem, streams: &mut Streams<'_>) -> io::Result<()> {
    // Every file that grows may end in the middle of a line.
    if problem.kind == ProblemKind::CutLastLine {
        return Ok(());
    }
    writeln!(streams.err, "misfire: {}", Visible::new(&problem.to_string()))
}

/// Whether stdout goes to one of the files that are read: every line would give another one.
#[cfg(unix)]
fn output_is_followed(sessions: &[PathBuf]) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let Ok(out) = std::fs::metadata("/dev/stdout") else { return false };
    let same = |path: &PathBuf| std::fs::metadata(path).is_ok_and(|data| (data.dev(), data.ino()) == (out.dev(), out.ino()));
    out.is_file() && capture::files(sessions).iter().any(same)
}

#[cfg(not(unix))]
fn output_is_followed(_: &[PathBuf]) -> bool {
    false
}

/// Judges calls as they come and writes what is to be said of them.
struct Teller<'f> {
    follow: &'f Follow,
    rulebook: Rulebook,
    /// By file: what judges its calls.
    rules: HashMap<Arc<Path>, FileRules>,
    again: Again,
    /// Definitions could not be read, or a path, or a line where that is to count.
    failed: bool,
    /// Paths that were named and are not there yet.
    missing: HashSet<Arc<Path>>,
    tally: Tally,
    calls: u64,
    first: bool,
    /// What is read now was there before anybody followed.
    silent: bool,
}

impl<'f> Teller<'f> {
    fn new(follow: &'f Follow, rulebook: Rulebook) -> Self {
        Self {
            follow,
            rulebook,
            rules: HashMap::new(),
            again: Again::default(),
            failed: false,
            missing: HashSet::new(),
            tally: Tally::default(),
            calls: 0,
            first: true,
            silent: false,
        }
    }

    /// Reads the definitions again; calls that come from now on are judged by them.
    fn reload(&mut self, streams: &mut Streams<'_>) -> io::Result<()> {
        let before = self.rulebook.usual().catalog.findings().to_vec();
        let (changed, _) = self.rulebook.reload();
        let catalog = Arc::clone(&self.rulebook.usual().catalog);
        if catalog.findings() != before {
            say_findings(&catalog, streams)?;
        }
        if !changed.is_empty() {
            self.rules.values_mut().for_each(|rules| rules.renew(&self.rulebook));
            let names = changed.join(", ");
            writeln!(streams.err, "misfire: definitions changed: {}", Visible::new(&names))?;
        }
        Ok(())
    }

    fn problem(&mut self, problem: &Problem, streams: &mut Streams<'_>) -> io::Result<()> {
        if problem.kind == ProblemKind::Missing {
            // A file in a folder may go at any time; what was named is to be there in the end.
            let named = self.follow.sessions.iter().any(|path| **path == *problem.file);
            self.missing.extend(named.then(|| Arc::clone(&problem.file)));
        } else {
            self.failed |= problem.kind.is_path() || (self.follow.strict && problem.kind.is_loss());
        }
        say_problem(problem, streams)
    }

    /// Whether something could not be read, in the end.
    fn has_failed(&self) -> bool {
        self.failed || self.missing.iter().any(|path| !path.exists())
    }

    /// The file carries definitions.
    fn tools(&mut self, tools: &CapturedTools, streams: &mut Streams<'_>) -> io::Result<()> {
        let file = &tools.place.file;
        let rules = self.rules.entry(Arc::clone(file)).or_insert_with(|| self.rulebook.of(file));
        match rules.take(&self.rulebook, tools) {
            Ok(()) => Ok(()),
            Err(reason) => self.problem(&Problem::of_tools(tools, &reason), streams),
        }
    }

    fn scan(&mut self, follower: &mut Follower, interrupt: &Interrupt, streams: &mut Streams<'_>) -> io::Result<()> {
        let mut written = Ok(());
        follower.scan(
            &mut |found| {
                if written.is_ok() {
                    written = match found {
                        Found::Call(call) => self.call(call, streams),
                        Found::Tools(tools) => self.tools(tools, streams),
                        Found::Problem(problem) => self.problem(problem, streams),
                    };
                }
            },
            &mut || !interrupt.came(),
        );
        written?;
        // Whoever reads us is to see it now.
        streams.out.flush()
    }

    fn call(&mut self, call: &Call, streams: &mut Streams<'_>) -> io::Result<()> {
        if self.follow.dedupe && self.again.is_again(call) {
            return Ok(());
        }
        self.calls += 1;
        if self.silent {
            return Ok(());
        }
        let file = &call.place.file;
        let rules = self.rules.entry(Arc::clone(file)).or_insert_with(|| self.rulebook.of(file));
        let verdict = replay::judge(&rules.in_force().gate, call);
        self.tally.add(&verdict, call.pending);
        if !self.wants(call, &verdict) {
            return Ok(());
        }
        let source = call.place.to_string();
        let report = CallReport { verdict: &verdict, id: call.id.as_deref(), source: Some(&source), pending: call.pending };
        match self.follow.style {
            Style::Lines | Style::FailureLines => writeln!(streams.out, "{}", call_object(report).to_json()),
            Style::Array => {
                let start = if std::mem::take(&mut self.first) { "\n" } else { ",\n" };
                write!(streams.out, "{start}{}", call_object(report).to_json())
            }
            Style::Text => {
                let text = match &call.arguments {
                    Arguments::Text(text) => Some(text.as_bytes()),
                    _ => None,
                };
                write!(streams.out, "{}{}", heading(call, &verdict), call_text(report, text, "    "))
            }
            Style::Brief => write!(streams.out, "{}{}", heading(call, &verdict), model_text(&verdict)),
        }
    }

    fn wants(&self, call: &Call, verdict: &Verdict) -> bool {
        let Follow { style, only, filter, .. } = self.follow;
        let of_style = match style {
            Style::Brief | Style::FailureLines => verdict.is_error() && !call.pending,
            Style::Text if only.is_empty() => verdict.is_error(),
            _ => true,
        };
        of_style && (only.is_empty() || only.contains(&verdict.kind)) && finds(filter.as_ref(), now(), call, verdict)
    }

    fn begin(&self, streams: &mut Streams<'_>) -> io::Result<()> {
        if self.follow.style == Style::Array { write!(streams.out, "[") } else { Ok(()) }
    }

    fn end(&self, streams: &mut Streams<'_>) -> io::Result<()> {
        match self.follow.style {
            Style::Array => writeln!(streams.out, "{}]", if self.first { "" } else { "\n" })?,
            Style::Text => writeln!(streams.out, "{}", self.tally.line())?,
            Style::Lines | Style::FailureLines | Style::Brief => {}
        }
        streams.out.flush()
    }
}

/// `sessions/a.jsonl:3  TaskUpdate  rejected  c1`
fn heading(call: &Call, verdict: &Verdict) -> String {
    let place = Visible::new(&call.place.to_string()).into_string();
    let pending = if call.pending { "  pending" } else { "" };
    let id = call.id.as_deref().map(|id| format!("  {}", Visible::new(id))).unwrap_or_default();
    format!("{place}  {}  {}{pending}{id}\n", Visible::new(&call.tool), verdict.kind.name())
}

fn model_text(verdict: &Verdict) -> String {
    let mut out = String::new();
    for line in dialect::text(verdict).iter().flat_map(|text| Visible::lines(text)) {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "    {line}");
    }
    out
}
