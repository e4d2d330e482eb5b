//! `misfire review`: what a change to tool definitions does, and to whom.

mod accept;

pub use accept::AcceptArgs;
pub(super) use accept::accept;

use super::findings::{FailOn, Format, OutputArgs, TargetArgs, levels};
use super::profile::ProfileArgs;
use super::{Config, FAILED, FOUND, OK, Streams};
use crate::capture::{self, Call, Options as CaptureOptions, Problem, Sink};
use crate::gate::Profile;
use crate::json::Visible;
use crate::lint::{Options as LintOptions, Targets};
use crate::report::review::{Leftover, ReviewReport, json, json_schema, markdown, text};
use crate::review::{AcceptFile, Options, Review, Reviewer, Severity, Sides, today};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Review changes to tool definitions: what changed, and which recorded calls feel it
///
/// Exit status: 0 no finding at or above --fail-on; 1 at least one; 2 usage, git, or something that could not be read.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    compared: Compared,
    #[command(flatten)]
    output: OutputArgs,
    /// Exit with 0 whatever is found: for the first weeks
    #[arg(long)]
    exit_zero: bool,
    /// In GitHub Actions: append the Markdown to the step's summary and the counts to its outputs
    #[arg(long)]
    summary: bool,
    /// Print the JSON Schema of --format json, and do nothing else
    #[arg(long)]
    json_schema: bool,
}

/// What is compared, and by which rules; the same for `accept`.
#[derive(Debug, clap::Args)]
pub(super) struct Compared {
    /// Folders or files of tool definitions [default: tools, or what misfire.toml says]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Compare with this git revision; REV... is the merge base with it [default: the merge base with the default branch]
    #[arg(long, value_name = "REV", conflicts_with = "against")]
    pub base: Option<String>,
    /// Compare with this folder or file instead of a git revision
    #[arg(long, value_name = "PATH")]
    pub against: Option<PathBuf>,
    /// Recorded calls to replay: files, folders or patterns like 'sessions/**/*.ndjson' (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub calls: Vec<String>,
    #[command(flatten)]
    pub profile: ProfileArgs,
    #[command(flatten)]
    pub target: TargetArgs,
    /// The file of accepted findings [default: misfire.accept.toml, if it is there]
    #[arg(long, value_name = "FILE")]
    pub accept: Option<PathBuf>,
}

/// Runs the command.
pub(super) fn run(args: &Args, config: &Config, streams: &mut Streams<'_>) -> io::Result<u8> {
    if args.json_schema {
        streams.out.write_all(json_schema().as_bytes())?;
        return Ok(OK);
    }
    let fail_on = match args.output.fail_on(config) {
        Ok(fail_on) => fail_on,
        Err(reason) => {
            writeln!(streams.err, "misfire: {}", Visible::new(&reason))?;
            return Ok(FAILED);
        }
    };
    let reviewed = match review(&args.compared, config, args.output.wants(Format::Json), streams)? {
        Ok(reviewed) => reviewed,
        Err(reason) => {
            writeln!(streams.err, "misfire: {}", lines(&reason))?;
            return Ok(FAILED);
        }
    };
    let report = reviewed.report();
    if !args.output.write(streams, |format, out| write_format(&report, format, fail_on, out))? {
        return Ok(FAILED);
    }
    if args.summary
        && let Err(reason) = summarize(&report)
    {
        writeln!(streams.err, "misfire: {reason}")?;
    }
    let found = fail_on.is_some_and(|least| reviewed.review.worst() >= Some(least));
    Ok(match (reviewed.failed, found && !args.exit_zero) {
        (true, _) => FAILED,
        (false, true) => FOUND,
        (false, false) => OK,
    })
}

fn write_format(report: &ReviewReport<'_>, format: Format, fail_on: FailOn, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Text => out.write_all(text(report).as_bytes()),
        Format::Json => writeln!(out, "{}", json(report).to_json()),
        Format::Markdown => out.write_all(markdown(report).as_bytes()),
        Format::Github => report.github(out),
        Format::Sarif => report.sarif(out),
        Format::Junit => report.junit(out, fail_on),
    }
}

/// Text of several lines, each made visible.
fn lines(text: &str) -> String {
    Visible::lines(text).map(Visible::into_string).collect::<Vec<_>>().join("\n")
}

/// What GitHub Actions shows of a step: the files that it names in the environment are appended to.
fn summarize(report: &ReviewReport<'_>) -> Result<(), String> {
    let append = |variable: &str, text: &str| {
        let Some(path) = std::env::var_os(variable) else { return Err(format!("--summary: {variable} is not set")) };
        let file = std::fs::OpenOptions::new().append(true).create(true).open(&path);
        file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| format!("--summary: {variable}: {error}"))
    };
    let counts = Severity::ALL.map(|severity| format!("{severity}_count={}\n", report.review.count(severity)));
    append("GITHUB_STEP_SUMMARY", &markdown(report))?;
    append("GITHUB_OUTPUT", &counts.concat())
}

