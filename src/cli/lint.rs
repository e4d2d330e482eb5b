//! `misfire lint`: what is wrong with the definitions themselves.

use super::findings::{FailOn, Format, OutputArgs, TargetArgs, levels};
use super::profile::ProfileArgs;
use super::{Config, FAILED, FOUND, OK, Streams, load_catalog};
use crate::definition::Catalog;
use crate::json::{Value, Visible};
use crate::lint::{self, FileFix, Finding, Options, Report, Rule, Severity};
use crate::report::findings::{Item, RuleText, Suite, count_words, counts};
use crate::report::{github, junit, markdown, sarif};
use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Check tool definitions for what providers refuse, clients mangle and models cannot know
///
/// One refused definition makes a provider refuse every request, so an error matters although every recorded call passes.
///
/// Exit status: 0 nothing at or above --fail-on; 1 findings; 2 usage, or something that could not be read.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches of a command line")]
pub struct Args {
    /// Folders or files of tool definitions [default: tools, or what misfire.toml says]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// Only these rules
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule)]
    select: Vec<String>,
    /// Not these rules
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule)]
    ignore: Vec<String>,
    /// What a client puts before the names, such as `mcp__server__`
    #[arg(long, value_name = "STR", default_value = "")]
    name_prefix: String,
    /// Check every tool as if it asked for strict decoding
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    profile: ProfileArgs,
    /// Repair what can be repaired without changing which calls are accepted: shows the diff, then writes
    #[arg(long)]
    fix: bool,
    /// With --fix: show the diff and write nothing
    #[arg(long, requires = "fix")]
    dry_run: bool,
    /// Say why a rule matters and where that is known from
    #[arg(long, value_name = "RULE", value_parser = rule)]
    explain: Option<String>,
    /// List the rules
    #[arg(long)]
    list_rules: bool,
}

fn rule(id: &str) -> Result<String, String> {
    lint::rule(id).map(|rule| rule.id.to_owned()).ok_or_else(|| "no such rule; --list-rules lists them".to_owned())
}

/// Runs the command.
///
/// # Errors
/// If a stream could not be written.
pub fn run(args: &Args, config: &Config, streams: &mut Streams<'_>) -> io::Result<u8> {
    if let Some(rule) = args.explain.as_deref().and_then(lint::rule) {
        write!(streams.out, "{}", rule.explanation())?;
        return Ok(OK);
    }
    if args.list_rules {
        list_rules(streams.out)?;
        return Ok(OK);
    }
    let (options, fail_on) = match options(args, config).and_then(|options| Ok((options, args.output.fail_on(config)?))) {
        Ok(known) => known,
        Err(reason) => {
            writeln!(streams.err, "misfire: {}", Visible::new(&reason))?;
            return Ok(FAILED);
        }
    };
    let (mut catalog, unreadable) = load_catalog(&args.paths, config, streams)?;
    let mut failed = unreadable || catalog.definitions().is_empty();
    if args.fix {
        failed |= !fix(args, config, &options, &mut catalog, streams)?;
    }
    let report = lint::lint(&catalog, &options);
    let suites = suites(&report);
    failed |= !args.output.write(streams, |format, out| write_format(format, fail_on, &report, &suites, out))?;
    let found = fail_on.is_some_and(|least| report.worst() >= Some(least));
    Ok(if failed {
        FAILED
    } else if found {
        FOUND
    } else {
        OK
    })
}

/// How definitions are linted where nothing but the configuration says how.
///
/// # Errors
/// What is wrong with the configuration.
pub fn configured(config: &Config) -> Result<Options, String> {
    let (_, levels) = levels(config)?;
    let targets = TargetArgs::default().targets(config)?;
    Ok(Options { targets, profile: ProfileArgs::default().profile(config), levels, ..Options::default() })
}

fn options(args: &Args, config: &Config) -> Result<Options, String> {
    let (_, levels) = levels(config)?;
    Ok(Options {
        targets: args.target.targets(config)?,
        assume_strict: args.strict,
        name_prefix: args.name_prefix.clone(),
        profile: args.profile.profile(config),
        select: args.select.iter().cloned().collect::<HashSet<_>>(),
        ignore: args.ignore.iter().cloned().collect(),
        levels,
    })
}

fn list_rules(out: &mut dyn Write) -> io::Result<()> {
    for rule in lint::rules() {
        let targets = rule.targets().names().join(",");
        writeln!(out, "{:34} {:8} {:45} {}", rule.id, rule.worst().name(), targets, rule.finds)?;
    }
    Ok(())
}

/// Repairs and shows how. False if a file could not be written.
fn fix(args: &Args, config: &Config, options: &Options, catalog: &mut Catalog, streams: &mut Streams<'_>) -> io::Result<bool> {
    // One repair can make way for another: a reference inside a definition that was written out.
    const ROUNDS: usize = 10;
    for _ in 0..ROUNDS {
        let fixes = lint::fixes(catalog, options);
        for fix in &fixes {
            for line in Visible::lines(fix.diff.trim_end_matches('\n')) {
                writeln!(streams.out, "{line}")?;
            }
            if !args.dry_run && !replace(fix, streams)? {
                return Ok(false);
            }
        }
        if fixes.is_empty() || args.dry_run {
            break;
        }
        *catalog = Catalog::load(config.tools(&args.paths));
    }
    Ok(true)
}

