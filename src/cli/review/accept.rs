//! `misfire accept`: a finding that is wanted, recorded with the reason.

use super::{Compared, lines, review};
use crate::cli::{Config, FAILED, OK, Streams};
use crate::json::Visible;
use crate::review::{AcceptFile, Entry, is_day};
use std::io;

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
pub(in crate::cli) fn accept(args: &AcceptArgs, config: &Config, streams: &mut Streams<'_>) -> io::Result<u8> {
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
    let path = match AcceptFile::read(given) {
        Ok((_, path)) => args.compared.accept.clone().unwrap_or(path),
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
    if let Err(error) = AcceptFile::add(&path, &entry) {
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
