//! `misfire show`: one captured call, as the tabs of the app show it.

use super::named::{Named, Where, calls_named};
use super::profile::RulesArgs;
use super::{Config, FAILED, FOUND, OK, Streams};
use crate::capture::Call;
use crate::dialect::{self, WireForm, wire};
use crate::gate::{Arguments, Profile, Verdict};
use crate::json::{Value, Visible};
use crate::replay::{Engine, News, judge};
use crate::report::{CallReport, call_text, stage_lines};
use std::io;
use std::path::PathBuf;

/// Show one captured call: what the tabs of the app show
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The call: PATH:LINE as every command prints it, or its id
    call: String,
    /// What to show of it
    #[arg(long, value_enum, default_value_t)]
    tab: Tab,
    /// A folder or file of captured calls (repeatable) [default: sessions, or what misfire.toml says]
    #[arg(long, value_name = "PATH")]
    sessions: Vec<PathBuf>,
    #[command(flatten)]
    rules: RulesArgs,
}

#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum Tab {
    /// Arguments, stages, issues and the text that the model gets
    #[default]
    All,
    /// The arguments, laid out
    Arguments,
    /// The issues, one a line
    Issues,
    /// The exact text that the model gets, and nothing else
    ModelText,
    /// The message that goes back to the model, in every provider's form
    Wire,
    /// The definition as the model is given it
    Schema,
    /// The bytes as captured
    Raw,
    /// The way through the gate
    Stages,
    /// All of it as one JSON object
    Json,
}

/// Runs the command.
pub(super) fn run(args: &Args, config: &Config, streams: &mut Streams<'_>) -> io::Result<u8> {
    let at = Where { sessions: &args.sessions, rules: &args.rules };
    let Named { calls, unreadable } = calls_named(&[&args.call], at, config, streams)?;
    let Some((call, rules)) = calls.into_iter().flatten().next() else { return Ok(FAILED) };
    let verdict = judge(&rules.gate, &call);
    let out = &mut *streams.out;
    match args.tab {
        Tab::All => {
            let place = call.place.to_string();
            writeln!(out, "{}  {}  {}", Visible::new(&place), Visible::new(&call.tool), verdict.kind.name())?;
            print_lines(out, &arguments(&call), "  ")?;
            stage_lines(&verdict).iter().try_for_each(|line| writeln!(out, "  {line}"))?;
            write!(out, "{}", call_text(report(&call, &verdict, None), text_of(&call), "  "))?;
        }
        Tab::Arguments => print_lines(out, &arguments(&call), "")?,
        Tab::Issues => {
            for issue in &verdict.issues {
                let said = [
                    issue.kind.expected().map(|e| format!(": expected {e}")),
                    issue.kind.provided().map(|p| format!(", provided {p}")),
                ];
                let said: String = said.into_iter().flatten().collect();
                writeln!(out, "{} {}{}", issue.kind.name(), Visible::new(issue.subject()), Visible::new(&said))?;
            }
        }
        // Not one byte more than the model would get.
        Tab::ModelText => write!(out, "{}", dialect::text(&verdict).unwrap_or_default())?,
        Tab::Wire => {
            let forms = WireForm::ALL.map(|form| (form.name().into(), wire(form, &verdict, call.id.as_deref()).into()));
            writeln!(out, "{}", Value::Object(forms.into_iter().collect()).to_json_pretty(2))?;
        }
        Tab::Schema => match rules.catalog.get(&call.tool) {
            Some(definition) => {
                out.write_all(definition.raw())?;
                writeln!(out)?;
            }
            None => writeln!(streams.err, "misfire: there is no definition of `{}`", Visible::new(&call.tool))?,
        },
        Tab::Raw => {
            let raw = raw(&call);
            out.write_all(raw.trim_ascii_end())?;
            writeln!(out)?;
        }
        Tab::Stages => stage_lines(&verdict).iter().try_for_each(|line| writeln!(out, "{line}"))?,
        Tab::Json => {
            let place = call.place.to_string();
            writeln!(out, "{}", report(&call, &verdict, Some(&place)).with_stages_and_wire().to_json())?;
        }
    }
    Ok(match (unreadable, verdict.is_error()) {
        (true, _) => FAILED,
        (false, true) => FOUND,
        (false, false) => OK,
    })
}

fn report<'a>(call: &'a Call, verdict: &'a Verdict, source: Option<&'a str>) -> CallReport<'a> {
    CallReport { verdict, id: call.id.as_deref(), source, pending: call.pending }
}

fn text_of(call: &Call) -> Option<&[u8]> {
    match &call.arguments {
        Arguments::Text(text) => Some(text.as_bytes()),
        _ => None,
    }
}

/// The arguments laid out where they are JSON, and as they are otherwise.
fn arguments(call: &Call) -> String {
    match &call.arguments {
        Arguments::Absent => "{}".to_owned(),
        Arguments::Json(value) => value.to_json_pretty(2),
        Arguments::Text(text) => match Value::parse(text.as_bytes()) {
            Ok(value) => value.to_json_pretty(2),
            Err(_) => text.to_well_formed().into_owned(),
        },
    }
}

fn print_lines(out: &mut dyn io::Write, text: &str, indent: &str) -> io::Result<()> {
    Visible::lines(text).into_iter().try_for_each(|line| writeln!(out, "{indent}{line}"))
}

/// The bytes that hold the call in its file.
fn raw(call: &Call) -> Vec<u8> {
    let mut engine = Engine::open(&[], vec![call.place.file.to_path_buf()], Profile::default());
    let mut ids = Vec::new();
    let mut take_in = |news| {
        if let News::Calls { added, .. } = news {
            ids.extend(added.iter().filter(|row| row.line == call.place.line).map(|row| row.id));
        }
    };
    engine.scan(&mut take_in, &mut || true);
    let reader = engine.reader();
    let is = |id: &crate::capture::index::CallId| reader.detail(*id).is_ok_and(|detail| detail.call.place == call.place);
    let found = ids.iter().copied().find(is).or(ids.first().copied());
    found.and_then(|id| reader.raw(id).ok()).unwrap_or_default()
}
