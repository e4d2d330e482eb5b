//! `misfire demo`: an invented agent at work in a temporary folder. In a terminal the app shows it; this is what it prints
//! elsewhere.

use super::{FAILED, OK, Streams, plural};
use crate::demo::{SESSIONS, Stage, Step, TOOLS, now, steps};
use crate::gate::{Arguments, Profile};
use crate::json::Visible;
use crate::replay::{Detail, Engine, News, Row};
use crate::report::{CallReport, call_text};
use std::io::{self, IsTerminal as _};

/// Play on throwaway data: an agent's calls come in, some fail, a definition changes
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print the story instead of opening the app; that is what happens anyway where there is no terminal
    #[arg(long)]
    print: bool,
    /// What the app looks like
    #[command(flatten)]
    pub look: super::LookArgs,
}

impl Args {
    /// Whether the app is to be opened.
    #[must_use]
    pub fn wants_app(&self) -> bool {
        !self.print && io::stdout().is_terminal()
    }
}

/// Prints the story.
pub(super) fn run(_: &Args, streams: &mut Streams<'_>) -> io::Result<u8> {
    let stage = match Stage::set_up() {
        Ok(stage) => stage,
        Err(error) => {
            writeln!(streams.err, "misfire: the demo needs a folder for temporary files: {}", Visible::new(&error.to_string()))?;
            return Ok(FAILED);
        }
    };
    let folder = stage.folder();
    let mut engine = Engine::open(&[folder.join(TOOLS)], vec![folder.join(SESSIONS)], Profile::default());
    writeln!(streams.out, "A demonstration on throwaway data: nothing of yours is read or written.\n")?;
    writeln!(streams.out, "An agent works on a ferry's timetable; each call is judged before its tool would run.\n")?;
    for step in steps() {
        if let Err(error) = stage.perform(&step, &now()) {
            writeln!(streams.err, "misfire: {}", Visible::new(&error.to_string()))?;
            return Ok(FAILED);
        }
        match &step {
            Step::Call { .. } => print_calls(&mut engine, streams)?,
            Step::Change { said, .. } => print_change(&mut engine, said, streams)?,
        }
    }
    writeln!(streams.out, "\nIn a terminal `misfire demo` shows the same live. On your own: misfire --tools DIR --sessions DIR")?;
    Ok(OK)
}

/// The calls that are new.
fn print_calls(engine: &mut Engine, streams: &mut Streams<'_>) -> io::Result<()> {
    let mut rows: Vec<Row> = Vec::new();
    let mut take_in = |news| {
        if let News::Calls { added, .. } = news {
            rows.extend(added);
        }
    };
    engine.scan(&mut take_in, &mut || true);
    for row in rows {
        if let Ok(detail) = engine.detail(row.id) {
            print_call(&detail, streams)?;
        }
    }
    Ok(())
}

fn print_call(detail: &Detail, streams: &mut Streams<'_>) -> io::Result<()> {
    let Detail { call, verdict, .. } = detail;
    let Arguments::Text(text) = &call.arguments else { return Ok(()) };
    writeln!(streams.out, "{}  {}  {}", verdict.kind.name(), Visible::new(&call.tool), Visible::new(&text.to_well_formed()))?;
    if verdict.is_error() {
        let report = CallReport { verdict, id: call.id.as_deref(), source: None, pending: call.pending };
        write!(streams.out, "{}", call_text(report, Some(text.as_bytes()), "    "))?;
    }
    Ok(())
}

/// What a change of a definition does to the calls that are there.
fn print_change(engine: &mut Engine, said: &str, streams: &mut Streams<'_>) -> io::Result<()> {
    let mut flips = Vec::new();
    engine.reload(&mut |news| {
        if let News::Definitions { flips: now, .. } = news {
            flips = now;
        }
    });
    let flips: Vec<_> = flips.into_iter().filter(crate::replay::Flip::is_newly_failing).collect();
    writeln!(streams.out, "\n{}", Visible::new(said))?;
    if flips.is_empty() {
        return writeln!(streams.out, "No call that passed before fails now.\n");
    }
    let (count, verb) = (plural(flips.len() as u64, "call"), if flips.len() == 1 { "fails" } else { "fail" });
    writeln!(streams.out, "{count} that passed before {verb} now:\n")?;
    for flip in flips {
        if let Ok(detail) = engine.detail(flip.id) {
            print_call(&detail, streams)?;
        }
    }
    writeln!(streams.out)
}
