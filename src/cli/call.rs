//! `misfire call`: judge one call.

use super::profile::RulesArgs;
use super::{Config, FAILED, FOUND, OK, Streams, load_catalog};
use crate::dialect;
use crate::gate::{Arguments, Gate};
use crate::json::{JsString, Visible};
use crate::report::{CallReport, call_text, stage_lines};
use std::io::{self, Read as _};

/// The most that is read of a file or of stdin.
const MAX_BYTES: u64 = 256 << 20;

/// Judge one call
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The tool's name
    tool: String,
    /// The model's raw arguments text; @FILE reads a file, - reads stdin [default: {}]
    #[arg(value_name = "JSON | @FILE | -")]
    arguments: Option<String>,
    #[command(flatten)]
    rules: RulesArgs,
    /// text for people, model for the exact text and nothing else, json for one object with stages and wire results
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The finish reason that the provider reported; `length` changes the text of a call that does not parse
    #[arg(long, value_name = "REASON")]
    finish_reason: Option<String>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Format {
    Text,
    Model,
    Json,
}

/// Runs the command.
pub(super) fn run(args: &Args, config: &Config, streams: &mut Streams<'_>) -> io::Result<u8> {
    let text = match read_arguments(args.arguments.as_deref(), streams) {
        Ok(text) => text,
        Err(reason) => {
            writeln!(streams.err, "misfire: {}", Visible::new(&reason))?;
            return Ok(FAILED);
        }
    };
    let (catalog, unreadable) = load_catalog(&args.rules.tools, config, streams)?;
    let arguments = Arguments::Text(JsString::from_wtf8(&text));
    let verdict = Gate::with_profile(&catalog, args.rules.profile.profile(config)).judge(
        &args.tool,
        &arguments,
        args.finish_reason.as_deref(),
    );
    let report = CallReport { verdict: &verdict, id: None, source: None, pending: false };
    match args.format {
        Format::Json => writeln!(streams.out, "{}", report.with_stages_and_wire().to_json())?,
        // Not one byte more than the model would get.
        Format::Model => write!(streams.out, "{}", dialect::text(&verdict).unwrap_or_default())?,
        Format::Text => {
            let definition = catalog.get(&args.tool).map(|d| format!("  {}:{}", d.path().display(), d.position().line));
            let place = Visible::new(&definition.unwrap_or_default());
            writeln!(streams.out, "{}  {}{place}", Visible::new(&args.tool), verdict.kind.name())?;
            for line in stage_lines(&verdict) {
                writeln!(streams.out, "  {line}")?;
            }
            write!(streams.out, "{}", call_text(report, Some(&text), "  "))?;
        }
    }
    Ok(match (unreadable, verdict.is_error()) {
        (true, _) => FAILED,
        (false, true) => FOUND,
        (false, false) => OK,
    })
}

/// The raw text of the arguments, from where the command line says. Bytes that are no Unicode become U+FFFD.
fn read_arguments(given: Option<&str>, streams: &mut Streams<'_>) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = match given {
        None => return Ok(Vec::new()),
        Some("-") => (&mut *streams.input).take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|e| format!("stdin: {e}")),
        Some(text) => match text.strip_prefix('@') {
            None => return Ok(text.as_bytes().to_vec()),
            Some(path) => std::fs::File::open(path)
                .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
                .map_err(|e| format!("{path}: could not be read: {e}")),
        },
    };
    read?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("the arguments are larger than {} MiB", MAX_BYTES >> 20));
    }
    Ok(crate::json::to_well_formed(&bytes).into_owned().into_bytes())
}