/// A review and what was known when it was made.
pub(super) struct Reviewed {
    pub review: Review,
    sides: Sides,
    profile: Profile,
    targets: Vec<&'static str>,
    calls_given: bool,
    leftovers: Vec<Leftover>,
    /// Something could not be read.
    failed: bool,
}

impl Reviewed {
    fn report(&self) -> ReviewReport<'_> {
        let definitions = self.sides.after.definitions().iter();
        ReviewReport {
            review: &self.review,
            base: self.sides.base.clone(),
            head: self.sides.head.clone(),
            profile: self.profile,
            targets: self.targets.clone(),
            calls_given: self.calls_given,
            all_tools: definitions.map(|d| (d.name().to_owned(), d.path().to_owned())).collect(),
            leftovers: self.leftovers.clone(),
            unreadable: self.sides.unreadable.clone(),
        }
    }
}

/// Compares, replays, and applies the accept file. An error is why nothing can be said.
pub(super) fn review(
    args: &Compared,
    config: &Config,
    keep_calls: bool,
    streams: &mut Streams<'_>,
) -> io::Result<Result<Reviewed, String>> {
    let known = options(&args.profile, &args.target, config)
        .and_then(|options| Ok((options, AcceptFile::read(args.accept.as_deref())?.0)));
    let (options, accepted) = match known {
        Ok(known) => known,
        Err(reason) => return Ok(Err(reason)),
    };
    let sides = match Sides::of(config.tools(&args.paths), args.base.as_deref(), args.against.as_deref()) {
        Ok(sides) => sides,
        Err(reason) => return Ok(Err(reason)),
    };
    for warning in &sides.warnings {
        writeln!(streams.err, "misfire: {}", Visible::new(warning))?;
    }
    let profile = options.profile;
    let targets = options.lint.as_ref().and_then(|lint| lint.targets).map(Targets::names).unwrap_or_default();
    let options = Options { keep_calls, ..options };
    let mut replay =
        Replay { reviewer: Reviewer::new(&sides.before, &sides.after, options), problems: Vec::new(), failed: false };
    for pattern in &args.calls {
        replay.read(pattern, streams)?;
    }
    for problem in &replay.problems {
        writeln!(streams.err, "misfire: {}", Visible::new(problem))?;
    }
    let failed = replay.failed || sides.failed;
    let mut review = replay.reviewer.finish();
    let leftovers = accepted.apply(&mut review, &today());
    let leftovers = leftovers.iter().map(Leftover::of).collect();
    let calls_given = !args.calls.is_empty();
    Ok(Ok(Reviewed { review, sides, profile, targets, calls_given, leftovers, failed }))
}

/// How to review, by what is given and what the configuration says.
fn options(profile: &ProfileArgs, target: &TargetArgs, config: &Config) -> Result<Options, String> {
    let profile = profile.profile(config);
    let (levels, lint_levels) = levels(config)?;
    let lint = LintOptions { targets: target.targets(config)?, profile, levels: lint_levels, ..LintOptions::default() };
    Ok(Options { profile, levels, lint: Some(lint), ..Options::default() })
}

/// How the terminal app reviews, by what the configuration says.
///
/// # Errors
/// What is wrong with the configuration.
pub fn configured(config: &Config) -> Result<Options, String> {
    options(&ProfileArgs::default(), &TargetArgs::default(), config)
}

/// Takes calls as they are read.
struct Replay {
    reviewer: Reviewer,
    problems: Vec<String>,
    failed: bool,
}

impl Replay {
    fn read(&mut self, pattern: &str, streams: &mut Streams<'_>) -> io::Result<()> {
        let options = CaptureOptions::default();
        if pattern == "-" {
            let mut bytes = Vec::new();
            streams.input.read_to_end(&mut bytes)?;
            capture::read_from(bytes.as_slice(), Path::new("-"), &options, self);
            return Ok(());
        }
        let path = PathBuf::from(pattern);
        if capture::matches_nothing(&path) {
            return writeln!(streams.err, "misfire: --calls {}: no file matches", Visible::new(pattern));
        }
        capture::read_paths(&[path], &options, self);
        Ok(())
    }
}

impl Sink for Replay {
    fn call(&mut self, call: Call) -> ControlFlow<()> {
        self.reviewer.replay(&call);
        ControlFlow::Continue(())
    }

    fn problem(&mut self, problem: Problem) {
        self.failed |= problem.kind.is_path();
        self.problems.push(problem.to_string());
    }
}
