//! Writing what is exported.

use crate::capture::index::CallId;
use crate::capture::{Call, write_call};
use crate::gate::{Gate, Verdict};
use crate::replay::judge;
use crate::report::{CallReport, CallsReport, Markup, call_object};
use crate::tui::edit::job::Shared;
use crate::tui::job::{Desk, Output};
use crate::tui::runtime::jobs::JobContext;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// What this job is called, in words that can be shown.
pub mod kind {
    /// Writing an export.
    pub const EXPORTING: &str = "exporting";
}

/// Something to be written into a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportJob {
    /// Where.
    pub path: PathBuf,
    /// What is there already may go.
    pub overwrite: bool,
    /// What is written.
    pub content: Content,
}

/// What is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A text.
    Text(String),
    /// Calls, each read and judged.
    Calls {
        /// Where they are read.
        desk: Desk,
        /// By which they are judged.
        gate: Shared<Gate>,
        /// Which.
        calls: Vec<Subject>,
        /// In which form.
        form: Form,
    },
}

/// A call to be exported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Where it is read, …
    pub id: CallId,
    /// … unless it is an attempt that is in no file.
    pub attempt: Option<Shared<Call>>,
}

/// A form for many calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Our own capture format, a call a line.
    Own,
    /// What `misfire check --format ndjson` prints.
    Verdicts,
    /// A report: counts, and each failing call with the text that the model gets.
    Report(Markup),
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exported {
    /// A text was written.
    Text {
        /// Where.
        path: PathBuf,
        /// How long it is.
        bytes: usize,
    },
    /// Calls were written.
    Calls {
        /// Where.
        path: PathBuf,
        /// How many.
        calls: usize,
        /// How many are not there any more.
        unread: usize,
    },
    /// Nothing was, as there is a file of that name: this is to be asked about.
    Taken(Box<ExportJob>),
    /// Nothing was, for this reason.
    Failed(String),
}

impl ExportJob {
    /// Does it. A file that is not whole is removed again; one that is to be overwritten is there until the new one is whole.
    pub fn run(self, job: &JobContext<Output>) {
        let path = self.path.clone();
        let written_to = if self.overwrite { beside(&path) } else { path.clone() };
        let file = match OpenOptions::new().write(true).create_new(true).open(&written_to) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && !self.overwrite => {
                return job.output(Output::Exported(Exported::Taken(Box::new(self))));
            }
            Err(error) => return job.output(Output::Exported(Exported::Failed(format!("{}: {error}", written_to.display())))),
        };
        let written = match &self.content {
            Content::Text(text) => write_text(file, text).map(|()| Some((text.len(), 0))),
            Content::Calls { desk, gate, calls, form } => write_calls(file, desk, gate, calls, *form, job),
        };
        let written = written.and_then(|written| {
            if written.is_some() && self.overwrite {
                std::fs::rename(&written_to, &path)?;
            }
            Ok(written)
        });
        if !matches!(written, Ok(Some(_))) {
            let _ = std::fs::remove_file(&written_to);
        }
        let is_text = matches!(self.content, Content::Text(_));
        match written {
            Ok(Some((bytes, _))) if is_text => job.output(Output::Exported(Exported::Text { path, bytes })),
            Ok(Some((calls, unread))) => job.output(Output::Exported(Exported::Calls { path, calls, unread })),
            // It was told to stop, and that has been said.
            Ok(None) => {}
            Err(error) => job.output(Output::Exported(Exported::Failed(format!("{}: {error}", path.display())))),
        }
    }
}

/// A name beside a file's, which nobody else takes.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    path.with_file_name(name)
}

fn write_text(mut file: File, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    file.sync_data()
}

/// Writes calls; gives how many, and how many could not be read. None if it was told to stop.
fn write_calls(
    file: File,
    desk: &Desk,
    gate: &Gate,
    calls: &[Subject],
    form: Form,
    job: &JobContext<Output>,
) -> io::Result<Option<(usize, usize)>> {
    /// Progress is told this often.
    const OFTEN: usize = 256;
    let mut out = BufWriter::with_capacity(256 << 10, file);
    let reader = desk.reader();
    let markup = if let Form::Report(markup) = form { Some(markup) } else { None };
    let (mut written, mut unread, mut report) = (0, 0, CallsReport::new(markup.unwrap_or_default()));
    for (n, subject) in calls.iter().enumerate() {
        if n % OFTEN == 0 {
            if job.is_cancelled() {
                return Ok(None);
            }
            job.progress(n as u64, calls.len() as u64);
        }
        let call = match &subject.attempt {
            Some(attempt) => Call::clone(attempt),
            None => match reader.detail(subject.id) {
                Ok(detail) => detail.call,
                Err(_gone) => {
                    unread += 1;
                    continue;
                }
            },
        };
        written += 1;
        let verdict = || judge(gate, &call);
        match form {
            Form::Own => writeln!(out, "{}", write_call(&call))?,
            Form::Verdicts => writeln!(out, "{}", verdict_line(&call, &verdict()))?,
            Form::Report(_) => report.add(&call, &verdict()),
        }
    }
    if markup.is_some() {
        report.write(&mut out)?;
    }
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_data()?;
    Ok(Some((written, unread)))
}

fn verdict_line(call: &Call, verdict: &Verdict) -> String {
    let source = (call.place.line > 0).then(|| call.place.to_string());
    let report = CallReport { verdict, id: call.id.as_deref(), source: source.as_deref(), pending: call.pending };
    call_object(report).to_json()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_an_error() {
        let Ok(full) = OpenOptions::new().write(true).open("/dev/full") else {
            return eprintln!("skipped: there is no /dev/full");
        };
        assert_eq!(write_text(full, "text").unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}
