//! `misfire stats`: counts of captured calls.

use super::interrupt::Interrupt;
use super::profile::RulesArgs;
use super::progress::Progress;
use super::stdin::Inputs;
use super::{Config, FAILED, INTERRUPTED, OK, Streams, say_findings, tools_for};
use crate::capture::sweep::{Judge, SweepSink, sweep};
use crate::capture::time::millis;
use crate::capture::{Call, CapturedTools, Options, Problem, ProblemKind};
use crate::json::Visible;
use crate::replay::filter::Filter;
use crate::replay::stats::{Facts, Seen, Statistics};
use crate::replay::{self, FileRules, InForce, Outcome, Rulebook};
use crate::report::{stats_object, stats_text};
use std::hash::RandomState;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Count captured calls: by tool, kind of issue, parameter and model, over time, and what was tried again in vain
///
/// A call counts as failing where the model would get an error. Exit status: 0; 2 usage, or a path or definition file that could not be
/// read; 130 ended by Ctrl-C, after saying what was counted so far.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folders or files of captured calls, - for stdin [default: sessions, or what misfire.toml says]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    rules: RulesArgs,
    /// text for people, json for programs
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Count only calls that this filter finds, as in 'model:claude* since:1d'
    #[arg(long = "where", value_name = "FILTER", value_parser = super::check::filter)]
    filter: Option<Filter>,
    /// How many threads judge [default: one for each processor]
    #[arg(long, value_name = "N")]
    threads: Option<std::num::NonZero<usize>>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Format {
    Text,
    Json,
}

/// Runs the command.
pub(super) fn run(args: &Args, config: &Config, streams: &mut Streams<'_>) -> io::Result<u8> {
    let sessions = config.sessions(&args.paths);
    let tools = tools_for(&args.rules.tools, sessions, config, streams)?;
    let rulebook = Rulebook::load(&tools, args.rules.profile.profile(config), args.rules.tools.is_empty());
    let catalog = Arc::clone(&rulebook.usual().catalog);
    let unreadable = say_findings(&catalog, streams)?;
    let judging = Judging { rulebook, hasher: RandomState::new(), filter: args.filter.as_ref(), now: super::check::now() };
    let interrupt = Interrupt::install(|| {});
    let inputs = Inputs::take(sessions, &interrupt, streams)?;
    let progress = Progress::start(&inputs.paths, false);
    let mut counting = Counting {
        statistics: Statistics::default(),
        err: &mut *streams.err,
        interrupt,
        progress,
        failed: unreadable,
        written: Ok(()),
    };
    inputs.judge_stdin(&Options::calls_only(), &judging, &mut counting);
    let threads = args.threads.or_else(|| std::thread::available_parallelism().ok()).map_or(1, std::num::NonZero::get);
    sweep(&inputs.paths, &Options::calls_only(), threads, &judging, &mut counting);
    let Counting { statistics, interrupt, progress, failed, written, .. } = counting;
    drop(progress);
    written?;
    match args.format {
        Format::Text => stats_text(streams.out, &statistics, &catalog)?,
        Format::Json => writeln!(streams.out, "{}", stats_object(&statistics, &catalog).to_json_pretty(2))?,
    }
    if interrupt.came() {
        writeln!(streams.err, "misfire: stopped; the rest was not read")?;
        return Ok(INTERRUPTED);
    }
    Ok(if failed { FAILED } else { OK })
}

/// Judges calls, in any thread.
struct Judging<'a> {
    rulebook: Rulebook,
    hasher: RandomState,
    filter: Option<&'a Filter>,
    /// What ages in the filter are measured from.
    now: i64,
}

/// What is kept of a call until it is its turn.
struct Kept {
    tool: String,
    model: Option<String>,
    session: Option<String>,
    at: Option<i64>,
    outcome: Outcome,
    pending: bool,
    attempt: bool,
    file: Arc<Path>,
    facts: Facts,
}

impl Judge for Judging<'_> {
    /// None for a call that the filter does not find.
    type Kept = Option<Box<Kept>>;

    type Rules = FileRules;

    fn rules(&self, file: &Path) -> FileRules {
        self.rulebook.of(file)
    }

    fn tools(&self, rules: &mut FileRules, tools: &CapturedTools) -> Result<(), String> {
        rules.take(&self.rulebook, tools)
    }

    /// More is counted than that a call is right.
    fn judges_plain_calls(&self) -> bool {
        false
    }

    fn accepts(&self, _: &FileRules, _: &str, _: &[u8], _: usize) -> Option<usize> {
        None
    }

    fn accepted(&self, _: &str, _: Option<&str>, _: &Path) -> Self::Kept {
        None
    }

    fn judge(&self, rules: &FileRules, call: &Call) -> Self::Kept {
        let InForce { gate, maps, .. } = rules.in_force();
        let verdict = replay::judge(gate, call);
        super::check::finds(self.filter, self.now, call, &verdict).then(|| {
            Box::new(Kept {
                tool: call.tool.clone(),
                model: call.model.clone(),
                session: call.session.clone(),
                at: call.at.as_deref().and_then(millis),
                outcome: Outcome::of(&verdict),
                pending: call.pending,
                attempt: call.parent.is_some(),
                file: Arc::clone(&call.place.file),
                facts: Facts::of(call, &verdict, maps, &self.hasher),
            })
        })
    }
}

/// Takes the calls in order and counts them.
struct Counting<'s> {
    statistics: Statistics,
    err: &'s mut (dyn io::Write + Send),
    interrupt: Interrupt,
    progress: Progress,
    failed: bool,
    written: io::Result<()>,
}

impl Counting<'_> {
    fn flow(&self) -> ControlFlow<()> {
        if self.written.is_err() || self.interrupt.came() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl SweepSink<Option<Box<Kept>>> for Counting<'_> {
    fn call(&mut self, kept: Option<Box<Kept>>, line: u32) -> ControlFlow<()> {
        let fails = kept.as_ref().is_some_and(|kept| kept.outcome.is_error());
        self.progress.add(0, 1, u64::from(fails));
        if let Some(kept) = kept {
            self.statistics.add(&Seen {
                tool: &kept.tool,
                model: kept.model.as_deref(),
                session: kept.session.as_deref(),
                at: kept.at,
                outcome: kept.outcome,
                pending: kept.pending,
                attempt: kept.attempt,
                file: &kept.file,
                line,
                facts: &kept.facts,
                arguments: kept.facts.arguments(),
            });
        }
        self.flow()
    }

    fn problem(&mut self, problem: Problem) {
        self.failed |= problem.kind.is_path();
        self.progress.clear();
        // A last line that is cut off belongs to a file that is still growing.
        if problem.kind != ProblemKind::CutLastLine && self.written.is_ok() {
            self.written = writeln!(self.err, "misfire: {}", Visible::new(&problem.to_string()));
        }
    }

    fn progress(&mut self, bytes: u64) -> ControlFlow<()> {
        self.progress.add(bytes, 0, 0);
        self.flow()
    }
}
