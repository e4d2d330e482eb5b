//! `misfire review`: what a change to tool definitions does, and to whom.

mod sides;

use super::profile::ProfileArgs;
use super::{Config, FAILED, FOUND, OK, Streams};
use crate::capture::{self, Call, Options as CaptureOptions, Problem, Sink};
use crate::gate::Profile;
use crate::json::Visible;
use crate::lint::{self, Options as LintOptions, Target, Targets};
use crate::report::review::{Leftover, ReviewReport, json, json_schema, markdown, text};
use crate::review::{ACCEPT_FILE, AcceptFile, Entry, Options, Review, Reviewer, RuleId, Severity, day_of, is_day};
use sides::Sides;
use std::collections::BTreeMap;
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
    /// Exit with 1 for findings of this severity or worse: error, warning, note or never [default: error]
    #[arg(long, value_name = "SEVERITY", value_parser = fail_on)]
    fail_on: Option<FailOn>,
    /// text for people, markdown for a pull request, github annotations, json, sarif, junit (repeatable) [default: text]
    #[arg(long, value_enum)]
    format: Vec<Format>,
    /// Write the last --format to this file, and the others to stdout
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
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
    /// For whom newly violated lint rules are looked for: names, or all [default: those that a definition's form is made for]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub target: Vec<String>,
    /// The file of accepted findings [default: misfire.accept.toml, if it is there]
    #[arg(long, value_name = "FILE")]
    pub accept: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Json,
    Markdown,
    Github,
    Sarif,
    Junit,
}

/// From which severity on the command fails; `None` inside: never.
type FailOn = Option<Severity>;

fn fail_on(name: &str) -> Result<FailOn, String> {
    match (name, Severity::from_name(name)) {
        ("never", _) => Ok(None),
        (_, Some(severity)) => Ok(Some(severity)),
        _ => Err("expected error, warning, note or never".to_owned()),
    }
}

/// Runs the command.
pub(super) fn run(args: &Args, config: &Config, streams: &mut Streams<'_>) -> io::Result<u8> {
    if args.json_schema {
        streams.out.write_all(json_schema().as_bytes())?;
        return Ok(OK);
    }
    let fail_on = match (args.fail_on, config.fail_on().map(fail_on)) {
        (Some(given), _) => given,
        (None, Some(Ok(configured))) => configured,
        (None, Some(Err(reason))) => {
            writeln!(streams.err, "misfire: misfire.toml: fail-on: {reason}")?;
            return Ok(FAILED);
        }
        (None, None) => Some(Severity::Error),
    };
    let reviewed = match review(&args.compared, config, args.format.contains(&Format::Json), streams)? {
        Ok(reviewed) => reviewed,
        Err(reason) => {
            writeln!(streams.err, "misfire: {}", lines(&reason))?;
            return Ok(FAILED);
        }
    };
    let report = reviewed.report();
    let formats = if args.format.is_empty() { vec![Format::Text] } else { args.format.clone() };
    let last = formats.len() - 1;
    for (i, format) in formats.iter().enumerate() {
        match args.output.as_ref().filter(|_| i == last) {
            Some(path) => {
                let mut text = Vec::new();
                write_format(&report, *format, fail_on, &mut text)?;
                if let Err(error) = std::fs::write(path, text) {
                    writeln!(streams.err, "misfire: {}: could not be written: {error}", Visible::new(&path.to_string_lossy()))?;
                    return Ok(FAILED);
                }
            }
            None => write_format(&report, *format, fail_on, streams.out)?,
        }
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

fn write_format(report: &ReviewReport<'_>, format: Format, fail_on: Option<Severity>, out: &mut dyn Write) -> io::Result<()> {
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
    let settings = match Settings::of(args, config) {
        Ok(settings) => settings,
        Err(reason) => return Ok(Err(reason)),
    };
    let sides = match Sides::of(config.tools(&args.paths), args.base.as_deref(), args.against.as_deref()) {
        Ok(sides) => sides,
        Err(reason) => return Ok(Err(reason)),
    };
    for warning in &sides.warnings {
        writeln!(streams.err, "misfire: {}", Visible::new(warning))?;
    }
    let targets = settings.targets.map(Targets::names).unwrap_or_default();
    let profile = settings.profile;
    let accepted = settings.accepted;
    let options = Options {
        profile,
        keep_calls,
        levels: settings.levels,
        lint: Some(LintOptions { targets: settings.targets, profile, levels: settings.lint_levels, ..LintOptions::default() }),
        ..Options::default()
    };
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
    let leftovers = leftovers
        .into_iter()
        .map(|leftover| Leftover {
            fingerprint: leftover.entry.fingerprint,
            state: leftover.state.name(),
            advice: leftover.state.advice(),
            reason: leftover.entry.reason,
        })
        .collect();
    let calls_given = !args.calls.is_empty();
    Ok(Ok(Reviewed { review, sides, profile, targets, calls_given, leftovers, failed }))
}

/// What the arguments and the configuration ask for.
struct Settings {
    profile: Profile,
    targets: Option<Targets>,
    levels: BTreeMap<String, Option<Severity>>,
    lint_levels: BTreeMap<String, Option<Severity>>,
    accepted: AcceptFile,
}

impl Settings {
    fn of(args: &Compared, config: &Config) -> Result<Self, String> {
        let profile = args.profile.profile(config);
        let names = if args.target.is_empty() { config.targets() } else { &args.target };
        let mut targets = None;
        for name in names {
            let one = match (name.as_str(), Target::from_name(name)) {
                ("all", _) => Targets::ALL,
                (_, Some(target)) => Targets::of(&[target]),
                _ => {
                    let known = Target::ALL.map(Target::name).join(", ");
                    return Err(format!("`{name}` is no target; expected all or some of {known}"));
                }
            };
            targets = Some(targets.unwrap_or(Targets::NONE).or(one));
        }
        let (mut levels, mut lint_levels) = (BTreeMap::new(), BTreeMap::new());
        for (id, level) in config.rules() {
            let severity = match (level.as_str(), Severity::from_name(level)) {
                ("off", _) => None,
                (_, Some(severity)) => Some(severity),
                _ => return Err(format!("misfire.toml: `{id}` must be error, warning, note or off")),
            };
            if RuleId::from_id(id).is_some() {
                levels.insert(id.clone(), severity);
            } else if lint::rule(id).is_some() {
                lint_levels.insert(id.clone(), severity);
            } else {
                return Err(format!("misfire.toml: no rule `{id}`, neither of reviews nor of lint"));
            }
        }
        let (accepted, ..) = read_accepted(args.accept.as_deref())?;
        Ok(Self { profile, targets, levels, lint_levels, accepted })
    }
}

/// Reads the accept file: the one that is named, else the usual one if it is there; with its path and text.
pub(super) fn read_accepted(given: Option<&Path>) -> Result<(AcceptFile, PathBuf, String), String> {
    let path = given.map_or_else(|| PathBuf::from(ACCEPT_FILE), Path::to_owned);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound && given.is_none() => String::new(),
        Err(error) => return Err(format!("{}: could not be read: {error}", path.display())),
    };
    let file = AcceptFile::parse(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok((file, path, text))
}

/// The day today, in UTC.
pub(super) fn today() -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    day_of(since.map_or(0, |since| since.as_secs()))
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

/// Accept a finding of a review, with a reason
///
/// Adds an entry to the accept file. Until it ends, the finding is shown and does not count.
#[derive(Debug, clap::Args)]
pub struct AcceptArgs {
    /// The finding's fingerprint, as a review shows it
    fingerprint: String,
    /// Why it is wanted
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// The last day on which it holds
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day)]
    until: Option<String>,
    #[command(flatten)]
    compared: Compared,
}

