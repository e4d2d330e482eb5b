//! What `lint` and `review` have in common: for whom, at which levels, in which formats, and from when on they fail.

use super::{Config, Streams};
use crate::json::Visible;
use crate::lint::{self, Severity, Target, Targets};
use crate::review::RuleId;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

/// How findings are written, and from when on they fail the command.
#[derive(Debug, clap::Args)]
pub(super) struct OutputArgs {
    /// Exit with 1 for findings of this severity or worse: error, warning, note or never [default: error]
    #[arg(long, value_name = "SEVERITY", value_parser = fail_on)]
    fail_on: Option<FailOn>,
    /// text for people, markdown for a pull request, github annotations, json, sarif, junit (repeatable) [default: text]
    #[arg(long, value_enum)]
    format: Vec<Format>,
    /// Write the last --format to this file, and the others to stdout
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// For whom definitions are linted.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct TargetArgs {
    /// For whom definitions are linted: names, or all [default: those that a definition's form is made for]
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = target)]
    target: Vec<Targets>,
}

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    Text,
    Json,
    Markdown,
    Github,
    Sarif,
    Junit,
}

/// From which severity on the command fails; `None` inside: never.
pub(super) type FailOn = Option<Severity>;

/// Severities by rule; `None` switches it off.
pub(super) type Levels = BTreeMap<String, Option<Severity>>;

fn fail_on(name: &str) -> Result<FailOn, String> {
    match (name, Severity::from_name(name)) {
        ("never", _) => Ok(None),
        (_, Some(severity)) => Ok(Some(severity)),
        _ => Err("expected error, warning, note or never".to_owned()),
    }
}

fn target(name: &str) -> Result<Targets, String> {
    match (name, Target::from_name(name)) {
        ("all", _) => Ok(Targets::ALL),
        (_, Some(target)) => Ok(Targets::of(&[target])),
        _ => Err(format!("expected all or some of {}", Target::ALL.map(Target::name).join(", "))),
    }
}

impl OutputArgs {
    /// What is given, else what the configuration says, else errors.
    pub fn fail_on(&self, config: &Config) -> Result<FailOn, String> {
        match (self.fail_on, config.fail_on()) {
            (Some(given), _) => Ok(given),
            (None, Some(name)) => fail_on(name).map_err(|reason| format!("misfire.toml: fail-on: {reason}")),
            (None, None) => Ok(Some(Severity::Error)),
        }
    }

    /// Whether a format is asked for.
    pub fn wants(&self, format: Format) -> bool {
        self.format.contains(&format)
    }

    /// Writes each format, the last one to the file if there is one. False if that could not be written.
    pub fn write(&self, streams: &mut Streams<'_>, one: impl Fn(Format, &mut dyn Write) -> io::Result<()>) -> io::Result<bool> {
        let (last, others) = self.format.split_last().map_or((Format::Text, &[][..]), |(last, others)| (*last, others));
        for format in others {
            one(*format, streams.out)?;
        }
        let Some(path) = &self.output else {
            one(last, streams.out)?;
            return Ok(true);
        };
        let mut text = Vec::new();
        one(last, &mut text)?;
        if let Err(error) = std::fs::write(path, text) {
            writeln!(streams.err, "misfire: {}: could not be written: {error}", Visible::new(&path.to_string_lossy()))?;
            return Ok(false);
        }
        Ok(true)
    }
}

impl TargetArgs {
    /// What is given, else what the configuration says; `None` for whom a definition's form is made for.
    pub fn targets(&self, config: &Config) -> Result<Option<Targets>, String> {
        let configured = |name: &String| target(name).map_err(|reason| format!("misfire.toml: targets: `{name}`: {reason}"));
        let targets = match self.target.as_slice() {
            [] => config.targets().iter().map(configured).collect::<Result<Vec<_>, _>>()?,
            given => given.to_vec(),
        };
        Ok(targets.into_iter().reduce(Targets::or))
    }
}

/// The levels in the configuration: of the rules of reviews, and of those of lint.
pub(super) fn levels(config: &Config) -> Result<(Levels, Levels), String> {
    let (mut of_review, mut of_lint) = (Levels::new(), Levels::new());
    for (id, level) in config.rules() {
        let severity = match (level.as_str(), Severity::from_name(level)) {
            ("off", _) => None,
            (_, Some(severity)) => Some(severity),
            _ => return Err(format!("misfire.toml: `{id}` must be error, warning, note or off")),
        };
        if RuleId::from_id(id).is_some() {
            of_review.insert(id.clone(), severity);
        } else if let Some(known) = lint::rule(id) {
            of_lint.insert(known.id.to_owned(), severity);
        } else {
            return Err(format!("misfire.toml: no rule `{id}`, neither of reviews nor of lint"));
        }
    }
    Ok((of_review, of_lint))
}