/// Puts the repaired text in the file's place, as a whole or not at all.
fn replace(fix: &FileFix, streams: &mut Streams<'_>) -> io::Result<bool> {
    // A byte order mark is no part of the text that the edits were made in.
    let mark = std::fs::read(&fix.path).is_ok_and(|text| text.starts_with(b"\xEF\xBB\xBF"));
    let text = [if mark { &b"\xEF\xBB\xBF"[..] } else { b"" }, &fix.after].concat();
    // A link stays one: what it leads to is replaced.
    let path = std::fs::canonicalize(&fix.path).unwrap_or_else(|_| fix.path.clone());
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let written = std::fs::write(&beside, text)
        .and_then(|()| std::fs::set_permissions(&beside, std::fs::metadata(&path)?.permissions()))
        .and_then(|()| std::fs::rename(&beside, &path));
    if let Err(error) = written {
        let _ = std::fs::remove_file(&beside);
        writeln!(streams.err, "misfire: {} could not be written: {error}", Visible::new(&path.to_string_lossy()))?;
        return Ok(false);
    }
    Ok(true)
}

fn write_format(format: Format, fail_on: FailOn, report: &Report, suites: &[Suite<'_>], out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Text => text(suites, out),
        Format::Json => writeln!(out, "{}", object(report).to_json_pretty(2)),
        Format::Markdown => markdown::markdown(out, "Tool definitions", suites),
        Format::Github => github(out, suites),
        Format::Junit => junit(out, "misfire lint", suites, fail_on),
        Format::Sarif => {
            let rules: Vec<RuleText<'_>> = lint::rules().into_iter().map(rule_text).collect();
            sarif(out, "misfireLint/v1", &rules, suites)
        }
    }
}

fn rule_text(rule: &Rule) -> RuleText<'_> {
    RuleText { id: rule.id, finds: rule.finds, why: rule.why, severity: rule.worst() }
}

fn suites(report: &Report) -> Vec<Suite<'_>> {
    report.tools.iter().map(suite).collect()
}

fn suite(tool: &lint::ToolReport) -> Suite<'_> {
    Suite { tool: &tool.name, file: &tool.file, line: tool.line, items: tool.findings.iter().map(item).collect() }
}

fn item(finding: &Finding) -> Item<'_> {
    Item {
        severity: finding.severity,
        rule: finding.rule.id,
        pointer: &finding.pointer,
        file: &finding.file,
        line: finding.line,
        message: &finding.message,
        targets: finding.targets.names(),
        fingerprint: &finding.fingerprint,
        accepted: None,
    }
}

/// One block a tool, the tools with the worst findings first; the last line counts.
fn text(suites: &[Suite<'_>], out: &mut dyn Write) -> io::Result<()> {
    let worst = |suite: &&Suite<'_>| suite.items.iter().map(|item| item.severity).max();
    let mut found: Vec<&Suite<'_>> = suites.iter().filter(|suite| !suite.items.is_empty()).collect();
    found.sort_by_key(|suite| std::cmp::Reverse(worst(suite)));
    for suite in found {
        writeln!(out, "{}  {}", Visible::new(suite.tool), place(suite.file, suite.line))?;
        let mut items: Vec<_> = suite.items.iter().collect();
        items.sort_by_key(|item| std::cmp::Reverse(item.severity));
        for item in items {
            let at = if item.pointer.is_empty() { String::new() } else { format!("{}: ", Visible::new(item.pointer)) };
            let (severity, line, message) = (item.severity.name(), item.line, Visible::new(item.message));
            writeln!(out, "  {severity:7}  {line:>5}  {at}{message} [{}; {}]", item.rule, item.targets.join(", "))?;
        }
    }
    let tools = suites.len();
    writeln!(out, "{tools} definition{}: {}", if tools == 1 { "" } else { "s" }, count_words(counts(suites)))
}

fn place(file: &Path, line: u32) -> String {
    if file.as_os_str().is_empty() { format!("line {line}") } else { format!("{}:{line}", Visible::new(&file.to_string_lossy())) }
}

/// The report as JSON: the same findings, complete.
fn object(report: &Report) -> Value {
    let number = |n: usize| Value::from(u32::try_from(n).unwrap_or(u32::MAX));
    let finding = |finding: &Finding| {
        let targets: Vec<Value> = finding.targets.names().into_iter().map(Value::from).collect();
        Value::from([
            ("rule", finding.rule.id.into()),
            ("severity", finding.severity.name().into()),
            ("targets", targets.into()),
            ("pointer", finding.pointer.as_str().into()),
            ("file", finding.file.to_string_lossy().into_owned().into()),
            ("line", finding.line.into()),
            ("message", finding.message.as_str().into()),
            ("fingerprint", finding.fingerprint.as_str().into()),
        ])
    };
    let tools: Vec<Value> = report
        .tools
        .iter()
        .map(|tool| {
            let findings: Vec<Value> = tool.findings.iter().map(finding).collect();
            Value::from([
                ("name", tool.name.as_str().into()),
                ("file", tool.file.to_string_lossy().into_owned().into()),
                ("line", tool.line.into()),
                ("findings", findings.into()),
            ])
        })
        .collect();
    let summary = Value::from([
        ("tools", number(report.tools.len())),
        ("error", number(report.count(Severity::Error))),
        ("warning", number(report.count(Severity::Warning))),
        ("note", number(report.count(Severity::Note))),
    ]);
    Value::from([("schema_version", 1_u32.into()), ("summary", summary), ("tools", tools.into())])
}
