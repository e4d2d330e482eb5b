//! `misfire diff`.

use misfire::capture::Call;
use misfire::cli::{self, Config, FAILED, OK, Streams};
use misfire::gate::{Issue, Verdict};
use misfire::json::Visible;
use misfire::tui::edit::copying::issue_line;
use misfire::tui::edit::diff::{Diff, Half, Pair};
use std::io::{self, Write};

/// Prints what became of a call from one attempt to another.
pub fn diff(args: &cli::diff::Args, config: &Config, streams: &mut Streams<'_>) -> io::Result<u8> {
    let at = cli::Where { sessions: &args.sessions, rules: &args.rules };
    let named = cli::calls_named(&[&args.before, &args.after], at, config, streams)?;
    let [Some((before, rules)), Some((after, _))] = named.calls.as_slice() else { return Ok(FAILED) };
    // As in the app: both by what is in force for the first, so that nothing but the calls makes the difference.
    print(&Diff::of(&rules.gate, before, after), before, after, streams.out)?;
    Ok(if named.unreadable { FAILED } else { OK })
}

fn print(diff: &Diff, before: &Call, after: &Call, out: &mut dyn Write) -> io::Result<()> {
    head("before", before, &diff.before, out)?;
    head("after ", after, &diff.after, out)?;
    writeln!(out, "{}", diff.comparison.line())?;
    for (what, issues) in
        [("fixed", &diff.comparison.fixed), ("new", &diff.comparison.new), ("still there", &diff.comparison.still)]
    {
        issues.iter().try_for_each(|issue: &Issue| writeln!(out, "  {what}: {}", Visible::new(&issue_line(issue))))?;
    }
    pairs("arguments", &diff.arguments, out)?;
    pairs("what the model would read", &diff.texts, out)
}

fn head(side: &str, call: &Call, verdict: &Verdict, out: &mut dyn Write) -> io::Result<()> {
    let (place, tool) = (call.place.to_string(), Visible::new(&call.tool));
    writeln!(out, "{side}  {}  {tool}  {}", Visible::new(&place), verdict.kind.name())
}

/// Lines, each after the sign of its side.
fn pairs(title: &str, pairs: &[Pair], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{title}:")?;
    if pairs.is_empty() {
        return writeln!(out, "  (nothing)");
    }
    for pair in pairs {
        let mut line = |sign: &str, half: &Option<Half>| {
            half.iter().try_for_each(|half| writeln!(out, "  {sign} {}", Visible::new(&half.text())))
        };
        if pair.is_same() {
            line(" ", &pair.after)?;
        } else {
            line("-", &pair.before)?;
            line("+", &pair.after)?;
        }
    }
    Ok(())
}