fn day(text: &str) -> Result<String, String> {
    if is_day(text) { Ok(text.to_owned()) } else { Err("expected a day, written YYYY-MM-DD".to_owned()) }
}

/// Runs `misfire accept`.
pub(super) fn accept(args: &AcceptArgs, config: &Config, streams: &mut Streams<'_>) -> io::Result<u8> {
    let print = args.fingerprint.trim().to_ascii_lowercase();
    if print.len() != 12 || !print.bytes().all(|b| b.is_ascii_hexdigit()) {
        writeln!(streams.err, "misfire: `{}` is no fingerprint: twelve hexadecimal digits", Visible::new(&args.fingerprint))?;
        return Ok(FAILED);
    }
    if args.reason.trim().is_empty() {
        writeln!(streams.err, "misfire: --reason is empty; say why the finding is wanted")?;
        return Ok(FAILED);
    }
    // The file may not be there yet, even if it is named.
    let given = args.compared.accept.as_deref().filter(|path| path.exists());
    let (path, text) = match read_accepted(given) {
        Ok((_, path, text)) => (args.compared.accept.clone().unwrap_or(path), text),
        Err(reason) => {
            writeln!(streams.err, "misfire: {}", lines(&reason))?;
            return Ok(FAILED);
        }
    };
    let entry = match entry(args, &print, config, streams)? {
        Ok(entry) => entry,
        Err(reason) => {
            writeln!(streams.err, "misfire: recorded by its fingerprint alone: {}", lines(&reason))?;
            Entry { fingerprint: print, reason: args.reason.clone(), until: args.until.clone(), ..Entry::default() }
        }
    };
    let gap = if text.is_empty() || text.ends_with("\n\n") {
        ""
    } else if text.ends_with('\n') {
        "\n"
    } else {
        "\n\n"
    };
    if let Err(error) = std::fs::write(&path, format!("{text}{gap}{}", entry.to_toml())) {
        writeln!(streams.err, "misfire: {}: could not be written: {error}", Visible::new(&path.to_string_lossy()))?;
        return Ok(FAILED);
    }
    let what =
        if entry.rule.is_empty() { String::new() } else { format!(": {} of {} {}", entry.rule, entry.tool, entry.pointer) };
    writeln!(streams.out, "accepted {}{}", entry.fingerprint, Visible::new(&what))?;
    Ok(OK)
}

/// The entry for the finding of that fingerprint, which a review made now has.
fn entry(args: &AcceptArgs, print: &str, config: &Config, streams: &mut Streams<'_>) -> io::Result<Result<Entry, String>> {
    let compared = Compared { accept: args.compared.accept.clone().filter(|path| path.exists()), ..copy(&args.compared) };
    let reviewed = match review(&compared, config, false, streams)? {
        Ok(reviewed) => reviewed,
        Err(reason) => return Ok(Err(reason)),
    };
    let found = reviewed.review.findings().find(|(_, finding)| finding.fingerprint == print);
    let entry = found.map(|(tool, finding)| Entry::of(&tool.name, finding, &args.reason, args.until.as_deref()));
    Ok(entry.ok_or_else(|| "a review made here and now has no such finding".to_owned()))
}

fn copy(compared: &Compared) -> Compared {
    Compared {
        paths: compared.paths.clone(),
        base: compared.base.clone(),
        against: compared.against.clone(),
        calls: compared.calls.clone(),
        profile: compared.profile.clone(),
        target: compared.target.clone(),
        accept: compared.accept.clone(),
    }
}
