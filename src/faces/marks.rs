//! `misfire marks`.

use misfire::cli::{Config, FAILED, OK, Streams, marks};
use misfire::json::{Value, Visible};
use misfire::tui::edit::keeping;
use misfire::tui::edit::memory::{self, Ignored};
use misfire::tui::state::KeptNote;
use std::io::{self, Write};
use std::path::PathBuf;

/// Prints what was noted about calls in the app, in the order of files and lines.
pub fn marks(args: &marks::Args, config: &Config, streams: &mut Streams<'_>) -> io::Result<u8> {
    let sources: Vec<PathBuf> = config.tools(&args.tools).iter().chain(config.sessions(&args.sessions)).cloned().collect();
    let Some(path) = keeping::path(&sources) else {
        writeln!(streams.err, "misfire: nothing is kept between runs: there is no home folder")?;
        return Ok(FAILED);
    };
    let notes = match memory::read(&path) {
        Ok(memory) => memory.unwrap_or_default().view.notes,
        Err(why) => {
            let why = if why == Ignored::Newer { "is of a newer program" } else { "cannot be read" };
            writeln!(streams.err, "misfire: {} {why}", Visible::new(&path.to_string_lossy()))?;
            return Ok(FAILED);
        }
    };
    if notes.is_empty() {
        writeln!(streams.err, "misfire: no call is marked or commented on; m and ; in the app do that")?;
    }
    for note in &notes {
        match args.format {
            marks::Format::Text => text(note, streams.out)?,
            marks::Format::Ndjson => writeln!(streams.out, "{}", value(note).to_json())?,
        }
    }
    Ok(OK)
}

fn text(note: &KeptNote, out: &mut dyn Write) -> io::Result<()> {
    let place = format!("{}:{}", note.spot.file.display(), note.spot.line);
    write!(out, "{}  {}", Visible::new(&place), Visible::new(&note.tool))?;
    if note.marked {
        write!(out, "  marked")?;
    }
    if !note.comment.is_empty() {
        write!(out, "  ; {}", Visible::new(&note.comment))?;
    }
    writeln!(out)
}

fn value(note: &KeptNote) -> Value {
    Value::from([
        ("file", Value::from(note.spot.file.to_string_lossy().as_ref())),
        ("line", Value::from(note.spot.line)),
        ("tool", Value::from(note.tool.as_str())),
        ("marked", Value::from(note.marked)),
        ("comment", Value::from(note.comment.as_str())),
    ])
}
